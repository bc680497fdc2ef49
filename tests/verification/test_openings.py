"""Games against closed forms: what first hands, and what chance lays out, must hold.

The kernels' own games are counted and held to exact probabilities, within the error budget of the
suite. A wrong shuffle, a biased bounded draw or a stream shared by two seats shows here.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from sim import titles
from tests.budget import assert_none_rare, assert_rate, chi_square
from tests.verification.kernels import Played, play

pytestmark = pytest.mark.verify

GAMES = 200_000


def hypergeometric(total: int, copies: int, drawn: int) -> list[float]:
    """Return the chances of each possible number of copies among some drawn cards."""
    whole = comb(total, drawn)
    most = min(copies, drawn)
    return [comb(copies, n) * comb(total - copies, drawn - n) / whole for n in range(most + 1)]


def counted(values: np.ndarray, chances: list[float]) -> float:
    """Return the p-value of numbers of copies; those that are too rare to count are one."""
    counts = np.bincount(values, minlength=len(chances))
    assert len(counts) == len(chances)
    often = [n for n, chance in enumerate(chances) if chance * len(values) >= 100]
    rest = [n for n in range(len(chances)) if n not in often]
    assert not counts[[n for n in rest if not chances[n]]].any(), "what cannot be was not seen"
    found, shares = [int(counts[n]) for n in often], [chances[n] for n in often]
    found[0] += int(counts[rest].sum())
    shares[0] += sum(chances[n] for n in rest)
    return chi_square(found, shares)[2]


def rated(hits: int, trials: int, chance: float) -> float:
    """Return the p-value of a number of hits."""
    low, high = binom.cdf(hits, trials, chance), binom.sf(hits - 1, trials, chance)
    return min(1.0, 2 * float(min(low, high)))


# Gran Magia


@cache
def granmagia(seed: int) -> Played:
    title = titles.load("granmagia")
    return play(title, ["random"] * 3, GAMES, seed=seed, overrides=("limits.round_cap=2",))


def test_opening_hands_of_gran_magia(stat_seed):
    """Five of ten: two notes, one apprentice, seven fragments."""
    games = granmagia(stat_seed)
    hands, chances = games.cards("opening"), {}
    for kind, copies in (("note", 2), ("apprentice", 1), ("fragment", 7)):
        for seat in range(3):
            values = hands[:, seat, games.kinds.index(kind)]
            chances[f"{kind} of seat {seat + 1}"] = counted(values, hypergeometric(10, copies, 5))
    assert_none_rare(chances)


def test_hands_of_gran_magia_are_independent(stat_seed):
    """Of seats, and of neighbouring deals."""
    games = granmagia(stat_seed)
    apprentice = games.cards("opening")[:, :, games.kinds.index("apprentice")]
    seats = apprentice @ [1, 2, 4]
    deals = seats[:-1:2] + 8 * seats[1::2]
    assert_none_rare(
        {
            "seats": chi_square(np.bincount(seats, minlength=8).tolist())[2],
            "deals": chi_square(np.bincount(deals, minlength=64).tolist())[2],
        }
    )


def test_every_rare_of_gran_magia_is_in_the_game_equally_often(stat_seed):
    """Three of the rares are in the magic deck, whichever of the field shows of them."""
    games = granmagia(stat_seed)
    cards = games.rules.values["cards"]
    rares = [n for n, name in enumerate(games.kinds) if cards[name]["sort"] == "rare"]
    shown = games.cards("offered")[:, 0, rares].sum(axis=0)
    share = shown.sum() / (GAMES * len(rares))
    assert_none_rare(
        {games.kinds[n]: rated(int(k), GAMES, share) for n, k in zip(rares, shown, strict=True)}
    )


# Magnolia: one deck of 102 different cards, of which every seat is dealt five


@cache
def magnolia(players: int, seed: int) -> Played:
    title = titles.load("magnolia")
    number, cap = GAMES // players, ("limits.round_cap=1",)
    return play(title, ["random"] * players, number, seed=seed, overrides=cap)


@pytest.mark.parametrize("players", [2, 5])
def test_every_card_of_magnolia_is_dealt_to_every_seat_equally_often(players, stat_seed):
    games = magnolia(players, stat_seed)
    hands = games.cards("opening")
    assert (hands.sum(axis=2) == 5).all()
    assert hands.sum(axis=1).max() == 1, "no card is dealt twice"
    assert_none_rare(
        {
            f"{kind} to seat {seat + 1}": rated(int(hands[:, seat, n].sum()), len(hands), 5 / 102)
            for n, kind in enumerate(games.kinds)
            for seat in range(players)
        }
    )


@pytest.mark.parametrize("players", [2, 5])
def test_races_and_jobs_in_hands_of_magnolia(players, stat_seed):
    """Of 102 cards 17 are of a race; what one seat has of it the others have not."""
    games = magnolia(players, stat_seed)
    hands, cards = games.cards("opening"), games.rules.values["cards"]
    chances = {}
    for what in ("race", "job"):
        for name in sorted({card[what] for card in cards.values()}):
            own = [n for n, kind in enumerate(games.kinds) if cards[kind][what] == name]
            held = hands[:, :, own].sum(axis=2)
            every = hypergeometric(102, len(own), 5)
            for seat in range(players):
                chances[f"{name} of seat {seat + 1}"] = counted(held[:, seat], every)
            both = hypergeometric(102, len(own), 10)
            for one, other in combinations(range(players), 2):
                pair = f"{name} of seats {one + 1} and {other + 1}"
                chances[pair] = counted(held[:, one] + held[:, other], both)
    assert_none_rare(chances)


# Majestic Magic


def majestic(policies: list[str], seed: int, *overrides: str) -> Played:
    decks = ("ember_rush", "stone_wall")
    lineup = [f"{policy}:{deck}" for policy, deck in zip(policies, decks, strict=True)]
    caps = ("limits.round_cap=1", *overrides)
    return play(titles.load("majestic"), lineup, GAMES // 2, seed=seed, overrides=caps)


def hands_of_decks(games: Played) -> dict[str, float]:
    """Return p-values of the opening hands: five of forty, of each kind its copies."""
    hands, chances = games.cards("opening"), {}
    for seat, deck in enumerate(("ember_rush", "stone_wall")):
        main = games.rules.values["decks"][deck]["main"]
        kinds = {kind: hands[:, seat, games.kinds.index(kind)] for kind in main}
        assert (sum(kinds.values()) == 5).all()
        for kind, copies in main.items():
            name = f"{kind} of {deck}"
            chances[name] = counted(kinds[kind], hypergeometric(40, copies, 5))
    return chances


def test_opening_hands_of_majestic_magic(stat_seed):
    assert_none_rare(hands_of_decks(majestic(["random"] * 2, stat_seed, "start.redraws=0")))


def test_a_hand_that_is_redrawn_whatever_it_is_is_as_likely(stat_seed):
    """Who redraws by chance does so in half of the games, and the hand is again any five."""
    games = majestic(["random"] * 2, stat_seed)
    redraws, chances = games.seats("redraws"), hands_of_decks(games)
    together = redraws @ [1, 2]
    chances["redraws"] = chi_square(np.bincount(together, minlength=4).tolist())[2]
    for times in (0, 1):
        held = games.cards("opening")[redraws[:, 0] == times, 0, games.kinds.index("spark_imp")]
        chances[f"spark_imp, {times} redraws"] = counted(held, hypergeometric(40, 4, 5))
    assert_none_rare(chances)


def test_redraws_of_hands_that_a_policy_does_not_like(stat_seed, tmp_path):
    """Redrawn without a spell; in a share q of the games there is none, and then q again."""
    path = tmp_path / "spells.toml"
    path.write_text(
        'label = { en = "Spells", ja = "スペル" }\nabout = "Wants one."\nslip = 0\n'
        '[redraw]\nrules = ["redraw if in_hand.any_spell == 0", "stop"]\n',
        encoding="utf-8",
    )
    games = majestic([str(path), "random"], stat_seed)
    main = games.rules.values["decks"]["ember_rush"]["main"]
    spells = [kind for kind in main if games.rules.values["cards"][kind]["sort"] == "spell"]
    own = [games.kinds.index(kind) for kind in spells]
    q = hypergeometric(40, sum(main[kind] for kind in spells), 5)
    held = games.cards("opening")[:, 0, own].sum(axis=1)
    redrawn = int(games.seats("redraws")[:, 0].sum())
    assert_none_rare(
        {
            "redraws": rated(redrawn, len(held), q[0]),
            "hands": counted(held, [q[0] ** 2, *(p * (1 + q[0]) for p in q[1:])]),
        }
    )


def test_the_lp_zone_is_any_six_of_the_mana_deck(stat_seed):
    """By the readable engine, which can be looked into: four of twenty cards are special."""
    from sim.titles.majestic import new_game

    rules = titles.load("majestic").load()
    number, found = 4_000, []
    for deal in range(number):
        game = new_game(["ember_rush", "stone_wall"], rules=rules, seed=stat_seed, deal=deal)
        found.append(
            [sum(card != "fire_mana" for card in game.lp(1)), "stone_spring" in game.lp(2)]
        )
    special = np.array([row[0] for row in found])
    assert_none_rare({"special mana": counted(special, hypergeometric(20, 4, 6))})
    spring = 1 - hypergeometric(20, 2, 6)[0]
    assert_rate(sum(row[1] for row in found), number, spring, within=0.05)


# Unreliable Wizard


@cache
def wizard(seed: int) -> Played:
    return play(titles.load("wizard"), ["random"], GAMES, seed=seed)


def test_what_the_wizard_starts_with(stat_seed):
    """Two of ten cards: each of the 45 pairs is as likely."""
    games = wizard(stat_seed)
    names = [one.name for one in games.title.info.level("seat") if one.name.startswith("start_")]
    assert len(names) == 10
    has = np.stack([games.seats(name)[:, 0] for name in names], axis=1)
    assert (has.sum(axis=1) == 2).all()
    pairs = has @ (1 << np.arange(10))
    _, counts = np.unique(pairs, return_counts=True)
    assert len(counts) == 45
    assert_none_rare({"pairs": chi_square(counts.tolist())[2]})


def test_which_enemies_are_dealt_and_where_cards_lie(stat_seed):
    """Of four yellow and six red enemies one each stays out; of ten cards eight lie somewhere."""
    games = wizard(stat_seed)
    dealt, chances = games.cards("dealt")[:, 0], {}
    enemies = games.rules.values["enemies"]
    for n, kind in enumerate(games.kinds):
        if kind in enemies and enemies[kind]["colour"] != "king":
            share = 3 / 4 if enemies[kind]["colour"] == "yellow" else 5 / 6
            chances[kind] = rated(int((dealt[:, n] > 0).sum()), GAMES, share)
    assert len(chances) == 10
    assert_none_rare(chances)
