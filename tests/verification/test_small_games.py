"""Small games in which all that chance can do is gone through: exact rates against the kernels'.

A game is made so short, or its cards so few, that every order of what is hidden can be listed with
its probability. Where the rules are simple the outcome is reckoned here; else the readable engine
plays each order from a stated position. The kernel then plays its own games, from its own streams.
"""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, prod

import numpy as np
import pytest

from sim import titles
from sim.core.ruleset import load_ruleset
from sim.titles import granmagia, magnolia, majestic
from sim.titles.magnolia import checks as magnolia_checks
from sim.titles.magnolia import schema as magnolia_schema
from sim.titles.majestic import checks as majestic_checks
from sim.titles.majestic import schema as majestic_schema
from tests.budget import assert_counts
from tests.titles.majestic.rules_helping import MUTE, deck, spell, unit
from tests.titles.majestic.staging import mana_card
from tests.verification.kernels import play
from tests.verification.test_wizard_battle import PLAIN, Battle, Fixed, solve

pytestmark = pytest.mark.verify

Chances = Mapping[Hashable, float]


def compare(found: Sequence[Hashable], chances: Chances) -> None:
    """Assert that outcomes come as often as they have to; the rare ones are taken together."""
    assert sum(chances.values()) == pytest.approx(1, rel=1e-9)
    counts = Counter(found)
    assert set(counts) <= {outcome for outcome, chance in chances.items() if chance > 0}
    often = [outcome for outcome, chance in chances.items() if chance * len(found) >= 100]
    told = [counts[outcome] for outcome in often]
    shares = [float(chances[outcome]) for outcome in often]
    assert len(often) >= 2, "a game that can go more than one way"
    rest = 1 - sum(shares)
    if rest * len(found) >= 100:
        told, shares = [*told, len(found) - sum(told)], [*shares, rest]
    else:
        told[0], shares[0] = told[0] + len(found) - sum(told), shares[0] + rest
    assert_counts(told, shares)


def hands(cards: Mapping[str, int], size: int) -> Iterator[tuple[tuple[str, ...], dict, Fraction]]:
    """Yield each hand out of so many cards of each kind, what is left of them, and its chance."""
    kinds, whole = list(cards), sum(cards.values())
    for numbers in product(*(range(min(size, cards[kind]) + 1) for kind in kinds)):
        if sum(numbers) == size:
            ways = prod(comb(cards[kind], n) for kind, n in zip(kinds, numbers, strict=True))
            hand = tuple(kind for kind, n in zip(kinds, numbers, strict=True) for _ in range(n))
            left = {kind: cards[kind] - n for kind, n in zip(kinds, numbers, strict=True)}
            yield hand, left, Fraction(ways, comb(whole, size))


def listed(cards: Mapping[str, int]) -> list[str]:
    return [kind for kind, n in cards.items() for _ in range(n)]


