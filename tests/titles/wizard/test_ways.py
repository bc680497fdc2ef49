"""Ways across the map: the same costs and first steps, found by walking in all directions."""

from __future__ import annotations

import heapq

import pytest

from sim.titles.wizard import TITLE
from tests.titles.wizard.staging import stage

VALUES = TITLE.load().values
MAP = VALUES["maps"]["long"]["hexes"]
AT = {tuple(one["at"]): name for name, one in MAP.items()}
STEPS = {
    "go_up": (0, 2),
    "go_up_right": (1, 1),
    "go_down_right": (1, -1),
    "go_down": (0, -2),
    "go_down_left": (-1, -1),
    "go_up_left": (-1, 1),
}


def entered(name, sails):
    """Return what entering a hex counts in LP, None where it cannot be entered."""
    if MAP[name]["terrain"] == "sea":
        return 1 if sails else None
    return MAP[name]["cost"]


def beside(name):
    x, y = MAP[name]["at"]
    for direction, (dx, dy) in STEPS.items():
        if (x + dx, y + dy) in AT:
            yield direction, AT[x + dx, y + dy]


def ways(start, sails):
    """Return cost and moves of the best way to each hex."""
    best, todo = {}, [((0, 0), start)]
    while todo:
        length, here = heapq.heappop(todo)
        if here in best:
            continue
        best[here] = length
        for _, there in beside(here):
            cost = entered(there, sails)
            if cost is not None:
                heapq.heappush(todo, ((length[0] + cost, length[1] + 1), there))
    return best


def goals(game, goal):
    unfought = {
        name: VALUES["places"][one["place"]]["colour"]
        for name, one in MAP.items()
        if one["place"] and not game.place(one["place"])["order"]
    }
    return {
        "king": [name for name, one in MAP.items() if one["terrain"] == "castle"],
        "fight": list(unfought),
        "yellow": [name for name, colour in unfought.items() if colour == "yellow"],
        "red": [name for name, colour in unfought.items() if colour == "red"],
        "recovery": [name for name, one in MAP.items() if one["recover"] and name not in game.used],
    }[goal]


BEATEN = [(), ("left_4", "right_3", "right_4"), tuple(VALUES["places"])]


@pytest.mark.parametrize("goal", ["king", "fight", "yellow", "red", "recovery"])
@pytest.mark.parametrize("sails", [False, True])
def test_every_first_step_of_a_cheapest_way_is_known(goal, sails):
    companions = ("porcupine_swim",) if sails else ()
    tied = 0
    for number, here in enumerate(MAP):
        if MAP[here]["terrain"] in ("sea", "castle"):
            continue
        beaten = {place: {"beaten": True} for place in BEATEN[number % len(BEATEN)]}
        used = ["c8", "d5", "b9", "d15"][: number % 5]
        game = stage(here, *companions, places=beaten, used=used)
        length = ways(here, sails)
        targets = [name for name in goals(game, goal) if name != here]
        if here in goals(game, goal):
            assert game.observe(f"{goal}_cost") == 0
            continue
        nearest = min((length[name] for name in targets if name in length), default=None)
        assert game.observe(f"{goal}_cost") == (nearest[0] if nearest else 999)
        first = {direction for direction in STEPS if game.observe(f"to_{goal}", direction)}
        # Of several nearest hexes the way to one is told.
        possible = [
            {
                direction
                for direction, there in beside(here)
                if entered(there, sails) is not None
                and target in (onward := ways(there, sails))
                and (entered(there, sails) + onward[target][0], 1 + onward[target][1]) == nearest
            }
            for target in targets
            if length.get(target) == nearest
        ]
        assert first in possible or (not first and nearest is None)
        tied += len(first) > 1
    assert tied or goal == "red", "ways of equal length were met"


def test_costs_of_directions():
    game = stage("c0")
    costs = {direction: game.observe("cost", direction) for direction in STEPS}
    assert costs == {
        "go_up": 1,
        "go_up_right": 2,
        "go_up_left": 1,
        "go_down": 999,
        "go_down_left": 999,
        "go_down_right": 999,
    }
    assert stage("c6").observe("cost", "go_up") == -4
    assert stage("c6", used=["c8"]).observe("cost", "go_up") == 0
    assert stage("b3").observe("cost", "go_up") == 999
    assert stage("b3", "porcupine_swim").observe("cost", "go_up") == 1
