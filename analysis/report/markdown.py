"""The report as Markdown: the same numbers as the page, readable in a terminal and in a review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report import pages
from analysis.report.words import Words

__all__ = ["markdown", "rate_table", "summary"]

#: Groups of long tables that a review would drown in are folded, also where the page shows them.
_FOLDED = frozenset({"skill", "supply"})

#: Bytes of a summary: comments on a change may have 65,536 characters, and are read on a phone.
_MOST = 20_000


def markdown(content: Mapping[str, Any], language: str = "en") -> str:
    """Return a report as Markdown: what :func:`summary` says, and everything else after it.

    Parameters
    ----------
    content : mapping
        See :mod:`analysis.report.content`.
    language : {"en", "ja"}
    """
    w = Words(language, content["words"])
    first, others = _sections(content, w)
    parts = _opening(content, w)
    for section in (*first, *others):
        parts += _section(section, w)
    parts += _basis(content, w)
    parts += [f"## {w('plan')}", _plan(content, w)]
    parts += [f"## {w('replay')}", w("replay.intro" if content["replay"] else "replay.gone")]
    parts += [f"{w('replay.folder')} `{content['run']['folder']}`"]
    parts += [
        f"{_text(pages.about_replay(item, w))}\n\n    {item['command']}"
        for item in content["replay"]
    ]
    parts += [f"## {w('provenance')}", _pairs(pages.provenance(content, w))]
    parts += [f"## {w('timing')}", _pairs(pages.timing(content, w))]
    return _joined(parts)


def summary(content: Mapping[str, Any], language: str = "en") -> str:
    """Return the verdicts and the tables they rest on: short enough for a comment on a change.

    Parameters
    ----------
    content : mapping
        See :mod:`analysis.report.content`.
    language : {"en", "ja"}
    """
    w = Words(language, content["words"])
    parts, last = _opening(content, w), w("summary.more")
    for section in _sections(content, w)[0]:
        added = _section(section, w)
        fits = len(_joined([*parts, *added, last]).encode()) < _MOST
        parts += added if fits else [added[0], w("summary.too_long")]
    return _joined([*parts, last])


def _sections(
    content: Mapping[str, Any], w: Words
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the sections that the verdicts rest on, which a summary has, and the others."""
    every = pages.sections(content, w)
    # Also where seats are alike, whose question is the self-check.
    ids = {"seats", *(question["id"] for question in content["questions"])}
    first = [section for section in every if section["id"] in ids]
    return first, [section for section in every if section["id"] not in ids]


def _opening(content: Mapping[str, Any], w: Words) -> list[str]:
    name = w.label(content["title"]["label"], content["title"]["id"])
    parts = [f"# {w('report')}{w('colon')}{_text(name)}", pages.summary(content, w)]
    parts += [f"> {_text(pages.verdict(content, w)['sentence'])}"]
    parts += [_text(line) for line in pages.caveats(content, w)]
    for answer in pages.answers(content, w):
        word = f" **{answer['word']}{w('stop')}**" if answer["word"] else ""
        told = f"{_text(answer['sentence'])}{w('space')}{answer['detail']}"
        parts.append(f"- {answer['question']}{word} {told}".rstrip())
    return [*parts, f"## {w('read')}", *pages.reading(content, w)]


def _section(section: Mapping[str, Any], w: Words) -> list[str]:
    told = [f"## {_text(section['heading'])}", *(_text(note) for note in section["notes"])]
    return told + _PARTS[section["kind"]](section, w)


