"""The sentences of a trace: every sort of event has one in both languages."""

from __future__ import annotations

import pytest

from sim.titles.granmagia.telling import tell
from tests.titles.granmagia.audited import OVERLAYS, PLAYERS, RULES, traces

SENTENCES = [
    (
        {"event": "state", "what": "turn", "round": 3, "owner": 2, "turns": 3, "extra": False},
        ("-- Round 3, seat 2 --", "── 第 3 ラウンド、席 2 ──"),
    ),
    (
        {"event": "state", "what": "turn", "round": 3, "owner": 2, "turns": 3, "extra": True},
        ("-- Round 3, seat 2, an extra turn --", "── 第 3 ラウンド、席 2、追加ターン ──"),
    ),
    (
        {"event": "state", "what": "looked", "owner": 1, "cards": ["stone", "charm"]},
        (
            "Seat 1 looks at the deck: Magic stone, Charm.",
            "席 1がデッキの上を見る：魔石、おまじない",
        ),
    ),
    (
        {"event": "state", "what": "attack", "owner": 2, "card": "sandstorm"},
        ("Seat 2 attacks with Sandstorm.", "席 2の攻撃：砂嵐"),
    ),
    (
        {"event": "state", "what": "hit", "owner": 1},
        ("Seat 1 is hit.", "席 1：攻撃を受ける"),
    ),
    (
        {"event": "state", "what": "announced", "owner": 1, "witch": "eclair"},
        (
            "Seat 1 meets the condition of Éclair and announces it.",
            "席 1：エクレールの特殊勝利の条件がそろった。",
        ),
    ),
    (
        {"event": "state", "what": "lapsed", "owner": 1, "witch": "eclair"},
        (
            "Seat 1 no longer meets the condition of Éclair.",
            "席 1：エクレールの特殊勝利の条件が崩れた。",
        ),
    ),
    (
        {"event": "state", "what": "extra_turn", "owner": 1, "by": "card"},
        ("Seat 1 wins an extra turn by a card.", "席 1：カードで追加ターンを得る。"),
    ),
    (
        {"event": "state", "what": "extra_turn", "owner": 1, "by": "gold"},
        ("Seat 1 pays for an extra turn.", "席 1：金貨を払って追加ターンをする。"),
    ),
    (
        {"event": "change", "what": "tokens", "owner": 3, "by": 6, "now": 9},
        ("Seat 3: truth tokens +6, now 9.", "席 3：真理トークン+6（9）"),
    ),
    (
        {"event": "change", "what": "uses", "owner": 1, "by": 1, "now": 2, "card": "will_o_wisp"},
        ("Seat 1: uses of Will-o'-the-wisp +1, now 2.", "席 1：使った回数：鬼火+1（2）"),
    ),
    (
        {
            **{"event": "move", "card": "curse", "copy": 4, "from": "hand", "to": "discard"},
            **{"owner": 2, "giver": 1},
        },
        (
            "Seat 1 to seat 2: Curse #4 from hand to discard pile.",
            "席 1から席 2：呪い #4 手札→捨て札",
        ),
    ),
    (
        {
            **{"event": "end", "reason": "special", "scores": [12, 20], "ranks": [1, 2]},
            **{"win60": [60, 0], "witch": "sophia"},
        },
        (
            "The end: a special victory of Sophia. Truth 12 : 20. Won by seat 1.",
            "終わり（特殊勝利：ソフィア）。真理 12 対 20。勝ち：席 1。",
        ),
    ),
]


@pytest.mark.parametrize(("event", "told"), SENTENCES)
def test_a_sentence(event, told):
    assert (tell(event, "en"), tell(event, "ja")) == told


def _defended(by, **fields):
    return {"event": "state", "what": "defended", "owner": 1, "by": by, "card": None, **fields}


def _sealed(was):
    return {"event": "state", "what": "sealed", "owner": 1, "pile": "stone", "was": was}


def test_every_defence_and_every_place_of_a_seal_has_a_sentence_of_its_own():
    doll = {"card": "substitute_doll", "copy": 2}
    events = [
        _defended("barrier", copy=None, free=True),
        _defended("doll", free=True) | doll,
        _defended("doll", free=False) | doll,
        _defended("hand", free=True) | {"card": "herb", "copy": 1},
        _sealed(None) | {"seal": "binding"},
        _sealed("charm") | {"seal": "binding"},
    ]
    for language in ("en", "ja"):
        told = [tell(event, language) for event in events]
        assert len(set(told)) == len(events)
        assert not any("None" in sentence for sentence in told)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_event_of_many_games_is_told(language):
    for rules in set(RULES) - set(OVERLAYS):  # kinds of overlays are called by their ids
        for players in PLAYERS:
            for trace in traces(rules, players)[:4]:
                told = [tell(event, language) for event in trace]
                assert all(told)
                assert not any("{" in sentence or "_" in sentence for sentence in told)
