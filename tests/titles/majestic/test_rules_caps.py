"""MM-G: the caps on rounds, and on what a seat does in a turn."""

from __future__ import annotations

import pytest

from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    made,
    sorcerer,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import mana_card

# MM-G5: the cap on rounds


@pytest.mark.rule("MM-G5")
@pytest.mark.parametrize("cap", [1, 3, None])
def test_the_cap_on_rounds(cap):
    overrides = () if cap is None else (f"limits.round_cap={cap}",)
    last = 40 if cap is None else cap
    game = stage({}, {}, overrides=overrides, phase="end", round=last, seat=1)
    game.end_phase()
    # A round is a turn of each seat.
    assert (game.over, game.seat, game.round) == (False, 2, last)
    game.play_turn()
    assert (game.over, game.end_reason) == (True, "round_cap")
    assert (list(game.ranks), list(game.win60)) == ([1, 1], [30, 30])


@pytest.mark.rule("MM-G5")
def test_before_the_cap_the_game_goes_on():
    game = stage({}, {}, phase="end", round=39, seat=2)
    game.end_phase()
    assert (game.over, game.round, game.seat) == (False, 40, 1)


# MM-G6: the cap on plays of a turn

FREE = (*BODIES, unit("sage", 1, 3, ability={"effects": ["refresh 1"]}))


def capped(cap):
    return made(
        *FREE,
        spell("spark", "damage target 1", target="enemy"),
        sorcerer("seer", "refresh 1"),
        overrides=(f"limits.acts_cap={cap}",),
    )


@pytest.mark.rule("MM-G6")
@pytest.mark.parametrize("cap", [1, 2, 3])
def test_plays_and_abilities_of_a_turn_are_capped(cap):
    lineup = asked({"main": ["rat", "sorcery", "spark"], "area": ["to_front"]})
    game = stage(
        {"hand": ["rat", "spark", "spark"], "sorcerer": "seer"},
        {"front": ["brute"]},
        rules=capped(cap),
        lineup=lineup,
    )
    game.main_phase()
    assert game.front(1) == ["rat"]
    assert game.counter(1, "sorcerer_used") == (cap >= 2)
    assert game.unit(2, 1)["damage"] == (cap >= 3)
    assert game.options("main", 1) == ["stop"]


@pytest.mark.rule("MM-G6")
def test_the_cap_is_for_the_whole_turn_of_each_seat():
    spells = {"hand": ["spark"] * 4}
    lineup = asked(
        {"main": ["spark"], "attack": ["own_1"], "exchange": ["spark"] * 4},
        {"exchange": ["spark"] * 4},
    )
    game = stage(
        {**spells, "front": ["grunt"]},
        {**spells, "back": ["brute"]},
        rules=capped(2),
        lineup=lineup,
    )
    game.main_phase()
    game.battle_phase()
    # One in the main phase and one in the exchange; the other seat has two of its own.
    assert [len(game.hand(seat)) for seat in (1, 2)] == [2, 2]
    assert game.lp(2) == game.lp(1)[:5], "the attack itself goes on"
    game.end_phase()
    # A new turn, a new count.
    for phase in ("regenerate", "draw", "mana"):
        getattr(game, f"{phase}_phase")()
    assert "spark" in game.options("main", 2)


@pytest.mark.rule("MM-G6")
def test_after_the_cap_a_seat_can_only_move_units_and_go_on():
    own = {"front": ["rat", "grunt"], "hand": ["spark", "spark"], "sorcerer": "seer"}
    lineup = asked({"main": ["retreat", "spark"], "move": ["own_1"], "attack": ["own_2"]})
    game = stage(own, {"front": ["brute"]}, rules=capped(1), lineup=lineup)
    game.main_phase()
    # The move before the spell did not count; after it there is no other spell.
    assert (game.back(1), len(game.hand(1))) == (["rat"], 1)
    assert game.options("main", 1) == ["retreat", "stop"]
    game.battle_phase()
    assert (len(game.lp(2)), len(game.hand(1))) == (5, 1)


@pytest.mark.rule("MM-G6")
def test_blocks_and_special_mana_are_no_plays():
    well = mana_card("well", effects=["draw own 1"])
    rules = made(*BODIES, well, spell("spark", "ap own 1"), overrides=("limits.acts_cap=1",))
    lineup = asked(
        {
            "mana_phase": ["put_mana"],
            "special": ["use_effect"],
            "main": ["spark"],
            "attack": ["own_1"],
        },
        {"exchange": ["spark", "spark"], "block": ["own_1"]},
    )
    own = {"front": ["grunt"], "hand": ["spark"], "mana_deck": ["well", "fire_mana"]}
    other = {"back": ["rock"], "hand": ["spark", "spark"]}
    game = stage(own, other, rules=rules, phase="mana", lineup=lineup)
    for phase in ("mana", "main", "battle"):
        getattr(game, f"{phase}_phase")()
    assert [game.counter(seat, "spells_played") for seat in (1, 2)] == [1, 1]
    assert (game.counter(1, "special_used"), game.counter(2, "blocks")) == (1, 1)
