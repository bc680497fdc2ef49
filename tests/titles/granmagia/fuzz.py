"""Random policies in random line-ups under random rules, for what nobody thought of writing.

Everything follows from one number: the policies, the rules moved off their defaults, the bans. So a
difference is found again by its number.
"""

from __future__ import annotations

import random
from pathlib import Path

from sim.core.expression import OPERATORS
from sim.core.vocabulary import Vocabulary
from sim.titles.granmagia import TITLE
from sim.titles.granmagia.info import DECISIONS
from tests.titles.granmagia.proof import EDGES, GIFTS, MOVED, Case

#: Games of one case.
GAMES = 10

_POLICIES, _RULES = 6, 12
_VALUES = (0, 1, 2, 3, 4, 5, 6, 8, 10, -1, -3, 12, 20, 30)

#: Selectors in the measure in which they make games go on; others come in by ``_selector``.
_USUAL = ("magic", "any", "stones", "truths", "any_witch", "common", "stone", "great_stone")


def fuzzed(number: int, folder: Path) -> tuple[int, Case]:
    """Return players and case of a number; its policies are written below a folder."""
    chance = random.Random(number)
    words = TITLE.vocabulary(TITLE.load())
    pool = []
    for place in range(_POLICIES):
        file = folder / f"fuzz-{number}-{place}.toml"
        file.write_text(_policy(chance, words), encoding="utf-8")
        pool.append(str(file))
    moved = {"limits.round_cap": "limits.round_cap=25"}
    for text in (*_some(chance, MOVED), *_some(chance, EDGES), *_some(chance, GIFTS)):
        moved[text.partition("=")[0]] = text
    bans = tuple(
        tuple(chance.sample(words.options[:-1], chance.choice((0, 0, 2, 6)))) for _ in range(4)
    )
    players = chance.choice(TITLE.info.players)
    name = f"fuzz {number}"
    return players, Case(name, tuple(moved.values()), tuple(pool), bans, first_deal=number)


def _some(chance: random.Random, texts: tuple[str, ...]) -> list[str]:
    """Choose a few of the texts, or none; never those that no ruleset can carry together."""
    # Few attempts only make games fail, and sets of another size need chapters of that size.
    risky = ("supply.attempts", "supply.chapters", "supply.kinds")
    allowed = [text for text in texts if not text.startswith(risky)]
    return chance.sample(allowed, chance.choice((0, 0, 1, 3)))


def _policy(chance: random.Random, words: Vocabulary) -> str:
    lines = [
        'label = { en = "Fuzz", ja = "Fuzz" }',
        'about = "For the proof."',
        f"slip = {chance.choice((0, 0, 300, 3000))}",
    ]
    for point in DECISIONS:
        rules = ", ".join(f'"{_rule(chance, words)}"' for _ in range(_RULES))
        weights = ", ".join(
            f"{name} = {chance.randrange(low, high)}"
            for name, low, high in (("any", -3, 5), ("magic", -5, 9), ("stones", -5, 9))
        )
        lines += [f"[{point.id}]", f"rules = [{rules}]", f"weights = {{ {weights} }}"]
        lines += [f"per = {{ cost = {chance.randrange(-2, 3)} }}"]
    return "\n".join(lines) + "\n"


def _rule(chance: random.Random, words: Vocabulary) -> str:
    rule = chance.choice(_USUAL if chance.random() < 0.6 else words.options)
    if chance.random() < 0.3:
        asked = chance.choice(("field", "owned", "pile", "hand_has"))
        rule += f" with {asked} {chance.choice(OPERATORS)} {chance.randrange(4)}"
    if chance.random() < 0.9:
        rule += " if " + " and ".join(
            _condition(chance, words) for _ in range(chance.choice((1, 1, 2)))
        )
    return rule


def _condition(chance: random.Random, words: Vocabulary) -> str:
    seen = chance.choice(words.observables)
    # What is 0 by definition most of the time is asked more often than by its share.
    if chance.random() < 0.15:
        name = chance.choice(("just_burned", "just_discarded"))
        seen = next(one for one in words.observables if one.id == name)
    asked = seen.id
    if seen.argument is not None:
        asked += f".{chance.choice(list(words.arguments[seen.argument]))}"
    return f"{asked} {chance.choice(OPERATORS)} {chance.choice(_VALUES)}"
