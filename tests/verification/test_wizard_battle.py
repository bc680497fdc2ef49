"""One battle of Unreliable Wizard solved exactly, from its rules and data, against games.

A battle is a chain of turns. What a turn does follows from LP on both sides, the companions at
one's side and the parts drawn, and every set of so many parts is drawn equally often. So the chance
of each end can be followed turn by turn through all states that a battle can reach, whatever policy
decides, up to the cap on turns. The solver below knows ``RULES.md`` (the ids beside its lines), the
data, and how the policy weighs a turn (``draws.py``); it shares no code with the engine.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest

from sim.core.policy import load_policies
from sim.titles.wizard import TITLE
from tests.budget import assert_counts, assert_rate
from tests.titles.wizard.staging import BASIC, FOREST, PLAIN, fight

RULES = TITLE.load()
VALUES = RULES.values
COLOURS = ("red", "green", "blue")
pytestmark = pytest.mark.verify

MAP = VALUES["maps"]["long"]["hexes"]


class State(NamedTuple):
    """Where a battle stands between two turns."""

    lp: int
    enemy_lp: int
    companions: tuple[str, ...]


class Result(NamedTuple):
    """What a turn brings: the end of the battle or None, where it stands, and what it counts."""

    end: str | None
    state: State
    damage: int = 0
    paid: int = 0
    healed: int = 0
    struck: int = 0
    losses: int = 0


class Battle(NamedTuple):
    """What stays the same through a battle."""

    enemy: str
    companions: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    lp: int = 30
    enemy_lp: int | None = None
    at: str = PLAIN

    @property
    def card(self):
        return VALUES["enemies"][self.enemy]

    @property
    def parts(self):
        return [*BASIC, *(card for card in self.cards if card != "grimoire_2")]

    @property
    def start(self):
        return State(self.lp, self.enemy_lp or self.card["lp"], self.companions)

    def numbers(self):
        """Return the numbers of cards that can be declared (UW-C2)."""
        casting = VALUES["casting"]
        most = min(casting["most_drawn"], len(self.parts) - casting["left"])
        return range(1, max(1, most) + 1)

    def game(self, state=None, **more):
        """Return a game in which the battle stands so; default: at its start."""
        lp, enemy_lp, companions = state or self.start
        place = {"lp": lp, "enemy_lp": enemy_lp, "at": self.at, "hand": self.cards}
        return fight(self.enemy, *companions, **place, rules=RULES, **more)


def way(name):
    card, up = name.split("_")
    return VALUES["cards"][card]["ways"][up]


@cache
def casts(drawn, book):
    """Return what drawn parts can be made into (UW-C3, UW-C9): {(*power, heal): spells}."""
    able = {
        name: spell
        for name, spell in VALUES["spells"].items()
        if set(spell["parts"]) <= set(drawn) and (book or spell["grimoire"] == 1)
    }
    fitting = []
    for number in range(len(able) + 1):
        for some in itertools.combinations(able, number):
            parts = [part for name in some for part in able[name]["parts"]]
            if len(parts) == len(set(parts)):
                fitting.append(frozenset(some))
    whole = {
        (
            *(sum(able[name]["power"][colour] for name in some) for colour in COLOURS),
            sum(able[name]["heal"] for name in some),
        ): some
        for some in fitting
        if not any(some < other for other in fitting)
    }
    return {
        one: spells
        for one, spells in whole.items()
        if not any(
            other != one and all(o >= n for o, n in zip(other, one, strict=True)) for other in whole
        )
    }


def play_turn(battle, state, number, cast, losing):
    """Return what a turn does in which so many parts were drawn and this was cast."""
    lp, enemy_lp, companions = state
    card, losses = battle.card, 0

    def lose():
        nonlocal lp, companions, losses
        losses += 1
        if companions:
            lost = losing(companions)
            companions = tuple(name for name in companions if name != lost)
            lp = VALUES["lp"]["after_loss"]

    paid = min(lp, number * VALUES["casting"]["cost"])  # UW-L2: stops at 0
    lp -= paid
    healed = max(0, min(cast[3], VALUES["lp"]["most"] - lp))  # UW-S1, UW-C9
    lp += healed
    if not lp:
        lose()
        if not lp:
            return Result("lost_by_casting", State(0, enemy_lp, ()), 0, paid, healed, 0, losses)
    land = VALUES["terrains"][MAP["c18" if card["colour"] == "king" else battle.at]["terrain"]]
    damage = sum(way(name)["turn_damage"] for name in companions)  # UW-C5
    for colour, power in zip(COLOURS, cast[:3], strict=True):  # UW-C4
        power += sum(way(name)["power"][colour] for name in companions)
        damage += max(0, power - card["block"][colour] - land["block"][colour])
    damage = min(damage, enemy_lp)
    enemy_lp -= damage
    if not enemy_lp:
        if card["colour"] != "king":  # UW-C7
            more = card["recover"] + sum(way(name)["recover"] for name in companions)
            lp = max(lp, min(lp + more, VALUES["lp"]["most"]))
        return Result("won", State(lp, 0, companions), damage, paid, healed, 0, losses)
    guard = sum(way(name)["guard"] for name in companions)  # UW-C6
    struck = min(lp, max(0, card["ap"][enemy_lp - 1] - guard))
    lp -= struck
    if not lp:  # UW-L1
        lose()
    enemy_lp = min(card["lp"], enemy_lp + card["mend"])  # UW-C6
    end = None if lp else "lost_in_battle"
    state = State(lp, enemy_lp, companions)
    return Result(end, state, damage, paid, healed, struck, losses)


def weights(policy, point):
    words = TITLE.vocabulary(RULES)
    row = load_policies([policy], words, TITLE.data / "policies").weights[
        0, words.decision_names.index(point)
    ]
    return dict(zip(words.options, row.tolist(), strict=False))


class OptimalDraws:
    """Declares the number, and casts the set, that is worth most in the turn.

    As the head of ``draws.py`` says, it reckons with the companions of the moment, also where one
    of them would be lost before the damage.
    """

    def __init__(self, battle, policy):
        self.battle = battle
        self.of_lose, self.worths = weights(policy, "lose"), weights(policy, "draw")
        self.expected = cache(self._expected)

    def losing(self, companions):
        return max(companions, key=lambda name: self.of_lose[name.split("_")[0]])

    def worth(self, state, number, cast):
        """Return what a cast is worth as the policy reckons: with a loss, but of nobody."""
        result = play_turn(self.battle, state, number, cast, losing=lambda companions: None)
        return (
            self.worths["worth_damage"] * result.damage
            + self.worths["worth_kill"] * (result.end == "won")
            + self.worths["worth_paid"] * result.paid
            + self.worths["worth_strike"] * result.struck
            + self.worths["worth_heal"] * result.healed
            + self.worths["worth_loss"] * result.losses
        )

    def able(self, drawn):
        return casts(drawn, "grimoire_2" in self.battle.cards)

    def draws(self, number):
        return itertools.combinations(self.battle.parts, number)

    def result(self, state, drawn):
        """Return what the turn brings with the cast that is worth most."""
        worths = {cast: self.worth(state, len(drawn), cast) for cast in self.able(drawn)}
        best = [cast for cast, worth in worths.items() if worth == max(worths.values())]
        results = {play_turn(self.battle, state, len(drawn), cast, self.losing) for cast in best}
        (result,) = results  # which of equals is cast must not matter in these battles
        return result

    def _expected(self, state, number):
        """Return what a number of cards is worth."""
        worths = [
            max(self.worth(state, number, cast) for cast in self.able(drawn))
            for drawn in self.draws(number)
        ]
        return Fraction(sum(worths), len(worths))

    def number(self, state):
        """Return the number that is declared: of those that are worth the same the smallest."""
        return max(self.battle.numbers(), key=lambda number: self.expected(state, number))

    def turns(self, state):
        """Return what the turn may bring, each with the same chance."""
        return [self.result(state, drawn) for drawn in self.draws(self.number(state))]


class Fixed:
    """Always declares one number, heals when it can, and loses who joined first."""

    def __init__(self, battle, number):
        self.battle, self.number = battle, number

    def losing(self, companions):
        return companions[0]

    def turns(self, state):
        book = "grimoire_2" in self.battle.cards
        found = []
        for drawn in itertools.combinations(self.battle.parts, self.number):
            able = sorted(casts(drawn, book), key=lambda cast: cast[3])
            assert len(able) == 1 or [cast[3] > 0 for cast in able] == [False, True]
            found.append(play_turn(self.battle, state, self.number, able[-1], self.losing))
        return found


class Player:
    """The same as a policy of the engine."""

    def __init__(self, number):
        self.number = number

    def draw(self, view, options):
        return f"draw_{self.number}"

    def spell(self, view, options):
        return next((name for name in options if view.heals(name)), options[0])

    def lose(self, view, options):
        # Options are in the order of their ids; the battles below name companions in it.
        return options[0]


def solve(battle, policy):
    """Return the chance of each end of a battle, {(end, LP left): chance}, and all states met."""
    turns = cache(policy.turns)
    now, ends, met = {battle.start: 1.0}, defaultdict(float), set()
    for _ in range(VALUES["limits"]["battle_cap"]):
        met |= set(now)
        later = defaultdict(float)
        for state, chance in now.items():
            results = turns(state)
            for result in results:
                share = chance / len(results)
                if result.end:
                    ends[result.end, result.state.lp] += share
                else:
                    later[result.state] += share
        now = later
    for state, chance in now.items():
        ends["battle_cap", state.lp] += chance
    return dict(ends), sorted(met)


def won(ends):
    return sum(chance for (end, _), chance in ends.items() if end == "won")


# The solver


def test_the_solver_finds_what_can_be_reckoned_by_hand():
    # Zaza at 1 LP: of three parts the red one beats it. Each turn takes 1 + 3 LP: of 30, so that
    # seven turns can go wrong and the eighth decides.
    battle = Battle("zaza", enemy_lp=1)
    assert won(solve(battle, Fixed(battle, 1))[0]) == pytest.approx(1 - (2 / 3) ** 8, rel=1e-12)
    # With 1 LP the first card is too dear.
    dear = Battle("zaza", enemy_lp=1, lp=1)
    assert solve(dear, Fixed(dear, 1))[0] == {("lost_by_casting", 0): 1.0}


@pytest.mark.parametrize("number", [1, 2])
def test_chances_add_up(number):
    battle = Battle("dero", ("knight_shield",), lp=20)
    ends, _ = solve(battle, Fixed(battle, number))
    assert sum(ends.values()) == pytest.approx(1, rel=1e-12)
    assert min(ends.values()) > 0


BATTLES = {
    "zaza_bare": Battle("zaza", lp=30, enemy_lp=4, at=FOREST),
    "zaza": Battle("zaza", ("porcupine_swim",), ("blue_extension",), lp=11),
    "ra": Battle("ra", (), ("red_extension",), lp=9),
    "karu": Battle("karu", ("knight_charge", "porcupine_swim"), ("blue_extension",), lp=7),
    "dero_mends": Battle("dero", ("knight_shield",), ("red_extension",), lp=13),
    "goga_book": Battle(
        "goga", ("monk_care",), ("red_extension", "green_extension", "grimoire_2"), lp=7
    ),
    "yabi_desert": Battle(
        "yabi", ("hero_banner",), ("green_extension", "red_extension"), lp=16, at="a10"
    ),
    "nunu_bare": Battle("nunu", (), ("blue_extension",), lp=12),
    "king": Battle(
        "tera",
        ("hero_sword", "monk_sermon", "princess_prayer"),
        ("red_extension", "blue_extension", "light_blue_extension", "grimoire_2"),
        lp=24,
    ),
    "king_bare": Battle(
        "tera", (), ("red_extension", "green_extension", "grimoire_2"), lp=20, enemy_lp=8
    ),
}


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Return ``optimal_draws`` with weights that seldom add up to the same.

    Its own are all tens, and with the Grimoire 2 two casts may be worth the same; then the order in
    which the engine lists them would decide, which is no matter of the rules.
    """
    text = (TITLE.data / "policies" / "optimal_draws.toml").read_text(encoding="utf-8")
    for name, own, weight in (
        ("damage", 30, 31),
        ("kill", 30, 37),
        ("paid", -10, -11),
        ("strike", -10, -13),
        ("heal", 10, 17),
        ("loss", -80, -83),
    ):
        assert f"worth_{name} = {own}" in text
        text = text.replace(f"worth_{name} = {own}", f"worth_{name} = {weight}")
    path = tmp_path_factory.mktemp("policies") / "odd.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def policy_of(name, odd):
    """Return battle, solver's policy and engine's policy."""
    battle, policy = BATTLES[name], odd if name.startswith("king") else "optimal_draws"
    return battle, OptimalDraws(battle, policy), [policy]


