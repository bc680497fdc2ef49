# cython: language_level=3
"""A game from its set-up to its records (MM-S, MM-T, MM-B)."""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sim.core._mask cimport Mask, mask_none, mask_put
from sim.core._piles cimport PILE_CAPACITY, pile_shuffle
from sim.core._rng cimport stream_open
from sim.titles.majestic._choosing cimport (
    ATTACK,
    BLOCK,
    EXCHANGE,
    MAIN,
    MANA_PHASE,
    REDRAW,
    decide,
)
from sim.titles.majestic._effects cimport discard, hit, put_mana
from sim.titles.majestic._plays cimport act, exchange_options, main_options
from sim.titles.majestic._state cimport (
    NOBODY,
    Game,
    Seat,
    ap_of,
    attackers,
    blockers,
    bury,
    count_card,
    draw,
    finish,
    lowest_bit,
    record_round,
    ref_to,
    top_card,
    top_mana,
)
from sim.titles.majestic._tables cimport (
    ATTACKS,
    BY_ATTACKS,
    CODE_DRAW,
    CODE_OWN,
    CODE_PUT,
    CODE_REDRAW,
    COMPOSITION,
    COUNTER_OVERFLOW,
    COUNTERS,
    MOST_IN_COLUMN,
    OPENING,
    PLACES,
    PLAYERS,
    ROUND_CAP,
    SOURCES,
    GameRecord,
    SeatRecord,
)

cdef enum:
    # info.STREAMS
    STREAM_DECK = 1
    STREAM_MANA = 3
    STREAM_POLICY = 5

    WIN = 60                # sim.core.title.WIN


# -- set-up ----------------------------------------------------------------------------------------


cdef inline void _shuffle_decks(Game* game, Seat* seat) noexcept nogil:
    """Make both decks: all kinds ascending, all copies of each."""
    cdef uint8_t cards[PILE_CAPACITY]
    cdef const int16_t* copies = &game.book.deck_main[seat.deck_list * game.book.rules.kinds]
    cdef int kind, size = 0
    for kind in range(game.book.rules.kinds):
        memset(&cards[size], kind, copies[kind])
        size += copies[kind]
    pile_shuffle(&seat.deck, cards, size)
    copies = &game.book.deck_mana[seat.deck_list * game.book.mana_kind_count]
    size = 0
    for kind in range(game.book.mana_kind_count):
        memset(&cards[size], kind, copies[kind])
        size += copies[kind]
    pile_shuffle(&seat.mana_deck, cards, size)


cdef inline void _make_seat(
    Game* game, int index, const uint64_t* key, uint64_t deal, int policy
) noexcept nogil:
    cdef Seat* seat = &game.seats[index]
    memset(seat, 0, sizeof(Seat))
    seat.index = index
    seat.policy = policy
    seat.deck_list = game.book.loadout[policy]
    seat.sorcerer = game.book.deck_sorcerers[seat.deck_list]
    seat.banned = game.book.bans[index]
    seat.sorcerer_ready = True
    stream_open(&seat.shuffling, key, STREAM_DECK + index, deal)
    stream_open(&seat.mana_shuffling, key, STREAM_MANA + index, deal)
    stream_open(&seat.deciding, key, STREAM_POLICY + index, deal)
    _shuffle_decks(game, seat)


cdef inline void _draw_opening(Game* game, Seat* seat, uint8_t* order) noexcept nogil:
    """Draw an opening hand, and keep the order in which it was drawn."""
    cdef int i
    for i in range(game.book.rules.hand):
        if seat.deck.size == 0:  # never: a deck has more cards than a hand (kernel_input.py)
            return
        order[i] = <uint8_t>top_card(game, seat)


cdef inline void _may_redraw(Game* game, Seat* seat, const uint8_t* order) noexcept nogil:
    """Let a seat redraw (MM-S2): the hand goes onto the deck card by card, in its order."""
    cdef int redraw = game.book.rules.kinds + CODE_REDRAW
    cdef Mask legal = mask_none()
    if game.book.rules.redraws == 0:
        return
    mask_put(&legal, game.policies.stop)
    mask_put(&legal, redraw)
    if decide(game, seat, REDRAW, &legal) != redraw:
        return
    seat.counted.redraws += 1
    memcpy(&seat.deck.cards[seat.deck.size], order, seat.hand_size)
    seat.deck.size += seat.hand_size
    seat.deck.settled = 0
    seat.hand_size = 0
    seat.hand = mask_none()
    memset(seat.hand_of, 0, sizeof(seat.hand_of))
    draw(game, seat, game.book.rules.hand)


