"""Addressed random streams: Philox4x64-10, bit for bit the one of numpy.

Addressing
----------
A random number is *found*, not reached. Its address is

    seed  →  key, two 64-bit words           ``make_key``
    deal  →  counter word 3                  which game's chance
    stream → counter word 2                  which part of that chance: a deck, a seat's policy
    block →  counter words 0 and 1           counts up as the stream is read

and the number is a keyed scrambling (encryption) of that counter. So deal 4711 played alone is
deal 4711 of a run of a million; batches, workers and their order cannot matter; two rulesets that
are compared see the same shuffles as long as they ask for the same stream; and nothing has to be
stored, jumped or handed from one game to the next.

Why counter-based
-----------------
Generators that walk from state to state (xoshiro, PCG) are two to four times faster per number,
but opening a fresh, independent stream for each deck of each seat of each game costs them a seeding
procedure whose independence rests on hope. Opening one here is writing four words. A bounded draw
takes a few nanoseconds, a small part of a game's time (``tenbin bench`` measures it).

Why numpy's
-----------
``Generator(Philox(key=key, counter=[0, 0, stream, deal]))`` yields the same raw words and its
``integers(0, n)`` the same bounded numbers, so that anybody can check or rebuild a shuffle with a
library that is not ours. Three details carry that promise: the counter is raised *before* it is
encrypted, so the first block is that of counter + 1; 32-bit numbers are the low half of a word
first, then its high half, which waits while whole words are read; bounded numbers are Lemire's
multiply-shift with rejection on 32 bits, and ``integers(0, 1)`` draws nothing.

Stream policy
-------------
``STREAM_VERSION`` is part of every result's identity. It is raised when, for an unchanged address,
any raw word, bounded draw or line-up changes, and for no other reason; there has to be a reason
better than taste, since published numbers can be replayed only by the version that made them. The
golden stream below ``tests/golden`` pins it. What a title draws from which stream is the title's
own matter and is versioned by its ``result_version``. Each change of either is listed in the
changelog under *Results change*, and is called one of: a *bug* (results were wrong), a *trap*
(right, but easily misread), a *spandrel* (equally right, only different).
"""

from libc.stdint cimport int16_t, uint32_t, uint64_t

from numbers import Integral

import numpy as np

from sim.core.title import Streams
from sim.errors import InputError

__all__ = ["STREAM_VERSION", "PyStream", "draw_lineups", "make_key"]

STREAM_VERSION = 1

cdef uint64_t LINEUP_STREAM = Streams.LINEUP


def make_key(seed):
    """Return the key of a seed.

    Parameters
    ----------
    seed : int
        Zero or more, of any size.

    Returns
    -------
    numpy.ndarray
        uint64, shape (2,): ``numpy.random.SeedSequence(seed).generate_state(2, uint64)``.

    Raises
    ------
    InputError
        When the seed is not a whole number, or negative.

    Examples
    --------
    >>> make_key(1).dtype
    dtype('uint64')
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed: found {seed!r}; allowed: a whole number, 0 or more")
    return np.random.SeedSequence(int(seed)).generate_state(2, np.uint64)


cdef class PyStream:
    """One stream for Python, word by word as kernels draw it.

    Reference engines draw from numpy instead; the tests hold the two against each other.

    Parameters
    ----------
    key : numpy.ndarray
        uint64, shape (2,); see :func:`make_key`.
    stream : int
        The stream's number, as a title declares it.
    deal : int
        The deal.

    Examples
    --------
    >>> from numpy.random import Generator, Philox
    >>> key = make_key(7)
    >>> numpy_stream = Generator(Philox(key=key, counter=[0, 0, 3, 4711]))
    >>> PyStream(key, 3, 4711).bounded(60) == numpy_stream.integers(0, 60)
    True
    """

    cdef Stream state

    def __init__(self, const uint64_t[::1] key not None, uint64_t stream, uint64_t deal):
        if key.shape[0] != 2:
            raise ValueError(f"key: found {key.shape[0]} words; allowed: 2 (see make_key)")
        stream_open(&self.state, &key[0], stream, deal)

    @classmethod
    def at(cls, const uint64_t[::1] key not None, const uint64_t[::1] counter not None):
        """Return a stream at any counter; its first block is that of counter + 1.

        Parameters
        ----------
        key : numpy.ndarray
            uint64, shape (2,).
        counter : numpy.ndarray
            uint64, shape (4,), lowest word first.

        Returns
        -------
        PyStream
        """
        if counter.shape[0] != 4:
            raise ValueError(f"counter: found {counter.shape[0]} words; allowed: 4")
        cdef PyStream made = cls(key, counter[2], counter[3])
        made.state.counter[0] = counter[0]
        made.state.counter[1] = counter[1]
        return made

    def raw(self, Py_ssize_t n):
        """Return the next `n` 64-bit words.

        Parameters
        ----------
        n : int

        Returns
        -------
        numpy.ndarray
            uint64, shape (n,).
        """
        words = np.empty(n, np.uint64)
        cdef uint64_t[::1] view = words
        cdef Py_ssize_t i
        for i in range(n):
            view[i] = stream_next64(&self.state)
        return words

    def next32(self):
        """Return the next 32 bits, low halves of words first.

        Returns
        -------
        int
        """
        return stream_next32(&self.state)

    def bounded(self, uint32_t n):
        """Return a uniform number below `n`; nothing is drawn for ``n == 1``.

        Parameters
        ----------
        n : int
            1 to 2**32 - 1.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            When `n` is 0.
        """
        if n == 0:
            raise ValueError("n: found 0; allowed: 1 or more")
        return stream_bounded(&self.state, n)


def draw_lineups(
    const uint64_t[::1] key not None,
    uint64_t first_deal,
    Py_ssize_t n,
    uint32_t pool_size,
    Py_ssize_t players,
):
    """Draw the line-ups of consecutive deals from a pool, with replacement.

    Each deal draws from its own line-up stream (``Streams.LINEUP``), so that a line-up depends on
    the deal alone.

    Parameters
    ----------
    key : numpy.ndarray
        uint64, shape (2,).
    first_deal : int
    n : int
        Number of deals.
    pool_size : int
        Number of policies in the pool, 1 to 32767.
    players : int

    Returns
    -------
    numpy.ndarray
        int16, shape (n, players): places in the pool.
    """
    if key.shape[0] != 2:
        raise ValueError(f"key: found {key.shape[0]} words; allowed: 2 (see make_key)")
    if not 1 <= pool_size <= 32767:
        raise ValueError(f"pool_size: found {pool_size}; allowed: 1 to 32767")
    lineups = np.empty((n, players), np.int16)
    cdef int16_t[:, ::1] view = lineups
    cdef Stream stream
    cdef Py_ssize_t i, seat
    with nogil:
        for i in range(n):
            stream_open(&stream, &key[0], LINEUP_STREAM, first_deal + <uint64_t>i)
            for seat in range(players):
                view[i, seat] = <int16_t>stream_bounded(&stream, pool_size)
    return lineups
