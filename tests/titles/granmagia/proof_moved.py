"""Every number of the rules, moved off its default alone, and what makes it count.

A parameter that no game hangs on would let one engine read it wrongly: each of these is compared
in both engines, and must change games (``test_moved_parameters.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.titles.granmagia import TITLE

__all__ = ["BAZAAR", "MOVED", "MOVED_TEXTS", "SOON", "WITCHES", "Moved", "of_witches"]

PLAYERS = TITLE.info.players
_VALUES = TITLE.load().values
WITCHES = tuple(_VALUES["witches"])

#: All that magic costs is nothing, and turns are long: every card is soon used.
BAZAAR = (
    *(
        f"cards.{name}.cost=0"
        for name, card in _VALUES["cards"].items()
        if card["sort"] in ("magic", "rare")
    ),
    "supply.kinds=20",
    "supply.rares_per_player=3",
    "field.kinds=20",
    "field.end_kinds=0",
    *(f"supply.copies.{players}p=2" for players in PLAYERS),
    *(f"witches.{witch}.cost={place % 3}" for place, witch in enumerate(WITCHES)),
    "turn.casts=4",
    "turn.acquisitions=3",
    "limits.round_cap=5",
)

#: What special victories need when they shall come soon.
_NEEDS = {
    "celestina": 9,
    "sophia": 2,
    "felicia": 3,
    "ignis": 2,
    "eclair": 1,
    "aurelise": 4,
    "brynhild": 5,
    "beelzebel": 2,
}


def of_witches(truth: int, timing: str, **needs: int) -> tuple[str, ...]:
    """Return what moves all special victories but Celestina's timing, which is as it is."""
    found = [f"witches.{witch}.victory.truth={truth}" for witch in WITCHES]
    found += [
        f'witches.{witch}.victory.timing="{timing}"' for witch in WITCHES if witch != "celestina"
    ]
    for witch, need in (_NEEDS | needs).items():
        found += [f"witches.{witch}.victory.need.{players}p={need}" for players in PLAYERS]
    return tuple(found)


#: The bazaar with special victories that are soon won.
SOON = (
    *BAZAAR,
    *of_witches(1, "at_once"),
    'witches.marisrosetta.victory.timing="turn_start"',
    "witches.aurelise.powers.extra_turn_gold=2",
    'witches.ignis.victory.card="will_o_wisp"',
    # Charms of her own would meet any minimum of truth.
    "witches.beelzebel.note_gifts=[]",
    "cards.arcana.cost=2",
    "piles.curses_per_rival=1",
)


@dataclass(frozen=True)
class Moved:
    """An override, what it is laid over, the policies that make it count, the players."""

    text: str
    base: tuple[str, ...] = ("limits.round_cap=14",)
    pool: tuple[str, ...] = ()
    players: tuple[int, ...] = PLAYERS

    @property
    def key(self) -> str:
        """What is moved."""
        return self.text.partition("=")[0]


_FULL = ("limits.round_cap=40",)
_PLAIN = (
    "start.hand=7",
    "start.deck.fragment=5",
    "start.deck.note=4",
    "start.deck.apprentice=0",
    "supply.chapters=[1]",
    "supply.chapters=[2]",
    "supply.chapters=[3, 4, 1]",
    "supply.kinds=10",
    "supply.kinds=12",
    "supply.rares_per_player=0",
    "supply.rares_per_player=2",
    "supply.third_burn_accept=0",
    "supply.third_burn_accept=10000",
    "supply.attempts=2",
    "field.kinds=10",
    "field.arcana_burn=0",
    "field.arcana_burn=4",
    "piles.fragment=0",
    "piles.stone=2",
    "piles.great_stone=3",
    "piles.charm=2",
    "piles.ritual=1",
    "piles.arcana=1",
    "piles.curses_per_rival=3",
    "turn.casts=3",
    "turn.acquisitions=2",
    "turn.hand=2",
    "turn.hand=8",
    "contract.discount_round=3",
    "contract.discount=3",
    'contract.gift_place="hand"',
    "limits.round_cap=9",
)

_BASES = {
    "start.deck.apprentice=0": ('cards.apprentice.effects=["mana 1"]', "limits.round_cap=14"),
    "supply.attempts=2": _FULL,
    "field.arcana_burn=0": ("cards.arcana.cost=3", *_FULL),
    "field.arcana_burn=4": ("cards.arcana.cost=3", *_FULL),
    "piles.charm=2": ("cards.charm.cost=0", *_FULL),
    "piles.ritual=1": _FULL,
    "piles.arcana=1": ("cards.arcana.cost=3", *_FULL),
    "piles.great_stone=3": _FULL,
    "piles.fragment=0": ("limits.round_cap=14",),
    "piles.curses_per_rival=3": BAZAAR,
    "contract.discount_round=3": ("contract.discount=2", "limits.round_cap=14"),
    "contract.discount=3": ("contract.discount_round=3", "limits.round_cap=14"),
    "limits.round_cap=9": (),
}

_GREEDY = ("greedy", "handy", "random")
_POOLS = {
    "piles.fragment=0": ("greedy", "random"),
    "piles.charm=2": ("greedy", "truth_rush"),
    "piles.stone=2": ("watchful", "big_stones"),
    "piles.curses_per_rival=3": ("spiteful", "handy"),
}

