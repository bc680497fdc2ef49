"""Stop rules: when a run knows enough.

A rule is asked at declared numbers of games (:mod:`sim.run.stages`) and looks at all games so far.

*Precision*, ``seat ±0.2pp``: every rate of the table by seat is known to 0.2 percentage points.
Where such a run ends depends on the spread of results and hardly on the rates themselves, so that
plain intervals keep their coverage.

*Verdict*, ``verdict`` or ``verdict policy ±3pp``: every rate is known to lie inside or outside the
margin around parity. Such a run ends because of the rates; plain intervals, looked at again and
again, would cry wolf. Its verdicts and all its tables of rates and means use a confidence sequence
(:func:`analysis.estimates.sequence_value`), whose intervals hold at all looks together.

Both wait until there are :data:`FLOOR` deals behind every rate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.estimates import BALANCED, TIGHTEST, UNBALANCED
from sim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import polars as pl

    from sim.core.title import TitleInfo
    from sim.run.plan import Plan
    from sim.run.result import Run
    from sim.run.stages import Look

__all__ = ["FLOOR", "Rule", "stop_rule"]

#: Deals that there have to be behind every rate before a run may end.
FLOOR = 1000

#: Probability that all intervals of a look cover; for verdicts, of all looks.
LEVEL = 0.95

_FORMS = '"seat ±0.2pp", "players,policy ±0.5pp", "verdict", "verdict seat", "verdict policy ±3pp"'
_SHAPE = re.compile(
    r"(?P<verdict>verdict\b)?\s*(?P<by>[a-z_][a-z0-9_]*(?:\s*,\s*[a-z_][a-z0-9_]*)*)?\s*"
    r"(?:(?:±|\+/?-)\s*(?P<width>\d{1,3}(?:\.\d{1,6})?)\s*(?:pp|%))?"
)


@dataclass(frozen=True)
class Rule:
    """A stop rule; :func:`stop_rule` reads one.

    Attributes
    ----------
    by : tuple of str
        Keys of the table that is looked at, ``players`` among them.
    width : float or None
        Half-width of the widest interval, or the margin of the verdicts, as a rate; None for the
        margin of the page.
    verdict : bool
        Whether verdicts are waited for, not precision.
    """

    by: tuple[str, ...]
    width: float | None
    verdict: bool

    @property
    def text(self) -> str:
        """The rule as it is written."""
        keys = ",".join(self.by[1:])
        width = "" if self.width is None else f" ±{100 * self.width:g}pp"
        return f"verdict {keys}{width}" if self.verdict else f"{keys}{width}"

    def outline(self) -> Mapping[str, Any]:
        """Return the rule as plain JSON values."""
        found = {"rule": self.text, "floor": FLOOR, "level": LEVEL}
        return {**found, "tightest": TIGHTEST} if self.verdict else found

    def check(self, plan: Plan, info: TitleInfo) -> None:
        """Raise when no run of a plan could ever meet it.

        Parameters
        ----------
        plan : Plan
        info : TitleInfo

        Raises
        ------
        UnknownNameError
            For a key that is no column of the title.
        InputError
            For verdicts where there are none.
        """
        known = ["seat", "policy", "design"]
        known += [c.name for c in info.level("seat") if c.role == "category"]
        for key in self.by[1:]:
            if key not in known:
                raise UnknownNameError("key of a stop rule", key, known)
        if self.verdict:
            if info.seats == "none":
                raise InputError(f"{info.id} has no opponents, and so no parity to judge by")
            self._margin(plan, info)

    def __call__(self, run: Run) -> Look:
        """Look at all games of a run so far."""
        from sim.run.stages import Look

        table = self._table(run)
        count = f"{table.height} rates by {', '.join(self.by)}"
        few = table.filter(table["clusters"] < FLOOR).height if table.height else 1
        if few or not all(block.deals for block in run.plan.blocks):
            return Look(False, f"fewer than {FLOOR} deals behind some of {count}")
        if self.verdict:
            open_ = table.filter(~table["verdict"].is_in([BALANCED, UNBALANCED])).height
            decided = f"{table.height - open_} of {count} are decided"
            return Look(open_ == 0, f"{decided} by ±{100 * self._margin_of(run):g} pp")
        widest = float(((table["hi"] - table["lo"]) / 2).max())  # type: ignore[arg-type]
        assert self.width is not None
        return Look(widest <= self.width, f"the widest of {count} is ±{100 * widest:.3g} pp")

    def _table(self, run: Run) -> pl.DataFrame:
        from analysis.frames import win_rates

        margin = self._margin_of(run) if self.verdict else None
        found: pl.DataFrame = win_rates(
            run, self.by, level=LEVEL, family="table", margin=margin, anytime=self.verdict
        )
        return found

    def _margin_of(self, run: Run) -> float:
        return self._margin(run.plan, run.info)

    def _margin(self, plan: Plan, info: TitleInfo) -> float:
        from analysis.sections import default_margin, designs_for, present

        if self.width is not None:
            return self.width
        found = default_margin(info, plan, self.by, designs_for(self.by, present(plan)))
        if found is None:
            keys = ",".join(self.by[1:])
            raise InputError(
                f"a table by {keys} of this plan has no verdict of its own: give the margin, such "
                f'as "verdict {keys} ±2pp", or another table'
            )
        return found


def stop_rule(text: str) -> Rule:
    """Read a stop rule.

    Parameters
    ----------
    text : str
        ``KEYS ±X pp`` waits until every rate of the table by these keys (``players`` is always
        one) is known to X percentage points. ``verdict KEYS ±X pp`` waits until every rate has a
        verdict; without keys by seat, without ± by the margin of the page. ``+-`` is as good as ±.

    Returns
    -------
    Rule

    Raises
    ------
    InputError
        When it is no rule.

    Examples
    --------
    >>> stop_rule("seat ±0.2pp")
    Rule(by=('players', 'seat'), width=0.002, verdict=False)
    >>> stop_rule("verdict").text
    'verdict seat'
    """
    found = _SHAPE.fullmatch(text.strip())
    if found is None or not found[0]:
        raise InputError(f"{text!r} is no stop rule (allowed: {_FORMS})")
    verdict = found["verdict"] is not None
    keys = [key.strip() for key in (found["by"] or ("seat" if verdict else "")).split(",")]
    by = tuple(dict.fromkeys(("players", *keys)))
    width = None if found["width"] is None else round(float(found["width"]) / 100, 8)
    if by[1:] in ((), ("",)) or (width is None and not verdict):
        raise InputError(f"{text!r} is no stop rule (allowed: {_FORMS})")
    if width is not None and not 0 < width < 1:
        raise InputError(f"{text!r}: a width lies between 0 and 100 pp")
    return Rule(by, width, verdict)
