"""The readable engine, counting which of its branches are taken.

A game is watched from outside: what it does is what ``reference.py`` does, and every override here
calls it. A proof that two engines agree is worth as much as these counts show to have happened.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from importlib import import_module

from sim.errors import EngineError
from sim.titles.granmagia import effects as effects_module
from sim.titles.granmagia import supply as supply_module
from sim.titles.granmagia.info import (
    ACQUIRE,
    CAST,
    DECISIONS,
    END_REASONS,
    LOOK,
    RECEIVE,
    UPGRADE,
)
from sim.titles.granmagia.observe import OBSERVABLES
from sim.titles.granmagia.reference import Game
from sim.titles.granmagia.tables import ENDLESS, Flag
from sim.titles.granmagia.words import PRIMITIVES

# The package has a function of the same name.
reference_module = import_module("sim.titles.granmagia.reference")

#: Counters that must not be zero, besides one for each primitive, decision, observable, kind, …
BRANCHES = (
    # set-up
    "supply: third burn kind accepted",
    "supply: third burn kind refused",
    "supply: set thrown away",
    "supply: no set found",
    "supply: drawn set holds attack and defence",
    "set-up: start decks come out of the piles",
    "field: second card of a shown kind",
    "field: fewer kinds than wanted",
    # policies
    "slip: made",
    "slip: not made",
    "choice: barred option left out",
    "choice: barred witch left out",
    "choice: barred card to receive",
    "choice: barred upgrade",
    # cards
    "draw: from a settled deck",
    "draw: lost, nothing left",
    "draw: asked for less than none",
    "reshuffle",
    "look: short deck",
    "look: reshuffled first",
    "look: kept",
    "look: discarded",
    "look: nothing to look at",
    "effect: condition holds",
    "effect: condition fails",
    "effect: multiplied by none",
    "effect: multiplied by less than none",
    "effect: resource stops at 0",
    "hand choice: empty hand",
    "hand choice: stopped",
    "receive: nothing on offer",
    "receive: to hand",
    "upgrade: none possible",
    "upgrade: stopped",
    "trade: nothing for it",
    # obtaining
    "obtain: from the field",
    "obtain: last card of a shown kind",
    "obtain: from a pile",
    "obtain: from an endless pile",
    "obtain: last card of a pile",
    "obtain: pile is empty",
    "obtain: exclusive",
    "obtain: rare",
    "arcana: burned the magic deck",
    "arcana: magic deck too small",
    # paying
    "pay: silver",
    "pay: gold",
    "pay: silver and gold",
    "pay: mana only card bought",
    "pay: mana only card out of reach",
    "silver: lost at the end of a turn",
    # contracts
    "contract: at full cost",
    "contract: discounted",
    "contract: discount stops at 0",
    "contract: note burned from hand",
    "contract: note burned from deck",
    "contract: note burned from settled deck",
    "contract: note burned from discard",
    "contract: note burned from play",
    "contract: apprentice removed from hand",
    "contract: apprentice removed from deck",
    "contract: apprentice removed from discard",
    "contract: apprentice removed from play",
    "contract: no note",
    "contract: one note",
    "contract: two notes",
    "contract: old note",
    "contract: gifts",
    "contract: gift to hand",
    "contract: acquisition left",
    # the end
    "end: one winner",
    "end: shared by two",
    "end: level in truth, fewer turns wins",
    "end: in the middle of a round",
    "end: negative truth",
)


#: Observables that tell what the card in effect did, and are 0 when none is.
OF_A_CARD = ("just_discarded", "just_burned")


#: Observables that are the same in all games: nothing gives tokens yet (GM-W7).
FIXED = ("tokens",)

#: Decisions that no card asks for.
AFTER = {DECISIONS[CAST].id: CAST, DECISIONS[ACQUIRE].id: ACQUIRE}


class Hits(Counter):
    """Counts by name, and the values that policies saw of each observable and argument."""

    def __init__(self):
        super().__init__()
        self.values = defaultdict(set)

    def missing(self, names):
        """Return those of the names that were never hit."""
        return [name for name in names if not self[name]]


def wanted(tables):
    """Return all names of things that a proof has to hit, for a ruleset's tables."""
    names = list(BRANCHES)
    names += [f"primitive: {primitive.id}" for primitive in PRIMITIVES]
    names += [f"decision: {point.id}" for point in DECISIONS]
    names += [f"end reason: {reason.id}" for reason in END_REASONS]
    # One value alone would let an engine show a constant.
    names += [
        f"policies saw different values: {seen.id}" for seen in OBSERVABLES if seen.id not in FIXED
    ]
    for name in OF_A_CARD:
        names.append(f"texts asked: {name}")
        names += [f"policies saw above 0 in a card: {name}"]
        names += [f"policies asked after it was above 0, at {point}: {name}" for point in AFTER]
    names += [f"contract: {witch}" for witch in tables.witch_names]
    for kind, name in enumerate(tables.kind_names):
        if tables.flags[kind] & Flag.CASTABLE:
            names.append(f"cast: {name}")
    return names


