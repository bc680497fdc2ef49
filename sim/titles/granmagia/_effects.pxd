# cython: language_level=3
"""The primitives that card texts are made of (GM-K5). Twin of ``effects.py``."""

from libc.stdint cimport int64_t

from sim.core._mask cimport Mask, mask_empty, mask_has, mask_none, mask_put
from sim.core._piles cimport pile_remove, pile_settle
from sim.core._policy cimport conditions_hold
from sim.titles.granmagia._attacks cimport (
    attack_by_passing,
    attack_for_gold,
    attack_with_curses,
    others_discard,
    take_curses,
)
from sim.titles.granmagia._gains cimport add_mana, add_tokens, receive
from sim.titles.granmagia._observe cimport (
    BURN,
    DISCARD,
    LOOK,
    RECEIVE,
    SEAL,
    UPGRADE,
    decide,
    observe,
)
from sim.titles.granmagia._prices cimport place_seal
from sim.titles.granmagia._state cimport (
    TO_DISCARD,
    TO_HAND,
    Game,
    Seat,
    burn,
    changed,
    draw,
    kinds_in,
    kinds_on_offer,
    put,
    reshuffle,
    take_from_hand,
)
from sim.titles.granmagia._tables cimport MOST_COST, Effect

cdef enum:
    OP_CASTS = 0            # words.PRIMITIVES
    OP_ACQUISITIONS = 1
    OP_MANA = 2
    OP_GOLD = 3
    OP_DRAW = 4
    OP_DRAW_TO = 5
    OP_DISCARD = 6
    OP_DISCARD_UP_TO = 7
    OP_BURN = 8
    OP_BURN_UP_TO = 9
    OP_TRADE = 10
    OP_RECEIVE = 11
    OP_UPGRADE = 12
    OP_LOOK = 13
    OP_TAKE_CURSES = 14
    OP_BARRIER = 15
    OP_TOKENS = 16
    OP_EXTRA_TURN = 17
    OP_SEAL = 18
    OP_CURSES = 19
    OP_PASS_CURSES = 20
    OP_OTHERS_DISCARD = 21
    OP_OTHERS_DISCARD_TO = 22
    OP_TAKE_GOLD = 23


cdef inline int _from_hand(Game* game, Seat* seat, int decision, bint free) noexcept nogil:
    """Let a seat choose a kind in hand, or ``stop`` when it is free to; -1 for none."""
    cdef Mask legal = kinds_in(&seat.hand)
    cdef int code
    if mask_empty(&legal):
        return -1
    if free:
        mask_put(&legal, game.book.stop)
    code = decide(game, seat, decision, &legal)
    return -1 if code == game.book.stop else code


cdef inline void _discard(Game* game, Seat* seat, int64_t amount, bint free) noexcept nogil:
    cdef int kind
    while amount > 0:
        kind = _from_hand(game, seat, DISCARD, free)
        if kind < 0:
            break
        take_from_hand(seat, kind)
        put(&seat.discard, kind)
        game.just_discarded += 1
        amount -= 1


cdef inline void _burn_one(Game* game, Seat* seat, int kind) noexcept nogil:
    """Burn a card of a kind from hand; what a contract burns is no card's doing."""
    take_from_hand(seat, kind)
    burn(game, seat, kind)
    game.just_burned += 1


cdef inline void _burn(Game* game, Seat* seat, int64_t amount, bint free) noexcept nogil:
    cdef int kind
    while amount > 0:
        kind = _from_hand(game, seat, BURN, free)
        if kind < 0:
            break
        _burn_one(game, seat, kind)
        amount -= 1


cdef inline void _receive(
    Game* game, Seat* seat, int64_t limit, const Mask* group, int place
) noexcept nogil:
    """Receive one card on offer that costs up to a limit; with none on offer, nothing happens."""
    cdef Mask legal
    cdef const Mask* within
    if limit < 0:
        return
    legal = kinds_on_offer(game, seat)
    within = &game.book.kinds_within[limit if limit < MOST_COST else MOST_COST]
    legal.low &= within.low
    legal.high &= within.high
    if group:
        legal.low &= group.low
        legal.high &= group.high
    if not mask_empty(&legal):
        receive(game, seat, decide(game, seat, RECEIVE, &legal), place)


