import numpy as np
import numpy.typing as npt

READABLE: tuple[str, ...]
DONE: int

def fold_wins(
    seats: npt.NDArray[np.uint8],
    policy: npt.NDArray[np.int16],
    win_offset: int,
    by_policy: bool,
    by_seat: bool,
    value_offset: int,
    value_kind: int,
    n_values: int,
    games_per_deal: int,
    scratch: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> int:
    """Add rows, games, clusters, y, yy, yn, nn of each key to ``out``, shape (keys, 7).

    The key of a row is ``(policy * players + seat) * n_values + value``, of which the parts that
    are not asked for are left out (``value_offset`` -1). A cluster is one deal, ``games_per_deal``
    consecutive games; y and n are a key's win shares (sixtieths) and rows within one deal. Games
    and clusters count those with at least one row of the key. ``scratch`` has shape (keys, 4).

    Returns ``DONE``, or the game whose key lies outside ``out``.
    """

def fold_seat_columns(
    seats: npt.NDArray[np.uint8],
    policy: npt.NDArray[np.int16],
    offsets: npt.NDArray[np.int32],
    kinds: npt.NDArray[np.int32],
    by_policy: bool,
    by_seat: bool,
    games_per_deal: int,
    scratch: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> int:
    """Add n, total, squares, yy, yn, nn, games, clusters to ``out``, shape (keys, columns, 8).

    The key of a row is ``policy * players + seat``, of which the parts that are not asked for are
    left out. Total and squares are sums of the values and of their squares; yy, yn and nn are sums
    over deals of Y * Y, Y * N and N * N, with Y the total and N the number of values of the key
    within one deal; games and clusters count games and deals with at least one row of the key.
    ``scratch`` has shape (keys, 3 + columns).

    Returns ``DONE``, or the game whose key lies outside ``out`` or at which a sum of squares would
    leave 63 bits (for yy the first game of the deal).
    """

def fold_game_columns(
    games: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int32],
    kinds: npt.NDArray[np.int32],
    games_per_deal: int,
    out: npt.NDArray[np.int64],
) -> int:
    """Add n, total, squares, yy, yn, nn, games, clusters to ``out``, shape (columns, 8).

    As for columns of a seat, with one value a game.

    Returns ``DONE``, or the game at which a sum of squares would leave 63 bits (for yy the first
    game of the deal).
    """

def fold_counts(
    games: npt.NDArray[np.uint8],
    offset: int,
    kind: int,
    games_per_deal: int,
    scratch: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> int:
    """Add n, clusters and yy of each value of a column to ``out``, shape (values, 3).

    n counts the games of that value and clusters the deals that have one; yy is the sum over deals
    of the squared number of such games. ``scratch`` has as many values.

    Returns ``DONE``, or the game whose value lies outside ``out``.
    """

def fold_cards(
    cards: npt.NDArray[np.uint16],
    seats: npt.NDArray[np.uint8],
    win_offset: int,
    games_per_deal: int,
    scratch: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:
    """Add sums to ``out``, shape (kinds, fields, 9).

    They are rows, games, clusters, total, y, yy, yn, nn and squares, all over rows whose value is
    above 0. ``scratch`` has shape (kinds, fields, 4).
    """

def fold_series(series: npt.NDArray[np.int16], absent: int, out: npt.NDArray[np.int64]) -> int:
    """Add n, sum and sum of squares to ``out``, shape (players, rounds, columns, 3)."""
