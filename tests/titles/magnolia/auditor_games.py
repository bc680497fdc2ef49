"""Games, told, under rules that let everything happen; the printed texts are moved as well."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from sim.core._rng import make_key
from sim.core.policy import available, load_policies
from sim.core.ruleset import load_ruleset
from sim.errors import EngineError
from sim.titles.magnolia import TITLE
from sim.titles.magnolia.checks import problems
from sim.titles.magnolia.schema import LIKENESSES, Rules
from sim.titles.magnolia.texts import CARD_ONLY, TEXT_OBSERVABLES

__all__ = ["GAMES", "PLAYERS", "RULES", "TEXTS", "load", "played", "random_texts", "traces"]

#: Games of each table of rules and number of players.
GAMES = 2

PLAYERS = TITLE.info.players
POLICIES = available(TITLE.data / "policies")

#: Policies that name no card.
NAMELESS = ("greedy", "lines", "random")

PRINTED = TITLE.load().values["cards"]

USED = "objectives.used=true"

#: Single numbers moved off what is printed, those that end a game among them.
MOVED = (
    USED,
    "objectives.open=9",
    "start.gold=9",
    "draw.hand=4",
    "draw.exchange_from=3",
    "placement.gold=[3, 2, 1]",
    "war.least_power=3",
    "war.gained_from=2",
    "war.vp.2p=[7, 2]",
    "war.vp.3p=[4, 3, 1]",
    "war.vp.4p=[9, 4, 3, 1]",
    "war.vp.5p=[9, 8, 5, 2, 1]",
    "income.gold=4",
    "end.vp=60",
    "end.cards=8",
    "end.gold_per_vp=5",
    "bonuses.elf.gold=7",
    "bonuses.lord.faith=2",
    "cards.elf_lord.more=3",
    "cards.golem_guard.cost=0",
    "cards.human_peddler.power=9",
    "objectives.cards.wide_front.vp=0",
)


def random_texts(seed):
    """Yield random texts for every card and objective, as overrides of the printed rules."""
    chance = random.Random(seed)

    def asked(names):
        observable = chance.choice(names)
        about = f".{chance.choice(LIKENESSES)}" if observable.argument else ""
        return f"{observable.id}{about}"

    def needs(names):
        conditions = [
            f"{asked(names)} {chance.choice(('<', '<=', '==', '!=', '>=', '>'))} {value}"
            for value in chance.choices(range(-1, 6), k=chance.choice((1, 1, 2)))
        ]
        return " and ".join(conditions)

    def effect(primitive):
        per = chance.random() < 0.4
        text = f"{primitive} 1 per {asked(TEXT_OBSERVABLES)}" if per else f"{primitive} 2"
        return f"{text} if {needs(TEXT_OBSERVABLES)}" if chance.random() < 0.6 else text

    others = ("gold", "vp", "technology", "faith", "others_gold", "others_vp")
    for name in PRINTED:
        for step in ("placement", "war", "development", "income", "vp"):
            texts = [effect(chance.choice(others)) for _ in range(chance.choice((0, 0, 1, 2)))]
            yield f"cards.{name}.{step}={json.dumps(texts)}"
        texts = [effect("power") for _ in range(chance.choice((0, 1, 2)))]
        yield f"cards.{name}.front={json.dumps(texts)}"
    for name in TITLE.load().values["objectives"]["cards"]:
        text = needs(TEXT_OBSERVABLES[: CARD_ONLY.start])
        yield f"objectives.cards.{name}.needs={json.dumps(text)}"


#: Two races and two jobs only: many lines are alike in both.
ALIKE = tuple(
    text
    for place, name in enumerate(PRINTED)
    for text in (
        f'cards.{name}.race="{("elf", "goblin")[place % 2]}"',
        f'cards.{name}.job="{("lord", "mage")[place // 2 % 2]}"',
    )
)

#: What goes with random texts: all that can be read is there to be read.
TEXTS = (USED, "objectives.open=12", "end.vp=60", "limits.round_cap=8")

RULES = {
    "printed": (),
    "claims": (USED,),
    "claims after bonuses": (USED, 'objectives.check="bonus"', "objectives.open=12"),
    "claims after rounds": (USED, 'objectives.check="round"', "objectives.open=12"),
    "divided": ('war.shared="divided"', "limits.round_cap=2"),
    "tied": ("limits.round_cap=1", "end.gold_per_vp=99", "start.gold=0"),
    "moved": MOVED,
    "long": ("end.vp=200", "end.cards=9", "draw.hand=9", "placement.gold=[2, 1, 1]"),
    "barred": (),
    "few cards": (),
    "alike": ALIKE,
    "texts 1": (*random_texts(1), *TEXTS),
    "texts 2": (*random_texts(2), *TEXTS),
}

#: Rules by which seats are barred from half of the kinds each, and by which deck and discards run
#: out (MG-D3).
BARRED, FEW = "barred", "few cards"


@cache
def load(overrides):
    """Return the tables of printed rules with these overrides, each key given once."""
    return TITLE.compile(TITLE.load(overrides=list(overrides)))


@cache
def load_few():
    """Return the tables of printed rules with the cards of two races only.

    No overlay takes cards away, so the data files are copied, one line for each card.
    """
    with TemporaryDirectory() as folder:
        for file in TITLE.data.glob("*.toml"):
            lines = file.read_text("utf-8").splitlines()
            kept = [one for one in lines if one.startswith(("elf_", "goblin_")) or _RACE not in one]
            Path(folder, file.name).write_text("\n".join(kept), "utf-8")
        return TITLE.compile(load_ruleset("magnolia", Path(folder), Rules, check=problems))


_RACE = " race = "


def played(rules, players, *, other=(), games=GAMES):
    """Play games of all policies, one after the other, and tell them.

    ``rules`` are overrides, or a name in :data:`RULES`; ``other`` are more of them, which go
    before. A game whose rules lead to more than can be counted is left out (MG-X4).
    """
    overrides = RULES.get(rules, rules)
    keys = {text.partition("=")[0]: text for text in (*overrides, *other)}
    tables = load_few() if rules == FEW else load(tuple(keys.values()))
    who = NAMELESS if rules == FEW else POLICIES
    names = [f"{name}@{slip}" for name in who for slip in ("0", "0.2")]
    policies = load_policies(names, tables.words, TITLE.data / "policies")
    bans = _halves(tables, players) if rules == BARRED else None
    for deal in range(games):
        lineup = random.Random(f"{players} {deal}").choices(range(len(names)), k=players)
        given = (tables, policies, bans, make_key(3), deal, lineup)
        with suppress(EngineError):
            yield _read_again(TITLE.reference(*given, trace=True).trace)


def _read_again(events):
    """Return events as they are read from a file."""
    return [json.loads(json.dumps(event)) for event in events]


def _halves(tables, players):
    """Return ban masks: of the kinds in order, seats are barred from every other one in turn."""
    codes = range(len(tables.kind_names))
    bits = [sum(1 << code for code in codes if (code + seat) % 2) for seat in range(players)]
    words = [[bit >> shift & (1 << 64) - 1 for shift in (0, 64)] for bit in bits]
    return np.array(words, np.uint64)


@cache
def traces(rules, players):
    """Play games and keep them."""
    return list(played(rules, players))
