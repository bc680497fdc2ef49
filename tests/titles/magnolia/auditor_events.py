"""Reads a trace from event to event: each must be the one that the rules make.

The trace says what chance and the players did; everything else follows.
"""

from __future__ import annotations

from tests.titles.alike import alike
from tests.titles.magnolia.auditor_table import Table, Violation

HEAD = ("n", "round", "turn", "seat", "phase", "event")

#: Stands for what only chance or a player decides.
ANY = object()


class Events:
    """The events of a trace, and the table that they have made so far."""

    def __init__(self, events):
        self.events, self.place = events, 1
        self.setup = events[0]
        self.table = Table(self.setup)
        self.rules, self.seen = self.table.rules, self.table.seen

    def fail(self, found):
        raise Violation(self.place - 1, found)

    def must(self, what, found, right):
        if not alike(found, right):
            self.fail(f"{what}: {found!r}; must be {right!r}")

    def next(self, event, **fields):
        """Take the next event, which must be of this sort and have these fields and no more."""
        if self.place >= len(self.events):
            raise Violation(self.place, f"the trace ends where {event!r} must follow")
        found, table = self.events[self.place], self.table
        self.place += 1
        head = (self.place - 1, table.round, table.round, fields.get("owner", 0), table.phase)
        right = dict(zip(HEAD, (*head, event), strict=True)) | fields
        if set(found) != set(right):
            self.fail(f"{found} where {right} must follow")
        for name, value in right.items():
            if value is not ANY and not alike(found[name], value):
                self.fail(f"{name} of {found}; must be {value!r}")
        return found

    def state(self, what, **fields):
        self.seen[what] += 1
        return self.next("state", what=what, **fields)

    def decide(self, seat, what, options):
        """Return a seat's choice; with one option it is not asked."""
        legal = sorted(options, key=self.table.options.index)
        if len(legal) == 1:
            return legal[0]
        told = self.next("choose", what=what, owner=seat.number, options=legal, choice=ANY)
        if told["choice"] not in legal:
            self.fail(f"{told['choice']!r} is none of the options")
        self.seen[f"choose {what}"] += 1
        return told["choice"]

    def change(self, what, seat, by):
        """Change what a seat has; it is told when there is a difference."""
        now = getattr(seat, what) + by
        setattr(seat, what, now)
        if by:
            self.next("change", what=what, owner=seat.number, by=by, now=now)
            self.seen[f"{self.table.phase} {what}"] += 1

    def move(self, card, source, target, seat, **fields):
        kind, copy = card
        told = {"card": kind, "copy": copy, "from": source, "to": target, "owner": seat.number}
        return self.next("move", **told, **fields)
