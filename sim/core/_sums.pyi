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
    """Add rows, clusters, y, yy, yn, nn of each key to ``out``, shape (keys, 6).

    The key of a row is ``(policy * players + seat) * n_values + value``, of which the parts that
    are not asked for are left out (``value_offset`` -1). A cluster is one deal, ``games_per_deal``
    consecutive games; y and n are a key's win shares (sixtieths) and rows within one deal.

    Returns ``DONE``, or the game whose key lies outside ``out``.
    """

def fold_seat_columns(
    seats: npt.NDArray[np.uint8],
    policy: npt.NDArray[np.int16],
    offsets: npt.NDArray[np.int32],
    kinds: npt.NDArray[np.int32],
    out: npt.NDArray[np.int64],
) -> int:
    """Add n, sum and sum of squares to ``out``, shape (columns, players, policies, 3).

    Returns ``DONE``, or the game at which a sum of squares would leave 63 bits.
    """

def fold_game_columns(
    games: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int32],
    kinds: npt.NDArray[np.int32],
    games_per_deal: int,
    out: npt.NDArray[np.int64],
) -> int:
    """Add n, total, squares, clusters and yy of each column to ``out``, shape (columns, 5).

    Total and squares are sums of the values and of their squares; yy is the sum over deals of the
    squared total of a deal.

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
    """Add rows, clusters, total, y, yy, yn, nn to ``out``, shape (kinds, fields, 7).

    All of them over rows whose value is above 0.
    """

def fold_series(series: npt.NDArray[np.int16], absent: int, out: npt.NDArray[np.int64]) -> int:
    """Add n, sum and sum of squares to ``out``, shape (players, rounds, columns, 3)."""