class CountingGame(Game):
    """A game of the readable engine that counts what happens in it."""

    def __init__(self, hits, *args, **options):
        self.hits = hits
        self.deciding = -1
        # Observables of a card that were above 0 in this turn.
        self.risen = set()
        super().__init__(*args, **options)

    def asked_by_text(self, number):
        self.hits[f"texts asked: {OBSERVABLES[number].id}"] += 1

    def shown_to_policy(self, number, argument, value):
        name, values = OBSERVABLES[number].id, self.hits.values[number, argument]
        values.add(value)
        self.hits[f"policies saw different values: {name}"] += len(values) > 1
        if name not in OF_A_CARD:
            return
        point = DECISIONS[self.deciding].id
        if point not in AFTER:
            self.hits[f"policies saw above 0 in a card: {name}"] += value > 0
        elif name in self.risen:
            self.hits[f"policies asked after it was above 0, at {point}: {name}"] += 1

    def effect_played(self):
        """Note what the card in effect has done so far."""
        self.risen.update(name for name in OF_A_CARD if getattr(self, name))

    # -- decisions

    def decide(self, seat, decision, options):
        options = set(options)
        code = super().decide(seat, decision, options)
        name = DECISIONS[decision].id
        if len(options) > 1:
            self.hits[f"decision: {name}"] += 1
        if decision == LOOK:
            self.hits["look: kept" if code == self.stop else "look: discarded"] += 1
        if decision == UPGRADE and code == self.stop:
            self.hits["upgrade: stopped"] += 1
        if name in ("discard", "burn") and code == self.stop:
            self.hits["hand choice: stopped"] += 1
        bans = self.bans[seat.index]
        if bans and decision in (ACQUIRE, RECEIVE, UPGRADE):
            self._barred(seat, decision, bans)
        return code

    def _barred(self, seat, decision, bans):
        kept, self.bans[seat.index] = bans, 0
        free = self.kinds_on_offer(seat)
        everything = self.acquire_options() if decision == ACQUIRE else free
        self.bans[seat.index] = kept
        barred = {code for code in everything if kept >> code & 1}
        kinds = self.tables.rule["kinds"]
        if decision == ACQUIRE:
            self.hits["choice: barred option left out"] += any(code < kinds for code in barred)
            self.hits["choice: barred witch left out"] += any(code >= kinds for code in barred)
        elif decision == RECEIVE:
            self.hits["choice: barred card to receive"] += bool(barred)

    def _chosen(self, seat, decision, legal):
        self.deciding = decision
        slip = self.policies.slip[self.lineup[seat.index]]
        stream = self._policy_streams[seat.index]
        if 0 < slip < 10_000:
            before = stream.draws
            code = super()._chosen(seat, decision, legal)
            slipped = stream.draws - before > 1
            self.hits["slip: made" if slipped else "slip: not made"] += 1
            return code
        return super()._chosen(seat, decision, legal)

    # -- cards

    def reshuffle(self, seat):
        done = super().reshuffle(seat)
        self.hits["reshuffle" if done else "draw: lost, nothing left"] += 1
        return done

    def draw(self, seat, number):
        self.hits["draw: from a settled deck"] += number > 0 and seat.deck.settled > 0
        self.hits["draw: asked for less than none"] += number < 0
        super().draw(seat, number)

    def obtain(self, seat, kind, place):
        tables, hits = self.tables, self.hits
        in_field, size = len(self.field.get(kind, ())), self.piles[kind]
        magic = len(self.magic_deck.cards)
        done = super().obtain(seat, kind, place)
        sort = tables.kinds["sort"][kind]
        if not done:
            hits["obtain: pile is empty"] += size == 0
            return done
        hits["receive: to hand"] += place == "hand"
        if in_field:
            hits["obtain: from the field"] += 1
            hits["obtain: last card of a shown kind"] += in_field == 1
            hits["obtain: rare"] += sort == 5
        elif tables.flags[kind] & Flag.ON_OFFER:
            endless = size == ENDLESS
            hits["obtain: from an endless pile" if endless else "obtain: from a pile"] += 1
            hits["obtain: last card of a pile"] += size == 1
        else:
            hits["obtain: exclusive"] += sort == 6
        if tables.flags[kind] & Flag.ARCANA:
            burned = tables.rule["arcana_burn"]
            hits["arcana: burned the magic deck"] += 0 < burned <= magic
            hits["arcana: magic deck too small"] += burned > magic
        return done

    # -- a turn

    def cast(self, kind):
        self.hits[f"cast: {self.tables.kind_names[kind]}"] += 1
        super().cast(kind)

    def acquire_options(self):
        found = super().acquire_options()
        tables = self.tables
        coins = self.current.silver + self.current.gold
        self.hits["pay: mana only card out of reach"] += any(
            tables.flags[kind] & Flag.MANA_ONLY
            and self.mana < tables.cost[kind] <= self.mana + coins
            for kind in self.field
        )
        return found

    def acquire(self, kind):
        seat, hits = self.current, self.hits
        silver, gold = seat.silver, seat.gold
        super().acquire(kind)
        paid = silver > seat.silver, gold > seat.gold
        hits["pay: silver"] += paid[0]
        hits["pay: gold"] += paid[1]
        hits["pay: silver and gold"] += all(paid)
        hits["pay: mana only card bought"] += bool(self.tables.flags[kind] & Flag.MANA_ONLY)

    def contract(self, witch):
        seat, hits, rule, flags = self.current, self.hits, self.tables.rule, self.tables.flags
        hits[f"contract: {self.tables.witch_names[witch]}"] += 1
        late = self.round >= rule["discount_round"]
        cost = self.tables.witch_cost[witch]
        hits["contract: discounted" if late and rule["discount"] else "contract: at full cost"] += 1
        hits["contract: discount stops at 0"] += late and rule["discount"] > cost
        zones = {"hand": seat.hand, "deck": seat.deck.cards}
        zones |= {"discard": seat.discard, "play": seat.play}
        for zone, cards in zones.items():
            for index, card in enumerate(cards):
                if flags[card.kind] & Flag.NOTE:
                    hits[f"contract: note burned from {zone}"] += 1
                    top = zone == "deck" and index >= len(cards) - seat.deck.settled
                    hits["contract: note burned from settled deck"] += top
                    old = self.tables.kind_names[card.kind] == "old_note"
                    hits["contract: old note"] += old
                hits[f"contract: apprentice removed from {zone}"] += bool(
                    flags[card.kind] & Flag.APPRENTICE
                )
        burns, receipts = seat.burns, seat.receipts
        super().contract(witch)
        notes = seat.burns - burns
        if notes < 3:
            hits[("contract: no note", "contract: one note", "contract: two notes")[notes]] += 1
        hits["contract: gifts"] += seat.receipts > receipts
        hits["contract: gift to hand"] += rule["gift_to_hand"] and seat.receipts > receipts
        hits["contract: acquisition left"] += self.acquisitions > 0

    def end_turn(self):
        self.risen.clear()
        self.hits["silver: lost at the end of a turn"] += self.current.silver > 0
        super().end_turn()
        self.hits["field: fewer kinds than wanted"] += (
            len(self.field) < self.tables.rule["field_kinds"]
        )

    def _finish(self, reason):
        on_turn = self.on_turn
        super()._finish(reason)
        hits = self.hits
        hits[f"end reason: {END_REASONS[reason].id}"] += 1
        winners = self.ranks.count(1)
        hits["end: one winner" if winners == 1 else f"end: shared by {_word(winners)}"] += 1
        scores = [self.truth(seat) for seat in self.seats]
        hits["end: level in truth, fewer turns wins"] += scores.count(max(scores)) > winners
        hits["end: in the middle of a round"] += on_turn < len(self.seats) - 1
        hits["end: negative truth"] += min(scores) < 0


