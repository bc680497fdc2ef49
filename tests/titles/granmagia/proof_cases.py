"""The cases of the proof: each brings about what the printed rules bring about too seldom."""

from __future__ import annotations

from pathlib import Path

from tests.titles.granmagia.proof import Case
from tests.titles.granmagia.proof_moved import (
    BAZAAR,
    MOVED,
    MOVED_TEXTS,
    SOON,
    WITCHES,
    Moved,
    of_witches,
)
from tests.titles.granmagia.proof_policies import ALL_SEEING, POOL, QUICK

__all__ = ["EDGES", "GIFTS", "case_of", "cases", "merged"]

#: A small world in which random games reach every primitive, decision and special victory.
_EVERYTHING = Path(__file__).with_name("everything.toml")

#: Cards whose texts go to the edges: too much, nothing, less than nothing.
EDGES = (
    'cards.alchemy.effects=["look 9", "look 0", "draw 1 per truth_lead", "mana 1 per truth_lead"]',
    'cards.moonbath.effects=["draw_to 1", "draw 99", "discard 9"]',
    'cards.note.effects=["casts 1", "look 3", "acquisitions 1"]',
    'cards.apprentice.effects=["casts 1", "mana 7"]',
    'cards.prayer.effects=["receive 0 rare hand", "receive 9 truths hand"]',
    'cards.gift_bag.effects=["receive 2 magic discard", "receive 9 stones hand", "discard 1"]',
    'cards.cauldron.effects=["casts -3", "mana -99", "acquisitions -1", "gold -2", "gold 1"]',
    'cards.workshop.effects=["burn 2", "trade 0", "upgrade 3", "draw 1 per just_burned"]',
    'cards.festival.effects=["burn 99", "discard_up_to 9", "burn_up_to 1", "draw 3"]',
    'cards.market.effects=["trade 9", "trade 9", "casts 2 if play_group.magic >= 2", "casts 1"]',
    'cards.treasury.effects=["gold 1 per owned_group.stones if pile.stone > 3", "draw 1 per hand"]',
    'cards.star_reading.effects=["upgrade 9", "casts 1 if hand > 9"]',
    'cards.tea_party.effects=["draw 9 if field.alchemy == 0", "casts 1"]',
    'cards.laboratory.effects=["look 2", "casts 1"]',
    "limits.round_cap=14",
)

#: Contracts for nothing, with gifts of all sorts from piles that are soon empty.
GIFTS = (
    *(
        f"witches.{witch}.cost={cost}"
        for witch, cost in (("sophia", 1), ("ignis", 0), ("eclair", 2))
    ),
    'witches.ignis.gifts=["charm", "stone_fusion", "great_stone"]',
    'witches.ignis.note_gifts=["arcana", "charm", "ritual"]',
    'witches.eclair.gifts=["stone"]',
    "witches.aurelise.enabled=false",
    "piles.charm=1",
    "piles.great_stone=0",
    "contract.discount=2",
    "contract.discount_round=2",
    "limits.round_cap=12",
)


def _texts(card: str, *effects: str, key: str = "effects") -> str:
    return f"cards.{card}.{key}=[" + ", ".join(f'"{effect}"' for effect in effects) + "]"


#: Starting cards that do nothing in all ways in which a primitive can do nothing.
_NOTHING = (
    _texts(
        "note",
        "casts 1",
        "mana 2",
        *(
            f"{name} 2 per owned.arcana"
            for name in ("casts", "acquisitions", "mana", "gold", "draw", "discard_up_to", "look")
        ),
        "draw_to 0",
        *(f"{name} 1 per owned.ritual" for name in ("discard", "burn", "burn_up_to", "upgrade")),
        "receive 0 rare hand",
    ),
    _texts(
        "apprentice",
        *(
            f"{name} 3 per truth_lead"
            for name in ("barrier", "tokens", "extra_turn", "take_curses", "curses", "pass_curses")
        ),
        *(
            f"{name} 1 per truth_lead"
            for name in ("others_discard", "others_discard_to", "take_gold")
        ),
        "trade 1",
        "casts 1",
        "seal plenty",
        "discard 99",
        "draw 4",
    ),
    'cards.apprentice.attributes=["attack"]',
    "start.deck.note=4",
    "turn.casts=3",
    "limits.round_cap=7",
)

