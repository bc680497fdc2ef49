"""Values of the rules turned through a range, one run for each, all on the same deals."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.compare import compare
from analysis.frames import win_rates
from analysis.jobs import Job, Player
from analysis.report.plain import CHANGES
from sim.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from sim.core.title import Title
    from sim.run.plan import Plan
    from sim.run.runner import Progress

__all__ = ["MOST_POINTS", "Knob", "knob", "sweep"]

#: Runs that one sweep may play.
MOST_POINTS = 256

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class Knob:
    """A key of the rules and the values it is set to, as they are written behind ``--set``."""

    key: str
    values: tuple[str, ...]


def knob(text: str) -> Knob:
    """Return the knob that a text means.

    Parameters
    ----------
    text : str
        ``KEY=FROM..TO`` (both ends), ``KEY=FROM..TO..STEP``, or ``KEY=A,B,C``.

    Raises
    ------
    InputError
        When it is none of these.

    Examples
    --------
    >>> knob("turn.acquisitions=0..3").values
    ('0', '1', '2', '3')
    >>> knob("cards.market.cost=3..7..2").values, knob("objectives.used=true,false").values
    (('3', '5', '7'), ('true', 'false'))
    """
    key, equals, values = (part.strip() for part in text.partition("="))
    if not key or not equals or not values:
        raise InputError(f"{text!r} is no range of values such as KEY=0..3 or KEY=1,2,4")
    if match := _RANGE.fullmatch(values):
        first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if last < first or step < 1:
            raise InputError(f"{text!r}: a range goes from the smaller value to the larger")
        if (last - first) // step >= MOST_POINTS:
            raise InputError(f"{text!r}: more than {MOST_POINTS} values")
        return Knob(key, tuple(str(value) for value in range(first, last + 1, step)))
    found = tuple(value.strip() for value in values.split(","))
    if not all(found) or len(set(found)) < len(found):
        raise InputError(f"{text!r}: each value once, and none empty")
    return Knob(key, found)


def sweep(
    title: Title,
    knobs: Sequence[Knob],
    plan: Plan,
    by: Sequence[str] = ("players", "seat"),
    *,
    level: float = 0.95,
    margin: float | None = None,
    seed: int = 1,
    rules: Sequence[str] = (),
    overrides: Sequence[str] = (),
    out: Path | None = None,
    jobs: int | None = None,
    backend: str = "threads",
    progress: Progress | None = None,
) -> pl.DataFrame:
    """Return rates by group for all combinations of the values of some knobs.

    Parameters
    ----------
    title : Title
    knobs : sequence of Knob
    plan : Plan
        What each combination plays: the same deals.
    by : sequence of str
        Keys, as for :func:`analysis.win_rates`.
    level : float
        Probability that all intervals of the whole table cover, of rates and of changes.
    margin : float, optional
        Around parity, as a rate.
    seed, rules, overrides
        What holds for all combinations; the rules as they are, without a knob turned, are what
        changes are counted from.
    out : Path, optional
        Folder of the runs, which go on where they stopped.
    jobs, backend
        As for :func:`sim.simulate`.
    progress : callable, optional

    Returns
    -------
    polars DataFrame
        A column for each knob, the keys, the columns of :func:`analysis.win_rates`, and ``change``,
        ``change_se``, ``change_lo``, ``change_hi`` against the rules as they are; null where they
        are the same.

    Raises
    ------
    InputError
        For keys and values that cannot be, and more than :data:`MOST_POINTS` combinations.
    """
    import polars as pl

    points = _points(knobs)
    player = Player(title, out, seed, rules, overrides, jobs=jobs, backend=backend)
    player.add(Job("own-{}", plan))
    for point in points:
        player.add(Job("point-{}", plan, overrides=tuple(f"{k}={v}" for k, v in point.items())))
    own, *turned = player.play(progress)
    groups = win_rates(own, by, level=level).height
    asked: dict[str, Any] = {"level": level, "family": max(1, 2 * groups * len(turned))}
    tables: list[pl.DataFrame] = []
    keys = list(by)
    for point, run in zip(points, turned, strict=True):
        rates: pl.DataFrame = win_rates(run, by, margin=margin, **asked)
        changes = compare(own, run, by, **asked).select(
            *keys, **{name: pl.col(part) for part, name in CHANGES.items()}
        )
        if run.rules.hash == own.rules.hash:
            changes = changes.with_columns(
                pl.lit(None, pl.Float64).alias(n) for n in CHANGES.values()
            )
        named = [pl.lit(value).alias(key) for key, value in point.items()]
        joined = rates.join(changes, on=keys, how="left", nulls_equal=True)
        tables.append(joined.select(*named, *joined.columns))
    return pl.concat(tables)


def _points(knobs: Sequence[Knob]) -> list[Mapping[str, str]]:
    if not knobs:
        raise InputError("a sweep needs at least one key and its values")
    keys = [one.key for one in knobs]
    if len(set(keys)) < len(keys):
        raise InputError(f"{', '.join(keys)}: each key once")
    count = 1
    for one in knobs:
        count *= len(one.values)
    if count > MOST_POINTS:
        raise InputError(f"{count:,} combinations; at most {MOST_POINTS} can be played")
    combined = itertools.product(*(one.values for one in knobs))
    return [dict(zip(keys, values, strict=True)) for values in combined]
