"""Games that are driven step by step, from a stated position or from a fresh set-up.

This is the door through which the rules are tested one by one. It adds no rule: every step calls
the reference engine after checking that the step is legal.

``from_position(position, *, rules=None, overrides=(), choices=(), lineup=None, bans=(), seed=1,
deal=0)``
    The game stands as ``position`` says (below).
``new_game(*, rules=None, overrides=(), choices=(), lineup=None, bans=(), seed=1, deal=0)``
    A whole set-up by UW-S; the first move comes.

``rules`` is a ``Ruleset`` (default: the printed rules), ``overrides`` are ``"key=value"`` strings
such as ``"start.lp=31"``; ``bans`` are options or groups that are barred (UW-A2). Both give a
:class:`StagedGame`. Cards, hexes and options are ids as in the data (``"red_basic"``, ``"zaza"``,
``"c2"``, ``"go_up"``, ``"draw_2"``, ``"porcupine_swim"``). An unknown name raises
``UnknownNameError``; anything else that is not legal raises ``InputError`` with the reason.

A position
----------
A mapping; everything may be left out::

    {
        "hex": "c0",                   # where the wizard stands; default: the start
        "lp": 30,                      # default: start.lp
        "hand": ["red_basic", "green_basic", "blue_basic"],   # magic parts and grimoire_2, in the
                                       # order of arrival; default: the three basic parts
        "companions": ["knight_charge", "porcupine_swim"],    # their ways up; default: none
        "lost": ["hero"],              # companions lost before
        "places": {                    # by place: left_1 … left_4, right_1 … right_4
            "left_4": {"enemy": "zaza", "ability": "hero"},   # not yet fought at
            "right_4": {"enemy": "ra", "beaten": True},       # no ability is left there
        },
        "used": ["c8"],                # yellow hexes that are used up; default: none
        "round": 1,                    # the move that comes, or that led into the battle
        "battle": {                    # a battle under way at the place of `hex`, or at the castle;
                                       # its start (UW-C1) is over. Default: none
            "lp": 6,                   # LP of the enemy; default: its full LP
            "turn": 0,                 # battle turns before the one that comes
        },
        "decks": [["red_basic", "blue_basic"], []],   # the tops of the magic decks of the next
                                       # battle turns, TOP FIRST; the rest of a deck, and later
                                       # decks, are in random order, by seed and deal
    }

A place that is left out, or says nothing of its enemy, gets an enemy that is named nowhere: the
first by id of its colour, or of the other when none is left; places in their order. A place with no
``ability`` has none. A battle is fought at the place of the hex on which the wizard stands, and
this place counts as fought at. Beaten places count as fought at in the order of the places.

Decisions
---------
A decision point is asked only when there are two or more legal options. Asked, it takes the next
entry of ``choices``; an entry that is not legal raises ``InputError``. When the queue is used up,
the entry of ``lineup`` decides: a data policy by name (``["cautious"]``), or an object with methods
named as decision points, ``(view, options) -> option``. With neither, ``stop`` is taken if legal,
else the option that comes first (cards and ways up as in ``README.md``). Add entries at any time:
``game.choices.append("draw_2")``.

========  ======================================================================================
decision  options
========  ======================================================================================
way       both ways up of a companion that is gained: ``knight_charge``, ``knight_shield``
move      ``go_up``, ``go_up_right``, ``go_down_right``, ``go_down``, ``go_down_left``,
          ``go_up_left``: those with a hex that can be entered
leave     with ``casting.deck="chosen"``: a magic part to leave out of the deck; ``stop`` keeps the
          rest. Asked until ``stop`` or the least number of parts
draw      ``draw_1`` … ``draw_4``: the numbers that can be declared
spell     where several sets of spells can be cast and none is best in everything: a spell that is
          in some of them and not in all. Asked until one set is left
lose      companions at one's side: lose one
========  ======================================================================================

Steps
-----
``game.move(direction)``
    In phase ``journey``: go there, with what is paid or recovered and the start of a battle.
    Afterwards the phase is ``journey``, ``battle`` or ``over``.
``game.battle_turn()``
    In phase ``battle``: one battle turn, and what follows when it ends the battle.
``game.fight()``
    In phase ``battle``: the rest of the battle.
``game.play_round()``, ``game.play()``
    What is left of the round (a move and its battle), or of the game.

What can be read
----------------
``game.phase``, ``game.round``, ``game.turn``
    ``turn`` counts moves and battle turns.
``game.lp``, ``game.hex``, ``game.hand``, ``game.companions``, ``game.lost``, ``game.aside``
    ``companions`` as ways up, the others as cards, in the order of arrival.
``game.enemy``, ``game.enemy_lp``, ``game.battle_turns``
    Of the battle under way: the enemy's id, its LP, turns played; None, 0 and 0 without one.
``game.place(name)``
    Mapping ``enemy, ability, beaten, order``: ids or None; ``order`` is the number of its battle, 0
    before it.
``game.used``
    Yellow hexes used up, in the order of their ids.
``game.options()``
    In phase ``journey``: the directions in which the wizard can go. In phase ``battle``, with all
    parts in the deck: the numbers that can be declared.
``game.observe(name)``, ``game.observe(name, argument)``
    An observable (``observe.py``): ``game.observe("cost", "go_up")``. The magic deck counts as
    built from all parts in hand.
``game.counter(name)``
    A seat column of the records: ``"lp_strikes"``, ``"lost_to"``, ``"route"``, …; of categories the
    number of the value.
``game.over``, ``game.end_reason``, ``game.win60``
    After the end: reason ``"cleared"``, ``"lost_in_battle"``, ``"lost_by_casting"``,
    ``"lost_on_road"``, ``"round_cap"`` or ``"battle_cap"``.
``game.events``
    The trace so far: a list of mappings (see ``story.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sim.core._rng import make_key
from sim.core.mask import masks
from sim.core.pile import Card
from sim.core.position import check_names, seated
from sim.core.ruleset import Ruleset
from sim.errors import InputError
from sim.titles.wizard.faces import NO_PLACE
from sim.titles.wizard.reference import Game
from sim.titles.wizard.schema import ABILITIES, BASIC, COMPANIONS, MOST_LP, PARTS, PLACES, SORTS
from sim.titles.wizard.staged import StagedGame, named
from sim.titles.wizard.state import Battle, Companion
from sim.titles.wizard.tables import compile_tables

__all__ = ["StagedGame", "from_position", "new_game"]

_POSITION = (
    "hex",
    "lp",
    "hand",
    "companions",
    "lost",
    "places",
    "used",
    "round",
    "battle",
    "decks",
)
_PLACE = ("enemy", "ability", "beaten")
_BATTLE = ("lp", "turn")
_KING = SORTS.index("king")

#: Deals are counted in 64 bits.
_LAST_DEAL = 2**64 - 1


def from_position(
    position: Mapping[str, Any],
    *,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
    choices: Iterable[str] = (),
    lineup: Sequence[Any] | None = None,
    bans: Iterable[str] = (),
    seed: int = 1,
    deal: int = 0,
) -> StagedGame:
    """Return a game that stands as a position says; see the module's docstring."""
    _mapping("position", position, _POSITION, "entry of a position")
    game = _new(rules, overrides, choices, lineup, bans, seed, deal)
    _lay_out(game, position)
    return StagedGame(game)


