"""MM-D1: what a deck must be, with every fault at its place, and lists as players write them."""

from __future__ import annotations

import pytest

from sim.errors import DataError
from sim.titles.majestic import TITLE
from sim.titles.majestic.deck_lists import read_list
from sim.titles.majestic.decks import deck_faults
from tests.titles.majestic.rules_helping import MUTE, deck, made, sorcerer, unit
from tests.titles.majestic.staging import mana_card

#: Kinds of main decks, two special mana of fire and one of wind, and a sorcerer.
KINDS = [f"made_{letter}" for letter in "abcdefghij"]
CARDS = (
    *(unit(kind) for kind in KINDS),
    mana_card("well", effects=["draw own 1"]),
    mana_card("pond", effects=["draw own 1"]),
    mana_card("gust", attribute="wind", effects=["draw own 1"]),
    sorcerer("seer", "draw own 1"),
)
MAIN = dict.fromkeys(KINDS, 4)
MANA = {"fire_mana": 16, "well": 2, "pond": 2}


def faults(main=None, mana=None, who="seer", limits=None):
    """Return what is wrong with a deck: where, and what was found."""
    values = made(*CARDS).values
    values = {**values, "deck": {**values["deck"], **(limits or {})}}
    brought = {"sorcerer": who, "main": MAIN if main is None else main}
    brought["mana"] = MANA if mana is None else mana
    return {".".join(fault.path): fault.found for fault in deck_faults(values, brought)}


def refused(*texts, **more):
    """Return the faults that loading these texts is refused with, as (key, line, message)."""
    with pytest.raises(DataError) as error:
        made(*texts, **more)
    return [(problem.key, problem.line, str(problem)) for problem in error.value.problems]


@pytest.mark.rule("MM-D1")
def test_a_deck_by_the_rules_has_no_fault():
    assert faults() == {}
    loaded = made(*CARDS, deck("mine", MAIN, MANA, "seer"))
    assert "mine" in [loadout.id for loadout in TITLE.loadouts(loaded)]


@pytest.mark.rule("MM-D1")
@pytest.mark.parametrize("change", [-1, 1])
def test_main_and_mana_are_of_exact_size(change):
    more = {**MAIN, KINDS[0]: 4 - 1}
    if change == 1:
        more = {**dict.fromkeys(KINDS[:9], 4), KINDS[9]: 5}
    assert faults(main=more)["main"] == f"{40 + change} cards"
    assert faults(mana={**MANA, "fire_mana": 16 + change}) == {"mana": f"{20 + change} cards"}


@pytest.mark.rule("MM-D1")
@pytest.mark.parametrize(
    ("limits", "wrong"),
    [
        ({"main": 41}, ["main"]),
        ({"main": 39}, ["main"]),
        ({"mana": 19}, ["mana"]),
        ({"mana": 21}, ["mana"]),
        ({"copies": 4}, []),
        ({"copies": 3}, [f"main.{kind}" for kind in KINDS]),
        ({"copies": 2}, [f"main.{kind}" for kind in KINDS]),
        ({"copies": 1}, [*(f"main.{kind}" for kind in KINDS), "mana.pond", "mana.well"]),
        ({"special": 4}, []),
        ({"special": 3}, ["mana"]),
        ({"special": 0}, ["mana"]),
    ],
)
def test_every_number_is_data(limits, wrong):
    assert sorted(faults(limits=limits)) == sorted(wrong)


@pytest.mark.rule("MM-D1")
@pytest.mark.parametrize(("copies", "wrong"), [(4, False), (5, True), (40, True)])
def test_copies_of_a_card(copies, wrong):
    rest = dict.fromkeys(KINDS[1:], 0)
    left = 40 - copies
    for kind in rest:
        rest[kind] = min(4, left)
        left -= rest[kind]
    found = faults(main={KINDS[0]: copies, **rest})
    assert found == ({f"main.{KINDS[0]}": f"{copies} copies"} if wrong else {})


@pytest.mark.rule("MM-D1")
def test_of_basic_mana_there_may_be_any_number():
    assert faults(mana={"fire_mana": 20}) == {}
    assert faults(mana={"wind_mana": 11, "earth_mana": 9}) == {}


