"""Games that are driven step by step, from a stated position or from a fresh set-up.

This is the door through which the rules are tested one by one. It adds no rule: every step calls
the reference engine.

``from_position(position, *, rules=None, overrides=(), choices=None, lineup=None, seed=1, deal=0)``
    The game stands as ``position`` says (below).
``new_game(decks=None, *, rules=None, overrides=(), choices=None, lineup=None, seed=1, deal=0)``
    A whole set-up by MM-S, redraws included; the first turn of seat 1 comes. ``decks`` are two
    names of decks; left out, those of the line-up, else the first one for both.

``rules`` is a ``Ruleset`` (default: the printed rules), ``overrides`` are ``"key=value"`` strings
such as ``"start.lp=3"``. Both give a :class:`StagedGame`. Cards, mana cards, sorcerers, decks and
options are ids as in the data (``"scorch"``, ``"fire_mana"``, ``"own_1"``, ``"stop"``); seats are
counted from 1. An unknown name raises ``UnknownNameError``; anything else that is not legal raises
``InputError`` with the reason. Cards of your own: load rules with an overlay file
(``TITLE.load(overlays=[path])``); a deck need not hold them to be used in a position.

A position
----------
A mapping; everything but ``seats`` may be left out::

    {
        "seats": [                     # seat 1, seat 2
            {
                "front": ["ember_lancer"],        # units, in the order of their places
                "back": [                         # a unit is a name or a mapping
                    {
                        "unit": "clay_guard",
                        "place": 4,               # 1 to 12; default: the lowest free one, first
                                                  # those in front, then those behind
                        "down": True,             # default: it is ready
                        "fresh": True,            # played this turn (MM-U1); default: it is not
                        "moved": True,            # its move is spent; default: it is not
                        "damage": 1, "ap": 2, "dp": -1,    # damage, what effects added
                        "keywords": ["evasive"],  # what effects gave
                    },
                ],
                "hand": ["scorch"],               # in the order drawn
                "mana": [                         # in the order put
                    "fire_mana",
                    {"mana": "fire_mana", "down": True},
                ],
                "lp": ["fire_mana"],              # TOP FIRST
                "deck": ["scorch", "spark_imp"],  # TOP FIRST; the order is fixed
                "mana_deck": ["fire_mana"],       # TOP FIRST; the order is fixed
                "trash": [],                      # first put there first
                "sorcerer": "pyra",               # default: that of the seat's deck list
                "sorcerer_down": False,
                "deck_list": "ember_rush",        # what the records call its deck; default: that
                                                  # of its entry in lineup, else the first of all
            },
            {},                                   # left out: hand, mana, trash, field are empty
        ],
        "seat": 1,                     # the turn player
        "round": 1,                    # 1 to limits.round_cap
        "phase": "main",               # the phase that comes: regenerate, draw, mana, main, battle
                                       # or end
    }

Zones that have to hold something have defaults: ``lp`` is ``start.lp`` cards and ``mana_deck`` 10
cards of the first basic mana by name; ``deck`` is 10 cards of the first kind by name that costs
most. Numbers of copies are not checked. What is shuffled again (a search, ``recycle``) is in random
order, by ``seed`` and ``deal``. With ``round`` 1 and ``seat`` 1 it is the first turn of the game
(MM-T1).

Decisions
---------
A decision point is asked only when there are two or more legal options. Asked, it takes the next
entry of that seat's ``choices``, a mapping of seat to list: ``{1: ["scorch", "enemy_1"]}``; an
entry that is not legal raises ``InputError``. When there is none left, the seat's entry of
``lineup`` decides: a data policy with a deck (``"aggressive:ember_rush"``; the deck does not change
a stated position but for ``deck_list``), or an object with methods named as decision points,
``(view, options) -> option``. With neither, ``stop`` is taken if legal, else the option that comes
first in the table below. Add entries at any time: ``game.choices[1].append("stop")``.

==========  ====================================================================================
decision    options, in the order of their codes
==========  ====================================================================================
redraw      ``redraw``; ``stop`` keeps the hand
mana_phase  ``put_mana``, ``draw_card``
main        kinds in hand that can be played, ``own_k``: use the ability of the unit in place k,
            ``advance``: move a unit to the front, ``retreat``: to the back, ``sorcery``: use the
            sorcerer's ability; ``stop``: to the battles. Asked until ``stop``
area        ``to_front``, ``to_back``
move        ``own_k``: which unit advances or retreats
attack      ``own_k``: attack with the unit in place k; ``stop`` ends the phase
exchange    spells in hand, ``own_k``, ``sorcery``; ``stop`` passes
block       ``own_k``: block with it; ``stop`` does not block
target      ``own_k``, ``enemy_k``: as the seat that is asked calls them
special     ``use_effect``, ``stop``
discard     kinds in hand
fetch       kinds in the zone that is searched; ``stop`` fetches nothing
==========  ====================================================================================

A play asks in this order: ``main`` or ``exchange``, then ``target`` of a spell or an ability; for a
unit first ``area``, then ``target`` when it is on the field; for a move ``move``. Cards of one
kind are one option.

Steps
-----
``game.play_phase()``
    The phase that comes, whole.
``game.regenerate_phase()``, ``draw_phase()``, ``mana_phase()``, ``main_phase()``,
``battle_phase()``, ``end_phase()``
    That phase, which must be the one that comes. After the end phase the other seat's turn comes.
``game.play_turn()``, ``game.play()``
    What is left of the turn, or of the game.

A game that ends within a step has the phase ``over``; what was to follow did not happen.

What can be read
----------------
``game.phase``, ``game.round``, ``game.turn`` (turns so far), ``game.seat`` (on turn)
``game.hand(seat)``, ``deck``, ``mana_deck``, ``lp``, ``trash``, ``mana``
    Lists of names; ``deck``, ``mana_deck`` and ``lp`` top first (what is not settled of a deck in
    no meaningful order), the others in the order put. Also ``played``: spells at work.
``game.ready_mana(seat)``, ``game.down_mana(seat)``
    The mana cards that are ready, that are down.
``game.front(seat)``, ``game.back(seat)``
    Names of the units there, place by place.
``game.units(seat)``
    Mapping of place to a mapping: ``unit``, ``front``, ``ready``, ``fresh``, ``moved``, ``damage``,
    ``ap``, ``dp`` (as they stand), ``keywords`` (printed and given).
``game.unit(seat, place)``
    One of these mappings.
``game.sorcerer(seat)``, ``game.sorcerer_ready(seat)``
``game.options(decision, seat)``
    What ``main``, ``attack``, ``block`` or ``exchange`` would offer now, ``stop`` included.
``game.observe(seat, name)``, ``game.observe(seat, name, argument)``
    An observable of policies (``observe.py``) as that seat sees it. What is asked about options
    depends on the decision: here it is answered as in a main phase; in any other decision it can be
    asked by a policy object: ``view.kills("own_1")``.
``game.counter(seat, name)``
    A seat column of the records: ``"attacks"``, ``"lp_by_spells"``, ``"deck_units"``, …
``game.over``, ``game.end_reason``, ``game.win60``, ``game.ranks``
    After the end: reason ``"lp"``, ``"main_deck"``, ``"mana_deck"``, ``"both"`` or ``"round_cap"``.
``game.events``
    The trace so far: a list of mappings (see ``story.py``). Decisions are events ``choose``, with
    all options that were legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sim.core._rng import make_key
from sim.core.pile import Card, Pile
from sim.core.policy import PolicyTable, load_policies, parse_entry
from sim.core.position import check_names
from sim.errors import InputError, UnknownNameError
from sim.titles.majestic.decks import loadouts
from sim.titles.majestic.reference import Game
from sim.titles.majestic.schema import KEYWORDS, PHASES, PLACES, PLAYERS
from sim.titles.majestic.staged import StagedGame
from sim.titles.majestic.state import ManaCard, Seat, Unit
from sim.titles.majestic.tables import Tables, compile_tables

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["StagedGame", "from_position", "new_game"]

_POSITION = ("seats", "seat", "round", "phase")
_ZONES = ("front", "back", "hand", "mana", "lp", "deck", "mana_deck", "trash")
_SEAT = (*_ZONES, "sorcerer", "sorcerer_down", "deck_list")
_UNIT = ("unit", "place", "down", "fresh", "moved", "damage", "ap", "dp", "keywords")
_MANA = ("mana", "down")

#: Cards of decks that a position leaves out.
_FILL = 10


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
    check_names(position, _POSITION, "entry of a position")
    seats = position.get("seats", ())
    if len(seats) != PLAYERS:
        raise InputError(f"seats: found {len(seats)}; allowed: {PLAYERS}")
    for given in seats:
        check_names(given, _SEAT, "entry of a seat")
    decks = [given.get("deck_list") for given in seats]
    game = _new(decks, rules, overrides, choices, lineup, seed, deal)
    _lay_out(game, position)
    return StagedGame(game)


def new_game(
    decks: Sequence[str] | None = None,
    *,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
    choices: Mapping[int, Iterable[str]] | None = None,
    lineup: Sequence[Any] | None = None,
    seed: int = 1,
    deal: int = 0,
) -> StagedGame:
    """Return a game that was set up; see the module's docstring."""
    named = [None] * PLAYERS if decks is None else list(decks)
    game = _new(named, rules, overrides, choices, lineup, seed, deal)
    game.set_up()
    return StagedGame(game)


