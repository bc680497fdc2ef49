"""GM-N7 to GM-N10: Aurelise, Brynhild, Beelzebel, and silver that is no gold."""

from __future__ import annotations

import pytest

from tests.titles.granmagia.staging import DEEP, EIGHT, EXCLUSIVES, MAGIC, RARES, refuse, shown
from tests.titles.granmagia.witchcraft import (
    BANE,
    DRAGON,
    HOURGLASS,
    LASTING,
    LIFT,
    OTHER,
    PLAIN,
    SPELL,
    WITCHES,
    Answers,
    close,
    made,
    pass_turns,
    stage,
    victory,
    won,
    worth,
)

SIX = shown(*EIGHT[:6])

# GM-N7: Aurelise


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T4")
@pytest.mark.parametrize("witch", [None, *WITCHES])
def test_each_stone_laid_down_gives_aurelise_a_gold(witch):
    hand = ["fragment", "note", "great_stone", "stone", "fragment", "charm"]
    game = stage({"witch": witch, "hand": hand, "gold": 2}, {"gold": 1}, phase="cast")
    game.enter_acquisition()
    assert game.mana == 7
    assert [game.gold(seat) for seat in (1, 2)] == [2 + 4 * (witch == "aurelise"), 1]


@pytest.mark.rule("GM-N7")
@pytest.mark.parametrize("gold", [0, 3])
def test_gold_of_stones_is_data(gold):
    overrides = (f"witches.aurelise.powers.stone_gold={gold}",)
    seat = {"witch": "aurelise", "hand": ["stone"] * 3}
    game = stage(seat, {}, phase="cast", overrides=overrides)
    game.enter_acquisition()
    assert game.gold(1) == 3 * gold


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T5")
def test_gold_of_stones_pays_in_the_same_turn():
    seat = {"witch": "aurelise", "hand": ["fragment"] * 4}
    game = stage(seat, {}, phase="cast")
    game.enter_acquisition()
    game.acquire("great_stone")
    assert (game.mana, game.gold(1)) == (0, 2)


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-C7")
def test_stones_laid_down_before_the_contract_give_none():
    seat = {"hand": ["great_stone"] * 3, "deck": ["stone"] * 5}
    game = stage(seat, {"deck": DEEP}, phase="cast")
    game.enter_acquisition()
    game.contract("aurelise")
    assert game.gold(1) == 0
    pass_turns(game)
    assert game.gold(1) == 0
    game.start_turn()
    game.enter_acquisition()
    assert game.gold(1) == 5


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T14")
def test_stones_that_come_to_hand_later_and_used_magic_give_none():
    overrides = (*made(SPELL, "mana 9"), *made(OTHER, "receive 3 stones hand"))
    seat = {"witch": "aurelise", "hand": [SPELL, OTHER], "deck": DEEP}
    position = {"phase": "cast", "casts": 2, "choices": ["stone"]}
    game = stage(seat, {}, overrides=overrides, **position)
    game.cast(SPELL)
    game.cast(OTHER)
    assert game.gold(1) == 0
    game.enter_acquisition()
    assert game.gold(1) == 1  # the stone is laid down
    game.acquire("great_stone")
    assert game.gold(1) == 1


def ending(gold, *, seat=1, players=2, own=(), choices=("aurelise",), **position):
    """Stage an acquisition phase of Aurelise with some gold, about to end."""
    mine = {"witch": "aurelise", "gold": gold, "deck": DEEP, **dict(own)}
    seats = [{"deck": DEEP} for _ in range(players)]
    seats[seat - 1] = mine
    more = {"phase": "acquire", "choices": choices, "seat": seat, **position}
    return stage(*seats, **more)


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-T12")
@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("gold", [15, 16, 45])
def test_aurelise_may_pay_fifteen_gold_for_an_extra_turn(gold, seat):
    game = ending(gold, seat=seat, players=3, round=4)
    turns = game.turns(seat)
    game.end_turn()
    assert (game.seat, game.round, game.phase, game.extra) == (seat, 4, "start", True)
    assert (game.gold(seat), game.turns(seat)) == (gold - 15, turns)
    game.start_turn()
    assert (game.casts, game.acquisitions, game.mana) == (1, 1, 0)
    game.end_turn()
    following = seat % 3 + 1
    assert (game.seat, game.round, game.extra) == (following, 4 + (seat == 3), False)


@pytest.mark.rule("GM-N7")
def test_aurelise_may_keep_her_gold():
    game = ending(20, choices=["stop"])
    game.end_turn()
    assert (game.seat, game.gold(1), game.extra) == (2, 20, False)
    assert list(game.choices) == []


