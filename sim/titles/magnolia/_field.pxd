# cython: language_level=3
"""Fields: where cards may lie, which lines there are, what is in front (twin of ``field.py``).

A cell is a bit of a 7×7 grid whose middle is the first card's: a field reaches two cells from it at
most, so a rim stays empty all around and neighbours need no bounds. Bits ascend row by row from the
top left one.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from sim.titles.magnolia._tables cimport LIKENESSES, RACES, Face

cdef extern from *:
    """
    #define magnolia_lowest(word) __builtin_ctzll(word)
    #define magnolia_highest(word) (63 - __builtin_clzll(word))
    #define magnolia_count(word) __builtin_popcountll(word)
    """
    int lowest_bit "magnolia_lowest"(uint64_t word) noexcept nogil      # undefined for 0
    int highest_bit "magnolia_highest"(uint64_t word) noexcept nogil    # undefined for 0
    int count_bits "magnolia_count"(uint64_t word) noexcept nogil

cdef enum:
    WIDTH = 7
    GRID = 49
    MIDDLE = 24
    SIDE = 3
    LINES = 14              # rows, then columns
    NO_TOP = 7              # row of the uppermost card of an empty column


cdef struct Field:
    uint64_t taken          # cells with a card
    int cards
    uint16_t rows           # rows and columns in which cards lie, as bits
    uint16_t columns
    uint8_t kinds[GRID]
    uint16_t alike[GRID]    # race and job of the card there; 0: no card
    uint8_t tally[LIKENESSES]
    uint8_t line_cards[LINES]
    uint16_t line_alike[LINES]
    uint8_t top[WIDTH]      # by column the row of its uppermost card


cdef inline void field_clear(Field* field) noexcept nogil:
    field.taken = 0
    field.cards = 0
    field.rows = field.columns = 0
    memset(field.alike, 0, sizeof(field.alike))
    memset(field.tally, 0, sizeof(field.tally))
    memset(field.line_cards, 0, sizeof(field.line_cards))
    # No card at all has everything in common.
    memset(field.line_alike, 0xFF, sizeof(field.line_alike))
    memset(field.top, NO_TOP, sizeof(field.top))


cdef inline void field_put(Field* field, const Face* face, int kind, int cell) noexcept nogil:
    """Lay a card."""
    cdef int row = cell // WIDTH, column = cell % WIDTH
    field.taken |= <uint64_t>1 << cell
    field.cards += 1
    field.rows |= 1 << row
    field.columns |= 1 << column
    field.kinds[cell] = <uint8_t>kind
    field.alike[cell] = face.alike
    field.tally[face.race] += 1
    field.tally[RACES + face.job] += 1
    field.line_cards[row] += 1
    field.line_cards[WIDTH + column] += 1
    field.line_alike[row] &= face.alike
    field.line_alike[WIDTH + column] &= face.alike
    if row < field.top[column]:
        field.top[column] = <uint8_t>row


cdef inline uint64_t free_cells(const Field* field) noexcept nogil:
    """Return the cells in which the next card may lie (MG-P3); of a full field none."""
    cdef uint64_t touched, rows, columns
    cdef int low, high, least
    if field.cards == 0:
        return <uint64_t>1 << MIDDLE
    touched = field.taken << 1 | field.taken >> 1 | field.taken << WIDTH | field.taken >> WIDTH
    low, high = lowest_bit(field.rows), highest_bit(field.rows)
    rows = (<uint64_t>1 << WIDTH * (low + SIDE)) - (<uint64_t>1 << WIDTH * (high - SIDE + 1))
    low, high = lowest_bit(field.columns), highest_bit(field.columns)
    least = high - SIDE + 1
    columns = (<uint64_t>1 << (low + SIDE)) - (<uint64_t>1 << least)
    # One row of bits, repeated in all rows.
    columns *= <uint64_t>0x40810204081
    return touched & ~field.taken & rows & columns


cdef inline int card_count_beside(const Field* field, int cell) noexcept nogil:
    return (
        (field.alike[cell - WIDTH] != 0)
        + (field.alike[cell - 1] != 0)
        + (field.alike[cell + 1] != 0)
        + (field.alike[cell + WIDTH] != 0)
    )


cdef inline int alike_count_beside(const Field* field, int cell, int alike) noexcept nogil:
    """Return how many cards beside a cell share one of some likenesses."""
    return (
        (field.alike[cell - WIDTH] & alike != 0)
        + (field.alike[cell - 1] & alike != 0)
        + (field.alike[cell + 1] & alike != 0)
        + (field.alike[cell + WIDTH] & alike != 0)
    )


cdef inline bint is_in_front(const Field* field, int cell) noexcept nogil:
    """Whether the card in a cell is in front (MG-W1)."""
    return field.top[cell % WIDTH] == cell // WIDTH


cdef inline int place_of(uint64_t cells, int cell) noexcept nogil:
    """Return how many of some cells come before one."""
    return count_bits(cells & ((<uint64_t>1 << cell) - 1))


cdef inline int cell_at(uint64_t cells, int place) noexcept nogil:
    """Return the cell before which so many of some cells come; -1 when there is none."""
    if place < 0 or place >= count_bits(cells):
        return -1
    while place > 0:
        cells &= cells - 1
        place -= 1
    return lowest_bit(cells)
