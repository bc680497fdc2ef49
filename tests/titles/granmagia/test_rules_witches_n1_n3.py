"""GM-N1 to GM-N3: Celestina, Marisrosetta and Sophia; the powers of all."""

from __future__ import annotations

import pytest

from tests.titles.granmagia import made_up
from tests.titles.granmagia.staging import DEEP, EIGHT, own_cards, shown
from tests.titles.granmagia.witchcraft import (
    CARDS,
    LASTING,
    SPELL,
    WITCHES,
    Answers,
    close,
    made,
    named,
    pass_turns,
    stage,
    won,
    worth,
)

SIX = shown(*EIGHT[:6])

#: The powers that the rules give; every other is nothing.
POWERS = {
    "marisrosetta": {"curse_penalty": 2},
    "sophia": {"tokens_for_truth": True, "token_draw": 1},
    "felicia": {"rewards": True},
    "eclair": {"arcana_discount": 1, "notes_as_arcana": True},
    "aurelise": {"stone_gold": 1, "extra_turn_gold": 15},
}


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-N7")
@pytest.mark.parametrize("witch", WITCHES)
def test_the_powers_of_the_witches(witch):
    powers = {power: value for power, value in WITCHES[witch]["powers"].items() if value}
    assert powers == POWERS.get(witch, {})


# GM-N1: Celestina


@pytest.mark.rule("GM-N1")
def test_celestinas_gifts():
    gifts = [named("魔石リサイクル"), named("魔石合成")]
    assert list(WITCHES["celestina"]["note_gifts"]) == gifts
    assert [CARDS[gift]["sort"] for gift in gifts] == ["exclusive", "exclusive"]


@pytest.mark.rule("GM-N1")
@pytest.mark.parametrize(("obtained", "wins"), [(23, False), (24, True), (40, True)])
def test_paying_lowers_nothing(obtained, wins):
    game, feeds = close("celestina", 10, mana=0, mana_obtained=obtained)
    game.cast(feeds[0])
    assert won(game, 1) is wins
    assert game.mana_obtained == obtained + 1
    assert game.mana == 1


@pytest.mark.rule("GM-N1")
@pytest.mark.rule("GM-W3")
def test_mana_of_an_acquisition_counts_after_paying():
    overrides = ('seals.my_moon.effects=["mana 1", "gold 3"]', "seals.my_moon.cost=0")
    seat = {"witch": "celestina", "deck": DEEP, "discard": worth(10)}
    position = {"phase": "acquire", "mana": 8, "acquisitions": 3}
    position |= {"seals": {"my_moon": "stone"}, "field": shown("market")}
    game = made_up.stage(seat, {}, overrides=overrides, mana_obtained=24, **position)
    game.acquire("market")
    assert (game.mana, game.mana_obtained, game.over) == (3, 24, False)
    game.acquire("stone")
    assert won(game, 1)
    assert (game.mana, game.mana_obtained, game.gold(1)) == (1, 25, 0)


@pytest.mark.rule("GM-N1")
@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize(("before", "wins"), [(15, False), (16, True), (20, True)])
def test_the_stones_laid_down_are_one_event(before, wins):
    hand = ["great_stone", "note", "fragment", "stone", "great_stone"]
    seat = {"witch": "celestina", "deck": DEEP, "discard": worth(10), "hand": hand}
    game = stage(seat, {}, phase="cast", mana=before)
    game.enter_acquisition()
    assert won(game, 1) is wins
    # All of it is there, whatever was needed.
    assert (game.mana, game.mana_obtained) == (before + 9, before + 9)
    assert game.hand(1) == ["note"]


@pytest.mark.rule("GM-N1")
def test_a_turn_that_lays_no_stone_is_no_event():
    seat = {"witch": "celestina", "deck": DEEP, "discard": worth(10), "hand": ["note"]}
    game = stage(seat, {}, phase="cast", mana=30)
    game.enter_acquisition()
    assert not game.over
    pass_turns(game)
    assert not game.over


@pytest.mark.rule("GM-N1")
@pytest.mark.parametrize("extra", [False, True])
def test_mana_counts_within_one_turn(extra):
    overrides = made(SPELL, "mana 20")
    seat = {"witch": "celestina", "hand": [SPELL], "deck": [SPELL] * 5, "discard": worth(30)}
    game = stage(seat, {"deck": DEEP}, phase="cast", overrides=overrides, extra_earned=extra)
    game.cast(SPELL)
    assert game.mana_obtained == 20
    pass_turns(game) if not extra else game.end_turn()
    assert (game.seat, game.extra) == (1, extra)
    game.start_turn()
    assert (game.mana, game.mana_obtained) == (0, 0)
    game.cast(SPELL)
    assert (game.mana_obtained, game.over) == (20, False)


