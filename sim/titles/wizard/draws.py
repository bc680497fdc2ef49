"""What a draw may bring: exact expectations over all sets of parts that may come up.

Of ``m`` parts in the deck each set of ``n`` is equally likely, so everything here is a sum over
these sets, in whole numbers; the number of sets divides it only at the end, or never: numbers of
draws are compared with each other by cross multiplication.

What a cast is worth to a data policy is the sum of its weights, at the decision point ``draw``, of
the *features*, each times its amount in this battle turn:

================  ==============================================================================
``worth_damage``  LP that the enemy loses, by magic and by skills of every turn, no more than it has
``worth_kill``    1 when that beats it
``worth_paid``    LP paid for the draw
``worth_strike``  LP lost to its strike, which depends on the LP it is left with
``worth_heal``    LP healed by the cast
``worth_loss``    1 for each time that LP fall to 0 and are not healed: a companion, or the game
================  ==============================================================================

Companions count as they are at the moment, even where one would be lost before the damage; with
LP at 0 and none left, nothing comes after. Of several sets of spells that is taken which is worth
most, the first of equals; so the choice of spells by ``best`` is the one that is reckoned with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from sim.titles.wizard.casting import has_book, magic_damage
from sim.titles.wizard.faces import Cast
from sim.titles.wizard.info import DRAW
from sim.titles.wizard.schema import FEATURES

if TYPE_CHECKING:
    from sim.titles.wizard.reference import Game

__all__ = ["aims", "best_cast", "best_draw", "expected_damage", "kill_chance"]

#: Chances and expected damage are told in hundredths.
HUNDRED = 100


def aims(game: Game) -> list[int] | None:
    """Return the weights of the features, in their order; None without a data policy."""
    entry = game.lineup[0]
    if game.policies is None or not isinstance(entry, int | np.integer):
        return None
    first = game.rule["first_feature"]
    weights: list[int] = game.policies.weights[entry, DRAW].tolist()
    return weights[first : first + len(FEATURES)]


def _sets(game: Game, number: int) -> Iterator[list[Cast]]:
    """Yield the casts that are possible with each set of so many parts."""
    book = has_book(game)
    for parts in combinations(game.deck_parts, number):
        yield game.tables.casts_with(sum(1 << part for part in parts), book=book)


def _harm(game: Game, cast: Cast) -> int:
    """Return the LP that the enemy loses by a cast and by skills of every turn."""
    assert game.battle is not None
    return min(sum(magic_damage(game, cast)) + game.turn_damage(), game.battle.lp)


def _worth(game: Game, cast: Cast, lp: int, weights: Sequence[int]) -> int:
    """Return what a cast is worth when the draw is paid and so many LP are left."""
    assert game.battle is not None
    damage, kill, _, strike, heal, loss = weights
    healed = min(cast.heal, max(game.rule["most_lp"] - lp, 0))
    worth, lp = heal * healed, lp + healed
    if not lp:
        worth, lp = worth + loss, game.rule["after_loss"]
        if not game.wizard.companions:
            return worth
    harm = _harm(game, cast)
    left = game.battle.lp - harm
    worth += damage * harm
    if not left:
        return worth + kill
    struck = min(game.strike_with(left), lp)
    return worth + strike * struck + loss * (struck == lp)


def best_cast(game: Game, weights: Sequence[int]) -> Cast:
    """Return which of the casts that are still possible is worth most, the first of equals."""
    lp = game.wizard.lp
    return max(game.casts, key=lambda cast: _worth(game, cast, lp, weights))


def best_draw(game: Game, weights: Sequence[int]) -> int:
    """Return the number of draws that is worth most, the lowest of equals."""
    best = worth_of_best = sets_of_best = 0
    for number in game.draw_numbers():
        paid = min(number * game.rule["draw_cost"], game.wizard.lp)
        lp, sets = game.wizard.lp - paid, comb(len(game.deck_parts), number)
        worth = weights[2] * paid * sets + sum(
            max(_worth(game, cast, lp, weights) for cast in casts) for casts in _sets(game, number)
        )
        if not best or worth * sets_of_best > worth_of_best * sets:
            best, worth_of_best, sets_of_best = number, worth, sets
    return best


def expected_damage(game: Game, number: int) -> int:
    """Return the damage expected of so many draws in hundredths, when the most is made of them."""
    total = sum(max(_harm(game, cast) for cast in casts) for casts in _sets(game, number))
    return HUNDRED * total // comb(len(game.deck_parts), number)


def kill_chance(game: Game, number: int) -> int:
    """Return the chance that so many draws beat the enemy, in hundredths."""
    assert game.battle is not None
    enough = sum(
        any(_harm(game, cast) == game.battle.lp for cast in casts) for casts in _sets(game, number)
    )
    return HUNDRED * enough // comb(len(game.deck_parts), number)
