"""Lines of text of a page: what was played, on which rules, and how to see it for yourself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report.pages.names import level
from analysis.report.words import Words

__all__ = ["about_replay", "basis", "caveats", "plan", "provenance", "reading", "summary", "timing"]


def summary(content: Mapping[str, Any], w: Words) -> str:
    """Return the line under the title."""
    run = content["run"]
    counts = w.all_players(run["players"])
    line = w("summary", games=formats.count(run["games"]), seed=run["seed"])
    return f"{counts}{w('dot')}{line}"


def caveats(content: Mapping[str, Any], w: Words) -> list[str]:
    """Return what comes before any verdict: changed rules, stand-ins, what is not modelled."""
    sources: Mapping[str, int] = content["ruleset"]["sources"]
    assumed, total = sources.get("assumed", 0), sum(sources.values())
    first = changed(content, w, most=6)
    stands = w("caveat.assumed", assumed=assumed, total=total) if assumed else ""
    status = w.label(content["title"]["status"])
    second = w("space").join(text for text in (stands, status) if text)
    return [text for text in (first, second) if text]


def changed(content: Mapping[str, Any], w: Words, *, most: int) -> str:
    """Return in one line what the rules of the run differ in; empty when in nothing."""
    rules = content["ruleset"]
    shown = {
        "changed": changes(content),
        "added": rules["added"],
        "removed": rules["removed"],
    }
    parts = []
    for kind, items in shown.items():
        if not items:
            continue
        listed = [*items[:most]]
        if len(items) > most:
            listed.append(w("more", n=len(items) - most))
        parts.append(w(kind, list=w("comma").join(listed)))
    text = w("semicolon").join(parts)
    return text[:1].upper() + text[1:] + w("stop") if text else ""


def changes(content: Mapping[str, Any]) -> list[str]:
    """Return every changed value with what it was, where that is known."""
    return [
        f"{item['key']} = {item['new']}"
        if item["old"] is None
        else f"{item['key']} {item['old']} → {item['new']}"
        for item in content["ruleset"]["changes"]
    ]


def reading(content: Mapping[str, Any], w: Words) -> list[str]:
    """Return how rates, intervals and verdicts are to be read."""
    solo = content["title"]["seats"] == "none"
    found = [w("read.rates.solo" if solo else "read.rates", level=level(content))]
    if any(section["margin"] is not None for section in content["rates"]):
        found.append(w("read.verdicts"))
    return found


def basis(content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    """Return the sentences on what the results rest on."""
    sources: Mapping[str, int] = content["ruleset"]["sources"]
    assumed = sources.get("assumed", 0)
    sourced = {k: n for k, n in sources.items() if k not in {"assumed", "override", "tool"}}
    detail = w("comma").join(f"{w('source.' + k)} {n}" for k, n in sourced.items()) or w("none")
    total = sum(sourced.values())
    rules = content["ruleset"]
    listed = changes(content)
    listed += [w(kind, list=item) for kind in ("added", "removed") for item in rules[kind]]
    return {
        "numbers": w("sentence.numbers", sourced=total, detail=detail, assumed=assumed),
        "assumed": w("sentence.assumed") if assumed else "",
        "changed": w("sentence.override") if listed else "",
        "changes": listed,
        "status": w.label(content["title"]["status"]),
    }


def plan(content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    """Return what was played."""
    return {
        "rows": [
            {
                "players": w.players(row["players"]),
                "design": w(f"design.{row['design']}"),
                "about": w(f"about.{row['design']}"),
                "lineups": formats.count(row["lineups"]),
                "deals": formats.count(row["deals"]),
                "games": formats.count(row["games"]),
            }
            for row in content["plan"]
        ],
        "policies": [
            {"id": item["id"], "name": w.label(item["label"], item["id"])}
            for item in content["policies"]
        ],
    }


def about_replay(item: Mapping[str, Any], w: Words) -> str:
    """Return what a replayed game is an example of."""
    what = w(f"replay.{item['kind']}", n=item["rounds"])
    who = w("comma").join(item["lineup"] or [])
    return f"{w.players(item['players'])}{w('comma')}{what}" + (f" — {who}" if who else "")


def provenance(content: Mapping[str, Any], w: Words) -> list[dict[str, str]]:
    """Return what is needed to make the same numbers again."""
    shown = []
    for name, value in content["provenance"].items():
        if isinstance(value, Mapping):
            value = ", ".join(f"{key} {str(digest)[:12]}" for key, digest in value.items())
        elif name == "games":
            value = formats.count(value)
        shown.append({"name": w(f"provenance.{name}"), "value": str(value)})
    return shown


def timing(content: Mapping[str, Any], w: Words) -> list[dict[str, str]]:
    """Return how this run was made."""
    items = content["timing"].items()
    return [{"name": w(f"timing.{name}"), "value": str(value)} for name, value in items]
