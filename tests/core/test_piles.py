"""Lazily shuffled piles against a plain model, and against what a deck of cards is."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, Philox

from sim.core._rng import make_key
from sim.core._testing import CAPACITY, NO_CARD, LazyPile
from tests.budget import assert_counts, assert_rate

KEY = make_key(1)


class ModelPile:
    """The same pile in plain Python, drawing from numpy."""

    def __init__(self, stream: int, deal: int) -> None:
        counter = np.array([0, 0, stream, deal], np.uint64)
        self.random = Generator(Philox(key=KEY, counter=counter))
        self.cards: list[int] = []
        self.settled = 0

    def shuffle(self, cards):
        self.cards, self.settled = list(cards), 0

    def _settle(self):
        unsettled = len(self.cards) - self.settled
        j = int(self.random.integers(0, unsettled))
        top = unsettled - 1
        self.cards[j], self.cards[top] = self.cards[top], self.cards[j]
        self.settled += 1

    def look(self, m):
        while self.settled < min(m, len(self.cards)):
            self._settle()
        return self.cards[::-1][:m]

    def draw(self):
        if not self.cards:
            return NO_CARD
        if not self.settled:
            self._settle()
        self.settled -= 1
        return self.cards.pop()

    def remove(self, index):
        if not 0 <= index < len(self.cards):
            return NO_CARD
        if index >= len(self.cards) - self.settled:
            self.settled -= 1
        return self.cards.pop(index)


def deck(cards, deal=0, stream=1):
    pile = LazyPile(KEY, stream, deal)
    pile.shuffle(bytes(cards))
    return pile


kinds = st.integers(0, 20)
operations = st.lists(
    st.one_of(
        st.tuples(st.just("shuffle"), st.lists(kinds, max_size=12).map(bytes)),
        st.tuples(st.just("look"), st.integers(0, 6)),
        st.tuples(st.just("draw")),
        st.tuples(st.just("remove"), st.integers(-1, 12)),
    ),
    max_size=60,
)


@settings(max_examples=300, deadline=None)
@given(operations, st.lists(kinds, max_size=12), st.integers(0, 2**64 - 1))
def test_pile_equals_its_model(operations, start, deal):
    pile, model = deck(start, deal), ModelPile(1, deal)
    model.shuffle(start)
    for name, *arguments in operations:
        found, expected = getattr(pile, name)(*arguments), getattr(model, name)(*arguments)
        if expected is not None:
            assert found == expected, name
        assert (pile.cards, pile.settled) == (model.cards, model.settled), name


@settings(max_examples=200, deadline=None)
@given(st.lists(kinds, max_size=15), st.integers(0, 15), st.data())
def test_what_was_looked_at_is_drawn(cards, m, data):
    pile = deck(cards, data.draw(st.integers(0, 1000)))
    seen = pile.look(m)
    assert len(seen) == min(m, len(cards))
    assert pile.look(m) == seen
    assert [pile.draw() for _ in seen] == seen
    rest = [pile.draw() for _ in range(len(cards) - len(seen))]
    assert Counter(seen + rest) == Counter(cards)
    assert pile.draw() == NO_CARD


@settings(max_examples=100, deadline=None)
@given(st.lists(kinds, min_size=1, max_size=12), st.integers(0, 12), st.data())
def test_removing_keeps_the_order_of_the_others(cards, m, data):
    pile = deck(cards)
    seen = pile.look(m)
    before = pile.cards
    index = data.draw(st.integers(0, len(cards) - 1))
    assert pile.remove(index) == before[index]
    assert pile.cards == before[:index] + before[index + 1 :]
    assert pile.settled == len(seen) - (index >= len(before) - len(seen))


def test_shuffling_takes_cards_in_the_order_they_are_given():
    pile = deck([7, 8])
    pile.look(1)
    pile.shuffle(bytes([5, 4, 3, 2]))
    assert (pile.cards, pile.settled) == ([5, 4, 3, 2], 0)


def test_a_lone_card_is_drawn_without_drawing_a_number():
    used, unused = deck([3]), deck([])
    assert used.draw() == 3
    for pile in (used, unused):
        pile.shuffle(bytes(range(30)))
    assert [used.draw() for _ in range(30)] == [unused.draw() for _ in range(30)]


def test_a_pile_holds_its_capacity():
    pile = deck([1] * CAPACITY)
    assert len(pile.cards) == CAPACITY
    with pytest.raises(ValueError, match="at most"):
        pile.shuffle(bytes(CAPACITY + 1))
    assert pile.cards == [1] * CAPACITY


def test_every_order_of_lazy_draws_is_as_likely(stat_seed):
    """Looks in between must not disturb it."""
    key = make_key(stat_seed)
    orders = dict.fromkeys(permutations(range(4)), 0)
    for deal in range(200 * len(orders)):
        pile = LazyPile(key, 1, deal)
        pile.shuffle(bytes(range(4)))
        pile.look(deal % 5)
        orders[tuple(pile.draw() for _ in range(4))] += 1
    assert_counts(list(orders.values()))


def test_the_second_shuffle_is_fair_too(stat_seed):
    key = make_key(stat_seed)
    deals, counts = 10_000, [0] * 10
    for deal in range(deals):
        pile = LazyPile(key, 1, deal)
        pile.shuffle(bytes(range(10)))
        pile.shuffle(bytes([pile.draw() for _ in range(10)]))
        counts[pile.draw()] += 1
    assert_counts(counts)
    assert_rate(counts[0], deals, 0.1, within=0.02)