@pytest.mark.rule("GM-N7")
@pytest.mark.parametrize(
    "not_asked",
    [
        {"gold": 14},
        {"gold": 0},
        {"gold": 24, "extra": True},
        {"gold": 40, "extra_earned": True},
        {"gold": 40, "field": SIX},
        {"gold": 40, "own": {"witch": "sophia"}},
        {"gold": 40, "own": {"witch": None}},
        {"gold": 14, "own": {"silver": 9}, "seat": 2},
    ],
    ids=["14", "none", "extra turn", "won by a card", "end", "Sophia", "apprentice", "silver"],
)
def test_when_she_is_not_asked(not_asked):
    game = ending(**not_asked)
    gold, seat = not_asked["gold"], not_asked.get("seat", 1)
    game.end_turn()
    assert list(game.choices) == ["aurelise"]
    assert game.gold(seat) == gold
    assert game.extra is bool(not_asked.get("extra_earned"))
    assert game.over is ("field" in not_asked)


@pytest.mark.rule("GM-N7")
@pytest.mark.parametrize(("price", "gold", "asked"), [(3, 2, False), (3, 3, True), (0, 99, False)])
def test_the_price_of_her_extra_turn_is_data_and_nothing_is_no_such_power(price, gold, asked):
    overrides = (f"witches.aurelise.powers.extra_turn_gold={price}",)
    game = ending(gold, overrides=overrides)
    game.end_turn()
    assert game.extra is asked
    assert game.gold(1) == gold - price * asked


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-C7")
@pytest.mark.rule("GM-C2")
def test_she_may_pay_at_the_end_of_the_turn_of_her_contract():
    game = ending(15, own={"witch": None}, mana=9)
    game.contract("aurelise")
    game.end_turn()
    assert (game.seat, game.extra, game.gold(1)) == (1, True, 0)


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T12")
def test_she_is_asked_when_the_cards_are_drawn_and_the_field_is_filled():
    seen = []

    class Watching(Answers):
        def extra_turn(self, view, options):
            seen.append((game.hand(1), len(game.field), game.mana, game.discard(1)))
            return self._answer("extra_turn", options)

    asked = Watching(extra_turn=["stop"])
    own = {"hand": ["note"], "discard": ["charm"]}
    position = {"field": SIX, "magic_deck": [MAGIC[8], MAGIC[9]], "mana": 3}
    game = ending(15, own=own, choices=(), lineup=[asked, asked], **position)
    game.end_turn()
    assert seen == [(["fragment"] * 5, 8, 0, ["charm", "note"])]
    assert [set(options) for options in asked.options("extra_turn")] == [{"aurelise", "stop"}]
    assert game.seat == 2


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T12")
@pytest.mark.parametrize(
    ("gold", "truth", "extra", "wins"),
    [
        (25, 20, True, True),
        (26, 31, True, True),
        (24, 20, True, False),
        (25, 19, True, False),
        (25, 20, False, False),
        (80, 80, False, False),
    ],
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_aurelise_wins_with_twenty_five_gold_at_the_end_of_an_extra_turn(
    gold, truth, extra, wins, players
):
    own = {"discard": worth(truth), "hand": ["note"]}
    game = ending(gold, own=own, players=players, extra=extra, choices=["stop"])
    assert not game.over
    game.end_turn()
    assert won(game, 1) is wins
    if not wins:
        assert (game.over, game.seat, game.gold(1)) == (False, 2, gold)


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T12")
@pytest.mark.rule("GM-W8")
def test_her_test_comes_before_all_other_steps_of_the_end():
    own = {"discard": worth(20), "hand": ["note"], "play": ["fragment"]}
    position = {"field": SIX, "mana": 4, "round": 3}
    game = ending(25, own=own, extra=True, **position)
    game.end_turn()
    assert won(game, 1)
    assert (game.hand(1), game.play_area(1), game.deck(1)) == (["note"], ["fragment"], DEEP)
    assert (game.seat, game.round) == (1, 3)
    # One gold less, and the field ends the game.
    game = ending(24, own=own, extra=True, **position)
    game.end_turn()
    assert (game.over, game.end_reason) == (True, "field")


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-W10")
def test_her_test_comes_before_the_cap_on_rounds():
    overrides = ("limits.round_cap=3",)
    for gold, reason in [(25, "special"), (24, "round_cap")]:
        own = {"discard": worth(20)}
        game = ending(gold, own=own, seat=2, round=3, extra=True, overrides=overrides)
        game.end_turn()
        assert (game.over, game.end_reason) == (True, reason)


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-W3")
def test_each_end_of_an_extra_turn_is_an_event_and_nothing_else():
    own = {"discard": worth(19), "hand": []}
    game = ending(40, own=own, extra=True, mana=2, choices=["aurelise"])
    game.end_turn()
    assert (game.over, game.seat) == (False, 2)
    game.start_turn()
    game.end_turn()
    game.start_turn()
    assert (game.over, game.extra) == (False, False)
    game.enter_acquisition()  # five stones: gold and mana
    game.acquire("charm")
    assert (game.truth(1), game.gold(1), game.over) == (20, 45, False)
    game.end_turn()
    assert (game.extra, game.gold(1), game.over) == (True, 30, False)
    game.start_turn()
    assert not game.over
    game.end_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-N7")
@pytest.mark.parametrize(("gold", "wins"), [(34, False), (35, True)])
def test_what_she_pays_is_gone_and_what_the_extra_turn_brings_counts(gold, wins):
    # The draw of the first turn's end brings five stones into the extra turn.
    game = ending(gold, own={"discard": worth(20)})
    game.end_turn()
    assert (game.extra, game.gold(1)) == (True, gold - 15)
    game.start_turn()
    game.enter_acquisition()
    assert (game.gold(1), game.over) == (gold - 10, False)
    game.end_turn()
    assert won(game, 1) is wins


@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-T13")
def test_an_extra_turn_that_a_card_has_won_is_tested_too():
    overrides = made(HOURGLASS, "extra_turn 1")
    own = {"discard": worth(20), "hand": [HOURGLASS]}
    game = ending(25, own=own, phase="cast", overrides=overrides, choices=["aurelise"])
    game.cast(HOURGLASS)
    game.end_turn()
    assert (game.extra, game.gold(1), list(game.choices)) == (True, 25, ["aurelise"])
    game.start_turn()
    game.end_turn()
    assert won(game, 1)


@pytest.mark.rule("GM-N7")
def test_gold_at_the_end_of_an_extra_turn_wins_for_aurelise_alone():
    for witch in (None, "sophia", "eclair"):
        game = ending(60, own={"witch": witch, "discard": worth(60)}, extra=True)
        game.end_turn()
        assert not game.over


# GM-N8: Brynhild

KINDS = PLAIN[8:12]
HARMLESS = tuple(change for kind in KINDS for change in made(kind, "casts 1"))


def brynhild(cast, *hand, truth=15, overrides=(), **more):
    """Stage a cast phase of Brynhild who has cast so many kinds, with cards to cast."""
    kinds = [kind for kind in [*MAGIC, *RARES] if kind not in (*hand, *KINDS, "old_note")]
    seat = {"witch": "brynhild", "hand": hand, "kinds_cast": kinds[:cast], "deck": DEEP}
    seat |= {"discard": worth(truth), **more.pop("own", {})}
    return stage(seat, {"deck": DEEP}, phase="cast", casts=20, overrides=overrides, **more)


@pytest.mark.rule("GM-N8")
@pytest.mark.parametrize(("cast", "wins"), [(10, [False, False, True]), (12, [True]), (13, [True])])
def test_thirteen_kinds_and_each_further_one(cast, wins):
    game = brynhild(cast, *KINDS[:3], overrides=HARMLESS)
    for kind, win in zip(KINDS, wins, strict=False):
        game.cast(kind)
        assert won(game, 1) is win


@pytest.mark.rule("GM-N8")
@pytest.mark.rule("GM-W3")
def test_the_example_of_the_rulebook():
    # Thirteen kinds with too little truth, then an arcana, then a fourteenth kind.
    deck = [KINDS[0], KINDS[1], *DEEP]
    game = brynhild(12, KINDS[0], truth=9, overrides=HARMLESS, own={"deck": deck}, mana=8)
    game.cast(KINDS[0])
    assert (len(game.kinds_cast(1)), game.over) == (13, False)
    game.enter_acquisition()
    game.acquire("arcana")
    assert (game.truth(1), game.over) == (15, False)
    pass_turns(game)
    game.start_turn()
    assert not game.over
    game.cast(KINDS[0])  # no new kind
    assert (len(game.kinds_cast(1)), game.over) == (13, False)
    game.cast(KINDS[1])
    assert won(game, 1)
    assert len(game.kinds_cast(1)) == 14


@pytest.mark.rule("GM-N8")
@pytest.mark.rule("GM-W3")
def test_the_example_within_one_turn():
    overrides = (*HARMLESS, *made(SPELL, "receive 8 truths discard"))
    own = {"kinds_cast": [SPELL, *[k for k in MAGIC if k not in (*KINDS, SPELL)][:11]]}
    hand = [KINDS[0], SPELL, KINDS[0], KINDS[1]]
    game = brynhild(0, *hand, truth=9, overrides=overrides, choices=["arcana"], own=own)
    for kind in hand[:3]:
        game.cast(kind)
        assert (len(game.kinds_cast(1)), game.over) == (13, False)
    assert game.truth(1) == 15
    game.cast(hand[3])
    assert won(game, 1)


@pytest.mark.rule("GM-N8")
@pytest.mark.rule("GM-W4")
def test_a_new_kind_is_judged_before_the_effects_of_the_card():
    overrides = made(KINDS[0], "receive 5 truths discard", "gold 4")
    for truth in (14, 15):
        game = brynhild(12, KINDS[0], truth=truth, overrides=overrides, choices=["ritual"])
        game.cast(KINDS[0])
        assert won(game, 1) is (truth == 15)
        assert game.gold(1) == (0 if truth == 15 else 4)


@pytest.mark.rule("GM-N8")
@pytest.mark.rule("GM-K7")
@pytest.mark.parametrize(
    "kind",
    [
        next(kind for kind in RARES if kind != "old_note"),
        next(kind for kind in EXCLUSIVES if kind == "stone_recycling"),
    ],
)
def test_rares_and_exclusives_are_kinds(kind):
    game = brynhild(12, kind)
    game.cast(kind)
    assert won(game, 1)
    assert kind in game.kinds_cast(1)


@pytest.mark.rule("GM-N8")
@pytest.mark.parametrize(
    "fields",
    [
        {"attributes": ["duration"], "turn_start": ["gold 1"]},
        {"attributes": ["permanent"], "turn_start": ["gold 1"]},
        {"attributes": ["familiar"], "reward": ["gold 1"]},
    ],
    ids=["duration", "permanent", "familiar"],
)
def test_lasting_cards_and_familiars_are_kinds_when_they_are_cast(fields):
    game = brynhild(12, LASTING, overrides=made(LASTING, "gold 1", **fields))
    game.cast(LASTING)
    assert won(game, 1)
    assert game.gold(1) == 0


@pytest.mark.rule("GM-N8")
def test_attacks_are_kinds_and_their_victory_hits_nobody():
    game = brynhild(12, BANE, overrides=made(BANE, "curses 1", attributes=["attack"]))
    game.cast(BANE)
    assert won(game, 1)
    assert game.truth(2) == 0


@pytest.mark.rule("GM-N8")
def test_a_turn_start_effect_is_no_cast():
    overrides = made(DRAGON, attributes=["permanent"], turn_start=["gold 1"])
    seat = {"witch": "brynhild", "own": [DRAGON], "deck": DEEP, "hand": ["note"] * 3}
    seat |= {"kinds_cast": [k for k in MAGIC if k != DRAGON][:12], "discard": worth(15)}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.gold(1), game.over, game.progress(1)) == (1, False, 12)


