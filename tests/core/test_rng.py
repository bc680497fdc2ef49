"""The addressed streams against numpy's, word for word, and against their golden file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from numpy.random import Generator, Philox, SeedSequence

from sim.core._rng import STREAM_VERSION, PyStream, draw_lineups, make_key
from sim.core.title import Streams
from sim.errors import InputError

GOLDEN = Path(__file__).parents[1] / "golden"

#: SHA-256 of the golden file of each stream version. Whoever changes a stream on purpose raises
#: STREAM_VERSION, adds a line here and writes a changelog entry under "Results change".
GOLDEN_HASHES = {1: "6ffad260fcc2014e7e0e0fa429bcce2095b2765650610f74152f2ff36e271b5a"}

BOUNDS = [1, 2, 3, 4, 5, 7, 8, 10, 60, 64, 100, 1000, 2**16, 2**16 + 1, 2**31 - 1, 2**31]
BOUNDS += [2**31 + 7, 3 * 2**30, 2**32 - 1]

ALL_ONES = 2**64 - 1


def numpy_stream(key, stream, deal):
    return Philox(key=key, counter=np.array([0, 0, stream, deal], np.uint64))


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32, 2**64 + 5, 2**200, np.int64(3)])
def test_key_is_numpys(seed):
    assert make_key(seed).tolist() == SeedSequence(int(seed)).generate_state(2, np.uint64).tolist()
    if seed < 2**64:
        assert make_key(seed).tolist() == Philox(int(seed)).state["state"]["key"].tolist()


@pytest.mark.parametrize("seed", [-1, 1.0, "1", None, True, [1]])
def test_other_seeds_are_refused(seed):
    with pytest.raises(InputError, match=r"^seed: found .*; allowed: a whole number, 0 or more$"):
        make_key(seed)


def test_raw_words_for_random_keys_and_counters():
    rng = np.random.default_rng(20)
    for _ in range(3000):
        key = rng.integers(0, 2**64, 2, np.uint64)
        counter = rng.integers(0, 2**64, 4, np.uint64)
        expected = Philox(key=key, counter=counter).random_raw(9)
        assert PyStream.at(key, counter).raw(9).tolist() == expected.tolist()


def test_raw_words_for_addresses():
    rng = np.random.default_rng(21)
    for _ in range(1000):
        key = make_key(int(rng.integers(0, 2**63)))
        stream, deal = int(rng.integers(0, 64)), int(rng.integers(0, 2**64, dtype=np.uint64))
        expected = numpy_stream(key, stream, deal).random_raw(13)
        assert PyStream(key, stream, deal).raw(13).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "counter",
    [
        [ALL_ONES, 0, 0, 0],
        [ALL_ONES - 1, 5, 6, 7],
        [ALL_ONES, ALL_ONES, 1, 2],
        [ALL_ONES - 2, ALL_ONES, ALL_ONES, 3],
        [ALL_ONES, ALL_ONES, ALL_ONES, ALL_ONES],
        [ALL_ONES, 0, ALL_ONES, 0],
    ],
)
def test_carries_of_the_counter(counter):
    key, words = make_key(5), np.array(counter, np.uint64)
    expected = Philox(key=key, counter=words).random_raw(24)
    assert PyStream.at(key, words).raw(24).tolist() == expected.tolist()


@pytest.mark.parametrize("n", BOUNDS)
def test_bounded_draws_are_those_of_numpy_integers(n):
    for deal in range(3):
        stream = PyStream(make_key(n), 4, deal)
        generator = Generator(numpy_stream(make_key(n), 4, deal))
        expected = generator.integers(0, n, 2000).tolist()
        assert [stream.bounded(n) for _ in range(2000)] == expected
        assert all(0 <= value < n for value in expected)


def test_bounded_draws_of_changing_bounds():
    rng = np.random.default_rng(22)
    bounds = rng.choice(BOUNDS, 20_000).tolist()
    stream, generator = PyStream(make_key(1), 0, 0), Generator(numpy_stream(make_key(1), 0, 0))
    for n in bounds:
        assert stream.bounded(n) == generator.integers(0, n)


def test_a_draw_below_one_consumes_nothing():
    stream = PyStream(make_key(1), 2, 3)
    assert [stream.bounded(1) for _ in range(10)] == [0] * 10
    assert stream.raw(4).tolist() == PyStream(make_key(1), 2, 3).raw(4).tolist()


def test_halves_of_a_word_come_low_first_and_wait_while_words_are_read():
    words = numpy_stream(make_key(9), 1, 1).random_raw(4).tolist()
    stream = PyStream(make_key(9), 1, 1)
    assert stream.next32() == words[0] & 0xFFFFFFFF
    assert stream.raw(2).tolist() == words[1:3]
    assert stream.next32() == words[0] >> 32
    assert stream.next32() == words[3] & 0xFFFFFFFF


def test_interleaving_of_halves_words_and_bounded_draws():
    rng = np.random.default_rng(23)
    stream, philox = PyStream(make_key(2), 6, 8), numpy_stream(make_key(2), 6, 8)
    generator = Generator(philox)
    for what in rng.integers(0, 3, 5000):
        if what == 0:
            assert stream.raw(1)[0] == philox.random_raw()
        elif what == 1:
            half = generator.integers(0, 2**32, dtype=np.uint32)
            assert stream.next32() == half
        else:
            assert stream.bounded(60) == generator.integers(0, 60)


def test_streams_and_deals_do_not_share_words():
    key = make_key(1)
    words = [PyStream(key, stream, deal).raw(8) for stream in range(12) for deal in range(50)]
    flat = np.concatenate(words)
    assert len(np.unique(flat)) == len(flat)


def test_lineups_are_drawn_deal_by_deal():
    key = make_key(4)
    first = 3 * 10**10
    lineups = draw_lineups(key, first, 500, 7, 4)
    assert lineups.dtype == np.int16
    for i, lineup in enumerate(lineups.tolist()):
        generator = Generator(numpy_stream(key, Streams.LINEUP, first + i))
        assert lineup == generator.integers(0, 7, 4).tolist()
    assert draw_lineups(key, first + 123, 10, 7, 4).tolist() == lineups[123:133].tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PyStream(np.zeros(3, np.uint64), 0, 0), "key: found 3 words; allowed: 2"),
        (lambda: PyStream.at(make_key(1), make_key(1)), "counter: found 2 words; allowed: 4"),
        (lambda: PyStream(make_key(1), 0, 0).bounded(0), "n: found 0; allowed: 1 or more"),
        (lambda: draw_lineups(np.zeros(1, np.uint64), 0, 1, 1, 1), "key: found 1 words"),
        (lambda: draw_lineups(make_key(1), 0, 1, 0, 1), "pool_size: found 0; allowed: 1 to 32767"),
        (lambda: draw_lineups(make_key(1), 0, 1, 40000, 1), "pool_size: found 40000"),
    ],
)
def test_malformed_calls_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("key", [None, np.zeros(2, np.int64), np.zeros(2), [1, 2]])
def test_keys_of_another_type_are_refused(key):
    with pytest.raises((TypeError, ValueError)):
        PyStream(key, 0, 0)


def golden_text() -> str:
    """Return what the golden file must hold: a few addresses, raw and bounded, and line-ups."""
    lines = [f"stream version {STREAM_VERSION}"]
    for seed in (0, 1, 2**70):
        key = make_key(seed)
        lines.append(f"seed {seed} key {key[0]:016x} {key[1]:016x}")
        for stream, deal in ((0, 0), (0, 1), (1, 0), (17, 4711), (3, 10**10)):
            words = " ".join(f"{word:016x}" for word in PyStream(key, stream, deal).raw(6).tolist())
            lines.append(f"  stream {stream} deal {deal} raw {words}")
            drawn = PyStream(key, stream, deal)
            draws = " ".join(str(drawn.bounded(n)) for n in (60, 10, 1, 2, 10000, 3 * 2**30, 7))
            lines.append(f"  stream {stream} deal {deal} bounded {draws}")
        lineups = " ".join(map(str, draw_lineups(key, 100, 3, 5, 4).ravel().tolist()))
        lines.append(f"  line-ups of deals 100 to 102, 5 policies, 4 seats: {lineups}")
    return "\n".join(lines) + "\n"


def test_golden_stream():
    path = GOLDEN / f"stream-v{STREAM_VERSION}.txt"
    found = golden_text()
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    if found != kept:
        path.with_suffix(".new.txt").write_text(found, encoding="utf-8")
    assert found == kept, f"streams changed without a new STREAM_VERSION; see {path.stem}.new.txt"
    assert hashlib.sha256(kept.encode()).hexdigest() == GOLDEN_HASHES[STREAM_VERSION]


def test_every_golden_stream_is_pinned():
    assert {path.name for path in GOLDEN.glob("stream-v*.txt") if ".new" not in path.name} == {
        f"stream-v{version}.txt" for version in GOLDEN_HASHES
    }
