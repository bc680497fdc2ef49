"""What a title's model has to say about plain values, told in terms of the data files."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from sim.core.sourced import SourcedTree
from sim.core.toml_source import KeyPath, found_text
from sim.errors import Problem, nearest

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

__all__ = ["MAX_HINTS", "allowed_text", "faults", "fields_at", "is_field"]

#: Right names are looked up for this many faults.
MAX_HINTS = 200

_ALLOWED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text in quotation marks",
    "dict_type": "a table",
    "mapping_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
}
_QUOTED = re.compile(r"'([^']*)'")


def faults(
    error: ValidationError, model: type[BaseModel], tree: SourcedTree, default_file: str
) -> list[Problem]:
    """Return the faults of a validation, each where its value comes from.

    Parameters
    ----------
    error : pydantic.ValidationError
    model : type of pydantic.BaseModel
        What was validated against, for the names that are allowed.
    tree : SourcedTree
        The values that were validated.
    default_file : str
        Named for keys that no file has anything about.
    """
    problems: dict[KeyPath, Problem] = {}
    missing: dict[KeyPath, list[str]] = {}
    fields: dict[KeyPath, tuple[str, ...]] = {}
    for fault in error.errors(include_url=False):
        kind = fault["type"]
        path = _path(fault["loc"], tree.values, missing=kind == "missing")
        if any(path[:length] in tree.faulty for length in range(1, len(path) + 1)):
            continue
        if kind == "missing" and path[:-1] in tree.added:
            missing.setdefault(path[:-1], []).append(str(path[-1]))
        elif kind == "missing":
            problems[path] = tree.problem(
                path, "nothing", "a value: this key is required", default_file=default_file
            )
        elif kind == "extra_forbidden":
            if path[:-1] not in fields:
                fields[path[:-1]] = fields_at(model, path[:-1]) or ()
            names = fields[path[:-1]]
            problems[path] = tree.problem(
                path,
                "an unknown key",
                _listed(names),
                hint=_near(path, names, problems),
                at_key=True,
                default_file=default_file,
            )
        else:
            allowed, hint = allowed_text(dict(fault))
            if earlier := problems.get(path):  # one choice of a union after another
                allowed = f"{earlier.allowed} or {allowed}"
                hint = earlier.hint or hint
            problems[path] = tree.problem(
                path, found_text(fault["input"]), allowed, hint=hint, default_file=default_file
            )
    there: dict[KeyPath, list[str]] = {}
    for path, lacking in missing.items():
        # A misspelt name of a table looks like a new table that lacks everything else.
        around = path[:-1]
        if around not in there:
            there[around] = [
                str(name)
                for name, value in (tree.at(around) or {}).items()
                if isinstance(value, dict) and (*around, name) not in tree.added
            ]
        problems[path] = tree.problem(
            path,
            f"a new entry without {_listed(lacking)}",
            "the name of an entry that there is, or all keys of a new one",
            hint=_near(path, there[around], problems),
            at_key=True,
        )
    return list(problems.values())


def _near(path: KeyPath, names: Sequence[str], problems: Sized) -> str | None:
    """Find the nearest right name; nobody reads hundreds, and each takes its time."""
    return nearest(str(path[-1]), names) if len(problems) < MAX_HINTS else None


def allowed_text(fault: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return what is allowed instead of a faulty value, and the nearest right name.

    Parameters
    ----------
    fault : mapping
        One of pydantic's ``ValidationError.errors()``.
    """
    kind, message = fault["type"], str(fault["msg"])
    if kind in ("literal_error", "enum"):
        expected = str(fault.get("ctx", {}).get("expected", ""))
        value = fault["input"]
        names = _QUOTED.findall(expected)
        return expected, nearest(value, names) if isinstance(value, str) else None
    if kind == "string_pattern_mismatch":
        return f"a text like {fault.get('ctx', {}).get('pattern')}", None
    if kind in _ALLOWED:
        return _ALLOWED[kind], None
    for bound, key, word in (
        ("too_long", "max_length", "most"),
        ("too_short", "min_length", "least"),
    ):
        if kind == bound and not isinstance(fault["input"], str):
            number = fault["ctx"][key]
            return f"at {word} {number} {'entry' if number == 1 else 'entries'}", None
    for prefix in ("Input should be ", "Value error, ", "Assertion failed, "):
        message = message.removeprefix(prefix)
    return message[:1].lower() + message[1:], None


def _path(loc: Sequence[int | str], values: Any, *, missing: bool) -> KeyPath:
    """Turn a location into a path; the names of union branches in it lead nowhere."""
    path: KeyPath = ()
    node = values
    for place, part in enumerate(loc):
        inside = part in node if isinstance(node, dict) else False
        if isinstance(node, list) and isinstance(part, int):
            inside = 0 <= part < len(node)
        if inside:
            node = node[part]
        elif not (missing and place == len(loc) - 1):
            continue
        path = (*path, part)
    return path


def fields_at(model: type[BaseModel], path: KeyPath) -> tuple[str, ...] | None:
    """Return the names that a model allows at a path, or None when any name may stand there."""
    names: tuple[str, ...] = ()
    known = False
    for one in _models(_descend(model, path)):
        known = True
        names += tuple(info.alias or name for name, info in one.model_fields.items())
    return names if known else None


def is_field(model: type[BaseModel], path: KeyPath) -> bool:
    """Whether the last part of a path is a field that the model knows by name."""
    return path[-1] in (fields_at(model, path[:-1]) or ())


def _descend(annotation: Any, path: KeyPath) -> list[Any]:
    reached = [annotation]
    for part in path:
        reached = [inner for outer in reached for inner in _inside(outer, part)]
    return reached


def _choices(annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _choices(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for choice in get_args(annotation):
            yield from _choices(choice)
    else:
        yield annotation


def _models(annotations: list[Any]) -> Iterator[type[BaseModel]]:
    from pydantic import BaseModel

    for annotation in annotations:
        for choice in _choices(annotation):
            if isinstance(choice, type) and issubclass(choice, BaseModel):
                yield choice


def _inside(annotation: Any, part: str | int) -> Iterator[Any]:
    for choice in _choices(annotation):
        origin, args = get_origin(choice), get_args(choice)
        if isinstance(origin, type) and issubclass(origin, Mapping) and len(args) == 2:
            yield args[1]
        elif isinstance(origin, type) and issubclass(origin, Sequence) and args:
            yield args[0]
        else:
            for model in _models([choice]):
                for name, info in model.model_fields.items():
                    if part == (info.alias or name):
                        yield info.annotation


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:40]) + (", …" if len(names) > 40 else "") if names else "nothing"
