"""Games that are driven step by step, from a stated position or from a fresh set-up.

This is the door through which the rules are tested one by one. It adds no rule: every step calls
the reference engine and checks that the step is legal.

Two ways in
-----------
``from_position(position, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    The game stands as ``position`` says (below).
``new_game(players, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    A whole set-up by GM-S and GM-F; seat 1 is about to start its first turn.

``rules`` is a ``Ruleset`` (default: the printed rules), ``overrides`` are ``"key=value"`` strings
such as ``"limits.round_cap=5"``. Both give a :class:`StagedGame`.

Names: kinds, witches, seals and options are ids as in the data (``"fragment"``, ``"market"``,
``"celestina"``, ``"stop"``). Seats are counted from 1. An unknown name anywhere raises
``UnknownNameError``; anything else that is not legal raises ``InputError`` with the reason, and
leaves the game as it was.

A position
----------
A mapping; everything but ``seats`` may be left out::

    {
        "seats": [                     # seat 1, seat 2, …: 2 to 4 of them
            {
                "hand": ["fragment", "market"],   # in the order drawn
                "deck": ["stone", "charm"],       # TOP FIRST; the order is fixed, nothing random
                "discard": [],                    # first discarded first
                "play": [],                       # used this turn, in order
                "own": [],                        # own field, in the order laid (the witch is added
                                                  # by "witch"): duration and permanent cards
                "witch": None,                    # contracted witch; None = apprentice
                "silver": 0, "gold": 0, "tokens": 0,
                "turns": 0,                       # own turns finished so far; default: round - 1
                "arcana_taken": 0,                # arcana obtained so far; default: arcana owned
                "barriers": 0,                    # attacks that are stopped (GM-A4)
                "dolls_spent": 0,                 # so many substitute dolls of "own", first laid
                                                  # first, have had their free defence (GM-A2)
                # The next four only with a witch; they are counted since the contract.
                "rewards": 0,                     # Felicia's count (GM-N4)
                "announced": False,               # her special victory is announced (GM-W4)
                "uses": {},                       # kind -> times cast
                "kinds_cast": [],                 # different magic kinds cast; default: those of
                                                  # "uses", which must all be among them. What
                                                  # "uses" leaves out of them was cast once
            },
            {},                                   # left out: all empty
        ],
        "seat": 1,                     # whose turn it is
        "round": 1,
        "phase": "start",              # "start" (before GM-T1), "cast" or "acquire"
        "extra": False,                # the turn under way, or about to start, is an extra turn
        # The next five only with phase "cast" or "acquire":
        "mana": 0, "casts": 1, "acquisitions": 1,
        "mana_obtained": 0,            # mana obtained in this turn, spent or not; default: "mana"
        "extra_earned": False,         # this turn has won an extra turn; not in an extra turn
        "field": {"market": 5},        # magic kinds shown, cards of each. Default: the first eight
                                       # magic kinds of the data with five cards each
        "magic_deck": ["market"],      # TOP FIRST; default: empty
        "piles": {"stone": 0, "curse": 10},   # cards left, −1 endless; default: as the data say
        "witches": ["sophia"],         # witches in the field; default: all that nobody contracted
        "burned": [],                  # the burned zone
        "seals": {},                   # seal -> kind on whose pile it lies; default: none is placed
    }

No own card is there unless stated: there is no apprentice-witch card and there are no notes in a
position that lists none. Seats after ``seat`` have not had their turn of this round yet, seats
before it have: their default ``turns`` is ``round``. An extra turn comes after the own turn of the
round and is not counted in ``turns``: with ``"extra": True`` the default ``turns`` of ``seat`` is
``round`` too.

Only cards that are shuffled again (a discard pile that becomes a deck) are in random order, by
``seed`` and ``deal``.

Decisions
---------
A decision point is asked only when there are two or more legal options. Asked, it takes the next
entry of ``choices``, whichever seat decides; an entry that is not among the legal options raises
``InputError``. When the queue is used up, the deciding seat's entry of ``lineup`` decides: a data
policy by name (``"big_stones"``), or an object with methods named as decision points, ``(view,
options) -> option``. With neither, ``stop`` is taken if legal, else the option that comes first in
the data. Add entries at any time: ``game.choices.append("stop")``.

==========  ====================================================================================
decision    options
==========  ====================================================================================
cast        kinds in hand that can be cast; ``stop`` goes on to the acquisition phase
acquire     kinds and witches that can be paid for now; ``stop`` ends the turn
discard     kinds in hand: discard one. ``stop`` only for "up to". An attacked seat is asked too
burn        kinds in hand: burn one. ``stop`` only for "up to" and before a trade
receive     kinds on offer that the effect allows: take one. Never ``stop``
upgrade     stone kinds in hand that can become the next larger stone; ``stop``
look        the kind of the card that is looked at: discard it. ``stop``: leave it on the deck
defend      an attacked seat: kinds of the defence cards in hand: use one. Never ``stop``, so it
            is asked only with two kinds in hand
doll        an attacked seat: the kind of its first doll: pay (1 gold) for its defence. ``stop``:
            do not; the cards in hand come next. Not asked while a doll of the seat is still free
seal        the stones and truth cards on whose piles the seal may lie, its own pile and empty
            piles too: put it there. Never ``stop``
tokens      at a turn start: truth cards in hand: burn one for tokens. ``stop``: burn none
extra_turn  at the end of a normal turn: the own witch: pay for an extra turn. ``stop``: do not
==========  ====================================================================================

Cards of one kind are one option; the copy used is the first of that kind in hand. A card is one
that can be cast when it has a text to play, and while all conditions of its ``needs`` hold.

Steps
-----
Every step may ask for decisions, and every step may end the game by a special victory: then nothing
after the winning event happens, ``game.phase`` is ``over`` and ``game.end_reason`` ``"special"``. A
step that raises ``InputError`` leaves the game and ``choices`` as they were.

``game.start_turn()``
    From phase ``start``: the steps of GM-T1, which are the judgement of an announced special
    victory and of a condition that is judged at turn starts (neither in an extra turn), the
    reversal, the ``turn_start`` effects of the cards in the own field in the order laid (a duration
    card then goes to the discard pile), the witch's ``ability`` and her ``tokens`` decision. Then
    the phase is ``cast``.
``game.cast(kind)``
    In phase ``cast``: use the first card of that kind in hand (GM-T3). A duration or permanent card
    goes to the own field, any other to the play area; then its text is played, attacks and the
    decisions of the seats attacked included.
``game.enter_acquisition()``
    From phase ``cast``: lay down the stones (GM-T4); then the phase is ``acquire``.
``game.acquire(kind)``
    In phase ``acquire``: pay its price for and take one card of the field (GM-T5, GM-T6); the seals
    on its pile work.
``game.contract(witch)``
    In phase ``acquire``: make a contract (GM-C); it is an event for her special victory (GM-W9).
``game.end_turn()``
    From phase ``acquire``, or from ``cast`` (stones are laid down first): in an extra turn the
    judgement of a condition that is judged at its end; then GM-T7, the end test, the choice to pay
    for an extra turn (``extra_turn``; after a normal turn that has not earned one), and the extra
    turn of the same seat or the next seat; then the phase is ``start``, or ``over``.
``game.play_turn()``
    The rest of this turn, whatever the phase, by ``choices`` and ``lineup``. An extra turn that
    follows is a turn of its own.
``game.play()``
    The rest of the game.

What can be read
----------------
``game.phase``, ``game.round``, ``game.seat`` (on turn), ``game.turn``, ``game.players``
    ``turn`` counts the turns of all seats so far, extra ones and the one under way included.
``game.hand(seat)``, ``game.deck(seat)``, ``game.discard(seat)``, ``game.play_area(seat)``,
``game.own(seat)``
    Lists of kinds; a deck is top first (as far as its order is fixed; an unsettled part follows in
    no meaningful order). ``own`` is in the order laid, with the contracted witch last.
``game.field``, ``game.piles``
    Mappings kind → cards. ``field`` holds the magic kinds shown, in the order they were laid.
``game.magic_deck``, ``game.burned``, ``game.removed``, ``game.witches``
    Lists; the magic deck top first; ``removed`` holds apprentice-witch cards after a contract.
``game.mana``, ``game.casts``, ``game.acquisitions``, ``game.mana_obtained``
    Of the turn under way. ``mana_obtained`` does not fall when mana is spent.
``game.extra``, ``game.extra_earned``
    Whether the turn under way, or about to start, is an extra turn; whether the turn under way has
    won one by a card.
``game.seals``
    Mapping seal → kind on whose pile it lies; a seal that lies nowhere is left out.
``game.silver(seat)``, ``game.gold(seat)``, ``game.truth(seat)``, ``game.tokens(seat)``,
``game.turns(seat)``, ``game.witch(seat)``, ``game.arcana_taken(seat)``
    ``turns`` counts own turns, the one under way included, extra turns left out. ``truth`` holds
    tokens and the penalty for curses (GM-W2).
``game.barriers(seat)``, ``game.dolls_spent(seat)``
    Barriers left; dolls in the own field that have had their free defence.
``game.announced(seat)``, ``game.rewards(seat)``, ``game.uses(seat, kind)``,
``game.kinds_cast(seat)``, ``game.progress(seat)``
    What special victories go by: whether it is announced; Felicia's count; times a kind was cast
    since the contract; the different magic kinds cast since then, in the order first cast; how far
    the own condition is (observable ``progress``; 0 for an apprentice).
``game.price(seat, kind)``
    What the kind costs that seat now: seals and its witch's discount included.
``game.observe(seat, name)``, ``game.observe(seat, name, argument)``
    An observable (``observe.py``) as that seat sees it, a number: ``game.observe(2, "uses",
    "market")``, ``game.observe(1, "witch_free", "sophia")``.
``game.options()``
    Legal options of the phase (``cast`` or ``acquire``), by name, in option order.
``game.counter(seat, name)``
    A seat column of the records: ``"shuffles"``, ``"receipts"``, ``"hits"``, ``"curses_given"``, …
``game.chosen``
    After ``new_game``: the magic kinds drawn for this game, in the order drawn; ``game.rares`` too.
``game.over``, ``game.end_reason``, ``game.win60``, ``game.ranks``
    After the end: reason ``"field"``, ``"round_cap"`` or ``"special"``, win shares and ranks by
    seat.
``game.events``
    The trace so far: a list of mappings (see ``story.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sim.core._rng import make_key
from sim.core.pile import Card, Pile
from sim.core.position import check_names, seated
from sim.errors import InputError, UnknownNameError
from sim.titles.granmagia.reference import Game
from sim.titles.granmagia.schema import TIMINGS
from sim.titles.granmagia.staged import StagedGame
from sim.titles.granmagia.state import Seat
from sim.titles.granmagia.supply import starting_piles
from sim.titles.granmagia.tables import ENDLESS, Flag, compile_tables

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["StagedGame", "from_position", "new_game"]

_POSITION = (
    "seats",
    "seat",
    "round",
    "phase",
    "mana",
    "casts",
    "acquisitions",
    "field",
    "magic_deck",
    "piles",
    "witches",
    "burned",
    "extra",
    "extra_earned",
    "mana_obtained",
    "seals",
)
_ZONES = ("hand", "deck", "discard", "play", "own")
_NUMBERS = ("silver", "gold", "tokens", "turns", "arcana_taken", "barriers")
#: What counts since the contract.
_CONTRACTED = ("rewards", "announced", "uses", "kinds_cast")
_PHASES = ("start", "cast", "acquire")


def from_position(
    position: Mapping[str, Any],
    *,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
    choices: Iterable[str] = (),
    lineup: Sequence[Any] | None = None,
    seed: int = 1,
    deal: int = 0,
) -> StagedGame:
    """Return a game that stands as a position says; see the module's docstring."""
    check_names(position, _POSITION, "entry of a position")
    seats = position.get("seats", ())
    game = _new(len(seats), rules, overrides, choices, lineup, seed, deal)
    _Builder(game, position).build()
    return StagedGame(game)


