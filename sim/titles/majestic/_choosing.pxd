# cython: language_level=3
"""What seats see and how they choose: twin of ``observe.py`` and ``choosing.py``."""

from libc.stdint cimport int64_t, uint64_t

from sim.core._mask cimport Mask, mask_count, mask_first, mask_has, mask_several
from sim.core._policy cimport policy_decide
from sim.titles.majestic._outlook cimport beats, clock, falls, leaves, strikes, swing
from sim.titles.majestic._state cimport (
    NOBODY,
    Game,
    Seat,
    ap_of,
    attackers,
    blockers,
    could_attack,
    could_block,
    count_bits,
    dp_of,
    face_at,
    fighters,
    fights,
    is_on,
    left_of,
    lowest_bit,
    ready_mana,
    worth_of,
)
from sim.titles.majestic._tables cimport CODE_ENEMY, CODE_OWN, PLACES
from sim.titles.majestic._texts cimport Offer, offered, targets, unit_at

cdef enum:
    # info.DECISIONS
    REDRAW = 0
    MANA_PHASE = 1
    MAIN = 2
    AREA = 3
    MOVE = 4
    ATTACK = 5
    EXCHANGE = 6
    BLOCK = 7
    TARGET = 8
    SPECIAL = 9
    DISCARD = 10
    FETCH = 11
    DECISIONS = 12

    # observe.OBSERVED
    SEEN_ROUND = 0
    SEEN_SECOND = 1
    SEEN_OWN_TURN = 2
    SEEN_EXCHANGE = 3
    SEEN_LP = 4
    SEEN_ENEMY_LP = 5
    SEEN_HAND = 6
    SEEN_ENEMY_HAND = 7
    SEEN_CARDS_LEFT = 8
    SEEN_MANA_LEFT = 9
    SEEN_MANA = 10
    SEEN_READY_MANA = 11
    SEEN_ENEMY_MANA = 12
    SEEN_ENEMY_READY_MANA = 13
    SEEN_MANA_OF = 14
    SEEN_IN_HAND = 15
    SEEN_TRASH = 16
    SEEN_UNITS = 17
    SEEN_FRONT = 18
    SEEN_BACK = 19
    SEEN_ENEMY_UNITS = 20
    SEEN_ENEMY_FRONT = 21
    SEEN_ENEMY_BACK = 22
    SEEN_ATTACKERS = 23
    SEEN_BLOCKERS = 24
    SEEN_ENEMY_ATTACKERS = 25
    SEEN_ENEMY_BLOCKERS = 26
    SEEN_THREATS = 27
    SEEN_GUARDS = 28
    SEEN_COVER = 29
    SEEN_SURPLUS = 30
    SEEN_LETHAL = 31
    SEEN_CLOCK = 32
    SEEN_ENEMY_CLOCK = 33
    SEEN_LEAD = 34
    SEEN_BLOCKED = 35
    SEEN_FALLS = 36
    SEEN_FELLS = 37
    SEEN_COMING_COST = 38
    SEEN_COMING_AP = 39
    SEEN_COMING_DP = 40
    SEEN_COST = 41
    SEEN_AP = 42
    SEEN_DP = 43
    SEEN_WORTH = 44
    SEEN_BIGGEST = 45
    SEEN_SMALLEST = 46
    SEEN_IN_FRONT = 47
    SEEN_IS_DOWN = 48
    SEEN_FIGHTS = 49
    SEEN_KILLS = 50
    SEEN_SURVIVES = 51
    SEEN_REFILLS = 52
    SEEN_BURNS = 53
    SEEN_SWINGS = 54


cdef inline int _in_hand(const Game* game, const Seat* seat, int group) noexcept nogil:
    cdef const Mask* members = &game.book.groups[group]
    cdef uint64_t low = seat.hand.low & members.low, high = seat.hand.high & members.high
    cdef int found = 0
    while low:
        found += seat.hand_of[lowest_bit(low)]
        low &= low - 1
    while high:
        found += seat.hand_of[64 + lowest_bit(high)]
        high &= high - 1
    return found


cdef inline int _surplus(const Game* game, const Seat* seat) noexcept nogil:
    cdef const Seat* other = &game.seats[1 - seat.index]
    return count_bits(attackers(seat)) - count_bits(blockers(game, other, NOBODY))


cdef inline int _cover(const Game* game, const Seat* seat) noexcept nogil:
    cdef const Seat* other = &game.seats[1 - seat.index]
    return count_bits(could_block(seat)) - count_bits(could_attack(other))


cdef inline int _fighter(const Game* game, const Seat* seat, bint own) noexcept nogil:
    if (game.on_turn == seat.index) == own:
        return game.battle.attacker.at
    return game.battle.blocker.at


