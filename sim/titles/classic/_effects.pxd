# cython: language_level=3
"""What seats see and choose, and what cards do: twin of ``observe`` and ``effects``."""

from libc.stdint cimport int64_t

from sim.core._mask cimport Mask, mask_empty, mask_has, mask_put
from sim.core._policy cimport conditions_hold, policy_decide
from sim.titles.classic._state cimport (
    Game,
    Seat,
    Zone,
    changed,
    draw,
    kinds_in,
    kinds_on_offer,
    obtain,
    own,
    put,
    take_from_hand,
)
from sim.titles.classic._tables cimport CURSE, Effect

cdef enum:
    # info.DECISIONS
    ACTION = 0
    BUY = 1
    DISCARD = 2
    TRASH = 3
    RECEIVE = 4
    DECISIONS = 5

    # observe.OBSERVED
    SEEN_ACTIONS = 0
    SEEN_BUYS = 1
    SEEN_COINS = 2
    SEEN_PROSPECT = 3
    SEEN_ROUND = 4
    SEEN_PLAYERS = 5
    SEEN_SEAT = 6
    SEEN_POINTS = 7
    SEEN_LEAD = 8
    SEEN_TURNS_OVER = 9
    SEEN_PILES_OUT = 10
    SEEN_HAND = 11
    SEEN_DECK = 12
    SEEN_DISCARD = 13
    SEEN_CARDS = 14
    SEEN_JUST_DISCARDED = 15
    SEEN_PILE = 16
    SEEN_OWNED = 17
    SEEN_HAND_HAS = 18
    SEEN_OWNED_GROUP = 19
    SEEN_HAND_GROUP = 20

    # words.PRIMITIVES
    OP_DRAW = 0
    OP_ACTIONS = 1
    OP_BUYS = 2
    OP_COINS = 3
    OP_DISCARD_UP_TO = 4
    OP_TRASH_UP_TO = 5
    OP_RECEIVE = 6
    OP_EXCHANGE = 7
    OP_CURSES = 8
    OP_OTHERS_DISCARD_TO = 9


cdef inline int64_t _prospect(const Game* game, const Seat* seat) noexcept nogil:
    cdef int64_t found = game.coins
    cdef int i
    for i in range(seat.hand.size):
        found += game.book.coins[seat.hand.cards[i]]
    return found


