"""The reference engine as a whole: games, records, trace, policies, refused input."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import NO_VALUE, record_dtype
from sim.errors import DataError, EngineError, InputError, UnknownNameError
from sim.titles import TITLES, load
from sim.titles.granmagia import TITLE, from_position, new_game
from sim.titles.granmagia.info import ROUND_CAP, SPECIAL
from sim.titles.granmagia.reference import Game, reference
from sim.titles.granmagia.supply import CHANCE_UNIT, draw_kinds
from sim.titles.granmagia.tables import Flag, Tables
from sim.titles.granmagia.telling import tell
from sim.titles.granmagia.words import PRIMITIVES
from tests.budget import assert_rate

POLICIES = ("big_stones", "truth_rush", "engine", "random")
LINEUPS = (
    ("big_stones", "engine"),
    ("random", "truth_rush@0.2"),
    ("engine", "random", "big_stones"),
    ("truth_rush", "big_stones@0.05", "random", "engine"),
)

#: A small world of cards in which random games reach everything that there is.
EVERYTHING = Path(__file__).with_name("everything.toml")


@pytest.fixture(scope="module")
def tables() -> Tables:
    compiled: Tables = TITLE.compile(TITLE.load())
    return compiled


@pytest.fixture(scope="module")
def everything() -> Tables:
    compiled: Tables = TITLE.compile(TITLE.load(overlays=[EVERYTHING]))
    return compiled


def played(tables: Tables, lineup: tuple[Any, ...], deal: int, **more: Any) -> Any:
    names = [entry for entry in lineup if isinstance(entry, str)]
    policies = load_policies(names, tables.words, TITLE.data / "policies")
    places = iter(range(len(names)))
    entries = [next(places) if isinstance(entry, str) else entry for entry in lineup]
    bans = more.pop("bans", np.zeros((len(lineup), 2), np.uint64))
    return reference(tables, policies, bans, make_key(7), deal, entries, **more)


# -- the outsider ---------------------------------------------------------------------------------


class Outsider:
    """Rebuilds every zone from the trace alone, and complains about anything impossible."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        first = events[0]
        assert first["event"] == "setup"
        self.zones: dict[tuple[str, int | None], list[tuple[str, int]]] = defaultdict(list)
        self.zones["magic_deck", None] = [tuple(card) for card in first["magic_deck"]]
        self.resources: dict[tuple[Any, ...], int] = defaultdict(int)
        self.piles = dict(first["piles"])
        self.witches = set(first["witches"])
        for number, seat in enumerate(first["seats"], 1):
            for zone in ("deck", "hand", "discard", "play", "own"):
                self.zones[zone, number] = [tuple(card) for card in seat[zone]]
            for what in ("silver", "gold", "tokens", "barriers", "rewards"):
                self.resources[what, number] = seat[what]
        self.sealed: dict[str, str] = {}
        self.seen = {card for cards in self.zones.values() for card in cards}
        for n, event in enumerate(events):
            assert event["n"] == n
            getattr(self, f"on_{event['event']}")(event)

    def key(self, zone: str, owner: int | None) -> tuple[str, int | None]:
        shared = ("field", "magic_deck", "burned", "removed")
        return zone, None if zone in shared else owner

    def on_move(self, event: dict[str, Any]) -> None:
        card = (event["card"], event["copy"])
        if event["from"] == "pile":
            assert card not in self.seen
            self.seen.add(card)
            if card[0] in self.piles and self.piles[card[0]] >= 0:
                self.piles[card[0]] -= 1
                assert self.piles[card[0]] >= 0
        elif event["from"] == "witches":
            self.witches.remove(event["card"])
        else:
            owner = event.get("giver", event["owner"])
            source = self.zones[self.key(event["from"], owner)]
            assert card in source, event
            source.remove(card)
        self.zones[self.key(event["to"], event["owner"])].append(card)

    def on_shuffle(self, event: dict[str, Any]) -> None:
        owner = event["owner"]
        assert not self.zones["deck", owner]
        assert len(self.zones["discard", owner]) == event["cards"]
        self.zones["deck", owner] = self.zones["discard", owner]
        self.zones["discard", owner] = []

    def on_change(self, event: dict[str, Any]) -> None:
        key = event["what"], event["owner"], *([event["card"]] if "card" in event else [])
        self.resources[key] += event["by"]
        assert self.resources[key] == event["now"] >= 0
        assert event["by"] != 0

    def on_choose(self, event: dict[str, Any]) -> None:
        assert event["choice"] in event["options"]
        assert len(event["options"]) >= 2

    def on_setup(self, event: dict[str, Any]) -> None:
        assert event["n"] == 0

    def on_state(self, event: dict[str, Any]) -> None:
        if event["what"] == "looked":
            deck = Counter(kind for kind, _ in self.zones["deck", event["owner"]])
            assert not Counter(event["cards"]) - deck
        if event["what"] == "sealed":
            assert self.sealed.get(event["seal"]) == event["was"]
            self.sealed[event["seal"]] = event["pile"]

    def on_end(self, event: dict[str, Any]) -> None:
        assert sum(event["win60"]) == 60


