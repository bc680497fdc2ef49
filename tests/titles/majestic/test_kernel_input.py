"""The kernel refuses what could lead it astray."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate, record_dtype
from sim.core.title import MASK_WORDS
from sim.errors import InputError
from sim.titles.majestic import DATA, TITLE
from sim.titles.majestic.primitives import PRIMITIVES
from sim.titles.majestic.tables import EFFECT, KIND, MANA, RULES, SORCERER, TEXT
from tests.titles.majestic.staging import made

RULESET = made()
TABLES = TITLE.compile(RULESET)
POLICIES = load_policies(
    ["midrange:ember_rush"], TABLES.words, DATA / "policies", loadouts=TITLE.loadouts(RULESET)
)

ARRAYS = (
    *("rules", "kinds", "mana_kinds", "sorcerers", "texts", "sums", "effects", "conds"),
    *("deck_main", "deck_mana", "deck_sorcerers", "compositions", "groups"),
)


def played(tables, policies=POLICIES):
    out = allocate(TITLE.info, 2, 2, kinds=len(TABLES.kinds), rounds=TABLES.rule["round_cap"])
    bans, lineups = np.zeros((2, MASK_WORDS), np.uint64), np.zeros((1, 2), np.int16)
    return TITLE.play(tables, policies, bans, make_key(1), 0, lineups, 1, out)


def changed(table: str, field: str | None, value: int, row: int = 0):
    array = getattr(TABLES, table).copy()
    if field is None:
        array.flat[row] = value
    else:
        array[field][row] = value
    return replace(TABLES, **{table: array})


WRONG = [
    ("rules", "kinds", 12),
    ("rules", "hand", 0),
    ("rules", "hand", 9),
    ("rules", "redraws", 2),
    ("rules", "lp", 0),
    ("rules", "lp", 8),
    ("rules", "draw", -1),
    ("rules", "first_draw", 6),
    ("rules", "mana_draw", 0),
    ("rules", "hand_limit", -1),
    ("rules", "area_limit", 13),
    ("rules", "round_cap", 0),
    ("rules", "round_cap", 100),
    ("rules", "acts_cap", 0),
    ("kinds", "attribute", 4),
    ("kinds", "sort", 2),
    ("kinds", "keywords", 32),
    ("kinds", "cost", 21),
    ("kinds", "ap", -1),
    ("kinds", "dp", 21),
    ("kinds", "text", -1),
    ("kinds", "text", 999),
    ("kinds", "ability", -2),
    ("kinds", "ability", 999),
    ("mana_kinds", "attribute", 4),
    ("mana_kinds", "text", -2),
    ("mana_kinds", "text", 999),
    ("sorcerers", "attribute", -1),
    ("sorcerers", "text", -1),
    ("sorcerers", "text", 999),
    ("texts", "target", 4),
    ("texts", "attribute", 4),
    ("texts", "cost", 21),
    ("texts", "down", 2),
    ("texts", "where_first", -1),
    ("texts", "where_count", 999),
    ("texts", "needs_first", 999),
    ("texts", "needs_count", -1),
    ("texts", "effect_first", -1),
    ("texts", "effect_count", 999),
    ("sums", None, 241),
    ("sums", None, -241),
    ("effects", "op", len(PRIMITIVES)),
    ("effects", "first", 7),
    ("effects", "second", 5),
    ("effects", "amount", 41),
    ("effects", "amount", -41),
    ("effects", "per_observable", 99),
    ("effects", "per_observable", -2),
    ("effects", "cond_first", 999),
    ("effects", "cond_count", -1),
    ("conds", None, 99),
    ("deck_main", None, -1),
    ("deck_main", None, 61),
    ("deck_mana", None, 41),
    ("deck_sorcerers", None, 99),
    ("compositions", None, -1),
]


@pytest.mark.parametrize(("table", "field", "value"), WRONG)
def test_arrays_that_do_not_fit_are_refused(table, field, value):
    with pytest.raises(InputError, match=f"tables.{table}"):
        played(changed(table, field, value))


@pytest.mark.parametrize("name", [name for name in RULES.names if name != "kinds"])
def test_every_number_of_the_rules_has_bounds(name):
    for value in (-(2**31), 2**31 - 1):
        with pytest.raises(InputError, match=f"tables.rules, {name}"):
            played(changed("rules", name, value))


@pytest.mark.parametrize("table", ARRAYS)
def test_other_layouts_are_refused(table):
    with pytest.raises(InputError, match=f"tables.{table}: found items"):
        played(replace(TABLES, **{table: np.zeros((3, 3, 3), np.float64)}))


@pytest.mark.parametrize("table", ARRAYS)
def test_other_shapes_are_refused(table):
    array = getattr(TABLES, table)
    with pytest.raises(InputError, match=f"tables.{table}: found shape"):
        played(replace(TABLES, **{table: array[..., None].copy()}))


@pytest.mark.parametrize("table", ["kinds", "mana_kinds", "sorcerers", "deck_main"])
def test_nothing_is_too_few(table):
    """Without kinds, mana, sorcerers or decks there is nothing to play with."""
    none = {table: getattr(TABLES, table)[:0].copy()}
    if table == "kinds":
        none["deck_main"] = TABLES.deck_main[:, :0].copy()
    elif table == "mana_kinds":
        none["deck_mana"] = TABLES.deck_mana[:, :0].copy()
    elif table == "deck_main":
        others = ("deck_mana", "deck_sorcerers", "compositions")
        none |= {name: getattr(TABLES, name)[:0].copy() for name in others}
    with pytest.raises(InputError, match=rf"tables\.{table}: found 0.*; allowed: 1 to"):
        played(replace(TABLES, **none))


@pytest.mark.parametrize("table", ["kinds", "mana_kinds", "sorcerers", "deck_main"])
def test_more_than_the_numbers_hold_are_refused(table):
    def many(array):
        return np.ascontiguousarray(np.concatenate([array] * 300))

    more = {table: many(getattr(TABLES, table))}
    if table == "kinds":
        more["deck_main"] = np.ascontiguousarray(np.tile(TABLES.deck_main, 300))
    elif table == "mana_kinds":
        more["deck_mana"] = np.ascontiguousarray(np.tile(TABLES.deck_mana, 300))
    elif table == "deck_main":
        others = ("deck_mana", "deck_sorcerers", "compositions")
        more |= {name: many(getattr(TABLES, name)) for name in others}
    with pytest.raises(InputError, match=rf"tables\.{table}: found [0-9]+.*; allowed: 1 to"):
        played(replace(TABLES, **more))


@pytest.mark.parametrize(("table", "cards"), [("deck_main", 9), ("deck_main", 61)])
def test_decks_of_other_sizes_are_refused(table, cards):
    copies = getattr(TABLES, table).copy()
    copies[1] = 0
    copies[1, 3] = cards - 1
    copies[1, 4] = 1
    with pytest.raises(InputError, match=rf"tables\.{table}, cards: found {cards};"):
        played(replace(TABLES, **{table: copies}))


@pytest.mark.parametrize("cards", [7, 41])
def test_mana_decks_of_other_sizes_are_refused(cards):
    copies = TABLES.deck_mana.copy()
    copies[0] = 0
    copies[0, 0], copies[0, 1] = cards - 1, 1
    with pytest.raises(InputError, match=rf"tables\.deck_mana, cards: found {cards};"):
        played(replace(TABLES, deck_mana=copies))


def test_words_of_effects_are_those_of_their_primitive():
    """A word that another primitive has is refused: it would be read as something else."""
    draw = next(number for number, one in enumerate(PRIMITIVES) if one.id == "draw")
    row = int(np.flatnonzero(TABLES.effects["op"] == draw)[0])
    with pytest.raises(InputError, match=rf"effects, first: found 3 in row {row}; allowed: 0 to 2"):
        played(changed("effects", "first", 3, row))
    with pytest.raises(
        InputError, match=rf"effects, second: found 1 in row {row}; allowed: 0 to 0"
    ):
        played(changed("effects", "second", 1, row))


def test_what_multiplies_must_be_there():
    effects = TABLES.effects.copy()
    effects["per_observable"][0], effects["per_argument"][0] = 6, 4  # mana_of, no such attribute
    with pytest.raises(InputError, match=r"tables\.effects, per, argument: found 4"):
        played(replace(TABLES, effects=effects))


def test_tables_of_other_titles_are_refused():
    with pytest.raises(InputError, match="tables: found dict; allowed: Tables"):
        played({})


def test_policies_without_a_deck_are_refused():
    bare = replace(POLICIES, loadout=np.full_like(POLICIES.loadout, -1))
    with pytest.raises(InputError, match=r"policies\.loadout"):
        played(TABLES, bare)


def test_right_ones_are_played():
    assert played(TABLES) == (0, 2)


def test_structs_are_twins():
    from sim.titles.majestic._kernel import layout

    twins = {"rules": RULES, "kind": KIND, "mana": MANA, "sorcerer": SORCERER}
    twins |= {"text": TEXT, "effect": EFFECT}
    twins |= {level: record_dtype(TITLE.info, level) for level in ("game", "seat")}
    compiled = layout()
    assert set(compiled) == set(twins)
    for name, declared in twins.items():
        assert compiled[name].itemsize == declared.itemsize
        assert compiled[name].names == declared.names
        offsets = {field: where[:2] for field, where in declared.fields.items()}
        assert {field: where[:2] for field, where in compiled[name].fields.items()} == offsets
