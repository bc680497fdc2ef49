"""The kernel refuses what could lead it astray, and plays all that the checks of data let pass."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS
from sim.errors import InputError
from sim.titles.wizard import DATA, TITLE, load
from sim.titles.wizard.faces import FAR
from sim.titles.wizard.kernel_input import MOST_CASTS
from sim.titles.wizard.schema import SEA

TABLES = TITLE.compile(load())
POLICIES = load_policies(["fight_everything"], TABLES.words, DATA / "policies")
ARRAYS = (
    *("rules", "enemies", "ap", "ways", "spells", "casts", "cast_spans"),
    *("hexes", "beside", "distances", "blocks", "colours"),
)


def played(tables, *, policies=POLICIES, kinds=None):
    out = allocate(TITLE.info, 2, 1, kinds=kinds or len(TABLES.kinds), collect=("core", "cards"))
    bans, lineups = np.zeros((1, MASK_WORDS), np.uint64), np.zeros((1, 1), np.int16)
    return TITLE.play(tables, policies, bans, make_key(1), 0, lineups, 1, out)


def changed(table: str, field: str | None, value: int, at: object = 0):
    array = getattr(TABLES, table).copy()
    place = (0,) * array.ndim if at == 0 else at
    if field is None:
        array[place] = value
    else:
        array[field][place] = value
    return replace(TABLES, **{table: array})


def words_with(stop: int):
    """Return what the kernel asks of words, with another code of stop."""
    words = TABLES.words
    return SimpleNamespace(stop=stop, observables=words.observables, arguments=words.arguments)


def hex_of(name: str) -> int:
    return TABLES.hex_names.index(name)


WRONG = [
    *(
        ("rules", name, value)
        for name, values in {
            "start_lp": (0, 100),
            "start_cards": (-1, 11),
            "most_lp": (0, 100),
            "after_loss": (0, 100),
            "deck_chosen": (-1, 2),
            "deck_least": (2, 8),
            "most_drawn": (0, 5),
            "left": (-1, 3),
            "draw_cost": (-1, 21),
            "sea_cost": (-1, 21),
            "round_cap": (0, 201),
            "battle_cap": (0, 201),
            "kinds": (23, 25),
            "first_draw": (29, 31),
            "first_way": (33, 35),
            "first_spell": (43, 45),
            "first_feature": (54, 56),
            "king": (-1, 11),
            "start_hex": (-1, 44),
            "castle_hex": (-1, 44),
        }.items()
        for value in values
    ),
    *(
        ("enemies", name, value)
        for name, values in {
            "lp": (0, 41),
            "sort": (-1, 3),
            "block_red": (-1, 21),
            "block_green": (-1, 21),
            "block_blue": (-1, 21),
            "family": (-1, 25),
            "recover": (-1, 21),
            "mend": (-1, 21),
        }.items()
        for value in values
    ),
    *(
        ("ways", name, value)
        for name, values in {
            "kind": (7, 13),
            "family": (-1, 25),
            **dict.fromkeys(("power_red", "power_green", "power_blue"), (-1, 21)),
            **dict.fromkeys(("start_damage", "turn_damage", "guard", "recover", "sea"), (-1, 21)),
        }.items()
        for value in values
    ),
    *(("spells", "heal", value) for value in (-1, 21)),
    *(
        ("casts", name, value)
        for name in ("power_red", "power_green", "power_blue", "heal")
        for value in (-1, 141)
    ),
    ("casts", "spells", 1 << 11),
    *(("ap", None, value) for value in (-1, 21)),
    *(("colours", None, value) for value in (-1, 2)),
    *(("blocks", None, value) for value in (-1, 21)),
    *(("distances", None, value) for value in (-1, FAR + 1)),
    *(("beside", None, value) for value in (-2, 44)),
    *(("cast_spans", None, value) for value in (-1, len(TABLES.casts))),
    *(
        ("hexes", name, value)
        for name, values in {
            "terrain": (-1, 7),
            "cost": (-1, 21),
            "recover": (-1, 21),
            "place": (-2, 8),
        }.items()
        for value in values
    ),
]


@pytest.mark.parametrize(("table", "field", "value"), WRONG)
def test_arrays_that_do_not_fit_are_refused(table, field, value):
    found = rf"tables\.{table}(, {field})?.*: found {value}; allowed: "
    if table == "cast_spans":
        found = r"tables\.cast_spans, "
    with pytest.raises(InputError, match=found):
        played(changed(table, field, value))


@pytest.mark.parametrize("count", [0, MOST_CASTS + 1])
def test_numbers_of_sets_of_spells_that_have_no_room_are_refused(count):
    casts = np.zeros(400, TABLES.casts.dtype)
    spans = np.zeros_like(TABLES.cast_spans)
    spans[..., 1] = 1
    spans[1, 5] = 0, count
    with pytest.raises(InputError, match=rf"count: found {count}; allowed: 1 to {MOST_CASTS}"):
        played(replace(TABLES, casts=casts, cast_spans=spans))


def test_sets_of_spells_that_cannot_be_told_apart_are_refused():
    """The kernel would name spells for ever."""
    casts = TABLES.casts.copy()
    first, count = next(span for span in TABLES.cast_spans[1].tolist() if span[1] > 1)
    casts["spells"][first + count - 1] = casts["spells"][first]
    with pytest.raises(InputError, match=r"tables\.casts, spells: found a set twice"):
        played(replace(TABLES, casts=casts))


@pytest.mark.parametrize("table", ARRAYS)
def test_other_layouts_are_refused(table):
    array = getattr(TABLES, table)
    wrongs = [np.zeros((3, 3, 3), np.float64), array[..., None], array.tolist()]
    if len(array) > 1:
        wrongs.append(np.repeat(array, 2, axis=-1)[..., ::2])
    for wrong in wrongs:
        with pytest.raises(InputError, match=rf"tables\.{table}: found "):
            played(replace(TABLES, **{table: wrong}))


@pytest.mark.parametrize(
    ("table", "count", "allowed"),
    [
        ("enemies", 25, "1 to 24"),
        ("ways", 4, "5 to 10"),
        ("ways", 11, "5 to 10"),
        ("hexes", 1, "2 to 64"),
        ("hexes", 65, "2 to 64"),
        ("spells", 17, "0 to 16"),
    ],
)
def test_more_or_fewer_things_than_there_is_room_for_are_refused(table, count, allowed):
    more = {table: np.resize(getattr(TABLES, table), count)}
    if table == "enemies":
        more["ap"] = np.resize(TABLES.ap, (count, TABLES.ap.shape[1]))
    if table == "hexes":
        more["beside"] = np.full((count, 6), -1, np.int16)
        more["distances"] = np.zeros((2, count, count), np.int32)
    with pytest.raises(InputError, match=rf"tables\.{table}: found {count}; allowed: {allowed}"):
        played(replace(TABLES, **more))


def test_arrays_by_enemy_and_by_hex_have_as_many_rows():
    for table in ("ap", "beside", "distances"):
        array = np.ascontiguousarray(getattr(TABLES, table)[..., :-1, :])
        with pytest.raises(InputError, match=rf"tables\.{table}: found shape"):
            played(replace(TABLES, **{table: array}))


def test_each_place_has_an_enemy_of_its_colour():
    with pytest.raises(InputError, match=r"found 4 yellow ones; allowed: 8 or more"):
        played(replace(TABLES, colours=np.zeros_like(TABLES.colours)))
    with pytest.raises(InputError, match=r"found 6 red ones; allowed: 8 or more"):
        played(replace(TABLES, colours=np.ones_like(TABLES.colours)))


def test_each_companion_has_a_way_up():
    ways = TABLES.ways.copy()
    ways["kind"][ways["kind"] == 10] = 11
    with pytest.raises(InputError, match=r"tables\.ways, kind: found none of 10"):
        played(replace(TABLES, ways=ways))


def test_the_codes_of_the_words_are_those_of_the_arrays():
    with pytest.raises(InputError, match=r"tables\.words, stop: found 60; allowed: 61"):
        played(replace(TABLES, words=words_with(60)))


def test_other_things_are_refused():
    with pytest.raises(InputError, match="tables: found SimpleNamespace; allowed: Tables"):
        played(SimpleNamespace())
    with pytest.raises(InputError, match="policies: found dict; allowed: a PolicyTable"):
        played(TABLES, policies={})
    with pytest.raises(InputError, match=r"out\.cards: found shape"):
        played(TABLES, kinds=23)


def test_kinds_are_counted_by_the_rules_and_not_by_their_names():
    names = replace(TABLES, kind_names=TABLES.kind_names[:5])
    with pytest.raises(InputError, match=r"out\.cards: found shape"):
        played(names, kinds=5)
    assert played(names) == (0, 2)


def test_policies_that_cannot_decline_are_refused():
    with pytest.raises(InputError, match=r"policies\.stop: found -1"):
        played(TABLES, policies=replace(POLICIES, stop=-1))


# -- the map: there must always be a move --------------------------------------------------------


def cut_off(name: str, terrain: str | None = None):
    """Return the tables with a hex at which only sea lies, or that is sea itself."""
    hexes, here = TABLES.hexes.copy(), hex_of(name)
    if terrain == "sea":
        hexes["terrain"][here] = SEA
    else:
        around = TABLES.beside[here]
        hexes["terrain"][around[around >= 0]] = SEA
        hexes["place"][around[around >= 0]] = -1
    return replace(TABLES, hexes=hexes)


@pytest.mark.parametrize("name", ["c0", "a2", "e14"])
def test_where_the_wizard_starts_or_fights_there_is_land(name):
    for terrain in (None, "sea"):
        found = rf"found no land at or beside hex {hex_of(name)};"
        with pytest.raises(InputError, match=found):
            played(cut_off(name, terrain))


@pytest.mark.parametrize("name", ["c8", "b15"])
def test_other_hexes_may_lie_in_the_sea(name):
    """Who came across the sea can go back across it."""
    assert played(cut_off(name)) == (0, 2)


def test_each_step_can_be_taken_back():
    for name, direction in (("c0", 0), ("c8", 3)):
        here = hex_of(name)
        assert TABLES.beside[here, direction] >= 0
        for value in (-1, hex_of("a16")):
            with pytest.raises(InputError, match="found no way back to hex"):
                played(changed("beside", None, value, (here, direction)))


# -- what is not refused -------------------------------------------------------------------------


def test_as_many_sets_of_spells_as_there_can_be_are_played():
    """One part for four spells, four for three each: no set of five beats another."""
    parts = [part for part in range(5) for _ in range(3 + (part == 0))]
    spells = np.zeros(16, TABLES.spells.dtype)
    rules = TABLES.rules.copy()
    rules["first_feature"] += 5
    rules["start_cards"] = 10
    sets = [[]]
    for part in range(5):
        sets = [[*one, n] for one in sets for n in range(16) if parts[n] == part]
    assert len(sets) == MOST_CASTS
    casts = np.zeros(MOST_CASTS, TABLES.casts.dtype)
    casts["spells"] = [sum(1 << n for n in one) for one in sets]
    spans = np.zeros_like(TABLES.cast_spans)
    spans[..., 1] = MOST_CASTS
    words = words_with(TABLES.words.stop + 5)
    tables = replace(TABLES, spells=spells, casts=casts, cast_spans=spans, rules=rules, words=words)
    policies = replace(POLICIES, slip=np.array([10_000], np.int32), stop=words.stop)
    assert played(tables, policies=policies) == (0, 2)


def test_right_ones_are_played():
    assert played(TABLES) == (0, 2)
