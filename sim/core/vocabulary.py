"""The words that a title lends to policy files and card texts.

A vocabulary gives every name its number once, so that texts can be checked when they are read and
both engines work with the same integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.core.title import MASK_WORDS, DecisionPoint

__all__ = ["ANY", "INT32", "KEYWORDS", "STOP", "Observable", "Vocabulary"]

#: The selector of all options; it is there in every title.
ANY = "any"

#: The option that declines: in every title that has it, it bears the highest code.
STOP = "stop"

#: Words of the grammar itself, which no name may take.
KEYWORDS = frozenset({"if", "and", "per", "use", "with"})

#: What every number in a policy or a rule must fit into.
INT32 = (-(2**31), 2**31 - 1)


@dataclass(frozen=True, slots=True)
class Observable:
    """A whole number that a seat may see when it decides.

    Attributes
    ----------
    id : str
        Name in rules and card texts.
    argument : str or None
        Name of an entry of ``Vocabulary.arguments`` when the observable needs one
        (``owned.great_stone``), else None (``round``).
    about : str
        One line for documentation and error messages.
    """

    id: str
    argument: str | None
    about: str


@dataclass(frozen=True)
class Vocabulary:
    """Names and numbers of a title's options, observables and decision points.

    Attributes
    ----------
    options : tuple of str
        Name of each option; its code is its place.
    groups : mapping of str to tuple of int
        Selectors that stand for several options; ``any`` is added by itself.
    observables : tuple of Observable
        Their place is the number that the engines use.
    arguments : mapping of str to mapping of str to int
        What an observable or an effect may be asked about: ``{"kind": {"fragment": 0, ...}}``.
    attributes : mapping of str to tuple of int
        A number for each option code, for weights that follow it: ``{"cost": (0, 3, ...)}``.
    decisions : tuple of DecisionPoint
        In the order of their numbers.
    option_argument : str or None
        The entry of ``arguments`` whose numbers are option codes, from 0 on: what its observables
        tell can be asked about an option itself (``magic with field == 1``).

    Raises
    ------
    ValueError
        When the declaration contradicts itself; this is a fault of the title, not of its user.

    Examples
    --------
    >>> words = Vocabulary(
    ...     options=("stone", "charm", "stop"),
    ...     groups={"truth": (1,)},
    ...     observables=(Observable("round", None, "the round"),),
    ...     arguments={},
    ...     attributes={"cost": (3, 2, 0)},
    ...     decisions=(DecisionPoint("acquire", "what to buy"),),
    ... )
    >>> words.selectors["any"], words.selectors["charm"], words.stop
    ((0, 1, 2), (1,), 2)
    """

    options: tuple[str, ...]
    groups: Mapping[str, tuple[int, ...]]
    observables: tuple[Observable, ...]
    arguments: Mapping[str, Mapping[str, int]]
    attributes: Mapping[str, tuple[int, ...]]
    decisions: tuple[DecisionPoint, ...]
    option_argument: str | None = None

    #: Derived: every selector with its option codes in ascending order, ``any`` included.
    selectors: Mapping[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)
    #: Derived: observable name → number.
    observable_numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check()
        selectors: dict[str, tuple[int, ...]] = {}
        selectors.update((name, (code,)) for code, name in enumerate(self.options))
        selectors.update((name, tuple(sorted(set(codes)))) for name, codes in self.groups.items())
        selectors[ANY] = tuple(range(len(self.options)))
        object.__setattr__(self, "selectors", selectors)
        numbers = {seen.id: number for number, seen in enumerate(self.observables)}
        object.__setattr__(self, "observable_numbers", numbers)

    def _check(self) -> None:
        names = [*self.options, *self.groups]
        if len(self.options) > 64 * MASK_WORDS:
            raise ValueError(f"{len(self.options)} options; at most {64 * MASK_WORDS} are possible")
        if len(set(names)) < len(names) or ANY in names:
            raise ValueError("options and groups must all have different names, none of them 'any'")
        if STOP in self.options[:-1]:
            raise ValueError("the option 'stop' must be the last one")
        if len({seen.id for seen in self.observables}) < len(self.observables):
            raise ValueError("two observables have the same name")
        if taken := KEYWORDS.intersection([*names, *(seen.id for seen in self.observables)]):
            raise ValueError(f"words of the grammar used as names: {sorted(taken)}")
        for group, codes in self.groups.items():
            if any(not 0 <= code < len(self.options) for code in codes):
                raise ValueError(f"group {group!r} holds a code that is no option")
        for attribute, values in self.attributes.items():
            if len(values) != len(self.options):
                raise ValueError(f"attribute {attribute!r} needs one number for each option")
        for seen in self.observables:
            if seen.argument is not None and seen.argument not in self.arguments:
                raise ValueError(f"observable {seen.id!r} names unknown {seen.argument!r}")
        if self.option_argument is not None:
            known = self.arguments[self.option_argument]
            if [known.get(name) for name in self.options[: len(known)]] != [*range(len(known))]:
                raise ValueError(f"the numbers of {self.option_argument!r} are no option codes")

    @property
    def described(self) -> int:
        """Number of options that observables can be asked about; they have the lowest codes."""
        return len(self.arguments[self.option_argument]) if self.option_argument else 0

    @property
    def stop(self) -> int:
        """Code of the option ``stop``, or -1 when the title has none."""
        return len(self.options) - 1 if self.options[-1:] == (STOP,) else -1

    @property
    def decision_names(self) -> tuple[str, ...]:
        """Names of the decision points, in the order of their numbers."""
        return tuple(point.id for point in self.decisions)

    def is_option(self, selector: str) -> bool:
        """Whether a selector names a single option rather than a group."""
        return selector != ANY and selector not in self.groups