@lru_cache(maxsize=8)
def _compiled(rules: Ruleset) -> tuple[Tables, tuple[Any, ...]]:
    """Return tables and decks; they are only read, and making them takes longer than a set-up."""
    return compile_tables(rules), loadouts(rules)


def _new(
    decks: Sequence[str | None],
    rules: Ruleset | None,
    overrides: Sequence[str],
    choices: Mapping[int, Iterable[str]] | None,
    lineup: Sequence[Any] | None,
    seed: int,
    deal: int,
) -> Game:
    from sim.titles.majestic import DATA, load

    if rules is not None and overrides:
        raise InputError("give either rules or overrides, not both")
    tables, brought = _compiled(load(overrides=overrides) if rules is None else rules)
    entries = [None] * PLAYERS if lineup is None else list(lineup)
    for what, found in (("lineup", entries), ("decks", decks)):
        if len(found) != PLAYERS:
            allowed = f"{PLAYERS}, one a seat"
            raise InputError(f"{what}: found {len(found)} entries; allowed: {allowed}")
    numbers = [
        _place("deck", name or _own_deck(entry) or tables.deck_names[0], tables.deck_names)
        for name, entry in zip(decks, entries, strict=True)
    ]
    named = [entry for entry in entries if isinstance(entry, str)]
    policies: PolicyTable | None = None
    if named:
        policies = load_policies(
            named, tables.words, DATA / "policies", loadouts=brought, title="majestic"
        )
    places = iter(range(len(named)))
    entries = [next(places) if isinstance(entry, str) else entry for entry in entries]
    game = Game(tables, policies, None, make_key(seed), deal, entries, numbers, trace=True)
    for number, listed in (choices or {}).items():
        game.scripts[_number("seat", number, 1, PLAYERS) - 1].extend(listed)
    return game


