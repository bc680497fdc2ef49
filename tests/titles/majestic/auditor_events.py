"""Reads a trace of Majestic Magic from event to event: each must be the one that the rules make."""

from __future__ import annotations

from tests.titles.alike import alike

__all__ = ["ANY", "HEAD", "Events", "Violation"]

HEAD = ("n", "round", "turn", "seat", "phase", "event")

#: Which fields say what sort of event it is.
_SORT = ("event", "what", "from", "to")

#: Stands for what only chance or a player decides.
ANY = object()


class Violation(AssertionError):  # noqa: N818 - a finding
    """An event that the rules do not make: the rule, the event's number, what was expected."""

    def __init__(self, rule, number, text):
        super().__init__(f"{rule}, event {number}: {text}")
        self.rule, self.number = rule, number


class Events:
    """The events of a trace, and where in the game the next one must be."""

    def __init__(self, events):
        self.events, self.place = events, 1
        self.setup = events[0]
        self.round, self.turn, self.on_turn, self.phase = 1, 0, 0, "setup"

    def fail(self, rule, text):
        raise Violation(rule, self.place - 1, text)

    def must(self, rule, what, found, right):
        if not alike(found, right):
            self.fail(rule, f"{what}: {found!r}; must be {right!r}")

    def next(self, rule, event, *, rule_of=None, **fields):
        """Take the next event, which must be of this sort and have these fields and no more.

        ``rule_of`` names the rules of fields that go by another one.
        """
        right = {"event": event} | fields
        if self.place >= len(self.events):
            raise Violation(rule, self.place, f"the trace ends where {_shown(right)} must follow")
        found = self.events[self.place]
        self.place += 1
        if any(found.get(name) != right.get(name) for name in _SORT):
            self.fail(rule, f"{found}; must be {_shown(right)}")
        for name, value in fields.items():
            if value is not ANY and (name not in found or not alike(found[name], value)):
                self.fail((rule_of or {}).get(name, rule), f"{name} of {found}; must be {value!r}")
        head = [self.place - 1, self.round, self.turn, self.on_turn, self.phase, event]
        self.must("trace", "head", [found.get(name) for name in HEAD], head)
        if set(found) != {*HEAD, *right}:
            self.fail("trace", f"fields {sorted(found)}; must be {sorted({*HEAD, *right})}")
        return found

    def told(self, field):
        """Return a field of the next event, if there is one."""
        return self.events[self.place].get(field) if self.place < len(self.events) else None

    def stray(self, rule, text):
        """Find fault with the next event, which comes where no such one can."""
        self.place += 1
        self.fail(rule, f"{self.events[self.place - 1]}; {text}")

    def state(self, rule, what, **fields):
        return self.next(rule, "state", what=what, **fields)

    def decide(self, rule, what, seat, reasons):
        """Return the choice of a seat; with one legal option it is not asked.

        ``reasons`` has the rule that forbids an option, or nothing when it is legal. What is no
        option at all, or is left out, breaks ``rule``.
        """
        legal = [option for option, reason in reasons.items() if not reason]
        if len(legal) == 1:
            self._not_asked(rule, what, seat, legal, reasons)
            return legal[0]
        told = self.next(rule, "choose", what=what, owner=seat.number, options=ANY, choice=ANY)
        self._compare(rule, what, told["options"], legal, reasons)
        if told["choice"] not in legal:
            self.fail(reasons.get(told["choice"]) or rule, f"{told['choice']!r}; legal: {legal}")
        return told["choice"]

    def _not_asked(self, rule, what, seat, legal, reasons):
        """Name the rule by which a decision that is told is none."""
        found = (self.told("what"), self.told("owner"), self.told("phase"))
        if found == (what, seat.number, self.phase):
            self.place += 1
            self._compare(rule, what, self.events[self.place - 1]["options"], legal, reasons)
            self.fail(rule, f"{what} is asked with one option, {legal}")

    def _compare(self, rule, what, told, legal, reasons):
        for option in told:
            if option not in legal:
                self.fail(reasons.get(option) or rule, f"{what}: {option!r}; legal: {legal}")
        self.must(rule, f"options of {what}", sorted(told), sorted(legal))


def _shown(fields):
    return {name: value for name, value in fields.items() if value is not ANY}
