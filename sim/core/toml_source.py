"""TOML files that know where each of their values stands.

Faults in data are told as ``file:line:column``. The syntax tree that positions are read from is
built only when one is asked for, in one pass over the file; when it cannot be built, faults are
told without line numbers and nothing else changes.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from sim.errors import DataError, InputError, Problem, short

__all__ = [
    "MAX_BYTES",
    "KeyPath",
    "Position",
    "TomlSource",
    "dotted",
    "found_text",
    "nests_deeply",
    "parse_toml",
    "read_text",
    "read_toml",
]

#: Largest data file that is read: ten times what any has, and read in seconds whatever it holds.
MAX_BYTES = 2**18

#: Deepest nesting of tables and lists that is read: far more than any data has, and less than what
#: walking through it could not stand.
MAX_DEPTH = 32

#: Keys and, inside arrays, indices that lead to a value.
KeyPath = tuple[str | int, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLACE = re.compile(r"(?:line (\d+), column (\d+)|end of document)\)")

#: What the parser would take hours or gigabytes for: a number of a million digits, and keys of
#: thousands of parts, for which its time grows with the cube.
_LONG_WORD = re.compile(r"(?<![A-Za-z0-9_+.-])[A-Za-z0-9_+.-]{4000}")
_KEY_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_KEY_PART}[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}")


class Position(NamedTuple):
    """Where a value stands: 1-based lines and columns, counted in characters.

    ``text_column`` is the column of the first character inside a string that is written without
    escapes on one line, else None.
    """

    line: int
    column: int
    key_line: int
    key_column: int
    text_column: int | None = None


def dotted(path: KeyPath) -> str:
    """Return a path as a dotted TOML key; indices stand in brackets.

    Examples
    --------
    >>> dotted(("cards", "market", "effects", 1))
    'cards.market.effects[1]'
    >>> dotted(("cards", "二つの 名"))
    'cards."二つの 名"'
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            plain = _BARE.fullmatch(part) is not None
            quoted = part.replace("\\", "\\\\").replace('"', '\\"')
            text += ("." if text else "") + (part if plain else f'"{quoted}"')
    return text


def found_text(value: Any) -> str:
    """Return a TOML value as messages quote it; None means that there is nothing.

    Examples
    --------
    >>> found_text(True), found_text("five"), found_text([1, 2]), found_text(None)
    ('true', '"five"', '[1, 2]', 'nothing')
    """
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        if any(isinstance(item, Mapping | list | tuple) for item in value[:20]):
            return "a list"
        text = "[" + ", ".join(found_text(item) for item in value[:20]) + "]"
    elif isinstance(value, str):
        text = short(json.dumps(value[:80], ensure_ascii=False))
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, int) and value.bit_length() > 200:
        return "a number of more than 60 digits"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def nests_deeply(value: Any) -> bool:
    """Whether tables and lists lie in each other more than :data:`MAX_DEPTH` deep.

    Examples
    --------
    >>> nests_deeply({"cards": {"market": {"effects": []}}})
    False
    """
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            item
            for outer in level
            if isinstance(outer, dict | list)
            for item in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return bool(level)


