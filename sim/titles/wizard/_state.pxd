# cython: language_level=3
"""The state of a game, and the changes that all rules are made of.

A ``Game`` is one struct that is made once a call and set up anew for each game. Cards of the wizard
are sets: nothing depends on the order in which they came.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from sim.core._mask cimport Mask
from sim.core._policy cimport Policies
from sim.core._rng cimport Stream
from sim.titles.wizard._tables cimport (
    ABILITIES,
    CARD_FIELDS,
    CLEARED,
    COMPANIONS,
    FIRST_COMPANION,
    LOST,
    LOST_BY_CASTING,
    LOST_IN_BATTLE,
    LOST_ON_ROAD,
    LP_SOURCES,
    MOST_AP,
    MOST_CASTS,
    MOST_DRAWN,
    NO_PLACE,
    PARTS,
    PLACES,
    SERIES_FIELDS,
    Book,
    Cast,
    SeatRecord,
    Way,
)

cdef extern from *:
    """
    #define wizard_lowest(word) __builtin_ctzll(word)
    #define wizard_count(word) __builtin_popcountll(word)
    """
    int lowest_bit "wizard_lowest"(uint64_t word) noexcept nogil    # undefined for 0
    int count_bits "wizard_count"(uint64_t word) noexcept nogil

cdef enum:
    NOBODY = -1
    NO_CARD = -1
    NO_WAY_LAID = -1


cdef struct Battle:
    int enemy                   # NOBODY when there is none
    int place                   # NO_PLACE at the castle
    int terrain
    int lp
    int turn


cdef struct Game:
    const Book* book
    const Policies* policies
    uint16_t* counts            # this game's row of the cards group, or NULL
    int16_t* series             # this game's row of the series group, or NULL
    Py_ssize_t series_rounds    # in that row
    int policy
    int end_reason
    int round
    int turn
    SeatRecord* record          # where this game's counters are counted
    Stream magic
    Stream deciding
    Mask banned
    int lp
    int hex
    int32_t lp_from[LP_SOURCES]
    # Cards: ability cards in hand as bits by kind; of companions the way up, by kind.
    int hand
    int companions
    int way_of[COMPANIONS]
    int lots                    # ways up that were drawn by lot, as bits
    int enemy_at[PLACES]
    int ability_at[PLACES]
    uint8_t order[PLACES]       # number of the battle there, 0 before it
    uint8_t battles_begun
    uint64_t used               # yellow hexes
    uint64_t unfought[2]        # hexes with a place not yet fought at, by sort
    Battle battle
    # The battle turn under way: parts in the deck before the draw, and sets of spells still
    # possible.
    int deck_parts
    int cast_count
    int casts[MOST_CASTS]
    # Worked out for the decision that is being taken; -1: not yet.
    int planned
    int expected[MOST_DRAWN]    # by number of draws, from 1
    int kill[MOST_DRAWN]


cdef inline void forget(Game* game) noexcept nogil:
    """Forget what a policy has worked out for another decision."""
    cdef int i
    game.planned = -1
    for i in range(MOST_DRAWN):
        game.expected[i] = game.kill[i] = -1


cdef inline void count_kind(Game* game, int kind, int field, int by) noexcept nogil:
    """Count for the cards group, when it was asked for."""
    cdef uint16_t* count
    if game.counts:
        count = &game.counts[kind * CARD_FIELDS + field]
        count[0] = <uint16_t>(count[0] + by)


cdef inline void count_enemy(Game* game, int enemy, int field, int by) noexcept nogil:
    count_kind(game, ABILITIES + enemy, field, by)


cdef inline void change_lp(Game* game, int by, int why) noexcept nogil:
    """Change the wizard's LP, and remember why."""
    game.lp += by
    game.lp_from[why] += by


cdef inline int pay(Game* game, int number, int why) noexcept nogil:
    """Take LP, which stop at 0; return how many were taken."""
    cdef int taken = number if number < game.lp else game.lp
    change_lp(game, -taken, why)
    return taken


cdef inline void recover(Game* game, int number, int why) noexcept nogil:
    """Give LP, up to the most there can be (UW-S1)."""
    cdef int room = game.book.rules.most_lp - game.lp
    if number > room:
        number = room
    if number > 0:
        change_lp(game, number, why)


cdef inline bint in_battle(const Game* game) noexcept nogil:
    return game.battle.enemy >= 0


cdef inline bint has_companion(const Game* game, int number) noexcept nogil:
    return game.companions >> number & 1


cdef inline const Way* way_up(const Game* game, int number) noexcept nogil:
    """Return what the way up of a companion says that is there."""
    return &game.book.ways[game.way_of[number]]


cdef inline int turn_damage(const Game* game) noexcept nogil:
    """Return the damage by skills of every turn (UW-C5)."""
    cdef int number, damage = 0
    for number in range(COMPANIONS):
        if has_companion(game, number):
            damage += way_up(game, number).turn_damage
    return damage


cdef inline int guard(const Game* game) noexcept nogil:
    cdef int number, found = 0
    for number in range(COMPANIONS):
        if has_companion(game, number):
            found += way_up(game, number).guard
    return found


cdef inline int strike_with(const Game* game, int enemy_lp, int guarded) noexcept nogil:
    """Return with how much the enemy strikes at so many LP (UW-C6)."""
    cdef int strike = game.book.ap[game.battle.enemy * MOST_AP + enemy_lp] - guarded
    return strike if strike > 0 else 0


cdef inline int sea_cost(const Game* game) noexcept nogil:
    """Return for how many LP the wizard can enter sea; 0: it cannot (UW-M1)."""
    cdef int number, cost, least = 0
    for number in range(COMPANIONS):
        if has_companion(game, number):
            cost = way_up(game, number).sea
            if cost and (least == 0 or cost < least):
                least = cost
    return least


cdef inline int draws_allowed(const Game* game) noexcept nogil:
    """Return how many cards of the magic deck can be declared at most (UW-C2)."""
    cdef int most = count_bits(game.deck_parts) - game.book.rules.left
    return most if most < game.book.rules.most_drawn else game.book.rules.most_drawn


cdef inline const int32_t* cast_span(const Game* game, int parts) noexcept nogil:
    """Return first and number of the sets of spells that a set of parts allows."""
    return &game.book.cast_spans[2 * (((game.hand >> PARTS & 1) << PARTS) + parts)]


cdef inline void record_round(Game* game) noexcept nogil:
    if game.series:
        game.series[(game.round - 1) * SERIES_FIELDS] = <int16_t>game.lp
        game.series[(game.round - 1) * SERIES_FIELDS + 1] = <int16_t>game.record.battles_won


cdef inline void finish(Game* game, int reason) noexcept nogil:
    """End the game (UW-E1, UW-L)."""
    game.end_reason = reason
    if reason == LOST_ON_ROAD:
        game.record.lost_at = 1
    elif in_battle(game):
        game.record.lost_at = <uint8_t>(
            2 + (PLACES if game.battle.place == NO_PLACE else game.battle.place)
        )
        if reason == LOST_IN_BATTLE or reason == LOST_BY_CASTING:
            game.record.lost_to = <uint8_t>(1 + game.battle.enemy)
            count_enemy(game, game.battle.enemy, LOST, 1)
    record_round(game)
