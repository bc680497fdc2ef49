"""Places in a drawing: numbers to coordinates, nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from analysis import formats

__all__ = ["PAD", "WIDTH", "Scale", "ticks"]

#: Width of the drawing of an interval within a table, and the space at its ends.
WIDTH, PAD = 200.0, 10.0

#: Width of a letter of an axis.
_LETTER = 6.0


class Scale:
    """The common axis of a table's drawings.

    Parameters
    ----------
    ends : iterable of float
        Whatever has to lie inside.
    parity : float, optional
        Where the dashed line stands.
    margin : float, optional
        Half the width of the band around it.
    factor : float
        What the ticks are multiplied by: 100 for rates in per cent.
    width : float
        Of the drawing.
    """

    def __init__(
        self,
        ends: Iterable[float],
        parity: float | None = None,
        margin: float | None = None,
        *,
        factor: float = 100.0,
        width: float = WIDTH,
    ) -> None:
        inside = list(ends)
        self.parity, self.margin, self.factor, self.width = parity, margin, factor, width
        if parity is not None:
            inside += [parity - (margin or 0.0), parity + (margin or 0.0)]
        self.lo, self.hi = (min(inside), max(inside)) if inside else (0.0, 1.0)
        if self.hi - self.lo < 1e-6:
            self.lo, self.hi = self.lo - 0.01, self.hi + 0.01

    def x(self, value: float) -> float:
        """Return where a value stands."""
        share = (value - self.lo) / (self.hi - self.lo)
        return round(PAD + share * (self.width - 2 * PAD), 1)

    def places(self, row: Mapping[str, Any], value: str = "rate") -> dict[str, float]:
        """Return where a row and the ends of its interval stand."""
        at = self.x(row[value])
        places = {"x": at, "x_left": round(at - 4, 1)}
        return places | {"x_lo": self.x(row["lo"]), "x_hi": self.x(row["hi"])}

    def drawn(self) -> dict[str, Any]:
        """Return the band, the line and the ticks."""
        band = None
        if self.parity is not None and self.margin:
            left = self.x(self.parity - self.margin)
            band = (left, round(self.x(self.parity + self.margin) - left, 1))
        shown: list[dict[str, Any]] = [
            {"x": self.x(value), "text": text, "anchor": "middle", "inner": True}
            for value, text in ticks(self.lo, self.hi, self.factor, room=self.width - 2 * PAD)
        ]
        if len(shown) > 1:  # the outer ones grow inwards, whatever the size of the letters
            for tick, anchor, way in ((shown[0], "start", -1), (shown[-1], "end", 1)):
                half = 3.0 * len(tick["text"])
                at = min(self.width, max(0.0, tick["x"] + way * half))
                tick |= {"x": round(at, 1), "anchor": anchor, "inner": False}
        parity = None if self.parity is None else self.x(self.parity)
        return {"band": band, "parity": parity, "ticks": shown, "width": self.width}


def ticks(
    lo: float, hi: float, factor: float = 100.0, *, room: float = 0.0
) -> list[tuple[float, str]]:
    """Return three to six round values between two ends, each with its text.

    Parameters
    ----------
    lo, hi : float
    factor : float
        What texts are multiplied by: 100 for rates in per cent.
    room : float
        Width of the axis; where texts would touch, every second one is left out.

    Examples
    --------
    >>> ticks(0.0, 1.0)
    [(0.0, '0'), (0.2, '20'), (0.4, '40'), (0.6, '60'), (0.8, '80'), (1.0, '100')]
    """
    step = _step(factor * (hi - lo))
    first, last = math.ceil(factor * lo / step - 1e-9), math.floor(factor * hi / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step)))
    found = [(i, formats.number(i * step, digits=digits)) for i in range(first, last + 1)]
    longest = max((len(text) for _, text in found), default=1)
    if room and _LETTER * (longest + 1.5) > room * step / (factor * (hi - lo)):
        found = [(i, text) for i, text in found if i % 2 == 0]
    return [(i * step / factor, text) for i, text in found]


def _step(span: float) -> float:
    """Return a round distance that gives three to six ticks."""
    power = 10.0 ** math.floor(math.log10(span / 3))
    return next((m * power for m in (5, 2, 1) if span / (m * power) >= 2.5), power)
