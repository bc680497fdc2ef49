"""Exact integer sums of the records that kernels write.

Records are read as bytes through the offsets and types of their numpy dtype, so that one compiled
module serves every title. All functions add to caller-owned arrays and release the GIL.

Why 64 bits are enough
----------------------
Win sums: within a deal at most ``players * games_per_deal <= 25`` rows share a key and each is at
most 60, so Y <= 1500 and Y * Y < 2.3e6; a block has at most 1e10 deals, and 2.3e16 < 9.2e18.
Card sums: the same bound holds for Y and N, and values are 16 bits wide: 65535 * 2.5e11 < 2e16.
Counts: a value occurs in at most ``games_per_deal <= 5`` games of a deal, and 25 * 1e10 fits.
Columns: values are at most 32 bits wide, so a single square can need 64 bits, and that of a deal's
total more. Sums of squares, of values and of totals alike, are therefore added with a check, and a
sum that would leave 63 bits is reported instead of wrapped around. A plain sum needs no check of
its own: for integers abs(v) <= v * v, so while the squares fit, the sum fits. Nor does the sum of
products: 2 * abs(Y * N) <= Y * Y + N * N, and the sum of N * N is small.
"""

from libc.stdint cimport (
    INT64_MAX, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
)
from libc.string cimport memcpy

#: numpy type strings of the columns that can be read, in the order of their codes below.
READABLE = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4")

cdef enum:
    U1 = 0
    I1 = 1
    U2 = 2
    I2 = 3
    U4 = 4
    I4 = 5

cdef enum:
    NO_GAME = -1

#: Returned when everything was added; other values say where it was not.
DONE = NO_GAME

#: The largest integer whose square fits into 63 bits.
cdef int64_t ROOT = 3037000499

cdef Py_ssize_t[6] WIDTHS
WIDTHS[:] = [1, 1, 2, 2, 4, 4]


cdef inline int64_t value_at(const uint8_t* record, Py_ssize_t offset, int kind) noexcept nogil:
    """Read one field; records are packed, so it may lie at any address."""
    cdef const uint8_t* place = record + offset
    cdef int16_t i2
    cdef uint16_t u2
    cdef int32_t i4
    cdef uint32_t u4
    if kind == U1:
        return place[0]
    if kind == I1:
        return <int8_t> place[0]
    if kind == U2:
        memcpy(&u2, place, 2)
        return u2
    if kind == I2:
        memcpy(&i2, place, 2)
        return i2
    if kind == U4:
        memcpy(&u4, place, 4)
        return u4
    memcpy(&i4, place, 4)
    return i4


cdef inline bint add_square(int64_t* out, int64_t value) noexcept nogil:
    """Add v * v; return whether the sum would leave 63 bits, and then add nothing."""
    if value > ROOT or value < -ROOT or value * value > INT64_MAX - out[0]:
        return True
    out[0] += value * value
    return False


cdef inline bint add_value(int64_t* out, int64_t value) noexcept nogil:
    """Add 1, v and v * v to ``out[0..2]``; return whether the squares left 63 bits."""
    if add_square(&out[2], value):
        return True
    out[0] += 1
    out[1] += value
    return False


cdef inline void count_game(int64_t* counted, Py_ssize_t game) noexcept nogil:
    """Count a game once: ``counted`` holds the number of games and the last one, from 1."""
    if counted[1] != game + 1:
        counted[0] += 1
        counted[1] = game + 1


cdef int check_field(Py_ssize_t offset, int kind, Py_ssize_t size) except -1:
    """Refuse a field that no record of this size can hold."""
    if kind < U1 or kind > I4:
        raise ValueError("a column's type cannot be summed")
    if offset < 0 or offset + WIDTHS[kind] > size:
        raise ValueError("an offset lies outside the record")
    return 0