cdef inline int _coming(const Game* game, int number) noexcept nogil:
    if game.asking != AREA:
        return 0
    if number == SEEN_COMING_COST:
        return game.book.kinds[game.coming].cost
    if number == SEEN_COMING_AP:
        return game.book.kinds[game.coming].ap
    return game.book.kinds[game.coming].dp


cdef inline int _printed(const Game* game, int number, int option) noexcept nogil:
    if option >= game.book.rules.kinds:
        return 0
    if number == SEEN_COST:
        return game.book.kinds[option].cost
    if number == SEEN_AP:
        return game.book.kinds[option].ap
    return game.book.kinds[option].dp


cdef inline bint _extreme(
    const Game* game, const Seat* seat, int option, int at, int sign
) noexcept nogil:
    """Whether an option is the first of the legal units of its side that are worth most."""
    cdef int side = at // PLACES, first = game.book.rules.kinds, one, worth, best = NOBODY, most = 0
    cdef uint64_t units = game.seats[side].taken
    if not mask_has(&game.legal, option):
        return False
    first += CODE_OWN if side == seat.index else CODE_ENEMY
    while units:
        one = lowest_bit(units)
        units &= units - 1
        if mask_has(&game.legal, first + one):
            worth = sign * worth_of(game, side * PLACES + one)
            if best < 0 or worth > most:
                best = side * PLACES + one
                most = worth
    return best == at


cdef inline Offer _offer(const Game* game, const Seat* seat, int option) noexcept nogil:
    cdef Offer offer
    if game.asking != TARGET:
        return offered(game, seat, option)
    offer.text = game.pending
    offer.unit = game.pending_unit
    offer.source = 0
    return offer


cdef inline bint _kills(Game* game, const Seat* seat, int option, int at) noexcept nogil:
    cdef Offer offer
    cdef uint64_t units
    cdef int legal, one
    if game.asking == BLOCK:
        return at >= 0 and game.battle.attacker.at >= 0 and beats(
            game, at, game.battle.attacker.at
        )
    if game.asking == ATTACK:
        return at >= 0 and strikes(game, seat, at, False)
    offer = _offer(game, seat, option)
    if offer.text == NULL:
        return False
    if game.asking == TARGET:
        return at >= 0 and leaves(game, seat, &offer, at, at)
    legal = targets(game, seat, &offer)
    units = game.seats[1 - seat.index].taken
    while units:
        one = (1 - seat.index) * PLACES + lowest_bit(units)
        units &= units - 1
        if leaves(game, seat, &offer, one if legal >> one & 1 else NOBODY, one):
            return True
    return False


cdef inline bint _of_text(
    const Game* game, const Seat* seat, int number, int option
) noexcept nogil:
    cdef Offer offer = _offer(game, seat, option)
    if offer.text == NULL:
        return False
    return offer.text.refills if number == SEEN_REFILLS else offer.text.burns


cdef inline bint _survives(const Game* game, const Seat* seat, int at) noexcept nogil:
    if at < 0:
        return False
    if game.asking == BLOCK:
        return game.battle.attacker.at >= 0 and not beats(game, game.battle.attacker.at, at)
    return game.asking == ATTACK and strikes(game, seat, at, True)


cdef inline bint _swings(Game* game, const Seat* seat, int option, int at) noexcept nogil:
    cdef Offer offer
    cdef uint64_t units
    if game.battle.exchange == 0:
        return False
    offer = _offer(game, seat, option)
    if offer.text == NULL:
        return False
    if game.asking == TARGET:
        return swing(game, seat, &offer, at)
    units = targets(game, seat, &offer) & fighters(game)
    if units == 0:
        return swing(game, seat, &offer, NOBODY)
    while units:
        if swing(game, seat, &offer, lowest_bit(units)):
            return True
        units &= units - 1
    return False


