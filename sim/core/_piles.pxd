# cython: language_level=3
"""Piles of cards: fixed-size, shuffled lazily, inline for every kernel.

A ``Pile`` holds kinds of cards in an array whose **end is the top**. A shuffled deck is not
permuted when it is shuffled; instead a card is chosen at the moment it is drawn or looked at, which
costs one bounded draw for each card that is ever seen and none for those that are not. The last
``settled`` cards are those whose order is already known, from having been looked at or put there;
all others are exchangeable, wherever they lie in the array.

What a kernel and a reference engine must agree on is therefore the array, ``settled``, and the
order of draws:

* draw: pop the top if it is settled; else swap a random card to the top and pop it;
* look at the top m: settle one card after the other until m are settled;
* shuffle: given cards become the array, in the order in which they are given (for a discard pile
  the one in which they came to it), and nothing is settled.

Nothing here looks at the capacity: a kernel lets no seat own more cards than a pile holds.
"""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy, memmove

from sim.core._rng cimport Stream, stream_bounded

cdef enum:
    PILE_CAPACITY = 248     # with its head a pile is 256 bytes
    NO_CARD = 255           # drawn from an empty pile; never a kind


cdef struct Pile:
    uint16_t size
    uint16_t settled
    uint8_t unused[4]       # keeps the cards on an 8-byte boundary
    uint8_t cards[PILE_CAPACITY]


cdef inline void pile_shuffle(Pile* pile, const uint8_t* cards, int size) noexcept nogil:
    """Make cards, at most as many as a pile holds, a shuffled pile; what it held is forgotten."""
    memcpy(pile.cards, cards, size)
    pile.size = <uint16_t>size
    pile.settled = 0


cdef inline void pile_swap(Pile* pile, int i, int j) noexcept nogil:
    cdef uint8_t kind = pile.cards[i]
    pile.cards[i] = pile.cards[j]
    pile.cards[j] = kind


cdef inline int pile_settle(Pile* pile, Stream* stream, int m) noexcept nogil:
    """Settle the top `m` cards, or all there are, and return how many can be looked at."""
    cdef int unsettled
    if m > pile.size:
        m = pile.size
    while pile.settled < m:
        unsettled = pile.size - pile.settled
        pile_swap(pile, <int>stream_bounded(stream, <unsigned int>unsettled), unsettled - 1)
        pile.settled += 1
    return m


cdef inline uint8_t pile_draw(Pile* pile, Stream* stream) noexcept nogil:
    """Take the top card; ``NO_CARD`` when there is none."""
    cdef int drawn
    cdef uint8_t kind
    if pile.size == 0:
        return NO_CARD
    if pile.settled:
        pile.settled -= 1
        pile.size -= 1
        return pile.cards[pile.size]
    # Read before it is overwritten: a byte that was just stored is slow to read back.
    drawn = <int>stream_bounded(stream, pile.size)
    pile.size -= 1
    kind = pile.cards[drawn]
    pile.cards[drawn] = pile.cards[pile.size]
    return kind


cdef inline uint8_t pile_remove(Pile* pile, int index) noexcept nogil:
    """Take the card at `index` of the array (0 is the bottom); the others keep their order."""
    cdef uint8_t kind
    if index < 0 or index >= pile.size:
        return NO_CARD
    kind = pile.cards[index]
    if index >= pile.size - pile.settled:
        pile.settled -= 1
    pile.size -= 1
    memmove(&pile.cards[index], &pile.cards[index + 1], pile.size - index)
    return kind
