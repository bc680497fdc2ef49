"""The kernel refuses what it could not read, before it plays, and tells status codes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import Buffers
from sim.errors import STATUS, EngineError, InputError
from sim.titles.granmagia import TITLE, load
from sim.titles.granmagia._kernel import layout, play

INFO = TITLE.info
FOLDER = TITLE.data / "policies"


@pytest.fixture(scope="module")
def tables():
    return TITLE.compile(load())


@pytest.fixture(scope="module")
def policies(tables):
    return load_policies(["engine", "random", "truth_rush"], tables.words, FOLDER)


@pytest.fixture
def call(tables, policies):
    """Arguments of a call that is right; a test spoils one of them."""
    players, games = 3, 4
    out = allocate(
        INFO,
        games,
        players,
        kinds=len(tables.kinds),
        rounds=tables.rule["round_cap"],
        collect=("core", "cards", "series"),
    )
    return {
        "tables": tables,
        "policies": policies,
        "bans": np.zeros((players, 2), np.uint64),
        "key": make_key(1),
        "first_deal": 0,
        "lineups": np.array([[0, 1, 2]], np.int16),
        "games_per_deal": 1,
        "out": out,
    }


def refuse(call, match):
    """A call is refused, and nothing was played before that."""
    arrays = [call["out"].games, call["out"].seats]
    before = [array.tobytes() for array in arrays if array is not None]
    with pytest.raises(InputError, match=match):
        play(**call)
    assert [array.tobytes() for array in arrays if array is not None] == before


def test_a_right_call_is_played(call):
    assert play(**call) == (0, 4)
    assert (call["out"].seats["win60"].sum(axis=1) == 60).all()


def test_no_games_are_no_fault(call):
    call["out"] = allocate(INFO, 0, 3)
    assert play(**call) == (0, 0)


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("bans", np.zeros((2, 2), np.uint64), "bans: found shape"),
        ("bans", np.zeros((3, 1), np.uint64), "bans: found shape"),
        ("bans", np.zeros((3, 2), np.int64), "bans: found items"),
        ("bans", np.zeros((3, 4), np.uint64)[:, ::2], "bans: found a strided"),
        ("bans", [[0, 0]] * 3, "bans: found list"),
        ("bans", None, "bans: found NoneType"),
        ("key", np.zeros(3, np.uint64), "key: found shape"),
        ("key", np.zeros(2, np.int64), "key: found items"),
        ("first_deal", -1, "first_deal"),
        ("first_deal", 2**64 - 2, "first_deal"),
        ("first_deal", 2**64, "first_deal"),
        ("first_deal", 1.5, "first_deal"),
        ("first_deal", None, "first_deal"),
        ("games_per_deal", 0, "games_per_deal"),
        ("games_per_deal", "1", "games_per_deal"),
        ("lineups", np.array([[0, 1, 3]], np.int16), "lineups: found 3"),
        ("lineups", np.array([[0, -1, 2]], np.int16), "lineups: found -1"),
        ("lineups", np.array([[0, 1, 2]], np.int32), "lineups: found items"),
        ("lineups", np.array([0, 1, 2], np.int16), "lineups: found shape"),
        ("lineups", np.zeros((0, 3), np.int16), "lineups: found no row"),
        ("lineups", np.zeros((4, 1), np.int16), "lineups: found 1 seats"),
        ("lineups", np.zeros((4, 5), np.int16), "lineups: found 5 seats"),
        ("lineups", np.zeros((4, 2), np.int16), "bans: found shape"),
        ("lineups", np.zeros((4, 6), np.int16)[:, ::2], "lineups: found a strided"),
        ("tables", None, "tables: found NoneType"),
        ("policies", None, "policies: found NoneType"),
    ],
)
def test_a_wrong_argument_is_refused(call, name, value, match):
    call[name] = value
    refuse(call, match)


@pytest.mark.parametrize(
    ("name", "change", "match"),
    [
        ("games", lambda a: a["rounds"].copy(), "out.games: found items"),
        ("games", lambda a: a[:3].copy(), "out.seats: found shape"),
        ("games", lambda a: np.repeat(a, 2)[::2], "out.games: found a strided"),
        ("games", lambda a: None, "out.games: found NoneType"),
        ("seats", lambda a: a[:, :2].copy(), "out.seats: found shape"),
        (
            "seats",
            lambda a: np.zeros(a.shape, [*a.dtype.descr, ("x", "u1")]),
            "out.seats: found items",
        ),
        ("cards", lambda a: a[:, :, :-1].copy(), "out.cards: found shape"),
        ("cards", lambda a: a.astype(np.int16), "out.cards: found items"),
        ("series", lambda a: a[:, :, :10].copy(), "out.series: found 10 rounds"),
        ("series", lambda a: a.astype(np.int32), "out.series: found items"),
        ("series", lambda a: a[..., 0].copy(), "out.series: found shape"),
    ],
)
def test_wrong_buffers_are_refused(call, name, change, match):
    setattr(call["out"], name, change(getattr(call["out"], name)))
    refuse(call, match)


@pytest.mark.parametrize("name", ["games", "seats", "cards", "series"])
def test_read_only_buffers_are_refused(call, name):
    getattr(call["out"], name).flags.writeable = False
    refuse(call, f"out.{name}: found a read-only")


def test_buffers_that_are_none_are_refused(call):
    call["out"] = None
    with pytest.raises(InputError, match="out: found NoneType"):
        play(**call)
    call["out"] = Buffers(games=None, seats=None)
    with pytest.raises(InputError, match=r"out.games: found NoneType"):
        play(**call)


def spoiled(array, place, value, field=None):
    changed = array.copy()
    if field is None:
        changed[place] = value
    else:
        changed[field][place] = value
    return changed


@pytest.mark.parametrize(
    ("name", "field", "value", "match"),
    [
        ("rules", "kinds", 5, "kinds: found 5"),
        ("rules", "witches", 300, "witches: found 300"),
        ("rules", "options", 129, "options: found 129"),
        ("rules", "supply_kinds", 99, "supply_kinds: found 99"),
        ("rules", "rares_per_player", 60, "rares_per_player"),
        ("rules", "arcana_burn", -1, "arcana_burn: found -1"),
        ("rules", "discount", 100, "discount: found 100"),
        ("rules", "round_cap", 0, "round_cap: found 0"),
        ("rules", "round_cap", 200, "out.series: found 80 rounds"),
        ("kinds", "cost", 100, "cost: found 100"),
        ("kinds", "cost", -1, "cost: found -1"),
        ("kinds", "mana", 300, "mana: found 300"),
        ("kinds", "truth", -100, "truth: found -100"),
        ("kinds", "upgrade", 120, "upgrade: found 120"),
        ("kinds", "pile", -3, "pile: found -3"),
        ("kinds", "start", 249, "start: found 249"),
        ("kinds", "sort", 7, "sort: found 7"),
        ("kinds", "effect_count", 60000, "effects, count"),
        ("kinds", "effect_first", 60000, "effects, first"),
        ("effects", "op", 24, "op: found 24"),
        ("effects", "amount", 100, "amount: found 100"),
        ("effects", "group", 99, "group: found 99"),
        ("effects", "place", 2, "place: found 2"),
        ("effects", "per_observable", 54, "per, observable: found 54"),
        ("effects", "cond_first", -1, "conds, first: found -1"),
        ("effects", "cond_count", 99, "conds, count: found 99"),
        ("witches", "cost", 100, "cost: found 100"),
        ("witches", "gift_first", 99, "gifts, first: found 99"),
        ("witches", "note_count", 9, "note_gifts, (count|end): found"),
        ("witches", "ability_first", 9999, "ability, first: found 9999"),
        ("witches", "extra_turn_gold", -1, "extra_turn_gold: found -1"),
        ("witches", "curse_penalty", 100, "curse_penalty: found 100"),
        ("witches", "victory", 10, "victory: found 10"),
        ("witches", "timing", 2, "timing: found 2"),
        ("witches", "truth", -1, "truth: found -1"),
        ("witches", "need3", 1000, "need3: found 1000"),
        ("witches", "card", 127, "card: found 127"),
        ("kinds", "turn_count", 60000, "turn_start, count"),
        ("kinds", "reward_first", 60000, "reward, first"),
        ("kinds", "need_count", 60000, "needs, count"),
        ("kinds", "gives", 127, "gives: found 127"),
        ("kinds", "gives_every", 0, "gives_every: found 0"),
        ("seals", "cost", 10, "cost: found 10"),
        ("seals", "group", 99, "group: found 99"),
        ("seals", "effect_first", 9999, "effects, first: found 9999"),
        ("rules", "doll_gold", -1, "doll_gold: found -1"),
        ("rules", "barrier_casts", -1, "barrier_casts: found -1"),
        ("rules", "seals", 17, "seals: found 17"),
        ("gifts", None, 128, "gifts: found 128"),
        ("pool", None, 128, "pool: found 128"),
        ("rares", None, -1, "rares: found -1"),
        ("copies", None, 99, "magic deck"),
        ("coins", None, -1, "coins: found -1"),
        ("reversal", None, -1, "reversal: found -1"),
        ("conds", None, 99, "conds, observable: found 99"),
    ],
)
def test_tables_that_point_astray_are_refused(call, name, field, value, match):
    place = -1 if field is not None or name != "conds" else (0, 0)
    changed = spoiled(getattr(call["tables"], name), place, value, field)
    call["tables"] = dataclasses.replace(call["tables"], **{name: changed})
    refuse(call, match)


@pytest.mark.parametrize("name", ["rules", "kinds", "effects", "witches", "gifts", "groups"])
def test_tables_of_another_layout_are_refused(call, name):
    array = getattr(call["tables"], name)
    for changed in (array.tolist(), np.zeros(array.shape, np.float32), np.repeat(array, 2, 0)[::2]):
        if name != "rules" or not isinstance(changed, np.ndarray) or changed.dtype != array.dtype:
            call["tables"] = dataclasses.replace(call["tables"], **{name: changed})
            refuse(call, f"tables.{name}: found")


@pytest.mark.parametrize(
    ("name", "place", "value", "match"),
    [
        ("slip", 0, 10_001, "slip: found 10001"),
        ("slip", 0, -1, "slip: found -1"),
        ("spans", (0, 0, 0), 10**6, "spans, first"),
        ("spans", (0, 0, 1), 10**6, "spans, count"),
        ("rules", (0, 0), 10**6, "rules, selector"),
        ("rules", (0, 1), -1, "rules, first"),
        ("rules", (0, 2), 10**6, "rules, count"),
        ("filters", (0, 0), -1, "filters, first"),
        ("filters", (0, 1), 10**6, "filters, count"),
        ("conds", (0, 0), 54, "conds, observable"),
        ("conds", (0, 2), 6, "conds, operator"),
    ],
)
def test_policies_that_point_astray_are_refused(call, name, place, value, match):
    changed = spoiled(getattr(call["policies"], name), place, value)
    call["policies"] = dataclasses.replace(call["policies"], **{name: changed})
    refuse(call, match)


def test_arguments_of_conditions_are_bounded(call):
    table = call["policies"]
    owned = layout()["observables"]["owned"]
    row = next(row for row, cond in enumerate(table.conds) if cond[0] == owned and cond[1] >= 0)
    changed = spoiled(table.conds, (row, 1), len(call["tables"].kinds))
    call["policies"] = dataclasses.replace(table, conds=changed)
    refuse(call, "argument: found")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"stop": 3}, "stop: found 3"),
        ({"described": 500}, "described|filters, argument"),
        ({"single": np.zeros(9, np.uint8)}, "single: found shape"),
        ({"weights": np.zeros((3, 7, 64), np.int32)}, "weights: found shape"),
        ({"spans": np.zeros((3, 6, 2), np.int32)}, "spans: found shape"),
        ({"selectors": np.zeros((2, 3), np.uint64)}, "selectors: found shape"),
    ],
)
def test_policies_of_another_layout_are_refused(call, tmp_path, change, match):
    # A policy with a filter, so that what filters are asked about matters.
    path = tmp_path / "asks.toml"
    path.write_text(
        'label = { en = "A", ja = "A" }\nabout = "Asks."\n'
        '[acquire]\nrules = ["magic with field == 1"]\n'
    )
    table = load_policies([str(path)] * 3, call["tables"].words, FOLDER)
    call["policies"] = table
    assert play(**call) == (0, 4)
    call["policies"] = dataclasses.replace(table, **change)
    refuse(call, match)


# -- status codes --------------------------------------------------------------------------------


def told_by_reference(call, tables):
    """Play a call's games in the readable engine; return status and game of the one that stops."""
    for game in range(len(call["out"].games)):
        deal = call["first_deal"] + game // call["games_per_deal"]
        lineup = call["lineups"][game % len(call["lineups"])].tolist()
        try:
            TITLE.reference(tables, call["policies"], call["bans"], call["key"], deal, lineup)
        except EngineError as error:
            return error.code, game
    return 0, len(call["out"].games)