@pytest.mark.rule("MM-D1")
@pytest.mark.parametrize(
    ("special", "wrong"),
    [
        ({"well": 4}, {}),
        ({"well": 3, "pond": 1}, {}),
        ({"well": 3, "pond": 2}, {"mana": "5 special mana of fire"}),
        ({"well": 4, "pond": 4}, {"mana": "8 special mana of fire"}),
        ({"well": 2, "pond": 2, "gust": 4}, {}),
        ({"gust": 3, "well": 4, "pond": 1}, {"mana": "5 special mana of fire"}),
    ],
)
def test_special_mana_is_counted_by_attribute(special, wrong):
    mana = {**special, "fire_mana": 20 - sum(special.values())}
    assert faults(mana=mana) == wrong


@pytest.mark.rule("MM-D1")
def test_too_many_copies_of_special_mana_are_a_fault_of_their_own():
    found = faults(mana={"well": 5, "fire_mana": 15})
    assert found == {"mana.well": "5 copies", "mana": "5 special mana of fire"}


@pytest.mark.rule("MM-D1")
def test_each_deck_holds_cards_of_its_own():
    main = {**MAIN, KINDS[0]: 0, "fire_mana": 4}
    assert "main.fire_mana" in faults(main=main)
    assert "main.well" in faults(main={**main, "fire_mana": 0, "well": 4})
    assert "mana." + KINDS[0] in faults(mana={"fire_mana": 16, KINDS[0]: 4})
    assert "main.seer" in faults(main={**MAIN, KINDS[0]: 3, "seer": 1})
    for nobody in ("nobody", KINDS[0], "fire_mana", ""):
        assert list(faults(who=nobody)) == ["sorcerer"]


@pytest.mark.rule("MM-D1")
def test_every_fault_is_named_with_its_place():
    bad = deck(
        "bad",
        {KINDS[0]: 5, "made_bb": 4, "fire_mana": 2},
        {"fire_mana": 12, "well": 5, "pond": 3, KINDS[1]: 1},
        "seeer",
    )
    worse = deck("worse", {KINDS[0]: 4}, {"fire_mana": 21}, "seer")
    texts = (*CARDS, bad, worse)
    found = refused(*texts)
    lines = "\n".join((MUTE, *texts)).splitlines()
    begins = {name: lines.index(f"[decks.{name}]") + 1 for name in ("bad", "worse")}
    assert sorted((key, line - begins[key.split(".")[1]]) for key, line, _ in found) == sorted(
        [
            ("decks.bad.sorcerer", 2),
            ("decks.bad.main", 3),
            ("decks.bad.main.made_a", 4),
            ("decks.bad.main.made_bb", 5),
            ("decks.bad.main.fire_mana", 6),
            ("decks.bad.mana", 7),
            ("decks.bad.mana.well", 9),
            ("decks.bad.mana.made_b", 11),
            ("decks.bad.mana", 7),
            ("decks.worse.main", 3),
            ("decks.worse.mana", 5),
        ]
    )
    told = {key: message for key, _, message in found}
    assert "did you mean 'seer'?" in told["decks.bad.sorcerer"]
    assert "did you mean 'made_b'?" in told["decks.bad.main.made_bb"]
    assert "found 5 copies; allowed: at most 4" in told["decks.bad.main.made_a"]
    assert "found 21 cards; allowed: exactly 20" in told["decks.worse.mana"]
    assert "found 4 cards; allowed: exactly 40" in told["decks.worse.main"]


@pytest.mark.rule("MM-D1")
def test_decks_must_fit_changed_rules():
    texts = (*CARDS, deck("mine", MAIN, MANA, "seer"))
    keys = [key for key, _, _ in refused(*texts, overrides=("deck.copies=3",))]
    assert {f"decks.mine.main.{kind}" for kind in KINDS} <= set(keys)
    keys = [key for key, _, _ in refused(*texts, overrides=("deck.main=38",))]
    assert "decks.mine.main" in keys
    keys = [key for key, _, _ in refused(*texts, overrides=("deck.special=3",))]
    assert "decks.mine.mana" in keys
    made(*texts, overrides=("deck.copies=20", "deck.special=20"))


# Lists as players write them


def listed(main=None, mana=None, head="Sorcerer: seer"):
    """Return the lines of a list; kinds are named as players see them."""
    cards = {**(MAIN if main is None else main), **(MANA if mana is None else mana)}
    return [head, *(f"{n} {kind}" for kind, n in cards.items())]


def read(lines):
    return read_list("\n".join(lines), made(*CARDS))


def told(lines, name="deck list"):
    """Return what a list is refused with: (key, line, found, nearest name)."""
    with pytest.raises(DataError) as error:
        read_list("\n".join(lines), made(*CARDS), name)
    assert all(problem.file == name for problem in error.value.problems)
    return [(one.key, one.line, one.found, one.hint) for one in error.value.problems]


