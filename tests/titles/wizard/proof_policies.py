"""Policies written for the proof that both engines of Unreliable Wizard play the same games.

``curious`` asks about everything at every decision point. ``contrary`` does the opposite of what
the title's policies do. ``wild_1``, ``wild_2``, … are made up by chance, so that each thing that
can be asked decides something: two engines that see different values play different games.
"""

from __future__ import annotations

import random

from sim.titles.wizard import load
from sim.titles.wizard.info import DECISIONS
from sim.titles.wizard.observe import OBSERVABLES
from sim.titles.wizard.schema import COMPANIONS, DIRECTIONS, DRAW_WORDS, FEATURES, PARTS
from sim.titles.wizard.words import FIXED_GROUPS, vocabulary

__all__ = ["CONTRARY", "CURIOUS", "written"]

CURIOUS, CONTRARY, WILD = "curious", "contrary", "wild"

_WORDS = vocabulary(load())
_SPELLS = tuple(_WORDS.options[code] for code in _WORDS.groups["spells"])
_WAYS = tuple(_WORDS.options[code] for code in _WORDS.groups["way_up"])

#: What an observable can well be asked about; everything else as well, now and then.
_ABOUT = {
    **dict.fromkeys(("cost", "starts_battle"), DIRECTIONS),
    **{seen.id: DIRECTIONS for seen in OBSERVABLES if seen.id.startswith("to_")},
    "owned": (*PARTS, "grimoire_2", *COMPANIONS, *_WAYS),
    "lot": _WAYS,
    "fighting": ("zaza", "goga", "tera", "ra"),
    **dict.fromkeys(("expected", "kill"), DRAW_WORDS),
    "best": (*DRAW_WORDS, *_SPELLS),
    "heals": ("mending_4", "red_1"),
}

#: Values with which observables are compared; others are chances or flags.
_VALUES = {
    "lp": (1, 4, 8, 12, 18, 24, 30),
    "round": (2, 5, 9, 14),
    "parts": (3, 4, 5, 6),
    "deck": (0, 3, 4, 5),
    "enemy_lp": (0, 2, 4, 6, 9),
    "enemy_strike": (0, 2, 4, 5),
    "battle_turn": (0, 1, 2, 3),
    "cost": (-4, -1, 0, 1, 2, 998),
    "expected": (0, 100, 240, 400, 650),
    "kill": (0, 10, 34, 75, 99),
    "heals": (0, 1, 7),
}
_COSTS = (0, 1, 2, 3, 5, 998)
_SMALL = (0, 1, 2, 3)


def _values(name: str) -> tuple[int, ...]:
    return _VALUES.get(name, _COSTS if name.endswith("_cost") else _SMALL)


def _file(about: str, tables: list[str], *, slip: int = 0, base: str = "") -> str:
    head = [f'about = "{about}"', 'label = { en = "Proof", ja = "証明" }', f"slip = {slip}"]
    return "\n".join([*head, *([f'base = "{base}"'] if base else []), *tables, ""])


def _curious() -> str:
    asked = []
    for place, seen in enumerate(OBSERVABLES):
        # About things that make no sense, too.
        abouts = (*_ABOUT[seen.id], "go_up", "yabi") if seen.argument else ("",)
        for number, about in enumerate(abouts):
            values = _values(seen.id)
            value = values[(place + number) % len(values)]
            asked.append((f"{seen.id}.{about}" if about else seen.id, value))
    # Few rules decide, so that most questions are asked; what they find decides now and then.
    rules = [
        f"any if {what} == {value} and lp == {1 + place % 31}"
        for place, (what, value) in enumerate(asked)
    ]
    rules += [
        f"any with {seen.id} == 1 if lp == {3 + 2 * place}"
        for place, seen in enumerate(OBSERVABLES)
        if seen.argument
    ]
    tables = []
    for place, point in enumerate(DECISIONS):
        turned = rules[17 * place :] + rules[: 17 * place]
        tables += [f"[{point.id}]", f"rules = {turned!r}", f"[{point.id}.weights]"]
        tables += ["draw_2 = 3", "go_up = 2", "go_up_right = 2", "stop = -1", "hero = -2"]
        tables += ["worth_damage = 7", "worth_kill = 50", "worth_paid = -3", "worth_loss = -99"]
    return _file("Asks about everything.", tables, slip=1500)


