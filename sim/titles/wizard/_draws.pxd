# cython: language_level=3
"""What a draw may bring, and what spells do: twin of ``draws.py`` and ``casting.py``."""

from libc.stdint cimport int16_t, int32_t, int64_t

from sim.core._policy cimport POLICY_CODES
from sim.titles.wizard._state cimport (
    Game,
    cast_span,
    count_bits,
    draws_allowed,
    guard,
    has_companion,
    strike_with,
    turn_damage,
    way_up,
)
from sim.titles.wizard._tables cimport COLOURS, COMPANIONS, PARTS, Cast, Enemy, Way

cdef enum:
    # schema.FEATURES
    WORTH_DAMAGE = 0
    WORTH_KILL = 1
    WORTH_PAID = 2
    WORTH_STRIKE = 3
    WORTH_HEAL = 4
    WORTH_LOSS = 5

    HUNDRED = 100


cdef struct Prospect:
    # What stays the same while sets of parts are looked through.
    const Game* game
    const int32_t* weights  # of the features
    int red                 # power of companions less blocks, by colour
    int green
    int blue
    int skills
    int guarded


cdef inline void look_ahead(Prospect* now, const Game* game, int draw) noexcept nogil:
    """Make ready for `game`, whose policy's weights at the decision point draw are used."""
    cdef const Enemy* enemy = &game.book.enemies[game.battle.enemy]
    cdef const int16_t* ground = &game.book.blocks[game.battle.terrain * COLOURS]
    cdef const Way* way
    cdef int number
    now.game = game
    now.weights = &game.policies.weights[
        (game.policy * game.policies.decisions + draw) * POLICY_CODES
        + game.book.rules.first_feature
    ]
    now.red = -enemy.block_red - ground[0]
    now.green = -enemy.block_green - ground[1]
    now.blue = -enemy.block_blue - ground[2]
    for number in range(COMPANIONS):
        if has_companion(game, number):
            way = way_up(game, number)
            now.red += way.power_red
            now.green += way.power_green
            now.blue += way.power_blue
    now.skills = turn_damage(game)
    now.guarded = guard(game)


cdef inline int magic_damage(const Prospect* now, const Cast* cast) noexcept nogil:
    """Return the damage of a cast, as the companions stand now (UW-C4)."""
    cdef int red = cast.power_red + now.red, green = cast.power_green + now.green
    cdef int blue = cast.power_blue + now.blue
    return (red if red > 0 else 0) + (green if green > 0 else 0) + (blue if blue > 0 else 0)


cdef inline int _harm(const Prospect* now, const Cast* cast) noexcept nogil:
    """Return the LP that the enemy loses by a cast and by skills of every turn."""
    cdef int harm = magic_damage(now, cast) + now.skills
    return harm if harm < now.game.battle.lp else now.game.battle.lp


cdef inline int64_t _worth(const Prospect* now, const Cast* cast, int lp) noexcept nogil:
    """Return what a cast is worth when the draw is paid and so many LP are left."""
    cdef const Game* game = now.game
    cdef int healed = cast.heal, room = game.book.rules.most_lp - lp, harm, left, struck
    cdef int64_t worth
    if healed > room:
        healed = room if room > 0 else 0
    worth = <int64_t>now.weights[WORTH_HEAL] * healed
    lp += healed
    if lp == 0:
        worth += now.weights[WORTH_LOSS]
        lp = game.book.rules.after_loss
        if game.companions == 0:
            return worth
    harm = _harm(now, cast)
    left = game.battle.lp - harm
    worth += <int64_t>now.weights[WORTH_DAMAGE] * harm
    if left == 0:
        return worth + now.weights[WORTH_KILL]
    struck = strike_with(game, left, now.guarded)
    if struck > lp:
        struck = lp
    worth += <int64_t>now.weights[WORTH_STRIKE] * struck
    if struck == lp:
        worth += now.weights[WORTH_LOSS]
    return worth


cdef inline int best_cast(Prospect* now) noexcept nogil:
    """Return the spells of the cast worth most of those still possible, the first of equals."""
    cdef const Game* game = now.game
    cdef const Cast* cast
    cdef int i, best = 0
    cdef int64_t worth, most = 0
    for i in range(game.cast_count):
        cast = &game.book.casts[game.casts[i]]
        worth = _worth(now, cast, game.lp)
        if i == 0 or worth > most:
            most = worth
            best = <int>cast.spells
    return best


cdef inline int64_t _most_worth(const Prospect* now, int parts, int lp) noexcept nogil:
    cdef const int32_t* span = cast_span(now.game, parts)
    cdef int i
    cdef int64_t worth, most = 0
    for i in range(span[1]):
        worth = _worth(now, &now.game.book.casts[span[0] + i], lp)
        if i == 0 or worth > most:
            most = worth
    return most


cdef inline int best_draw(Prospect* now) noexcept nogil:
    """Return the number of draws that is worth most, the lowest of equals."""
    cdef const Game* game = now.game
    cdef int number, parts, paid, best = 0
    cdef int64_t worth, sets, most = 0, sets_of_best = 0
    for number in range(1, draws_allowed(game) + 1):
        paid = number * game.book.rules.draw_cost
        if paid > game.lp:
            paid = game.lp
        worth = sets = 0
        for parts in range(1 << PARTS):
            if parts & ~game.deck_parts == 0 and count_bits(parts) == number:
                sets += 1
                worth += _most_worth(now, parts, game.lp - paid)
        worth += <int64_t>now.weights[WORTH_PAID] * paid * sets
        if best == 0 or worth * sets_of_best > most * sets:
            best = number
            most = worth
            sets_of_best = sets
    return best


cdef inline int expected_damage(const Prospect* now, int number, bint kills) noexcept nogil:
    """Return the damage expected of so many draws, or the chance that they kill, in hundredths."""
    cdef const Game* game = now.game
    cdef const int32_t* span
    cdef int parts, i, harm, most, total = 0, sets = 0
    for parts in range(1 << PARTS):
        if parts & ~game.deck_parts == 0 and count_bits(parts) == number:
            span = cast_span(game, parts)
            most = 0
            for i in range(span[1]):
                harm = _harm(now, &game.book.casts[span[0] + i])
                if harm > most:
                    most = harm
            if kills:
                most = most == game.battle.lp
            total += most
            sets += 1
    return HUNDRED * total // sets