@pytest.mark.rule("GM-N8")
@pytest.mark.rule("GM-S5")
def test_a_note_is_no_magic_kind_even_when_it_can_be_cast():
    game = brynhild(12, "note", overrides=('cards.note.effects=["gold 1"]',))
    game.cast("note")
    assert (game.gold(1), game.over, game.progress(1)) == (1, False, 12)


@pytest.mark.rule("GM-N8")
def test_kinds_add_up_over_turns_and_copies_do_not():
    overrides = (*HARMLESS, *victory("brynhild", need=3))
    seat = {"witch": "brynhild", "hand": [KINDS[0]] * 3, "discard": worth(15)}
    seat["deck"] = [KINDS[1], "note", "note", "note", "note", KINDS[2], *DEEP]
    game = stage(seat, {"deck": DEEP}, phase="cast", casts=3, overrides=overrides)
    for _ in range(3):
        game.cast(KINDS[0])
    assert game.progress(1) == game.observe(1, "kinds_cast") == 1
    pass_turns(game)
    game.start_turn()
    game.cast(KINDS[1])
    assert (game.progress(1), game.over) == (2, False)
    pass_turns(game)
    game.start_turn()
    game.cast(KINDS[2])
    assert won(game, 1)


@pytest.mark.rule("GM-N8")
def test_cards_that_others_cast_are_not_hers():
    rival = {"hand": [*KINDS, SPELL], "deck": DEEP}
    own = {"kinds_cast": [kind for kind in MAGIC if kind not in KINDS][:12]}
    seat = {"witch": "brynhild", "discard": worth(15), "deck": DEEP, **own}
    game = stage(seat, rival, seat=2, phase="cast", casts=5, overrides=HARMLESS)
    for kind in KINDS:
        game.cast(kind)
    assert not game.over
    assert game.progress(1) == 12


