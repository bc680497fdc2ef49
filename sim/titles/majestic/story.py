"""The trace: every move, shuffle, change and decision, in a form from which all can be rebuilt.

Zones: ``deck mana_deck hand lp mana front back trash played`` of a seat; ``played`` are spells at
work. A move to ``front`` or ``back`` has the unit's ``place`` (from 1) and says whether it is
``fresh`` (MM-U1), or, between the two areas, whether it ``moves`` by itself (MM-T3); a move to
``mana`` says whether the card is ``ready``. Events ``state`` by ``what``:

==============  ====================================================================================
``turn``        a turn begins: LP, cards and units of both seats
``turned``      a card was turned: ``zone`` (``field mana sorcerer``), ``card``, ``copy``, ``ready``
``aim``         the target chosen: ``card``, ``copy``, ``whose``, ``place``
``uses``        an ability, or special mana: ``card``, and ``place`` for a unit
``attacks``     a unit attacks; ``blocks``: it blocks; ``destroyed``: it falls
``damage``      a unit's damage is ``now``; ``ap``, ``dp``, ``keywords`` (bits) alike
``turn_ends``   damage, bonuses, keywords given and restrictions of all units are gone
==============  ====================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.core import story
from sim.titles.majestic.info import END_REASONS

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit

__all__ = ["Story"]


def _area(unit: Unit) -> str:
    return "front" if unit.front else "back"


class Story(story.Story):
    """Collects the events of one game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, game.tables.names)
        self._game = game

    def arrive(self, owner: Seat, unit: Unit, source: str) -> None:
        """Tell that a unit comes to the field."""
        self.move(unit.card, source, _area(unit), owner, place=unit.place + 1, fresh=unit.fresh)

    def shift(self, owner: Seat, unit: Unit, *, moves: bool) -> None:
        """Tell that a unit came to its area from the other one, by its own move or by an effect."""
        source = "back" if unit.front else "front"
        self.move(unit.card, source, _area(unit), owner, place=unit.place + 1, moves=moves)

    def turned(self, owner: Seat, card: Card | None, *, ready: bool, zone: str) -> None:
        """Tell that a card, or the sorcerer, was turned up or down."""
        named = {} if card is None else {"card": self._names[card.kind], "copy": card.copy}
        self.add("state", what="turned", owner=owner.index + 1, zone=zone, **named, ready=ready)

    def unit(self, unit: Unit, what: str, now: int | None) -> None:
        """Tell something of a unit."""
        more = {} if now is None else {"now": now}
        self.add("state", what=what, owner=unit.owner + 1, **self._unit(unit), **more)

    def aimed(self, owner: Seat, target: Unit) -> None:
        """Tell which target was chosen."""
        whose = target.owner + 1
        self.add("state", what="aim", owner=owner.index + 1, whose=whose, **self._unit(target))

    def uses(self, owner: Seat, name: str, **fields: Any) -> None:
        """Tell that an ability is used."""
        self.add("state", what="uses", owner=owner.index + 1, card=name, **fields)

    def standing(self) -> None:
        """Tell how things stand at the beginning of a turn."""
        seats = [
            {
                "lp": len(seat.lp),
                "hand": len(seat.hand),
                "mana": len(seat.mana),
                "units": seat.count(),
                "deck": len(seat.deck.cards),
                "mana_deck": len(seat.mana_deck.cards),
            }
            for seat in self._game.seats
        ]
        self.add("state", what="turn", seats=seats)

    def set_up(self) -> None:
        """Tell what the game is made of."""
        game = self._game
        self._begin(
            "majestic",
            game.tables.ruleset_hash,
            seats=[self._seat(seat) for seat in game.seats],
            cards=game.tables.told["cards"] | game.tables.told["mana"],
            sorcerers=game.tables.told["sorcerers"],
            decks={name: game.tables.told["decks"][name]["label"] for name in self._decks()},
            rules=game.tables.rule,
        )

    def end(self, reason: int) -> None:
        """Tell the end."""
        game = self._game
        self.add(
            "end",
            reason=END_REASONS[reason].id,
            scores=[seat.sources.total() for seat in game.seats],
            ranks=game.ranks,
            win60=game.win60,
        )

    def _unit(self, unit: Unit) -> dict[str, Any]:
        return {
            "card": self._names[unit.kind],
            "copy": unit.card.copy,
            "place": unit.place + 1,
        }

    def _decks(self) -> list[str]:
        """Return the ids of the decks of this game."""
        names = self._game.tables.deck_names
        return [names[number] for number in sorted({seat.deck_list for seat in self._game.seats})]

    def _seat(self, seat: Seat) -> dict[str, Any]:
        tables = self._game.tables
        return {
            "deck_list": tables.deck_names[seat.deck_list],
            "sorcerer": tables.sorcerer_names[seat.sorcerer],
            "sorcerer_ready": seat.sorcerer_ready,
            "deck": self._listed(seat.deck.cards),
            "mana_deck": self._listed(seat.mana_deck.cards),
            "hand": self._listed(seat.hand),
            "lp": self._listed(seat.lp),
            "mana": [
                {"card": self._names[one.card.kind], "copy": one.card.copy, "ready": one.ready}
                for one in seat.mana
            ],
            "trash": self._listed(seat.trash),
            "units": [
                {
                    **self._unit(unit),
                    "area": _area(unit),
                    "ready": unit.ready,
                    "fresh": unit.fresh,
                    "moved": unit.moved,
                    "damage": unit.damage,
                    "ap": self._game.ap(unit),
                    "dp": self._game.dp(unit),
                    "given": unit.given,
                }
                for unit in seat.units()
            ],
        }
