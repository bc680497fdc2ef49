"""The readable engine, counting which of its branches are taken.

A game is watched from outside: what it does is what ``reference.py`` does, and every override here
calls it. A proof that two engines agree is worth as much as these counts show to have happened.
What has to be hit is in ``branches.py``, what is no method of a game is watched in ``watching.py``.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from sim.titles.granmagia.contracts import contract_cost
from sim.titles.granmagia.info import (
    ACQUIRE,
    DECISIONS,
    END_REASONS,
    FIELD_END,
    LOOK,
    RECEIVE,
    SPECIAL,
    UPGRADE,
)
from sim.titles.granmagia.observe import OBSERVABLES
from sim.titles.granmagia.reference import Game
from sim.titles.granmagia.tables import ENDLESS, Flag
from sim.titles.granmagia.victories import CURSE, penalty
from tests.titles.granmagia.branches import AFTER, OF_A_CARD

__all__ = ["CountingGame", "Hits"]


class Hits(Counter):
    """Counts by name, and the values that policies saw of each observable and argument."""

    def __init__(self):
        super().__init__()
        self.values = defaultdict(set)
        self._texts = {}

    def add(self, other):
        """Take in the counts of another part of a proof, and what policies saw in it."""
        self.update(other)
        for seen, values in other.values.items():
            self.values[seen] |= values
            name = f"policies saw different values: {OBSERVABLES[seen[0]].id}"
            self[name] += len(self.values[seen]) > 1

    def missing(self, names):
        """Return those of the names that were never hit."""
        return [name for name in names if not self[name]]

    def texts(self, tables):
        """Return the names of a ruleset's texts by identity, for ``watching``."""
        if id(tables) not in self._texts:
            found = {}
            for what, texts, names in (
                ("turn start", tables.kind_turn_start, tables.kind_names),
                ("reward", tables.kind_reward, tables.kind_names),
                ("ability", tables.witch_ability, tables.witch_names),
                ("seal effects", tables.seal_effects, tables.seal_names),
            ):
                pairs = zip(texts, names, strict=True)
                found |= {id(text): f"{what}: {name}" for text, name in pairs if text}
            # The tables are kept, so that no other text can get one of these identities.
            self._texts[id(tables)] = tables, found
        return self._texts[id(tables)][1]


