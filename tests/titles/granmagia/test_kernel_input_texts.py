"""The kernel refuses texts, seals, powers and special victories that it could not read."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.errors import InputError
from sim.titles.granmagia import TITLE, load
from sim.titles.granmagia._kernel import play
from sim.titles.granmagia.info import DECISIONS
from sim.titles.granmagia.observe import OBSERVABLES
from sim.titles.granmagia.tables import EFFECT, KIND, RULES, SEAL, WITCH
from sim.titles.granmagia.words import PRIMITIVES

FOLDER = TITLE.data / "policies"


@pytest.fixture(scope="module")
def tables():
    return TITLE.compile(load())


@pytest.fixture
def call(tables):
    """Arguments of a call that is right; a test spoils one of them."""
    return {
        "tables": tables,
        "policies": load_policies(["engine", "random"], tables.words, FOLDER),
        "bans": np.zeros((2, 2), np.uint64),
        "key": make_key(1),
        "first_deal": 0,
        "lineups": np.array([[0, 1]], np.int16),
        "games_per_deal": 1,
        "out": allocate(TITLE.info, 3, 2),
    }


def refuse(call, match):
    """A call is refused, and nothing was played before that."""
    before = call["out"].games.tobytes(), call["out"].seats.tobytes()
    with pytest.raises(InputError, match=match):
        play(**call)
    assert (call["out"].games.tobytes(), call["out"].seats.tobytes()) == before


def changed(call, name, place, **values):
    """Put values into a record of one of the tables, and into no other."""
    array = getattr(call["tables"], name).copy()
    for field, value in values.items():
        array[field][place] = value
    call["tables"] = dataclasses.replace(call["tables"], **{name: array})


def test_a_right_call_is_played(call):
    assert play(**call) == (0, 3)


# Spans that lead past their array, or begin before it.
_SPANS = (
    ("kinds", "effect", "effects"),
    ("kinds", "turn", "effects"),
    ("kinds", "reward", "effects"),
    ("kinds", "need", "conds"),
    ("witches", "ability", "effects"),
    ("witches", "gift", "gifts"),
    ("witches", "note", "gifts"),
    ("seals", "effect", "effects"),
)


@pytest.mark.parametrize(("name", "span", "into"), _SPANS, ids=lambda word: word)
@pytest.mark.parametrize("record", [0, -1])
def test_spans_end_where_their_array_ends(call, name, span, into, record):
    end = len(getattr(call["tables"], into))
    signed = getattr(call["tables"], name).dtype[f"{span}_first"].kind == "i"
    kept = call["tables"]
    wrong = [(end, 1), (end - 1, 2), (0, end + 1), (end + 1, 0)]
    wrong += [(-1, 1), (0, -1), (-1, 0)] if signed else [(60_000, 1), (0, 65_535), (65_535, 2)]
    for first, count in wrong:
        call["tables"] = kept
        changed(call, name, record, **{f"{span}_first": first, f"{span}_count": count})
        refuse(call, f"tables.{name}, ")
    # A span that ends with its array is none of these.
    call["tables"] = kept
    changed(call, name, record, **{f"{span}_first": end, f"{span}_count": 0})
    assert play(**call) == (0, 3)


@pytest.mark.parametrize(
    ("name", "field", "values"),
    [
        ("rules", "seals", (-1, 0, 2, 4, 17)),
        ("rules", "doll_gold", (-1, 100)),
        ("rules", "barrier_casts", (-1, 100)),
        ("kinds", "gives", (-2, 1_000)),
        ("kinds", "gives_every", (0, -1, 100)),
        ("effects", "op", (-1, len(PRIMITIVES))),
        ("effects", "amount", (-100, 100)),
        ("effects", "per_observable", (-2, len(OBSERVABLES))),
        ("effects", "cond_first", (-1, 30_000)),
        ("effects", "cond_count", (-1, 30_000)),
        *(
            ("witches", power, (-1, 100))
            for power in ("stone_gold", "extra_turn_gold", "curse_penalty", "arcana_discount")
        ),
        ("witches", "notes_as_arcana", (-1, 100)),
        ("witches", "tokens_for_truth", (-1, 100)),
        ("witches", "token_draw", (-1, 100)),
        ("witches", "rewards", (-1, 100)),
        ("witches", "victory", (-1, 10)),
        ("witches", "timing", (-1, 2)),
        ("witches", "truth", (-1, 1_000)),
        ("witches", "card", (-2, 1_000)),
        *(("witches", f"need{players}", (-1, 1_000)) for players in (2, 3, 4)),
        ("seals", "cost", (-10, 10)),
        ("seals", "group", (-1, 1_000)),
    ],
)
def test_numbers_out_of_range_are_refused(call, name, field, values):
    kept = call["tables"]
    records = {0, len(getattr(kept, name)) - 1}
    for value in values:
        for record in records:
            call["tables"] = kept
            changed(call, name, record, **{field: value})
            refuse(call, "found")


def test_every_field_of_the_structs_is_spoiled_here_or_beside():
    """A field that is added later has to be refused somewhere, too."""
    known = {
        "rules": {"seals", "doll_gold", "barrier_casts"},
        "kinds": {"turn_first", "turn_count", "reward_first", "reward_count", "need_first"}
        | {"need_count", "gives", "gives_every"},
    }
    assert known["rules"] <= set(RULES.names)
    assert known["kinds"] <= set(KIND.names)
    assert set(WITCH.names) == {
        *("cost", "enabled", "gift_first", "gift_count", "note_first", "note_count"),
        *("ability_first", "ability_count", "stone_gold", "extra_turn_gold", "curse_penalty"),
        *("arcana_discount", "notes_as_arcana", "tokens_for_truth", "token_draw", "rewards"),
        *("victory", "truth", "timing", "card", "need2", "need3", "need4"),
    }
    assert set(SEAL.names) == {"cost", "group", "effect_first", "effect_count"}
    assert len(EFFECT.names) == 8


def number(primitive):
    return [one.id for one in PRIMITIVES].index(primitive)


def test_a_seal_that_is_not_there_is_refused(call):
    rows = np.flatnonzero(call["tables"].effects["op"] == number("seal"))
    kept = call["tables"]
    for seal in (-1, len(kept.seals), 99):
        call["tables"] = kept
        changed(call, "effects", int(rows[0]), amount=seal)
        refuse(call, "seal: found")


def test_a_seal_without_a_pile_is_refused(call):
    words = call["tables"].words
    for group in ("rare", "familiar", "any_witch", "notes"):
        changed(call, "seals", 0, group=list(words.groups).index(group))
        refuse(call, "without a pile")


def test_a_group_without_codes_is_no_place_for_a_seal(call):
    groups = call["tables"].groups.copy()
    groups[int(call["tables"].seals["group"][0])] = 0
    call["tables"] = dataclasses.replace(call["tables"], groups=groups)
    refuse(call, "without a pile")


def test_no_seals_with_texts_that_place_them_are_refused(call):
    rules = call["tables"].rules.copy()
    rules["seals"] = 0
    call["tables"] = dataclasses.replace(
        call["tables"], rules=rules, seals=call["tables"].seals[:0].copy()
    )
    refuse(call, "seal")


def test_a_victory_by_uses_needs_its_card(call):
    witch = call["tables"].witch_names.index("ignis")
    changed(call, "witches", witch, card=-1)
    refuse(call, "card: found -1")


@pytest.mark.parametrize("name", ["seals", "witches", "kinds", "effects"])
def test_tables_of_another_layout_are_refused(call, name):
    array = getattr(call["tables"], name)
    for other in (None, array.tolist(), np.zeros(len(array), np.int64), np.repeat(array, 2)[::2]):
        call["tables"] = dataclasses.replace(call["tables"], **{name: other})
        refuse(call, f"tables.{name}: found")


@pytest.mark.parametrize("observable", ["uses", "own_field", "burned", "sealed", "price"])
def test_arguments_of_conditions_are_bounded(call, observable):
    refused_argument(call, observable, len(call["tables"].kinds))


@pytest.mark.parametrize("observable", ["witch_free", "witch_mine"])
def test_witches_of_conditions_are_bounded(call, observable):
    refused_argument(call, observable, len(call["tables"].witches))


def refused_argument(call, observable, count):
    """Conditions of texts, of casts, multipliers and policies all have the same bounds."""
    seen = [one.id for one in OBSERVABLES].index(observable)
    kept = call["tables"], call["policies"]
    for argument in (-1, count, 2**31 - 1):
        conds = kept[0].conds.copy()
        conds[-1, :2] = seen, argument
        call["tables"] = dataclasses.replace(kept[0], conds=conds)
        refuse(call, "argument: found")
        call["tables"] = kept[0]
        if argument < 2**15:
            changed(call, "effects", -1, per_observable=seen, per_argument=argument)
            refuse(call, "argument: found")
            call["tables"] = kept[0]
        rules = kept[1].conds.copy()
        rules[0, :2] = seen, argument
        call["policies"] = dataclasses.replace(kept[1], conds=rules)
        refuse(call, "argument: found")
        call["policies"] = kept[1]


def test_policies_without_the_new_decisions_are_refused(call):
    policies = call["policies"]
    for fewer in (7, len(DECISIONS) - 1):
        for name in ("spans", "weights"):
            array = getattr(policies, name)[:, :fewer].copy()
            call["policies"] = dataclasses.replace(policies, **{name: array})
            refuse(call, f"{name}: found shape")