# GM-N9: Beelzebel


@pytest.mark.rule("GM-N9")
@pytest.mark.parametrize(
    ("arcana", "more", "announced"),
    [(3, 6, True), (3, 5, False), (2, 40, False), (4, 0, True), (5, 40, True)],
)
def test_beelzebel_is_judged_at_each_arcana_she_obtains(arcana, more, announced):
    seat = {"witch": "beelzebel", "discard": ["arcana"] * arcana + worth(more)}
    game = stage(seat, {}, phase="acquire", mana=8)
    game.acquire("arcana")
    assert game.truth(1) == 6 * (arcana + 1) + more
    assert game.announced(1) is announced
    assert not game.over


@pytest.mark.rule("GM-N9")
def test_only_arcana_that_are_owned_count():
    seat = {"witch": "beelzebel", "discard": ["arcana"] * 2 + worth(40), "arcana_taken": 9}
    game = stage(seat, {}, phase="acquire", mana=8, burned=["arcana"] * 5)
    game.acquire("arcana")
    assert not game.announced(1)
    assert game.progress(1) == 3


@pytest.mark.rule("GM-N9")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize(("arcana", "wins"), [(4, False), (5, True)])
def test_an_arcana_that_is_burned_may_break_her_condition(arcana, wins):
    overrides = made(SPELL, "burn 1")
    seat = {"witch": "beelzebel", "hand": [SPELL, "arcana"], "announced": True, "deck": DEEP}
    seat |= {"discard": ["arcana"] * (arcana - 1) + worth(20)}
    game = stage(seat, {"deck": DEEP}, phase="cast", overrides=overrides)
    game.cast(SPELL)
    assert game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert won(game, 1) is wins
    assert game.announced(1) is False or wins