def fold_wins(
    const uint8_t[:, :, ::1] seats,
    const int16_t[:, ::1] policy,
    Py_ssize_t win_offset,
    bint by_policy,
    bint by_seat,
    Py_ssize_t value_offset,
    int value_kind,
    Py_ssize_t n_values,
    Py_ssize_t games_per_deal,
    int64_t[:, ::1] scratch,
    int64_t[:, ::1] out,
):
    """Add rows, games, clusters, y, yy, yn, nn of each key (see the type stub)."""
    cdef Py_ssize_t games = seats.shape[0], players = seats.shape[1]
    cdef Py_ssize_t keys = out.shape[0]
    cdef Py_ssize_t game, seat, key, first, failed = NO_GAME
    cdef int64_t y, n, value
    cdef const uint8_t* record
    if policy.shape[0] != games or policy.shape[1] != players:
        raise ValueError("policies and records differ in shape")
    if scratch.shape[0] != keys or scratch.shape[1] != 4 or out.shape[1] != 7:
        raise ValueError("scratch must be (keys, 4) and out (keys, 7)")
    if games_per_deal < 1 or games % games_per_deal:
        raise ValueError("records are not whole deals")
    check_field(win_offset, U1, seats.shape[2])
    if value_offset >= 0:
        check_field(value_offset, value_kind, seats.shape[2])
    with nogil:
        scratch[:, :] = 0
        first = 0
        while first < games and failed == NO_GAME:
            for game in range(first, first + games_per_deal):
                for seat in range(players):
                    record = &seats[game, seat, 0]
                    key = policy[game, seat] if by_policy else 0
                    if by_seat:
                        key = key * players + seat
                    if value_offset >= 0:
                        value = value_at(record, value_offset, value_kind)
                        if value < 0 or value >= n_values:
                            failed = game
                            break
                        key = key * n_values + value
                    if key < 0 or key >= keys:
                        failed = game
                        break
                    scratch[key, 0] += record[win_offset]
                    scratch[key, 1] += 1
                    count_game(&scratch[key, 2], game)
                if failed != NO_GAME:
                    break
            if failed != NO_GAME:
                break
            for key in range(keys):
                n = scratch[key, 1]
                if n:
                    y = scratch[key, 0]
                    out[key, 0] += n
                    out[key, 1] += scratch[key, 2]
                    out[key, 2] += 1
                    out[key, 3] += y
                    out[key, 4] += y * y
                    out[key, 5] += y * n
                    out[key, 6] += n * n
                    scratch[key, 0] = 0
                    scratch[key, 1] = 0
                    scratch[key, 2] = 0
            first += games_per_deal
    return failed


