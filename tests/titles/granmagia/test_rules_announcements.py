"""GM-W4, GM-W8 and GM-W9: announcements, and the contract as an event."""

from __future__ import annotations

import pytest

from tests.titles.granmagia.staging import DEEP, EIGHT, shown
from tests.titles.granmagia.witchcraft import (
    BANE,
    BY_ARCANA,
    CONTRACT,
    DRAGON,
    LIFT,
    OTHER,
    SPELL,
    close,
    close_by_arcana,
    least,
    made,
    pass_turns,
    stage,
    victory,
    won,
    worth,
)

SIX = shown(*EIGHT[:6])


# GM-W4: announcements

CURSING = made(BANE, "curses 1", attributes=["attack"])


def heard(game):
    """Return who is announced, and how many announced rivals each seat sees."""
    seats = range(1, game.players + 1)
    return (
        [seat for seat in seats if game.announced(seat)],
        [game.observe(seat, "rivals_announced") for seat in seats],
    )


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-W5")
@pytest.mark.rule("GM-W6")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("witch", BY_ARCANA)
def test_an_announcement_is_seen_by_all_and_wins_at_the_next_own_turn_start(witch, seat, players):
    game = close_by_arcana(witch, least(witch), players=players, seat=seat)
    assert heard(game) == ([], [0] * players)
    game.acquire("arcana")
    assert not game.over
    seen = ([seat], [int(other != seat) for other in range(1, players + 1)])
    assert heard(game) == seen
    assert [game.observe(other, "announced") for other in range(1, players + 1)] == [
        int(other == seat) for other in range(1, players + 1)
    ]
    game.end_turn()
    for _ in range(players - 1):
        assert game.seat != seat
        assert heard(game) == seen
        game.start_turn()
        assert not game.over
        game.end_turn()
    assert (game.seat, game.phase) == (seat, "start")
    hand = game.hand(seat)
    game.start_turn()
    assert won(game, seat)
    assert game.hand(seat) == hand
    assert [rank == 1 for rank in game.ranks] == [other == seat for other in range(1, players + 1)]


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-T1")
@pytest.mark.parametrize("hand", [0, 1, 2])
def test_the_judgement_is_the_first_step_of_a_turn(hand):
    overrides = (
        *made(DRAGON, attributes=["permanent"], turn_start=["gold 1"]),
        'witches.beelzebel.ability=["gold 2"]',
    )
    seat = {
        "witch": "beelzebel",
        "hand": ["arcana"] * hand,
        "discard": ["arcana"] * (5 - hand),
        "own": [DRAGON],
        "deck": DEEP,
        "announced": True,
    }
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert won(game, 1)
    assert game.hand(1) == ["arcana"] * hand
    assert game.gold(1) == 0


@pytest.mark.rule("GM-W3")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("witch", BY_ARCANA)
def test_with_too_little_truth_nothing_is_announced_until_a_further_arcana(witch, players):
    game = close_by_arcana(witch, least(witch) - 1, players=players, mana=18, acquisitions=3)
    game.acquire("arcana")
    assert heard(game)[0] == []
    game.acquire("charm")
    assert game.truth(1) == least(witch)
    assert heard(game)[0] == []
    game.acquire("arcana")
    assert heard(game)[0] == [1]


@pytest.mark.rule("GM-W3")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize("witch", BY_ARCANA)
def test_truth_that_rises_later_does_not_win_at_a_turn_start(witch):
    game = close_by_arcana(witch, least(witch) - 1, mana=10)
    game.acquire("arcana")
    game.acquire("charm")
    pass_turns(game)
    game.start_turn()
    assert not game.over
    assert heard(game)[0] == []


