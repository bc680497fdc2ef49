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
from sim.errors import COUNTER_OVERFLOW
from sim.titles.magnolia import TITLE, load
from sim.titles.magnolia.schema import LIKENESSES, RESOURCES
from sim.titles.magnolia.tables import EFFECT, KIND, OBJECTIVE, RULES, STEP
from sim.titles.magnolia.words import kind_ids
from tests.titles.magnolia.proof import (
    ALL,
    CHOOSY,
    CONTRARY,
    CURIOUS,
    Case,
    Setting,
    probes,
    wanted,
    watch,
)
from tests.titles.proofs import compare

#: Games a player count of the main cases; the others play a share of them.
FEW, MANY = 40, 1_500

#: Every number of rules.toml and objectives.toml off what it is.
MOVED = (
    "start.gold=0",
    "draw.hand=7",
    "draw.exchange_from=3",
    "placement.gold=[0, 3, 2]",
    'war.shared="divided"',
    "war.least_power=4",
    "war.gained_from=3",
    "war.vp.2p=[7, 3]",
    "war.vp.3p=[0, 0, 4]",
    "war.vp.4p=[9, 1, 1, 1]",
    "war.vp.5p=[1, 2, 3, 4, 5]",
    "income.gold=0",
    "end.vp=12",
    "end.cards=4",
    "end.gold_per_vp=1",
    "objectives.used=true",
    "objectives.open=12",
    "limits.round_cap=2",
)

#: Numbers that only matter beside another one.
WITH_OBJECTIVES = ("objectives.open=9", 'objectives.check="bonus"', 'objectives.check="round"')


def cases() -> list[Case]:
    used = ("objectives.used=true",)
    # Long games of cheap cards, so that all that can be asked comes to more than one value.
    long = ("end.vp=900", "limits.round_cap=5", *used)
    return [
        Case("all policies", pool=ALL, share=1),
        Case("all policies, in turn", pool=ALL, rotations=True),
        Case("slips", used, pool=tuple(f"{name}@0.2" for name in ALL)),
        Case("random", used, pool=("random",), share=0.4),
        *(Case(text, (text,)) for text in MOVED),
        *(Case(text, (*used, text)) for text in WITH_OBJECTIVES),
        *(
            Case(name, tuple(f"bonuses.{name}.{what}=7" for what in RESOURCES), share=0.05)
            for name in LIKENESSES
        ),
        Case("every question of texts", long, ("random", CURIOUS), overlay=probes(), share=1),
        Case("curious", used, (CURIOUS, CONTRARY, "greedy"), share=1),
        Case(
            "curious and poor",
            ("start.gold=0", "income.gold=0", "placement.gold=[0, 0, 0]", "limits.round_cap=2"),
            (CURIOUS,),
        ),
        Case(
            "curious with two cards",
            ("draw.hand=2", "cards.human_lord.cost=0", "start.gold=40", *used),
            (CURIOUS, CHOOSY),
            share=0.5,
        ),
        Case(
            "one people of one trade",
            (
                *ALIKE,
                *(f"bonuses.{name}.{what}=5" for name in ("elf", "mage") for what in RESOURCES),
            ),
            (CHOOSY, "random"),
        ),
        Case("contrary", (), (CONTRARY,), share=0.4),
        Case("copies", ("cards.human_lord.more=8", "cards.golem_smith.more=6"), (CONTRARY, *ALL)),
        Case(
            "too few cards",
            ("limits.round_cap=9", "end.vp=9999", "draw.hand=6"),
            ("random",),
            players=(5,),
            fewer=True,
            share=0.4,
        ),
        Case("bans", bans=(("human", "mage"), ("card",), ("goblin_soldier",), (), ("elf",))),
        Case("too much", (*long[1:], 'cards.elf_priest.vp=["vp 99 per gold"]', *RICH), fails=True),
    ]


ALIKE = tuple(
    f"cards.{kind}.{what}"
    for kind in kind_ids(load().values)
    for what in ('race="elf"', 'job="mage"')
)
RICH = ("start.gold=99", "end.vp=9999", "cards.elf_priest.cost=0", "cards.elf_priest.more=8")


@cache
def proof(folder, games, players):
    """Play all cases for a number of players; return the hits and the differences."""
    hits: Counter[str] = Counter()
    different: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, hits)
        for case in cases():
            if players in case.players:
                count = -(-max(players, int(games * case.share)) // players) * players
                different += compare(Setting(case, players, count, folder), hits)
    return hits, different


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("proof")


def require_hits(folder, games):
    hits = sum((proof(folder, games, players)[0] for players in TITLE.info.players), Counter())
    names = [*wanted(), f"error {COUNTER_OVERFLOW}", "games"]
    for name in names:
        print(f"{hits[name]:9d}  {name}")
    assert not [name for name in names if not hits[name]]


@pytest.mark.parametrize("players", TITLE.info.players)
def test_both_engines_play_the_same_games(folder, players):
    assert proof(folder, FEW, players)[1] == []


def test_the_proof_reaches_every_branch(folder):
    require_hits(folder, FEW)


@pytest.mark.verify
@pytest.mark.parametrize("players", TITLE.info.players)
def test_both_engines_play_the_same_many_games(folder, players):
    assert proof(folder, MANY, players)[1] == []


def test_every_number_of_the_rules_is_moved():
    texts = (*MOVED, *WITH_OBJECTIVES)
    moved = {text.partition("=")[0] for text in texts}
    moved |= {f"bonuses.{name}.{what}" for name in LIKENESSES for what in RESOURCES}
    keys = {key for key in load().keys() if not key.startswith(("cards.", "objectives.cards."))}  # noqa: SIM118 - a method of its own
    assert keys <= moved


def test_a_part_of_a_call_is_what_it_is_alone(folder):
    """Games do not know which were played before them, nor buffers what they held."""
    setting = Setting(Case("printed rules", pool=ALL), 3, 12, folder)
    assert setting.play() == (0, 12)
    alone = setting.buffers(5)
    for array in (alone.games, alone.seats, alone.cards, alone.series):
        array.view(np.uint8).fill(0xA5)
    assert setting.play(alone, first=7) == (0, 5)
    for group in ("games", "seats", "cards", "series"):
        assert (getattr(alone, group) == getattr(setting.out, group)[7:]).all(), group


def test_groups_that_are_not_asked_for_change_nothing(folder):
    setting = Setting(Case("printed rules", pool=ALL), 4, 20, folder)
    setting.play()
    core = setting.buffers(20, collect=("core",))
    assert setting.play(core) == (0, 20)
    assert (core.games == setting.out.games).all()
    assert (core.seats == setting.out.seats).all()


def test_structs_are_twins():
    from sim.titles.magnolia._kernel import layout

    twins = {"rules": RULES, "kind": KIND, "step": STEP, "effect": EFFECT, "objective": OBJECTIVE}
    twins |= {level: record_dtype(TITLE.info, level) for level in ("game", "seat")}
    compiled = layout()
    assert set(compiled) == set(twins)
    for name, declared in twins.items():
        assert compiled[name].itemsize == declared.itemsize
        assert compiled[name].names == declared.names
        offsets = {field: where[:2] for field, where in declared.fields.items()}
        assert {field: where[:2] for field, where in compiled[name].fields.items()} == offsets
