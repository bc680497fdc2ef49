"""A whole game told to people: rounds and turns as headings, one line for what belongs together.

A trace has an event for every card that moves and every number that changes. Here a turn's clearing
up is left to the next heading, which says what is in hand; a purchase is one line with its price,
a draw one line with its cards. What a seat could have chosen instead stands in brackets; of an
acquisition it does not, as that is all the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sim.titles.granmagia.phrases import ATTRIBUTES, DECLINED, LINES, PLACES, TEXTS
from sim.titles.granmagia.telling import RESOURCES, Words, tell

__all__ = ["narrate"]

_Event = Mapping[str, Any]

_COINS = ("silver", "gold")
_STANDING = ("silver", "gold", "tokens", "barriers")


def narrate(events: Sequence[_Event], language: str = "en") -> Iterator[str]:
    """Tell a game to people, line by line.

    Parameters
    ----------
    events : sequence of mapping
        The trace of a game from its set-up on; cards are called what its rules call them.
    language : {"en", "ja"}

    Examples
    --------
    >>> import sim
    >>> game = sim.trace("granmagia", game=0, lineup=["engine", "big_stones"])
    >>> next(narrate(game.events))
    'Deal 0, 2 players: seat 1 plays engine; seat 2 plays big_stones (silver 1).'
    """
    return _Narrator(events, language).lines()


class _Narrator:
    """Follows a trace, and keeps in mind what headings tell."""

    def __init__(self, events: Sequence[_Event], language: str) -> None:
        self.events, self.setup = events, events[0]
        self.words = Words(language, self.setup)
        self.hands: dict[int, Counter[str]] = {}
        self.own: dict[int, Counter[str]] = {}
        self.standing: dict[int, dict[str, int]] = {}
        self.witches: dict[int, str] = {}
        self.field: Counter[str] = Counter(
            {kind: len(cards) for kind, cards in self.setup["field"].items()}
        )
        for number, seat in enumerate(self.setup["seats"], 1):
            self.hands[number] = Counter(kind for kind, _ in seat["hand"])
            self.own[number] = Counter(kind for kind, _ in seat["own"])
            self.standing[number] = {what: seat[what] for what in _STANDING}
            if seat["witch"]:
                self.witches[number] = seat["witch"]
        self.round = 0
        #: What the turn gives by itself, and is not told.
        self.granted: set[str] = set()
        #: What else could have been chosen; told with what the choice brings about.
        self.others = ""

    # -- words -----------------------------------------------------------------------------------

    def line(self, name: str, /, **fields: Any) -> str:
        return self.words.of(LINES[name]).format(**fields)

    def seat(self, number: int) -> str:
        return self.words.seat(number, starts=True)

    def counted(self, cards: Mapping[str, int]) -> str:
        """Return cards with their numbers, in the order first met."""
        names = [
            self.words.name(kind) + (f" ×{number}" if number > 1 else "")
            for kind, number in cards.items()
            if number
        ]
        return self.words.of((", ", "、")).join(names) or self.words.of(("none", "なし"))

    # -- the course ------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        place = 0
        while place < len(self.events):
            group = self._group(place)
            for each in group:
                self._follow(each)
            told = [line for line in self._tell(group) if line]
            if told and self.others and group[0]["event"] != "choose":
                told[0], self.others = told[0] + self.others, ""
            yield from told
            place += len(group)

    def _group(self, place: int) -> Sequence[_Event]:
        """Return the events from a place on that one line tells."""
        event, end = self.events[place], place + 1
        kind = event["event"]
        if kind == "move":
            end = self._while(end, lambda each: _like(event, each))
            if _lays_stones(event):
                end = self._while(end, lambda each: each["event"] == "change")
        elif kind == "change":
            end = self._while(end, lambda each: _goes_on(event, each))
        elif (
            kind == "choose" and event["what"] in ("cast", "acquire") and event["choice"] != "stop"
        ):
            # Up to the move of the card, which a trace that breaks off may lack.
            end = self._while(end, lambda each: each["event"] != "move")
            end = min(end + 1, len(self.events))
        return self.events[place:end]

    def _while(self, place: int, goes_on: Callable[[_Event], bool]) -> int:
        """Return the first place from here on whose event does not go on."""
        while place < len(self.events) and goes_on(self.events[place]):
            place += 1
        return place

    def _follow(self, event: _Event) -> None:
        """Keep what an event changes of what headings tell."""
        if event["event"] == "change" and event["what"] in _STANDING:
            self.standing[event["owner"]][event["what"]] = event["now"]
        if event["event"] != "move":
            return
        kind, owner = event["card"], event["owner"]
        if event["from"] == "witches":
            self.witches[owner] = kind
            return
        for end, by in (("from", -1), ("to", 1)):
            holder = event.get("giver", owner) if end == "from" else owner
            if event[end] == "hand":
                self.hands[holder][kind] += by
            elif event[end] == "own":
                self.own[holder][kind] += by
            elif event[end] == "field":
                self.field[kind] += by

    def _tell(self, group: Sequence[_Event]) -> Iterable[str]:
        event = group[0]
        tells: dict[str, Callable[[Sequence[_Event]], Iterable[str]]] = {
            "setup": self._setup,
            "move": self._moves,
            "change": self._changes,
            "choose": self._choice,
            "end": self._end,
        }
        if event["event"] in tells:
            return tells[event["event"]](group)
        if event.get("what") == "turn":
            return self._turn(event)
        return [self._plain(event)]

    def _plain(self, event: _Event) -> str:
        return tell(event, self.words.language, self.setup)

    # -- set-up and headings -----------------------------------------------------------------------

    def _setup(self, _: Sequence[_Event]) -> Iterator[str]:
        setup = self.setup
        seats = [
            self.line(
                "plays", seat=self.words.seat(number), policy=policy, coins=self._coins(number)
            )
            for number, policy in enumerate(setup["lineup"], 1)
        ]
        joined = self.words.of(("; ", "、")).join(seats)
        yield self.line("players", deal=setup["deal"], number=setup["players"], seats=joined)
        for table in ("chosen", "rares"):
            yield self.line("kinds" if table == "chosen" else table)
            yield from map(self._kind, setup[table])
        yield self.line("witches")
        yield from map(self._witch, setup["witches"])

    def _coins(self, number: int) -> str:
        coins = [
            f"{self.words.of(RESOURCES[what])} {self.standing[number][what]}"
            for what in _COINS
            if self.standing[number][what]
        ]
        return self.words.of((" ({})", "（{}）")).format(", ".join(coins)) if coins else ""

    def _kind(self, kind: str) -> str:
        text = self.setup["cards"][kind]
        attributes = "".join(
            self.words.of((", ", "、")) + self.words.of(ATTRIBUTES[name])
            for name in text["attributes"]
        )
        texts = [
            self.words.of(before) + ", ".join(text[part])
            for part, before in TEXTS.items()
            if text[part]
        ]
        return self.line(
            "kind",
            name=self.words.name(kind),
            cost=text["cost"],
            attributes=attributes,
            text="; ".join(texts) or self.words.of(("no effect", "効果なし")),
        )

    def _witch(self, witch: str) -> str:
        text = self.setup["contracts"][witch]
        victory, ability = text["victory"], ", ".join(text["ability"])
        fields = {
            "name": self.words.name(witch),
            "cost": text["cost"],
            "ability": self.line("ability", text=ability) if ability else "",
        }
        if not victory["enabled"] or victory["kind"] is None:
            return self.line("no victory", **fields)
        players = self.setup["players"]
        need = f"≥ {victory['need'][f'{players}p']}"
        if victory["kind"] == "curses":
            need = self.words.of(("= all", "＝全部"))
        return self.line(
            "witch",
            **fields,
            condition=self.words.condition(victory["kind"], victory["card"]),
            need=need,
            truth=victory["truth"],
            timing=self.line(victory["timing"]),
        )

    def _turn(self, event: _Event) -> Iterator[str]:
        self.granted = {"casts", "acquisitions"}
        if event["round"] != self.round:
            self.round = event["round"]
            yield self.line(
                "round",
                round=self.round,
                truths=self.words.numbers(event["truths"]),
                kinds=event["kinds"],
                field=self.counted(self.field),
                deck=event["magic_deck"],
            )
        owner = event["owner"]
        own = self.counted(self.own[owner]) if self.own[owner].total() else ""
        standing = "".join(
            f"{self.words.of((', ', '、'))}{self.words.of(RESOURCES[what])} {number}"
            for what, number in self.standing[owner].items()
            if number
        )
        yield self.line(
            "turn",
            seat=self.seat(owner),
            who=self._who(owner),
            extra=self.line("extra") if event["extra"] else "",
            truth=event["truths"][owner - 1],
            standing=standing,
            hand=self.counted(self.hands[owner]),
            own=self.line("own", cards=own) if own else "",
        )

    def _who(self, number: int) -> str:
        """Return which policy plays a seat, and her witch."""
        who = [str(self.setup["lineup"][number - 1])]
        if number in self.witches:
            who.append(self.words.name(self.witches[number]))
        return self.words.of((", ", "、")).join(who)

    def _end(self, group: Sequence[_Event]) -> Iterator[str]:
        end = group[0]
        yield self._plain(end)
        standings = [
            self.line("standing", rank=rank, seat=self.words.seat(n), who=self._who(n), truth=truth)
            for rank, n, truth in sorted(
                zip(end["ranks"], range(1, len(end["ranks"]) + 1), end["scores"], strict=True)
            )
        ]
        yield self.words.of(("; ", "、")).join(standings) + self._stop()

    # -- choices ---------------------------------------------------------------------------------

    def _choice(self, group: Sequence[_Event]) -> Iterator[str]:
        event = group[0]
        seat, what, choice = self.seat(event["owner"]), event["what"], event["choice"]
        others = [option for option in event["options"] if option not in (choice, "stop")]
        if choice == "stop":
            if what == "cast":
                yield self.line("no more", seat=seat) + self._could(others)
            elif what != "acquire":
                yield self.line(
                    "declines", seat=seat, what=self.words.of(DECLINED[what])
                ) + self._could(others)
        elif what == "cast":
            left = group[1]["now"] if len(group) > 1 else 0
            more = self.line("casts left", casts=left) if left else ""
            card = self.words.name(choice)
            yield self.line("cast", seat=seat, card=card, more=more) + self._or(others)
        elif what == "acquire":
            price = [
                self.line(
                    "price", number=-change["by"], what=self.words.of(RESOURCES[change["what"]])
                )
                for change in group
                if change["event"] == "change" and change["what"] != "acquisitions"
            ]
            yield self.line(
                "contract" if choice in self.setup["contracts"] else "pays",
                seat=seat,
                card=self.words.name(choice),
                price=self.words.of((" + ", "＋")).join(price) or self.line("nothing"),
            )
        else:
            self.others = self._or(others)

    def _or(self, names: Sequence[str]) -> str:
        return self.line("or", names=self.words.names(names)) if names else ""

    def _could(self, names: Sequence[str]) -> str:
        """Return what was not done; to pay or not is said already."""
        names = [name for name in names if name not in self.setup["contracts"]]
        return self.line("could", names=self.words.names(names)) if names else self._stop()

    def _stop(self) -> str:
        return self.words.of((".", "。"))

    # -- moves and changes -------------------------------------------------------------------------

    def _moves(self, group: Sequence[_Event]) -> Iterator[str]:
        event, moves = group[0], [each for each in group if each["event"] == "move"]
        cards = self.counted(Counter(each["card"] for each in moves))
        source, target = event["from"], event["to"]
        if event["owner"] is None:
            if event["phase"] != "setup":
                yield self.line("field" if target == "field" else "magic burns", cards=cards)
            return
        fields = {"seat": self.seat(event["owner"]), "cards": cards}
        if source in PLACES:
            fields["zone"] = self.words.of(PLACES[source])
        if _lays_stones(event):
            changes = self._listed(group[len(moves) :])
            yield self.line("stones", **fields, changes=changes)
        elif "giver" in event:
            giver = self.seat(event["giver"])
            yield self.line("passes", giver=giver, to=self.words.seat(event["owner"]), cards=cards)
        elif event["phase"] not in ("setup", "end"):
            yield self.line(_phrase(source, target), **fields)

    def _changes(self, group: Sequence[_Event]) -> Iterator[str]:
        told = []
        for event in group:
            what = event["what"]
            if what in self.granted and event["phase"] == "start":
                self.granted.remove(what)
            elif event["phase"] == "end" and what == "mana":
                number = -event["by"]
                yield self.line("unused", seat=self.seat(event["owner"]), number=number)
            elif self._matters(event):
                told.append(event)
        if told:
            seat = self.seat(group[0]["owner"])
            yield self.line("changes", seat=seat, changes=self._listed(told))

    def _matters(self, event: _Event) -> bool:
        """Whether anything hangs on a number that changes."""
        what, witch = event["what"], self.witches.get(event["owner"])
        if event["phase"] == "end":
            return bool(what == "gold")
        if what not in ("uses", "kinds_cast"):
            return True
        victory = self.setup["contracts"][witch]["victory"] if witch else {"kind": None}
        if what == "kinds_cast":
            return bool(victory["kind"] == "kinds")
        card = event["card"]
        return bool(self.setup["cards"][card]["gives"] or victory.get("card") == card)

    def _listed(self, changes: Iterable[_Event]) -> str:
        """Return what changes by how much, to how much."""
        sums: dict[tuple[str, str], tuple[int, int]] = {}
        for event in changes:
            key = event["what"], event.get("card", "")
            sums[key] = sums.get(key, (0, 0))[0] + event["by"], event["now"]
        texts = []
        for (what, card), (by, now) in sums.items():
            name = self.words.of(RESOURCES[what])
            if card:
                name += self.words.of((" ", "")) + self.words.name(card)
            texts.append(
                self.words.of(("{} {:+d} (now {})", "{}{:+d}（{}）")).format(name, by, now)
            )
        return self.words.of((", ", "、")).join(texts)


def _like(event: _Event, other: _Event) -> bool:
    """Whether two moves are of one sort."""
    fields = ("event", "from", "to", "owner", "phase", "giver")
    return [event.get(name) for name in fields] == [other.get(name) for name in fields]


def _lays_stones(event: _Event) -> bool:
    return (event["to"], event["phase"]) == ("play", "acquire")


def _goes_on(event: _Event, other: _Event) -> bool:
    """Whether a change goes on with another one of the same seat."""
    fields = ("event", "owner", "phase")
    return [event.get(name) for name in fields] == [other.get(name) for name in fields]


def _phrase(source: str, target: str) -> str:
    """Return what a move within a turn is called."""
    if target == "burned":
        return "burns" if source == "hand" else "burns from"
    if target == "removed":
        return "removed"
    if source == "deck":
        return "draws" if target == "hand" else "discards from"
    if source == "hand":
        return "discards"
    if source == "own":
        return "returns"
    return "to hand" if target == "hand" else "receives"
