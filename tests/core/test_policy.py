"""Policy files, their arrays, and the decision that both engines take from them."""

from __future__ import annotations

import itertools
import operator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core.expression import MAX_TEXT
from sim.core.policy import (
    CODES,
    Observable,
    PolicyTable,
    Vocabulary,
    available,
    base_files,
    choose,
    load_policies,
    parse_entry,
)
from sim.core.title import DecisionPoint, Label, Loadout
from sim.errors import DataError, InputError, UnknownNameError

WORDS = Vocabulary(
    options=("fragment", "stone", "market", "charm", "curse", "stop"),
    groups={"stones": (0, 1), "magic": (2,), "buyable": (0, 1, 2, 3), "empty": ()},
    observables=(
        Observable("payable", None, "what the seat can pay"),
        Observable("owned", "kind", "cards owned of a kind"),
        Observable("round", None, "the round"),
    ),
    arguments={"kind": {"fragment": 0, "stone": 1, "market": 2, "charm": 3, "curse": 4}},
    attributes={"cost": (0, 3, 5, 2, 0, 0)},
    decisions=(DecisionPoint("acquire", "what to buy"), DecisionPoint("discard", "what to drop")),
    option_argument="kind",
)
HEAD = 'label = { en = "Test", ja = "試験" }\nabout = "A policy for tests."\n'
ACQUIRE, DISCARD = 0, 1
FRAGMENT, STONE, MARKET, CHARM, CURSE, STOP = range(6)


def load(tmp_path: Path, body: str, *entries: str, head: str = HEAD) -> PolicyTable:
    (tmp_path / "test.toml").write_text(head + body, encoding="utf-8")
    return load_policies(entries or ("test",), WORDS, tmp_path)


def decide(
    table: PolicyTable, legal: list[int], decision: int = ACQUIRE, **seen: int | dict[int, int]
) -> int:
    def observe(number: int, argument: int) -> int:
        value = seen[WORDS.observables[number].id]
        return value[argument] if isinstance(value, dict) else value

    return choose(table, 0, decision, legal, observe)


def problems(tmp_path: Path, body: str, head: str = HEAD) -> list[str]:
    with pytest.raises(DataError) as caught:
        load(tmp_path, body, head=head)
    return [str(problem).removeprefix(str(tmp_path)) for problem in caught.value.problems]


# --- decisions -------------------------------------------------------------------------------


def test_first_rule_that_holds_and_meets_a_legal_option_wins(tmp_path: Path) -> None:
    table = load(
        tmp_path, '[acquire]\nrules = ["market if payable >= 5 and round > 2", "stone", "charm"]\n'
    )
    assert decide(table, [STONE, MARKET], payable=5, round=3) == MARKET
    assert decide(table, [STONE, MARKET], payable=5, round=2) == STONE
    assert decide(table, [STONE, CHARM], payable=9, round=9) == STONE
    assert decide(table, [CHARM, CURSE], payable=9, round=9) == CHARM


@pytest.mark.parametrize(
    ("comparison", "holds"),
    [
        ("<", (1, 0, 0)),
        ("<=", (1, 1, 0)),
        ("==", (0, 1, 0)),
        ("!=", (1, 0, 1)),
        (">=", (0, 1, 1)),
        (">", (0, 0, 1)),
    ],
)
def test_every_comparison(tmp_path: Path, comparison: str, holds: tuple[int, int, int]) -> None:
    table = load(tmp_path, f'[acquire]\nrules = ["charm if round {comparison} -2"]\n')
    for value, expected in zip((-3, -2, -1), holds, strict=True):
        assert (decide(table, [CHARM, STOP], round=value) == CHARM) is bool(expected)


def test_observable_with_argument_sees_its_own_kind(tmp_path: Path) -> None:
    table = load(tmp_path, '[acquire]\nrules = ["stone if owned.stone < 2", "stop"]\n')
    assert decide(table, [STONE, STOP], owned={STONE: 1}) == STONE
    assert decide(table, [STONE, STOP], owned={STONE: 2}) == STOP


