"""Python handles on inline parts that only kernels can call otherwise.

Card piles live in ``_piles.pxd`` and are compiled into each kernel; Python cannot reach them. This
module wraps them thinly so that the tests can hold them against a plain model. Nothing but the
tests imports it.
"""

from libc.limits cimport INT_MAX
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from sim.core._piles cimport (
    NO_CARD as C_NO_CARD,
    PILE_CAPACITY as C_PILE_CAPACITY,
    Pile,
    pile_draw,
    pile_remove,
    pile_settle,
    pile_shuffle,
)
from sim.core._rng cimport Stream, stream_open

__all__ = ["CAPACITY", "NO_CARD", "LazyPile", "add_beyond", "read_beyond"]

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
        self.pile.size = self.pile.settled = 0

    @property
    def cards(self):
        """The array, bottom first."""
        return [self.pile.cards[i] for i in range(self.pile.size)]

    @property
    def settled(self):
        """How many cards at the end have a known order."""
        return self.pile.settled

    def shuffle(self, bytes cards not None):
        """Make cards a shuffled pile."""
        if len(cards) > C_PILE_CAPACITY:
            raise ValueError(f"cards: found {len(cards)}; allowed: at most {C_PILE_CAPACITY}")
        pile_shuffle(&self.pile, <const uint8_t*><const char*>cards, <int>len(cards))

    def look(self, int m):
        """Settle the top `m` cards and return them, top first."""
        cdef int seen = pile_settle(&self.pile, &self.stream, m)
        return [self.pile.cards[self.pile.size - 1 - i] for i in range(seen)]

    def draw(self):
        """Take the top card."""
        return pile_draw(&self.pile, &self.stream)

    def remove(self, int index):
        """Take the card at a place of the array."""
        return pile_remove(&self.pile, index)


def read_beyond(Py_ssize_t size):
    """Read a byte behind so many allocated ones: what a sanitizer has to stop."""
    cdef uint8_t* room = <uint8_t*>calloc(size, 1)
    cdef uint8_t found = room[size]
    free(room)
    return found


def add_beyond(int number):
    """Add a number to the largest of its type: what a sanitizer has to stop."""
    cdef int total = INT_MAX
    total += number
    return total
