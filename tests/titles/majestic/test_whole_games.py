"""Whole games: what must hold whoever plays, and that an outsider can follow by the trace alone."""

from __future__ import annotations

import functools
import json
from collections import Counter

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import available, load_policies
from sim.core.records import NO_VALUE
from sim.core.title import CORE_COLUMNS
from sim.titles.majestic import TITLE, new_game
from sim.titles.majestic.info import INFO, SOURCES
from sim.titles.majestic.primitives import PRIMITIVES
from sim.titles.majestic.reference import reference
from tests.titles.majestic.auditor import audit
from tests.titles.majestic.staging import card, made, mana_card

RULES = TITLE.load()
POLICIES = available(TITLE.data / "policies")
DECKS = [loadout.id for loadout in TITLE.loadouts(RULES)]

#: One card for each primitive, free or nearly so, so that all of them are at work all the time.
TEXTS = {
    "damage": {"target": "any", "effects": ["damage target 2", "damage all 1 if trash >= 5"]},
    "destroy": {"target": "any", "where": "target_cost <= 2", "effects": ["destroy target"]},
    "return": {"target": "any", "effects": ["return target"]},
    "ap": {"target": "own", "effects": ["ap target 2", "ap enemy -1"]},
    "dp": {"target": "any", "effects": ["dp target -1", "dp own 1 per front"]},
    "grant": {"target": "any", "effects": ["grant target bound", "grant own evasive"]},
    "ready": {"effects": ["ready all"]},
    "turn_down": {"target": "any", "effects": ["turn_down target"]},
    "shift": {"target": "any", "effects": ["shift target other", "shift attacker back"]},
    "draw": {"effects": ["draw both 1"]},
    "discard": {"effects": ["discard both 1"]},
    "mill": {"effects": ["mill both 1"]},
    "hit": {"effects": ["hit both 1 if lp >= 3", "hit enemy 1"]},
    "heal": {"effects": ["heal own 1", "destroy blocker"]},
    "mana": {"effects": ["mana ready 1"]},
    "refresh": {"effects": ["refresh 2"]},
    "recycle": {"effects": ["recycle 9"]},
    "search": {"effects": ["search card 9"]},
    "salvage": {"effects": ["salvage card 9"]},
    "revive": {"effects": ["revive 9"]},
    "deploy": {"effects": ["deploy 9"]},
}


def made_up(tmp_path):
    """Return rules with a deck of cards that use every primitive, cheap units, special mana."""
    spells = {f"test_{name}": fields for name, fields in TEXTS.items()}
    texts = [card(name, "spell", cost=1, **fields) for name, fields in spells.items()]
    ability = {"target": "any", "effects": ["damage target 1"], "down": True}
    texts += [
        card("test_soldier", "unit", keywords=["swift"], ability=ability),
        card("test_guard", "unit", keywords=["sentinel"], ability={"effects": ["ap self 1"]}),
        card(
            "test_thief",
            "unit",
            cost=1,
            target="enemy",
            effects=["return target", "grant self ranged"],
        ),
        mana_card("test_spring", effects=["mana down 1"]),
        mana_card("test_geyser", target="enemy", effects=["destroy target", "hit enemy 1"]),
        "[decks.test_all]",
        'label = { en = "All", ja = "全部" }',
        'sorcerer = "pyra"',
        "[decks.test_all.main]",
        *(f"{name} = 1" for name in spells),
        "test_soldier = 7\ntest_guard = 6\ntest_thief = 6",
        "[decks.test_all.mana]",
        "fire_mana = 16\ntest_spring = 2\ntest_geyser = 2",
    ]
    overlay = tmp_path / "all.toml"
    overlay.write_text("\n".join(texts), encoding="utf-8")
    return made([overlay], ["deck.copies=7"])


@functools.cache
def game(deal, slip):
    """Return a game told whole; policies and decks follow from the deal."""
    entries = [
        f"{POLICIES[(deal + seat) % len(POLICIES)]}:{DECKS[(deal // 3 + seat) % len(DECKS)]}@{slip}"
        for seat in (0, 1)
    ]
    staged = new_game(rules=RULES, lineup=entries, deal=deal)
    staged.play()
    return staged


TOLD = [(deal, slip) for deal in range(12) for slip in (0, 0.2)]


def follow(staged, deck=()):
    """Rebuild a game by its trace, as the auditor does; return the auditor at its end."""
    auditor = audit(json.loads(json.dumps(staged.events)), deck)
    for own in auditor.seats:
        for zone in ("hand", "trash", "lp", "mana", "deck", "mana_deck"):
            names = Counter(name for name, _ in getattr(own, zone))
            assert names == Counter(getattr(staged, zone)(own.number)), zone
        for area in ("front", "back"):
            names = Counter(unit.card[0] for unit in own.ordered() if unit.area == area)
            assert names == Counter(getattr(staged, area)(own.number)), area
        down = Counter(name for name, _ in own.down)
        assert down == Counter(staged.down_mana(own.number))
    return auditor


