"""What the two engines are compared on: cases, the counting of what they reached, differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sim.core.policy import available
from sim.titles.classic import DATA, TITLE
from sim.titles.classic import effects as effects_module
from sim.titles.classic.info import DECISIONS, END_REASONS
from sim.titles.classic.observe import OBSERVABLES
from sim.titles.classic.reference import Game
from sim.titles.classic.results import finished
from sim.titles.classic.schema import CURSE
from sim.titles.classic.words import PRIMITIVES
from tests.titles import proofs

ALL = tuple(available(DATA / "policies"))
WILD = ("random", "forge_2_endgame@0.4", "crone_2_endgame@0.3")

#: Policies written for the proof: one asks about everything that can be seen, in rules and of
#: options; one draws its coppers over and over.
CURIOUS, CHURNING = "curious", "churning"


@dataclass(frozen=True)
class Case:
    """A ruleset, the policies that line-ups are drawn from, and bans by seat."""

    name: str
    overrides: tuple[str, ...] = ()
    pool: tuple[str, ...] = WILD
    bans: tuple[tuple[str, ...], ...] = ()
    players: tuple[int, ...] = TITLE.info.players
    rotations: bool = False
    share: float = 0.3
    overlay: str = ""
    #: Games may end with an error of the rules; both engines must come to the same one.
    fails: bool = False


def asked() -> list[str]:
    """Return each observable as it is written in a text."""
    words = {None: "", "kind": ".gold", "group": ".victory"}
    return [f"{seen.id}{words[seen.argument]}" for seen in OBSERVABLES]


def probes() -> str:
    """Return an overlay with a card for each observable, and so many cards that masks are full."""
    texts = {
        f"probe_{place}": f'["coins 1 per {seen}", "actions 1 if {seen} >= 2", '
        f'"buys 1 if {seen} < 2 and hand > 0", "receive 1 per {seen}"]'
        for place, seen in enumerate(asked())
    }
    texts |= {
        f"spare_{place}": '["curses 2", "draw 2", "others_discard_to 2"]' for place in range(60)
    }
    texts["zz_wall"] = '["trash_up_to 2", "exchange 3"]\nreaction = true'
    return "\n".join(
        f'[cards.{name}]\nlabel = {{ en = "{name}", ja = "{name}" }}\nsort = "action"\n'
        f"cost = {place % 4}\neffects = {text}\n"
        for place, (name, text) in enumerate(texts.items())
    )


def curious() -> str:
    """Return a policy file that asks about everything at every decision."""
    taken = ("copper", "victory", "silver", "action", "treasure", "any")
    rules = [
        f"{taken[place % len(taken)]} if {seen} == {place % 4}"
        for place, seen in enumerate(asked())
    ]
    rules += [
        f"card with {seen.id} >= 2 if round >= 2" for seen in OBSERVABLES if seen.argument == "kind"
    ]
    lines = ['about = "For the proof."', 'label = { en = "Curious", ja = "好奇心" }', "slip = 2000"]
    for place, point in enumerate(DECISIONS):
        # The last rules look at the own cards: they come first where others than the seat on turn
        # are asked.
        ordered = rules if place < 2 else rules[::-1]
        lines += [f"[{point.id}]", f"rules = {ordered!r}", f"[{point.id}.weights]"]
        lines += ["card = 5", "copper = -1", "silver = 9", "action = 30"]
    return "\n".join(lines)


def churning() -> str:
    """Return a policy file that plays the card ``extra`` and discards all coppers for it."""
    return """
about = "For the proof."
label = { en = "Churning", ja = "かき混ぜ" }
[action]
rules = ["extra"]
[buy]
rules = ["extra if owned.extra < 8"]
[discard]
rules = ["copper"]
"""


WRITTEN = {CURIOUS: curious, CHURNING: churning}


class CountingGame(Game):
    """The readable engine, counting what it came across."""

    hits: Counter[str]

    def decide(self, seat, decision, options):
        legal = set(options)
        if len(legal) > 1:
            free = "free" if self.stop in legal else "compulsory"
            self.hits[f"decision {DECISIONS[decision].id}, {free}"] += 1
        return super().decide(seat, decision, legal)

    def draw(self, seat, number):
        before, shuffles = len(seat.hand), seat.shuffles
        super().draw(seat, number)
        self.hits["draw lost"] += len(seat.hand) - before < number
        self.hits["shuffle"] += seat.shuffles - shuffles

    def play_action(self, kind):
        self.hits[f"card {self.tables.kind_names[kind]}"] += 1
        super().play_action(kind)

    def _finish(self, reason):
        super()._finish(reason)
        self.hits[f"end {END_REASONS[reason].id}"] += 1
        points = [self.points(seat) for seat in self.seats]
        best = [seat for seat in self.seats if points[seat.index] == max(points)]
        self.hits["win shared"] += self.ranks.count(1) > 1
        self.hits["win by turns"] += self.ranks.count(1) < len(best)


def watch(patch, hits: Counter[str]) -> None:
    """Count which primitives are played, and how."""

    def counting(primitive, played):
        def play(game, seat, amount):
            reactions = sum(other.reactions for other in game.seats)
            hits[f"primitive {primitive.id}"] += 1
            if primitive.id == "curses":
                hits["curses run out"] += game.piles[CURSE] < amount
            if primitive.id in ("receive", "exchange"):
                hits["nothing to receive"] += not game.kinds_on_offer(seat, amount)
            played(game, seat, amount)
            hits["attack stopped"] += sum(other.reactions for other in game.seats) > reactions

        return play

    wrapped = tuple(map(counting, PRIMITIVES, effects_module._PLAYED))
    patch.setattr(effects_module, "_PLAYED", wrapped)


def wanted() -> list[str]:
    """Return what the proof must have come across."""
    kinds = TITLE.load().values["cards"]
    return [
        *(f"primitive {primitive.id}" for primitive in PRIMITIVES),
        *(f"card {name}" for name, card in kinds.items() if card["sort"] == "action"),
        *(f"end {reason.id}" for reason in END_REASONS),
        *(f"decision {point.id}, free" for point in DECISIONS[:4]),
        *(f"decision {name}, compulsory" for name in ("discard", "trash", "receive")),
        *("draw lost", "shuffle", "win shared", "win by turns"),
        *("curses run out", "nothing to receive", "attack stopped"),
    ]


class Setting(proofs.Setting):
    """A case made ready to be played by both engines."""

    def __init__(self, case: Case, players: int, games: int, folder: Path) -> None:
        overlays = []
        if case.overlay:
            overlays = [folder / "overlay.toml"]
            overlays[0].write_text(case.overlay, encoding="utf-8")
        tables = TITLE.compile(TITLE.load(overlays, case.overrides))
        entries = [self._written(name, folder) for name in case.pool]
        super().__init__(TITLE, case, tables, entries, players, games)

    @staticmethod
    def _written(name: str, folder: Path) -> str:
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