def test_group_takes_the_highest_weight_and_ties_go_to_the_lowest_code(tmp_path: Path) -> None:
    table = load(
        tmp_path, '[acquire]\nrules = ["buyable"]\nweights = { stone = 5, charm = 5, market = 4 }\n'
    )
    assert decide(table, [FRAGMENT, STONE, MARKET, CHARM]) == STONE
    assert decide(table, [CHARM, STONE]) == STONE
    assert decide(table, [FRAGMENT, MARKET, CHARM]) == CHARM
    assert decide(table, [FRAGMENT, MARKET]) == MARKET


def test_group_never_takes_a_negative_weight_but_a_name_does(tmp_path: Path) -> None:
    table = load(
        tmp_path,
        '[acquire]\nrules = ["stones", "market"]\nweights = { stones = -1, market = -7 }\n',
    )
    assert decide(table, [FRAGMENT, STONE, MARKET]) == MARKET
    assert decide(table, [FRAGMENT, STONE, STOP]) == STOP
    # Weight 0 is not negative.
    table = load(tmp_path, '[acquire]\nrules = ["stones"]\nweights = { stones = -1, stone = 0 }\n')
    assert decide(table, [FRAGMENT, STONE, STOP]) == STONE


def test_group_of_one_option_still_minds_its_weight(tmp_path: Path) -> None:
    table = load(tmp_path, '[acquire]\nrules = ["magic"]\nweights = { market = -1 }\n')
    assert decide(table, [MARKET, STOP]) == STOP


def test_any_includes_stop(tmp_path: Path) -> None:
    table = load(tmp_path, '[acquire]\nrules = ["any"]\nweights = { stop = 1 }\n')
    assert decide(table, [STONE, MARKET, STOP]) == STOP


def test_empty_group_takes_nothing(tmp_path: Path) -> None:
    table = load(tmp_path, '[acquire]\nrules = ["empty", "charm"]\n')
    assert decide(table, [STONE, CHARM]) == CHARM


def test_without_a_rule_stop_and_else_the_highest_weight(tmp_path: Path) -> None:
    table = load(tmp_path, "[discard]\nweights = { any = -9, curse = -2, charm = -2 }\n")
    assert decide(table, [STONE, CURSE, STOP], DISCARD) == STOP
    assert decide(table, [STONE, CURSE, CHARM], DISCARD) == CHARM
    # A decision point without a table: all weights are 0.
    assert decide(table, [MARKET, CHARM]) == MARKET
    assert decide(table, [MARKET, STOP]) == STOP


def test_nothing_legal_is_a_fault_of_the_engine(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="empty"):
        decide(load(tmp_path, ""), [])


COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
RULES = st.tuples(
    st.sampled_from([*WORDS.selectors]),
    st.lists(
        st.tuples(
            st.sampled_from(["payable", "round", "owned.stone"]),
            st.sampled_from([*COMPARE]),
            st.integers(-2, 2),
        ),
        max_size=2,
    ),
)


@given(
    rules=st.lists(RULES, max_size=4),
    weights=st.dictionaries(st.sampled_from(WORDS.options), st.integers(-2, 2)),
    legal=st.sets(st.sampled_from(range(6)), min_size=1),
    seen=st.tuples(*[st.integers(-2, 2)] * 3),
)
def test_choose_against_a_second_reading_of_the_rules(
    tmp_path_factory: pytest.TempPathFactory,
    rules: list[tuple[str, list[tuple[str, str, int]]]],
    weights: dict[str, int],
    legal: set[int],
    seen: tuple[int, int, int],
) -> None:
    """The same decision, written from the statement alone and straight from the texts."""
    texts = [
        selector + (" if " if conds else "") + " and ".join(f"{o} {c} {v}" for o, c, v in conds)
        for selector, conds in rules
    ]
    body = f"[acquire]\nrules = {texts}\nweights = {{ "
    body += ", ".join(f"{name} = {value}" for name, value in weights.items()) + " }\n"
    table = load(tmp_path_factory.mktemp("policy"), body)
    values = dict(zip(("payable", "owned.stone", "round"), seen, strict=True))

    def expected() -> int:
        weight = {code: weights.get(name, 0) for code, name in enumerate(WORDS.options)}
        for selector, conds in rules:
            if not all(COMPARE[c](values[o], v) for o, c, v in conds):
                continue
            if selector in WORDS.options:
                if WORDS.options.index(selector) in legal:
                    return WORDS.options.index(selector)
                continue
            group = WORDS.groups.get(selector, range(6))
            if fit := [(-weight[code], code) for code in group if code in legal]:
                best, code = min(fit)
                if best <= 0:
                    return code
        if STOP in legal:
            return STOP
        return min((-weight[code], code) for code in legal)[1]

    got = choose(table, 0, ACQUIRE, legal, lambda number, argument: seen[number])
    assert got == expected()