#: The numbers of the game itself: ``rules.toml``.
MOVED = (
    *(Moved(text, _BASES.get(text, Moved.base), _POOLS.get(text, ())) for text in _PLAIN),
    *(
        Moved(f"compensation.{players}p.seat{seat}.{coin}=3", players=(players,))
        for players in PLAYERS
        for seat in range(1, players + 1)
        for coin in ("silver", "gold")
    ),
    *(Moved(f"supply.copies.{players}p=3", players=(players,)) for players in PLAYERS),
    Moved("field.end_kinds=7", ()),
    Moved("piles.start_taken=true", ("piles.fragment=15", "limits.round_cap=14"), _GREEDY),
    Moved("turn.reversal=[2, 2, 2, 2, 2, 1]", ("turn.hand=4", "limits.round_cap=14")),
    Moved("defence.doll_gold=0", (*BAZAAR, "compensation.2p.seat1.gold=2"), _GREEDY),
    Moved("defence.doll_gold=3", (*BAZAAR, "compensation.3p.seat1.gold=2"), _GREEDY),
    Moved("defence.barrier_casts=0", BAZAAR, _GREEDY),
    Moved("defence.barrier_casts=2", BAZAAR, _GREEDY),
)


def _soon(text: str, *more: str, players: tuple[int, ...] = PLAYERS) -> Moved:
    return Moved(text, (*SOON, *more), (*_GREEDY, "spiteful"), players)


def _of_a_witch(witch: str):
    """Return the moves of a witch's own numbers."""
    name, victory = f"witches.{witch}", _VALUES["witches"][witch]["victory"]
    yield _soon(f"{name}.cost=4")
    yield _soon(f"{name}.enabled=false")
    yield _soon(f'{name}.gifts=["great_stone", "stone"]')
    yield _soon(f'{name}.note_gifts=["great_stone"]')
    yield _soon(f'{name}.ability=["gold 1", "draw 1"]')
    # Where the victory comes only late, what it needs is lowered before this is moved.
    yield _soon(f"{name}.victory.truth=12")
    yield _soon(f"{name}.victory.enabled=false")
    if victory["kind"] != "curses":
        for players in PLAYERS:
            need = f"{name}.victory.need.{players}p"
            # One arcana more than all others is the least that counts, so 0 is no other number.
            other = 3 if victory["kind"] == "arcana_spread" else 0
            yield _soon(f"{need}={other}", players=(players,))
    if victory["kind"] != "mana":
        timing = "at_once" if witch == "marisrosetta" else "turn_start"
        yield _soon(f'{name}.victory.timing="{timing}"')


#: Powers, on whom they are moved; what is refused without them is off before.
_POWERS: tuple[tuple[str, ...], ...] = (
    ("witches.aurelise.powers.stone_gold=3",),
    ("witches.aurelise.powers.extra_turn_gold=6",),
    ("witches.marisrosetta.powers.curse_penalty=1",),
    ("witches.eclair.powers.arcana_discount=5",),
    ("witches.eclair.powers.notes_as_arcana=false",),
    ("witches.sophia.powers.tokens_for_truth=false", "witches.sophia.powers.token_draw=0"),
    ("witches.sophia.powers.token_draw=4",),
    ("witches.felicia.powers.rewards=false", "witches.felicia.victory.enabled=false"),
    # Somebody else has them.
    ("witches.celestina.powers.stone_gold=1",),
    ("witches.celestina.powers.extra_turn_gold=1",),
    ("witches.ignis.powers.curse_penalty=1",),
    ("witches.beelzebel.powers.arcana_discount=1",),
    ("witches.brynhild.powers.notes_as_arcana=true",),
    ("witches.beelzebel.powers.tokens_for_truth=true",),
    ("witches.eclair.powers.rewards=true",),
)

#: Fields of cards, one card for each that has it.
_CARDS = (
    ("cards.alchemy.cost=3",),
    ("cards.stone.mana=5",),
    ("cards.curse.truth=-3",),
    ("cards.charm.truth=4",),
    ('cards.fragment.upgrade="great_stone"',),
    ("cards.alchemy.chapter=2", "supply.chapters=[1]", "supply.kinds=12", "field.kinds=12"),
    ("cards.market.mana_only=true", "cards.market.cost=2"),
    ('cards.mana_spring.tags=["burn"]', "supply.chapters=[2]", "supply.kinds=12", "field.kinds=12"),
    ('cards.fox.attributes=["familiar", "permanent"]',),
    ('cards.wisdom_book.effects=["mana 3"]',),
    ('cards.world_tree.turn_start=["gold 2"]',),
    ('cards.owl.reward=["mana 4"]',),
    ('cards.hourglass.needs=["gold >= 0"]',),
    (
        'cards.big_bang.needs=["hand >= 99"]',
        'cards.big_bang.needs=["mana >= 1"]',
        'witches.ignis.gifts=["big_bang"]',
    ),
    ('cards.amulet.defends="field"', 'cards.amulet.attributes=["defence", "permanent"]'),
    ('cards.will_o_wisp.gives="inferno"',),
    ("cards.will_o_wisp.gives_every=1",),
)

_SEALS = (
    "seals.plenty.cost=3",
    'seals.plenty.piles="truths"',
    'seals.plenty.effects=["draw 2"]',
    "seals.guidance.cost=-3",
    "seals.binding.cost=-2",
    'seals.binding.effects=["gold 2", "tokens 1"]',
)

#: What is stated of cards, witches and seals, moved.
MOVED_TEXTS = (
    *(moved for witch in WITCHES for moved in _of_a_witch(witch)),
    *(_soon(text, *more) for text, *more in _POWERS),
    *(_soon(text, *more) for text, *more in _CARDS),
    *(_soon(text) for text in _SEALS),
)
