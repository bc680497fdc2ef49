"""Games that are driven step by step, from a stated position or from a fresh set-up.

This is the door through which the rules are tested one by one. It adds no rule: every step calls
the reference engine.

``from_position(position, *, rules=None, overrides=(), choices=None, lineup=None, seed=1, deal=0)``
    The game stands as ``position`` says (below).
``new_game(players, *, rules=None, overrides=(), choices=None, lineup=None, seed=1, deal=0)``
    A whole set-up by MG-S1 and MG-O1; the first draw phase comes.

``rules`` is a ``Ruleset`` (default: the printed rules), ``overrides`` are ``"key=value"`` strings
such as ``"end.vp=10"``. Both give a :class:`StagedGame`. Kinds and options are ids as in the data
(``"human_lord"``, ``"cell_2"``, ``"stop"``); seats are counted from 1. An unknown name raises
``UnknownNameError``; anything else that is not legal raises ``InputError`` with the reason.

A position
----------
A mapping; everything but ``seats`` may be left out::

    {
        "seats": [                     # seat 1, seat 2, …: 2 to 5 of them
            {
                "hand": ["human_lord"],           # in the order drawn
                "field": [                        # rows from the top, None where no card lies; all
                    ["human_guard", None],        # rows equally long, at most 3 by 3. The first of
                    ["human_smith", "elf_seer"],  # the first row is the cell [0, 0]
                ],
                "gold": 5,                        # default: start.gold
                "vp": 0, "technology": 0, "faith": 0, "power": 0,
                "lines": ["row 0", "column 1"],   # those that have paid, of all that are complete
                                                  # and alike; default: all of these
                "war_rank": 1, "war_vp": 3,       # of this round's war; default: 0, none yet
            },
            {},                                   # left out: no cards
        ],
        "deck": ["elf_lord", "elf_guard"],        # TOP FIRST; the order is fixed, nothing random
        "discard": [],                            # first discarded first
        "objectives": ["warlord"],                # those that lie open, each once; played whatever
                                                  # `objectives.used` says
        "round": 1,
        "phase": "draw",               # the phase that comes: draw, placement, war, development,
                                       # income or vp
        "orders": [[2, 1]],            # in which order hands are filled (MG-D2), for each of the
                                       # next draw phases; when they are used up, drawn at random
    }

Cards are not checked against the numbers of the deck. What is shuffled again is in random order,
by ``seed`` and ``deal``.

Decisions
---------
A decision point is asked only when there are two or more legal options. Asked, it takes the next
entry of that seat's ``choices``, a mapping of seat to list: ``{1: ["elf_lord", "cell_2"]}``; an
entry that is not legal raises ``InputError``. When there is none left, the seat's entry of
``lineup`` decides: a data policy by name (``"greedy"``), or an object with methods named as
decision points, ``(view, options) -> option``. With neither, ``stop`` is taken if legal, else the
option that comes first. Add entries at any time: ``game.choices[1].append("stop")``.

========  ======================================================================================
decision  options
========  ======================================================================================
discard   kinds in hand: discard one; ``stop`` draws. Asked again until ``stop`` or an empty hand
card      kinds in hand that can be paid as the last card laid: lay one; ``stop`` lays no more.
          Asked until ``stop``, two cards, or nothing that can be paid
cell      ``cell_1``, ``cell_2``, …: the free cells of :meth:`StagedGame.free_cells`, in its order
bonus     ``race``, ``job``: what a line pays that is alike in both
order     kinds in the field with abilities still to work, where the order can matter (MG-E3)
========  ======================================================================================

Cards of one kind are one option; the copy used is the first of that kind in hand.

Steps
-----
``game.draw_phase()``, ``placement_phase()``, ``war_phase()``, ``development_phase()``,
``income_phase()``, ``vp_phase()``
    That phase, which must be the one that comes. ``vp_phase`` ends the round: then a new round
    begins with phase ``draw``, or the phase is ``over``.
``game.play_round()``, ``game.play()``
    What is left of the round, or of the game.

What can be read
----------------
``game.phase``, ``game.round``, ``game.players``
``game.gold(seat)``, ``vp``, ``technology``, ``faith``, ``power``, ``war_rank``, ``war_vp``
``game.hand(seat)``, ``game.deck``, ``game.discard``
    Lists of kinds; the deck is top first (what is not settled of it in no meaningful order).
``game.field(seat)``
    Rows as in a position: the smallest rectangle that holds all cards.
``game.cells(seat)``
    Mapping ``(row, column)`` → kind, counted from the first card (or the position's first).
``game.free_cells(seat)``
    Where the next card may lie, row by row from the top left one: ``(row, column)``.
``game.lines(seat)``
    The lines that have paid: ``["row 0"]``.
``game.objectives``
    The objectives that lie open.
``game.observe(seat, name)``, ``game.observe(seat, name, argument)``
    An observable of policies (``observe.py``) as that seat sees it.
``game.counter(seat, name)``
    A seat column of the records: ``"vp_war"``, ``"lines_race"``, ``"field_elf_mage"``, …
``game.over``, ``game.end_reason``, ``game.win60``, ``game.ranks``
    After the end: reason ``"vp"``, ``"field"``, ``"vp_and_field"`` or ``"round_cap"``.
``game.events``
    The trace so far: a list of mappings (see ``story.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sim.core._rng import make_key
from sim.core.pile import Card, Pile
from sim.core.policy import load_policies
from sim.errors import InputError, UnknownNameError
from sim.titles.magnolia.bonuses import alike
from sim.titles.magnolia.field import free_cells, lines
from sim.titles.magnolia.reference import Game
from sim.titles.magnolia.schema import MOST_COUNTED, PHASES, SIDE
from sim.titles.magnolia.staged import StagedGame
from sim.titles.magnolia.state import Seat
from sim.titles.magnolia.tables import compile_tables

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["StagedGame", "from_position", "new_game"]

_POSITION = ("seats", "deck", "discard", "objectives", "round", "phase", "orders")
_AMOUNTS = ("gold", "vp", "technology", "faith", "power", "war_rank", "war_vp")
_SEAT = ("hand", "field", "lines", *_AMOUNTS)


def from_position(
    position: Mapping[str, Any],
    *,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
    choices: Mapping[int, Iterable[str]] | None = None,
    lineup: Sequence[Any] | None = None,
    seed: int = 1,
    deal: int = 0,
) -> StagedGame:
    """Return a game that stands as a position says; see the module's docstring."""
    _only(position, _POSITION, "entry of a position")
    game = _new(len(position.get("seats", ())), rules, overrides, choices, lineup, seed, deal)
    _lay_out(game, position)
    return StagedGame(game)


