# cython: language_level=3
"""The rules as the kernel reads them, and the records that it writes.

The packed structs are twins of the dtypes in ``tables.py`` and of ``records.record_dtype``.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from sim.core._mask cimport MASK_CODES, Mask, mask_put

cdef enum:
    # schema.BASIC
    COPPER = 0
    SILVER = 1
    GOLD = 2
    ESTATE = 3
    DUCHY = 4
    PROVINCE = 5
    CURSE = 6

    # schema.SORTS
    SORT_TREASURE = 0
    SORT_ACTION = 3

    MOST_COST = 99          # of a card: schema.Small
    MOST_START = 40         # cards of a starting deck: schema.StartDeck

    # info.END_REASONS
    PROVINCES_END = 0
    PILES_END = 1
    ROUND_CAP = 2

    # INFO.card_fields
    OFFERED = 0
    OPENING = 1
    DRAWN = 2
    ACQUIRED = 3
    OWNED = 4
    CARD_FIELDS = 5

    # INFO.series
    SERIES_FIELDS = 2


cdef packed struct Rules:
    int32_t kinds
    int32_t start_copper
    int32_t start_estate
    int32_t actions
    int32_t buys
    int32_t hand
    int32_t supply_kinds
    int32_t end_piles
    int32_t round_cap


cdef packed struct Kind:
    int16_t cost
    int16_t coins
    int16_t points
    uint8_t sort
    uint8_t reaction
    uint16_t effect_first
    uint16_t effect_count


cdef packed struct Effect:
    int32_t op
    int32_t amount
    int32_t per_observable
    int32_t per_argument
    int32_t cond_first
    int32_t cond_count


cdef packed struct GameRecord:
    uint16_t rounds
    uint16_t turns
    uint8_t end_reason
    uint8_t piles_out
    uint8_t provinces_left


cdef packed struct SeatRecord:
    uint8_t win60
    int16_t score
    uint8_t rank
    uint32_t plays
    uint32_t bought
    uint32_t coins_spent
    uint32_t receipts
    uint32_t trashes
    uint32_t shuffles
    uint32_t attacks
    uint32_t reactions
    uint32_t curses_given
    uint32_t curses_taken
    int16_t points_estate
    int16_t points_duchy
    int16_t points_province
    int16_t points_curse
    uint16_t deck_size
    uint16_t coppers
    uint16_t silvers
    uint16_t golds
    uint16_t estates
    uint16_t duchies
    uint16_t provinces
    uint16_t curses
    uint16_t action_cards


cdef struct Book:
    # The ruleset of a call for its number of players; arrays are borrowed from the tables.
    Rules rules
    int players
    int fixed_count
    int pool_count
    const Kind* kinds
    const Effect* effects
    const int32_t* conds
    const Mask* groups
    const int16_t* piles        # [kind]
    const int16_t* fixed
    const int16_t* pool
    const Mask* bans            # [seat]
    # Made once a call by book_derive.
    Mask offer                  # kinds whose pile holds a card when all lie in the supply
    Mask actions
    Mask reactions
    Mask within[MOST_COST + 1]  # kinds that cost at most so much
    int16_t points[MASK_CODES]
    uint8_t coins[MASK_CODES]
    uint8_t is_treasure[MASK_CODES]
    uint8_t is_action[MASK_CODES]
    uint8_t start[MOST_START]   # a starting deck
    int start_size


cdef inline void book_derive(Book* book) noexcept nogil:
    """Fill in what follows from the rules."""
    cdef const Kind* kind
    cdef int code, cost, _copy
    book.offer.low = book.offer.high = 0
    book.actions = book.reactions = book.offer
    memset(book.within, 0, sizeof(book.within))
    for code in range(book.rules.kinds):
        kind = &book.kinds[code]
        book.points[code] = kind.points
        book.coins[code] = <uint8_t>kind.coins
        book.is_treasure[code] = kind.sort == SORT_TREASURE
        book.is_action[code] = kind.sort == SORT_ACTION
        if book.piles[code] > 0:
            mask_put(&book.offer, code)
        if kind.sort == SORT_ACTION:
            mask_put(&book.actions, code)
        if kind.reaction:
            mask_put(&book.reactions, code)
        for cost in range(kind.cost, MOST_COST + 1):
            mask_put(&book.within[cost], code)
    book.start_size = 0
    for _copy in range(book.rules.start_copper):
        book.start[book.start_size] = COPPER
        book.start_size += 1
    for _copy in range(book.rules.start_estate):
        book.start[book.start_size] = ESTATE
        book.start_size += 1
