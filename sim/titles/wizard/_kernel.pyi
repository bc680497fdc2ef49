from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.policy import PolicyTable
from sim.core.title import Buffers
from sim.titles.wizard.tables import Tables

__all__ = ["layout", "play"]

def play(
    tables: Tables,
    policies: PolicyTable,
    bans: npt.NDArray[np.uint64],
    key: npt.NDArray[np.uint64],
    first_deal: int,
    lineups: npt.NDArray[np.int16],
    games_per_deal: int,
    out: Buffers,
) -> tuple[int, int]: ...
def layout() -> dict[str, np.dtype[Any]]: ...
