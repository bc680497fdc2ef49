"""Where cards may lie: every shape that the rule allows can be built, and no other (MG-P3)."""

from __future__ import annotations

import itertools

import pytest

from sim.titles.magnolia import new_game
from sim.titles.magnolia.field import free_cells, in_front, lines

GRID = list(itertools.product(range(3), repeat=2))


def connected(cells) -> bool:
    """Flood a set of cells from one of them, by sides."""
    left = set(cells)
    waiting = [left.pop()]
    while waiting:
        row, column = waiting.pop()
        touched = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        waiting += touched & left
        left -= touched
    return not left


def normal(cells) -> frozenset:
    """Move a set of cells to the top left."""
    top, left = (min(cell[axis] for cell in cells) for axis in (0, 1))
    return frozenset((row - top, column - left) for row, column in cells)


def all_shapes() -> set[frozenset]:
    """Every connected set of cells of a 3×3 grid, wherever in it, by trying all 511."""
    sets = ([cell for bit, cell in enumerate(GRID) if mask >> bit & 1] for mask in range(1, 1 << 9))
    return {normal(cells) for cells in sets if connected(cells)}


def reachable() -> set[frozenset]:
    """Every field that can be laid one card after the other, counted from its first card."""
    seen, waiting = set(), [frozenset()]
    while waiting:
        field = waiting.pop()
        for cell in free_cells(field):
            grown = field | {cell}
            if grown not in seen:
                seen.add(grown)
                waiting.append(grown)
    return seen


FIELDS = reachable()


def fits(cells) -> bool:
    """Whether some window of 3×3 holds all cells."""
    return any(
        all(top <= row < top + 3 and left <= column < left + 3 for row, column in cells)
        for top, left in itertools.product(range(-4, 5), repeat=2)
    )


@pytest.mark.rule("MG-P3")
def test_every_shape_can_be_built_and_no_other():
    assert {normal(field) for field in FIELDS} == all_shapes()


@pytest.mark.rule("MG-P3")
def test_each_field_grows_by_what_touches_and_fits_and_nothing_else():
    around = list(itertools.product(range(-4, 5), repeat=2))
    for field in FIELDS:
        allowed = [
            cell
            for cell in around
            if cell not in field and connected(field | {cell}) and fits(field | {cell})
        ]
        assert free_cells(field) == allowed, sorted(field)


def test_there_are_never_more_free_cells_than_words_for_them():
    assert max(len(free_cells(field)) for field in FIELDS) == 8
    assert {len(field) for field in FIELDS if not free_cells(field)} == {9}


@pytest.mark.rule("MG-B1")
@pytest.mark.rule("MG-W1")
def test_lines_and_fronts_are_those_of_a_picture():
    for field in FIELDS:
        columns = {column for _, column in field}
        tops = [(min(r for r, c in field if c == column), column) for column in sorted(columns)]
        assert in_front(field) == tops
        found = {tuple(sorted(cells)) for _, cells in lines(field)}
        threes = {
            cells
            for cells in itertools.combinations(sorted(field), 3)
            if len({row for row, _ in cells}) == 1 or len({column for _, column in cells}) == 1
        }
        assert found == threes


@pytest.mark.rule("MG-P3")
def test_games_offer_these_cells():
    met = set()
    for deal in range(30):
        game = new_game(3, lineup=["random"] * 3, deal=deal)
        game.play()
        fields = [set() for _ in range(3)]
        for event in game.events:
            if event["event"] == "move" and event["to"] == "field":
                fields[event["owner"] - 1].add(tuple(event["cell"]))
            elif event["event"] == "choose" and event["what"] == "cell":
                free = free_cells(fields[event["owner"] - 1])
                assert event["options"] == [f"cell_{place + 1}" for place in range(len(free))]
                met.add(len(free))
    assert met >= {2, 3, 4, 6, 7, 8}
