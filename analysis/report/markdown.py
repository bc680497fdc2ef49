"""The report as Markdown: the same numbers as the page, readable in a terminal and in a review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report import pages
from analysis.report.words import Words

__all__ = ["markdown", "rate_table"]


def markdown(content: Mapping[str, Any], language: str = "en") -> str:
    """Return a report as Markdown.

    Parameters
    ----------
    content : mapping
        See :mod:`analysis.report.content`.
    language : {"en", "ja"}
    """
    w = Words(language)
    name = w.label(content["title"]["label"], content["title"]["id"])
    parts = [f"# {w('report')}{w('colon')}{_text(name)}", pages.summary(content, w)]
    parts += [_text(line) for line in pages.caveats(content, w)]
    for answer in pages.answers(content, w):
        word = f" **{answer['word']}{w('stop')}**" if answer["word"] else ""
        told = f"{_text(answer['sentence'])}{w('space')}{answer['detail']}"
        parts.append(f"- {answer['question']}{word} {told}".rstrip())
    parts += [f"## {w('read')}", *pages.reading(content, w)]
    for section in content["rates"]:
        parts += [f"## {pages.heading(section, w)}", *pages.notes(section, w)]
        for table in section["tables"]:
            parts += [f"### {w.players(table['players'])}", rate_table(table, section, content, w)]
    parts += _ends(content, w) + _means(content, w)
    basis = pages.basis(content, w)
    parts += [f"## {w('basis')}", basis["numbers"], basis["assumed"], basis["changed"]]
    parts += ["\n".join(f"- `{change}`" for change in basis["changes"])]
    parts += [
        f"**{w('modelled')}{w('stop')}** {_text(basis['status'])}",
        f"## {w('plan')}",
        _plan(content, w),
    ]
    parts += [f"## {w('replay')}", w("replay.intro" if content["replay"] else "replay.gone")]
    parts += [f"{w('replay.folder')} `{content['run']['folder']}`"]
    parts += [
        f"{_text(pages.about_replay(item, w))}\n\n    {item['command']}"
        for item in content["replay"]
    ]
    parts += [f"## {w('provenance')}", _pairs(pages.provenance(content, w))]
    timing = pages.timing(content, w)
    if timing:
        parts += [f"## {w('timing')}", _pairs(timing)]
    return "\n\n".join(part for part in parts if part) + "\n"


def rate_table(
    table: Mapping[str, Any], section: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> str:
    """Return one table of rates."""
    shown = pages.rate_table(table, section, content, w)
    header = [shown["key_head"], shown["rate_head"], shown["interval_head"]]
    header += (
        [w("gap")] * shown["gaps"] + [shown["verdict_head"]] * shown["verdicts"] + [w("games")]
    )
    header += [w("rows")] * shown["seat_rows"]
    rows = []
    for row in shown["rows"]:
        cells = [row["name"], row["rate"], row["interval"]]
        cells += [row["gap"]] * shown["gaps"] + [row["verdict"]] * shown["verdicts"]
        cells += [row["games"]] + [row["rows"]] * shown["seat_rows"]
        rows.append([_text(cell) for cell in cells])
    right = {1, 2, header.index(w("games")), len(header) - 1} | ({3} if shown["gaps"] else set())
    return formats.table(header, rows, right=right)


def _ends(content: Mapping[str, Any], w: Words) -> list[str]:
    section = pages.ends(content, w)
    parts = [f"## {section['heading']}", *section["notes"]]
    for table in section["tables"]:
        header = [table["key_head"], table["rate_head"], table["interval_head"]]
        rows = [
            [_text(row["name"]), row["rate"], row["interval"], row["count"], row["games"]]
            for row in table["rows"]
        ]
        header += [w("count"), w("games")]
        parts += [f"### {table['caption']}", formats.table(header, rows, right={1, 2, 3, 4})]
    return parts


def _means(content: Mapping[str, Any], w: Words) -> list[str]:
    parts = []
    for section in pages.means(content, w):
        parts += [f"## {section['heading']}", section["note"]]
        head = [section["key_head"], w("mean"), section["interval_head"]]
        for table in section["tables"]:
            rows = [
                [_text(row["name"]), row["mean"], row["interval"], row["count"]]
                for row in table["rows"]
            ]
            parts += [f"### {table['caption']}"] if table["caption"] else []
            header = [*head, section["count_head"]]
            parts.append(formats.table(header, rows, right={1, 2, 3, 4}))
    return parts


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