def tops(cards: Mapping[str, int], size: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Yield each order of the first cards of a shuffled deck, and its chance."""
    for hand, _, chance in hands(cards, size):
        orders = set(permutations(hand))
        for order in sorted(orders):
            yield order, chance / len(orders)


def test_hands_and_orders_are_all_there_are():
    cards = {"a": 2, "b": 3}
    assert sum(chance for _, _, chance in hands(cards, 3)) == 1
    assert {hand for hand, _, _ in hands(cards, 2)} == {("a", "a"), ("a", "b"), ("b", "b")}
    ordered = dict(tops(cards, 2))
    assert ordered["a", "b"] == Fraction(2 * 3, 5 * 4) == ordered["b", "a"]
    assert len(dict(tops({"a": 1, "b": 1, "c": 1}, 3))) == factorial(3)


# Classic: four turns of a bot that buys money


def money(coins: int) -> str | None:
    """Return what the naive bot buys: its whole policy, below 8 coins."""
    return "gold" if coins >= 6 else "silver" if coins >= 3 else None


def bought() -> dict[tuple[int, int], float]:
    """Return the chances of silvers and golds after four turns: two decks' worth of hands."""
    found: dict[tuple[int, int], float] = defaultdict(float)
    worth = {"copper": 1, "silver": 2, "estate": 0}
    for first, left, chance in hands({"copper": 7, "estate": 3}, 5):
        coins = first.count("copper"), left["copper"]
        silvers = sum(money(one) == "silver" for one in coins)
        cards = {"copper": 7, "estate": 3, "silver": silvers}
        for third, rest, then in hands(cards, 5):
            for fourth, _, last in hands(rest, 5):
                buys = [money(sum(worth[card] for card in hand)) for hand in (third, fourth)]
                outcome = silvers + buys.count("silver"), buys.count("gold")
                found[outcome] += float(chance * then * last)
    return found


def test_four_turns_of_the_naive_bot(stat_seed):
    """Two bots that do not meet: what both have is the product of what each has."""
    title, one = titles.load("classic"), bought()
    four = ("limits.round_cap=4",)
    games = play(title, ["naive"] * 2, 200_000, seed=stat_seed, overrides=four)
    silvers, golds = games.seats("silvers"), games.seats("golds")
    both = {(*a, *b): one[a] * one[b] for a in one for b in one}
    found = np.stack([silvers[:, 0], golds[:, 0], silvers[:, 1], golds[:, 1]], axis=1)
    compare([tuple(row) for row in found.tolist()], both)


# Gran Magia: two rounds of players that buy stones, else a charm

BUYER = (
    'label = { en = "Buyer", ja = "買い手" }\nabout = "Stones, else a charm."\nslip = 0\n'
    '[acquire]\nrules = ["great_stone", "stone", "charm", "stop"]\n'
)
STONES = ("great_stone", "stone", "fragment", "charm")


def test_two_rounds_of_players_that_buy_stones(stat_seed, tmp_path):
    """Who has how much mana in which turn: hands of four, so that two cards are not seen."""
    path = tmp_path / "buyer.toml"
    path.write_text(BUYER, encoding="utf-8")
    title, lineup = titles.load("granmagia"), [str(path)] * 2
    two = ("limits.round_cap=2", "start.hand=4", "turn.hand=4")
    cards = title.load().values["start"]["deck"]
    every = [
        (
            list(hand),
            [*second, *(kind for kind, n in rest.items() for _ in range(n))],
            chance * then,
        )
        for hand, left, chance in hands(cards, 4)
        for second, rest, then in hands(left, 4)
    ]
    chances: dict[Hashable, float] = defaultdict(float)
    for (hand, left, chance), (other, rest, then) in product(every, every):
        seats = [{"hand": hand, "deck": left}, {"hand": other, "deck": rest, "silver": 1}]
        game = granmagia.from_position({"seats": seats}, overrides=two, lineup=lineup)
        while not game.over:
            game.play_turn()
        zones = ("hand", "deck", "discard", "play_area")
        owned = [Counter(card for zone in zones for card in getattr(game, zone)(n)) for n in (1, 2)]
        chances[tuple(one[kind] for one in owned for kind in STONES)] += float(chance * then)
    games = play(title, lineup, 200_000, seed=stat_seed, overrides=two)
    found = games.cards("owned")[:, :, [games.kinds.index(kind) for kind in STONES]]
    compare([tuple(row) for row in found.reshape(len(found), -1).tolist()], chances)


# Unreliable Wizard: one move, one battle

TEXT = 'label = { en = "Fixed", ja = "固定" }\nabout = "One number."\nslip = 0\n'


@pytest.mark.parametrize("number", [1, 2])
def test_one_battle_of_the_wizard(number, stat_seed, tmp_path):
    """From a hex beside a place, with three parts: which of four enemies it is, and how it ends."""
    title = titles.load("wizard")
    path = tmp_path / "fixed.toml"
    rules = f'[move]\nrules = ["go_up_right"]\n[draw]\nrules = ["draw_{number}"]\n'
    path.write_text(TEXT + rules, encoding="utf-8")
    overrides = ('maps.long.start="d1"', "start.cards=0", "limits.round_cap=1")
    games = play(title, [path], 100_000, seed=stat_seed, overrides=overrides)
    values = games.rules.values
    lp = values["start"]["lp"] - values["maps"]["long"]["hexes"][PLAIN]["cost"]
    yellow = [name for name, one in values["enemies"].items() if one["colour"] == "yellow"]
    chances: dict[Hashable, float] = defaultdict(float)
    for enemy in yellow:
        battle = Battle(enemy, lp=lp)
        for (end, left), chance in solve(battle, Fixed(battle, number))[0].items():
            reason = "round_cap" if end == "won" else end  # the only move that there is
            chances[enemy, reason, left] += chance / len(yellow)
    met = games.cards("met")[:, 0, [games.kinds.index(name) for name in yellow]]
    assert (met.sum(axis=1) == 1).all()
    enemies = np.array(yellow)[met.argmax(axis=1)]
    ends, left = games.ends(), games.seats("score")[:, 0]
    compare(list(zip(enemies.tolist(), ends.tolist(), left.tolist(), strict=True)), chances)


# Majestic Magic: two small decks of darts and of cards that cannot be played, and mana that hits

MAIN, MANA, LP, HAND = 10, 8, 2, 1
OVERRIDES = (
    f"deck.main={MAIN}",
    f"deck.mana={MANA}",
    "deck.copies=10",
    "deck.special=8",
    f"start.hand={HAND}",
    f"start.lp={LP}",
    "start.redraws=0",
    "limits.round_cap=2",
)
DECKS = {
    "one": ({"dart": 4, "blank": 6}, {"fire_mana": 8}),
    "other": ({"dart": 3, "blank": 7}, {"fire_mana": 5, "flare": 3}),
}
#: Cards of a main deck and of a mana deck that can be seen in two rounds.
SEEN, SEEN_MANA = 4, LP + 2


def duel(folder):
    """Return rules with two decks and no others, which the numbers of cards would not fit."""
    texts = {
        "cards": [unit("blank", cost=9), spell("dart", "hit enemy 1")],
        "mana": [mana_card("fire_mana"), mana_card("flare", effects=["hit enemy 1"])],
        "sorcerers": [MUTE],
        "decks": [deck(name, *lists) for name, lists in DECKS.items()],
    }
    shutil.copy(majestic.DATA / "rules.toml", folder)
    for name, parts in texts.items():
        head = f'[{name}]\nsource = "assumed"\nref = "MM-K1"\n'
        (folder / f"{name}.toml").write_text(head + "\n".join(parts), encoding="utf-8")
    rules, check = majestic_schema.Rules, majestic_checks.problems
    return load_ruleset("majestic", folder, rules, overrides=OVERRIDES, check=check)


def rest_of(cards: Mapping[str, int], order: Sequence[str]) -> list[str]:
    return listed({kind: number - order.count(kind) for kind, number in cards.items()})


def zones(name: str) -> Iterator[tuple[dict, Fraction]]:
    """Yield all beginnings of a seat, by what lies on top of its two decks."""
    main, mana = DECKS[name]
    for order, chance in tops(main, SEEN):
        for below, then in tops(mana, SEEN_MANA):
            yield (
                {
                    "hand": list(order[:HAND]),
                    "deck": [*order[HAND:], *rest_of(main, order)],
                    "lp": list(below[:LP])[::-1],  # each upon the one before
                    "mana_deck": [*below[LP:], *rest_of(mana, below)],
                    "deck_list": name,
                },
                chance * then,
            )


def test_a_duel_with_darts(stat_seed, tmp_path):
    """All orders of the first cards of four decks; later ones are not seen in two rounds."""
    title, rules = titles.load("majestic"), duel(tmp_path)
    lineup = [f"aggressive:{name}" for name in DECKS]
    chances: dict[Hashable, float] = defaultdict(float)
    columns = ("lp_left", "lp_by_spells", "lp_by_special")
    for (one, chance), (other, then) in product(zones("one"), zones("other")):
        position = {"seats": [one, other], "phase": "regenerate"}
        game = majestic.from_position(position, rules=rules, lineup=lineup)
        game.play()
        for seat in (1, 2):
            assert len(game.deck(seat)) >= MAIN - SEEN
            assert len(game.mana_deck(seat)) >= MANA - SEEN_MANA
        told = (game.counter(seat, column) for column in columns for seat in (1, 2))
        chances[(game.end_reason, *game.win60, *told)] += float(chance * then)
    games = play(title, lineup, 200_000, seed=stat_seed, rules=rules)
    found = np.concatenate([games.seats(column) for column in ("win60", *columns)], axis=1)
    ends = games.ends().tolist()
    compare([(end, *row) for end, row in zip(ends, found.tolist(), strict=True)], chances)


# Magnolia: ten cards of three kinds, two seats, two rounds

CARDS = """
[cards]
source = "assumed"
ref = "MG-K1"

[cards.knight]
label = { en = "Knight", ja = "騎士" }
race = "human"
job = "warrior"
cost = 2
power = 3
war = ["vp 1 if gained >= 2"]
more = 3

[cards.sage]
label = { en = "Sage", ja = "賢者" }
race = "elf"
job = "mage"
cost = 3
power = 0
vp = ["vp 2"]
more = 2

[cards.trader]
label = { en = "Trader", ja = "商人" }
race = "human"
job = "merchant"
cost = 1
power = 1
income = ["gold 2"]
more = 2
"""


def ten_cards(folder):
    """Return rules with three kinds of cards."""
    for name in ("rules", "objectives"):
        shutil.copy(magnolia.DATA / f"{name}.toml", folder)
    (folder / "cards.toml").write_text(CARDS, encoding="utf-8")
    overrides = ("draw.hand=2", "draw.exchange_from=9", "limits.round_cap=2")
    rules, check = magnolia_schema.Rules, magnolia_checks.problems
    return load_ruleset("magnolia", folder, rules, overrides=overrides, check=check)


def points(rules, lineup: Sequence[str]) -> dict[Hashable, Fraction]:
    """Return the chances of all points: by hands, the next four cards, and who is first to draw."""
    chances: dict[Hashable, Fraction] = defaultdict(Fraction)
    for first, left, chance in hands({"knight": 4, "sage": 3, "trader": 3}, 2):
        for second, rest, then in hands(left, 2):
            for order, last in tops(rest, 4):
                for fill in ([1, 2], [2, 1]):
                    seats = [{"hand": list(first)}, {"hand": list(second)}]
                    # No card is drawn in the first round, as hands are full.
                    drawn = {"deck": list(order), "orders": [[1, 2], fill]}
                    position = {"seats": seats, **drawn}
                    game = magnolia.from_position(position, rules=rules, lineup=lineup)
                    game.play()
                    outcome = (game.end_reason, game.vp(1), game.vp(2))
                    chances[outcome] += chance * then * last / 2
    return chances


def test_two_rounds_with_ten_cards(stat_seed, tmp_path):
    """And seats that change places change their chances with them, exactly."""
    title, rules, lineup = titles.load("magnolia"), ten_cards(tmp_path), ["greedy", "war"]
    chances = points(rules, lineup)
    swapped = points(rules, lineup[::-1])
    assert {(end, two, one): chance for (end, one, two), chance in swapped.items()} == chances
    games = play(title, lineup, 200_000, seed=stat_seed, rules=rules)
    told = [
        (end, *row)
        for end, row in zip(games.ends().tolist(), games.seats("score").tolist(), strict=True)
    ]
    compare(told, chances)