# --- arrays ----------------------------------------------------------------------------------


def test_arrays_have_the_promised_types_and_shapes(tmp_path: Path) -> None:
    table = load(
        tmp_path,
        '[acquire]\nrules = ["stones if round <= 3 and owned.charm != 1", "stop"]\n'
        '[discard]\nrules = ["curse", "stones"]\n',
        "test",
        "test@0.2",
    )
    arrays = {name: getattr(table, name) for name in ("slip", "spans", "rules", "conds")}
    assert all(array.dtype == np.int32 for array in [*arrays.values(), table.weights])
    assert table.selectors.dtype == np.uint64
    assert table.single.dtype == np.uint8
    every = [*arrays.values(), table.weights, table.selectors, table.single]
    assert all(array.flags.c_contiguous for array in every)
    assert table.names == ("test", "test@0.2")
    assert table.slip.tolist() == [0, 2000]
    assert table.spans.tolist() == [[[0, 2], [2, 2]], [[4, 2], [6, 2]]]
    assert table.conds[:2].tolist() == [[2, 0, 1, 3], [1, CHARM, 3, 1]]
    assert table.rules[:4].tolist() == [[0, 0, 2], [1, 2, 0], [2, 2, 0], [0, 2, 0]]
    assert table.selectors.tolist() == [[0b11, 0], [1 << STOP, 0], [1 << CURSE, 0]]
    assert table.single.tolist() == [0, 1, 1]
    assert table.weights.shape == (2, 2, CODES)
    assert table.stop == STOP
    assert table.labels[0].ja == "試験"


def test_filters_are_asked_about_each_option(tmp_path: Path) -> None:
    body = """
[acquire]
rules = ["buyable with owned < 2 and owned >= 0 if round >= 3", "market with owned == 0"]
weights = { buyable = 5, charm = 9, stone = -1 }
"""
    table = load(tmp_path, body)
    owned = {FRAGMENT: 1, STONE: 0, MARKET: 0, CHARM: 2, CURSE: 0}
    legal = [FRAGMENT, STONE, MARKET, CHARM, CURSE, STOP]
    # The charm weighs most but fails the filter, the stone passes it but weighs too little.
    assert decide(table, legal, owned=owned, round=3) == FRAGMENT
    assert decide(table, legal, owned=owned | {CHARM: 1}, round=3) == CHARM
    assert decide(table, legal, owned=owned, round=2) == MARKET
    assert decide(table, legal, owned=owned | {MARKET: 1}, round=2) == STOP
    assert decide(table, [CHARM, STOP], owned=owned, round=3) == STOP


def test_what_cannot_be_asked_about_passes_no_filter(tmp_path: Path) -> None:
    table = load(tmp_path, '[acquire]\nrules = ["any with owned >= -9"]\n')
    assert table.described == STOP
    owned = dict.fromkeys(range(STOP), 0)
    assert decide(table, [CURSE, STOP], owned=owned) == CURSE
    table = load(tmp_path, '[acquire]\nrules = ["stop with owned >= -9", "charm"]\n')
    assert decide(table, [CHARM, STOP], owned=owned) == CHARM


def test_no_policies_and_no_rules_keep_their_shapes(tmp_path: Path) -> None:
    table = load_policies((), WORDS, tmp_path)
    assert (table.rules.shape, table.conds.shape) == ((0, 3), (0, 4))
    assert table.filters.shape == (0, 2)
    assert (table.spans.shape, table.weights.shape) == ((0, 2, 2), (0, 2, CODES))
    assert table.selectors.shape == (0, 2)


