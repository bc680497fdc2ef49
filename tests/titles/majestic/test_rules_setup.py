"""MM-S: decks shuffled, hands, redraws, LP zones."""

from __future__ import annotations

from collections import Counter

import pytest

from sim.titles.majestic import TITLE, new_game
from sim.titles.majestic.info import INFO
from tests.budget import assert_counts
from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    deck,
    made,
    played,
    sorcerer,
    spell,
    unit,
    where,
)
from tests.titles.majestic.staging import chosen, mana_card

#: Four kinds of units; the mana is a quarter special.
KINDS = ("made_a", "made_b", "made_c", "made_d")
MAIN = dict.fromkeys(KINDS, 10)
MANA = {"fire_mana": 8, "wind_mana": 8, "well": 4}
CARDS = (
    *(unit(kind, cost=9) for kind in KINDS),
    mana_card("well", effects=["draw own 1"]),
    sorcerer("seer", "damage all 1"),
    deck("mine", MAIN, MANA, "seer"),
)


def new(choices=None, deal=0, lineup=None, overrides=()):
    """Return a game that was set up."""
    return new_game(
        ["mine", "mine"],
        rules=made(*CARDS, overrides=("deck.copies=10", *overrides)),
        choices=choices,
        deal=deal,
        lineup=lineup,
    )


class Watching:
    """A line-up entry that keeps what it sees when it decides on its redraw."""

    def __init__(self, answer):
        self.answer, self.seen = answer, []

    def redraw(self, view, options):
        names = [one.id for one in TITLE.vocabulary(TITLE.load()).observables if not one.argument]
        self.seen.append({name: getattr(view, name) for name in names})
        return self.answer


def moves(game, begin, end):
    """Return the cards that moved from a zone to another one, by seats, in their order."""
    found = {1: [], 2: []}
    for event in game.events:
        if event["event"] == "move" and (event["from"], event["to"]) == (begin, end):
            found[event["owner"]].append((event["card"], event["copy"]))
    return found


# MM-S1


@pytest.mark.rule("MM-S1")
def test_what_each_seat_has_after_the_set_up():
    game = new()
    for seat in (1, 2):
        assert [len(where(game, seat)[zone]) for zone in ("hand", "deck", "mana_deck", "lp")] == [
            5,
            35,
            14,
            6,
        ]
        assert sorted(where(game, seat)) == ["deck", "hand", "lp", "mana_deck"]
        assert Counter(game.hand(seat) + game.deck(seat)) == MAIN
        assert Counter(game.lp(seat) + game.mana_deck(seat)) == MANA
        assert game.units(seat) == {}
        assert (game.sorcerer(seat), game.sorcerer_ready(seat)) == ("seer", True)


@pytest.mark.rule("MM-S1")
def test_seat_1_goes_first():
    game = new()
    assert (game.seat, game.round, game.turn, game.phase) == (1, 1, 0, "regenerate")
    assert INFO.seats == "ordered"


@pytest.mark.rule("MM-S1")
def test_both_decks_of_both_seats_are_shuffled():
    games = [new(deal=deal) for deal in range(8)]
    for zone in ("deck", "mana_deck", "lp", "hand"):
        orders = {tuple(getattr(game, zone)(seat)) for game in games for seat in (1, 2)}
        # Six LP of three kinds can be alike now and then.
        assert len(orders) >= (16 if zone in ("deck", "mana_deck") else 12), zone


@pytest.mark.rule("MM-S1")
def test_every_card_is_as_likely_in_hand(stat_seed):
    first = Counter()
    rules = made(*CARDS, overrides=("deck.copies=10", "start.hand=1"))
    for deal in range(220):
        game = new_game(["mine", "mine"], rules=rules, deal=deal, seed=stat_seed)
        first.update(game.hand(1) + game.hand(2))
    assert_counts([first[kind] for kind in KINDS], [0.25] * 4)


@pytest.mark.rule("MM-S1")
@pytest.mark.parametrize("cards", [1, 3, 8])
def test_the_size_of_the_first_hand_is_data(cards):
    game = new(overrides=(f"start.hand={cards}",))
    assert [len(game.hand(seat)) for seat in (1, 2)] == [cards, cards]
    assert [len(game.deck(seat)) for seat in (1, 2)] == [40 - cards, 40 - cards]
    again = new(choices={1: ["redraw"]}, overrides=(f"start.hand={cards}",))
    assert [len(again.hand(seat)) for seat in (1, 2)] == [cards, cards]


# MM-S2


@pytest.mark.rule("MM-S2")
def test_each_seat_is_asked_once_whether_to_redraw():
    for answer in ("redraw", "stop"):
        game = new(choices={1: [answer] * 3, 2: [answer] * 3})
        asked_for = [(1, ["redraw", "stop"], answer), (2, ["redraw", "stop"], answer)]
        assert chosen(game, "redraw") == asked_for
        assert [game.counter(seat, "redraws") for seat in (1, 2)] == [answer == "redraw"] * 2


