"""Traces of whole games, checked by the rulebook alone; and that no damaged trace passes."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from functools import cache

import pytest

from analysis.cli import main
from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.titles.granmagia import TITLE
from sim.titles.granmagia.reference import reference
from tests.titles.granmagia import damage
from tests.titles.granmagia.auditor import Violation, audit

#: Games of each table of rules and number of players.
GAMES = 16

WITCHES = list(TITLE.load().values["witches"])
PLAYERS = (2, 3, 4)

#: Everybody is rich, does more in a turn, and contracts early.
RICH = (
    "turn.casts=2",
    "turn.acquisitions=2",
    "limits.round_cap=25",
    *(f"compensation.{n}p.seat{seat}.gold=9" for n in PLAYERS for seat in range(1, n + 1)),
    *(f"witches.{witch}.cost=2" for witch in WITCHES),
)

#: What a special victory needs when it shall come soon.
_NEEDS = {
    "celestina": 9,
    "sophia": 4,
    "felicia": 3,
    "ignis": 2,
    "eclair": 3,
    "aurelise": 9,
    "brynhild": 5,
    "beelzebel": 2,
}

#: Special victories come soon, announced ones lapse, and Ignis' chain is short.
HASTY = (
    *RICH,
    *(f"supply.copies.{n}p=3" for n in PLAYERS),
    *(
        f"witches.{witch}.victory.need.{n}p={need}"
        for witch, need in _NEEDS.items()
        for n in PLAYERS
    ),
    *(f"witches.{witch}.victory.truth={2 * (witch != 'ignis')}" for witch in WITCHES),
    "witches.beelzebel.victory.truth=4",
    "witches.aurelise.powers.extra_turn_gold=4",
    'witches.ignis.gifts=["will_o_wisp", "inferno"]',
    "cards.will_o_wisp.gives_every=1",
    "cards.blaze.gives_every=1",
    'cards.big_bang.needs=["mana >= 1"]',
    "piles.curses_per_rival=2",
)

#: Attacks at every turn, and defences of all sorts against them.
QUARRELS = (
    *RICH,
    *(
        f'witches.{witch}.gifts=["grudge", "fairy", "rune_shield", "book_of_truth"]'
        for witch in WITCHES
    ),
    *(f'cards.{kind}.defends="hand"' for kind in ("fairy", "rune_shield")),
    'cards.fairy.attributes=["familiar", "defence"]',
    'cards.book_of_truth.attributes=["permanent", "defence"]',
    'cards.book_of_truth.defends="field"',
    'cards.grudge.effects=["curses 1", "others_discard 1", "take_gold 1", "pass_curses 1"]',
    'contract.gift_place="hand"',
    "limits.round_cap=12",
)

_PATIENT = ("marisrosetta", "ignis", "eclair", "beelzebel")

#: Announcements that often lapse, arcana for everybody, and Ignis' last card at once.
ANNOUNCED = (
    *RICH,
    *(f"witches.{witch}.enabled=false" for witch in WITCHES if witch not in _PATIENT),
    *(f"witches.{witch}.victory.truth=1" for witch in ("ignis", "eclair", "beelzebel")),
    *(f"witches.eclair.victory.need.{n}p=1" for n in PLAYERS),
    *(f"witches.beelzebel.victory.need.{n}p=2" for n in PLAYERS),
    *(f"witches.ignis.victory.need.{n}p=2" for n in PLAYERS),
    'witches.ignis.gifts=["big_bang", "inferno", "inferno"]',
    'cards.big_bang.needs=["mana >= 1"]',
    'cards.inferno.effects=["mana 1", "casts 1"]',
    "cards.inferno.attributes=[]",
    "cards.arcana.cost=4",
)

RULES = {
    "printed": (),
    "rich": RICH,
    "hasty": HASTY,
    "quarrels": QUARRELS,
    "announced": ANNOUNCED,
}


@cache
def traces(rules, players, games=GAMES):
    """Play games of the random policy and tell them."""
    tables = TITLE.compile(TITLE.load(overrides=RULES[rules]))
    policies = load_policies(["random"], tables.words, TITLE.data / "policies")
    line_up = [0] * players
    return [
        list(reference(tables, policies, None, make_key(3), deal, line_up, trace=True).trace)
        for deal in range(games)
    ]


@cache
def seen(rules, players):
    """Audit games; return what was seen in them."""
    return sum((audit(trace) for trace in traces(rules, players)), Counter())


def test_a_trace_is_audited_as_it_is_written(capsys):
    asked = ["trace", "granmagia", "--lineup", "engine,big_stones,truth_rush", "--game", "5"]
    assert main([*asked, "--format", "jsonl"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert audit([json.loads(line) for line in lines])["turn"]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", RULES)
def test_games_of_the_random_policy_follow_the_rules(rules, players):
    ends = sum(number for what, number in seen(rules, players).items() if what.startswith("end "))
    assert ends == GAMES


#: What games of these tests must have had, so that its rules were followed at all.
WANTED = [
    *(
        "attack",
        "hit",
        "passed",
        "announced",
        "lapsed",
        "extra_turn",
        "sealed",
        "contract",
        "shuffle",
    ),
    *("defended barrier", "defended doll", "defended doll paid", "defended hand"),
    *("end field", "end round_cap", "end special", "gives", "seal's effects", "looked"),
    *(f"special {kind}" for kind in ("mana", "curses", "tokens", "rewards", "uses", "kinds")),
    *(f"special {kind}" for kind in ("arcana_spread", "arcana_owned", "extra_gold")),
    *("choose defend", "choose doll", "choose seal", "choose tokens", "choose extra_turn"),
    *("turn start effects", "change rewards", "own to discard", "hand to removed"),
    *("deck to burned", "deck to removed", "magic_deck to burned", "pile to hand"),
    *("effect casts", "effect acquisitions", "effect mana", "effect gold", "effect draw"),
    *("effect draw_to", "effect discard", "effect discard_up_to", "effect burn"),
    *("effect burn_up_to", "effect trade", "effect receive", "effect upgrade", "effect look"),
    *("effect take_curses", "effect barrier", "effect tokens", "effect extra_turn"),
    *("effect seal", "effect curses", "effect pass_curses", "effect others_discard"),
    *("effect others_discard_to", "effect take_gold"),
]


@pytest.mark.parametrize("what", WANTED)
def test_everything_is_seen_in_the_games_that_are_audited(what):
    assert sum(seen(rules, players)[what] for rules in RULES for players in PLAYERS)


# -- damaged traces --------------------------------------------------------------------------------

#: Places of each sort of event that are damaged.
SAMPLE = 2


@cache
def corpus():
    """Return traces to damage, places of all sorts of events, and what stands in their fields."""
    chosen = [
        trace
        for rules in ("hasty", "quarrels", "announced", "rich")
        for players in PLAYERS
        for trace in traces(rules, players)
    ]
    fields = defaultdict(set)
    for trace in chosen:
        for event in trace[1:]:
            for name, value in event.items():
                if value is None or isinstance(value, str):
                    fields[event["event"], name].add(value)
    return chosen, damage.places(chosen, SAMPLE, random.Random(1)), fields


def passes(trace):
    """Whether the auditor finds nothing."""
    try:
        audit(trace)
    except Violation:
        return False
    return True


@pytest.mark.parametrize("how", damage.WHOLE)
def test_an_event_that_is_lost_or_moved_is_found(how):
    _, sorts, _ = corpus()
    survivors, tried = [], 0
    for sort, places in sorts.items():
        for trace, index in places:
            last = index == len(trace) - 1
            damaged = None if last and how == "swapped" else damage.WHOLE[how](trace, index)
            if damaged is not None:
                tried += 1
                survivors += [(sort, trace[index], index)] * passes(damaged)
    assert not survivors
    assert tried > 100


@pytest.mark.parametrize("field", damage.DOCTORED)
def test_a_doctored_field_is_found(field):
    _, sorts, fields = corpus()
    chance, survivors, tried = random.Random(2), [], 0
    for sort, places in sorts.items():
        for trace, index in places:
            for damaged in damage.doctored(trace, index, field, fields, chance):
                tried += 1
                survivors += [(sort, trace[index], damaged[index])] * passes(damaged)
    assert not survivors
    assert tried


def test_every_sort_of_event_is_damaged():
    told = {damage.signature(event)[:2] for trace in corpus()[0] for event in trace[1:]}
    assert told == {sort[:2] for sort in corpus()[1]}


def _setups():
    return damage.setups(traces("hasty", 2)[0])


@pytest.mark.parametrize("name", _setups())
def test_a_damaged_set_up_is_found(name):
    assert not passes(_setups()[name])


def test_cheats_whose_sums_are_right_are_found():
    short = sorted(corpus()[0], key=len)[: 8 * GAMES]
    found = damage.cheats(short)
    assert len(found) >= 12
    survivors = [name for name, damaged in found.items() for trace in damaged[:6] if passes(trace)]
    assert not survivors
