"""numpy dtypes of the records that kernels write, built from a title's column table.

The packed structs of a kernel (``titles/*/_*.pxd``) are twins of these; a test compares item sizes
and field offsets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sim.core.title import Buffers, TitleInfo

__all__ = ["NO_VALUE", "FinishedGame", "allocate", "record_dtype"]

#: What a series holds for rounds that a game did not reach.
NO_VALUE = -32768


@dataclass
class FinishedGame:
    """A finished game of the reference engine (see ``sim.core.title.ReferenceGame``)."""

    game: Mapping[str, int]
    seats: Sequence[Mapping[str, int]]
    cards: npt.NDArray[np.uint16]
    series: npt.NDArray[np.int16]
    trace: Sequence[Mapping[str, Any]]


def record_dtype(info: TitleInfo, level: Literal["game", "seat"]) -> np.dtype[np.void]:
    """Return the packed dtype of one level's records.

    Parameters
    ----------
    info : TitleInfo
    level : {"game", "seat"}

    Returns
    -------
    numpy.dtype
        Structured, without padding, fields in the order of the column table.
    """
    return np.dtype([(column.name, column.dtype) for column in info.level(level)])


def allocate(
    info: TitleInfo,
    games: int,
    players: int,
    *,
    kinds: int = 0,
    rounds: int = 0,
    collect: tuple[str, ...] = ("core",),
) -> Buffers:
    """Return the arrays for one kernel call.

    Parameters
    ----------
    info : TitleInfo
    games, players : int
        Shape of the records.
    kinds : int
        Number of card kinds, for the ``cards`` group.
    rounds : int
        Cap on rounds, for the ``series`` group.
    collect : tuple of str
        Groups to collect; ``core`` is always collected.
    """
    buffers = Buffers(
        games=np.zeros(games, record_dtype(info, "game")),
        seats=np.zeros((games, players), record_dtype(info, "seat")),
    )
    if "cards" in collect:
        shape = (games, players, kinds, len(info.card_fields))
        buffers.cards = np.zeros(shape, np.uint16)
    if "series" in collect:
        shape = (games, players, rounds, len(info.series))
        buffers.series = np.full(shape, NO_VALUE, np.int16)
    return buffers
