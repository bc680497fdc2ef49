"""Sets of option codes as machine words, and as one whole number (twin of ``_mask.pxd``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt

from sim.core.title import MASK_WORDS

__all__ = ["bits", "masks"]


def masks(rows: Collection[Iterable[int]]) -> npt.NDArray[np.uint64]:
    """Return sets of option codes as ``uint64[len(rows), MASK_WORDS]``, bit by code.

    Parameters
    ----------
    rows : collection of iterable of int
        The option codes of each set.

    Examples
    --------
    >>> masks([(0, 2), (), (65,)])
    array([[5, 0],
           [0, 0],
           [0, 2]], dtype=uint64)
    """
    words = np.zeros((len(rows), MASK_WORDS), np.uint64)
    for number, codes in enumerate(rows):
        for code in codes:
            words[number, code // 64] |= np.uint64(1 << code % 64)
    return words


def bits(mask: npt.NDArray[np.uint64]) -> int:
    """Return one row of :func:`masks` as a whole number, bit by code.

    Parameters
    ----------
    mask : uint64 array, shape (MASK_WORDS,)

    Examples
    --------
    >>> bits(masks([(0, 65)])[0]) == 1 + 2**65
    True
    """
    return sum(int(word) << 64 * place for place, word in enumerate(mask))
