"""What is counted of the primitives of card texts: what each did, and where it could do nothing."""

from __future__ import annotations

from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.victories import CURSE
from sim.titles.granmagia.words import ATTACKS, PRIMITIVES, SEALS

__all__ = ["counted_primitives", "receive_one"]


def counted_primitives(hits, played):
    """Return the primitives as a table like ``effects._PLAYED``, each counting."""
    return tuple(
        _primitive(hits, primitive.id, play)
        for primitive, play in zip(PRIMITIVES, played, strict=True)
    )


def receive_one(hits, play):
    """Return how a card is received, counting."""

    def received(game, seat, limit, bits, place):
        before = seat.receipts
        hits["receive: ritual or arcana left out for an apprentice"] += seat.witch < 0 and any(
            bits >> kind & 1 and game.tables.cost[kind] <= limit and game.piles[kind] != 0
            for kind, flags in enumerate(game.tables.flags)
            if flags & Flag.NAMED_ONLY
        )
        owned = game.counts[seat.index, :, 3].copy()
        try:
            play(game, seat, limit, bits, place)
        finally:
            hits["receive: nothing on offer"] += seat.receipts == before
            for kind in {kind for kind in game.seal_piles if kind >= 0}:
                got = game.counts[seat.index, kind, 3] > owned[kind]
                dear = game.price(seat, kind) > limit >= game.tables.cost[kind]
                hits["receive: by the printed cost, though sealed"] += bool(got and dear)

    return received


def _state(game):
    """Return what any primitive changes when it does something."""
    return (
        game.casts,
        game.acquisitions,
        game.mana,
        game.extra_earned,
        game.piles[CURSE],
        len(game.burned),
        *game.seal_piles,
        *(
            (len(s.hand), len(s.deck.cards), len(s.discard), s.gold, s.tokens, s.barriers)
            for s in game.seats
        ),
    )


def _primitive(hits, name, play):
    before_it, after_it = _BEFORE.get(name), _AFTER.get(name)

    def counted(game, seat, amount, effect):
        hits["effects played"] += 1
        if effect["per_observable"] >= 0:
            hits["effect: multiplied by none"] += amount == 0
            hits["effect: multiplied by less than none"] += amount < 0
        known = before_it(hits, game, seat, amount) if before_it else None
        state, over = _state(game), True
        try:
            play(game, seat, amount, effect)
            over = False
        finally:
            done = over or _state(game) != state
            hits[f"primitive: {name}" if done else f"primitive without effect: {name}"] += 1
        game.effect_played()
        if after_it:
            after_it(hits, game, seat, amount, known)

    return counted


# -- what is known before a primitive, and what is told after it


def _resource(name):
    def before(hits, game, seat, amount):
        hits["effect: resource stops at 0"] += getattr(game, name) + amount < 0

    return before


def _before_look(hits, game, seat, amount):
    deck, discard = seat.deck.cards, seat.discard
    hits["look: reshuffled first"] += amount > 0 and not deck and bool(discard)
    hits["look: short deck"] += 0 < len(deck) < amount
    hits["look: nothing to look at"] += amount > 0 and not deck and not discard


def _owned(hits, game, seat, amount):
    return seat.burns, seat.receipts


def _after_trade(hits, game, seat, amount, known):
    burns, receipts = seat.burns - known[0], seat.receipts - known[1]
    hits["trade: nothing for it"] += burns > receipts
    hits["trade: declined"] += burns == 0 and bool(seat.hand)


def _after_upgrade(hits, game, seat, amount, known):
    if amount > 0:
        stones = {card.kind for card in seat.hand}
        larger = game.tables.upgrade
        hits["upgrade: none possible"] += not any(larger[kind] >= 0 for kind in stones)
        hits["choice: barred upgrade"] += any(
            larger[kind] >= 0 and game.bans[seat.index] >> larger[kind] & 1 for kind in stones
        )


def _before_extra_turn(hits, game, seat, amount):
    hits["extra turn: none inside another"] += amount > 0 and game.extra
    hits["extra turn: earned twice"] += amount > 0 and game.extra_earned


def _before_seal(hits, game, seat, seal):
    return game.seal_piles[seal]


