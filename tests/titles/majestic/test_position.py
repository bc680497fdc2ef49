"""Positions: what is stated is what stands, and what cannot be is refused by its name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sim.errors import InputError, UnknownNameError
from sim.titles.majestic import TITLE
from sim.titles.majestic.position import _lay_out_seat, new_game
from tests.titles.majestic.staging import made, mana, stage

WHOLE = {
    "front": ["ember_lancer", {"unit": "stone_giant", "place": 5, "down": True, "damage": 2}],
    "back": [{"unit": "clay_guard", "fresh": True, "moved": True, "ap": 2, "dp": -1}],
    "hand": ["scorch", "harden"],
    "mana": ["fire_mana", {"mana": "tide_spring", "down": True}],
    "lp": ["ember_spring", "fire_mana"],
    "deck": ["harden", "scorch", "spark_imp"],
    "mana_deck": ["wind_mana", "fire_mana"],
    "trash": ["war_cry", "tailwind"],
    "sorcerer": "marin",
    "sorcerer_down": True,
    "deck_list": "tide_wall",
}


def test_what_is_stated_stands():
    game = stage({}, WHOLE, seat=2, round=3, phase="battle")
    assert (game.seat, game.round, game.turn, game.phase) == (2, 3, 6, "battle")
    for zone in ("hand", "lp", "deck", "mana_deck", "trash"):
        assert getattr(game, zone)(2) == WHOLE[zone]
    assert game.ready_mana(2) == ["fire_mana"]
    assert game.down_mana(2) == ["tide_spring"]
    assert game.front(2) == ["ember_lancer", "stone_giant"]
    assert game.back(2) == ["clay_guard"]
    assert list(game.units(2)) == [1, 2, 5]
    assert game.unit(2, 5)["damage"] == 2
    assert not game.unit(2, 5)["ready"]
    guard = game.unit(2, 2)
    assert (guard["ap"], guard["dp"], guard["keywords"]) == (3, 3, ["sentinel"])
    assert guard["fresh"]
    assert guard["moved"]
    assert game.sorcerer(2) == "marin"
    assert not game.sorcerer_ready(2)
    assert game.counter(2, "deck") == 1


def test_what_is_left_out():
    game = stage({}, {})
    assert (game.seat, game.round, game.turn, game.phase) == (1, 1, 1, "main")
    assert len(game.lp(1)) == 6
    assert len(game.deck(1)) == len(game.mana_deck(1)) == 10
    assert game.sorcerer(1) == "pyra"
    assert game.sorcerer_ready(1)
    empty = (game.hand, game.mana, game.trash, game.front, game.back, game.played)
    assert [zone(1) for zone in empty] == [[]] * 6


def test_decks_come_in_the_order_that_is_stated():
    game = stage(
        {"deck": ["harden", "scorch", "spark_imp"], "mana_deck": [*mana(1, "wind"), *mana(1)]}, {}
    )
    for name in ("main", "battle", "end"):
        getattr(game, f"{name}_phase")()
    game.play_turn()
    game.regenerate_phase()
    game.draw_phase()
    game.choices[1].append("put_mana")
    game.mana_phase()
    assert game.hand(1) == ["harden"]
    assert game.mana(1) == ["wind_mana"]


FAULTS = {
    "unknown zone": {"hands": []},
    "unknown card": {"hand": ["scorche"]},
    "mana in hand": {"hand": ["fire_mana"]},
    "a card as mana": {"mana": ["scorch"]},
    "spell as a unit": {"front": ["scorch"]},
    "a place twice": {
        "front": [{"unit": "spark_imp", "place": 1}, {"unit": "spark_imp", "place": 1}]
    },
    "too many units": {"front": ["spark_imp"] * 13},
    "no name": {"front": [{"down": True}]},
    "unknown keyword": {"front": [{"unit": "spark_imp", "keywords": ["fast"]}]},
    "no LP": {"lp": []},
    "negative damage": {"front": [{"unit": "spark_imp", "damage": -1}]},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_is_refused(fault):
    with pytest.raises((InputError, UnknownNameError)):
        stage(FAULTS[fault], {})


@pytest.mark.parametrize(
    "more", [{"round": 0}, {"round": 41}, {"seat": 3}, {"phase": "night"}, {"turn": 3}]
)
def test_what_is_stated_of_the_game_is_checked(more):
    with pytest.raises((InputError, UnknownNameError)):
        stage({}, {}, **more)


def test_steps_out_of_turn_and_choices_that_are_not_legal_are_refused():
    game = stage({"hand": ["scorch"], "mana": mana(2)}, {})
    with pytest.raises(InputError, match="found phase 'main'; this step needs phase 'battle'"):
        game.battle_phase()
    game.choices[1].append("scorch")  # no target
    with pytest.raises(InputError, match="there is"):
        game.unit(1, 1)
    game.main_phase()
    assert list(game.choices[1]) == ["scorch"], "nothing but stop was legal, nothing was asked"
    with pytest.raises(InputError, match="allowed: 2, one a seat"):
        stage({}, {}, lineup=[None])
    with pytest.raises(InputError, match="seats: found 1"):
        stage({})


def test_without_basic_mana_there_is_nothing_to_fill_zones_with():
    tables = TITLE.compile(made())
    game = new_game(rules=made())
    special = tables.mana_kinds.copy()
    special["text"] = 0
    game._game.tables = replace(tables, mana_kinds=special)
    with pytest.raises(InputError, match="mana_deck: found nothing; allowed: the cards of the"):
        _lay_out_seat(game._game, game._game.seats[0], {})
    with pytest.raises(InputError, match="lp: found nothing"):
        _lay_out_seat(game._game, game._game.seats[0], {"mana_deck": ["fire_mana"]})
