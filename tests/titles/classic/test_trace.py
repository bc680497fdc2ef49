"""From the trace alone an outsider rebuilds every zone; and a game is told in both languages."""

from __future__ import annotations

from collections import Counter

import pytest

import sim
from sim.titles.classic import TITLE, new_game

LINEUP = ("random", "crone_2_endgame@0.3", "forge_1@0.3", "random")


class Table:
    """The zones of a game, moved by nothing but events."""

    def __init__(self, setup) -> None:
        self.cards = setup["cards"]
        self.piles = {name: setup["piles"].get(name, 0) for name in self.cards}
        self.trash = list(map(tuple, setup["trash"]))
        self.seats = [
            {zone: list(map(tuple, seat[zone])) for zone in ("deck", "hand", "discard", "play")}
            for seat in setup["seats"]
        ]
        self.amounts = {"actions": 0, "buys": 0, "coins": 0}
        self.fresh = Counter()

    def take(self, event) -> None:
        if event["event"] == "move":
            self._move(event)
        elif event["event"] == "shuffle":
            seat = self.seats[event["owner"] - 1]
            assert not seat["deck"], "a deck is shuffled when it is empty"
            seat["deck"], seat["discard"] = seat["discard"], []
            assert len(seat["deck"]) == event["cards"]
        elif event["event"] == "change":
            self.amounts[event["what"]] += event["by"]
            assert self.amounts[event["what"]] == event["now"] >= 0
        elif event["event"] == "choose":
            assert event["choice"] in event["options"]
            assert len(event["options"]) > 1
        elif event.get("what") == "turn":
            assert event["hand"] == len(self.seats[event["owner"] - 1]["hand"])
            assert event["points"] == self.points()

    def _move(self, event) -> None:
        card, seat = (event["card"], event["copy"]), self.seats[event["owner"] - 1]
        if event["from"] == "pile":
            assert self.piles[event["card"]] > 0
            self.piles[event["card"]] -= 1
            self.fresh[card] += 1
            assert self.fresh[card] == 1, "no copy is taken twice"
        else:
            seat[event["from"]].remove(card)  # raises when it is not there
        if event["to"] == "trash":
            self.trash.append(card)
        else:
            seat[event["to"]].append(card)

    def points(self) -> list[int]:
        return [
            sum(self.cards[kind]["points"] for zone in seat.values() for kind, _ in zone)
            for seat in self.seats
        ]


@pytest.mark.parametrize("players", TITLE.info.players)
def test_an_outsider_can_rebuild_every_zone(players):
    for game in range(20):
        traced = sim.trace(
            TITLE, game=game, lineup=",".join(LINEUP[:players]), overrides=("supply.kinds=12",)
        )
        setup, *rest = traced.events
        assert setup["event"] == "setup"
        table = Table(setup)
        for event in rest:
            table.take(event)
        end = rest[-1]
        assert end["event"] == "end"
        assert end["scores"] == table.points()
        for seat, record in zip(table.seats, traced.result.seats, strict=True):
            assert record["deck_size"] == sum(map(len, seat.values()))
        assert table.piles["province"] == traced.result.game["provinces_left"]
        assert [event["n"] for event in traced.events] == list(range(len(traced.events)))


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Seat 1, turn 1"), ("ja", "席 1 の第 1 手番")]
)
def test_a_game_is_told_whole(language, words):
    told = []
    for deal in range(10):
        game = new_game(3, lineup=["random"] * 3, deal=deal, overrides=("supply.kinds=12",))
        game.play()
        lines = list(TITLE.tell(game.events, language))
        assert lines[2].startswith(words)
        assert not [line for line in lines if "{" in line or "_" in line.replace("crone_", "")]
        told += lines
    labels = {card["label"][language] for card in TITLE.load().values["cards"].values()}
    assert not [label for label in labels if not any(label in line for line in told)]