#: Attacks of all sorts on defences of all sorts, from the first turn on.
_WAR = (
    *BAZAAR,
    _texts("note", "casts 1", "barrier 1", "barrier 1 if gold >= 1"),
    'cards.note.attributes=["defence"]',
    _texts("apprentice", "casts 1", "gold 3"),
    'cards.apprentice.attributes=["defence", "permanent"]',
    'cards.apprentice.defends="field"',
    _texts("old_note", "curses 2", "curses 1", "casts 1", "gold 1"),
    'cards.old_note.attributes=["attack", "permanent"]',
    _texts("nightmare", "casts 1", "others_discard 3", "gold 1", "others_discard 2", "draw 1"),
    _texts("magpie", "casts 1", "take_gold 1", "take_gold 2", "mana 1"),
    _texts("cursed_letter", "casts 1", "take_curses 2", "curses 2", "barrier 1", "tokens 1"),
    _texts("curse_return", "casts 1", "draw 3", "pass_curses 1", "pass_curses 2"),
    _texts("sandstorm", "casts 1", "others_discard_to 2", "others_discard_to 0"),
    _texts("moon_loan", "casts 1", "take_curses 2"),
    _texts("herb", "casts 1"),
    *(f'cards.{card}.defends="hand"' for card in ("rune_shield", "rune_spear")),
    'cards.rune_spear.attributes=["defence"]',
    *(f'witches.{witch}.gifts=["rune_shield", "rune_spear", "grudge"]' for witch in WITCHES),
    "supply.chapters=[1, 2, 3]",
    "piles.curses_per_rival=4",
    *(f"compensation.{players}p.seat1.gold=2" for players in (2, 3, 4)),
    "limits.round_cap=6",
)

#: Seals on everything, by cards that are there from the start.
_SEALED = (
    *BAZAAR,
    _texts("note", "casts 1", "seal plenty", "seal guidance"),
    _texts("apprentice", "casts 1", "seal binding", "receive 3 stones hand"),
    _texts("raven", "casts 1", "others_discard_to 4"),
    "seals.plenty.cost=-4",
    "seals.guidance.cost=1",
    "seals.binding.cost=2",
    # What two seals on a pile give hangs on their order.
    'seals.binding.effects=["gold 2"]',
    'seals.guidance.effects=["acquisitions 1 if cards <= 99", "gold 1 per gold if gold <= 20"]',
    'seals.plenty.effects=["gold 1", "gold 1 per gold if gold <= 5"]',
    'seals.guidance.piles="piles"',
    "piles.stone=2",
    "piles.ritual=1",
    "witches.eclair.powers.arcana_discount=3",
    *(f"compensation.{players}p.seat2.gold=9" for players in (2, 3, 4)),
    "limits.round_cap=6",
)

#: Extra turns for all: apprentices, in the last round, twice in a turn, for gold too.
_HOURS = (
    *BAZAAR,
    _texts("note", "casts 1", "gold 3", "extra_turn 1", "extra_turn 1 if hand >= 4"),
    _texts("apprentice", "casts 1", "gold 2"),
    *(
        f"witches.{witch}.powers.extra_turn_gold=3"
        for witch in ("aurelise", "celestina", "sophia", "brynhild", "beelzebel")
    ),
    "witches.aurelise.powers.stone_gold=1",
    *(f"witches.aurelise.victory.need.{players}p=8" for players in (2, 3, 4)),
    "witches.aurelise.victory.truth=1",
    "limits.round_cap=4",
)

