"""What happens on the table, step by step: each step is compared with the next events of a trace.

The trace says what chance and the players did; everything else follows from the rules, and every
event must be the one that follows.
"""

from __future__ import annotations

from collections import Counter

from tests.titles.granmagia.audit_table import ATTACKS, STOP, Table, Violation

_HEAD = ("n", "round", "turn", "seat", "phase", "event")


class GameOver(Exception):  # noqa: N818 - a course of the game, not a fault
    """The game ends here, and nothing after it happens."""


class Steps:
    """Reads a trace from event to event, and does on its own table what each one says."""

    def __init__(self, events):
        self.events, self.place = events, 0
        setup = self.next("setup")
        self.setup, self.table = setup, Table(setup)
        #: The card of the attack under way, and which seats it hits.
        self.attack, self.hit = None, {}
        #: What has been seen, by name and number of times.
        self.seen = Counter()

    # -- events ----------------------------------------------------------------------------------

    def fail(self, found):
        raise Violation(max(self.place - 1, 0), found)

    def next(self, event, fields=None):
        """Take the next event, which must be of this sort and have these fields."""
        if self.place >= len(self.events):
            raise Violation(self.place, f"the trace ends where {event!r} must follow")
        found = self.events[self.place]
        self.place += 1
        if found.get("event") != event:
            self.fail(f"{_brief(found)} where {event!r} {fields or ''} must follow")
        if found["n"] != self.place - 1:
            self.fail(f"it is numbered {found['n']}")
        if fields is not None:
            self._header(found)
            if set(found) != {*_HEAD, *fields}:
                self.fail(f"fields {sorted(found)}; must be {sorted({*_HEAD, *fields})}")
            for name, value in fields.items():
                if not _same(found[name], value):
                    self.fail(f"{name} of {_brief(found)} must be {value!r}")
        return found

    def _header(self, found):
        table = self.table
        seat = 0 if table.phase == "setup" else table.current.number
        head = {"round": table.round, "turn": table.turn, "seat": seat, "phase": table.phase}
        for name, value in head.items():
            if not _same(found[name], value):
                self.fail(f"{name} is {found[name]!r}; must be {value!r}")

    def state(self, what, seat, **fields):
        self.seen[what] += 1
        return self.next("state", {"what": what, "owner": seat.number, **fields})

    def decide(self, seat, what, options):
        """Return a seat's choice; with one option it is not asked."""
        legal = sorted(options, key=self.table.order.index)
        if len(legal) == 1:
            return legal[0]
        fields = {"what": what, "owner": seat.number, "options": legal, "choice": ANY}
        choice = self.next("choose", fields)["choice"]
        if choice not in legal:
            self.fail(f"{choice!r} is none of the options")
        self.seen[f"choose {what}"] += 1
        return choice

    # -- numbers ---------------------------------------------------------------------------------

    def change(self, what, seat, by):
        """Change a number of the turn or of a seat; never below 0."""
        of_turn = what in ("mana", "casts", "acquisitions")
        place = self.table if of_turn else seat
        before = getattr(place, what)
        now = max(before + by, 0)
        setattr(place, what, now)
        if now != before:
            self.counted(what, seat, now - before, now)

    def counted(self, what, seat, by, now, **fields):
        """Expect that a number changed."""
        told = {"what": what, "owner": seat.number, "by": by, "now": now, **fields}
        self.next("change", told)
        self.seen[f"change {what}"] += 1

    def gain_mana(self, seat, by):
        self.change("mana", seat, by)
        if by > 0:
            self.table.mana_obtained += by
            self.judge(seat, "mana")

    def gain_tokens(self, seat, by):
        if by > 0:  # they never become fewer
            self.change("tokens", seat, by)
            self.judge(seat, "tokens")

    def pay_gold(self, seat, amount):
        if seat.gold < amount:
            self.fail(f"seat {seat.number} has {seat.gold} gold and pays {amount}")
        self.change("gold", seat, -amount)

    def reward(self, seat, kind):
        """Give a familiar's reward, if the seat's witch has that power."""
        if not self.table.power(seat, "rewards"):
            return
        self.play(seat, self.table.texts[kind]["reward"])
        self.change("rewards", seat, 1)
        self.judge(seat, "rewards")

    # -- special victories -----------------------------------------------------------------------

    def judge(self, seat, *kinds):
        """Judge a seat's special victory where it is one of these kinds."""
        victory = self.table.victory(seat)
        if victory is None or victory["kind"] not in kinds or not self.table.holds(seat):
            return
        if victory["timing"] == "at_once":
            self.win(seat)
        if not seat.announced:
            seat.announced = True
            self.judged("announced", seat)

    def judged(self, what, seat):
        """Expect that a special victory is announced, lapses or is won, and why."""
        self.state(what, seat, witch=seat.witch, **self.table.terms(seat))

    def win(self, seat):
        """Let a seat win by its special victory."""
        self.judged("won", seat)
        self.seen[f"special {self.table.victory(seat)['kind']}"] += 1
        self.end("special", seat)

    def end(self, reason, winner=None):
        """End the game; the last event tells truth and ranks."""
        table = self.table
        table.phase = "over"
        scores = [table.truth(seat) for seat in table.seats]

        def standing(seat):
            if winner is not None and seat is winner:
                return (0, 0, 0)
            return (int(winner is not None), -scores[seat.number - 1], seat.turns)

        places = [standing(seat) for seat in table.seats]
        ranks = [1 + sum(other < own for other in places) for own in places]
        first = ranks.count(1)
        fields = {
            "reason": reason,
            "scores": scores,
            "ranks": ranks,
            "win60": [60 // first if rank == 1 else 0 for rank in ranks],
            "witch": winner.witch if winner is not None else None,
        }
        self.next("end", fields)
        self.seen[f"end {reason}"] += 1
        raise GameOver

    # -- cards -----------------------------------------------------------------------------------

    def move(self, card, source, target, seat, **fields):
        """Expect a move of this card; ANY as its copy, or as the whole card, leaves it open."""
        kind, copy = (ANY, ANY) if card is ANY else card
        owner = None if seat is None else seat.number
        found = self.next(
            "move",
            {"card": kind, "copy": copy, "from": source, "to": target, "owner": owner, **fields},
        )
        self.seen[f"{source} to {target}"] += 1
        return found["card"], found["copy"]

    def leave(self, cards, card, where):
        """Take a card from where it must lie."""
        if card not in cards:
            self.fail(f"{card} does not lie in the {where}")
        cards.remove(card)

    def from_hand(self, seat, kind):
        """Take the first card of a kind out of a hand."""
        card = next(card for card in seat.hand if card[0] == kind)
        seat.hand.remove(card)
        return card

    def shuffle(self, seat):
        fields = {"zone": "deck", "owner": seat.number, "cards": len(seat.discard)}
        self.next("shuffle", fields)
        self.seen["shuffle"] += 1
        seat.deck, seat.discard, seat.known = seat.discard, [], []

    def draw(self, seat, number):
        for _ in range(number):
            if not seat.deck:
                if not seat.discard:
                    break
                self.shuffle(seat)
            card = self.move(ANY, "deck", "hand", seat)
            self.leave(seat.deck, card, "deck")
            if seat.known and seat.known.pop(0) != card[0]:
                self.fail(f"{card} is not what was seen on top of the deck")
            seat.hand.append(card)

    def discard(self, seat, kind):
        card = self.from_hand(seat, kind)
        seat.discard.append(self.move(card, "hand", "discard", seat))

    def burn(self, seat, card, zone):
        self.table.burned.append(self.move(card, zone, "burned", seat))

    def new_copy(self, kind):
        self.table.copies[kind] += 1
        return kind, self.table.copies[kind]

    def obtain(self, seat, kind, place):
        """Move a card from its pile or the field to a seat."""
        table = self.table
        if kind in ("ritual", "arcana") and not seat.witch:
            return
        if kind in table.field:
            source, stack = "field", table.field[kind]
            card = stack.pop()
            if not stack:
                del table.field[kind]
        else:
            if table.sort(kind) in ("stone", "truth"):
                if not table.piles[kind]:
                    return
                table.piles[kind] -= table.piles[kind] > 0
            source, card = "pile", self.new_copy(kind)
        getattr(seat, place).append(self.move(card, source, place, seat))
        if kind == "arcana":
            self.change("arcana_taken", seat, 1)
            for _ in range(min(table.rules["arcana_burn"], len(table.magic_deck))):
                card = self.move(ANY, "magic_deck", "burned", None)
                self.leave(table.magic_deck, card, "magic deck")
                table.burned.append(card)
            self.judge(seat, "arcana_spread", "arcana_owned")

    # -- texts -----------------------------------------------------------------------------------

    def play(self, seat, texts):
        """Play a text of a card, a witch or a seal."""
        table = self.table
        table.just_discarded = table.just_burned = 0
        self.hit = {}
        for text in texts:
            found = table.effect(seat, text)
            if found is not None:
                primitive, words, amount = found
                self.seen[f"effect {primitive}"] += 1
                # Down to no card at all is an attack as well.
                if primitive in ATTACKS and amount < (primitive != "others_discard_to"):
                    continue
                getattr(self, f"do_{primitive}")(seat, amount, *words)
        table.just_discarded = table.just_burned = 0

    def do_casts(self, seat, amount):
        self.change("casts", seat, amount)

    def do_acquisitions(self, seat, amount):
        self.change("acquisitions", seat, amount)

    def do_mana(self, seat, amount):
        self.gain_mana(seat, amount)

    def do_gold(self, seat, amount):
        self.change("gold", seat, amount)

    def do_tokens(self, seat, amount):
        self.gain_tokens(seat, amount)

    def do_barrier(self, seat, amount):
        self.change("barriers", seat, max(amount, 0))

    def do_draw(self, seat, amount):
        self.draw(seat, amount)

    def do_draw_to(self, seat, amount):
        self.draw(seat, amount - len(seat.hand))

    def _choose_in_hand(self, seat, what, free):
        kinds = {kind for kind, _ in seat.hand}
        if not kinds:
            return STOP
        return self.decide(seat, what, kinds | {STOP} if free else kinds)

    def do_discard(self, seat, amount, free=False):
        for _ in range(amount):
            kind = self._choose_in_hand(seat, "discard", free)
            if kind == STOP:
                break
            self.discard(seat, kind)
            self.table.just_discarded += 1

    def do_discard_up_to(self, seat, amount):
        self.do_discard(seat, amount, free=True)

    def do_burn(self, seat, amount, free=False):
        for _ in range(amount):
            kind = self._choose_in_hand(seat, "burn", free)
            if kind == STOP:
                break
            self._burn_in_hand(seat, kind)

    def _burn_in_hand(self, seat, kind):
        self.burn(seat, self.from_hand(seat, kind), "hand")
        self.table.just_burned += 1

    def do_burn_up_to(self, seat, amount):
        self.do_burn(seat, amount, free=True)

    def do_trade(self, seat, amount):
        kind = self._choose_in_hand(seat, "burn", True)
        if kind != STOP:
            self._burn_in_hand(seat, kind)
            self.do_receive(seat, self.table.texts[kind]["cost"] + amount, "card", "discard")

    def do_receive(self, seat, amount, group, place):
        texts = self.table.texts
        offered = self.table.on_offer(seat) & self.table.group(group)
        legal = {kind for kind in offered if texts[kind]["cost"] <= amount}
        if legal:
            self.obtain(seat, self.decide(seat, "receive", legal), place)

    def do_upgrade(self, seat, amount):
        texts = self.table.texts
        for _ in range(amount):
            offered = self.table.on_offer(seat)
            legal = {kind for kind, _ in seat.hand if texts[kind]["upgrade"] in offered}
            kind = self.decide(seat, "upgrade", legal | {STOP})
            if kind == STOP:
                break
            self._burn_in_hand(seat, kind)
            self.obtain(seat, texts[kind]["upgrade"], "hand")

    def do_look(self, seat, amount):
        if amount <= 0:
            return
        if not seat.deck and seat.discard:
            self.shuffle(seat)
        kinds = self.state("looked", seat, cards=ANY)["cards"]
        if len(kinds) != min(amount, len(seat.deck)):
            self.fail(f"looks at {len(kinds)} cards; must be {min(amount, len(seat.deck))}")
        length = min(len(kinds), len(seat.known))
        if kinds[:length] != seat.known[:length]:
            self.fail(f"sees {kinds} where {seat.known} was seen on top of the deck")
        if Counter(kinds) - Counter(kind for kind, _ in seat.deck):
            self.fail(f"sees {kinds}, which do not all lie in the deck")
        seat.known = max(list(kinds), seat.known, key=len)
        place = 0
        for kind in kinds:
            if self.decide(seat, "look", {kind, STOP}) == STOP:
                place += 1
                continue
            card = self.move((kind, ANY), "deck", "discard", seat)
            self.leave(seat.deck, card, "deck")
            seat.known.pop(place)
            seat.discard.append(card)
            self.table.just_discarded += 1

    def do_extra_turn(self, _, amount):
        table = self.table
        if amount > 0 and not table.extra:
            table.extra_earned = True

    def do_seal(self, seat, _, seal):
        table = self.table
        piles = table.group(table.seal_texts[seal]["piles"]) & table.group("piles")
        pile = self.decide(seat, "seal", piles)
        self.state("sealed", seat, seal=seal, pile=pile, was=table.seals[seal])
        table.seals[seal] = pile

    # -- attacks ---------------------------------------------------------------------------------

    def is_hit(self, attacker, victim):
        """Whether a seat suffers the attack; one defence is for all of it."""
        if victim.number not in self.hit:
            defended = self._defends(attacker, victim)
            self.hit[victim.number] = not defended
            if not defended:
                self.state("hit", victim, attacker=attacker.number, attack=self.attack)
        return self.hit[victim.number]

    def _defends(self, attacker, victim):
        table = self.table
        if victim.barriers:
            self._defended(attacker, victim, "barrier", (None, None))
            self.change("barriers", victim, -1)
            self.change("casts", attacker, -table.rules["barrier_casts"])
            return True
        dolls = [card for card in victim.own if table.texts[card[0]]["defends"] == "field"]
        fresh = [card for card in dolls if card not in victim.defended]
        price = table.rules["doll_gold"]
        if fresh:
            victim.defended.add(fresh[0])
            self._defended(attacker, victim, "doll", fresh[0])
            return True
        if dolls and victim.gold >= price:
            kind = dolls[0][0]
            if self.decide(victim, "doll", {kind, STOP}) == kind:
                self._defended(attacker, victim, "doll", dolls[0], free=False)
                self.pay_gold(victim, price)
                return True
        kinds = {kind for kind, _ in victim.hand if table.texts[kind]["defends"] == "hand"}
        if kinds:
            card = self.from_hand(victim, self.decide(victim, "defend", kinds))
            self._defended(attacker, victim, "hand", card)
            victim.discard.append(self.move(card, "hand", "discard", victim))
            return True
        return False

    def _defended(self, attacker, victim, by, card, free=True):
        attack = {"attacker": attacker.number, "attack": self.attack}
        self.state("defended", victim, **attack, by=by, card=card[0], copy=card[1], free=free)
        self.seen[f"defended {by}{'' if free else ' paid'}"] += 1

    def _discards(self, seat, number):
        for _ in range(number):
            self.discard(seat, self.decide(seat, "discard", {kind for kind, _ in seat.hand}))

    def _all_hit(self, seat):
        return [other for other in self.table.others(seat) if self.is_hit(seat, other)]

    def do_others_discard(self, seat, amount):
        for other in self._all_hit(seat):
            self._discards(other, min(amount, len(other.hand)))

    def do_others_discard_to(self, seat, amount):
        for other in self._all_hit(seat):
            self._discards(other, len(other.hand) - amount)

    def _deal_curses(self, seat, amount):
        piles = self.table.piles
        for _ in range(amount):
            if not piles["curse"]:
                break
            piles["curse"] -= piles["curse"] > 0
            card = self.move(self.new_copy("curse"), "pile", "discard", seat)
            seat.discard.append(card)

    def do_curses(self, seat, amount):
        for other in self.table.others(seat):
            if self.is_hit(seat, other):
                self._deal_curses(other, amount)

    def do_take_curses(self, seat, amount):
        self._deal_curses(seat, amount)

    def do_pass_curses(self, seat, amount):
        for other in self.table.others(seat):
            if not self.is_hit(seat, other):
                continue
            curses = [card for card in seat.hand if card[0] == "curse"]
            for curse in curses[:amount]:
                seat.hand.remove(curse)
                card = self.move(curse, "hand", "discard", other, giver=seat.number)
                self.seen["passed"] += 1
                other.discard.append(card)

    def do_take_gold(self, seat, amount):
        for other in self.table.others(seat):
            if self.is_hit(seat, other):
                taken = min(amount, other.gold)
                self.change("gold", other, -taken)
                self.change("gold", seat, taken)


class _Any:
    """What the rules leave open in an event."""

    def __repr__(self):
        return "anything"


ANY = _Any()


def _same(found, value):
    """Whether two values are the same in a file: True is not 1."""
    return value is ANY or (type(found) is type(value) and found == value)


def _brief(event):
    return {name: value for name, value in event.items() if name not in _HEAD[:5]}
