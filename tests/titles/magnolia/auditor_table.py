"""The table as an outsider with the rulebook rebuilds it from a trace, and what can be seen on it.

Knows no engine: only what the setup event of a trace says. A card is ``(kind, copy)``, a cell is
``(row, column)`` from the first card of a field; up is towards smaller rows.
"""

from __future__ import annotations

import re
from collections import Counter

STOP = "stop"

#: What a seat has, in the order in which bonuses pay it (RESOURCES) and the round tells it.
RESOURCES = ("gold", "vp", "technology", "faith")
AMOUNTS = (*RESOURCES, "power")

RACES = ("human", "dwarf", "elf", "goblin", "golem", "demon")
JOBS = ("lord", "warrior", "artisan", "mage", "priest", "merchant")

CELL_WORDS = tuple(f"cell_{place}" for place in range(1, 10))

_TOKEN = re.compile(r"[+-]?\d+|[a-z_][a-z_0-9]*|<=|>=|==|!=|<|>|\.")

_HOLDS = {
    "<": int.__lt__,
    "<=": int.__le__,
    "==": int.__eq__,
    "!=": int.__ne__,
    ">=": int.__ge__,
    ">": int.__gt__,
}


class Violation(Exception):  # noqa: N818 - what an auditor finds
    """A trace breaks a rule, or does not hang together."""

    def __init__(self, number, found):
        super().__init__(f"event {number}: {found}")
        self.number = number


class Seat:
    """What lies before a player, and what is counted for it."""

    def __init__(self, number, given):
        self.number = number
        self.hand = [tuple(card) for card in given["hand"]]
        self.field = {tuple(cell): (kind, copy) for kind, copy, cell in given["field"]}
        #: Cells of cards that lie face down.
        self.down = []
        #: Lines that have paid, as ("row", place) or ("column", place).
        self.paid = {tuple(line) for line in given["lines"]}
        for what in AMOUNTS:
            setattr(self, what, given[what])
        #: Of this round's war; rank 0 is none.
        self.rank = self.rank_vp = 0

    def amounts(self):
        return {what: getattr(self, what) for what in AMOUNTS}


