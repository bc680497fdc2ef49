"""Numbers as people read them: displayed digits follow the standard error.

Stored values are never rounded; these functions are for tables, captions and terminals.
"""

from __future__ import annotations

import math

__all__ = ["count", "decimals", "duration", "interval", "number", "percent", "points", "table"]

MINUS = "−"


def decimals(se: float | None, *, most: int = 4, default: int = 1) -> int:
    """Return how many decimals a value with this standard error deserves.

    The last digit shown is of the order of the standard error.

    Parameters
    ----------
    se : float or None
        Standard error in the unit that is displayed; None, NaN or 0 when unknown.
    most, default : int
        Upper limit, and the answer when the error is unknown.

    Examples
    --------
    >>> decimals(0.047), decimals(0.4), decimals(3.0), decimals(None)
    (2, 1, 0, 1)
    """
    if se is None or not math.isfinite(se) or se <= 0:
        return default
    return min(most, max(0, -math.floor(math.log10(se))))


def number(value: float | None, se: float | None = None, *, digits: int | None = None) -> str:
    """Return a value with as many decimals as its standard error supports.

    Examples
    --------
    >>> number(14.23456, 0.012), number(None), number(-0.5, 0.1)
    ('14.23', '–', '−0.5')
    """
    if value is None or not math.isfinite(value):
        return "–"
    places = decimals(se) if digits is None else digits
    text = f"{abs(value):,.{places}f}"
    return (MINUS if value < 0 and any(c in "123456789" for c in text) else "") + text


def percent(rate: float | None, se: float | None = None, *, digits: int | None = None) -> str:
    """Return a rate in per cent, without the sign (tables name the unit in their head).

    Examples
    --------
    >>> percent(0.36154, 0.0004), percent(1 / 3, 0.01)
    ('36.15', '33')
    """
    if rate is None:
        return "–"
    return number(100 * rate, None if se is None else 100 * se, digits=digits)


def interval(lo: float | None, hi: float | None, se: float | None = None) -> str:
    """Return an interval of a rate in per cent.

    Examples
    --------
    >>> interval(0.3571, 0.3659, 0.002)
    '35.7 – 36.6'
    """
    return f"{percent(lo, se)} – {percent(hi, se)}"


def points(difference: float | None, se: float | None = None) -> str:
    """Return a difference of rates in percentage points, with its sign.

    Examples
    --------
    >>> points(0.0282, 0.002), points(-0.0282, 0.002), points(0.0002, 0.02)
    ('+2.8', '−2.8', '0')
    """
    text = percent(difference, se)
    plus = difference is not None and difference > 0 and any(c in "123456789" for c in text)
    return f"+{text}" if plus else text


def count(value: int | None) -> str:
    """Return a count with thousands separated.

    Examples
    --------
    >>> count(1234567)
    '1,234,567'
    """
    return "–" if value is None else f"{value:,}"


def duration(seconds: float) -> str:
    """Return a time as people say it.

    Examples
    --------
    >>> duration(0.82), duration(75), duration(3725)
    ('0.8 s', '1 min 15 s', '1 h 02 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def table(header: list[str], rows: list[list[str]], *, right: set[int] | None = None) -> str:
    """Return a Markdown table whose columns also line up as plain text.

    Parameters
    ----------
    header : list of str
    rows : list of list of str
    right : set of int, optional
        Columns that are aligned to the right.

    Examples
    --------
    >>> print(table(["seat", "rate"], [["1", "36.2"], ["2", "31"]], right={1}))
    | seat | rate |
    |------|-----:|
    | 1    | 36.2 |
    | 2    |   31 |
    """
    flush = right or set()
    safe = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    widths = [max(3, *(_width(row[i]) for row in [header, *safe])) for i in range(len(header))]

    def line(cells: list[str]) -> str:
        padded = []
        for i, cell in enumerate(cells):
            space = " " * (widths[i] - _width(cell))
            padded.append(space + cell if i in flush else cell + space)
        return "| " + " | ".join(padded) + " |"

    rule = [("-" * (w + 1) + ":") if i in flush else "-" * (w + 2) for i, w in enumerate(widths)]
    return "\n".join([line(header), "|" + "|".join(rule) + "|", *(line(row) for row in safe)])


def _width(text: str) -> int:
    """Return the columns that a text takes in a terminal: Japanese is two wide."""
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