#: Truth cards in hand for tokens, worthless ones too.
_TOKENS = (
    *BAZAAR,
    *(f"witches.{witch}.powers.tokens_for_truth=true" for witch in WITCHES),
    *(f'witches.{witch}.gifts=["charm", "ritual", "arcana"]' for witch in WITCHES),
    "witches.sophia.powers.token_draw=2",
    "cards.charm.truth=0",
    "witches.sophia.victory.truth=2",
    *(f"witches.sophia.victory.need.{players}p=7" for players in (2, 3, 4)),
    "limits.round_cap=7",
)

#: Every kind of victory at a turn start: much that is announced, and much that lapses.
_ANNOUNCED = (
    *SOON,
    *of_witches(2, "turn_start", aurelise=3),
    "witches.sophia.victory.truth=3",
    'witches.felicia.gifts=["charm", "ritual", "fairy", "fairy"]',
    _texts("black_cat", "casts 1", "curses 1", "burn 1"),
    'cards.black_cat.attributes=["familiar", "attack"]',
    _texts("hourglass", "extra_turn 1", "gold 4"),
    "cards.hourglass.needs=[]",
    _texts("note", "casts 1", "extra_turn 1 if announced == 1"),
    _texts("moonbath", "casts 1", "burn 2"),
    "witches.aurelise.powers.extra_turn_gold=1",
    "limits.round_cap=8",
)

#: What is announced is often undone by curses that a seat takes itself.
_RUEFUL = (
    *(
        _texts(card, "casts 1", "draw 2", "take_curses 3 if announced == 1")
        for card in ("alchemy", "market", "laboratory", "wisdom_book", "tea_party", "mana_spring")
    ),
    *(
        _texts(card, "casts 1", "take_curses 3 if announced == 1", "extra_turn 1 if announced == 1")
        for card in ("fairy", "white_kitten", "will_o_wisp", "owl", "bat", "fox")
    ),
    "piles.curses_per_rival=30",
    "witches.brynhild.victory.truth=1",
    # An arcana or two charms are just enough: one curse that another deals undoes them.
    "witches.beelzebel.victory.truth=6",
    'witches.beelzebel.gifts=["arcana"]',
    'witches.aurelise.gifts=["charm", "charm"]',
    _texts("apprentice", "casts 1", "curses 1 if rivals_announced >= 1"),
    'cards.apprentice.attributes=["attack"]',
    _texts("gold_vein", "casts 1", "curses 1", "take_gold 9"),
    _texts("festival", "casts 2", "curses 1", "gold 2"),
    'cards.gold_vein.attributes=["attack"]',
    'cards.festival.attributes=["attack"]',
    *(f"witches.beelzebel.victory.need.{players}p=1" for players in (2, 3, 4)),
    *(f"witches.brynhild.victory.need.{players}p=2" for players in (2, 3, 4)),
    'witches.brynhild.gifts=["charm", "charm", "rune_spear"]',
    'witches.ignis.gifts=["charm", "charm", "will_o_wisp"]',
    "witches.ignis.victory.truth=1",
)

#: Texts that go on after what may win.
_WIN_FIRST = (
    _texts("book_of_truth", "tokens 1", "casts 1", "draw 1"),
    _texts("stone_recycling", "mana 3", "casts 1", "draw 1"),
    _texts("stone_fusion", "mana 3", "casts 1", "upgrade 1"),
    _texts("black_cat", "mana 2", "casts 1", "draw 1"),
)

#: Arcana by contract: the first wins, or is too little truth for the condition it brings about.
_BY_GIFTS = (
    *of_witches(3, "at_once", beelzebel=1),
    'witches.eclair.gifts=["arcana", "arcana"]',
    'witches.beelzebel.gifts=["arcana"]',
    "witches.beelzebel.victory.truth=9",
)

#: Special victories that hold at once: the contract wins, or is one truth short.
_BY_CONTRACT = of_witches(
    0,
    "at_once",
    celestina=0,
    sophia=0,
    felicia=0,
    ignis=0,
    eclair=0,
    aurelise=0,
    brynhild=0,
    beelzebel=0,
)