def fold_seat_columns(
    const uint8_t[:, :, ::1] seats,
    const int16_t[:, ::1] policy,
    const int32_t[::1] offsets,
    const int32_t[::1] kinds,
    bint by_policy,
    bint by_seat,
    Py_ssize_t games_per_deal,
    int64_t[:, ::1] scratch,
    int64_t[:, :, ::1] out,
):
    """Add the eight sums of each key and column (see the type stub)."""
    cdef Py_ssize_t games = seats.shape[0], players = seats.shape[1]
    cdef Py_ssize_t columns = offsets.shape[0], keys = out.shape[0]
    cdef Py_ssize_t game, seat, column, key, first, failed = NO_GAME
    cdef int64_t value, y, n
    cdef int64_t* sums
    if policy.shape[0] != games or policy.shape[1] != players:
        raise ValueError("policies and records differ in shape")
    if out.shape[1] != columns or out.shape[2] != 8:
        raise ValueError("out must be (keys, columns, 8)")
    if scratch.shape[0] != keys or scratch.shape[1] != 3 + columns:
        raise ValueError("scratch must be (keys, 3 + columns)")
    if kinds.shape[0] != columns:
        raise ValueError("offsets and kinds differ in length")
    if games_per_deal < 1 or games % games_per_deal:
        raise ValueError("records are not whole deals")
    for column in range(columns):
        check_field(offsets[column], kinds[column], seats.shape[2])
    with nogil:
        scratch[:, :] = 0
        first = 0
        while first < games and failed == NO_GAME:
            for game in range(first, first + games_per_deal):
                for seat in range(players):
                    key = policy[game, seat] if by_policy else 0
                    if by_seat:
                        key = key * players + seat
                    if key < 0 or key >= keys:
                        failed = game
                        break
                    scratch[key, 0] += 1
                    count_game(&scratch[key, 1], game)
                    for column in range(columns):
                        value = value_at(&seats[game, seat, 0], offsets[column], kinds[column])
                        if add_value(&out[key, column, 0], value):
                            failed = game
                            break
                        scratch[key, 3 + column] += value
                    if failed != NO_GAME:
                        break
                if failed != NO_GAME:
                    break
            if failed != NO_GAME:
                break
            for key in range(keys):
                n = scratch[key, 0]
                if n == 0:
                    continue
                for column in range(columns):
                    sums = &out[key, column, 0]
                    y = scratch[key, 3 + column]
                    if add_square(&sums[3], y):
                        failed = first
                        break
                    sums[4] += y * n
                    sums[5] += n * n
                    sums[6] += scratch[key, 1]
                    sums[7] += 1
                    scratch[key, 3 + column] = 0
                if failed != NO_GAME:
                    break
                scratch[key, 0] = 0
                scratch[key, 1] = 0
            first += games_per_deal
    return failed


def fold_game_columns(
    const uint8_t[:, ::1] games,
    const int32_t[::1] offsets,
    const int32_t[::1] kinds,
    Py_ssize_t games_per_deal,
    int64_t[:, ::1] out,
):
    """Add the eight sums of each column (see the type stub)."""
    cdef Py_ssize_t columns = offsets.shape[0]
    cdef Py_ssize_t game, column, first, failed = NO_GAME
    cdef int64_t value, y
    if out.shape[0] != columns or out.shape[1] != 8 or kinds.shape[0] != columns:
        raise ValueError("out must be (columns, 8)")
    if games_per_deal < 1 or games.shape[0] % games_per_deal:
        raise ValueError("records are not whole deals")
    for column in range(columns):
        check_field(offsets[column], kinds[column], games.shape[1])
    with nogil:
        first = 0
        while first < games.shape[0] and failed == NO_GAME:
            for column in range(columns):
                y = 0
                for game in range(first, first + games_per_deal):
                    value = value_at(&games[game, 0], offsets[column], kinds[column])
                    y += value
                    if add_value(&out[column, 0], value):
                        failed = game
                        break
                if failed != NO_GAME:
                    break
                if add_square(&out[column, 3], y):
                    failed = first
                    break
                out[column, 4] += y * games_per_deal
                out[column, 5] += games_per_deal * games_per_deal
                out[column, 6] += games_per_deal
                out[column, 7] += 1
            first += games_per_deal
    return failed


def fold_counts(
    const uint8_t[:, ::1] games,
    Py_ssize_t offset,
    int kind,
    Py_ssize_t games_per_deal,
    int64_t[::1] scratch,
    int64_t[:, ::1] out,
):
    """Add n, clusters and yy of each value of a column (see the type stub)."""
    cdef Py_ssize_t values = out.shape[0]
    cdef Py_ssize_t game, first, failed = NO_GAME
    cdef int64_t value, n
    if scratch.shape[0] != values or out.shape[1] != 3:
        raise ValueError("scratch must be (values,) and out (values, 3)")
    if games_per_deal < 1 or games.shape[0] % games_per_deal:
        raise ValueError("records are not whole deals")
    check_field(offset, kind, games.shape[1])
    with nogil:
        scratch[:] = 0
        first = 0
        while first < games.shape[0]:
            for game in range(first, first + games_per_deal):
                value = value_at(&games[game, 0], offset, kind)
                if value < 0 or value >= values:
                    failed = game
                    break
                scratch[value] += 1
            if failed != NO_GAME:
                break
            # By the games again, not by the values, of which there may be many more.
            for game in range(first, first + games_per_deal):
                value = value_at(&games[game, 0], offset, kind)
                n = scratch[value]
                if n:
                    out[value, 0] += n
                    out[value, 1] += 1
                    out[value, 2] += n * n
                    scratch[value] = 0
            first += games_per_deal
    return failed


