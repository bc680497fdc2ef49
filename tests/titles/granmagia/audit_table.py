"""The table as an outsider with the rulebook rebuilds it from a trace, and what can be seen on it.

Knows no engine: only what the setup event of a trace says. A card is ``(kind, copy)``.
"""

from __future__ import annotations

import re
from collections import Counter

STOP = "stop"

#: What a pile without end shows to a condition.
ENDLESS = 999

ATTACKS = ("curses", "pass_curses", "others_discard", "others_discard_to", "take_gold")

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
        for zone in ("deck", "hand", "discard", "play", "own"):
            setattr(self, zone, [(kind, copy) for kind, copy in given[zone]])
        #: Kinds on top of the deck that somebody looked at, top first.
        self.known = []
        for name in ("witch", "silver", "gold", "tokens", "barriers", "arcana_taken", "rewards"):
            setattr(self, name, given[name])
        self.announced = given["announced"]
        self.uses = Counter(given["uses"])
        self.kinds_cast = list(given["kinds_cast"])
        self.defended = {(kind, copy) for kind, copy in given["defended"]}
        self.turns = 0

    def cards(self):
        return [*self.hand, *self.deck, *self.discard, *self.play, *self.own]

    def owned(self, kind):
        return sum(card[0] == kind for card in self.cards())


