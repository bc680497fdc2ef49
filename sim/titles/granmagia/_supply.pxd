# cython: language_level=3
"""Set-up: the drawn kinds, the magic deck, starting decks, coins, the first field (GM-S, GM-F)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sim.core._mask cimport MASK_CODES, Mask, mask_empty, mask_put, mask_take
from sim.core._piles cimport NO_CARD, PILE_CAPACITY, pile_draw, pile_shuffle
from sim.core._rng cimport Stream, stream_bounded, stream_open
from sim.titles.granmagia._records cimport CARD_FIELDS, OFFERED, OPENING
from sim.titles.granmagia._state cimport NO_SUPPLY, Game, Seat, count_card, draw
from sim.titles.granmagia._tables cimport (
    ATTACK,
    BURN_FLAG,
    DEFENCE,
    HAND_GROWING,
    STREAM_DECK,
    STREAM_MAGIC,
    STREAM_POLICY,
    STREAM_SUPPLY,
    Book,
)

cdef enum:
    CHANCE_UNIT = 10000     # in which third_burn_accept is counted


cdef inline bint draw_kinds(const Book* book, Stream* stream, uint8_t* chosen) noexcept nogil:
    """Draw the kinds of a game, in the order drawn; False after too many tries (GM-F2, GM-F9)."""
    cdef uint8_t pool[MASK_CODES]
    cdef int left, number, burns, flags, drawn, i, tries = 0
    cdef uint32_t j
    cdef uint8_t kind
    while True:
        tries += 1
        left = book.pool_size
        for i in range(left):
            pool[i] = <uint8_t>book.pool[i]
        number = burns = drawn = 0
        while number < book.rules.supply_kinds:
            j = stream_bounded(stream, <uint32_t>left)
            kind = pool[j]
            flags = book.kinds[kind].flags
            if flags & BURN_FLAG:
                if burns >= 2:
                    if <int>stream_bounded(stream, CHANCE_UNIT) >= book.rules.third_burn_accept:
                        # Refused: it stays among the candidates, this one draw is repeated.
                        tries += 1
                        if tries > book.rules.supply_attempts:
                            return False
                        continue
                burns += 1
            drawn |= flags
            left -= 1
            pool[j] = pool[left]
            chosen[number] = kind
            number += 1
        if drawn & HAND_GROWING and drawn & BURN_FLAG and (not drawn & ATTACK or drawn & DEFENCE):
            return True
        if tries >= book.rules.supply_attempts:
            return False


cdef inline int draw_rares(const Book* book, Stream* stream, uint8_t* drawn) noexcept nogil:
    """Draw the rares of a game, uniformly without repeats (GM-F3); return how many."""
    cdef uint8_t pool[MASK_CODES]
    cdef int i, left = book.rares_size, number = book.players * book.rules.rares_per_player
    cdef uint32_t j
    for i in range(left):
        pool[i] = <uint8_t>book.rares[i]
    for i in range(number):
        j = stream_bounded(stream, <uint32_t>left)
        drawn[i] = pool[j]
        left -= 1
        pool[j] = pool[left]
    return number


cdef inline bint fill_magic_deck(Game* game, const uint64_t* key, uint64_t deal) noexcept nogil:
    """Draw the supply and pile it up kind by kind, then the rares; nothing of it is settled."""
    cdef const Book* book = game.book
    cdef uint8_t chosen[MASK_CODES]
    cdef uint8_t cards[PILE_CAPACITY]
    cdef Stream stream
    cdef int i, size = 0
    stream_open(&stream, key, STREAM_SUPPLY, deal)
    if not draw_kinds(book, &stream, chosen):
        return False
    for i in range(book.rules.supply_kinds):
        memset(&cards[size], chosen[i], book.copies)
        size += book.copies
    size += draw_rares(book, &stream, &cards[size])
    pile_shuffle(&game.magic_deck, cards, size)
    return True


cdef inline void seat_down(Game* game, int index, int policy) noexcept nogil:
    """Give a seat its starting deck and coins (GM-S2, GM-S3)."""
    cdef const Book* book = game.book
    cdef Seat* seat = &game.seats[index]
    seat.index = index
    seat.policy = policy
    seat.witch = -1
    seat.truth = book.start_truth
    seat.cards = book.start_size
    seat.victory = 0
    seat.turns = seat.tokens = seat.arcana_taken = 0
    seat.announced = seat.rewards = seat.kinds_cast = 0
    seat.silver = book.coins[2 * index]
    seat.gold = book.coins[2 * index + 1]
    seat.contract_round = seat.casts = seat.acquisitions = seat.receipts = seat.burns = 0
    seat.reversals = seat.shuffles = 0
    seat.gold_spent = seat.mana_total = seat.barriers = 0
    seat.announcements = seat.extra_turns = seat.attacks = seat.hits = 0
    seat.barriers_used = seat.dolls_used = seat.defences_used = 0
    seat.curses_given = seat.curses_taken = 0
    seat.banned = book.bans[index]
    seat.owned_kinds = book.owned_kinds
    memcpy(seat.owned, book.owned, sizeof(seat.owned))
    pile_shuffle(&seat.deck, book.start, book.start_size)
    seat.hand.size = seat.discard.size = seat.play.size = seat.own.size = 0


cdef inline void offer_to_all(Game* game, int kind) noexcept nogil:
    """Note for the cards group that a kind was on offer."""
    cdef int i
    if game.cards:
        for i in range(game.players):
            game.cards[(i * game.book.rules.kinds + kind) * CARD_FIELDS + OFFERED] = 1


cdef inline void refill(Game* game) noexcept nogil:
    """Turn cards up until enough kinds lie in the field or the magic deck is empty (GM-F4)."""
    cdef uint8_t kind
    while game.field_kinds < game.book.rules.field_kinds:
        kind = pile_draw(&game.magic_deck, &game.magic)
        if kind == NO_CARD:
            break
        if game.field[kind] == 0:
            game.field_kinds += 1
            mask_put(&game.on_offer, kind)
            offer_to_all(game, kind)
        game.field[kind] += 1


cdef inline bint set_up(
    Game* game, const uint64_t* key, uint64_t deal, const int* lineup
) noexcept nogil:
    """Set a game up; afterwards seat 1 is about to start. False when no supply was found."""
    cdef const Book* book = game.book
    cdef Mask offered
    cdef int i, k
    game.status = 0
    game.end_reason = -1
    game.round = 1
    game.turn = game.on_turn = game.acting = game.extra = game.extra_earned = 0
    game.mana = game.casts = game.acquisitions = game.mana_obtained = 0
    game.just_discarded = game.just_burned = 0
    game.settled = game.struck = 0
    game.penalties = game.field_kinds = 0
    game.winner = -1
    game.sealed.low = game.sealed.high = 0
    for i in range(book.rules.seals):
        game.seals[i] = -1
    game.on_offer = book.piles_full
    game.witches = book.witch_codes
    memset(game.field, 0, sizeof(game.field))
    memset(game.burned, 0, sizeof(game.burned))
    memcpy(game.piles, book.piles, sizeof(game.piles))
    if not fill_magic_deck(game, key, deal):
        game.status = NO_SUPPLY
        return False
    stream_open(&game.magic, key, STREAM_MAGIC, deal)
    if game.cards:
        offered = book.on_offer
        while not mask_empty(&offered):
            offer_to_all(game, mask_take(&offered))
    for i in range(game.players):
        seat_down(game, i, lineup[i])
        stream_open(&game.seats[i].shuffling, key, STREAM_DECK + i, deal)
        stream_open(&game.seats[i].deciding, key, STREAM_POLICY + i, deal)
    for i in range(game.players):
        draw(game, &game.seats[i], book.rules.start_hand)
        for k in range(game.seats[i].hand.size):
            count_card(game, &game.seats[i], game.seats[i].hand.cards[k], OPENING)
    refill(game)    # GM-F10
    return True
