"""A game that is driven and read by name; ``position`` is its manual."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sim.errors import InputError, UnknownNameError
from sim.titles.majestic.field import attackers, blockers, has
from sim.titles.majestic.info import END_REASONS
from sim.titles.majestic.observe import observe
from sim.titles.majestic.plays import exchange_options, main_options
from sim.titles.majestic.results import seat_record
from sim.titles.majestic.schema import KEYWORDS

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit

__all__ = ["StagedGame"]

_READABLE = ("phase", "round", "turn", "over", "win60", "ranks")
_OPTIONS = ("main", "attack", "block", "exchange")


class StagedGame:
    """A game of the reference engine that is driven and read by name."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._names = game.tables.names
        self.choices: dict[int, deque[str]] = dict(enumerate(game.scripts, 1))

    # -- steps -----------------------------------------------------------------------------------

    def play_phase(self) -> None:
        """Play the phase that comes."""
        self._running()
        self._game.play_phase()

    def regenerate_phase(self) -> None:
        """Turn everything up."""
        self._play("regenerate")

    def draw_phase(self) -> None:
        """Draw."""
        self._play("draw")

    def mana_phase(self) -> None:
        """Put mana or draw."""
        self._play("mana")

    def main_phase(self) -> None:
        """Play cards, use abilities, move units."""
        self._play("main")

    def battle_phase(self) -> None:
        """Fight."""
        self._play("battle")

    def end_phase(self) -> None:
        """End the turn."""
        self._play("end")

    def play_turn(self) -> None:
        """Play what is left of the turn."""
        self._running()
        game = self._game
        now = (game.round, game.on_turn)
        while not game.over and (game.round, game.on_turn) == now:
            game.play_phase()

    def play(self) -> None:
        """Play what is left of the game."""
        self._running()
        self._game.play()

    def _running(self) -> None:
        if self._game.over:
            raise InputError("the game is over")

    def _play(self, phase: str) -> None:
        self._running()
        if self.phase != phase:
            raise InputError(f"found phase {self.phase!r}; this step needs phase {phase!r}")
        self._game.play_phase()

    # -- what can be read ------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Return what a game itself calls by the same name: phase, round, …"""
        if name not in _READABLE:
            raise AttributeError(f"there is no {name!r}; allowed: {', '.join(_READABLE)}")
        return getattr(self._game, name)

    @property
    def seat(self) -> int:
        """The seat on turn, from 1."""
        return self._game.on_turn + 1

    def hand(self, seat: int) -> list[str]:
        """Return a hand, in the order drawn."""
        return self._listed(self._seat(seat).hand)

    def deck(self, seat: int) -> list[str]:
        """Return a main deck, top first."""
        return self._listed(self._seat(seat).deck.top_first())

    def mana_deck(self, seat: int) -> list[str]:
        """Return a mana deck, top first."""
        return self._listed(self._seat(seat).mana_deck.top_first())

    def lp(self, seat: int) -> list[str]:
        """Return an LP zone, top first."""
        return self._listed(self._seat(seat).lp[::-1])

    def trash(self, seat: int) -> list[str]:
        """Return a trash, first put there first."""
        return self._listed(self._seat(seat).trash)

    def played(self, seat: int) -> list[str]:
        """Return the spells that are at work."""
        return self._listed(self._seat(seat).played)

    def mana(self, seat: int) -> list[str]:
        """Return a mana zone, in the order put."""
        return self._listed(one.card for one in self._seat(seat).mana)

    def ready_mana(self, seat: int) -> list[str]:
        """Return the mana cards that are ready."""
        return self._listed(one.card for one in self._seat(seat).mana if one.ready)

    def down_mana(self, seat: int) -> list[str]:
        """Return the mana cards that are down."""
        return self._listed(one.card for one in self._seat(seat).mana if not one.ready)

    def front(self, seat: int) -> list[str]:
        """Return the units in the front area, place by place."""
        return self._listed(unit.card for unit in self._seat(seat).units() if unit.front)

    def back(self, seat: int) -> list[str]:
        """Return the units in the back area, place by place."""
        return self._listed(unit.card for unit in self._seat(seat).units() if not unit.front)

    def units(self, seat: int) -> dict[int, dict[str, Any]]:
        """Return all units of a seat by their places."""
        return {unit.place + 1: self._unit(unit) for unit in self._seat(seat).units()}

    def unit(self, seat: int, place: int) -> dict[str, Any]:
        """Return the unit in a place."""
        units = self.units(seat)
        if place not in units:
            allowed = ", ".join(map(str, units)) or "there is no unit"
            raise InputError(f"place: found {place}; allowed: {allowed}")
        return units[place]

    def sorcerer(self, seat: int) -> str:
        """Return a seat's sorcerer."""
        return self._game.tables.sorcerer_names[self._seat(seat).sorcerer]

    def sorcerer_ready(self, seat: int) -> bool:
        """Return whether a seat's sorcerer is ready."""
        return self._seat(seat).sorcerer_ready

    def options(self, decision: str, seat: int) -> list[str]:
        """Return what a decision would offer a seat now."""
        game, one = self._game, self._seat(seat)
        own = game.code.own
        match decision:
            case "main":
                codes = main_options(game, one)
            case "exchange":
                codes = exchange_options(game, one)
            case "attack":
                codes = {game.stop, *(own + unit.place for unit in attackers(game, one))}
            case "block":
                able = blockers(game, one, game.battle.attacker)
                codes = {game.stop, *(own + unit.place for unit in able)}
            case _:
                raise UnknownNameError("decision", decision, _OPTIONS)
        return [self._names[code] for code in sorted(codes)]

    def observe(self, seat: int, name: str, argument: str | None = None) -> int:
        """Return an observable of policies as a seat sees it."""
        words = self._game.tables.words
        if name not in words.observable_numbers:
            raise UnknownNameError("observable", name, words.observable_numbers)
        number = words.observable_numbers[name]
        what = words.observables[number].argument
        if (what is None) != (argument is None):
            allowed = f"a {what}" if what else "no argument"
            raise InputError(f"observable {name!r}: found {argument!r}; allowed: {allowed}")
        place = 0
        if what is not None and argument is not None:
            if argument not in words.arguments[what]:
                raise UnknownNameError(what, argument, words.arguments[what])
            place = words.arguments[what][argument]
        return observe(self._game, self._seat(seat), number, place)

    def counter(self, seat: int, name: str) -> int:
        """Return a seat column of the records as it stands now."""
        record = seat_record(self._game, self._seat(seat))
        if name not in record:
            raise UnknownNameError("column", name, record)
        return record[name]

    @property
    def end_reason(self) -> str | None:
        """Why the game has ended, or None."""
        return END_REASONS[self._game.end_reason].id if self.over else None

    @property
    def events(self) -> list[dict[str, Any]]:
        """The trace so far."""
        return self._game.story.events if self._game.story else []

    def _unit(self, unit: Unit) -> dict[str, Any]:
        game = self._game
        return {
            "unit": self._names[unit.kind],
            "front": unit.front,
            "ready": unit.ready,
            "fresh": unit.fresh,
            "moved": unit.moved,
            "damage": unit.damage,
            "ap": game.ap(unit),
            "dp": game.dp(unit),
            "keywords": [keyword for keyword in KEYWORDS if has(game, unit, keyword)],
        }

    def _listed(self, cards: Iterable[Card]) -> list[str]:
        return [self._names[card.kind] for card in cards]

    def _seat(self, seat: int) -> Seat:
        seats = self._game.seats
        if not 1 <= seat <= len(seats):
            raise InputError(f"seat: found {seat}; allowed: 1 to {len(seats)}")
        return seats[seat - 1]