_CURSED = ("marisrosetta", "sophia", "felicia")

#: Few curses, and several witches that wait for them.
_CURSES = (
    *BAZAAR,
    *(f'witches.{witch}.victory.kind="curses"' for witch in _CURSED),
    *(f"witches.{witch}.victory.truth=1" for witch in _CURSED),
    *(f"witches.{witch}.powers.curse_penalty={2 + n}" for n, witch in enumerate(_CURSED)),
    *(f'witches.{witch}.gifts=["grudge", "grudge", "charm"]' for witch in _CURSED),
    *(f"witches.{witch}.enabled=false" for witch in WITCHES if witch not in _CURSED),
    _texts("note", "casts 1", "draw 1", "take_curses 1"),
    _texts("apprentice", "casts 2", "burn_up_to 2"),
    _texts("forbidden_book", "casts 1", "draw 2", "take_curses 1"),
    "supply.chapters=[1, 3]",
)

#: Who announces that all curses lie with others burns all that it has, its truth too.
_BURNING = (
    "piles.curses_per_rival=1",
    *(
        f'witches.{witch}.ability=["draw 9 if announced == 1", "burn 9 if announced == 1"]'
        for witch in _CURSED
    ),
)


def _only(*witches: str) -> tuple[str, ...]:
    """Return what leaves only these witches in the field."""
    return tuple(f"witches.{witch}.enabled=false" for witch in WITCHES if witch not in witches)


def case_of(moved: Moved) -> Case:
    """Return the case of a moved number."""
    return Case(
        moved.text,
        merged((*moved.base, moved.text)),
        moved.pool or QUICK,
        players=moved.players,
        fails=moved.key == "supply.attempts",
        share=0.5 if moved in MOVED_TEXTS else 1.0,
    )


def merged(overrides: tuple[str, ...]) -> tuple[str, ...]:
    """Let a later override of a key take the place of an earlier one."""
    return tuple({text.partition("=")[0]: text for text in overrides}.values())


