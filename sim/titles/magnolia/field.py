"""Fields: where cards may lie, which lines there are, what is in front (MG-P3, MG-B1, MG-W1).

A cell is ``(row, column)``, counted from the first card of the field, which lies in ``(0, 0)``;
rows count downwards. So cells keep their names while the field grows in any direction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sim.titles.magnolia.schema import SIDE

__all__ = ["Cell", "Line", "beside", "free_cells", "in_front", "lines", "lines_through"]

Cell = tuple[int, int]

#: ``("row", 0)`` or ``("column", -1)``.
Line = tuple[str, int]

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))


def beside(cell: Cell) -> Iterator[Cell]:
    """Yield the four cells that share a side with a cell."""
    return ((cell[0] + down, cell[1] + right) for down, right in _SIDES)


def free_cells(taken: Collection[Cell]) -> list[Cell]:
    """Return the cells in which the next card may lie, row by row from the top left one.

    Examples
    --------
    >>> free_cells([])
    [(0, 0)]
    >>> free_cells([(0, 0), (0, 1), (0, 2)])
    [(-1, 0), (-1, 1), (-1, 2), (1, 0), (1, 1), (1, 2)]
    """
    if not taken:
        return [(0, 0)]
    touched = {cell for one in taken for cell in beside(one)}.difference(taken)
    return sorted(cell for cell in touched if all(_fits(taken, cell, axis) for axis in (0, 1)))


def _fits(taken: Collection[Cell], cell: Cell, axis: int) -> bool:
    places = [one[axis] for one in taken]
    return max(*places, cell[axis]) - min(*places, cell[axis]) < SIDE


def lines_through(cell: Cell) -> tuple[Line, Line]:
    """Return the row and the column of a cell."""
    return ("row", cell[0]), ("column", cell[1])


def lines(taken: Collection[Cell]) -> list[tuple[Line, list[Cell]]]:
    """Return the complete lines with their cells: rows from the top, then columns from the left.

    Examples
    --------
    >>> lines([(0, 0), (1, 0), (0, 1), (0, 2)])
    [(('row', 0), [(0, 0), (0, 1), (0, 2)])]
    """
    found = []
    for axis, name in enumerate(("row", "column")):
        for place in sorted({cell[axis] for cell in taken}):
            cells = sorted(cell for cell in taken if cell[axis] == place)
            if len(cells) == SIDE:
                found.append(((name, place), cells))
    return found


def in_front(taken: Collection[Cell]) -> list[Cell]:
    """Return the uppermost cell of each column, from the left (MG-W1).

    Examples
    --------
    >>> in_front([(0, 0), (1, 0), (1, 1)])
    [(0, 0), (1, 1)]
    """
    columns = sorted({column for _, column in taken})
    return [min(cell for cell in taken if cell[1] == column) for column in columns]