cdef inline void set_up(
    Game* game, const uint64_t* key, uint64_t deal, const int16_t* lineup
) noexcept nogil:
    """Set a game up (MM-S)."""
    cdef uint8_t orders[PLAYERS][8]
    cdef Seat* seat
    cdef int i, kind, _card
    game.end_reason = game.winner = -1
    game.round = 1
    game.turn = game.on_turn = game.acting = game.asking = game.coming = 0
    game.serials = 0
    game.in_setup = True
    game.in_main = False
    _no_battle(game)
    for i in range(PLAYERS):
        _make_seat(game, i, key, deal, lineup[i])
    for i in range(PLAYERS):
        _draw_opening(game, &game.seats[i], orders[i])
    for i in range(PLAYERS):
        seat = &game.seats[i]
        _may_redraw(game, seat, orders[i])
        if game.end_reason >= 0:
            return
        if game.counts:
            for kind in range(game.book.rules.kinds):
                for _card in range(seat.hand_of[kind]):
                    count_card(game, seat, kind, OPENING)
    for i in range(PLAYERS):
        seat = &game.seats[i]
        for _card in range(game.book.rules.lp):
            seat.lp[seat.lp_size] = <uint8_t>top_mana(seat)
            seat.lp_size += 1
    game.in_setup = False


# -- battle ----------------------------------------------------------------------------------------


cdef inline void _no_battle(Game* game) noexcept nogil:
    game.battle.exchange = 0
    game.battle.blocked = False
    game.battle.attacker = ref_to(game, NOBODY)
    game.battle.blocker = ref_to(game, NOBODY)


cdef inline void _free_abilities_again(Game* game) noexcept nogil:
    """Let abilities that take nothing be used again (MM-P2)."""
    cdef int i
    for i in range(PLAYERS):
        game.seats[i].sorcerer_spent = False
        game.seats[i].spent = 0


cdef inline void _exchange(Game* game, int attacker) noexcept nogil:
    """Let both seats play in turn until both have passed, one after the other (MM-B2)."""
    cdef int turn = attacker, passes = 0, code
    cdef Seat* seat
    cdef Mask options
    _free_abilities_again(game)
    while passes < 2:
        seat = &game.seats[turn]
        options = exchange_options(game, seat)
        code = decide(game, seat, EXCHANGE, &options)
        if code == game.policies.stop:
            passes += 1
        else:
            passes = 0
            act(game, seat, code)
            if game.end_reason >= 0:
                return
        turn = 1 - turn


cdef inline int _choose_blocker(Game* game, Seat* defender) noexcept nogil:
    """Let the defender choose a blocker; NOBODY for none (MM-B3)."""
    cdef uint64_t units = blockers(game, defender, game.battle.attacker.at)
    cdef int first = game.book.rules.kinds + CODE_OWN, code
    cdef Mask options = mask_none()
    mask_put(&options, game.policies.stop)
    while units:
        mask_put(&options, first + lowest_bit(units))
        units &= units - 1
    code = decide(game, defender, BLOCK, &options)
    return NOBODY if code == game.policies.stop else defender.index * PLACES + code - first


