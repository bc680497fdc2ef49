"""Policies of the proof: they bring about what players of sense never do."""

from __future__ import annotations

from itertools import cycle

from sim.core.expression import OPERATORS
from sim.core.policy import available
from sim.titles.granmagia import TITLE
from sim.titles.granmagia.info import DECISIONS
from sim.titles.granmagia.observe import OBSERVABLES

__all__ = ["ALL_SEEING", "FOLDER", "POOL", "QUICK", "WRITTEN"]

FOLDER = TITLE.data / "policies"

#: All policies of the title, and some with slips.
POOL = (*available(FOLDER), "engine@0.05", "big_stones@0.2")

#: Policies that end games soon, and one that asks about everything.
QUICK = ("big_stones", "truth_rush@0.05", "engine@0.2", "curious0")

_HEAD = 'label = {{ en = "{0}", ja = "{0}" }}\nabout = "For the proof."\nslip = {1}\n'

#: What observables are asked about, in turn.
_ARGUMENTS = {
    "kind": ("stone", "alchemy", "charm", "note", "black_cat", "curse", "arcana", "fragment"),
    "group": ("stones", "magic", "truths", "familiar"),
    "witch": ("sophia", "ignis", "marisrosetta", "aurelise"),
}


def _curious(first: int) -> str:
    """Write a policy that looks at everything there is to see, with every operator.

    The rules begin with the observable of number `first`, as what comes late is seldom reached.
    """
    arguments = {what: cycle(words) for what, words in _ARGUMENTS.items()}
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

_EAGER = "weights = { stop = -1 }\n"

#: Policies by name; written to files when the proof runs.
WRITTEN = {
    **{f"curious{first}": _curious(first) for first in range(0, len(OBSERVABLES), 6)},
    # Takes magic and nothing else: games end with no truth at all.
    "collector": _HEAD.format("Collector", 0) + '[acquire]\nrules = ["magic"]\n',
    # Does nothing: many games end level, at the cap.
    "idle": _HEAD.format("Idle", 0) + '[acquire]\nrules = ["stop"]\n',
    # Takes all that it can get; what costs nothing too.
    "greedy": _HEAD.format("Greedy", 500)
    + '[acquire]\nrules = ["any_witch", "any"]\nweights = { stop = -1 }\nper = { cost = 1 }\n'
    + "".join(
        f'[{point}]\nrules = ["any"]\n{_EAGER}'
        for point in ("cast", "look", "tokens", "doll", "extra_turn", "seal")
    ),
    # Takes a witch, then cards of whatever kind, and uses all of them.
    "handy": _HEAD.format("Handy", 1500)
    + '[acquire]\nrules = ["any_witch if round >= 2", "magic", "stone"]\n'
    + f'[cast]\nrules = ["any"]\n{_EAGER}'
    + '[tokens]\nrules = ["charm", "stop"]\n'
    + '[extra_turn]\nrules = ["any_witch if gold >= 6", "stop"]\n'
    + '[doll]\nrules = ["any if gold >= 2", "stop"]\n'
    + '[defend]\nrules = ["amulet if on_turn == 0", "any"]\n'
    + '[seal]\nrules = ["stone if sealed.stone == 0", "charm", "any"]\n',
    # Wants truth of its own and curses for the others.
    "spiteful": _HEAD.format("Spiteful", 700)
    + '[acquire]\nrules = ["marisrosetta", "any_witch", "permanent if own_field.world_tree == 0",\n'
    + '"magic if own_field.substitute_doll >= 1", "attack if round <= 5", "arcana",\n'
    + '"ritual", "charm", "magic"]\n'
    + f'[cast]\nrules = ["attack", "any"]\n{_EAGER}',
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

#: Those that look at everything.
ALL_SEEING = tuple(name for name in WRITTEN if name.startswith("curious"))
