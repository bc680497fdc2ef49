"""The words of a page, in English and Japanese: ``words.toml`` and ``sentences.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Formatter
from typing import Any

from sim.errors import InputError, UnknownNameError

__all__ = ["LANGUAGES", "Words", "check_words"]

LANGUAGES = ("en", "ja")


def _read() -> dict[str, Mapping[str, str]]:
    folder = files("analysis.report")
    found: dict[str, Mapping[str, str]] = {}
    for name in ("words.toml", "sentences.toml"):
        found |= tomllib.loads((folder / name).read_text(encoding="utf-8"))
    return found


_WORDS = _read()


def check_words(own: Mapping[str, Mapping[str, str]]) -> None:
    """Refuse words of a title's own that would stand for none, or say something else.

    Parameters
    ----------
    own : mapping
        Text by key and language.

    Raises
    ------
    UnknownNameError
        With the nearest key.
    InputError
        When other things would be filled in than in the words that they stand for.

    Examples
    --------
    >>> check_words({"round": {"en": "Move", "ja": "移動"}})
    """
    for key, texts in own.items():
        if key not in _WORDS:
            raise UnknownNameError("words of a report", key, _WORDS)
        for language in LANGUAGES:
            found, allowed = (
                {name for _, name, _, _ in Formatter().parse(words[language]) if name is not None}
                for words in (texts, _WORDS[key])
            )
            if found != allowed:
                raise InputError(
                    f"words of a report, {key}, {language}: found {_filled(found)}; "
                    f"allowed: {_filled(allowed)}"
                )


def _filled(names: set[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names)) or "nothing to be filled in"


class Words:
    """Words of one language.

    Parameters
    ----------
    language : str
        ``"en"`` or ``"ja"``.
    own : mapping, optional
        A title's own words, which stand for those of every title (see :func:`check_words`).

    Raises
    ------
    UnknownNameError
        For any other language.

    Examples
    --------
    >>> Words("en")("players_n", n=3), Words("ja")("seat_n", n=1)
    ('3 players', '席 1')
    """

    def __init__(self, language: str, own: Mapping[str, Mapping[str, str]] | None = None) -> None:
        if language not in LANGUAGES:
            raise UnknownNameError("language", language, LANGUAGES)
        self.language = language
        self._words = {**_WORDS, **(own or {})}

    def __call__(self, key: str, **values: Any) -> str:
        """Return the words for a key, with values filled in."""
        # A unit stays on the line of its number; what is filled in is left as it is.
        text = self._words[key][self.language].replace(" %", "\u00a0%").replace(" pp", "\u00a0pp")
        return text.format(**values) if values else text

    def label(self, label: Mapping[str, str] | None, default: str = "") -> str:
        """Return a display name of the data in this language."""
        return (label or {}).get(self.language) or default

    def inside(self, label: Mapping[str, str] | None, default: str = "") -> str:
        """Return a display name as it is written within a sentence or heading.

        Examples
        --------
        >>> Words("en").inside({"en": "Chosen guild"}), Words("en").inside({"en": "AI level"})
        ('chosen guild', 'AI level')
        """
        name = self.label(label, default)
        capital = self.language == "en" and name[1:2].islower()
        return name[:1].lower() + name[1:] if capital else name

    def players(self, n: int) -> str:
        """Return a player count with its noun."""
        return self("players_1") if n == 1 else self("players_n", n=n)

    def all_players(self, counts: Sequence[int]) -> str:
        """Return several player counts with one noun."""
        if len(counts) == 1:
            return self.players(counts[0])
        if self.language == "ja":
            return self("players_n", n="・".join(map(str, counts)))
        return self("players_n", n=self.listed([str(n) for n in counts]))

    def spaced(self, name: str) -> str:
        """Return a name that a Japanese particle follows: Latin letters and digits stand apart.

        Examples
        --------
        >>> Words("ja").spaced("席 3"), Words("ja").spaced("弓"), Words("en").spaced("seat 3")
        ('席 3 ', '弓', 'seat 3')
        """
        apart = self.language == "ja" and name[-1:].isascii() and name[-1:].isalnum()
        return f"{name} " if apart else name

    def listed(self, items: Sequence[str]) -> str:
        """Return several things as one phrase."""
        if len(items) < 2:
            return "".join(items)
        return self("comma").join(items[:-1]) + self("and") + items[-1]
