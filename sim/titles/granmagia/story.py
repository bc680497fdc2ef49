"""A game told: the trace that machines read. ``telling`` makes sentences of it for people.

Every event is a mapping with ``n, round, turn, seat, phase, event`` and its own fields:

``setup``    ``title, ruleset, key, deal, players, lineup, bans, chosen, rares, piles, witches,
             magic_deck, field, burned, sealed, seats, cards, contracts, seals, rules``: what is
             where before the first move, and the texts by which it is played. Cards are
             [kind, copy]; in the magic deck and the decks they are in no order of meaning. In
             ``piles`` -1 is a pile without end; cards from a pile have copy numbers of their own.
             ``cards``, ``contracts`` and ``seals`` say what the data say of each kind (a text may
             ask for one that is not in this game), witch and seal, in the order of the options.
             ``rules`` are the single numbers
``move``     ``card, copy, from, to, owner``: one card changes its place. ``owner`` is the seat
             whose card it is, or becomes; null for the public field. Zones: ``hand deck discard
             play own`` of the owner, and ``field magic_deck pile witches burned removed``. A card
             put down goes to the end of a hand, discard pile, play area or own field. A curse
             that is passed on comes from the zone of another seat, ``giver``
``shuffle``  ``zone, owner, cards``: the owner's discard pile became the deck, shuffled
``change``   ``what, owner, by, now``: mana, casts, acquisitions, silver, gold, tokens, barriers,
             arcana_taken, rewards, kinds_cast, uses (with ``card``: times that kind was cast since
             the contract)
``choose``   ``what, owner, options, choice``: a seat's decision with more than one option
``state``    ``what`` and its own fields, below
``end``      ``reason, scores, ranks, win60, witch``: the winner's witch at a special victory, else
             null

===========  ===================================================================================
``what``     of a ``state``
===========  ===================================================================================
looked       ``owner, cards``: kinds that a seat sees of its deck, top first
turn         ``owner, turns, extra, hand, truths, kinds, magic_deck``: a turn starts; ``turns``
             leaves extra turns out; ``hand`` is the number of cards in the owner's hand, ``truths``
             every seat's truth, ``kinds`` the number of kinds in the field
attack       ``owner, card``: an attack on the seats after the owner begins
defended     ``owner, attacker, attack, by, card, copy, free``: the attack of a seat with a card
             (``attack``) on the owner is stopped, ``by`` a ``barrier`` (``card`` and ``copy`` are
             null), a ``doll`` or a card of the ``hand``; ``free`` is false for a doll that was paid
             for
hit          ``owner, attacker, attack``: no defence stops the attack on the owner
announced    ``owner, witch`` and the terms below: a special victory is announced
lapsed       the same: what was announced does not hold at the turn start
won          the same: the special victory is won, and the ``end`` follows
sealed       ``owner, seal, pile, was``: a seal is placed; ``was`` is its pile before, or null
extra_turn   ``owner, by``: at the end of a turn: the owner's extra turn follows, won ``by`` a
             ``card`` or ``gold``
===========  ===================================================================================

The terms of a special victory are those of the owner at that moment: ``condition`` (what the
victory counts), ``card`` (whose uses it counts, else null), ``have`` and ``need``, ``by_seat``
(what ``have`` compares, of all seats: arcana obtained for ``arcana_spread``, where the owner must
have strictly most too; curses owned for ``curses``; else null), ``truth`` and ``truth_needed`` (the
owner's truth and the witch's minimum; nobody else's counts).

Seats are counted from 1; ``seat`` is the seat on turn, 0 during set-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.core import story
from sim.titles.granmagia.tables import NO_PILE, Tables

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["Story"]


class Story(story.Story):
    """Collects the events of one game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, game.tables.words.options)
        self._game = game

    def turn(self, seat: Seat) -> None:
        """Tell that a turn starts, and how things stand."""
        game = self._game
        self.add(
            "state",
            what="turn",
            owner=seat.index + 1,
            turns=seat.turns,
            extra=game.extra,
            hand=len(seat.hand),
            truths=[game.truth(each) for each in game.seats],
            kinds=len(game.field),
            magic_deck=len(game.magic_deck.cards),
        )

    def attacked(self, what: str, owner: Seat, **fields: Any) -> None:
        """Tell what becomes of the attack under way on a seat."""
        attack = next(each for each in reversed(self.events) if each.get("what") == "attack")
        by = {"attacker": attack["owner"], "attack": attack["card"]}
        self.add("state", what=what, owner=owner.index + 1, **by, **fields)

    def set_up(self, game: Game) -> None:
        """Tell what the game is made of."""
        tables, names = game.tables, self._names
        texts = tables.texts
        self._begin(
            "granmagia",
            tables.ruleset_hash,
            chosen=[names[kind] for kind in game.chosen],
            rares=[names[kind] for kind in game.rares],
            piles={
                name: size for name, size in zip(tables.kind_names, game.piles, strict=True) if size
            },
            witches=[tables.witch_names[witch] for witch in game.witches],
            magic_deck=self._listed(game.magic_deck.cards),
            field={names[kind]: self._listed(cards) for kind, cards in game.field.items()},
            burned=self._listed(game.burned),
            sealed={
                name: names[pile]
                for name, pile in zip(tables.seal_names, game.seal_piles, strict=True)
                if pile >= 0
            },
            seats=[self._seat(seat) for seat in game.seats],
            cards={name: texts["cards"][name] for name in tables.kind_names},
            contracts={name: texts["witches"][name] for name in tables.witch_names},
            seals={name: texts["seals"][name] for name in tables.seal_names},
            rules=_numbers(tables, len(game.seats)),
        )

    def _seat(self, seat: Seat) -> dict[str, Any]:
        names, witches = self._names, self._game.tables.witch_names
        return {
            "deck": self._listed(seat.deck.cards),
            "hand": self._listed(seat.hand),
            "discard": self._listed(seat.discard),
            "play": self._listed(seat.play),
            "own": self._listed(seat.own),
            "witch": witches[seat.witch] if seat.witch >= 0 else None,
            "silver": seat.silver,
            "gold": seat.gold,
            "tokens": seat.tokens,
            "barriers": seat.barriers,
            "arcana_taken": seat.arcana_taken,
            "rewards": seat.rewards,
            "announced": bool(seat.announced),
            "uses": {names[kind]: times for kind, times in seat.uses.items()},
            "kinds_cast": [names[kind] for kind in seat.kinds_cast],
            "defended": self._listed(card for card in seat.own if card in seat.defended),
        }


def _numbers(tables: Tables, players: int) -> dict[str, Any]:
    """Return the rules that are numbers: those of all games, and what this one is set up with."""
    kinds, names = tables.kinds, tables.kind_names
    return {
        **tables.rule,
        "reversal": tables.reversal.tolist(),
        "copies": int(tables.copies[players - 2]),
        "coins": tables.coins[players - 2, :players].tolist(),
        "start": {name: n for name, n in zip(names, kinds["start"].tolist(), strict=True) if n},
        "piles": {
            name: size
            for name, size in zip(names, kinds["pile"].tolist(), strict=True)
            if size != NO_PILE
        },
        "pool": [names[kind] for kind in tables.pool.tolist()],
    }
