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
* put on top: append, and it is settled;
* shuffle: forget that anything is settled. Reshuffling a discard pile makes its array, in the
  order in which cards came to it, the deck's.

A pile that would grow beyond its capacity keeps its cards, drops the new one and sets its
``overflow`` flag, which stays set until ``pile_clear``. A kernel looks at the flags once a game.
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
    uint8_t overflow
    uint8_t unused[3]       # keeps the cards on an 8-byte boundary
    uint8_t cards[PILE_CAPACITY]


cdef inline void pile_clear(Pile* pile) noexcept nogil:
    """Empty a pile and reset its flag. Must be called before anything else."""
    pile.size = 0
    pile.settled = 0
    pile.overflow = 0


cdef inline bint pile_push(Pile* pile, uint8_t kind) noexcept nogil:
    """Put a card on top, where everybody knows it is. False when the pile is full."""
    if pile.size >= PILE_CAPACITY:
        pile.overflow = 1
        return False
    pile.cards[pile.size] = kind
    pile.size += 1
    pile.settled += 1
    return True


cdef inline bint pile_add(Pile* pile, uint8_t kind) noexcept nogil:
    """Add a card where order does not matter: to a hand or discard pile, or shuffled into a deck.

    It goes beneath the settled cards, that is, to the end when there are none.
    """
    cdef int place
    if pile.size >= PILE_CAPACITY:
        pile.overflow = 1
        return False
    place = pile.size - pile.settled
    if pile.settled:
        memmove(&pile.cards[place + 1], &pile.cards[place], pile.settled)
    pile.cards[place] = kind
    pile.size += 1
    return True


cdef inline void pile_shuffle(Pile* pile) noexcept nogil:
    """Shuffle: no card's place is known any more."""
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


cdef inline uint8_t pile_look(const Pile* pile, int depth) noexcept nogil:
    """Return the card `depth` below the top (0 is the top), which must be settled."""
    if depth >= pile.size:
        return NO_CARD
    return pile.cards[pile.size - 1 - depth]


cdef inline uint8_t pile_draw(Pile* pile, Stream* stream) noexcept nogil:
    """Take the top card; ``NO_CARD`` when there is none."""
    if pile.size == 0:
        return NO_CARD
    if pile.settled:
        pile.settled -= 1
    else:
        pile_swap(pile, <int>stream_bounded(stream, pile.size), pile.size - 1)
    pile.size -= 1
    return pile.cards[pile.size]


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


cdef inline bint pile_reshuffle(Pile* deck, Pile* discard) noexcept nogil:
    """Make the whole discard pile the deck, and empty it.

    Meant for an empty deck; cards that a deck still has stay below and are shuffled as well. False,
    and nothing moves, when the deck cannot hold all.
    """
    if deck.size + discard.size > PILE_CAPACITY:
        deck.overflow = 1
        return False
    memcpy(&deck.cards[deck.size], &discard.cards[0], discard.size)
    deck.size += discard.size
    deck.settled = 0
    discard.size = 0
    discard.settled = 0
    return True
