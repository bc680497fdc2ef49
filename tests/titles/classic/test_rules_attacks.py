"""CL-A: whom attacks reach and in which order, reactions, curses dealt, hands cut down."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titles.classic.staging import (
    ACTIONS,
    DEEP,
    KINDS,
    STOP,
    Asked,
    asked,
    effects,
    stage,
)

HAND = ["copper", "estate", "gold", "curse", "silver"]

#: Every seat that can be on turn, for each number of players: (players, seat).
TABLES = [(players, seat) for players in (2, 3, 4) for seat in range(1, players + 1)]


def after(seat, players):
    """Return the other seats in the order in which an attack of this seat goes."""
    return [(seat - 1 + step) % players + 1 for step in range(1, players)]


def armed(kind, players, seat=1, *, others=None, times=1, **more):
    """Stage an action phase of a seat that holds attacks, and the same hand for all others."""
    seats = [{"hand": HAND if others is None else others, "deck": DEEP} for _ in range(players)]
    seats[seat - 1] = {"hand": [kind] * times, "deck": DEEP}
    return stage(*seats, seat=seat, actions=times, **more)


def curses(game):
    """Return the curses in the discard piles, by seat."""
    return [game.discard(seat).count("curse") for seat in range(1, game.players + 1)]


# CL-A1: every other seat, from the next one on


@pytest.mark.rule("CL-A1")
@pytest.mark.rule("CL-C2")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_crone_gives_every_other_seat_a_curse(players, seat):
    game = armed("crone", players, seat)
    pile = game.piles["curse"]
    game.play_action("crone")
    assert curses(game) == [int(other != seat) for other in range(1, players + 1)]
    assert game.piles["curse"] == pile - (players - 1)
    assert game.hand(seat) == ["copper", "copper"]
    for other in after(seat, players):
        assert (game.hand(other), game.deck(other)) == (HAND, DEEP)


@pytest.mark.rule("CL-A1")
@pytest.mark.rule("CL-C6")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_levy_reaches_one_seat_after_the_other(players, seat):
    lineup = asked(players)
    game = armed("levy", players, seat, lineup=lineup)
    game.play_action("levy")
    # A seat makes all its decisions before the next one is asked.
    order = [(other, decision) for other, decision, _ in lineup[0].log]
    assert order == [(other, "discard") for other in after(seat, players) for _ in (1, 2)]
    assert all(len(game.hand(other)) == 3 for other in after(seat, players))
    assert (game.coins, game.hand(seat)) == (2, [])
    assert game.trash == []


@pytest.mark.rule("CL-A1")
@pytest.mark.parametrize("kind", ["crone", "levy"])
def test_with_one_seat_an_attack_reaches_nobody(kind):
    game = stage({"hand": [kind, *HAND], "deck": ["estate", "copper", "gold"]})
    game.play_action(kind)
    drawn = ["estate", "copper"] if kind == "crone" else []
    assert (game.hand(1), game.discard(1)) == ([*HAND, *drawn], [])
    assert game.coins == (2 if kind == "levy" else 0)


@pytest.mark.rule("CL-A1")
@pytest.mark.parametrize("kind", [kind for kind in ACTIONS if kind not in ("crone", "levy")])
def test_what_is_no_attack_reaches_nobody(kind):
    game = stage({"hand": [kind, "copper"], "deck": DEEP}, {"hand": HAND, "deck": DEEP})
    game.play_action(kind)
    assert (game.hand(2), game.discard(2), game.deck(2)) == (HAND, [], DEEP)


@pytest.mark.rule("CL-A1")
@pytest.mark.rule("CL-A3")
@pytest.mark.parametrize(("left", "dealt"), [(0, [0, 0]), (1, [1, 0]), (3, [2, 1]), (5, [2, 2])])
def test_a_seat_has_all_its_curses_before_the_next_seat_has_one(left, dealt):
    override = effects("crone", "curses 2")
    game = armed("crone", 3, seat=3, piles={"curse": left}, overrides=(override,))
    game.play_action("crone")
    assert curses(game) == [*dealt, 0]


# CL-A2: reactions


@pytest.mark.rule("CL-A2")
@pytest.mark.rule("CL-C7")
@pytest.mark.parametrize("kind", ["crone", "levy"])
@pytest.mark.parametrize("others", [["rampart", *HAND], [*HAND, "rampart"], ["rampart"] * 5])
def test_a_reaction_in_hand_stops_attacks_and_stays(kind, others):
    lineup = asked(2)
    game = armed(kind, 2, others=others, times=3, lineup=lineup)
    pile = game.piles["curse"]
    for _ in range(3):
        game.play_action(kind)
    assert (game.hand(2), game.discard(2), game.play_area(2)) == (others, [], [])
    assert game.piles["curse"] == pile
    assert lineup[1].log == []  # it works by itself
    # What the attacker has of its own card is not stopped.
    assert (len(game.hand(1)), game.coins) == ((6, 0) if kind == "crone" else (0, 6))


@pytest.mark.rule("CL-A2")
@pytest.mark.parametrize("zone", ["deck", "discard", "play"])
@pytest.mark.parametrize("kind", ["crone", "levy"])
def test_a_reaction_elsewhere_stops_nothing(kind, zone):
    other = {"hand": ["copper"] * 5, zone: ["rampart"]}
    game = stage({"hand": [kind], "deck": DEEP}, other)
    game.play_action(kind)
    if kind == "crone":
        assert game.discard(2).count("curse") == 1
    else:
        assert len(game.hand(2)) == 3


@pytest.mark.rule("CL-A2")
@pytest.mark.rule("CL-C7")
def test_a_reaction_is_for_its_own_seat_alone():
    seats = [{"hand": ["rampart", "crone"], "deck": DEEP}, {}, {"hand": ["rampart"]}, {}]
    game = stage(*seats)
    game.play_action("crone")
    assert curses(game) == [0, 1, 0, 1]


@pytest.mark.rule("CL-A2")
@pytest.mark.rule("CL-A3")
def test_a_stopped_curse_is_left_for_the_next_seat():
    seats = [{"hand": ["crone"], "deck": DEEP}, {}, {"hand": ["rampart"]}, {}]
    game = stage(*seats, piles={"curse": 2})
    game.play_action("crone")
    assert curses(game) == [0, 1, 0, 1]
    assert game.piles["curse"] == 0


@pytest.mark.rule("CL-A2")
def test_without_the_mark_a_rampart_is_discarded_like_any_other_card():
    override = "cards.rampart.reaction=false"
    game = armed("levy", 2, others=["rampart"] * 5, overrides=(override,))
    game.play_action("levy")
    assert game.discard(2) == ["rampart", "rampart"]


@pytest.mark.rule("CL-A2")
@pytest.mark.parametrize("kind", ["forge", "pantry"])
def test_reactions_are_data(kind):
    override = f"cards.{kind}.reaction=true"
    game = armed("crone", 3, others=[kind, "copper"], overrides=(override,))
    game.play_action("crone")
    assert curses(game) == [0, 0, 0]
    game = armed("crone", 3, others=[kind, "copper"])
    game.play_action("crone")
    assert curses(game) == [0, 1, 1]


@pytest.mark.rule("CL-A2")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "rampart"])
def test_no_other_card_is_a_reaction(kind):
    game = armed("crone", 2, others=[kind] * 4)
    game.play_action("crone")
    assert curses(game) == [0, 1]


# CL-A3: curses


@pytest.mark.rule("CL-A3")
@pytest.mark.parametrize(("players", "seat"), TABLES)
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_curses_run_out_in_seat_order(players, seat, left):
    game = armed("crone", players, seat, piles={"curse": left})
    game.play_action("crone")
    reached = after(seat, players)[:left]
    assert curses(game) == [int(other in reached) for other in range(1, players + 1)]
    assert game.piles["curse"] == left - len(reached)
    assert len(game.hand(seat)) == 2  # its own cards are drawn all the same


@pytest.mark.rule("CL-A3")
@pytest.mark.rule("CL-C2")
def test_curses_go_to_the_discard_pile_and_are_counted():
    seats = [{"hand": ["crone", "crone"], "deck": DEEP}, {"discard": ["gold"], "hand": HAND}, {}]
    game = stage(*seats, actions=2, piles={"curse": 3})
    game.play_action("crone")
    game.play_action("crone")
    assert game.discard(2) == ["gold", "curse", "curse"]
    assert game.discard(3) == ["curse"]
    assert game.counter(1, "curses_given") == 3
    assert game.points(3) == -1


@pytest.mark.rule("CL-A3")
@pytest.mark.rule("CL-C2")
def test_crone_draws_before_the_curses_are_dealt():
    # Nothing of that can be seen by the attacker's hand, but in the story of the game.
    game = armed("crone", 2)
    seen = len(game.events)
    game.play_action("crone")
    moved = [event["card"] for event in list(game.events)[seen:] if event["event"] == "move"]
    assert moved == ["crone", "copper", "copper", "curse"]


# CL-A4: discarding down


@pytest.mark.rule("CL-A4")
@pytest.mark.rule("CL-C6")
@pytest.mark.parametrize("cards", range(8))
def test_levy_cuts_down_to_three_cards(cards):
    hand = ["copper", "estate", "gold", "curse", "silver", "duchy", "forge"][:cards]
    lineup = asked(2)
    game = armed("levy", 2, others=hand, lineup=lineup)
    game.play_action("levy")
    assert len(game.hand(2)) == min(cards, 3)
    assert len(game.discard(2)) == len(lineup[1].log) == max(cards - 3, 0)
    assert Counter(game.hand(2) + game.discard(2)) == Counter(hand)
    assert game.deck(2) == DEEP


@pytest.mark.rule("CL-A4")
@pytest.mark.rule("CL-C6")
def test_the_attacked_seat_chooses_one_card_after_the_other():
    victim = Asked(discard=["curse", "copper"])
    hand = ["copper", "gold", "curse", "copper", "estate"]
    game = armed("levy", 2, others=hand, lineup=[Asked(), victim])
    game.play_action("levy")
    assert game.discard(2) == ["curse", "copper"]
    assert game.hand(2) == ["gold", "copper", "estate"]
    # It must: `stop` is never among the options.
    assert victim.options("discard") == [
        ["copper", "gold", "estate", "curse"],
        ["copper", "gold", "estate"],
    ]


@pytest.mark.rule("CL-A4")
def test_choices_are_taken_by_whichever_seat_decides():
    choices = ["gold", "silver", "curse", "estate"]
    game = armed("levy", 3, choices=choices)
    game.play_action("levy")
    assert (game.discard(2), game.discard(3)) == (["gold", "silver"], ["curse", "estate"])


@pytest.mark.rule("CL-A4")
@pytest.mark.parametrize("n", [0, 1, 4, 5, 6])
def test_the_number_of_cards_is_data(n):
    override = effects("levy", f"others_discard_to {n}")
    game = armed("levy", 3, overrides=(override,))
    game.play_action("levy")
    for seat in (2, 3):
        assert len(game.hand(seat)) == min(n, 5)
        assert len(game.discard(seat)) == 5 - min(n, 5)
    assert game.coins == 0


@pytest.mark.rule("CL-A4")
def test_a_second_levy_finds_nothing_to_discard():
    lineup = asked(2)
    game = armed("levy", 2, times=2, lineup=lineup)
    game.play_action("levy")
    before = game.hand(2), game.discard(2)
    game.play_action("levy")
    assert (game.hand(2), game.discard(2)) == before
    assert len(lineup[1].log) == 2
    assert game.coins == 4
    assert list(game.options()) == [STOP]
