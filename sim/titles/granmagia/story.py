"""A game told: the trace that machines read. ``telling`` makes sentences of it for people.

Every event is a mapping with ``n, round, turn, seat, phase, event`` and its own fields:

``setup``    ``title, ruleset, key, deal, players, lineup, chosen, rares, piles, witches,
             magic_deck, field, burned, seats``: what is where before the first move. Cards are
             [kind, copy]; in the magic deck and the decks they are in no order of meaning. In
             ``piles`` -1 is a pile without end; cards from a pile have copy numbers of their own
``move``     ``card, copy, from, to, owner``: one card changes its place. ``owner`` is the seat
             whose card it is, or becomes; null for the public field. Zones: ``hand deck discard
             play own`` of the owner, and ``field magic_deck pile witches burned removed``. A card
             put down goes to the end of a hand, discard pile or play area
``shuffle``  ``zone, owner, cards``: the owner's discard pile became the deck, shuffled
``change``   ``what, owner, by, now``: mana, casts, acquisitions, silver, gold
``choose``   ``what, owner, options, choice``: a seat's decision with more than one option
``state``    ``what`` and its own fields: ``looked`` (``owner, cards``, top first), ``turn``
             (``owner, turns``: a turn starts)
``end``      ``reason, scores, ranks, win60``

Seats are counted from 1; ``seat`` is the seat on turn, 0 during set-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Card, Seat

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

    def move(self, card: Card, source: str, target: str, owner: Seat | None) -> None:
        """Tell that a card changed its place."""
        self.add(
            "move",
            **{
                "card": self._names[card.kind],
                "copy": card.copy,
                "from": source,
                "to": target,
                "owner": None if owner is None else owner.index + 1,
            },
        )

    def change(self, what: str, owner: Seat, by: int, now: int) -> None:
        """Tell that a resource changed."""
        self.add("change", what=what, owner=owner.index + 1, by=by, now=now)

    def choose(self, what: str, owner: Seat, options: Sequence[int], choice: int) -> None:
        """Tell a decision."""
        names = self._names
        self.add(
            "choose",
            what=what,
            owner=owner.index + 1,
            options=[names[code] for code in options],
            choice=names[choice],
        )

    def set_up(self, game: Game) -> None:
        """Tell what the game is made of."""
        tables, names = game.tables, self._names

        def listed(cards: Sequence[Card]) -> list[list[Any]]:
            return [[names[card.kind], card.copy] for card in cards]

        self.add(
            "setup",
            title="granmagia",
            ruleset=tables.ruleset_hash,
            key=[int(word) for word in game.key],
            deal=game.deal,
            players=len(game.seats),
            lineup=game.lineup_names,
            chosen=[names[kind] for kind in game.chosen],
            rares=[names[kind] for kind in game.rares],
            piles={
                name: size for name, size in zip(tables.kind_names, game.piles, strict=True) if size
            },
            witches=[tables.witch_names[witch] for witch in game.witches],
            magic_deck=listed(game.magic_deck.cards),
            field={names[kind]: listed(cards) for kind, cards in game.field.items()},
            burned=listed(game.burned),
            seats=[
                {
                    "deck": listed(seat.deck.cards),
                    "hand": listed(seat.hand),
                    "discard": listed(seat.discard),
                    "play": listed(seat.play),
                    "own": listed(seat.own),
                    "witch": tables.witch_names[seat.witch] if seat.witch >= 0 else None,
                    "silver": seat.silver,
                    "gold": seat.gold,
                    "tokens": seat.tokens,
                }
                for seat in game.seats
            ],
        )
