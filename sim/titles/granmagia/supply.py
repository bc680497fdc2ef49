"""Set-up: the drawn kinds, the magic deck, starting decks, coins, the first field (GM-S, GM-F)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.pile import Card, Pile
from sim.errors import NO_SUPPLY, EngineError
from sim.titles.granmagia.info import INFO, STREAMS
from sim.titles.granmagia.tables import NO_PILE, Flag, Tables

if TYPE_CHECKING:
    from sim.core.stream import Stream
    from sim.titles.granmagia.reference import Game

__all__ = ["draw_kinds", "draw_rares", "refill", "set_up", "starting_piles"]

#: Parts of one in which ``third_burn_accept`` is counted.
CHANCE_UNIT = 10_000


def draw_kinds(tables: Tables, stream: Stream) -> list[int]:
    """Draw the kinds of a game, in the order drawn (GM-F1, GM-F2, GM-F9).

    Raises
    ------
    EngineError
        With ``NO_SUPPLY`` after too many tries.
    """
    flags, rule = tables.flags, tables.rule
    tries = 0
    while True:
        tries += 1
        pool: list[int] = tables.pool.tolist()
        chosen: list[int] = []
        burns = 0
        while len(chosen) < rule["supply_kinds"]:
            j = stream.bounded(len(pool))
            kind = pool[j]
            if flags[kind] & Flag.BURN:
                if burns >= 2 and stream.bounded(CHANCE_UNIT) >= rule["third_burn_accept"]:
                    # Refused: it stays among the candidates, this one draw is repeated.
                    tries += 1
                    if tries > rule["supply_attempts"]:
                        raise EngineError(NO_SUPPLY, INFO.id)
                    continue
                burns += 1
            pool[j] = pool[-1]
            pool.pop()
            chosen.append(kind)
        drawn = 0
        for kind in chosen:
            drawn |= flags[kind]
        grows, burning = drawn & Flag.HAND_GROWING, drawn & Flag.BURN
        safe = not drawn & Flag.ATTACK or drawn & Flag.DEFENCE
        if grows and burning and safe:
            return chosen
        if tries >= rule["supply_attempts"]:
            raise EngineError(NO_SUPPLY, INFO.id)


def draw_rares(tables: Tables, stream: Stream, players: int) -> list[int]:
    """Draw the rares of a game, uniformly without repeats (GM-F3)."""
    pool, drawn = tables.rares.tolist(), []
    for _ in range(players * tables.rule["rares_per_player"]):
        j = stream.bounded(len(pool))
        drawn.append(pool[j])
        pool[j] = pool[-1]
        pool.pop()
    return drawn


def starting_piles(tables: Tables, players: int) -> list[int]:
    """Return the size of each kind's pile before the first turn (GM-F5, GM-F6)."""
    rule = tables.rule
    piles = [0 if size == NO_PILE else size for size in tables.kinds["pile"].tolist()]
    piles[tables.kind_names.index("curse")] = rule["curses_per_rival"] * (players - 1)
    if rule["start_taken"]:
        for kind, copies in enumerate(tables.kinds["start"].tolist()):
            if tables.flags[kind] & Flag.ON_OFFER and piles[kind] >= 0:
                piles[kind] = max(piles[kind] - copies * players, 0)
    return piles


def set_up(game: Game) -> None:
    """Set a game up; afterwards seat 1 is about to start its first turn."""
    tables, players = game.tables, len(game.seats)
    stream = game.stream(STREAMS.number("supply"))
    game.piles = starting_piles(tables, players)
    game.witches = [
        witch for witch, enabled in enumerate(tables.witches["enabled"].tolist()) if enabled
    ]
    game.chosen = draw_kinds(tables, stream)
    game.rares = draw_rares(tables, stream, players)
    copies = int(tables.copies[players - 2])
    # GM-F3: kind by kind in the order drawn, then the rares; nothing of it is settled.
    magic = [game.new_card(kind) for kind in game.chosen for _ in range(copies)]
    game.magic_deck = Pile(magic + [game.new_card(kind) for kind in game.rares])
    for seat in game.seats:
        seat.silver, seat.gold = tables.coins[players - 2, seat.index].tolist()  # GM-S3
        # GM-S2: in the order of kind codes.
        for kind, number in enumerate(tables.kinds["start"].tolist()):
            seat.deck.cards += [game.new_card(kind) for _ in range(number)]
    if game.story:
        game.story.set_up(game)
    for seat in game.seats:
        game.draw(seat, tables.rule["start_hand"])
        for card in seat.hand:
            game.counts[seat.index, card.kind, 1] += 1
    refill(game)  # GM-F10


def refill(game: Game) -> None:
    """Turn cards up until enough kinds lie in the field or the magic deck is empty (GM-F4)."""
    while len(game.field) < game.tables.rule["field_kinds"] and game.magic_deck.cards:
        card: Card = game.magic_deck.draw(game.magic_stream)
        game.field.setdefault(card.kind, []).append(card)
        game.counts[:, card.kind, 0] = 1
        if game.story:
            game.story.move(card, "magic_deck", "field", None)
