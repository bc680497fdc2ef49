"""Damages traces: what an auditor must refuse, each as small as can be and made to look right.

Events are numbered anew where one is lost or added, so that no damage shows by its number alone.
"""

from __future__ import annotations

from collections import defaultdict

__all__ = ["DOCTORED", "WHOLE", "cheats", "doctored", "places", "setups", "signature"]

_HEAD = ("n", "round", "turn", "seat", "phase", "event")

#: Other values of fields that are words.
_ELSE = {
    "phase": ("setup", "draw", "placement", "war", "development", "income", "vp", "over"),
    "event": ("move", "change", "choose", "state", "end", "shuffle"),
    "from": ("deck", "hand", "discard", "field"),
    "to": ("deck", "hand", "discard", "field"),
    "zone": ("hand", "discard"),
    "face": ("up", "down"),
    "line": ("row", "column"),
    "bonus": ("elf", "warrior"),
    "reason": ("vp", "field", "vp_and_field", "round_cap"),
    "card": ("elf_lord", "golem_guard"),
    "objective": ("warlord", "one_people"),
}

#: The fields that are doctored; ``lost`` and ``added`` are fields that are not there or too many.
DOCTORED = (
    *_HEAD,
    *("what", "owner", "by", "now", "card", "copy", "from", "to", "cell", "face", "zone", "cards"),
    *("options", "choice", "seats", "cells", "line", "place", "bonus", "rank", "vp", "objective"),
    *("reason", "scores", "ranks", "win60", "lost", "added"),
)


def signature(event):
    """Return what sort of event it is."""
    names = ("event", "what", "from", "to", "reason")
    sort = [str(event[name]) for name in names if name in event]
    return (*sort, event["phase"], "less") if event.get("by", 0) < 0 else (*sort, event["phase"])


def places(traces, number):
    """Return for each sort of event some places (trace, index), those in short traces first."""
    found = defaultdict(list)
    for trace in sorted(traces, key=len):
        here = set()
        for index, event in enumerate(trace[1:], 1):
            sort = signature(event)
            if sort not in here and len(found[sort]) < number and event.get("cells") != []:
                here.add(sort)
                found[sort].append((trace, index))
    return found


def _numbered(events):
    return [event | {"n": number} for number, event in enumerate(events)]


def _with(trace, index, event):
    return [*trace[:index], event, *trace[index + 1 :]]


# -- whole events ----------------------------------------------------------------------------------


def _dropped(trace, index):
    return _numbered(trace[:index] + trace[index + 1 :])


def _doubled(trace, index):
    return _numbered(trace[: index + 1] + trace[index:])


def _swapped(trace, index):
    if index + 1 == len(trace):
        return None
    first, second = trace[index : index + 2]
    drawn = first.get("from") == second.get("from") == "deck"
    taken = first.get("by", 0) < 0 and second.get("by", 0) < 0
    if first.get("owner") == second.get("owner") and (drawn or taken):
        return None  # what lay higher in the deck nobody knows, what was taken first no rule says
    return _numbered([*trace[:index], second, first, *trace[index + 2 :]])


def _cut(trace, index):
    return trace[:index]


#: Damages of whole events: (trace, index) → trace, or None where there is nothing to damage.
WHOLE = {"dropped": _dropped, "doubled": _doubled, "swapped": _swapped, "cut": _cut}


# -- fields ----------------------------------------------------------------------------------------


def doctored(trace, index, field):
    """Return traces in which one field of an event says something else."""
    event = trace[index]
    if field == "lost":
        names = [name for name in event if name not in _HEAD]
        return [
            _with(trace, index, {k: v for k, v in event.items() if k != name}) for name in names
        ]
    if field == "added":
        return [_with(trace, index, {**event, "note": 1})]
    if field not in event:
        return []
    return [_with(trace, index, {**event, field: value}) for value in _others(trace, event, field)]


