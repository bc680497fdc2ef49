"""The table as an outsider rebuilds it from a trace, and what the rules make of what lies on it.

Knows no engine: only what the set-up event of a trace says. There is one copy of each card, so a
zone is a list of names.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from tests.titles.wizard.auditor_data import COLOURS, DIRECTIONS, GRIMOIRE, PARTS

#: What a spell or a set of them gives.
GIFTS = (*COLOURS, "heal")


class Violation(Exception):  # noqa: N818 - what an auditor finds
    """A trace breaks a rule, or does not hang together (rule ``trace``)."""

    def __init__(self, rule, number, found):
        super().__init__(f"{rule}, event {number}: {found}")
        self.rule, self.number, self.found = rule, number, found


class Table:
    """Everything that lies on the table, and what is counted."""

    def __init__(self, setup):
        self.texts, self.rules = setup["texts"], setup["rules"]
        self.bans = set(setup["bans"][0])
        self.hexes, self.cards = self.texts["hexes"], self.texts["cards"]
        self.lp, self.hex = setup["lp"], setup["hex"]
        self.hand = [card for card, _ in setup["hand"]]
        self.dealt = [card for card, _ in setup["dealt"]]
        #: The way up of each companion that is with the wizard, and of all that ever were.
        self.companions, self.laid = {}, {}
        self.lost, self.aside, self.deck, self.drawn = [], [], [], []
        self.abilities = {
            place: one["ability"] and one["ability"][0] for place, one in setup["places"].items()
        }
        self.enemies = {place: one["enemy"][0] for place, one in setup["places"].items()}
        self.enemies["castle"] = setup["castle"]
        self.used, self.fought = [], []
        self.enemy, self.enemy_lp = None, 0
        self.round, self.turn, self.seat, self.phase = 1, 0, 0, "setup"
        self.seen = Counter()

    # -- the map ---------------------------------------------------------------------------------

    def ways_on(self):
        """Return the hexes beside the wizard's that can be entered, by direction (UW-M1)."""
        where = {tuple(one["at"]): name for name, one in self.hexes.items()}
        x, y = self.hexes[self.hex]["at"]
        beside = {word: where.get((x + dx, y + dy)) for word, (dx, dy) in DIRECTIONS.items()}
        return {
            word: name
            for word, name in beside.items()
            if name and (self.hexes[name]["terrain"] != "sea" or self.crossing())
        }

    def crossing(self):
        """Return the LP for which each companion that crosses the sea does."""
        return [way["sea"] for way in self.up() if way["sea"]]

    def cost(self, name):
        """Return what entering a hex takes, when it does not recover LP now."""
        entered = self.hexes[name]
        if entered["terrain"] == "sea":
            return min(self.crossing())
        return 0 if entered["recover"] else entered["cost"]

    # -- companions ------------------------------------------------------------------------------

    def up(self):
        """Return the ways up of the wizard's companions."""
        return [self.cards[name]["ways"][way] for name, way in self.companions.items()]

    def sum_of(self, skill):
        return sum(way[skill] for way in self.up())

    def start_damage(self):
        """Return what skills of the start take from the enemy (UW-C1)."""
        family = self.texts["enemies"][self.enemy]["family"]
        return sum(way["start_damage"] for way in self.up() if way["family"] in ("", family))

    # -- spells and damage -----------------------------------------------------------------------

    def parts(self):
        return [card for card in self.hand if card in PARTS]

    def castable(self, spells):
        """Whether spells can be cast together of what is drawn: each part serves in one."""
        needed = Counter(part for name in spells for part in self.texts["spells"][name]["parts"])
        return self._open(spells) and not needed - Counter(self.drawn)

    def _open(self, spells):
        known = {1, 2} if GRIMOIRE in self.hand else {1}
        return all(self.texts["spells"][name]["grimoire"] in known for name in spells)

    def gift(self, spells):
        """Return what spells give together, in the order of GIFTS."""
        texts = [self.texts["spells"][name] for name in spells]
        power = [sum(text["power"][colour] for text in texts) for colour in COLOURS]
        return (*power, sum(text["heal"] for text in texts))

    def offers(self):
        """Return what sets of spells may be offered (UW-C9), each a list of sets.

        Of sets that are equal one is offered, and no rule says which, so there can be several
        offers.
        """
        able = [name for name in sorted(self.texts["spells"]) if self.castable([name])]
        sets = [
            set(spells)
            for number in range(len(able) + 1)
            for spells in combinations(able, number)
            if self.castable(spells)
        ]
        whole = [one for one in sets if not any(one < other for other in sets)]
        by_gift = {}
        for one in whole:
            by_gift.setdefault(self.gift(one), []).append(one)
        best = [gift for gift in by_gift if not any(_beats(other, gift) for other in by_gift)]
        return [list(chosen) for chosen in product(*(by_gift[gift] for gift in best))]

    def damage(self, power):
        """Return the damage of each colour (UW-C4)."""
        enemy = self.texts["enemies"][self.enemy]
        terrain = self.texts["terrains"][self.hexes[self.hex]["terrain"]]
        return {
            colour: max(
                0,
                power[colour]
                + sum(way["power"][colour] for way in self.up())
                - enemy["block"][colour]
                - terrain["block"][colour],
            )
            for colour in COLOURS
        }

    def strike(self):
        """Return what the enemy's strike would take (UW-C6)."""
        ap = self.texts["enemies"][self.enemy]["ap"][self.enemy_lp - 1]
        return max(0, ap - self.sum_of("guard"))

    def all_cards(self):
        """Return every ability card that is somewhere."""
        found = [*self.hand, *self.dealt, *self.companions, *self.lost, *self.aside]
        return [*found, *self.deck, *self.drawn, *filter(None, self.abilities.values())]


def _beats(one, other):
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))