def test_there_is_room_for_128_options() -> None:
    names = tuple(f"o{number}" for number in range(128))
    assert Vocabulary(names, {}, (), {}, {}, ()).stop == -1
    with pytest.raises(ValueError, match="129 options"):
        Vocabulary((*names, "more"), {}, (), {}, {}, ())


def test_second_word_of_a_mask(tmp_path: Path) -> None:
    names = tuple(f"o{number}" for number in range(128))
    words = Vocabulary(names, {"ends": (0, 63, 64, 127)}, (), {}, {}, WORDS.decisions)
    (tmp_path / "p.toml").write_text(
        HEAD + '[acquire]\nrules = ["ends"]\nweights = { o127 = 3 }', encoding="utf-8"
    )
    table = load_policies(["p"], words, tmp_path)
    assert table.selectors.tolist() == [[1 | 1 << 63, 1 | 1 << 63]]
    assert choose(table, 0, 0, range(128), lambda *_: 0) == 127
    assert choose(table, 0, 0, [1, 2, 64], lambda *_: 0) == 64


def test_weights_narrow_over_wide_and_names_over_groups_in_any_order(tmp_path: Path) -> None:
    parts = ["any = 1", "buyable = 2", "stones = 3", "stone = 4"]
    seen = set()
    for order in itertools.permutations(parts):
        table = load(tmp_path, f"[acquire]\nweights = {{ {', '.join(order)} }}\nper.cost = 10\n")
        assert table.weights[0, ACQUIRE, :7].tolist() == [3, 34, 52, 22, 1, 1, 0]
        assert not table.weights[0, DISCARD].any()
        seen.add(table.hashes[0])
    assert len(seen) == 1


def test_hash_is_of_what_it_does(tmp_path: Path) -> None:
    body = '[acquire]\nrules = ["stone if round<3"]\nweights = { stone = 1, charm = 2 }\n'
    same = '[discard]\n[acquire]\nweights={charm=2,stone=1}\nrules=["stone  if  round < +3"]\n'
    first = load(tmp_path, body).hashes
    assert load(tmp_path, same, head=HEAD.replace("Test", "Other")).hashes == first
    assert load(tmp_path, body, "test@0.05", "test@0.0500", "test@0").hashes[2] == first[0]
    slipping = load(tmp_path, body, "test@0.05", "test@0.0500").hashes
    assert slipping[0] == slipping[1] != first[0]
    assert load(tmp_path, body, head=HEAD + "slip = 500\n").hashes[0] == slipping[0]
    assert load(tmp_path, body.replace("<3", "<4")).hashes != first
    assert load(tmp_path, body.replace("acquire", "discard")).hashes != first


# --- line-up entries -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "slip"),
    [("0", 0), ("0.0001", 1), ("0.05", 500), (".2", 2000), ("1", 10000), ("1.0000", 10000)],
)
def test_slips(text: str, slip: int) -> None:
    assert parse_entry(f"a@{text}") == ("a", None, slip)


@pytest.mark.parametrize(
    "text", ["", "-0.1", "1.1", "0.00001", "1e-2", "NaN", "０.5", "5%", " 0.1", "1_0", ".", "0,1"]
)
def test_malformed_slips_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="four decimals"):
        parse_entry(f"a@{text}")


def test_slip_of_the_entry_replaces_that_of_the_file(tmp_path: Path) -> None:
    table = load(tmp_path, "", "test", "test@0", head=HEAD + "slip = 10000\n")
    assert table.slip.tolist() == [10000, 0]


def test_paths_are_policies_too(tmp_path: Path) -> None:
    folder = tmp_path / "odd@name"
    folder.mkdir()
    (folder / "own.toml").write_text(HEAD, encoding="utf-8")
    path = str(folder / "own.toml")
    table = load_policies([path, f"{path}@0.5"], WORDS, tmp_path)
    assert table.names == (path, f"{path}@0.5")
    assert table.slip.tolist() == [0, 5000]


