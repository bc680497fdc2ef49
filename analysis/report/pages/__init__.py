"""From the finished numbers of a report to what a page shows: texts and places, no statistics.

The content is the language-neutral mapping that :mod:`analysis.report.content` collects and that
``report.json`` holds; here it becomes words, rounded digits and coordinates. :func:`html` is the
way in; Markdown is made from the same sections.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from analysis.report.pages import happened, studies
from analysis.report.pages.answers import answers, verdict
from analysis.report.pages.brought import mirrors, pilots
from analysis.report.pages.building import building
from analysis.report.pages.cards import cards
from analysis.report.pages.foes import foes, shares
from analysis.report.pages.heat import policy_seat
from analysis.report.pages.levers import levers
from analysis.report.pages.matchups import matchups
from analysis.report.pages.matrices import matrices
from analysis.report.pages.means import means
from analysis.report.pages.names import name_of
from analysis.report.pages.rates import ends, heading, notes, rate_section, rate_table
from analysis.report.pages.supply import supply
from analysis.report.pages.texts import (
    about_replay,
    basis,
    caveats,
    plan,
    provenance,
    reading,
    summary,
    timing,
)
from analysis.report.pages.winners import curves, winners
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
    "sections",
    "summary",
    "timing",
    "verdict",
]

#: Marks of the lines of a chart, drawn around the origin; a sixth line begins again, but dashed.
SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M0-5.2L5.2 0 0 5.2-5.2 0z",
    "M-3.8-3.8h7.6v7.6h-7.6z",
    "M0-5l5 8.6h-10z",
    "M0 5l5-8.6h-10z",
    "M-4-1.4h2.6v-2.6h2.8v2.6h2.6v2.8h-2.6v2.6h-2.8v-2.6h-2.6z",
)


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

    w = Words(language, content["words"])
    text: str = _template().render(
        w=w,
        # The style sheet is this package's own file; everything else is escaped.
        css=Markup("".join(_asset(name) for name in ("page.css", "charts.css", "print.css"))),
        shapes=SHAPES,
        name=w.label(content["title"]["label"], content["title"]["id"]),
        summary=summary(content, w),
        verdict=verdict(content, w),
        caveats=caveats(content, w),
        answers=answers(content, w),
        reading=reading(content, w),
        sections=sections(content, w),
        basis=basis(content, w),
        plan=plan(content, w),
        replay=[
            {"about": about_replay(item, w), "command": item["command"]}
            for item in content["replay"]
        ],
        folder=content["run"]["folder"],
        provenance=provenance(content, w),
        timing=timing(content, w),
        recipe=Markup(_embedded(content["recipe"])),
    )
    return text


def _embedded(recipe: Any) -> str:
    """Return JSON that cannot end the element it stands in: no sign of a tag is left."""
    if recipe is None:
        return ""
    return json.dumps(recipe, ensure_ascii=True, sort_keys=True).replace("<", "\\u003c")


def sections(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return everything between the answers and what the results rest on, in its order."""
    found: list[dict[str, Any] | None] = []
    categories: list[dict[str, Any] | None] = []
    for section in content["rates"]:
        if section["id"] == "seat_design":
            found.append(studies.seat_design(section, content, w))
        elif section["id"] == "policy_seat":
            found.append(policy_seat(section, content, w))
        elif section["id"] == "category":
            categories.append(rate_section(section, content, w))
        else:
            found.append(rate_section(section, content, w))
    length, *points = means(content, w)
    found += [
        pilots(content, w),
        *matchups(content, w),
        mirrors(content, w),
        studies.skill(content, w),
        *studies.knobs(content, w),
        *levers(content, w),
        *categories,
        *matrices(content, w),
        *curves(content, w),
        building(content, w),
        studies.composition(content, w),
        *happened.events(content, w),
        ends(content, w),
        *shares(content, w),
        foes(content, w),
        length,
        *happened.series(content, w),
        *points,
        *winners(content, w),
        supply(content, w),
        cards(content, w),
    ]
    return [section for section in found if section is not None]
