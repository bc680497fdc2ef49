"""Checks a trace by the rulebook: is every event the one that the rules make of what went before?

The auditor knows RULES.md, the README and what the set-up event states, and no engine. It is given
a list of events, as ``tenbin trace --format jsonl`` writes them, and rebuilds the whole game from
the set-up on. What chance and the players did, it reads; whatever the rules make of that, it works
out, and every event must be that one, in all its fields. A :class:`Violation` names the rule.
"""

from __future__ import annotations

from collections import Counter

from tests.titles.majestic.auditor_effects import Effects, Over
from tests.titles.majestic.auditor_events import ANY, HEAD, Violation

__all__ = ["DECK", "REASONS", "Auditor", "Violation", "audit"]

#: What MM-D1 asks of a deck; games by other numbers say so.
DECK = {"main": 40, "mana": 20, "copies": 4, "special": 4}

#: Why games end, in the order of the records.
REASONS = ("lp", "main_deck", "mana_deck", "both", "round_cap")


def audit(events, deck=()):
    """Follow a trace to its end; return the auditor, with all that it saw and counted.

    Raises
    ------
    Violation
        At the first event that the rules do not make of what went before.
    """
    auditor = None
    try:
        auditor = Auditor(events, DECK | dict(deck))
        auditor.game()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        place = auditor.place - 1 if auditor else 0
        raise Violation("trace", place, f"it cannot be followed: {error!r}") from error
    return auditor


