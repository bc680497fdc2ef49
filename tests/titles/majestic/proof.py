"""What the two engines are compared on: cases, the counting of what they reached, differences."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sim.core.policy import available
from sim.core.ruleset import load_ruleset
from sim.titles.majestic import DATA, TITLE, battle, choosing, effects, plays, texts
from sim.titles.majestic.checks import problems
from sim.titles.majestic.field import blockers, has
from sim.titles.majestic.info import ATTACK, BLOCK, DECISIONS, END_REASONS, INFO, SOURCES
from sim.titles.majestic.observe import OBSERVABLES
from sim.titles.majestic.primitives import PRIMITIVES
from sim.titles.majestic.reference import Game
from sim.titles.majestic.results import finished
from sim.titles.majestic.schema import KEYWORDS, PLACES, Rules
from sim.titles.majestic.texts import TARGET_ONLY, TEXT_OBSERVABLES
from tests.titles import proofs
from tests.titles.majestic import proof_cards
from tests.titles.majestic.proof_cards import MAIN, MANA
from tests.titles.majestic.staging import made

ALL = tuple(available(DATA / "policies"))

#: Policies written for the proof; there is a curious one for each thing that can be seen.
CURIOUS = tuple(f"curious_{seen.id}" for seen in OBSERVABLES)
CONTRARY, BRAWLER = "contrary", "brawler"

#: What cases play with: the title's own cards, those of the rules' tests, those of the proof.
PRINTED, POOL, PROBES = "printed", "pool", "probes"


@dataclass(frozen=True)
class Case:
    """A ruleset, the policies that line-ups are drawn from with every deck, and bans by seat."""

    name: str
    overrides: tuple[str, ...] = ()
    pool: tuple[str, ...] = ("random", "midrange@0.3")
    cards: str = POOL
    #: More cards and decks, for those of the rules' tests.
    overlay: str = ""
    #: Cards of a main deck and of a mana deck of the proof.
    sizes: tuple[int, int] = (MAIN, MANA)
    bans: tuple[tuple[str, ...], ...] = ()
    rotations: bool = False
    #: Whether every policy has its turn in both seats, and is not drawn.
    each: bool = False
    share: float = 0.2
    #: Games may end with an error of the rules; both engines must come to the same one.
    fails: bool = False


def load(case: Case, folder: Path):
    """Return the rules of a case."""
    if case.cards == PRINTED:
        return TITLE.load(overrides=case.overrides)
    if case.cards == POOL:
        overlay = folder / f"{case.name}.toml"
        overlay.write_text(case.overlay, encoding="utf-8")
        return made([overlay], case.overrides)
    main, mana = case.sizes
    here = folder / f"{main}-{mana}"
    if not here.exists():
        here.mkdir()
        shutil.copy(DATA / "rules.toml", here)
        for name, text in proof_cards.data(main, mana).items():
            (here / name).write_text(text, encoding="utf-8")
    sizes = (f"deck.main={main}", f"deck.mana={mana}", "deck.copies=60", "deck.special=40")
    return load_ruleset(
        INFO.id, here, Rules, overlays=[], overrides=[*sizes, *case.overrides], check=problems
    )


class CountingGame(Game):
    """The readable engine, counting what it came across."""

    hits: Counter[str]
    #: Sources of the texts at work, the outermost first.
    at_work: list[str]
    #: What conditions are looked at for.
    role = "cond"
    #: Whether the cards are those of the title.
    printed = False

    def count(self, seat, kind, field):
        super().count(seat, kind, field)
        if self.printed and field == "played":
            self.hits[f"printed {self.tables.names[kind]}, played"] += 1

    def count_use(self, seat, offer):
        """Count whose text a seat uses, of what there is one by one among the title's cards."""
        if not self.printed:
            return
        if offer.source == "sorcerer":
            self.hits[f"printed {self.tables.sorcerer_names[seat.sorcerer]}, used"] += 1
        elif offer.source == "abilities":
            self.hits[f"printed {self.tables.names[offer.unit.kind]}, used"] += 1
        elif offer.source == "special":
            # Its own card has come to the mana zone just now; equal texts would be one.
            card = next(
                one.card for one in reversed(seat.mana) if self.mana_text(one.card) is offer.text
            )
            self.hits[f"printed {self.tables.names[card.kind]}, used"] += 1

    def decide(self, seat, decision, options):
        legal = set(options)
        if len(legal) > 1:
            self.hits[f"decision {DECISIONS[decision].id}"] += 1
        code = super().decide(seat, decision, legal)
        if len(legal) > 1:
            name = self.tables.words.options[code]
            kind = "a kind" if code < len(self.faces) else name.partition("_")[0]
            self.hits[f"{DECISIONS[decision].id}: {kind}"] += 1
        self._count_keywords(seat, decision, code)
        return code

    def _count_keywords(self, seat, decision, code):
        unit, hits = self.unit_at(seat, code), self.hits
        if decision == ATTACK:
            hits["keyword bound, attack"] += any(
                one.ready and has(self, one, "bound") and one.front for one in seat.units()
            )
            if unit is not None:
                hits["keyword swift"] += unit.fresh
                hits["keyword ranged"] += not unit.front
        elif decision == BLOCK:
            hits["keyword bound, block"] += any(
                one.ready and has(self, one, "bound") and not one.front for one in seat.units()
            )
            hits["keyword evasive"] += bool(
                blockers(self, seat) and has(self, self.battle.attacker, "evasive")
            )
            hits["keyword sentinel"] += unit is not None and unit.front
            hits["block" if unit is not None else "no block"] += 1

    def wants_special(self, seat):
        uses = super().wants_special(seat)
        self.hits["special used" if uses else "special refused"] += 1
        return uses

    def _main_phase(self):
        super()._main_phase()
        self.hits["acts_cap reached"] += any(
            seat.acts >= self.rule["acts_cap"] for seat in self.seats
        )

    def _end_phase(self):
        seat = self.seats[self.on_turn]
        units = [unit for one in self.seats for unit in one.units()]
        self.hits["damage goes"] += any(unit.damage for unit in units)
        self.hits["AP given go"] += any(unit.ap_bonus for unit in units)
        self.hits["DP given go"] += any(unit.dp_bonus < 0 for unit in units)
        self.hits["keyword given goes"] += any(unit.given for unit in units)
        self.hits["hand_limit reached"] += len(seat.hand) > self.rule["hand_limit"]
        super()._end_phase()

    def _finish(self, reason, winner):
        self.hits[f"end {END_REASONS[reason].id}"] += 1
        if winner is not None:
            self.hits[f"seat {winner.index + 1} wins"] += 1
            self.hits["the seat on turn loses"] += winner.index != self.on_turn
        self.hits["end within a text"] += bool(self.at_work)
        self.hits["end within special mana in a text"] += "special" in self.at_work[1:]
        for seat in self.seats:
            for source in SOURCES:
                self.hits[f"LP by {source}"] += seat.sources[source]
            self.hits["redrawn"] += seat.redraws
            self.hits["sorcerer used"] += seat.sorcerer_used
            self.hits["off turn"] += seat.spells_in_battle
        super()._finish(reason, winner)