@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize("witch", BY_ARCANA)
@pytest.mark.parametrize(("truth", "wins"), [(0, False), (1, True), (2, True)])
def test_an_announcement_lapses_when_truth_has_fallen(witch, truth, wins):
    rival = {"hand": [BANE, "note", "note"]}
    start = {"truth": least(witch) + truth, "rivals": [rival], "overrides": CURSING}
    game = close_by_arcana(witch, **start)
    game.acquire("arcana")
    game.end_turn()
    game.start_turn()
    game.cast(BANE)
    assert game.truth(1) == least(witch) + truth - 1
    assert game.announced(1)  # it is judged at her turn start, not before
    game.end_turn()
    game.start_turn()
    assert won(game, 1) is wins
    if not wins:
        assert (game.seat, game.phase) == (1, "cast")
        assert heard(game) == ([], [0, 0])


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-N6")
@pytest.mark.parametrize(("bought", "wins"), [("arcana", False), ("ritual", True)])
def test_an_announcement_lapses_when_the_condition_is_broken(bought, wins):
    rival = {"hand": ["great_stone"] * 3, "witch": "sophia"}
    game = close_by_arcana("eclair", 30, rivals=[rival])
    game.acquire("arcana")
    game.end_turn()
    game.start_turn()
    game.enter_acquisition()
    game.acquire(bought)
    game.end_turn()
    game.start_turn()
    assert won(game, 1) is wins
    if wins:
        return
    assert heard(game) == ([], [0, 0])
    # What has lapsed is over: only a further event announces it again.
    pass_turns(game)
    game.start_turn()
    assert not game.over
    assert not game.announced(1)


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-N6")
@pytest.mark.parametrize(
    ("bought", "wins"),
    [
        ((0, 0), True),
        ((1, 0), False),  # as many as she has
        ((0, 1), True),  # the lowest is still six below
        ((0, 2), False),
        ((2, 0), False),
    ],
)
def test_all_others_may_break_the_spread_of_arcana(bought, wins):
    rivals = [
        {"witch": "sophia", "arcana_taken": 6},
        {"witch": "ignis", "arcana_taken": 0},
    ]
    overrides = ("turn.acquisitions=2", *made(OTHER, "mana 16"))
    for rival, number in zip(rivals, bought, strict=True):
        rival["hand"] = [OTHER, "note", "note"] if number else ["note"] * 3
    seat = {"witch": "eclair", "arcana_taken": 6, "discard": worth(10)}
    seats = [{"deck": DEEP, **own} for own in (seat, *rivals)]
    game = stage(*seats, phase="acquire", mana=7, overrides=overrides)
    game.acquire("arcana")
    assert heard(game)[0] == [1]
    game.end_turn()
    for number in bought:
        game.start_turn()
        if number:
            game.cast(OTHER)
        game.enter_acquisition()
        for _ in range(number):
            game.acquire("arcana")
        game.end_turn()
    assert game.announced(1)
    game.start_turn()
    assert won(game, 1) is wins
    assert game.announced(1) is False or wins


@pytest.mark.rule("GM-W4")
def test_after_a_lapse_a_further_event_announces_again():
    seat = {
        "witch": "eclair",
        "hand": ["great_stone"] * 5,
        "deck": DEEP,
        "arcana_taken": 7,
        "discard": worth(30),
        "announced": True,
    }
    game = stage(seat, {"deck": DEEP, "arcana_taken": 3}, phase="start")
    game.start_turn()
    assert not game.over
    assert not game.announced(1)
    game.enter_acquisition()
    game.acquire("arcana")
    assert game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-T13")
def test_the_start_of_an_extra_turn_is_not_judged():
    game = close_by_arcana("beelzebel", 30, extra_earned=True)
    game.acquire("arcana")
    game.end_turn()
    assert (game.seat, game.extra, game.phase) == (1, True, "start")
    game.start_turn()
    assert (game.over, game.phase) == (False, "cast")
    assert game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-T13")
def test_an_extra_turn_lets_no_announcement_lapse_either():
    seat = {"witch": "beelzebel", "discard": worth(29), "deck": DEEP, "announced": True}
    game = stage(seat, {"deck": DEEP}, phase="start", extra=True)
    game.start_turn()
    assert game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert not game.over
    assert not game.announced(1)


@pytest.mark.rule("GM-W4")
def test_an_announcement_of_an_extra_turn_ripens_at_the_next_turn():
    game = close_by_arcana("eclair", 10, extra=True)
    game.acquire("arcana")
    assert game.announced(1)
    game.end_turn()
    assert (game.seat, game.over) == (2, False)
    game.start_turn()
    game.end_turn()
    game.start_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize("seat", [2, 3])
def test_of_two_announcements_the_first_turn_start_wins(seat):
    seats = [
        {"witch": "eclair", "arcana_taken": 20, "discard": worth(10)},
        {"witch": "beelzebel", "discard": ["arcana"] * 5},
        {},
    ]
    seats = [{"deck": DEEP, **own} for own in seats]
    for own in seats[:2]:
        own["announced"] = True
    game = stage(*seats, seat=seat, round=5, phase="start")
    assert heard(game) == ([1, 2], [1, 1, 2])
    game.start_turn()
    if seat == 3:
        game.end_turn()
        game.start_turn()
    assert won(game, 1 if seat == 3 else 2)


