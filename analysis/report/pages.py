"""From the finished numbers of a report to what a page shows: texts and places, no statistics.

The content is the language-neutral mapping that :mod:`analysis.report.content` collects and that
``report.json`` holds; here it becomes words, rounded digits and coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from analysis import formats
from analysis.report.words import Words

__all__ = [
    "about_replay",
    "answers",
    "basis",
    "caveats",
    "ends",
    "heading",
    "html",
    "means",
    "name_of",
    "notes",
    "plan",
    "provenance",
    "rate_table",
    "reading",
    "summary",
]

WIDTH, PAD = 200.0, 10.0
_ENDS = ("best", "worst")
#: How a verdict is drawn; a description of what was chosen during play is drawn neutrally.
_MARKS = {"balanced": "balanced", "unbalanced": "unbalanced", "undecided": "undecided"}
_MARKS |= {"too few games": "few"}


@cache
def _template() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")


def _asset(name: str) -> str:
    return (files("analysis.report") / "templates" / name).read_text(encoding="utf-8")


def html(content: Mapping[str, Any], language: str = "en") -> str:
    """Return the page: one file, nothing fetched from anywhere.

    Parameters
    ----------
    content : mapping
        See :mod:`analysis.report.content`.
    language : {"en", "ja"}
    """
    from markupsafe import Markup

    w = Words(language)
    text: str = _template().render(
        w=w,
        # The style sheet is this package's own file; everything else is escaped.
        css=Markup(_asset("page.css")),
        name=w.label(content["title"]["label"], content["title"]["id"]),
        summary=summary(content, w),
        caveats=caveats(content, w),
        answers=answers(content, w),
        reading=reading(content, w),
        sections=[_rate_section(section, content, w) for section in content["rates"]]
        + [ends(content, w)],
        means=means(content, w),
        basis=basis(content, w),
        plan=plan(content, w),
        replay=[
            {"about": about_replay(item, w), "command": item["command"]}
            for item in content["replay"]
        ],
        folder=content["run"]["folder"],
        provenance=provenance(content, w),
        timing=timing(content, w),
    )
    return text


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


def answers(content: Mapping[str, Any], w: Words) -> list[dict[str, str]]:
    """Return one verdict with its sentence for each question."""
    return [_answer(question, w) for question in content["questions"]]


def _answer(question: Mapping[str, Any], w: Words) -> dict[str, str]:
    kind, said = question["id"], question["verdict"]
    answer = {"question": w(f"question.{kind}"), "mark": _mark(said), "word": "", "detail": ""}
    answer["topic"] = w(f"topic.{kind}")
    row = question["row"]
    if kind == "clear":
        answer["sentence"] = w("say.clear", **_figures(row, w)) if row else w("say.too few games")
        return answer
    answer["word"] = w(said)
    if said == "untold":
        answer["sentence"] = w("say.untold")
        return answer
    margin = formats.number(100 * question["margin"], digits=_margin_digits(question["margin"]))
    if said == "too few games" or row is None:
        answer["sentence"] = w("say.too few games")
    else:
        told = [w(f"say.{kind}.{said}", margin=margin, **_figures(row, w))]
        told += [w(f"say.{e}", **_figures(question[e], w)) for e in _ENDS if e in question]
        answer["sentence"] = w("space").join(told)
    by = question["by_players"]
    if len(by) > 1 and len({item["verdict"] for item in by}) == 1:
        answer["detail"] = w("say.all_players", word=w(said))
    elif len(by) > 1:
        listed = w("comma").join(
            f"{w.players(item['players'])} {w(item['verdict'])}" for item in by
        )
        answer["detail"] = w("say.by_players", list=listed)
    return answer


def _precision(row: Mapping[str, Any]) -> float | None:
    """Return what the digits follow: the standard error, or the interval where that is zero."""
    return row["se"] or (row["hi"] - row["lo"]) / 4 or None


def _figures(row: Mapping[str, Any], w: Words) -> dict[str, str]:
    se = _precision(row)
    gap = None if row["parity"] is None else row["rate"] - row["parity"]
    return {
        "players": w.players(row["players"]),
        "name": w.spaced(name_of(row, w, inside=True)),
        "rate": formats.percent(row["rate"], se),
        "lo": formats.percent(row["lo"], se),
        "hi": formats.percent(row["hi"], se),
        "gap": formats.percent(None if gap is None else abs(gap), se),
        "side": w("above" if gap is not None and gap > 0 else "below"),
        "parity": formats.percent(row["parity"], digits=1),
        "games": formats.count(row["games"]),
    }


def name_of(row: Mapping[str, Any], w: Words, *, inside: bool = False) -> str:
    """Return the name of a row of a rate table: its seat, policy or category.

    ``inside`` is for the middle of a sentence.
    """
    parts = []
    if "policy" in row:
        parts.append(w.label(row.get("label"), row["policy"]))
    if "category" in row:
        parts.append(w.label(row.get("label"), row["category"]))
    if "seat" in row:
        parts.append(w("seat_n.inside" if inside or parts else "seat_n", n=row["seat"]))
    return " · ".join(parts)


def _mark(verdict: str | None) -> str:
    return _MARKS.get(verdict or "", "plain")


def _margin_digits(margin: float) -> int:
    return 0 if abs(round(100 * margin) - 100 * margin) < 1e-9 else 1


def notes(section: Mapping[str, Any], w: Words) -> list[str]:
    """Return the captions of a section of rates: what was used, and what is special about it."""
    designs = w("comma").join(w(f"design.{name}") for name in section["designs"])
    first = w("caption.used", designs=designs or w("none"))
    if section["margin"] is not None:
        margin = formats.number(100 * section["margin"], digits=_margin_digits(section["margin"]))
        first += w("space") + w("caption.margin", margin=margin)
    return [w("space").join([first, *(w(f"caption.{name}") for name in section["captions"])])]


def reading(content: Mapping[str, Any], w: Words) -> list[str]:
    """Return how rates, intervals and verdicts are to be read."""
    level = formats.number(100 * content["level"], digits=0)
    found = [w("read.rates", level=level)]
    if any(section["margin"] is not None for section in content["rates"]):
        found.append(w("read.verdicts"))
    return found


def heading(section: Mapping[str, Any], w: Words) -> str:
    """Return the heading of a section of rates."""
    if section["id"] == "category":
        return w("by", name=w.inside(section["label"], section["column"]))
    return w("seats.check" if "symmetric" in section["captions"] else section["id"])


def _rate_section(
    section: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    id_ = section["id"] if section["id"] != "category" else f"by-{section['column']}"
    return {
        "id": id_,
        "heading": heading(section, w),
        "tag": w("selected") if "selected" in section["captions"] else "",
        "notes": notes(section, w),
        "folded": section["id"] == "policy_seat",
        "tables": [rate_table(table, section, content, w) for table in section["tables"]],
    }


def rate_table(
    table: Mapping[str, Any], section: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    """Return one table of rates as texts and places."""
    rows = table["rows"]
    solo = section["id"] == "clear"
    margin = None if solo else section["margin"]
    parity = rows[0]["parity"] if rows else None
    scale = _Scale([(row["lo"], row["hi"]) for row in rows], parity, margin)
    heads = {
        "seats": "seat",
        "policies": "policy",
        "clear": "policy",
        "policy_seat": "policy_and_seat",
    }
    level = formats.number(100 * content["level"], digits=0)
    return {
        "caption": w.players(table["players"]),
        "key_head": w.label(section.get("label")) or w(heads.get(section["id"], "policy")),
        "rate_head": w("clear_rate" if solo else "rate"),
        "interval_head": w("interval", level=level),
        "gaps": parity is not None,
        "verdicts": margin is not None,
        "verdict_head": w("lies" if "selected" in section["captions"] else "verdict"),
        "counts": False,
        "seat_rows": any(row["rows"] != row["games"] for row in rows),
        "scale": scale.drawn(),
        "rows": [_rate_row(row, scale, w) for row in rows],
    }


def _rate_row(row: Mapping[str, Any], scale: _Scale, w: Words) -> dict[str, str]:
    se = _precision(row)
    gap = None if row["parity"] is None else row["rate"] - row["parity"]
    name, rate = name_of(row, w), formats.percent(row["rate"], se)
    between = formats.interval(row["lo"], row["hi"], se)
    said = row["verdict"]
    return {
        "name": name,
        "rate": rate,
        "interval": between,
        "gap": formats.points(gap, se),
        "verdict": w(said) if said else "",
        "games": formats.count(row["games"]),
        "stacked": w("n_games", games=formats.count(row["games"])),
        "rows": formats.count(row.get("rows")),
        "spoken": f"{name}: {rate} % ({between})",
        "mark": _mark(said),
        **scale.places(row),
    }


class _Scale:
    """The common axis of a table: rates to places in the drawing."""

    def __init__(
        self, intervals: Sequence[tuple[float, float]], parity: float | None, margin: float | None
    ) -> None:
        ends = [x for pair in intervals for x in pair]
        self.parity, self.margin = parity, margin
        if parity is not None:
            ends += [parity - (margin or 0.0), parity + (margin or 0.0)]
        self.lo, self.hi = (min(ends), max(ends)) if ends else (0.0, 1.0)
        if self.hi - self.lo < 1e-6:
            self.lo, self.hi = self.lo - 0.01, self.hi + 0.01

    def x(self, rate: float) -> float:
        share = (rate - self.lo) / (self.hi - self.lo)
        return round(PAD + share * (WIDTH - 2 * PAD), 1)

    def places(self, row: Mapping[str, Any]) -> dict[str, Any]:
        at = self.x(row["rate"])
        places = {"x": at, "x_left": round(at - 4, 1)}
        return places | {"x_lo": self.x(row["lo"]), "x_hi": self.x(row["hi"])}

    def drawn(self) -> dict[str, Any]:
        band = None
        if self.parity is not None and self.margin:
            left = self.x(self.parity - self.margin)
            band = (left, round(self.x(self.parity + self.margin) - left, 1))
        step = _step(100 * (self.hi - self.lo))
        first = math.ceil(100 * self.lo / step)
        last = math.floor(100 * self.hi / step)
        digits = max(0, -math.floor(math.log10(step)))
        ticks: list[dict[str, Any]] = [
            {"x": self.x(i * step / 100), "text": formats.number(i * step, digits=digits)}
            | {"anchor": "middle", "inner": True}
            for i in range(first, last + 1)
        ]
        if len(ticks) > 1:  # the outer ones grow inwards, whatever the size of the letters
            for tick, anchor, way in ((ticks[0], "start", -1), (ticks[-1], "end", 1)):
                half = 3.0 * len(tick["text"])
                at = min(WIDTH, max(0.0, tick["x"] + way * half))
                tick |= {"x": round(at, 1), "anchor": anchor, "inner": False}
        parity = None if self.parity is None else self.x(self.parity)
        return {"band": band, "parity": parity, "ticks": ticks}


def _step(span: float) -> float:
    """Return a round distance that gives three to six ticks."""
    power = 10.0 ** math.floor(math.log10(span / 3))
    return next((m * power for m in (5, 2, 1) if span / (m * power) >= 2.5), power)


def ends(content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    """Return the section on how games end."""
    level = formats.number(100 * content["level"], digits=0)
    tables = []
    for table in content["ends"]:
        scale = _Scale([(0.0, 1.0)], None, None)  # shares of a whole are shown on all of it
        rows = []
        for row in table["rows"]:
            shown = {**row, "category": row["id"], "parity": None, "verdict": None}
            drawn = _rate_row(shown, scale, w)
            rows.append({**drawn, "count": formats.count(row["count"])})
        tables.append(
            {
                "caption": w.players(table["players"]),
                "key_head": w("reason"),
                "rate_head": w("share"),
                "interval_head": w("interval", level=level),
                "gaps": False,
                "verdicts": False,
                "verdict_head": "",
                "counts": True,
                "seat_rows": False,
                "scale": scale.drawn(),
                "rows": rows,
            }
        )
    note = w("caption.ends", level=level)
    return {
        "id": "ends",
        "heading": w("ends"),
        "tag": "",
        "notes": [note],
        "folded": False,
        "tables": tables,
    }


def means(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return the sections of means: length, and where points come from."""
    level = formats.number(100 * content["level"], digits=0)
    common = {
        "note": w("caption.mean", level=level),
        "interval_head": w("interval", level=level),
    }
    counted = [row["histogram"] for row in content["length"]["rows"] if row.get("histogram")]
    low = min((counts[0][0] for counts in counted), default=0)
    high = max((_quantile(counts, 0.999) for counts in counted), default=1)
    length = [
        {**_mean_row(row, w.players(row["players"])), "count": formats.count(row["games"])}
        | _bars(row.get("histogram") or [], low, high, row["mean"], w)
        for row in content["length"]["rows"]
    ]
    charts = all(row["bars"] for row in length)
    found = [
        common
        | {
            "id": "length",
            "heading": f"{w('length')} — {w.label(content['length']['label'])}",
            "key_head": w("players"),
            "count_head": w("games"),
            "charts": charts,
            "spread_head": w("spread_of", name=w.inside(content["length"]["label"])),
            "tables": [{"caption": "", "rows": length}],
        }
    ]
    every = [row for table in content["points"] for row in table["rows"]]
    some = {row["column"] for row in every if row["lo"] != 0 or row["hi"] != 0}
    zero = {r["column"]: w.label(r["label"], r["column"]) for r in every if r["column"] not in some}
    if some:
        tables = [
            {
                "caption": w.players(table["players"]),
                "rows": [
                    {**_mean_row(row, w.label(row["label"], row["column"]))}
                    | {"count": formats.count(row["rows"])}
                    for row in table["rows"]
                    if row["column"] in some
                ],
            }
            for table in content["points"]
        ]
        found.append(
            common
            | {
                "id": "sources",
                "heading": w("sources"),
                "note": w("space").join(
                    [common["note"]]
                    + ([w("zero", list=w("comma").join(zero.values()))] if zero else [])
                ),
                "key_head": w("origin"),
                "count_head": w("rows"),
                "charts": False,
                "tables": tables,
            }
        )
    return found


