"""Cards and policies made for the proof: together they say, and ask, all that can be said.

The cards are generated from the tables of words, so that a primitive, a word or an observable that
is added is in them at once. Costs are small and amounts smaller, so that games go on.
"""

from __future__ import annotations

import itertools
import json

from sim.core.vocabulary import Observable
from sim.titles.majestic.info import DECISIONS
from sim.titles.majestic.observe import OBSERVABLES
from sim.titles.majestic.primitives import PRIMITIVES
from sim.titles.majestic.schema import ATTRIBUTES, KEYWORDS, TARGETS
from sim.titles.majestic.texts import TEXT_OBSERVABLES
from sim.titles.majestic.words import FIXED_GROUPS

__all__ = ["MAIN", "MANA", "brawler", "contrary", "curious", "data", "effects"]

#: Cards of a main deck and of a mana deck of the proof, when nothing else is asked for.
MAIN, MANA = 60, 40

_SPELLS, _UNITS, _SPRINGS, _CASTERS = 42, 37, 24, 8

#: What an effect does by itself; of several numbers each is taken in turn.
_AMOUNTS = {
    "damage": (1, 2, 3),
    "ap": (2, -1, 1, -20),
    "dp": (2, -1, 3),
    "refresh": (1, 3),
    "recycle": (4, 12),
    "search": (3, 0),
    "salvage": (9, 1),
    "revive": (3, 9),
    "deploy": (9, 2),
}

#: Effects whose multipliers stay small: more of them ends a game at once.
_RARE = ("draw", "discard", "mill", "hit", "heal", "mana")
_SMALL = ("own_turn", "in_main", "exchange")

#: Values that what is asked lies about; what is not named here is 0 or 1.
_ABOUT = {
    **{"hand": 4, "enemy_hand": 4, "lp": 4, "enemy_lp": 4, "mana": 4, "ready_mana": 2},
    **{"mana_of": 1, "enemy_mana": 4, "units": 3, "front": 1, "back": 1, "trash": 4},
    **{"enemy_units": 3, "enemy_front": 2, "enemy_back": 1, "self_ap": 2},
    **{"target_cost": 1, "target_ap": 2, "target_dp": 3},
}


def effects() -> list[str]:
    """Return every primitive with all words that it may have, numbers left out."""
    found = []
    for primitive in PRIMITIVES:
        words = [kind.split("|") for kind in primitive.arguments if kind != "int"]
        found += [" ".join([primitive.id, *each]) for each in itertools.product(*words)]
    return found