@pytest.mark.parametrize(("deal", "slip"), TOLD)
def test_an_outsider_can_rebuild_every_zone(deal, slip):
    staged = game(deal, slip)
    auditor = follow(staged)
    assert [len(own.cards()) for own in auditor.seats] == [60, 60]


@pytest.mark.parametrize(("deal", "slip"), TOLD)
def test_a_game_ends_as_it_says(deal, slip):
    staged = game(deal, slip)
    end = staged.events[-1]
    assert end["event"] == "end"
    assert end["reason"] == staged.end_reason
    zone = {"lp": "lp", "main_deck": "deck", "mana_deck": "mana_deck"}[staged.end_reason]
    loser = end["win60"].index(0) + 1
    assert not getattr(staged, zone)(loser)
    assert getattr(staged, zone)(3 - loser)
    assert end["win60"][2 - loser] == 60


@pytest.mark.parametrize(("deal", "slip"), TOLD)
def test_lp_add_up(deal, slip):
    staged = game(deal, slip)
    for seat in (1, 2):
        taken = sum(staged.counter(3 - seat, f"lp_by_{source}") for source in SOURCES)
        gained = staged.counter(seat, "lp_gained")
        assert 6 + gained - taken == staged.counter(seat, "lp_left") == len(staged.lp(seat))
        assert staged.events[-1]["scores"][2 - seat] == taken


@pytest.mark.parametrize(("deal", "slip"), TOLD)
def test_what_is_paid_is_what_is_played_costs(deal, slip):
    """Cards played and abilities used, by the trace, cost as much mana as was turned down."""
    staged = game(deal, slip)
    setup = staged.events[0]
    cost = Counter()
    for event in staged.events[1:]:
        if event["event"] == "move" and event["from"] == "hand":
            played = event["to"] == "played" or event.get("fresh")
            cost[event["owner"]] += setup["cards"][event["card"]]["cost"] if played else 0
        elif event.get("what") == "uses":
            bearer = setup["sorcerers"].get(event["card"]) or setup["cards"][event["card"]]
            cost[event["owner"]] += (bearer.get("ability") or {"cost": 0})["cost"]
    assert [cost[1], cost[2]] == [staged.counter(seat, "mana_spent") for seat in (1, 2)]


@pytest.mark.parametrize("deal", range(40))
def test_every_primitive_at_random(tmp_path, deal):
    """Cards for every primitive, played at random: all zones hold, whatever happens."""
    rules = made_up(tmp_path)
    staged = new_game(rules=rules, lineup=["random:test_all", "random:test_all"], deal=deal)
    staged.play()
    follow(staged, {"copies": 7})
    assert staged.end_reason in {"lp", "main_deck", "mana_deck", "both"}


def moves(game, source, target, **fields):
    """Return the moves from one zone to another that have such fields."""
    wanted = {"event": "move", "from": source, "to": target, **fields}
    return [one for one in game.events if wanted.items() <= one.items()]


def turns(game):
    """Return what seats had when a turn began, with the seat whose turn ended: (index, seats)."""
    told = [one for one in game.events if one.get("what") == "turn"]
    return [(2 - one["seat"], one["seats"]) for one in told]


def acts(game):
    """Return how often each seat played and used abilities in each turn."""
    sorcerers = game.events[0]["sorcerers"]
    return Counter(
        (one["turn"], one["owner"])
        for one in game.events
        if one.get("fresh")
        or one.get("to") == "played"
        or (one.get("what") == "uses" and ("place" in one or one["card"] in sorcerers))
    )


MOVED = {
    "turn.area_limit=1": lambda game: all(
        seat["units"] <= 2 for _, both in turns(game) for seat in both
    ),
    "turn.hand_limit=0": lambda game: (
        not any(both[ended]["hand"] for ended, both in turns(game)[1:])
    ),
    "start.redraws=0": lambda game: not any(one.get("what") == "redraw" for one in game.events),
    "start.lp=1": lambda game: [seat["lp"] for seat in turns(game)[0][1]] == [1, 1],
    "turn.draw=3": lambda game: len(moves(game, "deck", "hand", turn=2, phase="draw")) == 3,
    "turn.first_draw=1": lambda game: len(moves(game, "deck", "hand", turn=1, phase="draw")) == 1,
    "turn.mana_draw=2": lambda game: (
        len(moves(game, "deck", "hand", phase="mana"))
        == 2 * sum(game.counter(seat, "mana_drawn") for seat in (1, 2))
    ),
    "limits.acts_cap=1": lambda game: max(acts(game).values()) == 1,
    "limits.round_cap=3": lambda game: game.end_reason == "round_cap" and game.round == 3,
}


