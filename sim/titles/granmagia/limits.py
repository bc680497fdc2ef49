"""How large things may be: what data may say, and what both engines can hold (GM-W11)."""

from __future__ import annotations

__all__ = [
    "MAX_AMOUNT",
    "MAX_EFFECTS",
    "MAX_LISTED",
    "MAX_SEALS",
    "MOST_COUNTED",
    "MOST_IN_COLUMN",
    "MOST_NEEDED",
    "MOST_TOKENS",
    "MOST_TRUTH",
    "PILE_CAPACITY",
    "SEAL_COST",
]

#: Largest amount of a primitive, either way; a multiple of it must still fit into a counter.
MAX_AMOUNT = 99

#: Most effects a text of a card, a witch or a seal may have, and most conditions of a cast.
MAX_EFFECTS = 16

#: Most names in a list: tags and attributes of a card, gifts of a witch, chapters of the supply.
MAX_LISTED = 32

#: Most kinds of seals.
MAX_SEALS = 16

#: Most that a seal changes the cost of a card, either way.
SEAL_COST = 9

#: Cards that a seat may own, and that a pile holds in the kernel.
PILE_CAPACITY = 248

#: What mana, casts, acquisitions, coins and barriers may grow to.
MOST_COUNTED = 1_000_000_000

#: What a counter of a seat holds in its column.
MOST_IN_COLUMN = 65_535

#: Most truth that one card may be worth, either way.
MOST_TRUTH = 99

#: Most truth tokens of a seat.
MOST_TOKENS = 5000

#: Most that a special victory may need, of its condition and of truth.
MOST_NEEDED = 999
