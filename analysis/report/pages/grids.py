"""Tables whose cells are texts, intervals below their numbers, or drawings of several intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages.names import level, precision
from analysis.report.pages.scale import Scale
from analysis.report.words import Words

__all__ = ["beside", "cell", "column", "grid", "headed", "joined", "rate_cell", "section"]

#: Height of one interval in a drawing of several.
_LANE = 13.0


def section(
    id_: str,
    heading: str,
    groups: Sequence[Mapping[str, Any]],
    notes: Sequence[str] = (),
    tag: str = "",
) -> dict[str, Any]:
    """Return a section of charts and tables.

    A group has ``heading``, ``charts`` (lists of charts, each list a line of its own), their
    ``legend``, ``open`` tables, lines ``below`` them, ``tables`` that are folded and ``commands``;
    what it lacks is filled in, and lines without charts are left out.
    """
    empty: dict[str, Any] = {"heading": "", "charts": [], "legend": [], "tables": []}
    empty |= {"open": [], "below": [], "commands": []}
    return {
        "kind": "study",
        "id": id_,
        "heading": heading,
        "tag": tag,
        "notes": [note for note in notes if note],
        "groups": [
            {**empty, **group, "charts": [line for line in group.get("charts", ()) if line]}
            for group in groups
        ],
    }


def grid(
    caption: str,
    columns: Sequence[Mapping[str, Any]],
    rows: Sequence[Sequence[Any]],
    *,
    dense: bool = False,
) -> dict[str, Any]:
    """Return a table; the first cell of each row is its name."""
    return {
        "caption": caption,
        "columns": list(columns),
        "rows": list(rows),
        "dense": dense,
    }


def column(head: str, *, mark: int | None = None, scale: Scale | None = None) -> dict[str, Any]:
    """Return the head of a column, with the mark of its drawings or their axis."""
    return {"head": head, "mark": mark, "axis": None if scale is None else scale.drawn()}


def headed(key: str, content: Mapping[str, Any], w: Words) -> str:
    """Return the head of a column of figures with intervals below."""
    return w("with_interval", what=w(key), interval=w("interval", level=level(content)))


def cell(
    text: str, below: str = "", *, strong: bool = False, clear: bool = False
) -> dict[str, Any]:
    """Return a cell with a second line; an interval that has to be broken breaks after its dash.

    Strong is a matter of style; ``clear`` says that the figure differs from nought, in bold also
    where there is no style.
    """
    shown = {"text": text, "below": below.replace(" – ", "\u00a0– ")}
    return {**shown, "strong": strong or clear, "clear": clear}


def rate_cell(row: Mapping[str, Any] | None) -> Any:
    """Return a rate with its interval below."""
    if row is None:
        return "–"
    se = precision(row)
    ends = formats.interval(row["lo"], row["hi"], se)
    return cell(formats.percent(row["rate"], se), ends, strong=True)


def joined(values: Sequence[int]) -> str:
    """Return counts of games that belong to one row: one number where they agree.

    Examples
    --------
    >>> joined([1000, 1000]), joined([1000, 2000])
    ('1,000', '1,000 / 2,000')
    """
    same = len(set(values)) == 1
    return " / ".join(formats.count(value) for value in (values[:1] if same else values))


def beside(
    caption: str,
    head: str,
    variants: Sequence[tuple[Any, str]],
    rows: Sequence[tuple[str, Mapping[Any, Mapping[str, Any]]]],
    content: Mapping[str, Any],
    w: Words,
    margin: float | None = None,
) -> dict[str, Any]:
    """Return a table of rates with several variants side by side, and drawn in one place.

    Parameters
    ----------
    caption, head : str
        Name of the table and of its rows.
    variants : sequence of (key, str)
        In the order of the columns.
    rows : sequence of (str, mapping)
        The name of a row, and its row of rates by variant.
    content : mapping
    w : Words
    margin : float, optional
        Of the band around parity.
    """
    every = [row for _, by in rows for row in by.values()]
    parity = every[0]["parity"] if every else None
    scale = Scale((end for row in every for end in (row["lo"], row["hi"])), parity, margin)
    keys = [key for key, _ in variants]
    cells = [
        [
            name,
            _drawing([(i, by[key]) for i, key in enumerate(keys) if key in by], len(keys), scale),
            *(rate_cell(by.get(key)) for key in keys),
            joined([by[key]["games"] for key in keys if key in by]),
        ]
        for name, by in rows
    ]
    columns = [column(head), column(w("interval", level=level(content)), scale=scale)]
    columns += [column(text, mark=i) for i, (_, text) in enumerate(variants)]
    return grid(caption, [*columns, column(w("games"))], cells)


def _drawing(
    rows: Sequence[tuple[int, Mapping[str, Any]]], lanes: int, scale: Scale
) -> dict[str, Any]:
    return {
        "height": _LANE * lanes + 4,
        "scale": scale.drawn(),
        "whiskers": [
            {**scale.places(row), "y": round(_LANE * (i + 0.5) + 2, 1), "tone": i % 6}
            for i, row in rows
        ],
    }