cdef inline int64_t _of_option(
    Game* game, const Seat* seat, int number, int option
) noexcept nogil:
    """Return what is asked about an option, mostly about the unit that it stands for."""
    cdef int at = unit_at(game, seat, option)
    if number == SEEN_SWINGS:
        return _swings(game, seat, option, at)
    elif number == SEEN_REFILLS or number == SEEN_BURNS:
        return _of_text(game, seat, number, option)
    elif number == SEEN_KILLS:
        return _kills(game, seat, option, at)
    elif number == SEEN_SURVIVES:
        return _survives(game, seat, at)
    elif number <= SEEN_DP and at < 0:
        return _printed(game, number, option)
    elif at < 0:
        return 0
    elif number == SEEN_COST:
        return face_at(game, at).cost
    elif number == SEEN_AP:
        return ap_of(game, at)
    elif number == SEEN_DP:
        return left_of(game, at)
    elif number == SEEN_WORTH:
        return worth_of(game, at)
    elif number == SEEN_BIGGEST:
        return _extreme(game, seat, option, at, 1)
    elif number == SEEN_SMALLEST:
        return _extreme(game, seat, option, at, -1)
    elif number == SEEN_IN_FRONT:
        return is_on(&game.seats[at // PLACES].front, at)
    elif number == SEEN_IS_DOWN:
        return not is_on(&game.seats[at // PLACES].ready, at)
    return fights(game, at)


cdef inline int64_t observe(const void* state, int number, int argument) noexcept nogil:
    """Return an observable's value for the seat that is asked."""
    cdef Game* game = <Game*>state
    cdef const Seat* seat = &game.seats[game.acting]
    cdef const Seat* other = &game.seats[1 - game.acting]
    if number >= SEEN_COST:
        return _of_option(game, seat, number, argument)
    elif number == SEEN_ROUND:
        return game.round
    elif number == SEEN_SECOND:
        return seat.index
    elif number == SEEN_OWN_TURN:
        return game.on_turn == seat.index
    elif number == SEEN_EXCHANGE:
        return game.battle.exchange
    elif number == SEEN_LP:
        return seat.lp_size
    elif number == SEEN_ENEMY_LP:
        return other.lp_size
    elif number == SEEN_HAND:
        return seat.hand_size
    elif number == SEEN_ENEMY_HAND:
        return other.hand_size
    elif number == SEEN_CARDS_LEFT:
        return seat.deck.size
    elif number == SEEN_MANA_LEFT:
        return seat.mana_deck.size
    elif number == SEEN_MANA:
        return seat.mana_size
    elif number == SEEN_READY_MANA:
        return ready_mana(seat)
    elif number == SEEN_ENEMY_MANA:
        return other.mana_size
    elif number == SEEN_ENEMY_READY_MANA:
        return ready_mana(other)
    elif number == SEEN_MANA_OF:
        return count_bits(seat.mana_of[argument])
    elif number == SEEN_IN_HAND:
        return _in_hand(game, seat, argument)
    elif number == SEEN_TRASH:
        return seat.trash_size
    elif number == SEEN_UNITS:
        return count_bits(seat.taken)
    elif number == SEEN_FRONT:
        return count_bits(seat.taken & seat.front)
    elif number == SEEN_BACK:
        return count_bits(seat.taken & ~seat.front)
    elif number == SEEN_ENEMY_UNITS:
        return count_bits(other.taken)
    elif number == SEEN_ENEMY_FRONT:
        return count_bits(other.taken & other.front)
    elif number == SEEN_ENEMY_BACK:
        return count_bits(other.taken & ~other.front)
    elif number == SEEN_ATTACKERS:
        return count_bits(attackers(seat))
    elif number == SEEN_BLOCKERS:
        return count_bits(blockers(game, seat, NOBODY))
    elif number == SEEN_ENEMY_ATTACKERS:
        return count_bits(attackers(other))
    elif number == SEEN_ENEMY_BLOCKERS:
        return count_bits(blockers(game, other, NOBODY))
    elif number == SEEN_THREATS:
        return count_bits(could_attack(other))
    elif number == SEEN_GUARDS:
        return count_bits(could_block(seat))
    elif number == SEEN_COVER:
        return _cover(game, seat)
    elif number == SEEN_SURPLUS:
        return _surplus(game, seat)
    elif number == SEEN_LETHAL:
        return _surplus(game, seat) >= other.lp_size
    elif number == SEEN_CLOCK:
        return clock(game, seat)
    elif number == SEEN_ENEMY_CLOCK:
        return clock(game, other)
    elif number == SEEN_LEAD:
        return clock(game, other) - clock(game, seat)
    elif number == SEEN_BLOCKED:
        return game.battle.blocked
    elif number == SEEN_FALLS:
        return falls(game, _fighter(game, seat, True))
    elif number == SEEN_FELLS:
        return falls(game, _fighter(game, seat, False))
    return _coming(game, number)


cdef inline int decide(Game* game, Seat* seat, int decision, const Mask* legal) noexcept nogil:
    """Let a seat choose among option codes, of which there is at least one."""
    if not mask_several(legal):
        return mask_first(legal)
    game.acting = seat.index
    game.asking = decision
    game.legal = legal[0]
    return policy_decide(
        game.policies, seat.policy, decision, legal, &seat.deciding, &observe, game
    )
