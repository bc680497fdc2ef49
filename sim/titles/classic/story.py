"""A game told: the trace that machines read. ``narrative`` makes sentences of it for people.

Every event is a mapping with ``n, round, turn, seat, phase, event`` and its own fields:

``setup``    ``title, ruleset, key, deal, players, lineup, bans, supply, piles, trash, seats, cards,
             rules``: what is where before the first move, and the texts by which it is played.
             Cards are [kind, copy]; in the decks they are in no order of meaning. ``supply`` lists
             the kinds whose piles count for the end
``move``     ``card, copy, from, to, owner``: one card changes its place. ``owner`` is the seat
             whose card it is, or becomes. Zones: ``hand deck discard play`` of the owner, ``pile``
             and ``trash``. A card put down goes to the end of its zone
``shuffle``  ``zone, owner, cards``: the owner's discard pile became the deck, shuffled
``change``   ``what, owner, by, now``: actions, buys, coins
``choose``   ``what, owner, options, choice``: a seat's decision with more than one option
``state``    ``what = "turn"``, ``owner, turns, hand, points``: a turn starts; ``hand`` is the
             number of cards in the owner's hand, ``points`` every seat's. ``what =
             "stopped"``, ``owner``: a reaction stops the attack on a seat
``end``      ``reason, scores, turns, ranks, win60``

Seats are counted from 1; ``seat`` is the seat on turn, 0 during set-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.classic.reference import Game
    from sim.titles.classic.state import Seat

__all__ = ["Story"]


class Story:
    """Collects the events of one game."""

    def __init__(self, game: Game) -> None:
        self.events: list[dict[str, Any]] = []
        self._game = game
        self._names = game.tables.words.options

    def add(self, event: str, **fields: Any) -> None:
        """Add an event."""
        game = self._game
        self.events.append(
            {
                "n": len(self.events),
                "round": game.round,
                "turn": game.turn,
                "seat": 0 if game.phase == "setup" else game.on_turn + 1,
                "phase": game.phase,
                "event": event,
                **fields,
            }
        )

    def move(self, card: Card, source: str, target: str, owner: Seat) -> None:
        """Tell that a card changed its place."""
        places = {"from": source, "to": target}
        name = self._names[card.kind]
        self.add("move", card=name, copy=card.copy, **places, owner=owner.index + 1)

    def shuffle(self, owner: Seat) -> None:
        """Tell that a discard pile became the deck."""
        self.add("shuffle", zone="deck", owner=owner.index + 1, cards=len(owner.deck.cards))

    def change(self, what: str, owner: Seat, by: int, now: int) -> None:
        """Tell that a resource changed."""
        self.add("change", what=what, owner=owner.index + 1, by=by, now=now)

    def choose(self, what: str, owner: Seat, options: Sequence[int], choice: int) -> None:
        """Tell a decision."""
        names = self._names
        listed = [names[code] for code in options]
        self.add("choose", what=what, owner=owner.index + 1, options=listed, choice=names[choice])

    def turn(self, seat: Seat) -> None:
        """Tell that a turn starts, and how things stand."""
        self.add(
            "state",
            what="turn",
            owner=seat.index + 1,
            turns=seat.turns,
            hand=len(seat.hand),
            points=[self._game.points(each) for each in self._game.seats],
        )

    def set_up(self, game: Game) -> None:
        """Tell what the game is made of."""
        tables, names = game.tables, self._names
        self.add(
            "setup",
            title="classic",
            ruleset=tables.ruleset_hash,
            key=[int(word) for word in game.key],
            deal=game.deal,
            players=len(game.seats),
            lineup=[self._policy(entry) for entry in game.lineup],
            bans=[
                [name for code, name in enumerate(names) if ban >> code & 1] for ban in game.bans
            ],
            supply=[names[kind] for kind in sorted(game.supply)],
            piles={names[kind]: size for kind, size in enumerate(game.piles) if size},
            trash=self._listed(game.trash),
            seats=[
                {
                    "deck": self._listed(seat.deck.cards),
                    "hand": self._listed(seat.hand),
                    "discard": self._listed(seat.discard),
                    "play": self._listed(seat.play),
                    "turns": seat.turns,
                }
                for seat in game.seats
            ],
            cards=tables.texts,
            rules=tables.rule,
        )

    def _listed(self, cards: Iterable[Card]) -> list[list[Any]]:
        return [[self._names[card.kind], card.copy] for card in cards]

    def _policy(self, entry: Any) -> str:
        policies = self._game.policies
        if policies is not None and isinstance(entry, int | np.integer):
            return policies.names[entry]
        return type(entry).__name__
