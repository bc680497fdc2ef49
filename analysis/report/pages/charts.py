"""Small charts: finished numbers with their intervals to places in a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.report.pages.scale import ticks

__all__ = ["LARGE", "SMALL", "Line", "Size", "panel", "span"]


@dataclass(frozen=True, slots=True)
class Size:
    """How large a chart is drawn, and how much room its axes take."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    name: str


#: Four of them, or three, stand side by side on a wide page; two, or one, on a phone.
SMALL = Size(220, 136, 32, 10, 22, "small")
LARGE = Size(300, 190, 34, 20, 24, "large")

_TOP, _STRIP, _DODGE, _APART = 10.0, 26.0, 5.0, 11.0


@dataclass(frozen=True, slots=True)
class Line:
    """One curve of a chart.

    Attributes
    ----------
    points : sequence of tuple
        ``(x, value, lo, hi, mark)``; the mark is that of a verdict, or empty for the line's own.
    label : str
        What stands at its end; short.
    spread : sequence of (float, float)
        For each point the ends of a second, lighter band: how far values differ.
    """

    points: Sequence[tuple[float, float, float, float, str]]
    label: str = ""
    spread: Sequence[tuple[float, float]] = ()


def span(
    values: Iterable[float], parity: float | None = None, margin: float | None = None
) -> tuple[float, float]:
    """Return the ends of an axis that holds values, and parity with its margin."""
    inside = list(values)
    if parity is not None:
        inside += [parity - 1.2 * (margin or 0.0), parity + 1.2 * (margin or 0.0)]
    lo, hi = (min(inside), max(inside)) if inside else (0.0, 1.0)
    return (lo, hi) if hi - lo > 1e-6 else (lo - 0.01, hi + 0.01)


def panel(
    title: str,
    lines: Sequence[Line],
    *,
    across: Sequence[tuple[float, str]],
    inside: tuple[float, float],
    size: Size = SMALL,
    factor: float = 100.0,
    parity: float | None = None,
    margin: float | None = None,
    now: float | None = None,
    dodge: bool = False,
    area: bool = False,
    counts: Sequence[tuple[float, int]] = (),
) -> dict[str, Any]:
    """Return a chart as places and texts.

    Parameters
    ----------
    title : str
    lines : sequence of Line
    across : sequence of (float, str)
        Where ticks stand on the axis below, and what they say.
    inside : (float, float)
        Ends of the axis beside; what lies beyond is cut off there.
    size : Size
    factor : float
        What its ticks are multiplied by.
    parity, margin : float, optional
        The dashed line and the band around it.
    now : float, optional
        The value that is marked on the axis below.
    dodge : bool
        Whether points at the same place stand beside each other.
    area : bool
        Whether intervals are a band instead of bars.
    counts : sequence of (float, int)
        Columns at the foot: how many games there are at each place.
    """
    strip = _STRIP if counts else 0.0
    foot = size.height - size.bottom - strip
    places = [x for x, _ in across] + [p[0] for line in lines for p in line.points]
    first, last = min(places), max(places)
    room = 0.0 if area else 12.0 + _DODGE * dodge * len(lines) / 2
    wide = size.width - size.left - size.right - 2 * room

    def x(value: float) -> float:
        part = 0.5 if last == first else (value - first) / (last - first)
        return round(size.left + room + part * wide, 1)

    def y(value: float) -> float:
        part = (min(max(value, inside[0]), inside[1]) - inside[0]) / (inside[1] - inside[0])
        return round(foot - part * (foot - _TOP), 1)

    drawn = []
    for i, line in enumerate(lines):
        aside = _DODGE * (i - (len(lines) - 1) / 2) if dodge else 0.0
        points = [
            {"x": round(x(at) + aside, 1), "y": y(value), "y_lo": y(lo), "y_hi": y(hi), "mark": m}
            for at, value, lo, hi, m in line.points
        ]
        drawn.append(
            {
                "points": points,
                "path": " ".join(f"{p['x']},{p['y']}" for p in points),
                "area": _outline(points) if area and len(points) > 1 else "",
                "spread": _outline(
                    [
                        {"x": p["x"], "y_lo": y(lo), "y_hi": y(hi)}
                        for p, (lo, hi) in zip(points, line.spread, strict=True)
                    ]
                )
                if len(line.spread) > 1
                else "",
                "label": line.label,
                "tone": i % 6,
            }
        )
    most = max((n for _, n in counts), default=1)
    column = max(1.0, wide / max(1, len(counts)) * 0.8)
    return {
        "kind": "chart",
        "title": title,
        "size": size.name,
        "width": size.width,
        "height": size.height,
        "left": size.left,
        "right": size.width - size.right,
        "foot": foot,
        "across": [
            {"x": x(at), "text": text, "strong": now is not None and at == now}
            for at, text in across
        ],
        "beside": [{"y": y(at), "text": text} for at, text in ticks(*inside, factor)],
        "parity": None if parity is None else y(parity),
        "band": None if parity is None or not margin else (y(parity + margin), y(parity - margin)),
        "now": None if now is None else x(now),
        "lines": _labelled(drawn, foot),
        "bars": not area,
        "column": round(column, 1),
        "counts": [
            {
                "x": round(x(at) - column / 2, 1),
                "y": round(foot + strip - 20 * n / most, 1),
                "height": round(20 * n / most, 1),
            }
            for at, n in counts
        ],
    }


def _outline(points: Sequence[Mapping[str, Any]]) -> str:
    there = [f"{p['x']},{p['y_hi']}" for p in points]
    back = [f"{p['x']},{p['y_lo']}" for p in reversed(points)]
    return " ".join(there + back)


def _labelled(lines: list[dict[str, Any]], foot: float) -> list[dict[str, Any]]:
    """Put each line's label beside its end, moved apart where ends are close."""
    order = [line for line in lines if line["points"]]
    order.sort(key=lambda line: float(line["points"][-1]["y"]))
    at = _TOP - _APART
    for line in order:
        at = max(at + _APART, line["points"][-1]["y"] + 3.5)
        line["label_x"], line["label_y"] = line["points"][-1]["x"] + 7, at
    limit = foot + 4
    for line in reversed(order):
        line["label_y"] = round(min(line["label_y"], limit), 1)
        limit = line["label_y"] - _APART
    return lines
