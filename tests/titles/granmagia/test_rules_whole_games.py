"""Whole games by data policies: what the rules say of every turn, and cards that are never lost."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titles.granmagia.staging import (
    CARDS,
    EXCLUSIVES,
    WITCHES,
    kinds_of,
    new_game,
    own_cards,
    rules,
)

STONES = kinds_of("stone")
GAMES = [
    (2, ("random", "random"), 1),
    (2, ("big_stones", "truth_rush"), 2),
    (3, ("engine", "random", "truth_rush"), 3),
    (3, ("big_stones", "big_stones", "engine"), 4),
    (4, ("random", "random", "random", "random"), 5),
    (4, ("truth_rush", "engine", "big_stones", "random"), 6),
]


def seats_of(game):
    return range(1, game.players + 1)


def everywhere(game):
    """Count all cards of the game but those in piles."""
    cards = Counter(game.field)
    for zone in (game.magic_deck, game.burned, game.removed):
        cards.update(zone)
    for seat in seats_of(game):
        cards.update(own_cards(game, seat))
    return cards


#: The witches with all their values.
PLAYED = rules().values["witches"]
#: Witches that take truth for curses, and after how many curses of another seat.
PENALTY = {name: witch["powers"]["curse_penalty"] for name, witch in PLAYED.items()}
LASTING = {
    kind
    for kind, card in CARDS.items()
    if {"duration", "permanent"} & set(card.get("attributes", []))
}


def gifts(witches):
    """Return the exclusives that contracts with these witches can bring."""
    found = {
        kind
        for witch in witches
        for kind in [*WITCHES[witch]["gifts"], *WITCHES[witch]["note_gifts"]]
    }
    while more := {CARDS[kind].get("gives") for kind in found} - {None} - found:
        found |= more
    return found & set(EXCLUSIVES)


def check_cards(game, supply, piles):
    """Cards are where the rules put them, and nowhere else."""
    there = everywhere(game)
    assert {k: n for k, n in there.items() if k in supply} == dict(supply)
    for kind in (*STONES, "curse"):
        start = 7 * game.players if kind == "fragment" else 0
        assert there[kind] - start == piles[kind] - game.piles[kind]
    assert there["note"] == 2 * game.players
    assert there["apprentice"] == game.players
    contracted = {game.witch(s) for s in seats_of(game)} - {None}
    assert {kind for kind in EXCLUSIVES if there[kind]} <= gifts(contracted)
    assert set(game.witches) == set(WITCHES) - contracted


def check_seats(game, arcana):
    """Everybody's truth and arcana follow from what there is to see."""
    for s in seats_of(game):
        owned = own_cards(game, s)
        others = [game.witch(t) for t in seats_of(game) if t != s]
        taken = [PENALTY[witch] for witch in others if witch and PENALTY[witch]]
        truth = sum(n * CARDS[k].get("truth", 0) for k, n in owned.items())
        assert game.truth(s) == truth + game.tokens(s) - sum(owned["curse"] // k for k in taken)
        assert game.arcana_taken(s) >= max(owned["arcana"], arcana[s - 1])
        arcana[s - 1] = game.arcana_taken(s)
        if game.witch(s) is None:
            assert owned["ritual"] == owned["arcana"] == 0
        else:
            assert owned["note"] == owned["apprentice"] == 0
        witch = [game.witch(s)] if game.witch(s) else []
        own = game.own(s)
        assert own[len(own) - len(witch) :] == witch
        assert set(own) - set(witch) <= LASTING


def check_end(game):
    """The best by truth and own turns win, or the one whose special victory it is."""
    assert game.play_area(game.seat) == [] or game.end_reason == "special"
    standing = {s: (game.truth(s), -game.turns(s)) for s in seats_of(game)}
    if game.end_reason == "special":
        (winner,) = [s for s in seats_of(game) if game.win60[s - 1]]
        assert game.win60[winner - 1] == 60
        assert game.truth(winner) >= PLAYED[game.witch(winner)]["victory"]["truth"]
        standing[winner] = (1000, 0)
    else:
        assert (game.end_reason == "field") == (len(game.field) <= 6)
        assert game.end_reason in ("field", "round_cap")
    best = [s for s in seats_of(game) if standing[s] == max(standing.values())]
    shares = [60 // len(best) if s in best else 0 for s in seats_of(game)]
    assert list(game.win60) == shares
    ranks = [1 + sum(standing[t] > standing[s] for t in standing) for s in seats_of(game)]
    assert list(game.ranks) == ranks


@pytest.mark.rule("GM-F3")
@pytest.mark.rule("GM-F4")
@pytest.mark.rule("GM-F12")
@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-T6")
@pytest.mark.rule("GM-T7")
@pytest.mark.rule("GM-T9")
@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-W1")
@pytest.mark.rule("GM-W2")
@pytest.mark.parametrize(("players", "lineup", "deal"), GAMES)
def test_every_turn_of_a_whole_game(players, lineup, deal):
    game = new_game(players, lineup=lineup, deal=deal)
    supply = Counter(game.field) + Counter(game.magic_deck)
    piles = dict(game.piles)
    normal = extra = 0
    last = (None, True)
    arcana = [0] * players
    while not game.over:
        seat = game.seat
        if game.extra:
            # It follows a normal turn of the same seat, in its round.
            assert last == (seat, False)
            extra += 1
        else:
            assert seat == normal % players + 1
            normal += 1
        assert (game.phase, game.round) == ("start", (normal - 1) // players + 1)
        last = (seat, game.extra)
        game.play_turn()
        check_cards(game, supply, piles)
        check_seats(game, arcana)
        assert game.turn == normal + extra
        assert game.turns(seat) == (normal - 1) // players + 1
        if game.over and game.end_reason == "special":
            break

        # GM-T7: the seat's table after its turn
        assert game.play_area(seat) == []
        assert len(game.hand(seat)) == 5 or game.deck(seat) == game.discard(seat) == []
        assert len(game.hand(seat)) <= 5
        assert game.silver(seat) == 0

        # GM-F4 and GM-W1: the field after the refill
        assert len(game.field) == 8 or (len(game.field) < 8 and game.magic_deck == [])
        assert all(game.field.values())
        ends = len(game.field) <= 6
        capped = normal == 80 * players and not game.extra
        assert game.over == (ends or capped)
    check_end(game)
