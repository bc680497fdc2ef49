"""How fast the classic kernel is beside others: ``python -m tests.benchmarks.side_by_side``.

Three engines play the same match, two naive money bots, in turns on one core, so that they meet the
same state of the machine: a loop in C that can play nothing else (``side_by_side.c``, compiled
here), the kernel of the classic title, and pyminion with big-money bots of its own where it is
installed (``pip install pyminion``). Printed are CPU times, medians over the rounds, and how the
games ended: engines that play another game are no measure of speed.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS, WIN
from sim.titles.classic import DATA, TITLE

SOURCE = Path(__file__).with_suffix(".c")

#: Plays so many games by a seed; returns the shares of seat 1, ties and seat 2, rounds and turns.
Engine = Callable[[int, int], list[float]]


def loop_in_c(folder: Path) -> Engine:
    """Compile the hand-written loop and return it."""
    library = folder / "loop.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    loop = ctypes.CDLL(str(library)).play
    loop.argtypes = [ctypes.c_uint64, ctypes.c_long, ctypes.POINTER(ctypes.c_int64)]

    def play(seed: int, games: int) -> list[float]:
        results = (ctypes.c_int64 * 5)()
        loop(seed, games, results)
        return [number / games for number in results]

    return play


def kernel() -> Engine:
    """Return the kernel of the classic title, as a run calls it."""
    tables = TITLE.compile(TITLE.load())
    policies = load_policies(["naive"], tables.words, DATA / "policies")
    bans, lineups = np.zeros((2, MASK_WORDS), np.uint64), np.zeros((1, 2), np.int16)

    batch = TITLE.info.batch_games[2]
    out = allocate(TITLE.info, batch, 2)

    def play(seed: int, games: int) -> list[float]:
        results, batches = np.zeros(5), -(-games // batch)
        for first in range(0, batches * batch, batch):
            code, _ = TITLE.play(tables, policies, bans, make_key(seed), first, lineups, 1, out)
            assert code == 0
            win = out.seats["win60"]
            results[:2] += (
                np.count_nonzero(win[:, 0] == WIN),
                np.count_nonzero(win[:, 0] == WIN // 2),
            )
            results[2:] += (
                np.count_nonzero(win[:, 1] == WIN),
                *(out.games[name].sum() for name in ("rounds", "turns")),
            )
        return list(results / (batches * batch))

    return play


def pyminion() -> Engine | None:
    """Return pyminion's game between its own big-money bots; None when it is not installed."""
    try:
        from pyminion.bots.examples import BigMoney
        from pyminion.expansions.base import base_set
        from pyminion.game import Game
    except ImportError:
        return None
    logging.getLogger().setLevel(logging.ERROR)  # it writes every move to the root logger

    def play(seed: int, games: int) -> list[float]:
        random.seed(seed)
        results = np.zeros(5)
        for _ in range(games):
            bots = [BigMoney("one"), BigMoney("two")]
            game = Game(bots, [base_set], random_order=False, log_stdout=False)
            game.play()
            winners = game.get_winners()
            place = 1 if len(winners) == 2 else 2 * bots.index(winners[0])
            results[place] += 1
            turns = [bot.turns for bot in bots]
            results[3:] += max(turns), sum(turns)
        return list(results / games)

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200_000, help="of the fast engines, a round")
    parser.add_argument("--slow-games", type=int, default=100, help="of pyminion, a round")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        engines = {
            "loop in C": (loop_in_c(Path(folder)), given.games),
            "kernel": (kernel(), given.games),
        }
        if peer := pyminion():
            engines["pyminion"] = (peer, given.slow_games)
        else:
            print("pyminion is not installed; it is left out")
        speeds: dict[str, list[float]] = {name: [] for name in engines}
        ends: dict[str, list[list[float]]] = {name: [] for name in engines}
        for seed in range(given.rounds):
            for name, (play, games) in engines.items():
                start = time.process_time()
                ends[name].append(play(seed, games))
                speeds[name].append(games / (time.process_time() - start))
    print(f"{'engine':10} {'games/s':>10} {'of C':>7}   seat 1   tie  seat 2  rounds  turns")
    for name, found in speeds.items():
        # Engines are compared within a round, where the machine was the same.
        ratio = statistics.median(a / b for a, b in zip(found, speeds["loop in C"], strict=True))
        means = np.mean(ends[name], axis=0)
        shown = "  ".join(f"{mean:.4f}" for mean in means[:3])
        print(
            f"{name:10} {statistics.median(found):10,.0f} {ratio:7.4f}   {shown}"
            f"  {means[3]:.3f}  {means[4]:.2f}"
        )
    if "pyminion" in speeds:
        pairs = zip(speeds["kernel"], speeds["pyminion"], strict=True)
        print(f"kernel / pyminion: {statistics.median(a / b for a, b in pairs):,.0f}")


if __name__ == "__main__":
    main()
