"""What the proofs that two engines play the same games have in common."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sim.core._rng import draw_lineups, make_key
from sim.core.mask import masks
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.errors import EngineError

SEED = 1


class Setting:
    """A case made ready to be played by both engines.

    A case has a pool of policies, bans by seat (options or groups of them), and says whether its
    games are the rotations of one line-up; ``entries`` are the pool as policies are read.
    """

    def __init__(self, title, case, tables, entries, players, games, *, first_deal=0, loadouts=()):
        self.title, self.case, self.tables, self.players = title, case, tables, players
        self.names, self.first_deal = entries, first_deal
        self.policies = load_policies(
            entries, tables.words, title.data / "policies", loadouts=loadouts
        )
        self.key = make_key(SEED)
        named = [*case.bans, *[()] * players][:players]
        self.bans = masks(
            [[code for name in names for code in tables.words.selectors[name]] for names in named]
        )
        drawn = draw_lineups(self.key, first_deal, games, len(entries), players)
        self.lineups, self.games_per_deal = drawn, 1
        if case.rotations:
            self.lineups = np.stack([np.roll(drawn[0], by) for by in range(players)])
            self.games_per_deal = players
        self.out = self.buffers(games)

    def buffers(self, games, collect=("core", "cards", "series")):
        kinds, rounds = len(self.tables.kinds), self.tables.rule["round_cap"]
        return allocate(
            self.title.info, games, self.players, kinds=kinds, rounds=rounds, collect=collect
        )

    def address(self, game):
        """Return deal and line-up of a game."""
        deal = self.first_deal + game // self.games_per_deal
        return deal, self.lineups[game % len(self.lineups)].tolist()

    def given(self, game):
        """Return what the readable engine is given to play a game."""
        return (self.tables, self.policies, self.bans, self.key, *self.address(game))

    def play(self, out=None, first=0):
        """Play with the kernel; for a part, ``first`` must be a whole number of line-up rows."""
        deal = self.first_deal + first // self.games_per_deal
        lineups = np.ascontiguousarray(np.roll(self.lineups, -first, axis=0))
        out = self.out if out is None else out
        given = (self.tables, self.policies, self.bans, self.key)
        return self.title.play(*given, deal, lineups, self.games_per_deal, out)


def differences(out, game, expected):
    """Return what differs between a game's rows and the readable engine's records."""
    assert set(expected.game) == set(out.games.dtype.names)
    pairs = [(f"game.{name}", out.games[game][name], expected.game[name]) for name in expected.game]
    for seat, record in enumerate(expected.seats):
        assert set(record) == set(out.seats.dtype.names)
        row = out.seats[game, seat]
        pairs += [(f"seat {seat + 1}.{name}", row[name], record[name]) for name in record]
    found = [f"{what}: kernel {got}, readable {want}" for what, got, want in pairs if got != want]
    for group in ("cards", "series"):
        got, want = getattr(out, group)[game], getattr(expected, group)
        for place in np.argwhere(got != want)[:3].tolist():
            at = tuple(place)
            found += [f"{group}{place}: kernel {got[at]}, readable {want[at]}"]
    return found


def compare(setting, hits):
    """Play a setting with both engines; return the first difference told, if any.

    ``setting.reference(game, hits, trace=False)`` plays a game with the readable engine and counts
    what it came across. Where the case says that games may fail, both have to fail alike.
    """
    code, stopped = setting.play()
    case = f"case {setting.case.name!r}, {setting.players} players"
    for game in range(len(setting.out.games)):
        try:
            expected = setting.reference(game, hits)
        except EngineError as error:
            same = (code, stopped) == (error.code, game) and setting.case.fails
            hits[f"error {error.code}"] += 1
            return [] if same else [f"{case}: kernel {code, stopped}, readable {error}, {game}"]
        hits["games"] += 1
        if code and game >= stopped:
            return [f"{case}: kernel {code, stopped}, readable plays on"]
        if found := differences(setting.out, game, expected):
            story = setting.reference(game, Counter(), trace=True).trace
            return ["\n".join([f"{case}, game {game}", *found[:12], *map(str, story[-12:])])]
    return []
