"""The cards that tests play with, and short ways to state a position of Majestic Magic.

Tests of rules do not depend on the title's card list: they play by its numbers (``rules.toml``)
with the cards of the folder ``pool`` beside this file, five of each attribute. ``made()`` loads
these, and everything here uses them unless other rules are given.

How a position is written, which decisions are asked in which order, and what can be read is in
``sim/titles/majestic/position.py``. A test of a rule goes like this::

    game = stage({"front": ["ember_lancer"]}, {"back": ["clay_guard"]}, phase="battle")
    game.choices[1].extend(["own_1", "stop"])
    game.choices[2].append("own_1")
    game.battle_phase()
    assert game.trash(1) == ["ember_lancer"]

or, for a battle alone, ``fought({"front": [...]}, {...}, attacker=1, blocker=1)``.

Rules about what cards can do are best tested with cards made for them::

    rules = rules_with(tmp_path, card("bolt", "spell", effects=["hit enemy 1"], cost=0))
    game = stage({"hand": ["bolt"]}, {}, rules=rules)
"""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from pathlib import Path

from sim.core.ruleset import load_ruleset
from sim.titles.majestic import DATA, INFO, TITLE, from_position
from sim.titles.majestic.checks import problems
from sim.titles.majestic.schema import Rules

__all__ = ["card", "chosen", "fought", "made", "mana", "mana_card", "rules_with", "seen_by"]
__all__ += ["stage"]

_POOL = Path(__file__).parent / "pool"


@functools.cache
def _folder():
    """Return a folder with the numbers of the title and the cards of the pool."""
    folder = tempfile.TemporaryDirectory(prefix="majestic-")
    for file in (DATA / "rules.toml", *sorted(_POOL.glob("*.toml"))):
        shutil.copy(file, folder.name)
    return folder  # kept as an object: it is removed when the tests have ended


def made(overlays=(), overrides=()):
    """Return the rules with the cards of the pool."""
    return load_ruleset(
        INFO.id,
        Path(_folder().name),
        Rules,
        overlays=list(overlays),
        overrides=list(overrides),
        check=problems,
    )


def stage(*seats, rules=None, overrides=(), choices=None, lineup=None, seed=1, **position):
    """Return a game that stands as the position says, one mapping for each seat."""
    return from_position(
        {"seats": list(seats), **position},
        rules=made(overrides=overrides) if rules is None else rules,
        choices=choices,
        lineup=lineup,
        seed=seed,
    )


def fought(one, other, *, attacker, blocker=None, first=(), second=(), **more):
    """Return the game after a battle phase with one attack of seat 1.

    ``attacker`` and ``blocker`` are places; ``first`` and ``second`` are choices of the seats 1 and
    2 in the exchanges and for targets, in the order in which each is asked, the block left out:
    pairs ``(seat, option)``. ``first`` comes before the block, ``second`` after it. Who can do
    nothing but pass is not asked, nor is a target chosen where only one is legal; but who can act
    in both exchanges and shall act in the second only needs ``(seat, "stop")`` in ``first``.
    Whoever is asked and has nothing left to say passes.
    """
    game = stage(one, other, phase="battle", **more)
    game.choices[1].append(f"own_{attacker}")
    for seat, option in first:
        game.choices[seat].append(option)
    if blocker is not None:
        game.choices[2].append(f"own_{blocker}")
    for seat, option in second:
        game.choices[seat].append(option)
    game.battle_phase()
    assert not game.choices[1], "every choice of seat 1 was asked for"
    assert not game.choices[2], "every choice of seat 2 was asked for"
    return game


def chosen(game, what):
    """Return the decisions of one point: (seat, options, choice) in their order."""
    return [
        (event["owner"], event["options"], event["choice"])
        for event in game.events
        if event["event"] == "choose" and event["what"] == what
    ]


def mana(number, attribute="fire"):
    """Return so many ready basic mana cards."""
    return [f"{attribute}_mana"] * number


def card(name, sort, *, attribute="fire", ability=None, **fields):
    """Return the overlay text of a card. ``ability`` is a mapping; units have 1 AP, 2 DP if unsaid.

    >>> print(card("bolt", "spell", cost=2, target="enemy", effects=["damage target 2"]))
    [cards.bolt]
    label = { en = "bolt (test)", ja = "bolt（試験）" }
    attribute = "fire"
    sort = "spell"
    cost = 2
    target = "enemy"
    effects = ["damage target 2"]
    <BLANKLINE>
    """
    plain = {"ap": 1, "dp": 2} if sort == "unit" else {}
    fields = {"attribute": attribute, "sort": sort, "cost": 0, **plain, **fields}
    text = _table(f"cards.{name}", name, fields)
    if ability is not None:
        text += f"[cards.{name}.ability]\n" + _entries({"cost": 0, **ability})
    return text


def mana_card(name, *, attribute="fire", **fields):
    """Return the overlay text of a mana card; with ``effects`` it is special."""
    return _table(f"mana.{name}", name, {"attribute": attribute, **fields})


def rules_with(tmp_path, *texts, overrides=()):
    """Return the rules of the pool with cards of one's own (texts of overlays) laid over them."""
    overlay = tmp_path / "made.toml"
    overlay.write_text("\n".join(texts), encoding="utf-8")
    return made([overlay], overrides)


def _table(key, name, fields):
    label = f'label = {{ en = "{name} (test)", ja = "{name}（試験）" }}\n'
    return f"[{key}]\n{label}" + _entries(fields)


def _entries(fields):
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())


def seen_by(game, seat):
    """Return every observable, for every argument, as a seat sees it, by the cards of the pool."""
    words = TITLE.vocabulary(made())
    seen = {}
    for observable in words.observables:
        arguments = words.arguments.get(observable.argument)
        for argument in (None,) if arguments is None else arguments:
            seen[observable.id, argument] = game.observe(seat, observable.id, argument)
    return seen