@pytest.mark.rule("GM-W5")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize("witch", ["sophia", "felicia", "ignis", "brynhild"])
def test_timing_is_data(witch):
    overrides = victory(witch, timing="turn_start")
    game, feeds = close(witch, least(witch), overrides=overrides)
    game.cast(feeds[0])
    assert not game.over
    assert heard(game) == ([1], [0, 1])
    game.cast(feeds[1])
    assert heard(game) == ([1], [0, 1])
    pass_turns(game)
    assert not game.over
    game.start_turn()
    assert won(game, 1)


# GM-W8: ends that take no notice of them


@pytest.mark.rule("GM-W8")
@pytest.mark.parametrize("witch", BY_ARCANA)
def test_a_field_end_takes_no_notice_of_announcements(witch):
    rival = {"tokens": 50}
    game = close_by_arcana(witch, least(witch), rivals=[rival], field=SIX)
    game.acquire("arcana")
    assert game.announced(1)
    game.end_turn()
    assert (game.over, game.end_reason) == (True, "field")
    assert list(game.ranks) == [2, 1]
    assert list(game.win60) == [0, 60]


@pytest.mark.rule("GM-W8")
@pytest.mark.rule("GM-W10")
def test_neither_does_the_cap_on_rounds():
    overrides = ("limits.round_cap=6",)
    position = {"round": 6, "seat": 2, "overrides": overrides}
    game = close_by_arcana("eclair", 10, rivals=[{"tokens": 11}], **position)
    game.acquire("arcana")
    assert game.announced(2)
    game.end_turn()
    assert (game.over, game.end_reason) == (True, "round_cap")
    assert list(game.ranks) == [1, 2]


# GM-W9: the contract as an event


def contract(witch, own, *, rivals=({},), overrides=(), **position):
    """Let an apprentice make a contract that it can just pay for."""
    game = stage(
        {"deck": DEEP, **own},
        *({"deck": DEEP, **rival} for rival in rivals),
        overrides=overrides,
        **{"phase": "acquire", "mana": CONTRACT, **position},
    )
    game.contract(witch)
    assert game.witch(1) == witch
    return game


@pytest.mark.rule("GM-W9")
@pytest.mark.rule("GM-N1")
@pytest.mark.parametrize(
    ("mana", "charms", "wins"), [(25, 10, True), (24, 10, False), (25, 9, False), (60, 30, True)]
)
def test_celestinas_contract_is_an_event_for_the_mana_of_the_turn(mana, charms, wins):
    game = contract("celestina", {"discard": ["charm"] * charms}, mana_obtained=mana)
    assert won(game, 1) is wins


@pytest.mark.rule("GM-W9")
@pytest.mark.rule("GM-C2")
@pytest.mark.parametrize(("notes", "wins"), [(0, False), (1, True)])
def test_the_contract_is_judged_when_its_cards_are_there(notes, wins):
    overrides = (
        'witches.celestina.gifts=["charm"]',
        'witches.celestina.note_gifts=["ritual"]',
    )
    own = {"discard": ["charm"] * 6, "hand": ["note"] * notes}
    game = contract("celestina", own, mana_obtained=25, overrides=overrides)
    assert game.truth(1) == 7 + 3 * notes
    assert won(game, 1) is wins
    assert game.burned == ["note"] * notes


@pytest.mark.rule("GM-W9")
@pytest.mark.rule("GM-N3")
@pytest.mark.parametrize(
    ("players", "tokens", "curses", "wins"),
    [(2, 50, 0, True), (2, 49, 0, False), (3, 45, 25, True), (4, 45, 26, False)],
)
def test_sophias_contract_is_an_event_for_tokens(players, tokens, curses, wins):
    own = {"tokens": tokens, "discard": ["curse"] * curses}
    game = contract("sophia", own, rivals=[{}] * (players - 1))
    assert won(game, 1) is wins


