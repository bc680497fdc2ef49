# cython: language_level=3
"""Rows of what a kernel collects on request, made empty anew: a caller may use buffers again."""

from libc.stdint cimport int16_t, uint16_t
from libc.string cimport memset

cdef enum:
    NO_VALUE = -32768       # sim.core.records.NO_VALUE


cdef inline uint16_t* fresh_counts(
    uint16_t* cards, Py_ssize_t game, Py_ssize_t size
) noexcept nogil:
    """Return a game's row of the cards group, all 0; NULL when it was not asked for."""
    if cards == NULL:
        return NULL
    memset(&cards[game * size], 0, size * sizeof(uint16_t))
    return &cards[game * size]


cdef inline int16_t* fresh_series(
    int16_t* series, Py_ssize_t game, Py_ssize_t size
) noexcept nogil:
    """Return a game's row of the series group, without values; NULL when it was not asked for."""
    cdef Py_ssize_t i
    if series == NULL:
        return NULL
    for i in range(size):
        series[game * size + i] = NO_VALUE
    return &series[game * size]
