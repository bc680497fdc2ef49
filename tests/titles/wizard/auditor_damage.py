"""Damages traces: what an auditor must refuse, and by which rule, each as small as can be.

Events are numbered anew where one is lost or added, so that no damage shows by its number alone.
"""

from __future__ import annotations

import json
from collections import defaultdict

from tests.titles.wizard.auditor import ENDS, NUMBERS
from tests.titles.wizard.auditor_data import COMPANIONS, DIRECTIONS, PARTS

__all__ = [
    *("FIELDS", "WHOLE", "damaged", "doctored", "places", "setups", "shifted", "signature"),
]

_HEAD = ("n", "round", "turn", "seat", "phase", "event")

#: The rules of events by what they tell.
_CHANGES = {
    **dict.fromkeys(("moves", "hexes"), "UW-M1"),
    **{"draws": "UW-C2", "spells": "UW-C9", "strikes": "UW-C6", "wins": "UW-C7"},
    **{"start": "UW-C1", "magic": "UW-C4", "skills": "UW-C5", "mend": "UW-C6"},
}
_STATES = {
    **dict.fromkeys(("hex", "used"), "UW-M1"),
    **dict.fromkeys(("battle_turn", "beaten"), "UW-C5"),
    **{"cast": "UW-C3", "damage": "UW-C4"},
}
_CHOICES = {"way": "UW-S4", "move": "UW-M1", "leave": "UW-C2", "draw": "UW-C2", "spell": "UW-C9"}

#: Fields that go by another rule than their event.
_BY_FIELD = {
    **dict.fromkeys(("n", "round", "turn", "seat", "phase"), "trace"),
    **dict.fromkeys(("scores", "ranks", "win60"), "UW-A1"),
    "way": "UW-S4",
}

#: Other values of fields that are words.
_ELSE = {
    "phase": ("setup", "journey", "battle"),
    "event": ("move", "change", "choose", "state", "end", "shuffle"),
    "from": ("deck", "hand", "drawn", "place", "dealt"),
    "to": ("deck", "hand", "drawn", "lost", "aside"),
    "why": (*_CHANGES, "losses"),
    "reason": tuple(ENDS),
    "card": (*PARTS, "grimoire_2", "hero", "monk"),
    "enemy": ("zaza", "goga", "tera"),
    "place": ("left_1", "right_4", "castle"),
    "hex": ("c0", "b1", "c18"),
    "way": ("hero_sword", "hero_banner", "monk_care"),
}

#: Options of each decision that are legal now and then, or never.
_WORDS = {
    "way": ("hero_sword", "monk_care", "stop"),
    "move": tuple(DIRECTIONS),
    "leave": (*PARTS, "grimoire_2"),
    "draw": ("draw_0", "draw_1", "draw_2", "draw_3", "draw_4", "draw_5"),
    "spell": ("red_1", "blue_1", "red_2", "green_2", "storm_3", "stop"),
    "lose": (*COMPANIONS, "stop"),
}

#: The fields that are doctored; ``lost`` and ``added`` are fields that are not there or too many.
FIELDS = (
    *_HEAD,
    *("what", "owner", "by", "now", "why", "card", "copy", "from", "to", "way", "place", "hex"),
    *("options", "choice", "enemy", "lp", "number", "spells", "power", "heal", "damage"),
    *("reason", "scores", "ranks", "win60", "lost", "added"),
)


def signature(event):
    """Return what sort of event it is."""
    sort = [event["event"]]
    sort += [str(event[name]) for name in ("what", "why", "from", "to", "reason") if name in event]
    return (*sort, event["phase"], event.get("place") == "castle")


def places(traces, number):
    """Return for each sort of event some places (trace, index), one in a trace."""
    found = defaultdict(list)
    for trace in traces:
        here = set()
        for index, event in enumerate(trace[1:], 1):
            sort = signature(event)
            if sort not in here and len(found[sort]) < number:
                here.add(sort)
                found[sort].append((trace, index))
    return found


def rule_of(trace, index):
    """Return the rule that makes an event."""
    event = trace[index]
    what = event.get("what")
    if event["event"] == "end":
        return ENDS[event["reason"]]
    if what == "lose" or event.get("to") == "lost" or event.get("why") == "losses":
        return _loss(trace, index)
    if event["event"] == "change":
        return _CHANGES[event["why"]]
    if event["event"] == "choose":
        return _CHOICES[what]
    if what == "battle":
        return "UW-E1" if event["place"] == "castle" else "UW-M2"
    if event["event"] == "state":
        return _STATES[what]
    if event["to"] == "aside":
        return "UW-A2"
    return {"dealt": "UW-S4", "place": "UW-C7"}.get(event["from"], "UW-C2")