def new_game(
    *,
    rules: Ruleset | None = None,
    overrides: Sequence[str] = (),
    choices: Iterable[str] = (),
    lineup: Sequence[Any] | None = None,
    bans: Iterable[str] = (),
    seed: int = 1,
    deal: int = 0,
) -> StagedGame:
    """Return a game that was set up; see the module's docstring."""
    game = _new(rules, overrides, choices, lineup, bans, seed, deal)
    game.set_up()
    return StagedGame(game)


#: Tables are only read, and compiling them takes longer than a set-up.
_compiled = lru_cache(maxsize=8)(compile_tables)


def _new(
    rules: Ruleset | None,
    overrides: Sequence[str],
    choices: Iterable[str],
    lineup: Sequence[Any] | None,
    bans: Iterable[str],
    seed: int,
    deal: int,
) -> Game:
    from sim.titles.wizard import DATA, load

    if rules is not None and overrides:
        raise InputError("give either rules or overrides, not both")
    if rules is None:
        rules = load(overrides=_list("overrides", overrides))
    elif not isinstance(rules, Ruleset):
        raise InputError(f"rules: found {rules!r}; allowed: a ruleset, as load() returns it")
    if lineup is not None:
        lineup = _list("lineup", lineup)
    _number("deal", deal, 0, _LAST_DEAL)
    tables = _compiled(rules)
    selectors = tables.words.selectors
    barred: list[int] = []
    for name in _list("bans", bans):
        barred += selectors[named("option", name, selectors)]
    entries, policies = seated(lineup, 1, tables.words, DATA / "policies")
    game = Game(tables, policies, masks([barred]), make_key(seed), deal, entries, trace=True)
    game.script.extend(_list("choices", choices))
    return game


