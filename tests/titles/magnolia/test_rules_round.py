"""Set-up and the order of phases; what is public, and what draw phases do."""

from __future__ import annotations

import pytest

from sim.errors import InputError
from sim.titles.magnolia import TITLE, new_game
from tests.titles.magnolia.staging import seen_by, stage

PHASES = ("draw", "placement", "war", "development", "income", "vp")


@pytest.mark.rule("MG-S1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_seats_begin_with(players):
    game = new_game(players)
    assert game.players == players
    for seat in range(1, players + 1):
        assert len(game.hand(seat)) == 5
        assert game.cells(seat) == {}
        assert game.gold(seat) == 5
        levels = game.technology(seat), game.faith(seat)
        assert (game.vp(seat), *levels, game.power(seat)) == (0, 0, 0, 0)
    dealt = [kind for seat in range(1, players + 1) for kind in game.hand(seat)]
    assert sorted(dealt + game.deck) == sorted(TITLE.load().values["cards"])
    assert game.discard == []


@pytest.mark.rule("MG-S1")
def test_the_deck_is_shuffled_by_the_deal():
    hands = {tuple(new_game(2, deal=deal).hand(1)) for deal in range(6)}
    assert len(hands) == 6


@pytest.mark.rule("MG-S3")
def test_the_stock_of_gold_is_endless():
    game = stage(*({"gold": 2000} for _ in range(5)), phase="income")
    game.income_phase()
    assert [game.gold(seat) for seat in range(1, 6)] == [2003] * 5


@pytest.mark.rule("MG-S3")
@pytest.mark.parametrize("phase", ["draw", "placement"])
def test_hands_the_deck_and_discards_are_hidden(phase):
    own = {"hand": ["elf_lord", "elf_seer"]}
    one = stage(own, {"hand": ["elf_guard"]}, deck=["elf_smith"], discard=[], phase=phase)
    other = stage(
        own,
        {"hand": ["demon_lord", "doom_demon"]},
        deck=["gate_demon"] * 3,
        discard=["hex_demon"],
        phase=phase,
    )
    assert seen_by(one, 1) == seen_by(other, 1)
    assert seen_by(one, 2) != seen_by(other, 2)


@pytest.mark.rule("MG-S3")
@pytest.mark.parametrize(
    ("public", "name", "argument"),
    [
        ({"vp": 3}, "vp_lead", None),
        ({"technology": 2}, "technology_lead", None),
        ({"faith": 2}, "faith_lead", None),
        ({"power": 2}, "power_lead", None),
        ({"field": [["elf_lord"]]}, "rivals", "elf"),
    ],
)
def test_amounts_and_open_cards_are_public(public, name, argument):
    seen = [
        stage({}, other, phase="placement").observe(1, name, argument) for other in ({}, public)
    ]
    assert seen[0] == 0
    assert abs(seen[1]) == next((n for n in public.values() if isinstance(n, int)), 1)


@pytest.mark.rule("MG-R1")
def test_a_round_has_six_phases_in_their_order():
    game = new_game(3)
    for number in (1, 2):
        for phase in PHASES:
            assert (game.round, game.phase) == (number, phase)
            getattr(game, f"{phase}_phase")()
    assert (game.round, game.phase, game.over) == (3, "draw", False)


@pytest.mark.rule("MG-R1")
@pytest.mark.parametrize("phase", PHASES)
def test_no_phase_is_played_out_of_turn(phase):
    game = stage({}, {}, phase=phase)
    for other in PHASES:
        if other != phase:
            with pytest.raises(InputError, match=phase):
                getattr(game, f"{other}_phase")()
    getattr(game, f"{phase}_phase")()
    assert game.phase == (*PHASES[1:], "draw")[PHASES.index(phase)]


@pytest.mark.rule("MG-R1")
def test_cards_left_in_hand_stay_there():
    hand = ["elf_lord", "elf_seer", "elf_guard", "elf_smith", "elf_rider"]
    game = stage({"hand": hand}, {"hand": hand}, deck=["doom_demon"] * 9, round=2)
    for _ in range(2):
        for seat in (1, 2):
            game.choices[seat].extend(["stop", "stop"])
        game.play_round()
        assert [game.hand(seat) for seat in (1, 2)] == [hand, hand]
    assert (game.round, game.discard) == (4, [])


@pytest.mark.rule("MG-D1")
def test_any_number_is_discarded_and_the_hand_is_filled():
    hand = ["elf_lord", "elf_seer", "elf_guard", "elf_smith"]
    for number in range(5):
        game = stage({"hand": hand}, {"hand": hand}, deck=["doom_demon"] * 20)
        game.choices[1].extend([*hand[:number], *["stop"] * (number < 4)])
        game.choices[2].append("stop")
        game.draw_phase()
        assert sorted(game.discard) == sorted(hand[:number])
        assert sorted(game.hand(1)) == sorted([*hand[number:], *["doom_demon"] * (number + 1)])
        assert len(game.hand(2)) == 5
        assert not game.choices[1]


@pytest.mark.rule("MG-D1")
def test_what_was_drawn_is_not_exchanged_again():
    game = stage({"hand": ["elf_lord"]}, {}, deck=["doom_demon"] * 20)
    game.choices[1].extend(["elf_lord", "doom_demon"])
    game.draw_phase()
    assert list(game.choices[1]) == ["doom_demon"]
    assert game.discard == ["elf_lord"]


@pytest.mark.rule("MG-D2")
@pytest.mark.parametrize(("order", "sizes"), [([1, 2], [5, 3]), ([2, 1], [3, 5])])
def test_all_discard_before_the_first_card_is_drawn(order, sizes):
    # Nothing but what both lay down can be drawn: each has 3 left, and 2 cards are to be had.
    hands = {"hand": ["elf_lord", "elf_lord", "elf_seer", "elf_guard"]}
    game = stage(hands, hands, orders=[order])
    for seat in (1, 2):
        game.choices[seat].extend(["elf_lord", "stop"])
    game.draw_phase()
    assert [len(game.hand(seat)) for seat in (1, 2)] == sizes
    assert game.discard == []


@pytest.mark.rule("MG-D2")
def test_each_hand_is_filled_whole():
    game = stage(
        {}, {}, {}, deck=[f"elf_{job}" for job in ("lord", "seer", "guard")] * 5, orders=[[3, 1, 2]]
    )
    deck = game.deck
    game.draw_phase()
    assert [game.hand(seat) for seat in (3, 1, 2)] == [deck[:5], deck[5:10], deck[10:15]]


@pytest.mark.rule("MG-D3")
def test_discards_become_the_deck_when_a_card_must_be_drawn():
    full = {"hand": ["gate_demon"] * 5}
    discard = ["elf_lord", "elf_seer", "elf_guard"]
    game = stage({"hand": ["doom_demon"] * 3}, full, deck=["golem_lord"], discard=discard)
    game.draw_phase()
    hand = game.hand(1)
    assert hand[:4] == [*["doom_demon"] * 3, "golem_lord"], "what is left of the deck comes first"
    assert sorted([hand[4], *game.deck]) == sorted(discard)
    assert game.discard == []


@pytest.mark.rule("MG-D3")
def test_discards_stay_while_the_deck_is_enough():
    full = {"hand": ["gate_demon"] * 5}
    game = stage({"hand": ["doom_demon"] * 3}, full, deck=["elf_lord"] * 2, discard=["elf_seer"])
    game.draw_phase()
    assert len(game.hand(1)) == 5
    assert (game.deck, game.discard) == ([], ["elf_seer"])


@pytest.mark.rule("MG-D3")
def test_discards_are_shuffled():
    discard = ["elf_lord", "elf_seer", "elf_guard", "elf_smith", "elf_rider"]
    drawn = set()
    for seed in range(12):
        game = stage({}, {"hand": ["doom_demon"] * 5}, discard=discard, seed=seed)
        game.draw_phase()
        assert sorted(game.hand(1)) == sorted(discard)
        drawn.add(tuple(game.hand(1)))
    assert len(drawn) > 6


@pytest.mark.rule("MG-D3")
def test_with_both_empty_the_rest_of_the_draw_is_lost():
    game = stage({"hand": ["elf_lord"] * 3}, {}, deck=["elf_seer"], orders=[[1, 2]])
    game.draw_phase()
    assert [game.hand(seat) for seat in (1, 2)] == [[*["elf_lord"] * 3, "elf_seer"], []]
    assert (game.deck, game.discard, game.phase) == ([], [], "placement")
