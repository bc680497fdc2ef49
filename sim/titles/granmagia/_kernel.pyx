"""The fast engine: the same game as ``reference.py``, draw by draw and field by field.

Parts, most of them the twin of a module of the reference: ``_tables`` (rules as read), ``_records``
(what is written), ``_state`` (zones and moves), ``_victories`` (truth and events), ``_gains``,
``_prices``, ``_observe``, ``_supply``, ``_attacks``, ``_effects``, ``_abilities``, ``_contracts``,
``_turn``, ``_results``; policies and random streams are ``sim.core``'s. Everything below ``play``
is inline C on one ``Game`` struct: no Python object, no allocation, no exception, no global.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t
from libc.string cimport memset

import numpy as np

from sim.core._mask cimport MASK_CODES, Mask
from sim.core._piles cimport PILE_CAPACITY
from sim.core._policy cimport SLIP_UNIT, Policies, policies_open
from sim.titles.granmagia cimport (
    _effects as effects,
    _observe as seen,
    _records as records,
    _state as state,
    _tables as numbers,
)
from sim.titles.granmagia._records cimport CARD_FIELDS, NO_VALUE, GameRecord, SeatRecord
from sim.titles.granmagia._results cimport write_results
from sim.titles.granmagia._state cimport MOST_SEATS, Game
from sim.titles.granmagia._supply cimport set_up
from sim.titles.granmagia._tables cimport (
    Book,
    Effect,
    Kind,
    Rules,
    Seal,
    Witch,
    book_derive,
)
from sim.titles.granmagia._turn cimport play_turn

from sim.core.kernel_input import check_buffers, check_call, check_policies
from sim.titles.granmagia.info import INFO
from sim.titles.granmagia.kernel_input import arguments, check_tables

__all__ = ["layout", "play"]


cdef inline void _clear(
    uint16_t* cards, Py_ssize_t card_count, int16_t* series, Py_ssize_t series_count
) noexcept nogil:
    """Clear a game's rows of the groups, whose buffers a caller may use again."""
    cdef Py_ssize_t i
    if cards:
        memset(cards, 0, card_count * sizeof(uint16_t))
    if series:
        for i in range(series_count):
            series[i] = NO_VALUE


