"""Reads a trace from event to event: each must be the one that the rules make.

The trace says what chance and the player did; everything else follows.
"""

from __future__ import annotations

from tests.titles.alike import alike
from tests.titles.wizard.auditor_table import Table, Violation

HEAD = ("n", "round", "turn", "seat", "phase", "event")

#: Which fields say what sort of event it is.
_SORT = ("event", "what", "why", "from", "to")

#: Stands for what only chance or the player decides.
ANY = object()


class Events:
    """The events of a trace, and the table that they have made so far."""

    def __init__(self, events):
        self.events, self.place = events, 1
        self.setup = events[0]
        self.table = Table(self.setup)
        self.rules, self.seen = self.table.rules, self.table.seen

    def fail(self, rule, found):
        raise Violation(rule, self.place - 1, found)

    def must(self, rule, what, found, right):
        if not alike(found, right):
            self.fail(rule, f"{what}: {found!r}; must be {right!r}")

    def told(self, event, what):
        """Whether the next event is of this sort."""
        found = self.events[self.place] if self.place < len(self.events) else {}
        return (found.get("event"), found.get("what")) == (event, what)

    def next(self, rule, event, *, rule_of=None, **fields):
        """Take the next event, which must be of this sort and have these fields and no more.

        ``rule_of`` names the rules of fields that go by another one.
        """
        if self.place >= len(self.events):
            raise Violation(rule, self.place, f"the trace ends where {event!r} must follow")
        found, table = self.events[self.place], self.table
        self.place += 1
        right = {"event": event} | fields
        for name in _SORT:
            if found.get(name) != right.get(name):
                self.fail(rule, f"{found} where {event} {_shown(fields)} must follow")
        head = (self.place - 1, table.round, table.turn, table.seat, table.phase, event)
        right = dict(zip(HEAD, head, strict=True)) | fields
        for name, value in right.items():
            if name in HEAD or value is ANY:
                continue
            if name not in found or not alike(found[name], value):
                self.fail((rule_of or {}).get(name, rule), f"{name} of {found}; must be {value!r}")
        self.must("trace", "fields", sorted(found), sorted(right))
        self.must("trace", "head", [found[name] for name in HEAD], list(head))
        return found

    def state(self, rule, what, **fields):
        self.seen[what] += 1
        return self.next(rule, "state", what=what, **fields)

    def decide(self, rule, what, options):
        """Return the player's choice; with one option it is not asked (UW-A2 bars some)."""
        legal = self.unbarred(options)
        return legal[0] if len(legal) == 1 else self.asked(rule, what, legal)

    def unbarred(self, options):
        """Return options without barred ones, unless nothing else is legal."""
        free = [option for option in options if option not in self.table.bans]
        self.seen["barred option"] += 0 < len(free) < len(options)
        self.seen["only barred options"] += not free
        return free or list(options)

    def asked(self, rule, what, legal):
        """Take a choice between options, which must be these in any order."""
        told = self.next(rule, "choose", what=what, owner=1, options=ANY, choice=ANY)
        more = set(told["options"]) - set(legal)
        if more and more <= self.table.bans:
            self.fail("UW-A2", f"{sorted(more)} of {told['options']} are barred")
        self.must(rule, f"options of {what}", sorted(told["options"]), sorted(legal))
        if told["choice"] not in legal:
            self.fail(rule, f"{told['choice']!r} is none of the options {legal}")
        self.seen[f"choose {what}"] += 1
        return told["choice"]

    def change(self, rule, what, by, why):
        """Change LP of the wizard or of the enemy; it is told when there is a difference."""
        now = getattr(self.table, what) + by
        setattr(self.table, what, now)
        if by:
            self.next(rule, "change", what=what, owner=1, by=by, now=now, why=why)
            self.seen[f"{what} {why}"] += 1

    def move(self, rule, card, source, target, **fields):
        return self.next(
            rule, "move", **{"from": source}, to=target, card=card, copy=1, owner=1, **fields
        )

    def moves(self, rule, cards, source, target, number=None):
        """Move so many of these cards to another zone, or all; their order is chance."""
        left = list(cards)
        for _ in range(len(left) if number is None else number):
            card = self.move(rule, ANY, source, target)["card"]
            if card not in left:
                self.fail(rule, f"{card} is none of {left}")
            left.remove(card)
            getattr(self.table, source).remove(card)
            getattr(self.table, target).append(card)


def _shown(fields):
    return {name: value for name, value in fields.items() if value is not ANY}