def cases() -> list[Case]:
    """Return all cases; line-ups are drawn anew for each."""
    everything = _EVERYTHING.read_text(encoding="utf-8")
    wild = ("greedy", "handy", "spiteful", "random")
    return [
        Case("printed rules", pool=POOL, share=3.0),
        Case("all rotations", pool=POOL, rotations=True),
        Case("far deals", pool=POOL, first_deal=2**40 + 10**10, share=0.5),
        Case("random alone", ("limits.round_cap=30",), ("random",)),
        *(case_of(moved) for moved in (*MOVED, *MOVED_TEXTS)),
        *_OLDER,
        Case("bazaar", merged((*BAZAAR, "limits.round_cap=8")), wild, share=12.0),
        Case("everything", ("limits.round_cap=12",), wild, share=6.0, overlay=everything),
        Case("nothing", merged(_NOTHING), ("greedy", "random", "handy"), share=3.0),
        Case("war", merged(_WAR), wild, share=12.0),
        Case("war for nothing", merged((*_WAR, "defence.doll_gold=0")), wild, share=3.0),
        Case("sealed", merged(_SEALED), ("greedy", "handy", "random"), share=10.0),
        Case(
            "one pile to seal",
            merged((*_SEALED, 'cards.arcana.tags=["lone"]', 'seals.binding.piles="lone"')),
            ("greedy", "handy", "random"),
        ),
        Case("hours", merged(_HOURS), ("greedy", "handy", "random", "curious36"), share=6.0),
        Case("tokens", merged(_TOKENS), ("greedy", "handy", "random"), share=6.0),
        Case("soon won", merged((*SOON, *_SHORT_CHAIN)), wild, share=16.0),
        Case("announced", merged(_ANNOUNCED), wild, share=16.0),
        Case("second thoughts", merged((*_ANNOUNCED, *_RUEFUL)), wild, share=10.0),
        *(
            Case(
                f"second thoughts of {' and '.join(few)}",
                merged((*_ANNOUNCED, *_RUEFUL, *_only(*few))),
                wild,
                share=8.0,
            )
            for few in (("ignis", "brynhild"), ("aurelise", "beelzebel"))
        ),
        Case(
            "spread of arcana",
            merged((*SOON, *of_witches(1, "at_once", eclair=3), *_only("eclair", "marisrosetta"))),
            wild,
            share=3.0,
        ),
        Case(
            "at once for all",
            merged((*SOON, *of_witches(2, "at_once"), *_WIN_FIRST)),
            wild,
            share=8.0,
        ),
        Case("won by gifts", merged((*SOON, *_BY_GIFTS)), wild, share=4.0),
        Case(
            "won by the contract",
            merged((*SOON, *_BY_CONTRACT)),
            (*wild, "wed"),
            share=4.0,
        ),
        *(
            Case(
                f"won by the contract with {' or '.join(few)}",
                merged((*SOON, *_BY_CONTRACT, *_only(*few))),
                (*wild, "wed"),
            )
            for few in (("felicia",), ("ignis",), ("aurelise", "brynhild"), ("beelzebel",))
        ),
        Case(
            "announced by the contract",
            merged((*SOON, *(text.replace("at_once", "turn_start") for text in _BY_CONTRACT))),
            (*wild, "wed"),
            share=3.0,
        ),
        Case("curses", merged((*_CURSES, "piles.curses_per_rival=1")), wild, share=10.0),
        Case("curses with second thoughts", merged((*_CURSES, *_BURNING)), wild, share=5.0),
        Case("no curse", merged((*_CURSES, "piles.curses_per_rival=0")), wild, share=2.0),
        Case("many curses", merged((*_CURSES, "piles.curses_per_rival=6")), wild, share=4.0),
        Case(
            "switched off",
            merged((*SOON, *(f"witches.{witch}.victory.enabled=false" for witch in WITCHES))),
            wild,
            share=2.0,
        ),
        Case("field of few", merged((*_HOURS, *_FEW_KINDS)), ("greedy", "random"), share=3.0),
    ]


#: The chain of Ignis, short, and her last card.
_SHORT_CHAIN = (
    "cards.will_o_wisp.gives_every=2",
    "cards.blaze.gives_every=1",
    "cards.inferno.gives_every=1",
    'cards.big_bang.needs=["mana >= 3"]',
    'witches.ignis.victory.card="big_bang"',
    "witches.ignis.victory.need.2p=1",
    "witches.ignis.victory.need.3p=1",
    "witches.ignis.victory.need.4p=1",
    'witches.ignis.gifts=["inferno", "will_o_wisp"]',
)

#: A field that is soon at its end, in the middle of extra turns.
_FEW_KINDS = (
    "supply.kinds=8",
    "field.kinds=8",
    "field.end_kinds=7",
    "supply.rares_per_player=0",
    *(f"supply.copies.{players}p=2" for players in (2, 3, 4)),
    "limits.round_cap=9",
)

