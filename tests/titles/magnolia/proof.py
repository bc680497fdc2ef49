"""What the two engines are compared on: cases, the counting of what they reached, differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sim.core.policy import available
from sim.core.ruleset import load_ruleset
from sim.titles.magnolia import DATA, TITLE, choosing, effects, texts
from sim.titles.magnolia.checks import problems
from sim.titles.magnolia.info import DECISIONS, END_REASONS, INFO
from sim.titles.magnolia.observe import OBSERVABLES
from sim.titles.magnolia.reference import Game
from sim.titles.magnolia.results import finished
from sim.titles.magnolia.schema import CHECKS, LIKENESSES, RESOURCES, STEPS, Rules
from sim.titles.magnolia.texts import CARD_ONLY, TEXT_OBSERVABLES
from sim.titles.magnolia.words import POWER, PRIMITIVES, kind_ids
from tests.titles import proofs

ALL = tuple(available(DATA / "policies"))
WILD = ("random", "greedy@0.4", "lines@0.2")

#: Policies written for the proof: one asks about everything that can be seen, one lays down what a
#: plan does not hold, with weights of every sign; one builds lines and asks what they pay.
CURIOUS, CONTRARY, CHOOSY = "curious", "contrary", "choosy"


@dataclass(frozen=True)
class Case:
    """A ruleset, the policies that line-ups are drawn from, and bans by seat."""

    name: str
    overrides: tuple[str, ...] = ()
    pool: tuple[str, ...] = WILD
    bans: tuple[tuple[str, ...], ...] = ()
    players: tuple[int, ...] = TITLE.info.players
    rotations: bool = False
    share: float = 0.2
    overlay: str = ""
    #: Whether only every third kind is there.
    fewer: bool = False
    #: Games may end with an error of the rules; both engines must come to the same one.
    fails: bool = False


def _written(observables, place: int) -> list[str]:
    """Return each observable as it is written in a text; likenesses take turns."""
    return [
        f"{seen.id}.{LIKENESSES[(place + number) % len(LIKENESSES)]}" if seen.argument else seen.id
        for number, seen in enumerate(observables)
    ]


def probes() -> str:
    """Return an overlay after which cards ask everything in every step, and do everything."""
    lines = []
    for place, kind in enumerate(kind_ids(TITLE.load().values)):
        asked = _written(TEXT_OBSERVABLES, place)
        number = len(asked)

        def seen(
            by: int, asked: list[str] = asked, place: int = place, number: int = number
        ) -> str:
            return asked[(place + by) % number]

        lines.append(f"[cards.{kind}]")
        lines.append(f'front = ["power 1 per {seen(0)}", "power 2 if {seen(1)} <= 3"]')
        for by, step in enumerate(STEPS[1:]):
            what, taken = RESOURCES[(place + by) % 4], ("gold", "vp")[(place + by) % 2]
            lines.append(
                f'{step} = ["{what} 1 per {seen(3 * by)} if {seen(3 * by)} < 9", '
                f'"others_{taken} 2 if {seen(3 * by + 2)} >= 2", "gold 1 if {seen(by + 11)} <= 1"]'
            )
    for place, name in enumerate(TITLE.load().values["objectives"]["cards"]):
        about_seats = _written(TEXT_OBSERVABLES[: CARD_ONLY.start], place)
        asked = (about_seats * 2)[2 * place : 2 * place + 2]
        lines.append(f"[objectives.cards.{name}]")
        lines.append(f'needs = "{asked[0]} >= 2 and {asked[1]} <= 9"')
    return "\n".join(lines)


def curious() -> str:
    """Return a policy file that asks about everything at every decision."""

    def about(seen) -> str:
        if seen.id.startswith("bonus"):
            return ".race"
        return {None: "", "likeness": ".mage", "option": ".human_lord"}[seen.argument]

    # Few rules decide, so that most questions are asked; and what they find decides now and then.
    rules = [
        f"any if {seen.id}{about(seen)} == {place % 3} and hand == {place % 6}"
        for place, seen in enumerate(OBSERVABLES)
    ]
    rules += [
        f"any with {seen.id} == {1 + place % 2} if hand == 4"
        for place, seen in enumerate(OBSERVABLES)
        if seen.argument == "option"
    ]
    lines = ['about = "For the proof."', 'label = { en = "Curious", ja = "好奇心" }', "slip = 1500"]
    for place, point in enumerate(DECISIONS):
        turned = rules[7 * place :] + rules[: 7 * place]
        lines += [f"[{point.id}]", f"rules = {turned!r}", f"[{point.id}.weights]"]
        lines += ["card = 30", "mage = 9", "human_lord = -1", "goblin = 40", "power = 3"]
        lines += ["kin = 2", "pair = -4", "line = 20", "gold = 1", "neighbour = -2"]
    return "\n".join(lines)


def contrary() -> str:
    """Return a policy file that lays what is planned second, or where it is not planned."""
    weights = "card = 12\nwarrior = 30\nelf = -6\npower = -2\nneighbour = 5\nkin = -3\npair = 6\n"
    return f"""