class CountingGame(Game):
    """A game of the readable engine that counts what happens in it."""

    def __init__(self, hits, *args, **options):
        self.hits = hits
        self.deciding = -1
        # Observables of a card that were above 0 in this turn.
        self.risen = set()
        self.doll_refused = ""
        self.contracting = ""
        super().__init__(*args, **options)
        self.texts = hits.texts(self.tables)

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
        name, hits = DECISIONS[decision].id, self.hits
        if len(options) > 1:
            hits[f"decision: {name}"] += 1
        elif name == "seal":
            hits["seal: one pile alone is not asked"] += 1
        if decision == LOOK:
            hits["look: kept" if code == self.stop else "look: discarded"] += 1
        if decision == UPGRADE and code == self.stop:
            hits["upgrade: stopped"] += 1
        if name in ("discard", "burn") and code == self.stop:
            hits["hand choice: stopped"] += 1
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

    def choice(self, seat, decision, legal, choose):
        """Choose with the engine's own function, and note whether it was a slip."""
        self.deciding = decision
        slip = self.policies.slip[self.lineup[seat.index]]
        if not 0 < slip < 10_000:
            return choose(self, seat, decision, legal)
        stream = self.policy_streams[seat.index]
        before = stream.draws
        code = choose(self, seat, decision, legal)
        slipped = stream.draws - before > 1
        self.hits["slip: made" if slipped else "slip: not made"] += 1
        self.hits[f"{'slipped' if slipped else 'not slipped'}: {DECISIONS[decision].id}"] += 1
        return code

    # -- cards

    def reshuffle(self, seat):
        done = super().reshuffle(seat)
        self.hits["reshuffle" if done else "draw: lost, nothing left"] += 1
        return done

    def draw(self, seat, number):
        self.hits["draw: from a settled deck"] += number > 0 and seat.deck.settled > 0
        self.hits["draw: asked for less than none"] += number < 0
        super().draw(seat, number)

    def burn(self, seat, card, zone):
        self.hits["curses: burned"] += card.kind == CURSE
        super().burn(seat, card, zone)

    def add_coins(self, what, seat, by):
        self.hits["effect: coins stop at 0"] += getattr(seat, what) + by < 0
        super().add_coins(what, seat, by)

    def obtain(self, seat, kind, place, *, received=False):
        tables, hits = self.tables, self.hits
        in_field, size = len(self.field.get(kind, ())), self.piles[kind]
        magic, taken = len(self.magic_deck.cards), self.counts[seat.index, kind, 3]
        sort = tables.kinds["sort"][kind]
        try:
            super().obtain(seat, kind, place, received=received)
        finally:
            if self.counts[seat.index, kind, 3] > taken:
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
                    hits["arcana: received"] += received
            else:
                hits["obtain: pile is empty"] += size == 0

    # -- a turn

    def start_turn(self):
        self.hits["extra turn: announcement waits"] += self.extra and self.current.announced
        super().start_turn()

    def cast_options(self):
        found, tables, seat = super().cast_options(), self.tables, self.current
        if self.casts > 0:
            for kind in {card.kind for card in seat.hand if tables.kind_needs[card.kind]}:
                met = "met" if kind in found else "not met"
                self.hits[f"cast: needs {met}"] += 1
                self.hits[f"needs {met}: {tables.kind_names[kind]}"] += 1
        return found

    def cast(self, kind):
        self.hits[f"cast: {self.tables.kind_names[kind]}"] += 1
        super().cast(kind)

    def enter_acquisition(self):
        seat, gold = self.current, self.current.gold
        super().enter_acquisition()
        if self.power(seat, "stone_gold"):
            paid = seat.gold > gold
            self.hits["stones: gold for those laid down"] += paid
            self.hits["stones: none laid down with that power"] += not paid

    def acquire_options(self):
        found, tables, seat, hits = super().acquire_options(), self.tables, self.current, self.hits
        coins = seat.silver + seat.gold
        hits["pay: mana only card out of reach"] += any(
            tables.flags[kind] & Flag.MANA_ONLY
            and self.mana < tables.cost[kind] <= self.mana + coins
            for kind in self.field
        )
        if self.acquisitions > 0:
            discount = self.power(seat, "arcana_discount")
            for kind in {*self.seal_piles, *(k for k, f in enumerate(tables.flags) if f & 16)}:
                if kind < 0 or self.bans[seat.index] >> kind & 1 or not self.piles[kind]:
                    continue
                reach, price = self.mana + coins, self.price(seat, kind)
                hits["price: out of reach by a seal"] += tables.cost[kind] <= reach < price
                less = discount and tables.flags[kind] & Flag.ARCANA
                hits["price: in reach by a discount"] += bool(
                    less and price <= reach < price + discount
                )
        return found

    def acquire(self, kind):
        seat, hits = self.current, self.hits
        silver, gold = seat.silver, seat.gold
        raised = self._price_told(seat, kind)
        super().acquire(kind)
        paid = silver > seat.silver, gold > seat.gold
        hits["pay: silver"] += paid[0]
        hits["pay: gold"] += paid[1]
        hits["pay: silver and gold"] += all(paid)
        hits["pay: a raised price with gold"] += raised and paid[1]
        hits["pay: mana only card bought"] += bool(self.tables.flags[kind] & Flag.MANA_ONLY)

    def _price_told(self, seat, kind):
        """Count what makes a price; return whether it is raised."""
        tables, hits = self.tables, self.hits
        seals = [tables.seal_cost[n] for n, pile in enumerate(self.seal_piles) if pile == kind]
        less = tables.flags[kind] & Flag.ARCANA and self.power(seat, "arcana_discount")
        hits["price: raised by a seal"] += sum(seals) > 0
        hits["price: lowered by a seal"] += sum(seals) < 0
        hits["price: of two seals"] += len(seals) > 1
        hits["price: stops at 0"] += tables.cost[kind] + sum(seals) - less < 0
        hits["price: arcana discounted"] += bool(less)
        hits["price: arcana discounted and sealed"] += bool(less and sum(seals))
        return sum(seals) > 0

    def contract(self, witch):
        seat, hits, rule, flags = self.current, self.hits, self.tables.rule, self.tables.flags
        hits[f"contract: {self.tables.witch_names[witch]}"] += 1
        late = self.round >= rule["discount_round"]
        cost = self.tables.witch_cost[witch]
        full = contract_cost(self, witch) == cost
        hits["contract: at full cost" if full else "contract: discounted"] += 1
        hits["contract: discount stops at 0"] += late and rule["discount"] > cost
        zones = {"hand": seat.hand, "deck": seat.deck.cards, "own": seat.own}
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
        if self.power(seat, "notes_as_arcana"):
            hits["contract: notes count as arcana"] += notes > 0
            hits["contract: no note counts as arcana"] += notes == 0
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

    def finished(self, reason, winner, on_turn):
        """Count what an end is like, when it has been reached."""
        hits, seats = self.hits, self.seats
        hits[f"end reason: {END_REASONS[reason].id}"] += 1
        winners = self.ranks.count(1)
        scores = [self.truth(seat) for seat in seats]
        hits["end: negative truth"] += min(scores) < 0
        hits["end: tokens count"] += any(seat.tokens for seat in seats)
        self._penalties(scores, reason)
        announced = [seat for seat in seats if seat.announced]
        if reason == SPECIAL:
            won, middle = f"special victory: {self.tables.witch_names[winner.witch]}", "victory"
            hits[won] += 1
            hits["victory: others stand announced"] += bool(announced)
            hits["victory: winner has less truth than another"] += scores[winner.index] < max(
                scores
            )
            hits["victory: losers level"] += len(set(self.ranks)) < len(seats)
        else:
            middle = "end"
            hits["end: one winner" if winners == 1 else f"end: shared by {_word(winners)}"] += 1
            hits["end: level in truth, fewer turns wins"] += scores.count(max(scores)) > winners
            hits["victory: announcement unripe at another end"] += bool(announced)
        hits[f"{middle}: in the middle of a round"] += on_turn < len(seats) - 1
        hits[f"{middle}: in an extra turn"] += self.extra
        hits["extra turn: cancelled by the end"] += self.extra_earned and reason == FIELD_END

    def _penalties(self, scores, reason):
        hits = self.hits
        taken = [penalty(self, seat) for seat in self.seats]
        powers = [self.power(seat, "curse_penalty") for seat in self.seats]
        hits["penalty: taken"] += any(taken)
        hits["penalty: makes somebody lose"] += reason != SPECIAL and any(
            lost and rank > 1 and score + lost >= max(scores)
            for lost, rank, score in zip(taken, self.ranks, scores, strict=True)
        )
        for seat in self.seats:
            others = [every for n, every in enumerate(powers) if every and n != seat.index]
            curses = sum(card.kind == CURSE for card in seat.cards())
            hits["penalty: by two witches"] += len(others) > 1 and curses >= max(others)
            hits["penalty: an odd curse is free"] += any(curses % every for every in others)


def _word(number):
    return ("none", "one", "two", "three", "four")[number]
