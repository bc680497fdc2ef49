"""GM-A: attacks in seat order, what they do, and the attacker's own part."""

from __future__ import annotations

from collections import Counter

import pytest

from sim.errors import DataError, InputError
from sim.titles.granmagia import TITLE
from tests.titles.granmagia.made_up import (
    OVERLAY,
    TABLES,
    after,
    armed,
    attack,
    deep,
    effects_of,
    rules,
    seated,
    stage,
    to_own_start,
)
from tests.titles.granmagia.staging import DEEP

CURSE = ["curse"]


def curses(game, seat):
    """Count a seat's own curses in its discard pile."""
    return game.discard(seat).count("curse")


class Onlooker:
    """Declines to pay for a doll and remembers what it could see when it was asked."""

    def __init__(self):
        self.seen = []

    def doll(self, view, options):
        self.seen.append((view.pile("curse"), view.rivals_curses))
        return "stop"


#: A seat that is asked when it is attacked, and declines.
ASKED = {"own": ["my_doll"], "dolls_spent": 1, "gold": 1}


# GM-A1: in seat order from the attacker's next seat on


@pytest.mark.rule("GM-A1")
@pytest.mark.rule("GM-F12")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_a_pile_that_runs_out_tells_the_order_of_the_seats(players, seat):
    for pile in range(players + 1):
        game = attack(["curses 1"], *[{}] * players, seat=seat, piles={"curse": pile})
        cursed = after(seat, players)[:pile]
        for each in range(1, players + 1):
            assert game.discard(each) == (CURSE if each in cursed else [])
            assert game.truth(each) == (-1 if each in cursed else 0)
        assert game.piles["curse"] == pile - len(cursed)


@pytest.mark.rule("GM-F12")
@pytest.mark.rule("GM-A1")
@pytest.mark.parametrize(("players", "seat"), TABLES)
@pytest.mark.parametrize("each", [2, 3])
def test_each_seat_gets_its_curses_before_the_next_one(players, seat, each):
    for pile in range(each * players):
        game = attack([f"curses {each}"], *[{}] * players, seat=seat, piles={"curse": pile})
        left = pile
        for victim in after(seat, players):
            assert curses(game, victim) == min(each, left)
            left -= curses(game, victim)
        assert game.piles["curse"] == left
        assert curses(game, seat) == 0


@pytest.mark.rule("GM-F12")
@pytest.mark.rule("GM-T6")
def test_a_granted_curse_goes_on_the_discard_pile_and_comes_out_of_the_pile():
    victim = {"hand": ["charm"], "deck": ["stone"], "discard": ["ritual"], "play": ["market"]}
    game = attack(["curses 2"], {"discard": ["fragment"]}, victim)
    assert game.discard(2) == ["ritual", "curse", "curse"]
    assert (game.hand(2), game.deck(2), game.play_area(2)) == (["charm"], ["stone"], ["market"])
    assert game.piles["curse"] == 8
    assert game.truth(2) == 1 + 3 - 2
    assert game.discard(1) == ["fragment"]


@pytest.mark.rule("GM-F12")
def test_an_empty_pile_deals_nothing_and_burned_curses_stay_out():
    position = {"piles": {"curse": 0}, "burned": ["curse", "charm", "curse"]}
    game = attack(["curses 3", "mana 2"], {}, {}, {}, **position)
    assert [game.discard(seat) for seat in (1, 2, 3)] == [[], [], []]
    assert game.burned == ["curse", "charm", "curse"]
    assert (game.piles["curse"], game.mana) == (0, 2)


@pytest.mark.rule("GM-F12")
@pytest.mark.rule("GM-F5")
def test_a_pile_without_end_stays_one():
    game = attack(["curses 4"], {}, {}, {}, {}, piles={"curse": -1}, times=3)
    assert [curses(game, seat) for seat in (1, 2, 3, 4)] == [0, 12, 12, 12]
    assert game.piles["curse"] == -1


