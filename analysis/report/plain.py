"""Values of tables as report.json holds them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["CHANGES", "by_players", "json_row", "json_value", "present_ones"]

#: Columns of :func:`analysis.compare`, and how rows that tell a figure beside its change call them.
CHANGES = {"change": "change", "se": "change_se", "lo": "change_lo", "hi": "change_hi"}


def json_value(value: Any) -> Any:
    """Return a JSON value: what is not a number is none.

    Examples
    --------
    >>> json_value(0.5), json_value(float("nan"))
    (0.5, None)
    """
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def json_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a table with JSON values.

    Examples
    --------
    >>> json_row({"rate": float("inf"), "games": 3})
    {'rate': None, 'games': 3}
    """
    return {key: json_value(value) for key, value in row.items()}


def present_ones(found: Iterable[dict[str, Any] | None]) -> list[dict[str, Any]]:
    """Return what there is.

    Examples
    --------
    >>> present_ones([{"id": 1}, None])
    [{'id': 1}]
    """
    return [one for one in found if one is not None]


def by_players(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows as one table a player count.

    Examples
    --------
    >>> by_players([{"players": 3, "seat": 1}, {"players": 2, "seat": 1}])[0]
    {'players': 2, 'rows': [{'players': 2, 'seat': 1}]}
    """
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        tables.setdefault(row["players"], []).append(row)
    return [{"players": n, "rows": found} for n, found in sorted(tables.items())]
