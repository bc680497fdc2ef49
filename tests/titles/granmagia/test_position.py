"""Positions and steps: what may be left out, what is refused, and what a refused step leaves."""

from __future__ import annotations

import pytest

from sim.errors import InputError, UnknownNameError
from tests.titles.granmagia.staging import DEEP, refuse, situation, stage

NAMED = {"witch": "eclair"}


# -- what may be left out --------------------------------------------------------------------------


def test_a_position_that_says_nothing_has_nothing():
    game = stage({}, {})
    for seat in (1, 2):
        numbers = (game.barriers(seat), game.dolls_spent(seat), game.rewards(seat))
        assert (*numbers, game.announced(seat), game.progress(seat)) == (0, 0, 0, False, 0)
        assert game.kinds_cast(seat) == []
        assert game.uses(seat, "market") == 0
    assert (game.extra, game.extra_earned, game.mana_obtained, game.seals) == (False, False, 0, {})


@pytest.mark.parametrize("phase", ["cast", "acquire"])
def test_mana_that_is_there_was_obtained_in_this_turn(phase):
    assert stage({}, {}, phase=phase, mana=4).mana_obtained == 4
    game = stage({}, {}, phase=phase, mana=4, mana_obtained=9)
    assert (game.mana, game.mana_obtained) == (4, 9)


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("phase", ["start", "cast", "acquire"])
def test_an_extra_turn_comes_after_the_own_turn_and_is_not_counted(seat, phase):
    game = stage({}, {}, {}, seat=seat, phase=phase, round=4, extra=True)
    assert [game.turns(each) for each in (1, 2, 3)] == [
        4 if each <= seat else 3 for each in (1, 2, 3)
    ]
    begun = phase != "start"
    assert game.counter(seat, "extra_turns") == begun
    assert game.turn == 9 + seat + begun
    if not begun:
        game.start_turn()
        assert (game.extra, game.turns(seat), game.counter(seat, "extra_turns")) == (True, 4, 1)
        assert game.turn == 10 + seat


def test_kinds_that_were_cast_are_those_of_the_uses():
    uses = {"market": 2, "alchemy": 1, "note": 3, "festival": 0}
    seat = NAMED | {"uses": uses}
    game = stage(seat, {}, overrides=('cards.note.effects=["mana 1"]',))
    assert sorted(game.kinds_cast(1)) == ["alchemy", "market"]
    assert [game.uses(1, kind) for kind in uses] == [2, 1, 3, 0]


def test_kinds_that_were_cast_were_cast_once_at_least():
    game = stage(NAMED | {"kinds_cast": ["market", "alchemy"], "uses": {"alchemy": 4}}, {})
    assert game.kinds_cast(1) == ["market", "alchemy"]
    assert (game.uses(1, "market"), game.uses(1, "alchemy")) == (1, 4)


def test_the_first_dolls_laid_are_spent():
    dolls = ["substitute_doll", "market", "substitute_doll"]
    game = stage({"own": dolls, "dolls_spent": 1}, {})
    assert game.dolls_spent(1) == 1
    assert game.events[0]["seats"][0]["defended"] == [["substitute_doll", 1]]


def test_a_set_up_tells_all_that_a_position_says():
    seats = [
        NAMED
        | {"barriers": 2, "rewards": 3, "announced": True, "uses": {"market": 2}, "tokens": 4}
        | {"arcana_taken": 5},
        {},
    ]
    setup = stage(*seats, seals={"plenty": "stone"}).events[0]
    told = setup["seats"][0]
    assert told["barriers"] == 2
    assert told["rewards"] == 3
    assert told["announced"] is True
    assert told["uses"] == {"market": 2}
    assert told["kinds_cast"] == ["market"]
    assert told["arcana_taken"] == 5
    assert setup["sealed"] == {"plenty": "stone"}
    assert "market" in setup["cards"]


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        ({"rewards": 1}, "rewards: seat 1 has no contract"),
        ({"announced": True}, "announced: seat 1 has no contract"),
        ({"uses": {"market": 1}}, "uses: seat 1 has no contract"),
        ({"kinds_cast": ["market"]}, "kinds_cast: seat 1 has no contract"),
        ({"witch": "sophia", "announced": True}, "no special victory at a turn start"),
        (NAMED | {"announced": 1}, "announced: found 1"),
        (NAMED | {"uses": {"stone": 1}}, "'stone' is no card that is cast"),
        (NAMED | {"uses": {"market": -1}}, "uses of market: found -1"),
        (NAMED | {"kinds_cast": ["stone"]}, "different magic kinds"),
        (NAMED | {"kinds_cast": ["market", "market"]}, "different magic kinds"),
        (NAMED | {"kinds_cast": [], "uses": {"market": 1}}, "market of uses must be among them"),
        ({"dolls_spent": 1}, "dolls_spent: found 1"),
        ({"own": ["substitute_doll"], "dolls_spent": 2}, "dolls_spent: found 2"),
        ({"barriers": -1}, "barriers: found -1"),
    ],
)
def test_seats_that_cannot_be(seat, told):
    with pytest.raises(InputError) as error:
        stage(seat, {})
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ({"extra_earned": True}, "extra_earned: a turn that has not started has none"),
        ({"mana_obtained": 2}, "mana_obtained: a turn that has not started has none"),
        ({"phase": "cast", "extra": True, "extra_earned": True}, "an extra turn wins no other"),
        ({"extra": 1}, "extra: found 1"),
        ({"seals": {"plenty": "charm"}}, "'plenty' cannot lie on the pile of 'charm'"),
        ({"seals": {"binding": "market"}}, "'binding' cannot lie on the pile of 'market'"),
    ],
)
def test_positions_that_cannot_be(position, told):
    with pytest.raises(InputError) as error:
        stage({}, {}, **position)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("seat", "position"),
    [
        ({"shields": 1}, {}),
        (NAMED | {"uses": {"markte": 1}}, {}),
        (NAMED | {"kinds_cast": ["markte"]}, {}),
        ({}, {"seals": {"plentyy": "stone"}}),
        ({}, {"seals": {"plenty": "stoen"}}),
        ({}, {"sealed": {}}),
    ],
)
def test_names_that_are_not_known(seat, position):
    with pytest.raises(UnknownNameError):
        stage(seat, {}, **position)


