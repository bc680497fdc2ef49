# cython: language_level=3
"""Policies as kernels play them; the same as ``policy.choose`` and the slip before it.

A title hands over what its seats can see as one function: number and argument of an observable to a
whole number. It is always the same function within a kernel, so the compiler makes a direct call of
what is written as a call through a pointer.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp

from sim.core._mask cimport (
    Mask,
    mask_count,
    mask_drop,
    mask_empty,
    mask_first,
    mask_has,
    mask_none,
    mask_nth,
    mask_put,
    mask_several,
    mask_take,
)
from sim.core._rng cimport Stream, stream_bounded

cdef enum:
    SLIP_UNIT = 10000       # as in sim.core.policy
    POLICY_CODES = 128      # width of the weight table


ctypedef int64_t (*Observe)(const void* game, int observable, int argument) noexcept nogil


cdef struct Rule:
    # A rule of one policy at one decision point, ready to be tried.
    Mask codes              # options it may take: of a group only those with a weight of 0 or more
    int32_t first           # its conditions
    int32_t count
    int32_t filter          # its filters: conditions that are asked about each option
    int32_t filters
    # The next rule whose first condition is another one, or the end. Policies often try one long
    # list of rules under one condition ("the end is near"); when that fails, all are passed over.
    int32_t other
    int32_t single          # whether its selector names one option


cdef struct Policies:
    int decisions
    int stop                    # code of the option that declines, -1 for none
    int described               # options with codes below this one can pass a filter
    # Arrays of a PolicyTable, borrowed.
    const int32_t* slip         # [policy]
    const int32_t* conds        # [condition][observable, argument, operator, value]
    const int32_t* weights      # [policy][decision][code]
    # Made once a call by policies_prepare.
    Rule* rules
    int32_t* spans              # [policy][decision][first rule, end]


cdef inline bint _same_first(
    const int32_t* conds, const Rule* one, const Rule* other
) noexcept nogil:
    if not (one.count and other.count):
        return False
    return memcmp(&conds[4 * one.first], &conds[4 * other.first], 4 * sizeof(int32_t)) == 0


cdef inline void policies_prepare(
    Policies* policies,
    int count,
    const int32_t* spans,
    const int32_t* rules,
    const int32_t* filters,
    const Mask* selectors,
    const uint8_t* single,
) noexcept nogil:
    """Lay the rules of a PolicyTable out, one decision point after the other.

    Takes the number of policies and arrays of the table. ``policies.rules`` must have room for the
    sum of the spans' counts, ``policies.spans`` for as many numbers as `spans` has.
    """
    cdef int place, i, code, size = 0
    cdef const int32_t* given
    cdef const int32_t* weights
    cdef Rule* rule
    for place in range(count * policies.decisions):
        policies.spans[2 * place] = size
        weights = &policies.weights[POLICY_CODES * place]
        for i in range(spans[2 * place], spans[2 * place] + spans[2 * place + 1]):
            given = &rules[3 * i]
            rule = &policies.rules[size]
            rule.codes = selectors[given[0]]
            rule.first = given[1]
            rule.count = given[2]
            rule.filter = filters[2 * i]
            rule.filters = filters[2 * i + 1]
            rule.single = single[given[0]]
            if not rule.single:
                for code in range(POLICY_CODES):
                    if weights[code] < 0:
                        mask_drop(&rule.codes, code)
            size += 1
        policies.spans[2 * place + 1] = size
        for i in range(size - 1, policies.spans[2 * place] - 1, -1):
            rule = &policies.rules[i]
            rule.other = i + 1
            if i + 1 < size and _same_first(policies.conds, rule, &policies.rules[i + 1]):
                rule.other = policies.rules[i + 1].other


cdef inline tuple policies_open(Policies* policies, object table, int decisions):
    """Make ready the policies of a PolicyTable that ``check_policies`` has passed.

    Return what must live as long as they are used, besides the table.
    """
    # Typed views refuse once more what is not laid out as it is read.
    cdef const int32_t[::1] slip = table.slip
    cdef const int32_t[:, :, ::1] spans = table.spans
    cdef const int32_t[:, ::1] rules = table.rules
    cdef const int32_t[:, ::1] filters = table.filters
    cdef const int32_t[:, ::1] conds = table.conds
    cdef const uint64_t[:, ::1] selectors = table.selectors
    cdef const uint8_t[::1] single = table.single
    cdef const int32_t[:, :, ::1] weights = table.weights
    # Scratch for what is prepared; a table has each rule in one place only.
    prepared = bytearray(max(1, int(table.spans[..., 1].sum())) * sizeof(Rule))
    ends = table.spans.copy()
    cdef uint8_t[::1] prepared_view = prepared
    cdef int32_t[:, :, ::1] ends_view = ends
    policies.decisions = decisions
    policies.stop = table.stop
    policies.described = table.described
    policies.slip = &slip[0]
    policies.conds = &conds[0, 0] if conds.shape[0] else NULL
    policies.weights = &weights[0, 0, 0]
    policies.rules = <Rule*>&prepared_view[0]
    policies.spans = &ends_view[0, 0, 0]
    policies_prepare(
        policies,
        <int>slip.shape[0],
        &spans[0, 0, 0],
        &rules[0, 0] if rules.shape[0] else NULL,
        &filters[0, 0] if filters.shape[0] else NULL,
        <const Mask*>&selectors[0, 0] if selectors.shape[0] else NULL,
        &single[0] if single.shape[0] else NULL,
    )
    return prepared, ends


cdef inline bint compare(int64_t seen, int op, int64_t value) noexcept nogil:
    """Compare by an operator's place in ``expression.OPERATORS``."""
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


