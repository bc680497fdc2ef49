"""Rulesets, policies and positions of a hostile or careless user: played right, or refused."""

from __future__ import annotations

from collections import Counter

import pytest

from sim import simulate
from sim.errors import DataError, InputError
from sim.titles.wizard import TITLE, from_position, load, new_game
from sim.titles.wizard.schema import FEATURES
from sim.titles.wizard.words import way_ids
from tests.titles.wizard.proof import Case, Setting, compare
from tests.titles.wizard.proof_cases import OTHER_SPELLS

LABEL = "label = { en = 'Momo', ja = 'モモ' }\n"
ENEMY = (
    f"{LABEL}colour = 'red'\nlp = 2\nap = [1, 1]\n"
    "block = { red = 0, green = 0, blue = 0 }\nfamily = ''\nrecover = 1\nmend = 0\n"
)


@pytest.fixture
def overlay(tmp_path):
    """Return what writes an overlay's text to a file."""

    def write(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


# -- ids -----------------------------------------------------------------------------------------


def test_no_enemy_has_the_name_of_nobody(overlay):
    """Both would be values of the column ``lost_to``, which could not be told apart."""
    nobody = TITLE.categories(load(), "lost_to")[0].id
    with pytest.raises(DataError, match=f"enemies.{nobody}: found the id '{nobody}'"):
        TITLE.load([overlay(f"[enemies.{nobody}]\n{ENEMY}")])


def test_values_of_all_categories_have_different_names(overlay):
    # Names that are values of other columns than the one in which the enemy would be one.
    names = ("not_lost", "on_the_road", "at_the_castle", "never_there", "no_place", "cleared")
    path = overlay("".join(f"[enemies.{name}]\n{ENEMY}" for name in names))
    ruleset = TITLE.load([path])
    for column in TITLE.info.columns:
        if column.role == "category":
            ids = [one.id for one in TITLE.categories(ruleset, column.name)]
            assert len(set(ids)) == len(ids), column.name
    run = simulate("wizard", games=20, lineup=["random"], rules=[path], collect=["core", "cards"])
    assert set(run.seats["lost_to"]) <= {one.id for one in TITLE.categories(ruleset, "lost_to")}


@pytest.mark.parametrize("name", [r"c 0", r"c\n0", "", "城", "C0"])
def test_hexes_are_named_like_all_else(name, overlay):
    """A line feed in a name could tell a move that was never made."""
    with pytest.raises(DataError, match=r"maps\.long\.hexes\..*: found the id .*words like c2"):
        TITLE.load([overlay(f'[maps.long.hexes]\n"{name}" = {{ at = [8, 8], terrain = "town" }}')])


# -- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"used": ["c2"]}, "unknown yellow hex 'c2'"),
        ({"places": {"left_1": {"beaten": True, "ability": "hero"}}}, "at a beaten place"),
        ({"places": {"left_1": {"beaten": "no"}}}, "found 'no'; allowed: True or False"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(position, said):
    with pytest.raises(InputError, match=said):
        from_position(position)


def test_no_battle_may_be_said_in_so_many_words():
    game = from_position({"hex": "a2", "battle": None})
    assert (game.phase, game.enemy) == ("journey", None)


# -- numbers at their limits ---------------------------------------------------------------------

LEAST, MOST = -(2**31), 2**31 - 1

#: What draws may bring weighs as much as there is room for, for and against.
WEIGHTS = (
    (MOST, MOST, MOST, MOST, MOST, MOST),
    (LEAST, LEAST, LEAST, LEAST, LEAST, LEAST),
    (MOST, MOST, LEAST, LEAST, MOST, LEAST),
    (LEAST, 1, MOST, LEAST, -1, MOST),
)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_weights_at_their_limits_are_reckoned_alike_by_both_engines(weights, tmp_path):
    policy = tmp_path / "heavy.toml"
    features = "\n".join(
        f"{name} = {weight}" for name, weight in zip(FEATURES, weights, strict=True)
    )
    policy.write_text(
        'about = "Heavy."\nlabel = { en = "Heavy", ja = "重い" }\nslip = 0\n'
        '[move]\nrules = ["any with to_fight == 1", "any with to_king == 1"]\n'
        f'[draw]\nrules = ["any with best == 1"]\n[draw.weights]\n{features}\n'
        '[spell]\nrules = ["any with best == 1"]\n',
        encoding="utf-8",
    )
    hits = Counter()
    case = Case("heavy", ("start.cards=9", "start.lp=40"), (str(policy),), overlay=OTHER_SPELLS)
    assert compare(Setting(case, 10, tmp_path), hits) == []
    assert hits["decision spell"]


def test_the_poorest_and_the_richest_rules_are_played_alike_by_both_engines(tmp_path):
    """All at once what the proof moves one by one: no counter or buffer is too small."""
    enemies = load().values["enemies"]
    longest = [
        *(f"enemies.{name}.mend=20" for name in enemies),
        *(f"enemies.{name}.lp=40" for name in enemies),
        *(f"enemies.{name}.ap={[20] * 40}" for name in enemies),
        *("limits.round_cap=200", "limits.battle_cap=200", "start.lp=99", "lp.most=99"),
        *("lp.after_loss=99", "start.cards=10", "casting.cost=0"),
        *(f"cards.{who}.ways.{way}.guard=20" for who, way in way_ids(load().values)),
    ]
    poorest = ("start.lp=1", "lp.most=1", "lp.after_loss=1", "casting.cost=20", "casting.left=0")
    hits = Counter()
    for name, overrides in (("longest", longest), ("poorest", poorest)):
        case = Case(name, tuple(overrides), ("fight_everything", "optimal_draws"))
        assert compare(Setting(case, 6, tmp_path), hits) == []
    assert hits["end battle_cap"]
    assert hits["end lost_on_road"]


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (None, "position: found None; allowed: a mapping"),
        ("c0", "position: found 'c0'; allowed: a mapping"),
        ({"hand": "red_basic"}, "hand: found 'red_basic'; allowed: a list"),
        ({"companions": 3}, "companions: found 3; allowed: a list"),
        ({"lost": [None]}, "companion: found None; allowed: a name"),
        ({"places": []}, r"places: found \[\]; allowed: a mapping"),
        ({"places": {"left_4": None}}, r"places\.left_4: found None; allowed: a mapping"),
        ({"places": {"left_4": {"enemy": ["zaza"]}}}, r"enemy: found \['zaza'\]; allowed: a name"),
        ({"battle": 3}, "battle: found 3; allowed: a mapping"),
        ({"decks": ["red_basic"]}, "decks: found 'red_basic'; allowed: a list"),
        ({"hex": 3}, "hex: found 3; allowed: a name"),
    ],
)
def test_what_is_no_position_is_refused_in_words(position, said):
    with pytest.raises(InputError, match=said):
        from_position(position)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"bans": "knight"}, "bans: found 'knight'; allowed: a list"),
        ({"bans": [["knight"]]}, r"option: found \['knight'\]; allowed: a name"),
        ({"choices": "go_up"}, "choices: found 'go_up'; allowed: a list"),
        ({"lineup": 3}, "lineup: found 3; allowed: a list"),
        ({"overrides": "start.lp=31"}, "overrides: found 'start.lp=31'; allowed: a list"),
        ({"rules": 3}, "rules: found 3; allowed: a ruleset"),
        ({"deal": -1}, "deal: found -1; allowed: a whole number"),
        ({"deal": "x"}, "deal: found 'x'; allowed: a whole number"),
    ],
)
def test_what_no_game_can_be_made_of_is_refused_in_words(asked, said):
    with pytest.raises(InputError, match=said):
        new_game(**asked)


def test_what_cannot_be_read_is_refused_in_words():
    game = new_game()
    for read in (game.move, game.observe, game.counter, game.place):
        with pytest.raises(InputError, match=r"found \[\]; allowed: a name"):
            read([])
    with pytest.raises(InputError, match=r"option: found \[\]; allowed: a name"):
        game.observe("cost", [])
