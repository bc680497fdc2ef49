"""What commands share: kinds of values, options, and what is done with those that are given."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from sim.errors import InputError, nearest

__all__ = [
    "RULES",
    "Counts",
    "Games",
    "Names",
    "Part",
    "Place",
    "Within",
    "check_place",
    "check_run",
    "given",
    "is_run",
    "lang",
    "lineups",
    "options",
    "refuse_asked",
    "rules",
    "work",
]

#: Options that decide what is played, beside title, games and line-ups.
RULES = ("seed", "rules", "overrides")

#: What runs the workers; the last two are clusters, which have addresses.
BACKENDS = ("threads", "processes", "dask", "ray")

F = TypeVar("F", bound=Callable[..., Any])


class Names(click.ParamType[Any]):
    """Names separated by commas."""

    name = "a,b,c"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, ...]:
        """Return the names; none may be empty."""
        if isinstance(value, tuple):
            return value
        names = tuple(part.strip() for part in str(value).split(","))
        if not all(names):
            self.fail(f"{value!r} has an empty entry", param, ctx)
        return names


class Counts(Names):
    """Whole numbers separated by commas."""

    name = "n,m"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the numbers."""
        try:
            return tuple(int(part) for part in super().convert(value, param, ctx))
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers", param, ctx)


class Games(click.ParamType[int]):
    """A number of games: 20000, 20_000, 20k or 1M."""

    name = "n"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Return the number."""
        if isinstance(value, int):
            return value
        text = str(value).replace("_", "").replace(",", "")
        if len(text) > 20:
            self.fail("fewer than 10^18 games can be played", param, ctx)
        factor = {"k": 1000, "M": 10**6}.get(text[-1:], 1)
        digits = text[:-1] if factor > 1 else text
        if digits.isascii() and digits.isdigit() and int(digits) < 1:
            self.fail(f"{value!r}: at least 1 game is needed", param, ctx)
        if not (digits.isascii() and digits.isdigit()):
            self.fail(f"{value!r} is not a number of games such as 20000, 20k or 1M", param, ctx)
        return int(digits) * factor


class Part(click.ParamType[Any]):
    """One of several parts: 2/8."""

    name = "n/m"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        """Return the two numbers."""
        if isinstance(value, tuple):
            return value
        parts = str(value).split("/")
        if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 7 for p in parts):
            self.fail(f"{value!r} is no part such as 2/8", param, ctx)
        return int(parts[0]), int(parts[1])


class Backend(click.ParamType[Any]):
    """One of the backends; those of clusters can have an address: dask=tcp://HOST:8786."""

    name = "name[=address]"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """Return what was given, with a name that there is."""
        name, given, _ = str(value).partition("=")
        if name not in BACKENDS or (given and name not in BACKENDS[2:]):
            self.fail(f"{value!r} is not one of {', '.join(BACKENDS)}", param, ctx)
        return str(value)


class Within(click.FloatRange):
    """A finite number in a range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number; not a number is none."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return found


def options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Return several options as one decorator, shown in this order."""

    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


lineups = options(
    click.option("--players", type=Counts(), help="Player counts; all of the title by default."),
    click.option(
        "--lineup",
        type=Names(),
        help="Who sits where: a,b,c. Name or path of a policy file; @0.05 lets it slip in 5 %.",
    ),
    click.option(
        "--rotate",
        is_flag=True,
        help="Play the line-up in all rotations; of a pool, all against all and themselves.",
    ),
    click.option(
        "--pool", type=Names(), help="Draw line-ups from these policies, named as for --lineup."
    ),
)
rules = options(
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        default=1,
        show_default=True,
        help="Seed of all chance.",
    ),
    click.option(
        "--rules", type=click.Path(), multiple=True, help="Overlay over the rules; repeatable."
    ),
    click.option(
        "--set",
        "overrides",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change one value; repeatable.",
    ),
)
work = options(
    click.option(
        "--jobs", type=click.IntRange(min=1), metavar="N", help="Workers; all CPUs by default."
    ),
    click.option(
        "--backend",
        type=Backend(),
        default="threads",
        show_default=True,
        help="What runs the workers: threads, processes, or a cluster (dask=tcp://HOST:8786, "
        "ray=HOST:6379); results are the same.",
    ),
)
lang = click.option("--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True)


def given(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the options that say something."""
    return {key: value for key, value in asked.items() if value is not None and value != ()}


def there(path: Path) -> bool:
    """Return whether a path leads anywhere; a name that is too long for one does not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_run(what: str) -> bool:
    """Return whether an argument means a folder rather than a title."""
    from sim.titles import TITLES

    return what not in TITLES and ("/" in what or there(Path(what)))


def refuse_asked(ctx: click.Context, allowed: Sequence[str]) -> None:
    """Refuse options that a run has decided already, instead of ignoring them."""
    given = [
        f"--{'set' if name == 'overrides' else name}"
        for name in ctx.params
        if name not in allowed
        and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise InputError(f"{', '.join(given)}: a run has its own; leave it out, or name a title")


def check_place(what: Path, allowed: str) -> None:
    """Raise when there is no such file or folder, with the nearest one beside it."""
    if there(what):
        return
    try:
        near = nearest(what.name, [path.name for path in what.parent.iterdir()])
    except OSError:
        near = None
    hint = f"; did you mean {str(what.parent / near)!r}?" if near else ""
    raise InputError(f"there is no {str(what)!r}{hint} (allowed: {allowed})")


class Place(click.ParamType[Any]):
    """Where a run is: a folder, or the URL of a published one."""

    name = "path"

    def convert(self, value: Any, param: Any, ctx: Any) -> Path | str:
        """Return a path; a URL stays as it is."""
        from sim.run.remote import is_url

        return value if is_url(value) else Path(value)


def check_run(what: str | Path) -> None:
    """Raise when something is certainly no run; a report is told where its runs are.

    Of a URL that is told when it is opened.
    """
    from sim.run.remote import is_url

    if is_url(what):
        return
    what = Path(what)
    check_place(what, "the folder of a run")
    if there(what / "report.json") and not there(what / "manifest.json"):
        raise InputError(f"{what} is a report; the runs behind it are in {what / 'runs'}")
