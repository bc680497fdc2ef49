"""A game that is driven and read by name; ``position`` is its manual."""

from __future__ import annotations

import copy
from collections.abc import Callable

from sim.core import staged
from sim.errors import InputError, UnknownNameError
from sim.titles.granmagia.info import INFO
from sim.titles.granmagia.observe import observe
from sim.titles.granmagia.reference import Game
from sim.titles.granmagia.results import seat_record
from sim.titles.granmagia.state import Seat
from sim.titles.granmagia.tables import Flag

__all__ = ["StagedGame"]


class StagedGame(staged.StagedGame[Game, Seat]):
    """A game of the reference engine that is driven and read by name."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, INFO, observe, seat_record)

    # -- steps -----------------------------------------------------------------------------------

    def start_turn(self) -> None:
        """Take the steps of GM-T1."""
        self._expect("start")
        self._undoable(self._game.start_turn)

    def cast(self, kind: str) -> None:
        """Use a magic card from hand."""
        self._expect("cast")
        code = self._kind(kind)
        game = self._game
        if code not in game.cast_options():
            if game.casts <= 0:
                raise InputError(f"{kind!r} cannot be cast: no cast is left")
            if all(card.kind != code for card in game.current.hand):
                raise InputError(f"{kind!r} cannot be cast: it is not in hand")
            if not game.tables.flags[code] & Flag.CASTABLE:
                raise InputError(f"{kind!r} cannot be cast: it is no card that is used")
            raise InputError(f"{kind!r} cannot be cast: a condition of its needs does not hold")
        self._undoable(lambda: game.cast(code))

    def enter_acquisition(self) -> None:
        """Lay down the stones and go on to the acquisition phase."""
        self._expect("cast")
        self._game.enter_acquisition()

    def acquire(self, kind: str) -> None:
        """Pay for and take a card of the field."""
        self._expect("acquire")
        code = self._kind(kind)
        game = self._game
        if code not in game.acquire_options():
            if game.acquisitions <= 0:
                raise InputError(f"{kind!r} cannot be acquired: no acquisition is left")
            if code not in game.kinds_on_offer(game.current):
                named = game.tables.flags[code] & Flag.NAMED_ONLY and game.current.witch < 0
                reason = "it needs a contract" if named else "it is not on offer"
                raise InputError(f"{kind!r} cannot be acquired: {reason}")
            raise InputError(f"{kind!r} cannot be acquired: it cannot be paid for")
        self._undoable(lambda: game.acquire(code))

    def contract(self, witch: str) -> None:
        """Make a contract with a witch."""
        self._expect("acquire")
        game, names = self._game, self._game.tables.witch_names
        if witch not in names:
            raise UnknownNameError("witch", witch, names)
        number = names.index(witch)
        if game.tables.rule["kinds"] + number not in game.acquire_options():
            if game.acquisitions <= 0:
                reason = "no acquisition is left"
            elif game.current.witch >= 0:
                reason = "one contract is made already"
            elif number not in game.witches:
                reason = "she is not in the field"
            else:
                reason = "there is not enough mana"
            raise InputError(f"no contract with {witch!r}: {reason}")
        game.contract(number)

    def end_turn(self) -> None:
        """End the turn; from the cast phase the stones are laid down first."""
        self._running()
        if self.phase not in ("cast", "acquire"):
            self._expect("acquire")
        self._undoable(self._end_turn)

    def _end_turn(self) -> None:
        if self.phase == "cast":
            self._game.enter_acquisition()
        if not self._game.over:
            self._game.end_turn()

    def play_turn(self) -> None:
        """Play what is left of this turn."""
        self._running()
        self._undoable(self._game.play_turn)

    def play(self) -> None:
        """Play what is left of the game."""
        self._running()
        self._undoable(self._game.play)

    def _undoable(self, step: Callable[[], None]) -> None:
        """Take a step that asks for choices; a wrong choice leaves the game as it was."""
        game = self._game
        # What a step does not change, or only adds to, is not copied.
        kept = (game.tables, game.lineup, game.policies, game.story)
        saved = copy.deepcopy(game, {id(each): each for each in kept})
        told = len(self.events)
        try:
            step()
        except InputError:
            game.__dict__.update(saved.__dict__)
            del self.events[told:]
            self.choices = game.script
            raise

    # -- what can be read ------------------------------------------------------------------------

    def own(self, seat: int) -> list[str]:
        """Cards of the own field, the witch last."""
        witch = self.witch(seat)
        return self._listed(self._seat(seat).own) + ([witch] if witch else [])

    @property
    def field(self) -> dict[str, int]:
        """Magic kinds shown, and how many cards of each."""
        return {self._kinds[kind]: len(cards) for kind, cards in self._game.field.items()}

    @property
    def piles(self) -> dict[str, int]:
        """Cards left in the piles, -1 without end."""
        tables = self._game.tables
        return {
            name: self._game.piles[kind]
            for kind, name in enumerate(self._kinds)
            if tables.sort[kind] in ("stone", "truth", "curse")
        }

    @property
    def magic_deck(self) -> list[str]:
        """Cards of the magic deck, top first."""
        return self._listed(self._game.magic_deck.top_first())

    @property
    def burned(self) -> list[str]:
        """Cards of the burned zone."""
        return self._listed(self._game.burned)

    @property
    def removed(self) -> list[str]:
        """Cards removed by contracts."""
        return self._listed(self._game.removed)

    @property
    def witches(self) -> list[str]:
        """Witches in the field."""
        return [self._game.tables.witch_names[witch] for witch in self._game.witches]

    @property
    def chosen(self) -> list[str]:
        """Magic kinds drawn for this game."""
        return [self._kinds[kind] for kind in self._game.chosen]

    @property
    def rares(self) -> list[str]:
        """Rares drawn for this game."""
        return [self._kinds[kind] for kind in self._game.rares]

    @property
    def mana(self) -> int:
        """Mana of the turn that is not spent."""
        return self._game.mana

    @property
    def casts(self) -> int:
        """Casts left."""
        return self._game.casts

    @property
    def acquisitions(self) -> int:
        """Acquisitions left."""
        return self._game.acquisitions

    @property
    def mana_obtained(self) -> int:
        """Mana obtained in the turn, spent or not."""
        return self._game.mana_obtained

    @property
    def extra(self) -> bool:
        """Whether the turn under way, or about to start, is an extra turn."""
        return bool(self._game.extra)

    @property
    def extra_earned(self) -> bool:
        """Whether the turn under way has won an extra turn."""
        return bool(self._game.extra_earned)

    @property
    def seals(self) -> dict[str, str]:
        """Seals that lie on a pile, and the kinds of the piles."""
        game = self._game
        return {
            name: self._kinds[pile]
            for name, pile in zip(game.tables.seal_names, game.seal_piles, strict=True)
            if pile >= 0
        }

    def silver(self, seat: int) -> int:
        """Silver of a seat."""
        return self._seat(seat).silver

    def gold(self, seat: int) -> int:
        """Gold of a seat."""
        return self._seat(seat).gold

    def tokens(self, seat: int) -> int:
        """Truth tokens of a seat."""
        return self._seat(seat).tokens

    def truth(self, seat: int) -> int:
        """Truth of a seat."""
        return self._game.truth(self._seat(seat))

    def arcana_taken(self, seat: int) -> int:
        """Arcana that a seat has obtained."""
        return self._seat(seat).arcana_taken

    def barriers(self, seat: int) -> int:
        """Barriers of a seat."""
        return self._seat(seat).barriers

    def dolls_spent(self, seat: int) -> int:
        """Dolls in the own field that have had their free defence."""
        own = self._seat(seat)
        return sum(card in own.defended for card in own.own)

    def announced(self, seat: int) -> bool:
        """Whether the special victory of a seat is announced."""
        return bool(self._seat(seat).announced)

    def rewards(self, seat: int) -> int:
        """Rewards of familiars that a seat has had since its contract."""
        return self._seat(seat).rewards

    def uses(self, seat: int, kind: str) -> int:
        """Times that a seat has cast a kind since its contract."""
        return self._seat(seat).uses.get(self._kind(kind), 0)

    def kinds_cast(self, seat: int) -> list[str]:
        """Magic kinds that a seat has cast since its contract, in the order first cast."""
        return [self._kinds[kind] for kind in self._seat(seat).kinds_cast]

    def progress(self, seat: int) -> int:
        """How far the special victory of a seat is."""
        return self.observe(seat, "progress")

    def price(self, seat: int, kind: str) -> int:
        """What a kind costs a seat now."""
        return int(self._game.price(self._seat(seat), self._kind(kind)))

    def witch(self, seat: int) -> str | None:
        """Contracted witch of a seat."""
        witch = self._seat(seat).witch
        return self._game.tables.witch_names[witch] if witch >= 0 else None

    def options(self) -> list[str]:
        """Legal options of the cast or acquisition phase."""
        game = self._game
        if self.phase not in ("cast", "acquire"):
            raise InputError(f"there is nothing to choose in phase {self.phase!r}")
        codes = game.cast_options() if self.phase == "cast" else game.acquire_options()
        return [game.tables.words.options[code] for code in sorted(codes)]
