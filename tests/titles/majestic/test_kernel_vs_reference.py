"""The two engines play the same games, column by column, and that this says something.

What the games came across is counted, printed and required: a proof that a branch of the rules was
not reached in proves nothing about it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from sim.errors import COUNTER_OVERFLOW
from sim.titles.majestic import load as load_printed
from tests.titles.majestic.proof import (
    ALL,
    BRAWLER,
    CONTRARY,
    CURIOUS,
    PRINTED,
    PROBES,
    Case,
    Setting,
    load,
    wanted,
    watch,
)
from tests.titles.majestic.staging import card
from tests.titles.proofs import compare

#: Games of the main cases; the others play a share of them.
FEW, MANY = 100, 2_000

#: Numbers of rules.toml off what they are; those of decks are moved by the proof's own decks.
MOVED = (
    "start.hand=8",
    "start.redraws=0",
    "start.lp=1",
    "turn.draw=3",
    "turn.first_draw=2",
    "turn.mana_draw=4",
    "turn.hand_limit=0",
    "turn.area_limit=2",
    "limits.round_cap=3",
    "limits.acts_cap=1",
)

#: The same once more with cards that do everything, and other values.
MOVED_PROBES = (
    "start.hand=1",
    "start.redraws=0",
    "start.lp=2",
    "turn.draw=0",
    "turn.first_draw=5",
    "turn.mana_draw=5",
    "turn.hand_limit=2",
    "turn.area_limit=1",
    "limits.round_cap=4",
    "limits.acts_cap=3",
)

#: Long games with many units, so that places run out.
CROWDED = ("turn.draw=3", "start.hand=8", "start.lp=7", "turn.hand_limit=20")


#: A deck of one unit with an ability that can be used as often as a turn allows, and that counts by
#: the dozen.
ENDLESS = (
    card(
        "wheel",
        "unit",
        keywords=["swift", "bound"],
        ability={
            "down": True,
            "effects": ["ready self", "draw own 12", "discard own 12", "recycle 40"],
        },
    )
    + """
[decks.a_wheel]
label = { en = "Wheel", ja = "車輪" }
sorcerer = "pyra"
main = { wheel = 40 }
mana = { fire_mana = 20 }
"""
)

#: What is seen in battles and of texts, which seats that fight much come across.
ABOUT_BATTLES = tuple(
    f"curious_{seen}"
    for seen in ("falls", "fells", "blocked", "swings", "burns", "refills", "kills")
)


def cases() -> list[Case]:
    wild = ("random", CONTRARY, BRAWLER)
    return [
        # Enough for every single card to be met, rare ones in few decks too.
        Case("printed rules", pool=ALL, cards=PRINTED, each=True, share=8),
        Case("all policies", pool=ALL, share=0.6),
        Case("all policies, in turn", pool=ALL, rotations=True),
        Case("slips", pool=tuple(f"{name}@0.2" for name in ALL), share=0.4),
        *(Case(text, (text,)) for text in MOVED),
        *(Case(f"probes, {text}", (text,), wild, PROBES) for text in MOVED_PROBES),
        Case("probes", pool=(*ALL, *wild[1:]), cards=PROBES, share=1),
        Case("probes, in turn", pool=wild, cards=PROBES, rotations=True),
        Case("probes, crowded", CROWDED, wild, PROBES, share=0.6),
        Case("curious", pool=CURIOUS, each=True, share=0.6),
        Case("probes, curious", pool=CURIOUS, cards=PROBES, each=True, share=2),
        Case("probes, curious and crowded", CROWDED, CURIOUS, PROBES, each=True, share=0.3),
        Case("probes, battles", pool=(*ABOUT_BATTLES, BRAWLER), cards=PROBES, each=True, share=0.9),
        Case(
            "curious, without hands",
            ("turn.hand_limit=0", "turn.draw=0"),
            ("curious_hand", "curious_enemy_hand"),
            each=True,
            share=0.1,
        ),
        Case("contrary", pool=(CONTRARY,), share=0.4),
        Case("small decks", ("start.hand=4",), ("random",), PROBES, (10, 40), share=0.4),
        Case("small mana decks", ("start.lp=6",), ("random",), PROBES, (60, 8), share=0.4),
        Case("both small", ("start.hand=8", "start.lp=7"), wild, PROBES, (10, 8), share=0.4),
        Case(
            "bans",
            pool=wild,
            cards=PROBES,
            bans=(("any_unit", "spell_3"), ("any_spell", "fire", "unit_1")),
            share=0.4,
        ),
        Case(
            "too much",
            ("limits.acts_cap=999", "deck.copies=40"),
            (f"{CONTRARY}@0",),
            overlay=ENDLESS,
            each=True,
            share=0,
            fails=True,
        ),
    ]


@cache
def proof(folder, games):
    """Play all cases; return the hits and the differences."""
    hits: Counter[str] = Counter()
    different: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, hits)
        for case in cases():
            count = -(-max(2, int(games * case.share)) // 2) * 2
            different += compare(Setting(case, count, folder), hits)
    return hits, different


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("proof")


def test_both_engines_play_the_same_games(folder):
    assert proof(folder, FEW)[1] == []


@pytest.mark.rule("MM-G7")
def test_the_proof_reaches_every_branch(folder):
    hits = proof(folder, FEW)[0]
    names = [*wanted(), f"error {COUNTER_OVERFLOW}", "games"]
    for name in names:
        print(f"{hits[name]:9d}  {name}")
    assert not [name for name in names if not hits[name]]


@pytest.mark.verify
def test_both_engines_play_the_same_many_games(folder):
    assert proof(folder, MANY)[1] == []


def test_every_number_of_the_rules_is_moved(folder):
    printed = load_printed()
    keys = {
        key
        for key in printed.keys()  # noqa: SIM118 - a method of its own
        if key.startswith(("deck.", "start.", "turn.", "limits."))
    }
    moved = set()
    for case in cases():
        rules = load(case, folder)
        moved |= {key for key in keys if rules.source(key).value != printed.source(key).value}
    assert moved == keys


def test_a_part_of_a_call_is_what_it_is_alone(folder):
    """Games do not know which were played before them, nor buffers what they held."""
    setting = Setting(Case("probes", pool=("random",), cards=PROBES), 12, folder)
    assert setting.play() == (0, 12)
    alone = setting.buffers(5)
    for array in (alone.games, alone.seats, alone.cards, alone.series):
        array.view(np.uint8).fill(0xA5)
    assert setting.play(alone, first=7) == (0, 5)
    for group in ("games", "seats", "cards", "series"):
        assert (getattr(alone, group) == getattr(setting.out, group)[7:]).all(), group


def test_groups_that_are_not_asked_for_change_nothing(folder):
    setting = Setting(Case("probes", pool=("random",), cards=PROBES), 20, folder)
    setting.play()
    core = setting.buffers(20, collect=("core",))
    assert setting.play(core) == (0, 20)
    assert (core.games == setting.out.games).all()
    assert (core.seats == setting.out.seats).all()
