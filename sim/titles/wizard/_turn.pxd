# cython: language_level=3
"""A game from its set-up to its records (UW-S, UW-M, UW-A)."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sim.core._mask cimport Mask, mask_none, mask_put
from sim.core._rng cimport Stream, stream_bounded, stream_open
from sim.titles.wizard._battle cimport begin, gain, play_battle_turn
from sim.titles.wizard._choosing cimport (
    MOVE,
    cost_of_entering,
    decide,
    has_battle,
    neighbour,
)
from sim.titles.wizard._state cimport (
    NO_CARD,
    NOBODY,
    Game,
    count_bits,
    count_enemy,
    count_kind,
    finish,
    in_battle,
    pay,
    record_round,
    recover,
)
from sim.titles.wizard._tables cimport (
    BASIC,
    CLEARED,
    COMPANIONS,
    DEALT,
    DEALT_TO_PLACE,
    DIRECTIONS,
    FIRST_COMPANION,
    FROM_HEXES,
    FROM_MOVES,
    FROM_START,
    LOST_ON_ROAD,
    MOST_ENEMIES,
    NO_PLACE,
    PLACES,
    RED,
    ROUND_CAP,
    SEA,
    STARTED,
    YELLOW,
    GameRecord,
    SeatRecord,
)

cdef enum:
    # info.STREAMS
    STREAM_ABILITIES = 1
    STREAM_ENEMIES = 2
    STREAM_MAGIC = 3
    STREAM_LOTS = 4
    STREAM_POLICY = 32

    WIN = 60                # sim.core.title.WIN

    # info.ROUTES
    NO_PLACE_FOUGHT = 0
    LEFT_SIDE = 1
    RIGHT_SIDE = 2
    BOTH_SIDES = 3
    EVERY_PLACE = 4


cdef inline void _shuffle(int* items, int count, Stream* stream) noexcept nogil:
    """Shuffle as ``Stream.shuffled`` does."""
    cdef int last, j, item
    for last in range(count - 1, 0, -1):
        j = <int>stream_bounded(stream, <uint32_t>(last + 1))
        item = items[j]
        items[j] = items[last]
        items[last] = item


cdef inline void _deal_enemies(Game* game, Stream* stream, int sort) noexcept nogil:
    """Deal the enemies of a sort to the places of its colour (UW-S3)."""
    cdef int enemies[MOST_ENEMIES]
    cdef int enemy, place, count = 0, dealt = 0
    for enemy in range(game.book.enemy_count):
        if game.book.enemies[enemy].sort == sort:
            enemies[count] = enemy
            count += 1
    _shuffle(enemies, count, stream)
    for place in range(PLACES):
        if game.book.colours[place] == sort:
            game.enemy_at[place] = enemies[dealt]
            count_enemy(game, enemies[dealt], DEALT_TO_PLACE, 1)
            dealt += 1


cdef inline void _draw_lots(Game* game, Stream* stream) noexcept nogil:
    """Draw one way up for each companion (UW-A3)."""
    cdef int number, ways, lot
    game.lots = 0
    for number in range(COMPANIONS):
        ways = game.book.ways_of[number]
        lot = <int>stream_bounded(stream, <uint32_t>count_bits(ways))
        (&game.record.lot_hero)[number] = <uint8_t>lot
        while lot:
            ways &= ways - 1
            lot -= 1
        game.lots |= ways & -ways


cdef inline void set_up(
    Game* game, const uint64_t* key, uint64_t deal, const int16_t* lineup, SeatRecord* record
) noexcept nogil:
    """Set a game up (UW-S)."""
    cdef int cards[DEALT]
    cdef Stream stream
    cdef int i, started = game.book.rules.start_cards
    memset(record, 0, sizeof(SeatRecord))
    game.record = record
    game.policy = lineup[0]
    game.banned = game.book.bans[0]
    game.end_reason = -1
    game.round = 1
    game.turn = game.companions = game.deck_parts = game.cast_count = 0
    game.battles_begun = 0
    game.used = 0
    game.unfought[YELLOW] = game.book.linked[YELLOW]
    game.unfought[RED] = game.book.linked[RED]
    game.battle.enemy = NOBODY
    memset(game.order, 0, sizeof(game.order))
    memset(game.lp_from, 0, sizeof(game.lp_from))
    game.lp = game.lp_from[FROM_START] = game.book.rules.start_lp
    game.hex = game.book.rules.start_hex
    game.hand = (1 << BASIC) - 1
    stream_open(&game.magic, key, STREAM_MAGIC, deal)
    stream_open(&game.deciding, key, STREAM_POLICY, deal)
    stream_open(&stream, key, STREAM_LOTS, deal)
    _draw_lots(game, &stream)
    stream_open(&stream, key, STREAM_ABILITIES, deal)
    for i in range(DEALT):
        cards[i] = BASIC + i
    _shuffle(cards, DEALT, &stream)
    for i in range(PLACES):
        game.ability_at[i] = NO_CARD
        if started + i < DEALT:
            game.ability_at[i] = cards[started + i]
            count_kind(game, cards[started + i], DEALT_TO_PLACE, 1)
    stream_open(&stream, key, STREAM_ENEMIES, deal)
    _deal_enemies(game, &stream, YELLOW)
    _deal_enemies(game, &stream, RED)
    for i in range(started):
        count_kind(game, cards[i], STARTED, 1)
        (&record.start_red_extension)[cards[i] - BASIC] = 1
        gain(game, cards[i])


cdef inline void _enter(Game* game, int there) noexcept nogil:
    """Go to a neighbouring hex, and pay or recover what it shows (UW-M1)."""
    cdef int cost = cost_of_entering(game, there)
    game.hex = there
    if game.book.hexes[there].terrain == SEA:
        game.record.sea_moves += 1
    if cost < 0:
        game.used |= <uint64_t>1 << there
        game.record.recoveries += 1
        recover(game, -cost, FROM_HEXES)
    else:
        pay(game, cost, FROM_MOVES)


cdef inline void _move(Game* game) noexcept nogil:
    """Go in a direction; pay first, then fight (UW-M1, UW-M2)."""
    cdef Mask legal = mask_none()
    cdef int direction, there
    cdef bint starts_battle
    for direction in range(DIRECTIONS):
        if neighbour(game, direction) >= 0:
            mask_put(&legal, game.book.rules.kinds + direction)
    there = neighbour(game, decide(game, MOVE, legal) - game.book.rules.kinds)
    game.turn += 1
    starts_battle = has_battle(game, there)
    _enter(game, there)
    if game.lp == 0:
        finish(game, LOST_ON_ROAD)
    elif starts_battle:
        begin(game)


cdef inline void play_round(Game* game) noexcept nogil:
    """Play a move and the battle that it starts; then the round is over (UW-M5)."""
    _move(game)
    while game.end_reason < 0 and in_battle(game):
        play_battle_turn(game)
    if game.end_reason >= 0:
        return
    if game.round >= game.book.rules.round_cap:
        finish(game, ROUND_CAP)
        return
    record_round(game)
    game.round += 1


cdef inline int _route(const Game* game) noexcept nogil:
    """Return which places were fought at, as a whole."""
    cdef int place, left = 0, right = 0
    for place in range(PLACES // 2):
        left += game.order[place] > 0
        right += game.order[PLACES // 2 + place] > 0
    if left + right == PLACES:
        return EVERY_PLACE
    if left and right:
        return BOTH_SIDES
    if left:
        return LEFT_SIDE
    return RIGHT_SIDE if right else NO_PLACE_FOUGHT


cdef inline void write_results(Game* game, GameRecord* out) noexcept nogil:
    """Write the records of a finished game."""
    cdef SeatRecord* record = game.record
    cdef int i, owned = game.hand | game.companions << FIRST_COMPANION
    out.rounds = <uint16_t>game.round
    out.turns = <uint16_t>game.turn
    out.end_reason = <uint8_t>game.end_reason
    record.win60 = WIN if game.end_reason == CLEARED else 0
    record.score = <int16_t>game.lp
    record.rank = 1
    record.route = <uint8_t>_route(game)
    memcpy(&record.lp_start, game.lp_from, sizeof(game.lp_from))
    memcpy(&record.order_left_1, game.order, sizeof(game.order))
    for i in range(DEALT):
        (&record.own_red_extension)[i] = owned >> (BASIC + i) & 1
