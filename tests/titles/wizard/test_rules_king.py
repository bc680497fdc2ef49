"""The last battle: at the demon king's castle, by the rules of every battle."""

from __future__ import annotations

import pytest

from sim.errors import InputError
from sim.titles.wizard import TITLE
from tests.titles.wizard.staging import fight, stage, turn

KING = TITLE.load().values["enemies"]["tera"]


def at_the_gate(*companions, **more):
    """Return the game after the move into the castle."""
    game = stage("c16", *companions, **more)
    game.move("go_up")
    return game


@pytest.mark.rule("UW-E1")
def test_entering_the_castle_starts_the_last_battle():
    game = at_the_gate()
    assert (game.phase, game.enemy, game.enemy_lp) == ("battle", "tera", 26)
    assert (game.lp, game.hex, game.battle_turns) == (30, "c18", 0), "the castle costs nothing"


@pytest.mark.rule("UW-E1")
def test_the_castle_can_be_entered_without_any_battle_before():
    game = at_the_gate()
    assert game.enemy == "tera"
    assert game.counter("battles_won") == 0


@pytest.mark.rule("UW-E1")
@pytest.mark.parametrize("lp", [1, 12, 30])
def test_who_beats_the_king_has_cleared_the_game(lp):
    game = turn("tera", ["red_basic"], "knight_charge", enemy_lp=1, lp=lp + 1)
    assert (game.over, game.end_reason, game.win60, game.lp) == (True, "cleared", [60], lp)
    assert game.counter("battles_won") == 1
    assert game.counter("yellow_won") + game.counter("red_won") == 0


@pytest.mark.rule("UW-E1")
def test_a_blow_too_weak_does_not_clear_it():
    game = turn("tera", ["red_basic"], "knight_charge", enemy_lp=2)
    assert (game.over, game.enemy_lp) == (False, 3)  # red 4 less 3, and the king mends 2
    assert game.end_reason is None


@pytest.mark.rule("UW-E1")
def test_skills_of_the_start_work_on_the_king():
    # Those that ask for no family; the king has none.
    game = at_the_gate("princess_command", "knight_charge", "monk_sermon", "porcupine_quills")
    assert game.enemy_lp == 26 - 1
    beaten = at_the_gate("princess_command", overrides=["enemies.tera.lp=1", "enemies.tera.ap=[9]"])
    assert (beaten.end_reason, beaten.win60) == ("cleared", [60])


@pytest.mark.rule("UW-E1")
@pytest.mark.parametrize("lp", range(1, 27))
def test_the_king_strikes_and_recovers(lp):
    game = turn("tera", ["green_basic"], enemy_lp=lp)
    assert game.lp == 30 - 1 - KING["ap"][lp - 1]
    assert game.enemy_lp == min(26, lp + 2)


@pytest.mark.rule("UW-E1")
def test_a_draw_at_the_castle():
    ways = ["princess_command", "knight_charge", "porcupine_swim"]
    game = turn("tera", ["red_basic"], *ways, enemy_lp=20)
    # Red 2 + 1 + 2 less 3, green 1 + 1 less 2, blue 1 less 2.
    assert game.enemy_lp == 20 - 2 + 2
    assert game.lp == 30 - 1 - KING["ap"][18 - 1]


@pytest.mark.rule("UW-E1")
def test_companions_are_lost_at_the_castle_as_anywhere():
    game = turn("tera", ["green_basic"], "hero_banner", lp=2)
    assert (game.lost, game.lp, game.enemy) == (["hero"], 8, "tera")
    lost = turn("tera", ["green_basic"], lp=2)
    assert (lost.end_reason, lost.win60) == ("lost_in_battle", [0])
    spent = turn("tera", ["green_basic"], lp=1)
    assert (spent.end_reason, spent.win60) == ("lost_by_casting", [0])


@pytest.mark.rule("UW-E1")
def test_there_is_no_retreat():
    game = fight("tera", decks=[["green_basic"]] * 3, choices=["draw_1"] * 3)
    for _ in range(3):
        with pytest.raises(InputError, match="phase"):
            game.move("go_down")
        game.battle_turn()
        assert (game.phase, game.hex) == ("battle", "c18")
    asked = {event["what"] for event in game.events if event["event"] == "choose"}
    assert asked == {"draw"}


@pytest.mark.rule("UW-E1")
def test_king_and_castle_are_data():
    king = ["lp=2", "ap=[4, 7]", "mend=0", "block.red=0"]
    overrides = [*(f"enemies.tera.{one}" for one in king), "terrains.castle.block.red=1"]
    game = at_the_gate(overrides=overrides, decks=[["red_basic"]] * 2, choices=["draw_1"] * 2)
    assert game.enemy_lp == 2
    game.battle_turn()
    assert (game.enemy_lp, game.lp) == (1, 30 - 1 - 4)
    game.battle_turn()
    assert game.end_reason == "cleared"
