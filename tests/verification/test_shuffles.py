"""Shuffles as the kernels make them (``sim/core/_piles.pxd``): every order is as likely.

Small piles by all their orders, large ones by where each card comes to lie and by what follows
what. Piles are shuffled lazily, so what is done in between belongs to it: looks at the top, cards
taken from the middle, cards that were put on top again.
"""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import chi2

from sim.core._rng import make_key
from sim.core._testing import CAPACITY, LazyPile
from tests.budget import assert_counts, assert_none_rare, chi_square

pytestmark = pytest.mark.verify


def orders(key, size: int, number: int, *, looks=lambda deal: 0, stream=1) -> np.ndarray:
    """Return the cards of shuffled piles from the top, shape (number, size)."""
    cards = bytes(range(size))
    found = np.empty((number, size), np.uint8)
    for deal in range(number):
        pile = LazyPile(key, stream, deal)
        pile.shuffle(cards)
        pile.look(looks(deal))
        draw = pile.draw
        found[deal] = [draw() for _ in range(size)]
    return found


def codes(found: np.ndarray) -> np.ndarray:
    """Return a number for each order."""
    size = found.shape[1]
    return found.astype(np.int64) @ (size ** np.arange(size))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_all_orders_of_small_piles(size, stat_seed):
    every = codes(np.array(list(permutations(range(size)))))
    number = 250 * len(every)
    found = codes(orders(make_key(stat_seed), size, number, looks=lambda deal: deal % (size + 1)))
    counts = np.bincount(np.searchsorted(np.sort(every), found), minlength=len(every))
    assert counts.sum() == number
    assert_counts(counts.tolist())


def places(found: np.ndarray) -> float:
    """Return the p-value of every card being at every place equally often.

    The counts of n cards at n places have (n - 1)² degrees of freedom, and chi-square is too large
    by n / (n - 1), as rows and columns are fixed.
    """
    number, size = found.shape
    at = np.arange(size) * size + found
    counts = np.bincount(at.ravel(), minlength=size * size)
    expected = number / size
    assert expected >= 100
    statistic = ((counts - expected) ** 2 / expected).sum() * (size - 1) / size
    return float(chi2.sf(statistic, (size - 1) ** 2))


def followers(found: np.ndarray, place: int) -> float:
    """Return the p-value of each pair of cards lying upon each other at a place equally often."""
    size = found.shape[1]
    pairs = found[:, place].astype(np.int64) * size + found[:, place + 1]
    counts = np.bincount(pairs, minlength=size * size).reshape(size, size)
    assert not counts.diagonal().any()
    return chi_square(counts[~np.eye(size, dtype=bool)].tolist())[2]


def test_places_in_large_piles(stat_seed):
    """Decks of the titles (10, 40, 102 cards) and the largest pile there can be."""
    key = make_key(stat_seed)
    chances = {}
    for size in (10, 40, 102, CAPACITY):
        found = orders(key, size, 110 * size, looks=lambda deal: deal % 7)
        chances[f"{size} cards"] = places(found)
    assert_none_rare(chances)


def test_what_follows_what_in_large_piles(stat_seed):
    found = orders(make_key(stat_seed), 20, 45_000)
    assert_none_rare({f"places {n} and {n + 1}": followers(found, n) for n in (0, 9, 18)})


def test_every_hand_of_five_of_ten(stat_seed):
    """All 252 sets of cards that can be drawn first, whatever their order."""
    found = orders(make_key(stat_seed), 10, 120 * 252)
    sets = (1 << found[:, :5].astype(np.int64)).sum(axis=1)
    _, counts = np.unique(sets, return_counts=True)
    assert len(counts) == 252
    assert_counts(counts.tolist())


def test_decks_of_two_seats_and_of_two_deals_are_independent(stat_seed):
    key = make_key(stat_seed)
    number = 110 * 24 * 24
    mine, yours = (codes(orders(key, 4, number, stream=stream)) for stream in (16, 17))
    every = np.sort(codes(np.array(list(permutations(range(4))))))
    mine, yours = np.searchsorted(every, mine), np.searchsorted(every, yours)

    def together(first, second):
        return chi_square(np.bincount(first * 24 + second, minlength=576).tolist())[2]

    assert_none_rare({"seats": together(mine, yours), "deals": together(mine[:-1], yours[1:])})


def left(key, deal: int, looks: int, takes: bool) -> list[int]:
    """Do what cards do to a deck of six; return how those are then drawn that nobody had seen."""
    pile = LazyPile(key, 3, deal)
    pile.shuffle(bytes(range(6)))
    seen = pile.look(looks)
    if takes:  # a card from the middle of those that nobody knows
        pile.remove((len(pile.cards) - pile.settled) // 2)
    assert [pile.draw() for _ in seen] == seen
    return [pile.draw() for _ in range(len(pile.cards))]


def test_what_is_left_of_a_pile_is_in_random_order(stat_seed):
    """Of cards that nobody saw every order is as likely, whatever was seen and taken before.

    A card that was looked at is no such card: which others were left may depend on it.
    """
    key, chances = make_key(stat_seed), {}
    for way, (looks, takes) in enumerate(product((0, 1, 2, 3), (False, True))):
        every = math.factorial(len(left(key, 0, looks, takes)))
        number = 8 * max(120 * every, 2_000) + way
        found = np.array([left(key, deal, looks, takes) for deal in range(way, number, 8)])
        ranks = found.argsort(axis=1).argsort(axis=1)
        counts = np.unique(codes(ranks), return_counts=True)[1]
        assert len(counts) == every
        chances[f"{looks} seen{', one taken' * takes}"] = chi_square(counts.tolist())[2]
    assert_none_rare(chances)


def test_a_pile_that_is_shuffled_again_and_again_stays_fair(stat_seed):
    key = make_key(stat_seed)
    number = 250 * 120
    found = np.empty((number, 5), np.uint8)
    for deal in range(number):
        pile = LazyPile(key, 4, deal)
        cards = list(range(5))
        for _ in range(4):
            pile.shuffle(bytes(cards))
            cards = [pile.draw() for _ in cards]
        found[deal] = cards
    counts = np.unique(codes(found), return_counts=True)[1]
    assert len(counts) == 120
    assert_counts(counts.tolist())