cdef int _play_games(
    Game* game,
    const uint64_t* key,
    uint64_t first_deal,
    const int16_t* lineups,
    Py_ssize_t lineup_count,
    Py_ssize_t games_per_deal,
    GameRecord* games,
    SeatRecord* seats,
    Py_ssize_t count,
    uint16_t* cards,
    int16_t* series,
    Py_ssize_t* stopped,
) noexcept nogil:
    """Play the games of a call; return a status code, and in `stopped` the game it belongs to."""
    cdef int players = game.players
    cdef Py_ssize_t card_count = players * game.book.rules.kinds * CARD_FIELDS
    cdef Py_ssize_t series_count = players * game.series_rounds
    cdef Py_ssize_t g
    cdef int i
    cdef int lineup[MOST_SEATS]
    for g in range(count):
        for i in range(players):
            lineup[i] = lineups[(g % lineup_count) * players + i]
        game.cards = &cards[g * card_count] if cards else NULL
        game.series = &series[g * series_count] if series else NULL
        _clear(game.cards, card_count, game.series, series_count)
        if set_up(game, key, first_deal + <uint64_t>(g // games_per_deal), lineup):
            while game.end_reason < 0 and game.status == 0:
                play_turn(game)
        if game.status == 0:
            write_results(game, &games[g], &seats[g * players])
        if game.status:
            stopped[0] = g
            return game.status
    stopped[0] = count
    return 0


def play(
    tables,
    policies,
    bans,
    key,
    first_deal,
    lineups,
    games_per_deal,
    out,
):
    """Play games and fill the caller's arrays (see ``sim.core.title``).

    Parameters
    ----------
    tables : Tables
    policies : PolicyTable
    bans : numpy.ndarray
        uint64, shape (seats, MASK_WORDS).
    key : numpy.ndarray
        uint64, shape (2,).
    first_deal : int
    lineups : numpy.ndarray
        int16, shape (rows, seats): places in ``policies``.
    games_per_deal : int
    out : Buffers

    Returns
    -------
    code : int
        0, or a key of ``sim.errors.STATUS``.
    game : int
        The game that the code belongs to; the number of games when it is 0.

    Raises
    ------
    InputError
        Before anything is played, when an array does not fit.
    """
    check_tables(tables)
    check_policies(policies, numbers.DECISIONS, tables.words.stop + 1, arguments(tables))
    players = check_call(
        INFO, len(policies.slip), bans, key, first_deal, lineups, games_per_deal, out
    )
    rounds = int(tables.rules["round_cap"].item())
    check_buffers(INFO, out, players, kinds=len(tables.kinds), rounds=rounds)

    cdef Py_ssize_t count = len(out.games), stopped = count
    if count == 0:
        return 0, 0

    # Typed views refuse once more what is not laid out as the structs are.
    cdef const Rules[::1] rules_view = tables.rules
    cdef const Kind[::1] kinds_view = tables.kinds
    cdef const Effect[::1] effects_view = tables.effects
    cdef const int32_t[:, ::1] conds_view = tables.conds
    cdef const Witch[::1] witches_view = tables.witches
    cdef const Seal[::1] seals_view = tables.seals
    cdef const int16_t[::1] gifts_view = tables.gifts
    cdef const uint64_t[:, ::1] groups_view = tables.groups
    cdef const int16_t[::1] pool_view = tables.pool
    cdef const int16_t[::1] rares_view = tables.rares
    cdef const int32_t[:, :, ::1] coins_view = tables.coins
    cdef const int32_t[::1] copies_view = tables.copies
    cdef const int32_t[::1] reversal_view = tables.reversal
    cdef const uint64_t[:, ::1] bans_view = bans
    cdef const uint64_t[::1] key_view = key
    cdef const int16_t[:, ::1] lineups_view = lineups
    cdef GameRecord[::1] games_view = out.games
    cdef SeatRecord[:, ::1] seats_view = out.seats
    cdef uint16_t[:, :, :, ::1] cards_view
    cdef int16_t[:, :, :, ::1] series_view
    cdef uint16_t* cards = NULL
    cdef int16_t* series = NULL

    cdef Book book
    cdef Policies guide
    cdef Game game
    book.rules = rules_view[0]
    book.kinds = &kinds_view[0]
    book.effects = &effects_view[0] if effects_view.shape[0] else NULL
    book.conds = &conds_view[0, 0] if conds_view.shape[0] else NULL
    book.witches = &witches_view[0] if witches_view.shape[0] else NULL
    book.seals = &seals_view[0] if seals_view.shape[0] else NULL
    book.gifts = &gifts_view[0] if gifts_view.shape[0] else NULL
    book.groups = <const Mask*>&groups_view[0, 0] if groups_view.shape[0] else NULL
    book.pool = &pool_view[0]
    book.rares = &rares_view[0] if rares_view.shape[0] else NULL
    book.reversal = &reversal_view[0] if reversal_view.shape[0] else NULL
    book.pool_size = <int>pool_view.shape[0]
    book.rares_size = <int>rares_view.shape[0]
    book.reversal_size = <int>reversal_view.shape[0]
    book.players = players
    book.copies = copies_view[players - 2]
    book.coins = &coins_view[players - 2, 0, 0]
    book.bans = <const Mask*>&bans_view[0, 0]

    game.book = &book
    game.policies = &guide
    game.players = players
    game.series_rounds = 0
    if out.cards is not None:
        cards_view = out.cards
        cards = &cards_view[0, 0, 0, 0]
    if out.series is not None:
        series_view = out.series
        series = &series_view[0, 0, 0, 0]
        game.series_rounds = <int>series_view.shape[2]

    scratch = policies_open(&guide, policies, numbers.DECISIONS)
    cdef uint64_t deal = first_deal
    cdef Py_ssize_t per_deal = games_per_deal
    cdef int code
    with nogil:
        book_derive(&book)
        code = _play_games(
            &game,
            &key_view[0],
            deal,
            &lineups_view[0, 0],
            lineups_view.shape[0],
            per_deal,
            &games_view[0],
            &seats_view[0, 0],
            count,
            cards,
            series,
            &stopped,
        )
    del scratch     # was borrowed until here
    return code, stopped


def layout():
    """Return what this module was compiled with, for the test that compares it with the tables.

    Returns
    -------
    dict
        ``"structs"``: name → numpy dtype of a packed struct; all else: name → number.
    """
    cdef Rules rules
    cdef Kind kind
    cdef Effect effect
    cdef Witch witch
    cdef Seal seal
    cdef GameRecord game
    cdef SeatRecord seat
    return {
        "structs": {
            "rules": np.asarray(<Rules[:1]>&rules).dtype,
            "kind": np.asarray(<Kind[:1]>&kind).dtype,
            "effect": np.asarray(<Effect[:1]>&effect).dtype,
            "witch": np.asarray(<Witch[:1]>&witch).dtype,
            "seal": np.asarray(<Seal[:1]>&seal).dtype,
            "game": np.asarray(<GameRecord[:1]>&game).dtype,
            "seat": np.asarray(<SeatRecord[:1]>&seat).dtype,
        },
        "flags": {
            "CASTABLE": numbers.CASTABLE,
            "MANA_ONLY": numbers.MANA_ONLY,
            "ON_OFFER": numbers.ON_OFFER,
            "NAMED_ONLY": numbers.NAMED_ONLY,
            "ARCANA": numbers.ARCANA_FLAG,
            "NOTE": numbers.NOTE_FLAG,
            "APPRENTICE": numbers.APPRENTICE_FLAG,
            "HAND_GROWING": numbers.HAND_GROWING,
            "BURN": numbers.BURN_FLAG,
            "ATTACK": numbers.ATTACK,
            "DEFENCE": numbers.DEFENCE,
            "DURATION": numbers.DURATION,
            "PERMANENT": numbers.PERMANENT,
            "FAMILIAR": numbers.FAMILIAR,
            "DEFENDS_HAND": numbers.DEFENDS_HAND,
            "DEFENDS_FIELD": numbers.DEFENDS_FIELD,
            "MAGIC": numbers.MAGIC,
        },
        "kinds": {
            "fragment": numbers.FRAGMENT,
            "stone": numbers.STONE,
            "great_stone": numbers.GREAT_STONE,
            "charm": numbers.CHARM,
            "ritual": numbers.RITUAL,
            "arcana": numbers.ARCANA,
            "curse": numbers.CURSE,
        },
        "sorts": {
            "stone": numbers.SORT_STONE,
            "truth": numbers.SORT_TRUTH,
            "start": numbers.SORT_START,
            "magic": numbers.SORT_MAGIC,
            "rare": numbers.SORT_RARE,
            "exclusive": numbers.SORT_EXCLUSIVE,
        },
        "primitives": {
            "casts": effects.OP_CASTS,
            "acquisitions": effects.OP_ACQUISITIONS,
            "mana": effects.OP_MANA,
            "gold": effects.OP_GOLD,
            "draw": effects.OP_DRAW,
            "draw_to": effects.OP_DRAW_TO,
            "discard": effects.OP_DISCARD,
            "discard_up_to": effects.OP_DISCARD_UP_TO,
            "burn": effects.OP_BURN,
            "burn_up_to": effects.OP_BURN_UP_TO,
            "trade": effects.OP_TRADE,
            "receive": effects.OP_RECEIVE,
            "upgrade": effects.OP_UPGRADE,
            "look": effects.OP_LOOK,
            "take_curses": effects.OP_TAKE_CURSES,
            "barrier": effects.OP_BARRIER,
            "tokens": effects.OP_TOKENS,
            "extra_turn": effects.OP_EXTRA_TURN,
            "seal": effects.OP_SEAL,
            "curses": effects.OP_CURSES,
            "pass_curses": effects.OP_PASS_CURSES,
            "others_discard": effects.OP_OTHERS_DISCARD,
            "others_discard_to": effects.OP_OTHERS_DISCARD_TO,
            "take_gold": effects.OP_TAKE_GOLD,
        },
        "decisions": {
            "cast": seen.CAST,
            "acquire": seen.ACQUIRE,
            "discard": seen.DISCARD,
            "burn": seen.BURN,
            "receive": seen.RECEIVE,
            "upgrade": seen.UPGRADE,
            "look": seen.LOOK,
            "defend": seen.DEFEND,
            "doll": seen.DOLL,
            "seal": seen.SEAL,
            "tokens": seen.TOKENS,
            "extra_turn": seen.EXTRA_TURN,
        },
        "observables": {
            "mana": seen.SEEN_MANA,
            "coins": seen.SEEN_COINS,
            "payable": seen.SEEN_PAYABLE,
            "prospect": seen.SEEN_PROSPECT,
            "hand_mana": seen.SEEN_HAND_MANA,
            "silver": seen.SEEN_SILVER,
            "gold": seen.SEEN_GOLD,
            "casts": seen.SEEN_CASTS,
            "acquisitions": seen.SEEN_ACQUISITIONS,
            "round": seen.SEEN_ROUND,
            "turn": seen.SEEN_TURN,
            "players": seen.SEEN_PLAYERS,
            "seat": seen.SEEN_SEAT,
            "contracted": seen.SEEN_CONTRACTED,
            "rivals_contracted": seen.SEEN_RIVALS_CONTRACTED,
            "witches": seen.SEEN_WITCHES,
            "truth": seen.SEEN_TRUTH,
            "truth_lead": seen.SEEN_TRUTH_LEAD,
            "tokens": seen.SEEN_TOKENS,
            "arcana_taken": seen.SEEN_ARCANA_TAKEN,
            "arcana_lead": seen.SEEN_ARCANA_LEAD,
            "kinds_left": seen.SEEN_KINDS_LEFT,
            "magic_deck": seen.SEEN_MAGIC_DECK,
            "hand": seen.SEEN_HAND,
            "deck": seen.SEEN_DECK,
            "discard": seen.SEEN_DISCARD,
            "cards": seen.SEEN_CARDS,
            "just_discarded": seen.SEEN_JUST_DISCARDED,
            "just_burned": seen.SEEN_JUST_BURNED,
            "owned": seen.SEEN_OWNED,
            "hand_has": seen.SEEN_HAND_HAS,
            "pile": seen.SEEN_PILE,
            "field": seen.SEEN_FIELD,
            "owned_group": seen.SEEN_OWNED_GROUP,
            "hand_group": seen.SEEN_HAND_GROUP,
            "play_group": seen.SEEN_PLAY_GROUP,
            "extra": seen.SEEN_EXTRA,
            "mana_obtained": seen.SEEN_MANA_OBTAINED,
            "barriers": seen.SEEN_BARRIERS,
            "announced": seen.SEEN_ANNOUNCED,
            "rivals_announced": seen.SEEN_RIVALS_ANNOUNCED,
            "progress": seen.SEEN_PROGRESS,
            "progress_needed": seen.SEEN_PROGRESS_NEEDED,
            "truth_needed": seen.SEEN_TRUTH_NEEDED,
            "rivals_curses": seen.SEEN_RIVALS_CURSES,
            "kinds_cast": seen.SEEN_KINDS_CAST,
            "uses": seen.SEEN_USES,
            "own_field": seen.SEEN_OWN_FIELD,
            "burned": seen.SEEN_BURNED,
            "sealed": seen.SEEN_SEALED,
            "witch_free": seen.SEEN_WITCH_FREE,
            "witch_mine": seen.SEEN_WITCH_MINE,
            "on_turn": seen.SEEN_ON_TURN,
            "price": seen.SEEN_PRICE,
        },
        "places": {"discard": state.TO_DISCARD, "hand": state.TO_HAND},
        "end_reasons": {
            "field": records.FIELD_END,
            "round_cap": records.ROUND_CAP,
            "special": records.SPECIAL,
        },
        "victories": {
            "none": numbers.NO_VICTORY,
            "mana": numbers.VICTORY_MANA,
            "curses": numbers.VICTORY_CURSES,
            "tokens": numbers.VICTORY_TOKENS,
            "rewards": numbers.VICTORY_REWARDS,
            "uses": numbers.VICTORY_USES,
            "arcana_spread": numbers.VICTORY_SPREAD,
            "extra_gold": numbers.VICTORY_GOLD,
            "kinds": numbers.VICTORY_KINDS,
            "arcana_owned": numbers.VICTORY_OWNED,
        },
        "timings": {"at_once": numbers.AT_ONCE, "turn_start": numbers.TURN_START},
        "card_fields": {
            "offered": records.OFFERED,
            "opening": records.OPENING,
            "drawn": records.DRAWN,
            "acquired": records.ACQUIRED,
            "owned": records.OWNED,
        },
        "streams": {
            "supply": numbers.STREAM_SUPPLY,
            "magic": numbers.STREAM_MAGIC,
            "deck": numbers.STREAM_DECK,
            "policy": numbers.STREAM_POLICY,
        },
        "statuses": {
            "no_supply": state.NO_SUPPLY,
            "pile_overflow": state.PILE_OVERFLOW,
            "counter_overflow": state.COUNTER_OVERFLOW,
        },
        "limits": {
            "pile_capacity": PILE_CAPACITY,
            "codes": MASK_CODES,
            "most_seats": MOST_SEATS,
            "most_counted": state.MOST_COUNTED,
            "most_tokens": state.MOST_TOKENS,
            "most_in_column": state.MOST_IN_COLUMN,
            "most_seals": numbers.MOST_SEALS,
            "most_cost": numbers.MOST_COST,
            "endless": numbers.ENDLESS,
            "no_pile": numbers.NO_PILE,
            "endless_seen": seen.ENDLESS_SEEN,
            "no_value": NO_VALUE,
            "win": records.WIN,
            "slip_unit": SLIP_UNIT,
            "card_fields": CARD_FIELDS,
        },
    }