def watch(patch, hits: Counter[str]) -> None:
    """Count which effects work on what, and what is asked and seen, value by value."""
    _watch_effects(patch, hits)
    _watch_questions(patch, hits)
    _watch_battles(patch, hits)
    _watch_plays(patch, hits)


def _watch_effects(patch, hits) -> None:
    units = effects._Work.units

    def working(now):
        found = units(now)
        primitive = PRIMITIVES[now.effect.op]
        words = [kind.split("|") for kind in primitive.arguments if kind != "int"]
        named = [
            of[number]
            for of, number in zip(words, (now.effect.first, now.effect.second), strict=False)
        ]
        what = " ".join((primitive.id, *named))
        hits[what] += bool(found)
        hits[f"{what}, own"] += any(unit.owner == now.seat.index for unit in found)
        hits["several units"] += len(found) > 2
        if named[0] in ("target", "self") and not found:
            unit = now.target if named[0] == "target" else now.offer.unit
            if unit is not None:
                hits[f"{named[0]} has left"] += 1
                hits["place taken again"] += (
                    now.game.seats[unit.owner].places[unit.place] is not None
                )
        return found

    def counted(name, works):
        def work(now):
            primitive = PRIMITIVES[now.effect.op]
            words = [kind.split("|") for kind in primitive.arguments if kind != "int"]
            if not (words and words[0][0] == "target"):
                named = [of[now.effect.first] for of in words]
                hits[" ".join((name, *named))] += now.amount > 0
            hits["amount held at 0"] += now.amount == 0 and now.effect.amount > 0
            works(now)

        return work

    patch.setattr(effects._Work, "units", working)
    for name, works in list(effects._WORKS.items()):
        patch.setitem(effects._WORKS, name, counted(name, works))
    bury = effects.bury

    def burying(game, first):
        fallen = [
            unit for seat in game.seats for unit in seat.units() if unit.damage >= game.dp(unit)
        ]
        hits["fallen together, of both"] += len({unit.owner for unit in fallen}) == 2
        hits["fallen by DP"] += any(game.dp(unit) <= 0 for unit in fallen)
        bury(game, first)

    patch.setattr(effects, "bury", burying)
    patch.setattr(battle, "bury", burying)
    rooms = effects.areas_with_room

    def putting(game, seat):
        found = rooms(game, seat)
        hits["no place free, put"] += seat.count() == PLACES
        hits["one area full, put"] += len(found) == 1
        return found

    patch.setattr(effects, "areas_with_room", putting)
    roomy = effects.has_room

    def shifting(game, seat, *, front):
        found = roomy(game, seat, front=front)
        hits["shift into a full area"] += not found
        return found

    patch.setattr(effects, "has_room", shifting)