def _contrary() -> str:
    return _file(
        "Does what the others do not.",
        [
            "[way]",
            'rules = ["any with owned == 0"]',
            "weights = { hero_sword = 1, knight_shield = 1, monk_care = 1, porcupine_quills = 1 }",
            "[move]",
            'rules = ["any with to_recovery == 1 if lp >= 30 and unused >= 1",'
            ' "any with starts_battle == 1 and to_king == 0", "any with to_fight == 1", "any"]',
            "weights = { go_down = 1, go_up = 2 }",
            "[leave]",
            'rules = ["red_extension", "any if deck == 0 and lp <= 20", "stop"]',
            "weights = { blue_basic = 2, stop = 1 }",
            "[draw]",
            'rules = ["draw_1 if king == 1 and battle_turn >= 2",'
            ' "any with best == 0 and kill <= 50", "draw_4"]',
            "weights = { worth_damage = -9, worth_kill = 5, worth_paid = 40, worth_strike = 6,"
            " worth_heal = -7, worth_loss = 3 }",
            "[spell]",
            'rules = ["any with best == 0 and heals == 0", "any with best == 0"]',
            "[lose]",
            'rules = ["any"]',
            "weights = { hero = 4, monk = 3, princess = 5 }",
        ],
        slip=300,
    )


def _condition(chance: random.Random, argument: bool) -> str:
    seen = chance.choice([one for one in OBSERVABLES if argument or one.argument is None])
    about = ""
    if seen.argument:
        about = "." + chance.choice(_ABOUT[seen.id])
    op = chance.choice(("<=", ">=", "==", "!=", "<", ">"))
    return f"{seen.id}{about} {op} {chance.choice(_values(seen.id))}"


def _filter(chance: random.Random, point: str) -> str:
    asked = {
        "move": [one.id for one in OBSERVABLES if one.argument and _ABOUT[one.id] == DIRECTIONS],
        "draw": ["expected", "kill", "best"],
        "spell": ["best", "heals"],
    }.get(point, ["owned"])
    name = chance.choice(asked)
    return f"{name} {chance.choice(('<=', '>=', '==', '>'))} {chance.choice(_values(name))}"


def _wild(number: int) -> str:
    chance = random.Random(number)
    takes = {
        "way": ("any", *_WAYS),
        "move": ("any", "any", *DIRECTIONS),
        "leave": ("any", "stop", *PARTS),
        "draw": ("any", "any", *DRAW_WORDS),
        "spell": ("any", "any", *_SPELLS),
        "lose": ("any", *COMPANIONS),
    }
    tables = []
    for point in DECISIONS:
        rules = []
        for _ in range(9):
            rule = chance.choice(takes[point.id])
            if rule == "any" and chance.random() < 0.7:
                rule += f" with {_filter(chance, point.id)}"
            asked = [_condition(chance, True) for _ in range(chance.randrange(4))]
            rules.append(f"{rule} if {' and '.join(asked)}" if asked else rule)
        # What takes more goes last.
        rules.sort(key=lambda rule: (rule == "any", -rule.count(" and ") - rule.count(" if ")))
        if point.id == "move":
            # Else most of them would walk to and fro until they are dead.
            goal = chance.choice(("fight", "fight", "yellow", "red"))
            rules[3:3] = [f"any with to_{goal} == 1", "any with to_king == 1"]
        weights = {
            name: chance.randrange(-20, 60)
            for name in (*takes[point.id], *FIXED_GROUPS, *FEATURES)
            if name != "any" and chance.random() < 0.6
        }
        tables += [f"[{point.id}]", f"rules = {rules!r}", f"[{point.id}.weights]"]
        tables += [f"{name} = {weight}" for name, weight in weights.items()]
    return _file("Made up by chance.", tables, slip=chance.choice((0, 0, 400)))


def written(name: str) -> str | None:
    """Return a policy of the proof as a file's text; None for a policy of the title."""
    if name == CURIOUS:
        return _curious()
    if name == CONTRARY:
        return _contrary()
    kind, _, number = name.partition("_")
    return _wild(int(number)) if kind == WILD and number.isdigit() else None