def fold_cards(
    const uint16_t[:, :, :, ::1] cards,
    const uint8_t[:, :, ::1] seats,
    Py_ssize_t win_offset,
    Py_ssize_t games_per_deal,
    int64_t[:, :, ::1] scratch,
    int64_t[:, :, ::1] out,
):
    """Add rows, games, clusters, total, y, yy, yn, nn, squares over rows with a value above 0."""
    cdef Py_ssize_t games = cards.shape[0], players = cards.shape[1]
    cdef Py_ssize_t n_kinds = cards.shape[2], fields = cards.shape[3]
    cdef Py_ssize_t game, seat, kind, field, first
    cdef int64_t y, n, win, value
    if seats.shape[0] != games or seats.shape[1] != players:
        raise ValueError("cards and records differ in shape")
    if out.shape[0] != n_kinds or out.shape[1] != fields or out.shape[2] != 9:
        raise ValueError("out must be (kinds, fields, 9)")
    if scratch.shape[0] != n_kinds or scratch.shape[1] != fields or scratch.shape[2] != 4:
        raise ValueError("scratch must be (kinds, fields, 4)")
    if games_per_deal < 1 or games % games_per_deal:
        raise ValueError("records are not whole deals")
    check_field(win_offset, U1, seats.shape[2])
    with nogil:
        scratch[:, :, :] = 0
        first = 0
        while first < games:
            for game in range(first, first + games_per_deal):
                for seat in range(players):
                    win = seats[game, seat, win_offset]
                    for kind in range(n_kinds):
                        for field in range(fields):
                            value = cards[game, seat, kind, field]
                            if value:
                                out[kind, field, 3] += value
                                out[kind, field, 8] += value * value
                                scratch[kind, field, 0] += win
                                scratch[kind, field, 1] += 1
                                count_game(&scratch[kind, field, 2], game)
            for kind in range(n_kinds):
                for field in range(fields):
                    n = scratch[kind, field, 1]
                    if n:
                        y = scratch[kind, field, 0]
                        out[kind, field, 0] += n
                        out[kind, field, 1] += scratch[kind, field, 2]
                        out[kind, field, 2] += 1
                        out[kind, field, 4] += y
                        out[kind, field, 5] += y * y
                        out[kind, field, 6] += y * n
                        out[kind, field, 7] += n * n
                        scratch[kind, field, 0] = 0
                        scratch[kind, field, 1] = 0
                        scratch[kind, field, 2] = 0
            first += games_per_deal


def fold_series(const int16_t[:, :, :, ::1] series, int16_t absent, int64_t[:, :, :, ::1] out):
    """Add n, the sum and the sum of squares by seat, round and column; skip absent values."""
    cdef Py_ssize_t games = series.shape[0], players = series.shape[1]
    cdef Py_ssize_t rounds = series.shape[2], columns = series.shape[3]
    cdef Py_ssize_t game, seat, turn, column, failed = NO_GAME
    cdef int16_t value
    if out.shape[0] != players or out.shape[1] != rounds or out.shape[2] != columns:
        raise ValueError("out must be (players, rounds, columns, 3)")
    if out.shape[3] != 3:
        raise ValueError("out must be (players, rounds, columns, 3)")
    with nogil:
        for game in range(games):
            for seat in range(players):
                for turn in range(rounds):
                    for column in range(columns):
                        value = series[game, seat, turn, column]
                        if value != absent and add_value(&out[seat, turn, column, 0], value):
                            failed = game
    return failed
