# cython: language_level=3
"""A battle, from its start to its end: twin of ``battle.py`` (UW-C, UW-L)."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from sim.core._mask cimport Mask, mask_has, mask_none, mask_put
from sim.core._rng cimport stream_bounded
from sim.titles.wizard._choosing cimport DRAW, LEAVE, LOSE, SPELL, WAY_UP, decide
from sim.titles.wizard._draws cimport Prospect, look_ahead, magic_damage
from sim.titles.wizard._state cimport (
    NO_CARD,
    NOBODY,
    Game,
    cast_span,
    change_lp,
    count_bits,
    count_enemy,
    count_kind,
    draws_allowed,
    finish,
    guard,
    has_companion,
    lowest_bit,
    pay,
    recover,
    strike_with,
    turn_damage,
    way_up,
)
from sim.titles.wizard._tables cimport (
    BATTLE_CAP,
    CLEARED,
    COMPANIONS,
    FEATURES,
    FIRST_COMPANION,
    FROM_DRAWS,
    FROM_LOSSES,
    FROM_SPELLS,
    FROM_STRIKES,
    FROM_WINS,
    LOST,
    LOST_BY_CASTING,
    LOST_IN_BATTLE,
    LP_LOST,
    MET,
    NO_PLACE,
    PARTS,
    RED,
    TURNS,
    YELLOW,
    Cast,
    Enemy,
)


cdef inline void gain(Game* game, int kind) noexcept nogil:
    """Take an ability card: into hand, or a companion to one's side (UW-S4, UW-A2)."""
    cdef Mask legal = mask_none()
    cdef int way, first_of_kind = NOBODY, number = kind - FIRST_COMPANION
    if mask_has(&game.banned, kind):
        return
    if number < 0:
        game.hand |= 1 << kind
        return
    for way in range(game.book.way_count):
        if game.book.ways[way].kind == kind:
            if first_of_kind < 0:
                first_of_kind = way
            mask_put(&legal, game.book.rules.first_way + way)
    way = decide(game, WAY_UP, legal) - game.book.rules.first_way
    game.companions |= 1 << number
    game.way_of[number] = way
    (&game.record.way_hero)[number] = <uint8_t>(1 + way - first_of_kind)


cdef inline void _hurt(Game* game, int damage) noexcept nogil:
    """Take LP from the enemy, no more than it has."""
    if damage > game.battle.lp:
        damage = game.battle.lp
    game.battle.lp -= damage
    game.record.damage += damage


cdef inline void _win(Game* game) noexcept nogil:
    """Recover, take the ability card of the place, go on; or clear the game (UW-C7, UW-E1)."""
    cdef const Enemy* enemy = &game.book.enemies[game.battle.enemy]
    cdef int number, place = game.battle.place, more = enemy.recover, card
    game.record.battles_won += 1
    game.battle.enemy = NOBODY
    if place == NO_PLACE:
        finish(game, CLEARED)
        return
    if enemy.sort == YELLOW:
        game.record.yellow_won += 1
    else:
        game.record.red_won += 1
    for number in range(COMPANIONS):
        if has_companion(game, number):
            more += way_up(game, number).recover
    recover(game, more, FROM_WINS)
    card = game.ability_at[place]
    if card != NO_CARD:
        game.ability_at[place] = NO_CARD
        count_kind(game, card, MET, 1)
        gain(game, card)


cdef inline void begin(Game* game) noexcept nogil:
    """Turn up the enemy of the hex on which the wizard stands; skills of the start (UW-C1)."""
    cdef int place = game.book.hexes[game.hex].place, number, damage = 0
    cdef uint64_t here = <uint64_t>1 << game.hex
    game.battle.place = place
    game.battle.terrain = game.book.hexes[game.hex].terrain
    game.battle.turn = 0
    if place == NO_PLACE:
        game.battle.enemy = game.book.rules.king
    else:
        game.battle.enemy = game.enemy_at[place]
        game.battles_begun += 1
        game.order[place] = game.battles_begun
        game.unfought[YELLOW] &= ~here
        game.unfought[RED] &= ~here
    game.battle.lp = game.book.enemies[game.battle.enemy].lp
    count_enemy(game, game.battle.enemy, MET, 1)
    for number in range(COMPANIONS):
        if has_companion(game, number):
            if way_up(game, number).family in (0, game.book.enemies[game.battle.enemy].family):
                damage += way_up(game, number).start_damage
    _hurt(game, damage)
    if game.battle.lp == 0:
        _win(game)


cdef inline void _lose_companion(Game* game, int reason) noexcept nogil:
    """Lose a companion and have LP again, or lose the game (UW-L1)."""
    cdef Mask legal = mask_none()
    cdef int number, kind
    if game.companions == 0:
        finish(game, reason)
        return
    for number in range(COMPANIONS):
        if has_companion(game, number):
            mask_put(&legal, FIRST_COMPANION + number)
    kind = decide(game, LOSE, legal)
    game.companions &= ~(1 << kind - FIRST_COMPANION)
    game.record.companions_lost += 1
    count_kind(game, kind, LOST, 1)
    change_lp(game, game.book.rules.after_loss, FROM_LOSSES)