def test_unknown_policy_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "big_stones.toml").write_text(HEAD, encoding="utf-8")
    assert available(tmp_path) == ("big_stones",)
    assert available(tmp_path / "none") == ()
    with pytest.raises(UnknownNameError, match="did you mean 'big_stones'"):
        load_policies(["big_stone@0.1"], WORDS, tmp_path)
    for entry in ("", "@0.1", " "):
        with pytest.raises(InputError, match="found no policy"):
            load_policies([entry], WORDS, tmp_path)
    with pytest.raises(InputError, match="no such file"):
        load_policies(["missing.toml"], WORDS, tmp_path)
    with pytest.raises(UnknownNameError):
        load_policies(["../big_stones"], WORDS, tmp_path)


@pytest.mark.parametrize(
    ("entry", "parts"),
    [
        ("a", ("a", None, None)),
        ("a:fire", ("a", "fire", None)),
        (" a : fire @0.05", ("a", "fire", 500)),
        ("C:/mine/own.toml", ("C:/mine/own.toml", None, None)),
        ("C:\\mine\\own.toml:fire@1", ("C:\\mine\\own.toml", "fire", 10000)),
        ("C:own.toml:fire", ("C:own.toml", "fire", None)),
        ("a@b:c/own.toml", ("a@b:c/own.toml", None, None)),
        ("a@b:c/own.toml:fire", ("a@b:c/own.toml", "fire", None)),
        ("a@b:c/own.toml:fire@0.5", ("a@b:c/own.toml", "fire", 5000)),
    ],
)
def test_the_parts_of_an_entry(entry: str, parts: tuple[str, str | None, int | None]) -> None:
    assert parse_entry(entry) == parts


@pytest.mark.parametrize("entry", ["a:", ":fire", "a:@0.5", ":", "a: @1"])
def test_entries_with_an_empty_part_are_refused(entry: str) -> None:
    with pytest.raises(InputError, match=r"found no .*allowed: policy\[:deck\]\[@slip\]"):
        parse_entry(entry)


DECKS = (
    Loadout("fire", Label("Fire", "火"), {"cards": [1, 1, 2]}),
    Loadout("water", Label("Water", "水"), {"cards": [3, 3, 4]}),
)