class Table:
    """Everything that lies on the table, and the texts by which it is played."""

    def __init__(self, setup):
        self.players = setup["players"]
        self.rules, self.texts = setup["rules"], setup["cards"]
        self.contracts, self.seal_texts = setup["contracts"], setup["seals"]
        self.order = [*self.texts, *self.contracts, STOP]
        self.seats = [Seat(number, seat) for number, seat in enumerate(setup["seats"], 1)]
        self.bans = [set(names) for names in setup["bans"]]
        self.field = {
            kind: [tuple(card) for card in cards] for kind, cards in setup["field"].items()
        }
        self.magic_deck = [tuple(card) for card in setup["magic_deck"]]
        self.piles = Counter(setup["piles"])
        self.witches = list(setup["witches"])
        self.burned = [tuple(card) for card in setup["burned"]]
        self.removed = []
        self.seals = dict.fromkeys(self.seal_texts) | setup["sealed"]
        self.copies = Counter()
        self.current = self.seats[0]
        self.round, self.turn, self.phase = 1, 0, "setup"
        self.mana = self.casts = self.acquisitions = self.mana_obtained = 0
        self.extra = self.extra_earned = False
        self.just_discarded = self.just_burned = 0
        for card in self.everywhere():
            self.copies[card[0]] = max(self.copies[card[0]], card[1])

    def everywhere(self):
        """Return all cards that are somewhere."""
        found = [card for seat in self.seats for card in seat.cards()]
        found += [card for cards in self.field.values() for card in cards]
        return [*found, *self.magic_deck, *self.burned, *self.removed]

    # -- texts -----------------------------------------------------------------------------------

    def sort(self, kind):
        return self.texts[kind]["sort"]

    def is_magic(self, kind):
        return self.sort(kind) in ("magic", "rare", "exclusive")

    def has(self, kind, attribute):
        return attribute in self.texts[kind]["attributes"]

    def stays(self, kind):
        return self.has(kind, "duration") or self.has(kind, "permanent")

    def castable(self, kind):
        text = self.texts[kind]
        return bool(
            text["effects"] or text["turn_start"] or text["reward"] or text["needs"]
        ) or self.stays(kind)

    def group(self, name):
        """Return the kinds of a group."""
        sorts = {
            "stones": ("stone",),
            "truths": ("truth",),
            "piles": ("stone", "truth"),
            "magic": ("magic", "rare", "exclusive"),
            "common": ("magic",),
            "rare": ("rare",),
            "exclusive": ("exclusive",),
        }
        if name == "card":
            return set(self.texts)
        if name in sorts:
            return {kind for kind in self.texts if self.sort(kind) in sorts[name]}
        return {
            kind
            for kind, text in self.texts.items()
            if name in text["attributes"] or name in text["tags"]
        }

    # -- what goes by the table ------------------------------------------------------------------

    def others(self, seat):
        """Return the other seats, from the next one on."""
        return self.seats[seat.number :] + self.seats[: seat.number - 1]

    def power(self, seat, name):
        return self.contracts[seat.witch]["powers"][name] if seat.witch else 0

    def victory(self, seat):
        """Return the special victory of a seat, None without one."""
        if not seat.witch:
            return None
        found = self.contracts[seat.witch]["victory"]
        return found if found["enabled"] else None

    def truth(self, seat):
        cards = sum(self.texts[kind]["truth"] for kind, _ in seat.cards())
        curses, penalty = seat.owned("curse"), 0
        for other in self.others(seat):
            every = self.power(other, "curse_penalty")
            penalty += curses // every if every else 0
        return cards + seat.tokens - penalty

    def price(self, seat, kind):
        cost = self.texts[kind]["cost"]
        cost += sum(self.seal_texts[seal]["cost"] for seal in self.seals_on(kind))
        if kind == "arcana":
            cost -= self.power(seat, "arcana_discount")
        return max(cost, 0)

    def seals_on(self, kind):
        return [seal for seal, pile in self.seals.items() if pile == kind]

    def contract_cost(self, witch):
        cost = self.contracts[witch]["cost"]
        if self.round >= self.rules["discount_round"]:
            cost -= self.rules["discount"]
        return max(cost, 0)

    def on_offer(self, seat):
        """Return the kinds that a seat may obtain by its own choice."""
        found = set(self.field)
        for kind in self.group("piles"):
            if self.piles[kind] and (seat.witch or kind not in ("ritual", "arcana")):
                found.add(kind)
        return found - self.bans[seat.number - 1]

    def progress(self, seat):
        victory = self.victory(seat)
        if victory is None:
            return 0
        kind = victory["kind"]
        if kind == "mana":
            return self.mana_obtained if seat is self.current else 0
        if kind == "curses":
            return sum(other.owned("curse") for other in self.others(seat))
        if kind == "uses":
            return seat.uses[victory["card"]]
        if kind == "arcana_spread":
            return seat.arcana_taken - min(other.arcana_taken for other in self.others(seat))
        if kind == "kinds":
            return len(seat.kinds_cast)
        if kind == "arcana_owned":
            return seat.owned("arcana")
        return {"tokens": seat.tokens, "rewards": seat.rewards, "extra_gold": seat.gold}[kind]

    def terms(self, seat):
        """Return what a seat's special victory is judged by."""
        victory, by_seat = self.victory(seat), None
        if victory["kind"] == "curses":
            by_seat = [each.owned("curse") for each in self.seats]
        if victory["kind"] == "arcana_spread":
            by_seat = [each.arcana_taken for each in self.seats]
        return {
            "condition": victory["kind"],
            "card": victory["card"],
            "have": self.progress(seat),
            "need": self.needed(seat),
            "by_seat": by_seat,
            "truth": self.truth(seat),
            "truth_needed": victory["truth"],
        }

    def needed(self, seat):
        victory = self.victory(seat)
        if victory is None:
            return 0
        if victory["kind"] == "curses":
            curses = sum(each.owned("curse") for each in self.seats)
            curses += sum(kind == "curse" for kind, _ in self.burned)
            return curses + max(self.piles["curse"], 0)
        return victory["need"][f"{self.players}p"]

    def holds(self, seat):
        """Whether condition and truth of a seat's special victory hold."""
        victory, needed = self.victory(seat), self.needed(seat)
        if victory is None or self.progress(seat) < needed:
            return False
        if victory["kind"] == "curses" and (not needed or self.piles["curse"] < 0):
            return False
        if victory["kind"] == "arcana_spread" and any(
            other.arcana_taken >= seat.arcana_taken for other in self.others(seat)
        ):
            return False
        return self.truth(seat) >= victory["truth"]

    # -- conditions ------------------------------------------------------------------------------

    def conditions(self, seat, text):
        """Whether conditions that are joined by ``and`` hold for a seat."""
        tokens = _TOKEN.findall(text) if isinstance(text, str) else list(text)
        while tokens:
            value, tokens = self._look(seat, tokens)
            operator, number, *tokens = tokens
            if not _HOLDS[operator](value, int(number)):
                return False
            if tokens:
                joined, *tokens = tokens
                assert joined == "and", joined
        return True

    def effect(self, seat, text):
        """Return a primitive, its words after the amount, and its amount now; None if barred."""
        tokens = _TOKEN.findall(text)
        conditions, factor = [], 1
        if "if" in tokens:
            place = tokens.index("if")
            tokens, conditions = tokens[:place], tokens[place + 1 :]
        if not self.conditions(seat, conditions):
            return None
        if "per" in tokens:
            place = tokens.index("per")
            factor, rest = self._look(seat, tokens[place + 1 :])
            assert not rest, text
            tokens = tokens[:place]
        primitive, first, *words = tokens
        if primitive == "seal":
            return primitive, [first], 1
        return primitive, words, int(first) * factor

    def _look(self, seat, tokens):
        name, *tokens = tokens
        if tokens and tokens[0] == ".":
            return self.see(seat, name, tokens[1]), tokens[2:]
        return self.see(seat, name), tokens

    def see(self, seat, name, about=None):
        """Return what a seat sees of the table, by the name that conditions give it."""
        if about is not None:
            return int(self._see_about(seat, name, about))
        others = self.others(seat)
        coins, hand = seat.silver + seat.gold, [kind for kind, _ in seat.hand]
        stones = sum(self.texts[kind]["mana"] for kind in hand)
        victory = self.victory(seat)
        look = {
            "mana": lambda: self.mana,
            "coins": lambda: coins,
            "payable": lambda: self.mana + coins,
            "prospect": lambda: self.mana + coins + stones,
            "hand_mana": lambda: stones,
            "silver": lambda: seat.silver,
            "gold": lambda: seat.gold,
            "casts": lambda: self.casts,
            "acquisitions": lambda: self.acquisitions,
            "round": lambda: self.round,
            "turn": lambda: seat.turns,
            "players": lambda: self.players,
            "seat": lambda: seat.number,
            "contracted": lambda: seat.witch is not None,
            "rivals_contracted": lambda: sum(other.witch is not None for other in others),
            "witches": lambda: len(self.witches),
            "truth": lambda: self.truth(seat),
            "truth_lead": lambda: self.truth(seat) - max(map(self.truth, others)),
            "tokens": lambda: seat.tokens,
            "arcana_taken": lambda: seat.arcana_taken,
            "arcana_lead": lambda: seat.arcana_taken - max(one.arcana_taken for one in others),
            "kinds_left": lambda: len(self.field),
            "magic_deck": lambda: len(self.magic_deck),
            "hand": lambda: len(seat.hand),
            "deck": lambda: len(seat.deck),
            "discard": lambda: len(seat.discard),
            "cards": lambda: len(seat.cards()),
            "just_discarded": lambda: self.just_discarded,
            "just_burned": lambda: self.just_burned,
            "extra": lambda: self.extra,
            "mana_obtained": lambda: self.mana_obtained,
            "barriers": lambda: seat.barriers,
            "announced": lambda: seat.announced,
            "rivals_announced": lambda: sum(other.announced for other in others),
            "progress": lambda: self.progress(seat),
            "progress_needed": lambda: self.needed(seat),
            "truth_needed": lambda: victory["truth"] if victory else 0,
            "rivals_curses": lambda: sum(other.owned("curse") for other in others),
            "kinds_cast": lambda: len(seat.kinds_cast),
            "on_turn": lambda: seat is self.current,
        }
        return int(look[name]())

    def _see_about(self, seat, name, about):
        def among(cards):
            return sum(kind == about for kind, _ in cards)

        def grouped(cards):
            group = self.group(about)
            return sum(kind in group for kind, _ in cards)

        look = {
            "owned": lambda: seat.owned(about),
            "hand_has": lambda: among(seat.hand),
            "pile": lambda: ENDLESS if self.piles[about] < 0 else self.piles[about],
            "field": lambda: len(self.field.get(about, ())),
            "owned_group": lambda: grouped(seat.cards()),
            "hand_group": lambda: grouped(seat.hand),
            "play_group": lambda: grouped(seat.play),
            "uses": lambda: seat.uses[about],
            "own_field": lambda: among(seat.own),
            "burned": lambda: among(self.burned),
            "sealed": lambda: len(self.seals_on(about)),
            "witch_free": lambda: about in self.witches,
            "witch_mine": lambda: seat.witch == about,
            "price": lambda: self.price(seat, about),
        }
        return look[name]()
