"""How much of two bare threads a run with two jobs reaches: ``python -m tests.benchmarks.threads``.

The bare threads call the kernel on halves of the games and fold the sums; a run does the same
through joblib, in batches, with a store. Both are timed in turns on the same games, so that they
meet the same state of the machine; what is printed is the median of the ratios.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from pathlib import Path

import sim
from sim.core.policy import available
from sim.run.api import find_title
from sim.run.layout import Cut, Piece, sections
from sim.run.plan import default_pool, pool_plan
from sim.run.runner import Runner, play_pieces
from sim.run.setup import Setup

JOBS = 2


def bare(runner: Runner, cut) -> float:
    """Return the seconds that two bare threads need."""
    halves = []
    for section in cut:
        for block in section.blocks:
            middle = block.deals // JOBS
            for first, last in ((0, middle), (middle, block.deals)):
                halves.append((runner.job(section), [Piece(block.number, first, last - first)]))
    threads = [threading.Thread(target=play_pieces, args=half) for half in halves]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def whole(title: str, games: int, players: int, policies) -> float:
    """Return the seconds that a run with two jobs needs to play the same games."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        sim.simulate(
            title,
            games=games,
            players=players,
            pool=policies,
            jobs=JOBS,
            keep="sums",
            out=Path(folder) / "run",
        )
        return time.perf_counter() - start


def main() -> None:
    """Print the ratio for each title and player count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("title", nargs="?", default="granmagia")
    parser.add_argument("--games", type=int, default=400_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    title = find_title(given.title)
    policies = default_pool(available(title.data / "policies"), [])
    setup = Setup.load(title, policies, seed=1)
    for players in title.info.players:
        plan = pool_plan(title.info, given.games, policies, (players,))
        runner = Runner(setup, plan, keep="sums", jobs=JOBS, backend="threads")
        cut = sections(Cut.of(title.info, plan), plan)
        bare(runner, cut)
        pairs = [
            (bare(runner, cut), whole(given.title, given.games, players, policies))
            for _ in range(given.repeats)
        ]
        ratios = sorted(one / other for one, other in pairs)
        rate = given.games / statistics.median(other for _, other in pairs)
        print(
            f"{players} players: {statistics.median(ratios):.1%} of two bare threads "
            f"({ratios[0]:.1%} to {ratios[-1]:.1%}; {rate:,.0f} games/s)"
        )


if __name__ == "__main__":
    main()
