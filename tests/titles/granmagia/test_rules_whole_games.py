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


@pytest.mark.rule("GM-F3")
@pytest.mark.rule("GM-F4")
@pytest.mark.rule("GM-T6")
@pytest.mark.rule("GM-T7")
@pytest.mark.rule("GM-T9")
@pytest.mark.rule("GM-W1")
@pytest.mark.rule("GM-W2")
@pytest.mark.parametrize(("players", "lineup", "deal"), GAMES)
def test_every_turn_of_a_whole_game(players, lineup, deal):
    game = new_game(players, lineup=lineup, deal=deal)
    supply = Counter(game.field) + Counter(game.magic_deck)
    piles, turn = dict(game.piles), 0
    arcana = [0] * players
    while not game.over:
        seat = turn % players + 1
        assert (game.phase, game.seat, game.round) == ("start", seat, turn // players + 1)
        game.play_turn()
        turn += 1

        # GM-T7: the seat's table after its turn
        assert game.play_area(seat) == []
        assert len(game.hand(seat)) == 5 or game.deck(seat) == game.discard(seat) == []
        assert len(game.hand(seat)) <= 5
        assert game.silver(seat) == 0
        assert game.own(seat) == ([game.witch(seat)] if game.witch(seat) else [])
        assert game.turns(seat) == (turn - 1) // players + 1

        # GM-F4 and GM-W1: the field after the refill
        assert len(game.field) == 8 or (len(game.field) < 8 and game.magic_deck == [])
        assert all(game.field.values())
        ends = len(game.field) <= 6
        assert game.over == (ends or (game.round == 80 and seat == players))

        # Cards are where the rules put them, and nowhere else.
        there = everywhere(game)
        assert {k: n for k, n in there.items() if k in supply} == dict(supply)
        for kind in STONES:
            start = 7 * players if kind == "fragment" else 0
            assert there[kind] - start == piles[kind] - game.piles[kind]
        assert there["note"] == 2 * players
        assert there["apprentice"] == players
        assert there["curse"] == 0
        celestina = [s for s in seats_of(game) if game.witch(s) == "celestina"]
        assert sum(there[kind] for kind in EXCLUSIVES) <= 2 * len(celestina)
        contracted = {game.witch(s) for s in seats_of(game)} - {None}
        assert set(game.witches) == set(WITCHES) - contracted

        for s in seats_of(game):
            owned = own_cards(game, s)
            assert game.truth(s) == sum(n * CARDS[k].get("truth", 0) for k, n in owned.items())
            assert game.arcana_taken(s) >= max(owned["arcana"], arcana[s - 1])
            arcana[s - 1] = game.arcana_taken(s)
            if game.witch(s) is None:
                assert owned["ritual"] == owned["arcana"] == 0
            else:
                assert owned["note"] == owned["apprentice"] == 0
    assert game.end_reason == ("field" if len(game.field) <= 6 else "round_cap")
    standing = {s: (game.truth(s), -game.turns(s)) for s in seats_of(game)}
    best = [s for s in seats_of(game) if standing[s] == max(standing.values())]
    shares = [60 // len(best) if s in best else 0 for s in seats_of(game)]
    assert list(game.win60) == shares
    ranks = [1 + sum(standing[t] > standing[s] for t in standing) for s in seats_of(game)]
    assert list(game.ranks) == ranks
