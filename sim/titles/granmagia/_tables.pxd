# cython: language_level=3
"""The arrays of a ruleset as the kernel reads them, and what is derived from them once a call.

The packed structs are twins of the dtypes in ``tables.py``, field by field; the numbers of flags,
primitives, observables, decisions and streams are twins of those in ``tables.py``, ``words.py``,
``observe.py`` and ``info.py``. A test compares them all.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from sim.core._mask cimport MASK_CODES, Mask, mask_put

cdef enum:
    ENDLESS = -1
    NO_PILE = -2
    MOST_COST = 99          # schema.Small

    CASTABLE = 1
    MANA_ONLY = 2
    ON_OFFER = 4
    NAMED_ONLY = 8
    ARCANA_FLAG = 16
    NOTE_FLAG = 32
    APPRENTICE_FLAG = 64
    HAND_GROWING = 128
    BURN_FLAG = 256
    ATTACK = 512
    DEFENCE = 1024
    DURATION = 2048
    PERMANENT = 4096
    FAMILIAR = 8192
    DEFENDS_HAND = 16384
    DEFENDS_FIELD = 32768
    MAGIC = 65536
    LASTING = 6144          # DURATION or PERMANENT: lies in the own field

    # Kinds that have columns of their own: the first codes of every ruleset (schema.BASIC).
    FRAGMENT = 0
    STONE = 1
    GREAT_STONE = 2
    CHARM = 3
    RITUAL = 4
    ARCANA = 5
    CURSE = 6

    SORT_STONE = 0          # schema.SORTS
    SORT_TRUTH = 1
    SORT_START = 3
    SORT_MAGIC = 4
    SORT_RARE = 5
    SORT_EXCLUSIVE = 6

    STREAM_SUPPLY = 1
    STREAM_MAGIC = 2
    STREAM_DECK = 16        # plus the seat
    STREAM_POLICY = 32      # plus the seat

    DECISIONS = 12

    NO_VICTORY = 0          # schema.VICTORIES
    VICTORY_MANA = 1
    VICTORY_CURSES = 2
    VICTORY_TOKENS = 3
    VICTORY_REWARDS = 4
    VICTORY_USES = 5
    VICTORY_SPREAD = 6
    VICTORY_GOLD = 7
    VICTORY_KINDS = 8
    VICTORY_OWNED = 9

    AT_ONCE = 0             # schema.TIMINGS
    TURN_START = 1

    MOST_SEALS = 16         # limits.MAX_SEALS


cdef packed struct Rules:
    int32_t kinds
    int32_t witches
    int32_t options
    int32_t start_hand
    int32_t start_taken
    int32_t turn_casts
    int32_t turn_acquisitions
    int32_t turn_hand
    int32_t supply_kinds
    int32_t supply_attempts
    int32_t third_burn_accept
    int32_t rares_per_player
    int32_t field_kinds
    int32_t end_kinds
    int32_t arcana_burn
    int32_t curses_per_rival
    int32_t discount_round
    int32_t discount
    int32_t gift_to_hand
    int32_t round_cap
    int32_t seals
    int32_t doll_gold
    int32_t barrier_casts


cdef packed struct Kind:
    int16_t cost
    int16_t mana
    int16_t truth
    int16_t upgrade
    int16_t pile
    int16_t start
    uint16_t effect_first
    uint16_t effect_count
    uint32_t flags
    uint8_t sort
    uint8_t chapter
    uint16_t turn_first
    uint16_t turn_count
    uint16_t reward_first
    uint16_t reward_count
    uint16_t need_first
    uint16_t need_count
    int16_t gives
    int16_t gives_every


cdef packed struct Effect:
    int32_t op
    int32_t amount
    int32_t group
    int32_t place
    int32_t per_observable
    int32_t per_argument
    int32_t cond_first
    int32_t cond_count


cdef packed struct Witch:
    int16_t cost
    int16_t enabled
    int16_t gift_first
    int16_t gift_count
    int16_t note_first
    int16_t note_count
    int16_t ability_first
    int16_t ability_count
    int16_t stone_gold
    int16_t extra_turn_gold
    int16_t curse_penalty
    int16_t arcana_discount
    int16_t notes_as_arcana
    int16_t tokens_for_truth
    int16_t token_draw
    int16_t rewards
    int16_t victory
    int16_t truth
    int16_t timing
    int16_t card
    int16_t need2
    int16_t need3
    int16_t need4


cdef packed struct Seal:
    int32_t cost
    int32_t group
    int32_t effect_first
    int32_t effect_count


cdef struct Book:
    # What all games of a call share: the ruleset's arrays (borrowed), the call's arguments, and
    # sets of options by property, so that what is legal is a few "and"s of words.
    Rules rules
    const Kind* kinds
    const Effect* effects
    const int32_t* conds
    const Witch* witches
    const Seal* seals
    const int16_t* gifts
    const Mask* groups
    const int16_t* pool
    const int16_t* rares
    const int32_t* reversal
    int pool_size
    int rares_size
    int reversal_size
    int players
    int stop
    int copies
    const int32_t* coins        # [seat][silver, gold]
    const Mask* bans            # [seat]

    Mask castable
    Mask conditional            # kinds that are castable under conditions only
    Mask truths
    Mask defends_hand
    Mask attributed             # kinds with an attribute
    Mask mana_only
    Mask named_only
    Mask on_offer               # kinds that have a pile
    Mask piles_full             # those whose pile holds a card before the first turn
    Mask witch_codes            # witches in the field before the first turn
    # Kinds, and witches before and after the discount, that cost at most so much.
    Mask kinds_within[MOST_COST + 1]
    Mask witches_within[2][MOST_COST + 1]
    int16_t piles[MASK_CODES]   # before the first turn, -1 for no end
    int16_t truth[MASK_CODES]
    uint8_t stone[MASK_CODES]   # 1 for a stone, which is laid down, whatever it gives
    uint8_t mana[MASK_CODES]    # of a stone; 0 for what is none
    uint8_t owned[MASK_CODES]   # of a starting deck
    Mask owned_kinds
    int start_truth
    int start_size
    uint8_t start[256]          # a starting deck
    Witch nobody                # what an apprentice has of a witch: nothing


cdef inline void book_derive(Book* book) noexcept nogil:
    """Fill in what follows from rules, kinds, witches and players."""
    cdef const Kind* kind
    cdef int code, cost, _copy
    book.stop = book.rules.options - 1
    book.mana_only.low = book.mana_only.high = 0
    book.named_only = book.on_offer = book.piles_full = book.mana_only
    book.witch_codes = book.owned_kinds = book.castable = book.mana_only
    book.conditional = book.truths = book.defends_hand = book.attributed = book.mana_only
    memset(book.kinds_within, 0, sizeof(book.kinds_within))
    memset(book.witches_within, 0, sizeof(book.witches_within))
    memset(book.piles, 0, sizeof(book.piles))
    memset(book.owned, 0, sizeof(book.owned))
    memset(&book.nobody, 0, sizeof(book.nobody))
    book.start_truth = book.start_size = 0
    for code in range(book.rules.kinds):
        kind = &book.kinds[code]
        book.truth[code] = kind.truth
        book.stone[code] = kind.sort == SORT_STONE
        book.mana[code] = <uint8_t>kind.mana
        book.piles[code] = _pile(book, code)
        if kind.flags & CASTABLE:
            mask_put(&book.castable, code)
            if kind.need_count:
                mask_put(&book.conditional, code)
        if kind.sort == SORT_TRUTH:
            mask_put(&book.truths, code)
        if kind.flags & DEFENDS_HAND:
            mask_put(&book.defends_hand, code)
        if kind.flags & (ATTACK | DEFENCE | DURATION | PERMANENT | FAMILIAR):
            mask_put(&book.attributed, code)
        if kind.flags & MANA_ONLY:
            mask_put(&book.mana_only, code)
        if kind.flags & NAMED_ONLY:
            mask_put(&book.named_only, code)
        if kind.flags & ON_OFFER:
            mask_put(&book.on_offer, code)
            if book.piles[code] != 0:
                mask_put(&book.piles_full, code)
        for cost in range(kind.cost, MOST_COST + 1):
            mask_put(&book.kinds_within[cost], code)
        for _copy in range(kind.start):
            book.start[book.start_size] = <uint8_t>code
            book.start_size += 1
            book.start_truth += kind.truth
            book.owned[code] += 1
            mask_put(&book.owned_kinds, code)
    for code in range(book.rules.witches):
        if book.witches[code].enabled:
            mask_put(&book.witch_codes, book.rules.kinds + code)
        for cost in range(book.witches[code].cost, MOST_COST + 1):
            mask_put(&book.witches_within[0][cost], book.rules.kinds + code)
        for cost in range(discounted(book, code), MOST_COST + 1):
            mask_put(&book.witches_within[1][cost], book.rules.kinds + code)


cdef inline int discounted(const Book* book, int witch) noexcept nogil:
    """Return what a witch costs in later rounds (GM-C4); never below 0 (GM-T15)."""
    cdef int cost = book.witches[witch].cost - book.rules.discount
    return cost if cost > 0 else 0


cdef inline int16_t _pile(const Book* book, int code) noexcept nogil:
    """Return the size of a kind's pile before the first turn (GM-F5, GM-F6)."""
    cdef const Kind* kind = &book.kinds[code]
    cdef int size = kind.pile
    if code == CURSE:
        return <int16_t>(book.rules.curses_per_rival * (book.players - 1))
    if size == NO_PILE:
        return 0
    if book.rules.start_taken and kind.flags & ON_OFFER and size >= 0:
        size -= kind.start * book.players
        if size < 0:
            size = 0
    return <int16_t>size
