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
from sim.errors import COUNTER_OVERFLOW, PILE_OVERFLOW
from sim.titles.classic import TITLE, load
from sim.titles.classic.schema import MOST_IN_COLUMN
from sim.titles.classic.tables import EFFECT, KIND, RULES
from tests.titles.classic.proof import (
    ALL,
    CHURNING,
    CURIOUS,
    WILD,
    Case,
    Setting,
    probes,
    wanted,
    watch,
)
from tests.titles.proofs import compare

FEW, MANY = 40, 1_000

#: Every number of rules.toml off what it is, and of cards what rules of their own ask for.
MOVED = (
    "start.deck.copper=4",
    "start.deck.estate=0",
    "turn.actions=2",
    "turn.buys=3",
    "turn.hand=6",
    "supply.kinds=3",
    'supply.fixed=["rampart", "crone"]',
    "piles.copper=9",
    "piles.silver=2",
    "piles.gold=1",
    "piles.action=1",
    "piles.curses_per_rival=1",
    "piles.victory.1p=3",
    "piles.victory.2p=3",
    "piles.victory.3p=0",
    "piles.victory.4p=1",
    "end.piles=1",
    "limits.round_cap=4",
    "cards.silver.coins=0",
    "cards.estate.cost=0",
    "cards.duchy.points=-2",
    "cards.curse.points=4",
    "cards.forge.cost=0",
)


def one_card(effects: str) -> str:
    """Return an overlay with a card that costs nothing."""
    label = 'label = { en = "Extra", ja = "おまけ" }'
    return f'[cards.extra]\n{label}\nsort = "action"\ncost = 0\neffects = [{effects}]\n'


#: An offer of things that cost nothing, without end, to whoever plays one card after the other.
ENDLESS = ("piles.copper=200", "piles.action=200", 'supply.fixed=["extra"]')


CARDS = '"actions 2", ' + '"receive 0", ' * 14
#: 900,000,000 are allowed, twice as many are not.
COINS = '"coins 9", ' + '"coins 99 per coins", ' * 4 + '"coins 1 per coins"'


def cases() -> list[Case]:
    every = ("supply.kinds=99",)
    return [
        Case("all policies", pool=ALL, share=3),
        Case("all policies, in turn", pool=ALL, rotations=True),
        Case("slips", pool=tuple(f"{name}@0.2" for name in ALL)),
        Case("random", pool=("random",)),
        Case("every card", every, share=2),
        Case("attacks", (*every, "turn.actions=3", "turn.hand=7"), share=2),
        *(Case(text, (text,), share=0.1) for text in MOVED),
        Case("every observable", every, (*WILD, CURIOUS), overlay=probes()),
        Case("curious", (), (CURIOUS, "naive_endgame")),
        Case("bans", every, bans=(("copper", "forge"), ("province",), (), ("silver", "curse"))),
        Case(
            "nothing to receive",
            ('cards.joinery.effects=["receive 0"]', "piles.copper=0", "piles.curses_per_rival=0"),
        ),
        Case("too many cards", ENDLESS, ("random",), overlay=one_card(CARDS), fails=True),
        Case("too many coins", ENDLESS, ("random",), overlay=one_card(COINS), fails=True),
    ]


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
    names = [*wanted(), f"error {PILE_OVERFLOW}", f"error {COUNTER_OVERFLOW}", "games"]
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


def test_counts_stop_where_their_column_ends(folder):
    """CL-E5: a count of the cards group stays at the most that its column holds."""
    text = '"actions 2"' + ', "discard_up_to 99", "draw 99"' * 7
    numbers = ("start.deck.copper=20", "turn.hand=20", "limits.round_cap=90")
    case = Case("churning", (*ENDLESS, *numbers), (CHURNING,), overlay=one_card(text))
    setting = Setting(case, 1, 1, folder)
    assert compare(setting, Counter()) == []
    assert setting.out.cards.max() == MOST_IN_COLUMN


def test_every_number_of_the_rules_is_moved():
    moved = {text.partition("=")[0] for text in MOVED}
    keys = set(load().keys())
    assert {key for key in keys if not key.startswith("cards.")} <= moved <= keys


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
    from sim.titles.classic._kernel import layout

    twins = {"rules": RULES, "kind": KIND, "effect": EFFECT}
    twins |= {level: record_dtype(TITLE.info, level) for level in ("game", "seat")}
    compiled = layout()
    assert set(compiled) == set(twins)
    for name, declared in twins.items():
        assert compiled[name].itemsize == declared.itemsize
        assert compiled[name].names == declared.names
        offsets = {field: where[:2] for field, where in declared.fields.items()}
        assert {field: where[:2] for field, where in compiled[name].fields.items()} == offsets