class Auditor(Effects):
    """Follows a whole game, and does on its own table what each event says."""

    def __init__(self, events, deck):
        super().__init__(events)
        self.deck = deck
        self.seats = self.table.seats
        self.all_cards = [seat.cards() for seat in self.seats]
        self.reason, self.losers = None, []

    def game(self):
        self._check_setup()
        try:
            self._set_up()
            while True:
                for seat in self.seats:
                    self._turn(seat)
                    self._row(seat)
                if self.round >= self.rules["round_cap"]:
                    raise Over("MM-G5", "round_cap", list(self.seats))
                self.round += 1
        except Over as over:
            self._end(over)

    def next(self, rule, event, *, rule_of=None, **fields):
        """Take an event; no card may have been lost or made by the one before it."""
        found = super().next(rule, event, rule_of=rule_of, **fields)
        for seat, cards in zip(self.seats, self.all_cards, strict=True):
            if seat.cards() != cards:
                self.fail("trace", f"seat {seat.number} has other cards than it brought")
        return found

    # -- set-up ----------------------------------------------------------------------------------

    def _check_setup(self):
        setup = self.setup
        head = {"n": 0, "round": 1, "turn": 0, "seat": 0, "phase": "setup", "event": "setup"}
        self.must("trace", "head", {name: setup[name] for name in HEAD}, head)
        self.must("trace", "title", setup["title"], "majestic")
        self.must("MM-G1", "players", [setup["players"], len(setup["seats"])], [2, 2])
        for told in setup["seats"]:
            for zone in ("hand", "lp", "mana", "trash", "units"):
                self.must("MM-S1", zone, told[zone], [])
            self.must("MM-S3", "sorcerer", told["sorcerer_ready"], True)
            if told["sorcerer"] not in self.table.sorcerers:
                self.fail("MM-D1", f"no sorcerer {told['sorcerer']!r}")
            self._check_deck(told)

    def _check_deck(self, told):
        deck, faces = self.deck, self.table.faces
        self.must("MM-D1", "main deck", len(told["deck"]), deck["main"])
        self.must("MM-D1", "mana deck", len(told["mana_deck"]), deck["mana"])
        cards = list(map(tuple, told["deck"] + told["mana_deck"]))
        self.must("MM-D1", "cards twice", len(set(cards)), len(cards))
        main, mana = (Counter(name for name, _ in told[zone]) for zone in ("deck", "mana_deck"))
        for name, number in main.items():
            if faces[name].get("sort") not in ("unit", "spell") or number > deck["copies"]:
                self.fail("MM-D1", f"{number} of {name} in a main deck")
        special = Counter()
        for name, number in mana.items():
            if "sort" in faces[name] or (faces[name]["effects"] and number > deck["copies"]):
                self.fail("MM-D1", f"{number} of {name} in a mana deck")
            special[faces[name]["attribute"]] += number if faces[name]["effects"] else 0
        if max(special.values(), default=0) > deck["special"]:
            self.fail("MM-D1", f"special mana: {dict(special)}")

    def _set_up(self):
        for seat in self.seats:
            self._hand(seat)
        for seat in self.seats:
            for _ in range(self.rules["redraws"]):
                if self.decide("MM-S2", "redraw", seat, {"redraw": "", "stop": ""}) == "stop":
                    break
                seat.counts["redraws"] += 1
                for _ in range(len(seat.hand)):
                    self.take("MM-S2", seat, "hand", "deck")
                self.shuffled("MM-S2", seat)
                self._hand(seat, "MM-S2")
            if self.told("what") == "redraw" and self.told("owner") == seat.number:
                self.stray("MM-S2", "there is no other redraw")
            for name, _ in seat.hand:
                seat.kinds[name, "opening"] += 1
        for seat in self.seats:
            for _ in range(self.rules["lp"]):
                self.take("MM-S3", seat, "mana_deck", "lp")

    def _hand(self, seat, rule="MM-S1"):
        for _ in range(self.rules["hand"]):
            name, _ = self.take(rule, seat, "deck", "hand")
            seat.kinds[name, "drawn"] += 1

    # -- a turn ----------------------------------------------------------------------------------

    def _turn(self, seat):
        table, rules = self.table, self.rules
        self.turn += 1
        self.on_turn = table.turn_seat = seat.number
        self.phase = "regenerate"
        told = [
            {
                "lp": len(one.lp),
                "hand": len(one.hand),
                "mana": len(one.mana),
                "units": len(one.units),
                "deck": len(one.deck),
                "mana_deck": len(one.mana_deck),
            }
            for one in self.seats
        ]
        self.state("MM-T1", "turn", seats=told)
        for one in self.seats:
            one.acts = 0
        self._regenerate(seat)
        self.phase = "draw"
        for _ in range(rules["first_draw" if self.turn == 1 else "draw"]):
            self.draw("MM-T1", seat)
            self.check_decks()
        self.phase = "mana"
        self._mana_phase(seat)
        self.phase, table.in_main = "main", True
        self._free_again()
        while self._act(seat):
            pass
        self.phase, table.in_main = "battle", False
        while self._battle(seat):
            if self.told("what") in ("exchange", "block"):
                self.stray("MM-B6", "the battle is over")
        self.phase = "end"
        self._end_phase(seat)

    def _regenerate(self, seat):
        for unit in seat.ordered():
            self.turn_unit("MM-T1", unit, ready=True)
        if (self.told("card"), self.told("copy")) in self.left_down:
            self.stray("MM-U5", "the unit that was down has left, this is another one")
        for name, copy in [card for card in seat.mana if card in seat.down]:
            self.turned("MM-T1", seat, "mana", True, card=name, copy=copy)
        seat.down.clear()
        if not seat.sorcerer_ready:
            self.turned("MM-T1", seat, "sorcerer", True)
            seat.sorcerer_ready = True

    def _mana_phase(self, seat):
        reasons = {"put_mana": "", "draw_card": ""}
        if self.decide("MM-T2", "mana_phase", seat, reasons) == "put_mana":
            seat.counts["mana_put"] += 1
            self.put_mana("MM-T2", seat)
            return
        seat.counts["mana_drawn"] += 1
        for _ in range(self.rules["mana_draw"]):
            self.draw("MM-T2", seat)
            self.check_decks()

    def _end_phase(self, seat):
        self.state("MM-T5", "turn_ends")
        for one in self.seats:
            for unit in one.ordered():
                unit.refresh()
                unit.fresh = unit.moved = False
        while len(seat.hand) > self.rules["hand_limit"]:
            self.discard("MM-T5", seat)

    # -- playing cards, using abilities, moving --------------------------------------------------

    def _free_again(self):
        """Let free abilities be used once more (MM-P2)."""
        for seat in self.seats:
            seat.sorcerer_spent = False
            for unit in seat.ordered():
                unit.spent = False

    def _act(self, seat):
        """Follow what the turn player does in its main phase; return whether it goes on."""
        reasons = {"stop": ""} | self._plays(seat, ("unit", "spell"))
        for word, area in (("advance", "back"), ("retreat", "front")):
            movable = self._movable(seat, area)
            able = [unit for unit, reason in movable if not reason]
            reasons[word] = "" if able else next((reason for _, reason in movable), "MM-T3")
        choice = self.decide("MM-T3", "main", seat, reasons)
        if choice == "stop":
            return False
        if choice in ("advance", "retreat"):
            movable = self._movable(seat, "back" if choice == "advance" else "front")
            named = {f"own_{unit.place}": reason for unit, reason in movable}
            word = self.decide("MM-T3", "move", seat, named)
            unit = seat.units[int(word.removeprefix("own_"))]
            self.shift("MM-T3", unit, moves=True)
            unit.moved = True
            seat.counts["moves"] += 1
        else:
            self._do(seat, choice)
        return True

    def _movable(self, seat, area):
        """Return the units of an area, and the rules that keep them from moving."""
        goal = "front" if area == "back" else "back"
        found = []
        for unit in seat.ordered():
            if unit.area == area:
                reason = "MM-T3" if unit.moved else "MM-U1" if unit.held else ""
                found.append((unit, reason or ("" if self.room(seat, goal) else "MM-U1")))
        return found

    def _plays(self, seat, sorts):
        """Return cards and abilities as options, with the rules that forbid them."""
        table, full = self.table, seat.acts >= self.rules["acts_cap"]
        reasons = {}
        for name in seat.names():
            face = table.faces[name]
            reason = "" if face["sort"] in sorts else "MM-P1"
            if not reason and not table.can_pay(seat, face, face["cost"]):
                reason = "MM-C1"
            if not reason and face["sort"] == "unit":
                reason = self.can_come(seat)
            elif not reason and not table.usable(face, seat):
                reason = "MM-P1"
            reasons[name] = "MM-G6" if full and not reason else reason
        for unit in seat.ordered():
            reason = self._ability(seat, unit.face, unit)
            reasons[f"own_{unit.place}"] = "MM-G6" if full and not reason else reason
        reason = self._ability(seat, table.sorcerers[seat.sorcerer], None)
        return reasons | {"sorcery": "MM-G6" if full and not reason else reason}

    def _ability(self, seat, bearer, unit):
        """Return the rule that forbids an ability, or nothing."""
        text = bearer["ability"]
        if not text:
            return "MM-P1"
        if text["down"] and unit and unit.held:
            return "MM-U1"
        if text["down"] and not (unit.ready if unit else seat.sorcerer_ready):
            return "MM-P1"
        if not self.table.can_pay(seat, bearer, text["cost"]):
            return "MM-C1"
        if unit.spent if unit else seat.sorcerer_spent:
            return "MM-P2"
        return "" if self.table.usable(text, seat, unit) else "MM-P1"

    def _do(self, seat, choice):
        """Play a card or use an ability."""
        seat.acts += 1
        if choice == "sorcery" or choice.startswith("own_"):
            place = choice.removeprefix("own_")
            self._use(seat, None if choice == "sorcery" else seat.units[int(place)])
        elif self.table.faces[choice]["sort"] == "unit":
            self._play_unit(seat, choice)
        else:
            self._play_spell(seat, choice)

    def _pay(self, seat, face, cost):
        for attribute in self.table.to_pay(seat, face, cost):
            ready = [
                card
                for card in seat.mana
                if card not in seat.down and self.table.faces[card[0]]["attribute"] == attribute
            ]
            self._pay_one(seat, ready, attribute)
        seat.counts["mana_spent"] += cost

    def _pay_one(self, seat, ready, attribute):
        told = self.state(
            "MM-C1", "turned", owner=seat.number, zone="mana", card=ANY, copy=ANY, ready=False
        )
        card = (told["card"], told["copy"])
        if card not in seat.mana or card in seat.down:
            self.fail("MM-C1", f"{card} is not ready in the mana zone; must be one of {ready}")
        if card not in ready:
            self.fail("MM-C2", f"{card} is turned down; must be one of {attribute}: {ready}")
        seat.down.add(card)

    def _play_unit(self, seat, name):
        face = self.table.faces[name]
        area = self.area(seat)
        self._pay(seat, face, face["cost"])
        unit = self.arrive("MM-T3", seat, "hand", lambda card: card[0] == name, area, fresh=True)
        seat.counts["units_played"] += 1
        seat.kinds[name, "played"] += 1
        if self.table.holds(face["needs"], seat, unit):
            self.work(face, seat, unit, self.target(face, seat, unit), "units")

    def _play_spell(self, seat, name):
        face = self.table.faces[name]
        target = self.target(face, seat, None)
        self._pay(seat, face, face["cost"])
        card = self.take("MM-P1", seat, "hand", "played", lambda one: one[0] == name)
        seat.counts["spells_played"] += 1
        seat.counts["spells_in_battle"] += self.phase == "battle"
        seat.kinds[name, "played"] += 1
        self.work(face, seat, None, target, "spells")
        self.take("MM-P1", seat, "played", "trash", lambda one: one == card)

    def _use(self, seat, unit):
        bearer = unit.face if unit else self.table.sorcerers[seat.sorcerer]
        text = bearer["ability"]
        target = self.target(text, seat, unit)
        self._pay(seat, bearer, text["cost"])
        if unit:
            self.state("MM-P1", "uses", owner=seat.number, card=unit.card[0], place=unit.place)
        else:
            self.state("MM-P1", "uses", owner=seat.number, card=seat.sorcerer)
        seat.counts["abilities_used" if unit else "sorcerer_used"] += 1
        free = not text["cost"] and not text["down"]
        if text["down"] and unit:
            self.turn_unit("MM-P1", unit, ready=False)
        elif text["down"]:
            self.turned("MM-P1", seat, "sorcerer", False)
            seat.sorcerer_ready = False
        if unit:
            unit.spent |= free
        else:
            seat.sorcerer_spent |= free
        self.work(text, seat, unit, target, "abilities" if unit else "sorcerer")

    # -- battles ---------------------------------------------------------------------------------

    def _battle(self, seat):
        """Follow a battle; return whether there was one."""
        if self.told("phase") == "main":
            self.stray("MM-T4", "there is no way back to the main phase")
        reasons = {f"own_{unit.place}": self._attack(unit) for unit in seat.ordered()}
        choice = self.decide("MM-B1", "attack", seat, reasons | {"stop": ""})
        if choice == "stop":
            return False
        table, other = self.table, self.table.other(seat)
        unit = table.attacker = seat.units[int(choice.removeprefix("own_"))]
        self.turn_unit("MM-B1", unit, ready=False)
        self.state("MM-B1", "attacks", **self.of(unit))
        seat.counts["attacks"] += 1
        seat.kinds[unit.card[0], "attacks"] += 1
        self._exchange(1, seat)
        if not unit.gone:
            self._defence(seat, other, unit)
        else:
            seat.counts["attacks_ended"] += 1
        table.attacker = table.blocker = None
        table.exchange = 0
        return True

    def _attack(self, unit):
        """Return the rule that forbids a unit to attack, or nothing."""
        if unit.held:
            return "MM-U1"
        if "bound" in unit.keywords:
            return "MM-U6"
        reaches = unit.area == "front" or "ranged" in unit.keywords
        return "" if unit.ready and reaches else "MM-B1"

    def _block(self, unit):
        """Return the rule that forbids a unit to block, or nothing."""
        if "evasive" in self.table.attacker.keywords or "bound" in unit.keywords:
            return "MM-U6"
        reaches = unit.area == "back" or "sentinel" in unit.keywords
        return "" if unit.ready and reaches else "MM-B3"

    def _exchange(self, number, attacker):
        self.table.exchange = number
        self._free_again()
        seat, passes = attacker, 0
        while passes < 2:
            reasons = {"stop": ""} | self._plays(seat, ("spell",))
            choice = self.decide("MM-B2", "exchange", seat, reasons)
            passes = passes + 1 if choice == "stop" else 0
            if choice != "stop":
                self._do(seat, choice)
            seat = self.table.other(seat)
        if self.told("what") == "exchange":
            self.stray("MM-B2", "two passes have followed each other")

    def _defence(self, seat, other, unit):
        self.table.exchange = 0
        reasons = {f"own_{one.place}": self._block(one) for one in other.ordered()}
        choice = self.decide("MM-B3", "block", other, reasons | {"stop": ""})
        if choice == "stop":
            card = self.lose_lp("MM-B5", other, "attacks")
            if self.told("from") == "lp":
                self.stray("MM-B5", "one LP card is lost")
            self.check_lp()
            if card:
                self.special(other, card)
            return
        blocker = self.table.blocker = other.units[int(choice.removeprefix("own_"))]
        self.turn_unit("MM-B3", blocker, ready=False)
        self.state("MM-B3", "blocks", **self.of(blocker))
        seat.counts["attacks_blocked"] += 1
        other.counts["blocks"] += 1
        self._exchange(2, seat)
        if unit.gone:
            seat.counts["attacks_ended"] += 1
        elif not blocker.gone:
            self.hurt("MM-B4", [blocker, unit], [unit.ap, blocker.ap], seat)

    # -- the end ---------------------------------------------------------------------------------

    def _row(self, seat):
        """Count what a seat has when its turn ends, or the game in a round without one."""
        if len(seat.rows) < self.round:
            seat.rows.append([len(seat.lp), len(seat.hand), len(seat.mana), len(seat.units)])

    def _end(self, over):
        for seat in self.seats:
            self._row(seat)
        self.reason, self.losers = over.reason, over.losers
        for seat in self.seats:
            seat.counts["lp_left"] = len(seat.lp)
        drawn = len(over.losers) == len(self.seats)
        win60 = [30 if drawn else 0 if seat in over.losers else 60 for seat in self.seats]
        ranks = [1 if drawn else 2 if seat in over.losers else 1 for seat in self.seats]
        scores = [self.taken(seat) for seat in self.seats]
        self.win60, self.ranks, self.scores = win60, ranks, scores
        told = {"scores": scores, "ranks": ranks, "win60": win60}
        self.next(over.rule, "end", reason=over.reason, **told)
        if self.place < len(self.events):
            self.place += 1
            self.fail(over.rule, "the game is over before it")

    def taken(self, seat):
        return sum(number for name, number in seat.counts.items() if name.startswith("lp_by_"))
