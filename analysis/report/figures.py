"""Figures of a report for slides and papers: SVG files beside the page, from the same numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report.pages import name_of
from analysis.report.words import Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["NAMES", "figures"]

#: What the files are called; whatever else lies beside them is not ours.
NAMES = re.compile(
    r"(seats|policies|clear|policy_seat|knob-[a-z][a-z0-9_]*|series-[a-z][a-z0-9_]*)-\d+\.svg"
)

#: Sections of rates that are drawn as intervals one below the other.
_FORESTS = ("seats", "policies", "clear")


def figures(content: Mapping[str, Any], language: str = "en") -> dict[str, str]:
    """Return figures as SVG texts by the names of their files.

    Parameters
    ----------
    content : mapping
        See :mod:`analysis.report.content`.
    language : {"en", "ja"}

    Returns
    -------
    dict of str to str
        One figure a table of the sections that a talk is made of: rates of seats and policies,
        policies in each seat, turned values, and courses over the rounds.
    """
    w = Words(language, content["words"])
    drawn = [*_rates(content, w), *_knobs(content, w), *_series(content, w)]
    return {f"{name}.svg": plots.svg(figure) for name, figure in drawn}


def _columns(rows: Sequence[Mapping[str, Any]], *names: str) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in names}


def _title(name: str, players: int, w: Words) -> str:
    return f"{name} — {w.players(players)}"


def _rates(content: Mapping[str, Any], w: Words) -> Iterator[tuple[str, Figure]]:
    for section in content["rates"]:
        for table in section["tables"]:
            name = f"{section['id']}-{table['players']}"
            if section["id"] in _FORESTS:
                yield name, _forest(section, table, w)
            elif section["id"] == "policy_seat":
                yield name, _heat(table, w)


def _forest(section: Mapping[str, Any], table: Mapping[str, Any], w: Words) -> Figure:
    rows = table["rows"]
    figure = plots.figure(6.4, 1.1 + 0.34 * len(rows))
    plots.forest(
        _columns(rows, "rate", "lo", "hi", "verdict"),
        [name_of(row, w) for row in rows],
        parity=rows[0]["parity"],
        margin=section["margin"],
        ax=figure.add_subplot(),
        title=_title(w(section["id"]), table["players"], w),
        xlabel=w("clear_rate" if section["id"] == "clear" else "rate"),
    )
    return figure


def _heat(table: Mapping[str, Any], w: Words) -> Figure:
    rows = table["rows"]
    names = {row["policy"]: w.label(row.get("label"), row["policy"]) for row in rows}
    figure = plots.figure(6.4, 1.1 + 0.3 * len(names))
    plots.heat(
        _columns(rows, "policy", "seat", "rate", "parity", "verdict"),
        labels=names,
        ax=figure.add_subplot(),
        title=f"{_title(w('policy_seat'), table['players'], w)}{w('comma')}{w('gap')}",
        xlabel=w("seat"),
    )
    return figure


def _knobs(content: Mapping[str, Any], w: Words) -> Iterator[tuple[str, Figure]]:
    for knob in content["knobs"]:
        for table in knob["tables"]:
            figure = _turned(table, w)
            figure.suptitle(
                _title(w.label(knob["label"], knob["id"]), table["players"], w),
                fontfamily=plots.FAMILY,
                fontsize=11,
            )
            yield f"knob-{knob['id']}-{table['players']}", figure


def _turned(table: Mapping[str, Any], w: Words) -> Figure:
    """Draw a line of axes for each kind of value and one in it for each seat, on one scale."""
    kinds = list(dict.fromkeys(row["what"] for row in table["rows"]))
    seats = sorted({row["seat"] for row in table["rows"]})
    figure = plots.figure(0.6 + 2.0 * len(seats), 0.6 + 2.0 * len(kinds))
    axes = figure.subplots(len(kinds), len(seats), sharey=True, squeeze=False)
    for row in table["rows"]:
        down, across = kinds.index(row["what"]), seats.index(row["seat"])
        plots.curves(
            _columns(row["points"], "value", "rate", "lo", "hi"),
            parity=row["parity"],
            margin=table["margin"],
            now=row["now"],
            ax=axes[down, across],
            title=w("seat_n", n=row["seat"]),
            xlabel=w.label(row["label"], row["what"]),
            ylabel="" if across else w("rate"),
        )
    return figure


def _series(content: Mapping[str, Any], w: Words) -> Iterator[tuple[str, Figure]]:
    for found in content["series"]:
        label = w.label(found["label"], found["column"])
        for table in found["tables"]:
            points = [
                {**point, w("seat"): w("seats.all") if row["seat"] is None else row["seat"]}
                for row in table["rows"]
                for point in row["points"]
            ]
            figure = plots.figure(6.4, 3.6)
            plots.fan(
                _columns(points, w("seat"), "round", "mean", "lo", "hi"),
                by=w("seat"),
                ax=figure.add_subplot(),
                title=_title(label, table["players"], w),
                xlabel=w("round"),
                ylabel=label,
            )
            yield f"series-{found['column']}-{table['players']}", figure
