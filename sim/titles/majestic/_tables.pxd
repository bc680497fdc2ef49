# cython: language_level=3
"""The rules as the kernel reads them, and the records that it writes.

The packed structs are twins of the dtypes in ``tables.py`` and of ``records.record_dtype``.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from sim.core._mask cimport MASK_CODES, Mask, mask_put

cdef enum:
    # schema
    PLAYERS = 2
    PLACES = 12
    ALL_PLACES = 0xFFF
    ATTRIBUTES = 4
    KEYWORDS = 5
    UNIT = 0                # SORTS
    SPELL = 1
    MOST_COST = 20          # Small
    MOST_MANA = 40          # cards of a mana deck

    # schema.KEYWORDS
    SWIFT = 0
    EVASIVE = 1
    RANGED = 2
    SENTINEL = 3
    BOUND = 4

    # schema.TARGETS
    TARGET_NONE = 0
    TARGET_OWN = 1
    TARGET_ENEMY = 2
    TARGET_ANY = 3

    # schema.WHOM, SIDES, AREAS, UPRIGHT
    WHOM_TARGET = 0
    WHOM_SELF = 1
    WHOM_OWN = 2
    WHOM_ENEMY = 3
    WHOM_ALL = 4
    WHOM_ATTACKER = 5
    WHOM_BLOCKER = 6
    SIDE_OWN = 0
    SIDE_ENEMY = 1
    AREA_FRONT = 0
    AREA_OTHER = 2
    UPRIGHT_READY = 0
    SORT_CARD = 2           # behind SORTS: both of them

    # words.WORDS: codes behind the kinds
    CODE_OWN = 0
    CODE_ENEMY = 12
    CODE_ADVANCE = 24
    CODE_RETREAT = 25
    CODE_SORCERY = 26
    CODE_FRONT = 27
    CODE_BACK = 28
    CODE_REDRAW = 29
    CODE_PUT = 30
    CODE_DRAW = 31
    CODE_USE = 32

    # tables.ROLES and SUMS: what a text does for certain, and to whom
    ROLE_TARGET = 0
    ROLE_SELF = 1
    ROLE_OWN = 2
    ROLE_ENEMY = 3
    ROLE_ATTACKER = 4
    ROLE_BLOCKER = 5
    ROLES = 6
    SUM_AP = 0
    SUM_DP = 1
    SUM_DAMAGE = 2
    SUM_REMOVES = 3
    SUMS = 4

    # info.SOURCES: what LP losses come from
    BY_ATTACKS = 0
    BY_SPELLS = 1
    BY_ABILITIES = 2
    BY_SORCERER = 3
    BY_UNITS = 4
    BY_SPECIAL = 5
    BY_ITSELF = 6
    SOURCES = 7

    # info.END_REASONS
    LP_END = 0
    MAIN_DECK_END = 1
    MANA_DECK_END = 2
    BOTH_END = 3
    ROUND_CAP = 4

    # INFO.card_fields
    OPENING = 0
    DRAWN = 1
    PLAYED = 2
    DISCARDED = 3
    ATTACKS = 4
    FALLEN = 5
    CARD_FIELDS = 6

    # INFO.series
    SERIES_FIELDS = 4

    COUNTERS = 20           # from redraws to lp_gained
    COMPOSITION = 21        # columns with that role

    MOST_IN_COLUMN = 65535
    COUNTER_OVERFLOW = 3    # sim.errors.STATUS


cdef packed struct Rules:
    int32_t kinds
    int32_t hand
    int32_t redraws
    int32_t lp
    int32_t draw
    int32_t first_draw
    int32_t mana_draw
    int32_t hand_limit
    int32_t area_limit
    int32_t round_cap
    int32_t acts_cap


cdef packed struct Kind:
    uint8_t attribute
    uint8_t sort
    uint8_t keywords
    uint8_t cost
    int16_t ap
    int16_t dp
    int16_t text
    int16_t ability


cdef packed struct Mana:
    int16_t attribute
    int16_t text


cdef packed struct Sorcerer:
    int16_t attribute
    int16_t text


cdef packed struct Text:
    int32_t target
    int32_t attribute
    int32_t cost
    int32_t down
    int32_t where_first
    int32_t where_count
    int32_t needs_first
    int32_t needs_count
    int32_t effect_first
    int32_t effect_count
    int32_t refills
    int32_t burns


cdef packed struct Effect:
    int32_t op
    int32_t first
    int32_t second
    int32_t amount
    int32_t per_observable
    int32_t per_argument
    int32_t cond_first
    int32_t cond_count


cdef packed struct GameRecord:
    uint16_t rounds
    uint16_t turns
    uint8_t end_reason


cdef packed struct SeatRecord:
    uint8_t win60
    int16_t score
    uint8_t rank
    uint8_t deck
    uint8_t sorcerer
    uint16_t redraws
    uint16_t drawn
    uint16_t mana_put
    uint16_t mana_drawn
    uint16_t mana_spent
    uint16_t special_used
    uint16_t units_played
    uint16_t spells_played
    uint16_t spells_in_battle
    uint16_t abilities_used
    uint16_t sorcerer_used
    uint16_t moves
    uint16_t attacks
    uint16_t attacks_blocked
    uint16_t attacks_ended
    uint16_t blocks
    uint16_t units_lost
    uint16_t units_returned
    uint16_t discarded
    uint16_t lp_gained
    uint16_t lp_left
    uint16_t most_units
    uint16_t lp_by_attacks      # from here on by SOURCES
    uint16_t lp_by_spells
    uint16_t lp_by_abilities
    uint16_t lp_by_sorcerer
    uint16_t lp_by_units
    uint16_t lp_by_special
    uint16_t lp_by_itself
    uint16_t deck_units         # from here on by COMPOSITION
    uint16_t deck_spells
    uint16_t deck_cost
    uint16_t deck_attributes
    uint16_t cost_0
    uint16_t cost_1
    uint16_t cost_2
    uint16_t cost_3
    uint16_t cost_4
    uint16_t cost_5
    uint16_t cost_6
    uint16_t cost_7
    uint16_t deck_fire
    uint16_t deck_water
    uint16_t deck_earth
    uint16_t deck_wind
    uint16_t special_mana
    uint16_t mana_fire
    uint16_t mana_water
    uint16_t mana_earth
    uint16_t mana_wind


cdef struct Counters:
    # The counters of a seat, in the order of the records, wide until they are written.
    uint32_t redraws
    uint32_t drawn
    uint32_t mana_put
    uint32_t mana_drawn
    uint32_t mana_spent
    uint32_t special_used
    uint32_t units_played
    uint32_t spells_played
    uint32_t spells_in_battle
    uint32_t abilities_used
    uint32_t sorcerer_used
    uint32_t moves
    uint32_t attacks
    uint32_t attacks_blocked
    uint32_t attacks_ended
    uint32_t blocks
    uint32_t units_lost
    uint32_t units_returned
    uint32_t discarded
    uint32_t lp_gained


cdef struct Book:
    # The ruleset of a call; arrays are borrowed from the tables.
    Rules rules
    const Kind* kinds
    const Mana* mana_kinds
    const Sorcerer* sorcerers
    const Text* texts
    const int16_t* sums             # [text][role][sum]
    const Effect* effects
    const int32_t* conds
    const int16_t* deck_main        # [deck][kind]
    const int16_t* deck_mana        # [deck][mana kind]
    const int16_t* deck_sorcerers
    const int16_t* compositions     # [deck][column]
    const Mask* groups
    const Mask* bans                # [seat]
    const int16_t* loadout          # [policy]: its deck
    int mana_kind_count
    # Made once a call by book_derive.
    Mask units
    Mask spells
    Mask plain_spells               # spells without target and needs: always usable
    Mask of_attribute[ATTRIBUTES]
    Mask within[MOST_COST + 1]      # kinds that cost at most so much
    int area_room                   # units that an area takes


cdef inline void book_derive(Book* book) noexcept nogil:
    """Fill in what follows from the rules."""
    cdef const Kind* kind
    cdef const Text* text
    cdef int code, cost
    memset(&book.units, 0, sizeof(Mask))
    book.spells = book.plain_spells = book.units
    memset(book.of_attribute, 0, sizeof(book.of_attribute))
    memset(book.within, 0, sizeof(book.within))
    book.area_room = book.rules.area_limit if book.rules.area_limit else PLACES
    for code in range(book.rules.kinds):
        kind = &book.kinds[code]
        text = &book.texts[kind.text]
        mask_put(&book.of_attribute[kind.attribute], code)
        for cost in range(kind.cost, MOST_COST + 1):
            mask_put(&book.within[cost], code)
        if kind.sort == UNIT:
            mask_put(&book.units, code)
        else:
            mask_put(&book.spells, code)
            if text.target == TARGET_NONE and text.needs_count == 0:
                mask_put(&book.plain_spells, code)
