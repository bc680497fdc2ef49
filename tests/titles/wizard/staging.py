"""Short ways to state a position of Unreliable Wizard and to see everything that a player may see.

The manual of positions, decisions, steps and of what can be read is ``sim.titles.wizard.position``.
What these add:

``stage(hex, *companions, hand=(), …)``
    The wizard stands on a hex of the long map with these companions (ways up) and, besides the
    three basic parts, these cards in hand. Further keywords are those of a position and of
    ``from_position``. ``stage("c0")`` is an untouched start without starting cards.
``fight(enemy, *companions, …)``
    A battle with this enemy under way, its start (UW-C1) over. It is fought where nothing is added
    to blocks (``PLAIN``, unless ``at`` names another encounter hex); with the demon king at the
    castle. ``enemy_lp`` are the enemy's LP, ``turn`` the battle turns played before, ``ability``
    the card that lies at the place.
``turn(enemy, drawn, *companions, …)``
    The game after one battle turn in which exactly these parts were drawn.
``seen(game)``
    The value of every observable, for every argument: ``{("lp", None): 30, …}``.

Encounter hexes of the long map: ``PLAIN`` (place ``right_4``) adds nothing to blocks, ``FOREST``
(``left_4``) adds 1 to blue. ``BESIDE_PLAIN`` is next to the first: ``go_up_right`` leads there.
"""

from __future__ import annotations

from sim.titles.wizard import TITLE, from_position

__all__ = ["BASIC", "BESIDE_PLAIN", "FOREST", "PLAIN", "fight", "seen", "stage", "turn"]

PLAIN, FOREST, BESIDE_PLAIN = "e2", "a2", "d1"

BASIC = ("red_basic", "green_basic", "blue_basic")

#: Places of encounter hexes of the long map.
_PLACES = {
    name: one["place"]
    for name, one in TITLE.load().values["maps"]["long"]["hexes"].items()
    if one["place"]
}

_OF_GAMES = ("rules", "overrides", "choices", "lineup", "bans", "seed", "deal")


def stage(hex_, *companions, hand=(), **more):
    """Return a game in which the wizard stands on a hex."""
    of_game = {name: more.pop(name) for name in _OF_GAMES if name in more}
    position = {"hex": hex_, "companions": companions, "hand": [*BASIC, *hand], **more}
    return from_position(position, **of_game)


def fight(enemy, *companions, at=PLAIN, enemy_lp=None, turn=0, ability=None, **more):
    """Return a game in the midst of a battle."""
    battle = {"turn": turn} | ({} if enemy_lp is None else {"lp": enemy_lp})
    if TITLE.load().values["enemies"][enemy]["colour"] == "king":
        return stage("c18", *companions, battle=battle, **more)
    places = more.pop("places", {}) | {_PLACES[at]: {"enemy": enemy, "ability": ability}}
    return stage(at, *companions, battle=battle, places=places, **more)


def turn(enemy, drawn, *companions, **more):
    """Return the game after a battle turn in which these parts were drawn."""
    choices = [f"draw_{len(drawn)}", *more.pop("choices", ())]
    game = fight(enemy, *companions, decks=[list(drawn)], choices=choices, **more)
    game.battle_turn()
    assert not game.choices, "every choice was asked for"
    return game


def seen(game):
    """Return the value of every observable, for every argument."""
    words = TITLE.vocabulary(TITLE.load())
    values = {}
    for observable in words.observables:
        arguments = words.arguments.get(observable.argument)
        for argument in (None,) if arguments is None else arguments:
            values[observable.id, argument] = game.observe(observable.id, argument)
    return values
