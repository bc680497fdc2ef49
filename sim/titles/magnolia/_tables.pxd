# cython: language_level=3
"""The rules as the kernel reads them, and the records that it writes.

The packed structs are twins of the dtypes in ``tables.py`` and of ``records.record_dtype``.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t

from sim.core._mask cimport MASK_CODES, Mask

cdef enum:
    # schema
    RACES = 6
    JOBS = 6
    LIKENESSES = 12
    CELLS = 9
    MOST_SEATS = 5
    MOST_HAND = 10
    MOST_LAID = 2           # cards that a seat lays down in a round
    MOST_COUNTED = 9999
    SHARED_FULL = 0
    CHECK_PHASE = 0
    CHECK_BONUS = 1
    CHECK_ROUND = 2

    # schema.RESOURCES
    GOLD = 0
    VP = 1
    TECHNOLOGY = 2
    FAITH = 3
    RESOURCES = 4

    # schema.STEPS
    FRONT = 0
    PLACEMENT = 1
    WAR = 2
    DEVELOPMENT = 3
    INCOME = 4
    VP_PHASE = 5
    STEPS = 6

    # words.PRIMITIVES from place RESOURCES on
    OP_OTHERS_GOLD = 4
    OP_OTHERS_VP = 5

    # words: option codes behind the kinds
    BEFORE_BONUSES = 9      # CELL_WORDS
    BEFORE_FEATURES = 11    # and BONUS_WORDS
    FEATURE_POWER = 0
    FEATURE_NEIGHBOUR = 1
    FEATURE_KIN = 2
    FEATURE_PAIR = 3
    FEATURE_LINE = 4
    FEATURE_GOLD = 5

    # results.SOURCES: where VP come from. Cards of a step give from FROM_CARDS on.
    FROM_WAR = 0
    FROM_LINES = 1
    FROM_CARDS = 2
    FROM_OBJECTIVES = 7
    TAKEN = 8
    FROM_GOLD = 9
    SOURCES = 10

    # info.END_REASONS
    VP_END = 0
    FIELD_END = 1
    VP_AND_FIELD_END = 2
    ROUND_CAP = 3

    # INFO.card_fields
    OPENING = 0
    DRAWN = 1
    DISCARDED = 2
    PLAYED = 3
    CARD_FIELDS = 4

    # INFO.series
    SERIES_FIELDS = 4

    COSTS = 7               # columns cost_0 to cost_6, the last for 6 and more


cdef packed struct Rules:
    int32_t kinds
    int32_t start_gold
    int32_t hand
    int32_t exchange_from
    int32_t gold_for_0          # gold_for_1 and gold_for_2 follow: read by the number of cards
    int32_t gold_for_1
    int32_t gold_for_2
    int32_t shared
    int32_t least_power
    int32_t gained_from
    int32_t income
    int32_t end_vp
    int32_t end_cards
    int32_t gold_per_vp
    int32_t round_cap
    int32_t objectives_open
    int32_t objectives_check


cdef packed struct Kind:
    int16_t cost
    int16_t power
    int16_t more
    uint8_t race
    uint8_t job


cdef packed struct Step:
    int32_t first
    int32_t count
    int32_t reads
    int32_t gives


cdef packed struct Effect:
    int32_t op
    int32_t amount
    int32_t per_observable
    int32_t per_argument
    int32_t cond_first
    int32_t cond_count


cdef packed struct Objective:
    int32_t vp
    int32_t cond_first
    int32_t cond_count


cdef packed struct GameRecord:
    uint16_t rounds
    uint16_t turns
    uint8_t end_reason
    uint16_t shuffles


cdef packed struct SeatRecord:
    uint8_t win60
    int16_t score
    uint8_t rank
    uint8_t main_race
    uint8_t main_job
    uint16_t played
    uint16_t discarded
    uint32_t gold_spent
    uint32_t gold_gained
    uint16_t wars_led
    uint16_t wars_paid
    uint32_t war_power
    uint16_t lines_race
    uint16_t lines_job
    uint16_t objectives
    uint16_t technology
    uint16_t faith
    uint16_t gold_left
    int32_t vp_war              # from here on by SOURCES
    int32_t vp_lines
    int32_t vp_placement_cards
    int32_t vp_war_cards
    int32_t vp_development_cards
    int32_t vp_income_cards
    int32_t vp_vp_cards
    int32_t vp_objectives
    int32_t vp_taken
    int32_t vp_gold
    uint16_t field_cards
    uint16_t field_cost
    uint16_t cost_0             # from here on by cost
    uint16_t cost_1
    uint16_t cost_2
    uint16_t cost_3
    uint16_t cost_4
    uint16_t cost_5
    uint16_t cost_6
    uint16_t field_human        # from here on by likeness
    uint16_t field_dwarf
    uint16_t field_elf
    uint16_t field_goblin
    uint16_t field_golem
    uint16_t field_demon
    uint16_t field_lord
    uint16_t field_warrior
    uint16_t field_artisan
    uint16_t field_mage
    uint16_t field_priest
    uint16_t field_merchant
    # From here on by race and job.
    uint16_t field_human_lord, field_human_warrior, field_human_artisan
    uint16_t field_human_mage, field_human_priest, field_human_merchant
    uint16_t field_dwarf_lord, field_dwarf_warrior, field_dwarf_artisan
    uint16_t field_dwarf_mage, field_dwarf_priest, field_dwarf_merchant
    uint16_t field_elf_lord, field_elf_warrior, field_elf_artisan
    uint16_t field_elf_mage, field_elf_priest, field_elf_merchant
    uint16_t field_goblin_lord, field_goblin_warrior, field_goblin_artisan
    uint16_t field_goblin_mage, field_goblin_priest, field_goblin_merchant
    uint16_t field_golem_lord, field_golem_warrior, field_golem_artisan
    uint16_t field_golem_mage, field_golem_priest, field_golem_merchant
    uint16_t field_demon_lord, field_demon_warrior, field_demon_artisan
    uint16_t field_demon_mage, field_demon_priest, field_demon_merchant


cdef struct Face:
    # What the search for placements and the counting of fields ask of a kind.
    uint16_t alike              # bits of its race and its job
    int16_t cost
    int16_t power
    uint8_t race
    uint8_t job


cdef struct Book:
    # The ruleset of a call for its number of players; arrays are borrowed from the tables.
    Rules rules
    int players
    int objective_count
    const Kind* kinds
    const Step* steps           # [kind][step]
    const Effect* effects
    const int32_t* conds
    const int16_t* bonuses      # [likeness][resource]
    const int16_t* war_vp       # [rank - 1]
    const Objective* objectives
    const Mask* bans            # [seat]
    # Made once a call by book_derive.
    Face faces[MASK_CODES]
    uint8_t deck[256]           # all cards, kinds ascending
    int deck_size


cdef inline void book_derive(Book* book) noexcept nogil:
    """Fill in what follows from the rules."""
    cdef const Kind* kind
    cdef Face* face
    cdef int code, _copy
    book.deck_size = 0
    for code in range(book.rules.kinds):
        kind = &book.kinds[code]
        face = &book.faces[code]
        face.alike = <uint16_t>((1 << kind.race) | (1 << (RACES + kind.job)))
        face.cost = kind.cost
        face.power = kind.power
        face.race = kind.race
        face.job = kind.job
        for _copy in range(1 + kind.more):
            book.deck[book.deck_size] = <uint8_t>code
            book.deck_size += 1
