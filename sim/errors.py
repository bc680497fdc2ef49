"""The exceptions a user can meet, each with the exit code that the command line gives it.

Exit codes: 0 fine, 1 a gate failed, 2 bad input or usage, 3 undecided, 4 could not finish
(resumable), 70 internal error, 130 interrupted (resumable).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

__all__ = [
    "BAD_LAYOUT",
    "COUNTER_OVERFLOW",
    "NO_SUPPLY",
    "PILE_OVERFLOW",
    "STATUS",
    "CannotFinishError",
    "DataError",
    "EngineError",
    "InputError",
    "InterruptedRunError",
    "Problem",
    "StoreLockedError",
    "StoreMismatchError",
    "TenbinError",
    "UnknownNameError",
    "nearest",
    "short",
]

#: So many faults are told at once; nobody reads thousands.
MOST_TOLD = 40

#: Longest name that right ones are compared with: the time that takes grows with its length.
_LONGEST = 200


def short(text: str, most: int = 160) -> str:
    r"""Return a text as a message can carry it: not too long, and without control characters.

    Examples
    --------
    >>> short("celestina"), short("a" * 9, 5), short(chr(27) + "[31m")
    ('celestina', 'aaaa…', '\\x1b[31m')
    """
    if len(text) > most:
        text = text[: most - 1] + "…"
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed name nearest to a mistyped one, or None when nothing is near.

    Examples
    --------
    >>> nearest("big_stone", ["big_stones", "engine"]), nearest("ENGINE", ["big_stones", "engine"])
    ('big_stones', 'engine')
    """
    if len(name) > _LONGEST:
        return None
    names = {one.casefold(): one for one in allowed}
    matches = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    return names[matches[0]] if matches else None


#: Letters of a list of what is allowed that fills several lines of a terminal.
_LONG = 200


class TenbinError(Exception):
    """Base of all errors that are told to the user in one message, without a traceback."""

    exit_code: int = 70


class InputError(TenbinError):
    """Bad input or usage."""

    exit_code = 2


class UnknownNameError(InputError):
    """A name that does not exist, with the nearest one that does.

    Parameters
    ----------
    what : str
        What was named: ``"policy"``.
    name : str
        What was given.
    allowed : iterable of str
        All names there are.
    """

    def __init__(self, what: str, name: str, allowed: Iterable[str]) -> None:
        self.what, self.name, self.allowed = what, name, tuple(allowed)
        near = nearest(name, self.allowed)
        hint = f"; did you mean {near!r}?" if near else ""
        listed = ", ".join(self.allowed[:40]) + (", …" if len(self.allowed) > 40 else "")
        super().__init__(f"unknown {what} {short(repr(name))}{hint} (allowed: {listed})")


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in a data file: where, what was found, what is allowed."""

    file: str
    key: str
    found: str
    allowed: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None

    @property
    def place(self) -> str:
        """File, line and column."""
        place = short(self.file, 400)
        if self.line is not None:
            place += f":{self.line}" + (f":{self.column}" if self.column is not None else "")
        return place

    def __str__(self) -> str:
        text = f"{self.place}: {short(self.key)}: found {self.found}"
        allowed = f"allowed: {self.allowed}"
        if not self.hint:
            return f"{text}; {allowed}"
        hint = f"did you mean {self.hint!r}?"
        # Behind a long list nobody would see it.
        return f"{text}; {allowed}; {hint}" if len(allowed) < _LONG else f"{text}; {hint} {allowed}"


class DataError(InputError):
    """Faults in data files, all that were found at once; of very many only the first are told."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        told = [str(problem) for problem in self.problems[:MOST_TOLD]]
        if more := len(self.problems) - len(told):
            told.append(f"… and {more:,} more faults")
        super().__init__("\n".join(told))


class StoreMismatchError(InputError):
    """The folder holds a run of another identity, or something that is no run."""


class CannotFinishError(TenbinError):
    """The work could not be finished, and can be resumed."""

    exit_code = 4


class InterruptedRunError(TenbinError):
    """The user stopped the work; it can be resumed."""

    exit_code = 130


class StoreLockedError(CannotFinishError):
    """Another process writes to the store."""


class EngineError(TenbinError):
    """A kernel stopped with a status code.

    Codes that the rules bring about count as bad input; the others are faults of the program.

    Parameters
    ----------
    code : int
        A key of :data:`STATUS`.
    where : str
        Title, cell and deal of the game.
    statuses : mapping of int to str, optional
        What the title's own codes mean.
    """

    def __init__(
        self, code: int, where: str, statuses: Mapping[int, str] = MappingProxyType({})
    ) -> None:
        self.code = code
        text = statuses.get(code) or STATUS.get(code, f"unknown status {code}")
        if code in BY_RULES:
            self.exit_code = InputError.exit_code
            text += "; change the rules that lead there"
        super().__init__(f"{where}: {text}")


#: Status codes of kernels; each kernel has those that it needs as twins. 0 is success.
NO_SUPPLY = 1
PILE_OVERFLOW = 2
COUNTER_OVERFLOW = 3
BAD_LAYOUT = 4

#: Codes that come from the rules, not from a fault of the program.
BY_RULES = frozenset({NO_SUPPLY, PILE_OVERFLOW, COUNTER_OVERFLOW})

#: What a kernel's status code means. Codes from 16 on are a title's own (``TitleInfo.statuses``).
STATUS: dict[int, str] = {
    NO_SUPPLY: "no set-up that satisfies the constraints was found within the allowed number of "
    "attempts",
    PILE_OVERFLOW: "a pile grew beyond its capacity",
    COUNTER_OVERFLOW: "an effect gave more than a counter can hold",
    BAD_LAYOUT: "the records passed to the kernel do not have its layout",
}
