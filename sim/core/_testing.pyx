"""Python handles on inline parts that only kernels can call otherwise.

Card piles live in ``_piles.pxd`` and are compiled into each kernel; Python cannot reach them. This
module wraps them thinly so that the tests can hold them against a plain model. Nothing but the
tests imports it.
"""

from libc.stdint cimport uint8_t, uint64_t

from sim.core._piles cimport (
    NO_CARD as C_NO_CARD,
    PILE_CAPACITY as C_PILE_CAPACITY,
    Pile,
    pile_add,
    pile_clear,
    pile_draw,
    pile_look,
    pile_push,
    pile_remove,
    pile_reshuffle,
    pile_settle,
    pile_shuffle,
)
from sim.core._rng cimport Stream, stream_open

__all__ = ["CAPACITY", "NO_CARD", "LazyPile"]

CAPACITY = C_PILE_CAPACITY
NO_CARD = C_NO_CARD


cdef class LazyPile:
    """A pile and the stream that it draws from.

    Parameters
    ----------
    key : numpy.ndarray
        uint64, shape (2,).
    stream, deal : int
        Address of the stream.
    """

    cdef Pile pile
    cdef Stream stream

    def __init__(self, const uint64_t[::1] key not None, uint64_t stream, uint64_t deal):
        if key.shape[0] != 2:
            raise ValueError(f"key: found {key.shape[0]} words; allowed: 2")
        stream_open(&self.stream, &key[0], stream, deal)
        pile_clear(&self.pile)

    @property
    def cards(self):
        """The array, bottom first."""
        return [self.pile.cards[i] for i in range(self.pile.size)]

    @property
    def settled(self):
        """How many cards at the end have a known order."""
        return self.pile.settled

    @property
    def overflow(self):
        """Whether a card was dropped for want of room."""
        return bool(self.pile.overflow)

    def clear(self):
        """Empty the pile and reset its flag."""
        pile_clear(&self.pile)

    def push(self, uint8_t kind):
        """Put a card on top."""
        return bool(pile_push(&self.pile, kind))

    def add(self, uint8_t kind):
        """Add a card where order does not matter."""
        return bool(pile_add(&self.pile, kind))

    def shuffle(self):
        """Forget the order."""
        pile_shuffle(&self.pile)

    def look(self, int m):
        """Settle the top `m` cards and return them, top first."""
        return [pile_look(&self.pile, i) for i in range(pile_settle(&self.pile, &self.stream, m))]

    def draw(self):
        """Take the top card."""
        return pile_draw(&self.pile, &self.stream)

    def remove(self, int index):
        """Take the card at a place of the array."""
        return pile_remove(&self.pile, index)

    def reshuffle(self, LazyPile discard not None):
        """Make another pile the deck."""
        return bool(pile_reshuffle(&self.pile, &discard.pile))
