"""A game told: the trace that machines read. ``narrative`` makes sentences of it for people.

Every event is a mapping with ``n, round, turn, seat, phase, event`` and its own fields:

``setup``    ``title, ruleset, key, deal, players, lineup, bans, lp, hex, hand, companions, lost,
             dealt, places, used, lots, castle, texts, rules``: what is where before the first move,
             hidden things included, and the texts by which it is played. Cards are [kind, copy]; a
             companion is [kind, copy, way up]. ``dealt`` are the starting cards that are taken
             next, ``lots`` are the ways up that were drawn by lot, companion by companion,
             ``castle`` is the card of the demon king. A place is ``enemy, ability, beaten``
``move``     ``card, copy, from, to, owner``: one card changes its place. Zones: ``hand companions
             deck drawn lost aside dealt`` of the wizard, and ``place``, which is named in the field
             ``place``. A companion has its ``way`` up. A card put down goes to the end of its zone;
             the end of ``deck`` is its top. Enemies stay at their places
``change``   ``what, owner, by, now, why``: ``lp`` (hexes, wins, spells, losses, moves, draws,
             strikes) and ``enemy_lp`` (start, magic, skills, mend)
``choose``   ``what, owner, options, choice``: a decision with more than one option
``state``    ``what = "hex"``: ``hex``, where the wizard stands now. ``what = "used"``: ``hex``, a
             yellow hex that is used up. ``what = "battle"``: ``enemy, place, lp``, an enemy is
             turned up; the place is ``castle`` for the demon king. ``what = "battle_turn"``:
             ``number``. ``what = "cast"``: ``spells, power, heal``. ``what = "damage"``:
             ``damage``, by colour. ``what = "beaten"``: ``enemy, place``
``end``      ``reason, scores, ranks, win60``

``seat`` is 1, 0 during set-up. After a cast the parts return to the hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.core import story
from sim.titles.wizard.faces import NO_PLACE, Cast
from sim.titles.wizard.schema import COLOURS, PLACES

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.wizard.reference import Game
    from sim.titles.wizard.state import Battle, Place

__all__ = ["Story"]

_CASTLE = "castle"


class Story(story.Story):
    """Collects the events of one game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, game.tables.words.options)
        self._game = game

    def arrive(self, there: int) -> None:
        """Tell where the wizard stands now."""
        self.add("state", what="hex", hex=self._game.tables.hex_names[there])

    def use(self, there: int) -> None:
        """Tell that a yellow hex is used up."""
        self.add("state", what="used", hex=self._game.tables.hex_names[there])

    def begin_battle(self, battle: Battle) -> None:
        """Tell which enemy is turned up."""
        self.add("state", what="battle", **self._enemy(battle), lp=battle.lp)

    def battle_turn(self, battle: Battle) -> None:
        """Tell that a battle turn begins."""
        self.add("state", what="battle_turn", number=battle.turn)

    def cast(self, cast: Cast) -> None:
        """Tell which spells are cast."""
        first, names = self._game.rule["first_spell"], self._names
        spells = [names[first + n] for n in range(cast.spells.bit_length()) if cast.spells >> n & 1]
        power = dict(zip(COLOURS, cast.power, strict=True))
        self.add("state", what="cast", spells=spells, power=power, heal=cast.heal)

    def damage(self, damage: tuple[int, ...]) -> None:
        """Tell the damage of magic by colour."""
        self.add("state", what="damage", damage=dict(zip(COLOURS, damage, strict=True)))

    def end_battle(self, battle: Battle) -> None:
        """Tell that the enemy is beaten."""
        self.add("state", what="beaten", **self._enemy(battle))

    def set_up(self, game: Game, dealt: list[Card]) -> None:
        """Tell what the game is made of."""
        tables, wizard = game.tables, game.wizard
        ways = {
            one.card: self._names[game.rule["first_way"] + one.way] for one in wizard.companions
        }
        self._begin(
            "wizard",
            tables.ruleset_hash,
            lp=wizard.lp,
            hex=tables.hex_names[wizard.hex],
            hand=self._listed(wizard.hand),
            companions=[
                [*listed, way]
                for listed, way in zip(self._listed(ways), ways.values(), strict=True)
            ],
            lost=self._listed(wizard.lost),
            dealt=self._listed(dealt),
            places={
                name: self._place(place) for name, place in zip(PLACES, game.places, strict=True)
            },
            used=[tables.hex_names[number] for number in sorted(game.used)],
            lots=[self._names[game.rule["first_way"] + way] for way in game.lots.values()],
            castle=self._names[game.first_enemy + game.rule["king"]],
            texts=tables.texts,
            rules=tables.rule,
        )

    def _place(self, place: Place) -> dict[str, Any]:
        def shown(card: Card | None) -> list[Any] | None:
            return self._listed([card])[0] if card else None

        enemy, ability = shown(place.enemy), shown(place.ability)
        return {"enemy": enemy, "ability": ability, "beaten": place.beaten}

    def _enemy(self, battle: Battle) -> dict[str, str]:
        place = _CASTLE if battle.place == NO_PLACE else PLACES[battle.place]
        return {"enemy": self._names[self._game.first_enemy + battle.enemy], "place": place}