@pytest.mark.rule("GM-A1")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_each_seat_is_hit_and_suffers_before_the_next_one_defends(players, seat):
    lineup = [Onlooker() for _ in range(players)]
    seats = [{} if each == seat else ASKED for each in range(1, players + 1)]
    game = attack(["curses 2"], *seats, seat=seat, lineup=lineup, piles={"curse": 9})
    for place, victim in enumerate(after(seat, players)):
        # Those before it have their curses by then, and those after it have none.
        assert lineup[victim - 1].seen == [(9 - 2 * place, 2 * place)]
        assert curses(game, victim) == 2
    assert lineup[seat - 1].seen == []


@pytest.mark.rule("GM-A1")
@pytest.mark.rule("GM-A2")
def test_who_defends_neither_shields_the_next_nor_takes_a_curse():
    seats = [{}, {"hand": ["my_herb"]}, {}, {"barriers": 1}]
    game = attack(["curses 1"], *seats, piles={"curse": 1})
    assert [curses(game, seat) for seat in (1, 2, 3, 4)] == [0, 0, 1, 0]


# GM-A1: cards that the others discard


@pytest.mark.rule("GM-A1")
@pytest.mark.parametrize("number", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("to", [False, True])
def test_a_hand_that_is_too_small_discards_what_it_has(number, to):
    hand = ["charm", "note", "apprentice", "curse"]
    seats = [{"hand": hand}, {"hand": hand}, {"hand": hand[:2]}, {}]
    game = attack([f"others_discard{'_to' if to else ''} {number}"], *seats)
    for seat, held in [(2, 4), (3, 2), (4, 0)]:
        left = min(held, number) if to else max(0, held - number)
        assert len(game.hand(seat)) == left
        assert len(game.discard(seat)) == held - left
        assert Counter(game.hand(seat) + game.discard(seat)) == Counter(hand[:held])
    assert (game.hand(1), game.discard(1)) == (hand, [])


@pytest.mark.rule("GM-A1")
@pytest.mark.rule("GM-S6")
@pytest.mark.parametrize("effect", ["others_discard 2", "others_discard_to 2"])
def test_the_cards_are_chosen_by_those_who_are_hit(effect):
    hand = ["charm", "note", "apprentice", "stone"]
    log, lineup = seated(
        3,
        seat1={"discard": ["stone"] * 9},
        seat2={"discard": ["apprentice", "note"]},
        seat3={"discard": ["stone", "charm"]},
    )
    seats = [{"hand": hand}, {"hand": hand}, {"hand": hand}]
    game = attack([effect], *seats, lineup=lineup)
    assert (game.hand(2), game.discard(2)) == (["charm", "stone"], ["apprentice", "note"])
    assert (game.hand(3), game.discard(3)) == (["note", "apprentice"], ["stone", "charm"])
    assert (game.hand(1), game.discard(1)) == (hand, [])
    assert {seat for seat, _, _ in log} == {2, 3}
    # Nobody may keep what is to be discarded.
    for entry in lineup[1:]:
        assert all("stop" not in options for options in entry.options("discard"))
        assert [len(options) for options in entry.options("discard")] == [4, 3]


@pytest.mark.rule("GM-A1")
@pytest.mark.parametrize("effect", ["others_discard 1", "others_discard_to 2"])
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_all_defences_are_settled_before_anybody_chooses_what_to_discard(effect, players, seat):
    hand = ["charm", "note", "stone"]
    log, lineup = seated(players, **{f"seat{n}": {"discard": ["stone"]} for n in (1, 2, 3, 4)})
    seats = [{"hand": hand}] * players
    last = after(seat, players)[-1]
    seats[last - 1] = {**ASKED, "hand": hand}
    attack([effect], *seats, seat=seat, lineup=lineup)
    # The last one to be attacked has answered before the first one discards.
    assert log[0] == (last, "doll", "stop")
    discards = [(victim, "discard", "stone") for victim in after(seat, players)]
    assert sorted(log[1:]) == sorted(discards)


@pytest.mark.rule("GM-A1")
def test_who_defends_discards_nothing_and_the_others_do():
    hand = ["charm", "note"]
    log, lineup = seated(4)
    seats = [{}, {"hand": hand, "barriers": 1}, {"hand": hand}, {"hand": [*hand, "my_herb"]}]
    game = attack(["others_discard 1"], *seats, lineup=lineup)
    assert (game.hand(2), game.discard(2)) == (hand, [])
    assert (len(game.hand(3)), len(game.discard(3))) == (1, 1)
    # The herb is spent as a defence, and nothing else.
    assert (game.hand(4), game.discard(4)) == (hand, ["my_herb"])
    assert {seat for seat, _, _ in log} == {3}


@pytest.mark.rule("GM-A1")
def test_nobody_sees_what_the_others_choose_to_discard():
    """Whatever seats 2 and 4 choose, seat 3 sees the same when it chooses."""
    words = TITLE.vocabulary(rules())

    class Curious:
        def __init__(self):
            self.seen = []

        def discard(self, view, options):
            for observable in words.observables:
                look = getattr(view, observable.id)
                given = words.arguments.get(observable.argument, ())
                self.seen.append([look(name) for name in given] if callable(look) else look)
            return options[0]

    saw = []
    for choice in ("charm", "curse", "note"):
        _, lineup = seated(4, seat2={"discard": [choice]}, seat4={"discard": [choice]})
        lineup[2] = Curious()
        hand = {"hand": ["charm", "curse", "note"]}
        game = attack(["others_discard 1"], {}, hand, hand, hand, lineup=lineup)
        assert game.discard(2) == game.discard(4) == [choice]
        saw.append(lineup[2].seen)
    assert saw[0]
    assert saw[0] == saw[1] == saw[2]


@pytest.mark.rule("GM-A1")
def test_what_the_others_discard_is_none_of_the_attackers_discards():
    hand = ["charm", "note"]
    effects = ["others_discard 2", "mana 1 per just_discarded", "gold 1 if just_discarded >= 1"]
    game = attack(effects, {"hand": hand}, {"hand": hand})
    assert (game.mana, game.gold(1)) == (0, 0)
    assert len(game.discard(2)) == 2


# GM-A1 and GM-K5: curses that are passed on, and gold


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-A1")
@pytest.mark.parametrize(("players", "seat"), TABLES)
@pytest.mark.parametrize("each", [1, 2])
def test_curses_in_hand_are_passed_on_seat_by_seat(players, seat, each):
    for held in range(each * players + 1):
        seats = [{"discard": ["curse"]}] * players
        hand = ["charm", *["curse"] * held, "stone"]
        seats[seat - 1] = {"hand": hand, "deck": ["curse"], "discard": ["curse"]}
        game = attack([f"pass_curses {each}"], *seats, seat=seat, piles={"curse": 5})
        left = held
        for victim in after(seat, players):
            passed = min(each, left)
            assert game.discard(victim) == CURSE * (1 + passed)
            left -= passed
        assert game.hand(seat) == ["charm", *["curse"] * left, "stone"]
        assert (game.deck(seat), game.discard(seat)) == (CURSE, CURSE)
        # They do not come out of the pile, nor go there.
        assert game.piles["curse"] == 5
        truths = [game.truth(victim) for victim in after(seat, players)]
        assert sum(truths) == -(players - 1) - (held - left)


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-K5")
def test_a_curse_that_a_defence_stopped_goes_to_the_next_seat():
    seats = [{"hand": ["curse"]}, {"barriers": 1}, {}, {}]
    game = attack(["pass_curses 1"], *seats)
    assert [game.discard(seat) for seat in (2, 3, 4)] == [[], CURSE, []]
    kept = attack(["pass_curses 1"], {"hand": ["curse"]}, {"hand": ["my_herb"]})
    assert (kept.hand(1), kept.discard(2)) == (CURSE, ["my_herb"])


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-A1")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_gold_is_taken_as_far_as_it_is_there(players, seat):
    gold = {1: 3, 2: 1, 3: 0, 4: 2}
    seats = [{"gold": gold[each], "silver": 1} for each in range(1, players + 1)]
    game = attack(["take_gold 2"], *seats, seat=seat)
    taken = {victim: min(2, gold[victim]) for victim in after(seat, players)}
    assert game.gold(seat) == gold[seat] + sum(taken.values())
    for victim, lost in taken.items():
        assert game.gold(victim) == gold[victim] - lost
    # Silver is no gold but in its owner's first turn.
    assert {game.silver(each) for each in range(1, players + 1)} == {1}


@pytest.mark.rule("GM-K5")
def test_how_much_an_attack_does_is_looked_up_when_its_effect_comes():
    seats = [{"gold": 2}, {"gold": 9}, {"gold": 9}]
    game = attack(["take_gold 1 per gold"], *seats)
    # Not again for the second seat, when there is more gold.
    assert [game.gold(seat) for seat in (1, 2, 3)] == [6, 7, 7]
    game = attack(["gold 1", "take_gold 1 per gold if gold >= 3"], *seats)
    assert [game.gold(seat) for seat in (1, 2, 3)] == [9, 6, 6]
    none = attack(["take_gold 1 if gold >= 3", "curses 1 if gold == 2"], *seats)
    assert [none.gold(seat) for seat in (1, 2, 3)] == [2, 9, 9]
    assert [curses(none, seat) for seat in (1, 2, 3)] == [0, 1, 1]


@pytest.mark.rule("GM-A1")
@pytest.mark.rule("GM-K5")
def test_all_parts_of_an_attack_hit_who_does_not_defend():
    victim = {"hand": ["charm", "stone"], "gold": 2}
    effects = ["curses 1", "others_discard 1", "take_gold 1", "pass_curses 1"]
    _, lineup = seated(3, seat2={"discard": ["charm"]}, seat3={"discard": ["stone"]})
    game = attack(effects, {"hand": ["curse"]}, victim, victim, lineup=lineup)
    assert game.discard(2) == ["curse", "charm", "curse"]
    assert game.discard(3) == ["curse", "stone"]
    assert [game.gold(seat) for seat in (1, 2, 3)] == [2, 1, 1]
    assert game.hand(1) == []


# GM-A3: what the attacker gets for itself

DEFENDED = {
    "barrier": {"barriers": 1},
    "doll": {"own": ["my_doll"]},
    "paid doll": {"own": ["my_doll"], "dolls_spent": 1, "gold": 1},
    "hand": {"hand": ["my_herb"]},
}


@pytest.mark.rule("GM-A3")
@pytest.mark.parametrize("by", DEFENDED)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_attackers_own_part_happens_when_all_defend(by, players):
    own = ["mana 2", "draw 2", "gold 1", "acquisitions 1", "tokens 1"]
    for place in range(len(own) + 1):
        effects = [*own[:place], "curses 1", *own[place:]]
        seats = [{"deck": ["stone", "charm", "note"]}] + [DEFENDED[by]] * (players - 1)
        choices = ["my_doll"] * (players - 1) if by == "paid doll" else []
        game = attack(effects, *seats, choices=choices)
        assert (game.mana, game.gold(1), game.acquisitions, game.tokens(1)) == (2, 1, 2, 1)
        assert game.hand(1) == ["stone", "charm"]
        assert [curses(game, seat) for seat in range(1, players + 1)] == [0] * players
        assert game.piles["curse"] == 10 * (players - 1)


@pytest.mark.rule("GM-A3")
@pytest.mark.rule("GM-A4")
def test_the_attackers_own_part_comes_in_the_order_of_the_text():
    # A barrier takes a cast in between: what is counted before it sees one more.
    effects = ["mana 1 per casts", "curses 1", "gold 1 per casts"]
    game = attack(effects, {}, {"barriers": 1}, {}, casts=5)
    assert (game.mana, game.casts, game.gold(1)) == (4, 3, 3)
    # What comes after the curses sees the pile without them.
    effects = ["mana 1 if pile.curse == 2", "curses 1", "gold 1 if pile.curse == 0"]
    game = attack(effects, {}, {}, {}, piles={"curse": 2})
    assert (game.mana, game.gold(1)) == (1, 1)
    # A curse that is drawn before the passing is passed, and one that is drawn after it is not.
    for effects, kept in [(["draw 1", "pass_curses 1"], 0), (["pass_curses 1", "draw 1"], 1)]:
        game = attack(effects, {"deck": ["curse"]}, {})
        assert (game.hand(1), game.discard(2)) == (CURSE * kept, CURSE * (1 - kept))


@pytest.mark.rule("GM-A3")
@pytest.mark.rule("GM-K3")
@pytest.mark.parametrize("by", DEFENDED)
def test_felicias_reward_comes_when_all_defend(by):
    overrides = (
        'cards.my_attack.attributes=["attack", "familiar"]',
        effects_of("my_attack", "gold 2", key="reward"),
        "witches.felicia.powers.rewards=true",
    )
    choices = ["my_doll"] if by == "paid doll" else []
    seats = [{"witch": "felicia"}, DEFENDED[by]]
    game = attack(["curses 1"], *seats, overrides=overrides, choices=choices)
    assert (game.gold(1), game.rewards(1), curses(game, 2)) == (2, 1, 0)


@pytest.mark.rule("GM-A3")
@pytest.mark.rule("GM-K1")
def test_a_duration_attack_that_was_stopped_works_at_the_next_turn_start():
    overrides = (
        'cards.my_attack.attributes=["attack", "duration"]',
        effects_of("my_attack", "mana 3", key="turn_start"),
    )
    game = attack(["curses 1"], *deep(2, seat2={"barriers": 1}), overrides=overrides)
    assert (game.own(1), curses(game, 2)) == (["my_attack"], 0)
    to_own_start(game, 1)
    assert (game.mana, game.own(1)) == (3, [])


@pytest.mark.rule("GM-A3")
@pytest.mark.rule("GM-A1")
def test_what_the_attacker_discards_itself_is_no_attack():
    log, lineup = seated(2, seat1={"discard": ["note"]}, seat2={"discard": ["charm"]})
    seats = [{"hand": ["note", "stone"]}, {"hand": ["charm", "stone"], "barriers": 1}]
    game = attack(["discard 1", "others_discard 1"], *seats, lineup=lineup)
    assert (game.discard(1), game.discard(2)) == (["note"], [])
    assert log == [(1, "discard", "note")]


# GM-K9: what an attack is


@pytest.mark.rule("GM-K9")
def test_defences_stay_where_they_are_when_nobody_attacks():
    overrides = (effects_of("my_magic", "mana 1", "take_curses 1", "tokens 2", "discard 1"),)
    ready = {"hand": ["my_herb"], "own": ["my_doll"], "barriers": 1}
    seats = [{"hand": ["my_magic", "charm"], "own": ["my_doll"], "barriers": 1}, ready, ready]
    game = stage(*seats, phase="cast", casts=3, overrides=overrides)
    game.cast("my_magic")
    assert (game.casts, game.mana, game.tokens(1)) == (2, 1, 2)
    assert game.discard(1) == ["curse", "charm"]
    for seat in (1, 2, 3):
        assert game.barriers(seat) == 1
        assert game.counter(seat, "dolls_used") == 0
    assert game.hand(2) == game.hand(3) == ["my_herb"]


@pytest.mark.rule("GM-K9")
@pytest.mark.rule("GM-A1")
def test_an_attack_is_none_on_its_own_seat():
    ready = {"hand": ["my_herb", "stone"], "own": ["my_doll"], "barriers": 1, "gold": 3}
    effects = ["curses 1", "others_discard 1", "take_gold 1"]
    game = attack(effects, ready, {"gold": 1})
    assert (game.barriers(1), game.gold(1)) == (1, 4)
    assert (game.hand(1), game.discard(1)) == (["my_herb", "stone"], [])
    assert game.counter(1, "dolls_used") == 0
    assert curses(game, 2) == 1


@pytest.mark.rule("GM-K9")
@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    "overrides",
    [
        ['cards.my_magic.effects=["curses 1"]'],
        ['cards.my_magic.effects=["mana 1", "others_discard 1 if gold >= 1"]'],
        ['cards.my_magic.attributes=["attack"]'],
        ['cards.my_attack.effects=["mana 1", "take_curses 1"]'],
        ['cards.my_permanent.turn_start=["curses 1"]'],
        ['cards.my_familiar.reward=["take_gold 1"]'],
        ['witches.ignis.ability=["pass_curses 1"]'],
        ['seals.my_sun.effects=["others_discard_to 3"]'],
    ],
)
def test_the_attribute_says_what_the_text_does(overrides):
    with pytest.raises(DataError):
        TITLE.load(overlays=[OVERLAY], overrides=overrides)