def _mapping(name: str, value: Any, allowed: Collection[str], what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{name}: found {value!r}; allowed: a mapping")
    check_names(value, allowed, what)
    return value


def _list(name: str, value: Any) -> list[Any]:
    """Return what is listed; a text is a list of letters to Python, which nobody means."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError(f"{name}: found {value!r}; allowed: a list")
    return list(value)


def _number(name: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"{name}: found {value!r}; allowed: a whole number, {least} to {most}")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{name}: found {value!r}; allowed: True or False")
    return value


def _one_of(what: str, name: Any, known: Sequence[str]) -> int:
    return known.index(named(what, name, known))


class _Cards:
    """Hands out the cards that a position names, each once."""

    def __init__(self) -> None:
        self.named: set[str] = set()

    def card(self, name: str, known: Sequence[str]) -> Card:
        kind = _one_of("card", name, known)
        if name in self.named:
            raise InputError(f"{name!r} is in the position twice; there is one")
        self.named.add(name)
        return Card(kind, 1)


def _lay_out(game: Game, position: Mapping[str, Any]) -> None:
    tables, wizard, cards = game.tables, game.wizard, _Cards()
    wizard.hex = _one_of("hex", position.get("hex", tables.hex_names[wizard.hex]), tables.hex_names)
    wizard.lp = _number("lp", position.get("lp", wizard.lp), 1, MOST_LP)
    wizard.sources["start"] = wizard.lp
    in_hand = [name for name in ABILITIES if name not in COMPANIONS]
    wizard.hand = [
        cards.card(name, in_hand) for name in _list("hand", position.get("hand", PARTS[:BASIC]))
    ]
    if sum(card.kind < len(PARTS) for card in wizard.hand) < BASIC:
        raise InputError(f"hand: found too few magic parts; allowed: {BASIC} or more")
    first = game.rule["first_way"]
    ways = tables.words.options[first : game.rule["first_spell"]]
    for name in _list("companions", position.get("companions", ())):
        way = _one_of("way up", name, ways)
        kind = tables.way_cards[way].kind
        wizard.companions.append(Companion(cards.card(ABILITIES[kind], ABILITIES), way))
        wizard.ways_laid[kind] = game.ways_of(kind).index(way)
    # A place in the list of companions is no code; codes are places in the list of abilities.
    for name in _list("lost", position.get("lost", ())):
        _one_of("companion", name, COMPANIONS)
        wizard.lost.append(cards.card(name, ABILITIES))
    yellow = [n for n, one in zip(tables.hex_names, tables.map_hexes, strict=True) if one.recover]
    for name in _list("used", position.get("used", ())):
        _one_of("yellow hex", name, yellow)
        game.used.add(tables.hex_names.index(name))
    most = game.rule["round_cap"]
    game.round = _number("round", position.get("round", 1), 1, most)
    _lay_places(game, position.get("places", {}), cards)
    for deck in _list("decks", position.get("decks", ())):
        named = _list("decks", deck)
        game.stacked.append([_one_of("magic part", name, PARTS) for name in named])
    if game.story:
        game.story.set_up(game, [])
    game.phase = "journey"
    if position.get("battle") is not None:
        _lay_battle(game, position["battle"])


def _enemies(game: Game) -> list[str]:
    """Return the enemies that may lie at a place."""
    names = game.tables.kind_names[game.first_enemy :]
    cards = game.tables.enemy_cards
    return [name for name, one in zip(names, cards, strict=True) if one.sort != _KING]


def _lay_places(game: Game, given: Mapping[str, Mapping[str, Any]], cards: _Cards) -> None:
    tables, names = game.tables, game.tables.kind_names
    sorts = (one.sort for one in tables.enemy_cards)
    sort_of = dict(zip(names[game.first_enemy :], sorts, strict=True))
    _mapping("places", given, PLACES, "place")
    for name, place in zip(PLACES, game.places, strict=True):
        says = _mapping(f"places.{name}", given.get(name, {}), _PLACE, "entry of a place")
        if "enemy" in says:
            _one_of("enemy", says["enemy"], _enemies(game))
            place.enemy = cards.card(says["enemy"], names)
        if says.get("ability") is not None:
            _one_of("ability card", says["ability"], ABILITIES[BASIC:])
            place.ability = cards.card(says["ability"], ABILITIES)
        if _flag(f"places.{name}.beaten", says.get("beaten", False)):
            if place.ability is not None:
                raise InputError(
                    f"places.{name}: found an ability at a beaten place; allowed: none"
                )
            place.beaten, place.order = True, game.next_order()
    for place, colour in zip(game.places, tables.colours.tolist(), strict=True):
        if place.enemy is None:
            free = [name for name in _enemies(game) if name not in cards.named]
            alike = [name for name in free if sort_of[name] == colour]
            place.enemy = cards.card((alike or free)[0], names)


def _lay_battle(game: Game, given: Mapping[str, Any]) -> None:
    _mapping("battle", given, _BATTLE, "entry of a battle")
    tables, here = game.tables, game.tables.map_hexes[game.wizard.hex]
    at_castle = game.wizard.hex == game.rule["castle_hex"]
    if here.place == NO_PLACE and not at_castle:
        raise InputError("battle: the wizard stands on no encounter hex and not at the castle")
    enemy = game.rule["king"]
    if not at_castle:
        place = game.places[here.place]
        if place.beaten or place.enemy is None:
            raise InputError("battle: the enemy at this place is beaten")
        enemy, place.order = place.enemy.kind - game.first_enemy, game.next_order()
    lp = tables.enemy_cards[enemy].lp
    game.battle = Battle(
        enemy,
        here.place,
        here.terrain,
        _number("battle.lp", given.get("lp", lp), 1, lp),
        _number("battle.turn", given.get("turn", 0), 0, game.rule["battle_cap"] - 1),
    )
    game.phase = "battle"
    if game.story:
        game.story.begin_battle(game.battle)
