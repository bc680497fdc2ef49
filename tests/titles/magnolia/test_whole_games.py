"""Whole games: what must hold whoever plays, and that an outsider can follow by the trace alone."""

from __future__ import annotations

import functools
from collections import Counter

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import available, load_policies
from sim.titles.magnolia import TITLE, new_game
from sim.titles.magnolia.info import CORE_COLUMNS, INFO
from sim.titles.magnolia.reference import reference
from sim.titles.magnolia.results import SOURCES
from sim.titles.magnolia.schema import RACES

POLICIES = available(TITLE.data / "policies")
RULES = TITLE.load(overrides=["objectives.used=true"])


@functools.cache
def game(players, deal):
    lineup = [POLICIES[(deal + seat) % len(POLICIES)] for seat in range(players)]
    staged = new_game(players, rules=RULES, lineup=[f"{name}@0.2" for name in lineup], deal=deal)
    staged.play()
    return staged


GAMES = [(players, deal) for players in INFO.players for deal in range(4)]


class Table:
    """The zones and amounts of a game, moved by nothing but events."""

    def __init__(self, setup) -> None:
        self.zones = {"deck": Counter(map(tuple, setup["deck"])), "discard": Counter()}
        self.seats = [{"hand": Counter(), "field": {}} for _ in setup["seats"]]
        self.amounts = [
            {what: seat[what] for what in ("gold", "vp", "technology", "faith", "power")}
            for seat in setup["seats"]
        ]
        self.cards = setup["cards"]

    def take(self, event) -> None:
        if event["event"] == "move":
            card, seat = (event["card"], event["copy"]), self.seats[event["owner"] - 1]
            source = seat["hand"] if event["from"] == "hand" else self.zones[event["from"]]
            assert source[card] == 1, "the card lies there"
            del source[card]
            if event["to"] == "field":
                assert tuple(event["cell"]) not in seat["field"], "no card on another (MG-P4)"
                seat["field"][tuple(event["cell"])] = card
            else:
                (seat["hand"] if event["to"] == "hand" else self.zones[event["to"]])[card] = 1
        elif event["event"] == "shuffle":
            assert not self.zones["deck"]
            self.zones = {"deck": self.zones["discard"], "discard": Counter()}
            assert len(self.zones["deck"]) == event["cards"]
        elif event["event"] == "change":
            has = self.amounts[event["owner"] - 1]
            has[event["what"]] += event["by"]
            assert has[event["what"]] == event["now"] >= 0
        elif event["event"] == "choose":
            assert event["choice"] in event["options"]
            assert len(event["options"]) > 1
        elif event.get("what") == "round":
            assert event["seats"] == self.amounts

    def all_cards(self) -> int:
        held = sum(len(seat["hand"]) + len(seat["field"]) for seat in self.seats)
        return held + sum(map(len, self.zones.values()))


@pytest.mark.parametrize(("players", "deal"), GAMES)
def test_an_outsider_can_rebuild_every_zone(players, deal):
    staged = game(players, deal)
    setup, *rest = staged.events
    table = Table(setup)
    for event in rest:
        table.take(event)
        assert table.all_cards() == 102
    assert rest[-1]["event"] == "end"
    assert rest[-1]["scores"] == [has["vp"] for has in table.amounts]
    for seat in range(1, players + 1):
        own = table.seats[seat - 1]
        assert {cell: card for cell, (card, _) in own["field"].items()} == staged.cells(seat)
        assert Counter(card for card, _ in own["hand"]) == Counter(staged.hand(seat))


@pytest.mark.parametrize(("players", "deal"), GAMES)
def test_vp_and_gold_add_up(players, deal):
    staged = game(players, deal)
    for seat in range(1, players + 1):
        sources = {source: staged.counter(seat, f"vp_{source}") for source in SOURCES}
        assert sum(sources.values()) == staged.vp(seat)
        assert -(-staged.gold(seat) // 3) == sources["gold"]
        paid = staged.counter(seat, "gold_spent")
        assert staged.gold(seat) <= 5 + staged.counter(seat, "gold_gained") - paid
        assert staged.counter(seat, "field_cost") == paid
        assert staged.counter(seat, "field_cards") == staged.counter(seat, "played")


@pytest.mark.parametrize(("players", "deal"), GAMES)
def test_the_end_comes_when_it_must(players, deal):
    staged = game(players, deal)
    boards = [staged.vp(seat) - staged.counter(seat, "vp_gold") for seat in range(1, players + 1)]
    enough = max(boards) >= 40
    full = max(staged.counter(seat, "field_cards") for seat in range(1, players + 1)) == 9
    reason = {(1, 0): "vp", (0, 1): "field", (1, 1): "vp_and_field"}[enough, full]
    assert staged.end_reason == reason
    best = max(staged.vp(seat) for seat in range(1, players + 1))
    winners = [staged.vp(seat) == best for seat in range(1, players + 1)]
    assert staged.win60 == [60 // sum(winners) * won for won in winners]


@pytest.mark.rule("MG-B1")
def test_a_line_pays_once_and_is_alike():
    met = Counter()
    for players, deal in GAMES:
        staged = game(players, deal)
        lines = [event for event in staged.events if event.get("what") == "line"]
        paid = [(event["owner"], event["line"], event["place"]) for event in lines]
        assert len(set(paid)) == len(paid)
        for (owner, line, place), event in zip(paid, lines, strict=True):
            axis = ("row", "column").index(line)
            cards = [
                RULES.values["cards"][name]
                for cell, name in staged.cells(owner).items()
                if cell[axis] == place
            ]
            what = "race" if event["bonus"] in RACES else "job"
            assert [card[what] for card in cards] == [event["bonus"]] * 3
            met[what] += 1
        for seat in range(1, players + 1):
            counted = [staged.counter(seat, f"lines_{what}") for what in ("race", "job")]
            assert sum(counted) == sum(owner == seat for owner, *_ in paid)
    assert met["race"]
    assert met["job"]


def test_records_have_the_columns_that_are_declared():
    tables = TITLE.compile(TITLE.load(overrides=["war.least_power=1"]))
    done = reference(tables, None, None, make_key(1), 0, [None, None])
    assert list(done.game) == [column.name for column in INFO.level("game")]
    assert list(done.seats[0]) == [column.name for column in INFO.level("seat")]
    assert INFO.columns[: len(CORE_COLUMNS)] == CORE_COLUMNS
    assert done.game["rounds"] == 30, "who lays nothing down plays to the cap"


def test_who_is_barred_from_a_kind_never_plays_it():
    tables = TITLE.compile(RULES)
    policies = load_policies(["random", "greedy"], tables.words, TITLE.data / "policies")
    kept = [code for code, name in enumerate(tables.kind_names) if name.startswith("elf")]
    bits = (sum(1 << code for code in range(102)) ^ sum(1 << code for code in kept), 0)
    words = [[bit >> shift & (1 << 64) - 1 for shift in (0, 64)] for bit in bits]
    bans = np.array(words, np.uint64)
    for deal in range(5):
        done = reference(tables, policies, bans, make_key(1), deal, [1, 0])
        barred, free = (set(np.flatnonzero(seat[:, 3])) for seat in done.cards)
        assert barred
        assert barred <= set(kept)
        assert not free <= set(kept)


@pytest.mark.parametrize(("language", "words"), [("en", "Round 1"), ("ja", "第 1 ラウンド")])
def test_a_game_is_told_whole(language, words):
    lines = [
        line for players, deal in GAMES for line in TITLE.tell(game(players, deal).events, language)
    ]
    assert words in lines
    assert not [line for line in lines if "{" in line]