def _loss(trace, index):
    """Return by which rule a companion is lost: by a strike, or before the damage."""
    while trace[index].get("what") not in ("damage", "cast"):
        index -= 1
    return "UW-L1" if trace[index]["what"] == "damage" else "UW-L2"


def _numbered(events):
    return [event | {"n": number} for number, event in enumerate(events)]


def _with(trace, index, event):
    return [*trace[:index], event, *trace[index + 1 :]]


# -- whole events ----------------------------------------------------------------------------------

WHOLE = ("dropped", "doubled", "swapped", "cut")


def damaged(trace, index, how):
    """Return a trace with an event lost or moved, and the rules that find it; or nothing."""
    here = {rule_of(trace, index)}
    after = {rule_of(trace, index + 1)} if index + 1 < len(trace) else {"trace"}
    before, rest = trace[:index], trace[index + 1 :]
    if how == "dropped":
        return _numbered(before + rest), here
    if how == "cut":
        return before, here
    if how == "doubled":
        return _numbered([*before, trace[index], *trace[index:]]), after
    ways = [(one.get("from"), one.get("to")) for one in (trace[index], *rest[:1])]
    if not rest or ways[0] == ways[1] != (None, None):
        return None  # the last event, or cards moved together, whose order is chance
    return _numbered([*before, rest[0], trace[index], *rest[1:]]), here


# -- fields ----------------------------------------------------------------------------------------


def doctored(trace, index, field):
    """Return traces in which one field says something else, and the rules that find it."""
    event, here = trace[index], rule_of(trace, index)
    if field == "lost":
        names = [name for name in event if name not in _HEAD]
        return [
            (
                _with(trace, index, {k: v for k, v in event.items() if k != name}),
                {"trace"} | _found_by(trace, index, name),
            )
            for name in names
        ]
    if field == "added":
        return [(_with(trace, index, {**event, "note": 1}), {"trace"})]
    if field == "choice" and field in event:
        return _other_choices(trace, index)
    if field not in event:
        return []
    found = _found_by(trace, index, field) | ({here} if field == "event" else set())
    return [
        (_with(trace, index, {**event, field: value}), found)
        for value in _others(event, field, event[field])
    ]


def _found_by(trace, index, field):
    """Return the rules that find a field that is wrong."""
    event, here = trace[index], rule_of(trace, index)
    if event.get("what") == "battle" and field in ("enemy", "lp"):
        return {"enemy": {"UW-M4"}, "lp": {"UW-C8"}}[field]
    if field == "card" and event.get("from") == "place":
        return {"UW-M4"}
    if field == "card" and event.get("to") == "drawn":
        return {"UW-C2", "UW-C3", "UW-C9"}
    if field == "spells":
        return {"UW-C3", "UW-C9"}
    if field == "options":
        return {here, "UW-A2"}
    return {_BY_FIELD.get(field, here)}


def _other_choices(trace, index):
    """Return traces in which the player chose another option, or what is none."""
    event = trace[index]
    here, after = rule_of(trace, index), rule_of(trace, index + 1)
    others = [option for option in event["options"] if option != event["choice"]]
    if event["what"] == "spell":  # of spells that are cast together, any may be named
        cast = next(one for one in trace[index:] if one.get("what") == "cast")
        others = [option for option in others if option not in cast["spells"]]
    bad = [option for option in (*DIRECTIONS, "draw_9") if option not in event["options"]]
    found = [(_with(trace, index, {**event, "choice": one}), {here, after}) for one in others]
    return [*found, (_with(trace, index, {**event, "choice": bad[-1]}), {here})]


def _others(event, field, value):
    """Return other values of a field, as much like the right one as can be."""
    if field == "what":
        words = {"change": ("lp", "enemy_lp"), "choose": _CHOICES, "state": (*_STATES, "battle")}
        return [word for word in words[event["event"]] if word != value]
    if field == "copy":
        return [value + 1, 0]
    if field in _ELSE:
        return [word for word in _ELSE[field] if word != value]
    if isinstance(value, bool | int):
        return [value + 1, value - 1, str(value)]
    if isinstance(value, dict):
        return [value | {name: number + 1} for name, number in value.items()] + [{}]
    if field == "spells":
        return [value[1:] if value else ["red_1"], [*value, "red_2"], [*value, "mending_5"]]
    changed = [[*value, value[-1]], value[:-1]]
    if field == "options":
        return changed + [[*value, word] for word in _WORDS[event["what"]] if word not in value]
    return [*changed, [value[0] + 1], [value[0] - 1]]


# -- amounts whose sums are right ------------------------------------------------------------------