def _watch_questions(patch, hits) -> None:
    asked, observe, holds = texts.asked, choosing.observe, texts.holds

    def count(role, number, value):
        name = TEXT_OBSERVABLES[number].id
        hits[f"asked {name}, {_value(value)}"] += 1
        hits[f"{role} {name}"] += 1
        hits[f"{role} {name}, {_value(value)}"] += 1
        return value

    def asking(game, context, number, argument):
        return count(game.role, number, asked(game, context, number, argument))

    def multiplying(game, context, number, argument):
        return count("per", number, asked(game, context, number, argument))

    def held(game, context, conditions):
        game.role = "needs" if context.target is None else "where"
        found = holds(game, context, conditions)
        hits[f"{game.role}, {found}"] += bool(conditions)
        game.role = "cond"
        return found

    def conditioned(game, context, conditions):
        found = holds(game, context, conditions)
        hits[f"cond, {found}"] += bool(conditions)
        return found

    def seeing(game, seat, number, argument):
        value = observe(game, seat, number, argument)
        seen = OBSERVABLES[number]
        hits[f"seen {seen.id}, {_value(value)}"] += 1
        if seen.argument == "option":
            hits[f"seen {seen.id} of {_option(game, argument)}, {_value(value)}"] += 1
            hits[f"seen {seen.id} at {DECISIONS[game.asking].id}, {_value(value)}"] += 1
        return value

    patch.setattr(texts, "asked", asking)
    patch.setattr(effects, "asked", multiplying)
    patch.setattr(effects, "holds", conditioned)
    patch.setattr(plays, "holds", held)
    patch.setattr(choosing, "observe", seeing)


def _option(game, code: int) -> str:
    if code < len(game.faces):
        return "a kind"
    return game.tables.words.options[code].partition("_")[0]


def _value(value: int) -> str:
    return "0 or less" if value <= 0 else "more"


def _watch_battles(patch, hits) -> None:
    exchange, fight = battle._exchange, battle._fight

    def exchanging(game, attacker):
        exchange(game, attacker)
        now = game.battle
        when = "after" if now.blocked else "before"
        hits[f"attacker left {when} the block"] += now.attacker is None
        hits["blocker left"] += now.blocked and now.blocker is None
        hits["both left"] += now.blocked and now.blocker is None and now.attacker is None

    def fighting(game, seat, attacker):
        again = seat.index, attacker.place, game.turn
        hits["attacks again in a turn"] += again == getattr(game, "last_attack", None)
        game.last_attack = again
        fight(game, seat, attacker)
        place = game.seats[attacker.owner].places[attacker.place]
        hits["attacker's place taken again"] += place is not attacker and place is not None

    patch.setattr(battle, "_exchange", exchanging)
    patch.setattr(battle, "_fight", fighting)


