"""The language of rules and effects: what it reads, and how it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core.expression import (
    ITSELF,
    MAX_TEXT,
    OPERATORS,
    Condition,
    ExpressionError,
    ParsedEffect,
    ParsedRule,
    Primitive,
    format_conditions,
    format_effect,
    format_rule,
    parse_conditions,
    parse_effect,
    parse_rule,
)
from sim.core.title import DecisionPoint
from sim.core.vocabulary import INT32, Observable, Vocabulary
from sim.errors import InputError

WORDS = Vocabulary(
    options=("fragment", "stone", "charm", "stop"),
    groups={"stones": (0, 1)},
    observables=(
        Observable("payable", None, "what the seat can pay"),
        Observable("owned", "kind", "cards owned"),
        Observable("held", "group", "cards in hand"),
    ),
    arguments={"kind": {"fragment": 0, "stone": 1, "charm": 2}, "group": {"stones": 0, "truth": 1}},
    attributes={},
    decisions=(DecisionPoint("acquire", ""),),
    option_argument="kind",
)
PRIMITIVES = (
    Primitive("draw", ("int",), "draw cards"),
    Primitive("gain", ("kind", "int", "hand|deck|discard"), "receive cards"),
    Primitive("burn", ("group", "int"), "burn cards"),
    Primitive("reshuffle", (), "shuffle the discards in"),
)


def test_conditions_become_numbers() -> None:
    assert parse_conditions("owned.charm<=-3 and payable!=+4", WORDS) == [
        Condition(1, 2, 1, -3),
        Condition(0, 0, 3, 4),
    ]


def test_white_space_is_free() -> None:
    assert parse_rule(" stone\n if\tpayable>3 ", WORDS) == parse_rule("stone if payable > 3", WORDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("draw 2", ParsedEffect("draw", 0, (2,), None, ())),
        ("gain stone 1 deck", ParsedEffect("gain", 1, (1, 1, 1), None, ())),
        ("burn truth -1 per held.stones", ParsedEffect("burn", 2, (1, -1), (2, 0), ())),
        ("reshuffle if payable == 0", ParsedEffect("reshuffle", 3, (), None, ((0, 0, 2, 0),))),
        (
            "draw 1 per owned.charm if payable > 1 and owned.stone < 2",
            ParsedEffect("draw", 0, (1,), (1, 2), ((0, 0, 5, 1), (1, 1, 0, 2))),
        ),
    ],
)
def test_effects_become_numbers(text: str, expected: ParsedEffect) -> None:
    assert parse_effect(text, PRIMITIVES, WORDS) == expected


@pytest.mark.parametrize(
    ("text", "column", "allowed", "hint"),
    [
        ("", 1, "an option or a group (fragment, stone, charm, stop, stones, any)", None),
        ("stoone", 1, "an option or a group", "stone"),
        ("stone when payable > 3", 7, "'with', 'if' or the end", "with"),
        ("stone iff payable > 3", 7, "'with', 'if' or the end", "if"),
        ("stone if", 9, "an observable", None),
        ("stone if payabel > 3", 10, "an observable", "payable"),
        ("stone if payable.stone > 3", 17, "nothing here: 'payable' takes no argument", None),
        ("stone if owned > 3", 16, "a dot and a kind, as 'owned' needs one", None),
        ("stone if owned. > 3", 17, "a kind (fragment, stone, charm)", None),
        ("stone if owned.charms > 3", 16, "a kind", "charm"),
        ("stone if payable = 3", 18, "names, whole numbers", None),
        ("stone if payable 3", 18, "a comparison (< <= == != >= >)", None),
        ("stone if payable > charm", 20, "a whole number", None),
        ("stone if payable > 2147483648", 20, "a whole number from -2147483648", None),
        ("stone if payable > 3x", 20, "names, whole numbers", None),
        ("stone if payable > 3 or payable < 2", 22, "'and' or the end", None),
        ("stone if payable > 3 andd payable < 2", 22, "'and' or the end", "and"),
        ("stone if payable > 3 and", 25, "an observable", None),
        ("stone if payable > ３", 20, "names, whole numbers", None),
        ("stone stone", 7, "'with', 'if' or the end", None),
        ("any wiht owned > 3", 5, "'with', 'if' or the end", "with"),
        ("any with payable > 3", 10, "an observable of an option (owned)", None),
        ("any with onwed > 3", 10, "an observable of an option (owned)", "owned"),
        ("any with owned.stone > 3", 15, "a comparison: after 'with'", None),
        ("any with owned", 15, "a comparison (< <=", None),
        ("any with owned > 3 or owned < 1", 20, "'and', 'if' or the end", None),
    ],
)
def test_faults_of_rules_have_their_column(
    text: str, column: int, allowed: str, hint: str | None
) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_rule(text, WORDS)
    assert caught.value.column == column
    assert caught.value.allowed.startswith(allowed)
    assert caught.value.hint == hint
    line, caret = str(caught.value).split("\n")[1:]
    assert len(caret) == column + 2
    assert line == f"  {text}"


@pytest.mark.parametrize(
    ("text", "column", "allowed", "hint"),
    [
        ("drow 1", 1, "an effect (draw, gain, burn, reshuffle)", "draw"),
        ("draw", 5, "a whole number", None),
        ("draw two", 6, "a whole number", None),
        ("gain ston 1 hand", 6, "a kind", "stone"),
        ("gain stone 1 hond", 14, "a word (hand, deck, discard)", "hand"),
        ("burn stone 1", 6, "a group (stones, truth)", "stones"),
        ("draw 1 1", 8, "'per', 'if' or the end", None),
        ("draw 1 pre payable", 8, "'per', 'if' or the end", "per"),
        ("draw 1 per payable per payable", 20, "'if' or the end", None),
        ("draw 1 if payable > 1 per payable", 23, "'and' or the end", None),
    ],
)
def test_faults_of_effects_have_their_column(
    text: str, column: int, allowed: str, hint: str | None
) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_effect(text, PRIMITIVES, WORDS)
    assert (caught.value.column, caught.value.hint) == (column, hint)
    assert caught.value.allowed.startswith(allowed)


def test_overlong_texts_and_numbers_are_refused_at_once() -> None:
    with pytest.raises(ExpressionError, match="at most 2000 characters"):
        parse_rule("x" * (MAX_TEXT + 1), WORDS)
    with pytest.raises(ExpressionError, match="whole number from"):
        parse_conditions("payable > " + "9" * (MAX_TEXT - 10), WORDS)
    assert parse_conditions("payable > " + "0" * 1000 + "7", WORDS)[0].value == 7


CONDITIONS = st.builds(
    Condition,
    st.just(1),
    st.integers(0, 2),
    st.integers(0, len(OPERATORS) - 1),
    st.integers(*INT32),
) | st.builds(Condition, st.just(0), st.just(0), st.integers(0, 5), st.integers(*INT32))


@given(st.lists(CONDITIONS, min_size=1, max_size=4))
def test_conditions_round_trip(conditions: list[Condition]) -> None:
    assert parse_conditions(format_conditions(conditions, WORDS), WORDS) == conditions


FILTERS = st.builds(Condition, st.just(1), st.just(ITSELF), st.integers(0, 5), st.integers(*INT32))


@given(
    st.sampled_from([*WORDS.selectors]),
    st.lists(FILTERS, max_size=3),
    st.lists(CONDITIONS, max_size=3),
)
def test_rules_round_trip(
    selector: str, filters: list[Condition], conditions: list[Condition]
) -> None:
    rule = ParsedRule(selector, tuple(filters), tuple(conditions))
    assert parse_rule(format_rule(rule, WORDS), WORDS) == rule


@given(
    st.integers(*INT32),
    st.integers(0, 2),
    st.integers(0, 2),
    st.none() | st.sampled_from([(0, 0), (1, 2), (2, 1)]),
    st.lists(CONDITIONS, max_size=3),
)
def test_effects_round_trip(
    number: int, kind: int, word: int, per: tuple[int, int] | None, conditions: list[Condition]
) -> None:
    effect = ParsedEffect("gain", 1, (kind, number, word), per, tuple(conditions))
    assert parse_effect(format_effect(effect, PRIMITIVES, WORDS), PRIMITIVES, WORDS) == effect


PIECES = [
    "stone",
    "any",
    "draw",
    "if",
    "with",
    "and",
    "per",
    "owned",
    ".",
    "charm",
    "payable",
    "<",
    ">=",
]
ODD = ["-", "3", "-3", "99999999999", " ", "\n", "\x00", "＝", "石", "\ud800"]
HOSTILE = st.text(max_size=60) | st.lists(st.sampled_from([*PIECES, *ODD]), max_size=12).map(
    " ".join
)


@given(HOSTILE)
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (
        lambda: parse_rule(text, WORDS),
        lambda: parse_conditions(text, WORDS),
        lambda: parse_effect(text, PRIMITIVES, WORDS),
    ):
        fault: ExpressionError | None = None
        try:
            read()
        except ExpressionError as error:
            fault = error
        assert fault is None or (1 <= fault.column <= len(text) + 1 and str(fault))


def test_a_fault_is_an_input_error() -> None:
    assert issubclass(ExpressionError, InputError)
