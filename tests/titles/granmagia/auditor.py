"""Checks a trace by the rulebook: is every event the one that the rules make of what went before?

The auditor knows RULES.md, the order conventions of the title and the manual of the trace, and no
engine. It is given a list of events, as ``tenbin trace --format jsonl`` writes them, and rebuilds
the whole table from the setup event on: every zone with every copy, every number, price, contract,
announcement and defence. What chance and the players did, it reads; whatever the rules make of
that, it works out, and every event must be that one, in all its fields.
"""

from __future__ import annotations

from collections import Counter

from tests.titles.granmagia.audit_effects import ANY, GameOver, Steps
from tests.titles.granmagia.audit_table import STOP, Violation

__all__ = ["Violation", "audit"]


def audit(events):
    """Follow a trace to its end; return what was seen in it, by name and number of times.

    Raises
    ------
    Violation
        At the first event that the rules do not make of what went before.
    """
    auditor = None
    try:
        auditor = Auditor(events)
        auditor.game()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as error:
        place = auditor.place - 1 if auditor else 0
        raise Violation(place, f"it cannot be followed: {error!r}") from error
    return auditor.seen


class Auditor(Steps):
    """Follows a whole game."""

    def game(self):
        self._check_setup()
        try:
            self._opening()
            while True:
                self._turn()
                self._check_copies()
        except GameOver:
            pass
        self._check_copies()
        if self.place < len(self.events):
            self.place += 1
            self.fail("the game is over before it")

    def _check_copies(self):
        """Every copy is in one place, and none is lost."""
        cards = self.table.everywhere()
        if len(set(cards)) < len(cards):
            self.fail("one copy lies in two places")
        if len(cards) != sum(self.table.copies.values()):
            self.fail("copies are lost")

    # -- set-up ----------------------------------------------------------------------------------

    def _must(self, what, found, right):
        if found != right:
            self.fail(f"{what}: {found!r}; must be {right!r}")

    def _check_setup(self):
        setup, table, rules = self.setup, self.table, self.setup["rules"]
        players = setup["players"]
        head = {"n": 0, "round": 1, "turn": 0, "seat": 0, "phase": "setup", "event": "setup"}
        self._must("head", {name: setup[name] for name in head}, head)
        for what in ("seats", "bans", "lineup"):
            self._must(what, len(setup[what]), players)
        self._check_supply(players)
        self._must("field", setup["field"], {})
        self._must("burned", setup["burned"], [])
        self._must("sealed", setup["sealed"], {})
        enabled = [name for name, text in table.contracts.items() if text["enabled"]]
        self._must("witches", setup["witches"], enabled)
        self._check_piles(players)
        start = Counter()
        for seat, given, coins in zip(table.seats, setup["seats"], rules["coins"], strict=True):
            deck = []
            for kind in table.texts:
                number = rules["start"].get(kind, 0)
                deck += [(kind, start[kind] + place + 1) for place in range(number)]
                start[kind] += number
            self._must("deck", sorted(seat.deck), sorted(deck))
            self._must("coins", [seat.silver, seat.gold], coins)
            empty = ("hand", "discard", "play", "own", "tokens", "barriers", "arcana_taken")
            empty += ("rewards", "announced", "uses", "kinds_cast", "defended", "witch")
            self._must("seat", [name for name in empty if given[name]], [])

    def _check_supply(self, players):
        setup, table, rules = self.setup, self.table, self.setup["rules"]
        chosen, rares = setup["chosen"], setup["rares"]
        self._must("chosen", len(set(chosen)), rules["supply_kinds"])
        self._must("chosen", len(chosen), rules["supply_kinds"])
        self._must("chosen", [kind for kind in chosen if kind not in rules["pool"]], [])
        for tag in ("hand_growing", "burn"):
            if not any(tag in table.texts[kind]["tags"] for kind in chosen):
                self.fail(f"chosen: no kind is {tag}")
        attacks, defences = (
            any(table.has(kind, attribute) for kind in chosen)
            for attribute in ("attack", "defence")
        )
        if attacks and not defences:
            self.fail("chosen: attacks without a defence")
        self._must("rares", len(set(rares)), players * rules["rares_per_player"])
        self._must("rares", {table.sort(kind) for kind in rares} - {"rare"}, set())
        cards = [(kind, place + 1) for kind in chosen for place in range(rules["copies"])]
        cards += [(kind, 1) for kind in rares]
        self._must("magic deck", sorted(table.magic_deck), sorted(cards))

    def _check_piles(self, players):
        setup, rules = self.setup, self.setup["rules"]
        piles = dict(rules["piles"])
        for kind, copies in rules["start"].items():
            if rules["start_taken"] and piles.get(kind, -1) >= 0:
                piles[kind] = max(piles[kind] - copies * players, 0)
        piles["curse"] = rules["curses_per_rival"] * (players - 1)
        right = {kind: size for kind, size in piles.items() if size}
        self._must("piles", setup["piles"], right)

    def _opening(self):
        for seat in self.table.seats:
            self.draw(seat, self.table.rules["start_hand"])
        self._refill()

    def _refill(self):
        """Turn cards up until enough kinds lie in the field."""
        table = self.table
        while len(table.field) < table.rules["field_kinds"] and table.magic_deck:
            card = self.move(ANY, "magic_deck", "field", None)
            self.leave(table.magic_deck, card, "magic deck")
            table.field.setdefault(card[0], []).append(card)

    # -- a turn ----------------------------------------------------------------------------------

    def _turn(self):
        table = self.table
        seat = table.current
        self._start(seat)
        table.phase = "cast"
        while (kind := self.decide(seat, "cast", self._cast_options(seat))) != STOP:
            self._cast(seat, kind)
        table.phase = "acquire"
        self._lay_stones(seat)
        while table.acquisitions > 0:
            choice = self.decide(seat, "acquire", self._acquire_options(seat))
            if choice == STOP:
                break
            if choice in table.contracts:
                self._contract(seat, choice)
            else:
                self._acquire(seat, choice)
        self._end_turn(seat)

    def _start(self, seat):
        table = self.table
        table.phase = "start"
        table.turn += 1
        seat.turns += not table.extra
        self.state(
            "turn",
            seat,
            turns=seat.turns,
            extra=table.extra,
            hand=len(seat.hand),
            truths=[table.truth(each) for each in table.seats],
            kinds=len(table.field),
            magic_deck=len(table.magic_deck),
        )
        table.mana_obtained = 0
        if not table.extra:
            if seat.announced:
                seat.announced = False
                if table.holds(seat):
                    self.win(seat)
                self.judged("lapsed", seat)
            self.judge(seat, "curses")
        self.change("casts", seat, table.rules["turn_casts"])
        self.change("acquisitions", seat, table.rules["turn_acquisitions"])
        reversal = table.rules["reversal"]
        if len(seat.hand) < len(reversal):
            self.seen["reversal"] += 1
            self.draw(seat, reversal[len(seat.hand)])
        for card in list(seat.own):
            self._start_card(seat, card)
        if seat.witch:
            self.play(seat, table.contracts[seat.witch]["ability"])
            if table.power(seat, "tokens_for_truth"):
                self._burn_for_tokens(seat)

    def _start_card(self, seat, card):
        table, kind = self.table, card[0]
        text = table.texts[kind]["turn_start"]
        self.seen["turn start effects"] += bool(text)
        self.play(seat, text)
        if table.has(kind, "duration"):
            seat.own.remove(card)
            seat.discard.append(self.move(card, "own", "discard", seat))
        elif text and table.has(kind, "familiar"):
            self.reward(seat, kind)

    def _burn_for_tokens(self, seat):
        table = self.table
        truths = {kind for kind, _ in seat.hand if table.sort(kind) == "truth"}
        kind = self.decide(seat, "tokens", truths | {STOP})
        if kind != STOP:
            self.burn(seat, self.from_hand(seat, kind), "hand")
            self.gain_tokens(seat, table.texts[kind]["truth"])
            self.draw(seat, table.power(seat, "token_draw"))

    def _cast_options(self, seat):
        table, found = self.table, {STOP}
        if table.casts > 0:
            for kind, _ in seat.hand:
                needs = table.texts[kind]["needs"]
                if table.castable(kind) and all(table.conditions(seat, text) for text in needs):
                    found.add(kind)
        return found

    def _cast(self, seat, kind):
        table, text = self.table, self.table.texts[kind]
        self.change("casts", seat, -1)
        place = "own" if table.stays(kind) else "play"
        card = self.from_hand(seat, kind)
        getattr(seat, place).append(self.move(card, "hand", place, seat))
        if table.has(kind, "attack"):
            self.state("attack", seat, card=kind)
            self.attack = kind
        if seat.witch:
            self._count_use(seat, kind)
        self.play(seat, text["effects"])
        if table.has(kind, "familiar"):
            self.reward(seat, kind)
        if seat.witch and text["gives"] and seat.uses[kind] % text["gives_every"] == 0:
            self.seen["gives"] += 1
            self.obtain(seat, text["gives"], "discard")

    def _count_use(self, seat, kind):
        seat.uses[kind] += 1
        self.counted("uses", seat, 1, seat.uses[kind], card=kind)
        if self.table.is_magic(kind) and kind not in seat.kinds_cast:
            seat.kinds_cast.append(kind)
            self.counted("kinds_cast", seat, 1, len(seat.kinds_cast))
            self.judge(seat, "kinds")
        victory = self.table.victory(seat)
        if victory is not None and victory["card"] == kind:
            self.judge(seat, "uses")

    def _lay_stones(self, seat):
        table = self.table
        stones = [card for card in seat.hand if table.sort(card[0]) == "stone"]
        seat.hand = [card for card in seat.hand if table.sort(card[0]) != "stone"]
        for card in stones:
            seat.play.append(self.move(card, "hand", "play", seat))
        self.change("gold", seat, len(stones) * table.power(seat, "stone_gold"))
        self.gain_mana(seat, sum(table.texts[kind]["mana"] for kind, _ in stones))

    def _acquire_options(self, seat):
        table, found = self.table, {STOP}
        coins = seat.silver + seat.gold
        for kind in table.on_offer(seat):
            usable = 0 if table.texts[kind]["mana_only"] else coins
            if table.price(seat, kind) <= table.mana + usable:
                found.add(kind)
        if not seat.witch:
            bans = self.table.bans[seat.number - 1]
            for witch in table.witches:
                if table.contract_cost(witch) <= table.mana and witch not in bans:
                    found.add(witch)
        return found

    def _acquire(self, seat, kind):
        table = self.table
        price = table.price(seat, kind)
        self.change("acquisitions", seat, -1)
        mana = min(price, table.mana)
        silver = min(price - mana, seat.silver)
        self.change("mana", seat, -mana)
        self.change("silver", seat, -silver)
        self.pay_gold(seat, price - mana - silver)
        self.obtain(seat, kind, "discard")
        for seal in table.seals_on(kind):
            self.seen["seal's effects"] += 1
            self.play(seat, table.seal_texts[seal]["effects"])

    def _contract(self, seat, witch):
        table, text = self.table, self.table.contracts[witch]
        self.change("mana", seat, -table.contract_cost(witch))
        self.change("acquisitions", seat, -1)
        table.witches.remove(witch)
        seat.witch = witch
        self.seen["contract"] += 1
        self.move((witch, 1), "witches", "own", seat)
        table.removed += self._gather(seat, "removed", lambda kind: kind == "apprentice")
        notes = self._gather(seat, "burned", lambda kind: "notes" in table.texts[kind]["tags"])
        table.burned += notes
        if table.power(seat, "notes_as_arcana"):
            self.change("arcana_taken", seat, len(notes))
        place = "hand" if table.rules["gift_to_hand"] else "discard"
        for kind in [*text["gifts"], *text["note_gifts"][: len(notes)]]:
            self.obtain(seat, kind, place)
        later = ("curses", "extra_gold")
        victory = table.victory(seat)
        if victory is not None and victory["kind"] not in later:
            self.judge(seat, victory["kind"])

    def _gather(self, seat, target, wanted):
        """Take cards out of all zones of a seat, in the order hand, deck, discard, play, own."""
        gathered = []
        for zone in ("hand", "deck", "discard", "play", "own"):
            cards = getattr(seat, zone)
            for card in [card for card in cards if wanted(card[0])]:
                # In what order they lie in the deck, nobody knows.
                moved = self.move(ANY if zone == "deck" else card, zone, target, seat)
                if not wanted(moved[0]):
                    self.fail(f"{moved} stays where it is")
                self.leave(cards, moved, zone)
                gathered.append(moved)
        seat.known = [kind for kind in seat.known if not wanted(kind)]
        return gathered

    # -- the end of a turn -----------------------------------------------------------------------

    def _end_turn(self, seat):
        table = self.table
        table.phase = "end"
        if table.extra:
            self.judge(seat, "extra_gold")
        for zone in ("play", "hand"):
            for card in getattr(seat, zone):
                seat.discard.append(self.move(card, zone, "discard", seat))
            setattr(seat, zone, [])
        self.draw(seat, table.rules["turn_hand"])
        for what in ("mana", "casts", "acquisitions"):
            self.change(what, seat, -getattr(table, what))
        self.change("silver", seat, -seat.silver)
        self._refill()
        if len(table.field) <= table.rules["end_kinds"]:
            self.end("field")
        if not table.extra and self._wins_extra_turn(seat):
            table.extra, table.extra_earned = True, False
            return
        table.extra = table.extra_earned = False
        self._next_seat(seat)

    def _wins_extra_turn(self, seat):
        table = self.table
        if table.extra_earned:
            self.state("extra_turn", seat, by="card")
            return True
        price = table.power(seat, "extra_turn_gold")
        if not price or seat.gold < price:
            return False
        if self.decide(seat, "extra_turn", {seat.witch, STOP}) == STOP:
            return False
        self.pay_gold(seat, price)
        self.state("extra_turn", seat, by="gold")
        return True

    def _next_seat(self, seat):
        table = self.table
        if seat.number < table.players:
            table.current = table.seats[seat.number]
            return
        if table.round >= table.rules["round_cap"]:
            self.end("round_cap")
        table.round += 1
        table.current = table.seats[0]