def _watch_plays(patch, hits) -> None:
    ability, pay, work, aim = plays._ability, plays.pay, plays.work, plays.choose_target
    rooms = plays.areas_with_room

    def using(game, seat, offer, ready, used):
        found = ability(game, seat, offer, ready, used)
        if not found and ability(game, seat, offer, True, False):
            bearer = "sorcerer" if offer.unit is None else "unit"
            hits[f"free ability of a {bearer} spent"] += used and not offer.text.down
            hits[f"{bearer} is down"] += offer.text.down
            hits["fresh unit keeps its ability"] += bearer == "unit" and offer.unit.fresh
        return found

    def paying(game, seat, attribute, cost):
        ready = seat.ready_mana
        ready[attribute] -= 1
        if cost > 1:
            most = max(ready)
            first = [place for place, number in enumerate(ready) if number == most]
            hits["pay: own attribute alone has most"] += first == [attribute]
            hits["pay: own attribute spared"] += attribute in first and len(first) > 1
            hits["pay: first of equal attributes"] += len(set(first) - {attribute}) > 1
            hits["pay: another attribute has most"] += attribute not in first
        pay(game, seat, attribute, cost)

    def working(game, seat, offer, target):
        hits[f"text of {offer.source}"] += 1
        game.count_use(seat, offer)
        hits["special mana within special mana"] += (
            offer.source == "special" and "special" in game.at_work
        )
        hits["works off turn"] += seat.index != game.on_turn
        game.at_work.append(offer.source)
        work(game, seat, offer, target)
        game.at_work.pop()

    def aiming(game, seat, offer):
        target = aim(game, seat, offer)
        hits["aims at itself"] += target is not None and target is offer.unit
        hits["played without a target"] += (
            target is None and offer.unit is not None and offer.text.target > 0
        )
        return target

    def playing(game, seat):
        found = rooms(game, seat)
        hits["no place free, play"] += seat.count() == PLACES
        hits["one area full, play"] += len(found) == 1
        return found

    patch.setattr(plays, "_ability", using)
    patch.setattr(plays, "pay", paying)
    patch.setattr(plays, "work", working)
    patch.setattr(plays, "choose_target", aiming)
    patch.setattr(plays, "areas_with_room", playing)


def wanted() -> list[str]:
    """Return what the proof must have come across."""
    both = ("0 or less", "more")
    return [
        *proof_cards.effects(),
        *_of_units(),
        *(
            f"asked {seen.id}, {value}"
            for seen in TEXT_OBSERVABLES
            for value in both
            if value == "more" or seen.id not in _NEVER_0
        ),
        *(f"{role} {seen.id}" for role, seen in _roles()),
        # Which unit is meant differs by what is asked for.
        *(
            f"{role} {seen.id}, {value}"
            for role, seen in _roles()
            for value in both
            if seen.id.startswith(("self_", "target_"))
            and (value == "more" or (role, seen.id) != _STANDS)
        ),
        *(f"{role}, {found}" for role in ("where", "needs", "cond") for found in (True, False)),
        *(
            f"seen {seen.id}, {value}"
            for seen in OBSERVABLES
            for value in both
            if value == "more" or seen.id not in _NEVER_0
        ),
        *_seen_of(),
        *(f"decision {point.id}" for point in DECISIONS),
        *_CHOSEN,
        *(f"end {reason.id}" for reason in END_REASONS),
        *(f"LP by {source}" for source in SOURCES),
        *(f"text of {source}" for source in SOURCES if source not in ("attacks", "itself")),
        *(f"keyword {name}" for name in KEYWORDS if name != "bound"),
        *_SITUATIONS,
        *_printed(),
    ]


def _printed() -> list[str]:
    """Return what must have been done with every single card of the title."""
    values = TITLE.load().values
    abilities = [name for name, card in values["cards"].items() if card["ability"]]
    special = [name for name, mana in values["mana"].items() if mana["effects"]]
    return [
        *(f"printed {name}, played" for name in values["cards"]),
        *(f"printed {name}, used" for name in (*abilities, *special, *values["sorcerers"])),
    ]


#: What is 1 or more as long as a game goes on; the DP of what may become a target are so, too.
_NEVER_0 = ("round", "lp", "enemy_lp", "cards_left", "mana_left", "clock", "enemy_clock")
_STANDS = ("where", "target_dp")


def _of_units() -> list[str]:
    """Return effects on units that must have worked on own ones, whoever is meant."""
    of_units = [one.id for one in PRIMITIVES if one.arguments[0].startswith("target|")]
    return [
        f"{words}, own"
        for words in proof_cards.effects()
        if words.split()[0] in of_units and words.split()[1] in ("target", "attacker", "blocker")
    ]


def _roles() -> list[tuple[str, object]]:
    """Return what texts ask, by what it is asked for."""
    return [
        (role, seen)
        for number, seen in enumerate(TEXT_OBSERVABLES)
        for role in ("where", "needs", "cond", "per")
        if role != "needs" or number not in TARGET_ONLY
    ]


