"""Cards, decks, policies and rules of a card game that cannot be: one message with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

SIMULATE = ("simulate", "majestic", "--games", "20", "--jobs", "1")
CARD = 'cost = 1\nap = 1\ndp = 1\nsort = "unit"\nattribute = "fire"\nsource = "assumed"\n'
LABEL = 'label = { en = "Mine", ja = "自作" }\n'


def put(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"[cards.mine]\n{LABEL}{CARD}colour = 1\n", "mine.toml:9:"),
        (
            f'[cards.mine]\n{LABEL}{CARD}effects = ["damage target 3"]\n',
            'allowed: target = "enemy" and the like',
        ),
        ('[cards.scorch]\neffects = ["damge target 3"]\n', "did you mean 'damage'?"),
        ("[cards.scorch]\ncost = 21\n", "mine.toml:2:8: cards.scorch.cost: found 21; allowed: "),
        ("[cards.scorch]\nap = 1\n", "'ap' of a spell"),
        ('[mana.fire_mana]\nattribute = "metal"\n', 'mana.fire_mana.attribute: found "metal"'),
        ("[sorcerers.pyra.ability]\neffects = []\n", "no effects; allowed: one or more"),
        ("[decks.ember_rush]\nsorcerer = 'pira'\n", "did you mean 'pyra'?"),
        ("[decks.ember_rush.main]\nscorch = 5\n", "decks.ember_rush.main.scorch: found 5 copies"),
        ("[decks.ember_rush.main]\nscorhc = 1\n", "did you mean 'scorch'?"),
        ("[decks\n", "mine.toml:1:"),
    ],
)
def test_an_overlay(refused, text, said):
    told = refused(*SIMULATE, "--rules", put("mine.toml", text))
    assert told.startswith("mine.toml:")
    assert said in told


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("midrange", "in majestic every seat brings one"),
        ("midrange:", "found no name after the colon"),
        ("midrange:ember_rsuh", "unknown deck 'ember_rsuh'; did you mean 'ember_rush'?"),
        ("midrnage:ember_rush", "unknown policy 'midrnage'; did you mean 'midrange'?"),
        ("midrange:ember_rush@2", "a number from 0 to 1"),
    ],
)
def test_a_line_up(refused, entry, said):
    assert said in refused(*SIMULATE, "--lineup", f"midrange:ember_rush,{entry}")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ('[main]\nrules = ["any_unti"]\n', "did you mean 'any_unit'?"),
        ('[block]\nrules = ["own_unit if enemy_pl > 1"]\n', "did you mean 'enemy_lp'?"),
        ('[attack]\nrules = ["own_unit with enmy_lp == 0"]\n', "an observable of an option"),
        ('[atack]\nrules = ["any"]\n', "did you mean 'attack'?"),
        ('[main]\nrules = ["own_13"]\n', "'own_13'"),
        ('[main]\nrules = ["any if mana_of.metal > 1"]\n', "'metal'"),
    ],
)
def test_a_policy(refused, rules, said):
    file = put("mine.toml", f'{LABEL}about = "x"\n{rules}')
    told = refused(*SIMULATE, "--lineup", f"{file}:ember_rush,midrange:ember_rush")
    assert told.startswith("mine.toml:")
    assert said in told
    # The way out stands before a list that fills the screen.
    assert "did you mean" not in told or told.index("did you mean") < 200


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sorcerer: Nobody\n", "deck.txt:1: Nobody: found an unknown name"),
        ("Sorcerer: Pyra of the embers\n4 Skorch\n", "did you mean 'scorch'?"),
        ("Sorcerer: Pyra of the embers\n5 Scorch\n", "found 5 copies; allowed: at most 4"),
        ("4 Scorch\n", "found 0 sorcerers; allowed: exactly 1"),
        ("", "found 0 cards; allowed: exactly 40"),
    ],
)
def test_a_deck_list(refused, text, said):
    told = refused("decks", "check", "majestic", put("deck.txt", text))
    assert told.startswith("deck.txt")
    assert said in told


def test_a_deck_list_that_is_no_text(refused):
    Path("deck.txt").write_bytes(b"\xff\xfe4")
    assert refused("decks", "check", "majestic", "deck.txt").startswith("deck.txt:1: found a byte")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("start.lp=8", "start.lp: found 8; allowed: "),
        ("turn.area_limit=13", "turn.area_limit: found 13"),
        ("deck.copis=40", "did you mean 'deck.copies'?"),
        ("decks.ember_rush.main.scorch=5", "found 5 copies"),
        ("decks.ember_rush.main.scorch=3", "decks.ember_rush.main: found 41 cards"),
    ],
)
def test_a_value_that_is_set(refused, override, said):
    assert said in refused(*SIMULATE, "--set", override)


def test_rules_under_which_no_ready_deck_is_legal(refused, capsys):
    from analysis import cli

    told = refused(*SIMULATE, "--set", "deck.main=45")
    assert told.startswith("decks: found none that is legal with deck.main = 45, ")
    assert "'tenbin decks generate'" in told
    named = ("--lineup", "midrange:ember_rush,midrange:ember_rush")
    assert refused(*SIMULATE, *named, "--set", "deck.main=45") == told
    assert refused("decks", "check", "majestic", "--set", "deck.main=45") == told
    # What it points to works, and the ready decks are then no hindrance.
    asked = ("--set", "deck.main=45")
    assert cli.main(["decks", "generate", "majestic", "--number", "2", "--toml", *asked]) == 0
    decks = capsys.readouterr().out
    made = put("made.toml", f"[deck]\nmain = 45\n{decks}")
    assert cli.main([*SIMULATE, "--rules", made]) == 0
    assert "| made_001" in capsys.readouterr().out
    # Decks that somebody wrote are never left out.
    only = put("only.toml", decks)
    assert "decks.made_001.main: found 45 cards" in refused(*SIMULATE, "--rules", only)


def test_ready_decks_that_a_rule_forbids_are_left_out(refused, capsys):
    from analysis import cli

    asked = ("--set", "deck.special=3")
    assert cli.main(["decks", "check", "majestic", *asked]) == 0
    table = capsys.readouterr().out
    assert "| deep_woods" in table
    assert "| ember_rush" not in table
    told = refused(*SIMULATE, "--lineup", "midrange:ember_rush,midrange:deep_woods", *asked)
    assert told.startswith("unknown deck 'ember_rush'")
