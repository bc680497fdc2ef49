"""Bounded draws and the streams they come from: even, and independent of their neighbours.

That the words are those of numpy's Philox, bit for bit, is tested elsewhere; here the draws
themselves are held to what a fair die does, whichever generator is behind them.
"""

from __future__ import annotations

import numpy as np
import pytest

from sim.core._rng import PyStream, draw_lineups, make_key
from tests.budget import assert_counts, assert_none_rare, chi_square

pytestmark = pytest.mark.verify

#: Streams of the titles: decks, orders, supplies, and those of seats and their policies.
STREAMS = (0, 1, 2, 3, 16, 17, 32, 33, 34, 35, 36)


def chance(counts, probabilities=None) -> float:
    return chi_square(list(counts), probabilities)[2]


def drawn(stream: PyStream, n: int, number: int) -> np.ndarray:
    bounded = stream.bounded
    return np.fromiter((bounded(n) for _ in range(number)), np.int64, number)


def test_every_bound_that_piles_and_choices_have(stat_seed):
    """2 to 256: cards of a pile, options of a decision, policies of a pool."""
    key = make_key(stat_seed)
    chances = {}
    for n in range(2, 257):
        counts = np.bincount(drawn(PyStream(key, 1, n), n, 200 * n), minlength=n)
        assert len(counts) == n
        chances[f"below {n}"] = chance(counts)
    assert_none_rare(chances)


def test_the_chance_of_a_slip_is_one_in_so_many(stat_seed):
    """Slips are drawn below 10,000: each hundredth is as likely as another."""
    draws = drawn(PyStream(make_key(stat_seed), 32, 0), 10_000, 400_000)
    assert_counts(np.bincount(draws // 100, minlength=100).tolist())


#: Bounds of which a product without rejection favours some remainders, by what they are divided.
UNEVEN = {3 * 2**30: 3, 5 * 2**29: 5, 7 * 2**29: 7}


def test_bounds_near_two_to_the_32nd(stat_seed):
    """Where up to one draw in two is rejected, and where hardly any is."""
    chances = {}
    for place, n in enumerate([*UNEVEN, 2**31 - 1, 2**31 + 1, 2**32 - 2**16, 2**32 - 1]):
        draws = drawn(PyStream(make_key(stat_seed), 2, place), n, 60_000)
        assert draws.max() < n
        chances[f"fiftieths below {n}"] = chance(np.bincount(draws * 50 // n, minlength=50))
        if n in UNEVEN:
            chances[f"remainders below {n}"] = chance(np.bincount(draws % UNEVEN[n]))
    assert_none_rare(chances)


@pytest.mark.parametrize(("n", "divisor"), UNEVEN.items())
def test_without_rejection_these_bounds_would_be_uneven(n, divisor):
    """Guards the test above: it can tell a biased product from a fair one."""
    words = PyStream(make_key(1), 2, 0).raw(60_000) & np.uint64(0xFFFFFFFF)
    draws = ((words * np.uint64(n)) >> np.uint64(32)).astype(np.int64)
    assert chance(np.bincount(draws % divisor)) < 1e-20


def table(first: np.ndarray, second: np.ndarray, n: int) -> float:
    """Return the p-value of two draws below n being even and independent."""
    return chance(np.bincount(first * n + second, minlength=n * n))


def test_draws_of_one_stream_do_not_depend_on_those_before(stat_seed):
    chances = {}
    for n in (2, 3, 5, 7, 10):
        draws = drawn(PyStream(make_key(stat_seed), 1, n), n, 120_000)
        for lag in (1, 2, 3, 4, 8):  # a block has four words, and eight halves
            chances[f"below {n}, {lag} later"] = table(draws[:-lag], draws[lag:], n)
    assert_none_rare(chances)


def test_streams_deals_and_seats_do_not_depend_on_their_neighbours(stat_seed):
    """The first draws of each address, beside those of the next stream, seat and deal."""
    key, deals, n = make_key(stat_seed), 12_000, 6
    first = np.empty((len(STREAMS), deals), np.int64)
    second = np.empty_like(first)
    for row, number in enumerate(STREAMS):
        for deal in range(deals):
            stream = PyStream(key, number, deal)
            first[row, deal], second[row, deal] = stream.bounded(n), stream.bounded(n)
    chances = {}
    for row, number in enumerate(STREAMS):
        for lag in (1, 2, 16, 256):
            chances[f"stream {number}, {lag} deals on"] = table(
                first[row, :-lag], first[row, lag:], n
            )
        chances[f"stream {number}, second draw"] = table(first[row], second[row], n)
        for other in range(row):
            pair = f"streams {STREAMS[other]} and {number}"
            chances[pair] = table(first[other], first[row], n)
            chances[f"{pair}, crossed"] = table(second[other], first[row], n)
    assert_none_rare(chances)


def test_seeds_do_not_depend_on_their_neighbours(stat_seed):
    """Neighbouring seeds at one address; and a seed's next deal against the next seed's deal."""
    seeds, n = 12_000, 6
    draws = np.empty((2, seeds), np.int64)
    for seed in range(seeds):
        key = make_key(stat_seed * seeds + seed)
        for deal in (0, 1):
            draws[deal, seed] = PyStream(key, 1, deal).bounded(n)
    chances = {f"{lag} seeds on": table(draws[0, :-lag], draws[0, lag:], n) for lag in (1, 2, 64)}
    chances["seed and deal"] = table(draws[0, 1:], draws[1, :-1], n)
    chances["deals of a seed"] = table(draws[0], draws[1], n)
    assert_none_rare(chances)


def bits(words: np.ndarray) -> np.ndarray:
    """Return the 64 bits of each word, the lowest first, shape (…, 64)."""
    octets = words.astype("<u8")[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little")


def test_no_bit_of_a_word_leans_or_follows_the_address(stat_seed):
    """Each of 64 bits is one in half of the words, and changes in half of the steps to the next."""
    from scipy.stats import binom

    key, deals = make_key(stat_seed), 20_000
    words = np.array([PyStream(key, 1, deal).raw(4) for deal in range(deals)], np.uint64)
    beside = np.array([PyStream(key, 2, deal).raw(4) for deal in range(deals)], np.uint64)
    steps = {
        "word": words,
        "next word": words[:, :-1] ^ words[:, 1:],
        "next deal": words[:-1] ^ words[1:],
        "next stream": words ^ beside,
    }
    chances = {}
    for name, found in steps.items():
        ones = bits(found).reshape(-1, 64).sum(axis=0, dtype=np.int64)
        total = found.size
        for place, count in enumerate(ones.tolist()):
            tail = min(binom.cdf(count, total, 0.5), binom.sf(count - 1, total, 0.5))
            chances[f"{name}, bit {place}"] = min(1.0, 2 * float(tail))
    assert_none_rare(chances)


@pytest.mark.parametrize("pool", [3, 7])
def test_lineups_that_are_drawn_are_even_and_their_seats_independent(pool, stat_seed):
    lineups = draw_lineups(make_key(stat_seed), 0, 60_000, pool, 4).astype(np.int64)
    chances = {}
    for seat in range(4):
        chances[f"seat {seat + 1}"] = chance(np.bincount(lineups[:, seat], minlength=pool))
        for other in range(seat):
            pair = f"seats {other + 1} and {seat + 1}"
            chances[pair] = table(lineups[:, other], lineups[:, seat], pool)
        chances[f"seat {seat + 1}, next deal"] = table(lineups[:-1, seat], lineups[1:, seat], pool)
    assert_none_rare(chances)
