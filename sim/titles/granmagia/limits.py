"""How large things may be: what data may say, and what both engines can hold (GM-W11)."""

from __future__ import annotations

__all__ = ["MAX_AMOUNT", "MAX_EFFECTS", "MOST_COUNTED", "MOST_TRUTH", "PILE_CAPACITY"]

#: Largest amount of a primitive, either way; a multiple of it must still fit into a counter.
MAX_AMOUNT = 99

#: Most effects a card may have.
MAX_EFFECTS = 16

#: Cards that a seat may own, and that a pile holds in the kernel.
PILE_CAPACITY = 248

#: What mana, casts, acquisitions and coins may grow to.
MOST_COUNTED = 1_000_000_000

#: Most truth that one card may be worth, either way.
MOST_TRUTH = 99
