"""Figures of finished numbers: nothing is estimated here.

Every function takes a table (a polars or pandas frame, or a mapping of columns) that
:mod:`analysis.frames` has made, draws it into ``ax`` and returns the axes. Colours are Okabe and
Ito's, distinguishable with any colour vision, and no meaning rests on colour alone: verdicts also
differ by marker. Japanese and English names both render, with the fonts that the package brings.

Examples
--------
>>> from analysis import plots
>>> table = {"seat": [1, 2], "rate": [0.52, 0.48], "lo": [0.51, 0.47], "hi": [0.53, 0.49]}
>>> ax = plots.forest(table, "seat", parity=0.5, margin=0.02, ax=plots.figure().add_subplot())
>>> ax.get_xlabel()
'Win rate (%)'
"""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "MARKERS", "figure", "forest", "histogram", "style", "svg"]

#: Okabe and Ito's colours by verdict; a table without verdicts is drawn in "plain".
COLOURS: Mapping[str, str] = {
    "balanced": "#009E73",
    "unbalanced": "#D55E00",
    "undecided": "#0072B2",
    "too few games": "#767676",
    "plain": "#0072B2",
}
#: Markers by verdict: filled circle, filled diamond, open circle, cross.
MARKERS: Mapping[str, str] = {
    "balanced": "o",
    "unbalanced": "D",
    "undecided": "o",
    "too few games": "x",
    "plain": "o",
}
INK, FAINT, BAND = "#222222", "#8A8A8A", "#009E73"

#: IPAexGothic carries the Japanese glyphs; it lacks a few signs that DejaVu Sans has.
FAMILY = ["IPAexGothic", "DejaVu Sans"]

#: Columns of a table of rates that are not its keys.
NOT_KEYS = frozenset(
    ("rate", "lo", "hi", "se", "parity", "verdict", "games", "deals", "rows", "clusters", "margin")
)


@cache
def _register_font() -> None:
    """Make the bundled Japanese font known, without the package's change of global defaults."""
    from matplotlib import font_manager

    spec = importlib.util.find_spec("matplotlib_fontja")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("matplotlib-fontja is not installed; Japanese needs its font")
    for path in sorted((Path(spec.origin).parent / "fonts").glob("*.ttf")):
        font_manager.fontManager.addfont(str(path))


@contextmanager
def style() -> Iterator[None]:
    """Apply the fonts and line styles of this module's figures within a ``with`` block."""
    import matplotlib as mpl

    _register_font()
    with mpl.rc_context(
        {
            "font.family": FAMILY,
            "font.size": 10.0,
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": FAINT,
            "axes.linewidth": 0.8,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.titlelocation": "left",
            "axes.titlesize": 11.0,
            "xtick.color": INK,
            "ytick.color": INK,
            "svg.fonttype": "path",
            "svg.hashsalt": "tenbin",
        }
    ):
        yield


def figure(width: float = 6.4, height: float = 3.0) -> Figure:
    """Return an empty figure that belongs to no window and no notebook cell.

    Parameters
    ----------
    width, height : float
        Size in inches.
    """
    from matplotlib.figure import Figure

    with style():
        return Figure(figsize=(width, height), layout="constrained")


def _axes(ax: Axes | None, rows: int) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    height = 1.1 + 0.32 * max(rows, 1)
    return plt.subplots(figsize=(6.4, height), layout="constrained")[1]


def _finish(ax: Axes, title: str, xlabel: str, ylabel: str = "") -> None:
    """Name the axes in a font that has the glyphs, also on axes that a caller made before."""
    ax.set_xlabel(xlabel, fontfamily=FAMILY)
    if ylabel:
        ax.set_ylabel(ylabel, fontfamily=FAMILY)
    if title:
        ax.set_title(title, fontfamily=FAMILY)
    ax.tick_params(labelfontfamily=FAMILY)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def _column(table: Any, name: str) -> list[Any] | None:
    columns = table.keys() if isinstance(table, Mapping) else table.columns
    return list(table[name]) if name in list(columns) else None