# -- what can be read ------------------------------------------------------------------------------


def test_observables_are_asked_by_name():
    game = stage(NAMED | {"uses": {"market": 2}, "barriers": 1, "gold": 3}, {"hand": ["stone"]})
    assert game.observe(1, "uses", "market") == 2
    assert game.observe(1, "barriers") == 1
    assert game.observe(2, "barriers") == 0
    assert game.observe(2, "hand_has", "stone") == 1
    assert game.observe(2, "hand_group", "stones") == 1
    assert game.observe(1, "witch_mine", "eclair") == 1
    assert game.observe(1, "witch_free", "eclair") == 0
    assert (game.observe(1, "on_turn"), game.observe(2, "on_turn")) == (1, 0)


@pytest.mark.parametrize(
    "asked", [("barrier",), ("uses", "markte"), ("witch_mine", "market"), ("hand_group", "stone")]
)
def test_observables_that_are_not_known(asked):
    with pytest.raises(UnknownNameError):
        stage({}, {}).observe(1, *asked)


@pytest.mark.parametrize("asked", [("uses",), ("barriers", "market")])
def test_observables_take_what_they_are_about(asked):
    with pytest.raises(InputError):
        stage({}, {}).observe(1, *asked)


# -- refused steps ---------------------------------------------------------------------------------


def asking(effect):
    return ('cards.world_tree.turn_start=["mana 2", "' + effect + '"]',)


def test_a_start_with_a_wrong_choice_leaves_the_game_and_the_choices():
    seat = {"own": ["world_tree"], "hand": ["stone", "note", "charm"], "deck": DEEP}
    game = stage(seat, {}, overrides=asking("discard 1"), choices=["arcana", "note"])
    told = list(game.events)
    refuse(game, "start_turn")
    assert list(game.choices) == ["arcana", "note"]
    assert game.events == told
    game.choices.popleft()
    game.start_turn()
    assert game.phase == "cast"
    assert game.discard(1) == ["note"]
    # What is told after a refusal tells of this game.
    assert game.events[-1]["turn"] == game.turn


def test_an_end_with_a_wrong_choice_leaves_the_game():
    gold = 20
    seat = {"witch": "aurelise", "gold": gold, "deck": DEEP, "hand": ["stone"]}
    game = stage(seat, {"deck": DEEP}, phase="cast", choices=["sophia"])
    refuse(game, "end_turn")
    assert game.gold(1) == gold
    game.choices.clear()
    game.choices.append("aurelise")
    game.end_turn()
    assert (game.seat, game.extra, game.phase) == (1, True, "start")


def test_a_played_turn_with_a_wrong_choice_leaves_the_game():
    game = stage({"hand": ["market", "note"], "deck": DEEP}, {}, choices=["market", "arcana"])
    before = situation(game)
    with pytest.raises(InputError):
        game.play_turn()
    assert situation(game) == before
    assert list(game.choices) == ["market", "arcana"]


def test_conditions_of_a_cast_that_do_not_hold_are_named():
    game = stage({"hand": ["big_bang"]}, {}, phase="cast", mana=9)
    with pytest.raises(InputError, match="a condition of its needs does not hold"):
        game.cast("big_bang")


@pytest.mark.parametrize(
    "step", ["start_turn", "end_turn", "enter_acquisition", "play_turn", "play"]
)
def test_nothing_happens_after_a_special_victory(step):
    overrides = ["witches.celestina.victory.need.2p=3"]
    overrides += ["witches.celestina.victory.truth=0"]
    seat = {"witch": "celestina", "hand": ["stone", "stone"]}
    game = stage(seat, {}, phase="cast", overrides=tuple(overrides))
    game.enter_acquisition()
    assert (game.phase, game.over, game.end_reason) == ("over", True, "special")
    assert (game.win60, game.ranks) == ([60, 0], [1, 2])
    with pytest.raises(InputError, match="the game is over"):
        getattr(game, step)()


def test_a_turn_that_is_won_while_stones_are_laid_is_not_ended():
    overrides = ("witches.celestina.victory.need.2p=3", "witches.celestina.victory.truth=0")
    seat = {"witch": "celestina", "hand": ["stone", "stone", "note"]}
    game = stage(seat, {}, phase="cast", overrides=overrides)
    game.end_turn()
    assert game.end_reason == "special"
    assert game.hand(1) == ["note"]
