"""Damages traces of Majestic Magic: each breaks one rule, by which an auditor must find it.

Events are numbered anew where one is lost or added, so that no damage shows by its number alone.
"""

from __future__ import annotations

import copy
from itertools import pairwise

__all__ = ["CATALOGUE", "signature", "sweep"]

_HEAD = ("n", "round", "turn", "seat", "phase", "event")


def _numbered(events):
    return [event | {"n": number} for number, event in enumerate(events)]


def lost(trace, index):
    """Return a trace without an event."""
    return _numbered(trace[:index] + trace[index + 1 :])


def added(trace, index, event):
    """Return a trace with one more event, before the one that is there now."""
    return _numbered([*trace[:index], event, *trace[index:]])


def changed(trace, index, /, **fields):
    """Return a trace in which an event has other fields."""
    return [*trace[:index], trace[index] | fields, *trace[index + 1 :]]


def signature(event):
    """Return what sort of event it is."""
    names = ("event", "what", "from", "to", "zone", "reason")
    return tuple(str(event.get(name)) for name in names)


def _is(event, /, **fields):
    return all(event.get(name) == value for name, value in fields.items())


def _places(trace, /, **fields):
    return [index for index, event in enumerate(trace) if index and _is(event, **fields)]


def _setup(edit):
    """Damage a copy of the set-up event."""

    def damage(trace):
        setup = copy.deepcopy(trace[0])
        edit(setup)
        yield 0, [setup, *trace[1:]]

    return damage


def _lost(where=None, **fields):
    """Lose an event of this sort, where a function of the trace and the place holds."""

    def damage(trace):
        for index in _places(trace, **fields):
            if where is None or where(trace, index):
                yield index, lost(trace, index)

    return damage


def _twice(**fields):
    """Tell an event of this sort twice."""

    def damage(trace):
        for index in _places(trace, **fields):
            yield index + 1, added(trace, index + 1, trace[index])

    return damage


def _other(change, where=None, **fields):
    """Change an event of this sort by what a function says of it."""

    def damage(trace):
        for index in _places(trace, **fields):
            more = change(trace[index])
            if more and (where is None or where(trace, index)):
                yield index, changed(trace, index, **more)

    return damage


def _option(word, **fields):
    """Choose what was no option, as if it were one."""

    def damage(trace):
        for index in _places(trace, event="choose", **fields):
            options = trace[index]["options"]
            if word not in options:
                yield index, changed(trace, index, options=[*options, word], choice=word)

    return damage


def _more(field, by=1):
    return lambda event: {field: event[field] + by}


def _to(**fields):
    return lambda event: fields if not _is(event, **fields) else None


def _fifth_copy(setup):
    first, *rest = setup["seats"][0]["deck"]
    same = [card for card in rest if card[0] != first[0]]
    for number, card in enumerate(same[:4]):
        card[:] = [first[0], 90 + number]


def _mana_in_main(setup):
    setup["seats"][1]["deck"][0] = ["fire_mana", 99]


def _special(setup):
    for number in range(5):
        setup["seats"][0]["mana_deck"][number] = [
            ("ember_spring", "blaze_vein")[number % 2],
            80 + number,
        ]


def _twin(setup):
    setup["seats"][0]["deck"][1] = list(setup["seats"][0]["deck"][0])


def _three(setup):
    setup["players"] = 3


def _in_hand(setup):
    setup["seats"][0]["hand"] = [setup["seats"][0]["deck"].pop()]


def _sorcerer_down(setup):
    setup["seats"][0]["sorcerer_ready"] = False


def _fresh_attacks(trace):
    """A unit that came in this turn attacks, or is offered to."""
    faces, fresh = trace[0]["cards"], set()
    for index, event in enumerate(trace):
        if event.get("what") == "turn":
            fresh = set()
        if event.get("what") == "keywords":
            fresh.discard(event["place"])
        if event.get("fresh") and "swift" not in faces[event["card"]]["keywords"]:
            fresh.add(event["place"])
        if _is(event, event="choose", what="attack"):
            for place in sorted(fresh):
                word = f"own_{place}"
                options = [*event["options"], word]
                yield index, changed(trace, index, options=options, choice=word)


