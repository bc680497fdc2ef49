"""Short ways to state a position of Magnolia and to see everything that a seat may see."""

from __future__ import annotations

from sim.titles.magnolia import TITLE, from_position

__all__ = ["GOBLINS", "laid", "seen_by", "stage"]

#: Three goblins that cost 1 each: a guard, a smith and an apprentice, with no ability
#: on placement.
GOBLINS = ("goblin_guard", "goblin_smith", "goblin_apprentice")


def stage(*seats, overrides=(), lineup=None, seed=1, **position):
    """Return a game that stands as the position says, one mapping for each seat."""
    return from_position(
        {"seats": list(seats), **position},
        rules=TITLE.load(overrides=list(overrides)),
        lineup=lineup,
        seed=seed,
    )


def laid(seat, choices, *others, **more):
    """Return the game after a placement phase in which seat 1 chose so, and nobody else plays."""
    game = stage(seat, *(others or ({},)), phase="placement", **more)
    game.choices[1].extend(choices)
    game.placement_phase()
    assert not game.choices[1], "every choice was asked for"
    return game


def seen_by(game, seat):
    """Return the value of every observable, for every argument, as the seat sees it."""
    words = TITLE.vocabulary(TITLE.load())
    seen = {}
    for observable in words.observables:
        arguments = words.arguments.get(observable.argument)
        for argument in (None,) if arguments is None else arguments:
            seen[observable.id, argument] = game.observe(seat, observable.id, argument)
    return seen