def set_up(call, overrides, policy, tmp_path, collect=("core",), games=4):
    """Make a call play under overrides, with one policy for all seats."""
    path = tmp_path / "takes.toml"
    path.write_text(policy, encoding="utf-8")
    tables = TITLE.compile(load(overrides=overrides))
    call["tables"] = tables
    call["policies"] = load_policies([str(path)] * 3, tables.words, FOLDER)
    kinds, rounds = len(tables.kinds), tables.rule["round_cap"]
    call["out"] = allocate(INFO, games, 3, kinds=kinds, rounds=rounds, collect=collect)


def stopped(call, overrides, policy, tmp_path, **settings):
    """Play under overrides with a policy that takes all it can; return the status."""
    set_up(call, overrides, policy, tmp_path, **settings)
    code, game = play(**call)
    assert code in STATUS
    assert 0 <= game < len(call["out"].games)
    # The readable engine stops in the same game, for the same reason.
    assert told_by_reference(call, call["tables"]) == (code, game)
    return code


TAKES = (
    'label = { en = "T", ja = "T" }\nabout = "Takes."\n'
    '[cast]\nrules = ["magic"]\n[acquire]\nrules = ["magic", "fragment"]\n'
)


def test_status_1_no_supply(call, tmp_path):
    overrides = ["supply.attempts=1"]
    assert stopped(call, overrides, TAKES, tmp_path) == 1


