"""Rules of a title: validated, hashed, frozen, with the source of every value.

``load_ruleset`` reads the data files of a title, lays overlays and overrides over them, checks the
result against the title's model and freezes it. All faults of all files are told at once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sim.core.blame import blamed
from sim.core.hashing import digest
from sim.core.sourced import SOURCES, Mark, Origin, SourcedTree, is_display, override_source
from sim.core.toml_source import KeyPath, TomlSource, dotted, read_toml, shown
from sim.errors import DataError, InputError, Problem, UnknownNameError

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["MOST_OVERLAYS", "MOST_OVERRIDES", "NOT_RULES", "Ruleset", "Source", "load_ruleset"]

#: Most overlays and overrides: each is laid over all before it, and again to find who is to blame.
MOST_OVERLAYS, MOST_OVERRIDES = 32, 1000

#: Files beside the rules that are read by others.
NOT_RULES = ("report.toml",)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value of the rules comes from.

    Attributes
    ----------
    value : int, bool, str or tuple
    source : str
        One of ``rulebook``, ``public``, ``derived``, ``assumed``, ``tool``, ``override``.
    ref : str or None
        Where to look it up: ``"GM-F5"``.
    range : tuple or None
        Lowest and highest plausible number, or all possible words.
    file, line, column : str, int or None, int or None
        Where the value stands.
    """

    value: Any
    source: str
    ref: str | None
    range: tuple[int | str, ...] | None
    file: str
    line: int | None
    column: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Ruleset:
    """The rules that a game is played by. Equal rulesets have equal ``hash`` and ``data_hash``.

    Attributes
    ----------
    title : str
    values : mapping
        Plain values, nested and read-only: ``values["cards"]["market"]["cost"]``. The order of the
        entries follows from their names and the title's model alone, never from the order in a
        file: rulesets with the same ``hash`` play the same games.
    hash : str
        SHA-256 of all that decides results; labels and other texts for people are left out.
    data_hash : str
        SHA-256 of the same with labels, texts, sources, references and ranges.
    """

    title: str
    values: Mapping[str, Any]
    hash: str
    data_hash: str
    _marks: Mapping[KeyPath, Mark]
    _tree: SourcedTree

    def keys(self) -> list[str]:
        """Return the dotted keys of all values that decide results."""
        return list(self._paths)

    def __contains__(self, key: object) -> bool:
        """Whether there is a value of this dotted key."""
        return key in self._paths

    def source(self, key: str) -> Source:
        """Return where a value comes from.

        Parameters
        ----------
        key : str
            Dotted: ``"witches.celestina.cost"``.

        Raises
        ------
        UnknownNameError
            When there is no such value; with the nearest key.
        """
        path = self._paths.get(key)
        if path is None:
            raise UnknownNameError("key of the rules", key, self._paths)
        mark, origin = self._marks[path], self._origins[path]
        place = origin.file.position(origin.value)
        line, column = (place.line, place.column) if place else (None, None)
        value = _at(self.values, path)
        return Source(value, mark.source, mark.ref, mark.range, origin.file.name, line, column)

    def sources(self) -> dict[str, int]:
        """Return how many values come from each source, in the order of ``sourced.SOURCES``."""
        counts = Counter(mark.source for mark in self._marks.values())
        return {source: counts[source] for source in SOURCES if counts[source]}

    def overridden(self) -> dict[str, Any]:
        """Return the values that overlays and overrides set, by dotted key in order."""
        return {
            key: _at(self.values, path)
            for key, path in sorted(self._paths.items())
            if self._marks[path].source == "override"
        }

    def problem(
        self,
        path: KeyPath,
        found: str,
        allowed: str,
        *,
        hint: str | None = None,
        offset: int | None = None,
    ) -> Problem:
        """Return a fault of a value, for checks that a model cannot make.

        Parameters
        ----------
        path : tuple of str or int
            ``("cards", "market", "effects", 1)``; an index leads into a list.
        found, allowed : str
            What stands there and what may.
        hint : str, optional
            The nearest right name.
        offset : int, optional
            0-based place of the fault within the text of the value
            (``ExpressionError.column - 1``).
        """
        return self._tree.problem(
            path, found, allowed, hint=hint, offset=offset, default_file=self.title
        )

    @property
    def _origins(self) -> Mapping[KeyPath, Origin]:
        return self._tree.origins

    @cached_property
    def _paths(self) -> dict[str, KeyPath]:
        return {dotted(path): path for path in self._marks}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return (self.title, self.hash, self.data_hash) == (
            other.title,
            other.hash,
            other.data_hash,
        )

    def __hash__(self) -> int:
        return hash((self.title, self.hash, self.data_hash))

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {source}" for source, count in self.sources().items())
        return (
            f"Ruleset({self.title!r}, {len(self._marks)} values: {counts}; hash {self.hash[:12]})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views cannot be pickled; they are made anew at the other end.
        marks = dict(self._marks)
        return _thawed, (
            self.title,
            _plain(self.values),
            self.hash,
            self.data_hash,
            marks,
            self._tree,
        )


def _thawed(
    title: str,
    values: dict[str, Any],
    hash_: str,
    data_hash: str,
    marks: dict[KeyPath, Mark],
    tree: SourcedTree,
) -> Ruleset:
    return Ruleset(title, _frozen(values), hash_, data_hash, MappingProxyType(marks), tree)


def load_ruleset(
    title: str,
    folder: Path,
    model: type[BaseModel],
    *,
    overlays: Sequence[str | Path] = (),
    overrides: Sequence[str] = (),
    exclude: Sequence[str] = NOT_RULES,
    check: Callable[[Ruleset], Iterable[Problem]] | None = None,
) -> Ruleset:
    """Read the rules of a title.

    Parameters
    ----------
    title : str
        Its id.
    folder : Path
        All ``*.toml`` directly in it are data files.
    model : type of pydantic.BaseModel
        Of the plain values. It should forbid extra keys. A field may have a default only when that
        is empty (0, false, no text, an empty list): other values belong in the data, with a source.
    overlays : sequence of path
        Laid over the data in their order. Plain values are allowed in them; new entries too.
    overrides : sequence of str
        ``"witches.celestina.cost=7"``, last of all.
    exclude : sequence of str
        Names of files in the folder that are not rules.
    check : callable, optional
        The title's own checks of what a model cannot know (names that refer to other tables, texts
        of effects); gets the ruleset and returns problems, best made by :meth:`Ruleset.problem`.

    Raises
    ------
    DataError
        With all problems.
    InputError
        When a file cannot be read.
    """
    if not folder.is_dir():
        raise InputError(f"{shown(folder)}: there is no such folder")
    for what, given, most in (
        ("overlays", overlays, MOST_OVERLAYS),
        ("overrides", overrides, MOST_OVERRIDES),
    ):
        if len(given) > most:
            raise InputError(f"found {len(given):,} {what}; allowed: at most {most:,}")
    files = [path for path in sorted(folder.glob("*.toml")) if path.name not in exclude]
    problems: list[Problem] = []
    base, over = _read_all(files, problems), _read_all(overlays, problems)
    # Whoever plays many variants loads the same rules again and again.
    key = (title, folder, model, check, tuple(overrides), *((f.name, f.text) for f in base + over))
    found = _loaded.get(key)
    if problems or found is None:

        def lay(count: int) -> Ruleset:
            """Lay the first so many overlays and overrides over the data."""
            some = overrides[: max(count - len(over), 0)]
            return _laid(title, model, shown(folder), base, over[:count], some, problems, check)

        layers = [*over, *map(override_source, overrides)]
        try:
            ruleset = lay(len(layers))
        except DataError as error:
            own = {title, shown(folder), *(file.name for file in base)}
            raise DataError(_ordered(blamed(error.problems, own, layers, lay))) from None
        with _lock:
            while len(_loaded) >= _KEPT:
                del _loaded[next(iter(_loaded))]
            _loaded[key] = ruleset
        return ruleset
    return found


#: Rulesets by everything that they are made from; they are read-only, so that sharing is safe.
_loaded: dict[Hashable, Ruleset] = {}
_KEPT = 8
_lock = Lock()


def _read_all(paths: Iterable[str | Path], problems: list[Problem]) -> list[TomlSource]:
    found = []
    for path in paths:
        try:
            found.append(read_toml(Path(path)))
        except DataError as error:
            problems += error.problems
    return found


def _laid(
    title: str,
    model: type[BaseModel],
    folder: str,
    base: Sequence[TomlSource],
    over: Sequence[TomlSource],
    overrides: Sequence[str],
    problems: Sequence[Problem],
    check: Callable[[Ruleset], Iterable[Problem]] | None,
) -> Ruleset:
    """Return the rules of some files, laid over each other in their order."""
    tree = SourcedTree()
    tree.problems += problems
    for file in base:
        tree.add_base(file)
    for file in over:
        tree.add_overlay(file)
    if any(problem.key == "TOML" for problem in tree.problems):
        # With a file unread, everything in it would be called missing.
        raise DataError(tree.problems)
    if overrides:
        from sim.core.schema_faults import is_field

        for text in overrides:
            tree.add_override(text, lambda path: is_field(model, path))
    return _sealed(title, _validated(tree, model, folder), tree, check)


def _validated(tree: SourcedTree, model: type[BaseModel], folder: str) -> dict[str, Any]:
    from pydantic import ValidationError

    # Sorted, so that nothing downstream can depend on the order of entries in a file. By way of
    # JSON, because there a list is what a tuple is written as, even for a strict model.
    text = json.dumps(tree.values, sort_keys=True)
    try:
        checked = model.model_validate_json(text, strict=True)
    except ValidationError as error:
        from sim.core.schema_faults import faults

        raise DataError(_ordered([*tree.problems, *faults(error, model, tree, folder)])) from None
    if tree.problems:
        raise DataError(_ordered(tree.problems))
    return checked.model_dump(mode="json", by_alias=True)


def _ordered(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(
        problems, key=lambda one: (one.file, one.line or 0, one.column or 0, one.key, one.found)
    )


def _sealed(
    title: str,
    values: dict[str, Any],
    tree: SourcedTree,
    check: Callable[[Ruleset], Iterable[Problem]] | None,
) -> Ruleset:
    marks: dict[KeyPath, Mark] = {}
    for path, value in _leaves(values, ()):
        if path in tree.marks:
            marks[path] = tree.marks[path]
        elif value:
            raise TypeError(
                f"the model of {title!r} gives {dotted(path)} the default {value!r}; "
                "a value that decides results belongs in the data, with a source"
            )
    said = {dotted(path): [mark.source, mark.ref, mark.range] for path, mark in marks.items()}
    ruleset = _thawed(
        title,
        values,
        digest(_deciding(values)),
        digest({"values": values, "sources": said}),
        marks,
        tree,
    )
    if check is not None and (problems := list(check(ruleset))):
        raise DataError(_ordered(problems))
    return ruleset


def _leaves(table: dict[str, Any], path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    for key, value in table.items():
        if is_display(key, value):
            continue
        if isinstance(value, dict):
            yield from _leaves(value, (*path, key))
        else:
            yield (*path, key), value


def _deciding(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _deciding(item) for key, item in value.items() if not is_display(key, item)}
    return [_deciding(item) for item in value] if isinstance(value, list) else value


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _at(values: Mapping[str, Any], path: KeyPath) -> Any:
    node: Any = values
    for part in path:
        node = node[part]
    return node