cdef inline int _lead(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, best = -1000000
    for i in range(game.players):
        if i != seat.index and game.seats[i].points > best:
            best = game.seats[i].points
    return seat.points - (best if game.players > 1 else 0)


cdef inline int _turns_over(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, fewest = seat.turns
    for i in range(game.players):
        if game.seats[i].turns < fewest:
            fewest = game.seats[i].turns
    return seat.turns - fewest


cdef inline int _of_kind(const Zone* zone, int kind) noexcept nogil:
    cdef int i, found = 0
    for i in range(zone.size):
        found += zone.cards[i] == kind
    return found


cdef inline int _of_group(const Zone* zone, const Mask* group) noexcept nogil:
    cdef int i, found = 0
    for i in range(zone.size):
        found += mask_has(group, zone.cards[i])
    return found


cdef inline int _owned_group(const Game* game, const Seat* seat, int group) noexcept nogil:
    cdef int kind, found = 0
    for kind in range(game.book.rules.kinds):
        if mask_has(&game.book.groups[group], kind):
            found += seat.owned[kind]
    return found


cdef inline int64_t observe(const void* state, int number, int argument) noexcept nogil:
    """Return an observable's value for the seat that is asked."""
    cdef const Game* game = <const Game*>state
    cdef const Seat* seat = &game.seats[game.acting]
    if number == SEEN_ACTIONS:
        return game.actions
    elif number == SEEN_BUYS:
        return game.buys
    elif number == SEEN_COINS:
        return game.coins
    elif number == SEEN_PROSPECT:
        return _prospect(game, seat)
    elif number == SEEN_ROUND:
        return game.round
    elif number == SEEN_PLAYERS:
        return game.players
    elif number == SEEN_SEAT:
        return seat.index + 1
    elif number == SEEN_POINTS:
        return seat.points
    elif number == SEEN_LEAD:
        return _lead(game, seat)
    elif number == SEEN_TURNS_OVER:
        return _turns_over(game, seat)
    elif number == SEEN_PILES_OUT:
        return game.piles_out
    elif number == SEEN_HAND:
        return seat.hand.size
    elif number == SEEN_DECK:
        return seat.deck.size
    elif number == SEEN_DISCARD:
        return seat.discard.size
    elif number == SEEN_CARDS:
        return seat.cards
    elif number == SEEN_JUST_DISCARDED:
        return game.just_discarded
    elif number == SEEN_PILE:
        return game.piles[argument]
    elif number == SEEN_OWNED:
        return seat.owned[argument]
    elif number == SEEN_HAND_HAS:
        return _of_kind(&seat.hand, argument)
    elif number == SEEN_OWNED_GROUP:
        return _owned_group(game, seat, argument)
    elif number == SEEN_HAND_GROUP:
        return _of_group(&seat.hand, &game.book.groups[argument])
    return 0


cdef inline int decide(Game* game, Seat* seat, int decision, const Mask* legal) noexcept nogil:
    """Let a seat, on turn or not, choose among option codes, of which there is at least one."""
    cdef int code
    game.acting = seat.index
    code = policy_decide(
        game.policies, seat.policy, decision, legal, &seat.deciding, &observe, game
    )
    game.acting = game.on_turn
    return code


cdef inline int _from_hand(Game* game, Seat* seat, int decision, bint free) noexcept nogil:
    """Take a kind that a seat chooses out of its hand; -1 for none."""
    cdef Mask legal = kinds_in(&seat.hand)
    cdef int stop = game.book.rules.kinds, code
    if mask_empty(&legal):
        return -1
    if free:
        mask_put(&legal, stop)
    code = decide(game, seat, decision, &legal)
    if code == stop:
        return -1
    take_from_hand(seat, code)
    return code


cdef inline void _discard_up_to(Game* game, Seat* seat, int64_t amount) noexcept nogil:
    cdef int kind
    while amount > 0:
        kind = _from_hand(game, seat, DISCARD, True)
        if kind < 0:
            break
        put(&seat.discard, kind)
        game.just_discarded += 1
        amount -= 1


cdef inline int _trash(Game* game, Seat* seat, bint free) noexcept nogil:
    """Trash a card from hand that the seat chooses and return its kind; -1 for none."""
    cdef int kind = _from_hand(game, seat, TRASH, free)
    if kind >= 0:
        own(game, seat, kind, -1)
        seat.record.trashes += 1
    return kind


cdef inline void _receive(Game* game, Seat* seat, int64_t most) noexcept nogil:
    """Receive one card that costs up to so much; with none on offer nothing happens (CL-K3)."""
    cdef Mask legal = kinds_on_offer(game, seat, most)
    if not mask_empty(&legal):
        obtain(game, seat, decide(game, seat, RECEIVE, &legal))
        seat.record.receipts += 1


cdef inline void _attack(Game* game, Seat* attacker, int op, int64_t amount) noexcept nogil:
    """Attack the other seats, from the next one on (CL-A)."""
    cdef int step, kind
    cdef int64_t left
    cdef Seat* seat
    cdef Mask held
    attacker.record.attacks += 1
    for step in range(1, game.players):
        seat = &game.seats[(attacker.index + step) % game.players]
        held = kinds_in(&seat.hand)
        if (held.low & game.book.reactions.low) | (held.high & game.book.reactions.high):
            seat.record.reactions += 1
        elif op == OP_CURSES:
            left = amount
            while left > 0 and game.piles[CURSE] > 0 and game.status == 0:
                obtain(game, seat, CURSE)
                attacker.record.curses_given += 1
                seat.record.curses_taken += 1
                left -= 1
        else:
            while seat.hand.size > amount:
                kind = _from_hand(game, seat, DISCARD, False)
                put(&seat.discard, kind)


cdef inline void play_effect(Game* game, Seat* seat, int op, int64_t amount) noexcept nogil:
    cdef int kind
    if op == OP_DRAW:
        draw(game, seat, amount)
    elif op == OP_ACTIONS:
        game.actions = changed(game, game.actions, amount)
    elif op == OP_BUYS:
        game.buys = changed(game, game.buys, amount)
    elif op == OP_COINS:
        game.coins = changed(game, game.coins, amount)
    elif op == OP_DISCARD_UP_TO:
        _discard_up_to(game, seat, amount)
    elif op == OP_TRASH_UP_TO:
        while amount > 0 and _trash(game, seat, True) >= 0:
            amount -= 1
    elif op == OP_RECEIVE:
        _receive(game, seat, amount)
    elif op == OP_EXCHANGE:
        kind = _trash(game, seat, False)
        if kind >= 0:
            _receive(game, seat, game.book.kinds[kind].cost + amount)
    else:
        _attack(game, seat, op, amount)


cdef inline void play_effects(Game* game, Seat* seat, int kind) noexcept nogil:
    """Play the effects of a card in their order (CL-K5)."""
    cdef const Effect* effect
    cdef int64_t amount
    cdef int i, first = game.book.kinds[kind].effect_first
    for i in range(first, first + game.book.kinds[kind].effect_count):
        effect = &game.book.effects[i]
        if not conditions_hold(
            game.book.conds, effect.cond_first, effect.cond_count, &observe, game
        ):
            continue
        amount = effect.amount
        if effect.per_observable >= 0:
            amount *= observe(game, effect.per_observable, effect.per_argument)
        play_effect(game, seat, effect.op, amount if amount > 0 else 0)
        if game.status:
            return
    game.just_discarded = 0
