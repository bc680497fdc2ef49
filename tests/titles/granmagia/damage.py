"""Damages traces: what an auditor must refuse, each as small as can be and made to look right.

Events are numbered anew where one is lost or added, so that no damage shows by its number alone.
"""

from __future__ import annotations

import copy
from collections import defaultdict

__all__ = ["DOCTORED", "WHOLE", "cheats", "doctored", "places", "setups", "signature"]

_HEAD = ("n", "round", "turn", "seat", "phase", "event")

#: Zones whose order nobody knows: which copy leaves them, a trace alone can say.
_HIDDEN = ("magic_deck", "deck")


def signature(event):
    """Return what sort of event it is."""
    names = ("event", "what", "from", "to", "by" if event["event"] == "state" else "reason")
    sort = tuple(str(event[name]) for name in names if name in event)
    return (*sort, "giver") if "giver" in event else sort


def places(traces, number, chance):
    """Return for each sort of event some places (trace, index), early ones, in these traces.

    What is drawn in the last turns is never played, so nobody can say that it was another card.
    """
    found = defaultdict(list)
    for trace in traces:
        turns = [event["n"] for event in trace if event.get("what") == "turn"]
        late = turns[-2 * trace[0]["players"]] if len(turns) >= 2 * trace[0]["players"] else 1
        for event in trace[1:]:
            if event["n"] < late or event.get("from") not in _HIDDEN:
                found[signature(event)].append((trace, event["n"]))
    few = {
        sort: sorted(among, key=lambda place: place[1])[: 8 * number]
        for sort, among in sorted(found.items())
    }
    return {sort: chance.sample(among, min(number, len(among))) for sort, among in few.items()}


def _numbered(events):
    return [event | {"n": number} for number, event in enumerate(events)]


def _dropped(trace, index):
    card = trace[index]
    if card.get("from") == "magic_deck" and not any(
        _same_card(card, e) for e in trace[index + 1 :]
    ):
        return None  # whether a card that nobody takes lies on its stack makes no difference
    return _numbered(trace[:index] + trace[index + 1 :])


def _same_card(one, other):
    return other["event"] == "move" and all(one[name] == other[name] for name in ("card", "copy"))


def _doubled(trace, index):
    return _numbered(trace[: index + 1] + trace[index:])


def _swapped(trace, index):
    first, second = trace[index : index + 2]
    if first.get("from") in _HIDDEN and first["from"] == second.get("from"):
        return None  # what lay higher in a face-down deck, nobody knows
    if {**first, "n": 0} == {**second, "n": 0}:
        return None
    return _numbered([*trace[:index], second, first, *trace[index + 2 :]])


def _cut(trace, index):
    return trace[:index]


#: Damages of whole events: (trace, index) → trace, or None where there is nothing to damage.
WHOLE = {"dropped": _dropped, "doubled": _doubled, "swapped": _swapped, "cut": _cut}


def doctored(trace, index, field, corpus, chance):
    """Return traces in which one field of an event says something else."""
    event = trace[index]
    if field == "lost":
        values = [name for name in event if name not in _HEAD]
        return [_with(trace, index, {k: v for k, v in event.items() if k != n}) for n in values]
    if field == "added":
        return [_with(trace, index, {**event, "note": 1})]
    if field not in event:
        return []
    others = _others(event, field, corpus, chance)
    return [_with(trace, index, {**event, field: value}) for value in others]


#: Other values of fields that always say the same of a sort of event.
_ELSE = {
    "event": ("move", "change", "choose", "state", "end", "shuffle"),
    "zone": ("hand", "magic_deck"),
}


def _with(trace, index, event):
    return [*trace[:index], event, *trace[index + 1 :]]


def _others(event, field, corpus, chance):
    """Return other values of a field, as much like the right one as can be."""
    value = event[field]
    if field == "choice":
        return [option for option in event["options"] if option != value][:2]
    if field in _ELSE:
        return [one for one in _ELSE[field] if one != value]
    if field == "copy" and value is not None and event.get("from") in _HIDDEN:
        return [value + 1000]
    if field == "card" and event.get("from") == "magic_deck":
        return ["fragment"]
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, list):
        changed = [value[:-1], [*value, *value[-1:]], value[::-1]]
        return [one for one in changed if one != value]
    others = sorted(corpus[event["event"], field] - {value}, key=str)
    return chance.sample(others, min(2, len(others)))