about = "For the proof."
label = {{ en = "Contrary", ja = "あまのじゃく" }}
[discard]
rules = ["any with best == 1 if leaving < 2", "any with value <= 0"]
[discard.weights]
card = 1
[card]
rules = ["any with best == 0 if round <= 2", "any with best == 1"]
[card.weights]
{weights}line = 9
gold = -1
[cell]
rules = ["any with best == 0 if laid == 0", "any with best == 1"]
[bonus]
rules = ["any with best == 1", "job if bonus_vp.job > 0 and bonus_gold.race <= 0", "race"]
[order]
rules = ["any with best == 1", "any with reads == 1"]
"""


def choosy() -> str:
    """Return a policy file that asks what lines pay, and about an empty hand."""
    paid = [f"any with bonus_{what} >= {5 + (what != 'faith')} if hand < 9" for what in RESOURCES]
    return f"""
about = "For the proof."
label = {{ en = "Choosy", ja = "えり好み" }}
base = "_planner"
[card.weights]
card = 20
line = 60
pair = 9
[bonus]
rules = {[*paid[2:], *paid[:2], "job"]!r}
[order]
rules = ["any with reads == 0 if hand == 0", "any"]
"""


WRITTEN = {CURIOUS: curious, CONTRARY: contrary, CHOOSY: choosy}


class CountingGame(Game):
    """The readable engine, counting what it came across."""

    hits: Counter[str]

    def decide(self, seat, decision, options):
        legal = set(options)
        if len(legal) > 1:
            self.hits[f"decision {DECISIONS[decision].id}"] += 1
        return super().decide(seat, decision, legal)

    def change(self, seat, what, by, source=""):
        self.hits[f"{what} from {source}"] += by != 0
        super().change(seat, what, by, source)

    def lay(self, seat, kind, cell):
        self.hits[f"card {self.tables.kind_names[kind]}"] += 1
        super().lay(seat, kind, cell)
        self.hits["whole field"] += len(seat.own_view) == 9

    def _fill_hands(self, order):
        super()._fill_hands(order)
        self.hits["draw lost"] += any(len(seat.hand) < self.rule["hand"] for seat in self.seats)

    def _rank_vp(self, rank, tied):
        vp = super()._rank_vp(rank, tied)
        how = ("full", "divided")[self.rule["shared"]]
        self.hits[f"rank shared, {how}"] += tied > 1
        self.hits["rank pays, not gained"] += 0 < vp < self.rule["gained_from"]
        return vp

    def war_phase(self):
        super().war_phase()
        self.hits["no part in war"] += any(seat.war_rank == 0 for seat in self.seats)

    def _check(self, when):
        before = [seat.objectives for seat in self.seats]
        opened = len(self.open_objectives)
        super()._check(when)
        claims = sum(seat.objectives for seat in self.seats) - sum(before)
        self.hits[f"objective met, {when}"] += claims > 0
        self.hits["objective met by several"] += claims > opened - len(self.open_objectives)

    def _finish(self, reason):
        super()._finish(reason)
        self.hits[f"end {END_REASONS[reason].id}"] += 1
        self.hits["win shared"] += self.ranks.count(1) > 1
        self.hits["shuffle"] += self.shuffles


def watch(patch, hits: Counter[str]) -> None:
    """Count which primitives are worth something in which step, what is asked and seen by value."""
    give, amount = effects._give, effects._amount
    asked, observe = texts.asked, choosing.observe

    def counting(game, seat, cell, effect):
        worth = amount(game, seat, cell, effect)
        # Power is counted outside the steps.
        step = STEPS[max(game.step, 0)]
        hits[f"primitive {PRIMITIVES[effect['op']].id} in {step}"] += worth > 0
        return worth

    def giving(game, seat, cell, effect, losses):
        before = sum(map(Counter.total, losses))
        give(game, seat, cell, effect, losses)
        hits["others lose"] += sum(map(Counter.total, losses)) > before

    def asking(game, seat, cell, number, argument):
        value = asked(game, seat, cell, number, argument)
        hits[f"asked {TEXT_OBSERVABLES[number].id}, {_value(value)}"] += 1
        return value

    def seeing(game, seat, number, argument):
        value = observe(game, seat, number, argument)
        hits[f"seen {OBSERVABLES[number].id}, {_value(value)}"] += 1
        return value

    patch.setattr(effects, "_give", giving)
    patch.setattr(effects, "_amount", counting)
    patch.setattr(effects, "asked", asking)
    patch.setattr(texts, "asked", asking)
    patch.setattr(choosing, "observe", seeing)


def _value(value: int) -> str:
    return "0 or less" if value <= 0 else "more"


def wanted() -> list[str]:
    """Return what the proof must have come across."""
    gold = [f"gold from {source}" for source in ("placement", "lines", "income")]
    gold += [f"gold from {step}_cards" for step in STEPS[1:]]
    vp = [f"vp from {source}" for source in ("war", "lines", "objectives", "taken", "gold")]
    vp += [f"vp from {step}_cards" for step in STEPS[1:]]
    always = {"round", "players"}
    never_more = {"war_rank", "races", "jobs", "cards", "most_of_race", "most_of_job", "column"}
    never_more |= {"row"}
    both = ("0 or less", "more")
    return [
        "primitive power in front",
        *(f"primitive {one.id} in {step}" for one in PRIMITIVES[:POWER] for step in STEPS[1:]),
        *(f"card {name}" for name in kind_ids(TITLE.load().values)),
        *(f"end {reason.id}" for reason in END_REASONS),
        *(f"decision {point.id}" for point in DECISIONS),
        *(f"objective met, {when}" for when in CHECKS),
        *gold,
        *vp,
        *("whole field", "draw lost", "shuffle", "win shared", "no part in war"),
        *("rank shared, full", "rank shared, divided", "rank pays, not gained"),
        *("objective met by several", "others lose"),
        *(
            f"asked {seen.id}, {value}"
            for seen in TEXT_OBSERVABLES
            for value in both
            # A card that asks lies in its own field.
            if value == "more" or seen.id not in always | never_more
        ),
        *(
            f"seen {seen.id}, {value}"
            for seen in OBSERVABLES
            for value in both
            if value == "more" or seen.id not in always
        ),
    ]


def _load_fewer(folder: Path):
    """Return a loader of rules with a third of the kinds, for decks that run out (MG-D3)."""
    data = folder / "fewer"
    data.mkdir(exist_ok=True)
    for file in DATA.glob("*.toml"):
        lines = file.read_text(encoding="utf-8").splitlines()
        if file.name == "cards.toml":
            cards = [line for line in lines if "label =" in line]
            lines = [line for line in lines if line not in cards] + cards[::3]
        (data / file.name).write_text("\n".join(lines), encoding="utf-8")
    return lambda overlays, overrides: load_ruleset(
        INFO.id, data, Rules, overlays=overlays, overrides=overrides, check=problems
    )


class Setting(proofs.Setting):
    """A case made ready to be played by both engines."""

    def __init__(self, case: Case, players: int, games: int, folder: Path) -> None:
        overlays = []
        if case.overlay:
            overlays = [folder / "overlay.toml"]
            overlays[0].write_text(case.overlay, encoding="utf-8")
        load = _load_fewer(folder) if case.fewer else TITLE.load
        tables = TITLE.compile(load(overlays, case.overrides))
        entries = [self._file(name, folder) for name in case.pool]
        super().__init__(TITLE, case, tables, entries, players, games)

    @staticmethod
    def _file(name: str, folder: Path) -> str:
        if name not in WRITTEN:
            return name
        file = folder / f"{name}.toml"
        file.write_text(WRITTEN[name](), encoding="utf-8")
        return str(file)

    def reference(self, game: int, hits: Counter[str], *, trace: bool = False):
        played = CountingGame(*self.given(game), trace=trace)
        played.hits = hits
        played.set_up()
        played.play()
        return finished(played)