cdef inline void _deal_damage(Game* game, int seat) noexcept nogil:
    """Let both units deal their AP to each other at the same time (MM-B4)."""
    cdef int attacker = game.battle.attacker.at, blocker = game.battle.blocker.at
    cdef int ap = ap_of(game, attacker), other_ap = ap_of(game, blocker)
    game.seats[blocker // PLACES].damage[blocker % PLACES] += ap
    game.seats[attacker // PLACES].damage[attacker % PLACES] += other_ap
    bury(game, seat)


cdef inline void _fight(Game* game, Seat* seat, int place) noexcept nogil:
    """Fight one battle, from the attack to its end (MM-B1 to MM-B6)."""
    cdef Seat* defender = &game.seats[1 - seat.index]
    cdef int blocker
    game.battle.exchange = 1
    game.battle.attacker = ref_to(game, seat.index * PLACES + place)
    seat.counted.attacks += 1
    count_card(game, seat, seat.kinds[place], ATTACKS)
    seat.ready &= ~(1 << place)
    _exchange(game, seat.index)
    if game.end_reason >= 0:
        return
    if game.battle.attacker.at < 0:
        seat.counted.attacks_ended += 1
        return
    blocker = _choose_blocker(game, defender)
    if blocker < 0:
        game.battle.exchange = 0
        hit(game, defender, seat.index, BY_ATTACKS)
        return
    game.battle.exchange = 2
    game.battle.blocked = True
    game.battle.blocker = ref_to(game, blocker)
    seat.counted.attacks_blocked += 1
    defender.counted.blocks += 1
    defender.ready &= ~(1 << blocker % PLACES)
    _exchange(game, seat.index)
    if game.end_reason >= 0:
        return
    if game.battle.attacker.at < 0:
        seat.counted.attacks_ended += 1
    elif game.battle.blocker.at >= 0:
        _deal_damage(game, seat.index)


cdef inline void _battle_phase(Game* game, Seat* seat) noexcept nogil:
    """Let the turn player attack as often as it can and likes (MM-T4)."""
    cdef int first = game.book.rules.kinds + CODE_OWN, code
    cdef uint64_t units
    cdef Mask options
    while game.end_reason < 0:
        units = attackers(seat)
        if units == 0:
            return
        options = mask_none()
        mask_put(&options, game.policies.stop)
        while units:
            mask_put(&options, first + lowest_bit(units))
            units &= units - 1
        code = decide(game, seat, ATTACK, &options)
        if code == game.policies.stop:
            return
        _fight(game, seat, code - first)
        _no_battle(game)


# -- a turn ----------------------------------------------------------------------------------------


cdef inline void _mana_phase(Game* game, Seat* seat) noexcept nogil:
    """Put mana or draw (MM-T2)."""
    cdef int put = game.book.rules.kinds + CODE_PUT
    cdef Mask options = mask_none()
    if seat.mana_deck.size:
        mask_put(&options, put)
    if seat.deck.size:
        mask_put(&options, game.book.rules.kinds + CODE_DRAW)
    if decide(game, seat, MANA_PHASE, &options) == put:
        seat.counted.mana_put += 1
        put_mana(game, seat, True)
    else:
        seat.counted.mana_drawn += 1
        draw(game, seat, game.book.rules.mana_draw)


cdef inline void _main_phase(Game* game, Seat* seat) noexcept nogil:
    """Play cards, use abilities, move units (MM-T3)."""
    cdef Mask options
    cdef int code
    _free_abilities_again(game)
    game.in_main = True
    while game.end_reason < 0:
        options = main_options(game, seat)
        code = decide(game, seat, MAIN, &options)
        if code == game.policies.stop:
            break
        act(game, seat, code)
    game.in_main = False


cdef inline void _end_phase(Game* game, Seat* seat) noexcept nogil:
    """End the turn (MM-T5)."""
    cdef Seat* one
    cdef int i
    for i in range(PLAYERS):
        one = &game.seats[i]
        memset(one.damage, 0, sizeof(one.damage))
        memset(one.ap_bonus, 0, sizeof(one.ap_bonus))
        memset(one.dp_bonus, 0, sizeof(one.dp_bonus))
        memcpy(one.has, one.printed, sizeof(one.has))
        one.fresh = one.moved = 0
    while seat.hand_size > game.book.rules.hand_limit:
        discard(game, seat)
    record_round(game, seat)
    if game.on_turn == 0:
        game.on_turn = 1
    elif game.round >= game.book.rules.round_cap:
        finish(game, ROUND_CAP, NOBODY)
    else:
        game.on_turn = 0
        game.round += 1
        game.seats[0].recorded = game.seats[1].recorded = False


cdef inline void play_turn(Game* game) noexcept nogil:
    cdef Seat* seat = &game.seats[game.on_turn]
    game.turn += 1
    game.seats[0].acts = game.seats[1].acts = 0
    seat.ready = seat.taken
    seat.mana_ready = (<uint64_t>1 << seat.mana_size) - 1
    seat.sorcerer_ready = True
    draw(game, seat, game.book.rules.first_draw if game.turn == 1 else game.book.rules.draw)
    if game.end_reason < 0:
        _mana_phase(game, seat)
    if game.end_reason < 0:
        _main_phase(game, seat)
    if game.end_reason < 0:
        _battle_phase(game, seat)
    if game.end_reason < 0:
        _end_phase(game, seat)


# -- records ---------------------------------------------------------------------------------------


cdef inline int _write_counters(const Seat* seat, SeatRecord* out) noexcept nogil:
    """Write the counters; return a status code when one is more than its column holds."""
    cdef const uint32_t* counted = &seat.counted.redraws
    cdef uint16_t narrow[COUNTERS]
    cdef int i
    for i in range(COUNTERS):
        # What is counted by kind comes to no more than this, but for two opening hands.
        if counted[i] > MOST_IN_COLUMN - 16:
            return COUNTER_OVERFLOW
        narrow[i] = <uint16_t>counted[i]
    memcpy(&out.redraws, narrow, sizeof(narrow))
    return 0


cdef inline int _write_seat(const Game* game, const Seat* seat, SeatRecord* out) noexcept nogil:
    cdef const int16_t* made_of = &game.book.compositions[seat.deck_list * COMPOSITION]
    cdef int i, score = 0
    out.deck = <uint8_t>seat.deck_list
    out.sorcerer = <uint8_t>seat.sorcerer
    out.lp_left = <uint16_t>seat.lp_size
    out.most_units = <uint16_t>seat.most_units
    for i in range(SOURCES):
        score += seat.lp_by[i]
    out.score = <int16_t>score
    memcpy(&out.lp_by_attacks, seat.lp_by, sizeof(seat.lp_by))
    memcpy(&out.deck_units, made_of, COMPOSITION * sizeof(int16_t))
    return _write_counters(seat, out)


cdef inline int write_results(
    const Game* game, GameRecord* out, SeatRecord* seats
) noexcept nogil:
    """Write the records of a finished game; return a status code, 0 when all of it fits."""
    cdef int i, status = 0
    out.rounds = <uint16_t>game.round
    out.turns = <uint16_t>game.turn
    out.end_reason = <uint8_t>game.end_reason
    for i in range(PLAYERS):
        status = _write_seat(game, &game.seats[i], &seats[i]) or status
        seats[i].rank = 1 if game.winner in (NOBODY, i) else 2
        if game.winner == NOBODY:
            seats[i].win60 = WIN // PLAYERS
        else:
            seats[i].win60 = WIN if game.winner == i else 0
    return status