def _word(number):
    return ("none", "one", "two", "three", "four")[number]


class _CountingStream(reference_module.Stream):
    """A stream that knows how often it was asked (draws of one from one are none)."""

    draws = 0

    def bounded(self, n):
        self.draws += 1
        return super().bounded(n)


def watch(monkeypatch, hits):
    """Watch what is no method of a game: effects, observables, the supply."""
    monkeypatch.setattr(reference_module, "Stream", _CountingStream)
    observe = effects_module.observe

    def asked(game, seat, number, argument):
        game.asked_by_text(number)
        return observe(game, seat, number, argument)

    def shown(game, seat, number, argument):
        value = observe(game, seat, number, argument)
        game.shown_to_policy(number, argument, value)
        return value

    monkeypatch.setattr(effects_module, "observe", asked)
    monkeypatch.setattr(reference_module, "observe", shown)
    played = tuple(
        _primitive(hits, primitive.id, play)
        for primitive, play in zip(PRIMITIVES, effects_module._PLAYED, strict=True)
    )
    monkeypatch.setattr(effects_module, "_PLAYED", played)
    play_effects, receive_one = effects_module.play_effects, effects_module._receive_one
    from_hand, draw_kinds = effects_module._from_hand, supply_module.draw_kinds
    refill = supply_module.refill

    def effects(game, seat, kind):
        before = hits["effects played"]
        play_effects(game, seat, kind)
        texts = game.tables.kind_effects[kind]
        fired = hits["effects played"] - before
        hits["effect: condition fails"] += len(texts) - fired
        hits["effect: condition holds"] += fired == len(texts) and any(
            text["conds"] for text in texts
        )

    def received(game, seat, limit, bits, place):
        before = seat.receipts
        receive_one(game, seat, limit, bits, place)
        hits["receive: nothing on offer"] += seat.receipts == before

    def chosen(game, seat, decision, free):
        hits["hand choice: empty hand"] += not seat.hand
        return from_hand(game, seat, decision, free)

    def drawn(tables, stream):
        before = stream.draws
        try:
            kinds = draw_kinds(tables, stream)
        except EngineError:
            hits["supply: no set found"] += 1
            raise
        burns = sum(bool(tables.flags[kind] & Flag.BURN) for kind in kinds)
        asked = stream.draws - before
        # Each kind is one draw, each third or further burn kind one more.
        least = len(kinds) + max(burns - 2, 0)
        hits["supply: third burn kind accepted"] += burns > 2
        hits["supply: third burn kind refused"] += asked == least + 2
        hits["supply: set thrown away"] += asked >= least + len(kinds)
        flags = [tables.flags[kind] for kind in kinds]
        hits["supply: drawn set holds attack and defence"] += any(
            bits & Flag.ATTACK for bits in flags
        ) and any(bits & Flag.DEFENCE for bits in flags)
        hits["set-up: start decks come out of the piles"] += tables.rule["start_taken"]
        return kinds

    def refilled(game):
        before = sum(map(len, game.field.values())), len(game.field)
        refill(game)
        after = sum(map(len, game.field.values())), len(game.field)
        hits["field: second card of a shown kind"] += after[0] - before[0] > after[1] - before[1]

    monkeypatch.setattr(reference_module, "play_effects", effects)
    monkeypatch.setattr(effects_module, "_receive_one", received)
    monkeypatch.setattr(effects_module, "_from_hand", chosen)
    monkeypatch.setattr(supply_module, "draw_kinds", drawn)
    monkeypatch.setattr(supply_module, "refill", refilled)
    monkeypatch.setattr(reference_module, "refill", refilled)


