"""Whatever the rules and whoever plays: every card is in one place, and both engines agree."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.errors import EngineError
from sim.titles.granmagia import TITLE, results
from tests.titles.granmagia.counting import Hits
from tests.titles.granmagia.fuzz import fuzzed
from tests.titles.granmagia.invariants import WatchedGame, faults
from tests.titles.granmagia.proof import Case, Setting, told
from tests.titles.proofs import differences

#: Games of a ruleset, and rulesets of the default tests and of ``make verify``.
GAMES, FEW, MANY = 2, 40, 2_000

numbers = st.integers(0, 2**32)


def look_after(setting: Setting, game: int) -> WatchedGame:
    """Play a game of the readable engine that is looked at after every move."""
    watched = WatchedGame(*setting.given(game))
    watched.set_up()
    watched.play()
    return watched


def both_engines(setting: Setting) -> int:
    """Play a setting with both engines; return how often games were looked at."""
    looks, failed = 0, setting.play()
    for game in range(len(setting.out.games)):
        if failed[0] and game == failed[1]:
            # The rules outgrow the records: here too, and in the same game.
            with pytest.raises(EngineError) as stopped:
                results.finished(look_after(setting, game))
            assert stopped.value.code == failed[0]
            return looks
        watched = look_after(setting, game)
        found = differences(setting.out, game, results.finished(watched))
        assert not found, told(setting, game, found, Hits())
        looks += watched.looks
    assert failed == (0, len(setting.out.games))
    return looks


def legal_play(number: int, policies: bool, folder) -> None:
    """Play the random rules of a number, with its random policies or with random moves alone."""
    players, case = fuzzed(number, folder)
    pool = case.pool if policies else ("random",)
    case = Case(case.name, case.overrides, pool, case.bans, first_deal=number, overlay=case.overlay)
    both_engines(Setting(case, players, GAMES, folder))


@settings(
    max_examples=FEW, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(number=numbers, policies=st.booleans())
def test_random_legal_play_keeps_every_card_in_one_place(tmp_path, number, policies):
    legal_play(number, policies, tmp_path)


@pytest.mark.verify
@settings(
    max_examples=MANY, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(number=numbers, policies=st.booleans())
def test_much_random_legal_play_keeps_every_card_in_one_place(tmp_path, number, policies):
    legal_play(number, policies, tmp_path)


@pytest.mark.parametrize("players", TITLE.info.players)
def test_the_printed_rules_keep_every_card_in_one_place(players, tmp_path):
    setting = Setting(Case("printed rules", pool=("random", "engine")), players, 3, tmp_path)
    assert both_engines(setting) > 1_000


def lose(game):
    game.seats[0].hand.pop()


def double(game):
    game.seats[0].discard.append(game.seats[1].hand[0])


def conjure(game):
    game.piles[0] += 1


def lay(game):
    game.seats[1].own.append(game.seats[1].hand.pop())


def spend(game):
    game.seats[0].gold -= 1


def reward(game):
    game.seats[0].rewards += 1


def wed_twice(game):
    game.seats[0].witch = game.witches[0]


def seal(game):
    game.seal_piles[0] = game.chosen[0]


def announce(game):
    game.seats[0].announced = True


@pytest.mark.parametrize(
    "spoil", [lose, double, conjure, lay, spend, reward, wed_twice, seal, announce]
)
def test_what_is_wrong_is_found(spoil, tmp_path):
    setting = Setting(Case("printed rules", pool=("random",)), 2, 1, tmp_path)
    game = WatchedGame(*setting.given(0))
    game.set_up()
    assert list(faults(game)) == []
    spoil(game)
    assert list(faults(game)) != []