def _again(sorcerers=None):
    """Use the sorcerer again in the same main phase."""

    def damage(trace):
        for first in _places(trace, event="choose", what="main", choice="sorcery"):
            named = trace[0]["seats"][trace[first]["owner"] - 1]["sorcerer"]
            if sorcerers is None or named in sorcerers:
                yield from _offered(trace, first)

    return damage


def _capped(trace):
    """Use the sorcerer after a card when only one act is allowed, and the ability costs nothing."""
    for first in _places(trace, event="choose", what="main"):
        told = trace[0]["seats"][trace[first]["owner"] - 1]
        free = not trace[0]["sorcerers"][told["sorcerer"]]["ability"]["cost"]
        if (
            free
            and trace[first]["choice"] in trace[0]["cards"]
            and "sorcery" in trace[first]["options"]
        ):
            yield from _offered(trace, first)


def _offered(trace, first):
    """Offer the sorcerer in the decision that follows in the same main phase."""
    for index in range(first + 1, len(trace)):
        event = trace[index]
        if event["phase"] != "main":
            return
        if _is(event, event="choose", what="main"):
            if "sorcery" not in event["options"]:
                options = [*event["options"], "sorcery"]
                yield index, changed(trace, index, options=options, choice="sorcery")
            return


def _no_room(trace):
    """Offer both areas where only one has room."""
    for index in _places(trace, event="choose", what="main"):
        word = trace[index]["choice"]
        unit = trace[0]["cards"].get(word, {}).get("sort") == "unit"
        if unit and trace[index + 1].get("what") != "area":
            more = {"what": "area", "options": ["to_front", "to_back"], "choice": "to_front"}
            yield index + 1, added(trace, index + 1, trace[index] | more)


def _kept(trace):
    """Turn up a unit that was down when it left, and has come again since."""
    down, left, again = set(), set(), {}
    for index, event in enumerate(trace):
        card = (event.get("owner"), event.get("card"), event.get("copy"))
        if event.get("zone") == "field":
            (down.discard if event["ready"] else down.add)(card)
            again.pop(card, None)
        if event.get("from") in ("front", "back") and event["to"] in ("hand", "trash"):
            again.pop(card, None)
            if card in down:
                down.discard(card)
                left.add(card)
        if event.get("to") in ("front", "back") and "fresh" in event and card in left:
            again[card] = True
        if event.get("what") == "turn":
            for owner, name, number in sorted(again):
                if owner == event["seat"]:
                    place = index + 1
                    while trace[place].get("zone") == "field":
                        place += 1
                    told = {name: trace[index][name] for name in _HEAD}
                    more = {"what": "turned", "owner": owner, "zone": "field", "ready": True}
                    unit = {"card": name, "copy": number}
                    yield place, added(trace, place, told | more | unit)


def _alone(trace, index):
    """Whether a card is all that is paid."""
    return not any(
        _is(trace[place], what="turned", zone="mana") for place in (index - 1, index + 1)
    )


def _before(**fields):
    return lambda trace, index: _is(trace[index + 1], **fields)


def _fought(trace, index):
    """Whether damage is the first that is dealt in a fight."""
    before = trace[index - 1]
    passed = _is(before, what="exchange", choice="stop")
    return before.get("what") == "blocks" or (passed and trace[index - 2].get("what") == "blocks")


def _felled(trace, index):
    """Whether a unit is the first to fall in a fight."""
    one, other = trace[index - 2], trace[index - 1]
    return _is(one, what="damage") and _fought(trace, index - 2) and _is(other, what="damage")


def _paid_twice(trace):
    """Turn down a card that is down: the one that was turned down before."""
    paid = {"event": "state", "what": "turned", "zone": "mana", "ready": False}
    for first, second in pairwise(_places(trace, **paid)):
        if second == first + 1:
            more = {name: trace[first][name] for name in ("card", "copy")}
            yield second, changed(trace, second, **more)