@dataclass(frozen=True)
class TomlSource:
    """A parsed TOML file.

    Attributes
    ----------
    name : str
        How the file is called in messages.
    text : str
        Its content.
    data : dict
        What ``tomllib`` reads in it.
    has_lines : bool
        False for a text that is no file (an override), whose faults bear no line numbers.
    """

    name: str
    text: str
    data: dict[str, Any]
    has_lines: bool = True

    @cached_property
    def positions(self) -> dict[KeyPath, Position]:
        """Position of every key, array element and table; empty when they cannot be found."""
        try:
            return dict(_positions(self.text)) if self.has_lines else {}
        except Exception:
            # Line numbers are a courtesy: whatever keeps the syntax tree from being built must
            # never hide the fault that is to be told.
            return {}

    def position(self, path: KeyPath) -> Position | None:
        """Return where a value stands, or else the nearest table around it."""
        for length in range(len(path), 0, -1):
            if found := self.positions.get(path[:length]):
                return found
        return None

    def problem(
        self,
        path: KeyPath,
        found: str,
        allowed: str,
        *,
        hint: str | None = None,
        at_key: bool = False,
        offset: int | None = None,
        key: str | None = None,
    ) -> Problem:
        """Return a fault of this file with its place.

        Parameters
        ----------
        path : tuple of str or int
            Where the fault is.
        found, allowed : str
            What stands there and what may.
        hint : str, optional
            The nearest right name.
        at_key : bool
            Point at the key rather than at its value.
        offset : int, optional
            0-based place of the fault within the text of a string value.
        key : str, optional
            How the key is called, when not by its path.
        """
        place = self.position(path)
        line = column = None
        if place is not None:
            exact = path in self.positions
            line, column = place.line, place.column
            if at_key or not exact:
                line, column = place.key_line, place.key_column
            elif offset is not None and place.text_column is not None:
                column = place.text_column + offset
        return Problem(self.name, key or dotted(path), found, allowed, line, column, hint)


def shown(path: Path) -> str:
    """Return a path as messages show it: relative when it lies below the working folder."""
    try:
        relative = os.path.relpath(path)
    except (ValueError, OSError):  # another drive, or a working folder that is gone
        return str(path)
    return str(path) if relative.startswith("..") else relative


def read_toml(path: Path) -> TomlSource:
    """Read a TOML file.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InputError
        When it cannot be read (:func:`read_text`).
    DataError
        When its syntax is wrong; with line and column.
    """
    return parse_toml(read_text(path, "a TOML file"), shown(path))


def read_text(path: Path, allowed: str) -> str:
    """Read a file of text that somebody wrote.

    Parameters
    ----------
    path : Path
    allowed : str
        What kind of file is meant, for messages.

    Raises
    ------
    InputError
        When the file is missing, no file, not readable, larger than :data:`MAX_BYTES` or not UTF-8.
    """
    name = shown(path)
    try:
        if path.is_dir():
            raise InputError(f"{name}: found a folder; allowed: {allowed}")
        if path.exists() and not path.is_file():
            # A pipe or a device might never end.
            raise InputError(f"{name}: found something that is no file; allowed: {allowed}")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{name}: cannot be read: {reason}") from None
    if len(raw) > MAX_BYTES:
        raise InputError(f"{name}: larger than {MAX_BYTES // 2**10} kB, the limit for data files")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}:{line}: found a byte that is not UTF-8 (0x{raw[error.start]:02x}); "
            "allowed: text saved as UTF-8"
        ) from None


@lru_cache(maxsize=128)
def parse_toml(text: str, name: str) -> TomlSource:
    r"""Parse TOML text; ``name`` stands for the file in messages.

    The same text is parsed once: whoever plays many variants of a title's rules reads its files
    again each time. Nobody may change what comes back.

    Raises
    ------
    DataError
        When the syntax is wrong; with line and column.

    Examples
    --------
    >>> parse_toml("[cards.market]\ncost = 5", "x.toml").position(("cards", "market", "cost"))
    Position(line=2, column=8, key_line=2, key_column=1, text_column=None)
    """
    line: int | None = None
    column: int | None = None
    for pattern, found in (
        (_LONG_WORD, "a word or number of 4,000 characters or more"),
        (_LONG_KEY, f"tables nested more than {MAX_DEPTH} deep"),
    ):
        if match := pattern.search(text):
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            raise DataError([Problem(name, "TOML", found, "valid TOML", line, column)])
    try:
        data = tomllib.loads(text)
        if not nests_deeply(data):
            return TomlSource(name, text, data)
        found = f"tables or lists nested more than {MAX_DEPTH} deep"
    except tomllib.TOMLDecodeError as error:
        message, at, end = str(error).rpartition(" (at ")
        place = _PLACE.fullmatch(end)
        message = message if at else end
        if place and place[1]:
            line, column = int(place[1]), int(place[2])
        elif place:
            lines = text.split("\n")
            line, column = len(lines), len(lines[-1]) + 1
        found = f"a syntax error ({message[:1].lower()}{short(message[1:])})"
    except RecursionError:
        found = "brackets nested too deeply"
    except ValueError as error:  # numbers or dates that Python cannot hold
        found = f"a value that cannot be read ({str(error).split(';')[0]})"
    raise DataError([Problem(name, "TOML", found, "valid TOML", line, column)])


