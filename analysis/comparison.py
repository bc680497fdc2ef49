"""What a change did, table by table, as pages and the command line tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import formats
from analysis.changes import between
from analysis.compare import changed_deals, changed_games, check_pair, compare, parting
from analysis.report.plain import json_row
from analysis.sections import designs_for, present, rate_sections
from sim.errors import InputError

if TYPE_CHECKING:
    from sim.core.title import TitleInfo
    from sim.run.result import Run

__all__ = ["comparison", "comparison_markdown"]

#: Sections of rates that a comparison tells; finer ones are asked for by their keys.
_TOLD = ("seats", "policies", "clear", "category")


def comparison(
    before: Run, after: Run, *, level: float = 0.95, by: tuple[str, ...] = (), most: int = 5
) -> dict[str, Any]:
    """Return what differs between two runs of the same deals.

    Parameters
    ----------
    before, after : Run
        As for :func:`analysis.compare`.
    level : float
        Coverage of the intervals; those of one table hold together.
    by : tuple of str
        Keys of the only table of rates; by default the tables of a report.
    most : int
        Number of games that are told, of those whose result changed.

    Returns
    -------
    dict
        Plain JSON values: ``rules`` (what differs in them), ``deals`` (by player count how many
        have another result), ``tables`` (of rates), ``length``, and ``games``, each with the first
        event that differs.
    """
    check_pair(before, after)
    info, plan = before.info, before.plan
    if by:
        asked: list[tuple[str, tuple[str, ...], Any, bool]] = [
            ("asked", by, None, _chosen(info, by))
        ]
    else:
        asked = [
            (one.id, one.by, one.designs, one.selected)
            for one in rate_sections(info, plan)
            if one.id in _TOLD and not (one.id == "seats" and info.seats == "symmetric")
        ]
    return {
        "title": info.id,
        "seed": before.seed,
        "games": before.games_count,
        "level": level,
        "solo": info.seats == "none",
        "rules": _rules(before, after),
        "deals": _deals(before, after, level),
        "tables": [
            {
                "id": id_,
                "by": list(keys),
                "designs": list(designs or designs_for(keys, present(plan))),
                "selected": selected,
                "rows": _rows(before, after, keys, "win60", level, designs),
            }
            for id_, keys, designs, selected in asked
        ],
        "length": _rows(before, after, ("players",), "rounds", level, None),
        "games_changed": _games(before, after, most),
    }


def _chosen(info: TitleInfo, by: tuple[str, ...]) -> bool:
    return any(column.selected and column.name in by for column in info.level("seat"))


def _rows(
    before: Run, after: Run, keys: tuple[str, ...], value: str, level: float, designs: Any
) -> list[dict[str, Any]]:
    found = compare(before, after, keys, value, level=level, design=designs)
    return [json_row(row) for row in found.to_dicts()]


def _rules(before: Run, after: Run) -> dict[str, Any]:
    """Return what the rules differ in; no more than the fingerprints where they cannot be read."""
    told: dict[str, Any] = {"before": before.rules.hash, "after": after.rules.hash}
    try:
        return told | between(before.setup.ruleset, after.setup.ruleset)
    except InputError:
        return told | {"changes": None, "added": [], "removed": []}


def _deals(before: Run, after: Run, level: float) -> list[dict[str, Any]]:
    found = []
    for players in before.plan.players:
        one = changed_deals(before, after, players, level=level)
        row = {"deals": one.deals, "changed": one.changed, "rate": one.rate}
        found.append(json_row({"players": players, **row, "lo": one.lo, "hi": one.hi}))
    return found


def _games(before: Run, after: Run, most: int) -> list[dict[str, Any]]:
    """Return the first games whose result changed, each with where its two stories part."""
    found = []
    for row in changed_games(before, after, most).to_dicts():
        try:
            at = parting(before, after, row["game"])
        except InputError:  # rules or engine have changed since: the figures stand all the same
            at = None
        parts = at and {"event": at.at, "before": dict(at.before), "after": dict(at.after)}
        found.append({**row, "parting": parts})
    return found


def comparison_markdown(found: dict[str, Any]) -> str:
    """Return a comparison as Markdown.

    Parameters
    ----------
    found : dict
        From :func:`comparison`.
    """
    games = formats.count(found["games"])
    parts = [
        f"{found['title']}: {games} games, seed {found['seed']}, the same deals before and after"
    ]
    parts.append(_rules_text(found["rules"]))
    parts.append(_deals_text(found["deals"], found["level"]))
    noun = "clear rate" if found["solo"] else "win rate"
    for table in found["tables"]:
        keys = [key for key in table["by"] if key != "players" or len(found["deals"]) > 1]
        head = f"{noun.capitalize()} by {', '.join(keys)} ({', '.join(table['designs'])})"
        if table["selected"]:
            head += "; chosen during play, so that it describes and does not explain"
        parts += [
            head,
            _table(table["rows"], keys or table["by"], found["level"], f"{noun}, %", 100),
        ]
    parts += ["Rounds", _table(found["length"], ["players"], found["level"], "rounds", 1)]
    if found["games_changed"]:
        parts += ["The first games whose result changed", _games_text(found["games_changed"])]
    parts.append(
        'Intervals hold together within one table, clustered by deal. "games for the same" is how '
        "many games two runs on deals of their own would have needed."
    )
    return "\n\n".join(parts)


def _rules_text(rules: dict[str, Any]) -> str:
    if rules["before"] == rules["after"]:
        return "The rules are the same."
    if rules["changes"] is None:
        return (
            f"Rules {rules['before'][:12]} and {rules['after'][:12]}, which are not here any more."
        )
    lines = [f"  {one['key']}: {one['old']} → {one['new']}" for one in rules["changes"]]
    lines += [f"  {key}: new" for key in rules["added"]]
    lines += [f"  {key}: taken out" for key in rules["removed"]]
    return "\n".join(lines)


def _deals_text(deals: list[dict[str, Any]], level: float) -> str:
    rows = [
        [
            str(one["players"]),
            formats.percent(one["rate"], digits=2),
            f"{formats.percent(one['lo'], digits=2)} – {formats.percent(one['hi'], digits=2)}",
            formats.count(one["changed"]),
            formats.count(one["deals"]),
        ]
        for one in deals
    ]
    interval = f"{100 * level:g} % interval"
    header = ["players", "deals with another result, %", interval, "deals changed", "deals"]
    return formats.table(header, rows, right=set(range(5)))


def _table(rows: list[dict[str, Any]], keys: list[str], level: float, unit: str, scale: int) -> str:
    told = formats.points if scale == 100 else formats.number
    header = [*keys, f"{unit} before", "after", "change" + (", pp" if scale == 100 else "")]
    header += [f"{100 * level:g} % interval", "games", "games for the same"]
    lines = []
    for row in rows:
        se = row["se"] or None
        plain = formats.percent if scale == 100 else formats.number
        lines.append(
            [
                *("–" if row[key] is None else str(row[key]) for key in keys),
                plain(row["before"], se),
                plain(row["after"], se),
                told(row["change"], se),
                f"{told(row['lo'], se)} … {told(row['hi'], se)}",
                formats.count(row["games"]),
                formats.count(row["unpaired"]),
            ]
        )
    return formats.table(header, lines, right=set(range(len(keys), len(header))))


def _games_text(games: list[dict[str, Any]]) -> str:
    def shares(values: list[int]) -> str:
        return " ".join(f"{value / 60:g}" if value % 60 == 0 else f"{value}/60" for value in values)

    rows = []
    for one in games:
        parts = one["parting"]
        where = "–" if parts is None else f"event {parts['event']}: {_instead(parts)}"
        rows.append([str(one["game"]), shares(one["before"]), shares(one["after"]), where])
    header = ["game", "wins before", "wins after", "where the stories part"]
    return formats.table(header, rows, right={0})


def _instead(parts: dict[str, Any]) -> str:
    """Return two events in short: their names and the fields that differ."""
    before, after = parts["before"], parts["after"]
    name, other = (one.get("event", "the end") for one in (before, after))
    place = "".join(f"{key} {before[key]}, " for key in ("round", "seat") if key in before)
    if name != other:
        return f"{place}{name} → {other}"
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    turned = (f"{key} {_turned(before.get(key), after.get(key))}" for key in keys)
    return f"{place}{name}: {', '.join(turned)}"


def _turned(before: Any, after: Any) -> str:
    """Return two values in short; of lists what one has and the other has not."""
    if isinstance(before, list) and isinstance(after, list):
        gone = [f"−{item}" for item in before if item not in after]
        come = [f"+{item}" for item in after if item not in before]
        return " ".join(gone + come) or "in another order"
    return f"{before} → {after}"
