"""The two engines play the same games, column by column, and that this says something.

The games are few enough for every run of the tests; ``make verify`` plays twenty thousand for each
number of players. A proof that branches of the rules were not reached in proves nothing about them,
so what was reached is counted, printed and required.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sim.core.records import allocate
from sim.titles.granmagia import TITLE
from tests.titles.granmagia.counting import FIXED, Hits, wanted, watch
from tests.titles.granmagia.proof import MOVED, WRITTEN, Case, Setting, cases, compare

#: Games of a case of share 1, for each number of players.
FEW, MANY = 8, 270

PLAYERS = TITLE.info.players


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("policies")
    for name, text in WRITTEN.items():
        (made / f"{name}.toml").write_text(text, encoding="utf-8")
    return made


@cache
def proof(folder, games):
    """Play all cases; return the hits and, by number of players, the first differences."""
    hits = Hits()
    different = {players: [] for players in PLAYERS}
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, hits)
        for case in cases():
            for players in case.players:
                setting = Setting(case, players, max(1, int(games * case.share)), folder)
                before = hits["games"]
                different[players] += compare(setting, hits)
                hits[f"games of {players} players"] += hits["games"] - before
    return hits, different


def require(folder, games, players):
    _, different = proof(folder, games)
    assert not different[players], "\n\n".join(different[players][:3])


def require_hits(folder, games):
    hits, _ = proof(folder, games)
    names = wanted(TITLE.compile(TITLE.load()))
    for name in sorted([*names, *(f"games of {players} players" for players in PLAYERS)]):
        print(f"{hits[name]:9d}  {name}")
    assert hits.missing(names) == []
    # What can differ by now has to be required.
    assert hits.missing(f"policies saw different values: {name}" for name in FIXED) == [
        f"policies saw different values: {name}" for name in FIXED
    ]


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


def leaves(values, path=()):
    for key, value in values.items():
        if hasattr(value, "items"):
            yield from leaves(value, (*path, key))
        else:
            yield ".".join((*path, key))


def test_every_number_of_the_rules_is_moved_by_a_case():
    values = TITLE.load().values
    rules = {key: values[key] for key in values if key not in ("cards", "witches")}
    assert {text.partition("=")[0] for text in MOVED} == set(leaves(rules))


@pytest.mark.parametrize("text", MOVED)
def test_a_moved_number_is_not_its_default(text):
    assert TITLE.load(overrides=[text]).hash != TITLE.load().hash


def test_a_part_of_a_call_is_what_it_is_alone(folder):
    """Games do not know which were played before them, nor buffers what they held."""
    case = Case("printed rules", pool=("engine", "random", "truth_rush"))
    setting = Setting(case, 3, 12, folder)
    assert setting.play() == (0, 12)
    alone = allocate(
        TITLE.info,
        5,
        3,
        kinds=len(setting.tables.kinds),
        rounds=setting.tables.rule["round_cap"],
        collect=("core", "cards", "series"),
    )
    for array in (alone.games, alone.seats, alone.cards, alone.series):
        array.view(np.uint8).fill(0xA5)
    assert setting.play(alone, first=7) == (0, 5)
    assert (alone.games == setting.out.games[7:]).all()
    assert (alone.seats == setting.out.seats[7:]).all()
    assert (alone.cards == setting.out.cards[7:]).all()
    assert (alone.series == setting.out.series[7:]).all()


def test_groups_that_are_not_asked_for_change_nothing(folder):
    setting = Setting(Case("printed rules", pool=("engine", "random")), 4, 20, folder)
    setting.play()
    core = allocate(TITLE.info, 20, 4)
    assert setting.play(core) == (0, 20)
    assert (core.games == setting.out.games).all()
    assert (core.seats == setting.out.seats).all()