def _positions(text: str) -> Iterator[tuple[KeyPath, Position]]:
    """Yield paths and positions in one walk over the syntax tree."""
    import tree_sitter
    import tree_sitter_toml

    language = tree_sitter.Language(tree_sitter_toml.language())
    raw = text.encode()
    root = tree_sitter.Parser(language).parse(raw).root_node
    lines = raw.split(b"\n")
    ascii_ = [line.isascii() for line in lines]
    seen: set[KeyPath] = set()
    arrays: dict[KeyPath, int] = {}

    def place(node: Any) -> tuple[int, int]:
        row, column = node.start_point
        # Counting characters is only needed where bytes and characters differ.
        return row + 1, 1 + (
            column if ascii_[row] else len(lines[row][:column].decode(errors="replace"))
        )

    def tables(path: KeyPath, at: tuple[int, int]) -> Iterator[tuple[KeyPath, Position]]:
        for length in range(1, len(path)):
            if path[:length] not in seen:
                seen.add(path[:length])
                yield path[:length], Position(*at, *at)

    def pair(node: Any, prefix: KeyPath) -> Iterator[tuple[KeyPath, Position]]:
        inner = [child for child in node.children if child.type not in ("=", "comment")]
        key, value = inner[0], inner[-1]
        path = prefix + tuple(_key_parts(key))
        yield from tables(path, place(key))
        yield from walk(value, path, place(key))

    def walk(node: Any, path: KeyPath, key: tuple[int, int]) -> Iterator[tuple[KeyPath, Position]]:
        at = place(node)
        column = None
        if node.type == "string" and node.text[:3] not in (b'"""', b"'''"):
            column = None if node.text[:1] == b'"' and b"\\" in node.text else at[1] + 1
        seen.add(path)
        yield path, Position(*at, *key, column)
        if node.type == "array":
            items = [child for child in node.children if child.is_named and child.type != "comment"]
            for index, item in enumerate(items):
                yield from walk(item, (*path, index), place(item))
        elif node.type == "inline_table":
            for child in node.children:
                if child.type == "pair":
                    yield from pair(child, path)

    for node in root.children:
        if node.type == "pair":
            yield from pair(node, ())
        elif node.type in ("table", "table_array_element"):
            parts = _key_parts(next(child for child in node.children if child.is_named))
            path: KeyPath = ()
            for part in parts[:-1]:
                path = (*path, part)
                # A header below an array of tables goes on with the array's latest table.
                if path in arrays:
                    path = (*path, arrays[path])
            path = (*path, parts[-1])
            at = place(node)
            yield from tables(path, at)
            if node.type == "table_array_element":
                if path not in seen:
                    seen.add(path)
                    yield path, Position(*at, *at)
                arrays[path] = arrays.get(path, -1) + 1
                path = (*path, arrays[path])
            seen.add(path)
            yield path, Position(*at, *at)
            for child in node.children:
                if child.type == "pair":
                    yield from pair(child, path)


def _key_parts(node: Any) -> list[str]:
    if node.type == "dotted_key":
        return [part for child in node.children for part in _key_parts(child)]
    text = node.text.decode()
    if node.type == "quoted_key":
        return [next(iter(tomllib.loads(f"{text} = 0")))]
    return [text] if node.type == "bare_key" else []
