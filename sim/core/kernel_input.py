"""Checks that kernels make before their loop: shapes and ranges of what they were handed.

A kernel reads arrays without bounds checks, so whatever could lead it astray is refused here, once
a call, with :class:`~sim.errors.InputError`. Meaning is checked elsewhere, when rules and policies
are read; what is checked here is only that every index points at something.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.expression import OPERATORS
from sim.core.policy import CODES, SLIP_UNIT, PolicyTable
from sim.core.records import record_dtype
from sim.core.title import MASK_WORDS, Buffers, TitleInfo
from sim.core.vocabulary import Vocabulary
from sim.errors import InputError

__all__ = [
    "check_array",
    "check_buffers",
    "check_call",
    "check_conditions",
    "check_multipliers",
    "check_policies",
    "check_range",
    "check_spans",
    "count_arguments",
]


def check_array(
    name: str, value: object, dtype: npt.DTypeLike, shape: Sequence[int | None]
) -> None:
    """Refuse what is not a C-contiguous array of a dtype and a shape.

    Parameters
    ----------
    name : str
        What the array is called in messages.
    value : object
    dtype : dtype
    shape : sequence of int or None
        None allows any length.

    Raises
    ------
    InputError
    """
    wanted = np.dtype(dtype)
    if not isinstance(value, np.ndarray):
        raise InputError(f"{name}: found {type(value).__name__}; allowed: an array of {wanted}")
    if value.dtype != wanted:
        raise InputError(f"{name}: found items of {value.dtype}; allowed: {wanted}")
    fits = len(value.shape) == len(shape) and all(
        want is None or have == want for have, want in zip(value.shape, shape, strict=True)
    )
    if not fits:
        allowed = tuple("any" if want is None else want for want in shape)
        raise InputError(f"{name}: found shape {value.shape}; allowed: {allowed}")
    if not value.flags.c_contiguous or not value.flags.aligned:
        raise InputError(f"{name}: found a strided view; allowed: a C-contiguous array")


def check_range(name: str, values: npt.NDArray[Any], low: int, high: int) -> None:
    """Refuse numbers outside ``low`` to ``high``, both allowed."""
    if not values.size:
        return
    least, most = int(values.min()), int(values.max())
    if least < low or most > high:
        found = least if least < low else most
        raise InputError(f"{name}: found {found}; allowed: {low} to {high}")


def check_spans(name: str, first: npt.NDArray[Any], count: npt.NDArray[Any], size: int) -> None:
    """Refuse spans ``first, count`` that leave an array of a size."""
    start, number = first.astype(np.int64), count.astype(np.int64)
    check_range(f"{name}, first", start, 0, size)
    check_range(f"{name}, count", number, 0, size)
    check_range(f"{name}, end", start + number, 0, size)


def count_arguments(words: Vocabulary, many: Mapping[str, int]) -> tuple[int | None, ...]:
    """Return the number of arguments of each observable, None for one that takes none.

    Parameters
    ----------
    words : Vocabulary
    many : mapping of str to int
        How many there are of what observables can be asked about: ``{"kind": 20}``.

    Examples
    --------
    >>> from sim.core.vocabulary import Observable
    >>> words = Vocabulary(
    ...     options=("stone", "charm"),
    ...     groups={},
    ...     observables=(Observable("round", None, ""), Observable("owned", "kind", "")),
    ...     arguments={"kind": {"stone": 0, "charm": 1}},
    ...     attributes={},
    ...     decisions=(),
    ... )
    >>> count_arguments(words, {"kind": 2})
    (None, 2)
    """
    return tuple(
        None if seen.argument is None else many[seen.argument] for seen in words.observables
    )


def check_conditions(
    name: str, conds: npt.NDArray[np.int32], arguments: Sequence[int | None]
) -> None:
    """Refuse conditions with an observable, argument or operator that does not exist.

    Parameters
    ----------
    name : str
    conds : int32 array, shape (conditions, 4)
    arguments : sequence of int or None
        For each observable the number of its arguments; None when it takes none.
    """
    check_range(f"{name}, observable", conds[:, 0], 0, len(arguments) - 1)
    check_range(f"{name}, operator", conds[:, 2], 0, len(OPERATORS) - 1)
    most = np.array([-1 if number is None else number for number in arguments], np.int64)
    limit = most[conds[:, 0]]
    wrong = (limit >= 0) & ((conds[:, 1] < 0) | (conds[:, 1] >= limit))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"{name}, argument: found {int(conds[row, 1])} in row {row}; "
            f"allowed: 0 to {int(limit[row]) - 1}"
        )


def check_multipliers(
    name: str,
    observables: npt.NDArray[np.int32],
    asked: npt.NDArray[np.int32],
    arguments: Sequence[int | None],
) -> None:
    """Refuse effects that are multiplied by an observable or of an argument that does not exist.

    Parameters
    ----------
    name : str
    observables, asked : int32 array, shape (effects,)
        The observable that multiplies an effect, -1 for none, and its argument.
    arguments : sequence of int or None
        As in :func:`check_conditions`.
    """
    multiplied = observables != -1
    # A multiplier names an observable as a condition does.
    looks = np.zeros((int(multiplied.sum()), 4), np.int32)
    looks[:, 0], looks[:, 1] = observables[multiplied], asked[multiplied]
    check_conditions(name, looks, arguments)


def check_policies(
    table: PolicyTable,
    decisions: int,
    options: int,
    arguments: Sequence[int | None],
    loadouts: int = 0,
) -> None:
    """Refuse a policy table whose arrays do not fit together or do not fit the title.

    Parameters
    ----------
    table : PolicyTable
    decisions, options : int
        Numbers of decision points and of option codes, of which ``stop`` is the last.
    arguments : sequence of int or None
        As in :func:`check_conditions`.
    loadouts : int
        Number of the title's loadouts.
    """
    if not isinstance(table, PolicyTable):
        raise InputError(f"policies: found {type(table).__name__}; allowed: a PolicyTable")
    check_array("policies.slip", table.slip, np.int32, (None,))
    policies = len(table.slip)
    check_array("policies.loadout", table.loadout, np.int16, (policies,))
    least = 0 if loadouts else -1
    check_range("policies.loadout", table.loadout, least, loadouts - 1)
    check_array("policies.spans", table.spans, np.int32, (policies, decisions, 2))
    check_array("policies.rules", table.rules, np.int32, (None, 3))
    check_array("policies.filters", table.filters, np.int32, (len(table.rules), 2))
    check_array("policies.conds", table.conds, np.int32, (None, 4))
    check_array("policies.selectors", table.selectors, np.uint64, (None, MASK_WORDS))
    check_array("policies.single", table.single, np.uint8, (len(table.selectors),))
    check_array("policies.weights", table.weights, np.int32, (policies, decisions, CODES))
    check_range("policies.slip", table.slip, 0, SLIP_UNIT)
    check_spans("policies.spans", table.spans[..., 0], table.spans[..., 1], len(table.rules))
    check_range("policies.rules, selector", table.rules[:, 0], 0, len(table.selectors) - 1)
    check_spans("policies.rules", table.rules[:, 1], table.rules[:, 2], len(table.conds))
    check_spans("policies.filters", table.filters[:, 0], table.filters[:, 1], len(table.conds))
    # Some decisions have no other end than to decline.
    if table.stop != options - 1:
        raise InputError(f"policies.stop: found {table.stop}; allowed: {options - 1}")
    # Rules own disjoint spans of conditions, so a row is either a filter's or not.
    asked = _members(table.filters[:, 0], table.filters[:, 1], len(table.conds))
    own = _members(table.rules[:, 1], table.rules[:, 2], len(table.conds))
    if (asked & own).any():
        raise InputError("policies.filters: found a condition that is a rule's as well")
    check_conditions("policies.conds", table.conds[~asked], arguments)
    filters = table.conds[asked].copy()
    if table.described < 0 or (len(filters) and table.described > options):
        raise InputError(f"policies.described: found {table.described}; allowed: 0 to {options}")
    if len(filters) and table.described:
        # A filter is asked about every code below `described`; the last is the worst.
        filters[:, 1] = table.described - 1
        check_conditions("policies.filters", filters, arguments)


def _members(
    first: npt.NDArray[np.int32], count: npt.NDArray[np.int32], size: int
) -> npt.NDArray[np.bool_]:
    """Return which of a number of rows lie in one of the spans."""
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, first, 1)
    np.add.at(steps, first + count, -1)
    return steps[:-1].cumsum() > 0


def check_buffers(
    info: TitleInfo, out: Buffers, players: int, *, kinds: int = 0, rounds: int = 0
) -> None:
    """Refuse output arrays that do not have the layout of a title's records.

    Parameters
    ----------
    info : TitleInfo
    out : Buffers
    players : int
    kinds : int
        Card kinds, for the cards group.
    rounds : int
        Least number of rounds, for the series group.
    """
    check_array("out.games", out.games, record_dtype(info, "game"), (None,))
    games = len(out.games)
    check_array("out.seats", out.seats, record_dtype(info, "seat"), (games, players))
    if out.cards is not None:
        shape = (games, players, kinds, len(info.card_fields))
        check_array("out.cards", out.cards, np.uint16, shape)
    if out.series is not None:
        check_array("out.series", out.series, np.int16, (games, players, None, len(info.series)))
        if out.series.shape[2] < rounds:
            raise InputError(
                f"out.series: found {out.series.shape[2]} rounds; allowed: {rounds} or more"
            )
    for name in ("games", "seats", "cards", "series"):
        array = getattr(out, name)
        if array is not None and not array.flags.writeable:
            raise InputError(f"out.{name}: found a read-only array; allowed: a writeable one")


def check_call(
    info: TitleInfo,
    policies: int,
    bans: npt.NDArray[np.uint64],
    key: npt.NDArray[np.uint64],
    first_deal: int,
    lineups: npt.NDArray[np.int16],
    games_per_deal: int,
    out: Buffers,
) -> int:
    """Refuse the other arguments of a kernel's entry; return the number of players.

    Parameters
    ----------
    info : TitleInfo
    policies : int
        Number of policies in the table.
    bans, key, first_deal, lineups, games_per_deal, out
        As in ``sim.core.title``; of `out` only the number of games is looked at.
    """
    if not isinstance(out, Buffers):
        raise InputError(f"out: found {type(out).__name__}; allowed: Buffers")
    check_array("out.games", out.games, record_dtype(info, "game"), (None,))
    check_array("lineups", lineups, np.int16, (None, None))
    players = int(lineups.shape[1])
    if players not in info.players:
        raise InputError(f"lineups: found {players} seats; allowed: {info.players}")
    if not len(lineups):
        raise InputError("lineups: found no row; allowed: one or more")
    check_range("lineups", lineups, 0, policies - 1)
    check_array("bans", bans, np.uint64, (players, MASK_WORDS))
    check_array("key", key, np.uint64, (2,))
    if not isinstance(games_per_deal, int | np.integer) or games_per_deal < 1:
        raise InputError(f"games_per_deal: found {games_per_deal!r}; allowed: 1 or more")
    deals = len(out.games) // int(games_per_deal)
    if (
        not isinstance(first_deal, int | np.integer)
        or first_deal < 0
        or int(first_deal) + deals >= 2**64
    ):
        raise InputError(f"first_deal: found {first_deal!r}; allowed: 0 to 2**64 less the deals")
    return players