@pytest.mark.parametrize("world", ["tables", "everything"])
@pytest.mark.parametrize("lineup", LINEUPS, ids=lambda lineup: "-".join(lineup))
def test_trace_alone_rebuilds_every_zone(
    lineup: tuple[str, ...], world: str, request: pytest.FixtureRequest
) -> None:
    tables: Tables = request.getfixturevalue(world)
    for deal in range(6):
        policies = load_policies(lineup, tables.words, TITLE.data / "policies")
        game = Game(tables, policies, None, make_key(7), deal, range(len(lineup)), trace=True)
        game.set_up()
        game.play()
        assert game.story is not None
        told = Outsider(game.story.events)
        names = tables.words.options

        def listed(cards: Any, names: tuple[str, ...] = names) -> list[tuple[str, int]]:
            return [(names[card.kind], card.copy) for card in cards]

        for number, seat in enumerate(game.seats, 1):
            own = told.zones["own", number]
            if seat.witch >= 0:
                own.remove((tables.witch_names[seat.witch], 1))
            for zone in ("hand", "discard", "play", "own"):
                assert told.zones[zone, number] == listed(getattr(seat, zone))
            assert sorted(told.zones["deck", number]) == sorted(listed(seat.deck.cards))
            for what in ("gold", "tokens", "barriers", "rewards", "arcana_taken"):
                assert told.resources[what, number] == getattr(seat, what)
            assert told.resources["kinds_cast", number] == len(seat.kinds_cast)
            for kind, times in seat.uses.items():
                assert told.resources["uses", number, names[kind]] == times
        for seal, pile in told.sealed.items():
            assert names[game.seal_piles[tables.seal_names.index(seal)]] == pile
        assert told.zones["burned", None] == listed(game.burned)
        assert told.zones["removed", None] == listed(game.removed)
        shown = [card for cards in game.field.values() for card in listed(cards)]
        assert sorted(told.zones["field", None]) == sorted(shown)
        assert len(told.zones["magic_deck", None]) == len(game.magic_deck.cards)
        for name, left in told.piles.items():
            assert left == game.piles[tables.kind_names.index(name)]


def test_tracing_changes_nothing_and_every_event_can_be_told(tables: Tables) -> None:
    for lineup in LINEUPS:
        silent, told = (played(tables, lineup, 5, trace=trace) for trace in (False, True))
        assert (silent.game, silent.seats) == (told.game, told.seats)
        assert np.array_equal(silent.cards, told.cards)
        assert np.array_equal(silent.series, told.series)
        assert not silent.trace
        for event in told.trace:
            english, japanese = tell(event, "en"), tell(event, "ja")
            assert english != japanese
            assert english.isascii() or "É" in english
            assert "{" not in english + japanese
    assert {event["event"] for event in told.trace} >= {"setup", "move", "shuffle", "end"}


