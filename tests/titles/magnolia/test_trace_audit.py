"""Traces of whole games, checked by the rulebook alone; and that no damaged trace passes."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from analysis.cli import main
from sim.titles.magnolia import TITLE
from sim.titles.magnolia.schema import LIKENESSES, RESOURCES
from sim.titles.magnolia.texts import TEXT_OBSERVABLES
from sim.titles.magnolia.words import PRIMITIVES
from tests.titles.magnolia import auditor_damage as damage
from tests.titles.magnolia.auditor import Violation, audit
from tests.titles.magnolia.auditor_games import (
    GAMES,
    MOVED,
    PLAYERS,
    RULES,
    TEXTS,
    USED,
    played,
    random_texts,
    traces,
)

#: Games of each table of rules and number of players, and tables of random texts, that
#: ``make verify`` audits.
MANY, FUZZED = 50, 20


@cache
def seen(rules, players):
    """Audit games; return what was seen in them."""
    return sum((audit(trace) for trace in traces(rules, players)), Counter())


def ends(found):
    return sum(number for what, number in found.items() if what.startswith("end "))


def test_a_trace_is_audited_as_it_is_written(capsys):
    asked = ["trace", "magnolia", "--lineup", "greedy,lines,random", "--game", "5"]
    assert main([*asked, "--set", USED, "--format", "jsonl"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert audit([json.loads(line) for line in lines])["round"] > 1


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", RULES)
def test_games_of_all_policies_follow_the_rules(rules, players):
    assert ends(seen(rules, players)) == len(traces(rules, players)) >= 1


@pytest.mark.verify
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", RULES)
def test_many_games_of_all_policies_follow_the_rules(rules, players):
    audited = sum(bool(audit(trace)) for trace in played(rules, players, games=MANY))
    assert audited > MANY * 0.8, "few games are left out"


@pytest.mark.verify
@pytest.mark.parametrize("seed", range(10, 10 + FUZZED))
def test_games_under_random_texts_follow_the_rules(seed):
    rules = (*random_texts(seed), *TEXTS)
    for players in PLAYERS:
        audited = sum(bool(audit(trace)) for trace in played(rules, players, games=10))
        assert audited >= 5


#: What games of these tests must have had, so that its rules were followed at all.
WANTED = [
    *(f"effect {primitive.id}" for primitive in PRIMITIVES),
    *(f"asked {observable.id}" for observable in TEXT_OBSERVABLES),
    *(f"choose {point.id}" for point in TITLE.info.decisions),
    *(f"end {reason.id}" for reason in TITLE.info.categories["end_reason"]),
    *(f"line {line} {what}" for line in ("row", "column") for what in ("race", "job")),
    *("laid 0", "laid 1", "laid 2", "shuffle", "shared rank", "shared win", "too weak"),
    *("objective", "objective met by several", "less than is asked", "nothing to draw"),
    *(f"placement {what}" for what in RESOURCES),
    *("draw vp", "over vp", "war power"),
]


@pytest.mark.parametrize("what", WANTED)
def test_everything_is_seen_in_the_games_that_are_audited(what):
    assert sum(seen(rules, players)[what] for rules in RULES for players in PLAYERS)


@pytest.mark.parametrize("rules", ["printed", "moved", "texts 1"])
def test_a_set_up_states_its_rules(rules):
    values = TITLE.load(overrides=list(RULES[rules])).values
    setup = traces(rules, 3)[0][0]
    texts = {name: dict(card) for name, card in values["cards"].items()}
    assert setup["cards"] == {
        name: {
            field: list(value) if isinstance(value, tuple) else value
            for field, value in card.items()
        }
        for name, card in texts.items()
    }
    assert setup["objective_cards"] == values["objectives"]["cards"]
    assert setup["rules"]["bonuses"] == values["bonuses"]
    assert setup["rules"]["war_vp"] == list(values["war"]["vp"]["3p"])
    assert set(setup["rules"]["bonuses"]) == set(LIKENESSES)
    stated = {
        "start_gold": values["start"]["gold"],
        "hand": values["draw"]["hand"],
        "exchange_from": values["draw"]["exchange_from"],
        "shared": values["war"]["shared"],
        "least_power": values["war"]["least_power"],
        "gained_from": values["war"]["gained_from"],
        "income": values["income"]["gold"],
        "end_vp": values["end"]["vp"],
        "end_cards": values["end"]["cards"],
        "gold_per_vp": values["end"]["gold_per_vp"],
        "round_cap": values["limits"]["round_cap"],
        "objectives_check": values["objectives"]["check"],
    }
    assert {name: setup["rules"][name] for name in stated} == stated
    gold = [setup["rules"][f"gold_for_{number}"] for number in range(3)]
    assert gold == list(values["placement"]["gold"])


# -- damaged traces --------------------------------------------------------------------------------

#: Rules whose traces are damaged, and places of each sort of event: by default, and to verify.
DAMAGED = ("claims", "divided", "claims after bonuses", "texts 1", "texts 2", "long")
FEW_PLACES, MANY_PLACES = 1, 6


@cache
def corpus():
    """Return traces to damage."""
    return [trace for rules in DAMAGED for players in PLAYERS for trace in traces(rules, players)]


@cache
def sorts(number):
    """Return places of all sorts of events."""
    return damage.places(corpus(), number)


def passes(trace):
    """Whether the auditor finds nothing."""
    try:
        audit(trace)
    except Violation:
        return False
    return True


def whole(how, number):
    """Damage whole events at some places of each sort; return those damages that pass, and all."""
    places = [place for among in sorts(number).values() for place in among]
    tried = [(damage.WHOLE[how](*place), place) for place in places]
    tried = [(damaged, place) for damaged, place in tried if damaged is not None]
    return [trace[index] for damaged, (trace, index) in tried if passes(damaged)], len(tried)


def doctored(field, number):
    """Doctor a field at some places of each sort of event; return what passes, and how many."""
    survivors, tried = [], 0
    for places in sorts(number).values():
        for trace, index in places:
            for damaged in damage.doctored(trace, index, field):
                tried += 1
                survivors += [(trace[index], damaged[index])] * passes(damaged)
    return survivors, tried


@pytest.mark.parametrize("how", damage.WHOLE)
def test_an_event_that_is_lost_or_moved_is_found(how):
    survivors, tried = whole(how, FEW_PLACES)
    assert not survivors
    assert tried > 40


@pytest.mark.parametrize("field", damage.DOCTORED)
def test_a_doctored_field_is_found(field):
    survivors, tried = doctored(field, FEW_PLACES)
    assert not survivors
    assert tried


@pytest.mark.verify
@pytest.mark.parametrize("how", damage.WHOLE)
def test_many_events_that_are_lost_or_moved_are_found(how):
    survivors, tried = whole(how, MANY_PLACES)
    assert not survivors
    assert tried > 200


@pytest.mark.verify
@pytest.mark.parametrize("field", damage.DOCTORED)
def test_many_doctored_fields_are_found(field):
    survivors, tried = doctored(field, MANY_PLACES)
    assert not survivors
    assert tried


def test_every_sort_of_event_is_damaged():
    told = {damage.signature(event) for trace in corpus() for event in trace[1:]}
    assert told == set(sorts(FEW_PLACES))


@pytest.mark.parametrize("name", damage.setups(traces("claims", 2)[0]))
def test_a_damaged_set_up_is_found(name):
    assert not passes(damage.setups(traces("claims", 2)[0])[name])


def test_cheats_whose_sums_are_right_are_found():
    short = sorted(corpus(), key=len)[: 2 * GAMES * len(PLAYERS)]
    found = damage.cheats(short)
    assert len(found) >= 30
    survivors = [name for name, damaged in found.items() for trace in damaged[:3] if passes(trace)]
    assert not survivors


# -- games by other rules --------------------------------------------------------------------------

#: What an engine might read wrongly: rules by which games are played while their set-up states the
#: printed ones, with objectives.
MISREAD = [
    *(text for text in MOVED if text not in (USED, "objectives.open=9")),
    'war.shared="divided"',
    'objectives.check="bonus"',
    'objectives.check="round"',
    "limits.round_cap=2",
    'objectives.cards.full_treasury.needs="gold >= 5"',
    'cards.human_peddler.income=["gold 2"]',
    'cards.goblin_soldier.war=["vp 1", "gold 1"]',
    'cards.goblin_champion.race="elf"',
    'cards.golem_guard.front=["power 1"]',
]


def misread(other):
    """Whether games by another rule are refused where their set-up states the printed ones."""
    for players in PLAYERS:
        stated = traces("claims", players)[0][0]
        told = {name: stated[name] for name in ("rules", "cards", "objective_cards")}
        for trace in played("claims", players, other=(other,), games=4):
            kinds = {kind for kind, _ in trace[0]["deck"]}
            assert kinds == set(told["cards"])
            if not passes([trace[0] | told, *trace[1:]]):
                return True
    return False


@pytest.mark.parametrize("other", MISREAD)
def test_games_by_another_rule_than_they_state_are_found(other):
    assert misread(other)


def test_games_by_the_rule_that_they_state_are_not():
    assert not misread("limits.round_cap=30")
    assert not misread("war.least_power=0")
