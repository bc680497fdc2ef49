"""Checks a trace by the rulebook: is every event the one that the rules make of what went before?

The auditor knows RULES.md, the README and the data files, and no engine. It is given a list of
events, as ``tenbin trace --format jsonl`` writes them, and rebuilds the whole game from the set-up
event on. What chance and the player did, it reads; whatever the rules make of that, it works out,
and every event must be that one, in all its fields. A :class:`Violation` names the rule.
"""

from __future__ import annotations

from collections import Counter

from tests.titles.wizard import auditor_data as data
from tests.titles.wizard.auditor_events import ANY, HEAD, Events
from tests.titles.wizard.auditor_table import GIFTS, Violation

__all__ = ["Auditor", "Violation", "audit"]

#: The rule by which a game ends.
ENDS = {
    "cleared": "UW-E1",
    "lost_in_battle": "UW-L1",
    "lost_by_casting": "UW-L2",
    "lost_on_road": "UW-L3",
    "round_cap": "UW-M5",
    "battle_cap": "UW-M5",
}

#: The rules of what a set-up states; other numbers of its rules are codes of words.
SECTIONS = {
    "cards": "UW-S4",
    "enemies": "UW-C8",
    "spells": "UW-C3",
    "terrains": "UW-C8",
    "hexes": "UW-M1",
}
NUMBERS = {
    **dict.fromkeys(("start_lp", "most_lp"), "UW-S1"),
    "start_cards": "UW-S2",
    "after_loss": "UW-L1",
    **dict.fromkeys(("deck_chosen", "deck_least", "most_drawn", "left", "draw_cost"), "UW-C2"),
    "sea_cost": "UW-M1",
    **dict.fromkeys(("start_hex", "castle_hex"), "UW-M3"),
    **dict.fromkeys(("round_cap", "battle_cap"), "UW-M5"),
}


def audit(events, overrides=()):
    """Follow a trace to its end; return the auditor, with all that it saw and counted.

    ``overrides`` are those by which the game was played.

    Raises
    ------
    Violation
        At the first event that the rules do not make of what went before.
    """
    auditor = None
    try:
        auditor = Auditor(events)
        auditor.game(data.load(overrides))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        place = auditor.place - 1 if auditor else 0
        raise Violation("trace", place, f"it cannot be followed: {error!r}") from error
    return auditor