@pytest.mark.parametrize("name", BATTLES)
def test_each_turn_of_the_engine_is_the_solvers(name, odd):
    """Every draw that may come up in some of the states that a battle reaches."""
    battle, policy, lineup = policy_of(name, odd)
    met = solve(battle, policy)[1]
    for state in [*met[:3], *met[3 :: max(1, len(met) // 5)]]:
        for number in battle.numbers():
            for drawn in policy.draws(number):
                result = policy.result(state, drawn)
                game = battle.game(
                    state,
                    decks=[list(drawn)],
                    choices=[f"draw_{number}"],
                    lineup=lineup,
                )
                game.battle_turn()
                assert (end_of(game), game.lp) == (result.end, result.state.lp), (state, drawn)
                assert tuple(game.companions) == result.state.companions, (state, drawn)
                assert game.over or game.enemy_lp == result.state.enemy_lp, (state, drawn)


@pytest.mark.parametrize("name", BATTLES)
def test_the_number_that_is_declared_is_the_solvers(name, odd):
    battle, policy, lineup = policy_of(name, odd)
    for state in solve(battle, policy)[1][:100]:
        game = battle.game(state, lineup=lineup)
        game.battle_turn()
        (choice,) = [
            event["choice"]
            for event in game.events
            if event["event"] == "choose" and event["what"] == "draw"
        ]
        assert choice == f"draw_{policy.number(state)}", state


def end_of(game):
    """Return how a battle ended, None while it goes on."""
    if game.phase == "battle":
        return None
    return "won" if game.phase == "journey" or game.end_reason == "cleared" else game.end_reason


GAMES = 3000


def compare(battle, policy, lineup, seed):
    """Assert that games end as the solver says: how often they are won, and with how many LP."""
    ends, _ = solve(battle, policy)
    assert 0.1 < won(ends) < 0.99, "a battle that can go both ways"
    found = Counter()
    for deal in range(GAMES):
        game = battle.game(lineup=lineup, seed=seed, deal=deal)
        game.fight()
        found[end_of(game), game.lp] += 1
    assert set(found) <= set(ends), "no end that cannot be"
    wins = sum(number for (end, _), number in found.items() if end == "won")
    assert_rate(wins, GAMES, won(ends), within=0.06)
    # Ends that are too rare for the test of counts are taken together.
    often = [end for end, chance in ends.items() if chance * GAMES >= 100]
    counts = [found[end] for end in often]
    chances = [ends[end] for end in often]
    rest = 1 - sum(chances)
    if rest * GAMES >= 100:
        counts, chances = [*counts, GAMES - sum(counts)], [*chances, rest]
    else:
        counts[0], chances[0] = counts[0] + GAMES - sum(counts), chances[0] + rest
    assert len(counts) >= 2
    assert_counts(counts, chances)


@pytest.mark.parametrize("name", BATTLES)
def test_games_of_optimal_draws_end_as_solved(name, odd, stat_seed):
    battle, policy, lineup = policy_of(name, odd)
    compare(battle, policy, lineup, stat_seed)


#: Numbers with which these battles can go both ways.
FIXED = [
    ("zaza_bare", 1),
    ("zaza_bare", 2),
    ("zaza", 3),
    ("ra", 2),
    ("karu", 2),
    ("dero_mends", 2),
    ("yabi_desert", 3),
    ("nunu_bare", 1),
    ("king", 4),
]


@pytest.mark.parametrize(("name", "number"), FIXED)
def test_games_of_a_fixed_number_end_as_solved(name, number, stat_seed):
    battle = BATTLES[name]
    compare(battle, Fixed(battle, number), [Player(number)], stat_seed)
