"""Data files, overlays and overrides merged into one tree in which every value has a source.

A value is written as a *leaf*, ``{ value = 6, source = "rulebook", ref = "GM-F5" }``, or plainly in
a table that carries a ``source`` for all its values. Overlays and overrides may be plain: their
values have the source ``override``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sim.core.toml_source import KeyPath, TomlSource, dotted, found_text
from sim.core.vocabulary import INT32
from sim.errors import Problem, nearest

__all__ = ["DISPLAY", "SOURCES", "Mark", "Origin", "SourcedTree", "is_display"]

#: Where a value may come from; ``override`` is implied for overlays and overrides.
SOURCES = ("rulebook", "public", "derived", "assumed", "tool", "override")

#: Keys that people read and no game does: they need no source and do not enter the rules' hash.
DISPLAY = ("label", "about", "text")

_LANGUAGES = ("en", "ja")
_LEAF = ("value", "source", "ref", "range")
_LEAF_SHAPE = '{ value = …, source = "rulebook", ref = "…" }'


def is_display(key: str, value: Any) -> bool:
    """Whether an entry of a table is for display only.

    The content is looked at too, because a card may be called ``text``.

    Examples
    --------
    >>> is_display("label", {"en": "Stone", "ja": "魔石"}), is_display("text", {"cost": 3})
    (True, False)
    """
    if key not in DISPLAY:
        return False
    if isinstance(value, dict):
        return any(language in value for language in _LANGUAGES) and all(
            isinstance(text, str) for text in value.values()
        )
    return value is None or isinstance(value, str)


class Origin(NamedTuple):
    """The place in a file that a value or a table comes from.

    ``key`` leads to the entry, ``value`` to what it holds; they differ for a leaf.
    """

    file: TomlSource
    key: KeyPath
    value: KeyPath


@dataclass(frozen=True, slots=True)
class Mark:
    """What is said about a value: its source, where to look it up, and its plausible range."""

    source: str
    ref: str | None
    range: tuple[int | str, ...] | None


class SourcedTree:
    """The merged values with their marks and places, and every fault met on the way.

    Attributes
    ----------
    values : dict
        Plain values.
    marks : dict of path to Mark
        One for each value that decides results.
    origins : dict of path to Origin
        Of every value and table.
    added : set of path
        Tables that an overlay brought in.
    problems : list of Problem
    faulty : set of path
        Values that a problem is about, so that nothing else need be said about them.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.marks: dict[KeyPath, Mark] = {}
        self.origins: dict[KeyPath, Origin] = {}
        self.added: set[KeyPath] = set()
        self.problems: list[Problem] = []
        self.faulty: set[KeyPath] = set()

    # --- adding ------------------------------------------------------------------------------

    def add_base(self, file: TomlSource) -> None:
        """Add a data file; a top-level table must not be in another one already."""
        data = dict(file.data)
        for key in [key for key in data if key in self.values]:
            other = self.origins[(key,)].file.name
            self._problem(
                Origin(file, (key,), (key,)), (key,), f"a second {key!r}", f"the one in {other}"
            )
            del data[key]
        self._table(data, (), (), file, self.values, None, overlay=False)

    def add_overlay(self, file: TomlSource) -> None:
        """Lay a file over what is there; its values win, and nothing can be removed."""
        self._table(
            file.data, (), (), file, self.values, Mark("override", None, None), overlay=True
        )

    def add_override(self, text: str, is_field: Callable[[KeyPath], bool]) -> None:
        """Set one value by ``KEY=VALUE``.

        Parameters
        ----------
        text : str
            A dotted key and a TOML value.
        is_field : callable
            Whether a path that is not in the data yet is one that the model knows by name.
        """
        shown = text if len(text) <= 80 else text[:79] + "…"
        file = TomlSource(
            f"--set {shown!r}" if not shown.isprintable() else f"--set {shown}", "", {}, False
        )
        place = Origin(file, (), ())
        parsed = _override(text)
        if isinstance(parsed, str):
            self.problems.append(
                Problem(file.name, "KEY=VALUE", parsed, "witches.celestina.cost=7")
            )
            return
        path, value = parsed
        if isinstance(value, dict):
            allowed = "a number, true, false, text or a list; tables belong in an overlay file"
            self._problem(place, path, found_text(value), allowed)
        elif (
            path in self.origins and path not in self.marks and not isinstance(self._get(path), str)
        ):
            names = [dotted(key) for key in self.marks if key[: len(path)] == path]
            self._problem(place, path, "a table", f"one of its values ({_listed(names)})")
        elif path not in self.origins and not (
            isinstance(self._get(path[:-1]), dict) and is_field(path)
        ):
            names = [dotted(key) for key in self.marks]
            hint = nearest(dotted(path), names)
            self._problem(place, path, "an unknown key", "a key of the rules", hint=hint)
        else:
            into = self._get(path[:-1])
            self._entry(path[-1], value, path, path, file, into, Mark("override", None, None), True)

    # --- places ------------------------------------------------------------------------------

    def problem(
        self,
        path: KeyPath,
        found: str,
        allowed: str,
        *,
        hint: str | None = None,
        at_key: bool = False,
        offset: int | None = None,
        default_file: str = "",
    ) -> Problem:
        """Return a fault of a value, placed where the value comes from."""
        for length in range(len(path), 0, -1):
            if origin := self.origins.get(path[:length]):
                base = origin.key if at_key else origin.value
                return origin.file.problem(
                    base + path[length:],
                    found,
                    allowed,
                    hint=hint,
                    at_key=at_key,
                    offset=offset,
                    key=dotted(path),
                )
        return Problem(default_file, dotted(path), found, allowed, hint=hint)

    def _problem(
        self, origin: Origin, path: KeyPath, found: str, allowed: str, **more: Any
    ) -> None:
        self.faulty.add(path)
        self.problems.append(
            origin.file.problem(origin.value, found, allowed, key=dotted(path), **more)
        )

    def _get(self, path: KeyPath) -> Any:
        node: Any = self.values
        for part in path:
            node = node.get(part) if isinstance(node, dict) else None
        return node

    # --- walking -----------------------------------------------------------------------------

    def _table(
        self,
        table: dict[str, Any],
        path: KeyPath,
        where: KeyPath,
        file: TomlSource,
        into: dict[str, Any],
        inherited: Mark | None,
        *,
        overlay: bool,
    ) -> None:
        """Merge a table; ``path`` leads to it in the tree, ``where`` in its file."""
        mark = self._mark(table, path, where, file, inherited, overlay=overlay)
        for key, value in table.items():
            if key == "range":
                self._problem(
                    Origin(file, where, (*where, key)),
                    (*path, key),
                    "a range of a whole table",
                    "a range beside one value: { value = 5, range = [3, 8] }",
                )
            elif key not in _LEAF:
                self._entry(key, value, (*path, key), (*where, key), file, into, mark, overlay)

    def _entry(
        self,
        key: Any,
        value: Any,
        path: KeyPath,
        where: KeyPath,
        file: TomlSource,
        into: dict[str, Any],
        inherited: Mark | None,
        overlay: bool,
    ) -> None:
        if is_display(key, value):
            self._forget(path)
            into[key] = value
            self.origins[path] = Origin(file, where, where)
            return
        mark, at = inherited, where
        if isinstance(value, dict) and "value" in value:
            mark = self._mark(value, path, where, file, inherited, overlay=overlay)
            self._unknown(value, path, where, file)
            range_ = value.get("range")
            value, at = value["value"], (*where, "value")
            if range_ is not None and mark is not None:
                mark = Mark(mark.source, mark.ref, self._range(range_, value, path, where, file))
        elif isinstance(value, dict) and value and all(name in _LEAF for name in value):
            self._problem(Origin(file, where, where), path, "a source without a value", _LEAF_SHAPE)
        if isinstance(value, dict):
            self._subtable(key, value, path, where, at, file, into, mark, overlay)
            return
        self._forget(path)
        origin = self.origins[path] = Origin(file, where, at)
        into[key] = value
        if (fault := _unfit(value)) is not None:
            self._problem(origin, path, *fault)
            into[key] = 0  # a stand-in that can be validated; the fault is told already
        elif mark is None and path not in self.faulty:
            self._problem(
                origin,
                path,
                f"{found_text(value)} without a source",
                f"{_LEAF_SHAPE}, or a source for the whole table",
            )
        self.marks[path] = mark or Mark("assumed", None, None)

    def _subtable(
        self,
        key: Any,
        value: dict[str, Any],
        path: KeyPath,
        where: KeyPath,
        at: KeyPath,
        file: TomlSource,
        into: dict[str, Any],
        mark: Mark | None,
        overlay: bool,
    ) -> None:
        if not isinstance(into.get(key), dict) or is_display(key, into.get(key)):
            self._forget(path)
            into[key] = {}
            if overlay:
                self.added.add(path)
        self.origins.setdefault(path, Origin(file, where, at))
        self._table(value, path, at, file, into[key], mark, overlay=overlay)

    def _forget(self, path: KeyPath) -> None:
        """Drop what is known of a value that is about to be replaced, and of all below it."""
        for known in (self.marks, self.origins):
            for old in [old for old in known if old[: len(path)] == path]:
                del known[old]

    # --- what is said about values -----------------------------------------------------------

    def _mark(
        self,
        table: dict[str, Any],
        path: KeyPath,
        where: KeyPath,
        file: TomlSource,
        inherited: Mark | None,
        *,
        overlay: bool,
    ) -> Mark | None:
        """Read ``source`` and ``ref`` of a leaf or a table; the ones around it go on without."""
        source, ref = table.get("source"), table.get("ref")
        if source is None and ref is None:
            return inherited
        allowed = SOURCES if overlay else SOURCES[:-1]
        if source is None:
            if inherited is None:
                return None
            source = inherited.source
        elif not isinstance(source, str) or source not in allowed:
            hint = nearest(source, allowed) if isinstance(source, str) else None
            place = Origin(file, where, (*where, "source"))
            self._problem(
                place, path, f"source {found_text(source)}", ", ".join(allowed), hint=hint
            )
            return Mark("assumed", None, None)
        if ref is not None and (not isinstance(ref, str) or not ref.strip()):
            place = Origin(file, where, (*where, "ref"))
            self._problem(
                place, path, f"ref {found_text(ref)}", 'where to look it up: ref = "GM-F5"'
            )
        elif ref is None and source == "rulebook":
            place = Origin(file, where, (*where, "source"))
            self._problem(
                place, path, "source rulebook without a ref", 'the rule it stands in: ref = "GM-F5"'
            )
        return Mark(source, ref if isinstance(ref, str) else None, None)

    def _unknown(
        self, leaf: dict[str, Any], path: KeyPath, where: KeyPath, file: TomlSource
    ) -> None:
        for name in leaf:
            if name not in _LEAF:
                self._problem(
                    Origin(file, where, (*where, name)),
                    path,
                    f"unknown name {name!r} beside a value",
                    ", ".join(_LEAF),
                    hint=nearest(name, _LEAF),
                    at_key=True,
                )

    def _range(
        self, given: Any, value: Any, path: KeyPath, where: KeyPath, file: TomlSource
    ) -> tuple[int | str, ...] | None:
        place = Origin(file, where, (*where, "range"))
        if isinstance(value, str):
            words = given if isinstance(given, list) else []
            whole = len(words) >= 2 and all(isinstance(word, str) for word in words)
            if whole and value in words and len(set(words)) == len(words):
                return tuple(words)
            found = f"range {found_text(given)} of {found_text(value)}"
            self._problem(place, path, found, "the different words that are possible, this one too")
            return None
        items = value if isinstance(value, list) else [value]
        if not all(_is_int(item) for item in items):
            self._problem(
                place, path, f"a range of {found_text(value)}", "a range of whole numbers or words"
            )
        elif (
            not isinstance(given, list)
            or len(given) != 2
            or not all(_is_int(end) and INT32[0] <= end <= INT32[1] for end in given)
            or given[0] > given[1]
        ):
            allowed = "two whole numbers, the lower one first: range = [3, 8]"
            self._problem(place, path, f"range {found_text(given)}", allowed)
        elif not all(given[0] <= item <= given[1] for item in items):
            found = f"{found_text(value)} outside its range {found_text(given)}"
            self._problem(place, path, found, "a range that holds the value")
        else:
            return tuple(given)
        return None


