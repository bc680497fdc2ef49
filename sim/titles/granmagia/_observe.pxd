# cython: language_level=3
"""What a seat may know, as whole numbers, and how it decides.

Twin of ``observe.py``: an observable's number is its place there. The seat that is asked observes:
the one on turn, whose conditions card texts test too, or one that an attack makes decide.
"""

from libc.stdint cimport int64_t, uint8_t

from sim.core._mask cimport Mask, mask_count, mask_empty, mask_has, mask_take
from sim.core._policy cimport policy_decide
from sim.titles.granmagia._prices cimport price, seals_on
from sim.titles.granmagia._state cimport Game, Seat, Zone, own_witch
from sim.titles.granmagia._victories cimport (
    progress,
    progress_needed,
    rivals_curses,
    truth_of,
)

cdef enum:
    CAST = 0                # info.DECISIONS
    ACQUIRE = 1
    DISCARD = 2
    BURN = 3
    RECEIVE = 4
    UPGRADE = 5
    LOOK = 6
    DEFEND = 7
    DOLL = 8
    SEAL = 9
    TOKENS = 10
    EXTRA_TURN = 11

    ENDLESS_SEEN = 999

    SEEN_MANA = 0
    SEEN_COINS = 1
    SEEN_PAYABLE = 2
    SEEN_PROSPECT = 3
    SEEN_HAND_MANA = 4
    SEEN_SILVER = 5
    SEEN_GOLD = 6
    SEEN_CASTS = 7
    SEEN_ACQUISITIONS = 8
    SEEN_ROUND = 9
    SEEN_TURN = 10
    SEEN_PLAYERS = 11
    SEEN_SEAT = 12
    SEEN_CONTRACTED = 13
    SEEN_RIVALS_CONTRACTED = 14
    SEEN_WITCHES = 15
    SEEN_TRUTH = 16
    SEEN_TRUTH_LEAD = 17
    SEEN_TOKENS = 18
    SEEN_ARCANA_TAKEN = 19
    SEEN_ARCANA_LEAD = 20
    SEEN_KINDS_LEFT = 21
    SEEN_MAGIC_DECK = 22
    SEEN_HAND = 23
    SEEN_DECK = 24
    SEEN_DISCARD = 25
    SEEN_CARDS = 26
    SEEN_JUST_DISCARDED = 27
    SEEN_JUST_BURNED = 28
    SEEN_OWNED = 29
    SEEN_HAND_HAS = 30
    SEEN_PILE = 31
    SEEN_FIELD = 32
    SEEN_OWNED_GROUP = 33
    SEEN_HAND_GROUP = 34
    SEEN_PLAY_GROUP = 35
    SEEN_EXTRA = 36
    SEEN_MANA_OBTAINED = 37
    SEEN_BARRIERS = 38
    SEEN_ANNOUNCED = 39
    SEEN_RIVALS_ANNOUNCED = 40
    SEEN_PROGRESS = 41
    SEEN_PROGRESS_NEEDED = 42
    SEEN_TRUTH_NEEDED = 43
    SEEN_RIVALS_CURSES = 44
    SEEN_KINDS_CAST = 45
    SEEN_USES = 46
    SEEN_OWN_FIELD = 47
    SEEN_BURNED = 48
    SEEN_SEALED = 49
    SEEN_WITCH_FREE = 50
    SEEN_WITCH_MINE = 51
    SEEN_ON_TURN = 52
    SEEN_PRICE = 53