def _joined(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def rate_table(table: Mapping[str, Any], w: Words) -> str:
    """Return one table of rates, as :func:`analysis.report.pages.rate_table` made it."""
    header = [table["key_head"], table["rate_head"], table["interval_head"]]
    header += [w("gap")] * table["gaps"] + [table["verdict_head"]] * table["verdicts"]
    header += [w("count")] * table["counts"] + [w("games")] + [w("rows")] * table["seat_rows"]
    rows = []
    for row in table["rows"]:
        cells = [row["name"], row["rate"], row["interval"]]
        cells += [row["gap"]] * table["gaps"] + [row["verdict"]] * table["verdicts"]
        cells += [row["count"]] if table["counts"] else []
        cells += [row["games"]] + [row["rows"]] * table["seat_rows"]
        rows.append([_text(cell) for cell in cells])
    left = {0} | ({header.index(table["verdict_head"])} if table["verdicts"] else set())
    return formats.table(header, rows, right=set(range(len(header))) - left)


def _rates(section: Mapping[str, Any], w: Words) -> list[str]:
    parts = []
    for table in section["tables"]:
        parts += [f"### {table['caption']}", rate_table(table, w)]
    return parts


def _means(section: Mapping[str, Any], w: Words) -> list[str]:
    parts = []
    head = [section["key_head"], w("mean"), section["interval_head"], section["count_head"]]
    for table in section["tables"]:
        rows = [
            [_text(row["name"]), row["mean"], row["interval"], row["count"]]
            for row in table["rows"]
        ]
        parts += [f"### {table['caption']}"] if table["caption"] else []
        parts.append(formats.table(head, rows, right={1, 2, 3}))
    return parts


def _study(section: Mapping[str, Any], w: Words) -> list[str]:
    parts: list[str] = []
    for group in section["groups"]:
        parts += [f"### {_text(group['heading'])}"] if group["heading"] else []
        for line in group["charts"]:
            for drawn in line:
                parts += _drawn(drawn)
        shown = [_any(table, w) for table in group["open"]]
        folded = [_any(table, w) for table in group["tables"]]
        if section["id"] in _FOLDED:
            shown, folded = [], shown + folded
        parts += shown + [_text(line) for line in group["below"]]
        word = w("show" if len(folded) == 1 else "show.many")
        parts += [_details(word, folded)] if folded else []
        if group["commands"]:
            told = [f"- {_text(item['about'])}: `{item['command']}`" for item in group["commands"]]
            parts.append(_details(w("show.commands"), ["\n".join(told)]))
    return parts


_PARTS = {"rates": _rates, "means": _means, "study": _study}


def _drawn(drawn: Mapping[str, Any]) -> list[str]:
    """Return what of a drawing is worth a table of its own; curves are in the folded ones."""
    if drawn["kind"] == "heat":
        rows = [
            [_text(row["name"]), *(_bold(c["text"], c["strong"]) for c in row["cells"])]
            for row in drawn["rows"]
        ]
        header = [drawn["head"], *map(_text, drawn["columns"])]
    elif drawn["kind"] == "list":
        rows = [[_text(row["name"]), row["text"], row["between"]] for row in drawn["rows"]]
        header = [drawn["key_head"], drawn["head"], drawn["interval_head"]]
    else:
        return []
    table = formats.table(header, rows, right=set(range(1, len(header))))
    return [f"**{drawn['title']}**", table]


def _any(table: Mapping[str, Any], w: Words) -> str:
    caption = f"**{table['caption']}**\n\n" if table["caption"] else ""
    return caption + (_grid(table) if "columns" in table else rate_table(table, w))


def _grid(table: Mapping[str, Any]) -> str:
    """Return a table with the second lines of its cells in brackets, without its drawings."""
    kept = [i for i, column in enumerate(table["columns"]) if column["axis"] is None]
    header = [_text(table["columns"][i]["head"]) for i in kept]
    rows = [[_cell(row[i]) for i in kept] for row in table["rows"]]
    return formats.table(header, rows, right=set(range(1, len(kept))))


def _cell(cell: Any) -> str:
    if isinstance(cell, str):
        return _text(cell)
    if "verdict" in cell:
        return _text(cell["verdict"])
    below = f" ({_text(cell['below'])})" if cell["below"] else ""
    return _bold(_text(cell["text"]), cell["clear"]) + below


def _bold(text: str, strong: bool) -> str:
    return f"**{text}**" if strong else text


def _details(summary: str, parts: list[str]) -> str:
    body = "\n\n".join(parts)
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def _basis(content: Mapping[str, Any], w: Words) -> list[str]:
    basis = pages.basis(content, w)
    return [
        f"## {w('basis')}",
        basis["numbers"],
        basis["assumed"],
        basis["changed"],
        "\n".join(f"- `{change}`" for change in basis["changes"]),
        f"**{w('modelled')}{w('stop')}** {_text(basis['status'])}",
    ]


def _plan(content: Mapping[str, Any], w: Words) -> str:
    header = [w("players"), w("design"), w("lineups"), w("deals"), w("games")]
    rows = [
        [
            row["players"],
            f"{row['design']}: {row['about']}",
            *(row[key] for key in ("lineups", "deals", "games")),
        ]
        for row in pages.plan(content, w)["rows"]
    ]
    return formats.table(header, rows, right={2, 3, 4})


def _pairs(items: list[dict[str, str]]) -> str:
    return "\n".join(f"- {item['name']}: `{item['value']}`" for item in items)


def _text(text: str) -> str:
    """Return a name of the data as text that Markdown leaves alone."""
    for sign in "\\`*_<>[]":
        text = text.replace(sign, f"\\{sign}")
    return text