@pytest.mark.rule("GM-N1")
@pytest.mark.rule("GM-T13")
def test_celestina_wins_in_an_extra_turn_too():
    game, feeds = close("celestina", 10, extra=True)
    game.cast(feeds[0])
    assert won(game, 1)


@pytest.mark.rule("GM-N1")
def test_mana_of_the_others_is_not_hers():
    overrides = made(SPELL, "mana 40")
    rival = {"hand": [SPELL], "deck": DEEP}
    seat = {"witch": "celestina", "deck": DEEP, "discard": worth(30)}
    game = stage(seat, rival, seat=2, phase="cast", overrides=overrides)
    game.cast(SPELL)
    assert not game.over
    assert game.progress(1) == 0


# GM-N2: Marisrosetta


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W2")
@pytest.mark.parametrize(
    ("curses", "lost"), [(0, 0), (1, 1), (2, 3), (3, 4), (4, 6), (5, 7), (10, 15)]
)
@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play", "own"])
def test_every_second_curse_of_another_takes_one_more_truth(curses, lost, zone):
    rival = {zone: ["curse"] * curses, "tokens": 20}
    seats = [rival, {"witch": "marisrosetta", "hand": ["curse"] * curses}, rival, {"tokens": 3}]
    game = stage(*seats, phase="cast")
    assert [game.truth(seat) for seat in (1, 2, 3, 4)] == [20 - lost, -curses, 20 - lost, 3]


@pytest.mark.rule("GM-N2")
def test_curses_of_one_owner_count_together_and_those_of_two_do_not():
    scattered = {zone: ["curse"] for zone in ("hand", "deck", "discard", "play", "own")}
    seats = [{"witch": "marisrosetta"}, scattered, {"hand": ["curse"]}]
    game = stage(*seats, phase="cast")
    assert [game.truth(seat) for seat in (1, 2, 3)] == [0, -7, -1]


@pytest.mark.rule("GM-N2")
@pytest.mark.parametrize(("penalty", "truth"), [(0, -6), (1, -12), (3, -8), (6, -7), (7, -6)])
def test_the_penalty_is_data(penalty, truth):
    overrides = (f"witches.marisrosetta.powers.curse_penalty={penalty}",)
    seats = [{"witch": "marisrosetta"}, {"hand": ["curse"] * 6}]
    assert stage(*seats, phase="cast", overrides=overrides).truth(2) == truth


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-C7")
def test_the_penalty_holds_from_the_contract_on():
    rival = {"hand": ["curse"] * 4, "deck": DEEP}
    game = stage({"deck": DEEP}, rival, rival, phase="acquire", mana=20)
    assert [game.truth(seat) for seat in (2, 3)] == [-4, -4]
    game.contract("marisrosetta")
    assert [game.truth(seat) for seat in (2, 3)] == [-6, -6]
    game.end_turn()
    assert [game.truth(seat) for seat in (2, 3)] == [-6, -6]


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-T11")
def test_a_burned_curse_takes_its_part_of_the_penalty_along():
    overrides = made(SPELL, "burn 1")
    rival = {"hand": [SPELL, "curse", "curse"], "tokens": 9}
    game = stage({"witch": "marisrosetta"}, rival, seat=2, phase="cast", overrides=overrides)
    assert game.truth(2) == 6
    game.cast(SPELL)
    assert game.truth(2) == 8


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W1")
@pytest.mark.parametrize(
    ("curses", "ranks"), [(1, [3, 1, 2]), (2, [2, 1, 3]), (4, [1, 2, 3]), (5, [1, 2, 3])]
)
def test_the_penalty_counts_for_the_ranks(curses, ranks):
    # Truth 5; then 10 and 7 less what the curses take.
    rivals = [
        {"tokens": 10, "hand": ["curse"] * curses, "deck": DEEP},
        {"tokens": 7, "hand": ["curse"] * curses, "deck": DEEP},
    ]
    seat = {"witch": "marisrosetta", "tokens": 5, "deck": DEEP}
    game = stage(seat, *rivals, seat=3, phase="acquire", field=SIX)
    game.end_turn()
    assert game.end_reason == "field"
    assert list(game.ranks) == ranks


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize(("cards", "wins"), [(17, False), (18, True)])
@pytest.mark.parametrize("witch", ["felicia", "ignis", "brynhild"])
def test_the_penalty_counts_for_the_least_truth_of_the_others(witch, cards, wins):
    own = {"discard": worth(cards) + ["curse"] * 2}
    game, feeds = close(witch, 0, own=own, rivals=[{"witch": "marisrosetta"}])
    assert game.truth(1) == cards - 3
    game.cast(feeds[0])
    assert won(game, 1) is wins


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize(("cards", "wins"), [(12, False), (13, True)])
def test_her_contract_may_let_an_announcement_lapse(cards, wins):
    rival = {
        "witch": "eclair",
        "arcana_taken": 9,
        "discard": worth(cards),
        "hand": ["curse", "curse", "note"],
        "deck": DEEP,
        "announced": True,
    }
    game = stage(rival, {"deck": DEEP}, seat=2, phase="acquire", mana=20)
    game.contract("marisrosetta")
    game.end_turn()
    game.start_turn()
    assert won(game, 1) is wins


