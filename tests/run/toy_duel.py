"""Two more titles for tests: a duel of decks, and a race whose seats mean nothing.

The duel has what a trading card game asks of the contract: a seat brings a deck along, decks are
data of the ruleset, and what a deck is made of is known before play. Every round both play the next
card of their shuffled decks; the higher total wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from sim.core.records import allocate
from sim.core.ruleset import Ruleset, load_ruleset
from sim.core.title import (
    CORE_COLUMNS,
    Category,
    Column,
    DecisionPoint,
    Label,
    Loadout,
    Streams,
    Title,
    TitleInfo,
)
from sim.core.vocabulary import Vocabulary
from tests.run import toy_title
from tests.run.toy_title import Limits, Played, categories, label, refuse

DATA = Path(__file__).parent / "duel_data"

INFO = TitleInfo(
    id="duel",
    label=label("Duel"),
    status=Label("For tests.", "試験用。"),
    result_version=1,
    players=(2,),
    seats="ordered",
    decisions=(DecisionPoint("play", "which card to play"),),
    categories={"end_reason": categories("cards")},
    caps={"rounds": "limits.round_cap"},
    streams=Streams(single={}, per_seat={"deck": 1}),
    columns=(
        *CORE_COLUMNS,
        Column("deck", "u1", "seat", "category", label("Deck"), categories="deck"),
        Column("deck_sum", "<i2", "seat", "composition", label("Sum of the deck"), summed=True),
    ),
    batch_games={2: 8},
    score=label("Points"),
    score_range=(0, 500),
)


class Deck(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    label: dict[str, str]
    cards: list[int]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    limits: Limits
    decks: dict[str, Deck]


@dataclass
class Tables:
    decks: npt.NDArray[np.int64]
    rounds: int


def load(overlays: Any = (), overrides: Any = ()) -> Ruleset:
    return load_ruleset("duel", DATA, Model, overlays=overlays, overrides=overrides)


def loadouts(ruleset: Ruleset) -> tuple[Loadout, ...]:
    return tuple(
        Loadout(name, Label(**deck["label"]), {"cards": list(deck["cards"])})
        for name, deck in ruleset.values["decks"].items()
    )


def compile_tables(ruleset: Ruleset) -> Tables:
    decks = [loadout.content["cards"] for loadout in loadouts(ruleset)]
    return Tables(np.array(decks), ruleset.values["limits"]["round_cap"])


def values(ruleset: Ruleset, name: str) -> tuple[Category, ...]:
    if name == "deck":
        return tuple(Category(loadout.id, loadout.label) for loadout in loadouts(ruleset))
    return INFO.categories[name]


def vocabulary(_: Ruleset) -> Vocabulary:
    return Vocabulary(("high", "stop"), {}, (), {}, {}, INFO.decisions)


def play(tables, policies, bans, key, first_deal, lineups, games_per_deal, out) -> tuple[int, int]:
    for game in range(len(out.games)):
        deal = first_deal + game // games_per_deal
        entries = lineups[game % len(lineups)]
        totals = []
        for seat, entry in enumerate(entries):
            stream = np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 1 + seat, deal]))
            deck = int(policies.loadout[entry])
            drawn = stream.permutation(tables.decks[deck])[: tables.rounds]
            bold = int(policies.weights[entry, 0, 0])
            totals.append(int(drawn[: tables.rounds // 2].sum()) + bold)
            out.seats["deck"][game, seat] = deck
            out.seats["deck_sum"][game, seat] = tables.decks[deck].sum()
        best = max(totals)
        out.games["rounds"][game] = tables.rounds
        out.games["turns"][game] = 2 * tables.rounds
        for seat, total in enumerate(totals):
            out.seats["win60"][game, seat] = 60 // totals.count(best) * (total == best)
            out.seats["score"][game, seat] = total
            out.seats["rank"][game, seat] = 1 + sum(other > total for other in totals)
    return 0, 0


def reference(tables, policies, bans, key, deal, lineup, *, trace=False) -> Played:
    out = allocate(INFO, 1, 2)
    play(tables, policies, bans, key, deal, np.array([lineup], np.int16), 1, out)
    game = {name: int(out.games[name][0]) for name in out.games.dtype.names}
    seats = [
        {name: int(out.seats[name][0, seat]) for name in out.seats.dtype.names} for seat in (0, 1)
    ]
    story = ({"n": 0, "event": "setup"}, {"n": 1, "event": "end"})
    return Played(game, seats, None, None, story if trace else ())


DUEL = Title(
    info=INFO,
    data=DATA,
    load=load,
    compile=compile_tables,
    vocabulary=vocabulary,
    categories=values,
    kinds=lambda ruleset: (),
    play=play,
    reference=reference,
    from_position=refuse,
    tell=lambda events, language: map(str, events),
    loadouts=loadouts,
)

#: Dice are thrown for all seats at once, so that no seat is before another.
SYMMETRIC = toy_title.make(
    replace(
        toy_title.INFO,
        id="even",
        seats="symmetric",
        players=(2, 3, 4, 5),
        batch_games={2: 6, 3: 5, 4: 4, 5: 5},
    )
)
