"""Lists of decks as players write them, and as tables of an overlay."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sim.core.title import Label
from sim.errors import MOST_TOLD, DataError, Problem, nearest
from sim.titles.majestic.decks import deck_faults

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["DeckList", "as_toml", "folded", "read_list"]


@dataclass(frozen=True)
class DeckList:
    """A deck by ids: the sorcerer, and copies of main deck and mana deck."""

    sorcerer: str
    main: dict[str, int]
    mana: dict[str, int]


#: Longest line of a list that is read, in characters; names have at most a tenth of that.
LONGEST_LINE = 400

#: ``4 Card name``, ``4x Card name``, ``4枚 Card name``; and ``Card name ×4``.
_LINES = (
    re.compile(r"(?P<copies>[0-9]{1,3})(?:\s*[×枚]\s*|x\s*|\s+x\s+|\s+)(?P<name>\S.*)", re.I),
    re.compile(r"(?P<name>[^\s0-9].*?)(?:\s*×\s*|\s+x\s*)(?P<copies>[0-9]{1,3})", re.I),
)
_SORCERER = re.compile(r"(?:sorcerer|ソーサラー)\s*[:：]\s*(?P<name>\S.*)", re.IGNORECASE)


def read_list(text: str, ruleset: Ruleset, name: str = "deck list") -> DeckList:
    r"""Read a deck as players write it: ``4 Card name``, one card a line.

    Names are those in English or Japanese, or ids; what follows ``#`` or ``//`` and lines without a
    number do not count, except ``Sorcerer: NAME``. ``4x Card name``, ``4枚 Card name`` and
    ``Card name ×4`` are the same. Which part a card belongs to follows from what it is. The same
    card on several lines adds up.

    Parameters
    ----------
    text : str
    ruleset : Ruleset
        The cards there are, and the rules for decks.
    name : str
        What the list is called in messages.

    Raises
    ------
    DataError
        With every fault: names that are not known, with their lines, and all that MM-D1 demands.

    Examples
    --------
    >>> from sim.titles.majestic import load
    >>> read_list("Sorcerer: Nobody\n3 Fire mana", load())
    Traceback (most recent call last):
    sim.errors.DataError: ...
    """
    values = ruleset.values
    names = _names(values)
    parts: dict[str, dict[str, int]] = {"cards": {}, "mana": {}, "sorcerers": {}}
    problems: list[Problem] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if len(line) > LONGEST_LINE:
            allowed = f"at most {LONGEST_LINE} characters a line"
            problems.append(Problem(name, "line", f"{len(line):,}", allowed, line=number))
            continue
        read = _read_line(line)
        if read is None:
            continue
        copies, called = read
        found = names.get(folded(called))
        if found is None:
            # Only the first faults are told, and looking for right names takes its time.
            hint = nearest(folded(called), names) if len(problems) < MOST_TOLD else None
            allowed = "a card, a mana card or a sorcerer by its name"
            problems.append(
                Problem(name, called, "an unknown name", allowed, line=number, hint=hint)
            )
        else:
            what, id_ = found
            parts[what][id_] = parts[what].get(id_, 0) + copies
    deck = DeckList(next(iter(parts["sorcerers"]), ""), parts["cards"], parts["mana"])
    if sum(parts["sorcerers"].values()) != 1:
        found_text = f"{sum(parts['sorcerers'].values())} sorcerers"
        problems.append(Problem(name, "sorcerer", found_text, "exactly 1"))
    faults = [fault for fault in deck_faults(values, asdict(deck)) if fault.path != ("sorcerer",)]
    problems += [
        Problem(name, ".".join(fault.path), fault.found, fault.allowed, hint=fault.hint)
        for fault in faults
    ]
    if problems:
        raise DataError(problems)
    return deck


def _read_line(line: str) -> tuple[int, str] | None:
    """Return how many of what a line names, or None for a line that names nothing."""
    # Japanese keyboards write full-width digits, marks and spaces.
    line = re.split(r"#|//", unicodedata.normalize("NFKC", line), maxsplit=1)[0].strip()
    if match := _SORCERER.fullmatch(line):
        return 1, match["name"]
    for form in _LINES:
        if match := form.fullmatch(line):
            return int(match["copies"]), match["name"]
    # Whoever begins with a number means a card: it must not be passed over.
    return (0, line) if line[:1].isdigit() else None


def _names(values: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return which card every way of writing it means: (table, id) by folded name."""
    found: dict[str, tuple[str, str]] = {}
    for what in ("sorcerers", "mana", "cards"):
        for id_, one in values[what].items():
            for text in (id_, one["label"]["en"], one["label"]["ja"]):
                found[folded(text)] = (what, id_)
    return found


def folded(name: str) -> str:
    """Return what names of cards are told apart by, in lists and in rulesets.

    Examples
    --------
    >>> folded("Ｓｐａｒｋ　imp ") == folded("spark_imp")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).replace("_", " ").casefold().split())


def as_toml(name: str, label: Label, deck: DeckList) -> str:
    """Return a deck as a table of an overlay file.

    Parameters
    ----------
    name : str
        Its id.
    label : Label
    deck : DeckList

    Examples
    --------
    >>> print(as_toml("mine", Label("Mine", "私"), DeckList("pyra", {"imp": 4}, {"fire_mana": 20})))
    [decks.mine]
    label = { en = "Mine", ja = "私" }
    source = "assumed"
    sorcerer = "pyra"
    main = { imp = 4 }
    mana = { fire_mana = 20 }
    <BLANKLINE>
    """
    lines = [
        f"[decks.{name}]",
        f"label = {{ en = {_quoted(label.en)}, ja = {_quoted(label.ja)} }}",
        'source = "assumed"',
        f'sorcerer = "{deck.sorcerer}"',
        f"main = {_table(deck.main)}",
        f"mana = {_table(deck.mana)}",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _table(copies: Mapping[str, int]) -> str:
    items: Sequence[str] = [f"{name} = {number}" for name, number in sorted(copies.items())]
    return "{ " + ", ".join(items) + " }"
