"""Traces of whole games, checked by the rulebook alone; and that no damaged trace passes."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache

import pytest

from analysis.cli import main
from sim.errors import EngineError
from sim.titles.granmagia.reference import reference
from tests.titles.granmagia import damage
from tests.titles.granmagia.audited import GAMES, PLAYERS, RULES, played, texts, traces
from tests.titles.granmagia.auditor import Violation, audit
from tests.titles.granmagia.fuzz import fuzzed
from tests.titles.granmagia.proof import Setting

#: Games of each table of rules and number of players that ``make verify`` audits.
MANY = 200

#: Games under random rules.
FUZZED = 40


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


@pytest.mark.verify
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", RULES)
def test_many_games_of_the_random_policy_follow_the_rules(rules, players):
    assert sum(bool(audit(trace)) for trace in played(rules, players, games=MANY)) == MANY


def test_games_under_random_rules_follow_the_rules(tmp_path):
    followed = 0
    for number in range(FUZZED):
        players, case = fuzzed(number, tmp_path)
        setting = Setting(case, players, 1, tmp_path)
        try:
            audit(list(reference(*setting.given(0), trace=True).trace))
        except EngineError:  # extreme rules may outgrow the records
            continue
        followed += 1
    assert followed > FUZZED // 2


#: What games of these tests must have had, so that its rules were followed at all.
WANTED = [
    *(
        "attack",
        "hit",
        "passed",
        "announced",
        "lapsed",
        "won",
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
    *("reversal", "turn start effects", "change rewards", "own to discard", "hand to removed"),
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


#: Fields that only explain what happens; they are doctored as well.
EXPLAINING = (
    *("condition", "have", "need", "by_seat", "truth", "truth_needed"),
    *("attacker", "attack", "hand", "truths", "kinds", "magic_deck"),
)


@pytest.mark.parametrize("field", [*damage.DOCTORED, *EXPLAINING])
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


# -- games by other rules --------------------------------------------------------------------------

#: What an engine might read wrongly: rules, and others by which games are played while their set-up
#: states these.
MISREAD = {
    "hasty": [
        "field.arcana_burn=2",
        "witches.aurelise.powers.stone_gold=2",
        "witches.aurelise.powers.extra_turn_gold=5",
        "witches.marisrosetta.powers.curse_penalty=1",
        "witches.eclair.powers.arcana_discount=2",
        "witches.eclair.powers.notes_as_arcana=false",
        ("witches.sophia.powers.tokens_for_truth=false", "witches.sophia.powers.token_draw=0"),
        "witches.sophia.powers.token_draw=2",
        ("witches.felicia.powers.rewards=false", "witches.felicia.victory.enabled=false"),
        *(
            f"witches.{witch}.victory.enabled=false"
            for witch in ("celestina", "marisrosetta", "sophia", "felicia", "eclair", "aurelise")
        ),
        "witches.brynhild.victory.enabled=false",
        "witches.sophia.victory.truth=30",
        'witches.sophia.victory.timing="turn_start"',
        'witches.eclair.victory.timing="at_once"',
        "cards.will_o_wisp.gives_every=2",
    ],
    "announced": [
        "witches.ignis.victory.enabled=false",
        "witches.beelzebel.victory.enabled=false",
        "witches.beelzebel.victory.truth=30",
        'cards.big_bang.needs=["mana >= 6"]',
        "contract.discount_round=3",
    ],
    "quarrels": [
        "defence.doll_gold=2",
        "defence.barrier_casts=0",
        "piles.curses_per_rival=2",
        'contract.gift_place="discard"',
        "turn.reversal=[5, 3, 2]",
        "turn.reversal=[5, 4, 1]",
        'cards.grudge.effects=["curses 1", "others_discard 2", "take_gold 1", "pass_curses 1"]',
    ],
    "rich": [
        "seals.binding.cost=2",
        "seals.guidance.cost=0",
        'seals.plenty.effects=["gold 2"]',
        'seals.guidance.piles="stones"',
        "piles.stone=3",
    ],
}


def misread(rules, other):
    """Whether games by another rule are refused where their set-up states these rules."""
    for players in PLAYERS:
        stated = traces(rules, players)[0][0]
        for trace in played(rules, players, other=other):
            told = {name: stated[name] for name in ("contracts", "seals", "rules", "piles")}
            told["cards"] = {kind: texts(rules)["cards"][kind] for kind in trace[0]["cards"]}
            if not passes([trace[0] | told, *trace[1:]]):
                return True
    return False


@pytest.mark.parametrize(
    ("rules", "other"), [(rules, other) for rules, others in MISREAD.items() for other in others]
)
def test_games_by_another_rule_than_they_state_are_found(rules, other):
    assert misread(rules, other)


def test_games_by_the_rule_that_they_state_are_not():
    assert not misread("hasty", "contract.discount_round=90")
    assert not misread("quarrels", "start.deck.fragment=7")


@pytest.mark.parametrize("rules", RULES)
def test_a_set_up_states_the_texts_of_its_rules(rules):
    for trace in traces(rules, 2)[:3]:
        cards = {kind: texts(rules)["cards"][kind] for kind in trace[0]["cards"]}
        stated = {
            "cards": cards,
            "contracts": texts(rules)["witches"],
            "seals": texts(rules)["seals"],
        }
        assert {name: trace[0][name] for name in stated} == plain(stated)


def plain(value):
    """Return mappings and lists as a file of events holds them."""
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value