def _wrong_attribute(trace):
    """Pay first with a ready card of another attribute."""
    faces, ready = trace[0]["cards"], [set(), set(), set()]
    for index, event in enumerate(trace):
        own = ready[event.get("owner", 0)]
        card = (event.get("card"), event.get("copy"))
        if event.get("to") == "mana" and event["ready"]:
            own.add(card)
        if event.get("zone") == "mana":
            if not event["ready"]:
                attribute = faces[card[0]]["attribute"]
                for name, number in sorted(own):
                    if faces[name]["attribute"] != attribute:
                        yield index, changed(trace, index, card=name, copy=number)
                        break
            (own.add if event["ready"] else own.discard)(card)


def _other_lp(trace):
    """Take an LP card that lies further down: the two change places."""
    for index in _places(trace, event="move", **{"from": "lp"}):
        for later in _places(trace, event="move", owner=trace[index]["owner"], **{"from": "lp"}):
            if later > index and trace[later]["card"] != trace[index]["card"]:
                more = {name: trace[later][name] for name in ("card", "copy")}
                yield index, changed(trace, index, **more)
                break


def _fallen_in_turn(trace):
    """Change the order in which two units are destroyed."""
    for first in _places(trace, event="state", what="destroyed"):
        second = first + 2
        if second < len(trace) and trace[second].get("what") == "destroyed":
            events = [*trace]
            events[first : first + 4] = trace[first + 2 : first + 4] + trace[first : first + 2]
            yield first, _numbered(events)


def _use_after_loss(trace):
    """Use the effect of the last LP card."""
    last = trace[-2]
    if trace[-1]["reason"] == "lp" and last.get("from") == "lp":
        head = {name: last[name] for name in _HEAD} | {"event": "choose", "what": "special"}
        more = {"owner": last["owner"], "options": ["use_effect", "stop"], "choice": "stop"}
        yield len(trace) - 1, added(trace, len(trace) - 1, head | more)


def _back_to_main(trace):
    """Go back to the main phase after a battle."""
    for index in _places(trace, event="choose", what="attack"):
        head = {name: trace[index][name] for name in _HEAD} | {"phase": "main", "what": "main"}
        more = {"owner": trace[index]["owner"], "options": ["advance", "stop"], "choice": "stop"}
        if trace[index - 1]["phase"] == "battle":
            yield index, added(trace, index, head | more)


def _third_pass(trace):
    """Pass once more when the exchange is over."""
    passed = {"event": "choose", "what": "exchange", "choice": "stop"}
    for index in _places(trace, **passed):
        if trace[index + 1].get("what") != "exchange":
            yield index + 1, added(trace, index + 1, trace[index])


def _exchange_after(trace):
    """Let an exchange follow where nobody has blocked, or the fight is over."""
    asked = _places(trace, event="choose", what="exchange")
    for index in _places(trace, event="choose", what="attack"):
        earlier = [place for place in asked if place < index]
        if trace[index - 1].get("from") == "lp" and earlier:
            told = {name: trace[index][name] for name in _HEAD}
            yield index, added(trace, index, trace[earlier[-1]] | told)


def _draw_on(trace):
    """Play on when a deck is empty."""
    if trace[-1]["reason"] in ("main_deck", "mana_deck"):
        yield len(trace) - 1, added(trace, len(trace) - 1, trace[-2])


def _played_text(trace):
    """Leave out what a unit does when it is played."""
    faces = trace[0]["cards"]
    for index in _places(trace, event="move", fresh=True):
        effects = faces[trace[index]["card"]]["effects"]
        if effects and effects[0] in ("draw own 1", "heal own 1", "mana down 1", "hit enemy 1"):
            following = trace[index + 1]
            if following["event"] == "move" and following["from"] in ("deck", "mana_deck", "lp"):
                yield index + 1, lost(trace, index + 1)


def _card_twice(trace):
    """Draw a card that is in hand."""
    drawn = {"event": "move", "from": "deck", "to": "hand", "phase": "setup"}
    for first, second in pairwise(_places(trace, **drawn)):
        if trace[first]["owner"] == trace[second]["owner"]:
            more = {name: trace[first][name] for name in ("card", "copy")}
            yield second, changed(trace, second, **more)