class Auditor(Events):
    """Follows a whole game, and does on its own table what each event says."""

    def __init__(self, events):
        super().__init__(events)
        #: Where LP came from and went, and what else the records count (UW-A1).
        self.sources = Counter(start=self.table.lp)
        self.counts = Counter()
        self.beaten, self.reason = [], None
        #: LP and battles won after each move; LP lost and turns in battles with each enemy.
        self.moved, self.cost_of, self.turns_of = [], Counter(), Counter()

    def game(self, values):
        self._check_setup(values)
        table = self.table
        for card in list(table.dealt):
            self._gain("UW-S4", card, "dealt")
            table.dealt.remove(card)
        table.seat = 1
        while self.reason is None:
            table.phase = "journey"
            self.reason = self._round()
            self.moved.append((table.lp, len(self.beaten)))
            if self.reason is None and table.round >= self.rules["round_cap"]:
                self.reason = "round_cap"
            if self.reason is None:
                table.round += 1
            self.must("UW-S2", "cards", sorted(table.all_cards()), self.cards)
        self._end()

    # -- set-up ----------------------------------------------------------------------------------

    def _check_setup(self, values):
        setup = self.setup
        head = {"n": 0, "round": 1, "turn": 0, "seat": 0, "phase": "setup", "event": "setup"}
        self.must("trace", "head", {name: setup[name] for name in HEAD}, head)
        self.must("trace", "title", setup["title"], "wizard")
        self.must("UW-S1", "players", setup["players"], 1)
        for what in ("lineup", "bans"):
            self.must("UW-S1", what, len(setup[what]), 1)
        self._check_numbers(values)
        self.must("UW-S1", "lp", setup["lp"], values["start"]["lp"])
        self.must("UW-M3", "hex", setup["hex"], data.start(values))
        for what in ("companions", "lost", "used"):
            self.must("UW-S2", what, setup[what], [])
        barred = set(setup["bans"][0]) & set(data.BASIC)
        self.must("UW-A2", "barred basic parts", sorted(barred), [])
        self._check_cards(values["start"]["cards"])
        self._check_enemies(values)
        self._check_lots()

    def _check_numbers(self, values):
        """All that a set-up states must be what the data files say."""
        texts = data.texts(values)
        self.must("trace", "texts", sorted(self.setup["texts"]), sorted(texts))
        for section, right in texts.items():
            found = self.setup["texts"][section]
            self.must(SECTIONS[section], section, sorted(found), sorted(right))
            for name, text in right.items():
                self.must(SECTIONS[section], f"{section}.{name}", found[name], text)
        right = data.rules(values)
        self.must("trace", "rules", sorted(self.rules), sorted(right))
        for name, number in right.items():
            self.must(NUMBERS.get(name, "trace"), name, self.rules[name], number)

    def _check_cards(self, start_cards):
        setup, table = self.setup, self.table
        self.must("UW-S2", "hand", sorted(setup["hand"]), sorted([one, 1] for one in data.BASIC))
        self.must("UW-S2", "dealt", len(setup["dealt"]), start_cards)
        self.must("UW-S2", "places", sorted(setup["places"]), sorted(data.PLACES))
        lying = [table.abilities[place] for place in data.PLACES]
        many = min(len(data.DEALT) - start_cards, len(data.PLACES))
        shown = [bool(card) for card in lying]
        self.must("UW-S2", "places with a card", shown, [n < many for n in range(len(lying))])
        told = [*setup["dealt"], *filter(None, (one["ability"] for one in _all(setup)))]
        self.must("UW-S2", "copies", [copy for _, copy in told], [1] * len(told))
        self.cards = sorted(table.all_cards())
        twice = [card for card, number in Counter(self.cards).items() if number > 1]
        self.must("UW-S2", "cards twice", twice, [])
        self.must("UW-S2", "unknown cards", sorted(set(self.cards) - set(data.ABILITIES)), [])

    def _check_enemies(self, values):
        setup, enemies = self.setup, values["enemies"]
        self.must("UW-M2", "beaten", [one["beaten"] for one in _all(setup)], [False] * 8)
        for place, one in setup["places"].items():
            name, copy = one["enemy"]
            self.must("UW-S3", f"copy of {name}", copy, 1)
            right = values["places"][place]["colour"]
            self.must("UW-S3", f"colour at {place}", enemies[name]["colour"], right)
        self.must("UW-S3", "enemies", len({one["enemy"][0] for one in _all(setup)}), 8)
        self.must("UW-S3", "king", enemies[setup["castle"]]["colour"], "king")

    def _check_lots(self):
        """There must be one lot for each companion, and it must be one of its ways up."""
        lots, cards = self.setup["lots"], self.table.cards
        self.must("UW-A3", "lots", len(lots), len(data.COMPANIONS))
        for card, lot in zip(data.COMPANIONS, lots, strict=True):
            ways = [f"{card}_{way}" for way in cards[card]["ways"]]
            if lot not in ways:
                self.fail("UW-A3", f"lot of {card}: {lot!r}; must be one of {ways}")
            self.seen[f"lot {lot}"] += 1

    def _gain(self, rule, card, source, **fields):
        """Let an ability card work from now on (UW-S4); which one lay there, UW-M4 tells."""
        table = self.table
        named = {"card": "UW-M4"} if source == "place" else {}
        if card in table.bans:
            self.move("UW-A2", card, source, "aside", rule_of=named, **fields)
            table.aside.append(card)
            self.seen["barred card"] += 1
        elif card in data.COMPANIONS:
            ways = {f"{card}_{way}": way for way in table.cards[card]["ways"]}
            word = self.decide("UW-S4", "way", ways)
            named["way"] = "UW-S4"
            self.move(rule, card, source, "companions", rule_of=named, way=word, **fields)
            table.companions[card] = table.laid[card] = ways[word]
            self.seen[f"way {word}"] += 1
        else:
            self.move(rule, card, source, "hand", rule_of=named, **fields)
            table.hand.append(card)

    # -- the journey -----------------------------------------------------------------------------

    def _round(self):
        """Follow a move and its battle; return why the game is over, or None."""
        table = self.table
        ways = table.ways_on()
        there = ways[self.decide("UW-M1", "move", ways)]
        entered = table.hexes[there]
        cost, ways_across = table.cost(there), set(table.crossing())
        table.hex = there
        table.turn += 1
        self.state("UW-M1", "hex", hex=there)
        self.seen[f"{entered['terrain']} entered"] += 1
        self.counts["sea_moves"] += entered["terrain"] == "sea"
        self.seen["several cross the sea"] += entered["terrain"] == "sea" and len(ways_across) > 1
        if entered["recover"] and there not in table.used:
            self.state("UW-M1", "used", hex=there)
            table.used.append(there)
            self.counts["recoveries"] += 1
            self._recover("UW-M1", entered["recover"], "hexes")
        else:
            self.seen["yellow hex again"] += entered["recover"] > 0
            self._take("UW-M1", cost, "moves")
        if not table.lp:
            return "lost_on_road"
        if entered["terrain"] == "castle":
            return self._battle("UW-E1", "castle")
        if entered["place"] and entered["place"] not in table.fought:
            return self._battle("UW-M2", entered["place"])
        self.seen["place entered again"] += entered["place"] != ""
        return None

    def _take(self, rule, number, why):
        """Take LP from the wizard; they stop at 0."""
        by = -min(number, self.table.lp)
        self.seen[f"more than there is, {why}"] += -by < number
        self.sources[why] += by
        self.cost_of[self.table.enemy] -= by * (self.table.phase == "battle")
        self.change(rule, "lp", by, why)

    def _recover(self, rule, number, why):
        """Give LP back, up to the most there can be (UW-S1)."""
        by = min(number, max(0, self.rules["most_lp"] - self.table.lp))
        self.seen[f"recovery cut, {why}"] += by < number
        self.sources[why] += by
        self.change(rule, "lp", by, why)

    # -- a battle --------------------------------------------------------------------------------

    def _battle(self, rule, place):
        table = self.table
        table.phase = "battle"
        table.enemy = table.enemies[place]
        enemy = table.texts["enemies"][table.enemy]
        table.enemy_lp = enemy["lp"]
        named = {"enemy": "UW-M4", "lp": "UW-C8"}
        told = {"enemy": table.enemy, "place": place}
        self.state(rule, "battle", rule_of=named, lp=table.enemy_lp, **told)
        table.fought.append(place)
        self._hurt("UW-C1", table.start_damage(), "start")
        number = 0
        while table.enemy_lp:
            if number == self.rules["battle_cap"]:
                return "battle_cap"
            number += 1
            if reason := self._battle_turn(number):
                return reason
        self.seen["beaten before a turn"] += not number
        self.state("UW-C5", "beaten", **told)
        self.beaten.append(place)
        if place == "castle":
            return "cleared"
        table.phase = "journey"
        self._recover("UW-C7", enemy["recover"] + table.sum_of("recover"), "wins")
        if card := table.abilities[place]:
            self._gain("UW-C7", card, "place", place=place)
            table.abilities[place] = None
        return None

    def _hurt(self, rule, number, why):
        """Take LP from the enemy; they stop at 0."""
        by = min(number, self.table.enemy_lp)
        self.counts["damage"] += by
        self.change(rule, "enemy_lp", -by, why)

    def _battle_turn(self, number):
        table = self.table
        table.turn += 1
        self.counts["battle_turns"] += 1
        self.turns_of[table.enemy] += 1
        self.state("UW-C5", "battle_turn", number=number)
        self._draw()
        spells = self._cast()
        self.moves("UW-C2", table.drawn, "drawn", "hand")
        self.moves("UW-C2", table.deck, "deck", "hand")
        *power, heal = table.gift(spells)
        at_0 = not table.lp
        self._recover("UW-C9", heal, "spells")
        self.counts["healed_at_0"] += at_0 and table.lp > 0
        self.seen["healed at 0"] += at_0 and table.lp > 0
        if not table.lp and self._lose("UW-L2"):
            return "lost_by_casting"
        damage = table.damage(dict(zip(data.COLOURS, power, strict=True)))
        self.state("UW-C4", "damage", damage=damage)
        self._hurt("UW-C4", sum(damage.values()), "magic")
        self._hurt("UW-C5", table.sum_of("turn_damage"), "skills")
        return self._struck() if table.enemy_lp else None

    def _struck(self):
        table = self.table
        self._take("UW-C6", table.strike(), "strikes")
        if not table.lp and self._lose("UW-L1"):
            return "lost_in_battle"
        enemy = table.texts["enemies"][table.enemy]
        mend = min(enemy["mend"], enemy["lp"] - table.enemy_lp)
        self.seen["mend cut"] += mend < enemy["mend"]
        self.change("UW-C6", "enemy_lp", mend, "mend")
        return None

    def _draw(self):
        table, rules = self.table, self.rules
        inside = table.parts()
        if rules["deck_chosen"]:
            while len(inside) > rules["deck_least"]:
                part = self.decide("UW-C2", "leave", [*inside, data.STOP])
                if part == data.STOP:
                    break
                inside.remove(part)
        self.moves("UW-C2", inside, "hand", "deck")
        most = max(1, min(rules["most_drawn"], len(inside) - rules["left"]))
        words = {f"draw_{number}": number for number in range(1, most + 1)}
        number = words[self.decide("UW-C2", "draw", words)]
        self._take("UW-C2", number * rules["draw_cost"], "draws")
        self.moves("UW-C2", list(table.deck), "deck", "drawn", number)
        self.counts["drawn"] += number
        self.seen[f"draw {number}"] += 1

    def _cast(self):
        """Follow which set of spells is chosen; return it."""
        table = self.table
        running = [(offer, set()) for offer in table.offers()]
        while True:
            asked = [self._question(offer, chosen) for offer, chosen in running]
            if not any(asked) or not (all(asked) or self.told("choose", "spell")):
                break
            told = (
                self.events[self.place].get("options", []) if self.place < len(self.events) else []
            )
            alike = [place for place, legal in enumerate(asked) if legal == sorted(told)]
            running = [running[place] for place in alike] or running
            word = self.asked("UW-C9", "spell", asked[alike[0]] if alike else max(asked))
            running = [_narrowed(offer, chosen, word) for offer, chosen in running]
        told = self.state("UW-C3", "cast", spells=ANY, power=ANY, heal=ANY)
        spells = told["spells"]
        if not set(spells) <= set(table.texts["spells"]) or not table.castable(spells):
            self.fail("UW-C3", f"{spells} cannot be cast of {table.drawn}")
        decided = [
            self._decided(offer, chosen)
            for (offer, chosen), legal in zip(running, asked, strict=True)
            if not legal
        ]
        if sorted(spells) not in decided:
            self.fail("UW-C9", f"{spells} cast of {table.drawn}; must be one of {decided}")
        gift = dict(zip(GIFTS, table.gift(spells), strict=True))
        self.must("UW-C3", "heal", told["heal"], gift.pop("heal"))
        self.must("UW-C3", "power", told["power"], gift)
        self.counts["spells_cast"] += len(spells)
        self.seen.update(f"spell {name}" for name in spells)
        return spells

    def _question(self, offer, chosen):
        """Return between which spells the player has to choose, none where all is decided."""
        while len(offer) > 1:
            legal = self.unbarred(sorted(set().union(*offer) - set.intersection(*offer) - chosen))
            if len(legal) > 1:
                return legal
            offer, chosen = _narrowed(offer, chosen, legal[0])
        return []

    def _decided(self, offer, chosen):
        while len(offer) > 1:
            left = set().union(*offer) - set.intersection(*offer) - chosen
            offer, chosen = _narrowed(offer, chosen, self.unbarred(sorted(left))[0])
        return sorted(offer[0])

    # -- losing, and the end ---------------------------------------------------------------------

    def _lose(self, rule):
        """Lose a companion, LP being at 0; return whether there is none."""
        table = self.table
        if not table.companions:
            return True
        card = self.decide(rule, "lose", list(table.companions))
        self.move(rule, card, "companions", "lost")
        del table.companions[card]
        table.lost.append(card)
        self.counts["companions_lost"] += 1
        self.seen[f"lost by {rule}"] += 1
        self.sources["losses"] += self.rules["after_loss"]
        self.change(rule, "lp", self.rules["after_loss"], "losses")
        return False

    def _end(self):
        reason, lp = self.reason, self.table.lp
        win60 = [60 if reason == "cleared" else 0]
        told = {"scores": [lp], "ranks": [1], "win60": win60}
        named = dict.fromkeys(told, "UW-A1")
        self.next(
            ENDS[reason], "end", rule_of=named | {"reason": ENDS[reason]}, reason=reason, **told
        )
        self.seen[f"end {reason}"] += 1
        if self.place < len(self.events):
            self.place += 1
            self.fail("trace", "the game is over before it")


def _all(setup):
    return [setup["places"][place] for place in data.PLACES]


def _narrowed(offer, chosen, word):
    return [one for one in offer if word in one], chosen | {word}
