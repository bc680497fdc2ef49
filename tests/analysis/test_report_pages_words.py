"""The words of a page: each in both languages, each used, and none missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.report import pages
from analysis.report.words import _WORDS, LANGUAGES, Words
from sim.errors import UnknownNameError
from tests.analysis.made_report import made
from tests.analysis.parsed import SCHEMA


def test_what_is_filled_into_words_is_left_alone():
    assert Words("en")("by", name="30 % mana") == "Win rate by 30 % mana"
    assert Words("en")("interval", level=95) == "95\u00a0% interval"


def test_all_words_exist_in_both_languages():
    for key, words in _WORDS.items():
        assert set(words) == set(LANGUAGES), key
        english, japanese = (set(re.findall(r"{\w+}", words[lang])) for lang in LANGUAGES)
        assert english == japanese or (key.startswith("also.") and english <= japanese), key
    with pytest.raises(UnknownNameError, match="en, ja"):
        Words("fr")


def enum(*path: str) -> set[str]:
    """Return the values that the schema allows at a place, without null."""
    found = SCHEMA
    for step in path:
        found = found[step]
    return {value for value in found["enum"] if value is not None}


def filled_in() -> dict[str, set[str]]:
    """Return the words whose keys are put together, by what stands before the name.

    The names are those that the schema allows, so that a key for anything else is dead.
    """
    defs = SCHEMA["$defs"]
    designs, asked = enum("$defs", "design"), enum("$defs", "question", "properties", "id")
    judged = asked - {"clear", "check"}
    said = enum("$defs", "question", "properties", "verdict")
    checked = {"passed", "failed"}
    once = said - {"untold", "too few games"} - checked
    outcomes = SCHEMA["properties"]["supply"]["anyOf"][0]["properties"]["outcomes"]["items"]
    kinds = set(outcomes["properties"]["id"]["enum"]) - {"policy"}
    keys = defs["section"]["properties"]
    return {
        "": said
        | enum("$defs", "verdict")
        | (set(keys["id"]["enum"]) - {"category"})
        | {"basis", "plan", "replay", "provenance"},
        "design.": designs,
        "about.": designs,
        "caption.": set(keys["captions"]["items"]["enum"]),
        "question.": asked,
        "topic.": asked,
        "one.": judged | once,
        "many.": judged,
        "also.": once | {"too few games"},
        "say.": {f"{id_}.{word}" for id_ in judged for word in once} | {"best", "worst"},
        "say.check.": checked,
        "source.": {"rulebook", "public", "derived"},
        "replay.": enum("$defs", "replay", "properties", "kind"),
        "unit.": set(outcomes["properties"]["unit"]["enum"]),
        "effect.": set(outcomes["properties"]["unit"]["enum"]),
        "outcome.": kinds,
        "supply.": kinds,
        "provenance.": set(made()["provenance"]),
        "timing.": {
            "command", "finished", "seconds", "games_per_second", "jobs", "backend", "machine",
            "software",
        },
    }  # fmt: skip


def test_all_words_are_used():
    """A key stands in the code or in a template, whole or as one of the names that are filled in.

    And the other way round: what can be filled in has its words.
    """
    folder = Path(pages.__file__).parents[1]
    files = [*folder.rglob("*.py"), *folder.rglob("*.html")]
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    names = filled_in()
    for start in names:
        assert not start or re.search(rf"""["']{re.escape(start)}({{|["'] \+)""", code), start
    put_together = {start + name for start, found in names.items() for name in found}
    assert put_together <= set(_WORDS)
    for key in _WORDS:
        assert key in put_together or re.search(rf"""["']{re.escape(key)}["']""", code), key
