"""The compiled kernel of a title, imported when it is first played."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import numpy as np
import numpy.typing as npt

from sim.core.policy import PolicyTable
from sim.core.title import Buffers

__all__ = ["Kernel"]


@dataclass(frozen=True)
class Kernel:
    """A kernel's ``play`` (see ``sim.core.title.Play``), by the name of its module.

    Data and reference engine of a title work without a built kernel, so it is imported no earlier
    than it is called.

    Parameters
    ----------
    module : str

    Examples
    --------
    >>> Kernel("sim.titles.my_title._kernel")  # imports nothing
    Kernel(module='sim.titles.my_title._kernel')
    """

    module: str

    def __call__(
        self,
        tables: object,
        policies: PolicyTable,
        bans: npt.NDArray[np.uint64],
        key: npt.NDArray[np.uint64],
        first_deal: int,
        lineups: npt.NDArray[np.int16],
        games_per_deal: int,
        out: Buffers,
    ) -> tuple[int, int]:
        """Play games; return a status code and how many games were played."""
        played: tuple[int, int] = import_module(self.module).play(
            tables, policies, bans, key, first_deal, lineups, games_per_deal, out
        )
        return played
