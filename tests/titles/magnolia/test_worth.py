"""The search over placements is exact: the same worth, added up and tried out in another way."""

from __future__ import annotations

import itertools

import pytest

from sim.core.policy import load_policies
from sim.titles.magnolia import TITLE, new_game
from sim.titles.magnolia.field import free_cells

WORDS = TITLE.vocabulary(TITLE.load())
CARDS = TITLE.load().values["cards"]
GOLD = (2, 1, 0)


def weights(policy):
    table = load_policies([policy], WORDS, TITLE.data / "policies")
    row = table.weights[0, WORDS.decision_names.index("card")].tolist()
    return dict(zip(WORDS.options, row, strict=False))


def power(field):
    tops = {}
    for row, column in sorted(field, reverse=True):
        tops[column] = CARDS[field[row, column]]["power"]
    return sum(tops.values())


def worth(weight, field, placed):
    """Return what cards are worth in the order in which they are laid."""
    field, total = dict(field), 0
    for name, cell in placed:
        card, before = CARDS[name], power(field)
        total += weight[name]
        total += weight["kin"] * sum(CARDS[one]["race"] == card["race"] for one in field.values())
        for at, one in field.items():
            near = abs(at[0] - cell[0]) + abs(at[1] - cell[1]) == 1
            alike = CARDS[one]["race"] == card["race"] or CARDS[one]["job"] == card["job"]
            total += weight["neighbour"] * (near and alike)
        field[cell] = name
        total += weight["power"] * (power(field) - before)
        for axis in (0, 1):
            line = [CARDS[one] for at, one in field.items() if at[axis] == cell[axis]]
            alike = any(len({one[what] for one in line}) == 1 for what in ("race", "job"))
            if alike and len(line) > 1:
                total += weight["pair" if len(line) == 2 else "line"]
    return total


def placements(field, hand, gold):
    """Yield every placement that can be paid, as lists of cards with their cells."""
    yield []
    for number in (1, 2):
        for names in set(itertools.permutations(hand, number)):
            costs = list(itertools.accumulate(CARDS[name]["cost"] for name in names))
            if any(cost > gold + GOLD[n] for n, cost in enumerate(costs, 1)):
                continue
            for first in free_cells(field):
                if number == 1:
                    yield [(names[0], first)]
                    continue
                for second in free_cells([*field, first]):
                    yield [(names[0], first), (names[1], second)]


@pytest.mark.parametrize("policy", ["greedy", "war", "lines", "rich"])
def test_no_placement_is_worth_more(policy):
    weight, laid = weights(policy), set()
    for deal in range(3):
        game = new_game(2, lineup=[policy, "random"], deal=deal)
        while not game.over:
            game.draw_phase()
            field, hand, gold = game.cells(1), game.hand(1), game.gold(1)
            seen = len(game.events)
            game.placement_phase()
            chosen = [
                (event["card"], tuple(event["cell"]))
                for event in game.events[seen:]
                if event["event"] == "move" and event["owner"] == 1
            ]

            def total(placed, field=field, gold=gold):
                left = gold + GOLD[len(placed)] - sum(CARDS[name]["cost"] for name, _ in placed)
                return worth(weight, field, placed) + weight["gold"] * left

            assert total(chosen) == max(map(total, placements(field, hand, gold)))
            laid.add(len(chosen))
            for _ in range(4):
                getattr(game, f"{game.phase}_phase")()
    assert laid >= {1, 2}
