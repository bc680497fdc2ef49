"""Random streams of the reference engines."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

__all__ = ["Stream"]


class Stream:
    """One addressed random stream: numpy's own generator on numpy's own Philox.

    The kernels have a generator of their own. That both engines play the same games proves both.

    Parameters
    ----------
    key : uint64 array, shape (2,)
    number : int
        The stream's number, as the title declares it (``sim.core.title.Streams``).
    deal : int

    Examples
    --------
    >>> from sim.core._rng import make_key
    >>> stream = Stream(make_key(1), number=0, deal=0)
    >>> [stream.bounded(6) for _ in range(4)]
    [2, 0, 1, 0]
    >>> sorted(stream.shuffled(range(4)))
    [0, 1, 2, 3]
    """

    def __init__(self, key: npt.NDArray[np.uint64], number: int, deal: int) -> None:
        self._address = (key, number, deal)
        # Made when first asked: many streams of a game never are.
        self._generator: np.random.Generator | None = None

    def bounded(self, n: int) -> int:
        """Return a whole number from 0 to n - 1; n == 1 draws nothing."""
        if self._generator is None:
            key, number, deal = self._address
            philox = np.random.Philox(key=key, counter=np.array([0, 0, number, deal], np.uint64))
            self._generator = np.random.Generator(philox)
        return int(self._generator.integers(0, n))

    def shuffled(self, items: Iterable[int]) -> list[int]:
        """Return items in random order: from the last place down, each swaps with one up to it."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            j = self.bounded(last + 1)
            order[j], order[last] = order[last], order[j]
        return order
