"""Which overlay or override brought a fault about that shows in a title's own data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache

from sim.core.toml_source import Position, TomlSource, dotted
from sim.errors import DataError, Problem

__all__ = ["blamed"]


def blamed(
    problems: Sequence[Problem],
    own: Collection[str],
    layers: Sequence[TomlSource],
    lay: Callable[[int], object],
) -> Iterator[Problem]:
    """Yield faults, each where its cause is rather than where it shows.

    The data of a title are right by themselves. So a fault in them, such as a cost that fits no
    longer, comes from what was laid over them: from the first layer that it is there with.

    Parameters
    ----------
    problems : sequence of Problem
    own : collection of str
        What the title's own files are called in messages.
    layers : sequence of TomlSource
        Overlays and overrides, in their order.
    lay : callable
        Lays the first so many layers over the data; raises DataError.
    """

    @cache
    def faults(count: int) -> frozenset[tuple[str, str]]:
        try:
            lay(count)
        except DataError as error:
            return frozenset((one.file, one.key) for one in error.problems)
        return frozenset()

    for problem in problems:
        shown = (problem.file, problem.key)
        if problem.file not in own or not layers or shown in faults(0):
            yield problem
            continue
        without, with_ = 0, len(layers)
        while with_ - without > 1:
            middle = (without + with_) // 2
            without, with_ = (without, middle) if shown in faults(middle) else (middle, with_)
        yield _moved(problem, layers[with_ - 1])


def _moved(problem: Problem, layer: TomlSource) -> Problem:
    place = _nearest_place(problem.key, layer)
    return replace(
        problem,
        file=layer.name,
        line=place.key_line if place else None,
        column=place.key_column if place else None,
        found=f"{problem.found} ({problem.place})",
    )


def _nearest_place(key: str, layer: TomlSource) -> Position | None:
    """Return where a layer says something about a key, or else about the tables around it."""
    around = [
        path
        for path in layer.positions
        if key == (name := dotted(path)) or key.startswith((f"{name}.", f"{name}["))
    ]
    return layer.positions[max(around, key=len)] if around else None