cdef inline void _trade(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    cdef int kind = _from_hand(game, seat, BURN, True)
    if kind < 0:
        return
    _burn_one(game, seat, kind)
    _receive(game, seat, game.book.kinds[kind].cost + amount, NULL, TO_DISCARD)


cdef inline void _upgrade(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    """Burn a stone from hand and receive the next larger one into it, if its pile has any."""
    cdef Mask offered, legal
    cdef int i, code, larger
    while amount > 0:
        offered = kinds_on_offer(game, seat)
        legal = mask_none()
        for i in range(seat.hand.size):
            larger = game.book.kinds[seat.hand.cards[i]].upgrade
            if larger >= 0 and mask_has(&offered, larger):
                mask_put(&legal, seat.hand.cards[i])
        if mask_empty(&legal):
            break
        mask_put(&legal, game.book.stop)
        code = decide(game, seat, UPGRADE, &legal)
        if code == game.book.stop:
            break
        _burn_one(game, seat, code)
        receive(game, seat, game.book.kinds[code].upgrade, TO_HAND)
        amount -= 1


cdef inline void _look(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    """Look at the top cards of the own deck; each, from the top down, is kept or discarded."""
    cdef Mask legal
    cdef int seen, place, kind
    if amount <= 0:
        return
    if seat.deck.size == 0:
        reshuffle(seat)
    seen = seat.deck.size if amount > seat.deck.size else <int>amount
    seen = pile_settle(&seat.deck, &seat.shuffling, seen)
    place = seat.deck.size - 1
    while seen > 0:
        kind = seat.deck.cards[place]
        legal = mask_none()
        mask_put(&legal, kind)
        mask_put(&legal, game.book.stop)
        if decide(game, seat, LOOK, &legal) == kind:
            pile_remove(&seat.deck, place)
            put(&seat.discard, kind)
            game.just_discarded += 1
        place -= 1
        seen -= 1


cdef inline void _seal(Game* game, Seat* seat, int seal) noexcept nogil:
    """Lay a seal on a pile of its group: on any, an empty one and its own too (GM-K4)."""
    cdef Mask legal = game.book.groups[game.book.seals[seal].group]
    legal.low &= game.book.on_offer.low
    legal.high &= game.book.on_offer.high
    if not mask_empty(&legal):
        place_seal(game, seal, decide(game, seat, SEAL, &legal))


cdef inline void play_effect(Game* game, Seat* seat, const Effect* effect) noexcept nogil:
    cdef int64_t amount = effect.amount
    cdef int op = effect.op
    if effect.per_observable >= 0:
        amount *= observe(game, effect.per_observable, effect.per_argument)
    if op == OP_CASTS:
        game.casts = changed(game, game.casts, amount)
    elif op == OP_ACQUISITIONS:
        game.acquisitions = changed(game, game.acquisitions, amount)
    elif op == OP_MANA:
        add_mana(game, seat, amount)
    elif op == OP_GOLD:
        seat.gold = changed(game, seat.gold, amount)
    elif op == OP_DRAW:
        draw(game, seat, amount)
    elif op == OP_DRAW_TO:
        draw(game, seat, amount - seat.hand.size)
    elif op == OP_DISCARD:
        _discard(game, seat, amount, False)
    elif op == OP_DISCARD_UP_TO:
        _discard(game, seat, amount, True)
    elif op == OP_BURN:
        _burn(game, seat, amount, False)
    elif op == OP_BURN_UP_TO:
        _burn(game, seat, amount, True)
    elif op == OP_TRADE:
        _trade(game, seat, amount)
    elif op == OP_RECEIVE:
        _receive(game, seat, amount, &game.book.groups[effect.group], effect.place)
    elif op == OP_UPGRADE:
        _upgrade(game, seat, amount)
    elif op == OP_LOOK:
        _look(game, seat, amount)
    elif op == OP_TAKE_CURSES:
        take_curses(game, seat, amount)
    elif op == OP_BARRIER:
        if amount > 0:
            seat.barriers = changed(game, seat.barriers, amount)
    elif op == OP_TOKENS:
        add_tokens(game, seat, amount)
    elif op == OP_EXTRA_TURN:
        # GM-T10: in an extra turn none is earned.
        game.extra_earned |= amount > 0 and not game.extra
    elif op == OP_SEAL:
        _seal(game, seat, effect.amount)
    elif op == OP_CURSES:
        attack_with_curses(game, seat, amount)
    elif op == OP_PASS_CURSES:
        attack_by_passing(game, seat, amount)
    elif op == OP_OTHERS_DISCARD:
        others_discard(game, seat, amount, False)
    elif op == OP_OTHERS_DISCARD_TO:
        others_discard(game, seat, amount, True)
    elif op == OP_TAKE_GOLD:
        attack_for_gold(game, seat, amount)


cdef inline void play_effects(Game* game, Seat* seat, int first, int count) noexcept nogil:
    """Play the effects of a text in their order, up to a special victory.

    A condition is tested, and a multiplier looked up, when its own effect comes: what earlier
    effects of the same text did counts.
    """
    cdef const Effect* effect
    cdef int i
    if not count:
        return
    for i in range(first, first + count):
        effect = &game.book.effects[i]
        if conditions_hold(
            game.book.conds, effect.cond_first, effect.cond_count, &observe, game
        ):
            play_effect(game, seat, effect)
            if game.end_reason >= 0:
                return
    # No card is in effect any more, whoever asks.
    game.just_discarded = game.just_burned = 0
    game.settled = game.struck = 0
