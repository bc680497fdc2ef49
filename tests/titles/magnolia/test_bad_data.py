"""Data and policies that cannot be: one message with its place, what was found, what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.titles.magnolia import DATA, TITLE
from tests.bad_input.helpers import refusing

SIMULATE = ("simulate", "magnolia", "--games", "4", "--players", "2", "--jobs", "1")

#: The head of a card of one's own, without what is wrong.
NEW = '[cards.moon_elf]\nlabel = { en = "Moon elf", ja = "月のエルフ" }\n'


@pytest.fixture
def refused(capsys, monkeypatch, tmp_path):
    """Run a command that must fail, in a folder of its own, and return its one message."""
    monkeypatch.chdir(tmp_path)
    return refusing(capsys)


def put(name, text):
    Path(name).write_text(text, encoding="utf-8")
    return name


RACES = "'human', 'dwarf', 'elf', 'goblin', 'golem' or 'demon'"
JOBS = "'lord', 'warrior', 'artisan', 'mage', 'priest' or 'merchant'"
LIKENESSES = (
    "human, dwarf, elf, goblin, golem, demon, lord, warrior, artisan, mage, priest, merchant"
)
PRIMITIVES = "gold, vp, technology, faith, others_gold, others_vp, power"
NOT_ABOUT_A_CARD = "what is asked about a seat, not about one card"

#: What stands in a file of rules; how its one fault begins, and how it ends.
FAULTS = [
    (
        f'{NEW}race = "elv"\njob = "mage"\ncost = 1\n',
        'mine.toml:3:8: cards.moon_elf.race: found "elv"; allowed: ',
        f"{RACES}; did you mean 'elf'?",
    ),
    (
        f'{NEW}race = "elf"\njob = "mgae"\ncost = 1\n',
        'mine.toml:4:7: cards.moon_elf.job: found "mgae"; allowed: ',
        f"{JOBS}; did you mean 'mage'?",
    ),
    (
        f'{NEW.replace("moon_elf", "zzz")}race = "elf"\njob = "mage"\n',
        "mine.toml:1:1: cards.zzz: found a new entry without cost; allowed: ",
        "or all keys of a new one",
    ),
    (
        "[cards.elf_lrod]\ncost = 3\n",
        "mine.toml:1:1: cards.elf_lrod: found a new entry without label, race, job; allowed: ",
        "did you mean 'elf_lord'?",
    ),
    (
        f'{NEW.replace("moon_elf", "cell_1")}race = "elf"\njob = "mage"\ncost = 1\n',
        "mine.toml:1:1: cards.cell_1: found the id 'cell_1'; allowed: ",
        "words like human_lord, not taken yet",
    ),
    (
        "[cards.elf_lord]\ncost = 100\n",
        "mine.toml:2:8: cards.elf_lord.cost: found 100; allowed: ",
        "less than or equal to 99",
    ),
    (
        '[cards.elf_lord]\nvp = ["vp 1", "pv 2"]\n',
        "mine.toml:2:16: cards.elf_lord.vp[1]: found 'pv' at column 1 of the effect; allowed: ",
        f"an effect ({PRIMITIVES}); did you mean 'vp'?",
    ),
    (
        '[cards.elf_lord]\nvp = ["vp 1 per tecnology"]\n',
        "mine.toml:2:17: cards.elf_lord.vp[0]: found 'tecnology' at column 10 of the effect; "
        "did you mean 'technology'? allowed: an observable (round, players, gold, ",
        ")",
    ),
    (
        '[cards.elf_lord]\nvp = ["vp 1 per next_to.warior"]\n',
        "mine.toml:2:25: cards.elf_lord.vp[0]: found 'warior' at column 18 of the effect; ",
        f"allowed: a likeness ({LIKENESSES}); did you mean 'warrior'?",
    ),
    (
        '[cards.elf_lord]\nvp = ["power 1"]\n',
        "mine.toml:2:7: cards.elf_lord.vp[0]: found 'power' in 'vp'; allowed: ",
        "power in front, and nowhere else; all other effects elsewhere",
    ),
    (
        '[objectives.cards.warlord]\nneeds = "power >= 12 and neighbours >= 2"\n',
        "mine.toml:2:26: objectives.cards.warlord.needs: found 'neighbours' at column 17 of the "
        "condition; allowed: ",
        NOT_ABOUT_A_CARD,
    ),
    (
        '[objectives.cards.warlord]\nneeds = "next_to.elf >= 2"\n',
        "mine.toml:2:10: objectives.cards.warlord.needs: found 'next_to' at column 1 of the "
        "condition; allowed: ",
        NOT_ABOUT_A_CARD,
    ),
    (
        '[objectives.cards.warlord]\nneeds = "pover >= 2"\n',
        "mine.toml:2:10: objectives.cards.warlord.needs: found 'pover' at column 1 of the "
        "condition; did you mean 'power'? allowed: an observable (round, ",
        "faith_lead, field, rivals)",
    ),
    (
        "[objectives]\nopen = 13\n",
        "mine.toml:2:8: objectives.open: found 13; allowed: ",
        "at most 12 cards",
    ),
    (
        '[objectives]\ncheck = "phases"\n',
        'mine.toml:2:9: objectives.check: found "phases"; allowed: ',
        "'phase', 'bonus' or 'round'; did you mean 'phase'?",
    ),
    (
        "[war.vp]\n3p = [5, 3]\n",
        "mine.toml:2:6: war.vp.3p: found [5, 3]; allowed: ",
        "at least 3 entries",
    ),
    (
        "[war.vp]\n3p = [5, 3, 1, 0]\n",
        "mine.toml:2:6: war.vp.3p: found [5, 3, 1, 0]; allowed: ",
        "at most 3 entries",
    ),
    (
        "[war.vp]\n6p = [5, 3, 1, 0, 0, 0]\n",
        "mine.toml:2:1: war.vp.6p: found an unknown key; allowed: ",
        "2p, 3p, 4p, 5p; did you mean '5p'?",
    ),
    (
        "[placement]\ngold = [2, 1]\n",
        "mine.toml:2:8: placement.gold: found [2, 1]; allowed: ",
        "at least 3 entries",
    ),
    (
        "[bonuses.gobln]\ngold = 3\n",
        "mine.toml:1:1: bonuses.gobln: found unknown name 'gobln'; allowed: ",
        f"{LIKENESSES}; did you mean 'goblin'?",
    ),
    (
        "[bonuses.goblin]\npower = 3\n",
        "mine.toml:2:1: bonuses.goblin.power: found an unknown key; allowed: ",
        "gold, vp, technology, faith",
    ),
]


@pytest.mark.parametrize(("text", "begins", "ends"), FAULTS)
def test_a_fault_of_the_rules_is_told_with_its_place(refused, text, begins, ends):
    told = refused(*SIMULATE, "--rules", put("mine.toml", text))
    assert told.startswith(begins)
    assert told.endswith(ends)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ('cards.elf_lord.race="elv"', "did you mean 'elf'?"),
        ("cards.elf_lrod.cost=3", "did you mean 'cards.elf_lord.cost'?"),
        ("bonuses.gobln.gold=4", "did you mean 'bonuses.goblin.gold'?"),
        ("war.vp.3p=[5, 3]", "war.vp.3p: found [5, 3]; allowed: at least 3 entries"),
        ('objectives.cards.warlord.needs="row >= 3"', NOT_ABOUT_A_CARD),
    ],
)
def test_so_is_one_that_is_set(refused, override, said):
    assert said in refused(*SIMULATE, "--set", override)


def new_cards(number, more=0):
    return "".join(
        f'{NEW.replace("moon_elf", f"moon_elf_{n}")}race = "elf"\njob = "mage"\ncost = 1\n'
        f"more = {more}\n"
        for n in range(number)
    )


def test_too_many_kinds_for_the_codes_of_options(refused):
    told = refused(*SIMULATE, "--rules", put("mine.toml", new_cards(9)))
    assert told.startswith("mine.toml:1:1: cards: found 111 kinds (")
    assert f"{DATA / 'cards.toml'}:" in told
    assert told.endswith("allowed: at most 110")
    assert TITLE.load(overlays=[put("fewer.toml", new_cards(8))])


def test_too_many_cards_for_the_deck(refused):
    # Eight kinds of nine cards each and eight more copies of ten others: 254 in all.
    more = "".join(f"human_{job}.more = 8\n" for job in ("lord", "regent", "guard", "rider"))
    more += "".join(f"elf_{job}.more = 8\n" for job in ("lord", "regent", "guard", "rider"))
    more += "golem_lord.more = 8\ngolem_guard.more = 8\n"
    told = refused(*SIMULATE, "--rules", put("mine.toml", f"[cards]\n{more}{new_cards(8, 8)}"))
    assert told.startswith("mine.toml:1:1: cards: found 254 cards in all (")
    assert told.endswith("allowed: 25 (hands of 5 seats) to 248")


#: What stands in a policy below its head; how its one fault begins, and how it ends.
POLICIES = [
    (
        "[card.weights]\nelf_lrod = 3\n",
        "own.toml:5:1: card.weights.elf_lrod: found unknown name 'elf_lrod'; "
        "did you mean 'elf_lord'? allowed: ",
        ", …",
    ),
    (
        "[card.weights]\nlines = 3\n",
        "own.toml:5:1: card.weights.lines: found unknown name 'lines'; "
        "did you mean 'line'? allowed: ",
        ", …",
    ),
    (
        "[card.per]\npower_now = 3\n",
        "own.toml:5:1: card.per.power_now: found unknown name 'power_now'; allowed: ",
        "cost, power, gold, vp, technology, faith, gold_now, vp_now, technology_now, faith_now; "
        "did you mean 'power'?",
    ),
    (
        '[card]\nrules = ["any with bets == 1"]\n',
        "own.toml:5:20: card.rules[0]: found 'bets' at column 10 of the rule; allowed: "
        "an observable of an option (",
        "did you mean 'best'?",
    ),
    (
        '[card]\nrules = ["elf_lrod if gold >= 3"]\n',
        "own.toml:5:11: card.rules[0]: found 'elf_lrod' at column 1 of the rule; "
        "did you mean 'elf_lord'? allowed: an option or a group (",
        ", …)",
    ),
    (
        '[crad]\nrules = ["any"]\n',
        "own.toml:4:1: crad: found unknown name 'crad'; allowed: discard, card, cell, bonus, order",
        "did you mean 'card'?",
    ),
]


@pytest.mark.parametrize(("text", "begins", "ends"), POLICIES)
def test_a_fault_of_a_policy_is_told_with_its_place(refused, text, begins, ends):
    head = 'label = { en = "Own", ja = "自作" }\nabout = "x"\nbase = "_planner"\n'
    told = refused(*SIMULATE, "--lineup", f"{put('own.toml', head + text)},greedy")
    assert told.startswith(begins)
    assert told.endswith(ends)
