# cython: language_level=3
"""What comes to a seat, mana, tokens and cards, and the events that this is (GM-W3)."""

from libc.stdint cimport int64_t, uint8_t

from sim.core._mask cimport mask_drop
from sim.core._piles cimport NO_CARD, PILE_CAPACITY, pile_draw
from sim.titles.granmagia._records cimport ACQUIRED
from sim.titles.granmagia._state cimport (
    COUNTER_OVERFLOW,
    MOST_TOKENS,
    PILE_OVERFLOW,
    TO_HAND,
    Game,
    Seat,
    changed,
    count_card,
    own,
    put,
    stop_with,
)
from sim.titles.granmagia._tables cimport (
    ARCANA_FLAG,
    NAMED_ONLY,
    ON_OFFER,
    VICTORY_MANA,
    VICTORY_OWNED,
    VICTORY_SPREAD,
    VICTORY_TOKENS,
)
from sim.titles.granmagia._victories cimport judge


cdef inline void add_mana(Game* game, Seat* seat, int64_t by) noexcept nogil:
    game.mana = changed(game, game.mana, by)
    if by > 0:
        seat.mana_total = changed(game, seat.mana_total, by)
        game.mana_obtained += by    # no more than the total, which is watched
        judge(game, seat, VICTORY_MANA)


cdef inline void add_tokens(Game* game, Seat* seat, int64_t by) noexcept nogil:
    """Give a seat tokens, which are truth (GM-W2); they never become fewer (GM-W7)."""
    if by <= 0:
        return
    if by > MOST_TOKENS - seat.tokens:
        stop_with(game, COUNTER_OVERFLOW)
        by = MOST_TOKENS - seat.tokens
    seat.tokens += <int>by
    seat.truth += <int>by
    judge(game, seat, VICTORY_TOKENS)


cdef inline bint leave_pile(Game* game, int kind) noexcept nogil:
    """Take the top card of a pile; False when there is none (GM-F5)."""
    cdef int left = game.piles[kind]
    if left == 0:
        return False
    if left > 0:
        game.piles[kind] -= 1
        if left == 1:
            mask_drop(&game.on_offer, kind)
    return True


cdef inline void _burn_magic(Game* game) noexcept nogil:
    """Burn the top of the magic deck (GM-F8); an empty one burns nothing (GM-F11)."""
    cdef int _burning
    cdef uint8_t kind
    for _burning in range(game.book.rules.arcana_burn):
        kind = pile_draw(&game.magic_deck, &game.magic)
        if kind == NO_CARD:
            break
        game.burned[kind] += 1


cdef inline void obtain(
    Game* game, Seat* seat, int kind, int place, bint received
) noexcept nogil:
    """Move a card from its pile or the field to a seat, if there is one."""
    cdef int flags = game.book.kinds[kind].flags
    if flags & NAMED_ONLY and seat.witch < 0:
        return      # GM-C3
    if seat.cards >= PILE_CAPACITY:
        stop_with(game, PILE_OVERFLOW)
        return
    if game.field[kind]:
        game.field[kind] -= 1
        if game.field[kind] == 0:
            game.field_kinds -= 1
            mask_drop(&game.on_offer, kind)
    elif flags & ON_OFFER and not leave_pile(game, kind):
        return
    # Exclusives come from nowhere: they have neither pile nor field.
    put(&seat.hand if place == TO_HAND else &seat.discard, <uint8_t>kind)
    own(game, seat, kind)
    count_card(game, seat, kind, ACQUIRED)
    seat.receipts += received
    if flags & ARCANA_FLAG:
        seat.arcana_taken += 1
        _burn_magic(game)
        judge(game, seat, VICTORY_SPREAD)
        judge(game, seat, VICTORY_OWNED)


cdef inline void receive(Game* game, Seat* seat, int kind, int place) noexcept nogil:
    """Give a seat a card without payment."""
    obtain(game, seat, kind, place, True)
