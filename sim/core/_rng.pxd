# cython: language_level=3
"""Addressed random streams, inline for every kernel (the why is told in ``_rng.pyx``).

A kernel keeps one ``Stream`` for each declared stream of a game, opens it once with the game's
deal, and draws from it. Nothing here allocates, raises or needs the GIL.

    cdef Stream shuffles
    stream_open(&shuffles, &key[0], 3, deal)
    card = stream_bounded(&shuffles, 10)        # 0 .. 9
"""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #ifndef __SIZEOF_INT128__
    #error "tenbin needs a C compiler with unsigned __int128 (gcc or clang, 64 bit)"
    #endif
    static inline uint64_t tenbin_multiply(uint64_t a, uint64_t b, uint64_t *high) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *high = (uint64_t)(product >> 64);
        return (uint64_t)product;
    }
    """
    uint64_t tenbin_multiply(uint64_t a, uint64_t b, uint64_t *high) noexcept nogil


cdef struct Stream:
    uint64_t key[2]
    uint64_t counter[4]     # of the block in `words`; the next block is counter + 1
    uint64_t words[4]
    uint32_t used           # words of the block that were handed out; 4 = none left
    uint32_t has_half       # whether `half` still waits to be handed out
    uint32_t half           # high half of the word whose low half was handed out


cdef inline void philox_encrypt(
    const uint64_t* key, const uint64_t* counter, uint64_t* words
) noexcept nogil:
    """Fill `words` with the block of Philox4x64-10 that belongs to `counter`."""
    cdef uint64_t k0 = key[0], k1 = key[1]
    cdef uint64_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3]
    cdef uint64_t low0, high0, low1, high1
    cdef int _round
    for _round in range(10):
        low0 = tenbin_multiply(<uint64_t>0xD2E7470EE14C6C93, c0, &high0)
        low1 = tenbin_multiply(<uint64_t>0xCA5A826395121157, c2, &high1)
        c0 = high1 ^ c1 ^ k0
        c1 = low1
        c2 = high0 ^ c3 ^ k1
        c3 = low0
        k0 += <uint64_t>0x9E3779B97F4A7C15
        k1 += <uint64_t>0xBB67AE8584CAA73B
    words[0] = c0
    words[1] = c1
    words[2] = c2
    words[3] = c3


cdef inline void stream_open(
    Stream* stream, const uint64_t* key, uint64_t number, uint64_t deal
) noexcept nogil:
    """Go to the start of stream `number` of a deal."""
    stream.key[0] = key[0]
    stream.key[1] = key[1]
    stream.counter[0] = 0
    stream.counter[1] = 0
    stream.counter[2] = number
    stream.counter[3] = deal
    stream.used = 4
    stream.has_half = 0
    stream.half = 0


cdef inline void stream_refill(Stream* stream) noexcept nogil:
    """Encrypt the next block; the counter is raised first, as numpy does."""
    stream.counter[0] += 1
    if stream.counter[0] == 0:
        stream.counter[1] += 1
        if stream.counter[1] == 0:
            stream.counter[2] += 1
            if stream.counter[2] == 0:
                stream.counter[3] += 1
    philox_encrypt(stream.key, stream.counter, stream.words)
    stream.used = 0


cdef inline uint64_t stream_next64(Stream* stream) noexcept nogil:
    """Return the next 64-bit word. A half that waits for ``stream_next32`` goes on waiting."""
    cdef uint64_t word
    if stream.used == 4:
        stream_refill(stream)
    word = stream.words[stream.used]
    stream.used += 1
    return word


cdef inline uint32_t stream_next32(Stream* stream) noexcept nogil:
    """Return the next 32 bits: the low half of a word, then its high half."""
    cdef uint64_t word
    if stream.has_half:
        stream.has_half = 0
        return stream.half
    word = stream_next64(stream)
    stream.half = <uint32_t>(word >> 32)
    stream.has_half = 1
    return <uint32_t>word


cdef inline uint32_t stream_bounded(Stream* stream, uint32_t n) noexcept nogil:
    """Return a uniform number below `n`; for `n` of 0 or 1 that is 0 and nothing is drawn."""
    cdef uint64_t product
    cdef uint32_t rest, threshold
    if n <= 1:
        return 0
    product = <uint64_t>stream_next32(stream) * n
    rest = <uint32_t>product
    if rest < n:
        # Lemire's rejection: the division is reached once in 2**32 / n draws.
        threshold = <uint32_t>(0 - n) % n
        while rest < threshold:
            product = <uint64_t>stream_next32(stream) * n
            rest = <uint32_t>product
    return <uint32_t>(product >> 32)
