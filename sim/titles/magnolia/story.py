"""The trace: every move, shuffle, change and decision, in a form from which all can be rebuilt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.core import story
from sim.titles.magnolia.schema import CHECKS, LIKENESSES, RESOURCES, SHARED

if TYPE_CHECKING:
    from sim.titles.magnolia.field import Cell, Line
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["Story"]


class Story(story.Story):
    """Collects the events of one game. Cells are ``[row, column]`` from a field's first card.

    Nobody is on turn: an event belongs to its owner, or to all.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game, game.tables.words.options)
        self._game = game

    def _whose(self, fields: Mapping[str, Any]) -> int:
        return int(fields.get("owner") or 0)

    def reveal(self, owner: Seat) -> None:
        """Tell that a seat's cards are turned up."""
        cells = [list(cell) for cell in owner.laid]
        self.add("state", what="face", owner=owner.index + 1, cells=cells, face="up")

    def line(self, owner: Seat, line: Line, likeness: str) -> None:
        """Tell that a line pays."""
        where, place = line
        self.add(
            "state",
            what="line",
            owner=owner.index + 1,
            line=where,
            place=place,
            bonus=likeness,
        )

    def rank(self, owner: Seat) -> None:
        """Tell a seat's rank in the war."""
        self.add("state", what="rank", owner=owner.index + 1, rank=owner.war_rank, vp=owner.war_vp)

    def works(self, owner: Seat, cell: Cell) -> None:
        """Tell that a card's ability works now."""
        name = self._names[owner.field[cell].kind]
        self.add("state", what="works", owner=owner.index + 1, card=name, cell=list(cell))

    def objective(self, owner: Seat, number: int) -> None:
        """Tell that a seat meets an objective."""
        name = self._game.tables.objective_names[number]
        self.add("state", what="objective", owner=owner.index + 1, objective=name)

    def standing(self) -> None:
        """Tell how things stand at the beginning of a round."""
        self.add("state", what="round", seats=[self._has(seat) for seat in self._game.seats])

    def set_up(self) -> None:
        """Tell what the game is made of."""
        game = self._game
        self._begin(
            "magnolia",
            game.tables.ruleset_hash,
            deck=self._listed(game.deck.cards),
            discard=self._listed(game.discard),
            objectives=[game.tables.objective_names[number] for number in game.open_objectives],
            seats=[
                {
                    "hand": self._listed(seat.hand),
                    "field": [
                        [*self._listed([card])[0], list(cell)] for cell, card in seat.field.items()
                    ],
                    "lines": [list(line) for line in sorted(seat.paid)],
                    **self._has(seat),
                }
                for seat in game.seats
            ],
            cards=game.tables.texts,
            objective_cards=game.tables.goals_told,
            rules=game.tables.rule | self._more_rules(),
        )

    def _more_rules(self) -> dict[str, Any]:
        """Return the rules that are words or lists, as the data files say them."""
        tables = self._game.tables
        players = len(self._game.seats)
        return {
            "shared": SHARED[tables.rule["shared"]],
            "objectives_check": CHECKS[tables.rule["objectives_check"]],
            "war_vp": tables.war_vp[players - 1, :players].tolist(),
            "bonuses": {
                name: dict(zip(RESOURCES, paid, strict=True))
                for name, paid in zip(LIKENESSES, tables.bonuses.tolist(), strict=True)
            },
        }

    def _has(self, seat: Seat) -> dict[str, int]:
        return {
            what: getattr(seat, what) for what in ("gold", "vp", "technology", "faith", "power")
        }