def spread(*rivals, own=(), truth=20, **position):
    """Stage the turn start of Marisrosetta, with so many curses at each of the others."""
    seats = [{"hand": ["curse"] * curses, "deck": DEEP} for curses in rivals]
    seat = {"witch": "marisrosetta", "deck": DEEP, "hand": ["note"] * 3, "discard": worth(truth)}
    position = {"phase": "start", "piles": {"curse": 0}, **position}
    return stage({**seat, **dict(own)}, *seats, **position)


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize("rivals", [(1,), (10,), (0, 3), (10, 10), (0, 0, 1), (9, 3, 18)])
def test_marisrosetta_wins_at_the_second_turn_start_in_a_row(rivals):
    game = spread(*rivals)
    assert not game.announced(1)
    game.start_turn()
    assert (game.over, game.phase) == (False, "cast")
    assert game.announced(1)
    assert [game.observe(seat, "rivals_announced") for seat in range(2, len(rivals) + 2)] == [
        1 for _ in rivals
    ]
    pass_turns(game)
    assert (game.over, game.seat) == (False, 1)
    game.start_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-N2")
@pytest.mark.parametrize(
    "missing",
    [
        {"piles": {"curse": 1}},
        {"piles": {"curse": -1}},
        {"burned": ["stone", "curse"]},
        {"own": {"hand": ["note", "curse", "note"], "tokens": 1}},
        {"own": {"own": ["curse"], "tokens": 1}},
        {"own": {"deck": [*DEEP, "curse"], "tokens": 1}},
        {"truth": 19},
    ],
    ids=["pile", "endless pile", "burned", "own hand", "own field", "own deck", "truth"],
)
def test_every_curse_is_owned_by_others_and_truth_is_there(missing):
    game = spread(4, 2, **missing)
    for _ in range(2):
        game.start_turn()
        assert not game.over
        assert not game.announced(1)
        pass_turns(game)


@pytest.mark.rule("GM-N2")
def test_without_a_curse_in_the_game_the_condition_does_not_hold():
    game = spread(0, 0, truth=60)
    game.start_turn()
    assert not game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert not game.over


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W3")
def test_marisrosetta_is_judged_at_no_other_moment():
    overrides = made(SPELL, "curses 2", attributes=["attack"])
    seat = {"witch": "marisrosetta", "hand": [SPELL, "note", "note"], "deck": DEEP}
    seats = [{**seat, "discard": worth(40)}, {"deck": DEEP}]
    game = stage(*seats, phase="cast", piles={"curse": 2}, overrides=overrides)
    game.cast(SPELL)
    assert game.piles["curse"] == 0
    assert not game.announced(1)
    pass_turns(game)
    assert not game.announced(1)
    game.start_turn()
    assert game.announced(1)


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W4")
def test_a_turn_start_that_fails_breaks_the_row():
    # At the second start one truth is missing; the third announces anew, the fourth wins.
    overrides = made(SPELL, "burn 1")
    own = {"hand": [SPELL, "charm", "note"], "discard": worth(19)}
    game = spread(5, own=own, overrides=overrides, choices=["charm"])
    game.start_turn()
    assert game.announced(1)
    game.cast(SPELL)
    assert game.truth(1) == 19
    pass_turns(game)
    game.start_turn()
    assert not game.over
    assert not game.announced(1)
    game.enter_acquisition()
    game.acquire("charm")
    assert game.truth(1) == 20
    assert not game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert not game.over
    assert game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-T11")
