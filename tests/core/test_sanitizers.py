"""The sanitizers are really there: what they have to stop does not go on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    os.environ.get("TENBIN_SANITIZE", "0") in ("", "0"), reason="kernels without sanitizers"
)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        ("read_beyond(8)", "AddressSanitizer: heap-buffer-overflow"),
        ("add_beyond(1)", "signed integer overflow"),
    ],
)
def test_a_harmful_call_ends_the_process(call: str, named: str) -> None:
    code = f"from sim.core import _testing; _testing.{call}"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    assert named in ended.stderr
