"""The trace: every move, shuffle, change and decision, in a form from which all can be rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.magnolia.field import Cell, Line
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["Story"]


class Story:
    """Collects the events of one game. Cells are ``[row, column]`` from a field's first card."""

    def __init__(self, game: Game) -> None:
        self.events: list[dict[str, Any]] = []
        self._game = game
        self._names = game.tables.words.options

    def add(self, event: str, seat: Seat | None = None, **fields: Any) -> None:
        """Add an event; ``seat`` is whose it is, 0 when it is everybody's."""
        game = self._game
        self.events.append(
            {
                "n": len(self.events),
                "round": game.round,
                "turn": game.round,
                "seat": 0 if seat is None else seat.index + 1,
                "phase": game.phase,
                "event": event,
                **fields,
            }
        )

    def move(self, card: Card, source: str, target: str, owner: Seat, **more: Any) -> None:
        """Tell that a card changed its place."""
        places = {"from": source, "to": target}
        name = self._names[card.kind]
        self.add("move", owner, card=name, copy=card.copy, **places, owner=owner.index + 1, **more)

    def change(self, what: str, owner: Seat, by: int, now: int) -> None:
        """Tell that a resource changed."""
        self.add("change", owner, what=what, owner=owner.index + 1, by=by, now=now)

    def choose(self, what: str, owner: Seat, options: Sequence[int], choice: int) -> None:
        """Tell a decision."""
        listed = [self._names[code] for code in options]
        self.add(
            "choose",
            owner,
            what=what,
            owner=owner.index + 1,
            options=listed,
            choice=self._names[choice],
        )

    def reveal(self, owner: Seat) -> None:
        """Tell that a seat's cards are turned up."""
        cells = [list(cell) for cell in owner.laid]
        self.add("state", owner, what="face", owner=owner.index + 1, cells=cells, face="up")

    def line(self, owner: Seat, line: Line, likeness: str) -> None:
        """Tell that a line pays."""
        where, place = line
        self.add(
            "state",
            owner,
            what="line",
            owner=owner.index + 1,
            line=where,
            place=place,
            bonus=likeness,
        )

    def rank(self, owner: Seat) -> None:
        """Tell a seat's rank in the war."""
        self.add(
            "state", owner, what="rank", owner=owner.index + 1, rank=owner.war_rank, vp=owner.war_vp
        )

    def works(self, owner: Seat, cell: Cell) -> None:
        """Tell that a card's ability works now."""
        name = self._names[owner.field[cell].kind]
        self.add("state", owner, what="works", owner=owner.index + 1, card=name, cell=list(cell))

    def objective(self, owner: Seat, number: int) -> None:
        """Tell that a seat meets an objective."""
        name = self._game.tables.objective_names[number]
        self.add("state", owner, what="objective", owner=owner.index + 1, objective=name)

    def standing(self) -> None:
        """Tell how things stand at the beginning of a round."""
        self.add("state", what="round", seats=[self._has(seat) for seat in self._game.seats])

    def set_up(self) -> None:
        """Tell what the game is made of."""
        game, names = self._game, self._names
        self.add(
            "setup",
            title="magnolia",
            ruleset=game.tables.ruleset_hash,
            key=[int(word) for word in game.key],
            deal=game.deal,
            players=len(game.seats),
            lineup=[self._policy(entry) for entry in game.lineup],
            bans=[
                [name for code, name in enumerate(names) if ban >> code & 1] for ban in game.bans
            ],
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
            rules=game.tables.rule,
        )

    def _has(self, seat: Seat) -> dict[str, int]:
        return {
            what: getattr(seat, what) for what in ("gold", "vp", "technology", "faith", "power")
        }

    def _listed(self, cards: Iterable[Card]) -> list[list[Any]]:
        return [[self._names[card.kind], card.copy] for card in cards]

    def _policy(self, entry: Any) -> str:
        policies = self._game.policies
        if policies is not None and isinstance(entry, int | np.integer):
            return policies.names[entry]
        return type(entry).__name__