@pytest.mark.parametrize("moved", MOVED)
def test_other_numbers_hold_together(moved):
    """Any number of the rules may be another one; the games stay whole and show it."""
    lineup = ["midrange:ember_rush@0.3", "aggressive:ember_rush@0.3"]
    for deal in range(5):
        staged = new_game(rules=made(overrides=[moved]), lineup=lineup, deal=deal)
        staged.play()
        follow(staged)
        assert MOVED[moved](staged), deal
        printed = new_game(rules=made(), lineup=lineup, deal=deal)
        printed.play()
        if not MOVED[moved](printed):
            return
    pytest.fail("what is asked holds of the printed rules, too")


def test_every_primitive_has_a_card():
    assert list(TEXTS) == [primitive.id for primitive in PRIMITIVES]


def entries():
    """Return line-ups of all policies and decks, each against the next ones."""
    names = [f"{policy}:{deck}" for policy in POLICIES for deck in DECKS]
    return names, [(a, (a + step) % len(names)) for a in range(len(names)) for step in range(3)]


@functools.cache
def played():
    """Return the records of some hundred games between all policies with all decks."""
    tables = TITLE.compile(RULES)
    names, pairs = entries()
    policies = load_policies(
        names, tables.words, TITLE.data / "policies", loadouts=TITLE.loadouts(RULES)
    )
    key = make_key(1)
    return [
        (names[a], names[b], reference(tables, policies, None, key, deal, [a, b]))
        for a, b in pairs
        for deal in range(8)
    ]


def test_games_end_and_mostly_by_lp():
    ends = Counter()
    lengths = Counter()
    for first, second, done in played():
        assert done.game["rounds"] <= 24, "decks run out (MM-G3)"
        assert 2 * done.game["rounds"] - done.game["turns"] in (0, 1)
        assert sum(seat["win60"] for seat in done.seats) == 60
        if "random" not in first + second:
            ends[INFO.categories["end_reason"][done.game["end_reason"]].id] += 1
            lengths[6 <= done.game["rounds"] <= 14] += 1
    assert ends["lp"] > 0.8 * ends.total()
    assert lengths[True] > 0.6 * lengths.total()


def test_records_have_the_columns_that_are_declared():
    for _, _, done in played()[:20]:
        assert list(done.game) == [column.name for column in INFO.level("game")]
        assert all(list(s) == [column.name for column in INFO.level("seat")] for s in done.seats)
        rounds = done.game["rounds"]
        assert (done.series[:, :rounds] != NO_VALUE).all()
        assert (done.series[:, rounds:] == NO_VALUE).all()
        assert done.cards.shape == (2, len(TITLE.kinds(RULES)), len(INFO.card_fields))
    assert INFO.columns[: len(CORE_COLUMNS)] == CORE_COLUMNS


def test_records_tell_what_a_deck_is_made_of():
    for first, _, done in played()[:20]:
        deck = RULES.values["decks"][first.split(":")[1]]
        seat = done.seats[0]
        assert DECKS[seat["deck"]] == first.split(":")[1]
        assert seat["deck_units"] + seat["deck_spells"] == 40 == sum(deck["main"].values())
        assert sum(seat[f"cost_{cost}"] for cost in range(8)) == 40
        assert sum(seat[f"mana_{name}"] for name in ("fire", "water", "earth", "wind")) == 20


def test_who_is_barred_from_a_kind_never_plays_it():
    tables = TITLE.compile(RULES)
    names = [f"random:{deck}" for deck in DECKS]
    policies = load_policies(
        names, tables.words, TITLE.data / "policies", loadouts=TITLE.loadouts(RULES)
    )
    units = [n for n, name in enumerate(tables.kind_names) if tables.faces[n].sort == "unit"]
    bans = np.zeros((2, 2), np.uint64)
    for kind in units:
        bans[0, kind // 64] |= np.uint64(1 << kind % 64)
    for deal in range(5):
        done = reference(tables, policies, bans, make_key(1), deal, [0, 0])
        assert done.seats[0]["units_played"] == 0
        assert done.seats[0]["spells_played"] > 0
        assert done.seats[1]["units_played"] > 0


@pytest.mark.parametrize(("language", "word"), [("en", "Round 1, seat 1"), ("ja", "第 1 ラウンド")])
def test_a_game_is_told_whole(language, word):
    lines = [line for deal, slip in TOLD for line in TITLE.tell(game(deal, slip).events, language)]
    assert any(line.startswith(word) for line in lines)
    assert not [line for line in lines if "{" in line]
