# cython: language_level=3
"""A game from its set-up to its last turn (MM-S, MM-T)."""

from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from sim.core._mask cimport Mask, mask_none, mask_put
from sim.core._piles cimport PILE_CAPACITY, pile_shuffle
from sim.core._rng cimport stream_open
from sim.titles.majestic._battle cimport battle_phase, free_abilities_again, no_battle
from sim.titles.majestic._choosing cimport MAIN, MANA_PHASE, REDRAW, decide
from sim.titles.majestic._effects cimport discard, put_mana
from sim.titles.majestic._plays cimport act, main_options
from sim.titles.majestic._state cimport (
    NOBODY,
    Game,
    Seat,
    count_card,
    draw,
    finish,
    record_round,
    top_card,
    top_mana,
)
from sim.titles.majestic._tables cimport (
    CODE_DRAW,
    CODE_PUT,
    CODE_REDRAW,
    OPENING,
    PLAYERS,
    ROUND_CAP,
)

cdef enum:
    # info.STREAMS
    STREAM_DECK = 1
    STREAM_MANA = 3
    STREAM_POLICY = 5


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
    no_battle(game)
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
    free_abilities_again(game)
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
        battle_phase(game, seat)
    if game.end_reason < 0:
        _end_phase(game, seat)
