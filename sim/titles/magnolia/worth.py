"""What a data policy makes of the placements it could choose: integer weights, added up.

A policy's weights at the decision point ``card`` say what a card is worth in itself; those of the
*features* there say what comes to it by where it is laid. A card of kind ``k`` in cell ``c`` is
worth

========================  ==========================================================================
weight of ``k``           always
weight of ``power``       times the printed power in front that it adds (less what it covers)
weight of ``neighbour``   times the cards beside it that share its race or its job
weight of ``kin``         times the own cards of its race that lie there already
weight of ``pair``        for its row and its column each, when one card lies there that shares race
                          or job with it
weight of ``line``        for each of the two that it completes with three of one race or one job
========================  ==========================================================================

and a whole placement is worth what its cards are worth in the order in which they are laid, plus
the weight of ``gold`` times the gold that is left. Of all placements of at most two cards that can
be paid, the one that is worth most is looked for, exactly: every card in every cell, followed by
every other card in every cell. Among equals the one found first is taken: laying no more cards
comes first, then kinds by their codes, then cells row by row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sim.titles.magnolia.field import Cell, beside, free_cells
from sim.titles.magnolia.info import CARD
from sim.titles.magnolia.schema import SIDE

if TYPE_CHECKING:
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["next_step", "value_of"]


def next_step(game: Game, seat: Seat) -> int:
    """Return the option that begins the placement worth most; -1 without a data policy."""
    weights = _weights(game, seat)
    return -1 if weights is None else _Search(game, seat, weights).next_step()


def value_of(game: Game, seat: Seat, option: int) -> int:
    """Return a policy's weight of an option at the decision point card.

    It is 0 without a data policy, and for a kind that the seat is barred from: so that the card is
    exchanged, and does not fill the hand.
    """
    weights = _weights(game, seat)
    barred = game.bans[seat.index] >> option & 1
    return 0 if weights is None or barred else weights[option]


def _weights(game: Game, seat: Seat) -> list[int] | None:
    entry = game.lineup[seat.index]
    if game.policies is None or not isinstance(entry, int | np.integer):
        return None
    weights: list[int] = game.policies.weights[entry, CARD].tolist()
    return weights


class _Search:
    """The placements that a seat can still choose, from what it has laid already."""

    def __init__(self, game: Game, seat: Seat, weights: list[int]) -> None:
        self.game, self.seat, self.weights = game, seat, weights
        codes = game.tables.features
        self.feature = {name: weights[code] for name, code in codes.items()}
        self.most = len(game.placement_gold) - 1

    def next_step(self) -> int:
        field = {cell: card.kind for cell, card in self.seat.own_view.items()}
        hand = [card.kind for card in self.seat.hand]
        number, spent = len(self.seat.laid), self.game.laid_cost(self.seat)
        if self.seat.holding < 0:
            return self._best(field, hand, number, spent)[1]
        kind = self.seat.holding
        hand.remove(kind)
        spent += self.game.faces[kind].cost
        worths = [
            self._gain(field, kind, cell)
            + self._best({**field, cell: kind}, hand, number + 1, spent)[0]
            for cell in free_cells(field)
        ]
        return len(self.game.faces) + worths.index(max(worths))

    def _best(
        self, field: Mapping[Cell, int], hand: list[int], number: int, spent: int
    ) -> tuple[int, int]:
        """Return what the best placement from here is worth, and the option that begins it."""
        game, seat = self.game, self.seat
        left = seat.gold - spent + game.placement_gold[number]
        best = self.feature["gold"] * left, game.stop
        if number == self.most or len(field) == SIDE * SIDE:
            return best
        cells = free_cells(field)
        for kind in sorted(set(hand)):
            cost = game.faces[kind].cost
            if not game.may_lay(seat, kind, number, spent):
                continue
            rest = hand.copy()
            rest.remove(kind)
            for cell in cells:
                after = self._best({**field, cell: kind}, rest, number + 1, spent + cost)[0]
                worth = self._gain(field, kind, cell) + after
                if worth > best[0]:
                    best = worth, kind
        return best

    def _gain(self, field: Mapping[Cell, int], kind: int, cell: Cell) -> int:
        faces, feature = self.game.faces, self.feature
        face, worth = faces[kind], self.weights[kind]
        for other in beside(cell):
            if other in field:
                worth += feature["neighbour"] * bool(face.alike & faces[field[other]].alike)
        worth += feature["kin"] * sum(faces[other].race == face.race for other in field.values())
        for axis in (0, 1):
            line = [faces[other] for at, other in field.items() if at[axis] == cell[axis]]
            common = face.alike
            for other_face in line:
                common &= other_face.alike
            if common and line:
                worth += feature["pair" if len(line) == 1 else "line"]
        column = [at for at in field if at[1] == cell[1]]
        if not column:
            worth += feature["power"] * face.power
        elif cell < min(column):
            worth += feature["power"] * (face.power - faces[field[min(column)]].power)
        return worth
