"""A game that is driven and read by name; ``position`` is its manual."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from sim.errors import InputError, UnknownNameError
from sim.titles.wizard.info import END_REASONS
from sim.titles.wizard.observe import observe
from sim.titles.wizard.results import seat_record
from sim.titles.wizard.schema import DIRECTIONS, PARTS, PLACES

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.wizard.reference import Game

__all__ = ["StagedGame", "named"]

_READABLE = ("phase", "round", "turn", "over", "win60")


def named(what: str, name: Any, known: Collection[str]) -> str:
    """Return a name that is known.

    Raises
    ------
    InputError
        When it is no text.
    UnknownNameError
        When nothing is called so.
    """
    if not isinstance(name, str):
        raise InputError(f"{what}: found {name!r}; allowed: a name")
    if name not in known:
        raise UnknownNameError(what, name, known)
    return name


class StagedGame:
    """A game of the reference engine that is driven and read by name."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._names = game.tables.words.options
        self.choices = game.script

    # -- steps -----------------------------------------------------------------------------------

    def move(self, direction: str) -> None:
        """Go in a direction."""
        self._expect("journey")
        options = self._game.directions()
        legal = {self._names[code]: code for code in options}
        if named("direction", direction, DIRECTIONS) not in legal:
            raise InputError(f"found {direction!r}; allowed now: {', '.join(legal)}")
        self._game.move(legal[direction])

    def battle_turn(self) -> None:
        """Play one turn of the battle."""
        self._expect("battle")
        self._game.play_battle_turn()

    def fight(self) -> None:
        """Play the rest of the battle."""
        self._expect("battle")
        while self.phase == "battle":
            self._game.play_battle_turn()

    def play_round(self) -> None:
        """Play what is left of the round."""
        self._running()
        self._game.play_round()

    def play(self) -> None:
        """Play what is left of the game."""
        self._running()
        self._game.play()

    def _running(self) -> None:
        if self._game.over:
            raise InputError("the game is over")

    def _expect(self, phase: str) -> None:
        self._running()
        if self.phase != phase:
            raise InputError(f"found phase {self.phase!r}; this step needs phase {phase!r}")

    # -- what can be read ------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Return what a game itself calls by the same name: phase, round, …"""
        if name not in _READABLE:
            raise AttributeError(f"there is no {name!r}; allowed: {', '.join(_READABLE)}")
        return getattr(self._game, name)

    @property
    def lp(self) -> int:
        """LP of the wizard."""
        return self._game.wizard.lp

    @property
    def hex(self) -> str:
        """Where the wizard stands."""
        return self._game.tables.hex_names[self._game.wizard.hex]

    @property
    def hand(self) -> list[str]:
        """Magic parts and the Grimoire 2, in the order of arrival."""
        return self._listed(self._game.wizard.hand)

    @property
    def companions(self) -> list[str]:
        """Companions at one's side, by their ways up."""
        first = self._game.rule["first_way"]
        return [self._names[first + one.way] for one in self._game.wizard.companions]

    @property
    def lost(self) -> list[str]:
        """Companions lost."""
        return self._listed(self._game.wizard.lost)

    @property
    def aside(self) -> list[str]:
        """Barred cards that were laid away."""
        return self._listed(self._game.wizard.aside)

    @property
    def enemy(self) -> str | None:
        """The enemy that is being fought."""
        battle = self._game.battle
        return self._names[self._game.first_enemy + battle.enemy] if battle else None

    @property
    def enemy_lp(self) -> int:
        """LP of the enemy."""
        return self._game.battle.lp if self._game.battle else 0

    @property
    def battle_turns(self) -> int:
        """Turns played of the battle under way."""
        return self._game.battle.turn if self._game.battle else 0

    def place(self, name: str) -> dict[str, Any]:
        """Return what lies at a place."""
        place = self._game.places[PLACES.index(named("place", name, PLACES))]
        return {
            "enemy": self._names[place.enemy.kind] if place.enemy else None,
            "ability": self._names[place.ability.kind] if place.ability else None,
            "beaten": place.beaten,
            "order": place.order,
        }

    @property
    def used(self) -> list[str]:
        """Yellow hexes that are used up."""
        return [self._game.tables.hex_names[number] for number in sorted(self._game.used)]

    def options(self) -> tuple[str, ...]:
        """Return the directions, or the numbers that can be declared."""
        self._running()
        game = self._game
        if game.phase == "journey":
            return tuple(self._names[code] for code in game.directions())
        with _DeckOfAll(game):
            first = game.rule["first_draw"] - 1
            return tuple(self._names[first + number] for number in game.draw_numbers())

    def observe(self, name: str, argument: str | None = None) -> int:
        """Return an observable."""
        words = self._game.tables.words
        number = words.observable_numbers[named("observable", name, words.observable_numbers)]
        what = words.observables[number].argument
        if (what is None) != (argument is None):
            allowed = f"an {what}" if what else "no argument"
            raise InputError(f"observable {name!r}: found {argument!r}; allowed: {allowed}")
        place = 0
        if what is not None and argument is not None:
            place = words.arguments[what][named(what, argument, words.arguments[what])]
        with _DeckOfAll(self._game):
            return observe(self._game, number, place)

    def counter(self, name: str) -> int:
        """Return a seat column of the records as it stands now."""
        record = seat_record(self._game)
        return record[named("column", name, record)]

    @property
    def end_reason(self) -> str | None:
        """Why the game has ended, or None."""
        return END_REASONS[self._game.end_reason].id if self.over else None

    @property
    def events(self) -> list[dict[str, Any]]:
        """The trace so far."""
        return self._game.story.events if self._game.story else []

    def _listed(self, cards: Iterable[Card]) -> list[str]:
        return [self._names[card.kind] for card in cards]


class _DeckOfAll:
    """Looks at a battle between its turns as if the deck were built from all parts."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __enter__(self) -> None:
        game = self._game
        game.forget()
        if game.battle is not None:
            kinds = (card.kind for card in game.wizard.hand)
            game.deck_parts = sorted(kind for kind in kinds if kind < len(PARTS))

    def __exit__(self, *_: object) -> None:
        self._game.deck_parts = []
