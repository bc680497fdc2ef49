"""``tenbin decks``: lists as players paste them, decks made by chance, and what becomes of both."""

from __future__ import annotations

import io
import tomllib

import pytest

from analysis import cli
from sim import titles

TITLE = "majestic"
RULES = titles.load(TITLE).load()
DECKS = titles.load(TITLE).loadouts(RULES)


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def pasted(deck, language="en"):
    """Return a deck as players write it."""
    values, content = RULES.values, deck.content
    lines = [f"Sorcerer: {values['sorcerers'][content['sorcerer']]['label'][language]}"]
    for part, table in (("main", "cards"), ("mana", "mana")):
        for name, copies in content[part].items():
            lines.append(f"{copies} {values[table][name]['label'][language]}")
    return "\n".join(lines) + "\n"


def test_the_decks_of_the_rules_are_told(capsys):
    assert cli.main(["decks", "check", TITLE]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in told[2:-2]] == [deck.id for deck in DECKS]
    assert "special_mana" in told[0]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_pasted_deck_is_the_deck(capsys, tmp_path, language):
    (tmp_path / "My deck 1.txt").write_text(pasted(DECKS[0], language), encoding="utf-8")
    assert cli.main(["decks", "check", TITLE, "My deck 1.txt", "--toml"]) == 0
    made = tomllib.loads(capsys.readouterr().out)["decks"]["my_deck_1"]
    assert {part: made[part] for part in ("sorcerer", "main", "mana")} == DECKS[0].content


@pytest.mark.parametrize(
    "form", ["{n}x {name}", "{n}x{name}", "{n}枚 {name}", "{name} ×{n}", "{name} x{n}"]
)
def test_other_ways_to_write_a_line_are_the_same(capsys, monkeypatch, form):
    head, *lines = pasted(DECKS[0]).splitlines()
    written = [form.format(n=line.split()[0], name=line.partition(" ")[2]) for line in lines]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([head, *written])))
    assert cli.main(["decks", "check", TITLE, "-", "--toml"]) == 0
    made = next(iter(tomllib.loads(capsys.readouterr().out)["decks"].values()))
    assert {part: made[part] for part in ("sorcerer", "main", "mana")} == DECKS[0].content


def test_no_line_that_begins_with_a_number_is_passed_over(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(pasted(DECKS[0]) + "1000 of these\n4-fold\n"))
    assert cli.main(["decks", "check", TITLE, "-"]) == 2
    told = capsys.readouterr().err
    assert "1000 of these" in told
    assert "4-fold" in told


def test_a_pasted_deck_is_played(capsys, tmp_path):
    (tmp_path / "mine.txt").write_text(pasted(DECKS[0]), encoding="utf-8")
    assert cli.main(["decks", "check", TITLE, "mine.txt", "--toml"]) == 0
    (tmp_path / "mine.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    lineup = f"midrange:mine,midrange:{DECKS[1].id}"
    given = ["simulate", TITLE, "--games", "40", "--rules", "mine.toml", "--lineup", lineup]
    assert cli.main(given) == 0
    assert "midrange:mine" in capsys.readouterr().out


def test_a_deck_called_like_one_of_the_rules_gets_an_id_of_its_own(capsys, tmp_path):
    (tmp_path / f"{DECKS[0].id}.txt").write_text(pasted(DECKS[1]), encoding="utf-8")
    assert cli.main(["decks", "check", TITLE, f"{DECKS[0].id}.txt", "--toml"]) == 0
    assert set(tomllib.loads(capsys.readouterr().out)["decks"]) == {f"{DECKS[0].id}_2"}


def test_a_list_is_read_from_a_pipe(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(pasted(DECKS[2])))
    assert cli.main(["decks", "check", TITLE, "-"]) == 0
    assert capsys.readouterr().out.endswith("\n1 deck: legal\n")


def test_every_fault_of_every_file_is_told(capsys, tmp_path):
    (tmp_path / "a.txt").write_text(pasted(DECKS[0]).replace("4 ", "5 ", 1), encoding="utf-8")
    (tmp_path / "b.txt").write_text("Sorcerer: Nobody\n4 Skorch\n", encoding="utf-8")
    assert cli.main(["decks", "check", TITLE, "a.txt", "b.txt"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    for fault in ("5 copies", "41 cards; allowed: exactly 40", "b.txt:1", "did you mean 'scorch'"):
        assert fault in told.err, fault


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["decks", "check", TITLE, "nowhere.txt"], "nowhere.txt: there is no such file"),
        (["decks", "check", "granmagia"], "granmagia: seats bring no deck along"),
        (["decks", "generate", "majestik"], "did you mean 'majestic'"),
        (["decks", "generate", TITLE, "--number", "0"], "not in the range"),
    ],
)
def test_misuse_is_named(capsys, words, message):
    assert cli.main(words) == 2
    assert message in capsys.readouterr().err