def test_loadouts_are_places_with_their_content_in_the_hash(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(HEAD, encoding="utf-8")
    entries = ["a:fire", "a:water", "a:fire@0.5"]
    table = load_policies(entries, WORDS, tmp_path, loadouts=DECKS)
    assert table.names == tuple(entries)
    assert table.loadout.dtype == np.int16
    assert table.loadout.tolist() == [0, 1, 0]
    assert len(set(table.hashes)) == 3
    assert [label.en for label in table.labels] == ["Test: Fire", "Test: Water", "Test: Fire"]
    other = (replace(DECKS[0], content={"cards": [1, 2, 2]}), DECKS[1])
    changed = load_policies(entries, WORDS, tmp_path, loadouts=other)
    assert [a == b for a, b in zip(table.hashes, changed.hashes, strict=True)] == [
        False,
        True,
        False,
    ]
    renamed = (replace(DECKS[0], label=Label("Flame", "炎")), DECKS[1])
    assert load_policies(entries, WORDS, tmp_path, loadouts=renamed).hashes == table.hashes
    plain = load_policies(["a"], WORDS, tmp_path)
    assert plain.loadout.tolist() == [-1]
    assert plain.hashes[0] not in table.hashes


def test_loadouts_that_are_unknown_missing_or_not_wanted(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(HEAD, encoding="utf-8")
    with pytest.raises(UnknownNameError, match="unknown deck 'wate'; did you mean 'water'"):
        load_policies(["a:wate"], WORDS, tmp_path, loadouts=DECKS)
    with pytest.raises(InputError, match=r"in duel every seat brings one.*'a:fire'.*fire, water"):
        load_policies(["a@0.5"], WORDS, tmp_path, loadouts=DECKS, title="duel")
    with pytest.raises(InputError, match="found 'fire' after the colon, and race has nothing"):
        load_policies(["a:fire"], WORDS, tmp_path, title="race")


# --- bases -----------------------------------------------------------------------------------


BASE_HEAD = 'about = "What builders share."\n'
BUYS = '[acquire]\nrules = ["stone if round < 3"]\nweights = { charm = 2 }\n'
DROPS = '[discard]\nrules = ["any"]\nper = { cost = 2 }\n'


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")


def test_a_policy_with_a_base_is_the_policy_written_out(tmp_path: Path) -> None:
    other = DROPS.replace("any", "charm")
    write(
        tmp_path,
        _far=BASE_HEAD + BUYS + other,
        _near=BASE_HEAD + 'base = "_far"\n' + DROPS,
        short=HEAD + 'base = "_near"\n',
        own=HEAD + 'base = "_near"\n' + other,
        whole=HEAD + BUYS + DROPS,
        own_whole=HEAD + BUYS + other,
    )
    assert available(tmp_path) == ("own", "own_whole", "short", "whole")
    table = load_policies(["short", "whole", "own", "own_whole"], WORDS, tmp_path)
    assert table.hashes[0] == table.hashes[1] != table.hashes[2] == table.hashes[3]
    assert np.array_equal(table.weights[0], table.weights[1])
    assert np.array_equal(table.spans[0, :, 1], table.spans[1, :, 1])
    names = [path.stem for path in base_files(tmp_path / "short.toml", tmp_path)]
    assert names == ["_near", "_far"]
    assert base_files(tmp_path / "whole.toml", tmp_path) == []
    with pytest.raises(UnknownNameError):  # a base is no policy
        load_policies(["_near"], WORDS, tmp_path)


def test_rules_take_the_place_of_the_base_s_and_weights_are_laid_over_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        _b=BASE_HEAD + BUYS,
        weights=HEAD + 'base = "_b"\n[acquire]\nweights = { stone = 5 }\n',
        written=HEAD + BUYS.replace("{ charm = 2 }", "{ charm = 2, stone = 5 }"),
        rules=HEAD + 'base = "_b"\n[acquire]\nrules = ["charm"]\nweights = { charm = 9 }\n',
        out=HEAD + '[acquire]\nrules = ["charm"]\nweights = { charm = 9 }\n',
        none=HEAD + 'base = "_b"\n[acquire]\nrules = []\n',
        bare=HEAD + "[acquire]\nweights = { charm = 2 }\n",
    )
    entries = ["weights", "written", "rules", "out", "none", "bare"]
    hashes = load_policies(entries, WORDS, tmp_path).hashes
    assert hashes[0] == hashes[1] != hashes[2] == hashes[3] != hashes[4] == hashes[5]


LISTS = '[lists]\nclosing = ["charm if round > 8", "stone"]\n'


def test_a_list_stands_for_its_rules(tmp_path: Path) -> None:
    own = HEAD + '[acquire]\nrules = ["stone if round < 3", "use closing", "charm"]\n'
    write(
        tmp_path,
        _b=BASE_HEAD + LISTS,
        own=own + LISTS,
        base=own.replace("[acquire]", 'base = "_b"\n[acquire]'),
        over=own.replace("[acquire]", 'base = "_b"\n[acquire]')
        + '[lists]\nclosing = ["use closing", "any"]\n',
        written=own.replace('"use closing"', '"charm if round > 8", "stone"'),
        written_over=own.replace('"use closing"', '"charm if round > 8", "stone", "any"'),
    )
    hashes = load_policies(
        ["own", "base", "written", "over", "written_over"], WORDS, tmp_path
    ).hashes
    assert hashes[0] == hashes[1] == hashes[2] != hashes[3] == hashes[4]


@pytest.mark.parametrize(
    ("lists", "use", "said"),
    [
        (LISTS, "use closin", "unknown list 'closin'; allowed: 'use' and a list (closing); did"),
        (LISTS, "use", "found 0 names; allowed: 'use' and a list (closing)"),
        (LISTS, "use closing closing", "found 2 names; allowed: 'use' and a list (closing)"),
        ("", "use closing", "unknown list 'closing'; allowed: 'use' and a list (there is none)"),
        ("lists = 3\n", "stone", "lists: found 3; allowed: a table [lists] of lists of rules"),
        ("[lists]\na = 3\n", "stone", "lists.a: found 3; allowed: a list of rules"),
        ('[lists]\na = ["ston"]\n', "stone", "did you mean 'stone'"),
        ('[lists]\na = ["use b"]\nb = ["any"]\n', "use a", "unknown list 'b'"),
    ],
)
def test_lists_that_cannot_be_used(tmp_path: Path, lists: str, use: str, said: str) -> None:
    write(tmp_path, a=HEAD + lists + f'[acquire]\nrules = ["{use}"]\n')
    with pytest.raises(DataError) as caught:
        load_policies(["a"], WORDS, tmp_path)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ('"_builde"', "base: found unknown base '_builde'; allowed: _builder; did you mean"),
        ('"builder"', 'base: found "builder"; allowed: the name of a file beside it that begins'),
        ("3", "base: found 3; allowed: the name of a file beside it"),
        ('"../_builder"', "allowed: the name of a file beside it"),
    ],
)
def test_a_base_that_is_not_there(tmp_path: Path, base: str, said: str) -> None:
    write(tmp_path, _builder=BASE_HEAD, a=HEAD + f"base = {base}\n")
    with pytest.raises(DataError) as caught:
        load_policies(["a"], WORDS, tmp_path)
    assert said in str(caught.value)
    assert "/a.toml:3:8" in str(caught.value)


