"""Runs that several tests look at: a made-up one with ties, and real ones of a dice race."""

from __future__ import annotations

import pytest

import sim
from sim.errors import UnknownNameError
from tests.analysis.toy import ToyRun
from tests.run.toy_title import TOY


@pytest.fixture(scope="session")
def made_up() -> ToyRun:
    return ToyRun(3000)


@pytest.fixture(scope="session")
def kept(tmp_path_factory) -> dict[str, sim.Run]:
    """One real run, kept as rows, as sums and as both."""
    folder = tmp_path_factory.mktemp("runs")
    return {
        keep: sim.simulate(TOY, games=900, seed=5, keep=keep, out=folder / keep, jobs=1)
        for keep in ("rows", "sums", "both")
    }


@pytest.fixture
def registered(monkeypatch):
    """Make the dice race a registered title for this process."""
    from sim import titles

    def load(name: str):
        if name != "toy":
            raise UnknownNameError("title", name, ("toy",))
        return TOY

    monkeypatch.setattr(titles, "TITLES", ("toy",))
    monkeypatch.setattr(titles, "load", load)
