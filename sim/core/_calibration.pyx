"""A fixed piece of work that tells how fast this machine is just now.

Machines differ, and the same machine drifts by tens of percent. ``tenbin bench`` therefore never
compares seconds with seconds: it states a kernel's time per game in units of this loop, run next to
it, and keeps that ratio in its history.

Goal: at most 8 nanoseconds a step, a bounded draw and a swap of two cards. (Measured while this was
written: 4.7 at best, 6.4 in the median, on a busy machine.) The work must never change; if it has
to, it becomes a new function, so that old ratios keep their meaning.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from sim.core._rng cimport Stream, stream_bounded, stream_open

__all__ = ["CALIBRATION_STEPS", "calibrate"]

CALIBRATION_STEPS = 1_000_000

cdef enum:
    CARDS = 60


def calibrate(uint64_t steps=1_000_000):
    """Draw and swap cards, as shuffling does, and return a checksum.

    Parameters
    ----------
    steps : int
        Bounded draws; the default, ``CALIBRATION_STEPS``, is the unit that ``tenbin bench`` uses.

    Returns
    -------
    int
        A number that depends on every step, so that none can be left out.

    Examples
    --------
    >>> calibrate(1000) == calibrate(1000)
    True
    """
    cdef uint64_t key[2]
    cdef uint8_t cards[CARDS]
    cdef Stream stream
    cdef uint64_t checksum = 0, _step
    cdef uint32_t left = CARDS, j
    cdef uint8_t card
    cdef int k
    key[0] = 1
    key[1] = 2
    with nogil:
        for k in range(CARDS):
            cards[k] = <uint8_t>k
        stream_open(&stream, key, 0, 0)
        for _step in range(steps):
            j = stream_bounded(&stream, left)
            left -= 1
            card = cards[j]
            cards[j] = cards[left]
            cards[left] = card
            checksum = checksum * 31 + card
            if left == 1:
                left = CARDS
    return checksum