@pytest.mark.rule("GM-K9")
def test_attacks_are_magic_that_is_cast():
    game = armed(["curses 1"], {"hand": ["charm"]}, {}, casts=2)
    assert set(game.options()) == {"my_attack", "stop"}
    game.cast("my_attack")
    assert (game.play_area(1), game.hand(1), game.casts) == (["my_attack"], ["charm"], 1)
    with pytest.raises(InputError):
        game.cast("my_attack")


@pytest.mark.rule("GM-K9")
@pytest.mark.rule("GM-A1")
def test_attacks_are_counted_on_both_sides():
    seats = [{}, {"barriers": 1}, {"hand": ["my_herb"]}, {"own": ["my_doll"], "gold": 1}]
    game = attack(["curses 1", "take_gold 1"], *seats, times=2, casts=9, choices=["my_doll"])
    names = ("attacks", "hits", "barriers_used", "dolls_used", "defences_used")
    found = {seat: [game.counter(seat, name) for name in names] for seat in (1, 2, 3, 4)}
    assert found == {1: [2, 0, 0, 0, 0], 2: [0, 1, 1, 0, 0], 3: [0, 1, 0, 0, 1], 4: [0, 0, 0, 2, 0]}
    given = [game.counter(seat, "curses_given") for seat in (1, 2, 3, 4)]
    taken = [game.counter(seat, "curses_taken") for seat in (1, 2, 3, 4)]
    assert (given, taken) == ([2, 0, 0, 0], [0, 1, 1, 0])


