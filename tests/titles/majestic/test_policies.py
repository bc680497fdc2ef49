"""What policies see: numbers about what lies open, and nothing of what is hidden."""

from __future__ import annotations

import pytest

from sim.core.policy import available
from sim.titles.majestic import TITLE, from_position, new_game
from tests.titles.majestic.staging import card, made, mana, mana_card, rules_with, seen_by, stage

POLICIES = available(TITLE.data / "policies")


class Watch:
    """Answers by a script and notes what it saw at each decision of one point."""

    point, asks, answers, seen = "", (), (), []

    def __getattr__(self, name):
        if name not in TITLE.vocabulary(made()).decision_names:
            raise AttributeError(name)

        def method(view, options):
            if name == self.point:
                self.seen.append({(what, o): getattr(view, what)(o) for what, o in self.asks})
            wanted = [one for one in self.answers if one in options]
            return wanted[0] if wanted else options[-1]

        return method


def watching(point, asks, *answers):
    """Return a policy class that notes what it is told, and the list of its notes."""
    notes = []
    body = {"point": point, "asks": asks, "answers": answers, "seen": notes}
    return type("Watching", (Watch,), body), notes


def watched(one, other, lineup, phase="battle", rules=None):
    game = from_position(
        {"seats": [one, other], "phase": phase}, rules=rules or made(), lineup=lineup
    )
    game.play_phase()
    return game


def test_attackers_weigh_all_who_may_block():
    policy, notes = watching(
        "attack", [(what, f"own_{n}") for what in ("kills", "survives") for n in (1, 2)]
    )
    units = {"front": ["flame_rider", "spark_imp"]}  # 4/3 and 1/1
    watched(units, {"back": ["clay_guard"]}, [policy, None])  # 1/4
    assert notes[0] == {
        ("kills", "own_1"): 1,
        ("survives", "own_1"): 1,
        ("kills", "own_2"): 0,
        ("survives", "own_2"): 0,
    }
    notes.clear()
    watched(units, {"back": [{"unit": "clay_guard", "down": True}]}, [policy, None])
    assert set(notes[0].values()) == {1}, "nobody can block"


def test_blockers_weigh_the_attacker():
    asks = [(what, f"own_{n}") for what in ("kills", "survives", "worth") for n in (1, 2)]
    policy, notes = watching("block", asks)
    attack, _ = watching("", (), "own_1")
    back = ["root_warden", {"unit": "clay_guard", "damage": 1}]  # 3/3 and 1/4, 3 left
    watched({"front": ["ember_lancer"]}, {"back": back}, [attack, policy])  # 3/1
    assert notes == [
        {
            ("kills", "own_1"): 1,
            ("survives", "own_1"): 0,
            ("worth", "own_1"): 9,
            ("kills", "own_2"): 1,
            ("survives", "own_2"): 0,
            ("worth", "own_2"): 6,
        }
    ]


@pytest.mark.parametrize(
    ("attacker", "blocker", "swings"),
    [
        ("root_warden", "clay_guard", 1),  # 3/3 on 1/4: 2 AP more destroy the guard
        ("flame_rider", "clay_guard", 0),  # 4/3: it is destroyed anyway
        ("spark_imp", "stone_giant", 0),  # 1/1 on 5/6: nothing helps
    ],
)
def test_a_bonus_swings_a_battle_that_it_decides(attacker, blocker, swings):
    policy, notes = watching("exchange", [("swings", "tailwind")], "own_1", "stop")
    seat = {"front": [attacker], "hand": ["tailwind"], "mana": mana(1, "wind")}
    block, _ = watching("", (), "own_1")
    watched(seat, {"back": [blocker]}, [policy, block])
    assert [note["swings", "tailwind"] for note in notes] == [0, swings], "before and after"


def test_before_the_block_only_what_removes_the_attacker_swings():
    asks = [("swings", "scorch"), ("swings", "undertow"), ("swings", "harden")]
    policy, notes = watching("exchange", asks, "stop")
    hand = {"hand": ["scorch", "undertow", "harden"], "back": ["clay_guard"]}
    hand["mana"] = [*mana(2), *mana(2, "water"), *mana(1, "earth")]
    attack, _ = watching("", (), "own_1")
    watched({"front": ["flame_rider"]}, hand, [attack, policy])  # 4/3
    assert notes[0] == dict(zip(asks, (1, 1, 0), strict=True))
    notes.clear()
    watched({"front": ["stone_giant"]}, hand, [attack, policy])  # 5/6: 3 damage are too few
    assert notes[0] == dict(zip(asks, (0, 1, 0), strict=True))