def _own_deck(entry: Any) -> str | None:
    """Return the deck that a line-up entry names."""
    name = parse_entry(entry).loadout if isinstance(entry, str) else getattr(entry, "loadout", None)
    return name if isinstance(name, str) else None


def _number(name: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"{name}: found {value!r}; allowed: a whole number, {least} to {most}")
    return value


def _place(what: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise UnknownNameError(what, name, names)
    return names.index(name)


def _lay_out(game: Game, position: Mapping[str, Any]) -> None:
    game.round = _number("round", position.get("round", 1), 1, game.rule["round_cap"])
    game.on_turn = _number("seat", position.get("seat", 1), 1, PLAYERS) - 1
    phase = PHASES[_place("phase", position.get("phase", "main"), PHASES)]
    before = 2 * (game.round - 1) + game.on_turn
    game.turn = before + (phase != PHASES[0])
    for seat, given in zip(game.seats, position["seats"], strict=True):
        _lay_out_seat(game, seat, given)
    if game.story:
        game.story.set_up()
    game.phase = phase


def _lay_out_seat(game: Game, seat: Seat, given: Mapping[str, Any]) -> None:
    tables = game.tables

    def main(names: Iterable[str]) -> list[Card]:
        return [game.new_card(_place("card", name, tables.kind_names)) for name in names]

    def mana(names: Iterable[str]) -> list[Card]:
        places = [_place("mana card", name, tables.mana_names) for name in names]
        return [game.new_card(tables.first_mana + place) for place in places]

    def basic(number: int, zone: str) -> list[str]:
        records = zip(tables.mana_names, tables.mana_kinds, strict=True)
        names = [name for name, record in records if record["text"] < 0]
        if not names:
            allowed = "the cards of the zone, as there is no basic mana to fill it with"
            raise InputError(f"{zone}: found nothing; allowed: {allowed}")
        return names[:1] * number

    dear = tables.kind_names[max(range(len(game.faces)), key=lambda kind: game.faces[kind].cost)]
    seat.hand, seat.trash = main(given.get("hand", ())), main(given.get("trash", ()))
    seat.deck = _pile(main(given.get("deck", [dear] * _FILL)))
    stated = {
        zone: given[zone] if zone in given else basic(number, zone)
        for zone, number in (("mana_deck", _FILL), ("lp", game.rule["lp"]))
    }
    seat.mana_deck = _pile(mana(stated["mana_deck"]))
    seat.lp = mana(stated["lp"])[::-1]
    if not seat.lp:
        raise InputError("lp: found no card; allowed: one or more, as without any a seat has lost")
    if "sorcerer" in given:
        seat.sorcerer = _place("sorcerer", given["sorcerer"], tables.sorcerer_names)
    seat.sorcerer_ready = not given.get("sorcerer_down", False)
    for one in given.get("mana", ()):
        entry = _entry(one, _MANA, "mana card")
        (card,) = mana([entry["mana"]])
        attribute = int(tables.mana_kinds[card.kind - tables.first_mana]["attribute"])
        seat.mana.append(ManaCard(card, attribute, not entry.get("down", False)))
    for area in ("front", "back"):
        for one in given.get(area, ()):
            entry = _entry(one, _UNIT, "unit")
            (card,) = main([entry["unit"]])
            _lay_out_unit(game, seat, card, entry, front=area == "front")
    seat.most_units = seat.count()


def _entry(given: str | Mapping[str, Any], allowed: Sequence[str], what: str) -> Mapping[str, Any]:
    """Return what is said of a card, under the first of the allowed names when only it is named."""
    entry = {allowed[0]: given} if isinstance(given, str) else given
    check_names(entry, allowed, f"entry of a {what}")
    if allowed[0] not in entry:
        raise InputError(
            f"{what}: found {dict(entry)!r}; allowed: one that names its {allowed[0]!r}"
        )
    return entry


def _pile(cards: list[Card]) -> Pile:
    """Return a pile of cards that are given top first, their order settled."""
    return Pile(cards[::-1], len(cards))


def _lay_out_unit(
    game: Game, seat: Seat, card: Card, entry: Mapping[str, Any], *, front: bool
) -> None:
    if game.faces[card.kind].sort != "unit":
        raise InputError(f"unit: found {entry['unit']!r}, which is a spell; allowed: units")
    free = [place for place, unit in enumerate(seat.places, 1) if unit is None]
    if not free:
        raise InputError(f"units: found more than {PLACES}; allowed: {PLACES} a seat")
    place = _number("place", entry.get("place", free[0]), 1, PLACES)
    if place not in free:
        raise InputError(f"place: found {place} twice; allowed: one unit a place")
    seat.places[place - 1] = Unit(
        card,
        seat.index,
        place - 1,
        front,
        ready=not entry.get("down", False),
        fresh=bool(entry.get("fresh", False)),
        moved=bool(entry.get("moved", False)),
        damage=_number("damage", entry.get("damage", 0), 0, 999),
        ap_bonus=_number("ap", entry.get("ap", 0), -99, 99),
        dp_bonus=_number("dp", entry.get("dp", 0), -99, 99),
        given=sum(
            1 << _place("keyword", name, KEYWORDS) for name in set(entry.get("keywords", ()))
        ),
    )
