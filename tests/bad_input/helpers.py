"""What the tests of bad input share: commands, what they said, and runs that are cut short."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis import cli

ROOT = Path(__file__).parents[2]
DATA = ROOT / "sim/titles/granmagia/data"

#: Enough games for several shards of the dice race.
RUN = ("simulate", "toy", "--games", "1201", "--keep", "both", "--jobs", "2", "--out", "run")

#: The command line with the dice race as its only title; its games can be slowed down.
PROGRAM = """
import sys
from sim import titles
from tests.run.toy_title import TOY
titles.TITLES = ("toy",)
titles.load = lambda name: TOY
from analysis.cli import main
sys.exit(main())
"""

#: A command that must fail with a code; it returns its one message.
Refused = Callable[..., str]


def one_message(stderr: str) -> str:
    """Return the message of a command that failed: one, and no traceback."""
    assert stderr.startswith("tenbin: ")
    assert stderr.count("tenbin: ") == 1
    assert "Traceback" not in stderr
    assert "internal error" not in stderr
    assert stderr.isprintable() or stderr.replace("\n", "").isprintable()
    return stderr.removeprefix("tenbin: ").rstrip("\n")


def start(*words: str, program: str = PROGRAM, **environment: str) -> subprocess.Popen[str]:
    """Start the command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def refusing(capsys: pytest.CaptureFixture[str]) -> Refused:
    """Return a function that runs a command that must fail."""

    def refused(*words: str, code: int = 2) -> str:
        got = cli.main(words)
        told = capsys.readouterr()
        assert got == code, told.err
        assert told.out == ""
        return one_message(told.err)

    return refused
