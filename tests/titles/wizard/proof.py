"""What the two engines are compared on: the counting of what games reached, and differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sim.core.policy import available
from sim.titles.wizard import TITLE, battle, choosing
from sim.titles.wizard.faces import NO_PLACE
from sim.titles.wizard.info import DECISIONS, DRAW, END_REASONS, LEAVE, LP_SOURCES, SPELL
from sim.titles.wizard.observe import OBSERVABLES
from sim.titles.wizard.reference import Game
from sim.titles.wizard.results import finished
from sim.titles.wizard.schema import (
    BASIC,
    COLOURS,
    COMPANIONS,
    DEALT,
    MOST_DRAWN,
    MOST_HEXES,
    PARTS,
    PLACES,
    SEA,
    TERRAINS,
)
from sim.titles.wizard.words import enemy_ids, way_ids
from tests.titles import proofs
from tests.titles.proofs import differences
from tests.titles.wizard.proof_policies import written


@dataclass(frozen=True)
class Case:
    """A ruleset, the policies that line-ups are drawn from, and what is barred."""

    name: str
    overrides: tuple[str, ...] = ()
    pool: tuple[str, ...] = ("random", "optimal_draws@0.4", "cautious@0.2", "wild_1", "wild_2")
    barred: tuple[str, ...] = ()
    share: float = 0.2
    overlay: str = ""

    #: There is one seat: nothing to be turned.
    rotations = False

    @property
    def bans(self) -> tuple[tuple[str, ...], ...]:
        """What is barred, by seat."""
        return (self.barred,)

    def load(self, folder: Path):
        """Return the ruleset."""
        overlays = []
        if self.overlay:
            overlays = [folder / "overlay.toml"]
            overlays[0].write_text(self.overlay, encoding="utf-8")
        return TITLE.load(overlays, self.overrides)


class CountingGame(Game):
    """The readable engine, counting what it came across."""

    hits: Counter[str]
    asked: str = ""
    spells_named: int = 0

    def decide(self, decision, options):
        legal = set(options)
        free = {code for code in legal if not self.bans[0] >> code & 1}
        self.hits["barred option left out"] += 0 < len(free) < len(legal)
        self.hits["barred, but nothing else is legal"] += not free
        self.asked = DECISIONS[decision].id
        self.hits[f"decision {self.asked}"] += len(free or legal) > 1
        code = super().decide(decision, legal)
        if decision == DRAW:
            number = code - self.rule["first_draw"] + 1
            self.hits[f"{number} drawn"] += 1
            self.hits[f"deck of {len(self.deck_parts)}"] += 1
            self.hits["whole deck drawn"] += number == len(self.deck_parts)
        elif decision == LEAVE:
            self.hits["part left out"] += code != self.stop
            self.hits["no more parts left out"] += code == self.stop
        elif decision == SPELL:
            self.spells_named += 1
        return code

    def change_lp(self, by, why):
        self.hits[f"lp from {why}"] += by != 0
        super().change_lp(by, why)

    def pay(self, number, why):
        self.hits[f"more to pay than there is, {why}"] += number > self.wizard.lp
        return super().pay(number, why)

    def recover(self, number, why):
        room = self.rule["most_lp"] - self.wizard.lp
        self.hits[f"recovery cut, {why}"] += 0 <= room < number
        self.hits["LP above the most stay"] += room < 0
        super().recover(number, why)

    def move(self, direction):
        self._count_entering(self.directions()[direction])
        super().move(direction)

    def _count_entering(self, there):
        tables, wizard, hits = self.tables, self.wizard, self.hits
        entered, last = tables.map_hexes[there], there == MOST_HEXES - 1
        unused = entered.recover > 0 and there not in self.used
        unfought = entered.place != NO_PLACE and not self.places[entered.place].order
        costs = {tables.way_cards[one.way].sea for one in wizard.companions} - {0}
        beside = {tables.map_hexes[code].terrain for code in tables.beside[there] if code >= 0}
        sea, sea_around = entered.terrain == SEA, beside == {SEA}
        hits["sea entered, two companions cross it"] += sea and len(costs) > 1
        hits["sea with sea all around entered"] += sea and sea_around
        hits["island entered"] += not sea and sea_around
        hits["yellow hex entered at full LP"] += unused and wizard.lp == self.rule["most_lp"]
        hits["yellow hex entered again"] += there in self.used
        hits["last yellow hex of the most entered"] += unused and last
        hits["place entered again"] += entered.place != NO_PLACE and not unfought
        hits["last hex of the most fought at"] += unfought and last

    def gain(self, card, source, **fields):
        super().gain(card, source, **fields)
        self.hits["barred card laid away"] += card in self.wizard.aside

    def finish(self, reason):
        super().finish(reason)
        self.hits[f"end {END_REASONS[reason].id}"] += 1
        self.hits[f"end {END_REASONS[reason].id} at the castle"] += self.battle is not None and (
            self.battle.place == NO_PLACE
        )


def watch(patch, hits: Counter[str]) -> None:
    """Count what battles and questions come to, value by value."""
    _watch_battles(patch, hits)
    _watch_magic(patch, hits)
    observe = choosing.observe
    first: dict[str, int] = {}

    def seeing(game, number, argument):
        value, name = observe(game, number, argument), OBSERVABLES[number].id
        which = "first" if first.setdefault(name, value) == value else "other"
        hits[f"seen {name}, {which} value"] += 1
        hits[f"seen {name} at {game.asked}"] += 1
        return value

    patch.setattr(choosing, "observe", seeing)


def _watch_battles(patch, hits: Counter[str]) -> None:
    hurt, skills, win = battle._hurt, battle.start_skills, battle._win
    struck, lose = battle._struck, battle._lose_companion

    def hurting(game, damage, why):
        hits[f"damage by {why}"] += damage > 0
        hits[f"more damage than LP by {why}"] += damage > game.battle.lp > 0
        hits[f"beaten by {why}"] += damage >= game.battle.lp > 0
        hurt(game, damage, why)

    def starting(game):
        family = game.tables.enemy_cards[game.battle.enemy].family
        hits[f"fought on {TERRAINS[game.battle.terrain]}"] += 1
        for one in game.wizard.companions:
            way = game.tables.way_cards[one.way]
            if way.start_damage:
                whom = "all" if not way.family else "it" if way.family == family else "others"
                hits[f"skill of the start, works on {whom}"] += 1
        king = game.battle.place == NO_PLACE
        skills(game)
        hits["place won by skills of the start alone"] += not king and game.battle is None
        hits["king beaten by skills of the start alone"] += king and game.battle is None

    def winning(game):
        fight = game.battle
        if fight.place != NO_PLACE:
            hits["no ability at a place"] += game.places[fight.place].ability is None
        hits["won in the first turn"] += fight.turn == 1
        win(game)

    def being_struck(game):
        fight, enemy = game.battle, game.tables.enemy_cards[game.battle.enemy]
        ap, strike, before = enemy.ap[fight.lp], game.strike_with(fight.lp), fight.lp
        hits["strike guarded in part"] += 0 < strike < ap
        hits["strike guarded to 0"] += strike == 0 < ap
        hits["no AP to strike with"] += ap == 0
        struck(game)
        mended = fight.lp - before
        hits["mended in full"] += 0 < mended == enemy.mend
        hits["mending cut"] += 0 < mended < enemy.mend
        hits["nothing to mend"] += not mended and enemy.mend > 0 and fight.lp == enemy.lp

    def losing(game, reason):
        companions, how = len(game.wizard.companions), END_REASONS[reason].id
        lose(game, reason)
        hits[f"companion lost, {how}"] += companions > 0
        hits[f"last companion lost, {how}"] += companions == 1
        hits["LP above the most after a loss"] += game.wizard.lp > game.rule["most_lp"]

    patch.setattr(battle, "_hurt", hurting)
    patch.setattr(battle, "start_skills", starting)
    patch.setattr(battle, "_win", winning)
    patch.setattr(battle, "_struck", being_struck)
    patch.setattr(battle, "_lose_companion", losing)


def _watch_magic(patch, hits: Counter[str]) -> None:
    compose, damage_of, magic = battle.compose, battle.magic_damage, battle._magic

    def composing(game):
        game.spells_named = 0
        cast = compose(game)
        hits[f"{min(game.spells_named, 2)} spells named for a cast"] += 1
        hits["no spell cast"] += not cast.spells
        hits["several spells cast"] += cast.spells.bit_count() > 1
        return cast

    def damaging(game, cast):
        damage = damage_of(game, cast)
        for colour, power, done in zip(COLOURS, cast.power, damage, strict=True):
            hits[f"{colour} blocked"] += power > 0 and not done
            hits[f"{colour} without a spell"] += not power and done > 0
        return damage

    def playing(game):
        at_0, lost = game.wizard.healed_at_0, game.wizard.companions_lost
        magic(game)
        hits["healed at 0"] += game.wizard.healed_at_0 > at_0
        hits["lost by casting, then damage"] += (
            not game.over and game.wizard.companions_lost > lost and game.battle.lp > 0
        )

    patch.setattr(battle, "compose", composing)
    patch.setattr(battle, "magic_damage", damaging)
    patch.setattr(battle, "_magic", playing)


def _count_records(setting: Setting, game: int, record, hits: Counter[str]) -> None:
    seat, ruleset = record.seats[0], setting.ruleset
    for name in ("lost_at", "lost_to", "route", *(f"way_{one}" for one in COMPANIONS)):
        hits[f"{name} {TITLE.categories(ruleset, name)[seat[name]].id}"] += 1
    hits[f"played by {setting.names[setting.address(game)[1][0]]}"] += 1
    for place in PLACES:
        hits[f"battle {seat[f'order_{place}']} at {place}"] += 1
    for name in DEALT:
        for when in ("start", "own"):
            hits[f"{when} {name}"] += seat[f"{when}_{name}"]
    for enemy in enemy_ids(ruleset.values):
        hits[f"met {enemy}"] += int(record.cards[0, setting.tables.kinds.index(enemy), 2])


def wanted() -> list[str]:
    """Return what the proof must have come across."""
    ruleset = TITLE.load()
    values = ruleset.values
    enemies = enemy_ids(values)
    lost = ("lost_in_battle", "lost_by_casting")
    ways = [f"{companion}_{way}" for companion, way in way_ids(values)]
    return [
        *(f"played by {name}" for name in available(TITLE.data / "policies")),
        *(f"decision {point.id}" for point in DECISIONS),
        *(f"end {reason.id}" for reason in END_REASONS),
        *(f"end {reason} at the castle" for reason in (*lost, "battle_cap")),
        *(f"lp from {source}" for source in LP_SOURCES if source != "start"),
        *(
            f"{column} {one.id}"
            for column in ("lost_at", "lost_to", "route")
            for one in TITLE.categories(ruleset, column)
        ),
        *(f"way_{way.partition('_')[0]} {way}" for way in ways),
        *(f"way_{companion} never_there" for companion in COMPANIONS),
        *(f"battle {n} at {place}" for place in PLACES for n in range(len(PLACES) + 1)),
        *(f"{when} {name}" for when in ("start", "own") for name in DEALT),
        *(f"met {enemy}" for enemy in enemies),
        *(f"seen {seen.id}, {which} value" for seen in OBSERVABLES for which in ("first", "other")),
        *(f"seen {seen.id} at {point.id}" for seen in OBSERVABLES for point in DECISIONS),
        *(f"{number} drawn" for number in range(1, MOST_DRAWN + 1)),
        *(f"deck of {number}" for number in range(BASIC, len(PARTS) + 1)),
        *(f"{number} spells named for a cast" for number in range(3)),
        *(f"more to pay than there is, {why}" for why in ("moves", "draws", "strikes")),
        *(f"recovery cut, {why}" for why in ("hexes", "wins", "spells")),
        *(f"{what} by {why}" for why in ("start", "magic", "skills") for what in DAMAGE),
        *(f"skill of the start, works on {whom}" for whom in ("all", "it", "others")),
        *(f"{how}companion lost, {why}" for how in ("", "last ") for why in lost),
        *(f"{colour} {what}" for colour in COLOURS for what in ("blocked", "without a spell")),
        *(f"fought on {name}" for name in TERRAINS if name != "sea"),
        *OTHERS,
    ]


DAMAGE = ("damage", "more damage than LP", "beaten")
OTHERS = (
    "barred option left out",
    "barred, but nothing else is legal",
    "barred card laid away",
    "part left out",
    "no more parts left out",
    "whole deck drawn",
    "no spell cast",
    "several spells cast",
    "healed at 0",
    "lost by casting, then damage",
    "LP above the most stay",
    "LP above the most after a loss",
    "sea entered, two companions cross it",
    "sea with sea all around entered",
    "island entered",
    "yellow hex entered at full LP",
    "yellow hex entered again",
    "last yellow hex of the most entered",
    "place entered again",
    "last hex of the most fought at",
    "place won by skills of the start alone",
    "king beaten by skills of the start alone",
    "no ability at a place",
    "won in the first turn",
    "strike guarded in part",
    "strike guarded to 0",
    "no AP to strike with",
    "mended in full",
    "mending cut",
    "nothing to mend",
)


class Setting(proofs.Setting):
    """A case made ready to be played by both engines."""

    def __init__(self, case: Case, games: int, folder: Path) -> None:
        self.ruleset = case.load(folder)
        tables = TITLE.compile(self.ruleset)
        entries = [self._file(name, folder) for name in case.pool]
        super().__init__(TITLE, case, tables, entries, 1, games)

    @staticmethod
    def _file(name: str, folder: Path) -> str:
        text = written(name)
        if text is None:
            return name
        file = folder / f"{name}.toml"
        file.write_text(text, encoding="utf-8")
        return str(file)

    def reference(self, game: int, hits: Counter[str], *, trace: bool = False):
        """Play a game with the readable engine."""
        played = CountingGame(*self.given(game), trace=trace)
        played.hits = hits
        played.set_up()
        played.play()
        return finished(played)


def compare(setting: Setting, hits: Counter[str]) -> list[str]:
    """Play a setting with both engines; return the first difference told, if any."""
    games = len(setting.out.games)
    played = setting.play()
    if played != (0, games):
        return [f"case {setting.case.name!r}: kernel {played}, {games} games asked for"]
    for game in range(games):
        expected = setting.reference(game, hits)
        hits["games"] += 1
        _count_records(setting, game, expected, hits)
        if found := differences(setting.out, game, expected):
            story = setting.reference(game, Counter(), trace=True).trace
            told = [*found[:12], *map(str, story[-12:])]
            return ["\n".join([f"case {setting.case.name!r}, game {game}", *told])]
    return []