cdef inline int _deck(Game* game) noexcept nogil:
    """Return the parts that go into the magic deck (UW-C2)."""
    cdef int parts = game.hand & ((1 << PARTS) - 1), part, code
    cdef int stop = game.book.rules.first_feature + FEATURES
    cdef Mask legal
    if not game.book.rules.deck_chosen:
        return parts
    while count_bits(parts) > game.book.rules.deck_least:
        legal = mask_none()
        mask_put(&legal, stop)
        for part in range(PARTS):
            if parts >> part & 1:
                mask_put(&legal, part)
        code = decide(game, LEAVE, legal)
        if code == stop:
            break
        parts &= ~(1 << code)
    return parts


cdef inline int _draw_parts(Game* game, int number) noexcept nogil:
    """Draw parts from the shuffled deck; return them as a set. The deck is as in ``_piles``."""
    cdef int cards[PARTS]
    cdef int size = 0, parts = game.deck_parts, drawn = 0, j
    while parts:
        cards[size] = lowest_bit(parts)
        parts &= parts - 1
        size += 1
    while number > 0:
        j = <int>stream_bounded(&game.magic, <unsigned int>size)
        size -= 1
        drawn |= 1 << cards[j]
        cards[j] = cards[size]
        number -= 1
    return drawn


cdef inline const Cast* _compose(Game* game, int drawn) noexcept nogil:
    """Let the player cast what the drawn parts allow (UW-C3, UW-C9)."""
    cdef const int32_t* span = cast_span(game, drawn)
    cdef Mask legal
    cdef int i, kept, spell
    cdef unsigned int some, common
    for i in range(span[1]):
        game.casts[i] = span[0] + i
    game.cast_count = span[1]
    while game.cast_count > 1:
        some = 0
        common = ~some
        for i in range(game.cast_count):
            some |= game.book.casts[game.casts[i]].spells
            common &= game.book.casts[game.casts[i]].spells
        some &= ~common
        legal = mask_none()
        while some:
            mask_put(&legal, game.book.rules.first_spell + lowest_bit(some))
            some &= some - 1
        spell = decide(game, SPELL, legal) - game.book.rules.first_spell
        kept = 0
        for i in range(game.cast_count):
            if game.book.casts[game.casts[i]].spells >> spell & 1:
                game.casts[kept] = game.casts[i]
                kept += 1
        game.cast_count = kept
    game.cast_count = 0
    return &game.book.casts[game.casts[0]]


cdef inline void _magic(Game* game) noexcept nogil:
    """Pay, draw, compose, heal or lose, then damage: in this order (UW-L2)."""
    cdef int enemy = game.battle.enemy, number, first = game.book.rules.first_draw - 1
    cdef const Cast* cast
    cdef Mask legal = mask_none()
    cdef bint was_at_0
    cdef Prospect now
    game.deck_parts = _deck(game)
    for number in range(1, draws_allowed(game) + 1):
        mask_put(&legal, first + number)
    number = decide(game, DRAW, legal) - first
    count_enemy(game, enemy, LP_LOST, pay(game, number * game.book.rules.draw_cost, FROM_DRAWS))
    game.record.drawn += number
    cast = _compose(game, _draw_parts(game, number))
    game.record.spells_cast += count_bits(cast.spells)
    game.deck_parts = 0
    was_at_0 = game.lp == 0
    recover(game, cast.heal, FROM_SPELLS)
    game.record.healed_at_0 += was_at_0 and game.lp > 0
    if game.lp == 0:
        _lose_companion(game, LOST_BY_CASTING)
    if game.end_reason < 0:
        look_ahead(&now, game, DRAW)
        _hurt(game, magic_damage(&now, cast))


cdef inline void _struck(Game* game) noexcept nogil:
    """Let the enemy strike, then mend (UW-C6); at 0 LP a companion is lost (UW-L1)."""
    cdef const Enemy* enemy = &game.book.enemies[game.battle.enemy]
    cdef int strike = strike_with(game, game.battle.lp, guard(game)), mended
    count_enemy(game, game.battle.enemy, LP_LOST, pay(game, strike, FROM_STRIKES))
    if game.lp == 0:
        _lose_companion(game, LOST_IN_BATTLE)
    if game.end_reason >= 0:
        return
    mended = enemy.lp - game.battle.lp
    if mended > enemy.mend:
        mended = enemy.mend
    if mended > 0:
        game.battle.lp += mended


cdef inline void play_battle_turn(Game* game) noexcept nogil:
    """Play a battle turn (UW-C5)."""
    game.battle.turn += 1
    game.turn += 1
    game.record.battle_turns += 1
    count_enemy(game, game.battle.enemy, TURNS, 1)
    _magic(game)
    if game.end_reason >= 0:
        return
    _hurt(game, turn_damage(game))
    if game.battle.lp == 0:
        _win(game)
        return
    _struck(game)
    if game.end_reason < 0 and game.battle.turn >= game.book.rules.battle_cap:
        finish(game, BATTLE_CAP)
