"""GM-W: the end of a game, truth, ranks, tokens and the cap on rounds."""

from __future__ import annotations

import pytest

from tests.titles.granmagia.staging import COST, DEEP, EIGHT, MAGIC, RARES, refuse, shown, stage

SIX, SEVEN = shown(*EIGHT[:6]), shown(*EIGHT[:7])


def worth(truth):
    """Return truth cards of that worth."""
    arcana, rest = divmod(truth, 6)
    return ["arcana"] * arcana + ["ritual"] * (rest // 3) + ["charm"] * (rest % 3)


def ended(*truths, field=SIX, turns=None, **position):
    """End the turn of a seat over a field of six kinds."""
    seats = [{"deck": DEEP, "discard": worth(truth)} for truth in truths]
    for seat, own_turns in zip(seats, turns or [], strict=False):
        seat["turns"] = own_turns
    game = stage(*seats, phase="acquire", field=field, **position)
    game.end_turn()
    return game


# GM-W1: when the game ends


@pytest.mark.rule("GM-W1")
@pytest.mark.parametrize(("kinds", "over"), [(8, False), (7, False), (6, True), (5, True)])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_six_kinds_or_fewer_after_the_refill_end_the_game_at_once(kinds, over, seat):
    game = ended(0, 0, 0, field=shown(*EIGHT[:kinds]), seat=seat, round=4)
    assert game.over is over
    if over:
        assert (game.phase, game.end_reason, game.round) == ("over", "field", 4)
        refuse(game, "start_turn")
    else:
        assert game.phase == "start"
        assert (game.seat, game.round) == ((seat + 1, 4) if seat < 3 else (1, 5))


@pytest.mark.rule("GM-W1")
@pytest.mark.parametrize(("deck", "over"), [([MAGIC[9]], False), ([EIGHT[0]] * 9, True)])
def test_the_refill_comes_before_the_test(deck, over):
    game = ended(0, 0, magic_deck=deck)
    assert game.over is over
    assert len(game.field) == 6 + (not over)
    assert game.magic_deck == []


@pytest.mark.rule("GM-W1")
def test_rares_are_kinds_of_the_field():
    assert not ended(0, 0, field={**SIX, RARES[0]: 1}).over
    assert ended(0, 0, field={**shown(*EIGHT[:5]), RARES[0]: 1}).over
    assert not ended(0, 0, magic_deck=[RARES[3]]).over


@pytest.mark.rule("GM-W1")
@pytest.mark.parametrize("end_kinds", [5, 7])
def test_the_number_of_kinds_is_data(end_kinds):
    overrides = (f"field.end_kinds={end_kinds}",)
    assert ended(0, 0, field=shown(*EIGHT[:end_kinds]), overrides=overrides).over
    assert not ended(0, 0, field=shown(*EIGHT[: end_kinds + 1]), overrides=overrides).over


@pytest.mark.rule("GM-W1")
@pytest.mark.parametrize(
    ("truths", "ranks"),
    [
        ((6, 7), [2, 1]),
        ((7, 6), [1, 2]),
        ((3, 12, 6), [3, 1, 2]),
        ((1, 2, 3, 4), [4, 3, 2, 1]),
        ((9, 1, 8, 7), [1, 4, 2, 3]),
    ],
)
@pytest.mark.parametrize("seat", [1, 2])
def test_most_truth_wins(truths, ranks, seat):
    game = ended(*truths, seat=seat, round=6)
    assert list(game.ranks) == ranks
    assert list(game.win60) == [60 if rank == 1 else 0 for rank in ranks]


@pytest.mark.rule("GM-W1")
@pytest.mark.parametrize(
    ("truths", "seat", "win60"),
    [
        # Two seats: the one that has had no turn yet in this round goes before.
        ((5, 5), 1, [0, 60]),
        ((5, 5), 2, [30, 30]),
        ((6, 5), 1, [60, 0]),
        # Three seats: seats after the one on turn have had fewer turns.
        ((5, 5, 5), 1, [0, 30, 30]),
        ((5, 5, 5), 2, [0, 0, 60]),
        ((5, 5, 5), 3, [20, 20, 20]),
        ((5, 5, 4), 2, [30, 30, 0]),
        ((5, 4, 5), 1, [0, 0, 60]),
        ((5, 5, 4), 1, [0, 60, 0]),
        # Four seats.
        ((5, 5, 5, 5), 4, [15, 15, 15, 15]),
        ((5, 5, 5, 5), 1, [0, 20, 20, 20]),
        ((5, 4, 5, 5), 2, [0, 0, 30, 30]),
        ((0, 5, 5, 1), 3, [0, 30, 30, 0]),
    ],
)
def test_level_truth_goes_to_fewer_own_turns_and_then_is_shared(truths, seat, win60):
    game = ended(*truths, seat=seat, round=9)
    assert list(game.win60) == win60
    assert [rank == 1 for rank in game.ranks] == [share > 0 for share in win60]


@pytest.mark.rule("GM-W1")
@pytest.mark.rule("GM-T9")
def test_it_is_the_own_turns_that_count_and_not_the_round():
    game = ended(5, 5, 5, seat=3, round=9, turns=[8, 9, 9])
    # Seat 3 is on its tenth turn, seat 1 has finished eight.
    assert list(game.win60) == [60, 0, 0]
    level = ended(5, 5, 5, seat=1, round=9, turns=[8, 9, 9])
    assert list(level.win60) == [20, 20, 20]


@pytest.mark.rule("GM-W1")
def test_coins_and_contracts_break_no_tie():
    seats = [
        {"deck": DEEP, "discard": ["charm"], "gold": 9, "witch": "sophia"},
        {"deck": DEEP, "discard": ["charm", "market", "great_stone"]},
    ]
    game = stage(*seats, seat=2, phase="acquire", field=SIX)
    game.end_turn()
    assert list(game.win60) == [30, 30]
    assert game.ranks[0] == game.ranks[1] == 1


@pytest.mark.rule("GM-W1")
def test_what_is_acquired_in_the_last_turn_counts():
    seats = [{"deck": DEEP, "witch": "sophia"}, {"deck": DEEP, "discard": worth(5)}]
    game = stage(*seats, phase="acquire", mana=8, field=SIX)
    game.acquire("arcana")
    game.end_turn()
    assert list(game.win60) == [60, 0]


# GM-W2 and GM-W7: truth


@pytest.mark.rule("GM-W2")
@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play", "own"])
@pytest.mark.parametrize(
    ("cards", "truth"),
    [
        (["charm"], 1),
        (["ritual"], 3),
        (["arcana"], 6),
        (["curse"], -1),
        (["curse", "curse", "curse", "charm"], -2),
        (["arcana", "arcana", "ritual", "charm", "curse", "curse"], 14),
        (["note", "apprentice", "fragment", "market", "old_note"], 0),
    ],
)
def test_truth_of_the_own_cards_wherever_they_lie(zone, cards, truth):
    seats = [{}, {zone: cards}, {"hand": ["charm"]}]
    game = stage(*seats, phase="acquire", burned=["arcana"])
    assert [game.truth(seat) for seat in (1, 2, 3)] == [0, truth, 1]


@pytest.mark.rule("GM-W2")
def test_truth_adds_all_zones_and_tokens():
    seat = {
        "hand": ["ritual"],
        "deck": ["arcana", "curse"],
        "discard": ["charm", "curse"],
        "play": ["charm"],
        "own": ["ritual"],
        "tokens": 5,
    }
    game = stage(seat, {"tokens": 2, "hand": ["curse"] * 3}, phase="cast")
    assert game.truth(1) == 3 + 6 - 1 + 1 - 1 + 1 + 3 + 5
    assert game.truth(2) == -1


@pytest.mark.rule("GM-W2")
def test_negative_truth_loses_to_none():
    seats = [{"deck": DEEP}, {"deck": DEEP, "hand": ["curse"]}, {"deck": DEEP, "tokens": 1}]
    game = stage(*seats, seat=3, phase="acquire", field=SIX)
    assert [game.truth(seat) for seat in (1, 2, 3)] == [0, -1, 1]
    game.end_turn()
    assert list(game.ranks) == [2, 3, 1]


@pytest.mark.rule("GM-W7")
def test_no_shuffle_and_no_burn_touches_tokens():
    hand = ["purifying_flame", "charm", "ritual"]
    seat = {"hand": hand, "discard": ["note"], "tokens": 4}
    choices = ["charm", "ritual", "stop"]
    game = stage(seat, {"tokens": 1}, phase="cast", choices=choices)
    game.cast("purifying_flame")
    assert (game.tokens(1), game.truth(1)) == (4, 4)
    game.end_turn()
    assert game.counter(1, "shuffles") == 1
    assert (game.tokens(1), game.truth(1)) == (4, 4)
    assert (game.tokens(2), game.truth(2)) == (1, 1)
    assert len(game.hand(1)) == 2  # tokens are no cards


# GM-W6: open numbers


@pytest.mark.rule("GM-W6")
def test_everybodys_truth_and_arcana_are_open_at_all_times():
    seats = [
        {"deck": ["arcana"], "witch": "sophia"},
        {"hand": ["arcana", "arcana"], "arcana_taken": 4},
        {"hand": ["purifying_flame", "arcana"], "witch": "ignis", "deck": DEEP},
    ]
    position = {"seat": 3, "phase": "cast", "mana": 16, "acquisitions": 2}
    game = stage(*seats, choices=["arcana", "stop"], **position)
    assert [game.arcana_taken(seat) for seat in (1, 2, 3)] == [1, 4, 1]
    game.cast("purifying_flame")
    # What was obtained stays obtained.
    assert [game.arcana_taken(seat) for seat in (1, 2, 3)] == [1, 4, 1]
    assert [game.truth(seat) for seat in (1, 2, 3)] == [6, 12, 0]
    game.enter_acquisition()
    game.acquire("arcana")
    game.acquire("arcana")
    assert [game.arcana_taken(seat) for seat in (1, 2, 3)] == [1, 4, 3]
    assert [game.truth(seat) for seat in (1, 2, 3)] == [6, 12, 12]
    game.end_turn()
    assert [game.arcana_taken(seat) for seat in (1, 2, 3)] == [1, 4, 3]


@pytest.mark.rule("GM-W6")
def test_rituals_and_charms_are_no_arcana():
    game = stage({"witch": "sophia"}, {}, phase="acquire", mana=9, acquisitions=2)
    game.acquire("ritual")
    game.acquire("charm")
    assert game.arcana_taken(1) == 0


@pytest.mark.rule("GM-W6")
@pytest.mark.rule("GM-W2")
@pytest.mark.rule("GM-N2")
def test_open_truth_holds_tokens_and_the_penalty():
    seats = [
        {"witch": "marisrosetta", "hand": ["curse"] * 2, "tokens": 1},
        {"hand": ["curse"] * 2, "deck": ["arcana"], "tokens": 4},
        {"discard": ["curse"] * 5, "own": ["ritual"]},
    ]
    game = stage(*seats, phase="cast")
    truths = [-1, 7, -4]
    assert [game.truth(seat) for seat in (1, 2, 3)] == truths
    assert [game.observe(seat, "truth") for seat in (1, 2, 3)] == truths
    assert [game.observe(seat, "truth_lead") for seat in (1, 2, 3)] == [-8, 8, -11]


@pytest.mark.rule("GM-W6")
@pytest.mark.rule("GM-N6")
def test_the_notes_of_eclair_are_open_arcana():
    seats = [{"hand": ["note", "note"], "deck": DEEP}, {"arcana_taken": 1}]
    game = stage(*seats, phase="acquire", mana=COST["eclair"])
    assert [game.observe(seat, "arcana_lead") for seat in (1, 2)] == [-1, 1]
    game.contract("eclair")
    assert [game.observe(seat, "arcana_lead") for seat in (1, 2)] == [1, -1]
    assert [game.arcana_taken(seat) for seat in (1, 2)] == [2, 1]


# GM-W10: the cap


def capped(*truths, cap, seat, rnd, field=None):
    seats = [{"deck": DEEP, "discard": worth(truth)} for truth in truths]
    position = {"seat": seat, "round": rnd, "phase": "acquire"}
    if field:
        position["field"] = field
    game = stage(*seats, overrides=(f"limits.round_cap={cap}",), **position)
    game.end_turn()
    return game


@pytest.mark.rule("GM-W10")
@pytest.mark.parametrize(
    ("rnd", "seat", "over"), [(2, 3, False), (3, 1, False), (3, 2, False), (3, 3, True)]
)
def test_the_cap_ends_the_game_after_its_last_whole_round(rnd, seat, over):
    game = capped(0, 6, 1, cap=3, seat=seat, rnd=rnd)
    assert game.over is over
    if over:
        assert (game.end_reason, game.round) == ("round_cap", 3)
        assert list(game.win60) == [0, 60, 0]
        assert list(game.ranks) == [3, 1, 2]


@pytest.mark.rule("GM-W10")
def test_ties_at_the_cap_are_those_of_the_field_end():
    assert list(capped(6, 6, 1, cap=3, seat=3, rnd=3).win60) == [30, 30, 0]
    seats = [{"deck": DEEP, "turns": 3}, {"deck": DEEP, "turns": 1}, {"deck": DEEP, "turns": 2}]
    position = {"seat": 3, "round": 3, "phase": "acquire"}
    game = stage(*seats, overrides=("limits.round_cap=3",), **position)
    game.end_turn()
    assert list(game.win60) == [0, 60, 0]
    assert list(game.ranks) == [2, 1, 2]


@pytest.mark.rule("GM-W10")
def test_a_field_end_in_the_last_turn_is_a_field_end():
    game = capped(0, 6, 1, cap=3, seat=3, rnd=3, field=SIX)
    assert game.end_reason == "field"


@pytest.mark.rule("GM-W10")
@pytest.mark.parametrize("cap", [1, 6])
def test_a_whole_game_ends_at_the_cap(cap):
    seats = [{"deck": DEEP}, {"deck": DEEP}]
    game = stage(*seats, phase="start", overrides=(f"limits.round_cap={cap}",))
    game.play()
    assert game.over
    assert (game.end_reason, game.round) == ("round_cap", cap)
    assert [game.turns(seat) for seat in (1, 2)] == [cap, cap]
    assert list(game.win60) == [30, 30]