# -- records --------------------------------------------------------------------------------------


@pytest.mark.parametrize("world", ["tables", "everything"])
@pytest.mark.parametrize("lineup", LINEUPS, ids=lambda lineup: "-".join(lineup))
def test_records_have_the_declared_columns_and_agree_with_each_other(
    lineup: tuple[str, ...], world: str, request: pytest.FixtureRequest
) -> None:
    tables: Tables = request.getfixturevalue(world)
    info = TITLE.info
    for deal in range(6):
        result = played(tables, lineup, deal)
        assert tuple(result.game) == record_dtype(info, "game").names
        assert sum(seat["win60"] for seat in result.seats) == 60
        for level, records in (("game", [result.game]), ("seat", result.seats)):
            dtype = record_dtype(info, level)  # type: ignore[arg-type]
            for record in records:
                assert tuple(record) == dtype.names
                row = np.zeros((), dtype)
                for name, value in record.items():
                    row[name] = value
                    assert int(row[name]) == value
        owned, series = result.cards[..., 4], result.series[..., 0]
        for number, seat in enumerate(result.seats):
            assert info.score_range[0] <= seat["score"] <= info.score_range[1]
            assert seat["score"] == sum(seat[c.name] for c in info.columns if c.role == "source")
            assert owned[number].sum() == seat["deck_size"]
            assert series[number, result.game["rounds"] - 1] == seat["score"]
            assert (series[number, result.game["rounds"] :] == NO_VALUE).all()
            assert (seat["witch"] > 0) == (seat["contract_round"] > 0)
            obtained = seat["acquisitions"] + seat["receipts"] + seat["curses_taken"]
            assert result.cards[number, :, 3].sum() == obtained - (seat["witch"] > 0)
        rivals = sum(seat["curses_given"] for seat in result.seats)
        assert rivals <= sum(seat["curses_taken"] for seat in result.seats)
        assert sum(seat["hits"] for seat in result.seats) <= sum(
            seat["attacks"] * (len(result.seats) - 1) for seat in result.seats
        )
        own_turns = sum(seat["extra_turns"] for seat in result.seats)
        rounds = result.game["rounds"] * len(lineup)
        assert rounds - len(lineup) < result.game["turns"] - own_turns <= rounds
        special = [seat for seat in result.seats if seat["special_victory"]]
        assert len(special) == (result.game["end_reason"] == SPECIAL)
        assert all((seat["win60"], seat["rank"]) == (60, 1) for seat in special)
        assert (result.cards[0, :, 0] == result.cards[-1, :, 0]).all()
        assert (result.cards[..., 1].sum(axis=1) == 5).all()


def test_a_game_is_found_by_its_address_alone(tables: Tables) -> None:
    lineup = ("engine@0.2", "big_stones")
    first = [played(tables, lineup, deal).seats for deal in (3, 4)]
    assert [played(tables, lineup, deal).seats for deal in (4, 3)] == first[::-1]
    assert first[0] != first[1]


def test_a_seat_that_changes_its_policy_leaves_set_up_alone(tables: Tables) -> None:
    setups = [
        played(tables, lineup, 9, trace=True).trace[:11]
        for lineup in (("engine", "random"), ("big_stones", "truth_rush"))
    ]
    assert setups[0][1:] == setups[1][1:]


# -- policies -------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES[:3])
def test_policies_beat_random_and_end_their_games(tables: Tables, policy: str) -> None:
    won = 0
    for deal in range(10):
        for lineup in ((policy, "random"), ("random", policy)):
            result = played(tables, lineup, deal)
            won += result.seats[lineup.index(policy)]["win60"]
            assert result.game["end_reason"] != ROUND_CAP
    assert won >= 19 * 60