cdef inline bint condition_holds(
    const int32_t* cond, Observe observe, const void* game
) noexcept nogil:
    """Test one condition: observable, argument, operator, value."""
    return compare(observe(game, cond[0], cond[1]), cond[2], cond[3])


cdef inline bint conditions_hold(
    const int32_t* conds, int first, int count, Observe observe, const void* game
) noexcept nogil:
    cdef int i
    for i in range(first, first + count):
        if not condition_holds(&conds[4 * i], observe, game):
            return False
    return True


cdef inline Mask filtered(
    const Policies* policies, const Rule* rule, Mask codes, Observe observe, const void* game
) noexcept nogil:
    """Return the options about which all filters of a rule hold."""
    cdef Mask passed = mask_none()
    cdef const int32_t* cond
    cdef int code, i
    cdef bint holds
    while not mask_empty(&codes):
        code = mask_take(&codes)
        if code >= policies.described:
            break
        holds = True
        for i in range(rule.filter, rule.filter + rule.filters):
            cond = &policies.conds[4 * i]
            if not compare(observe(game, cond[0], code), cond[2], cond[3]):
                holds = False
                break
        if holds:
            mask_put(&passed, code)
    return passed


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
    """Return the legal option that the rules take (``policy.choose`` states how).

    Observing changes nothing, so what is cheapest to test comes first: a condition that many rules
    share, then whether a rule meets a legal option, then its other conditions.
    """
    cdef int place = policy * policies.decisions + decision
    cdef int i = policies.spans[2 * place], end = policies.spans[2 * place + 1]
    cdef int run = i            # where the rules end that share the first condition tested last
    cdef int known = 0          # how many conditions of a rule in this run are known to hold
    cdef const int32_t* weights = &policies.weights[POLICY_CODES * place]
    cdef const Rule* rule
    cdef Mask taken
    while i < end:
        rule = &policies.rules[i]
        if i == run:
            run = rule.other
            known = 0
            if run - i > 1:
                if not condition_holds(&policies.conds[4 * rule.first], observe, game):
                    i = run
                    continue
                known = 1
        i += 1
        taken.low = rule.codes.low & legal.low
        taken.high = rule.codes.high & legal.high
        if mask_empty(&taken):
            continue
        if not conditions_hold(
            policies.conds, rule.first + known, rule.count - known, observe, game
        ):
            continue
        if rule.filters:
            taken = filtered(policies, rule, taken, observe, game)
            if mask_empty(&taken):
                continue
        return mask_first(&taken) if rule.single else heaviest(taken, weights)
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
