"""The wizard on the map: where it may go, what that costs, and how far things are (UW-M).

Ways are looked up in ``Tables.distances``: what is cheapest in LP, then shortest in moves. A yellow
hex counts as costing nothing, used or not, and a fight on the way is left out of account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sim.titles.wizard.faces import FAR, NO_PLACE, STEP_UNIT
from sim.titles.wizard.schema import SEA

if TYPE_CHECKING:
    from sim.titles.wizard.reference import Game

__all__ = [
    "GOALS",
    "NO_WAY",
    "begins_way",
    "cost_of_entering",
    "enter",
    "neighbours",
    "sea_cost",
    "way_cost",
]

#: What a way costs when there is none.
NO_WAY = 999


def sea_cost(game: Game) -> int:
    """Return for how many LP the wizard can enter sea; 0: it cannot (UW-M1)."""
    ways = game.tables.way_cards
    costs = [ways[one.way].sea for one in game.wizard.companions]
    return min((cost for cost in costs if cost), default=0)


def neighbours(game: Game) -> dict[int, int]:
    """Return the hexes that can be entered from here, by direction."""
    hexes, sails = game.tables.map_hexes, sea_cost(game) > 0
    return {
        direction: there
        for direction, there in enumerate(game.tables.beside[game.wizard.hex].tolist())
        if there != NO_PLACE and (sails or hexes[there].terrain != SEA)
    }


def cost_of_entering(game: Game, there: int) -> int:
    """Return the LP that a hex costs now; below 0 those that it gives (UW-M1)."""
    one = game.tables.map_hexes[there]
    if one.terrain == SEA:
        return sea_cost(game)
    if one.recover:
        return 0 if there in game.used else -one.recover
    return one.cost


def enter(game: Game, there: int) -> None:
    """Go to a neighbouring hex, and pay or recover what it shows (UW-M1)."""
    wizard, one = game.wizard, game.tables.map_hexes[there]
    cost = cost_of_entering(game, there)
    wizard.hex = there
    if game.story:
        game.story.arrive(there)
    if one.terrain == SEA:
        wizard.sea_moves += 1
    if cost < 0:
        game.used.add(there)
        wizard.recoveries += 1
        if game.story:
            game.story.use(there)
        game.recover(-cost, "hexes")
    else:
        game.pay(cost, "moves")


# -- how far things are --------------------------------------------------------------------------


def _unfought(game: Game, sorts: Iterable[int]) -> list[int]:
    tables, kept = game.tables, set(sorts)
    return [
        number
        for number, one in enumerate(tables.map_hexes)
        if one.place != NO_PLACE
        and not game.places[one.place].order
        and tables.colours[one.place] in kept
    ]


def _unused(game: Game) -> list[int]:
    hexes = game.tables.map_hexes
    return [n for n, one in enumerate(hexes) if one.recover and n not in game.used]


#: What a wizard may make for: the hexes that serve, ascending.
GOALS: dict[str, Callable[[Game], list[int]]] = {
    "king": lambda game: [game.rule["castle_hex"]],
    "fight": lambda game: _unfought(game, (0, 1)),
    "yellow": lambda game: _unfought(game, (0,)),
    "red": lambda game: _unfought(game, (1,)),
    "recovery": _unused,
}


def _nearest(game: Game, goal: str) -> tuple[int, int]:
    """Return the nearest hex that serves a goal, the lowest of equals, and the way to it."""
    ways = game.tables.distances[int(sea_cost(game) > 0), game.wizard.hex]
    found = [(int(ways[number]), number) for number in GOALS[goal](game)]
    length, number = min(found, default=(FAR, -1))
    return number, length


def way_cost(game: Game, goal: str) -> int:
    """Return what the cheapest way to a goal costs; NO_WAY without one."""
    length = _nearest(game, goal)[1]
    return NO_WAY if length >= FAR else length // STEP_UNIT


def begins_way(game: Game, direction: int, goal: str) -> bool:
    """Whether a direction is the first step of a cheapest way to a goal."""
    there = neighbours(game).get(direction)
    target, length = _nearest(game, goal)
    if there is None or not 0 < length < FAR:
        return False
    one = game.tables.map_hexes[there]
    step = (game.rule["sea_cost"] if one.terrain == SEA else one.cost) * STEP_UNIT + 1
    rest = int(game.tables.distances[int(sea_cost(game) > 0), there, target])
    return step + rest == length