cdef inline int _hand_mana(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, found = 0
    for i in range(seat.hand.size):
        found += game.book.mana[seat.hand.cards[i]]
    return found


cdef inline int _in_group(const Zone* zone, const Mask* group) noexcept nogil:
    cdef int i, found = 0
    for i in range(zone.size):
        found += mask_has(group, zone.cards[i])
    return found


cdef inline int _of_kind(const Zone* zone, int kind) noexcept nogil:
    cdef int i, found = 0
    for i in range(zone.size):
        found += zone.cards[i] == kind
    return found


cdef inline int _owned_group(const Seat* seat, const Mask* group) noexcept nogil:
    cdef Mask there = seat.owned_kinds
    cdef int found = 0
    there.low &= group.low
    there.high &= group.high
    while not mask_empty(&there):
        found += seat.owned[mask_take(&there)]
    return found


cdef inline int _truth_lead(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, truth, best = -1000000
    for i in range(game.players):
        if i != seat.index:
            truth = truth_of(game, &game.seats[i])
            if truth > best:
                best = truth
    return truth_of(game, seat) - best


cdef inline int _arcana_lead(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, best = -1
    for i in range(game.players):
        if i != seat.index and game.seats[i].arcana_taken > best:
            best = game.seats[i].arcana_taken
    return seat.arcana_taken - best


cdef inline int _rivals_contracted(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, found = 0
    for i in range(game.players):
        found += i != seat.index and game.seats[i].witch >= 0
    return found


cdef inline int _rivals_announced(const Game* game, const Seat* seat) noexcept nogil:
    cdef int i, found = 0
    for i in range(game.players):
        found += i != seat.index and game.seats[i].announced != 0
    return found


cdef inline int64_t observe(const void* state, int number, int argument) noexcept nogil:
    """Return an observable's value for the seat that is asked."""
    cdef const Game* game = <const Game*>state
    cdef const Seat* seat = &game.seats[game.acting]
    if number == SEEN_MANA:
        return game.mana
    elif number == SEEN_COINS:
        return seat.silver + seat.gold
    elif number == SEEN_PAYABLE:
        return game.mana + seat.silver + seat.gold
    elif number == SEEN_PROSPECT:
        return game.mana + seat.silver + seat.gold + _hand_mana(game, seat)
    elif number == SEEN_HAND_MANA:
        return _hand_mana(game, seat)
    elif number == SEEN_SILVER:
        return seat.silver
    elif number == SEEN_GOLD:
        return seat.gold
    elif number == SEEN_CASTS:
        return game.casts
    elif number == SEEN_ACQUISITIONS:
        return game.acquisitions
    elif number == SEEN_ROUND:
        return game.round
    elif number == SEEN_TURN:
        return seat.turns
    elif number == SEEN_PLAYERS:
        return game.players
    elif number == SEEN_SEAT:
        return seat.index + 1
    elif number == SEEN_CONTRACTED:
        return seat.witch >= 0
    elif number == SEEN_RIVALS_CONTRACTED:
        return _rivals_contracted(game, seat)
    elif number == SEEN_WITCHES:
        return mask_count(&game.witches)
    elif number == SEEN_TRUTH:
        return truth_of(game, seat)
    elif number == SEEN_TRUTH_LEAD:
        return _truth_lead(game, seat)
    elif number == SEEN_TOKENS:
        return seat.tokens
    elif number == SEEN_ARCANA_TAKEN:
        return seat.arcana_taken
    elif number == SEEN_ARCANA_LEAD:
        return _arcana_lead(game, seat)
    elif number == SEEN_KINDS_LEFT:
        return game.field_kinds
    elif number == SEEN_MAGIC_DECK:
        return game.magic_deck.size
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
    elif number == SEEN_JUST_BURNED:
        return game.just_burned
    elif number == SEEN_OWNED:
        return seat.owned[argument]
    elif number == SEEN_HAND_HAS:
        return _of_kind(&seat.hand, argument)
    elif number == SEEN_PILE:
        return ENDLESS_SEEN if game.piles[argument] < 0 else game.piles[argument]
    elif number == SEEN_FIELD:
        return game.field[argument]
    elif number == SEEN_OWNED_GROUP:
        return _owned_group(seat, &game.book.groups[argument])
    elif number == SEEN_HAND_GROUP:
        return _in_group(&seat.hand, &game.book.groups[argument])
    elif number == SEEN_PLAY_GROUP:
        return _in_group(&seat.play, &game.book.groups[argument])
    elif number == SEEN_EXTRA:
        return game.extra
    elif number == SEEN_MANA_OBTAINED:
        return game.mana_obtained
    elif number == SEEN_BARRIERS:
        return seat.barriers
    elif number == SEEN_ANNOUNCED:
        return seat.announced
    elif number == SEEN_RIVALS_ANNOUNCED:
        return _rivals_announced(game, seat)
    elif number == SEEN_PROGRESS:
        return progress(game, seat)
    elif number == SEEN_PROGRESS_NEEDED:
        return progress_needed(game, seat)
    elif number == SEEN_TRUTH_NEEDED:
        return own_witch(game, seat).truth if seat.victory else 0
    elif number == SEEN_RIVALS_CURSES:
        return rivals_curses(game, seat)
    elif number == SEEN_KINDS_CAST:
        return seat.kinds_cast
    elif number == SEEN_USES:
        return seat.uses[argument] if seat.witch >= 0 else 0
    elif number == SEEN_OWN_FIELD:
        return _of_kind(&seat.own, argument)
    elif number == SEEN_BURNED:
        return game.burned[argument]
    elif number == SEEN_SEALED:
        return seals_on(game, argument)
    elif number == SEEN_WITCH_FREE:
        return mask_has(&game.witches, game.book.rules.kinds + argument)
    elif number == SEEN_WITCH_MINE:
        return seat.witch == argument
    elif number == SEEN_ON_TURN:
        return game.acting == game.on_turn
    elif number == SEEN_PRICE:
        return price(game, seat, argument)
    return 0


cdef inline int decide(Game* game, Seat* seat, int decision, const Mask* legal) noexcept nogil:
    """Let the seat on turn choose among option codes, of which there is at least one."""
    return policy_decide(
        game.policies, seat.policy, decision, legal, &seat.deciding, &observe, game
    )


cdef inline int let_decide(Game* game, Seat* seat, int decision, const Mask* legal) noexcept nogil:
    """Let a seat that is not on turn choose."""
    cdef int code
    game.acting = seat.index
    code = decide(game, seat, decision, legal)
    game.acting = game.on_turn
    return code