@pytest.mark.rule("MM-S2")
def test_the_whole_hand_goes_back_and_5_cards_are_drawn_anew():
    kept, redrawn = new(), new(choices={1: ["redraw"]})
    back = moves(redrawn, "hand", "deck")
    drawn = moves(redrawn, "deck", "hand")
    assert sorted(back[1]) == sorted(drawn[1][:5])
    assert (len(drawn[1]), len(drawn[2]), back[2]) == (10, 5, [])
    assert len(set(drawn[1][5:])) == 5
    assert Counter(redrawn.hand(1) + redrawn.deck(1)) == MAIN
    assert (len(redrawn.hand(1)), len(redrawn.deck(1))) == (5, 35)
    assert redrawn.deck(1) != kept.deck(1), "the deck was shuffled"


@pytest.mark.rule("MM-S2")
def test_cards_that_went_back_can_be_drawn_again():
    again = 0
    for deal in range(20):
        drawn = moves(new(choices={1: ["redraw"]}, deal=deal), "deck", "hand")[1]
        again += len(set(drawn[:5]) & set(drawn[5:]))
    # Of cards that were laid aside none would come again.
    assert again > 0


@pytest.mark.rule("MM-S2")
@pytest.mark.parametrize("deal", range(4))
def test_no_seat_sees_what_the_other_does(deal):
    games = {
        answers: new(choices={1: [answers[0]], 2: [answers[1]]}, deal=deal)
        for answers in (("stop", "stop"), ("redraw", "stop"), ("stop", "redraw"), ("redraw",) * 2)
    }
    # What a seat has depends on its own answer alone.
    for seat in (1, 2):
        for answer in ("stop", "redraw"):
            hands = [
                game.hand(seat) for answers, game in games.items() if answers[seat - 1] == answer
            ]
            assert hands[0] == hands[1]


@pytest.mark.rule("MM-S2")
def test_who_decides_second_sees_nothing_of_the_first_decision():
    first = Counter()
    for answer in ("stop", "redraw"):
        lineup = [Watching(answer), Watching("stop")]
        new(lineup=lineup)
        (seen,) = lineup[1].seen
        first[tuple(sorted(seen.items()))] += 1
    assert list(first.values()) == [2]


@pytest.mark.rule("MM-S2")
def test_there_can_be_no_redraws():
    lineup = asked({"redraw": ["redraw"]}, {"redraw": ["redraw"]})
    game = new(lineup=lineup, overrides=("start.redraws=0",))
    assert lineup[0].log == []
    assert game.hand(1) == new().hand(1)


# MM-S3


@pytest.mark.rule("MM-S3")
@pytest.mark.parametrize("redraw", ["redraw", "stop"])
def test_the_top_6_mana_cards_are_laid_one_upon_the_other(redraw):
    game = new(choices={1: [redraw], 2: [redraw]})
    laid = moves(game, "mana_deck", "lp")
    for seat in (1, 2):
        assert len(laid[seat]) == 6
        assert game.lp(seat) == [kind for kind, _ in laid[seat]][::-1]


@pytest.mark.rule("MM-S3")
def test_lp_are_laid_after_the_redraws_and_nothing_is_used():
    lineup = asked()
    game = new(lineup=lineup)
    order = [
        (event["event"], event.get("to"))
        for event in game.events
        if event["event"] == "choose" or event.get("to") == "lp"
    ]
    assert order == [("choose", None)] * 2 + [("move", "lp")] * 12
    assert {decision for _, decision, _ in lineup[0].log} == {"redraw"}


@pytest.mark.rule("MM-S3")
@pytest.mark.parametrize("lp", [1, 3, 7])
def test_the_number_of_lp_is_data(lp):
    game = new(overrides=(f"start.lp={lp}",))
    for seat in (1, 2):
        assert (len(game.lp(seat)), len(game.mana_deck(seat))) == (lp, 20 - lp)


@pytest.mark.rule("MM-S3")
def test_a_sorcerer_is_ready_and_no_unit():
    game = new(choices={1: ["stop", "put_mana", "sorcery"]})
    game.play_turn()
    # Its ability damages all units, and it is still there.
    assert [game.sorcerer(seat) for seat in (1, 2)] == ["seer", "seer"]
    assert (game.units(1), game.units(2), game.counter(1, "sorcerer_used")) == ({}, {}, 1)


@pytest.mark.rule("MM-S3")
@pytest.mark.parametrize("effect", ["destroy all", "return all", "turn_down all", "shift all back"])
def test_no_effect_on_units_reaches_a_sorcerer(effect):
    rules = made(*BODIES, spell("rite", effect))
    game = played({"hand": ["rite"], "front": ["rat"]}, {}, "rite", rules=rules)
    for seat in (1, 2):
        assert (game.sorcerer(seat), game.sorcerer_ready(seat)) == ("mute", True)
        assert set(game.units(seat)) <= {1}
