# cython: language_level=3
"""The rules as the kernel reads them, and the records that it writes.

The packed structs are twins of the dtypes in ``tables.py`` and of ``records.record_dtype``.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from sim.core._mask cimport Mask

cdef enum:
    # schema
    COLOURS = 3
    DIRECTIONS = 6
    PARTS = 7
    BASIC = 3
    BOOK_KIND = 7
    FIRST_COMPANION = 8
    COMPANIONS = 5
    ABILITIES = 13
    DEALT = 10
    PLACES = 8
    YELLOW = 0              # SORTS
    RED = 1
    SEA = 4                 # TERRAINS
    FEATURES = 6
    MOST_AP = 41            # numbers of AP of an enemy: MOST_ENEMY_LP and 0
    MOST_CASTS = 324        # kernel_input: sets of spells that one set of parts allows
    MOST_ENEMIES = 24
    MOST_DRAWN = 4

    # faces
    NO_PLACE = -1
    STEP_UNIT = 256
    FAR = 1000000000

    # info.END_REASONS
    CLEARED = 0
    LOST_IN_BATTLE = 1
    LOST_BY_CASTING = 2
    LOST_ON_ROAD = 3
    ROUND_CAP = 4
    BATTLE_CAP = 5

    # info.LP_SOURCES
    FROM_START = 0
    FROM_HEXES = 1
    FROM_WINS = 2
    FROM_SPELLS = 3
    FROM_LOSSES = 4
    FROM_MOVES = 5
    FROM_DRAWS = 6
    FROM_STRIKES = 7
    LP_SOURCES = 8

    # INFO.card_fields
    STARTED = 0
    DEALT_TO_PLACE = 1
    MET = 2
    LOST = 3
    LP_LOST = 4
    TURNS = 5
    CARD_FIELDS = 6

    # INFO.series
    SERIES_FIELDS = 2


cdef packed struct Rules:
    int32_t kinds
    int32_t first_draw
    int32_t first_way
    int32_t first_spell
    int32_t first_feature
    int32_t start_lp
    int32_t start_cards
    int32_t most_lp
    int32_t after_loss
    int32_t deck_chosen
    int32_t deck_least
    int32_t most_drawn
    int32_t left
    int32_t draw_cost
    int32_t sea_cost
    int32_t start_hex
    int32_t castle_hex
    int32_t king
    int32_t round_cap
    int32_t battle_cap


cdef packed struct Enemy:
    int16_t lp
    int16_t sort
    int16_t block_red           # by COLOURS
    int16_t block_green
    int16_t block_blue
    int16_t family
    int16_t recover
    int16_t mend


cdef packed struct Way:
    int16_t kind
    int16_t power_red           # by COLOURS
    int16_t power_green
    int16_t power_blue
    int16_t family
    int16_t start_damage
    int16_t turn_damage
    int16_t guard
    int16_t recover
    int16_t sea


cdef packed struct Spell:
    int16_t parts
    int16_t power_red           # by COLOURS
    int16_t power_green
    int16_t power_blue
    int16_t heal
    int16_t grimoire


cdef packed struct Cast:
    int16_t power_red           # by COLOURS
    int16_t power_green
    int16_t power_blue
    int16_t heal
    uint32_t spells


cdef packed struct Hex:
    int16_t x
    int16_t y
    int16_t terrain
    int16_t cost
    int16_t recover
    int16_t place


cdef packed struct GameRecord:
    uint16_t rounds
    uint16_t turns
    uint8_t end_reason


cdef packed struct SeatRecord:
    uint8_t win60
    int16_t score
    uint8_t rank
    uint16_t battles_won
    uint16_t yellow_won
    uint16_t red_won
    uint16_t battle_turns
    uint16_t drawn
    uint16_t spells_cast
    uint16_t damage
    uint16_t companions_lost
    uint16_t healed_at_0
    uint16_t recoveries
    uint16_t sea_moves
    int32_t lp_start            # from here on by info.LP_SOURCES
    int32_t lp_hexes
    int32_t lp_wins
    int32_t lp_spells
    int32_t lp_losses
    int32_t lp_moves
    int32_t lp_draws
    int32_t lp_strikes
    uint8_t lost_at
    uint8_t lost_to
    uint8_t route
    uint8_t way_hero            # from here on by COMPANIONS
    uint8_t way_knight
    uint8_t way_monk
    uint8_t way_porcupine
    uint8_t way_princess
    uint8_t lot_hero            # likewise
    uint8_t lot_knight
    uint8_t lot_monk
    uint8_t lot_porcupine
    uint8_t lot_princess
    uint8_t order_left_1        # from here on by PLACES
    uint8_t order_left_2
    uint8_t order_left_3
    uint8_t order_left_4
    uint8_t order_right_1
    uint8_t order_right_2
    uint8_t order_right_3
    uint8_t order_right_4
    uint8_t start_red_extension   # from here on by DEALT
    uint8_t start_green_extension
    uint8_t start_blue_extension
    uint8_t start_light_blue_extension
    uint8_t start_grimoire_2
    uint8_t start_hero
    uint8_t start_knight
    uint8_t start_monk
    uint8_t start_porcupine
    uint8_t start_princess
    uint8_t own_red_extension     # likewise
    uint8_t own_green_extension
    uint8_t own_blue_extension
    uint8_t own_light_blue_extension
    uint8_t own_grimoire_2
    uint8_t own_hero
    uint8_t own_knight
    uint8_t own_monk
    uint8_t own_porcupine
    uint8_t own_princess


cdef struct Book:
    # The ruleset of a call; arrays are borrowed from the tables.
    Rules rules
    const Enemy* enemies
    const int16_t* ap           # [enemy][LP]
    const Way* ways
    const Spell* spells
    const Cast* casts
    const int32_t* cast_spans   # [Grimoire 2][parts][first, number]
    const Hex* hexes
    const int16_t* beside       # [hex][direction]
    const int32_t* distances    # [sea][hex][hex]
    const int16_t* blocks       # [terrain][colour]
    const int16_t* colours      # [place]
    const Mask* bans
    int hex_count
    int enemy_count
    int way_count
    # Made once a call by book_derive.
    uint64_t resting            # yellow hexes, as bits
    uint64_t linked[2]          # hexes with a place, by the sort of enemy that lies there
    int ways_of[COMPANIONS]     # ways up, as bits


cdef inline void book_derive(Book* book) noexcept nogil:
    """Fill in what follows from the rules."""
    cdef int number, place
    book.resting = book.linked[YELLOW] = book.linked[RED] = 0
    for number in range(book.hex_count):
        place = book.hexes[number].place
        if book.hexes[number].recover:
            book.resting |= <uint64_t>1 << number
        if place != NO_PLACE:
            book.linked[book.colours[place]] |= <uint64_t>1 << number
    for number in range(COMPANIONS):
        book.ways_of[number] = 0
    for number in range(book.way_count):
        book.ways_of[book.ways[number].kind - FIRST_COMPANION] |= 1 << number
