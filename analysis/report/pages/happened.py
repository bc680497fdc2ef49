"""Sections on what happened in play: rare events, courses over the rounds, what was on offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages import charts
from analysis.report.pages.grids import cell, column, grid, headed, rate_cell, section
from analysis.report.pages.names import level, precision
from analysis.report.pages.scale import Scale
from analysis.report.words import Words

__all__ = ["events", "series", "supply"]

#: So many of the largest effects are drawn; the tables have all of them.
LARGEST = 10
#: So many effects on shares of policies are listed.
MOST = 20

#: So many outcomes stand in one table of all effects.
COLUMNS = 5


def events(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each kind of event."""
    return [_event(event, content, w) for event in content.get("events") or []]


def _event(event: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    every = [row for table in event["tables"] for row in table["rows"]]
    scale = Scale([0.0, *(row["hi"] for row in every)])
    head = headed("share", content, w)
    by = w.inside(event["by_label"], event["by"])
    groups = []
    for table in event["tables"]:
        rows = [
            [
                w.label(row["label"], row["id"]),
                {"height": 24, "scale": scale.drawn(), "whiskers": [_whisker(row, scale)]},
                rate_cell(row),
                formats.count(row["count"]),
                formats.count(row["seats"]),
                formats.count(row["games"]),
                "–" if row["round"] is None else formats.number(row["round"], digits=0),
            ]
            for row in table["rows"]
        ]
        columns = [
            column(w.label(event["by_label"], event["by"])),
            column(w("interval", level=level(content)), scale=scale),
            *(column(text) for text in (head, w("reached"), w("of_seats"), w("games"))),
            column(w("event.round")),
        ]
        commands = [
            {"about": w.label(row["label"], row["id"]), "command": row["command"]}
            for row in table["rows"]
            if row["command"]
        ]
        name = w.players(table["players"])
        groups.append({"open": [grid(name, columns, rows)], "commands": commands})
    name = w.label(event["label"], event["column"])
    by = w.inside(event["by_label"], event["by"])
    return section(
        f"event-{event['column']}",
        w("event", name=name, by=by),
        groups,
        [w("event.note", by=by, level=level(content))],
    )


def _whisker(row: Mapping[str, Any], scale: Scale, value: str = "rate") -> dict[str, Any]:
    return {**scale.places(row, value), "y": 12, "tone": 0}


def series(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each column that is followed over the rounds."""
    return [_course(found, content, w) for found in content.get("series") or []]


def _course(found: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    every = [p for t in found["tables"] for row in t["rows"] for p in row["points"]]
    inside = charts.span(x for p in every for x in (p["lo"], p["hi"]))
    tables = [table for table in found["tables"] if any(row["points"] for row in table["rows"])]
    seats = sorted({row["seat"] for table in tables for row in table["rows"]})
    group = {
        "charts": [[_over_rounds(table, inside, w) for table in tables]],
        "legend": [
            {"kind": "mark", "tone": i % 6, "text": w("seat_n", n=n)} for i, n in enumerate(seats)
        ],
        "tables": [_rounds_table(table, w) for table in tables],
    }
    heading = w.label(found["label"], found["column"])
    note = w("series.note", level=level(content))
    return section(f"series-{found['column']}", heading, [group], [note])


def _over_rounds(table: Mapping[str, Any], inside: tuple[float, float], w: Words) -> dict[str, Any]:
    rows = table["rows"]
    lines = [
        charts.Line(
            [(p["round"], p["mean"], p["lo"], p["hi"], "") for p in row["points"]], str(row["seat"])
        )
        for row in rows
    ]
    counts = {p["round"]: p["games"] for row in rows for p in row["points"]}
    return charts.panel(
        w.players(table["players"]),
        lines,
        across=_rounds(sorted(counts)),
        inside=inside,
        factor=1.0,
        size=charts.LARGE,
        area=True,
        counts=sorted(counts.items()),
    )


def _rounds(rounds: Sequence[int]) -> list[tuple[float, str]]:
    """Return ticks at round numbers of rounds."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 10**6) if len(rounds) / s <= 7)
    return [(n, str(n)) for n in rounds if n % step == 0 or n == rounds[0]]


def _rounds_table(table: Mapping[str, Any], w: Words) -> dict[str, Any]:
    rows = table["rows"]
    found: dict[int, dict[int, Mapping[str, Any]]] = {}
    for row in rows:
        for point in row["points"]:
            found.setdefault(point["round"], {})[row["seat"]] = point
    seats = [row["seat"] for row in rows]
    cells = [
        [
            str(number),
            *(_mean_cell(by.get(seat)) for seat in seats),
            formats.count(max(point["games"] for point in by.values())),
        ]
        for number, by in sorted(found.items())
    ]
    columns = [column(w("round")), *(column(w("seat_n", n=seat)) for seat in seats)]
    return grid(w.players(table["players"]), [*columns, column(w("games"))], cells, dense=True)


def _mean_cell(point: Mapping[str, Any] | None) -> Any:
    if point is None:
        return "–"
    se = (point["hi"] - point["lo"]) / 4 or None  # the digits follow the interval
    ends = f"{formats.number(point['lo'], se)} – {formats.number(point['hi'], se)}"
    return cell(formats.number(point["mean"], se), ends)


def supply(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on what a kind does by lying in the supply."""
    found = content.get("supply")
    if not found or not found["outcomes"]:
        return None
    outcomes = found["outcomes"]
    groups: list[dict[str, Any]] = []
    for id_ in ("length", "seat_gap"):
        own = [outcome for outcome in outcomes if outcome["id"] == id_]
        if own:
            lists = [_largest(outcome, content, w) for outcome in own]
            groups.append({"heading": w(f"supply.{id_}"), "charts": [lists]})
    policies = [outcome for outcome in outcomes if outcome["id"] == "policy"]
    if policies:
        groups.append(_policies(policies, w))
    counts = sorted({outcome["players"] for outcome in outcomes})
    every = [table for n in counts for table in _all(n, outcomes, w)]
    groups.append({"heading": w("supply.all"), "tables": every})
    shown = formats.number(100 * found["level"], digits=0)
    told = [
        w("supply.note", level=shown, family=formats.count(found["family"])),
        w("supply.why_not_the_mean"),
    ]
    return section(
        "supply", w("supply", name=w.label(found["label"], found["field"])), groups, told
    )


def _known(outcome: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the kinds of which anything can be said: some deals had them, and some did not."""
    return [row for row in outcome["rows"] if row["effect"] is not None]


def _effect(row: Mapping[str, Any], unit: str) -> tuple[str, str]:
    """Return an effect and its interval as texts."""
    se = precision(row)
    write = formats.points if unit == "share" else _signed
    return write(row["effect"], se), f"{write(row['lo'], se)} – {write(row['hi'], se)}"


def _signed(value: float, se: float | None) -> str:
    text = formats.number(value, se)
    return f"+{text}" if value > 0 and any(c in "123456789" for c in text) else text


def _largest(outcome: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    """Return the largest effects on one outcome, drawn."""
    unit = outcome["unit"]
    rows = sorted(_known(outcome), key=lambda row: -abs(row["effect"]))[:LARGEST]
    scale = Scale(
        (end for row in rows for end in (row["lo"], row["hi"])),
        0.0,
        factor=100.0 if unit == "share" else 1.0,
        width=112.0,
    )
    cells = []
    for row in rows:
        effect, ends = _effect(row, unit)
        cells.append(
            {
                "name": w.label(row["label"], row["kind"]),
                "text": effect,
                "between": ends,
                "spoken": f"{w.label(row['label'], row['kind'])}: {effect} ({ends})",
                "mark": "plain" if row["clear"] else "undecided",
                **scale.places(row, "effect"),
            }
        )
    deals = w("n_deals", n=formats.count(outcome["deals"]))
    return {
        "kind": "list",
        "title": f"{w.players(outcome['players'])}{w('comma')}{deals}",
        "key_head": w("kind"),
        "head": w(f"effect.{unit}"),
        "interval_head": w("interval", level=level(content)),
        "scale": scale.drawn(),
        "rows": cells,
    }


def _policies(outcomes: Sequence[Mapping[str, Any]], w: Words) -> dict[str, Any]:
    """Return a table of the largest effects on policies' shares whose intervals exclude zero."""
    known = [(outcome, row) for outcome in outcomes for row in _known(outcome)]
    clear = [pair for pair in known if pair[1]["clear"]]
    clear.sort(key=lambda pair: -abs(pair[1]["effect"]))
    cells = []
    for outcome, row in clear[:MOST]:
        effect, ends = _effect(row, outcome["unit"])
        cells.append(
            [
                w.label(outcome["label"], outcome["policy"]),
                w.players(outcome["players"]),
                w.label(row["label"], row["kind"]),
                cell(effect, ends, strong=True),
                formats.count(row["with"]),
            ]
        )
    heads = (w("policy"), w("players"), w("kind"), w("effect.share"), w("with_it"))
    table = [grid("", [column(head) for head in heads], cells)] if cells else []
    counts = {"all": formats.count(len(known)), "clear": formats.count(len(clear))}
    key = "supply.some" if cells else "supply.none"
    notes = [w(key, shown=formats.count(len(cells)), **counts)]
    return {"heading": w("supply.policies"), "open": table, "below": notes}


def _all(players: int, outcomes: Sequence[Mapping[str, Any]], w: Words) -> list[dict[str, Any]]:
    """Return every effect at one player count: a row a kind, a column an outcome."""
    own = [outcome for outcome in outcomes if outcome["players"] == players]
    # So many columns fit on paper; more of them are tables of their own.
    return [_some(players, own[i : i + COLUMNS], w) for i in range(0, len(own), COLUMNS)]


def _some(players: int, outcomes: Sequence[Mapping[str, Any]], w: Words) -> dict[str, Any]:
    names: dict[str, str] = {}
    cells: dict[str, list[Any]] = {}
    with_it: dict[str, list[int]] = {}
    for i, outcome in enumerate(outcomes):
        for row in _known(outcome):
            names[row["kind"]] = w.label(row["label"], row["kind"])
            effect, ends = _effect(row, outcome["unit"])
            line = cells.setdefault(row["kind"], ["–"] * len(outcomes))
            line[i] = cell(effect, ends, strong=row["clear"])
            with_it.setdefault(row["kind"], []).append(row["with"])
    rows = [[names[kind], *line, _range(with_it[kind])] for kind, line in cells.items()]
    columns = [column(w("kind")), *(column(_outcome(outcome, w)) for outcome in outcomes)]
    return grid(w.players(players), [*columns, column(w("with_it"))], rows, dense=True)


def _range(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return formats.count(low) if low == high else f"{low:,}–{high:,}"


def _outcome(outcome: Mapping[str, Any], w: Words) -> str:
    unit = w(f"unit.{outcome['unit']}")
    if outcome["id"] == "policy":
        return f"{w.label(outcome['label'], outcome['policy'])}{w('comma')}{unit}"
    return f"{w('outcome.' + outcome['id'])}{w('comma')}{unit}"
