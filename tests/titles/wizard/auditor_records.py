"""The records of a game (UW-A1) as an outsider counts them by its trace alone."""

from __future__ import annotations

from tests.titles.wizard.auditor import ENDS
from tests.titles.wizard.auditor_data import ABILITIES, COMPANIONS, DEALT, PLACES

__all__ = ["cards", "game", "seat", "series"]

_SOURCES = ("start", "hexes", "wins", "spells", "losses", "moves", "draws", "strikes")
_COUNTS = (
    *("battle_turns", "drawn", "spells_cast", "damage", "companions_lost", "healed_at_0"),
    *("recoveries", "sea_moves"),
)
_STRUCK_DOWN = ("lost_in_battle", "lost_by_casting")


def game(auditor):
    """Return the columns of a game."""
    table = auditor.table
    return {
        "rounds": table.round,
        "turns": table.turn,
        "end_reason": list(ENDS).index(auditor.reason),
    }


def seat(auditor):
    """Return the columns of the seat."""
    table, reason = auditor.table, auditor.reason
    enemies = table.texts["enemies"]
    won = [enemies[table.enemies[place]]["colour"] for place in auditor.beaten]
    start = {card for card, _ in auditor.setup["dealt"]}
    own, lots = {*table.hand, *table.companions}, auditor.setup["lots"]
    return {
        "win60": 60 * (reason == "cleared"),
        "score": table.lp,
        "rank": 1,
        "battles_won": len(auditor.beaten),
        "yellow_won": won.count("yellow"),
        "red_won": won.count("red"),
        **{name: auditor.counts[name] for name in _COUNTS},
        **{f"lp_{name}": auditor.sources[name] for name in _SOURCES},
        "lost_at": _lost_at(auditor),
        "lost_to": _lost_to(auditor),
        "route": _route(table.fought),
        **{f"way_{name}": _way(table, name) for name in COMPANIONS},
        **{
            f"lot_{name}": _lot(table, name, lot)
            for name, lot in zip(COMPANIONS, lots, strict=True)
        },
        **{f"order_{place}": _order(table.fought, place) for place in PLACES},
        **{f"start_{card}": int(card in start) for card in DEALT},
        **{f"own_{card}": int(card in own) for card in DEALT},
    }


def cards(auditor):
    """Return rows of the cards group: start, dealt, met, lost, LP lost and turns."""
    table, setup = auditor.table, auditor.setup
    start = {card for card, _ in setup["dealt"]}
    lain = {one["ability"][0] for one in setup["places"].values() if one["ability"]}
    lain |= {one["enemy"][0] for one in setup["places"].values()}
    met = {table.enemies[place] for place in table.fought}
    met |= {card for card in lain if card in (*table.hand, *table.laid, *table.aside)} - start
    lost = {*table.lost}
    if auditor.reason in _STRUCK_DOWN:
        lost.add(table.enemy)
    return [
        [
            *(int(name in among) for among in (start, lain, met, lost)),
            auditor.cost_of[name],
            auditor.turns_of[name],
        ]
        for name in (*ABILITIES, *sorted(table.texts["enemies"]))
    ]


def series(auditor):
    """Return LP and battles won after each move."""
    return [list(row) for row in auditor.moved]


def _lost_at(auditor):
    if auditor.reason in ("cleared", "round_cap"):
        return 0
    if auditor.reason == "lost_on_road":
        return 1
    # The rules do not say where a battle is lost that never ends: at its place, but to nobody.
    return 2 + (*PLACES, "castle").index(auditor.table.fought[-1])


def _lost_to(auditor):
    if auditor.reason not in _STRUCK_DOWN:
        return 0
    return 1 + sorted(auditor.table.texts["enemies"]).index(auditor.table.enemy)


def _way(table, name):
    return (
        1 + sorted(table.cards[name]["ways"]).index(table.laid[name]) if name in table.laid else 0
    )


def _lot(table, name, lot):
    return sorted(f"{name}_{way}" for way in table.cards[name]["ways"]).index(lot)


def _order(fought, place):
    return fought.index(place) + 1 if place in fought else 0


def _route(fought):
    """Return whether places were fought at: none, of one side, of both, or all."""
    sides = {place.split("_")[0] for place in fought} - {"castle"}
    if len({*fought} & {*PLACES}) == len(PLACES):
        return 4
    return {"": 0, "left": 1, "right": 2, "left right": 3}[" ".join(sorted(sides))]
