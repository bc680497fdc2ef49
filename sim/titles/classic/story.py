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

from typing import TYPE_CHECKING

from sim.core import story

if TYPE_CHECKING:
    from sim.titles.classic.reference import Game
    from sim.titles.classic.state import Seat

__all__ = ["Story"]


class Story(story.Story):
    """Collects the events of one game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, game.tables.words.options)
        self._game = game

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
        self._begin(
            "classic",
            tables.ruleset_hash,
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
