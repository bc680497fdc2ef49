"""A game that looks after itself: every card in one place, no number below nothing.

The readable engine is held to this at every decision and after every step, whoever plays and by
whatever rules.
"""

from __future__ import annotations

from collections import Counter

from sim.titles.granmagia.limits import MOST_COUNTED, MOST_TOKENS, PILE_CAPACITY
from sim.titles.granmagia.reference import Game
from sim.titles.granmagia.schema import TIMINGS
from sim.titles.granmagia.supply import starting_piles
from sim.titles.granmagia.tables import ENDLESS, NO_PILE, Flag
from sim.titles.granmagia.victories import CURSE

__all__ = ["WatchedGame", "faults"]

#: Numbers of a seat that only ever grow.
GROWING = (
    "turns",
    "tokens",
    "arcana_taken",
    "rewards",
    "casts",
    "acquisitions",
    "receipts",
    "burns",
    "reversals",
    "shuffles",
    "gold_spent",
    "mana_total",
    "announcements",
    "extra_turns",
    "attacks",
    "hits",
    "barriers_used",
    "dolls_used",
    "defences_used",
    "curses_given",
    "curses_taken",
)

LASTING = Flag.DURATION | Flag.PERMANENT


class WatchedGame(Game):
    """A game that is looked at before every decision and after every step."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.looks = 0
        self._before = [dict.fromkeys(GROWING, 0) for _ in self.seats]

    def look(self):
        """Refuse a game that is not as it has to be."""
        assert list(faults(self)) == []
        self.looks += 1
        for seat, before in zip(self.seats, self._before, strict=True):
            for name, number in before.items():
                now = getattr(seat, name)
                assert now >= number, f"{name} fell from {number} to {now}"
                before[name] = now

    def decide(self, seat, decision, options):
        self.look()
        legal = set(options)
        code = super().decide(seat, decision, legal)
        assert code in legal
        return code


def _looked_at(name):
    step = getattr(Game, name)

    def looked_at(self, *args):
        step(self, *args)
        self.look()

    return looked_at


for _name in (
    "set_up",
    "start_turn",
    "cast",
    "enter_acquisition",
    "acquire",
    "contract",
    "end_turn",
):
    setattr(WatchedGame, _name, _looked_at(_name))


def faults(game):
    """Say what is wrong with a game as it stands."""
    yield from _copies(game)
    yield from _piles(game)
    yield from _field(game)
    yield from _numbers(game)
    for seat in game.seats:
        yield from _seat(game, seat)
    witches = game.witches + [seat.witch for seat in game.seats if seat.witch >= 0]
    if len(set(witches)) != len(witches):
        yield f"a witch is in two places: {witches}"


def _everywhere(game):
    yield from game.magic_deck.cards
    for stack in game.field.values():
        yield from stack
    yield from game.burned
    yield from game.removed
    for seat in game.seats:
        yield from seat.cards()


def _copies(game):
    """Each copy that was made is in one place, and there are no others."""
    found = Counter(_everywhere(game))
    made = {
        (kind, copy) for kind, number in enumerate(game._copies) for copy in range(1, number + 1)
    }
    if max(found.values(), default=0) > 1:
        yield f"in two places: {[card for card, times in found.items() if times > 1]}"
    if {(card.kind, card.copy) for card in found} != made:
        yield "cards are lost, or come from nowhere"


def _piles(game):
    tables, players = game.tables, len(game.seats)
    for kind, first in enumerate(starting_piles(tables, players)):
        size = game.piles[kind]
        has_pile = kind == CURSE or tables.kinds["pile"][kind] != NO_PILE
        if not has_pile and size:
            yield f"a pile of {size} where there is none"
        elif has_pile and first == ENDLESS and size != ENDLESS:
            yield f"a pile without end holds {size}"
        elif has_pile and first >= 0:
            start = int(tables.kinds["start"][kind]) * players
            taken = game._copies[kind] - start
            if not 0 <= size <= first or taken != first - size:
                yield f"{taken} cards of a pile that went from {first} to {size}"
    for seal, pile in enumerate(game.seal_piles):
        group = tables.group_bits[tables.seal_group[seal]]
        if pile >= 0 and not (tables.flags[pile] & Flag.ON_OFFER and group >> pile & 1):
            yield f"seal {seal} on what is no pile of its group"


def _field(game):
    drawn = {*game.chosen, *game.rares}
    for kind, stack in game.field.items():
        if not stack or any(card.kind != kind for card in stack):
            yield "a stack of the field holds nothing, or another kind"
        if kind not in drawn:
            yield "a kind that was not drawn lies in the field"
    if len(game.field) > game.tables.rule["field_kinds"]:
        yield f"{len(game.field)} kinds in the field"
    if any(card.kind not in drawn for card in game.magic_deck.cards):
        yield "a kind that was not drawn is in the magic deck"
    piles = [game.magic_deck, *(seat.deck for seat in game.seats)]
    if any(not 0 <= pile.settled <= len(pile.cards) for pile in piles):
        yield "more of a pile is settled than there is"


def _numbers(game):
    turn = (game.mana, game.casts, game.acquisitions, game.mana_obtained)
    if min(turn) < 0 or max(turn) > MOST_COUNTED:
        yield f"mana, casts, acquisitions: {turn}"
    if game.mana > game.mana_obtained:
        yield f"{game.mana} mana of {game.mana_obtained} that were obtained"
    if game.extra and game.extra_earned:
        yield "an extra turn was won in an extra turn"
    if game.turn != sum(seat.turns + seat.extra_turns for seat in game.seats):
        yield "turns are not those of the seats"
    if not 1 <= game.round <= game.tables.rule["round_cap"]:
        yield f"round {game.round}"
    given = sum(seat.curses_given for seat in game.seats)
    if given > sum(seat.curses_taken for seat in game.seats):
        yield f"{given} curses were given, fewer taken"
    if (game.phase == "over") != (game.end_reason >= 0):
        yield f"phase {game.phase}, end {game.end_reason}"


def _seat(game, seat):
    tables, flags = game.tables, game.tables.flags
    counted = (*(getattr(seat, name) for name in GROWING), seat.silver, seat.gold, seat.barriers)
    if min(counted) < 0 or seat.tokens > MOST_TOKENS or max(counted) > MOST_COUNTED:
        yield f"counters: {counted}"
    if sum(1 for _ in seat.cards()) > PILE_CAPACITY:
        yield "more cards than a seat may own"
    if any(not flags[card.kind] & LASTING for card in seat.own):
        yield "a card in the own field that does not last"
    if any(flags[card.kind] & LASTING for card in seat.play):
        yield "a lasting card in the play area"
    if seat is not game.current and seat.play:
        yield "cards in the play area of a seat that is not on turn"
    if any(not flags[card.kind] & Flag.DEFENDS_FIELD for card in seat.defended):
        yield "what is no doll has defended"
    if len(set(seat.kinds_cast)) != len(seat.kinds_cast):
        yield "a kind was counted twice"
    if not set(seat.kinds_cast) <= {kind for kind, uses in seat.uses.items() if uses > 0}:
        yield "a kind was counted that was not used"
    if any(not flags[kind] & Flag.MAGIC for kind in seat.kinds_cast):
        yield "what is no magic card was counted as a kind"
    if seat.witch < 0:
        if seat.uses or seat.kinds_cast or seat.rewards or seat.announced:
            yield "an apprentice counts what counts from the contract on"
        return
    fields = tables.witch_fields[seat.witch]
    if any(flags[card.kind] & Flag.APPRENTICE for card in seat.cards()):
        yield "the apprentice card is there after the contract"
    if seat.announced and (not fields["victory"] or TIMINGS[fields["timing"]] != "turn_start"):
        yield "announced by a witch who wins at once, or not at all"
    if seat.rewards and not fields["rewards"]:
        yield "rewards without the power"