def test_a_base_of_the_title_serves_policies_elsewhere(tmp_path: Path) -> None:
    home, mine = tmp_path / "home", tmp_path / "mine"
    for folder in (home, mine):
        folder.mkdir()
    write(home, _far=BASE_HEAD + BUYS, _near=BASE_HEAD + 'base = "_far"\n' + DROPS)
    write(home, whole=HEAD + BUYS + DROPS)
    write(mine, a=HEAD + 'base = "_near"\n')
    mine_a = mine / "a.toml"
    table = load_policies([str(mine_a), "whole"], WORDS, home)
    assert table.hashes[0] == table.hashes[1]
    assert base_files(mine_a, home) == [home / "_near.toml", home / "_far.toml"]
    # One beside the policy goes before that of the title, for the title's own bases too.
    write(mine, _far=BASE_HEAD + DROPS)
    write(home, b=HEAD + 'base = "_near"\n')
    other = load_policies([str(mine_a), "b"], WORDS, home)
    assert other.hashes[0] != table.hashes[0] == other.hashes[1]
    assert base_files(mine_a, home) == [home / "_near.toml", mine / "_far.toml"]


def test_bases_in_a_circle(tmp_path: Path) -> None:
    write(
        tmp_path,
        _x=BASE_HEAD + 'base = "_y"\n',
        _y=BASE_HEAD + 'base = "_x"\n',
        a=HEAD + 'base = "_x"\n',
    )
    with pytest.raises(DataError, match=r"_y.toml:2:8: base: found a circle, _x → _y → _x"):
        load_policies(["a"], WORDS, tmp_path)
    assert [path.stem for path in base_files(tmp_path / "a.toml", tmp_path)] == ["_x", "_y"]


def test_faults_in_a_base_are_told_once_and_in_its_own_file(tmp_path: Path) -> None:
    write(tmp_path, _b="slip = 3\n[acquire]\nweights = { ston = 1 }\n")
    write(tmp_path, a=HEAD + 'base = "_b"\n', b=HEAD + 'base = "_b"\n')
    with pytest.raises(DataError) as caught:
        load_policies(["a", "b"], WORDS, tmp_path)
    told = [str(problem).rpartition("/")[2] for problem in caught.value.problems]
    assert [text.partition(": found")[0] for text in told] == [
        "_b.toml: about",
        "_b.toml:1:1: slip",
        "_b.toml:3:13: acquire.weights.ston",
    ]


# --- faults ----------------------------------------------------------------------------------