def _primitive(hits, name, play):
    """Return a primitive that counts."""

    def counted(game, seat, amount, effect):
        hits["effects played"] += 1
        hits[f"primitive: {name}"] += 1
        if effect["per_observable"] >= 0:
            hits["effect: multiplied by none"] += amount == 0
            hits["effect: multiplied by less than none"] += amount < 0
        if name in ("casts", "acquisitions", "mana"):
            hits["effect: resource stops at 0"] += getattr(game, name) + amount < 0
        if name == "look":
            short = len(seat.deck.cards) < amount
            hits["look: reshuffled first"] += not seat.deck.cards and bool(seat.discard)
            hits["look: short deck"] += len(seat.deck.cards) > 0 and short
            hits["look: nothing to look at"] += not seat.deck.cards and not seat.discard
        before = seat.burns, seat.receipts
        play(game, seat, amount, effect)
        game.effect_played()
        burns, receipts = seat.burns - before[0], seat.receipts - before[1]
        if name == "trade":
            hits["trade: nothing for it"] += burns > receipts
        if name == "upgrade" and amount > 0:
            stones = {card.kind for card in seat.hand}
            larger = game.tables.kinds["upgrade"]
            hits["upgrade: none possible"] += not any(larger[kind] >= 0 for kind in stones)
            hits["choice: barred upgrade"] += any(
                larger[kind] >= 0 and game.bans[seat.index] >> int(larger[kind]) & 1
                for kind in stones
            )

    return counted