class _Writer:
    """Writes effects and conditions; what can be asked comes in turn, by where it is asked."""

    def __init__(self) -> None:
        self.numbers = {name: itertools.cycle(of) for name, of in _AMOUNTS.items()}
        self.cycles: dict[tuple[str, str], itertools.cycle[str]] = {}
        self.turns, self.aims = itertools.count(), itertools.count()

    def asked(self, role: str, of: str) -> str:
        """Return the next observable of a class, as texts name it."""
        if (role, of) not in self.cycles:
            ids = [seen.id for seen in TEXT_OBSERVABLES]
            named = [one for one in ids if one.startswith(("self_", "target_")) == (of != "plain")]
            if of != "plain":
                named = [one for one in named if one.startswith(of)]
            named = [f"{one}.fire" if one == "mana_of" else one for one in named]
            if of == "plain":
                named += [f"mana_of.{name}" for name in ATTRIBUTES[1:]]
            self.cycles[role, of] = itertools.cycle(named)
        return next(self.cycles[role, of])

    def condition(self, role: str, of: str) -> str:
        """Return a condition that holds about as often as not."""
        asked, turn = self.asked(role, of), next(self.turns)
        about = _ABOUT.get(asked.partition(".")[0])
        if about is None:
            return f"{asked} {('== 1', '< 1', '!= 1', '> 0')[turn % 4]}"
        return f"{asked} {(f'>= {about}', f'<= {about}', f'> {about - 1}')[turn % 3]}"

    def effect(self, words: str, classes: tuple[str, ...], turn: int) -> str:
        """Return an effect with its number, some with a multiplier, some with a condition."""
        name, number = words.split()[0], ""
        of = classes[turn % len(classes)]
        if "int" in next(one for one in PRIMITIVES if one.id == name).arguments:
            number = f" {next(self.numbers[name])}" if name in self.numbers else " 1"
            if name in _RARE and turn % 4 == 1:
                number += f" per {_SMALL[turn // 4 % len(_SMALL)]}"
            elif name not in _RARE and turn % 2:
                number += f" per {self.asked('per', of)}"
        asks = f" if {self.condition('cond', of)}" if turn % 3 == 0 else ""
        return f"{words}{number}{asks}"

    def text(self, parts: list[str], turn: int, *, of_unit: bool) -> dict[str, object]:
        """Return a text with effects, and what it aims at and needs."""
        aims = any(part.split()[1:2] == ["target"] for part in parts)
        classes = ("plain", *(("target_",) if aims else ()), *(("self_",) if of_unit else ()))
        written: dict[str, object] = {}
        if aims:
            written["target"] = TARGETS[1 + next(self.aims) % 3]
            asked = [self.condition("where", of) for of in ("target_", "plain")]
            if of_unit:
                asked[turn % 2] = self.condition("where", "self_")
            elif turn % 4 == 0:
                del asked[0]
            written["where"] = " and ".join(asked[::-1] if of_unit else asked)
        fights = {part.split()[1] for part in parts if part.split()[1:]} & {"attacker", "blocker"}
        if turn % 2:
            named = "self_" if of_unit else "plain"
            asked = [self.condition("needs", "plain"), self.condition("needs", named)]
            written["needs"] = " and ".join(asked[turn % 4 // 2 :])
        elif fights and turn % 4:
            # Kept for battles, as elsewhere it would do nothing.
            written["needs"] = f"exchange {'== 2' if 'blocker' in fights else '>= 1'}"
        # Who leaves does so last: what is done to it afterwards is left out.
        parts = sorted(parts, key=lambda part: part in ("destroy self", "return self"))
        written["effects"] = [
            self.effect(part, classes, turn + place) for place, part in enumerate(parts)
        ]
        return written


#: Texts for what the table of words does not make happen by itself: a unit takes the place of one
#: that has left; a seat loses in the middle of a text; many units.
_ODD = (
    {"target": "any", "effects": ["destroy target", "revive 9", "damage target 9", "ap target 5"]},
    {"target": "own", "effects": ["return target", "deploy 9", "turn_down target"]},
    {"effects": ["destroy attacker", "destroy blocker", "revive 9"]},
    {"effects": ["hit both 1", "draw both 2", "mill both 1"]},
    {"effects": ["deploy 9", "deploy 9", "revive 9", "revive 9", "recycle 2", "search unit 9"]},
    {"effects": ["mana ready 1", "heal both 1", "search card 9", "hit own 1"]},
)


def _dealt(of: list[str], stacks: int) -> list[list[str]]:
    """Deal effects to a number of texts, so that neighbours do different things."""
    least = -(-len(of) // stacks)
    of = of + of[: stacks * least - len(of)]
    return [of[place::stacks] for place in range(stacks)]


def _cards(writer: _Writer) -> dict[str, dict[str, object]]:
    every = effects()
    of_any = [one for one in every if one.split()[1:2] != ["self"]]
    cards: dict[str, dict[str, object]] = {}
    for place, parts in enumerate(_dealt(of_any, _SPELLS - len(_ODD))):
        cards[f"spell_{place}"] = writer.text(parts, place, of_unit=False)
    for place, odd in enumerate(_ODD):
        cards[f"spell_{_SPELLS - len(_ODD) + place}"] = dict(odd)
    for place in range(_SPELLS):
        card = cards[f"spell_{place}"]
        card |= {"sort": "spell", "cost": (0, 1, 1, 2, 3)[place % 5]}
    played, used = _dealt(every[::-1], _UNITS), _dealt(every, _UNITS)
    for place in range(_UNITS):
        keywords = [KEYWORDS[place % 7]] if place % 7 < len(KEYWORDS) else []
        ability = writer.text(used[place], 5 * place + 1, of_unit=True)
        ability |= {"cost": (0, 1, 2)[place % 3], "down": place % 4 == 0}
        card = {"sort": "unit", "cost": (0, 1, 1, 2, 5)[place % 5], "keywords": keywords}
        card |= {"ap": place % 5, "dp": 1 + place % 4}
        if place % 6 < 4:
            card |= writer.text(played[place], place, of_unit=True)
        cards[f"unit_{place}"] = card | {"ability": ability}
    for whom, sort in (("blocker", "spell"), ("self", "unit")):
        words = [one for one in every if one.split()[1:2] == [whom]]
        for place in range(3):
            done = [writer.effect(one, ("plain",), 2) for one in words[place::3]]
            done.sort(key=lambda one: one.startswith(("destroy", "return")))
            text = {"effects": done}
            if sort == "spell":
                cards[f"{whom}_{place}"] = {"cost": 0, "needs": "exchange == 2", **text}
            else:
                cards[f"{whom}_{place}"] = {"cost": 1, "ap": 2, "dp": 5, "ability": text}
            cards[f"{whom}_{place}"]["sort"] = sort
    burn = {"target": "any", "effects": ["ap target 1", "hit enemy 1 if lp <= 4"]}
    study = {"target": "any", "effects": ["ready target", "draw own 1 if hand <= 3"]}
    cards["unit_burner"] = {
        "sort": "unit",
        "cost": 1,
        "ap": 2,
        "dp": 3,
        "ability": burn | {"down": True},
    }
    cards["unit_burner"] |= {"effects": ["hit enemy 1 if enemy_lp >= 3"]}
    cards["unit_student"] = {
        "sort": "unit",
        "cost": 1,
        "ap": 1,
        "dp": 2,
        "ability": study | {"cost": 1},
    }
    cards["unit_student"] |= study
    cards["spell_study"] = {"sort": "spell", "cost": 0, **study}
    cards["spell_burn"] = {"sort": "spell", "cost": 1, **burn}
    for place, card in enumerate(cards.values()):
        card["attribute"] = ATTRIBUTES[place % 4]
    return cards


def data(main: int = MAIN, mana: int = MANA) -> dict[str, str]:
    """Return data files beside ``rules.toml``, by name, with decks of so many cards."""
    writer = _Writer()
    cards = _cards(writer)
    of_any = [one for one in effects() if one.split()[1:2] != ["self"]]
    basic: dict[str, dict[str, object]] = {f"{name}_mana": {} for name in ATTRIBUTES}
    springs = {
        f"spring_{place}": writer.text(parts, place, of_unit=False)
        for place, parts in enumerate(_dealt(of_any, _SPRINGS))
    }
    manas = basic | springs
    for place, one in enumerate(manas.values()):
        one["attribute"] = ATTRIBUTES[place % 4]
    ends = [one for pair in zip(of_any[:24], of_any[:-25:-1], strict=True) for one in pair]
    casters: dict[str, dict[str, object]] = {}
    for place, parts in enumerate(_dealt(ends, _CASTERS)):
        ability = writer.text(parts, place, of_unit=False)
        ability |= {"cost": place % 2, "down": place % 3 == 1}
        casters[f"caster_{place}"] = {"attribute": ATTRIBUTES[place % 4], "ability": ability}
    decks = {}
    for place, caster in enumerate(casters):
        # Each deck begins elsewhere; units and spells take turns.
        units = [name for name, card in cards.items() if card["sort"] == "unit"]
        spells = [name for name, card in cards.items() if card["sort"] == "spell"]
        named = [one for pair in zip(units + units[-9:], spells, strict=False) for one in pair]
        of_mana = [*basic, *list(springs)[2 * place :], *basic, *list(springs)[: 2 * place]]
        decks[f"deck_{place}"] = {
            "sorcerer": caster,
            "main": _copies(named[23 * place % 90 :] + named[: 23 * place % 90], main),
            "mana": _copies(of_mana, mana),
        }
    tables = {"cards": cards, "mana": manas, "sorcerers": casters, "decks": decks}
    return {f"{what}.toml": _toml(what, table) for what, table in tables.items()}


def _copies(names: list[str], number: int) -> dict[str, int]:
    copies = dict.fromkeys(names, 0)
    for name in itertools.islice(itertools.cycle(names), number):
        copies[name] += 1
    return {name: count for name, count in copies.items() if count}


def _toml(what: str, table: dict[str, dict[str, object]]) -> str:
    lines = [f"[{what}]", 'source = "assumed"']
    for name, fields in table.items():
        lines += [f"[{what}.{name}]", f'label = {{ en = "{name} (test)", ja = "{name}（試験）" }}']
        lines += [f"{field} = {_value(value)}" for field, value in fields.items()]
    return "\n".join(lines)


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


# -- policies --------------------------------------------------------------------------------------

_HEAD = 'about = "For the proof."\nlabel = {{ en = "{0}", ja = "{0}" }}\nslip = {1}\n'


#: Values that observables of policies lie about; what is not named here is asked for 1.
_SEEN_ABOUT = {
    **{"round": 4, "lp": 4, "enemy_lp": 4, "hand": 4, "enemy_hand": 4, "cards_left": 30},
    **{"mana_left": 15, "mana": 5, "ready_mana": 2, "enemy_mana": 5, "enemy_ready_mana": 2},
    **{"mana_of": 2, "in_hand": 2, "trash": 6, "units": 3, "front": 2, "back": 2},
    **{"enemy_units": 3, "enemy_front": 2, "enemy_back": 2, "cover": 0, "surplus": 0, "lead": 0},
    **{"clock": 5, "enemy_clock": 5, "coming_ap": 2, "coming_dp": 2, "ap": 2, "dp": 2, "worth": 5},
}

#: What rules take in turn, by decision point.
_TAKES = {
    "redraw": ("redraw", "stop"),
    "mana_phase": ("put_mana", "draw_card"),
    "main": ("any_unit", "stop", "own_unit", "any_spell", "sorcery", "advance", "retreat"),
    "area": ("to_front", "to_back"),
    "move": ("own_2", "own_1", "own_3", "own_unit"),
    "attack": ("own_unit", "stop", "own_2"),
    "exchange": ("any_spell", "stop", "own_unit", "sorcery"),
    "block": ("own_unit", "stop", "own_2"),
    "target": ("enemy_unit", "own_unit", "own_1", "enemy_2"),
    "special": ("use_effect", "stop"),
    "discard": ("any_spell", "any_unit", "fire", "up_to_1"),
    "fetch": ("any_unit", "stop", "any_spell"),
}


def _questions(seen: Observable, kinds: tuple[str, ...]) -> list[str]:
    """Return all ways to ask an observable; of options, about some of each sort."""
    options = (*kinds, *(f"{side}_{place}" for side in ("own", "enemy") for place in (1, 2, 4)))
    arguments = {
        None: ("",),
        "attribute": tuple(f".{name}" for name in ATTRIBUTES),
        "group": tuple(f".{name}" for name in FIXED_GROUPS),
        "option": tuple(f".{name}" for name in (*options, "sorcery", "advance")),
    }[seen.argument]
    return [f"{seen.id}{argument}" for argument in arguments]


def curious(turn: int, kinds: tuple[str, ...]) -> str:
    """Return a policy file that asks one thing at every decision, in all ways.

    Which rule holds depends on what is seen, and what it takes on which one it is.
    """
    seen = OBSERVABLES[turn]
    about = _SEEN_ABOUT.get(seen.id, 1)
    asked = _questions(seen, kinds)
    asked = asked * -(-8 // len(asked))
    filters = [f"any with {seen.id} {op} {about}" for op in (">=", "==", "!=")]
    lines = [_HEAD.format("Curious", 1500)]
    for number, point in enumerate(DECISIONS):
        takes = _TAKES[point.id]
        rules = [
            f"{takes[(place + place // len(takes)) % len(takes)]} if {one} "
            f"{('>=', '<=', '==', '>')[(place + place // 4) % 4]} {about} "
            f"and hand {('> 0', '<= 3', '!= 4', '>= 4', '!= 5')[place % 5]}"
            for place, one in enumerate(asked)
        ]
        by = 5 * number % len(rules)
        rules = [*rules[by:], *rules[:by], "any"]
        if seen.argument == "option":
            by = 0 if (number + turn) % 2 or point.id == "target" else len(rules) - 1
            rules[by:by] = filters[(number + turn) // 2 % 3 :]
        lines += [f"[{point.id}]", f"rules = {json.dumps(rules)}"]
        lines += ["weights = { any = 9, any_spell = 12, fire = 3, own_unit = 10, enemy_unit = 11 }"]
        lines += ["per = { cost = 3, ap = -1 }"]
    return "\n".join(lines)


def brawler() -> str:
    """Return a policy file that attacks and blocks with all it has, and acts after blocks."""
    rules = {
        "redraw": ["stop"],
        "mana_phase": ["draw_card if hand == 0", "put_mana if mana <= 12", "draw_card"],
        "main": ["any_unit", "advance if front == 0", "retreat if back == 0", "stop"],
        "area": ["to_back if back <= 1", "to_front if front <= 2", "to_back"],
        "move": ["own_unit"],
        "attack": ["own_unit"],
        "exchange": ["any if exchange == 2", "any_spell if own_turn == 0 and hand >= 5", "stop"],
        "block": ["own_unit"],
        "target": ["any with fights == 1", "any"],
        "special": ["use_effect"],
        "discard": ["any_spell"],
        "fetch": ["any_unit"],
    }
    return _written("Brawler", 1500, rules, "any = 5, any_spell = 9, own_unit = 7")


def contrary() -> str:
    """Return a policy file that does what no policy of the title does, and weighs with every sign.

    It attacks whatever comes, moves to and fro, aims at its own units, refuses what it is offered
    now and then, and blocks with what will fall.
    """
    rules = {
        "redraw": ["redraw"],
        "mana_phase": ["draw_card if mana == 0 and round <= 2", "put_mana if mana <= 9"],
        "main": [
            *("retreat if front >= 3", "advance if front <= 1", "any_spell with swings == 0"),
            *("own_unit", "sorcery", "any_unit", "stop"),
        ],
        "area": ["to_back if front >= 2", "to_front"],
        "move": ["own_unit with smallest == 1"],
        "attack": ["own_unit with kills == 0", "own_unit with survives == 0", "own_unit"],
        "exchange": ["any with swings == 1", "own_unit if exchange == 2", "any_spell if hand >= 5"],
        "block": ["own_unit with survives == 0", "own_unit with kills == 1", "stop"],
        "target": ["own_unit with biggest == 1", "enemy_unit with smallest == 1", "any"],
        "special": ["stop if own_turn == 0 and lp == 3", "use_effect"],
        "discard": ["any with burns == 1", "any with refills == 0"],
        "fetch": ["stop if hand >= 6", "any with cost >= 1", "any"],
    }
    return _written("Contrary", 400, rules, "any = 5, any_spell = -1, water = 7, own_unit = 2")


def _written(label: str, slip: int, rules: dict[str, list[str]], weights: str) -> str:
    lines = [_HEAD.format(label, slip)]
    for point in DECISIONS:
        lines += [f"[{point.id}]", f"rules = {json.dumps(rules[point.id])}"]
        lines += [f"weights = {{ {weights} }}", "per.ap = -2"]
    return "\n".join(lines)