def shifted(trace, index, by):
    """Return a trace in which a change is another one and all that is counted later agrees."""
    change = trace[index]
    events = list(trace)
    for place in range(index, len(events)):
        event = events[place]
        if event.get("what") == "battle" and change["what"] == "enemy_lp":
            break
        if event["event"] == "change" and event["what"] == change["what"]:
            events[place] = event | {"now": event["now"] + by}
        elif event["event"] == "end" and change["what"] == "lp":
            events[place] = event | {"scores": [event["scores"][0] + by]}
    events[index] = events[index] | {"by": change["by"] + by}
    return events, {rule_of(trace, index)}


# -- the set-up ------------------------------------------------------------------------------------


def setups(trace):
    """Return damages of a set-up by name, each with the rule that finds it."""
    setup, found = trace[0], {}

    def damage(name, rule, **fields):
        found[name] = [setup | fields, *trace[1:]], {rule}

    def text(name, rule, *path, value):
        new = json.loads(json.dumps(setup["texts"]))
        within = new
        for word in path[:-1]:
            within = within[word]
        within[path[-1]] = value
        damage(name, rule, texts=new)

    def place(name, rule, where, **fields):
        damage(name, rule, places=setup["places"] | {where: setup["places"][where] | fields})

    hand, dealt, lying = setup["hand"], setup["dealt"], setup["places"]
    damage("another title", "trace", title="classic")
    damage("a later round", "trace", round=2)
    damage("two players", "UW-S1", players=2)
    damage("no policy", "UW-S1", lineup=[])
    damage("LP more", "UW-S1", lp=setup["lp"] + 1)
    damage("a basic part less", "UW-S2", hand=hand[1:])
    damage("an extension in hand", "UW-S2", hand=[*hand, dealt[0]])
    damage("a starting card more", "UW-S2", dealt=[*dealt, dealt[0]])
    damage("a starting card less", "UW-S2", dealt=dealt[1:])
    damage("a starting card twice", "UW-S2", dealt=[dealt[0]] * len(dealt))
    damage("a starting card that lies too", "UW-S2", dealt=[lying["left_1"]["ability"], *dealt[1:]])
    damage("an unknown card", "UW-S2", dealt=[["red_basics", 1], *dealt[1:]])
    damage("a second copy", "UW-S2", dealt=[[dealt[0][0], 2], *dealt[1:]])
    damage("a companion before the start", "UW-S2", companions=[["hero", 1]])
    damage("a card lost before the start", "UW-S2", lost=[["hero", 1]])
    damage("a yellow hex used", "UW-S2", used=["c8"])
    damage("a place less", "UW-S2", places={k: v for k, v in lying.items() if k != "left_1"})
    place("no card at a place", "UW-S2", "left_1", ability=None)
    place("a beaten enemy", "UW-M2", "left_1", beaten=True)
    place("a yellow enemy at a red place", "UW-S3", "left_1", enemy=lying["left_4"]["enemy"])
    place("an enemy twice", "UW-S3", "left_1", enemy=lying["left_2"]["enemy"])
    place("the king at a place", "UW-S3", "left_1", enemy=["tera", 1])
    place("a second copy of an enemy", "UW-S3", "left_1", enemy=[lying["left_1"]["enemy"][0], 2])
    damage("another enemy at the castle", "UW-S3", castle="goga")
    damage("another start", "UW-M3", hex="c2")
    lots = setup["lots"]
    damage("a lot less", "UW-A3", lots=lots[:-1])
    damage("a lot more", "UW-A3", lots=[*lots, lots[-1]])
    damage("a lot twice", "UW-A3", lots=[lots[1], *lots[1:]])
    damage("lots of each other", "UW-A3", lots=[lots[1], lots[0], *lots[2:]])
    damage("a lot that is no way up", "UW-A3", lots=[*lots[:-1], "princess"])
    damage("a basic part barred", "UW-A2", bans=[["red_basic"]])
    for name, rule in NUMBERS.items():
        damage(f"rules.{name}", rule, rules=setup["rules"] | {name: setup["rules"][name] + 1})
    text("another power", "UW-S4", "cards", "hero", "ways", "banner", "power", "red", value=2)
    text("another sea", "UW-S4", "cards", "porcupine", "ways", "swim", "sea", value=2)
    text("another AP", "UW-C8", "enemies", "zaza", "ap", value=[3, 3, 3, 1, 5, 5, 5, 4])
    text("another block", "UW-C8", "enemies", "tera", "block", "red", value=2)
    text("another family", "UW-C8", "enemies", "dodo", "family", value="")
    text("another forest", "UW-C8", "terrains", "forest", "block", "blue", value=0)
    text("another spell", "UW-C3", "spells", "blue_2", "power", "blue", value=5)
    text("other parts", "UW-C3", "spells", "flame_3", "parts", value=["red_basic"])
    text("another cost", "UW-M1", "hexes", "d1", "cost", value=1)
    text("another terrain", "UW-M1", "hexes", "c2", "terrain", value="desert")
    return found
