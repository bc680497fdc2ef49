"""GM-K5: cards are added and changed by data alone, and both engines play them at once."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.errors import DataError
from sim.titles.granmagia import TITLE
from sim.titles.granmagia.position import from_position
from tests.titles.granmagia.made_up import OVERLAY

GAMES, PLAYERS = 12, 3

COMET = """
[cards.comet]
label = { en = "Comet", ja = "彗星" }
sort = "magic"
chapter = 1
cost = 4
effects = ["mana 9", "draw 1 if seat == 1"]
"""

#: A chapter with every sort of text in it, as a designer may write it.
CHAPTER = """
[cards.storm]
label = { en = "Storm", ja = "嵐" }
sort = "magic"
chapter = 7
cost = 0
attributes = ["attack", "familiar", "duration"]
effects = ["casts 1", "curses 1", "others_discard 1 if round >= 2", "take_gold 1"]
turn_start = ["draw 1", "gold 1"]
reward = ["tokens 1"]

[cards.wall]
label = { en = "Wall", ja = "壁" }
sort = "magic"
chapter = 7
cost = 0
attributes = ["defence", "permanent"]
defends = "field"
effects = ["casts 1", "seal tide"]
turn_start = ["mana 1"]

[cards.shield]
label = { en = "Shield", ja = "盾" }
sort = "magic"
chapter = 7
cost = 0
attributes = ["defence"]
defends = "hand"
effects = ["barrier 1", "casts 1"]
needs = ["round >= 2"]

[cards.ember]
label = { en = "Ember", ja = "残り火" }
sort = "magic"
chapter = 7
cost = 0
tags = ["burn", "hand_growing"]
effects = ["casts 1", "draw 2", "burn_up_to 1", "extra_turn 1 if hand >= 5"]
gives = "spark"
gives_every = 2

[cards.spark]
label = { en = "Spark", ja = "火花" }
sort = "exclusive"
cost = 0
effects = ["casts 1", "mana 1", "take_curses 1"]

[seals.tide]
label = { en = "Seal of the tide", ja = "潮の印" }
piles = "piles"
cost = -1
effects = ["mana 1", "draw 1"]
"""

NEW = ("storm", "wall", "shield", "ember")


def load(folder, *texts, overrides=()):
    """Load the printed rules with overlays of these texts."""
    overlays = []
    for number, text in enumerate(texts):
        overlays.append(folder / f"overlay{number}.toml")
        overlays[-1].write_text(text, encoding="utf-8")
    return TITLE.load(overlays=overlays, overrides=overrides)


def games_of(loaded, games=GAMES):
    """Play the same games with both engines; assert that they agree and return the rows."""
    tables = TITLE.compile(loaded)
    names = ("random", "engine", "random")
    policies = load_policies(names, tables.words, TITLE.data / "policies")
    bans, key = np.zeros((PLAYERS, 2), np.uint64), make_key(5)
    out = allocate(
        TITLE.info,
        games,
        PLAYERS,
        kinds=len(tables.kinds),
        rounds=tables.rule["round_cap"],
        collect=("core", "cards"),
    )
    lineup = np.array([[0, 1, 2]], np.int16)
    assert TITLE.play(tables, policies, bans, key, 0, lineup, 1, out) == (0, games)
    for deal in range(games):
        read = TITLE.reference(tables, policies, bans, key, deal, [0, 1, 2])
        assert {name: out.games[deal][name] for name in out.games.dtype.names} == read.game
        for seat in range(PLAYERS):
            row = out.seats[deal, seat]
            assert {name: row[name] for name in out.seats.dtype.names} == read.seats[seat]
        assert (out.cards[deal] == read.cards).all()
    return tables, out


def cards_of(tables, out, kind):
    """Return what was counted of a kind in all games."""
    return out.cards[:, :, tables.kind_names.index(kind)].sum(axis=(0, 1))


@pytest.mark.rule("GM-K5")
def test_a_card_is_added_by_data_alone(tmp_path):
    loaded = load(tmp_path, COMET)
    seat = {"hand": ["comet"], "deck": ["stone"]}
    position = {"seats": [seat, {}], "phase": "cast", "field": {"comet": 2}, "acquisitions": 1}
    game = from_position(position, rules=loaded)
    game.cast("comet")
    assert (game.mana, game.hand(1)) == (9, ["stone"])
    game.enter_acquisition()
    game.acquire("comet")
    assert (game.mana, game.discard(1), game.field["comet"]) == (9 + 2 - 4, ["comet"], 1)


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-F1")
def test_a_new_chapter_is_played_by_both_engines(tmp_path):
    chapters = ("supply.chapters=[7]", "supply.kinds=4", "field.kinds=4", "field.end_kinds=2")
    loaded = load(tmp_path, CHAPTER, overrides=(*chapters, "limits.round_cap=30"))
    tables, out = games_of(loaded)
    for kind in (*NEW, "spark"):
        assert cards_of(tables, out, kind).any(), kind
    for name in (
        *("attacks", "hits", "barriers_used", "dolls_used", "defences_used"),
        *("curses_given", "curses_taken", "extra_turns"),
    ):
        assert out.seats[name].any(), name


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-A2")
def test_the_cards_of_the_rule_tests_are_the_same_to_both_engines():
    """What the rule tests show of one engine goes for the other: whole games with those cards."""
    tagged = ('cards.my_magic.tags=["burn", "hand_growing"]', "supply.chapters=[9]")
    gifts = ('witches.ignis.gifts=["my_spark", "my_spark", "my_spark"]', "turn.casts=2")
    # With an acquisition for each charm that costs nothing a turn could go on for ever.
    seals = ('seals.my_sun.effects=["mana 1"]',)
    overrides = (*tagged, *gifts, *seals, "limits.round_cap=30", "supply.kinds=14")
    loaded = TITLE.load(overlays=[OVERLAY], overrides=overrides)
    tables, out = games_of(loaded)
    made_up = [kind for kind in tables.kind_names if kind.startswith("my_")]
    unmet = {kind for kind in made_up if not cards_of(tables, out, kind).any()}
    assert unmet <= {"my_spark", "my_flame"}  # they come by a contract


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    "changed",
    [
        'effects = ["casts 1", "curses 2", "take_gold 1"]',
        'turn_start = ["mana 3"]',
        "cost = 5",
        'attributes = ["attack", "permanent"]\nreward = []',
        'needs = ["round >= 5"]',
    ],
)
def test_a_changed_card_changes_the_games_of_both_engines(tmp_path, changed):
    chapters = ("supply.chapters=[7]", "supply.kinds=4", "field.kinds=4", "field.end_kinds=2")
    overrides = (*chapters, "limits.round_cap=30")
    first = load(tmp_path, CHAPTER, overrides=overrides)
    second = load(tmp_path, CHAPTER, f"[cards.storm]\n{changed}\n", overrides=overrides)
    assert first.hash != second.hash
    (_, before), (_, after) = games_of(first), games_of(second)
    assert (before.cards != after.cards).any()


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    "wrong",
    [
        'effects = ["fly 3"]',
        'sort = "spell"',
        "cost = -1",
        'wings = "two"',
        'defends = "sky"',
        'gives = "market"',
        'attributes = ["duration"]',
    ],
)
def test_a_card_that_cannot_be_is_told_by_its_name(tmp_path, wrong):
    with pytest.raises(DataError, match=r"cards\.comet"):
        load(tmp_path, COMET, f"[cards.comet]\n{wrong}\n")
