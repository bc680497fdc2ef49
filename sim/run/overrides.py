"""Values changed for one run: the forms in which they may be given, and what is said about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.errors import InputError

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["Overrides", "as_overrides", "remarks"]

#: ``"key=value"``, several of them, or values by key.
Overrides = str | Sequence[str] | Mapping[str, Any]


def as_overrides(given: Overrides) -> tuple[str, ...]:
    """Return overrides as texts ``"key=value"``.

    Parameters
    ----------
    given : str, sequence of str, or mapping
        A mapping has dotted keys, or mappings of mappings.

    Returns
    -------
    tuple of str

    Raises
    ------
    InputError
        When it is anything else.

    Examples
    --------
    >>> as_overrides("limits.rounds=60")
    ('limits.rounds=60',)
    >>> as_overrides({"limits": {"rounds": 60}, "limits.open": True})
    ('limits.rounds=60', 'limits.open=true')
    """
    if isinstance(given, str):
        return (given,)
    if isinstance(given, Mapping):
        return tuple(_flat(given, ""))
    if isinstance(given, Sequence) and all(isinstance(text, str) for text in given):
        return tuple(given)
    raise InputError(
        f"overrides must be 'key=value', a list of such texts or a dict, not {given!r}"
    )


def _flat(values: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
            continue
        try:
            text = json.dumps(value, ensure_ascii=False)  # which is TOML too, short of null
        except TypeError:
            raise InputError(f"overrides: {prefix}{key} cannot be {value!r}") from None
        yield f"{prefix}{key}={text}"


def remarks(before: Ruleset, after: Ruleset, overrides: Sequence[str]) -> list[str]:
    """Return what a user may not have meant: changes of nothing, and values out of range.

    Parameters
    ----------
    before, after : Ruleset
        The rules without and with the overrides.
    overrides : sequence of str

    Returns
    -------
    list of str
        One line for each.
    """
    said = []
    for key in dict.fromkeys(text.partition("=")[0].strip() for text in overrides):
        if key not in before or key not in after:  # a value that the data left to its default
            continue
        old, new = before.source(key), after.source(key)
        if old.value == new.value:
            said.append(f"{key} is {_shown(old.value)} already: nothing changed")
        elif old.range and isinstance(new.value, int) and not isinstance(new.value, bool):
            low, high = old.range[0], old.range[-1]
            if isinstance(low, int) and isinstance(high, int) and not low <= new.value <= high:
                said.append(f"{key} = {new.value} lies outside its stated range, {low} to {high}")
    return said


def _shown(value: Any) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
