"""What texts do (README.md, *Cards*), as an outsider works it out from a trace."""

from __future__ import annotations

from tests.titles.majestic.auditor_events import ANY, Events
from tests.titles.majestic.auditor_table import Table, Unit, parsed

__all__ = ["Effects", "Over"]


class Over(Exception):  # noqa: N818 - no error, the end
    """The game is over in the middle of what happens (MM-G1, MM-G2)."""

    def __init__(self, rule, reason, losers):
        super().__init__(reason)
        self.rule, self.reason, self.losers = rule, reason, losers


class Effects(Events):
    """Does on its table what texts say, and what costs and losses do; each event must tell it."""

    def __init__(self, events):
        super().__init__(events)
        self.table = Table(self.setup)
        self.rules = self.setup["rules"]
        #: Cards that have left the field while they were down (MM-U5).
        self.left_down = set()

    # -- cards -----------------------------------------------------------------------------------

    def take(self, rule, seat, source, target, wanted=None, **fields):
        """Move a card from a zone to another; ``wanted`` says which ones may go."""
        event = self.next(
            rule, "move", **{"from": source}, to=target, card=ANY, copy=ANY, owner=seat.number,
            **fields,
        )  # fmt: skip
        card, zone = (event["card"], event["copy"]), getattr(seat, source)
        if card not in zone:
            self.fail(rule, f"{card} of {event} does not lie there; must be one of {zone}")
        if wanted and not wanted(card):
            self.fail(rule, f"{card} of {event} is another card than must go")
        zone.remove(card)
        if hasattr(seat, target):
            getattr(seat, target).append(card)
        return card

    def draw(self, rule, seat):
        """Draw a card, if there is one."""
        if seat.deck:
            card = self.take(rule, seat, "deck", "hand")
            seat.counts["drawn"] += 1
            seat.kinds[card[0], "drawn"] += 1

    def check_decks(self, *seats):
        """End the game if a deck is empty (MM-G2)."""
        seats = seats or self.table.seats
        losers = [s for s in seats if not s.deck or not s.mana_deck]
        if losers:
            reason = "mana_deck" if losers[0].deck else "main_deck"
            raise Over("MM-G2", "both" if len(losers) > 1 else reason, losers)

    def put_mana(self, rule, seat, *, ready=True):
        """Put the top card of the mana deck to the mana zone; then its effect may be used."""
        if not seat.mana_deck:
            return
        card = self.take(rule, seat, "mana_deck", "mana", ready=ready)
        if not ready:
            seat.down.add(card)
        self.check_decks()
        self.special(seat, card)

    def special(self, seat, card):
        """Let special mana that came to the zone be used (MM-K1)."""
        text = self.table.faces[card[0]]
        if not text["effects"]:
            return
        able = self.table.usable(text, seat)
        reasons = {"use_effect": "" if able else "MM-P1", "stop": ""}
        if self.decide("MM-K1", "special", seat, reasons) == "use_effect":
            self.state("MM-K1", "uses", owner=seat.number, card=card[0])
            target = self.target(text, seat, None)
            seat.counts["special_used"] += 1
            self.work(text, seat, None, target, "special")

    def lose_lp(self, rule, seat, source):
        """Lose the top LP card to the own mana zone (MM-B5); return it, or nothing."""
        if not seat.lp:
            return None
        top = seat.lp[-1]
        card = self.take(rule, seat, "lp", "mana", lambda one: one == top, ready=True)
        self.table.other(seat).counts[f"lp_by_{source}"] += 1
        return card

    def check_lp(self):
        losers = [seat for seat in self.table.seats if not seat.lp]
        if losers and self.told("what") == "special":
            self.stray("MM-G4", "the loss comes first")
        if losers:
            raise Over("MM-G1", "both" if len(losers) > 1 else "lp", losers)

    # -- units -----------------------------------------------------------------------------------

    def of(self, unit):
        name, copy = unit.card
        return {"owner": unit.seat.number, "card": name, "copy": copy, "place": unit.place}

    def turn_unit(self, rule, unit, *, ready):
        if unit.ready != ready:
            name, copy = unit.card
            self.turned(rule, unit.seat, "field", ready, card=name, copy=copy)
            unit.ready = ready

    def turned(self, rule, seat, zone, ready, **card):
        self.state(rule, "turned", owner=seat.number, zone=zone, ready=ready, **card)

    def arrive(self, rule, seat, source, wanted, area, *, fresh):
        """Put a unit onto the field: the free place with the lowest number (MM-U2)."""
        place = seat.free()
        more = {"rule_of": {"place": "MM-U2", "fresh": "MM-U1"}}
        card = self.take(rule, seat, source, area, wanted, place=place, fresh=fresh, **more)
        unit = Unit(seat, card, self.table.faces[card[0]], place, area, fresh=fresh)
        seat.units[place] = unit
        seat.counts["most_units"] = max(seat.counts["most_units"], len(seat.units))
        return unit

    def leave(self, rule, unit, zone):
        name, copy = unit.card
        self.next(
            rule, "move", **{"from": unit.area}, to=zone, card=name, copy=copy,
            owner=unit.seat.number,
        )  # fmt: skip
        unit.gone = True
        if not unit.ready:
            self.left_down.add(unit.card)
        del unit.seat.units[unit.place]
        getattr(unit.seat, zone).append(unit.card)

    def destroy(self, rule, units, first):
        """Destroy units place by place, first those of one seat (MM-K2)."""
        for unit in sorted(units, key=lambda one: (one.seat is not first, one.place)):
            named = dict.fromkeys(("owner", "card", "copy", "place"), "MM-K2")
            self.state(rule, "destroyed", rule_of=named, **self.of(unit))
            self.leave(rule, unit, "trash")
            unit.seat.counts["units_lost"] += 1
            unit.seat.kinds[unit.card[0], "fallen"] += 1

    def fall(self, first):
        every = [unit for seat in self.table.seats for unit in seat.ordered() if unit.falls]
        self.destroy("MM-B4", every, first)

    def hurt(self, rule, units, numbers, first):
        """Deal damage to all of them before any is destroyed."""
        for unit, number in zip(units, numbers, strict=True):
            if number:
                unit.damage += number
                self.state(rule, "damage", **self.of(unit), now=unit.damage)
        self.fall(first)

    def room(self, seat, area):
        limit = self.rules["area_limit"]
        return not limit or seat.area(area) < limit

    def area(self, seat):
        reasons = {
            f"to_{area}": "" if self.room(seat, area) else "MM-U1" for area in ("front", "back")
        }
        return self.decide("MM-T3", "area", seat, reasons).removeprefix("to_")

    def can_come(self, seat):
        """Return the rule that forbids another unit, or nothing."""
        if seat.free() is None:
            return "MM-U2"
        return "" if self.room(seat, "front") or self.room(seat, "back") else "MM-U1"

    def shift(self, rule, unit, *, moves):
        source, area = unit.area, "back" if unit.area == "front" else "front"
        self.next(
            rule, "move", **{"from": source}, to=area, **self.of(unit), moves=moves,
            rule_of={"place": "MM-U2"},
        )  # fmt: skip
        unit.area = area

    # -- texts -----------------------------------------------------------------------------------

    def target(self, text, seat, unit):
        """Let the target be chosen and told, if the text has one (MM-P3)."""
        found = self.table.targets(text, seat, unit)
        if not found:
            return None
        every = {"own": seat, "enemy": self.table.other(seat)}
        reasons = {
            f"{word}_{place}": "" if f"{word}_{place}" in found else "MM-P1"
            for word, side in every.items()
            for place in side.units
        }
        one = found[self.decide("MM-P3", "target", seat, reasons)]
        told = self.of(one) | {"owner": seat.number}
        self.state("MM-P3", "aim", whose=one.seat.number, **told)
        return one

    def work(self, text, seat, unit, target, source):
        """Let all effects of a text work, from first to last."""
        for effect in text["effects"]:
            words, per, conditions = parsed(effect)
            if not self.table.holds(conditions, seat, unit, target):
                continue
            name, *args = words
            if args and args[-1].lstrip("-").isdigit():
                number = int(args.pop())
                if per:
                    number *= self.table.ask(per, seat, unit, target)
                args.append(number if name in ("ap", "dp") else max(0, number))
            do = getattr(self, f"do_{name}")
            do(_Text(seat, unit, target, source), *args)

    def whom(self, text, word):
        other = self.table.other(text.seat)
        one = {
            "target": text.target,
            "self": text.unit,
            "attacker": self.table.attacker,
            "blocker": self.table.blocker,
        }
        if word in one:
            return [one[word]] if one[word] and not one[word].gone else []
        sides = {"own": (text.seat,), "enemy": (other,), "all": (text.seat, other)}[word]
        return [unit for side in sides for unit in side.ordered()]

    def sides(self, text, word):
        other = self.table.other(text.seat)
        return {"own": [text.seat], "enemy": [other], "both": [text.seat, other]}[word]

    def do_damage(self, text, word, number):
        units = self.whom(text, word)
        self.hurt(text.rule, units, [number] * len(units), text.seat)

    def do_destroy(self, text, word):
        self.destroy(text.rule, self.whom(text, word), text.seat)

    def do_return(self, text, word):
        for unit in self.whom(text, word):
            self.leave(text.rule, unit, "hand")
            unit.seat.counts["units_returned"] += 1

    def do_ap(self, text, word, number):
        self._bonus(text, word, "ap", number)

    def do_dp(self, text, word, number):
        self._bonus(text, word, "dp", number)
        self.fall(text.seat)

    def _bonus(self, text, word, what, number):
        for unit in self.whom(text, word):
            unit.add(what, number)
            named = {"now": "MM-U3"}
            self.state(text.rule, what, rule_of=named, **self.of(unit), now=getattr(unit, what))

    def do_grant(self, text, word, keyword):
        for unit in self.whom(text, word):
            unit.keywords.add(keyword)
            named = {"now": "MM-U6"}
            self.state(text.rule, "keywords", rule_of=named, **self.of(unit), now=unit.bits)

    def do_ready(self, text, word):
        for unit in self.whom(text, word):
            self.turn_unit(text.rule, unit, ready=True)

    def do_turn_down(self, text, word):
        for unit in self.whom(text, word):
            self.turn_unit(text.rule, unit, ready=False)

    def do_shift(self, text, word, area):
        for unit in self.whom(text, word):
            goal = ("back" if unit.area == "front" else "front") if area == "other" else area
            if goal != unit.area and self.room(unit.seat, goal):
                self.shift(text.rule, unit, moves=False)

    def do_draw(self, text, side, number):
        for _ in range(number):
            for seat in self.sides(text, side):
                self.draw(text.rule, seat)
            self.check_decks()

    def do_mill(self, text, side, number):
        for _ in range(number):
            for seat in self.sides(text, side):
                if seat.deck:
                    self.take(text.rule, seat, "deck", "trash")
            self.check_decks()

    def do_discard(self, text, side, number):
        for seat in self.sides(text, side):
            for _ in range(min(number, len(seat.hand))):
                self.discard("MM-K3", seat)

    def discard(self, rule, seat):
        name = self.decide(rule, "discard", seat, dict.fromkeys(sorted(seat.names()), ""))
        self.take(rule, seat, "hand", "trash", lambda card: card[0] == name)
        seat.counts["discarded"] += 1
        seat.kinds[name, "discarded"] += 1

    def do_hit(self, text, side, number):
        for _ in range(number):
            lost = []
            for seat in self.sides(text, side):
                source = "itself" if seat is text.seat else text.source
                lost.append((seat, self.lose_lp(text.rule, seat, source)))
            self.check_lp()
            for seat, card in lost:
                if card:
                    self.special(seat, card)

    def do_heal(self, text, side, number):
        for _ in range(number):
            for seat in self.sides(text, side):
                if seat.mana_deck:
                    self.take(text.rule, seat, "mana_deck", "lp")
                    seat.counts["lp_gained"] += 1
            self.check_decks()

    def do_mana(self, text, upright, number):
        for _ in range(number):
            self.put_mana(text.rule, text.seat, ready=upright == "ready")

    def do_refresh(self, text, number):
        seat = text.seat
        for name, copy in [card for card in seat.mana if card in seat.down][:number]:
            self.turned(text.rule, seat, "mana", True, card=name, copy=copy)
            seat.down.discard((name, copy))

    def do_recycle(self, text, number):
        seat = text.seat
        last = seat.trash[-number:] if number else []
        for _ in range(len(last)):
            self.take(text.rule, seat, "trash", "deck", lambda card: card in last)
        self.shuffled(text.rule, seat)

    def shuffled(self, rule, seat):
        self.next(rule, "shuffle", zone="deck", owner=seat.number, cards=len(seat.deck))

    def do_search(self, text, sort, number):
        self._fetch(text.seat, "deck", sort, number)
        # Of a deck whose last card was found, nothing is left to shuffle; it is told all the same.
        self.shuffled("MM-K3", text.seat)
        self.check_decks()

    def do_salvage(self, text, sort, number):
        self._fetch(text.seat, "trash", sort, number)

    def _fetch(self, seat, zone, sort, number):
        name = self.fetched(seat, zone, sort, number)
        if name:
            self.take("MM-K3", seat, zone, "hand", lambda card: card[0] == name)

    def fetched(self, seat, zone, sort, number):
        """Return the name of the card that is chosen, or nothing."""
        reasons = {"stop": ""}
        for name, _ in getattr(seat, zone):
            face = self.table.faces[name]
            fits = face["cost"] <= number and sort in ("card", face["sort"])
            reasons[name] = "" if fits else "MM-K1"
        name = self.decide("MM-K3", "fetch", seat, reasons)
        return None if name == "stop" else name

    def do_revive(self, text, number):
        self._put(text.seat, "trash", number)

    def do_deploy(self, text, number):
        self._put(text.seat, "hand", number)

    def _put(self, seat, zone, number):
        if self.can_come(seat):
            return
        name = self.fetched(seat, zone, "unit", number)
        if name:
            area = self.area(seat)
            self.arrive("MM-K1", seat, zone, lambda card: card[0] == name, area, fresh=False)


class _Text:
    """Whose text it is, the unit that bears it, its target, and what it counts as."""

    def __init__(self, seat, unit, target, source):
        self.seat, self.unit, self.target, self.source = seat, unit, target, source
        #: The rule by which its effects work.
        self.rule = "MM-U4" if source == "units" else "MM-K1"
