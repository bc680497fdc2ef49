# cython: language_level=3
"""The records that the kernel writes: twins of ``records.record_dtype(INFO, …)``."""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

cdef enum:
    FIELD_END = 0           # info.END_REASONS
    ROUND_CAP = 1
    SPECIAL = 2

    WIN = 60                # sim.core.title.WIN
    NO_VALUE = -32768       # sim.core.records.NO_VALUE

    OFFERED = 0             # INFO.card_fields
    OPENING = 1
    DRAWN = 2
    ACQUIRED = 3
    OWNED = 4
    CARD_FIELDS = 5


cdef packed struct GameRecord:
    uint16_t rounds
    uint16_t turns
    uint8_t end_reason
    uint8_t kinds_left
    uint8_t magic_deck_left


cdef packed struct SeatRecord:
    uint8_t win60
    int16_t score
    uint8_t rank
    uint8_t witch
    uint16_t contract_round
    uint16_t casts
    uint16_t acquisitions
    uint16_t receipts
    uint16_t burns
    uint16_t reversals
    uint16_t shuffles
    uint16_t gold_spent
    uint32_t mana_total
    uint8_t special_victory
    uint16_t announcements
    uint16_t extra_turns
    uint16_t familiar_rewards
    uint16_t attacks
    uint16_t hits
    uint16_t barriers_used
    uint16_t dolls_used
    uint16_t defences_used
    uint16_t curses_given
    uint16_t curses_taken
    int16_t truth_charm
    int16_t truth_ritual
    int16_t truth_arcana
    int16_t truth_curses
    int16_t truth_tokens
    int16_t truth_penalty
    uint16_t deck_size
    uint16_t fragments
    uint16_t stones
    uint16_t great_stones
    uint16_t charms
    uint16_t rituals
    uint16_t arcana
    uint16_t curses
    uint16_t starting_cards
    uint16_t magic_common
    uint16_t magic_rare
    uint16_t magic_exclusive
    uint16_t magic_attack
    uint16_t magic_defence
    uint16_t magic_duration
    uint16_t magic_permanent
    uint16_t magic_familiar
