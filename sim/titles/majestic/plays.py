"""Playing cards and using abilities: what can be, what it costs, whom it is aimed at (MM-P, MM-C).

Order: the target is chosen, the cost is paid, a unit comes to the field or a spell lies open, then
the effects work (MM-P3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from sim.titles.majestic.effects import work
from sim.titles.majestic.field import areas_with_room, movers, restricted
from sim.titles.majestic.info import MOVE, TARGET
from sim.titles.majestic.schema import TARGETS
from sim.titles.majestic.texts import Context, holds

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit
    from sim.titles.majestic.tables import Text

__all__ = [
    "Offer",
    "act",
    "choose_target",
    "exchange_options",
    "main_options",
    "offered",
    "pay",
    "targets",
    "usable",
    "use_special",
]


class Offer(NamedTuple):
    """A text that could be used, the unit that bears it, and where its LP losses are counted."""

    text: Text
    unit: Unit | None
    source: str


def offered(game: Game, seat: Seat, option: int) -> Offer | None:
    """Return the text that an option of a main phase or an exchange would use."""
    if option < len(game.faces):
        face = game.faces[option]
        return Offer(face.text, None, "units" if face.sort == "unit" else "spells")
    if option == game.code.sorcery:
        return Offer(game.sorcerer_text(seat), None, "sorcerer")
    unit = game.unit_at(seat, option)
    if unit is None or unit.owner != seat.index:
        return None
    ability = game.faces[unit.kind].ability
    return None if ability is None else Offer(ability, unit, "abilities")


def targets(game: Game, seat: Seat, offer: Offer) -> list[Unit]:
    """Return the legal targets of a text: own units first, place by place."""
    side, other = TARGETS[offer.text.target], game.other(seat)
    sides: dict[str, tuple[Seat, ...]] = {
        "": (),
        "own": (seat,),
        "enemy": (other,),
        "any": (seat, other),
    }
    return [
        unit
        for one in sides[side]
        for unit in one.units()
        if holds(game, Context(seat, offer.unit, unit), offer.text.where)
    ]


def usable(game: Game, seat: Seat, offer: Offer) -> bool:
    """Whether what a text needs holds, and it has a target if it wants one (MM-P1)."""
    if not holds(game, Context(seat, offer.unit), offer.text.needs):
        return False
    return not offer.text.target or bool(targets(game, seat, offer))


def can_pay(seat: Seat, attribute: int, cost: int) -> bool:
    """Whether a cost can be paid (MM-C1)."""
    if not cost:
        return True
    ready = seat.ready_mana
    return ready[attribute] > 0 and sum(ready) >= cost


def pay(game: Game, seat: Seat, attribute: int, cost: int) -> None:
    """Turn mana down (MM-C1), by the rule of MM-C2."""
    for number in range(cost):
        ready = seat.ready_mana
        chosen = attribute
        if number:
            # Most ready first; the own attribute last of equal ones, then the first attribute.
            chosen = max(range(len(ready)), key=lambda a: (ready[a], a != attribute, -a))
        card = next(one for one in seat.mana if one.ready and one.attribute == chosen)
        card.ready = False
        seat.mana_spent += 1
        if game.story:
            game.story.turned(seat, card.card, ready=False, zone="mana")


# -- what is legal -------------------------------------------------------------------------------


def main_options(game: Game, seat: Seat) -> set[int]:
    """Return what a seat may do in its main phase (MM-T3); ``stop`` goes on to the battles."""
    options = exchange_options(game, seat)
    areas = {unit.front for unit in movers(game, seat)}
    options |= {game.code.retreat if front else game.code.advance for front in areas}
    if seat.acts < game.rule["acts_cap"] and areas_with_room(game, seat):
        for kind in {card.kind for card in seat.hand}:
            face = game.faces[kind]
            if face.sort == "unit" and _allowed(game, seat, kind):
                options.add(kind)
    return options


def exchange_options(game: Game, seat: Seat) -> set[int]:
    """Return which spells and abilities a seat may use (MM-P1); ``stop`` passes."""
    options = {game.stop}
    if seat.acts >= game.rule["acts_cap"]:  # MM-G6
        return options
    for kind in {card.kind for card in seat.hand}:
        face = game.faces[kind]
        spell = face.sort == "spell" and _allowed(game, seat, kind)
        if spell and usable(game, seat, Offer(face.text, None, "spells")):
            options.add(kind)
    for unit in seat.units():
        ability = game.faces[unit.kind].ability
        ready = unit.ready and not restricted(game, unit)
        if ability and _ability(game, seat, Offer(ability, unit, ""), ready, unit.spent):
            options.add(game.code.own + unit.place)
    offer = Offer(game.sorcerer_text(seat), None, "")
    if _ability(game, seat, offer, seat.sorcerer_ready, seat.sorcerer_spent):
        options.add(game.code.sorcery)
    return options


def _allowed(game: Game, seat: Seat, kind: int) -> bool:
    face = game.faces[kind]
    barred = game.bans[seat.index] >> kind & 1
    return not barred and can_pay(seat, face.attribute, face.cost)


def _ability(game: Game, seat: Seat, offer: Offer, ready: bool, used: bool) -> bool:
    """Whether an ability can be used (MM-P1, MM-P2, MM-U1)."""
    text = offer.text
    if (text.down and not ready) or (_free(text) and used):
        return False
    return can_pay(seat, text.attribute, text.cost) and usable(game, seat, offer)


def _free(text: Text) -> bool:
    return not text.cost and not text.down


# -- doing it ------------------------------------------------------------------------------------


def act(game: Game, seat: Seat, option: int) -> None:
    """Do what a seat has chosen in its main phase or in an exchange."""
    if option in (game.code.advance, game.code.retreat):
        _move(game, seat, front=option == game.code.advance)
        return
    seat.acts += 1
    if option >= len(game.faces):
        _use(game, seat, option)
    elif game.faces[option].sort == "unit":
        _play_unit(game, seat, option)
    else:
        _play_spell(game, seat, option)


def _move(game: Game, seat: Seat, *, front: bool) -> None:
    """Let a seat move one of its units to an area (MM-T3)."""
    able = {game.code.own + unit.place: unit for unit in movers(game, seat) if unit.front != front}
    unit = able[game.decide(seat, MOVE, able)]
    unit.moved = True
    seat.moves += 1
    game.shift(unit, front=front, moves=True)


def choose_target(game: Game, seat: Seat, offer: Offer) -> Unit | None:
    """Let a seat choose the target of a text; None for a text without one, or with none legal."""
    codes = {game.code_of(seat, unit): unit for unit in targets(game, seat, offer)}
    if not codes:
        return None
    game.pending = offer
    target = codes[game.decide(seat, TARGET, codes)]
    game.pending = None
    if game.story:
        game.story.aimed(seat, target)
    return target


def _play_unit(game: Game, seat: Seat, kind: int) -> None:
    front = game.choose_area(seat, kind)
    pay(game, seat, game.faces[kind].attribute, game.faces[kind].cost)
    unit = game.put_unit(seat, seat.take_from_hand(kind), "hand", front=front, fresh=True)
    seat.units_played += 1
    game.count(seat, kind, "played")
    offer = Offer(game.faces[kind].text, unit, "units")
    if offer.text.effects and holds(game, Context(seat, unit), offer.text.needs):  # MM-U4
        work(game, seat, offer, choose_target(game, seat, offer))


def _play_spell(game: Game, seat: Seat, kind: int) -> None:
    offer = Offer(game.faces[kind].text, None, "spells")
    target = choose_target(game, seat, offer)
    pay(game, seat, game.faces[kind].attribute, game.faces[kind].cost)
    card = seat.take_from_hand(kind)
    game.put(seat, card, "hand", "played")
    seat.spells_played += 1
    seat.spells_in_battle += game.battle.exchange > 0
    game.count(seat, kind, "played")
    work(game, seat, offer, target)
    seat.played.remove(card)
    game.put(seat, card, "played", "trash")


def _use(game: Game, seat: Seat, option: int) -> None:
    offer = offered(game, seat, option)
    assert offer is not None
    target = choose_target(game, seat, offer)
    pay(game, seat, offer.text.attribute, offer.text.cost)
    free = _free(offer.text)
    if offer.unit is None:
        seat.sorcerer_used += 1
        seat.sorcerer_spent = seat.sorcerer_spent or free
        if game.story:
            game.story.uses(seat, game.tables.sorcerer_names[seat.sorcerer])
        if offer.text.down:
            game.turn_sorcerer(seat, ready=False)
    else:
        seat.abilities_used += 1
        offer.unit.spent = offer.unit.spent or free
        if game.story:
            game.story.uses(seat, game.tables.names[offer.unit.kind], place=offer.unit.place + 1)
        if offer.text.down:
            game.set_ready(offer.unit, ready=False)
    work(game, seat, offer, target)


def use_special(game: Game, seat: Seat, cards: Iterable[Card]) -> None:
    """Let a seat use the effects of special mana that came to its mana zone (MM-T2, MM-K1)."""
    for card in cards:
        text = game.mana_text(card)
        if text is None:
            continue
        offer = Offer(text, None, "special")
        if usable(game, seat, offer) and game.wants_special(seat):
            seat.special_used += 1
            if game.story:
                game.story.uses(seat, game.tables.names[card.kind])
            work(game, seat, offer, choose_target(game, seat, offer))
