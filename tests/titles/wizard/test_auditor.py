"""Traces of whole games, checked by the rulebook alone; and that no damaged trace passes."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

from analysis.cli import main
from sim.titles.wizard import TITLE
from tests.titles.wizard import auditor_damage as damage
from tests.titles.wizard import auditor_data as data
from tests.titles.wizard import auditor_records as records
from tests.titles.wizard.auditor import ENDS, Violation, audit
from tests.titles.wizard.auditor_games import ENTRIES, RULES, played, traces

#: Games of each policy under each table of rules that ``make verify`` audits: 2,160 in all.
MANY = 20

LEAD = re.compile(r"^- \*\*(UW-\w+)\*\* \(yes\)", re.MULTILINE)


@cache
def seen(rules):
    """Audit games; return what was seen in them."""
    return sum((audit(one.events, one.overrides).seen for one in traces(rules)), Counter())


def test_a_trace_is_audited_as_it_is_written(capsys):
    asked = ["trace", "wizard", "--lineup", "cautious@0.1", "--game", "5", "--format", "jsonl"]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert audit([json.loads(line) for line in lines]).seen["hex"] > 1


@pytest.mark.parametrize("rules", RULES)
def test_games_of_all_policies_follow_the_rules(rules):
    assert sum(seen(rules)[f"end {reason}"] for reason in ENDS) == len(ENTRIES)


@pytest.mark.verify
@pytest.mark.parametrize("rules", RULES)
def test_many_games_of_all_policies_follow_the_rules(rules):
    audited = 0
    for one in played(rules, games=MANY):
        check_records(one)
        audited += 1
    assert audited == MANY * len(ENTRIES)


def check_records(told):
    """Compare the records of a game with what its trace tells (UW-A1)."""
    followed, result = audit(told.events, told.overrides), told.result
    assert records.game(followed) == result.game
    counted = {name: int(number) for name, number in result.seats[0].items()}
    assert records.seat(followed) == counted
    assert records.cards(followed) == result.cards[0].astype(int).tolist()
    unused = np.iinfo(result.series.dtype).min
    told_of = [row for row in result.series[0].astype(int).tolist() if row[0] != unused]
    assert records.series(followed) == told_of


@pytest.mark.rule("UW-A1")
@pytest.mark.parametrize("rules", RULES)
def test_records_are_what_traces_tell(rules):
    for told in traces(rules):
        check_records(told)


_WAYS = [
    f"{name}_{way}" for name, card in data.load()["cards"].items() for way in card.get("ways", {})
]

#: What games of these tests must have had, so that its rules were followed at all.
WANTED = [
    *(f"choose {point.id}" for point in TITLE.info.decisions),
    *(f"end {reason}" for reason in ENDS),
    *(f"{what} {way}" for what in ("way", "lot") for way in _WAYS),
    *(f"spell {name}" for name in data.load()["spells"]),
    *(f"{name} entered" for name in data.load()["terrains"]),
    *(f"draw {number}" for number in range(1, 5)),
    *(f"lp {why}" for why in ("moves", "hexes", "draws", "spells", "strikes", "losses", "wins")),
    *(f"enemy_lp {why}" for why in ("start", "magic", "skills", "mend")),
    *(f"more than there is, {why}" for why in ("moves", "draws", "strikes")),
    *(f"recovery cut, {why}" for why in ("hexes", "spells", "wins")),
    *("lost by UW-L1", "lost by UW-L2", "beaten before a turn", "place entered again"),
    *("yellow hex again", "mend cut", "barred card", "barred option", "only barred options"),
    *("healed at 0", "several cross the sea"),
]


@pytest.mark.parametrize("what", WANTED)
def test_everything_is_seen_in_the_games_that_are_audited(what):
    assert sum(seen(rules)[what] for rules in RULES)


@pytest.mark.parametrize(("rule", "key", "value"), data.STATED)
def test_the_data_are_what_the_rules_state(rule, key, value):
    assert data.look_up(data.load(), key) == value
    assert rule in stated()


def test_the_data_are_as_many_as_the_rules_state():
    values = data.load()
    assert sorted(values["cards"]) == sorted(data.ABILITIES)
    assert len(data.ABILITIES) == 13
    backs = Counter(enemy["colour"] for enemy in values["enemies"].values())
    assert backs == {"yellow": 4, "red": 6, "king": 1}
    for card in data.COMPANIONS:
        assert len(values["cards"][card]["ways"]) == 2
    for one in values["maps"].values():
        hexes = one["hexes"].values()
        assert sorted(h["place"] for h in hexes if "place" in h) == sorted(data.PLACES)
        assert [h["terrain"] for h in hexes].count("castle") == 1
        heights = {name: h["at"][1] for name, h in one["hexes"].items()}
        castle = next(name for name, h in one["hexes"].items() if h["terrain"] == "castle")
        assert heights[castle] == max(heights.values())
        assert heights[one["start"]] == min(heights.values())


def stated():
    """Return the numbers of all rules that are played."""
    return set(LEAD.findall((TITLE.data.parent / "RULES.md").read_text("utf-8")))


# -- damaged traces --------------------------------------------------------------------------------

#: Places of each sort of event that are damaged: by default, and to verify.
FEW_PLACES, MANY_PLACES = 1, 5


@cache
def corpus():
    """Return traces to damage, and the overrides that they were played by."""
    told = [one for rules in RULES for one in traces(rules)]
    return [one.events for one in told], {id(one.events): one.overrides for one in told}


@cache
def sorts(number):
    """Return places of all sorts of events."""
    return damage.places(corpus()[0], number)


#: A wrong card of a battle turn may show only when cards go back to the hand.
LATEST = 20


def missed(trace, overrides, rules, index=0, latest=0):
    """Return what is wrong with what the auditor finds, or nothing.

    It must name one of these rules, and the damaged event or one that follows soon.
    """
    try:
        audit(trace, overrides)
    except Violation as found:
        if found.rule in rules and index <= found.number <= index + latest:
            return None
        return f"{found}; expected {sorted(rules)}, event {index}"
    return f"nothing is found; expected {sorted(rules)}"


def tried(number, edit):
    """Damage a trace at places of each sort; return what was missed, and rules of all tries."""
    wrong, found = [], Counter()
    for among in sorts(number).values():
        for trace, index in among:
            for damaged, rules in edit(trace, index):
                found.update(rules)
                told = missed(damaged, corpus()[1][id(trace)], rules, index, LATEST)
                if told:
                    wrong.append((trace[index], told))
    return wrong, found


def whole(how):
    def edit(trace, index):
        return filter(None, [damage.damaged(trace, index, how)])

    return edit


def field(name):
    def edit(trace, index):
        return damage.doctored(trace, index, name)

    return edit


def amounts(trace, index):
    """Take or give more or less, with all that is counted afterwards."""
    if trace[index]["event"] == "change":
        for by in (1, -1):
            yield damage.shifted(trace, index, by)


@pytest.mark.parametrize("how", damage.WHOLE)
def test_an_event_that_is_lost_or_moved_is_found(how):
    wrong, found = tried(FEW_PLACES, whole(how))
    assert not wrong
    assert found.total() > 30


@pytest.mark.parametrize("name", damage.FIELDS)
def test_a_doctored_field_is_found(name):
    wrong, found = tried(FEW_PLACES, field(name))
    assert not wrong
    assert found


def test_another_amount_whose_sums_are_right_is_found():
    wrong, found = tried(FEW_PLACES, amounts)
    assert not wrong
    assert found.total() > 20


@pytest.mark.verify
@pytest.mark.parametrize("how", damage.WHOLE)
def test_many_events_that_are_lost_or_moved_are_found(how):
    wrong, found = tried(MANY_PLACES, whole(how))
    assert not wrong
    assert found.total() > 150


@pytest.mark.verify
@pytest.mark.parametrize("name", damage.FIELDS)
def test_many_doctored_fields_are_found(name):
    wrong, found = tried(MANY_PLACES, field(name))
    assert not wrong
    assert found


@pytest.mark.verify
def test_many_other_amounts_whose_sums_are_right_are_found():
    wrong, found = tried(MANY_PLACES, amounts)
    assert not wrong
    assert found.total() > 100


def test_every_sort_of_event_is_damaged():
    told = {damage.signature(event) for trace in corpus()[0] for event in trace[1:]}
    assert told == set(sorts(FEW_PLACES))


SETUPS = damage.setups(traces("printed")[0].events)


@pytest.mark.parametrize("name", SETUPS)
def test_a_damaged_set_up_is_found(name):
    trace, rules = SETUPS[name]
    assert missed(trace, (), rules) is None


def test_every_rule_finds_some_damage():
    edits = [amounts, *map(whole, damage.WHOLE), *map(field, ("win60", "enemy", "lp"))]
    places = [place for among in sorts(FEW_PLACES).values() for place in among]
    due = [rules for place in places for edit in edits for _, rules in edit(*place)]
    due += [rules for _, rules in SETUPS.values()]
    assert stated() <= set().union(*(rules for rules in due if len(rules) == 1))


# -- games by other rules --------------------------------------------------------------------------

#: What an engine might read wrongly: rules by which games are played while their set-up states
#: others, and the rules of RULES.md that find it.
MISREAD = [
    ("printed", "lp.most=31", "UW-M1 UW-C7"),
    ("printed", "lp.after_loss=9", "UW-L1 UW-L2"),
    ("printed", "start.cards=3", "UW-S2"),
    ("printed", "start.lp=29", "UW-S1"),
    ("printed", 'casting.deck="chosen"', "UW-C2"),
    ("printed", "casting.most_drawn=3", "UW-C2"),
    ("printed", "casting.left=2", "UW-C2"),
    ("printed", "casting.left=0", "UW-C2"),
    ("printed", "casting.cost=2", "UW-C2"),
    ("chosen", "casting.deck_least=4", "UW-C2"),
    ("printed", "limits.round_cap=20", "UW-M1"),
    ("caps", "limits.round_cap=14", "UW-M5"),
    ("caps", "limits.battle_cap=4", "UW-M5"),
    ("printed", 'maps.long.start="c2"', "UW-M3"),
    ("printed", "maps.long.hexes.b1.cost=2", "UW-M1"),
    ("printed", "maps.long.hexes.c8.recover=5", "UW-M1"),
    ("printed", 'maps.long.hexes.a0.terrain="plain"', "UW-M1"),
    ("short", "maps.short.hexes.c2.cost=2", "UW-M1"),
    ("many cards", "cards.porcupine.ways.swim.sea=2", "UW-M1"),
    ("many cards", "cards.porcupine.ways.swim.sea=0", "UW-M1"),
    ("many cards", "cards.knight.ways.charge.sea=1", "UW-M1"),
    ("strong", 'enemies.zaza.family=""', "UW-C1"),
    ("start", 'cards.knight.ways.charge.family="horn"', "UW-C1"),
    ("start", "cards.knight.ways.charge.start_damage=3", "UW-C1"),
    ("printed", "spells.red_1.power.red=3", "UW-C3"),
    ("many cards", "spells.mending_4.heal=7", "UW-C3"),
    ("many cards", "spells.flame_3.grimoire=1", "UW-C3 UW-C9"),
    ("printed", "spells.green_2.power.green=2", "UW-C3 UW-C9"),
    ("printed", "enemies.zaza.block.red=0", "UW-C4"),
    ("printed", "terrains.forest.block.blue=0", "UW-C4"),
    ("many cards", "cards.hero.ways.banner.power.green=2", "UW-C4"),
    ("many cards", "cards.hero.ways.sword.turn_damage=2", "UW-C5"),
    ("printed", "enemies.zaza.ap=[4, 4, 4, 2, 6, 6, 6, 6]", "UW-C6"),
    ("many cards", "cards.knight.ways.shield.guard=2", "UW-C6"),
    ("printed", "enemies.dero.mend=2", "UW-C6"),
    ("printed", "enemies.ra.recover=3", "UW-C7"),
    ("many cards", "cards.princess.ways.prayer.recover=2", "UW-C7"),
    ("printed", "enemies.tera.lp=26", ""),
    ("printed", 'journey.map="long"', ""),
]


def misread(name, other):
    """Return the rule that games by another rule break where their set-up states its own."""
    stated_here = traces(name)[0].events[0]
    told = {what: stated_here[what] for what in ("rules", "texts")}
    for game in played(name, games=3, other=(other,)):
        try:
            audit([game.events[0] | told, *game.events[1:]], RULES[name])
        except Violation as found:
            return found.rule
    return ""


@pytest.mark.parametrize(("name", "other", "rules"), MISREAD)
def test_games_by_another_rule_than_they_state_are_found(name, other, rules):
    assert misread(name, other) in (rules.split() or [""])
