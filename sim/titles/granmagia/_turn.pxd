# cython: language_level=3
"""A turn from its start to its end (GM-T), and the acquisition phase (GM-T4, GM-T5)."""

from libc.stdint cimport int64_t, uint8_t

from sim.core._mask cimport Mask, mask_empty, mask_put
from sim.titles.granmagia._contracts cimport contract
from sim.titles.granmagia._effects cimport play_effects
from sim.titles.granmagia._observe cimport ACQUIRE, CAST, decide
from sim.titles.granmagia._records cimport FIELD_END, ROUND_CAP
from sim.titles.granmagia._state cimport (
    TO_DISCARD,
    Game,
    Seat,
    add_mana,
    draw,
    kinds_in,
    kinds_on_offer,
    obtain,
    pour,
    put,
    take_from_hand,
)
from sim.titles.granmagia._supply cimport refill
from sim.titles.granmagia._tables cimport MOST_COST, Book


cdef inline void start_turn(Game* game, Seat* seat) noexcept nogil:
    """Start a turn (GM-T1): what there is of it is the reversal (GM-T2)."""
    cdef int number
    game.turn += 1
    seat.turns += 1
    game.mana = 0
    game.casts = game.book.rules.turn_casts
    game.acquisitions = game.book.rules.turn_acquisitions
    if seat.hand.size < game.book.reversal_size:
        number = game.book.reversal[seat.hand.size]
        if number:
            seat.reversals += 1
            draw(game, seat, number)


cdef inline void cast_phase(Game* game, Seat* seat) noexcept nogil:
    """Use magic cards from hand as long as casts are left (GM-T3)."""
    cdef Mask legal
    cdef int code
    while game.casts > 0 and game.status == 0:
        legal = kinds_in(&seat.hand)
        legal.low &= game.book.castable.low
        legal.high &= game.book.castable.high
        if mask_empty(&legal):
            break
        mask_put(&legal, game.book.stop)
        code = decide(game, seat, CAST, &legal)
        if code == game.book.stop:
            break
        game.casts -= 1
        seat.casts += 1
        take_from_hand(seat, code)
        put(&seat.play, <uint8_t>code)
        play_effects(game, seat, code)


cdef inline void lay_down_stones(Game* game, Seat* seat) noexcept nogil:
    """Move all stones from hand to play, in the order of the hand (GM-T4)."""
    cdef int i, stone, kept = 0, laid = seat.play.size, mana = 0
    cdef uint8_t kind
    for i in range(seat.hand.size):
        # Which cards are stones is chance, so both ways are written and none is branched to.
        kind = seat.hand.cards[i]
        stone = game.book.stone[kind]
        mana += game.book.mana[kind]
        seat.play.cards[laid] = kind
        seat.hand.cards[kept] = kind
        laid += stone
        kept += 1 - stone
    seat.play.size = laid
    seat.hand.size = kept
    add_mana(game, seat, mana)


cdef inline Mask acquire_options(const Game* game, const Seat* seat) noexcept nogil:
    """Return what can be acquired or contracted and paid for now, and ``stop``."""
    cdef const Book* book = game.book
    cdef int64_t payable = game.mana + seat.silver + seat.gold
    cdef int mana = MOST_COST if game.mana > MOST_COST else <int>game.mana
    cdef int all = MOST_COST if payable > MOST_COST else <int>payable
    cdef Mask found = kinds_on_offer(game, seat)
    cdef const Mask* by_all = &book.kinds_within[all]
    cdef const Mask* by_mana = &book.kinds_within[mana]
    cdef const Mask* witches
    found.low &= by_mana.low | (by_all.low & ~book.mana_only.low)
    found.high &= by_mana.high | (by_all.high & ~book.mana_only.high)
    if seat.witch < 0:
        witches = &book.witches_within[game.round >= book.rules.discount_round][mana]
        found.low |= game.witches.low & witches.low & ~seat.banned.low
        found.high |= game.witches.high & witches.high & ~seat.banned.high
    mask_put(&found, book.stop)
    return found


cdef inline void acquire(Game* game, Seat* seat, int kind) noexcept nogil:
    """Pay for a card and take it: mana first, then silver, then gold (GM-T5)."""
    cdef int64_t cost = game.book.kinds[kind].cost
    cdef int64_t mana = cost if cost < game.mana else game.mana
    cdef int64_t silver = cost - mana if cost - mana < seat.silver else seat.silver
    game.acquisitions -= 1
    seat.acquisitions += 1
    game.mana -= mana
    seat.silver -= silver
    seat.gold -= cost - mana - silver
    seat.gold_spent += cost - mana - silver
    obtain(game, seat, kind, TO_DISCARD)


cdef inline void acquisition_phase(Game* game, Seat* seat) noexcept nogil:
    cdef Mask legal
    cdef int code
    lay_down_stones(game, seat)
    while game.acquisitions > 0 and game.status == 0:
        legal = acquire_options(game, seat)
        code = decide(game, seat, ACQUIRE, &legal)
        if code == game.book.stop:
            break
        if code >= game.book.rules.kinds:
            contract(game, seat, code - game.book.rules.kinds)
        else:
            acquire(game, seat, code)


cdef inline void record_round(Game* game) noexcept nogil:
    """Keep the truth at the end of a round, when the series group was asked for."""
    cdef int i
    if game.series:
        for i in range(game.players):
            game.series[i * game.series_rounds + game.round - 1] = <short>game.seats[i].truth


cdef inline void end_turn(Game* game, Seat* seat) noexcept nogil:
    """End a turn: clear up, draw, refill, test the end, pass on (GM-T7)."""
    pour(&seat.play, &seat.discard)     # (a)
    pour(&seat.hand, &seat.discard)
    draw(game, seat, game.book.rules.turn_hand)     # (b)
    game.mana = game.casts = game.acquisitions = 0  # (c)
    seat.silver = 0
    refill(game)    # (d)
    if game.field_kinds <= game.book.rules.end_kinds:   # (e), GM-W1
        game.end_reason = FIELD_END
        record_round(game)
        return
    game.on_turn += 1
    if game.on_turn < game.players:
        return
    record_round(game)
    if game.round >= game.book.rules.round_cap:     # GM-W10
        game.end_reason = ROUND_CAP
        return
    game.on_turn = 0
    game.round += 1     # GM-T9


cdef inline void play_turn(Game* game) noexcept nogil:
    cdef Seat* seat = &game.seats[game.on_turn]
    start_turn(game, seat)
    cast_phase(game, seat)
    acquisition_phase(game, seat)
    end_turn(game, seat)
