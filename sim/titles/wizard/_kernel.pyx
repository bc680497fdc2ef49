# cython: language_level=3
"""The fast engine: the same game as ``reference.py``, draw by draw and field by field.

Parts: ``_tables`` (rules as read, records as written), ``_state`` (the wizard and the changes),
``_draws`` (what a draw may bring), ``_choosing`` (what the player sees and chooses), ``_battle``,
``_turn`` (from set-up to records); policies and random streams are ``sim.core``'s. Everything below
``play`` is inline C on one ``Game`` struct: no Python object, no allocation, no exception, no
global.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t

import numpy as np

from sim.core._mask cimport Mask
from sim.core._policy cimport Policies, policies_open
from sim.core._rows cimport fresh_counts, fresh_series
from sim.titles.wizard._choosing cimport DECISIONS
from sim.titles.wizard._state cimport Game
from sim.titles.wizard._tables cimport (
    CARD_FIELDS,
    SERIES_FIELDS,
    Book,
    Cast,
    Enemy,
    GameRecord,
    Hex,
    Rules,
    SeatRecord,
    Spell,
    Way,
    book_derive,
)
from sim.titles.wizard._turn cimport play_round, set_up, write_results

from sim.core.kernel_input import check_buffers, check_call, check_policies
from sim.titles.wizard.info import INFO
from sim.titles.wizard.kernel_input import arguments, check_tables

__all__ = ["layout", "play"]


cdef void _play_games(
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
) noexcept nogil:
    """Play the games of a call; none can break a limit."""
    cdef Py_ssize_t card_count = game.book.rules.kinds * CARD_FIELDS
    cdef Py_ssize_t series_count = game.series_rounds * SERIES_FIELDS
    cdef Py_ssize_t g
    for g in range(count):
        game.counts = fresh_counts(cards, g, card_count)
        game.series = fresh_series(series, g, series_count)
        set_up(
            game,
            key,
            first_deal + <uint64_t>(g // games_per_deal),
            &lineups[g % lineup_count],
            &seats[g],
        )
        while game.end_reason < 0:
            play_round(game)
        write_results(game, &games[g])


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
        uint64, shape (1, MASK_WORDS).
    key : numpy.ndarray
        uint64, shape (2,).
    first_deal : int
    lineups : numpy.ndarray
        int16, shape (rows, 1): places in ``policies``.
    games_per_deal : int
    out : Buffers

    Returns
    -------
    code : int
        0.
    game : int
        The number of games.

    Raises
    ------
    InputError
        Before anything is played, when an array does not fit.
    """
    check_tables(tables)
    check_policies(policies, DECISIONS, tables.words.stop + 1, arguments(tables))
    players = check_call(
        INFO, len(policies.slip), bans, key, first_deal, lineups, games_per_deal, out
    )
    kinds, rounds = (int(tables.rules[name].item()) for name in ("kinds", "round_cap"))
    check_buffers(INFO, out, players, kinds=kinds, rounds=rounds)

    cdef Py_ssize_t count = len(out.games)
    if count == 0:
        return 0, 0

    # Typed views refuse once more what is not laid out as the structs are.
    cdef const Rules[::1] rules_view = tables.rules
    cdef const Enemy[::1] enemies_view = tables.enemies
    cdef const int16_t[:, ::1] ap_view = tables.ap
    cdef const Way[::1] ways_view = tables.ways
    cdef const Spell[::1] spells_view = tables.spells
    cdef const Cast[::1] casts_view = tables.casts
    cdef const int32_t[:, :, ::1] spans_view = tables.cast_spans
    cdef const Hex[::1] hexes_view = tables.hexes
    cdef const int16_t[:, ::1] beside_view = tables.beside
    cdef const int32_t[:, :, ::1] distances_view = tables.distances
    cdef const int16_t[:, ::1] blocks_view = tables.blocks
    cdef const int16_t[::1] colours_view = tables.colours
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
    book.enemies = &enemies_view[0]
    book.enemy_count = <int>enemies_view.shape[0]
    book.ap = &ap_view[0, 0]
    book.ways = &ways_view[0]
    book.way_count = <int>ways_view.shape[0]
    book.spells = &spells_view[0] if spells_view.shape[0] else NULL
    book.casts = &casts_view[0]
    book.cast_spans = &spans_view[0, 0, 0]
    book.hexes = &hexes_view[0]
    book.hex_count = <int>hexes_view.shape[0]
    book.beside = &beside_view[0, 0]
    book.distances = &distances_view[0, 0, 0]
    book.blocks = &blocks_view[0, 0]
    book.colours = &colours_view[0]
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
        game.series_rounds = series_view.shape[2]

    scratch = policies_open(&guide, policies, DECISIONS)
    cdef uint64_t deal = first_deal
    cdef Py_ssize_t per_deal = games_per_deal
    with nogil:
        book_derive(&book)
        _play_games(
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
        )
    del scratch     # was borrowed until here
    return 0, count


def layout():
    """Return the dtypes of the packed structs that this module was compiled with.

    Returns
    -------
    dict
        Name → numpy dtype, for the test that compares them with the tables.
    """
    cdef Rules rules
    cdef Enemy enemy
    cdef Way way
    cdef Spell spell
    cdef Cast cast
    cdef Hex hex
    cdef GameRecord game
    cdef SeatRecord seat
    return {
        "rules": np.asarray(<Rules[:1]>&rules).dtype,
        "enemy": np.asarray(<Enemy[:1]>&enemy).dtype,
        "way": np.asarray(<Way[:1]>&way).dtype,
        "spell": np.asarray(<Spell[:1]>&spell).dtype,
        "cast": np.asarray(<Cast[:1]>&cast).dtype,
        "hex": np.asarray(<Hex[:1]>&hex).dtype,
        "game": np.asarray(<GameRecord[:1]>&game).dtype,
        "seat": np.asarray(<SeatRecord[:1]>&seat).dtype,
    }
