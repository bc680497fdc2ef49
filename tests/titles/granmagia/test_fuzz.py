"""Both engines play what random policies make of random rules; the proof knows what it tries."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.titles.granmagia.counting import Hits
from tests.titles.granmagia.fuzz import GAMES, fuzzed
from tests.titles.granmagia.proof import Setting, compare
from tests.titles.granmagia.watching import watch

#: Games of the default tests and of ``make verify``.
FEW, MANY = 150, 6000


def differences(first, last, folder):
    """Play the cases of these numbers; return what was hit, and differences."""
    hits, found = Hits(), []
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, hits)
        for number in range(first, last):
            players, case = fuzzed(number, folder)
            found += compare(Setting(case, players, GAMES, folder), hits)
    return hits, found


def assert_compared(hits, games):
    """All games were compared, but for the few that would come after one that stops a case."""
    assert hits["games"] + hits["games after a stop"] == games
    assert hits["games after a stop"] <= games // 10


def test_random_policies_play_the_same_games(tmp_path):
    hits, found = differences(0, FEW // GAMES, tmp_path)
    assert not found, "\n\n".join(found[:3])
    assert_compared(hits, FEW)


@pytest.mark.verify
@pytest.mark.parametrize("part", range(10))
def test_random_policies_play_the_same_many_games(part, tmp_path):
    cases = MANY // 10 // GAMES
    first = FEW // GAMES + part * cases
    hits, found = differences(first, first + cases, tmp_path)
    assert not found, "\n\n".join(found[:3])
    assert_compared(hits, MANY // 10)


def test_a_case_follows_from_its_number(tmp_path):
    (tmp_path / "again").mkdir()
    players, case = fuzzed(7, tmp_path)
    other_players, other = fuzzed(7, tmp_path / "again")
    assert (players, case.overrides, case.bans) == (other_players, other.overrides, other.bans)
    for one, two in zip(case.pool, other.pool, strict=True):
        assert Path(one).read_text("utf-8") == Path(two).read_text("utf-8")
