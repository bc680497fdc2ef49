"""The section on what a kind of card does by lying in the supply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages.grids import cell, column, grid, section
from analysis.report.pages.names import level, precision, used
from analysis.report.pages.scale import Scale
from analysis.report.words import Words

__all__ = ["effect_of", "largest", "supply"]

#: So many of the largest effects are drawn; the tables have all of them.
LARGEST = 10

#: So many effects on shares of policies are listed.
MOST = 20

#: So many outcomes stand in one table of all effects.
COLUMNS = 5


def supply(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on what kinds do; None where nothing can be said of any of them."""
    found = content["supply"]
    outcomes = [outcome for outcome in found["outcomes"] if _known(outcome)] if found else []
    if not outcomes:
        return None
    groups: list[dict[str, Any]] = []
    for id_ in ("length", "seat_gap"):
        own = [outcome for outcome in outcomes if outcome["id"] == id_]
        if own:
            lists = [largest(outcome, content, w) for outcome in own]
            heading = w(f"supply.{id_}")
            groups.append({"heading": heading, "charts": [lists], "below": [_used(own, w)]})
    policies = [outcome for outcome in outcomes if outcome["id"] == "policy"]
    solo = content["title"]["seats"] == "none"
    if policies and solo:
        lists = [largest(outcome, content, w, _named(outcome, w)) for outcome in policies]
        heading = w("supply.clear")
        groups.insert(0, {"heading": heading, "charts": [lists], "below": [_used(policies, w)]})
    elif policies:
        groups.append(_policies(policies, w))
    counts = sorted({outcome["players"] for outcome in outcomes})
    every = [table for n in counts for table in _all(n, outcomes, w)]
    groups.append({"heading": w("supply.all"), "tables": every})
    shown = formats.number(100 * found["level"], digits=0)
    told = [
        w("supply.note", level=shown, family=formats.count(found["family"])),
        "" if solo else w("supply.why_not_the_mean"),
    ]
    return section(
        "supply",
        w("supply.solo" if solo else "supply", name=w.label(found["label"], found["field"])),
        groups,
        told,
    )


def _known(outcome: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the kinds of which anything can be said: deals enough had them, and had them not."""
    return [row for row in outcome["rows"] if None not in (row["effect"], row["lo"], row["hi"])]


def _used(outcomes: Sequence[Mapping[str, Any]], w: Words) -> str:
    """Return which games some outcomes rest on; they differ by outcome, not by player count."""
    there = dict.fromkeys(name for outcome in outcomes for name in outcome["designs"])
    return used(list(there), w)


def effect_of(row: Mapping[str, Any], unit: str) -> tuple[str, str]:
    """Return an effect and its interval as texts."""
    se = precision(row)
    write = formats.points if unit == "share" else _signed
    return write(row["effect"], se), f"{write(row['lo'], se)} – {write(row['hi'], se)}"


def _signed(value: float, se: float | None) -> str:
    text = formats.number(value, se)
    return f"+{text}" if value > 0 and any(c in "123456789" for c in text) else text


def _named(outcome: Mapping[str, Any], w: Words) -> str:
    return w.label(outcome["label"], outcome["policy"])


def largest(
    outcome: Mapping[str, Any], content: Mapping[str, Any], w: Words, name: str = ""
) -> dict[str, Any]:
    """Return the largest effects on one outcome, drawn.

    Parameters
    ----------
    outcome : mapping
        ``unit``, ``players``, ``deals``, and ``rows`` with a ``kind`` and its effect.
    content : mapping
    w : Words
    name : str
        Of the outcome; the player count otherwise.
    """
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
        effect, ends = effect_of(row, unit)
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
        "title": f"{name or w.players(outcome['players'])}{w('comma')}{deals}",
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
        effect, ends = effect_of(row, outcome["unit"])
        cells.append(
            [
                _named(outcome, w),
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
    notes.append(_used(outcomes, w))
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
            effect, ends = effect_of(row, outcome["unit"])
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
        return f"{_named(outcome, w)}{w('comma')}{unit}"
    return f"{w('outcome.' + outcome['id'])}{w('comma')}{unit}"
