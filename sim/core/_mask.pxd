# cython: language_level=3
"""Sets of option codes as two machine words, inline for every kernel.

Twin of one row of the ``uint64[n, MASK_WORDS]`` arrays of policies, groups and bans: bit
``code % 64`` of word ``code // 64``. Arrays of such rows can be read as arrays of ``Mask``.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define tenbin_lowest(word) __builtin_ctzll(word)
    #define tenbin_count(word) __builtin_popcountll(word)
    """
    int tenbin_lowest(uint64_t word) noexcept nogil    # undefined for 0
    int tenbin_count(uint64_t word) noexcept nogil

cdef enum:
    MASK_WORDS = 2      # as in sim.core.title
    MASK_CODES = 128


cdef struct Mask:
    uint64_t low
    uint64_t high


cdef inline Mask mask_none() noexcept nogil:
    cdef Mask mask
    mask.low = 0
    mask.high = 0
    return mask


cdef inline void mask_put(Mask* mask, int code) noexcept nogil:
    """Add a code."""
    if code < 64:
        mask.low |= <uint64_t>1 << code
    else:
        mask.high |= <uint64_t>1 << (code - 64)


cdef inline void mask_drop(Mask* mask, int code) noexcept nogil:
    """Take a code out."""
    if code < 64:
        mask.low &= ~(<uint64_t>1 << code)
    else:
        mask.high &= ~(<uint64_t>1 << (code - 64))


cdef inline bint mask_has(const Mask* mask, int code) noexcept nogil:
    if code < 64:
        return (mask.low >> code) & 1
    return (mask.high >> (code - 64)) & 1


cdef inline bint mask_empty(const Mask* mask) noexcept nogil:
    return not (mask.low | mask.high)


cdef inline bint mask_several(const Mask* mask) noexcept nogil:
    """Whether there are two codes or more."""
    if mask.low and mask.high:
        return True
    # A word with one bit is a power of two.
    return (mask.low & (mask.low - 1)) != 0 or (mask.high & (mask.high - 1)) != 0


cdef inline int mask_first(const Mask* mask) noexcept nogil:
    """Return the lowest code of a mask that is not empty."""
    if mask.low:
        return tenbin_lowest(mask.low)
    return 64 + tenbin_lowest(mask.high)


cdef inline int mask_take(Mask* mask) noexcept nogil:
    """Take the lowest code out of a mask that is not empty, and return it."""
    cdef int code
    if mask.low:
        code = tenbin_lowest(mask.low)
        mask.low &= mask.low - 1
        return code
    code = 64 + tenbin_lowest(mask.high)
    mask.high &= mask.high - 1
    return code


cdef inline int mask_count(const Mask* mask) noexcept nogil:
    return tenbin_count(mask.low) + tenbin_count(mask.high)


cdef inline int mask_nth(const Mask* mask, int n) noexcept nogil:
    """Return the code that has `n` lower ones before it; there must be so many."""
    cdef Mask rest = mask[0]
    while n > 0:
        mask_take(&rest)
        n -= 1
    return mask_first(&rest)