@pytest.mark.rule("GM-W11")
def test_status_2_too_many_cards(call, tmp_path):
    overrides = ["turn.acquisitions=9", "piles.fragment=-1", "field.end_kinds=0"]
    overrides += ["cards.stone.cost=99"]
    assert stopped(call, overrides, TAKES.replace('"magic", ', ""), tmp_path) == 2


@pytest.mark.rule("GM-W11")
def test_status_3_too_much_mana(call, tmp_path):
    texts = ", ".join(['"mana 99"', *['"mana 99 per mana"'] * 6])
    overrides = [f"cards.apprentice.effects=[{texts}]"]
    assert stopped(call, overrides, TAKES.replace('"magic"]', '"any"]'), tmp_path) == 3


@pytest.mark.rule("GM-W11")
def test_status_3_a_turn_that_wins_back_every_acquisition(call, tmp_path):
    """A seal gives it back and burns a card for the one that came: no deck grows, no turn ends."""
    overrides = ["piles.fragment=-1", "seals.plenty.cost=-3"]
    overrides += ['seals.plenty.effects=["acquisitions 1", "draw 1", "burn 1"]']
    overrides += ['cards.apprentice.effects=["seal plenty"]', "start.hand=10"]
    policy = TAKES.replace('rules = ["magic"]', 'rules = ["any"]\nweights = { stop = -1 }')
    policy = policy.replace('rules = ["magic", "fragment"]', 'rules = ["fragment"]')
    policy += '[seal]\nrules = ["fragment"]\n[burn]\nrules = ["fragment", "any"]\n'
    assert stopped(call, overrides, policy, tmp_path, games=1) == 3