@pytest.mark.rule("MM-D1")
def test_a_list_says_what_a_deck_is():
    found = read(listed())
    assert (found.sorcerer, found.main, found.mana) == ("seer", MAIN, MANA)


@pytest.mark.rule("MM-D1")
@pytest.mark.parametrize(
    "line",
    [
        "4 made_a",
        "4x made_a",
        "4 MADE_A",
        "4 made_a (test)",
        "4 Made_A (Test)",
        "4 made_a（試験）",
        "  4   made_a  ",
        "4 made_a # a comment",
        "4 made_a // a comment",
        "1 made_a\n3 made_a",
        "1 made_a\n1x made_a (test)\n2 made_a（試験）",
    ],
)
def test_ways_to_write_a_card(line):
    lines = [line if text == "4 made_a" else text for text in listed()]
    assert line in lines
    assert read(lines).main == MAIN


@pytest.mark.rule("MM-D1")
@pytest.mark.parametrize(
    "head", ["Sorcerer: seer", "ソーサラー: seer", "sorcerer: SEER", "1 seer", "Sorcerer:seer"]
)
def test_ways_to_write_the_sorcerer(head):
    assert read(listed(head=head)).sorcerer == "seer"


@pytest.mark.rule("MM-D1")
def test_what_does_not_count():
    lines = ["My deck", "", "# 4 nothing", "// 4 nothing", "Main deck:", *listed(), "made_a"]
    found = read(lines)
    assert (found.main, found.mana) == (MAIN, MANA)


@pytest.mark.rule("MM-D1")
def test_the_order_of_lines_is_free():
    assert read(listed()[::-1]) == read(listed())


@pytest.mark.rule("MM-D1")
def test_every_unknown_name_is_told_with_its_line_and_the_nearest():
    lines = listed()
    lines[0] = "Sorcerer: sear"
    lines[1] = "4 mad_a (test)"
    lines[4] = "4 made_d (tset)"
    lines.insert(6, "")
    lines[-1] = "2 pont"
    found = told(lines)
    names = [one for one in found if one[1] is not None]
    assert [(key, line) for key, line, _, _ in names] == [
        ("sear", 1),
        ("mad_a (test)", 2),
        ("made_d (tset)", 5),
        ("pont", len(lines)),
    ]
    assert {found for _, _, found, _ in names} == {"an unknown name"}
    # An id may be written with spaces as well.
    near = [hint.replace("_", " ") for *_, hint in names]
    assert near == ["seer", "made a (test)", "made d (test)", "pond"]
    # What is missing for it is told as well.
    rest = {(key, what) for key, line, what, _ in found if line is None}
    assert rest == {("sorcerer", "0 sorcerers"), ("main", "32 cards"), ("mana", "18 cards")}


@pytest.mark.rule("MM-D1")
def test_a_name_that_nothing_is_like_has_no_nearest():
    lines = listed()
    lines[3] = "4 qqqqqqqqqq"
    assert told(lines)[0] == ("qqqqqqqqqq", 4, "an unknown name", None)


@pytest.mark.rule("MM-D1")
def test_a_list_is_held_to_the_rules_of_decks():
    lines = listed({**MAIN, "made_a": 5}, {"fire_mana": 16, "well": 3, "pond": 2})
    assert {(key, found) for key, _, found, _ in told(lines, "my.txt")} == {
        ("main.made_a", "5 copies"),
        ("main", "41 cards"),
        ("mana", "21 cards"),
        ("mana", "5 special mana of fire"),
    }


@pytest.mark.rule("MM-D1")
def test_copies_on_several_lines_add_up():
    lines = [*listed({**MAIN, "made_b": 3}), "1 made_a"]
    assert [(key, found) for key, _, found, _ in told(lines)] == [("main.made_a", "5 copies")]


@pytest.mark.rule("MM-D1")
@pytest.mark.parametrize("number", [0, 2])
def test_a_list_names_one_sorcerer(number):
    lines = listed()[1:] + ["Sorcerer: seer"] * number
    assert [(key, found) for key, _, found, _ in told(lines)] == [
        ("sorcerer", f"{number} sorcerers")
    ]


@pytest.mark.rule("MM-D1")
def test_an_empty_list_lacks_everything():
    assert {(key, found) for key, _, found, _ in told([])} == {
        ("sorcerer", "0 sorcerers"),
        ("main", "0 cards"),
        ("mana", "0 cards"),
    }
