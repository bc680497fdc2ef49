"""Decks: what one must be (MM-D1), which there are, and what one is made of (MM-A1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.core.title import Label, Loadout
from sim.errors import InputError, nearest
from sim.titles.majestic.info import CURVE
from sim.titles.majestic.schema import ATTRIBUTES

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset, Source

__all__ = ["Fault", "composition", "deck_faults", "deck_ids", "is_left_out", "loadouts"]


class Fault(NamedTuple):
    """What is wrong with a deck, and where: a path below the deck."""

    path: tuple[str, ...]
    found: str
    allowed: str
    hint: str | None = None


#: Folder of the title's own data, as places of values end.
_OWN = (*Path(__file__).parent.parts[-2:], "data")


def deck_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the decks of a ruleset in the order of their numbers.

    Ready decks that are not legal under changed rules (see :func:`is_left_out`) are none of them.

    Raises
    ------
    InputError
        When no deck is left.
    """
    decks = values["decks"]
    found = tuple(name for name in sorted(decks) if not any(deck_faults(values, decks[name])))
    if not found:
        listed = ", ".join(f"deck.{name} = {number}" for name, number in values["deck"].items())
        raise InputError(
            f"decks: found none that is legal with {listed}, so that all ready ones are left out; "
            "allowed: one or more, in an overlay that sets these values as well "
            "('tenbin decks generate' makes some)"
        )
    return found


def is_left_out(ruleset: Ruleset, name: str) -> bool:
    """Return whether a deck may break MM-D1: it is the title's, and the rule was changed.

    Whoever plays with decks of another size brings decks, and need not write all ready ones anew.
    """
    rules = (ruleset.source(f"deck.{key}") for key in ruleset.values["deck"])
    parts = (key for key in ruleset.keys() if key.startswith(f"decks.{name}."))  # noqa: SIM118 - no mapping
    changed = any(not _is_own(source) for source in rules)
    return changed and all(_is_own(ruleset.source(part)) for part in parts)


def _is_own(source: Source) -> bool:
    return Path(source.file).parent.parts[-len(_OWN) :] == _OWN


def loadouts(ruleset: Ruleset) -> tuple[Loadout, ...]:
    """Return the decks as what a seat brings along."""
    found = []
    for name in deck_ids(ruleset.values):
        deck = ruleset.values["decks"][name]
        content = {
            "sorcerer": deck["sorcerer"],
            "main": {kind: copies for kind, copies in deck["main"].items() if copies},
            "mana": {kind: copies for kind, copies in deck["mana"].items() if copies},
        }
        found.append(Loadout(name, Label(deck["label"]["en"], deck["label"]["ja"]), content))
    return tuple(found)


def composition(values: Mapping[str, Any], deck: Mapping[str, Any]) -> dict[str, int]:
    """Return what a deck is made of, as the columns of the records with that role (MM-A1)."""
    cards = [(values["cards"][name], copies) for name, copies in deck["main"].items()]
    mana = [(values["mana"][name], copies) for name, copies in deck["mana"].items()]
    by_attribute = {
        name: sum(copies for card, copies in cards if card["attribute"] == name)
        for name in ATTRIBUTES
    }
    return {
        "deck_units": sum(copies for card, copies in cards if card["sort"] == "unit"),
        "deck_spells": sum(copies for card, copies in cards if card["sort"] == "spell"),
        "deck_cost": sum(card["cost"] * copies for card, copies in cards),
        "deck_attributes": sum(number > 0 for number in by_attribute.values()),
        **{
            f"cost_{cost}": sum(n for card, n in cards if min(card["cost"], CURVE) == cost)
            for cost in range(CURVE + 1)
        },
        **{f"deck_{name}": number for name, number in by_attribute.items()},
        "special_mana": sum(copies for card, copies in mana if card["effects"]),
        **{
            f"mana_{name}": sum(copies for card, copies in mana if card["attribute"] == name)
            for name in ATTRIBUTES
        },
    }


def deck_faults(values: Mapping[str, Any], deck: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield everything that MM-D1 has against a deck.

    Parameters
    ----------
    values : mapping
        Values of a ruleset.
    deck : mapping
        ``sorcerer``, ``main`` and ``mana``, by ids.
    """
    rules = values["deck"]
    if deck["sorcerer"] not in values["sorcerers"]:
        yield _unknown(("sorcerer",), deck["sorcerer"], values["sorcerers"])
    for part, known in (("main", values["cards"]), ("mana", values["mana"])):
        for name, copies in deck[part].items():
            if name not in known:
                yield _unknown((part, name), name, known)
            elif copies > rules["copies"] and not (part == "mana" and not known[name]["effects"]):
                yield Fault((part, name), f"{copies} copies", f"at most {rules['copies']}")
        total = sum(deck[part].values())
        if total != rules[part]:
            yield Fault((part,), f"{total} cards", f"exactly {rules[part]}")
    for attribute in ATTRIBUTES:
        special = sum(
            copies
            for name, copies in deck["mana"].items()
            if name in values["mana"]
            and values["mana"][name]["effects"]
            and values["mana"][name]["attribute"] == attribute
        )
        if special > rules["special"]:
            allowed = f"at most {rules['special']} of an attribute altogether"
            yield Fault(("mana",), f"{special} special mana of {attribute}", allowed)


def _unknown(path: tuple[str, ...], name: str, known: Mapping[str, Any]) -> Fault:
    names = sorted(known)
    listed = ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
    return Fault(path, f"unknown name {name!r}", listed, nearest(name, names))