def _seen_of() -> list[str]:
    """Return what must have been seen of options, by what they stand for and where it matters."""
    of_options = [seen.id for seen in OBSERVABLES if seen.argument == "option"]
    of_units = ("worth", "biggest", "smallest", "in_front", "is_down", "fights")
    found = [f"seen {id_} of {one}, more" for id_ in of_options for one in ("own", "enemy")]
    found.remove("seen survives of enemy, more")
    found += [f"seen {id_} of a kind, more" for id_ in ("cost", "ap", "dp", "kills", "swings")]
    found += [f"seen {id_} of sorcery, more" for id_ in ("kills", "swings", "refills", "burns")]
    found += [f"seen {id_} of sorcery, 0 or less" for id_ in of_units]
    for id_, points in (
        ("kills", ("main", "exchange", "attack", "block", "target")),
        ("survives", ("attack", "block")),
        ("swings", ("exchange", "target")),
        ("refills", ("main", "exchange", "target")),
        ("burns", ("main", "exchange", "target")),
    ):
        found += [f"seen {id_} at {p}, {v}" for p in points for v in ("0 or less", "more")]
    return found


_CHOSEN = (
    *("redraw: redraw", "redraw: stop", "mana_phase: put", "mana_phase: draw"),
    *("main: a kind", "main: own", "main: advance", "main: retreat", "main: sorcery"),
    *("main: stop", "move: own", "attack: own", "attack: stop", "exchange: a kind"),
    *("area: to", "exchange: own", "exchange: sorcery", "exchange: stop", "block: own"),
    *("block: stop", "target: own", "target: enemy", "special: use", "special: stop"),
    *("discard: a kind", "fetch: a kind", "fetch: stop"),
)

_SITUATIONS = (
    *("keyword bound, attack", "keyword bound, block", "block", "no block", "redrawn"),
    *("seat 1 wins", "seat 2 wins", "the seat on turn loses", "end within a text"),
    *("end within special mana in a text", "special used", "special refused"),
    *("special mana within special mana", "sorcerer used", "off turn", "works off turn"),
    *("acts_cap reached", "hand_limit reached", "damage goes", "AP given go", "DP given go"),
    *("keyword given goes", "several units", "target has left", "self has left"),
    *("place taken again", "attacker's place taken again", "amount held at 0"),
    *("fallen together, of both", "fallen by DP", "no place free, put", "no place free, play"),
    *("one area full, put", "one area full, play", "shift into a full area"),
    *("attacker left before the block", "attacker left after the block", "blocker left"),
    *("both left", "attacks again in a turn", "aims at itself", "played without a target"),
    *("free ability of a unit spent", "free ability of a sorcerer spent", "unit is down"),
    *("sorcerer is down", "fresh unit keeps its ability", "pay: own attribute alone has most"),
    *("pay: own attribute spared", "pay: first of equal attributes"),
    "pay: another attribute has most",
)


class Setting(proofs.Setting):
    """A case made ready to be played by both engines."""

    def __init__(self, case: Case, games: int, folder: Path) -> None:
        rules = load(case, folder)
        tables = TITLE.compile(rules)
        loadouts = TITLE.loadouts(rules)
        entries = []
        for policy in case.pool:
            name, at, slip = policy.partition("@")
            file = self._file(name, tables.kind_names, folder / case.cards)
            entries += [f"{file}:{loadout.id}{at}{slip}" for loadout in loadouts]
        super().__init__(TITLE, case, tables, entries, 2, games, loadouts=loadouts)
        if case.each:
            turns, many = np.arange(games), len(loadouts)
            pairs = [(turns, turns // 3), (7 * turns + 3, turns // 2 + 1)]
            rows = [policy % len(case.pool) * many + deck % many for policy, deck in pairs]
            self.lineups = np.ascontiguousarray(np.stack(rows, axis=1), np.int16)

    @staticmethod
    def _file(name: str, kinds: tuple[str, ...], folder: Path) -> str:
        if name in CURIOUS:
            # Each asks about other kinds.
            turn = CURIOUS.index(name)
            text = proof_cards.curious(turn, (*kinds[turn % len(kinds) :], *kinds)[:10:2])
        elif name in (CONTRARY, BRAWLER):
            text = getattr(proof_cards, name)()
        else:
            return name
        folder.mkdir(exist_ok=True)
        file = folder / f"{name}.toml"
        file.write_text(text, encoding="utf-8")
        return str(file)

    def reference(self, game: int, hits: Counter[str], *, trace: bool = False):
        tables, policies, bans, key, deal, lineup = self.given(game)
        decks = [int(policies.loadout[entry]) for entry in lineup]
        played = CountingGame(tables, policies, bans, key, deal, lineup, decks, trace=trace)
        played.hits, played.at_work = hits, []
        played.printed = self.case.cards == PRINTED
        played.set_up()
        played.play()
        return finished(played)
