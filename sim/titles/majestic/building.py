"""Legal decks made by chance, for telling what a deck's composition does.

Ready decks are few, and whoever made them had reasons: what they have in common is no evidence of
what wins. Decks made here differ in everything that a composition tells, independently of one
another: curve, share of spells, attributes, special mana. All of them are legal (MM-D1), none of
them is tuned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.core._rng import make_key
from sim.core.stream import Stream
from sim.errors import InputError
from sim.titles.majestic.deck_lists import DeckList
from sim.titles.majestic.schema import ATTRIBUTES

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["generate"]

#: The stream of a deck's choices; games do not use it.
_STREAM = 64

#: Weights of a card are products of a weight by its cost and one by its sort, both drawn anew for
#: each deck: the wider they are, the more decks differ.
_MOST_WEIGHT = 9


def generate(ruleset: Ruleset, number: int, seed: int) -> Iterator[DeckList]:
    """Yield legal decks made by chance; the first ones do not depend on how many are made.

    Parameters
    ----------
    ruleset : Ruleset
    number : int
        How many decks.
    seed : int

    Raises
    ------
    InputError
        When all mana is special, so that nothing fills a mana deck.

    Examples
    --------
    >>> from sim.titles.majestic import load
    >>> rules = load()
    >>> [deck] = generate(rules, 1, seed=1)
    >>> sum(deck.main.values()), sum(deck.mana.values())
    (40, 20)
    """
    key = make_key(seed)
    for place in range(number):
        yield _deck(ruleset.values, Stream(key, _STREAM, place))


def _deck(values: Mapping[str, Any], chance: Stream) -> DeckList:
    attributes = _attributes(values, chance)
    main = _main(values, attributes, chance)
    sorcerers = _of_attributes(values["sorcerers"], attributes[:1])
    sorcerer = _pick(sorcerers or sorted(values["sorcerers"]), chance)
    return DeckList(sorcerer, main, _mana(values, main, chance))


def _of_attributes(table: Mapping[str, Any], attributes: Sequence[str]) -> list[str]:
    return sorted(name for name, one in table.items() if one["attribute"] in attributes)


def _pick(names: Sequence[str], chance: Stream) -> str:
    return names[chance.bounded(len(names))]


def _attributes(values: Mapping[str, Any], chance: Stream) -> list[str]:
    """Return one to three attributes, as many as it takes to fill a deck with."""
    order: list[str] = [ATTRIBUTES[place] for place in chance.shuffled(range(len(ATTRIBUTES)))]
    number = 1 + (chance.bounded(2) == 0) + (chance.bounded(6) == 0)
    while number < len(order):
        copies = values["deck"]["copies"] * len(_of_attributes(values["cards"], order[:number]))
        if copies >= values["deck"]["main"]:
            break
        number += 1
    return order[:number]


def _main(values: Mapping[str, Any], attributes: Sequence[str], chance: Stream) -> dict[str, int]:
    cards = values["cards"]
    kinds = _of_attributes(cards, attributes)
    costs = sorted({cards[kind]["cost"] for kind in kinds})
    by_cost = {cost: 1 + chance.bounded(_MOST_WEIGHT) for cost in costs}
    by_sort = {sort: 1 + chance.bounded(_MOST_WEIGHT) for sort in ("unit", "spell")}
    left = values["deck"]["main"]
    main: dict[str, int] = {}
    while left and kinds:
        weights = [by_cost[cards[kind]["cost"]] * by_sort[cards[kind]["sort"]] for kind in kinds]
        kind = kinds.pop(_weighted(weights, chance))
        copies = min(1 + chance.bounded(values["deck"]["copies"]), left)
        main[kind] = copies
        left -= copies
    # With all kinds taken, those that are there are filled up.
    for kind in sorted(main):
        more = min(values["deck"]["copies"] - main[kind], left)
        main[kind] += more
        left -= more
    return main


def _weighted(weights: Sequence[int], chance: Stream) -> int:
    """Return a place, each as likely as its weight says."""
    drawn = chance.bounded(sum(weights))
    for place, weight in enumerate(weights):
        drawn -= weight
        if drawn < 0:
            return place
    raise AssertionError("weights add up")


def _mana(values: Mapping[str, Any], main: Mapping[str, int], chance: Stream) -> dict[str, int]:
    """Return mana in proportion to the attributes of the main deck, some of it special."""
    rules, table = values["deck"], values["mana"]
    cards = dict.fromkeys(ATTRIBUTES, 0)
    for kind, copies in main.items():
        cards[values["cards"][kind]["attribute"]] += copies
    basic = {one["attribute"]: name for name, one in sorted(table.items()) if not one["effects"]}
    if not basic:
        raise InputError("mana: found no card without effects; decks made by chance need one")
    mana: dict[str, int] = {}
    for attribute in [name for name, number in cards.items() if number]:
        special = [
            name
            for name, one in sorted(table.items())
            if one["effects"] and one["attribute"] == attribute
        ]
        room = rules["mana"] - sum(mana.values())
        wanted = chance.bounded(rules["special"] + 1) if special else 0
        for _ in range(min(wanted, room)):
            name = _pick(special, chance)
            if mana.get(name, 0) < rules["copies"]:
                mana[name] = mana.get(name, 0) + 1
    # Basic mana brings each attribute to its share, the largest first; the rest of it as well.
    left = rules["mana"] - sum(mana.values())
    order = sorted((name for name in cards if cards[name]), key=lambda name: -cards[name])
    for attribute in order:
        have = sum(n for name, n in mana.items() if table[name]["attribute"] == attribute)
        share = rules["mana"] * cards[attribute] // sum(cards.values())
        more = max(0, min(share - have, left))
        if more and attribute in basic:
            mana[basic[attribute]] = more
            left -= more
    if left:
        # Rules may leave an attribute without basic mana; then that of another one fills the deck.
        rest = next(basic[name] for name in (*order, *ATTRIBUTES) if name in basic)
        mana[rest] = mana.get(rest, 0) + left
    return mana
