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

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.looks import (
    BAND,
    COLOURS,
    FAINT,
    FAMILY,
    INK,
    LINES,
    MARKERS,
    axes,
    figure,
    finish,
    readable,
    style,
    svg,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "COLOURS",
    "FAMILY",
    "LINES",
    "MARKERS",
    "NOT_KEYS",
    "curves",
    "fan",
    "figure",
    "forest",
    "heat",
    "histogram",
    "style",
    "svg",
]

#: Columns of a table of rates that are not its keys.
NOT_KEYS = frozenset(
    ("rate", "lo", "hi", "se", "parity", "verdict", "games", "deals", "rows", "clusters", "margin")
)


def _column(table: Any, name: str) -> list[Any] | None:
    columns = table.keys() if isinstance(table, Mapping) else table.columns
    return list(table[name]) if name in list(columns) else None


def _key(table: Any, name: str) -> list[Any]:
    found = _column(table, name)
    if found is None:
        raise ValueError(f"the table has no column {name!r}")
    return found


def _floats(table: Any, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([np.nan if v is None else float(v) for v in _key(table, name)])


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
        ax = axes(ax, len(rate))
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
        finish(ax, title, xlabel)
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
        ax = axes(ax, 8)
        ax.bar(at, height, width=0.86, color=COLOURS["plain"])
        ax.grid(axis="y", color="#DDDDDD", lw=0.6)
        finish(ax, title, xlabel, ylabel)
    return ax


def heat(
    table: Any,
    rows: str = "policy",
    columns: str = "seat",
    *,
    labels: Mapping[Any, str] | None = None,
    limit: float | None = None,
    ax: Axes | None = None,
    title: str = "",
    xlabel: str = "Seat",
) -> Axes:
    """Draw how far rates of two keys are from parity: a cell each, coloured and with its number.

    The colours diverge from orange (above) through white to violet (below), which every colour
    vision tells apart; the number in each cell has the sign. Numbers are percentage points; cells
    whose verdict is ``unbalanced`` are framed.

    Parameters
    ----------
    table : frame or mapping
        Columns ``rate`` and ``parity`` and the two keys, one row a cell; ``verdict`` may be there.
    rows, columns : str
        The keys that go down and across.
    labels : mapping of key to str, optional
        Names of the rows.
    limit : float, optional
        The deviation of the deepest colours, as a rate; by default the largest of the table.
    ax : matplotlib Axes, optional
        Where to draw; a new figure otherwise.
    title, xlabel : str

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> table = {"policy": ["a", "a", "b", "b"], "seat": [1, 2, 1, 2], "parity": [0.5] * 4}
    >>> ax = heat({**table, "rate": [0.6, 0.5, 0.5, 0.4]}, ax=figure().add_subplot())
    >>> [text.get_text() for text in ax.texts]
    ['+10.0', '0.0', '0.0', '−10.0']
    """
    from matplotlib.patches import Rectangle

    gaps = 100 * (_floats(table, "rate") - _floats(table, "parity"))
    down, across = _key(table, rows), _key(table, columns)
    names, places = list(dict.fromkeys(down)), sorted(dict.fromkeys(across))
    said = _column(table, "verdict") or [None] * len(gaps)
    cells = np.full((len(names), len(places)), np.nan)
    at = [(names.index(r), places.index(c)) for r, c in zip(down, across, strict=True)]
    for place, gap in zip(at, gaps, strict=True):
        cells[place] = gap
    known = np.abs(gaps[np.isfinite(gaps)])
    most = 100 * limit if limit is not None else float(known.max(initial=0.0)) or 1.0
    with style():
        ax = axes(ax, len(names))
        image = ax.imshow(cells, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
        for (i, j), gap, verdict in zip(at, gaps, said, strict=True):
            if np.isfinite(gap):
                text = f"{gap:+.1f}".replace("-", "−") if round(gap, 1) else "0.0"
                ink = readable(np.asarray(image.cmap(image.norm(gap))))
                ax.text(j, i, text, ha="center", va="center", color=ink, fontfamily=FAMILY)
            if np.isfinite(gap) and verdict == "unbalanced":
                ax.add_patch(
                    Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, fill=False, ec=ink, lw=1.4)
                )
        ax.set_yticks(range(len(names)), [str((labels or {}).get(name, name)) for name in names])
        ax.set_xticks(range(len(places)), [str(place) for place in places])
        ax.tick_params(length=0)
        finish(ax, title, xlabel)
        ax.spines[:].set_visible(False)
    return ax


def curves(
    table: Any,
    x: str = "value",
    *,
    by: str | None = None,
    parity: float | None = None,
    margin: float | None = None,
    now: float | None = None,
    ax: Axes | None = None,
    title: str = "",
    xlabel: str = "",
    ylabel: str = "Win rate (%)",
) -> Axes:
    """Draw rates over a value that was changed, with their intervals as bars.

    Parameters
    ----------
    table : frame or mapping
        Columns ``rate``, ``lo``, ``hi`` and the value.
    x : str
        Name of the column across.
    by : str, optional
        A key that tells lines apart, each with a colour, a marker and dashes of its own.
    parity : float, optional
        The rate of a balanced game; by default the table's, when its rows agree about it.
    margin : float, optional
        The largest deviation that counts as balanced, as a rate.
    now : float, optional
        The value that is marked: what the rules of the run have.
    ax : matplotlib Axes, optional
        Where to draw; a new figure otherwise.
    title, xlabel, ylabel : str

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> table = {"value": [0, 1, 2], "rate": [0.47, 0.5, 0.52]}
    >>> ends = {"lo": [0.45, 0.48, 0.5], "hi": [0.49, 0.52, 0.54]}
    >>> ax = curves({**table, **ends}, now=1, parity=0.5, ax=figure().add_subplot())
    >>> ax.get_ylabel()
    'Win rate (%)'
    """
    rate, lo, hi = (100 * _floats(table, name) for name in ("rate", "lo", "hi"))
    at = _floats(table, x)
    with style():
        ax = axes(ax, 8)
        parity = _one_parity(table) if parity is None else parity
        if parity is not None:
            if margin is not None:
                low, high = 100 * (parity - margin), 100 * (parity + margin)
                ax.axhspan(low, high, color=BAND, alpha=0.12, lw=0)
            ax.axhline(100 * parity, color=FAINT, lw=1.0, ls=(0, (4, 3)))
        if now is not None:
            ax.axvline(now, color=INK, lw=1.0, ls=":")
        for i, line in enumerate(_lines(table, by, len(rate), at)):
            rows, name, (colour, marker, dashes) = line
            aside = _aside(ax, i)
            ax.vlines(at[rows], lo[rows], hi[rows], color=colour, lw=1.8, transform=aside)
            ax.plot(at[rows], rate[rows], marker, c=colour, ms=5.5, label=name, transform=aside)
            ax.plot(at[rows], rate[rows], c=colour, lw=1.0, ls=dashes, alpha=0.7, transform=aside)
        for end in (lo, hi):  # what is drawn aside does not stretch the axes by itself
            ax.update_datalim(np.column_stack([at, end])[np.isfinite(end)])
        ax.autoscale_view()
        _named_lines(ax, by)
        finish(ax, title, xlabel or x, ylabel)
    return ax


def fan(
    table: Any,
    x: str = "round",
    *,
    by: str | None = "seat",
    value: str = "mean",
    ax: Axes | None = None,
    title: str = "",
    xlabel: str = "Round",
    ylabel: str = "",
) -> Axes:
    """Draw means over the rounds with their intervals as bands.

    Parameters
    ----------
    table : frame or mapping
        Columns of the means, ``lo``, ``hi`` and what they run over.
    x, value : str
        Names of the columns across and up.
    by : str, optional
        A key that tells lines apart, each with a colour and dashes of its own.
    ax : matplotlib Axes, optional
        Where to draw; a new figure otherwise.
    title, xlabel, ylabel : str

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> table = {"seat": [1, 1, 2, 2], "round": [1, 2, 1, 2], "mean": [0.0, 1.0, 0.5, 1.5]}
    >>> ends = {"lo": [0.0, 0.8, 0.4, 1.3], "hi": [0.1, 1.2, 0.6, 1.7]}
    >>> ax = fan({**table, **ends}, ylabel="Points", ax=figure().add_subplot())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['1', '2']
    """
    mean, lo, hi = (_floats(table, name) for name in (value, "lo", "hi"))
    at = _floats(table, x)
    with style():
        ax = axes(ax, 8)
        for rows, name, (colour, _, dashes) in _lines(table, by, len(mean), at):
            ax.fill_between(at[rows], lo[rows], hi[rows], color=colour, alpha=0.2, lw=0)
            ax.plot(at[rows], mean[rows], color=colour, lw=1.6, ls=dashes, label=name)
        _named_lines(ax, by)
        finish(ax, title, xlabel, ylabel or value)
    return ax


def _lines(
    table: Any, by: str | None, rows: int, at: np.ndarray[Any, np.dtype[np.float64]]
) -> Iterator[tuple[list[int], str, tuple[str, str, Any]]]:
    """Yield each line's rows from left to right, its name and its look."""
    keys = [""] * rows if by is None else [str(key) for key in _key(table, by)]
    for i, name in enumerate(dict.fromkeys(keys)):
        own = sorted((j for j, key in enumerate(keys) if key == name), key=lambda j: at[j])
        yield own, name, LINES[i % len(LINES)]


def _aside(ax: Axes, line: int) -> Any:
    """Return where a line's points are drawn: beside those of the lines before it."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure()
    assert figure is not None
    points = 3.5 * ((line + 1) // 2) * (-1) ** line
    return ax.transData + ScaledTranslation(points / 72, 0, figure.dpi_scale_trans)


def _named_lines(ax: Axes, by: str | None) -> None:
    if by is not None:
        ax.legend(
            title=by,
            frameon=False,
            prop={"family": FAMILY},
            title_fontproperties={"family": FAMILY},
        )
    ax.grid(axis="y", color="#DDDDDD", lw=0.6)