@pytest.mark.rule("GM-W11")
def test_status_3_too_much_gold_spent(call, tmp_path):
    """Nine charms for 99 gold each in a turn, all burned in the next: no deck is that full."""
    overrides = ['cards.apprentice.effects=["gold 99 per pile.charm", "burn 99"]']
    overrides += ["start.deck.fragment=0", "start.deck.note=0", "cards.charm.cost=99"]
    overrides += ["turn.acquisitions=9", "turn.hand=20", "limits.round_cap=200"]
    policy = TAKES.replace('"magic", "fragment"', '"charm"').replace('"magic"]', '"any"]')
    assert stopped(call, overrides, policy, tmp_path) == 3


@pytest.mark.rule("GM-W11")
def test_status_3_too_many_draws_of_a_kind(call, tmp_path):
    """Notes that draw and discard whole decks of fragments: too much for the cards group only."""
    texts = ", ".join(['"casts 1"', *['"draw 99"', '"discard 99"'] * 7, '"draw 99"'])
    overrides = [f"cards.note.effects=[{texts}]", "limits.round_cap=24"]
    overrides += ["start.deck.note=20", "start.deck.fragment=20"]
    policy = (
        'label = { en = "D", ja = "D" }\nabout = "Draws."\n'
        '[cast]\nrules = ["any"]\n[discard]\nrules = ["fragment", "any"]\n'
    )
    collect = ("core", "cards")
    assert stopped(call, overrides, policy, tmp_path, collect=collect, games=1) == 3
    set_up(call, overrides, policy, tmp_path, games=1)
    assert play(**call) == (0, 1)


@pytest.mark.rule("GM-W11")
def test_a_stopped_game_does_not_play_its_turn_to_the_end(call, tmp_path):
    """With a thousand million free acquisitions left that would take minutes."""
    texts = ", ".join(['"mana 99"', *['"acquisitions 99 per mana"'] * 2, '"mana 99 per mana"'])
    more = ", ".join(['"acquisitions 99 per acquisitions"'] * 3)
    overrides = [f"cards.apprentice.effects=[{texts}, {more}]", "piles.fragment=-1"]
    policy = TAKES.replace('"magic", "fragment"', '"fragment"').replace('"magic"]', '"any"]')
    assert stopped(call, overrides, policy, tmp_path) == 3


def test_every_status_code_of_a_game_is_provoked():
    provoked = {name.split("_")[2] for name in globals() if name.startswith("test_status_")}
    # Code 4, a wrong layout, is an InputError here: no game is begun.
    assert {int(code) for code in provoked} == set(STATUS) - {4}
