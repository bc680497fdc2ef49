# cython: language_level=3
"""The fast engine: the same game as ``reference.py``, draw by draw and field by field.

Parts: ``_tables`` (rules as read, records as written), ``_state`` (zones, units as bits, moves),
``_texts`` (what texts ask), ``_outlook`` (what policies foresee), ``_choosing`` (what seats see and
choose), ``_effects`` (what cards do), ``_plays`` (playing and paying), ``_battle``, ``_turn``
(set-up and turns), ``_records``; policies, piles and random streams are ``sim.core``'s. Everything
below ``play`` is inline C on one ``Game`` struct: no Python object, no allocation, no exception, no
global.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t

import numpy as np

from sim.core._mask cimport Mask
from sim.core._policy cimport Policies, policies_open
from sim.core._rows cimport fresh_counts, fresh_series
from sim.titles.majestic._choosing cimport DECISIONS
from sim.titles.majestic._records cimport write_results
from sim.titles.majestic._state cimport Game
from sim.titles.majestic._tables cimport (
    CARD_FIELDS,
    PLAYERS,
    SERIES_FIELDS,
    Book,
    Effect,
    GameRecord,
    Kind,
    Mana,
    Rules,
    SeatRecord,
    Sorcerer,
    Text,
    book_derive,
)
from sim.titles.majestic._turn cimport play_turn, set_up

from sim.core.kernel_input import check_buffers, check_call, check_policies
from sim.titles.majestic.info import INFO
from sim.titles.majestic.kernel_input import arguments, check_tables

__all__ = ["layout", "play"]


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
    cdef int status
    cdef Py_ssize_t card_count = PLAYERS * game.book.rules.kinds * CARD_FIELDS
    cdef Py_ssize_t series_count = PLAYERS * game.series_rounds * SERIES_FIELDS
    cdef Py_ssize_t g
    for g in range(count):
        game.counts = fresh_counts(cards, g, card_count)
        game.series = fresh_series(series, g, series_count)
        set_up(
            game,
            key,
            first_deal + <uint64_t>(g // games_per_deal),
            &lineups[(g % lineup_count) * PLAYERS],
        )
        while game.end_reason < 0:
            play_turn(game)
        status = write_results(game, &games[g], &seats[g * PLAYERS])
        if status:
            stopped[0] = g
            return status
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
        0, or ``COUNTER_OVERFLOW``.
    game : int
        The number of games; with another code the game that came to it.

    Raises
    ------
    InputError
        Before anything is played, when an array does not fit.
    """
    check_tables(tables)
    check_policies(
        policies, DECISIONS, tables.words.stop + 1, arguments(tables), len(tables.deck_main)
    )
    players = check_call(
        INFO, len(policies.slip), bans, key, first_deal, lineups, games_per_deal, out
    )
    rounds = int(tables.rules["round_cap"].item())
    check_buffers(INFO, out, players, kinds=len(tables.kinds), rounds=rounds)

    cdef Py_ssize_t count = len(out.games)
    if count == 0:
        return 0, 0

    # Typed views refuse once more what is not laid out as the structs are.
    cdef const Rules[::1] rules_view = tables.rules
    cdef const Kind[::1] kinds_view = tables.kinds
    cdef const Mana[::1] mana_view = tables.mana_kinds
    cdef const Sorcerer[::1] sorcerers_view = tables.sorcerers
    cdef const Text[::1] texts_view = tables.texts
    cdef const int16_t[:, :, ::1] sums_view = tables.sums
    cdef const Effect[::1] effects_view = tables.effects
    cdef const int32_t[:, ::1] conds_view = tables.conds
    cdef const int16_t[:, ::1] main_view = tables.deck_main
    cdef const int16_t[:, ::1] mana_decks_view = tables.deck_mana
    cdef const int16_t[::1] casters_view = tables.deck_sorcerers
    cdef const int16_t[:, ::1] made_of_view = tables.compositions
    cdef const uint64_t[:, ::1] groups_view = tables.groups
    cdef const int16_t[::1] loadout_view = policies.loadout
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
    book.mana_kinds = &mana_view[0]
    book.mana_kind_count = <int>mana_view.shape[0]
    book.sorcerers = &sorcerers_view[0]
    book.texts = &texts_view[0]
    book.sums = &sums_view[0, 0, 0]
    book.effects = &effects_view[0] if effects_view.shape[0] else NULL
    book.conds = &conds_view[0, 0] if conds_view.shape[0] else NULL
    book.deck_main = &main_view[0, 0]
    book.deck_mana = &mana_decks_view[0, 0]
    book.deck_sorcerers = &casters_view[0]
    book.compositions = &made_of_view[0, 0]
    book.groups = <const Mask*>&groups_view[0, 0]
    book.loadout = &loadout_view[0]
    book.bans = <const Mask*>&bans_view[0, 0]

    game.book = &book
    game.policies = &guide
    game.series_rounds = 0
    if out.cards is not None:
        cards_view = out.cards
        cards = &cards_view[0, 0, 0, 0]
    if out.series is not None:
        series_view = out.series
        series = &series_view[0, 0, 0, 0]
        game.series_rounds = <int>series_view.shape[2]

    scratch = policies_open(&guide, policies, DECISIONS)
    cdef uint64_t deal = first_deal
    cdef Py_ssize_t per_deal = games_per_deal, stopped
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
    """Return the dtypes of the packed structs that this module was compiled with.

    Returns
    -------
    dict
        Name → numpy dtype, for the test that compares them with the tables.
    """
    cdef Rules rules
    cdef Kind kind
    cdef Mana mana
    cdef Sorcerer sorcerer
    cdef Text text
    cdef Effect effect
    cdef GameRecord game
    cdef SeatRecord seat
    return {
        "rules": np.asarray(<Rules[:1]>&rules).dtype,
        "kind": np.asarray(<Kind[:1]>&kind).dtype,
        "mana": np.asarray(<Mana[:1]>&mana).dtype,
        "sorcerer": np.asarray(<Sorcerer[:1]>&sorcerer).dtype,
        "text": np.asarray(<Text[:1]>&text).dtype,
        "effect": np.asarray(<Effect[:1]>&effect).dtype,
        "game": np.asarray(<GameRecord[:1]>&game).dtype,
        "seat": np.asarray(<SeatRecord[:1]>&seat).dtype,
    }
