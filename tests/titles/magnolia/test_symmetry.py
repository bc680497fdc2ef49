"""Seats are equal: permuted with their streams and the fill order, they permute the results."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.stream import Stream
from sim.titles.magnolia import TITLE
from sim.titles.magnolia.info import STREAMS
from sim.titles.magnolia.reference import Game
from sim.titles.magnolia.results import finished
from sim.titles.magnolia.schema import LIKENESSES

RULES = TITLE.load(overrides=["objectives.used=true"])
TABLES = TITLE.compile(RULES)
KEY = make_key(11)
ENTRIES = ("random", "greedy@0.2", "war@0.3", "random", "lines@0.1")
POLICIES = load_policies(ENTRIES, TABLES.words, TITLE.data / "policies")


class Curious:
    """Looks at everything that there is to be seen, and chooses by what it saw."""

    def __init__(self):
        self.seen = []

    def _choose(self, view, options):
        for observable in TABLES.words.observables:
            look = getattr(view, observable.id)
            arguments = TABLES.words.arguments.get(observable.argument)
            if arguments is None:
                self.seen.append(look)
            else:
                self.seen += [look(name) for name in arguments if name in (*options, *LIKENESSES)]
        return options[sum(place * seen for place, seen in enumerate(self.seen)) % len(options)]

    discard = card = cell = bonus = order = _choose


def played(deal, places, orders=None, entries=None):
    """Play a game in which the seat ``places[i]`` has the policy and the stream of seat i."""
    own = [places.index(seat) for seat in range(len(places))]
    lineup = own if entries is None else [entries[seat] for seat in own]
    game = Game(TABLES, POLICIES, None, KEY, deal, lineup, trace=True)
    game.policy_streams = [Stream(KEY, STREAMS.number("policy", one), deal) for one in own]
    game.orders.extend([places[seat] for seat in order] for order in orders or ())
    game.set_up()
    game.play()
    told = [event["seats"] for event in game.story.events if event.get("what") == "fill_order"]
    return finished(game), [[seat - 1 for seat in order] for order in told]


@pytest.mark.rule("MG-S2")
@pytest.mark.parametrize("players", TITLE.info.players)
def test_permuting_seats_permutes_results(players):
    taken = 0
    permutations = list(itertools.permutations(range(players)))
    chosen = permutations[1 :: max(1, len(permutations) // 4)]
    for deal in range(4):
        first, orders = played(deal, list(range(players)))
        taken += sum(seat["vp_taken"] < 0 for seat in first.seats)
        for permutation in chosen:
            places = list(permutation)
            second, _ = played(deal, places, orders)
            assert second.game == first.game
            assert [second.seats[place] for place in places] == list(first.seats)
            assert np.array_equal(second.cards[places], first.cards)
            assert np.array_equal(second.series[places], first.series)
    assert taken or players == 2, "seats that harm each other were among them"


@pytest.mark.rule("MG-S2")
@pytest.mark.rule("MG-P6")
@pytest.mark.parametrize("players", TITLE.info.players)
def test_what_a_seat_sees_does_not_depend_on_its_place(players):
    asked = 0
    for deal in range(3):
        seats = [Curious() for _ in range(players)]
        first, orders = played(deal, list(range(players)), entries=seats)
        for shift in range(1, players):
            places = [(seat + shift) % players for seat in range(players)]
            again = [Curious() for _ in range(players)]
            second, _ = played(deal, places, orders, again)
            assert [one.seen for one in again] == [one.seen for one in seats]
            assert [second.seats[place] for place in places] == list(first.seats)
        asked += sum(event["event"] == "choose" for event in first.trace)
    assert asked > 50


@pytest.mark.rule("MG-D2")
def test_the_order_of_filling_is_drawn_anew():
    orders = [tuple(order) for deal in range(60) for order in played(deal, [0, 1, 2])[1]]
    assert set(orders) == set(itertools.permutations(range(3)))
