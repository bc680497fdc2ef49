# cython: language_level=3
"""What the player sees and how it chooses: twin of ``observe.py``, ``journey.py``."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from sim.core._mask cimport Mask, mask_empty, mask_first, mask_several
from sim.core._policy cimport policy_decide
from sim.titles.wizard._draws cimport (
    Prospect,
    best_cast,
    best_draw,
    expected_damage,
    look_ahead,
)
from sim.titles.wizard._state cimport (
    Game,
    count_bits,
    draws_allowed,
    forget,
    guard,
    has_companion,
    in_battle,
    lowest_bit,
    sea_cost,
    strike_with,
)
from sim.titles.wizard._tables cimport (
    ABILITIES,
    COMPANIONS,
    DIRECTIONS,
    FAR,
    FIRST_COMPANION,
    NO_PLACE,
    PARTS,
    RED,
    SEA,
    STEP_UNIT,
    YELLOW,
    Hex,
)

cdef enum:
    # info.DECISIONS
    WAY_UP = 0
    MOVE = 1
    LEAVE = 2
    DRAW = 3
    SPELL = 4
    LOSE = 5
    DECISIONS = 6

    # observe.OBSERVED
    SEEN_LP = 0
    SEEN_ROUND = 1
    SEEN_COMPANIONS = 2
    SEEN_PARTS = 3
    SEEN_BATTLES_WON = 4
    SEEN_SEA_COST = 5
    SEEN_UNFOUGHT = 6
    SEEN_UNFOUGHT_YELLOW = 7
    SEEN_UNFOUGHT_RED = 8
    SEEN_UNUSED = 9
    SEEN_KING_COST = 10     # costs of the ways to goals, in their order
    SEEN_RECOVERY_COST = 14
    SEEN_ENEMY_LP = 15
    SEEN_ENEMY_STRIKE = 16
    SEEN_KING = 17
    SEEN_BATTLE_TURN = 18
    SEEN_DECK = 19
    SEEN_COST = 20
    SEEN_STARTS_BATTLE = 21
    SEEN_TO_KING = 22       # first steps to goals
    SEEN_TO_RECOVERY = 26
    SEEN_OWNED = 27
    SEEN_LOT = 28
    SEEN_FIGHTING = 29
    SEEN_EXPECTED = 30
    SEEN_KILL = 31
    SEEN_BEST = 32
    SEEN_HEALS = 33

    # journey.GOALS
    TO_KING = 0
    TO_FIGHT = 1
    TO_YELLOW = 2
    TO_RED = 3
    TO_RECOVERY = 4

    NO_WAY = 999            # what a way costs when there is none


cdef inline int neighbour(const Game* game, int direction) noexcept nogil:
    """Return the hex that can be entered in a direction, or -1."""
    cdef int there
    if direction < 0 or direction >= DIRECTIONS:
        return NO_PLACE
    there = game.book.beside[game.hex * DIRECTIONS + direction]
    if there != NO_PLACE and game.book.hexes[there].terrain == SEA and sea_cost(game) == 0:
        return NO_PLACE
    return there


cdef inline bint has_battle(const Game* game, int there) noexcept nogil:
    """Whether entering a hex starts a battle (UW-M2, UW-E1)."""
    cdef int place = game.book.hexes[there].place
    return there == game.book.rules.castle_hex or (place != NO_PLACE and game.order[place] == 0)


cdef inline int cost_of_entering(const Game* game, int there) noexcept nogil:
    """Return the LP that a hex costs now; below 0 those that it gives (UW-M1)."""
    cdef const Hex* one = &game.book.hexes[there]
    if one.terrain == SEA:
        return sea_cost(game)
    if one.recover:
        return 0 if game.used >> there & 1 else -one.recover
    return one.cost


cdef inline uint64_t _goals(const Game* game, int goal) noexcept nogil:
    """Return the hexes that serve a goal, as bits."""
    if goal == TO_KING:
        return <uint64_t>1 << game.book.rules.castle_hex
    if goal == TO_FIGHT:
        return game.unfought[YELLOW] | game.unfought[RED]
    if goal == TO_YELLOW:
        return game.unfought[YELLOW]
    if goal == TO_RED:
        return game.unfought[RED]
    return game.book.resting & ~game.used


cdef inline const int32_t* _ways_from(const Game* game, int here, bint sails) noexcept nogil:
    return &game.book.distances[(sails * game.book.hex_count + here) * game.book.hex_count]


cdef inline int _nearest(const Game* game, int goal, bint sails, int* target) noexcept nogil:
    """Return the way to the nearest hex that serves a goal, the lowest of equals; FAR for none."""
    cdef const int32_t* ways = _ways_from(game, game.hex, sails)
    cdef uint64_t hexes = _goals(game, goal)
    cdef int least = FAR, number
    target[0] = NO_PLACE
    while hexes:
        number = lowest_bit(hexes)
        hexes &= hexes - 1
        if target[0] < 0 or ways[number] < least:
            least = ways[number]
            target[0] = number
    return least


cdef inline int _way_cost(const Game* game, int goal) noexcept nogil:
    """Return what the cheapest way to a goal costs; NO_WAY without one."""
    cdef int target, length = _nearest(game, goal, sea_cost(game) > 0, &target)
    return NO_WAY if length >= FAR else length // STEP_UNIT


cdef inline bint _begins_way(const Game* game, int direction, int goal) noexcept nogil:
    """Whether a direction is the first step of a cheapest way to a goal."""
    cdef int there = neighbour(game, direction), target, length, step
    cdef bint sails
    cdef const Hex* one
    if there < 0:
        return False
    sails = sea_cost(game) > 0
    length = _nearest(game, goal, sails, &target)
    if length <= 0 or length >= FAR:
        return False
    one = &game.book.hexes[there]
    step = game.book.rules.sea_cost if one.terrain == SEA else one.cost
    return step * STEP_UNIT + 1 + _ways_from(game, there, sails)[target] == length


cdef inline bint _owned(const Game* game, int option) noexcept nogil:
    cdef int number
    if game.book.rules.first_way <= option < game.book.rules.first_spell:
        for number in range(COMPANIONS):
            if has_companion(game, number):
                if game.way_of[number] == option - game.book.rules.first_way:
                    return True
        return False
    if option >= ABILITIES:
        return False
    return (game.hand | game.companions << FIRST_COMPANION) >> option & 1


cdef inline bint _lot(const Game* game, int option) noexcept nogil:
    if not game.book.rules.first_way <= option < game.book.rules.first_spell:
        return False
    return game.lots >> (option - game.book.rules.first_way) & 1


cdef inline int _draws(const Game* game, int option) noexcept nogil:
    """Return the number of draws that an option names if it can be declared now, or 0."""
    cdef int number = option - game.book.rules.first_draw + 1
    if game.deck_parts and 1 <= number <= draws_allowed(game):
        return number
    return 0


cdef inline int _spell(const Game* game, int option) noexcept nogil:
    """Return the spell that an option names, or -1."""
    cdef int spell = option - game.book.rules.first_spell
    return spell if option < game.book.rules.first_feature else -1


cdef inline int _by_draws(Game* game, int option, bint kills) noexcept nogil:
    """Return what is expected of so many draws, reckoned once a decision."""
    cdef int number = _draws(game, option)
    cdef int* known
    cdef Prospect now
    if number == 0:
        return 0
    known = &game.kill[number - 1] if kills else &game.expected[number - 1]
    if known[0] < 0:
        look_ahead(&now, game, DRAW)
        known[0] = expected_damage(&now, number, kills)
    return known[0]


cdef inline bint _best(Game* game, int option) noexcept nogil:
    cdef int number
    cdef Prospect now
    if game.cast_count:
        number = _spell(game, option)
        if game.planned < 0:
            look_ahead(&now, game, DRAW)
            game.planned = best_cast(&now)
        return number >= 0 and game.planned >> number & 1
    number = _draws(game, option)
    if number == 0:
        return False
    if game.planned < 0:
        look_ahead(&now, game, DRAW)
        game.planned = best_draw(&now)
    return number == game.planned


cdef inline int64_t _of_option(Game* game, int number, int option) noexcept nogil:
    cdef int direction = option - game.book.rules.kinds, there
    if SEEN_TO_KING <= number <= SEEN_TO_RECOVERY:
        return _begins_way(game, direction, number - SEEN_TO_KING)
    elif number == SEEN_COST:
        there = neighbour(game, direction)
        return NO_WAY if there < 0 else cost_of_entering(game, there)
    elif number == SEEN_STARTS_BATTLE:
        there = neighbour(game, direction)
        return there >= 0 and has_battle(game, there)
    elif number == SEEN_OWNED:
        return _owned(game, option)
    elif number == SEEN_LOT:
        return _lot(game, option)
    elif number == SEEN_FIGHTING:
        return in_battle(game) and option == ABILITIES + game.battle.enemy
    elif number == SEEN_EXPECTED:
        return _by_draws(game, option, False)
    elif number == SEEN_KILL:
        return _by_draws(game, option, True)
    elif number == SEEN_BEST:
        return _best(game, option)
    return game.book.spells[_spell(game, option)].heal if _spell(game, option) >= 0 else 0


cdef inline int64_t _of_battle(const Game* game, int number) noexcept nogil:
    if not in_battle(game):
        return 0
    if number == SEEN_ENEMY_LP:
        return game.battle.lp
    if number == SEEN_ENEMY_STRIKE:
        return strike_with(game, game.battle.lp, guard(game))
    if number == SEEN_KING:
        return game.battle.place == NO_PLACE
    return game.battle.turn


cdef inline int64_t observe(const void* state, int number, int argument) noexcept nogil:
    """Return an observable's value."""
    cdef Game* game = <Game*>state
    if number >= SEEN_COST:
        return _of_option(game, number, argument)
    elif number == SEEN_LP:
        return game.lp
    elif number == SEEN_ROUND:
        return game.round
    elif number == SEEN_COMPANIONS:
        return count_bits(game.companions)
    elif number == SEEN_PARTS:
        return count_bits(game.hand & ((1 << PARTS) - 1))
    elif number == SEEN_BATTLES_WON:
        return game.record.battles_won
    elif number == SEEN_SEA_COST:
        return sea_cost(game)
    elif number == SEEN_UNFOUGHT:
        return count_bits(_goals(game, TO_FIGHT))
    elif number == SEEN_UNFOUGHT_YELLOW:
        return count_bits(_goals(game, TO_YELLOW))
    elif number == SEEN_UNFOUGHT_RED:
        return count_bits(_goals(game, TO_RED))
    elif number == SEEN_UNUSED:
        return count_bits(_goals(game, TO_RECOVERY))
    elif SEEN_KING_COST <= number <= SEEN_RECOVERY_COST:
        return _way_cost(game, number - SEEN_KING_COST)
    elif number == SEEN_DECK:
        return count_bits(game.deck_parts)
    return _of_battle(game, number)


cdef inline int decide(Game* game, int decision, Mask legal) noexcept nogil:
    """Let the player choose among option codes; barred ones are out unless nothing is left."""
    cdef Mask free
    free.low = legal.low & ~game.banned.low
    free.high = legal.high & ~game.banned.high
    if not mask_empty(&free):
        legal = free
    if not mask_several(&legal):
        return mask_first(&legal)
    forget(game)
    return policy_decide(
        game.policies, game.policy, decision, &legal, &game.deciding, &observe, game
    )
