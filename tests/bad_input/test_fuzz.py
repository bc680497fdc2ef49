"""Hostile files of all kinds: refused in one message, or taken and played, within five seconds.

What a case may cost, and what counts as a fault, is in ``fuzz.py``; single faults that were found
are in ``test_hostile.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sim
from tests.bad_input import loaders
from tests.bad_input.fuzz import fault_of
from tests.bad_input.helpers import ROOT


def fuzzed(kind: str, first: int, count: int, seconds: int) -> dict[str, int]:
    """Read hostile files in a process of its own; nothing may be wrong."""
    words = [sys.executable, "-X", "faulthandler", "-m", "tests.bad_input.fuzz"]
    try:
        done = subprocess.run(
            [*words, kind, str(first), str(count)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            env={"PYTHONPATH": str(ROOT), "PATH": ""},
        )
    except subprocess.TimeoutExpired as error:
        pytest.fail(f"no end of {(error.stderr or b'')[-500:]!r}")
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    assert told["faults"] == []
    return told


@pytest.mark.parametrize(
    ("kind", "count", "taken", "refused"),
    [("bombs", 1, 3, 50), ("files", 1, 10, 40), ("rules", 8, 10, 15), ("stores", 2, 5, 15)],
)
def test_hostile_files(kind: str, count: int, taken: int, refused: int) -> None:
    told = fuzzed(kind, 0, count, 300)
    # Enough of both kinds were met.
    assert told["taken"] >= taken
    assert told["refused"] >= refused


@pytest.mark.verify
@pytest.mark.parametrize(
    ("kind", "count"), [("bombs", 6), ("files", 15), ("rules", 120), ("stores", 30)]
)
def test_many_hostile_files(kind: str, count: int) -> None:
    fuzzed(kind, 1000, count, 600)


WORDS = st.sampled_from(["cards", "witches", "market", "cost", "effects", "value", "source", "a b"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.dates()
    | st.sampled_from(["assumed", "rulebook", "draw 1", "mana 99", "magic", "stop"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(WORDS | st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def toml(value: object) -> str:
    """Return a value as TOML, near enough: what comes out need not be valid."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower()


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(WORDS, min_size=1, max_size=4), VALUES)
def test_any_value_at_any_place(tmp_path: Path, keys: list[str], value: object) -> None:
    key = ".".join(json.dumps(word) if " " in word else word for word in keys)
    file = tmp_path / "hostile.toml"
    file.write_text(f"{key} = {toml(value)}\n", encoding="utf-8", errors="replace")
    for step in (
        lambda: sim.load("granmagia", rules=file),
        lambda: sim.load("granmagia", overrides=[f"{key}={toml(value)}"]),
        lambda: loaders.spec(file),
        lambda: loaders.policy("granmagia")(file),
    ):
        _, fault = fault_of(step, "")
        assert fault is None
