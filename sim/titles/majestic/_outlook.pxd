# cython: language_level=3
"""What policies foresee: twin of ``outlook.py``."""

from libc.stdint cimport int16_t, uint64_t

from sim.titles.majestic._state cimport (
    Game,
    Seat,
    ap_of,
    blockers,
    could_attack,
    could_block,
    count_bits,
    left_of,
    lowest_bit,
    worth_of,
)
from sim.titles.majestic._tables cimport (
    PLACES,
    ROLE_ATTACKER,
    ROLE_BLOCKER,
    ROLE_ENEMY,
    ROLE_OWN,
    ROLE_SELF,
    ROLE_TARGET,
    ROLES,
    SUM_AP,
    SUM_DAMAGE,
    SUM_DP,
    SUM_REMOVES,
    SUMS,
)
from sim.titles.majestic._texts cimport Offer

cdef enum:
    FAR = 99                # the clock of a seat that makes no headway


cdef inline bint beats(const Game* game, int at, int other) noexcept nogil:
    """Whether a unit would destroy another one in battle as both stand."""
    return ap_of(game, at) >= left_of(game, other)


cdef inline bint falls(const Game* game, int at) noexcept nogil:
    """Whether a unit that fights in a blocked battle will be destroyed as things stand."""
    cdef int attacker = game.battle.attacker.at, blocker = game.battle.blocker.at
    if at < 0 or not game.battle.blocked or attacker < 0 or blocker < 0:
        return False
    return beats(game, blocker if at == attacker else attacker, at)


cdef struct Change:
    # What a text would do to a unit: AP and DP left that are added, and whether it is removed.
    int ap
    int left
    int removed


cdef inline void _add(Change* change, const int16_t* sums, int role) noexcept nogil:
    change.ap += sums[role * SUMS + SUM_AP]
    change.left += sums[role * SUMS + SUM_DP] - sums[role * SUMS + SUM_DAMAGE]
    change.removed += sums[role * SUMS + SUM_REMOVES]


cdef inline Change change_by(
    const Game* game, const Seat* seat, const Offer* offer, int target, int at
) noexcept nogil:
    """Return what a text of a seat, with a certain target, would do to a unit."""
    cdef const int16_t* sums = &game.book.sums[(offer.text - game.book.texts) * ROLES * SUMS]
    cdef Change change
    change.ap = change.left = change.removed = 0
    if at == target:
        _add(&change, sums, ROLE_TARGET)
    if at == offer.unit:
        _add(&change, sums, ROLE_SELF)
    _add(&change, sums, ROLE_OWN if at // PLACES == seat.index else ROLE_ENEMY)
    if at == game.battle.attacker.at:
        _add(&change, sums, ROLE_ATTACKER)
    if at == game.battle.blocker.at:
        _add(&change, sums, ROLE_BLOCKER)
    return change


cdef inline bint leaves(
    const Game* game, const Seat* seat, const Offer* offer, int target, int at
) noexcept nogil:
    """Whether a unit would be destroyed or returned by a text with a certain target."""
    cdef Change change = change_by(game, seat, offer, target, at)
    return change.removed > 0 or left_of(game, at) + change.left <= 0


cdef inline int clock(const Game* game, const Seat* seat) noexcept nogil:
    """Return how many own turns a seat needs to take the last LP, units as they stand."""
    cdef const Seat* other = &game.seats[1 - seat.index]
    cdef int hits = count_bits(could_attack(seat)) - count_bits(could_block(other))
    return (other.lp_size + hits - 1) // hits if hits > 0 else FAR


cdef inline bint strikes(
    const Game* game, const Seat* seat, int at, bint survives
) noexcept nogil:
    """Whether an attacker would destroy every possible blocker, or survive every one."""
    cdef int defender = 1 - seat.index, other
    cdef uint64_t units = blockers(game, &game.seats[defender], at)
    while units:
        other = defender * PLACES + lowest_bit(units)
        units &= units - 1
        if survives:
            if beats(game, other, at):
                return False
        elif not beats(game, at, other):
            return False
    return True


cdef inline int _result(
    const Game* game, int mine, int theirs, const Change* my_change, const Change* change
) noexcept nogil:
    """Return the worth gained by a blocked battle, with changes to both units before it."""
    cdef int my_ap = ap_of(game, mine) + my_change.ap, my_left = left_of(game, mine)
    cdef int ap = ap_of(game, theirs) + change.ap, left = left_of(game, theirs) + change.left
    cdef bint i_leave, they_leave
    my_left += my_change.left
    if my_ap < 0:
        my_ap = 0
    if ap < 0:
        ap = 0
    i_leave = my_change.removed > 0 or my_left <= 0
    they_leave = change.removed > 0 or left <= 0
    if not i_leave and not they_leave:  # else no damage is dealt
        i_leave = ap >= my_left
        they_leave = my_ap >= left
    return they_leave * worth_of(game, theirs) - i_leave * worth_of(game, mine)


cdef inline bint swing(
    const Game* game, const Seat* seat, const Offer* offer, int target
) noexcept nogil:
    """Whether a text, with a certain target, makes this battle end better for a seat."""
    cdef int mine = game.battle.attacker.at, theirs = game.battle.blocker.at, before
    cdef Change my_change, change
    if game.on_turn != seat.index:
        mine, theirs = theirs, mine
    if theirs < 0:
        return False
    if not game.battle.blocked:
        return leaves(game, seat, offer, target, theirs)
    if mine < 0:
        return False
    my_change.ap = my_change.left = my_change.removed = 0
    change = my_change
    before = _result(game, mine, theirs, &my_change, &change)
    my_change = change_by(game, seat, offer, target, mine)
    change = change_by(game, seat, offer, target, theirs)
    return _result(game, mine, theirs, &my_change, &change) > before
