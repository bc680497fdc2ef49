"""What the two engines are compared on: rulesets, policies, bans, and how a difference is told.

Every case moves something off its default, one number at a time where that can be, so that no
parameter can be read wrongly by one engine alone. Policies that are written here bring about what
players of sense never do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle

import numpy as np

from sim.core._rng import draw_lineups, make_key
from sim.core.expression import OPERATORS
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.errors import EngineError
from sim.titles.granmagia import TITLE
from sim.titles.granmagia import results as results_module
from sim.titles.granmagia._kernel import play
from sim.titles.granmagia.info import DECISIONS
from sim.titles.granmagia.observe import OBSERVABLES
from tests.titles.granmagia.counting import CountingGame

SEED = 1
FOLDER = TITLE.data / "policies"

#: Data policies, with and without slips.
POOL = ("big_stones", "engine", "truth_rush", "random", "engine@0.05", "big_stones@0.2")

#: Policies that end games soon, and one that asks about everything.
QUICK = ("big_stones", "truth_rush@0.05", "engine@0.2", "curious0")

_HEAD = 'label = {{ en = "{0}", ja = "{0}" }}\nabout = "For the proof."\nslip = {1}\n'


def _curious(first: int) -> str:
    """Write a policy that looks at everything there is to see, with every operator.

    The rules begin with the observable of number `first`, as what comes late is seldom reached.
    """
    names = {"kind": ("stone", "alchemy", "charm", "note"), "group": ("stones", "magic")}
    arguments = {what: cycle(words) for what, words in names.items()}
    selectors = cycle(("charm", "stone", "magic", "any_witch", "great_stone", "common", "ritual"))
    values, operators = cycle((3, 0, 5, 1, 12, 2, 7, 4)), cycle(OPERATORS)
    ordered = [*OBSERVABLES[first:], *OBSERVABLES[:first]]

    def rules() -> str:
        lines = [
            "magic with field == 1 and owned < 2 if round >= 4 and truth_lead <= 3",
            "any with owned > 4 if round <= 1",
            "magic with field >= 3 if round >= 4 and kinds_left > 7",
        ]
        for seen in ordered:
            asked = seen.id + (f".{next(arguments[seen.argument])}" if seen.argument else "")
            test = f"{asked} {next(operators)} {next(values)}"
            lines.append(f"{next(selectors)} if {test} and round >= {next(values)}")
        return "rules = [\n" + "".join(f'  "{line}",\n' for line in lines) + '  "stop",\n]\n'

    text = _HEAD.format("Curious", 300)
    for point in DECISIONS:
        text += f"[{point.id}]\n{rules()}"
        text += "weights = { magic = 5, truths = 9, common = -2, stone = 7 }\n"
        text += "per = { cost = 1, truth = -1 }\n"
    return text


#: A taste for cards that burn and discard.
_WEIGHTS = (
    "weights = { purifying_flame = 9, old_shelves = 9, exorcism_bell = 9, reforging = 8, "
    "storeroom = 8, transmutation = 8, crystal_ball = 7, alchemy = 7 }\n"
)

#: Policies of this proof, by name; written to files when it runs.
WRITTEN = {
    **{f"curious{first}": _curious(first) for first in range(0, len(OBSERVABLES), 6)},
    # Takes magic and nothing else: games end with no truth at all.
    "collector": _HEAD.format("Collector", 0) + '[acquire]\nrules = ["magic"]\n',
    # Does nothing: many games end level, at the cap.
    "idle": _HEAD.format("Idle", 0) + '[acquire]\nrules = ["stop"]\n',
    # Takes all that it can get; what costs nothing too.
    "greedy": _HEAD.format("Greedy", 500)
    + '[acquire]\nrules = ["any_witch", "any"]\nweights = { stop = -1 }\nper = { cost = 1 }\n'
    + '[cast]\nrules = ["any"]\nweights = { stop = -1 }\n'
    + '[look]\nrules = ["any"]\nweights = { stop = -1 }\n',
    # Act on what the card in effect did, within it and after it, when there is none in effect.
    "mindful": _HEAD.format("Mindful", 0)
    + '[cast]\nrules = ["magic if just_burned == 0 and just_discarded == 0", "stop"]\n'
    + _WEIGHTS
    + '[acquire]\nrules = ["any_witch if round >= 12", "great_stone if just_burned >= 1",\n'
    + '"charm if just_discarded >= 1", "magic", "stone", "stop"]\n'
    + _WEIGHTS
    + '[burn]\nrules = ["any if just_burned < 2", "stop"]\n'
    + '[discard]\nrules = ["any if just_discarded < 2", "stop"]\n'
    + '[receive]\nrules = ["stone if just_burned > 0", "fragment if just_discarded > 0", "any"]\n'
    + '[upgrade]\nrules = ["stop if just_burned >= 1", "any"]\n'
    + '[look]\nrules = ["stop if just_discarded >= 1", "any"]\nweights = { stop = -1 }\n',
    # The same with another taste, and one that wants to see the cards before it at work.
    "wistful": _HEAD.format("Wistful", 200)
    + '[cast]\nrules = ["magic if just_discarded < 1", "stop if just_burned > 0", "magic"]\n'
    + _WEIGHTS
    + '[acquire]\nrules = ["stop if just_discarded > 0 and round > 2",\n'
    + '"charm if just_burned != 0", "magic", "fragment"]\n'
    + _WEIGHTS
    + '[burn]\nrules = ["fragment if just_burned == 0", "note", "apprentice if just_burned >= 1"]\n'
    + '[discard]\nrules = ["note", "any if just_discarded <= 2"]\n',
    # Looks at silver, at a pile that gets smaller, and at who has obtained arcana.
    "watchful": _HEAD.format("Watchful", 300)
    + '[acquire]\nrules = ["stone if silver >= 1", "stone if pile.stone > 37", "any_witch",\n'
    + '"ritual if arcana_taken >= 2", "arcana if arcana_lead <= 0", "charm if arcana_lead > 0",\n'
    + '"stone"]\n',
    # Never takes a card, only a witch.
    "wed": _HEAD.format("Wed", 0) + '[acquire]\nrules = ["any_witch", "stone if owned.stone < 2"]\n'
    '[cast]\nrules = ["any"]\nweights = { stop = -1 }\n',
}


@dataclass(frozen=True)
class Case:
    """A ruleset, the policies that line-ups are drawn from, and bans.

    ``share`` scales the number of games; ``fails`` says that games without a supply are wanted.
    """

    name: str
    overrides: tuple[str, ...] = ()
    pool: tuple[str, ...] = QUICK
    bans: tuple[tuple[str, ...], ...] = ()
    players: tuple[int, ...] = (2, 3, 4)
    rotations: bool = False
    share: float = 1.0
    fails: bool = False
    first_deal: int = 0


#: Every number of the rules, moved off its default alone.
MOVED = (
    "start.hand=7",
    "start.deck.fragment=5",
    "start.deck.note=4",
    "start.deck.apprentice=0",
    *(
        f"compensation.{players}p.seat{seat}.{coin}=3"
        for players in (2, 3, 4)
        for seat in range(1, players + 1)
        for coin in ("silver", "gold")
    ),
    "supply.chapters=[1]",
    "supply.chapters=[2]",
    "supply.kinds=10",
    "supply.kinds=12",
    "supply.rares_per_player=0",
    "supply.rares_per_player=2",
    "supply.third_burn_accept=0",
    "supply.third_burn_accept=10000",
    "supply.attempts=2",
    *(f"supply.copies.{players}p=3" for players in (2, 3, 4)),
    "field.kinds=10",
    "field.end_kinds=7",
    "field.arcana_burn=0",
    "field.arcana_burn=4",
    "piles.fragment=0",
    "piles.stone=2",
    "piles.great_stone=3",
    "piles.charm=2",
    "piles.ritual=1",
    "piles.arcana=1",
    "piles.curses_per_rival=3",
    "piles.start_taken=true",
    "turn.casts=3",
    "turn.acquisitions=2",
    "turn.hand=2",
    "turn.hand=8",
    "turn.reversal=[2, 2, 2, 2, 2, 1]",
    "contract.discount_round=3",
    "contract.discount=3",
    'contract.gift_place="hand"',
    "limits.round_cap=9",
)

#: Numbers that decide nothing alone, and what makes them count.
_TOGETHER = {
    "turn.reversal=[2, 2, 2, 2, 2, 1]": ("turn.hand=4",),
    "piles.start_taken=true": ("piles.fragment=30",),
    "contract.discount_round=3": ("contract.discount=2",),
}

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


def cases() -> list[Case]:
    """Return all cases; line-ups are drawn anew for each."""
    found = [
        Case("printed rules", pool=POOL, share=2.0),
        Case("all rotations", pool=POOL, rotations=True),
        Case("far deals", pool=POOL, first_deal=2**40 + 10**10),
        Case("random alone", ("limits.round_cap=30",), ("random",)),
    ]
    for text in MOVED:
        players: tuple[int, ...] = (2, 3, 4)
        if text.startswith("compensation"):
            players = (int(text.split(".")[1][0]),)
        elif text.startswith("supply.copies"):
            players = (int(text.split(".")[2][0]),)
        found.append(
            Case(
                text,
                (text, *_TOGETHER.get(text, ())),
                players=players,
                fails=text.startswith("supply.attempts"),
            )
        )
    found += [
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
        Case(
            "everything asked",
            ("limits.round_cap=25",),
            tuple(name for name in WRITTEN if name.startswith("curious")),
            share=3.0,
        ),
        Case(
            "cards in effect",
            ("limits.round_cap=20", "turn.casts=3"),
            ("mindful", "wistful", "mindful@0.1"),
            share=2.0,
        ),
        Case(
            "arcana watched",
            (*(f"witches.{witch}.cost=1" for witch in _WITCHES), "cards.arcana.cost=3"),
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
            (*(f"witches.{witch}.cost=1" for witch in _WITCHES), "limits.round_cap=20"),
            ("wed", "random"),
            share=2.0,
        ),
        Case(
            "attack and defence",
            ('cards.alchemy.attributes=["attack"]', 'cards.prayer.attributes=["defence"]'),
            ("truth_rush",),
        ),
        Case(
            "worthless truth",
            ("cards.charm.truth=-1", "limits.round_cap=12"),
            ("random", "greedy"),
        ),
        Case(
            "costs moved",
            ("cards.stone.cost=0", "cards.arcana.cost=4", "cards.market.mana_only=true"),
            QUICK,
        ),
        Case("stones moved", ("cards.fragment.mana=0", "cards.stone.mana=4"), QUICK),
        Case(
            "no supply",
            (
                'cards.alchemy.attributes=["attack"]',
                'cards.prayer.attributes=["defence"]',
                "supply.attempts=1",
            ),
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
            ),
            ("curious6", "greedy", "random"),
        ),
        Case(
            "bans",
            ("limits.round_cap=30",),
            ("random", "engine", "greedy", "truth_rush"),
            bans=(
                ("great_stone", "sophia", "celestina", "charm"),
                ("any_magic", "stone", "beelzebel"),
                (),
                ("ritual", "arcana", "workshop", "old_note"),
            ),
            share=2.0,
        ),
    ]
    return found


_WITCHES = (
    "celestina",
    "marisrosetta",
    "sophia",
    "felicia",
    "ignis",
    "eclair",
    "aurelise",
    "brynhild",
    "beelzebel",
)


class Setting:
    """A case made ready: tables, policies, bans, line-ups."""

    def __init__(self, case: Case, players: int, games: int, folder) -> None:
        self.case, self.players = case, players
        ruleset = TITLE.load(overrides=list(case.overrides))
        self.tables = TITLE.compile(ruleset)
        self.names = [
            entry
            if entry.partition("@")[0] not in WRITTEN
            else f"{folder / entry.partition('@')[0]}.toml" + "".join(entry.partition("@")[1:])
            for entry in case.pool
        ]
        self.policies = load_policies(self.names, self.tables.words, FOLDER)
        self.key = make_key(SEED)
        self.bans = np.zeros((players, 2), np.uint64)
        for seat, names in enumerate(case.bans[:players]):
            for name in names:
                self._ban(seat, name)
        drawn = draw_lineups(self.key, case.first_deal, games, len(self.names), players)
        if case.rotations:
            self.lineups = np.concatenate(
                [np.stack([np.roll(drawn[0], by) for by in range(players)])]
            )
            self.games_per_deal = players
        else:
            self.lineups, self.games_per_deal = drawn, 1
        self.out = allocate(
            TITLE.info,
            games,
            players,
            kinds=len(self.tables.kinds),
            rounds=self.tables.rule["round_cap"],
            collect=("core", "cards", "series"),
        )

    def _ban(self, seat: int, name: str) -> None:
        words = self.tables.words
        codes = words.groups["common"] if name == "any_magic" else (words.options.index(name),)
        for code in codes:
            self.bans[seat, code // 64] |= np.uint64(1 << code % 64)

    def address(self, game: int) -> tuple[int, list[int]]:
        """Return deal and line-up of a game."""
        deal = self.case.first_deal + game // self.games_per_deal
        return deal, self.lineups[game % len(self.lineups)].tolist()

    def play(self, out=None, first: int = 0, count: int | None = None) -> tuple[int, int]:
        """Play with the kernel; for a part, ``first`` must be a whole number of line-up rows."""
        out = self.out if out is None else out
        return play(
            self.tables,
            self.policies,
            self.bans,
            self.key,
            self.case.first_deal + first // self.games_per_deal,
            np.ascontiguousarray(np.roll(self.lineups, -first, axis=0)),
            self.games_per_deal,
            out,
        )

    def reference(self, hits, game: int, *, trace: bool = False):
        """Play a game with the readable engine."""
        deal, lineup = self.address(game)
        watched = CountingGame(
            hits, self.tables, self.policies, self.bans, self.key, deal, lineup, trace=trace
        )
        watched.set_up()
        watched.play()
        return results_module.finished(watched)


def differences(setting: Setting, game: int, expected) -> list[str]:
    """Return what differs between a game's rows and the readable engine's records."""
    out, found = setting.out, []
    for name in out.games.dtype.names:
        got, want = out.games[game][name], expected.game[name]
        if got != want:
            found += [f"game.{name}: kernel {got}, {want}"]
    for seat in range(setting.players):
        for name in out.seats.dtype.names:
            got, want = out.seats[game, seat][name], expected.seats[seat][name]
            if got != want:
                found += [f"seat {seat + 1}.{name}: kernel {got}, {want}"]
    for group in ("cards", "series"):
        got, want = getattr(out, group)[game], getattr(expected, group)
        for place in np.argwhere(got != want)[:3]:
            at = tuple(int(number) for number in place)
            found += [f"{group}{list(at)}: kernel {got[at]}, {want[at]}"]
    return found


def told(setting: Setting, game: int, found: list[str], hits) -> str:
    """Return a difference as text: the address to replay it, the columns, how the story ends."""
    deal, lineup = setting.address(game)
    names = [setting.names[policy] for policy in lineup]
    story = setting.reference(hits, game, trace=True).trace
    lines = [
        f"case {setting.case.name!r}, {setting.players} players, game {game}",
        f"seed {SEED}, deal {deal}, line-up {','.join(names)}",
        f"overrides {' '.join(setting.case.overrides)}; bans {setting.case.bans}",
        *found[:12],
        *(TITLE.tell(event, "en") for event in story[-15:]),
    ]
    return "\n".join(lines)


def compare(setting: Setting, hits) -> list[str]:
    """Play a setting with both engines; return the first difference told, if any."""
    games = len(setting.out.games)
    failed = setting.play()
    for game in range(games):
        try:
            expected = setting.reference(hits, game)
        except EngineError as error:
            if failed != (error.code, game):
                return [f"{setting.case.name}: kernel {failed}, readable ({error.code}, {game})"]
            return [] if setting.case.fails else [f"{setting.case.name}: {error}"]
        if failed[0] and game >= failed[1]:
            return [f"{setting.case.name}: kernel {failed}, readable plays game {game}"]
        if found := differences(setting, game, expected):
            return [told(setting, game, found, hits)]
    hits["games"] += games
    return []
