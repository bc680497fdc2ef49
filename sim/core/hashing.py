"""Content hashes that do not depend on spelling, order or place."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["canonical_json", "digest"]


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no floats.

    Parameters
    ----------
    value : mapping, sequence, str, int, bool or None
        Nested; keys are strings.

    Raises
    ------
    TypeError
        For a float, whose text is not the same everywhere, and for any other type.

    Examples
    --------
    >>> canonical_json({"b": (1, True), "a": "魔石"})
    '{"a":"魔石","b":[1,true]}'
    """
    return json.dumps(
        _plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Mapping):
        if any(not isinstance(key, str) for key in value):
            raise TypeError("only text can be a key of hashed content")
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} cannot be part of hashed content")


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of a value, as 64 hexadecimal digits.

    Examples
    --------
    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    >>> digest({"a": 1}) == digest({"a": True})
    False
    """
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
