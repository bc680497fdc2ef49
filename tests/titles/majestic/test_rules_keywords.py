"""MM-U6: keywords, printed and given."""

from __future__ import annotations

import pytest

from sim.titles.majestic.schema import KEYWORDS
from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    fought,
    made,
    played,
    spell,
    stage,
    unit,
    where,
)
from tests.titles.majestic.staging import chosen

DOWN = {"down": True, "effects": ["draw own 1"]}

PRINTED = made(
    *BODIES,
    *(unit(f"made_{word}", 2, 3, word, ability=DOWN) for word in KEYWORDS),
    unit("made_plain", 2, 3, ability=DOWN),
)


def having(word, printed, **more):
    """Return a unit with a keyword, printed or given; without one for None."""
    if printed and word:
        return {"unit": f"made_{word}", **more}
    return {"unit": "made_plain", "keywords": [word] if word else [], **more}


@pytest.mark.rule("MM-U6")
@pytest.mark.parametrize("printed", [True, False])
@pytest.mark.parametrize("word", [None, *KEYWORDS])
def test_which_units_may_attack(word, printed):
    for area in ("front", "back"):
        for fresh in (False, True):
            game = stage({area: [having(word, printed, fresh=fresh)]}, {}, rules=PRINTED)
            may = word != "bound" and (area == "front" or word == "ranged")
            may = may and (not fresh or word == "swift")
            assert game.options("attack", 1) == (["own_1", "stop"] if may else ["stop"])
            down = stage({area: [having(word, printed, down=True)]}, {}, rules=PRINTED)
            assert down.options("attack", 1) == ["stop"]


@pytest.mark.rule("MM-U6")
@pytest.mark.parametrize("printed", [True, False])
@pytest.mark.parametrize("word", [None, *KEYWORDS])
def test_what_swift_frees_of(word, printed):
    game = stage({"front": [having(word, printed, fresh=True)]}, {}, rules=PRINTED)
    free = ["own_1", "retreat"] if word == "swift" else []
    assert game.options("main", 1) == [*free, "stop"]


@pytest.mark.rule("MM-U6")
@pytest.mark.parametrize("printed", [True, False])
@pytest.mark.parametrize("word", [None, *KEYWORDS])
def test_which_units_may_block(word, printed):
    for area in ("front", "back"):
        for down in (False, True):
            one = having(word, printed, down=down)
            lineup = asked({"attack": ["own_1"]}, {"block": ["own_1"]})
            seats = {"front": ["grunt"]}, {area: [one]}
            game = stage(*seats, rules=PRINTED, phase="battle", lineup=lineup)
            game.battle_phase()
            may = not down and word != "bound" and (area == "back" or word == "sentinel")
            assert game.counter(2, "blocks") == may
            assert len(game.lp(2)) == 5 + may


@pytest.mark.rule("MM-U6")
@pytest.mark.parametrize("printed", [True, False])
@pytest.mark.parametrize("word", [None, "swift", "evasive", "ranged", "sentinel"])
def test_which_units_can_be_blocked(word, printed):
    other = {"back": ["grunt"], "front": [{"unit": "rat", "keywords": ["sentinel"]}]}
    game = stage({"front": [having(word, printed)]}, other, rules=PRINTED, phase="battle")
    game.choices[1].append("own_1")
    game.battle_phase()
    options = [["own_1", "own_2", "stop"]] if word != "evasive" else []
    assert [found for _, found, _ in chosen(game, "block")] == options
    assert len(game.lp(2)) == 5


@pytest.mark.rule("MM-U6")
def test_a_ranged_unit_attacks_and_fights_from_the_back_area():
    archer = {"unit": "grunt", "keywords": ["ranged"]}
    game = fought({"back": [archer]}, {"back": ["rock"]}, attacker=1, blocker=1, rules=PRINTED)
    assert (game.unit(2, 1)["damage"], game.unit(1, 1)["ready"], game.back(1)) == (
        2,
        False,
        ["grunt"],
    )


@pytest.mark.rule("MM-U6")
@pytest.mark.parametrize("word", KEYWORDS)
def test_a_keyword_that_was_given_lasts_until_the_end_of_the_turn(word):
    rules = made(*BODIES, spell("give", f"grant target {word}", target="own"))
    game = played({"front": ["grunt"], "hand": ["give"]}, {}, "give", rules=rules)
    assert game.unit(1, 1)["keywords"] == [word]
    game.battle_phase()
    assert game.unit(1, 1)["keywords"] == [word]
    game.end_phase()
    assert game.unit(1, 1)["keywords"] == []


@pytest.mark.rule("MM-U6")
def test_a_keyword_given_in_the_battle_counts_at_once():
    rules = made(
        *BODIES,
        spell("fly", "grant attacker evasive"),
        spell("tie", "grant enemy bound"),
        spell("wake", "grant own sentinel"),
    )
    own = {"front": ["grunt"], "hand": ["fly", "tie"]}
    other = {"back": ["rat"], "front": ["rock"], "hand": ["wake"]}
    for card in ("fly", "tie"):
        game = stage(own, other, rules=rules, phase="battle")
        game.choices[1].extend(["own_1", card])
        game.battle_phase()
        assert (chosen(game, "block"), len(game.lp(2))) == ([], 5)
    game = stage(own, other, rules=rules, phase="battle")
    game.choices[1].append("own_1")
    game.choices[2].extend(["wake", "own_1"])
    game.battle_phase()
    assert chosen(game, "block") == [(2, ["own_1", "own_2", "stop"], "own_1")]
    assert (game.front(2), game.unit(2, 1)["damage"]) == (["rock"], 2)
    assert where(game, 2)["trash"] == ["wake"]


@pytest.mark.rule("MM-U6")
def test_keywords_that_come_too_late_change_nothing():
    # An attack that was made goes on, and so does a block.
    rules = made(
        *BODIES,
        spell("tie", "grant attacker bound", "grant blocker bound"),
        spell("fly", "grant attacker evasive"),
    )
    own = {"front": ["grunt"], "hand": ["fly"]}
    game = fought(own, {"hand": ["tie"]}, attacker=1, first=[(1, "stop"), (2, "tie")], rules=rules)
    assert len(game.lp(2)) == 5
    other = {"back": ["rock"], "hand": ["tie"]}
    late = {"first": [(1, "stop"), (2, "stop")], "second": [(1, "fly"), (2, "tie")]}
    game = fought(own, other, attacker=1, blocker=1, rules=rules, **late)
    assert (len(game.lp(2)), game.unit(2, 1)["damage"]) == (6, 2)