def test_all_faults_at_once_with_places_and_nearest_names(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        "slip = 10_001\n"
        "[acquire]\n"
        'rules = [\n  "stone if payabel >= 3",\n  "ストーン",\n  3,\n]\n'
        "weights = { ston = 1, charm = 1.5, market = 3_000_000_000 }\n"
        "per = { costs = 1 }\n"
        "weight = {}\n"
        "[aquire]\n",
    )
    text = "\n".join(found)
    for start, hint in [
        ("/test.toml:3:8: slip: found 10001; allowed: a whole number from 0 to 10000", None),
        ("/test.toml:12:1: acquire.weight: found unknown name 'weight'", "weights"),
        ("/test.toml:6:13: acquire.rules[0]: found 'payabel' at column 10 of the rule", "payable"),
        ("/test.toml:7:4: acquire.rules[1]: found 'ス' at column 1 of the rule", None),
        ("/test.toml:8:3: acquire.rules[2]: found 3", None),
        ("/test.toml:10:13: acquire.weights.ston: found unknown name 'ston'", "stone"),
        ("/test.toml:10:31: acquire.weights.charm: found 1.5", None),
        ("/test.toml:10:45: acquire.weights.market: found 3000000000", None),
        ("/test.toml:11:9: acquire.per.costs: found unknown name 'costs'", "cost"),
        ("/test.toml:13:1: aquire: found unknown name 'aquire'", "acquire"),
    ]:
        line = next(line for line in found if line.startswith(start))
        assert (f"did you mean {hint!r}?" in line) is (hint is not None)
    assert len(found) == 10, text


@pytest.mark.parametrize(
    ("head", "keys"),
    [
        ("", {"label", "about"}),
        ('label = "x"\nabout = 3\n', {"label", "about"}),
        ('label = { en = "x" }\nabout = " "\n', {"label.ja", "about"}),
        ('label = { en = "x", ja = 1, jp = "y" }\nabout = "x"\n', {"label.ja", "label.jp"}),
    ],
)
def test_label_and_about_are_required(tmp_path: Path, head: str, keys: set[str]) -> None:
    with pytest.raises(DataError) as caught:
        load(tmp_path, "", head=head)
    assert {problem.key for problem in caught.value.problems} == keys


@pytest.mark.parametrize(
    "body",
    [
        "acquire = 3",
        "[[acquire]]",
        "[acquire]\nrules = 'stone'",
        "[acquire]\nweights = []",
        "[acquire]\nper = 3",
        "[acquire]\nrules = [['stone']]",
        "[acquire]\nweights = { stone = true }",
        "slip = true",
        "slip = -1",
        "slip = 0.05",
        f"[acquire]\nrules = ['{'stone' * MAX_TEXT}']",
        "[acquire]\nweights = { stone = 2147483647 }\nper = { cost = 1 }",
        "[acquire]\nweights = { stone = -2147483649 }",
        "[acquire]\nper = { cost = 1000000000 }",
        "[acquire]\nrules = ['stone if round > 2147483648']",
        "[acquire]\nrules = ['stone if owned > 1']",
        "[acquire]\nrules = ['stone if owned.ston > 1']",
        "[acquire]\nrules = ['stone if round.stone > 1']",
        "[acquire]\nrules = ['']",
    ],
)
def test_malformed_files_are_refused_in_one_message(tmp_path: Path, body: str) -> None:
    assert len(problems(tmp_path, body)) == 1


def test_extreme_weights_that_fit(tmp_path: Path) -> None:
    table = load(tmp_path, "[acquire]\nweights = { stone = 2147483647, charm = -2147483648 }\n")
    assert table.weights[0, 0, [STONE, CHARM]].tolist() == [2147483647, -2147483648]


@given(st.text(max_size=80))
def test_any_text_is_a_policy_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("policy")
    (folder / "p.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError):  # a label is always missing
        load_policies(["p"], WORDS, folder)


@pytest.mark.parametrize(
    ("fault", "match"),
    [
        ({"options": ("stop", "stone")}, "last"),
        ({"options": ("stone", "stone")}, "different"),
        ({"options": ("any", "stop")}, "different"),
        ({"options": ("if", "stop")}, "grammar"),
        ({"groups": {"x": (9,)}}, "no option"),
        ({"attributes": {"cost": (1,)}}, "one number"),
        ({"observables": (Observable("x", "colour", ""),)}, "colour"),
        ({"observables": (Observable("x", None, ""),) * 2}, "two observables"),
    ],
)
def test_contradictions_of_a_title_are_told(fault: dict[str, object], match: str) -> None:
    parts = {name: getattr(WORDS, name) for name in ("options", "groups", "observables")}
    parts |= {name: getattr(WORDS, name) for name in ("arguments", "attributes", "decisions")}
    if "options" in fault:
        parts |= {"groups": {}, "attributes": {}}
    with pytest.raises(ValueError, match=match):
        Vocabulary(**(parts | fault))