def new_game(
    players: int,
    *,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
    choices: Iterable[str] = (),
    lineup: Sequence[Any] | None = None,
    seed: int = 1,
    deal: int = 0,
) -> StagedGame:
    """Return a game that was set up; see the module's docstring."""
    game = _new(players, rules, overrides, choices, lineup, seed, deal)
    game.set_up()
    return StagedGame(game)


#: Tables are only read, and compiling them takes longer than a set-up.
_compiled = lru_cache(maxsize=8)(compile_tables)


def _new(
    players: int,
    rules: Ruleset | None,
    overrides: Sequence[str],
    choices: Iterable[str],
    lineup: Sequence[Any] | None,
    seed: int,
    deal: int,
) -> Game:
    from sim.titles.granmagia import DATA, load

    if rules is not None and overrides:
        raise InputError("give either rules or overrides, not both")
    tables = _compiled(load(overrides=overrides) if rules is None else rules)
    entries, policies = seated(lineup, players, tables.words, DATA / "policies")
    game = Game(tables, policies, None, make_key(seed), deal, entries, trace=True)
    game.script.extend(choices)
    return game


class _Builder:
    """Lays out a stated position."""

    def __init__(self, game: Game, position: Mapping[str, Any]) -> None:
        self.game, self.position, self.tables = game, position, game.tables

    def build(self) -> None:
        game, position = self.game, self.position
        players = len(game.seats)
        game.round = self._number("round", position.get("round", 1), 1)
        cap = self.tables.rule["round_cap"]
        if game.round > cap:
            raise InputError(f"round: found {game.round}; allowed: at most limits.round_cap, {cap}")
        on_turn = self._number("seat", position.get("seat", 1), 1)
        if on_turn > players:
            raise InputError(f"seat: found {on_turn}; allowed: 1 to {players}")
        game.on_turn = on_turn - 1
        phase = position.get("phase", "start")
        if phase not in _PHASES:
            raise UnknownNameError("phase", phase, _PHASES)
        game.extra = self._truth_value("extra", position.get("extra", False))
        taken = self._seats(phase)
        self._field(taken)
        self._seals()
        game.phase = phase
        game.turn = sum(seat.turns + seat.extra_turns for seat in game.seats)
        self._turn(phase)
        if game.story:
            game.story.set_up(game)

    def _turn(self, phase: str) -> None:
        """Take what belongs to the turn under way."""
        game, position = self.game, self.position
        for name in ("mana", "casts", "acquisitions", "mana_obtained", "extra_earned"):
            if name in position and phase == "start":
                raise InputError(f"{name}: a turn that has not started has none")
        mana = position.get("mana", 0)
        numbers = {"mana": mana, "casts": 1, "acquisitions": 1, "mana_obtained": mana}
        for name, default in numbers.items():
            value = self._number(name, position.get(name, default), 0)
            setattr(game, name, 0 if phase == "start" else value)
        earned = self._truth_value("extra_earned", position.get("extra_earned", False))
        if earned and game.extra:
            raise InputError("extra_earned: an extra turn wins no other (GM-T10)")
        game.extra_earned = earned

    def _seats(self, phase: str) -> list[int]:
        game, taken, what = self.game, [], "entry of a seat"
        for seat, given in zip(game.seats, self.position["seats"], strict=True):
            check_names(given, (*_ZONES, *_NUMBERS, "witch", "dolls_spent", *_CONTRACTED), what)
            for zone in ("hand", "discard", "play", "own"):
                setattr(seat, zone, self._cards(given.get(zone, ())))
            cards = self._cards(given.get("deck", ()))[::-1]
            seat.deck = Pile(cards, len(cards))
            if given.get("witch") is not None:
                seat.witch = self._witch(given["witch"])
                taken.append(seat.witch)
            on_turn = seat.index == game.on_turn
            under_way = on_turn and phase != "start"
            waiting = seat.index > game.on_turn or (on_turn and not game.extra)
            arcana = sum(bool(self.tables.flags[card.kind] & Flag.ARCANA) for card in seat.cards())
            defaults = {"turns": game.round - waiting, "arcana_taken": arcana}
            for name in _NUMBERS:
                default = defaults.get(name, 0)
                setattr(seat, name, self._number(name, given.get(name, default), 0))
            if game.extra:
                seat.extra_turns = int(under_way)
            else:
                seat.turns += under_way
            self._dolls(seat, given)
            self._contracted(seat, given)
        return taken

    def _dolls(self, seat: Seat, given: Mapping[str, Any]) -> None:
        spent = self._number("dolls_spent", given.get("dolls_spent", 0), 0)
        flags = self.tables.flags
        dolls = [card for card in seat.own if flags[card.kind] & Flag.DEFENDS_FIELD]
        if spent > len(dolls):
            raise InputError(f"dolls_spent: found {spent}; allowed: the dolls of own, {len(dolls)}")
        seat.defended = set(dolls[:spent])

    def _contracted(self, seat: Seat, given: Mapping[str, Any]) -> None:
        """Take what counts since the contract."""
        for name in _CONTRACTED:
            if given.get(name) and seat.witch < 0:
                raise InputError(f"{name}: seat {seat.index + 1} has no contract")
        seat.rewards = self._number("rewards", given.get("rewards", 0), 0)
        seat.announced = self._truth_value("announced", given.get("announced", False))
        if seat.announced:
            fields = self.tables.witch_fields[seat.witch]
            if not fields["victory"] or fields["timing"] != TIMINGS.index("turn_start"):
                raise InputError("announced: the witch has no special victory at a turn start")
        flags = self.tables.flags
        for name, times in given.get("uses", {}).items():
            kind = self._kind(name)
            if not flags[kind] & Flag.CASTABLE:
                raise InputError(f"uses: {name!r} is no card that is cast")
            if self._number(f"uses of {name}", times, 0):
                seat.uses[kind] = times
        magic = [kind for kind in seat.uses if flags[kind] & Flag.MAGIC]
        cast = magic
        if "kinds_cast" in given:
            cast = [self._kind(name) for name in given["kinds_cast"]]
        wrong = [kind for kind in cast if not flags[kind] & Flag.MAGIC]
        if wrong or len(set(cast)) < len(cast):
            raise InputError("kinds_cast: allowed are different magic kinds")
        if left := [self.tables.kind_names[kind] for kind in magic if kind not in cast]:
            raise InputError(f"kinds_cast: {', '.join(left)} of uses must be among them")
        for kind in cast:
            seat.uses.setdefault(kind, 1)
        seat.kinds_cast = cast

    def _seals(self) -> None:
        tables = self.tables
        for name, pile in self.position.get("seals", {}).items():
            if name not in tables.seal_names:
                raise UnknownNameError("seal", name, tables.seal_names)
            number, kind = tables.seal_names.index(name), self._kind(pile)
            group = tables.group_bits[tables.seal_group[number]]
            if not (group >> kind & 1 and tables.flags[kind] & Flag.ON_OFFER):
                raise InputError(f"seals: {name!r} cannot lie on the pile of {pile!r}")
            self.game.seal_piles[number] = kind

    def _field(self, taken: list[int]) -> None:
        game, position, tables = self.game, self.position, self.tables
        field = position.get("field")
        if field is None:
            first = [tables.kind_names[kind] for kind in tables.pool[:8]]
            field = dict.fromkeys(first, 5)
        for name, number in field.items():
            kind = self._kind(name)
            if tables.sort[kind] not in ("magic", "rare"):
                raise InputError(f"field: {name!r} is no magic kind of the field")
            cards = [game.new_card(kind) for _ in range(self._number(name, number, 1))]
            game.field[kind] = cards
        magic = self._cards(position.get("magic_deck", ()))[::-1]
        game.magic_deck = Pile(magic, len(magic))
        game.piles = starting_piles(tables, len(game.seats))
        for name, size in position.get("piles", {}).items():
            game.piles[self._kind(name)] = self._number(name, size, ENDLESS)
        enabled = tables.witches["enabled"].tolist()
        free = [
            witch for witch, is_enabled in enumerate(enabled) if is_enabled and witch not in taken
        ]
        if "witches" in position:
            free = sorted(self._witch(name) for name in position["witches"])
            if both := set(free) & set(taken):
                names = [tables.witch_names[witch] for witch in sorted(both)]
                raise InputError(f"witches: in the field and contracted: {names}")
        if len(set(taken)) < len(taken):
            raise InputError("seats: a witch is contracted twice")
        game.witches = free
        game.burned = self._cards(position.get("burned", ()))

    def _cards(self, names: Iterable[str]) -> list[Card]:
        return [self.game.new_card(self._kind(name)) for name in names]

    def _kind(self, name: str) -> int:
        if name not in self.tables.kind_names:
            raise UnknownNameError("card", name, self.tables.kind_names)
        return self.tables.kind_names.index(name)

    def _witch(self, name: str) -> int:
        if name not in self.tables.witch_names:
            raise UnknownNameError("witch", name, self.tables.witch_names)
        return self.tables.witch_names.index(name)

    @staticmethod
    def _truth_value(name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise InputError(f"{name}: found {value!r}; allowed: True or False")
        return value

    @staticmethod
    def _number(name: str, value: Any, least: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise InputError(
                f"{name}: found {value!r}; allowed: a whole number of at least {least}"
            )
        return value