def _floats(table: Any, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    values = _column(table, name)
    if values is None:
        raise ValueError(f"the table has no column {name!r}")
    return np.array([np.nan if v is None else float(v) for v in values])


def _names(table: Any, labels: str | Sequence[str] | None, rows: int) -> list[str]:
    if labels is None:
        return _key_names(table, rows)
    found = _column(table, labels) if isinstance(labels, str) else list(labels)
    if found is None or len(found) != rows:
        raise ValueError(f"labels {labels!r} do not fit a table of {rows} rows")
    return [str(label) for label in found]


def _key_names(table: Any, rows: int) -> list[str]:
    """Return each row's keys as one label: they are the columns that ``NOT_KEYS`` leaves."""
    columns = list(table.keys() if isinstance(table, Mapping) else table.columns)
    keys = [_column(table, name) or [] for name in columns if name not in NOT_KEYS]
    if not keys:
        return [str(i + 1) for i in range(rows)]
    return [" · ".join(map(str, row)) for row in zip(*keys, strict=True)]


def _one_parity(table: Any) -> float | None:
    """Return the parity of a table whose rows agree about it."""
    found = {value for value in _column(table, "parity") or [] if value is not None}
    return float(found.pop()) if len(found) == 1 else None


def forest(
    table: Any,
    labels: str | Sequence[str] | None = None,
    *,
    parity: float | None = None,
    margin: float | None = None,
    ax: Axes | None = None,
    title: str = "",
    xlabel: str = "Win rate (%)",
) -> Axes:
    """Draw rates with their intervals, one a line, against parity and the margin around it.

    Parameters
    ----------
    table : frame or mapping
        Columns ``rate``, ``lo``, ``hi``; ``verdict`` decides colour and marker where it is there.
    labels : str or sequence of str, optional
        A column of the table, or one label a row; by default the values of the table's keys.
    parity : float, optional
        The rate of a balanced game; by default the table's, when its rows agree about it. Rows
        with parities of their own are drawn each against its own.
    margin : float, optional
        The largest deviation that counts as balanced, as a rate.
    ax : matplotlib Axes, optional
        Where to draw; a new figure otherwise.
    title, xlabel : str

    Returns
    -------
    matplotlib Axes
    """
    rate, lo, hi = (100 * _floats(table, name) for name in ("rate", "lo", "hi"))
    names = _names(table, labels, len(rate))
    said = _column(table, "verdict") or [None] * len(rate)
    with style():
        ax = _axes(ax, len(rate))
        if parity is None:
            parity = _one_parity(table)
        if parity is not None:
            _draw_parity(ax, parity, margin, None)
        else:
            for i, own in enumerate(_column(table, "parity") or []):
                if own is not None:
                    _draw_parity(ax, float(own), margin, i)
        for i, verdict in enumerate(said):
            kind = verdict if verdict in COLOURS else "plain"
            colour = COLOURS[kind]
            ax.plot([lo[i], hi[i]], [i, i], color=colour, lw=2.2, solid_capstyle="butt")
            face = "white" if kind == "undecided" else colour
            ax.plot(rate[i], i, MARKERS[kind], color=colour, mfc=face, mec=colour, ms=6.5, mew=1.6)
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x", color="#DDDDDD", lw=0.6)
        _finish(ax, title, xlabel)
    return ax


def _draw_parity(ax: Axes, parity: float, margin: float | None, row: int | None) -> None:
    """Draw parity and its margin through the whole plot, or through one row."""
    low, high = 100 * (parity - (margin or 0.0)), 100 * (parity + (margin or 0.0))
    if row is None:
        if margin is not None:
            ax.axvspan(low, high, color=BAND, alpha=0.12, lw=0)
        ax.axvline(100 * parity, color=FAINT, lw=1.0, ls=(0, (4, 3)))
        return
    top, bottom = row - 0.5, row + 0.5
    if margin is not None:
        ax.fill_betweenx([top, bottom], low, high, color=BAND, alpha=0.12, lw=0)
    ax.vlines(100 * parity, top, bottom, color=FAINT, lw=1.0, ls=(0, (4, 3)))


def histogram(
    table: Any,
    *,
    value: str = "value",
    share: str = "share",
    ax: Axes | None = None,
    title: str = "",
    xlabel: str = "Rounds",
    ylabel: str = "Games (%)",
) -> Axes:
    """Draw a distribution of whole numbers as columns.

    Parameters
    ----------
    table : frame or mapping
        Columns ``value`` and ``share``, as :func:`analysis.frames.histogram` gives them for one
        player count.
    value, share : str
        Names of the columns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure otherwise.
    title, xlabel, ylabel : str

    Returns
    -------
    matplotlib Axes
    """
    at, height = _floats(table, value), 100 * _floats(table, share)
    with style():
        ax = _axes(ax, 8)
        ax.bar(at, height, width=0.86, color=COLOURS["plain"])
        ax.grid(axis="y", color="#DDDDDD", lw=0.6)
        _finish(ax, title, xlabel, ylabel)
    return ax


def svg(fig: Figure) -> str:
    """Return a figure as SVG text; the same figure gives the same bytes.

    Parameters
    ----------
    fig : matplotlib Figure
    """
    buffer = io.StringIO()
    with style():
        fig.savefig(buffer, format="svg", metadata={"Date": None, "Creator": "tenbin"})
    return buffer.getvalue()