class Table:
    """Everything that lies on the table, and the texts by which it is played."""

    def __init__(self, setup):
        self.players, self.rules = setup["players"], setup["rules"]
        self.texts, self.goals = setup["cards"], setup["objective_cards"]
        self.options = [*sorted(self.texts), *CELL_WORDS, "race", "job", STOP]
        self.seats = [Seat(number, seat) for number, seat in enumerate(setup["seats"], 1)]
        self.bans = [set(names) for names in setup["bans"]]
        self.deck = {tuple(card) for card in setup["deck"]}
        self.discard = [tuple(card) for card in setup["discard"]]
        self.open = list(setup["objectives"])
        self.round, self.phase = 1, "setup"
        self.seen = Counter()
        self.look()

    def everywhere(self):
        """Return all cards that are somewhere."""
        found = [*self.deck, *self.discard]
        for seat in self.seats:
            found += [*seat.hand, *seat.field.values()]
        return found

    def look(self):
        """Remember what everybody has: what a step asks about others is answered by it (MG-E2)."""
        self.before = [seat.amounts() for seat in self.seats]

    # -- a field ---------------------------------------------------------------------------------

    def free(self, seat):
        """Return the cells where the next card may lie, row by row from the top left one."""
        if not seat.field:
            return [(0, 0)]
        touching = {cell for lain in seat.field for cell in beside(lain)} - set(seat.field)
        return [cell for cell in sorted(touching) if _fits([*seat.field, cell])]

    def front(self, seat):
        """Return the cells of the cards in front, from the left."""
        tops = {}
        for row, column in sorted(seat.field):
            tops.setdefault(column, (row, column))
        return [tops[column] for column in sorted(tops)]

    def full_lines(self, seat):
        """Return the lines of three cards with their kinds: rows from the top, then columns."""
        found = []
        for axis, line in enumerate(("row", "column")):
            for place in sorted({cell[axis] for cell in seat.field}):
                kinds = [card[0] for cell, card in seat.field.items() if cell[axis] == place]
                if len(kinds) == 3:
                    found.append(((line, place), kinds))
        return found

    def alike(self, kinds):
        """Return what all of these kinds are, by "race" and "job"."""
        values = {what: {self.texts[kind][what] for kind in kinds} for what in ("race", "job")}
        return {what: names.pop() for what, names in values.items() if len(names) == 1}

    def count(self, kinds, likeness):
        return sum(
            likeness in (self.texts[kind]["race"], self.texts[kind]["job"]) for kind in kinds
        )

    # -- texts -----------------------------------------------------------------------------------

    def effect(self, seat, cell, text):
        """Return a primitive and its amount now, which is 0 where its conditions do not hold."""
        head, _, conditions = text.partition(" if ")
        head, _, per = head.partition(" per ")
        primitive, amount = head.split()
        if conditions and not self.holds(seat, cell, conditions):
            return primitive, 0
        factor = self.see(seat, cell, *_TOKEN.findall(per)[::2]) if per else 1
        return primitive, max(int(amount) * factor, 0)

    def holds(self, seat, cell, text):
        """Whether conditions that are joined by ``and`` hold."""
        for condition in text.split(" and "):
            *asked, operator, number = _TOKEN.findall(condition)
            if not _HOLDS[operator](self.see(seat, cell, *asked[::2]), int(number)):
                return False
        return True

    def see(self, seat, cell, name, about=None):
        """Return what a card in a cell sees, or a seat for which the cell is None."""
        self.seen[f"asked {name}"] += 1
        if name.endswith("_lead"):
            what = name.removesuffix("_lead")
            others = [has[what] for has in self._others(seat, self.before)]
            return getattr(seat, what) - max(others)
        look = self._see_card if name in _ABOUT_CARD else self._see_seat
        return int(look(seat, cell, name, about))

    def _others(self, seat, listed):
        return [one for number, one in enumerate(listed, 1) if number != seat.number]

    def _see_seat(self, seat, _, name, about):
        kinds = [kind for kind, _ in seat.field.values()]
        races = Counter(self.texts[kind]["race"] for kind in kinds)
        jobs = Counter(self.texts[kind]["job"] for kind in kinds)
        look = {
            "round": lambda: self.round,
            "players": lambda: self.players,
            "gold": lambda: seat.gold,
            "vp": lambda: seat.vp,
            "technology": lambda: seat.technology,
            "faith": lambda: seat.faith,
            "power": lambda: seat.power,
            "war_rank": lambda: seat.rank,
            "war_vp": lambda: seat.rank_vp,
            "gained": lambda: seat.rank > 0 and seat.rank_vp >= self.rules["gained_from"],
            "cards": lambda: len(kinds),
            "empty": lambda: 9 - len(kinds),
            "lines": lambda: len(seat.paid),
            "races": lambda: len(races),
            "jobs": lambda: len(jobs),
            "most_of_race": lambda: max(races.values(), default=0),
            "most_of_job": lambda: max(jobs.values(), default=0),
            "field": lambda: self.count(kinds, about),
            "rivals": lambda: sum(
                self.count([kind for kind, _ in other.field.values()], about)
                for other in self._others(seat, self.seats)
            ),
        }
        return look[name]()

    def _see_card(self, seat, cell, name, about):
        near = [seat.field[one][0] for one in beside(cell) if one in seat.field]
        look = {
            "neighbours": lambda: len(near),
            "next_to": lambda: self.count(near, about),
            "row": lambda: sum(row == cell[0] for row, _ in seat.field),
            "column": lambda: sum(column == cell[1] for _, column in seat.field),
            "front": lambda: cell in self.front(seat),
        }
        return look[name]()


_ABOUT_CARD = ("neighbours", "next_to", "row", "column", "front")


def beside(cell):
    """Return the four cells that share a side with a cell."""
    row, column = cell
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def _fits(cells):
    """Whether cards take no more than three rows and three columns."""
    return all(max(place) - min(place) <= 2 for place in zip(*cells, strict=True))
