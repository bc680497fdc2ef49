"""Casting: the magic deck and the draw from it, what spells drawn parts make, and the choice."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from sim.titles.wizard import TITLE
from sim.titles.wizard.schema import PARTS
from tests.budget import assert_counts
from tests.titles.wizard.staging import BASIC, fight, turn

RULES = TITLE.load()
VALUES = RULES.values
COLOURS = ("red", "green", "blue")
NO_BLOCKS = [f"enemies.tera.block.{colour}=0" for colour in COLOURS]
#: An enemy that takes all damage and does nothing.
DUMMY = [*NO_BLOCKS, "enemies.tera.mend=0", f"enemies.tera.ap={[0] * 26}"]
EXTENSIONS = ("red_extension", "green_extension", "blue_extension", "light_blue_extension")


def chosen(game, what):
    """Return options and choice of every decision of a sort."""
    found = [e for e in game.events if e["event"] == "choose" and e["what"] == what]
    return [(list(event["options"]), event["choice"]) for event in found]


def moved(game, to):
    """Return the cards that came to a zone, one list for each battle turn."""
    turns = []
    for event in game.events:
        if event["event"] == "state" and event["what"] == "battle_turn":
            turns.append([])
        if event["event"] == "move" and event["to"] == to:
            turns[-1].append(event["card"])
    return turns


# UW-C2


@pytest.mark.rule("UW-C2")
def test_all_parts_form_the_deck_anew_in_every_turn():
    hand = ["blue_extension", "grimoire_2", "red_extension"]
    game = fight("tera", hand=hand, overrides=DUMMY, choices=["draw_2"] * 3)
    for _ in range(3):
        game.battle_turn()
        assert sorted(game.hand) == sorted([*BASIC, *hand])
    decks = moved(game, "deck")
    assert [sorted(deck) for deck in decks] == [sorted([*BASIC, *hand[::2]])] * 3
    assert [len(drawn) for drawn in moved(game, "drawn")] == [2, 2, 2]


@pytest.mark.rule("UW-C2")
@pytest.mark.parametrize(
    ("more", "most"), [(0, 2), (1, 3), (2, 4), (3, 4), (4, 4)], ids=lambda n: str(n)
)
def test_four_cards_at_most_and_one_stays_in_the_deck(more, most):
    game = fight("tera", hand=EXTENSIONS[:more])
    options = [f"draw_{number}" for number in range(1, most + 1)]
    assert list(game.options()) == options
    game.battle_turn()
    assert chosen(game, "draw")[0][0] == options


@pytest.mark.rule("UW-C2")
@pytest.mark.parametrize(
    ("override", "more", "most"),
    [
        ("casting.left=0", 0, 3),
        ("casting.left=0", 1, 4),
        ("casting.left=0", 4, 4),
        ("casting.left=2", 1, 2),
        ("casting.left=2", 2, 3),
        ("casting.most_drawn=1", 4, 1),
        ("casting.most_drawn=2", 4, 2),
        ("casting.most_drawn=3", 1, 3),
        ("casting.left=2", 0, 1),
    ],
)
def test_how_many_may_be_drawn_is_data(override, more, most):
    game = fight("tera", hand=EXTENSIONS[:more], overrides=[override])
    assert list(game.options()) == [f"draw_{number}" for number in range(1, most + 1)]
    game.battle_turn()
    # One number alone is no decision, and is drawn all the same.
    assert len(chosen(game, "draw")) == (most > 1)
    assert [len(drawn) for drawn in moved(game, "drawn")] == [1]


@pytest.mark.rule("UW-C2")
@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("cost", [0, 1, 2, 7])
def test_each_card_drawn_costs_lp(number, cost):
    overrides = [*DUMMY, f"casting.cost={cost}"]
    drawn = ["red_extension", "green_extension", "blue_extension", "light_blue_extension"]
    game = turn("tera", drawn[:number], hand=EXTENSIONS, overrides=overrides)
    assert game.lp == 30 - number * cost
    assert game.counter("lp_draws") == -number * cost
    assert game.counter("drawn") == number
    assert moved(game, "drawn") == [drawn[:number]]


@pytest.mark.rule("UW-C2")
def test_cards_are_drawn_at_random(stat_seed):
    drawn = Counter()
    for deal in range(1500):
        chance = {"rules": RULES, "seed": stat_seed, "deal": deal}
        game = fight("zaza", hand=["red_extension"], choices=["draw_2"], **chance)
        game.battle_turn()
        drawn[tuple(moved(game, "drawn")[0])] += 1
    assert len(drawn) == 4 * 3
    assert_counts(list(drawn.values()))


@pytest.mark.rule("UW-C2")
def test_turns_are_shuffled_by_themselves(stat_seed):
    pairs = Counter()
    for deal in range(1200):
        chance = {"rules": RULES, "seed": stat_seed, "deal": deal}
        game = fight("zaza", choices=["draw_1"] * 2, **chance)
        game.battle_turn()
        game.battle_turn()
        first, second = moved(game, "drawn")
        pairs[first[0], second[0]] += 1
    assert len(pairs) == 9
    assert_counts(list(pairs.values()))


CHOSEN = 'casting.deck="chosen"'


@pytest.mark.rule("UW-C2")
def test_by_default_every_part_is_in_the_deck():
    assert VALUES["casting"]["deck"] == "all"
    game = fight("tera", hand=EXTENSIONS)
    game.battle_turn()
    assert chosen(game, "leave") == []
    assert sorted(moved(game, "deck")[0]) == sorted(PARTS)


@pytest.mark.rule("UW-C2")
@pytest.mark.parametrize("number", [0, 1, 2])
def test_parts_can_be_left_out_one_after_the_other(number):
    leave = ["green_basic", "red_extension"][:number]
    choices = [*leave, *["stop"] * (number < 2), "draw_1"]
    hand = ["red_extension", "blue_extension"]
    game = fight("tera", hand=hand, overrides=[*DUMMY, CHOSEN], choices=choices)
    game.battle_turn()
    assert not game.choices
    parts = [*BASIC, *hand]
    kept = [part for part in parts if part not in leave]
    assert sorted(moved(game, "deck")[0]) == sorted(kept)
    asked = chosen(game, "leave")
    assert [choice for _, choice in asked] == choices[:-1]
    for place, (options, _) in enumerate(asked):
        assert sorted(options) == sorted(
            [*(part for part in parts if part not in leave[:place]), "stop"]
        )
    most = min(4, len(kept) - 1)
    assert chosen(game, "draw")[0][0] == [f"draw_{n}" for n in range(1, most + 1)]
    assert sorted(game.hand) == sorted(parts), "for one turn alone"


@pytest.mark.rule("UW-C2")
def test_what_was_left_out_is_not_drawn_and_can_be_kept_in_the_next_turn():
    hand = ["blue_extension"]
    choices = ["blue_extension", "draw_2", "stop", "draw_3"]
    for deal in range(20):
        game = fight(
            "tera", hand=hand, overrides=[*DUMMY, CHOSEN], choices=list(choices), deal=deal
        )
        game.battle_turn()
        assert "blue_extension" not in moved(game, "drawn")[0]
        game.battle_turn()
        assert len(moved(game, "drawn")[1]) == 3
        assert not game.choices


@pytest.mark.rule("UW-C2")
@pytest.mark.parametrize(
    ("least", "more", "asked"), [(3, 0, 0), (3, 1, 1), (3, 4, 4), (4, 1, 0), (4, 3, 2), (7, 4, 0)]
)
def test_no_part_is_left_out_below_the_least(least, more, asked):
    overrides = [*DUMMY, CHOSEN, f"casting.deck_least={least}"]
    leave = list(EXTENSIONS[:asked])
    game = fight("tera", hand=EXTENSIONS[:more], overrides=overrides, choices=[*leave, "draw_1"])
    game.battle_turn()
    assert [choice for _, choice in chosen(game, "leave")] == leave
    assert len(moved(game, "deck")[0]) == 3 + more - asked


# UW-C3


@pytest.mark.rule("UW-C3")
@pytest.mark.parametrize(
    ("drawn", "power"),
    [
        ("red_basic", (2, 0, 0)),  # as printed
        ("blue_basic blue_extension", (0, 0, 4)),  # as printed
        ("green_basic", (0, 2, 0)),
        ("blue_basic", (0, 0, 2)),
        ("red_basic red_extension", (4, 0, 0)),
        ("green_basic green_extension", (0, 4, 0)),
        ("blue_basic light_blue_extension", (0, 0, 4)),
        ("blue_basic blue_extension light_blue_extension", (0, 0, 7)),
        ("red_extension", (0, 0, 0)),
        ("green_extension", (0, 0, 0)),
        ("blue_extension", (0, 0, 0)),
        ("light_blue_extension", (0, 0, 0)),
        ("blue_extension light_blue_extension", (0, 0, 0)),
        ("red_extension green_extension blue_extension light_blue_extension", (0, 0, 0)),
        ("red_basic green_extension", (2, 0, 0)),
        ("red_basic green_basic blue_basic", (2, 2, 2)),
        ("red_basic green_basic red_extension green_extension", (4, 4, 0)),
        ("red_basic green_basic red_extension", (4, 2, 0)),
        ("green_basic blue_basic green_extension", (0, 4, 2)),
    ],
)
def test_spells_of_the_first_grimoire(drawn, power):
    drawn = drawn.split()
    for colour, number in zip(COLOURS, power, strict=True):
        others = [f"enemies.tera.block.{name}={0 if name == colour else 20}" for name in COLOURS]
        game = turn("tera", drawn, hand=EXTENSIONS, overrides=[*DUMMY, *others])
        assert 26 - game.enemy_lp == number
    assert chosen(game, "spell") == []


@pytest.mark.rule("UW-C3")
@pytest.mark.parametrize(
    ("drawn", "spell", "damage", "healed"),
    [
        ("red_basic red_extension green_basic", "flame_3", 7 + 2, 0),
        ("green_basic green_extension blue_basic", "storm_3", 7 + 2, 0),
        ("red_basic green_basic blue_basic", "mending_4", 0, 8),
    ],
)
def test_spells_of_the_grimoire_2(drawn, spell, damage, healed):
    drawn = drawn.split()
    hand = [*EXTENSIONS, "grimoire_2"]
    asked = [spell] if spell == "mending_4" else []
    game = turn("tera", drawn, hand=hand, lp=10, choices=asked, overrides=DUMMY)
    assert (26 - game.enemy_lp, game.lp) == (damage, 10 - 3 + healed)
    assert VALUES["spells"][spell]["level"] in (3, 4)
    without = turn("tera", drawn, hand=EXTENSIONS, lp=10, overrides=DUMMY)
    assert (26 - without.enemy_lp, without.lp) == (6, 7)


@pytest.mark.rule("UW-C3")
def test_which_grimoire_and_what_a_spell_does_is_data():
    moved_to_first = [*DUMMY, "spells.flame_3.grimoire=1"]
    drawn = ["red_basic", "red_extension", "green_basic"]
    assert turn("tera", drawn, hand=EXTENSIONS, overrides=moved_to_first).enemy_lp == 26 - 9
    heals = [*DUMMY, "spells.red_1.heal=3"]
    assert turn("tera", ["red_basic"], lp=10, overrides=heals).lp == 10 - 1 + 3
    parts = [*DUMMY, 'spells.red_1.parts=["red_extension"]']
    game = turn("tera", ["red_extension"], hand=["red_extension"], overrides=parts)
    assert game.enemy_lp == 24


# UW-C9


def sets_of_spells(drawn, book, spells=VALUES["spells"]):
    """Return the sets of spells that drawn parts allow, none of them a part of another."""
    able = [
        name
        for name, spell in spells.items()
        if set(spell["parts"]) <= set(drawn) and (book or spell["grimoire"] == 1)
    ]
    fitting = []
    for number in range(len(able) + 1):
        for some in itertools.combinations(able, number):
            parts = [part for name in some for part in spells[name]["parts"]]
            if len(parts) == len(set(parts)):
                fitting.append(frozenset(some))
    return [one for one in fitting if not any(one < other for other in fitting)]


def brings(some, spells=VALUES["spells"]):
    """Return power by colour and healing of a set of spells."""
    powers = [sum(spells[name]["power"][colour] for name in some) for colour in COLOURS]
    return (*powers, sum(spells[name]["heal"] for name in some))


def worth_casting(drawn, book):
    """Return what sets of spells bring that no other one equals or beats in everything."""
    results = {brings(some) for some in sets_of_spells(drawn, book)}

    def beaten(one):
        return any(
            other != one and all(o >= n for o, n in zip(other, one, strict=True))
            for other in results
        )

    return {one for one in results if not beaten(one)}


class Answers:
    """Chooses the nth option each time, by a list, and notes how many there were."""

    def __init__(self, nth) -> None:
        self.nth, self.asked = list(nth), []

    def spell(self, view, options):
        self.asked.append(tuple(options))
        place = self.nth[len(self.asked) - 1] if len(self.asked) <= len(self.nth) else 0
        return options[place]

    def draw(self, view, options):
        return options[-1]


def all_casts(drawn, book):
    """Return what is cast in all ways of choosing: spells, and their power and healing."""
    found, todo = [], [()]
    while todo:
        nth = todo.pop()
        player = Answers(nth)
        hand = [*EXTENSIONS, *["grimoire_2"] * book]
        overrides = [*DUMMY, f"casting.most_drawn={len(drawn)}"]
        game = fight("tera", hand=hand, decks=[drawn], lineup=[player], overrides=overrides)
        game.battle_turn()
        (cast,) = [e for e in game.events if e.get("what") == "cast"]
        if len(player.asked) > len(nth):
            todo += [(*nth, place) for place in range(len(player.asked[len(nth)]))]
            continue
        power = tuple(cast["power"][colour] for colour in COLOURS)
        found.append((frozenset(cast["spells"]), (*power, cast["heal"])))
    return found


@pytest.mark.rule("UW-C9")
@pytest.mark.rule("UW-C3")
@pytest.mark.parametrize("book", [False, True])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_every_set_of_spells_that_is_worth_casting_is_offered_and_no_other(number, book):
    chosen_among = 0
    for drawn in itertools.combinations(PARTS, number):
        found = all_casts(list(drawn), book)
        wanted = worth_casting(drawn, book)
        assert {result for _, result in found} == wanted, drawn
        whole = sets_of_spells(drawn, book)
        for spells, result in found:
            assert spells in whole, "no spell is held back, and no part serves twice"
            assert brings(spells) == result
        chosen_among += len(wanted) > 1
    assert bool(chosen_among) == (book and number >= 3)


@pytest.mark.rule("UW-C9")
def test_a_part_serves_in_one_spell():
    drawn = ["red_basic", "red_extension"]
    game = turn("tera", drawn, hand=EXTENSIONS, overrides=DUMMY)
    assert game.enemy_lp == 26 - 4, "not 2 + 4"
    assert game.counter("spells_cast") == 1


@pytest.mark.rule("UW-C9")
def test_the_player_chooses_among_sets():
    options = ["blue_1", "green_1", "mending_4", "red_1"]
    for choice, damage, healed in (("mending_4", 0, 8), ("red_1", 6, 0), ("blue_1", 6, 0)):
        hand = ["red_extension", "grimoire_2"]
        game = turn("tera", BASIC, hand=hand, lp=10, choices=[choice], overrides=DUMMY)
        assert (26 - game.enemy_lp, game.lp) == (damage, 7 + healed)
        ((offered, taken),) = chosen(game, "spell")
        assert (sorted(offered), taken) == (options, choice)


@pytest.mark.rule("UW-C9")
def test_a_set_that_another_one_beats_is_not_offered():
    # Flame (red 7, green 2) beats red 4 with green 2.
    drawn = ["red_basic", "red_extension", "green_basic"]
    game = turn("tera", drawn, hand=[*EXTENSIONS, "grimoire_2"], overrides=DUMMY)
    assert chosen(game, "spell") == []
    weak = [*DUMMY, "spells.flame_3.power.green=1"]
    game = turn(
        "tera", drawn, hand=[*EXTENSIONS, "grimoire_2"], overrides=weak, choices=["flame_3"]
    )
    assert game.enemy_lp == 26 - 8
    game = turn("tera", drawn, hand=[*EXTENSIONS, "grimoire_2"], overrides=weak, choices=["red_2"])
    assert game.enemy_lp == 26 - 6
    equal = [*DUMMY, "spells.flame_3.power.red=4"]
    game = turn("tera", drawn, hand=[*EXTENSIONS, "grimoire_2"], overrides=equal)
    assert chosen(game, "spell") == [], "equal in everything"
    assert game.enemy_lp == 26 - 6


@pytest.mark.rule("UW-C9")
@pytest.mark.parametrize(("lp", "ap", "after"), [(10, 5, 10), (5, 8, 2), (30, 5, 25), (4, 9, 0)])
def test_healing_comes_before_damage_and_strike(lp, ap, after):
    overrides = [f"enemies.tera.ap={[ap] * 26}", *NO_BLOCKS]
    hand = ["red_extension", "grimoire_2"]
    game = turn("tera", BASIC, hand=hand, lp=lp, choices=["mending_4"], overrides=overrides)
    assert game.lp == after == max(0, min(30, lp - 3 + 8) - ap)
    whys = [event["why"] for event in game.events if event.get("what") == "lp"]
    assert whys == ["draws", "spells", "strikes"]


@pytest.mark.rule("UW-C9")
def test_healing_comes_before_the_damage_of_the_same_cast():
    overrides = ["spells.red_1.heal=3", *NO_BLOCKS]
    game = turn("tera", ["red_basic"], lp=10, overrides=overrides)
    told = [event.get("why") for event in game.events if event["event"] == "change"]
    assert told[:3] == ["draws", "spells", "magic"]
    beaten = turn("tera", ["red_basic"], lp=10, enemy_lp=1, overrides=overrides)
    assert (beaten.end_reason, beaten.lp) == ("cleared", 12), "and is not lost with the enemy"