def _mean_row(row: Mapping[str, Any], name: str) -> dict[str, str]:
    se = row["se"]
    between = f"{formats.number(row['lo'], se)} – {formats.number(row['hi'], se)}"
    mean = formats.number(row["mean"], se)
    return {
        "name": name,
        "mean": mean,
        "interval": between,
        "spoken": f"{name}: {mean} ({between})",
    }


def _quantile(counts: Sequence[Sequence[int]], share: float) -> int:
    """Return the smallest value that this share of the games does not exceed."""
    left = share * sum(games for _, games in counts)
    for value, games in counts:
        left -= games
        if left <= 0:
            return value
    return counts[-1][0]


def _bars(
    counts: Sequence[Sequence[int]], low: int, high: int, mean: float, w: Words
) -> dict[str, Any]:
    """Return columns on the axis from ``low`` to ``high``, and a word on what is beyond it."""
    if not counts:
        return {"bars": []}
    inside = [(value, games) for value, games in counts if value <= high]
    most = max(games for _, games in inside)
    wide = min(20.0, (WIDTH - 2) / (high - low + 1))
    bars = []
    for value, games in inside:
        height = round(44 * games / most, 1)
        at = round(1 + (value - low) * wide, 1)
        bars.append(
            {"x": at, "y": round(44 - height, 1), "width": round(wide * 0.86, 1), "height": height}
        )
    beyond = sum(games for value, games in counts if value > high)
    word = w(
        "beyond_1" if beyond == 1 else "beyond",
        games=formats.count(beyond),
        last=max(value for value, _ in counts),
    )
    return {
        "bars": bars,
        "first": str(low),
        "last": str(high),
        "last_x": round(1 + (high - low + 1) * wide - wide * 0.14, 1),
        "mean_x": round(1 + (mean - low + 0.43) * wide, 1),
        "beyond": word if beyond else "",
    }


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
    what = w(f"replay.{item['kind']}", n=item.get("rounds"))
    who = w("comma").join(item.get("lineup") or [])
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
    """Return how this run was made; empty when that is not known."""
    found = content.get("timing", {})
    return [{"name": w(f"timing.{name}"), "value": str(value)} for name, value in found.items()]
