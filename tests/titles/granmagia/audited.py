"""Games of the random policy, told, under rules that let everything happen."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.titles.granmagia import TITLE
from sim.titles.granmagia.reference import reference

__all__ = ["GAMES", "OVERLAYS", "PLAYERS", "RULES", "played", "texts", "traces"]

#: Games of each table of rules and number of players.
GAMES = 16

WITCHES = list(TITLE.load().values["witches"])
PLAYERS = (2, 3, 4)

#: Everybody is rich, does more in a turn, and contracts early.
RICH = (
    "turn.casts=2",
    "turn.acquisitions=2",
    "limits.round_cap=25",
    *(f"compensation.{n}p.seat{seat}.gold=9" for n in PLAYERS for seat in range(1, n + 1)),
    *(f"witches.{witch}.cost=2" for witch in WITCHES),
)

#: What a special victory needs when it shall come soon.
_NEEDS = {
    "celestina": 9,
    "sophia": 4,
    "felicia": 3,
    "ignis": 2,
    "eclair": 3,
    "aurelise": 9,
    "brynhild": 5,
    "beelzebel": 2,
}

#: Special victories come soon, announced ones lapse, and Ignis' chain is short.
HASTY = (
    *RICH,
    *(f"supply.copies.{n}p=3" for n in PLAYERS),
    *(
        f"witches.{witch}.victory.need.{n}p={need}"
        for witch, need in _NEEDS.items()
        for n in PLAYERS
    ),
    *(f"witches.{witch}.victory.truth={2 * (witch != 'ignis')}" for witch in WITCHES),
    "witches.beelzebel.victory.truth=4",
    "witches.aurelise.powers.extra_turn_gold=4",
    'witches.ignis.gifts=["will_o_wisp", "inferno"]',
    "cards.will_o_wisp.gives_every=1",
    "cards.blaze.gives_every=1",
    'cards.big_bang.needs=["mana >= 1"]',
    "piles.curses_per_rival=2",
)

#: Attacks at every turn, and defences of all sorts against them.
QUARRELS = (
    *RICH,
    *(
        f'witches.{witch}.gifts=["grudge", "fairy", "rune_shield", "book_of_truth"]'
        for witch in WITCHES
    ),
    *(f'cards.{kind}.defends="hand"' for kind in ("fairy", "rune_shield")),
    'cards.fairy.attributes=["familiar", "defence"]',
    'cards.book_of_truth.attributes=["permanent", "defence"]',
    'cards.book_of_truth.defends="field"',
    'cards.grudge.effects=["curses 1", "others_discard 3", "take_gold 1", "pass_curses 1"]',
    'contract.gift_place="hand"',
    "limits.round_cap=12",
)

_PATIENT = ("marisrosetta", "ignis", "eclair", "beelzebel")

#: Announcements that often lapse, arcana for everybody, and Ignis' last card at once.
ANNOUNCED = (
    *RICH,
    *(f"witches.{witch}.enabled=false" for witch in WITCHES if witch not in _PATIENT),
    *(f"witches.{witch}.victory.truth=1" for witch in ("ignis", "eclair", "beelzebel")),
    *(f"witches.eclair.victory.need.{n}p=1" for n in PLAYERS),
    *(f"witches.beelzebel.victory.need.{n}p=2" for n in PLAYERS),
    *(f"witches.ignis.victory.need.{n}p=2" for n in PLAYERS),
    'witches.ignis.gifts=["big_bang", "inferno", "inferno"]',
    "witches.beelzebel.note_gifts=[]",
    'cards.big_bang.needs=["mana >= 1"]',
    'cards.inferno.effects=["mana 1", "casts 1"]',
    "cards.inferno.attributes=[]",
    "cards.arcana.cost=4",
)

RULES = {
    "printed": (),
    "rich": RICH,
    "hasty": HASTY,
    "quarrels": QUARRELS,
    "announced": ANNOUNCED,
    "everything": (),
}

#: Files that are laid over the printed rules.
OVERLAYS = {"everything": [Path(__file__).with_name("everything.toml")]}


def _load(rules, overrides):
    return TITLE.load(overlays=OVERLAYS.get(rules, ()), overrides=list(overrides))


def played(rules, players, *, other=None, games=GAMES):
    """Play games of the random policy, one after the other, and tell them.

    ``other`` is a rule by which they are played instead of what these rules say, or several.
    """
    others = (other,) if isinstance(other, str) else other or ()
    overrides = {text.partition("=")[0]: text for text in (*RULES[rules], *others)}
    tables = TITLE.compile(_load(rules, overrides.values()))
    policies = load_policies(["random"], tables.words, TITLE.data / "policies")
    for deal in range(games):
        game = reference(tables, policies, None, make_key(3), deal, [0] * players, trace=True)
        yield list(game.trace)


@cache
def traces(rules, players):
    """Play games and keep them."""
    return list(played(rules, players))


@cache
def texts(rules):
    """Return what these rules say of cards, witches and seals."""
    return _load(rules, RULES[rules]).values