@pytest.mark.rule("GM-N9")
def test_her_condition_is_replaced_and_turned_off_in_the_data():
    seat = {"witch": "beelzebel", "discard": ["arcana"] * 9, "deck": DEEP}
    off = ("witches.beelzebel.victory.enabled=false",)
    game = stage(seat, {"deck": DEEP}, phase="acquire", mana=8, overrides=off)
    game.acquire("arcana")
    assert not game.announced(1)
    assert game.observe(1, "progress_needed") == 0
    pass_turns(game)
    game.start_turn()
    assert not game.over

    other = victory("beelzebel", kind="tokens", need=3, timing="at_once")
    own = {"witch": "beelzebel", "tokens": 2, "discard": worth(28)}
    game, feeds = close("sophia", 0, own=own, overrides=other)
    game.cast(LIFT)
    assert not game.over
    game.cast(feeds[0])
    assert won(game, 1)


# GM-N10: silver


@pytest.mark.rule("GM-N10")
@pytest.mark.parametrize(("silver", "gold", "mana"), [(3, 0, 0), (3, 1, 5), (0, 1, 5)])
def test_silver_is_no_gold_for_a_condition_of_a_card(silver, gold, mana):
    overrides = made(SPELL, "mana 5 if gold >= 1")
    seat = {"hand": [SPELL], "silver": silver, "gold": gold}
    game = stage({}, seat, seat=2, phase="cast", overrides=overrides)
    game.cast(SPELL)
    assert game.mana == mana


@pytest.mark.rule("GM-N10")
@pytest.mark.rule("GM-N7")
def test_silver_is_no_gold_for_a_special_victory():
    own = {"discard": worth(20), "silver": 5, "turns": 0}
    game = ending(20, own=own, extra=True)
    game.end_turn()
    assert not game.over


@pytest.mark.rule("GM-N10")
@pytest.mark.rule("GM-N6")
def test_silver_pays_the_lower_price_of_an_arcana_first():
    seats = [{}, {"witch": "eclair", "silver": 2, "gold": 9}]
    game = stage(*seats, seat=2, phase="acquire", mana=3)
    game.acquire("arcana")
    assert (game.mana, game.silver(2), game.gold(2)) == (0, 0, 7)
    refuse(game, "acquire", "fragment")