@pytest.mark.rule("GM-A1")
def test_attacks_of_a_whole_round_come_from_every_seat():
    """Each of four seats attacks in its turn; the pile tells who was served."""
    seats = deep(4)
    for seat in seats:
        seat["hand"] = ["my_attack", "charm", "charm"]
    game = stage(*seats, phase="start", piles={"curse": 8})
    served = []
    for seat in (1, 2, 3, 4):
        game.start_turn()
        before = [Counter(game.discard(each))["curse"] for each in (1, 2, 3, 4)]
        game.cast("my_attack")
        now = [Counter(game.discard(each))["curse"] for each in (1, 2, 3, 4)]
        served.append([b - a for a, b in zip(before, now, strict=True)])
        assert game.seat == seat
        game.end_turn()
    assert served == [[0, 1, 1, 1], [1, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]]


@pytest.mark.rule("GM-A1")
@pytest.mark.rule("GM-T2")
def test_a_hand_that_an_attack_made_small_is_reversed_at_the_next_start():
    seats = deep(2, seat2={"hand": ["charm"] * 5, "deck": DEEP})
    game = attack(["others_discard_to 2"], *seats)
    assert game.hand(2) == ["charm"] * 2
    to_own_start(game, 2)
    assert game.hand(2) == ["charm"] * 2 + ["fragment"]


# GM-T15 and GM-W2: what is there after many attacks


@pytest.mark.rule("GM-F12")
@pytest.mark.rule("GM-W2")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_many_attacks_share_out_the_whole_pile(players, seat):
    game = attack(["curses 1"], *[{}] * players, seat=seat, times=12)
    assert game.piles["curse"] == 0
    assert {curses(game, victim) for victim in after(seat, players)} == {10}
    assert {game.truth(victim) for victim in after(seat, players)} == {-10}
    assert game.truth(seat) == 0
