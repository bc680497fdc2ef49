"""Random policies in random line-ups under random rules, for what nobody thought of writing.

Everything follows from one number: the policies, the rules moved off their defaults, the bans, and
texts, powers and special victories that nobody designed. So a difference is found again by its
number.
"""

from __future__ import annotations

import random
from pathlib import Path

from sim.core.expression import OPERATORS
from sim.core.vocabulary import Vocabulary
from sim.titles.granmagia import TITLE
from sim.titles.granmagia.info import DECISIONS
from sim.titles.granmagia.schema import VICTORIES, WITCHES
from sim.titles.granmagia.words import ATTACKS, PRIMITIVES
from tests.titles.granmagia.proof import Case
from tests.titles.granmagia.proof_cases import EDGES, GIFTS
from tests.titles.granmagia.proof_moved import MOVED

#: Games of one case.
GAMES = 10

_POLICIES, _RULES = 6, 12
_VALUES = (0, 1, 2, 3, 4, 5, 6, 8, 10, -1, -3, 12, 20, 30)

#: What stands in texts of all sorts, and what leads nowhere when it stands everywhere.
_PLAIN = tuple(one.id for one in PRIMITIVES if one.id not in ATTACKS)
_MILD = (
    "casts",
    "acquisitions",
    "mana",
    "gold",
    "draw",
    "barrier",
    "tokens",
    "take_curses",
    "look",
)

#: Cards whose texts are exchanged: what stops attacks and what brings exclusives stays, and the
#: edges have cards of their own.
_FREE = {
    name
    for name, card in TITLE.load().values["cards"].items()
    if card["sort"] in ("magic", "rare")
    and not (card["defends"] or card["gives"] or card["needs"])
    and "defence" not in card["attributes"]
    and not any(text.startswith(f"cards.{name}.") for text in EDGES)
}

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
    players = chance.choice(TITLE.info.players)
    moved = {"limits.round_cap": "limits.round_cap=25"}
    numbers = tuple(one.text for one in MOVED if players in one.players)
    for text in (*_some(chance, numbers), *_some(chance, EDGES), *_some(chance, GIFTS)):
        moved[text.partition("=")[0]] = text
    overlay = _overlay(chance, words) if chance.random() < 0.7 else ""
    bans = tuple(
        tuple(chance.sample(words.options[:-1], chance.choice((0, 0, 2, 6)))) for _ in range(4)
    )
    case = Case(
        f"fuzz {number}",
        tuple(moved.values()),
        tuple(pool),
        bans,
        first_deal=number,
        overlay=overlay,
        # Random texts may outgrow the records, in both engines alike (GM-W11).
        fails=bool(overlay),
    )
    return players, case


def _overlay(chance: random.Random, words: Vocabulary) -> str:
    """Return cards, witches and seals that nobody designed, as a file of rules."""
    kinds = [kind for kind in TITLE.load().values["cards"] if kind in _FREE]
    lines = []
    for kind in chance.sample(kinds, 12):
        lines += [f"[cards.{kind}]", *_card(chance, words)]
    for witch in chance.sample(WITCHES, 5):
        lines += _witch(chance, words, witch)
    for seal in ("plenty", "binding"):
        lines += [f"[seals.{seal}]", f"cost = {chance.randrange(-2, 3)}"]
        lines += [f"effects = {_texts(chance, words, _MILD, 1)}"]
    return "\n".join(lines) + "\n"


def _card(chance: random.Random, words: Vocabulary) -> list[str]:
    lasting = chance.choice(("", "", "duration", "permanent"))
    familiar, attack = chance.random() < 0.3, chance.random() < 0.3
    attributes = [lasting, "familiar" * familiar, "attack" * attack]
    effects = _list(chance, words, _PLAIN, 3)
    if attack:
        effects.insert(chance.randrange(len(effects) + 1), _effect(chance, words, ATTACKS))
    if chance.random() < 0.2:
        attributes.append("defence")
        effects.append("barrier 1")
    starts = _list(chance, words, _PLAIN, 2) if lasting else []
    rewards = _list(chance, words, _PLAIN, 2) if familiar else []
    lines = [
        f"attributes = {[name for name in attributes if name]}",
        f"effects = {effects}",
        f"turn_start = {starts}",
        f"reward = {rewards}",
    ]
    if chance.random() < 0.1:
        lines += [f"needs = ['{_condition(chance, words)}']"]
    return [f"cost = {chance.randrange(7)}", *lines]


def _witch(chance: random.Random, words: Vocabulary, witch: str) -> list[str]:
    kind = chance.choice(VICTORIES[1:])
    timing = "at_once" if kind == "mana" else chance.choice(("at_once", "turn_start"))
    powers = ("stone_gold", "extra_turn_gold", "curse_penalty", "arcana_discount", "token_draw")
    switches = ("notes_as_arcana", "tokens_for_truth", "rewards")
    cost, ability = chance.randrange(5), _texts(chance, words, _MILD, 1)
    amounts = {name: chance.choice((0, 0, 1, 2)) for name in powers}
    has = {name: chance.choice((True, False)) for name in switches}
    # What does nothing without a power is refused.
    amounts["token_draw"] *= has["tokens_for_truth"]
    has["rewards"] |= kind == "rewards"
    lines = [
        f"[witches.{witch}]",
        f"cost = {cost}",
        f"ability = {ability}",
        f"[witches.{witch}.powers]",
        *(f"{name} = {amount}" for name, amount in amounts.items()),
        *(f"{name} = {str(held).lower()}" for name, held in has.items()),
        f"[witches.{witch}.victory]",
        f'kind = "{kind}"',
        f'timing = "{timing}"',
        f"truth = {chance.randrange(12)}",
        "enabled = true",
    ]
    if kind == "uses":
        lines += ['card = "will_o_wisp"']
    elif witch == "ignis":
        lines[-4:] = ['kind = "uses"', f'timing = "{timing}"', "truth = 3", "enabled = true"]
    lines += [f"[witches.{witch}.victory.need]"]
    return lines + [f"{players}p = {chance.choice((0, 1, 3, 8))}" for players in (2, 3, 4)]


def _texts(chance: random.Random, words: Vocabulary, ids: tuple[str, ...], least: int) -> str:
    return str(_list(chance, words, ids, least))


def _list(chance: random.Random, words: Vocabulary, ids: tuple[str, ...], most: int) -> list[str]:
    return [_effect(chance, words, ids) for _ in range(chance.randint(1, most))]


def _effect(chance: random.Random, words: Vocabulary, ids: tuple[str, ...]) -> str:
    chosen = chance.choice(ids)
    primitive = next(one for one in PRIMITIVES if one.id == chosen)
    parts = [primitive.id]
    for kind in primitive.arguments:
        if kind == "int":
            parts.append(str(chance.choice((0, 1, 1, 1, 2, 3))))
        elif "|" in kind:
            parts.append(chance.choice(kind.split("|")))
        else:
            parts.append(chance.choice(list(words.arguments[kind])))
    if chance.random() < 0.2 and primitive.arguments[0] == "int":
        seen = chance.choice([one for one in words.observables if one.argument is None])
        parts += ["per", seen.id]
    if chance.random() < 0.3:
        parts += ["if", _condition(chance, words)]
    return " ".join(parts)


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
