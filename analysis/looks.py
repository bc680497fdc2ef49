"""How figures look: colours, marks, fonts, and axes that are named in both languages.

:mod:`analysis.plots` draws with these and hands them on; callers need that module only.
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

__all__ = [
    "BAND",
    "COLOURS",
    "FAINT",
    "FAMILY",
    "INK",
    "LINES",
    "MARKERS",
    "axes",
    "figure",
    "finish",
    "readable",
    "style",
    "svg",
]

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
#: Colour, marker and dashes of the lines of one plot, told apart with any colour vision.
LINES: Sequence[tuple[str, str, Any]] = (
    ("#0072B2", "o", "-"),
    ("#D55E00", "D", (0, (6, 2))),
    ("#009E73", "s", (0, (2, 1.5))),
    ("#CC79A7", "^", (0, (6, 2, 1.5, 2))),
    ("#8A6D00", "v", (0, (1, 1))),
    ("#555555", "P", (0, (8, 3))),
)
INK, FAINT, BAND = "#222222", "#8A8A8A", "#009E73"

#: IPAexGothic carries the Japanese glyphs; it lacks a few signs that DejaVu Sans has.
FAMILY = ["IPAexGothic", "DejaVu Sans"]


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


def axes(ax: Axes | None, rows: int) -> Axes:
    """Return the axes that a caller gave, or new ones with room for so many rows."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    height = 1.1 + 0.32 * max(rows, 1)
    return plt.subplots(figsize=(6.4, height), layout="constrained")[1]


def finish(ax: Axes, title: str, xlabel: str, ylabel: str = "") -> None:
    """Name the axes in a font that has the glyphs, also on axes that a caller made before."""
    ax.set_xlabel(xlabel, fontfamily=FAMILY)
    if ylabel:
        ax.set_ylabel(ylabel, fontfamily=FAMILY)
    if title:
        ax.set_title(title, fontfamily=FAMILY)
    ax.tick_params(labelfontfamily=FAMILY)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def readable(colour: np.ndarray[Any, np.dtype[np.float64]]) -> str:
    """Return black or white, whichever has more contrast on a colour."""
    rgb = colour[:3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "white" if float(linear @ [0.2126, 0.7152, 0.0722]) < 0.179 else "black"