def test_decks_made_by_chance_are_legal_and_do_not_depend_on_their_number(capsys, tmp_path):
    assert cli.main(["decks", "generate", TITLE, "--number", "60", "--seed", "5", "--toml"]) == 0
    text = capsys.readouterr().out
    (tmp_path / "made.toml").write_text(text, encoding="utf-8")
    ruleset = titles.load(TITLE).load(["made.toml"])  # refuses a deck that is not legal
    assert len(titles.load(TITLE).loadouts(ruleset)) == len(DECKS) + 60
    assert cli.main(["decks", "generate", TITLE, "--number", "3", "--seed", "5", "--toml"]) == 0
    few = tomllib.loads(capsys.readouterr().out)["decks"]
    many = tomllib.loads(text)["decks"]
    assert few == {name: many[name] for name in few}
    assert cli.main(["decks", "generate", TITLE, "--number", "3", "--seed", "6", "--toml"]) == 0
    assert tomllib.loads(capsys.readouterr().out)["decks"] != few


def test_decks_made_by_chance_differ_in_all_that_a_composition_tells():
    lists = titles.load(TITLE).lists
    made = [lists.composition(RULES, one) for one in lists.generate(RULES, 150, 1)]
    for column in made[0]:
        numbers = {row[column] for row in made}
        absent = column in ("cost_0",) and not any(
            card["cost"] == 0 for card in RULES.values["cards"].values()
        )
        assert absent or len(numbers) >= 3, column


def test_what_adds_up_stands_in_one_column(capsys):
    assert cli.main(["decks", "check", TITLE]) == 0
    *table, _, last = capsys.readouterr().out.splitlines()
    assert last == f"{len(DECKS)} decks: legal"
    heads = [cell.strip() for cell in table[0].strip("|").split("|")]
    assert "cost 0/1/2/3/4/5/6/7" in heads
    assert "mana fire/water/earth/wind" in heads
    assert len(heads) < 10
    composition = titles.load(TITLE).lists.composition
    for line, deck in zip(table[2:], DECKS, strict=True):
        cells = dict(zip(heads, [c.strip() for c in line.strip("|").split("|")], strict=True))
        made = composition(RULES, deck.content)
        assert cells["deck fire/water/earth/wind"] == "/".join(
            str(made[f"deck_{name}"]) for name in ("fire", "water", "earth", "wind")
        )
        told = [n for name, cell in cells.items() if name != "deck" for n in cell.split("/")]
        assert sorted(map(int, told)) == sorted(made.values())


def test_rates_stand_by_deck_and_policy(capsys):
    """Thirty rows of both say less than ten with a column for each policy."""
    assert cli.main(["simulate", TITLE, "--games", "2000", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    table = told[told.index("Win rate by policy") :].splitlines()
    assert [cell.strip() for cell in table[2].strip("|").split("|")] == [
        *("players", "deck", "aggressive", "controlling", "midrange")
    ]
    rows = [line for line in table[4:] if line.startswith("|")]
    assert [row.split("|")[2].strip() for row in rows] == [deck.id for deck in DECKS]
    assert "* outside the margin" in told
    # One policy with each deck is no table of both.
    pool = f"midrange:{DECKS[0].id},aggressive:{DECKS[1].id}"
    assert cli.main(["simulate", TITLE, "--games", "60", "--pool", pool, "--rotate"]) == 0
    assert f"| midrange:{DECKS[0].id}" in capsys.readouterr().out


def test_who_beats_whom_is_pointed_to_and_told(capsys):
    pool = ",".join(f"midrange:{deck.id}" for deck in DECKS[:3])
    words = ["simulate", TITLE, "--games", "200", "--pool", pool, "--rotate"]
    assert cli.main(words) == 0
    assert "tenbin table FOLDER --by deck,against" in capsys.readouterr().out
    assert cli.main([*words, "--out", "here"]) == 0
    assert "tenbin table here --by deck,against" in capsys.readouterr().out
    assert cli.main(["table", "here", "--by", "deck,against"]) == 0
    head, _, *table = capsys.readouterr().out.splitlines()
    assert head == "(rotation; margin ±5 pp)"
    pairs = [tuple(cell.strip() for cell in line.split("|")[1:3]) for line in table[2:]]
    names = [deck.id for deck in DECKS[:3]]
    assert pairs == [(one, other) for one in names for other in names if one != other]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--by", "deck,policy,against"), "found deck, policy; allowed: one key"),
        (("--by", "against"), "found no other key"),
        (("--by", "dekc,against"), "did you mean 'deck'"),
        (("--by", "deck,against", "--design", "mirror"), "goes without --design"),
        (("--by", "deck,against", "--single"), "goes without --design"),
        (("--by", "deck,against", "--pooled"), "goes without --design"),
    ],
)
def test_misuse_of_against_is_named(capsys, words, message):
    pool = f"midrange:{DECKS[0].id},midrange:{DECKS[1].id}"
    given = ["--games", "40", "--pool", pool, "--rotate", "--out", "here"]
    assert cli.main(["simulate", TITLE, *given]) == 0
    capsys.readouterr()
    assert cli.main(["table", "here", *words]) == 2
    assert message in capsys.readouterr().err