def _others(trace, event, field):
    """Return other values of a field, as much like the right one as can be."""
    value = event[field]
    if field == "choice":
        return [option for option in event["options"] if option != value][:2]
    if field == "what":
        like = ("gold", "vp", "technology", "faith", "power")
        words = like if event["event"] == "change" else ("works", "rank", "card", "discard")
        return [word for word in words if word != value]
    if field == "card" and event.get("from") == "deck":
        return [trace[0]["deck"][0][0] + "s"]  # that it was another card of the deck may never show
    if field == "copy":
        return [value + 1000, value - 1]
    if field in _ELSE:
        return [word for word in _ELSE[field] if word != value][:3]
    if isinstance(value, int):
        return [value + 1, value - 1]
    changed = [[*value, *value[-1:]], value[:-1]]
    if event.get("what") != "fill_order":  # in what order hands are filled, chance says
        changed.append(value[::-1])
        changed += [_with(value, place, _more(one)) for place, one in enumerate(value)]
    return [one for one in changed if one != value]


def _more(value):
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        return value | {name: has + 1 for name, has in list(value.items())[-1:]}
    return [*value[:-1], value[-1] + 1] if isinstance(value, list) else value + "s"


# -- the set-up ------------------------------------------------------------------------------------


def setups(trace):
    """Return damages of a set-up by name: what it says is not what a game can begin with."""
    setup, found = trace[0], {}

    def damage(name, **fields):
        found[name] = [setup | fields, *trace[1:]]

    def rule(name, value):
        damage(f"rules.{name}", rules=setup["rules"] | {name: value})

    seats, deck, rules = setup["seats"], setup["deck"], setup["rules"]
    for what in ("gold", "vp", "technology", "faith", "power"):
        damage(f"seat.{what}", seats=[*seats[:-1], seats[-1] | {what: seats[-1][what] + 1}])
    damage("a card in hand", seats=[seats[0] | {"hand": deck[:1]}, *seats[1:]], deck=deck[1:])
    field = [[*deck[0], [0, 0]]]
    damage("a card that lies", seats=[seats[0] | {"field": field}, *seats[1:]], deck=deck[1:])
    damage("a line that has paid", seats=[seats[0] | {"lines": [["row", 0]]}, *seats[1:]])
    damage("a seat less", seats=seats[:-1])
    damage("a seat more", seats=[*seats, seats[0]])
    damage("a card less", deck=deck[1:])
    damage("a card twice", deck=[*deck, deck[0]])
    damage("a card of another kind", deck=[[deck[1][0], 2], *deck[1:]])
    damage("a card discarded", deck=deck[1:], discard=deck[:1])
    damage("an objective more", objectives=[*setup["objectives"], "warlord"])
    damage("an unknown objective", objectives=["warlords"] * len(setup["objectives"]) or ["x"])
    damage("a player more", players=setup["players"] + 1)
    damage("a policy less", lineup=setup["lineup"][1:])
    damage("another title", title="classic")
    for name in ("kinds", "start_gold", "hand", "gold_for_0", "gold_for_1", "gold_for_2", "income"):
        rule(name, rules[name] + 1)
    rule("objectives_open", rules["objectives_open"] + 1)
    rule("exchange_from", 9)
    rule("gold_per_vp", 1)
    rule("war_vp", [worth + 1 for worth in rules["war_vp"]])
    rule("war_vp", rules["war_vp"][1:])
    rule("bonuses", {})
    return found


# -- cheats: events that agree with each other, and break a rule -----------------------------------


def cheats(traces):
    """Return damages by name that change several events, so that all sums are right."""
    found = defaultdict(list)
    for trace in traces:
        for event in trace[1:]:
            _cheat(trace, event, found)
        end = trace[-1]
        rotated = {name: [*end[name][1:], end[name][0]] for name in ("ranks", "win60")}
        if rotated["ranks"] != end["ranks"]:
            found["the wrong winner"].append(_with(trace, end["n"], end | rotated))
        found["nobody knows when to stop"].append([*trace, end | {"n": len(trace)}])
        late = [event["n"] for event in trace if event.get("what") == "round"][-1]
        found["a round less"].append(_numbered([*trace[:late], end]))
    return found


