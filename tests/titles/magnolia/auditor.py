"""Checks a trace by the rulebook: is every event the one that the rules make of what went before?

The auditor knows RULES.md, the README and the manual of the trace, and no engine. It is given a
list of events, as ``tenbin trace --format jsonl`` writes them, and rebuilds the whole table from
the setup event on: every zone with every copy, every amount, line, rank and objective. What chance
and the players did, it reads; whatever the rules make of that, it works out, and every event must
be that one, in all its fields.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from tests.titles.magnolia.auditor_events import ANY, HEAD, Events
from tests.titles.magnolia.auditor_table import (
    AMOUNTS,
    CELL_WORDS,
    JOBS,
    RACES,
    RESOURCES,
    STOP,
    Violation,
)

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
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        place = auditor.place - 1 if auditor else 0
        raise Violation(place, f"it cannot be followed: {error!r}") from error
    return auditor.table.seen


class Auditor(Events):
    """Follows a whole game, and does on its own table what each event says."""

    def game(self):
        self._check_setup()
        self._fill(self._fill_order())
        while not self._round():
            self.table.round += 1
        if self.place < len(self.events):
            self.place += 1
            self.fail("the game is over before it")

    # -- set-up ----------------------------------------------------------------------------------

    def _check_setup(self):
        setup, table, rules = self.setup, self.table, self.rules
        head = {"n": 0, "round": 1, "turn": 1, "seat": 0, "phase": "setup", "event": "setup"}
        self.must("head", {name: setup[name] for name in HEAD}, head)
        self.must("title", setup["title"], "magnolia")
        if not 2 <= table.players <= 5:
            self.fail(f"{table.players} players")
        for what in ("seats", "bans", "lineup"):
            self.must(what, len(setup[what]), table.players)
        self.must("kinds", rules["kinds"], len(table.texts))
        copies = {kind: 1 + text["more"] for kind, text in table.texts.items()}
        deck = [[kind, copy + 1] for kind in copies for copy in range(copies[kind])]
        self.must("deck", sorted(setup["deck"]), sorted(deck))
        self.must("discard", setup["discard"], [])
        self.must("objectives", len(setup["objectives"]), rules["objectives_open"])
        self.must("objectives", len(set(setup["objectives"])), rules["objectives_open"])
        self.must("objectives", sorted(set(setup["objectives"]) - set(table.goals)), [])
        self.must("VP by rank", len(rules["war_vp"]), table.players)
        self.must("bonuses", sorted(rules["bonuses"]), sorted((*RACES, *JOBS)))
        start = dict.fromkeys(AMOUNTS, 0) | {"gold": rules["start_gold"]}
        for seat in setup["seats"]:
            self.must("seat", seat, {"hand": [], "field": [], "lines": [], **start})

    # -- a round ---------------------------------------------------------------------------------

    def _round(self):
        """Follow a round; return whether the game is over."""
        table, rules = self.table, self.rules
        self._draw()
        self._check("phase")
        table.phase = "placement"
        self._placement()
        self._check("phase")
        table.phase = "war"
        self._war()
        self._check("phase")
        table.phase = "development"
        self._abilities("development")
        self._check("phase")
        table.phase = "income"
        for seat in table.seats:
            self.change("gold", seat, rules["income"])
        self._abilities("income")
        self._check("phase")
        table.phase = "vp"
        self._abilities("vp")
        self._check("phase", "round")
        self._count_copies()
        return self._end()

    def _count_copies(self):
        """Every copy is in one place, and none is lost."""
        cards = self.table.everywhere()
        self.must("cards", len(cards), len(set(cards)))
        self.must("cards", len(cards), len(self.setup["deck"]))

    # -- draw ------------------------------------------------------------------------------------

    def _draw(self):
        table = self.table
        table.phase = "draw"
        for seat in table.seats:
            seat.rank = seat.rank_vp = 0
        self.state("round", seats=[seat.amounts() for seat in table.seats])
        discards = {seat.number: self._exchange(seat) for seat in table.seats}
        order = self._fill_order()
        for seat in order:
            for card in discards[seat.number]:
                self.move(card, "hand", "discard", seat)
                seat.hand.remove(card)
                table.discard.append(card)
        self._fill(order)

    def _exchange(self, seat):
        """Return the cards that a seat lays down, in its order."""
        if self.table.round < self.rules["exchange_from"]:
            return []
        held, chosen = list(seat.hand), []
        while held:
            kind = self.decide(seat, "discard", {kind for kind, _ in held} | {STOP})
            if kind == STOP:
                break
            chosen.append(_first(held, kind))
            held.remove(chosen[-1])
        return chosen

    def _fill_order(self):
        numbers = self.state("fill_order", seats=ANY)["seats"]
        self.must("seats", sorted(numbers), list(range(1, self.table.players + 1)))
        return [self.table.seats[number - 1] for number in numbers]

    def _fill(self, order):
        """Draw until all have full hands, or no card is left."""
        table = self.table
        for seat in order:
            while len(seat.hand) < self.rules["hand"]:
                if not table.deck:
                    if not table.discard:
                        self.seen["nothing to draw"] += 1
                        break
                    self.next("shuffle", zone="deck", cards=len(table.discard))
                    self.seen["shuffle"] += 1
                    table.deck, table.discard = set(table.discard), []
                found = self.move((ANY, ANY), "deck", "hand", seat)
                card = found["card"], found["copy"]
                if card not in table.deck:
                    self.fail(f"{card} is not in the deck")
                table.deck.remove(card)
                seat.hand.append(card)

    # -- placement -------------------------------------------------------------------------------

    def _placement(self):
        table = self.table
        for seat in table.seats:
            self._lay(seat)
        for seat in table.seats:
            self._turn_up(seat)
        laid = {seat.number: seat.down for seat in table.seats}
        for seat in table.seats:
            seat.down = []
            self._lines(seat)
        self._check("bonus")
        self._abilities("placement", laid)

    def _lay(self, seat):
        table, spent = self.table, 0
        while len(seat.down) < 2:
            free = table.free(seat)
            purse = seat.gold + self.rules[f"gold_for_{len(seat.down) + 1}"] - spent
            kinds = {kind for kind, _ in seat.hand if table.texts[kind]["cost"] <= purse}
            kinds = kinds - table.bans[seat.number - 1] if free else set()
            kind = self.decide(seat, "card", kinds | {STOP})
            if kind == STOP:
                return
            words = CELL_WORDS[: len(free)]
            cell = free[words.index(self.decide(seat, "cell", words))]
            card = _first(seat.hand, kind)
            self.move(card, "hand", "field", seat, cell=list(cell), face="down")
            seat.hand.remove(card)
            seat.field[cell] = card
            seat.down.append(cell)
            spent += table.texts[kind]["cost"]

    def _turn_up(self, seat):
        cells = [list(cell) for cell in seat.down]
        self.state("face", owner=seat.number, cells=cells, face="up")
        self.change("gold", seat, self.rules[f"gold_for_{len(cells)}"])
        self.seen[f"laid {len(cells)}"] += 1
        cost = sum(self.table.texts[seat.field[cell][0]]["cost"] for cell in seat.down)
        if cost > seat.gold:
            self.fail(f"seat {seat.number} has {seat.gold} gold and pays {cost}")
        self.change("gold", seat, -cost)

    def _lines(self, seat):
        """Pay each line that is alike and has not paid."""
        for line, kinds in self.table.full_lines(seat):
            alike = self.table.alike(kinds)
            if not alike or line in seat.paid:
                continue
            what = self.decide(seat, "bonus", alike)
            name, (where, place) = alike[what], line
            self.state("line", owner=seat.number, line=where, place=place, bonus=name)
            self.seen[f"line {where} {what}"] += 1
            seat.paid.add(line)
            for resource in RESOURCES:
                self.change(resource, seat, self.rules["bonuses"][name][resource])

    # -- war -------------------------------------------------------------------------------------

    def _war(self):
        table, rules = self.table, self.rules
        table.look()
        for seat in table.seats:
            power = sum(self._power(seat, cell) for cell in table.front(seat))
            self.change("power", seat, power - seat.power)
        fighting = [seat for seat in table.seats if seat.power >= rules["least_power"]]
        self.seen["too weak"] += table.players - len(fighting)
        for seat in fighting:
            seat.rank = 1 + sum(other.power > seat.power for other in fighting)
            sharing = sum(other.power == seat.power for other in fighting)
            self.seen["shared rank"] += sharing > 1
            worth = rules["war_vp"][seat.rank - 1 :]
            shares = {"full": worth[0], "divided": sum(worth[:sharing]) // sharing}
            seat.rank_vp = shares[rules["shared"]]
            self.state("rank", owner=seat.number, rank=seat.rank, vp=seat.rank_vp)
            self.change("vp", seat, seat.rank_vp)
        self._abilities("war")

    def _power(self, seat, cell):
        text, power = self.table.texts[seat.field[cell][0]], 0
        for effect in text["front"]:
            primitive, amount = self.table.effect(seat, cell, effect)
            self.must("primitive", primitive, "power")
            self.seen["effect power"] += amount > 0
            power += amount
        return text["power"] + power

    # -- abilities -------------------------------------------------------------------------------

    def _abilities(self, step, cells=None):
        """Let the abilities of a step work: of all cards, or of those in some cells."""
        table, taken = self.table, defaultdict(Counter)
        table.look()
        for seat in table.seats:
            waiting = sorted(seat.field if cells is None else cells[seat.number])
            waiting = [cell for cell in waiting if self._text(seat, cell, step)]
            while waiting:
                cell = self._works_next(seat, waiting, step)
                waiting.remove(cell)
                kind = seat.field[cell][0]
                self.state("works", owner=seat.number, card=kind, cell=list(cell))
                for text in self._text(seat, cell, step):
                    self._work(seat, *table.effect(seat, cell, text), taken)
        for seat in table.seats:
            self._take(seat, taken[seat.number])

    def _take(self, seat, asked):
        """Take from a seat what others ask for, or what it has; which comes first, no rule says."""
        due = {what: min(by, getattr(seat, what)) for what, by in asked.items()}
        self.seen["less than is asked"] += due != dict(asked)
        due = {what: by for what, by in due.items() if by}
        while due:
            told = self.events[self.place].get("what")
            what = told if told in due else min(due)
            self.change(what, seat, -due.pop(what))

    def _text(self, seat, cell, step):
        return self.table.texts[seat.field[cell][0]][step]

    def _works_next(self, seat, waiting, step):
        """Return the cell of the card that works next; MG-E3 says whether a seat is asked."""
        texts = {cell: self._text(seat, cell, step) for cell in waiting}
        matters = any(
            _reads(texts[one]) & _gives(texts[other])
            for one in waiting
            for other in waiting
            if seat.field[one][0] != seat.field[other][0]  # copies of a kind are alike
        )
        if not matters:
            return waiting[0]
        kinds = {seat.field[cell][0] for cell in waiting}
        kind = self.decide(seat, "order", kinds)
        return next(cell for cell in waiting if seat.field[cell][0] == kind)

    def _work(self, seat, primitive, amount, taken):
        if not amount:
            return
        self.seen[f"effect {primitive}"] += 1
        if not primitive.startswith("others_"):
            self.change(primitive, seat, amount)
            return
        for other in self.table.seats:
            if other is not seat:
                taken[other.number][primitive.removeprefix("others_")] += amount

    # -- objectives and the end ------------------------------------------------------------------

    def _check(self, *when):
        """Let seats claim open objectives, if this is when they are checked."""
        table = self.table
        if self.rules["objectives_check"] not in when:
            return
        table.look()
        claims = {}
        for name in sorted(table.open):
            needs = table.goals[name]["needs"]
            claims[name] = [seat for seat in table.seats if table.holds(seat, None, needs)]
        for name, seats in claims.items():
            for seat in seats:
                self.state("objective", owner=seat.number, objective=name)
                self.change("vp", seat, table.goals[name]["vp"])
            self.seen["objective met by several"] += len(seats) > 1
        table.open = [name for name in table.open if not claims[name]]

    def _end(self):
        """Whether the game ends; follow its end."""
        table, rules = self.table, self.rules
        enough = any(seat.vp >= rules["end_vp"] for seat in table.seats)
        full = any(len(seat.field) >= rules["end_cards"] for seat in table.seats)
        reasons = {(1, 1): "vp_and_field", (1, 0): "vp", (0, 1): "field", (0, 0): "round_cap"}
        reason = reasons[enough, full]
        if reason == "round_cap" and table.round < rules["round_cap"]:
            return False
        table.phase = "over"
        for seat in table.seats:
            self.change("vp", seat, -(-seat.gold // rules["gold_per_vp"]))
        scores = [seat.vp for seat in table.seats]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        win60 = [60 // ranks.count(1) if rank == 1 else 0 for rank in ranks]
        self.next("end", reason=reason, scores=scores, ranks=ranks, win60=win60)
        self.seen[f"end {reason}"] += 1
        self.seen["shared win"] += ranks.count(1) > 1
        return True


def _first(cards, kind):
    return next(card for card in cards if card[0] == kind)


def _gives(texts):
    """Return what texts give their own seat."""
    return {text.split()[0] for text in texts} & set(RESOURCES)


def _reads(texts):
    """Return what texts ask about gold, VP and levels of their own seat."""
    asked = set()
    for text in texts:
        _, _, rest = text.replace(" per ", " if ", 1).partition(" if ")
        asked |= {word.removesuffix("_lead") for word in rest.split()}
    return asked & set(RESOURCES)