def _override(text: str) -> tuple[KeyPath, Any] | str:
    """Read ``KEY=VALUE`` into a path and a value, or tell what is wrong with it."""
    key, equals, value = text.partition("=")
    if not text.isprintable():
        return "characters that cannot be printed"
    if not equals:
        return "no '='"
    try:
        node: Any = tomllib.loads(f"{key} = 0")
    except (ValueError, RecursionError):
        return f"{found_text(key)} as a key"
    path: KeyPath = ()
    while isinstance(node, dict):
        name, node = next(iter(node.items()))
        path = (*path, name)
    try:
        return path, tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        words = found_text(value.strip())
        hint = f"; text needs quotation marks: {words}" if value.strip().isidentifier() else ""
        return f"{value.strip()[:40]!r} as a value{hint}"


def _unfit(value: Any) -> tuple[str, str] | None:
    """What is wrong with a value by itself: rules hold whole numbers, words, switches and lists."""
    if isinstance(value, list):
        return next((fault for item in value if (fault := _unfit(item))), None)
    if isinstance(value, dict):
        return next((fault for item in value.values() if (fault := _unfit(item))), None)
    if isinstance(value, bool | str):
        return None
    if isinstance(value, int):
        if INT32[0] <= value <= INT32[1]:
            return None
        return found_text(value), f"a whole number from {INT32[0]} to {INT32[1]}"
    if isinstance(value, float):
        return f"{value}, which is no whole number", "a whole number (ten-thousandths for a chance)"
    return f"a date or time ({value})", "a whole number, true, false, text or a list"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