#: The fields that are doctored; ``lost`` and ``added`` are fields that are not there or too many.
DOCTORED = (
    *_HEAD,
    *("card", "copy", "from", "to", "owner", "giver", "zone", "cards", "what", "by", "now"),
    *("options", "choice", "turns", "extra", "free", "witch", "seal", "pile", "was"),
    *("reason", "scores", "ranks", "win60", "lost", "added"),
)


# -- the set-up ------------------------------------------------------------------------------------


def setups(trace):
    """Return damages of a set-up by name: what it says is not what the game was played by."""
    bought = {event["choice"] for event in trace if event.get("what") == "acquire"}
    bought &= {event["card"] for event in trace if event.get("from") == "pile"}
    cast = next(
        event["card"] for event in trace if event.get("to") == "play" and _cast(trace, event)
    )
    found = {}

    def damage(name, change):
        setup = copy.deepcopy(trace[0])
        change(setup)
        assert setup != trace[0], name
        found[name] = [setup, *trace[1:]]

    def rule(name, by=1):
        damage(
            f"rules.{name}",
            lambda setup: setup["rules"].update({name: trace[0]["rules"][name] + by}),
        )

    for name in ("start_hand", "turn_casts", "turn_acquisitions", "turn_hand", "supply_kinds"):
        rule(name)
    for name in ("rares_per_player", "field_kinds", "copies", "curses_per_rival"):
        rule(name)
    rule("end_kinds", 20)
    for name in ("silver", "gold", "tokens", "barriers", "arcana_taken", "rewards"):
        damage(f"seat.{name}", lambda setup, name=name: _more(setup["seats"][-1], name))
    for zone in ("hand", "discard", "play", "own"):
        damage(f"seat.{zone}", lambda setup, zone=zone: _carry(setup["seats"][0], zone))
    damage("a card twice", lambda setup: setup["seats"][0]["deck"].append(["fragment", 1]))
    damage("a card too many", lambda setup: setup["seats"][0]["deck"].append(["stone", 1]))
    damage("a card less", lambda setup: setup["seats"][0]["deck"].pop())
    damage("a card of another", lambda setup: setup["seats"][0]["deck"].reverse() or _trade(setup))
    damage("the apprentice has a witch", lambda setup: setup["seats"][0].update(witch="ignis"))
    damage("a victory announced", lambda setup: setup["seats"][0].update(announced=True))
    damage("a magic card less", lambda setup: setup["magic_deck"].pop(0))
    damage("a magic card twice", lambda setup: setup["magic_deck"].append(setup["magic_deck"][0]))
    damage("a magic card shown", lambda setup: setup["field"].update({cast: [[cast, 99]]}))
    damage("a burned card", lambda setup: setup["burned"].append(["curse", 1]))
    damage("a kind less", lambda setup: setup["chosen"].pop())
    damage("a kind twice", lambda setup: setup["chosen"].append(setup["chosen"][0]))
    damage("a rare less", lambda setup: setup["rares"].pop())
    damage("a stone less", lambda setup: _more(setup["piles"], "stone"))
    damage("a curse less", lambda setup: _more(setup["piles"], "curse"))
    damage("a witch less", lambda setup: setup["witches"].pop())
    damage("a seat less", lambda setup: setup["seats"].pop())
    damage("a player more", lambda setup: _more(setup, "players"))
    damage("a seal placed", lambda setup: setup["sealed"].update(binding="stone"))
    damage("the first reversal", lambda setup: setup["rules"].update(reversal=[1] * 20))
    for kind in sorted(bought - {"fragment"})[:3]:
        damage(f"price of {kind}", lambda setup, kind=kind: _more(setup["cards"][kind], "cost", 3))
        damage(f"a ban of {kind}", lambda setup, kind=kind: [b.append(kind) for b in setup["bans"]])
    damage("mana of fragments", lambda setup: _more(setup["cards"]["fragment"], "mana"))
    damage("truth of fragments", lambda setup: _more(setup["cards"]["fragment"], "truth"))
    damage("text of a card", lambda setup: setup["cards"][cast]["effects"].append("mana 9"))
    damage(
        "a card without text", lambda setup: setup["cards"][cast].update(effects=[], attributes=[])
    )
    damage("a need", lambda setup: setup["cards"][cast].update(needs=["gold >= 99"]))
    return found