class Watcher:
    """A policy in Python that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def acquire(self, view: Any, options: tuple[str, ...]) -> str:
        self.asked.append(("acquire", options))
        assert view.payable == view.mana + view.coins
        assert view.owned("fragment") >= 0
        with pytest.raises(UnknownNameError):
            view.owned("fragmnt")
        with pytest.raises(AttributeError):
            _ = view.opponents_hand
        wanted = ("great_stone", "stone", "stop")
        return next(option for option in wanted if option in options)


class Wrong:
    def acquire(self, view: Any, options: tuple[str, ...]) -> str:
        return "arcana"


def test_policies_written_in_python(tables: Tables) -> None:
    watcher = Watcher()
    result = played(tables, (watcher, "big_stones"), 1)
    assert result.seats[0]["great_stones"] > 0
    assert watcher.asked
    assert result.seats[0]["casts"] == 0  # no method for casting: the default stops
    again = played(tables, (Watcher, "big_stones"), 1)  # a class is made anew
    assert again.seats == result.seats
    with pytest.raises(InputError, match="found 'arcana'"):
        played(tables, (Wrong, "big_stones"), 1)


def test_banned_options_are_never_obtained_by_choice(tables: Tables) -> None:
    banned = [tables.words.options.index(name) for name in ("great_stone", "charm", "sophia")]
    bans = np.zeros((2, 2), np.uint64)
    for code in banned:
        bans[0, code // 64] |= np.uint64(1 << code % 64)
    for deal in range(4):
        for policy in ("random", "big_stones"):
            result = played(tables, (policy, "random"), deal, bans=bans)
            assert result.cards[0, banned[0], 3] == 0
            assert result.cards[0, banned[1], 3] == 0
            assert result.seats[0]["witch"] != 1 + tables.witch_names.index("sophia")


def cast_in(event: dict[str, Any]) -> str | None:
    """Return the kind that an event tells was cast."""
    if event["event"] == "move" and event["from"] == "hand" and event["to"] in ("play", "own"):
        return str(event["card"])
    return None


def test_default_games_reach_most_kinds(tables: Tables) -> None:
    cast: set[str | None] = set()
    lineups = (("random", "marisrosetta", "brynhild"), ("ignis", "felicia", "random"))
    for deal in range(50):
        result = played(tables, lineups[deal % 2], deal, trace=True)
        cast |= {cast_in(event) for event in result.trace}
    castable = {
        name
        for name, flags in zip(tables.kind_names, tables.flags, strict=True)
        if flags & Flag.CASTABLE
    }
    assert len(castable - cast) <= 6, castable - cast


def test_games_reach_every_primitive_decision_event_and_victory(everything: Tables) -> None:
    cast: set[str | None] = set()
    asked: set[str] = set()
    told: set[tuple[str, str | None]] = set()
    won: set[str] = set()
    lineup = ("random", "engine@0.5", "truth_rush@0.5", "big_stones@0.5")
    for deal in range(240):
        seats = [lineup[(place + deal) % 4] for place in range(2 + deal % 3)]
        result = played(everything, tuple(seats), deal, trace=True)
        cast |= {cast_in(event) for event in result.trace}
        asked |= {event["what"] for event in result.trace if event["event"] == "choose"}
        states = [event for event in result.trace if event["event"] == "state"]
        told |= {(event["what"], event.get("by")) for event in states}
        won.add(result.trace[-1]["witch"])
    assert asked == {point.id for point in TITLE.info.decisions}
    texts = [everything.kind_effects, everything.kind_turn_start, everything.kind_reward]
    ops = {
        PRIMITIVES[effect["op"]].id
        for kind, name in enumerate(everything.kind_names)
        if name in cast
        for text in texts
        for effect in text[kind]
    }
    assert ops == {primitive.id for primitive in PRIMITIVES}
    assert told - {("lapsed", None)} == {
        ("turn", None), ("looked", None), ("attack", None), ("hit", None), ("sealed", None),
        ("announced", None), ("defended", "barrier"), ("defended", "doll"), ("defended", "hand"),
        ("extra_turn", "card"), ("extra_turn", "gold"), ("won", None),
    }  # fmt: skip
    assert won == {None, *everything.witch_names}


# -- the supply -----------------------------------------------------------------------------------


def test_supplies_satisfy_their_constraints(tables: Tables, stat_seed: int) -> None:
    rng = np.random.default_rng(stat_seed)

    class Drawn:
        def bounded(self, n: int) -> int:
            return int(rng.integers(0, n))

    seen: Counter[int] = Counter()
    burns: Counter[int] = Counter()
    for _ in range(4000):
        kinds = draw_kinds(tables, Drawn())  # type: ignore[arg-type]
        assert len(set(kinds)) == 11
        flags = [tables.flags[kind] for kind in kinds]
        assert any(flag & Flag.HAND_GROWING for flag in flags)
        count = sum(bool(flag & Flag.BURN) for flag in flags)
        assert count >= 1
        burns[count] += 1
        seen.update(kinds)
    assert set(seen) == set(tables.pool.tolist())
    assert_rate(4000 - burns[1] - burns[2], 4000, many_burns(tables), within=0.06)


def many_burns(tables: Tables) -> float:
    """Chance of three or more burn kinds, counted through all orders of drawing."""
    flags = [tables.flags[kind] for kind in tables.pool.tolist()]
    burning = sum(bool(flag & Flag.BURN) for flag in flags)
    growing = sum(bool(flag & Flag.HAND_GROWING) for flag in flags)
    assert not any(flag & Flag.BURN and flag & Flag.HAND_GROWING for flag in flags)
    accepted = tables.rule["third_burn_accept"] / CHANCE_UNIT
    states = {(0, 0): 1.0}  # burn kinds, hand-growing kinds -> chance
    for drawn in range(tables.rule["supply_kinds"]):
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (burns, grows), chance in states.items():
            weights = {
                (burns + 1, grows): (burning - burns) * (1 if burns < 2 else accepted),
                (burns, grows + 1): growing - grows,
                (burns, grows): len(flags) - burning - growing - (drawn - burns - grows),
            }
            for state, weight in weights.items():
                after[state] += chance * weight / sum(weights.values())
        states = after
    valid = {state: chance for state, chance in states.items() if min(state) >= 1}
    return sum(chance for (burns, _), chance in valid.items() if burns > 2) / sum(valid.values())


def test_a_supply_that_never_fits_ends_in_an_error() -> None:
    tables = TITLE.compile(TITLE.load(overrides=["supply.attempts=1"]))

    burns = [code for code in tables.pool.tolist() if tables.flags[code] & Flag.BURN]
    places = [tables.pool.tolist().index(code) for code in burns[:2]]

    class Refusing:
        """Draws two burn kinds, then a third, which is refused on the only try."""

        def __init__(self) -> None:
            third = tables.pool.tolist().index(burns[2])
            self.left = [*places, third, CHANCE_UNIT - 1]

        def bounded(self, n: int) -> int:
            return self.left.pop(0)

    with pytest.raises(EngineError, match="no set-up that satisfies"):
        draw_kinds(tables, Refusing())  # type: ignore[arg-type]


# -- refused input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("supply.chapters=[99]", "supply.kinds"),
        ("supply.kinds=20", "field"),
        ("field.end_kinds=8", "field.end_kinds"),
        ('cards.market.effects=["drw 1"]', "did you mean 'draw'"),
        ('cards.market.effects=["draw 100"]', "the amount 100"),
        ('cards.market.effects=["mana 1 if owned.fragmnt > 1"]', "did you mean 'fragment'"),
        ('cards.charm.effects=["mana 1"]', "cards.charm.effects"),
        ("cards.market.mana=2", "only stones are laid down"),
        ('cards.great_stone.upgrade="fragment"', "does not lead back"),
        ('cards.fragment.upgrade="charm"', "cards.fragment.upgrade"),
        ('witches.sophia.note_gifts=["market"]', "witches.sophia.note_gifts"),
        ("supply.copies.4p=200", "supply.copies.4p"),
        ("supply.rares_per_player=4", "supply.rares_per_player"),
        ("compensation.2p.seat2.silver=-1", "compensation.2p.seat2.silver"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(override: str, told: str) -> None:
    overrides = [override]
    if override == "supply.kinds=20":
        overrides.append("field.kinds=21")
    with pytest.raises(DataError) as caught:
        TITLE.load(overrides=overrides)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("cards.all_doll.attributes=[]", "cards.all_doll.defends"),
        ('cards.all_doll.attributes=["defence"]', "the attribute permanent too"),
        ('cards.all_herb.attributes=["attack", "defence"]', "no effect that attacks"),
        ("cards.all_storm.attributes=[]", "effects that attack"),
        ('cards.all_fire.attributes=["defence"]', "defence without a defence"),
        ('cards.all_fire.attributes=["duration"]', "duration without turn_start"),
        ('cards.all_ward.attributes=["defence"]', "cards.all_ward.turn_start"),
        ('cards.all_ward.attributes=["defence", "duration", "permanent"]', "one of them"),
        ('cards.all_dragon.attributes=["permanent"]', "cards.all_dragon.reward"),
        ('cards.all_dragon.turn_start=["curses 1"]', "cards.all_dragon.turn_start[0]"),
        ('cards.all_dragon.reward=["take_gold 1"]', "cards.all_dragon.reward[0]"),
        ('cards.all_dragon.reward=["tokens -1"]', "the amount -1"),
        ('cards.all_dragon.reward=["seal all_leaf per hand"]', "'per'"),
        ('cards.all_dragon.reward=["seal all_lef"]', "did you mean 'all_leaf'"),
        ('cards.all_charm.gives="all_fire"', "cards.all_charm.gives: found 'all_fire'"),
        ("cards.all_charm.gives_every=0", "cards.all_charm.gives_every"),
        ('cards.all_flame.needs=["man > 1"]', "did you mean 'mana'"),
        ('cards.charm.attributes=["familiar"]', "cards.charm.attributes"),
        ('witches.ignis.ability=["curses 1"]', "witches.ignis.ability[0]"),
        ('witches.ignis.victory.card="charm"', "witches.ignis.victory.card"),
        ('witches.ignis.victory.kind="kinds"', "only the kind 'uses' counts a card"),
        ('witches.felicia.victory.kind="uses"', "witches.felicia.victory.card"),
        ('witches.felicia.victory.kind="none"', "witches.felicia.victory.enabled"),
        ('witches.felicia.victory.timing="soon"', "witches.felicia.victory.timing"),
        ('witches.celestina.victory.timing="turn_start"', "'at_once' for kind 'mana'"),
        ("witches.felicia.victory.truth=1000", "witches.felicia.victory.truth"),
        ("witches.felicia.victory.need.3p=-1", "witches.felicia.victory.need.3p"),
        ('seals.all_rune.piles="rare"', "a group with stones or truth cards"),
        ("seals.all_rune.cost=10", "seals.all_rune.cost"),
        ('seals.all_rune.effects=["seal all_leaf"]', "seals.all_rune.effects[0]"),
        ("defence.doll_gold=-1", "defence.doll_gold"),
    ],
)
def test_texts_powers_and_seals_that_cannot_be_played_are_refused(override: str, told: str) -> None:
    with pytest.raises(DataError) as caught:
        TITLE.load(overlays=[EVERYTHING], overrides=[override])
    assert told in str(caught.value)


def test_every_value_has_a_source_and_titles_are_found_by_name() -> None:
    counts = TITLE.load().sources()
    assert counts["rulebook"] > 40
    assert counts["assumed"] > 100
    assert "override" not in counts
    assert load(TITLES[0]) is TITLE
    with pytest.raises(UnknownNameError, match="did you mean 'granmagia'"):
        load("granmagic")


def test_order_of_entries_in_a_file_does_not_matter(tables: Tables) -> None:
    assert list(tables.words.options)[:9] == [
        "fragment", "stone", "great_stone", "charm", "ritual", "arcana", "curse", "note",
        "apprentice",
    ]  # fmt: skip
    magic = list(tables.kind_names[9:24])
    assert magic == sorted(magic)
    assert tables.words.options[-1] == "stop"


# -- positions ------------------------------------------------------------------------------------


def test_positions_are_driven_step_by_step() -> None:
    game = from_position(
        {
            "seats": [
                {"hand": ["market", "stone", "fragment"], "deck": ["great_stone", "charm"]},
                {},
            ],
        }
    )
    game.start_turn()
    assert (game.phase, game.casts, game.acquisitions, game.mana) == ("cast", 1, 1, 0)
    game.cast("market")
    assert game.hand(1) == ["stone", "fragment", "great_stone"]
    game.enter_acquisition()
    assert game.mana == 1 + 2 + 1 + 3
    assert game.acquisitions == 2
    game.acquire("great_stone")
    game.acquire("fragment")
    game.end_turn()
    assert (game.seat, game.phase) == (2, "start")
    assert game.discard(1) == []  # shuffled into the deck by the draw at the end
    assert sorted(game.hand(1) + game.deck(1)) == sorted(
        ["market", "stone", "fragment", "great_stone", "charm", "great_stone", "fragment"]
    )


def test_steps_that_are_not_legal_say_why_and_change_nothing() -> None:
    game = from_position(
        {"seats": [{"hand": ["fragment", "transmutation", "charm"]}, {}]},
        choices=["charm", "great_stone"],
    )
    with pytest.raises(InputError, match="needs phase 'cast'"):
        game.cast("market")
    game.start_turn()
    with pytest.raises(InputError, match="not in hand"):
        game.cast("market")
    with pytest.raises(UnknownNameError, match="did you mean 'market'"):
        game.cast("markt")
    with pytest.raises(InputError, match="no card that is used"):
        game.cast("charm")
    with pytest.raises(InputError, match="receive: found 'great_stone'"):
        game.cast("transmutation")
    assert game.hand(1) == ["fragment", "transmutation", "charm"]
    assert list(game.choices) == ["charm", "great_stone"]
    game.choices[1] = "stone"
    game.cast("transmutation")
    assert game.discard(1) == ["stone"]
    assert game.burned == ["charm"]
    game.enter_acquisition()
    with pytest.raises(InputError, match="needs a contract"):
        game.acquire("ritual")
    with pytest.raises(InputError, match="cannot be paid for"):
        game.acquire("stone")
    with pytest.raises(InputError, match="not enough mana"):
        game.contract("sophia")
    with pytest.raises(UnknownNameError):
        game.contract("sofia")


@pytest.mark.parametrize(
    "position",
    [
        {"seats": [{}]},
        {"seats": [{}, {}], "hands": 3},
        {"seats": [{"hnd": []}, {}]},
        {"seats": [{"hand": ["frgment"]}, {}]},
        {"seats": [{"witch": "sophia"}, {"witch": "sophia"}]},
        {"seats": [{"witch": "sophia"}, {}], "witches": ["sophia"]},
        {"seats": [{}, {}], "mana": 3},
        {"seats": [{}, {}], "seat": 3},
        {"seats": [{}, {}], "phase": "middle"},
        {"seats": [{}, {}], "field": {"charm": 2}},
        {"seats": [{"gold": -1}, {}]},
        {"seats": [{}, {}], "round": 81},
    ],
)
def test_impossible_positions_are_refused(position: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        from_position(position)


def test_new_games_can_be_driven_and_are_the_addressed_ones(tables: Tables) -> None:
    game = new_game(2, lineup=["engine", "big_stones"], seed=7, deal=3)
    assert len(game.chosen) == 11
    assert len(game.rares) == 2
    game.play()
    result = played(tables, ("engine", "big_stones"), 3)
    assert game.over
    assert game.win60 == [seat["win60"] for seat in result.seats]
    assert [game.truth(1), game.truth(2)] == [seat["score"] for seat in result.seats]
    with pytest.raises(InputError, match="over"):
        game.play()
