"""Games that are driven step by step, from a stated position or from a fresh set-up.

This is the door through which the rules are tested one by one. It adds no rule: every step calls
the reference engine after checking that the step is legal.

``from_position(position, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    The game stands as ``position`` says (below).
``new_game(players, *, rules=None, overrides=(), choices=(), lineup=None, seed=1, deal=0)``
    A whole set-up by CL-S; seat 1 is about to play its first turn.

``rules`` is a ``Ruleset`` (default: the printed rules), ``overrides`` are ``"key=value"`` strings
such as ``"limits.round_cap=5"``. Both give a :class:`StagedGame`. Kinds and options are ids as in
the data (``"copper"``, ``"forge"``, ``"stop"``); seats are counted from 1. An unknown name raises
``UnknownNameError``; anything else that is not legal raises ``InputError`` with the reason.

A position
----------
A mapping; everything but ``seats`` may be left out::

    {
        "seats": [                     # seat 1, seat 2, …: 1 to 4 of them
            {
                "hand": ["copper", "forge"],      # in the order drawn
                "deck": ["silver", "estate"],     # TOP FIRST; the order is fixed, nothing random
                "discard": [],                    # first discarded first
                "play": [],                       # laid or played this turn, in order
                "turns": 1,                       # own turns so far, the one under way included;
                                                  # default: `round`, one less after `seat`
            },
            {},                                   # left out: no cards
        ],
        "seat": 1,                     # whose turn it is
        "round": 1,
        "phase": "action",             # "action", or "buy" (treasures of this turn are laid down)
        "actions": 1, "buys": 1, "coins": 0,
        "piles": {"province": 1, "forge": 10},    # cards left; others as before a first turn with
                                       # ALL action kinds in the supply. 0 for an action kind: its
                                       # pile is in the supply and empty
        "trash": [],
    }

Only cards that are shuffled again (a discard pile that becomes a deck) are in random order, by
``seed`` and ``deal``.

Decisions
---------
A decision point is asked only when there are two or more legal options. Asked, it takes the next
entry of ``choices``, whichever seat decides; an entry that is not legal raises ``InputError``. When
the queue is used up, the deciding seat's entry of ``lineup`` decides: a data policy by name
(``"naive"``), or an object with methods named as decision points, ``(view, options) -> option``.
With neither, ``stop`` is taken if legal, else the option that comes first in the data. Add entries
at any time: ``game.choices.append("stop")``.

========  ======================================================================================
decision  options
========  ======================================================================================
action    action kinds in hand: play one; ``stop`` goes on to the buy phase
buy       kinds on offer that can be paid for now; ``stop`` ends the turn
discard   kinds in hand: discard one. ``stop`` only for "any number". An attacked seat is asked too
trash     kinds in hand: trash one. ``stop`` only for "up to"
receive   kinds on offer that the effect allows: take one. Never ``stop``
========  ======================================================================================

Cards of one kind are one option; the copy used is the first of that kind in hand.

Steps
-----
``game.play_action(kind)``
    In phase ``action``: play an action card from hand (CL-T2), attacks and the decisions of the
    seats attacked included.
``game.enter_buy()``
    From phase ``action``: lay down the treasures (CL-T3); then the phase is ``buy``.
``game.buy(kind)``
    In phase ``buy``: buy a card (CL-T4).
``game.end_turn()``
    Clean-up, the test of the end, the next seat (CL-T5); from phase ``action`` the treasures are
    laid down first. Then the phase is ``action``, or ``over``.
``game.play_turn()``, ``game.play()``
    The rest of this turn, or of the game, by ``choices`` and ``lineup``.

What can be read
----------------
``game.phase``, ``game.round``, ``game.seat`` (on turn), ``game.turn`` (turns of all seats so far,
the one under way included), ``game.players``, ``game.actions``, ``game.buys``, ``game.coins``
``game.hand(seat)``, ``game.deck(seat)``, ``game.discard(seat)``, ``game.play_area(seat)``
    Lists of kinds; a deck is top first (what is not yet settled of it in no meaningful order).
``game.piles``, ``game.trash``
    Mapping kind → cards left, of the piles in the supply; list of kinds.
``game.points(seat)``, ``game.turns(seat)``
``game.observe(seat, name)``, ``game.observe(seat, name, argument)``
    An observable (``observe.py``) as that seat sees it: ``game.observe(2, "owned", "forge")``.
``game.options()``
    Legal options of the phase (``action`` or ``buy``), by name, in option order.
``game.counter(seat, name)``
    A seat column of the records: ``"shuffles"``, ``"receipts"``, ``"curses_given"``, …
``game.over``, ``game.end_reason``, ``game.win60``, ``game.ranks``
    After the end: reason ``"provinces"``, ``"piles"`` or ``"round_cap"``; the others by seat.
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
from sim.titles.classic.reference import Game
from sim.titles.classic.schema import MOST_IN_PILE
from sim.titles.classic.staged import StagedGame
from sim.titles.classic.tables import compile_tables

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["StagedGame", "from_position", "new_game"]

_POSITION = ("seats", "seat", "round", "phase", "actions", "buys", "coins", "piles", "trash")
_SEAT = ("hand", "deck", "discard", "play", "turns")
_PHASES = ("action", "buy")


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
    game = _new(len(position.get("seats", ())), rules, overrides, choices, lineup, seed, deal)
    _lay_out(game, position)
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
    from sim.titles.classic import DATA, load

    if rules is not None and overrides:
        raise InputError("give either rules or overrides, not both")
    tables = _compiled(load(overrides=overrides) if rules is None else rules)
    entries, policies = seated(lineup, players, tables.words, DATA / "policies")
    game = Game(tables, policies, None, make_key(seed), deal, entries, trace=True)
    game.script.extend(choices)
    return game


def _number(name: str, value: Any, least: int, most: int = 999) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"{name}: found {value!r}; allowed: a whole number, {least} to {most}")
    return value


def _lay_out(game: Game, position: Mapping[str, Any]) -> None:
    names = game.tables.kind_names

    def kind(name: str) -> int:
        if name not in names:
            raise UnknownNameError("card", name, names)
        return names.index(name)

    def cards(listed: Iterable[str]) -> list[Card]:
        return [game.new_card(kind(name)) for name in listed]

    game.round = _number("round", position.get("round", 1), 1, game.tables.rule["round_cap"])
    game.on_turn = _number("seat", position.get("seat", 1), 1, len(game.seats)) - 1
    phase = position.get("phase", "action")
    if phase not in _PHASES:
        raise UnknownNameError("phase", phase, _PHASES)
    for seat, given in zip(game.seats, position["seats"], strict=True):
        check_names(given, _SEAT, "entry of a seat")
        for zone in ("hand", "discard", "play"):
            setattr(seat, zone, cards(given.get(zone, ())))
        deck = cards(given.get("deck", ()))[::-1]
        seat.deck = Pile(deck, len(deck))
        turns = game.round - (seat.index > game.on_turn)
        seat.turns = _number("turns", given.get("turns", turns), 0)
    for name, size in position.get("piles", {}).items():
        game.piles[kind(name)] = _number(name, size, 0, MOST_IN_PILE)
        if size:
            game.supply.add(kind(name))
    game.trash = cards(position.get("trash", ()))
    for name, default in (("actions", 1), ("buys", 1), ("coins", 0)):
        setattr(game, name, _number(name, position.get(name, default), 0))
    game.turn = sum(seat.turns for seat in game.seats)
    if game.story:
        game.story.set_up(game)
    game.phase = phase