def test_what_works_on_a_whole_side_counts(tmp_path):
    rules = rules_with(
        tmp_path,
        card("quake", "spell", effects=["damage all 1"]),
        card("rally", "spell", effects=["ap own 1 if hand >= 0", "ap own 1"]),
    )
    policy, notes = watching(
        "main", [(what, name) for what in ("kills", "swings") for name in ("quake", "rally")]
    )
    hand = {"hand": ["quake", "rally"], "front": ["stone_giant"]}
    watched(hand, {"back": ["spark_imp"]}, [policy, None], "main", rules)
    assert notes[0]["kills", "quake"] == 1
    assert notes[0]["kills", "rally"] == 0
    policy, notes = watching(
        "exchange", [("swings", "quake"), ("swings", "rally")], "own_1", "stop"
    )
    block, _ = watching("", (), "own_1")
    seat = {"hand": ["quake", "rally"], "front": ["root_warden"]}
    watched(seat, {"back": ["clay_guard"]}, [policy, block], "battle", rules)  # 3/3 on 1/4
    assert notes[-1] == {("swings", "quake"): 1, ("swings", "rally"): 1}


def test_the_clock_counts_who_stands_where():
    units = {"front": ["flame_rider", "spark_imp", {"unit": "stone_giant", "keywords": ["bound"]}]}
    game = stage(units, {"back": ["clay_guard"], "front": ["cloud_archer"], "lp": mana(5)})
    assert game.observe(1, "clock") == 5, "two may attack, one may block"
    assert game.observe(2, "clock") == 6, "one attacks, nobody blocks"
    assert game.observe(1, "lead") == 1
    assert game.observe(1, "cover") == -1
    ranged = stage({"back": ["cloud_archer"]}, {"front": ["clay_guard"]})
    assert ranged.observe(1, "clock") == 99, "the guard blocks from the front"
    assert ranged.observe(2, "clock") == 99, "the archer blocks, too"


def test_the_biggest_is_that_of_its_side():
    policy, notes = watching(
        "target",
        [(what, o) for what in ("biggest", "smallest") for o in ("own_1", "enemy_1", "enemy_2")],
    )
    main, _ = watching("", (), "scorch")
    both = type("Both", (main, policy), {"answers": ("scorch",), "point": "target"})
    both.asks, both.seen = policy.asks, notes
    watched(
        {"hand": ["scorch"], "mana": mana(2), "front": ["spark_imp"]},
        {"front": ["spark_imp", "stone_giant"]},
        [both, None],
        "main",
    )
    assert notes == [
        {
            ("biggest", "own_1"): 0,  # no legal target
            ("biggest", "enemy_1"): 0,
            ("biggest", "enemy_2"): 1,
            ("smallest", "own_1"): 0,
            ("smallest", "enemy_1"): 1,
            ("smallest", "enemy_2"): 0,
        }
    ]


def test_nothing_hidden_is_seen():
    """Positions that differ in hidden cards alone look alike."""
    open_ = {"front": ["flame_rider"], "mana": mana(3)}
    hidden = [
        {"hand": ["scorch"], "lp": ["fire_mana", "ember_spring"], "deck": ["scorch", "war_cry"]},
        {"hand": ["undertow"], "lp": ["ember_spring", "fire_mana"], "deck": ["war_cry", "scorch"]},
    ]
    own = {"hand": ["scorch"], "front": ["spark_imp"], "mana": mana(2), "lp": mana(2)}
    own_hidden = {**own, "lp": ["tide_spring", "fire_mana"], "mana_deck": mana(10, "water")}
    seen = [
        seen_by(stage(mine, {**open_, **theirs}), 1)
        for mine in (own, own_hidden)
        for theirs in hidden
    ]
    assert seen[0] == seen[1] == seen[2] == seen[3]
    assert seen[0]["enemy_hand", None] == 1


def test_spells_and_abilities_are_used_in_battles_by_all_who_play_to_win():
    for policy in [name for name in POLICIES if name != "random"]:
        used = 0
        for deal in range(6):
            game = new_game(
                rules=made(), lineup=[f"{policy}:ember_rush", "midrange:tide_wall"], deal=deal
            )
            game.play()
            used += game.counter(1, "spells_in_battle")
        assert used, policy


def test_special_mana_is_used_where_it_helps(tmp_path):
    rules = rules_with(tmp_path, mana_card("well", effects=["draw own 1"]))
    game = from_position(
        {
            "seats": [{"mana_deck": ["well", "fire_mana"], "deck": ["scorch"] * 9}, {}],
            "phase": "mana",
        },
        rules=rules,
        lineup=["midrange:ember_rush", None],
    )
    game.mana_phase()
    assert game.mana(1) == ["well"]
    assert game.hand(1) == ["scorch"]