def test_others_break_her_condition_by_burning_a_curse():
    rival = {"hand": [SPELL, "curse", "curse"], "deck": DEEP}
    seat = {"witch": "marisrosetta", "deck": DEEP, "discard": worth(25), "announced": True}
    broken = stage(
        seat, rival, seat=2, phase="cast", piles={"curse": 0}, overrides=made(SPELL, "burn 1")
    )
    broken.cast(SPELL)
    broken.end_turn()
    broken.start_turn()
    assert not broken.over
    assert not broken.announced(1)


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-T13")
def test_the_start_of_an_extra_turn_announces_nothing_and_wins_nothing():
    fresh = spread(3, extra=True)
    fresh.start_turn()
    assert not fresh.announced(1)
    ripe = spread(3, extra=True, own={"announced": True})
    ripe.start_turn()
    assert not ripe.over
    assert ripe.announced(1)
    pass_turns(ripe)
    ripe.start_turn()
    assert won(ripe, 1)


@pytest.mark.rule("GM-N2")
@pytest.mark.rule("GM-T1")
def test_her_judgement_comes_before_the_reversal():
    game = spread(3, own={"hand": [], "announced": True})
    game.start_turn()
    assert won(game, 1)
    assert game.hand(1) == []


# GM-N3: Sophia


def sophia(*hand, overrides=(), choices=(), players=2, lineup=None, **own):
    """Stage the turn start of Sophia."""
    seat = {"witch": "sophia", "hand": hand, "deck": DEEP, **own}
    rivals = [{"deck": DEEP} for _ in range(players - 1)]
    more = {"overrides": overrides, "choices": choices, "lineup": lineup}
    return stage(seat, *rivals, phase="start", **more)


@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-W7")
@pytest.mark.parametrize(("kind", "tokens"), [("charm", 1), ("ritual", 3), ("arcana", 6)])
def test_sophia_burns_a_truth_card_for_its_truth_in_tokens_and_draws(kind, tokens):
    hand = ["note", kind, "stone", kind]
    game = sophia(*hand, choices=[kind], tokens=4)
    before = game.truth(1)
    game.start_turn()
    assert game.tokens(1) == 4 + tokens
    assert game.truth(1) == before
    assert game.burned == [kind]
    assert game.hand(1) == ["note", "stone", kind, "fragment"]
    assert game.counter(1, "burns") == 1
    assert game.phase == "cast"


@pytest.mark.rule("GM-N3")
def test_sophia_may_decline_and_then_draws_nothing():
    hand = ["charm", "note", "arcana"]
    game = sophia(*hand, choices=["stop"])
    game.start_turn()
    assert (game.hand(1), game.tokens(1), game.burned) == (hand, 0, [])
    assert list(game.choices) == []


@pytest.mark.rule("GM-N3")
@pytest.mark.parametrize(
    ("hand", "offered"),
    [
        (["arcana", "charm", "ritual"], {"arcana", "charm", "ritual", "stop"}),
        (["charm", "curse", "charm"], {"charm", "stop"}),
        (["ritual", "note", "apprentice", "stone", SPELL], {"ritual", "stop"}),
        (["curse", "note", "stone"], None),
    ],
)
def test_only_truth_cards_of_the_hand_and_once(hand, offered):
    asked = Answers()
    game = sophia(*hand, lineup=[asked, asked], discard=["arcana"], own=["ritual"])
    game.start_turn()
    assert [set(options) for options in asked.options("tokens")] == ([offered] if offered else [])
    assert game.hand(1) == hand


@pytest.mark.rule("GM-N3")
def test_one_card_a_turn():
    game = sophia("charm", "charm", "charm", choices=["charm", "charm", "charm"])
    game.start_turn()
    assert (game.tokens(1), list(game.choices)) == (1, ["charm", "charm"])