def _cast(trace, event):
    """Whether a card that came to the play area was cast."""
    return event["phase"] == "cast" and event["from"] == "hand"


def _more(place, name, by=1):
    place[name] += by


def _carry(seat, zone):
    seat[zone].append(seat["deck"].pop())


def _trade(setup):
    first, second = setup["seats"][:2]
    first["deck"][0], second["deck"][0] = second["deck"][0], first["deck"][0]


# -- cheats: events that agree with each other, and break a rule -----------------------------------


def cheats(traces):
    """Return damages by name that change several events, so that all sums are right."""
    found = defaultdict(list)
    for trace in traces:
        once = set()
        for event in trace:
            what = event.get("what")
            if (event["event"], what) in once:
                continue
            if event["event"] == "change" and what in ("mana", "gold") and _paid(event):
                _cheaper(trace, event, found)
            elif what == "defended":
                _defences(trace, event["n"], found)
            elif what == "hit":
                found["an attack that is not suffered"].append(_without_hit(trace, event["n"]))
            elif what in ("announced", "lapsed", "sealed", "attack", "looked"):
                found[f"{what} is not told"].append(_dropped(trace, event["n"]))
            else:
                continue
            if what != "defended":
                once.add((event["event"], what))
        end = trace[-1]
        ranks = [2 if rank == 1 else 1 for rank in end["ranks"]]
        winners = ranks.count(1)
        win60 = [60 // winners if rank == 1 else 0 for rank in ranks]
        found["the wrong winner"].append(
            _with(trace, end["n"], {**end, "ranks": ranks, "win60": win60})
        )
        more = [score + 1 for score in end["scores"]]
        found["a truth more for everybody"].append(_with(trace, end["n"], {**end, "scores": more}))
        found["nobody knows when to stop"].append([*trace, {**end, "n": len(trace)}])
    return found


def _paid(event):
    return event["phase"] == "acquire" and event["by"] < 0


def _cheaper(trace, event, found):
    """Pay one less, and have one more until it is paid or the turn ends."""
    events, what, seat = list(trace), event["what"], event["owner"]
    for place in range(event["n"], len(trace)):
        later = trace[place]
        if later["event"] != "change" or (later["what"], later["owner"]) != (what, seat):
            continue
        first = later is event
        by, now = later["by"] + first, later["now"] + 1
        if later["now"] == 0 and not first:
            events[place] = {**later, "by": later["by"] - 1}
            break
        if by == 0:
            return
        events[place] = {**later, "by": by, "now": now}
    found[f"{what} is saved"].append(events)


def _defences(trace, place, found):
    """Let a doll defend for nothing again, and a defence be none."""
    event = trace[place]
    if event["by"] == "doll" and not event["free"]:
        gone = (place - 1, place + 1)
        events = [one for n, one in enumerate(trace) if n not in gone]
        events[place - 1] = {**event, "free": True}
        found["a doll that is not paid"].append(_numbered(events))
    if event["by"] == "doll" and event["free"]:
        same = (*_HEAD, "owner", "attacker", "attack")
        hit = {name: event[name] for name in same} | {"what": "hit"}
        found["a doll that sleeps"].append(_with(trace, place, hit))
    if event["by"] == "barrier":
        casts = trace[place + 2]
        if casts["event"] == "change" and casts["what"] == "casts":
            found["a barrier that takes no cast"].append(_dropped(trace, place + 2))


def _without_hit(trace, place):
    """Take an attack back: the hit, and all that it did to that seat until the turn goes on."""
    seat, events = trace[place]["owner"], []
    suffers = True
    for event in trace[place + 1 :]:
        suffers = suffers and event["phase"] == "cast" and event["event"] != "choose"
        if not (suffers and event.get("owner") == seat):
            events.append(event)
    return _numbered([*trace[:place], *events])