def new_game(
    players: int,
    *,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
    choices: Mapping[int, Iterable[str]] | None = None,
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
    choices: Mapping[int, Iterable[str]] | None,
    lineup: Sequence[Any] | None,
    seed: int,
    deal: int,
) -> Game:
    from sim.titles.magnolia import DATA, load

    if rules is not None and overrides:
        raise InputError("give either rules or overrides, not both")
    tables = _compiled(load(overrides=overrides) if rules is None else rules)
    entries = list(lineup) if lineup is not None else [None] * players
    if len(entries) != players:
        raise InputError(f"lineup: found {len(entries)} entries; allowed: {players}, one a seat")
    named = [entry for entry in entries if isinstance(entry, str)]
    policies = load_policies(named, tables.words, DATA / "policies") if named else None
    places = iter(range(len(named)))
    entries = [next(places) if isinstance(entry, str) else entry for entry in entries]
    game = Game(tables, policies, None, make_key(seed), deal, entries, trace=True)
    for seat, listed in (choices or {}).items():
        game.scripts[_number("seat", seat, 1, players) - 1].extend(listed)
    return game


def _only(given: Mapping[str, Any], allowed: Sequence[str], what: str) -> None:
    for name in given:
        if name not in allowed:
            raise UnknownNameError(what, name, allowed)


def _number(name: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"{name}: found {value!r}; allowed: a whole number, {least} to {most}")
    return value


def _place(what: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise UnknownNameError(what, name, names)
    return names.index(name)


def _lay_out(game: Game, position: Mapping[str, Any]) -> None:
    tables, players = game.tables, len(game.seats)

    def card(name: str) -> Card:
        return game.new_card(_place("card", name, tables.kind_names))

    game.round = _number("round", position.get("round", 1), 1, game.rule["round_cap"])
    phase = PHASES[_place("phase", position.get("phase", "draw"), PHASES)]
    for seat, given in zip(game.seats, position["seats"], strict=True):
        _only(given, _SEAT, "entry of a seat")
        seat.hand = [card(name) for name in given.get("hand", ())]
        _lay_field(seat, given.get("field", ()), card)
        for what in _AMOUNTS:
            default = game.rule["start_gold"] if what == "gold" else 0
            most = players if what == "war_rank" else MOST_COUNTED
            setattr(seat, what, _number(what, given.get(what, default), 0, most))
        payable = {
            f"{name} {place}": (name, place)
            for (name, place), cells in lines(seat.field)
            if alike(game, (seat.field[cell].kind for cell in cells))
        }
        for text in given.get("lines", ()):
            if text not in payable:
                raise UnknownNameError("line that could have paid", text, payable)
        seat.paid = {payable[text] for text in given.get("lines", payable)}
    deck = [card(name) for name in position.get("deck", ())][::-1]
    game.deck = Pile(deck, len(deck))
    game.discard = [card(name) for name in position.get("discard", ())]
    opened = [
        _place("objective", name, tables.objective_names) for name in position.get("objectives", ())
    ]
    game.open_objectives = sorted(set(opened))
    if len(game.open_objectives) < len(opened):
        found = list(position["objectives"])
        raise InputError(f"objectives: found {found!r}; allowed: each card once")
    for order in position.get("orders", ()):
        if sorted(order) != list(range(1, players + 1)):
            allowed = f"each seat from 1 to {players} once"
            raise InputError(f"orders: found {order!r}; allowed: {allowed}")
        game.orders.append([seat - 1 for seat in order])
    game.look()
    if game.story:
        game.story.set_up()
    game.phase = phase


def _lay_field(seat: Seat, rows: Sequence[Sequence[str | None]], card: Any) -> None:
    """Lay cards out by rows; they must be as a game could have laid them (MG-P3)."""
    cells = {
        (r, c): name for r, row in enumerate(rows) for c, name in enumerate(row) if name is not None
    }
    if len(rows) > SIDE or len({len(row) for row in rows}) > 1 or any(len(r) > SIDE for r in rows):
        raise InputError(f"field: found {rows!r}; allowed: rows of one length, at most 3 by 3")
    left = dict(cells)
    while left:
        reached = [cell for cell in left if cell in free_cells(seat.field) or not seat.field]
        if not reached:
            raise InputError(f"field: found {rows!r}; allowed: cards that touch on their sides")
        seat.field[reached[0]] = card(left.pop(reached[0]))
