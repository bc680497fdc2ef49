# cython: language_level=3
"""Policies as kernels play them; the same as ``policy.choose`` and the slip before it.

A title hands over what its seats can see as one function: number and argument of an observable to a
whole number. It is always the same function within a kernel, so the compiler makes a direct call of
what is written as a call through a pointer.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from sim.core._mask cimport (
    Mask,
    mask_count,
    mask_empty,
    mask_first,
    mask_has,
    mask_nth,
    mask_several,
    mask_take,
)
from sim.core._rng cimport Stream, stream_bounded

cdef enum:
    SLIP_UNIT = 10000       # as in sim.core.policy
    POLICY_CODES = 128      # width of the weight table


ctypedef int64_t (*Observe)(const void* game, int observable, int argument) noexcept nogil


cdef struct Policies:
    # The arrays of a PolicyTable, borrowed.
    int decisions
    int stop                    # code of the option that declines, -1 for none
    const int32_t* slip         # [policy]
    const int32_t* spans        # [policy][decision][first rule, count]
    const int32_t* rules        # [rule][selector, first condition, count]
    const int32_t* conds        # [condition][observable, argument, operator, value]
    const Mask* selectors       # [selector]
    const uint8_t* single       # [selector]
    const int32_t* weights      # [policy][decision][code]
    # Codes whose weight is 0 or more, which alone a group may take: [policy][decision]
    const Mask* takeable


cdef inline bint condition_holds(
    const int32_t* cond, Observe observe, const void* game
) noexcept nogil:
    """Test one condition: observable, argument, operator, value."""
    cdef int64_t seen = observe(game, cond[0], cond[1])
    cdef int64_t value = cond[3]
    cdef int op = cond[2]
    if op == 0:
        return seen < value
    if op == 1:
        return seen <= value
    if op == 2:
        return seen == value
    if op == 3:
        return seen != value
    if op == 4:
        return seen >= value
    return seen > value


cdef inline bint conditions_hold(
    const int32_t* conds, int first, int count, Observe observe, const void* game
) noexcept nogil:
    cdef int i
    for i in range(first, first + count):
        if not condition_holds(&conds[4 * i], observe, game):
            return False
    return True


cdef inline int heaviest(Mask codes, const int32_t* weights) noexcept nogil:
    """Return the code with the highest weight, of equal ones the lowest; there must be one."""
    cdef int best = mask_take(&codes)
    cdef int32_t most = weights[best]
    cdef int code
    while not mask_empty(&codes):
        code = mask_take(&codes)
        if weights[code] > most:
            best, most = code, weights[code]
    return best


cdef inline int policy_choose(
    const Policies* policies,
    int policy,
    int decision,
    const Mask* legal,
    Observe observe,
    const void* game,
) noexcept nogil:
    """Return the legal option that the rules take (``policy.choose`` states how)."""
    cdef int place = policy * policies.decisions + decision
    cdef const int32_t* span = &policies.spans[2 * place]
    cdef const int32_t* weights = &policies.weights[POLICY_CODES * place]
    cdef const Mask* takeable = &policies.takeable[place]
    cdef const int32_t* rule
    cdef bint single
    cdef Mask taken
    cdef int i
    for i in range(span[0], span[0] + span[1]):
        rule = &policies.rules[3 * i]
        taken = policies.selectors[rule[0]]
        single = policies.single[rule[0]]
        taken.low &= legal.low
        taken.high &= legal.high
        if not single:
            taken.low &= takeable.low
            taken.high &= takeable.high
        # What is legal is cheaper to test than what is seen, and the order does not matter.
        if mask_empty(&taken):
            continue
        if not conditions_hold(policies.conds, rule[1], rule[2], observe, game):
            continue
        return mask_first(&taken) if single else heaviest(taken, weights)
    if policies.stop >= 0 and mask_has(legal, policies.stop):
        return policies.stop
    return heaviest(legal[0], weights)


cdef inline int policy_decide(
    const Policies* policies,
    int policy,
    int decision,
    const Mask* legal,
    Stream* stream,
    Observe observe,
    const void* game,
) noexcept nogil:
    """Choose among legal options, at least one: a lone one unasked, else with the seat's slip."""
    cdef int32_t slip
    if not mask_several(legal):
        return mask_first(legal)
    slip = policies.slip[policy]
    if slip > 0 and <int32_t>stream_bounded(stream, SLIP_UNIT) < slip:
        return mask_nth(legal, <int>stream_bounded(stream, <uint32_t>mask_count(legal)))
    return policy_choose(policies, policy, decision, legal, observe, game)
