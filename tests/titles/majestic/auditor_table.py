"""What lies on the table of Majestic Magic, as an outsider keeps it by RULES.md and README.md."""

from __future__ import annotations

import operator
from collections import Counter

__all__ = ["ATTRIBUTES", "KEYWORDS", "Seat", "Table", "Unit", "parsed"]

ATTRIBUTES = ("fire", "water", "earth", "wind")
KEYWORDS = ("swift", "evasive", "ranged", "sentinel", "bound")

#: Places of a seat for units (MM-U2).
PLACES = 12

#: The most that AP and DP are changed by.
_MOST = 99

_HOLDS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class Unit:
    """A unit on the field, and all that it has there (MM-U5)."""

    def __init__(self, seat, card, face, place, area, *, fresh):
        self.seat, self.card, self.face = seat, card, face
        self.place, self.area, self.fresh = place, area, fresh
        self.ready, self.moved, self.spent, self.gone = True, False, False, False
        self.refresh()

    def refresh(self):
        """Lose what lasts until the end of a turn (MM-T5), restrictions left out."""
        self.damage, self.more = 0, Counter()
        self.keywords = set(self.face["keywords"])

    def add(self, what, number):
        self.more[what] = max(-_MOST, min(_MOST, self.more[what] + number))

    @property
    def ap(self):
        return max(0, self.face["ap"] + self.more["ap"])

    @property
    def dp(self):
        return self.face["dp"] + self.more["dp"]

    @property
    def falls(self):
        return self.dp <= 0 or self.damage >= self.dp

    @property
    def held(self):
        """Whether MM-U1 binds it."""
        return self.fresh and "swift" not in self.keywords

    @property
    def bits(self):
        return sum(1 << n for n, word in enumerate(KEYWORDS) if word in self.keywords)


class Seat:
    """The zones of a seat; cards are pairs of a name and the number of the copy."""

    def __init__(self, number, told):
        self.number, self.deck_list, self.sorcerer = number, told["deck_list"], told["sorcerer"]
        self.deck = list(map(tuple, told["deck"]))
        self.mana_deck = list(map(tuple, told["mana_deck"]))
        self.hand, self.lp, self.mana, self.trash, self.played = [], [], [], [], []
        self.down, self.units = set(), {}
        self.sorcerer_ready, self.sorcerer_spent, self.acts = True, False, 0
        self.counts, self.kinds, self.rows = Counter(), Counter(), []

    def cards(self):
        """Return all cards, wherever they are."""
        zones = (self.deck, self.mana_deck, self.hand, self.lp, self.mana, self.trash, self.played)
        return sorted([card for zone in zones for card in zone] + [u.card for u in self.ordered()])

    def ordered(self):
        return [self.units[place] for place in sorted(self.units)]

    def area(self, name):
        return sum(unit.area == name for unit in self.units.values())

    def free(self):
        """Return the free place with the lowest number, or nothing (MM-U2)."""
        return next((n for n in range(1, PLACES + 1) if n not in self.units), None)

    def names(self):
        return {name for name, _ in self.hand}


class Table:
    """Both seats, the battle, and what texts ask of them."""

    def __init__(self, setup):
        self.faces, self.sorcerers = setup["cards"], setup["sorcerers"]
        self.seats = [Seat(n, told) for n, told in enumerate(setup["seats"], 1)]
        self.attacker = self.blocker = None
        self.exchange, self.turn_seat, self.in_main = 0, 0, False

    def other(self, seat):
        return self.seats[2 - seat.number]

    def ready_mana(self, seat):
        """Return how much mana of each attribute is ready."""
        ready = [self.faces[card[0]]["attribute"] for card in seat.mana if card not in seat.down]
        return Counter(ready)

    def can_pay(self, seat, face, cost):
        ready = self.ready_mana(seat)
        return not cost or (ready[face["attribute"]] > 0 and ready.total() >= cost)

    def to_pay(self, seat, face, cost):
        """Return the attributes that are turned down, from first to last (MM-C2)."""
        ready, paid = self.ready_mana(seat), []
        for number in range(cost):
            best = face["attribute"]
            for one in ATTRIBUTES if number else ():
                larger = ready[one] > ready[best]
                spares = best == face["attribute"] and ready[one] == ready[best] > 0
                if larger or spares:
                    best = one
            ready[best] -= 1
            paid.append(best)
        return paid

    def ask(self, text, seat, unit, target):
        """Return a number that a text asks for."""
        other = self.other(seat)
        name, _, attribute = text.partition(".")
        if name.startswith(("self_", "target_")):
            whose, _, what = name.partition("_")
            return self._of(unit if whose == "self" else target, what)
        if name == "mana_of":
            return sum(self.faces[card[0]]["attribute"] == attribute for card in seat.mana)
        return {
            "hand": len(seat.hand),
            "enemy_hand": len(other.hand),
            "lp": len(seat.lp),
            "enemy_lp": len(other.lp),
            "mana": len(seat.mana),
            "ready_mana": self.ready_mana(seat).total(),
            "enemy_mana": len(other.mana),
            "units": len(seat.units),
            "front": seat.area("front"),
            "back": seat.area("back"),
            "enemy_units": len(other.units),
            "enemy_front": other.area("front"),
            "enemy_back": other.area("back"),
            "trash": len(seat.trash),
            "own_turn": int(self.turn_seat == seat.number),
            "in_main": int(self.in_main),
            "exchange": self.exchange,
        }[name]

    def _of(self, unit, what):
        if unit is None:
            return 0
        return {
            "cost": unit.face["cost"],
            "ap": unit.ap,
            "dp": unit.dp,
            "damage": unit.damage,
            "down": int(not unit.ready),
            "front": int(unit.area == "front"),
            "fights": int(unit in (self.attacker, self.blocker)),
        }[what]

    def holds(self, conditions, seat, unit=None, target=None):
        for condition in filter(None, conditions.split(" and ")):
            name, sign, number = condition.split()
            if not _HOLDS[sign](self.ask(name, seat, unit, target), int(number)):
                return False
        return True

    def targets(self, text, seat, unit=None):
        """Return the legal targets of a text by their options."""
        found = {}
        for word, side in (("own", seat), ("enemy", self.other(seat))):
            if text["target"] in (word, "any"):
                for one in side.ordered():
                    if self.holds(text["where"], seat, unit, one):
                        found[f"{word}_{one.place}"] = one
        return found

    def usable(self, text, seat, unit=None):
        """Whether its needs hold and it has a target when it wants one (MM-P1)."""
        needed = not text["target"] or self.targets(text, seat, unit)
        return bool(needed) and self.holds(text["needs"], seat, unit)


def parsed(effect):
    """Return the words of an effect, what multiplies it, and its conditions."""
    words, _, conditions = effect.partition(" if ")
    words, _, per = words.partition(" per ")
    return words.split(), per.strip(), conditions