_OLDER = (
    Case("edges of texts", EDGES, ("random", "greedy", "curious6", "greedy@0.2"), share=4.0),
    Case("gifts", GIFTS, ("wed", "random", "greedy", "curious6"), share=3.0),
    Case("gifts to hand", (*GIFTS, 'contract.gift_place="hand"'), ("wed", "random", "greedy")),
    Case(
        "contracts in play",
        (*EDGES, *GIFTS[:-1], "turn.casts=3"),
        ("wed", "greedy", "random"),
        share=2.0,
    ),
    Case("nobody moves", ("limits.round_cap=4",), ("idle", "wed"), share=1.0),
    Case("everything asked", ("limits.round_cap=25",), ALL_SEEING, share=3.0),
    Case("everything asked in the bazaar", SOON, ALL_SEEING, share=4.0),
    Case(
        "cards in effect",
        ("limits.round_cap=20", "turn.casts=3"),
        ("mindful", "wistful", "mindful@0.1"),
        share=4.0,
    ),
    Case(
        "arcana watched",
        (
            *(f"witches.{witch}.cost=1" for witch in WITCHES),
            "cards.arcana.cost=3",
            "limits.round_cap=20",
        ),
        ("watchful", "watchful@0.3", "truth_rush"),
    ),
    Case(
        "level",
        (*(f"supply.copies.{players}p=1" for players in (2, 3, 4)), "field.end_kinds=7"),
        ("collector",),
    ),
    Case("empty hands", ("turn.hand=1", "limits.round_cap=20"), ("random", "greedy")),
    Case(
        "small decks",
        ("start.deck.fragment=1", "start.deck.note=0", "limits.round_cap=20"),
        ("random", "greedy", "truth_rush"),
    ),
    Case(
        "witches for nothing",
        (*(f"witches.{witch}.cost=1" for witch in WITCHES), "limits.round_cap=20"),
        ("wed", "random"),
        share=2.0,
    ),
    Case(
        "notes stay",
        (
            *BAZAAR,
            _texts("note", "casts 1"),
            _texts("apprentice", "casts 1"),
            'cards.note.attributes=["permanent"]',
            'cards.apprentice.attributes=["permanent"]',
        ),
        ("wed", "random", "handy"),
        share=2.0,
    ),
    Case(
        "given to apprentices",
        (
            *BAZAAR,
            'cards.alchemy.gives="blaze"',
            "cards.alchemy.gives_every=1",
            "supply.chapters=[1]",
            "supply.kinds=15",
            "field.kinds=15",
            *(f"witches.{witch}.enabled=false" for witch in WITCHES),
        ),
        ("greedy", "handy", "random"),
        share=2.0,
    ),
    Case(
        "notes that are none",
        (
            *BAZAAR,
            "cards.note.tags=[]",
            _texts("note", "casts 1", "draw 1"),
            "cards.fairy.reward=[]",
            # A permanent familiar that does nothing at a turn start, and brings no reward there.
            'cards.white_kitten.attributes=["familiar", "permanent"]',
            *(f'witches.{witch}.gifts=["fairy", "white_kitten"]' for witch in WITCHES),
        ),
        ("greedy", "handy", "random"),
        share=2.0,
    ),
    Case(
        "poor trade",
        ("piles.fragment=0", _texts("note", "casts 1", "trade 0"), "limits.round_cap=8"),
        ("greedy", "random"),
    ),
    Case(
        "worthless truth",
        ("cards.charm.truth=-1", "limits.round_cap=12"),
        ("random", "greedy"),
    ),
    Case(
        "costs moved",
        (
            "cards.stone.cost=0",
            "cards.arcana.cost=4",
            "cards.market.mana_only=true",
            "limits.round_cap=30",
        ),
    ),
    Case("stones moved", ("cards.fragment.mana=0", "cards.stone.mana=4", "limits.round_cap=30")),
    Case(
        "no supply",
        ("supply.attempts=1", "supply.third_burn_accept=100"),
        ("truth_rush",),
        fails=True,
    ),
    Case(
        "much gold",
        (
            "compensation.2p.seat1.gold=20",
            "compensation.3p.seat2.silver=20",
            "compensation.4p.seat4.gold=9",
            "compensation.4p.seat4.silver=9",
            "limits.round_cap=20",
        ),
        ("curious6", "greedy", "random"),
    ),
    Case(
        "bans",
        ("limits.round_cap=30",),
        ("random", "engine", "greedy", "truth_rush"),
        bans=(
            ("great_stone", "sophia", "celestina", "charm"),
            ("common", "stone", "beelzebel"),
            (),
            ("ritual", "arcana", "workshop", "old_note"),
        ),
        share=2.0,
    ),
)
