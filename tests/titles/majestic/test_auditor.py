"""Traces of whole games, checked by the rulebook alone; and that no damaged trace passes."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from analysis.cli import main
from sim.titles.majestic import TITLE
from tests.titles.majestic import auditor_damage as damage
from tests.titles.majestic import auditor_records as records
from tests.titles.majestic.auditor import DECK, REASONS, Violation, audit
from tests.titles.majestic.auditor_games import DECKS, POLICIES, RULES, played, traces

#: Games under each table of rules that ``make verify`` audits: 2,160 in all.
MANY = 360

#: How many damages of a sort are tried, one in a trace.
TRIES = 2

LEAD = re.compile(r"^- \*\*(MM-\w+)\*\* \(yes\)", re.MULTILINE)

#: Rules that a trace alone cannot show to be broken, and why.
HIDDEN = {
    "MM-G3": "derived: a longer game has a draw, a mana phase or an end left out, which are found",
    "MM-G7": "such a game ends with an error, so that there is no trace of it",
    "MM-A1": "a trace tells decks and no records; records are compared with it below",
}


@cache
def audited(rules):
    """Audit games; return the auditors at their ends."""
    return [audit(told.events) for told in traces(rules)]


def test_a_trace_is_audited_as_it_is_written(capsys):
    lineup = "midrange:ember_rush@0.1,controlling:stone_wall"
    asked = ["trace", "majestic", "--lineup", lineup, "--game", "5", "--format", "jsonl"]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert audit([json.loads(line) for line in lines]).turn > 2


@pytest.mark.parametrize("rules", RULES)
def test_games_of_all_policies_and_decks_follow_the_rules(rules):
    assert len(audited(rules)) == 2 * len(DECKS)
    lineups = [entry for told in traces(rules) for entry in told.events[0]["lineup"]]
    names = [entry.partition("@")[0].split(":") for entry in lineups]
    assert {policy for policy, _ in names} == set(POLICIES)
    assert {deck for _, deck in names} == set(DECKS)


@pytest.mark.verify
@pytest.mark.parametrize("rules", RULES)
def test_many_games_follow_the_rules_and_their_records_tell_them(rules):
    number = 0
    for told in played(rules, 0, MANY):
        check_records(audit(told.events), told.result)
        number += 1
    assert number == MANY


def check_records(auditor, result):
    """Compare the records of a game with what its trace tells (MM-A1)."""
    assert records.game(auditor) == {name: int(number) for name, number in result.game.items()}
    for place, columns in enumerate(result.seats):
        counted = {name: int(number) for name, number in columns.items()}
        assert records.seat(auditor, place, DECKS) == counted
    assert records.cards(auditor) == result.cards.astype(int).tolist()
    rows = result.series[:, : auditor.round].astype(int).tolist()
    assert records.series(auditor) == rows
    assert (result.series[:, auditor.round :] == np.iinfo(result.series.dtype).min).all()


@pytest.mark.rule("MM-A1")
@pytest.mark.parametrize("rules", RULES)
def test_records_are_what_traces_tell(rules):
    for auditor, told in zip(audited(rules), traces(rules), strict=True):
        check_records(auditor, told.result)


def test_games_end_for_every_reason_that_games_of_ready_decks_can_have():
    ends = {auditor.reason for rules in RULES for auditor in audited(rules)}
    assert ends == set(REASONS) - {"both"}


def test_every_decision_is_followed():
    events = [event for rules in RULES for told in traces(rules) for event in told.events]
    asked = {event["what"] for event in events if event["event"] == "choose"}
    assert asked == {point.id for point in TITLE.info.decisions}


def test_a_set_up_states_the_data():
    values, setup = TITLE.load().values, traces("printed")[0].events[0]
    for section in ("cards", "mana"):
        for name, face in values[section].items():
            told = setup["cards"][name]
            assert told["effects"] == list(face["effects"])
            for field in ("attribute", "target", "where", "needs"):
                assert told[field] == face[field]
            if section == "cards":
                for field in ("sort", "cost", "ap", "dp"):
                    assert told[field] == face[field]
                assert told["keywords"] == list(face["keywords"])
    assert {name: values["deck"][name] for name in DECK} == DECK
    for seat in setup["seats"]:
        listed = values["decks"][seat["deck_list"]]
        for zone, part in (("deck", "main"), ("mana_deck", "mana")):
            names = [name for name, _ in seat[zone]]
            assert {name: names.count(name) for name in names} == dict(listed[part])


# -- damaged traces --------------------------------------------------------------------------------


def missed(trace, index, rules):
    """Return what is wrong with what the auditor finds, or nothing."""
    try:
        audit(trace)
    except Violation as found:
        early = found.number < index
        return f"{found}; damaged: {index}" if early or found.rule not in rules else None
    return f"nothing is found; damaged: {index}, {rules}"


@pytest.mark.parametrize("name", damage.CATALOGUE)
def test_damage_is_found_by_the_rule_that_it_breaks(name):
    rule, numbers, edit = damage.CATALOGUE[name]
    tries = [next(edit(told.events), None) for told in traces(numbers)]
    tries = [one for one in tries if one is not None][:TRIES]
    assert tries, "no game has a place for it"
    wrong = [missed(trace, index, {rule}) for index, trace in tries]
    assert not list(filter(None, wrong))


def test_every_rule_is_audited_or_cannot_be_shown():
    stated = set(LEAD.findall((TITLE.data.parent / "RULES.md").read_text("utf-8")))
    found = {rule for rule, _, _ in damage.CATALOGUE.values()}
    assert not found & set(HIDDEN)
    assert found | set(HIDDEN) == stated


def sorts(number):
    """Return for each sort of event so many places, one in a trace."""
    places = defaultdict(list)
    for rules in RULES:
        for told in traces(rules):
            seen = set()
            for index, event in enumerate(told.events[1:], 1):
                sort = damage.signature(event)
                if sort not in seen and len(places[sort]) < number:
                    places[sort].append((told.events, index))
                seen.add(sort)
    return places


def swept(number):
    """Damage events of all sorts in all ways; return what no rule finds, and the number tried."""
    wrong, tried = [], 0
    for sort, places in sorts(number).items():
        for trace, index in places:
            for how, damaged in damage.sweep(trace, index):
                tried += 1
                try:
                    audit(damaged)
                except Violation as found:
                    if found.number >= index:
                        continue
                wrong.append((sort, how, index))
    return wrong, tried


def test_no_event_is_lost_told_twice_or_doctored():
    wrong, tried = swept(1)
    assert not wrong
    assert tried > 200


@pytest.mark.verify
def test_none_of_many_events_is_lost_told_twice_or_doctored():
    wrong, tried = swept(12)
    assert not wrong
    assert tried > 2000


def test_another_record_than_the_trace_tells_is_found():
    auditor, told = audited("printed")[0], traces("printed")[0]
    for name in told.result.seats[0]:
        told.result.seats[0][name] += 1
        with pytest.raises(AssertionError):
            check_records(auditor, told.result)
        told.result.seats[0][name] -= 1
    check_records(auditor, told.result)
