"""The sentences of a trace: every sort of event has one in both languages."""

from __future__ import annotations

import pytest

from sim.errors import UnknownNameError
from sim.titles.granmagia import TITLE, from_position
from sim.titles.granmagia.narrative import narrate
from sim.titles.granmagia.telling import tell
from tests.titles.granmagia.audited import PLAYERS, RULES, traces

#: The first event of a game of three, which has all names.
SETUP = from_position({"seats": [{}, {}, {}]}).events[0]


def _judged(what, **fields):
    """Return an event about a special victory, that of Éclair unless said otherwise."""
    terms = {"witch": "eclair", "condition": "arcana_spread", "card": None, "have": 6, "need": 6}
    terms |= {"by_seat": [6, 1, 0], "truth": 12, "truth_needed": 10}
    return {"event": "state", "what": what, "owner": 1, **terms, **fields}


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
        (
            "Seat 2 attacks seat 3, seat 1 with Sandstorm.",
            "席 2が席 3、席 1を砂嵐で攻撃する。",
        ),
    ),
    (
        {"event": "state", "what": "hit", "owner": 1, "attacker": 3, "attack": "sandstorm"},
        (
            "Seat 1 has no defence: it is hit by Sandstorm of seat 3.",
            "席 1：席 3の砂嵐を防げず、受ける。",
        ),
    ),
    (
        _judged("announced"),
        (
            "Seat 1 announces the special victory of Éclair for its next turn start: arcana "
            "obtained above the fewest 6 (by seat 6 : 1 : 0, must have most), needed 6; "
            "own truth 12, needed 10.",
            "席 1：エクレールの特殊勝利を宣言（次の自分のターンの初めに判定）。"
            "手に入れた秘儀の最少との差 6（席順に 6 対 1 対 0、単独最多が必要）、必要 6。"
            "自分の真理 12、必要 10。",
        ),
    ),
    (
        _judged("lapsed", truth=9),
        (
            "Seat 1 does not win with Éclair, the announcement lapses (too little truth): arcana "
            "obtained above the fewest 6 (by seat 6 : 1 : 0, must have most), needed 6; "
            "own truth 9, needed 10.",
            "席 1：エクレールの特殊勝利の宣言が消える（真理が足りない）。"
            "手に入れた秘儀の最少との差 6（席順に 6 対 1 対 0、単独最多が必要）、必要 6。"
            "自分の真理 9、必要 10。",
        ),
    ),
    (
        _judged(
            "won", witch="ignis", condition="uses", card="big_bang", by_seat=None, have=1, need=1
        ),
        (
            "Seat 1 wins by the special victory of Ignis: uses of Big bang 1, needed 1; "
            "own truth 12, needed 10.",
            "席 1：イグニスの特殊勝利で勝つ。ビッグバンを使った回数 1、必要 1。"
            "自分の真理 12、必要 10。",
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
    assert (tell(event, "en", SETUP), tell(event, "ja", SETUP)) == told


def test_without_the_start_of_its_game_an_event_calls_cards_by_their_ids():
    event = {"event": "state", "what": "attack", "owner": 2, "card": "big_bang"}
    assert tell(event) == "Seat 2 attacks all other seats with big_bang."
    assert tell(event, "ja") == "席 2がほかの全席をbig_bangで攻撃する。"


@pytest.mark.parametrize(
    "ask", [lambda: tell({"event": "end"}, "fr"), lambda: narrate([SETUP], "fr")]
)
def test_an_unknown_language_is_refused(ask):
    with pytest.raises(UnknownNameError, match="unknown language 'fr'"):
        ask()


def _defended(by, **fields):
    attack = {"attacker": 3, "attack": "sandstorm"}
    return (
        {"event": "state", "what": "defended", "owner": 1, "by": by, "card": None} | attack | fields
    )


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
        told = [tell(event, language, SETUP) for event in events]
        assert len(set(told)) == len(events)
        assert not any("None" in sentence for sentence in told)
        move = {"event": "move", "card": "sandstorm", **MOVE}
        attack = tell(move, language, SETUP).split(" #")[0]
        assert all(attack in sentence for sentence in told[:4])


MOVE = {"copy": 1, "from": "hand", "to": "play", "owner": None}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"truth": 9}, "too little truth"),
        ({"have": 5}, "its condition is no longer met"),
        ({"by_seat": [6, 6, 0]}, "its condition is no longer met"),
        ({"truth": 9, "have": 5}, "neither condition nor truth is met"),
        ({"truth": 9, "by_seat": [6, 0, 6]}, "neither condition nor truth is met"),
    ],
)
def test_why_an_announcement_lapses_is_told(fields, why):
    assert f"lapses ({why}): " in tell(_judged("lapsed", **fields), "en", SETUP)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("rules", RULES)