@pytest.mark.rule("GM-W9")
@pytest.mark.rule("GM-N6")
@pytest.mark.parametrize(
    ("players", "notes", "charms", "announced"),
    [(2, 5, 10, True), (2, 4, 10, False), (2, 5, 9, False), (3, 5, 10, False), (3, 6, 10, True)],
)
def test_eclairs_contract_is_an_event_for_arcana(players, notes, charms, announced):
    own = {"discard": ["charm"] * charms, "hand": ["note"] * (notes - 1) + ["old_note"]}
    game = contract("eclair", own, rivals=[{}] * (players - 1))
    assert not game.over
    assert game.announced(1) is announced
    pass_turns(game)
    game.start_turn()
    assert won(game, 1) is announced


@pytest.mark.rule("GM-W9")
def test_eclairs_count_reaches_back_to_the_start_of_the_game():
    own = {"discard": worth(10), "arcana_taken": 4, "hand": ["note"]}
    assert contract("eclair", own).announced(1)
    assert not contract("eclair", {**own, "arcana_taken": 3}).announced(1)


@pytest.mark.rule("GM-W9")
@pytest.mark.rule("GM-N9")
@pytest.mark.parametrize(
    ("arcana", "more", "announced"), [(4, 6, True), (4, 5, False), (3, 30, False), (5, 0, True)]
)
def test_beelzebels_contract_is_an_event_for_arcana_owned(arcana, more, announced):
    own = {"discard": ["arcana"] * arcana + worth(more)}
    game = contract("beelzebel", own)
    assert not game.over
    assert game.announced(1) is announced


@pytest.mark.rule("GM-W9")
@pytest.mark.parametrize("witch", ["felicia", "ignis", "brynhild"])
@pytest.mark.parametrize("truth", [14, 15])
def test_the_contract_is_an_event_for_counters_that_need_nothing(witch, truth):
    overrides = victory(witch, need=0)
    game = contract(witch, {"discard": worth(truth)}, overrides=overrides)
    assert won(game, 1) is (truth == 15)


@pytest.mark.rule("GM-W9")
def test_no_contract_is_an_event_for_a_condition_with_a_moment_of_its_own():
    curses = {"piles": {"curse": 0}, "rivals": [{"hand": ["curse"] * 4}]}
    game = contract("marisrosetta", {"discard": worth(40)}, **curses)
    assert not game.announced(1)
    at_once = victory("marisrosetta", timing="at_once")
    assert not contract("marisrosetta", {"discard": worth(40)}, overrides=at_once, **curses).over

    game = contract("aurelise", {"discard": worth(40), "gold": 40}, extra=True)
    assert not game.over
    game.end_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-W9")
@pytest.mark.rule("GM-C7")
@pytest.mark.parametrize("witch", ["felicia", "ignis", "brynhild"])
def test_counters_start_with_the_contract(witch):
    overrides = (
        *made(SPELL, attributes=["familiar"], reward=["gold 1"]),
        *made(OTHER, attributes=["familiar"], reward=["gold 1"]),
        *(victory(witch, need=2, card=SPELL) if witch == "ignis" else victory(witch, need=2)),
    )
    seat = {
        "hand": [SPELL, OTHER],
        "deck": [SPELL, OTHER, "charm", "charm", "charm", *DEEP],
        "discard": worth(30),
    }
    seats = [seat, {"deck": DEEP}]
    game = stage(*seats, phase="cast", casts=2, mana=9, overrides=overrides)
    game.cast(SPELL)
    game.cast(OTHER)
    assert game.gold(1) == 0
    game.enter_acquisition()
    game.contract(witch)
    assert not game.over
    assert (game.rewards(1), game.uses(1, SPELL), list(game.kinds_cast(1))) == (0, 0, [])
    assert (game.progress(1), game.observe(1, "progress_needed")) == (0, 2)
    pass_turns(game)
    game.start_turn()
    game.cast(SPELL)
    assert not game.over
    assert game.progress(1) == 1


@pytest.mark.rule("GM-W9")
@pytest.mark.rule("GM-N8")
def test_a_kind_that_was_cast_before_the_contract_is_new_after_it():
    game, feeds = close("brynhild", 15, own={"witch": None}, mana=9)
    for kind in feeds:
        game.cast(kind)
    game.enter_acquisition()
    game.contract("brynhild")
    assert list(game.kinds_cast(1)) == []

    overrides = victory("brynhild", need=2)
    own = {"kinds_cast": [LIFT]}
    game, feeds = close("brynhild", 15, own=own, overrides=overrides)
    game.cast(LIFT)
    assert not game.over
    game.cast(feeds[0])
    assert won(game, 1)
