"""Each test of bad input works in a folder of its own."""

from __future__ import annotations

import pytest

from tests.bad_input.helpers import Refused, refusing


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def refused(capsys) -> Refused:
    """Run a command that must fail, and return its one message."""
    return refusing(capsys)