def _cheat(trace, event, found):
    index, what, phase = event["n"], event.get("what"), event["phase"]
    if event["event"] == "change":
        for by in (1, -1):
            cheat = f"{what} {by:+} in {phase}" + " of what is taken" * (event["by"] < 0)
            found[cheat].append(_shifted(_other_amount(trace, index, by), index + 1, event, by))
    elif what == "works":
        found[f"{phase}: no ability"].append(_without(trace, index))
        found[f"{phase}: an ability twice"].append(_twice(trace, index))
    elif what == "line":
        found["a line does not pay"].append(_without(trace, index))
        found["a line pays twice"].append(_twice(trace, index))
    elif what == "objective":
        found["a claim is withheld"].append(_without(trace, index))
        found["a claim is made twice"].append(_twice(trace, index))
        owner = event["owner"] % trace[0]["players"] + 1
        found["a claim of another"].append(_with(trace, index, event | {"owner": owner}))
    elif what == "rank":
        found["a rank lower"].append(_with(trace, index, event | {"rank": event["rank"] + 1}))
        found["a rank without VP"].append(_without(trace, index))
    elif event.get("to") == "field":
        for row, column in ((1, 1), (-3, 0), (0, 3), (0, 0)):
            found["a card far off"].append(_moved(trace, index, [row, column]))
        found["a card that nobody laid"].append(_dropped(trace, index))
    elif event.get("to") == "hand" and phase == "draw":
        found["a card from the discards"].append(_with(trace, index, event | {"from": "discard"}))


def _other_amount(trace, index, by):
    event = trace[index]
    return _with(trace, index, event | {"by": event["by"] + by, "now": event["now"] + by})


def _shifted(events, start, change, by):
    """Add to what a seat has from an event on, wherever it is told."""
    what, owner, events = change["what"], change["owner"], list(events)
    for place in range(start, len(events)):
        event = events[place]
        if (event["event"], event.get("what"), event.get("owner")) == ("change", what, owner):
            events[place] = event | {"now": event["now"] + by}
        elif event.get("what") == "round":
            seats = list(event["seats"])
            seats[owner - 1] = seats[owner - 1] | {what: seats[owner - 1][what] + by}
            events[place] = event | {"seats": seats}
        elif event["event"] == "end" and what == "vp":
            scores = list(event["scores"])
            scores[owner - 1] += by
            events[place] = event | {"scores": scores}
    return events


def _effects(trace, index):
    """Return the changes of a seat that follow what is told of it."""
    changes = []
    for event in trace[index + 1 :]:
        if event["event"] != "change" or event["owner"] != trace[index]["owner"]:
            break
        changes.append(event)
    return changes


def _without(trace, index):
    """Take back what is told of a seat and its changes that follow."""
    changes = _effects(trace, index)
    events = [*trace[:index], *trace[index + 1 + len(changes) :]]
    for change in changes:
        events = _shifted(events, index, change, -change["by"])
    return _numbered(events)


def _twice(trace, index):
    """Do what is told of a seat twice, with its changes that follow."""
    changes = _effects(trace, index)
    after = index + 1 + len(changes)
    events = [*trace[:after], *trace[index:]]
    for change in changes:
        events = _shifted(events, after, change, change["by"])
    return _numbered(events)


def _moved(trace, index, offset):
    """Lay a card elsewhere, counted from the first one, wherever its cell is told."""
    was, owner = trace[index]["cell"], trace[index]["owner"]
    events = list(trace)
    for place in range(index, len(trace)):
        event = events[place]
        if event.get("owner") != owner:
            continue
        if event.get("cell") == was:
            events[place] = event | {"cell": offset}
        elif event.get("what") == "face" and was in event["cells"]:
            cells = [offset if cell == was else cell for cell in event["cells"]]
            events[place] = event | {"cells": cells}
    return events if offset != was else _dropped(trace, index)
