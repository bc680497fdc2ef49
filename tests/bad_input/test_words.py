"""Words, numbers and data that cannot be: one message, exit code 2, the nearest right name.

Together with ``test_runs.py`` this is the list of the requirement; what lies beneath is tested
where it is made (``tests/core``, ``tests/run``, ``tests/titles``).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.bad_input.helpers import DATA

SIMULATE = ("simulate", "granmagia", "--games", "4", "--players", "2", "--jobs", "1")


def put(name: str, text: str | bytes) -> str:
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("simulate", "granmagica", "--games", "4"), "unknown title 'granmagica'; did you mean 'g"),
        (("simulate", "GRANMAGIA", "--games", "4"), "did you mean 'granmagia'?"),
        ((*SIMULATE, "--set", "witches.celestna.cost=4"), "did you mean 'witches.celestina.cost'?"),
        ((*SIMULATE, "--set", "cards.markt.cost=4"), "did you mean 'cards.market.cost'?"),
        ((*SIMULATE, "--set", "witches.celestina.cots=4"), "mean 'witches.celestina.cost'?"),
        ((*SIMULATE, "--lineup", "engine,big_stone"), "unknown policy 'big_stone'; did you mean"),
        ((*SIMULATE, "--lineup", "Engine,engine"), "did you mean 'engine'?"),
        ((*SIMULATE, "--pool", "enigne,engine"), "unknown policy 'enigne'; did you mean 'engine'?"),
        ((*SIMULATE, "--collect", "card"), "did you mean 'cards'?"),
        (("simulte", "granmagia"), "did you mean 'simulate'?"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(refused, words, said):
    assert said in refused(*words)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[witches.celestna]\ncost = 4\n", "mine.toml:1:1: witches.celestna: found a new entry"),
        ("[witches.celestna]\ncost = 4\n", "did you mean 'celestina'?"),
        ("[cards.markt]\ncost = 4\n", "did you mean 'market'?"),
        ("[wiches.celestina]\ncost = 4\n", "mine.toml:1:1: wiches: found an unknown key"),
        ("[wiches.celestina]\ncost = 4\n", "did you mean 'witches'?"),
        ("\n[cards.market]\ncots = 4\n", "mine.toml:3:1: cards.market.cots: found an unknown key"),
        ('[witches.sophia]\ngifts = ["chrm"]\n', "mine.toml:2:10: witches.sophia.gifts[0]: found"),
        ('[witches.sophia]\ngifts = ["chrm"]\n', "did you mean 'charm'?"),
    ],
)
def test_an_unknown_name_in_a_file_is_told_with_its_place(refused, text, said):
    assert said in refused(*SIMULATE, "--rules", put("mine.toml", text))


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("markt", "own.toml:4:11: acquire.rules[0]: found 'markt' at column 1"),
        ("celestna", "did you mean 'celestina'?"),
        ("market if payabel >= 3", "did you mean 'payable'?"),
    ],
)
def test_an_unknown_card_or_witch_in_a_policy(refused, rule, said):
    text = f'label = {{ en = "x", ja = "x" }}\nabout = "x"\n[acquire]\nrules = ["{rule}"]\n'
    assert said in refused(*SIMULATE, "--lineup", f"{put('own.toml', text)},engine")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("1.5", "found 1.5, which is no whole number"),
        ("4.0", "found 4.0, which is no whole number"),
        ("nan", "found nan, which is no whole number"),
        ("inf", "found inf, which is no whole number"),
        ("-1", "found -1; allowed: greater than or equal to 0"),
        ("true", "found true; allowed: a whole number"),
        ('"4"', 'found "4"; allowed: a whole number'),
        ("[4]", "found [4]; allowed: a whole number"),
        ("99999999999", "allowed: a whole number from -2147483648"),
        (5000 * "9", ""),
        ("2026-01-01", "found a date or time"),
        ("{ a = 1 }", "found a table"),
    ],
)
def test_a_cost_that_is_no_cost(refused, value, said):
    assert said in refused(*SIMULATE, "--set", f"cards.market.cost={value}")
    file = put("mine.toml", f"[cards.market]\ncost = {value}\n")
    told = refused(*SIMULATE, "--rules", file)
    assert said in told
    assert told.startswith(
        "mine.toml:2:8: cards.market.cost: " if said else "mine.toml:2:8: TOML: "
    )


def test_five_players(refused):
    said = "granmagia is not played by 5 (allowed: 2, 3, 4)"
    assert refused("simulate", "granmagia", "--games", "4", "--players", "5") == said
    lineup = ",".join(5 * ["engine"])
    assert refused("simulate", "granmagia", "--games", "4", "--lineup", lineup) == said
    assert refused("trace", "granmagia", "--game", "0", "--players", "2,5") == said


def test_an_effect_that_does_not_exist(refused):
    said = "cards.market.effects[1]: found 'drow' at column 1 of the effect"
    file = put("mine.toml", '[cards.market]\neffects = ["mana 1", "drow 1"]\n')
    told = refused(*SIMULATE, "--rules", file)
    assert told.startswith(f"mine.toml:2:23: {said}")
    assert "did you mean 'draw'?" in told
    assert said in refused(*SIMULATE, "--set", 'cards.market.effects=["mana 1", "drow 1"]')


def test_piles_that_cannot_fill_the_field(refused):
    told = refused(*SIMULATE, "--set", "field.kinds=20")
    assert told.endswith("field.kinds: found 20; allowed: at most supply.kinds, 11")
    # The fault shows in a number of the title, and lies in the one that was set.
    told = refused(*SIMULATE, "--set", "turn.hand=6", "--set", "supply.kinds=5")
    assert told.startswith("--set supply.kinds=5: field.kinds: found 8 (")
    assert f"{DATA / 'rules.toml'}:" in told
    assert told.endswith("allowed: at most supply.kinds, 5")


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        (["supply.chapters=[99]"], "found chapter 99 without a hand-growing kind"),
        (["supply.chapters=[]"], "supply.chapters: found []; allowed: at least 1 entry"),
        (["supply.chapters=[1]", "supply.kinds=20"], "the magic kinds of chapter 1"),
        (["supply.attempts=1"], "no set-up that satisfies the constraints was found"),
    ],
)
def test_chapters_that_cannot_satisfy_the_constraints(refused, sets, said):
    assert said in refused(*SIMULATE, *(word for text in sets for word in ("--set", text)))


@pytest.mark.parametrize(
    ("games", "said"),
    [
        ("0", "at least 1 game is needed"),
        ("0k", "at least 1 game is needed"),
        ("-3", "is not a number of games"),
        ("1.5", "is not a number of games"),
        ("9_000M", "ask for fewer games"),
    ],
)
def test_no_games_and_too_many(refused, games, said, tmp_path):
    assert said in refused("simulate", "granmagia", "--games", games, "--out", "run")
    assert not list(tmp_path.iterdir())


# --- files that nobody would write ----------------------------------------------------------------

DEEP = 500


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[cards.market]\n# caf\xe9\n", "mine.toml:2: found a byte that is not UTF-8 (0xe9)"),
        ("[cards.market]\ncost = 4\n".encode("utf-16"), "mine.toml:1: found a byte that is not"),
        (b"\0", "mine.toml:1:1: TOML: found a syntax error"),
        ("\ufeff[cards.market]\r\ncost = -4\r\n", "mine.toml:2:8: cards.market.cost: found -4"),
        ("[cards.market]\ncost = 1\ncost = 2\n", "mine.toml:3:9: TOML: found a syntax error"),
        ("cards = 1\n", "mine.toml:1:9: cards: found 1; allowed: a table"),
        ("[[cards.market]]\ncost = 1\n", "cards.market: found a list; allowed: a table"),
        (f"a = {'[' * DEEP}{']' * DEEP}", "nested"),
        (f"cards.{'.'.join(DEEP * 'a')} = 1", "nested more than 32 deep"),
        (f"[{'.'.join(DEEP * 'a')}]", "nested more than 32 deep"),
        (f"a = {'{a=' * DEEP}1{'}' * DEEP}", "nested"),
        ('[cards."\\u001b[31m"]\ncost = 1\n', 'cards."\\x1b[31m": found a new entry'),
        (f"[witches.sophia]\ngifts = {3000 * ['charm']}", "gifts: found"),
        (f"[cards.market]\ntags = {3000 * ['a']}", "allowed: at most 32 entries"),
        (f"[supply]\nchapters = {3000 * [1]}", "allowed: at most 32 entries"),
    ],
)
def test_files_that_are_no_rules(refused, content, said):
    assert said in refused(*SIMULATE, "--rules", put("mine.toml", content))


def test_what_is_no_file(refused, tmp_path):
    assert refused(*SIMULATE, "--rules", ".") == ".: found a folder; allowed: a TOML file"
    assert refused(*SIMULATE, "--rules", "none.toml") == "none.toml: there is no such file"
    assert "found something that is no file" in refused(*SIMULATE, "--rules", "/dev/zero")
    assert "there is no such file" in refused(*SIMULATE, "--lineup", "none.toml,engine")


def test_an_empty_overlay_changes_nothing(capsys):
    from analysis import cli

    assert cli.main([*SIMULATE, "--rules", put("mine.toml", "")]) == 0
    plain = capsys.readouterr()
    assert cli.main(SIMULATE) == 0
    assert capsys.readouterr() == plain


def test_long_names_and_many_faults_stay_one_message_that_can_be_read(refused):
    names = "".join(f"[cards.new_{number}]\ncost = 1\n" for number in range(1000))
    told = refused(*SIMULATE, "--rules", put("mine.toml", names))
    assert len(told.splitlines()) == 41
    assert told.endswith("\n… and 960 more faults")
    long = 10_000 * "a"
    for words in (
        ("--rules", put("long.toml", f"[cards.{long}]\ncost = 1\n")),
        ("--set", f"cards.{long}.cost=1"),
        ("--lineup", f"{long},engine"),
    ):
        assert len(refused(*SIMULATE, *words)) < 1000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cards.market.cost", "found no '='"),
        ("=4", 'found "" as a key'),
        ("cards.market.cost=", "found '' as a value"),
        ("cards.market.cost=dear", 'text needs quotation marks: "dear"'),
        ("cards.market=4", "found a table; allowed: something in it"),
        (f"cards.market.effects={100 * '['}{100 * ']'}", "brackets nested too deeply"),
        ("cards.market.cost=4\n", "characters that cannot be printed"),
    ],
)
def test_overrides_that_are_none(refused, text, said):
    assert said in refused(*SIMULATE, "--set", text)


# --- rules that contradict themselves -------------------------------------------------------------


def test_a_fault_of_the_data_is_told_by_what_brought_it_about(refused):
    sort = 'sort = "rare"'
    told = refused(*SIMULATE, "--set", "cards.market.cost=4", "--set", f"cards.market.{sort}")
    assert told.startswith(f"--set cards.market.{sort}: cards.market.chapter: found a chapter (")
    assert f"{DATA / 'cards.toml'}:" in told
    good, bad = put("good.toml", "[turn]\nhand = 6\n"), put("bad.toml", f"\n[cards.market]\n{sort}")
    told = refused(*SIMULATE, "--rules", good, "--rules", bad, "--set", "cards.market.cost=4")
    assert told.startswith("bad.toml:2:1: cards.market.chapter: found a chapter (")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[witches.marisrosetta.victory]\nkind = "kinds"\n', "victory.need.2p: found nothing"),
        ('[witches.marisrosetta.victory]\nkind = "kinds"\nneed.2p = 3\n', "need.3p: found nothing"),
        ("[witches.celestina.powers]\ntoken_draw = 1\n", "0 without powers.tokens_for_truth"),
        ("[witches.sophia.powers]\ntokens_for_truth = false\n", "0 without powers.tokens_for_tr"),
        ("[witches.felicia.powers]\nrewards = false\n", "this one needs powers.rewards = true"),
        ('[witches.sophia.victory]\nkind = "rewards"\n', "this one needs powers.rewards = true"),
    ],
)
def test_victories_and_powers_that_lack_something(refused, text, said):
    told = refused(*SIMULATE, "--rules", put("mine.toml", text))
    assert said in told
    assert re.match(r"mine\.toml:[123]:\d+: witches\.", told)


@pytest.mark.parametrize(
    "text",
    [
        '[witches.marisrosetta.victory]\nkind = "kinds"\nenabled = false\n',
        '[witches.marisrosetta.victory]\nkind = "kinds"\nneed = { 2p = 3, 3p = 3, 4p = 0 }\n',
        "[witches.felicia]\npowers.rewards = false\nvictory.enabled = false\n",
    ],
)
def test_those_that_are_off_or_stated_are_fine(text):
    import sim

    assert sim.load("granmagia", rules=put("mine.toml", text)).hash != sim.load("granmagia").hash


@pytest.mark.parametrize(
    "words",
    [
        ("report", 300 * "x"),
        ("table", 300 * "x"),
        ("rerun", 300 * "x"),
        ("trace", 300 * "x", "--game", "0"),
        ("report", 300 * "x" + ".toml"),
    ],
    ids=lambda words: words[0],
)
def test_a_name_that_no_file_can_have_is_an_unknown_one(refused, words):
    assert "xxx" in refused(*words)
