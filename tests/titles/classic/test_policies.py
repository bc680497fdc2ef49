"""The bots of the literature do what they are said to, each from a stated position."""

from __future__ import annotations

import pytest

from sim.core.policy import available, load_policies
from sim.titles.classic import DATA, TITLE, from_position

GOLDS = ["gold"] * 5


def bought(policy: str, hand: list[str], *, piles=None, own=(), other=(), seat=1) -> list[str]:
    """Return what a bot buys with a hand; `own` and `other` are cards in discard piles."""
    seats = [{"discard": list(other), "deck": ["copper"] * 5} for _ in range(2)]
    seats[seat - 1] |= {"hand": hand, "discard": list(own)}
    game = from_position(
        {"seats": seats, "seat": seat, "round": 20, "piles": piles or {}},
        lineup=["naive", policy] if seat == 2 else [policy, "naive"],
    )
    game.play_turn()
    moves = [event for event in game.events if event["event"] == "move"]
    return [move["card"] for move in moves if move["from"] == "pile"]


LADDER = [
    (["gold", "gold", "silver"], ["province"]),
    (["gold", "gold", "copper"], ["gold"]),
    (["gold", "gold"], ["gold"]),
    (["gold", "silver"], ["silver"]),
    (["gold"], ["silver"]),
    (["silver"], []),
]


@pytest.mark.parametrize(("hand", "cards"), LADDER)
def test_naive_buys_the_best_treasure_or_a_province(hand, cards):
    assert bought("naive", hand) == cards


def test_naive_buys_nothing_else():
    assert bought("naive", ["gold"], piles={"silver": 0}) == []
    assert bought("naive", GOLDS, piles={"province": 1}, other=["province"] * 5) == ["province"]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(
    ("card", "hand"), [("forge", ["silver"] * 2), ("crone", ["gold", "silver"])]
)
@pytest.mark.parametrize("ending", ["", "_endgame"])
def test_so_many_action_cards_are_bought_before_silver(number, card, hand, ending):
    policy = f"{card}_{number}{ending}"
    assert bought(policy, hand, own=[card] * (number - 1)) == [card]
    assert bought(policy, hand, own=[card] * number) == ["silver"]
    assert bought(policy, ["gold", "gold"]) == ["gold"]


def test_action_cards_are_played():
    seat = {"hand": ["forge", "copper"], "deck": ["gold", "gold", "silver"]}
    game = from_position({"seats": [seat, {}]}, lineup=["forge_1", "naive"])
    game.play_turn()
    assert game.counter(1, "plays") == 1
    assert game.counter(1, "provinces") == 1


ENDGAME = [policy for policy in available(DATA / "policies") if policy.endswith("_endgame")]


@pytest.mark.parametrize("policy", ENDGAME)
def test_points_are_bought_late(policy):
    full = ["forge", "forge", "crone", "crone"]
    assert bought(policy, ["gold", "silver"], own=full, piles={"province": 6}) == ["silver"]
    assert bought(policy, ["gold", "silver"], own=full, piles={"province": 5}) == ["duchy"]
    assert bought(policy, ["gold"], own=full, piles={"province": 3}) == ["silver"]
    assert bought(policy, ["silver"], own=full, piles={"province": 2}) == ["estate"]


@pytest.mark.parametrize("policy", ENDGAME)
@pytest.mark.parametrize(
    ("rival", "seat", "wins"),
    [
        (["duchy", "estate", "estate"], 1, True),  # 5 behind: one point ahead afterwards
        (["province"], 1, False),  # equal, and seat 1 has had one turn more
        (["province"], 2, True),  # equal, and as many turns: shared
        (["province", "estate"], 2, False),
    ],
)
def test_the_last_province_is_not_bought_to_lose(policy, rival, seat, wins):
    cards = bought(policy, GOLDS, piles={"province": 1}, other=rival, seat=seat)
    assert cards == (["province"] if wins else ["duchy"])


def test_all_policies_are_read_and_described():
    words = TITLE.vocabulary(TITLE.load())
    table = load_policies(available(DATA / "policies"), words, DATA / "policies")
    assert len(set(table.hashes)) == len(table.names) == 11
    assert all(label.en and label.ja for label in table.labels)
