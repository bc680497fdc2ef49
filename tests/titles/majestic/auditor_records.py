"""The records of a game as an outsider counts them by its trace alone (README.md, MM-A1)."""

from __future__ import annotations

from collections import Counter

from tests.titles.majestic.auditor import REASONS
from tests.titles.majestic.auditor_table import ATTRIBUTES

__all__ = ["cards", "composition", "game", "seat", "series"]

#: Columns that are counted on the way.
COUNTED = (
    *("redraws", "drawn", "mana_put", "mana_drawn", "mana_spent", "special_used"),
    *("units_played", "spells_played", "spells_in_battle", "abilities_used", "sorcerer_used"),
    *("moves", "attacks", "attacks_blocked", "attacks_ended", "blocks", "units_lost"),
    *("units_returned", "discarded", "lp_gained", "lp_left", "most_units"),
    *(f"lp_by_{source}" for source in ("attacks", "spells", "abilities", "sorcerer", "units")),
    *("lp_by_special", "lp_by_itself"),
)

#: Costs that have a column; the last one stands for all above, too.
_CURVE = 7

_FIELDS = ("opening", "drawn", "played", "discarded", "attacks", "fallen")


def game(auditor):
    """Return the columns of a game."""
    return {
        "rounds": auditor.round,
        "turns": auditor.turn,
        "end_reason": REASONS.index(auditor.reason),
    }


def seat(auditor, place, decks):
    """Return the columns of a seat; ``decks`` are the ids of all ready decks in their order."""
    own = auditor.seats[place]
    return {
        "win60": auditor.win60[place],
        "score": auditor.scores[place],
        "rank": auditor.ranks[place],
        "deck": decks.index(own.deck_list),
        "sorcerer": sorted(auditor.table.sorcerers).index(own.sorcerer),
        **{name: own.counts[name] for name in COUNTED},
        **composition(auditor.setup, place),
    }


def composition(setup, place):
    """Return what a deck is made of (MM-A1)."""
    told, faces = setup["seats"][place], setup["cards"]
    main = [faces[name] for name, _ in told["deck"]]
    mana = [faces[name] for name, _ in told["mana_deck"]]
    curve = Counter(min(face["cost"], _CURVE) for face in main)
    attributes, wells = (Counter(face["attribute"] for face in part) for part in (main, mana))
    return {
        "deck_units": sum(face["sort"] == "unit" for face in main),
        "deck_spells": sum(face["sort"] == "spell" for face in main),
        "deck_cost": sum(face["cost"] for face in main),
        "deck_attributes": len(attributes),
        **{f"cost_{cost}": curve[cost] for cost in range(_CURVE + 1)},
        **{f"deck_{name}": attributes[name] for name in ATTRIBUTES},
        "special_mana": sum(bool(face["effects"]) for face in mana),
        **{f"mana_{name}": wells[name] for name in ATTRIBUTES},
    }


def cards(auditor):
    """Return for both seats the rows of all kinds of main decks."""
    kinds = sorted(name for name, face in auditor.table.faces.items() if "sort" in face)
    return [[[s.kinds[kind, field] for field in _FIELDS] for kind in kinds] for s in auditor.seats]


def series(auditor):
    """Return LP, cards in hand, mana and units of both seats after each round."""
    return [own.rows for own in auditor.seats]
