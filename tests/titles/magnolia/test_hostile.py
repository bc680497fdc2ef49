"""What a careless or hostile user could put in: refused in one message, or played by the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS
from sim.errors import InputError, UnknownNameError
from sim.titles.magnolia import TITLE, from_position
from tests.bad_input.helpers import refusing
from tests.titles.magnolia.proof import Case, Setting
from tests.titles.magnolia.staging import stage
from tests.titles.proofs import compare

SIMULATE = ("simulate", "magnolia", "--games", "4", "--players", "2", "--jobs", "1")


@pytest.fixture
def refused(capsys, monkeypatch, tmp_path):
    """Run a command that must fail, in a folder of its own, and return its one message."""
    monkeypatch.chdir(tmp_path)
    return refusing(capsys)


def put(text):
    Path("mine.toml").write_text(text, encoding="utf-8")
    return "mine.toml"


def objective(name, needs="gold >= 12"):
    label = '{ en = "Mine", ja = "自作" }'
    return f'[objectives.cards."{name}"]\nlabel = {label}\nvp = 3\nneeds = "{needs}"\n'


@pytest.mark.parametrize("name", ["", "two words", "Warlord", "war.lord", "1st", "\\u001b[31m"])
def test_an_objective_has_an_id_like_a_card(refused, name):
    told = refused(*SIMULATE, "--rules", put(objective(name)))
    assert told.startswith("mine.toml:1:1: objectives.cards.")
    assert told.endswith("; allowed: words like holy_land")


#: A card with the id of an objective card.
NAMESAKE = """
[cards.warlord]
label = { en = "General", ja = "将軍" }
race = "elf"
job = "lord"
cost = 0
power = 12
war = ["gold 1"]
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("lays General", "seat 1: General", "meets Warlord", "objectives: Warlord")),
        ("ja", ("は 将軍 を", "席 1: 将軍", "は 覇者 を", "目標: 覇者")),
    ],
)
def test_a_card_with_the_id_of_an_objective_is_told_by_its_own_name(tmp_path, language, said):
    (tmp_path / "mine.toml").write_text(NAMESAKE, encoding="utf-8")
    game = from_position(
        {"seats": [{"hand": ["warlord"]}, {}], "phase": "placement", "objectives": ["warlord"]},
        rules=TITLE.load([tmp_path / "mine.toml"]),
        choices={1: ["warlord", "cell_1"]},
    )
    game.placement_phase()
    game.war_phase()
    told = "\n".join(TITLE.tell(game.events, language))
    assert [what for what in said if what not in told] == []


def test_power_that_stays_what_it_was_is_told():
    # A soldier has power 2; it has already been counted once.
    game = stage({"field": [["human_soldier"]], "power": 2}, {}, phase="war")
    game.war_phase()
    assert "  seat 1 has power 2: rank 1, 5 VP" in list(TITLE.tell(game.events, "en"))


@pytest.mark.parametrize("line", ["row 1", "row 99", "column 0", "row --1", "row ²", "line", ""])
def test_only_a_line_that_is_complete_and_alike_can_be_said_to_have_paid(line):
    elves = {"field": [["elf_lord", "elf_seer", "elf_guard"]], "lines": [line]}
    with pytest.raises(UnknownNameError, match=r"line that could have paid .*\(allowed: row 0\)"):
        stage(elves, {})


@pytest.mark.parametrize(("given", "paid"), [({}, ["row 0"]), ({"lines": []}, [])])
def test_lines_that_could_have_paid_need_not_have(given, paid):
    game = stage({"field": [["elf_lord", "elf_seer", "elf_guard"]], **given}, {})
    assert game.lines(1) == paid


@pytest.mark.rule("MG-E3")
@pytest.mark.parametrize(("guard", "asked"), [("gold 1", False), ("vp 1", True)])
def test_copies_of_one_kind_are_no_reason_to_ask_for_an_order(guard, asked):
    game = stage(
        {"field": [["elf_lord", "elf_lord", "elf_guard"]], "vp": 1},
        {},
        phase="vp",
        overrides=['cards.elf_lord.vp=["vp 1 per vp"]', f'cards.elf_guard.vp=["{guard}"]'],
    )
    game.vp_phase()
    assert asked == any(event["event"] == "choose" for event in game.events)


def test_as_many_objectives_lie_open_as_there_can_be(tmp_path):
    opened = "[objectives]\nused = true\nopen = 32\n"
    cards = "".join(objective(f"mine_{number}", needs="gold >= 0") for number in range(20))
    case = Case("32 objectives", overlay=opened + cards)
    setting = Setting(case, 3, 6, tmp_path)
    assert compare(setting, Counter()) == []
    assert setting.out.seats["objectives"].min() >= 20


def test_an_objective_lies_open_once():
    with pytest.raises(InputError, match="allowed: each card once"):
        stage({}, {}, objectives=["warlord", "holy_land", "warlord"])


def play(tables, policies):
    """Play two games of two seats with the kernel."""
    out = allocate(TITLE.info, 2, 2)
    bans, lineups = np.zeros((2, MASK_WORDS), np.uint64), np.zeros((1, 2), np.int16)
    return TITLE.play(tables, policies, bans, make_key(1), 0, lineups, 1, out)


def test_the_kernel_plays_no_policies_that_cannot_decline():
    tables = TITLE.compile(TITLE.load())
    policies = load_policies(["random"], tables.words, TITLE.data / "policies")
    assert play(tables, policies) == (0, 2)
    with pytest.raises(InputError, match=r"policies\.stop: found -1; allowed: 119"):
        play(tables, replace(policies, stop=-1))


def test_the_kernel_plays_no_rules_with_the_words_of_others(tmp_path):
    (tmp_path / "mine.toml").write_text(NAMESAKE, encoding="utf-8")
    words = TITLE.compile(TITLE.load([tmp_path / "mine.toml"])).words
    policies = load_policies(["random"], words, TITLE.data / "policies")
    with pytest.raises(InputError, match=r"tables\.words, stop: found 120; allowed: 119"):
        play(replace(TITLE.compile(TITLE.load()), words=words), policies)
