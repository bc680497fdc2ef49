"""What draws may bring is exact: the same, found by playing every draw that may come up."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from sim.core.policy import load_policies
from sim.titles.wizard import TITLE, draws
from tests.titles.wizard.staging import BASIC, FOREST, fight, turn

WORDS = TITLE.vocabulary(TITLE.load())
ENEMIES = TITLE.load().values["enemies"]
WEIGHTS = dict(
    zip(
        WORDS.options,
        load_policies(["optimal_draws"], WORDS, TITLE.data / "policies")
        .weights[0, WORDS.decision_names.index("draw")]
        .tolist(),
        strict=False,
    )
)

#: Battles: enemy, companions, cards in hand besides the basic parts, and the rest of the position.
BATTLES = [
    ("zaza", (), (), {"at": FOREST}),
    ("ra", ("hero_sword",), ("red_extension",), {"enemy_lp": 3}),
    ("karu", ("knight_charge", "porcupine_swim"), ("blue_extension", "green_extension"), {}),
    ("dero", ("knight_shield",), ("light_blue_extension", "blue_extension"), {"lp": 3}),
    ("nunu", (), ("red_extension",), {"lp": 2}),
    ("goga", ("monk_care",), ("red_extension", "green_extension", "grimoire_2"), {"lp": 20}),
    ("tera", (), ("green_extension", "grimoire_2"), {"lp": 4, "enemy_lp": 5}),
    ("tera", ("hero_banner",), ("light_blue_extension", "grimoire_2"), {"enemy_lp": 4}),
]


class Most:
    """Takes the spell that does not heal, where there is one."""

    def spell(self, view, options):
        return next((name for name in options if not view.heals(name)), options[0])


def outcomes(battle, number, player):
    """Yield the game after each draw of so many parts that may come up."""
    enemy, companions, hand, more = battle
    parts = [*BASIC, *(card for card in hand if card != "grimoire_2")]
    for drawn in itertools.combinations(parts, number):
        yield turn(enemy, drawn, *companions, hand=hand, lineup=[player], **more)


def start(battle, player=None):
    enemy, companions, hand, more = battle
    return fight(enemy, *companions, hand=hand, lineup=[player] if player else None, **more)


def harm(game):
    """Return the LP that the enemy lost in a turn, mending aside."""
    changes = [event for event in game.events if event.get("what") == "enemy_lp"]
    return -sum(event["by"] for event in changes if event["by"] < 0)


@pytest.mark.parametrize("battle", BATTLES[:-2], ids=lambda battle: battle[0])
def test_expected_damage_and_the_chance_of_a_kill(battle):
    """Two battles are left out: there a companion or the game would be lost before the damage."""
    game = start(battle)
    for option in game.options():
        number = int(option.removeprefix("draw_"))
        if number >= game.lp:
            continue
        after = list(outcomes(battle, number, Most))
        expected = Fraction(sum(map(harm, after)), len(after))
        assert game.observe("expected", option) == 100 * expected // 1
        kills = sum(one.phase == "journey" for one in after)
        assert game.observe("kill", option) == 100 * kills // len(after)


def worth(game):
    """Return what a turn was worth by the weights, read from what it did."""
    changes = [event for event in game.events if event["event"] == "change"]
    lp = dict.fromkeys(("draws", "strikes", "spells"), 0)
    losses = 0
    for event in changes:
        if event["what"] == "lp" and event["why"] in lp:
            lp[event["why"]] += event["by"]
        losses += event["what"] == "lp" and event["why"] == "losses"
    losses += game.end_reason in ("lost_in_battle", "lost_by_casting")
    killed = game.enemy is None
    return (
        WEIGHTS["worth_damage"] * harm(game)
        + WEIGHTS["worth_kill"] * killed
        - WEIGHTS["worth_paid"] * lp["draws"]
        - WEIGHTS["worth_strike"] * lp["strikes"]
        + WEIGHTS["worth_heal"] * lp["spells"]
        + WEIGHTS["worth_loss"] * losses
    )


@pytest.mark.parametrize("battle", BATTLES, ids=lambda battle: f"{battle[0]}-{len(battle[1])}")
def test_the_best_number_is_worth_most(battle):
    game = start(battle, "optimal_draws")
    options = game.options()
    assert len(options) > 1
    worths = {}
    for option in options:
        after = list(outcomes(battle, int(option.removeprefix("draw_")), "optimal_draws"))
        worths[option] = Fraction(sum(worth(one) for one in after), len(after))
    best = max(options, key=worths.__getitem__)
    assert [option for option in options if game.observe("best", option)] == [best]


def test_the_battles_call_for_different_numbers():
    best = set()
    for battle in BATTLES:
        game = start(battle, "optimal_draws")
        best |= {option for option in game.options() if game.observe("best", option)}
    assert len(best) >= 3


def test_without_a_data_policy_nothing_is_best():
    game = start(BATTLES[0])
    assert not any(game.observe("best", option) for option in game.options())


def test_what_many_rules_ask_is_reckoned_once_a_decision(tmp_path, monkeypatch):
    asked = []

    def counted(game, number):
        asked.append(number)
        return sets(game, number)

    sets = draws._sets
    monkeypatch.setattr(draws, "_sets", counted)
    rules = [f'"draw_1 if kill.draw_1 >= {n} and expected.draw_2 >= 9999"' for n in range(50)]
    path = tmp_path / "asking.toml"
    head = "label = { en = 'Asking', ja = '問い' }\nabout = 'Asks.'\n"
    path.write_text(f"{head}[draw]\nrules = [{', '.join(rules)}, 'draw_2']\n", encoding="utf-8")
    game = fight("zaza", lineup=[str(path)])
    game.battle_turn()
    assert sorted(asked) == [1, 2]
    game.battle_turn()
    assert sorted(asked) == [1, 1, 2, 2]