_TURNED = {"event": "state", "what": "turned"}
_DRAWN = {"event": "move", "from": "deck", "to": "hand"}
_LP = {"event": "move", "from": "mana_deck", "to": "lp", "phase": "setup"}
_STRUCK = {"event": "move", "from": "lp", "phase": "battle"}
_MANA = {"event": "move", "from": "mana_deck", "to": "mana", "phase": "mana"}

#: What is done to a trace, by a name: the rule that must find it, by which numbers the games are
#: played that have a place for it, and the function that yields damaged traces with their places.
CATALOGUE = {
    "three players": ("MM-G1", "printed", _setup(_three)),
    "the winner loses": ("MM-G1", "printed", _other(_to(win60=[30, 30]), reason="lp")),
    "other LP taken": ("MM-G1", "printed", _other(_to(scores=[0, 0]), reason="lp")),
    "ends without its cause": ("MM-G1", "printed", _other(_to(reason="main_deck"), reason="lp")),
    "plays on after the last LP": ("MM-G1", "printed", _twice(event="end", reason="lp")),
    "plays on with an empty deck": ("MM-G2", "narrow", _draw_on),
    "another deck was empty": ("MM-G2", "narrow", _other(_to(reason="lp"), reason="main_deck")),
    "the last LP card is used": ("MM-G4", "printed", _use_after_loss),
    "no cap on rounds": ("MM-G5", "caps", _other(_to(reason="lp"), reason="round_cap")),
    "not drawn at the cap": ("MM-G5", "caps", _other(_to(win60=[60, 0]), reason="round_cap")),
    "more than the cap on acts": ("MM-G6", "caps", _capped),
    "five copies": ("MM-D1", "printed", _setup(_fifth_copy)),
    "mana in the main deck": ("MM-D1", "printed", _setup(_mana_in_main)),
    "too much special mana": ("MM-D1", "printed", _setup(_special)),
    "a card twice in a deck": ("MM-D1", "printed", _setup(_twin)),
    "a hand before the deal": ("MM-S1", "printed", _setup(_in_hand)),
    "a card too few is dealt": ("MM-S1", "printed", _lost(**_DRAWN, phase="setup", n=1)),
    "a card is dealt twice": ("MM-S1", "printed", _card_twice),
    "no deck is shuffled": ("MM-S2", "printed", _lost(event="shuffle", phase="setup")),
    "two redraws": ("MM-S2", "printed", _twice(event="choose", what="redraw", owner=2)),
    "an LP card too few": ("MM-S3", "printed", _lost(**_LP)),
    "the sorcerer starts down": ("MM-S3", "printed", _setup(_sorcerer_down)),
    "a card stays down": ("MM-T1", "printed", _lost(**_TURNED, phase="regenerate")),
    "no draw": ("MM-T1", "printed", _lost(**_DRAWN, phase="draw")),
    "the first seat draws": ("MM-T1", "many LP", _twice(**_DRAWN, phase="draw", turn=3)),
    "LP are miscounted": (
        "MM-T1",
        "printed",
        _other(lambda event: {"seats": event["seats"][::-1]}, what="turn", turn=2),
    ),
    "no mana phase": ("MM-T2", "printed", _lost(event="choose", what="mana_phase")),
    "mana is not put": ("MM-T2", "printed", _lost(**_MANA)),
    "mana is put down": ("MM-T2", "printed", _other(_to(ready=False), **_MANA)),
    "drawn and put": ("MM-T2", "printed", _other(_to(choice="draw_card"), what="mana_phase")),
    "moved again": ("MM-T3", "printed", _other(_to(moves=False), moves=True)),
    "a move is not made": ("MM-T3", "printed", _lost(event="move", moves=True)),
    "back to the main phase": ("MM-T4", "printed", _back_to_main),
    "damage stays": ("MM-T5", "printed", _lost(event="state", what="turn_ends")),
    "no discard": ("MM-T5", "printed", _lost(event="choose", what="discard", phase="end")),
    "nothing is paid": ("MM-C1", "printed", _lost(_alone, **_TURNED, zone="mana", ready=False)),
    "paid with what is down": ("MM-C1", "printed", _paid_twice),
    "paid in another attribute": ("MM-C2", "printed", _wrong_attribute),
    "a new unit attacks": ("MM-U1", "printed", _fresh_attacks),
    "a new unit is not held": ("MM-U1", "printed", _other(_to(fresh=False), fresh=True)),
    "a third unit in an area": ("MM-U1", "narrow", _no_room),
    "another place": ("MM-U2", "printed", _other(_more("place"), event="move", fresh=True)),
    "more AP": ("MM-U3", "printed", _other(_more("now"), what="ap")),
    "less DP": ("MM-U3", "printed", _other(_more("now", -1), what="dp")),
    "no text when played": ("MM-U4", "printed", _played_text),
    "down as it was when it left": ("MM-U5", "printed", _kept),
    "another keyword": ("MM-U6", "printed", _other(_more("now", 16), what="keywords")),
    "a spell works on": ("MM-P1", "printed", _lost(event="move", **{"from": "played"})),
    "the sorcerer again": ("MM-P1", "printed", _again()),
    "a free ability again": ("MM-P2", "free", _again(("pyra",))),
    "another target": ("MM-P3", "printed", _other(_more("place"), what="aim")),
    "no target": ("MM-P3", "printed", _lost(event="state", what="aim")),
    "attacks upright": (
        "MM-B1",
        "printed",
        _lost(_before(what="attacks"), **_TURNED),
    ),
    "who is not there attacks": ("MM-B1", "printed", _option("own_12", what="attack")),
    "two in a row": ("MM-B2", "printed", _twice(event="choose", what="exchange", choice="stop")),
    "a third pass": ("MM-B2", "printed", _third_pass),
    "blocks from nowhere": ("MM-B3", "printed", _option("own_12", what="block")),
    "no block": ("MM-B3", "printed", _lost(event="state", what="blocks")),
    "more damage": ("MM-B4", "printed", _other(_more("now"), _fought, what="damage")),
    "survives": ("MM-B4", "printed", _lost(_felled, event="state", what="destroyed")),
    "two LP": ("MM-B5", "printed", _twice(**_STRUCK)),
    "LP are not lost": ("MM-B5", "printed", _lost(**_STRUCK)),
    "LP to mana down": ("MM-B5", "printed", _other(_to(ready=False), **_STRUCK)),
    "not the top LP": ("MM-B5", "printed", _other_lp),
    "an exchange after the end": ("MM-B6", "printed", _exchange_after),
    "an effect is left out": (
        "MM-K1",
        "printed",
        _lost(_before(**{"from": "played"}), **_DRAWN),
    ),
    "special mana without use": (
        "MM-K1",
        "printed",
        _lost(event="state", what="uses", phase="mana"),
    ),
    "fallen in another order": ("MM-K2", "printed", _fallen_in_turn),
    "a search that shuffles not": ("MM-K3", "printed", _lost(event="shuffle", phase="main")),
}


#: Fields of events that only one value fits, and another value for each.
_FIELDS = {
    **dict.fromkeys(("n", "round", "turn", "seat", "owner", "place", "now", "whose"), 1),
    "cards": -1,
    **dict.fromkeys(("ready", "fresh", "moves"), None),
    "phase": "setup",
    "reason": "both",
    "scores": [99, 99],
    "ranks": [2, 2],
    "win60": [20, 40],
}


def sweep(trace, index):
    """Yield all that is done to any event: lost, told twice, with another value of a field."""
    event = trace[index]
    yield "lost", lost(trace, index)
    if event["event"] != "end":
        yield "twice", added(trace, index, event)
    yield "added", changed(trace, index, added=0)
    for name, other in _FIELDS.items():
        if name not in event or event[name] == other:
            continue
        if isinstance(other, int):
            other = event[name] + other
        yield name, changed(trace, index, **{name: not event[name] if other is None else other})
