"""The two engines play the same games, column by column, and that this says something.

The games are few enough for every run of the tests; ``make verify`` plays a hundred thousand for
each number of players. A proof that branches of the rules were not reached in proves nothing about
them, so what was reached is counted, printed and required.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sim.titles.granmagia import TITLE
from tests.titles.granmagia.branches import wanted
from tests.titles.granmagia.counting import Hits
from tests.titles.granmagia.proof import Case, Setting, compare
from tests.titles.granmagia.proof_cases import cases
from tests.titles.granmagia.proof_policies import WRITTEN
from tests.titles.granmagia.watching import watch

#: Games of a case of share 1, for each number of players, and the least of all together.
FEW, MANY = 7, 350
LEAST = {FEW: 2_000, MANY: 100_000}

PLAYERS = TITLE.info.players


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("policies")
    for name, text in WRITTEN.items():
        (made / f"{name}.toml").write_text(text, encoding="utf-8")
    return made


@cache
def proof(folder, games, players):
    """Play all cases for a number of players; return the hits and the first differences."""
    hits, different = Hits(), []
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, hits)
        for case in cases():
            if players in case.players:
                setting = Setting(case, players, max(1, int(games * case.share)), folder)
                different += compare(setting, hits)
    return hits, different


def require(folder, games, players):
    hits, different = proof(folder, games, players)
    assert not different, "\n\n".join(different[:3])
    assert hits["games"] >= LEAST[games]


def require_hits(folder, games):
    hits = Hits()
    for players in PLAYERS:
        hits.add(proof(folder, games, players)[0])
    names = wanted(TITLE.compile(TITLE.load()))
    for name in sorted([*names, "games"]):
        print(f"{hits[name]:9d}  {name}")
    assert hits.missing(names) == []


@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_the_same_games(folder, players):
    require(folder, FEW, players)


def test_the_proof_reaches_every_branch(folder):
    require_hits(folder, FEW)


@pytest.mark.verify
@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_the_same_many_games(folder, players):
    require(folder, MANY, players)


@pytest.mark.verify
def test_the_long_proof_reaches_every_branch(folder):
    require_hits(folder, MANY)


def test_a_part_of_a_call_is_what_it_is_alone(folder):
    """Games do not know which were played before them, nor buffers what they held."""
    case = Case("printed rules", pool=("engine", "random", "truth_rush"))
    setting = Setting(case, 3, 12, folder)
    assert setting.play() == (0, 12)
    alone = setting.buffers(5)
    for array in (alone.games, alone.seats, alone.cards, alone.series):
        array.view(np.uint8).fill(0xA5)
    assert setting.play(alone, first=7) == (0, 5)
    for group in ("games", "seats", "cards", "series"):
        assert (getattr(alone, group) == getattr(setting.out, group)[7:]).all(), group


def test_groups_that_are_not_asked_for_change_nothing(folder):
    setting = Setting(Case("printed rules", pool=("engine", "random")), 4, 20, folder)
    setting.play()
    core = setting.buffers(20, collect=("core",))
    assert setting.play(core) == (0, 20)
    assert (core.games == setting.out.games).all()
    assert (core.seats == setting.out.seats).all()