def test_every_event_of_many_games_is_told(language, rules):
    for players in PLAYERS:
        for trace in traces(rules, players)[:4]:
            told = [tell(event, language, trace[0]) for event in trace]
            assert all(told)
            assert not any("{" in sentence or "_" in sentence for sentence in told)


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("rules", RULES)
def test_many_games_are_told_as_wholes(language, rules):
    for players in PLAYERS:
        for trace in traces(rules, players)[:4]:
            told = list(narrate(trace, language))
            assert all(told)
            assert len(told) < len(trace)
            first = next(n for n, line in enumerate(told) if line.startswith(("==", "■")))
            # Before that stand the cards' texts, which are in the words of the data.
            assert not any("{" in line or "_" in line for line in told[first:])
            headings = sum(line.startswith(("--", "──")) for line in told)
            assert headings == sum(event.get("what") == "turn" for event in trace)


def test_cards_are_called_what_the_rules_of_the_game_call_them(tmp_path):
    file = tmp_path / "names.toml"
    file.write_text(
        """
        [cards.stone]
        label = { en = "Pebble", ja = "小石" }
        [witches.sophia]
        label = { en = "Sofie", ja = "ゾフィー" }
        """,
        encoding="utf-8",
    )
    rules = TITLE.load(overlays=[file])
    game = from_position(
        {
            "seats": [{"hand": ["great_stone"] * 4}, {}],
            "phase": "acquire",
            "mana": 12,
            "acquisitions": 2,
        },
        rules=rules,
        choices=["stone", "sophia"],
    )
    game.acquire("stone")
    game.contract("sophia")
    for language, names in {"en": ("Pebble", "Sofie"), "ja": ("小石", "ゾフィー")}.items():
        alone = "".join(tell(event, language, game.events[0]) for event in game.events)
        for text in (alone, "".join(narrate(game.events, language))):
            assert all(name in text for name in names)
            assert not any(name in text for name in ("Magic stone ", "Sophia", "ソフィア"))


def test_what_belongs_together_is_one_line():
    """An attack that one seat defends against and one does not, a purchase, and the headings."""
    ready = {"deck": ["fragment"] * 8}
    game = from_position(
        {
            "seats": [
                {"hand": ["nightmare", "old_note", "fragment", "stone", "stone"], "gold": 1}
                | ready,
                {"hand": ["herb", "amulet", "curse"]} | ready,
                {"hand": ["curse", "charm"]} | ready,
            ],
            "seat": 1,
            "field": {"market": 1, "alchemy": 2, "laboratory": 1, "nightmare": 3},
        },
        overrides=["field.end_kinds=2"],
        lineup=["raider", "engine", "sophia"],
        choices=["nightmare", "amulet", "curse", "market"],
    )
    game.play_turn()
    told = list(narrate(game.events))
    first = next(n for n, line in enumerate(told) if line.startswith("=="))
    assert told[first:] == [
        "== Round 1: truth 0 : -1 : 0; magic deck 0; field of 4 kinds: "
        "Night market, Alchemy ×2, Laboratory, Nightmare ×3 ==",
        "-- Seat 1 (raider): truth 0, gold 1; hand: Nightmare, Old apprentice's note, "
        "Magic-stone fragment, Magic stone ×2 --",
        "Seat 1 casts Nightmare.",
        "Seat 1 attacks seat 2, seat 3 with Nightmare.",
        "Seat 1: gold +1 (now 2).",
        "Seat 2 stops Nightmare of seat 1 with Amulet #1 from hand. [or Herb]",
        "Seat 2 discards Amulet.",
        "Seat 3 has no defence: it is hit by Nightmare of seat 1.",
        "Seat 3 discards Curse. [or Charm]",
        "Seat 1 lays down Magic-stone fragment, Magic stone ×2: mana +5 (now 5).",
        "Seat 1 acquires Night market for 5 mana.",
    ]


def test_the_end_of_a_game_says_who_was_who():
    trace = traces("hasty", 3)[0]
    told = list(narrate(trace))
    ends = [event for event in trace if event["event"] == "end"]
    assert told[-2].startswith("The end: ")
    for number, score in enumerate(ends[0]["scores"], 1):
        assert f"seat {number} (random" in told[-1]
        assert f"truth {score}" in told[-1]


def test_a_trace_that_breaks_off_is_told_as_far_as_it_goes():
    trace = traces("hasty", 2)[0]
    for end in range(1, len(trace) + 1):
        assert list(narrate(trace[:end]))


def test_however_much_belongs_together_is_one_line():
    trace = traces("hasty", 2)[0]
    gains = [
        {"event": "change", "what": "tokens", "owner": 1, "by": 1, "now": n, "phase": "cast"}
        for n in range(1, 1001)
    ]
    told = list(narrate([trace[0], *gains]))
    assert told[-1] == "Seat 1: truth tokens +1000 (now 1000)."
    assert len(told) == 1 + len(list(narrate([trace[0]])))