def _after_seal(hits, game, seat, seal, was):
    now = game.seal_piles[seal]
    hits[f"seal placed: {game.tables.seal_names[seal]}"] += 1
    if was < 0:
        hits["seal: placed first"] += 1
    else:
        hits["seal: moved" if now != was else "seal: kept where it was"] += 1
    hits["seal: on an empty pile"] += game.piles[now] == 0
    hits["seal: two on a pile"] += game.seal_piles.count(now) > 1


def _others(game, seat):
    return [other for other in game.seats if other is not seat]


def _before_attack(hits, game, seat, amount):
    hits["attack: amount of none"] += amount == 0
    hits["attack: amount below none"] += amount < 0
    return {
        "pile": game.piles[CURSE],
        "hands": {other.index: len(other.hand) for other in _others(game, seat)},
        "gold": {other.index: other.gold for other in _others(game, seat)},
        "curses": sum(card.kind == CURSE for card in seat.hand),
        "given": seat.curses_given,
    }


def _after_attack(after):
    def told(hits, game, seat, amount, known):
        if amount <= 0:
            return
        hit = [other for other in _others(game, seat) if game.hit[other.index]]
        hits["attack: nobody hit"] += not hit
        hits["attack: some hit, some not"] += 0 < len(hit) < len(game.hit)
        after(hits, game, seat, amount, known, hit)

    return told


def _curses(hits, game, seat, amount, known, hit):
    given = seat.curses_given - known["given"]
    hits["curses: pile empty"] += known["pile"] == 0 and bool(hit)
    hits["curses: pile runs out among seats"] += 0 < given < amount * len(hit)
    hits["curses: many to a seat"] += amount > 1 and given > 1


def _pass_curses(hits, game, seat, amount, known, hit):
    given = seat.curses_given - known["given"]
    hits["curses: none in hand to pass"] += known["curses"] == 0 and bool(hit)
    hits["curses: fewer to pass than asked for"] += 0 < given < amount * len(hit)
    hits["curses: passed to a second seat"] += given > amount


def _discards(hits, game, seat, amount, known, hit):
    hands = [known["hands"][other.index] for other in hit]
    hits["others discard: short hand"] += any(0 < held < amount for held in hands)
    hits["others discard: empty hand"] += 0 in hands
    hits["others discard: a choice"] += any(held > amount for held in hands)


def _discards_to(hits, game, seat, amount, known, hit):
    hands = [known["hands"][other.index] for other in hit]
    hits["others discard: hand small enough"] += any(held <= amount for held in hands)


def _takes_gold(hits, game, seat, amount, known, hit):
    for other in hit:
        gold = known["gold"][other.index]
        what = "none there" if not gold else "all of it" if gold <= amount else "part of it"
        hits[f"take gold: {what}"] += 1


def _before_take_curses(hits, game, seat, amount):
    return seat.curses_taken


def _after_take_curses(hits, game, seat, amount, taken):
    taken = seat.curses_taken - taken
    hits["curses: taken by oneself"] += taken > 0
    hits["curses: taken by oneself, too few left"] += taken < amount


def _before_gain(hits, game, seat, amount):
    """Note that what an attacker gets for itself happens though all defend (GM-A3)."""
    hits["attack: own effect though all defend"] += (
        amount > 0 and bool(game.hit) and not any(game.hit.values())
    )


def _both(*befores):
    def before(hits, game, seat, amount):
        for each in befores:
            each(hits, game, seat, amount)

    return before


_BEFORE = {
    **{name: _both(_resource(name), _before_gain) for name in ("casts", "acquisitions", "mana")},
    **dict.fromkeys(("gold", "draw", "barrier", "tokens"), _before_gain),
    "look": _before_look,
    "trade": _owned,
    "extra_turn": _before_extra_turn,
    SEALS: _before_seal,
    "take_curses": _before_take_curses,
    **dict.fromkeys(ATTACKS, _before_attack),
}

_AFTER = {
    "trade": _after_trade,
    "upgrade": _after_upgrade,
    SEALS: _after_seal,
    "take_curses": _after_take_curses,
    "curses": _after_attack(_curses),
    "pass_curses": _after_attack(_pass_curses),
    "others_discard": _after_attack(_discards),
    "others_discard_to": _after_attack(_discards_to),
    "take_gold": _after_attack(_takes_gold),
}
