"""The two engines play the same games, column by column, and that this says something.

What the games came across is counted, printed and required: a proof that a branch of the rules was
not reached in proves nothing about it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from sim.core.records import record_dtype
from sim.titles.wizard import TITLE, load
from sim.titles.wizard.tables import CAST, ENEMY, HEX, RULES, SPELL, WAY
from tests.titles.wizard.proof import Case, Setting, compare, wanted, watch
from tests.titles.wizard.proof_cases import ALL, cases

#: Games of the main cases; the others play a share of them.
FEW, MANY = 40, 1_000


@cache
def proof(folder, games):
    """Play all cases; return the hits and the differences."""
    hits: Counter[str] = Counter()
    different: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, hits)
        for case in cases():
            different += compare(Setting(case, int(games * case.share), folder), hits)
    return hits, different


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("proof")


def test_both_engines_play_the_same_games(folder):
    assert proof(folder, FEW)[1] == []


def test_the_proof_reaches_every_branch(folder):
    hits = proof(folder, FEW)[0]
    names = [*wanted(), "games"]
    for name in names:
        print(f"{hits[name]:9d}  {name}")
    assert not [name for name in names if not hits[name]]


@pytest.mark.verify
def test_both_engines_play_the_same_many_games(folder):
    assert proof(folder, MANY)[1] == []


# -- what is moved -------------------------------------------------------------------------------


def numbers(ruleset):
    """Return all values of a ruleset by key."""
    found = {}

    def walk(value, *path):
        if not hasattr(value, "items"):
            found[".".join(path)] = value
            return
        for name, inner in value.items():
            walk(inner, *path, name)

    walk(ruleset.values)
    return found


def kind(key):
    """Return a key without the ids of what it is about: ``enemies.*.lp``."""
    names = key.split(".")
    after = {"enemies", "cards", "ways", "spells", "terrains", "hexes", "maps"}
    return ".".join(
        "*" if place and names[place - 1] in after else name for place, name in enumerate(names)
    )


def test_every_number_of_the_rules_is_moved(folder):
    printed = numbers(load())
    moved = set()
    for case in cases():
        there = numbers(case.load(folder))
        moved |= {key for key, value in printed.items() if there.get(key, value) != value}
    tables = ("enemies", "cards", "spells", "terrains", "maps")
    assert {key for key in printed if not key.startswith(tables)} <= moved
    assert {kind(key) for key in printed if "label" not in key} <= {kind(key) for key in moved}


# -- parts of calls ------------------------------------------------------------------------------

GROUPS = ("games", "seats", "cards", "series")


def test_a_part_of_a_call_is_what_it_is_alone(folder):
    """Games do not know which were played before them, nor buffers what they held."""
    setting = Setting(Case("printed rules", pool=ALL), 30, folder)
    assert setting.play() == (0, 30)
    alone = setting.buffers(9)
    for name in GROUPS:
        getattr(alone, name).view(np.uint8).fill(0xA5)
    assert setting.play(alone, first=21) == (0, 9)
    for name in GROUPS:
        assert (getattr(alone, name) == getattr(setting.out, name)[21:]).all(), name


def test_groups_that_are_not_asked_for_change_nothing(folder):
    setting = Setting(Case("printed rules", pool=ALL), 30, folder)
    setting.play()
    core = setting.buffers(30, collect=("core",))
    assert setting.play(core) == (0, 30)
    assert (core.games == setting.out.games).all()
    assert (core.seats == setting.out.seats).all()
    for name in ("cards", "series"):
        one = setting.buffers(30, collect=("core", name))
        assert setting.play(one) == (0, 30)
        assert (getattr(one, name) == getattr(setting.out, name)).all(), name


def test_a_series_may_have_room_for_more_rounds(folder):
    setting = Setting(Case("few rounds", ("limits.round_cap=7",), pool=ALL), 20, folder)
    setting.play()
    wide = setting.buffers(20)
    wide = type(wide)(wide.games, wide.seats, wide.cards, np.zeros((20, 1, 9, 2), np.int16))
    assert setting.play(wide) == (0, 20)
    assert (wide.series[:, :, :7] == setting.out.series).all()
    assert (wide.series[:, :, 7:] == np.iinfo(np.int16).min).all()


def test_no_games_are_played_when_none_are_asked_for(folder):
    setting = Setting(Case("printed rules", pool=ALL), 3, folder)
    assert setting.play(setting.buffers(0)) == (0, 0)


def test_structs_are_twins():
    from sim.titles.wizard._kernel import layout

    twins = {"rules": RULES, "enemy": ENEMY, "way": WAY, "spell": SPELL, "cast": CAST, "hex": HEX}
    twins |= {level: record_dtype(TITLE.info, level) for level in ("game", "seat")}
    compiled = layout()
    assert set(compiled) == set(twins)
    for name, declared in twins.items():
        assert compiled[name].itemsize == declared.itemsize
        assert compiled[name].names == declared.names
        offsets = {field: where[:2] for field, where in declared.fields.items()}
        assert {field: where[:2] for field, where in compiled[name].fields.items()} == offsets
