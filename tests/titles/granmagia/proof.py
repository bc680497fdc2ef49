"""What the two engines are compared on, and how a difference is told.

A case is a ruleset, policies and bans; ``proof_cases.py`` lists them. A setting is a case made
ready to be played by both engines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sim.errors import EngineError
from sim.titles.granmagia import TITLE
from sim.titles.granmagia import results as results_module
from sim.titles.granmagia.tables import POWERS
from sim.titles.granmagia.telling import tell
from tests.titles import proofs
from tests.titles.granmagia.counting import CountingGame
from tests.titles.granmagia.proof_policies import QUICK, WRITTEN
from tests.titles.proofs import SEED, differences


@dataclass(frozen=True)
class Case:
    """A ruleset, the policies that line-ups are drawn from, and bans.

    ``share`` scales the number of games; ``fails`` says that games may stop: without a supply, or
    because they outgrow the records. What both engines play until then is compared.
    ``overlay`` is the text of a file laid over the rules before the overrides.
    """

    name: str
    overrides: tuple[str, ...] = ()
    pool: tuple[str, ...] = QUICK
    bans: tuple[tuple[str, ...], ...] = ()
    players: tuple[int, ...] = (2, 3, 4)
    rotations: bool = False
    share: float = 1.0
    fails: bool = False
    first_deal: int = 0
    overlay: str = ""


@cache
def _stated() -> str:
    """Return an overlay that states all powers and victories, so that overrides can move them."""
    lines = []
    for name, witch in TITLE.load().values["witches"].items():
        table, victory = f"[witches.{name}", witch["victory"]
        lines += [f"{table}.powers]", *(_line(key, witch["powers"][key]) for key in POWERS)]
        lines += [f"{table}.victory]"]
        lines += [_line(key, victory[key]) for key in victory if key != "need"]
        lines += [f"{table}.victory.need]"]
        lines += [_line(key, value) for key, value in victory["need"].items()]
    return "\n".join(line for line in lines if line) + "\n"


def _line(key: str, value: object) -> str:
    """Return a line of TOML; none for what is left out."""
    if value is None:
        return ""
    return f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}"


@lru_cache(maxsize=512)
def tables_of(overrides: tuple[str, ...], overlay: str):
    """Return the tables of a case's rules; they are made once for all that play them."""
    texts = [overlay] if overlay else []
    if any(".powers." in text or ".victory." in text for text in overrides):
        texts = [_stated(), *texts]
    with TemporaryDirectory() as folder:
        overlays = [Path(folder, f"overlay{number}.toml") for number in range(len(texts))]
        for file, text in zip(overlays, texts, strict=True):
            file.write_text(text, encoding="utf-8")
        return TITLE.compile(TITLE.load(overlays=overlays, overrides=list(overrides)))


class Setting(proofs.Setting):
    """A case made ready to be played by both engines."""

    def __init__(self, case: Case, players: int, games: int, folder) -> None:
        tables = tables_of(case.overrides, case.overlay)
        entries = [
            entry
            if entry.partition("@")[0] not in WRITTEN
            else f"{folder / entry.partition('@')[0]}.toml" + "".join(entry.partition("@")[1:])
            for entry in case.pool
        ]
        first = case.first_deal
        super().__init__(TITLE, case, tables, entries, players, games, first_deal=first)

    def reference(self, hits, game: int, *, trace: bool = False):
        """Play a game with the readable engine."""
        watched = CountingGame(hits, *self.given(game), trace=trace)
        watched.set_up()
        watched.play()
        return results_module.finished(watched)


def told(setting: Setting, game: int, found: list[str], hits) -> str:
    """Return a difference as text: the address to replay it, the columns, how the story ends."""
    deal, lineup = setting.address(game)
    names = [setting.names[policy] for policy in lineup]
    story = setting.reference(hits, game, trace=True).trace
    lines = [
        f"case {setting.case.name!r}, {setting.players} players, game {game}",
        f"seed {SEED}, deal {deal}, line-up {','.join(names)}",
        f"overrides {' '.join(setting.case.overrides)}; bans {setting.case.bans}",
        *found[:12],
        *(tell(event, "en") for event in story[-15:]),
    ]
    return "\n".join(lines)


def compare(setting: Setting, hits) -> list[str]:
    """Play a setting with both engines; return the first difference told, if any."""
    games = len(setting.out.games)
    failed = setting.play()
    for game in range(games):
        try:
            expected = setting.reference(hits, game)
        except EngineError as error:
            if failed != (error.code, game):
                return [f"{setting.case.name}: kernel {failed}, readable ({error.code}, {game})"]
            hits["games"] += game + 1
            hits["games after a stop"] += games - game - 1
            return [] if setting.case.fails else [f"{setting.case.name}: {error}"]
        if failed[0] and game >= failed[1]:
            return [f"{setting.case.name}: kernel {failed}, readable plays game {game}"]
        if found := differences(setting.out, game, expected):
            return [told(setting, game, found, hits)]
    hits["games"] += games
    return []