@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-T1")
def test_her_tokens_are_the_last_step_of_the_start():
    # A card that reversal, a duration card or her ability draws can be burned.
    overrides = (
        *made(LASTING, attributes=["duration"], turn_start=["draw 1"]),
        'witches.sophia.ability=["draw 1"]',
    )
    deck = ["note", "note", "charm", "ritual", "arcana", "stone"]
    asked = Answers(tokens=["arcana"])
    game = sophia(
        "note",
        overrides=overrides,
        lineup=[asked, asked],
        own=[LASTING],
        deck=deck,
        discard=["fragment"],
    )
    game.start_turn()
    # Reversal drew up to the charm, the duration card the ritual, the ability the arcana.
    (options,) = asked.options("tokens")
    assert set(options) == {"charm", "ritual", "arcana", "stop"}
    assert game.hand(1) == ["note", "note", "note", "charm", "ritual", "stone"]
    assert game.tokens(1) == 6


@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-C7")
def test_not_in_the_turn_of_the_contract_but_in_the_next():
    seat = {"hand": ["ritual"], "deck": ["ritual", "ritual", *DEEP]}
    game = stage(seat, {"deck": DEEP}, phase="acquire", mana=9, choices=["ritual"])
    game.contract("sophia")
    pass_turns(game)
    assert (game.tokens(1), list(game.choices)) == (0, ["ritual"])
    game.start_turn()
    assert game.tokens(1) == 3


@pytest.mark.rule("GM-N3")
def test_tokens_are_sophias_power_alone():
    for witch in [None, *(name for name in WITCHES if name != "sophia")]:
        asked = Answers(tokens=["arcana"])
        game = sophia("arcana", "charm", "ritual", lineup=[asked, asked], witch=witch)
        game.start_turn()
        assert not asked.options("tokens")
        assert game.tokens(1) == 0


@pytest.mark.rule("GM-N3")
@pytest.mark.parametrize(("draw", "offer"), [(0, True), (3, True), (0, False)])
def test_power_and_draw_are_data(draw, offer):
    overrides = (
        f"witches.sophia.powers.token_draw={draw}",
        f"witches.sophia.powers.tokens_for_truth={str(offer).lower()}",
    )
    hand = ["charm", "note", "note"]
    game = sophia(*hand, overrides=overrides, choices=["charm"])
    game.start_turn()
    assert len(game.hand(1)) == (2 + draw if offer else 3)
    assert game.tokens(1) == int(offer)


@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-W7")
def test_tokens_are_touched_by_no_shuffle_and_no_burn():
    overrides = made(SPELL, "burn_up_to 3")
    game = sophia(
        "ritual",
        SPELL,
        "charm",
        overrides=overrides,
        choices=["ritual", "charm", "stop"],
        deck=[],
        discard=["note"] * 2,
    )
    game.start_turn()
    assert game.tokens(1) == 3
    game.cast(SPELL)
    game.end_turn()
    assert game.counter(1, "shuffles") >= 1
    assert (game.tokens(1), game.truth(1)) == (3, 3)
    assert sum(own_cards(game, 1).values()) == 3  # two notes and the spell


@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize(
    ("players", "tokens", "kind", "wins"),
    [
        (2, 47, "ritual", True),
        (2, 48, "charm", False),
        (2, 46, "ritual", False),
        (2, 49, "arcana", True),
        (3, 44, "charm", True),
        (3, 43, "charm", False),
        (4, 39, "arcana", True),
        (4, 38, "arcana", False),
        (4, 47, "charm", True),
    ],
)
def test_sophia_wins_at_once_at_so_many_tokens(players, tokens, kind, wins):
    hand = [kind, "note", "note"]
    game = sophia(*hand, players=players, tokens=tokens, choices=[kind])
    game.start_turn()
    assert won(game, 1) is wins
    # The draw comes after the event.
    assert game.hand(1) == ["note", "note", *([] if wins else ["fragment"])]


@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize(("curses", "wins"), [(25, True), (26, False)])
def test_sophia_needs_truth_beside_her_tokens(curses, wins):
    hand = ["charm", "note", "note"]
    game = sophia(*hand, players=3, tokens=44, choices=["charm"], discard=["curse"] * curses)
    game.start_turn()
    assert won(game, 1) is wins


@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-T13")
def test_sophia_burns_in_an_extra_turn_too():
    seat = {"witch": "sophia", "hand": ["charm", "note", "note"], "deck": DEEP}
    game = stage(seat, {}, phase="start", extra=True, choices=["charm"])
    game.start_turn()
    assert game.tokens(1) == 1
