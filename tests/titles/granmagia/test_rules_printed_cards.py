"""GM-K6: the cards that the data hold, those that the rules name, and each one's text at work."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titles.granmagia.staging import (
    CARDS,
    DEEP,
    EXCLUSIVES,
    MAGIC,
    RARES,
    WITCHES,
    kinds_of,
    rules,
    stage,
)

CAST = [*MAGIC, *RARES, *EXCLUSIVES]
TEXTS = ("effects", "turn_start", "reward")


def with_attribute(attribute):
    """Return the kinds with an attribute."""
    return {kind for kind, card in CARDS.items() if attribute in card.get("attributes", [])}


def with_text(key, primitive=""):
    """Return the kinds with a text of a sort, or with a primitive in it."""
    return {
        kind
        for kind, card in CARDS.items()
        if any((text.split()[0] == primitive or not primitive) for text in card.get(key, []))
    }


def by_label(label):
    """Return the kind with a Japanese name."""
    (kind,) = [kind for kind, card in CARDS.items() if card["label"]["ja"] == label]
    return kind


# What there is


@pytest.mark.rule("GM-F1")
@pytest.mark.rule("GM-K6")
def test_there_are_sixty_kinds_in_their_chapters():
    assert len(MAGIC) == 60
    chapters = sorted({CARDS[kind]["chapter"] for kind in MAGIC})
    assert chapters == list(range(1, len(chapters) + 1))
    # A room has all chapters unless it says otherwise.
    assert sorted(rules().values["supply"]["chapters"]) == chapters
    assert {1, 2} <= set(chapters)


@pytest.mark.rule("GM-K6")
@pytest.mark.rule("GM-F3")
def test_there_are_rares_enough_to_differ_from_game_to_game():
    assert len(RARES) >= 12
    assert all(CARDS[kind].get("chapter") is None for kind in (*RARES, *EXCLUSIVES))


@pytest.mark.rule("GM-K6")
def test_names_are_given_once():
    for language in ("en", "ja"):
        labels = Counter(card["label"][language] for card in CARDS.values())
        assert max(labels.values()) == 1


@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize("attribute", ["attack", "defence", "duration", "permanent", "familiar"])
def test_every_attribute_is_there_among_the_kinds_of_the_field(attribute):
    assert with_attribute(attribute) & set(MAGIC)
    assert with_attribute(attribute) <= set(CAST)


@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize(
    ("label", "sorts", "chapter"),
    [
        *((label, {"magic"}, 1) for label in ("浄化の炎", "変身術", "再錬成")),
        *((label, {"magic"}, 2) for label in ("お祓いの鈴", "検閲官")),
        *((label, {"magic"}, None) for label in ("不可侵領域", "身代わり人形", "護符", "ハーブ")),
        *((label, {"magic", "rare"}, None) for label in ("時の砂時計", "使い魔の竜")),
        ("古びた見習いのノート", {"rare"}, None),
        *((label, {"exclusive"}, None) for label in ("魔石リサイクル", "魔石合成")),
        *((label, {"exclusive"}, None) for label in ("鬼火", "火炎", "インフェルノ", "ビッグバン")),
    ],
)
def test_cards_that_the_rules_name_are_there(label, sorts, chapter):
    card = CARDS[by_label(label)]
    assert card["sort"] in sorts
    if chapter:
        assert card["chapter"] == chapter


@pytest.mark.rule("GM-K6")
@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-K3")
@pytest.mark.parametrize(
    ("label", "attributes", "defends", "source"),
    [
        # That the doll lies in the own field, and for good, is how it is read here.
        ("身代わり人形", {"permanent", "defence"}, "field", "assumed"),
        ("護符", {"defence"}, "hand", "rulebook"),
        ("ハーブ", {"defence"}, "hand", "rulebook"),
        ("不可侵領域", {"defence"}, None, "derived"),
        ("使い魔の竜", {"familiar", "permanent"}, None, "rulebook"),
    ],
)
def test_attributes_that_the_rules_state(label, attributes, defends, source):
    kind = by_label(label)
    assert set(CARDS[kind]["attributes"]) == attributes
    assert CARDS[kind].get("defends") == defends
    assert rules().source(f"cards.{kind}.attributes").source == source
    if defends:
        assert rules().source(f"cards.{kind}.defends").source == source


@pytest.mark.rule("GM-K6")
@pytest.mark.rule("GM-N5")
def test_what_the_named_cards_are_for():
    assert by_label("不可侵領域") in with_text("effects", "barrier")
    assert with_text("effects", "extra_turn") == {by_label("時の砂時計")}
    assert by_label("使い魔の竜") in with_text("turn_start") & with_text("reward")
    chain = ["鬼火", "火炎", "インフェルノ", "ビッグバン"]
    given = [CARDS[by_label(label)] for label in chain]
    assert [card.get("gives_every", 0) for card in given] == [4, 3, 2, 0]
    assert [card.get("gives") for card in given] == [*map(by_label, chain[1:]), None]
    assert [card.get("needs", []) for card in given] == [[], [], [], ["mana >= 10"]]
    assert not [kind for kind in CAST if CARDS[kind].get("gives")][3:]


@pytest.mark.rule("GM-K6")
@pytest.mark.rule("GM-C2")
@pytest.mark.rule("GM-F2")
def test_tags_that_the_rules_state():
    assert set(kinds_of(tag="notes")) == {"note", by_label("古びた見習いのノート")}
    burn = {"浄化の炎", "変身術", "再錬成", "お祓いの鈴", "検閲官"}
    assert set(kinds_of(tag="burn")) == set(map(by_label, burn))


@pytest.mark.rule("GM-F2")
@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize("kind", MAGIC)
def test_hand_growing_kinds_are_those_that_leave_more_cards_in_hand(kind):
    """With five in hand, and whatever is chosen; cards of a later turn do not count."""
    seat = {"hand": [kind, *["fragment"] * 4], "deck": DEEP, "gold": 9}
    game = stage(seat, {}, phase="cast", mana=20)
    game.cast(kind)
    assert (len(game.hand(1)) > 5) == ("hand_growing" in CARDS[kind].get("tags", []))


@pytest.mark.rule("GM-K7")
@pytest.mark.rule("GM-K6")
def test_every_exclusive_comes_by_some_contract():
    gifts = {
        kind
        for witch in WITCHES.values()
        for kind in [*witch["gifts"], *witch["note_gifts"]]
        if kind in EXCLUSIVES
    }
    while more := {CARDS[kind].get("gives") for kind in gifts} - {None} - gifts:
        gifts |= more
    assert gifts == set(EXCLUSIVES)


@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize("kind", CAST)
def test_costs_and_effects_that_are_not_published_are_marked_as_stand_ins(kind):
    for field in ("cost", *TEXTS):
        if CARDS[kind].get(field):
            assert rules().source(f"cards.{kind}.{field}").source == "assumed"


@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize(
    ("key", "ref"),
    [
        ("purifying_flame.tags", "GM-F2"),
        ("censor.chapter", "GM-F2"),
        ("amulet.defends", "GM-A2"),
        ("herb.defends", "GM-A2"),
        ("familiar_dragon.attributes", "GM-K3"),
        *((f"{kind}.gives", "GM-N5") for kind in ("will_o_wisp", "blaze", "inferno")),
        *((f"{kind}.gives_every", "GM-N5") for kind in ("will_o_wisp", "blaze", "inferno")),
        ("big_bang.needs", "GM-N5"),
        *((f"{kind}.sort", "GM-K7") for kind in ("stone_recycling", "stone_fusion", "big_bang")),
    ],
)
def test_published_parts_of_cards_name_their_rule(key, ref):
    source = rules().source(f"cards.{key}")
    assert (source.source, source.ref) == ("rulebook", ref)


# What each card gives to who casts it

FIVE = ["stone", "charm", "ritual", "curse", "great_stone"]
#: kind: (others in hand, choices, hand after, casts, acquisitions, mana, gold) over a deck of FIVE.
PRINTED = {
    "alchemy": (["fragment"], ["fragment"], ["stone"], 0, 1, 1, 0),
    "cauldron": (["note"], [], ["note"], 0, 2, 2, 0),
    "crystal_ball": (["note"], ["stop", "charm", "stop"], ["note", "stone"], 1, 1, 0, 0),
    "festival": ([], [], [], 2, 2, 2, 0),
    "gold_vein": ([], [], [], 0, 1, 1, 1),
    "laboratory": (["note"], [], ["note", *FIVE[:2]], 1, 1, 0, 0),
    "magic_circle": ([], [], FIVE[:1], 2, 1, 0, 0),
    "market": ([], [], FIVE[:1], 1, 2, 1, 0),
    "night_watch": ([], [], FIVE[:1], 1, 1, 0, 0),
    "nightmare": ([], [], [], 0, 1, 0, 1),
    "owl": (["note"], ["stop", "charm"], ["note", "stone"], 1, 1, 0, 0),
    "purifying_flame": (["note", "charm", "note"], ["note", "note", "stop"], ["charm"], 0, 1, 0, 0),
    "reforging": (["note"], ["note"], FIVE[:1], 1, 1, 0, 0),
    "substitute_doll": ([], [], FIVE[:1], 1, 1, 0, 0),
    "transmutation": (["note", "charm"], ["note", "charm"], ["charm"], 0, 1, 0, 0),
    "amulet": ([], [], [], 1, 1, 1, 0),
    "black_cat": ([], [], FIVE[:1], 1, 1, 0, 0),
    "censor": (["note"], ["note"], FIVE[:2], 0, 1, 0, 0),
    "cursed_letter": ([], [], [], 0, 1, 3, 0),
    "exorcism_bell": (["note"], ["note"], [], 1, 1, 1, 0),
    "flying_broom": (["note"] * 3, [], ["note"] * 3 + FIVE[:2], 1, 1, 0, 0),
    "gift_bag": (["note"], ["market", "note"], ["market"], 0, 1, 0, 0),
    "grand_library": ([], [], FIVE[:4], 0, 2, 0, 0),
    "greenhouse": ([], [], [], 2, 1, 1, 0),
    "harvest_dance": ([], ["stone"], [], 1, 1, 1, 0),
    "mana_spring": ([], [], [], 0, 1, 3, 0),
    "old_shelves": (["note", "note"], ["note", "note"], FIVE[:2], 1, 1, 0, 0),
    "storeroom": (["note"], ["note", "stone", "ritual"], ["charm"], 1, 1, 0, 0),
    "tea_party": ([], [], FIVE[:2], 0, 2, 1, 0),
    "world_tree": ([], [], [], 0, 2, 0, 0),
    "bat": (["note"], ["note"], FIVE[:2], 1, 1, 0, 0),
    "carrier_pigeon": ([], [], [], 1, 1, 0, 0),
    "curse_return": (["curse"], [], FIVE[:1], 1, 1, 0, 0),
    "familiar_dragon": ([], [], [], 0, 1, 0, 0),
    "herb": ([], [], FIVE[:1], 1, 1, 0, 0),
    "hourglass": ([], [], [], 0, 1, 0, 1),
    "long_prayer": ([], [], [], 0, 1, 2, 0),
    "moon_loan": ([], [], [], 0, 1, 4, 0),
    "moonbath": (["note"] * 4, [], ["note"] * 4 + FIVE[:3], 0, 1, 0, 0),
    "prayer": (["charm", "ritual", "curse"], [], ["charm", "ritual", "curse"], 0, 1, 4, 0),
    "raven": ([], [], FIVE[:2], 1, 1, 0, 0),
    "sanctuary": ([], [], FIVE[:1], 1, 1, 0, 0),
    "sandstorm": ([], [], [], 0, 1, 2, 0),
    "star_reading": ([], [], FIVE[:1], 1, 1, 1, 0),
    "workshop": (["note"], ["cauldron"], ["note"], 0, 1, 0, 0),
    "binding_chain": ([], ["arcana"], FIVE[:1], 1, 1, 1, 0),
    "dreaming_bed": ([], [], [], 0, 1, 0, 0),
    "forbidden_book": ([], [], FIVE[:4], 0, 1, 0, 0),
    "fox": ([], [], FIVE[:1], 1, 1, 1, 0),
    "guard_dog": ([], [], [], 0, 1, 2, 0),
    "magpie": ([], [], FIVE[:1], 1, 1, 0, 0),
    "mist_veil": ([], [], [], 1, 1, 0, 0),
    "observatory": ([], [], [], 1, 1, 0, 0),
    "plague": ([], [], [], 0, 1, 0, 0),
    "shrine": ([], [], FIVE[:1], 0, 1, 0, 0),
    "stone_resonance": (["stone", "fragment"], [], ["stone", "fragment", "stone"], 0, 1, 2, 0),
    "toad": ([], [], [], 1, 1, 1, 0),
    "treasury": ([], [], [], 0, 2, 0, 2),
    "wisdom_book": ([], [], FIVE[:3], 0, 1, 0, 0),
    "witch_hunt": ([], [], FIVE[:3], 0, 1, 0, 0),
    "archmages_cloak": ([], [], FIVE[:1], 1, 2, 0, 0),
    "black_crown": ([], [], [], 0, 1, 2, 0),
    "dragon_egg": ([], [], [], 0, 1, 0, 3),
    "floating_castle": ([], [], [], 0, 1, 0, 0),
    "golden_scales": ([], [], FIVE[:1], 1, 1, 0, 0),
    "great_grimoire": ([], [], FIVE[:3], 1, 1, 0, 0),
    "guiding_star": ([], ["charm"], FIVE[:1], 1, 2, 0, 0),
    "holy_grail": ([], [], FIVE[:1], 1, 1, 0, 0),
    "philosophers_stone": ([], [], [], 0, 2, 4, 0),
    "phoenix": (["note"], ["note"], FIVE[:2], 1, 1, 0, 0),
    "star_carriage": ([], [], FIVE[:2], 2, 1, 0, 0),
    "transmuters_ring": (["fragment"], ["fragment", "stone"], ["great_stone"], 1, 1, 0, 0),
    "wishing_star": ([], ["great_stone"], ["great_stone"], 1, 1, 0, 0),
    "big_bang": ([], [], [], 0, 1, 10, 0),
    "black_mirror": (["curse"] * 2, [], FIVE[:1], 1, 1, 0, 0),
    "blaze": (["note"], ["note"], FIVE[:1], 1, 1, 2, 0),
    "book_of_truth": ([], [], FIVE[:1], 1, 1, 0, 0),
    "fairy": ([], [], [], 1, 1, 1, 0),
    "grudge": ([], [], [], 0, 1, 1, 0),
    "inferno": ([], [], FIVE[:2], 1, 1, 3, 0),
    "rune_shield": ([], [], FIVE[:1], 1, 1, 0, 0),
    "rune_spear": ([], [], [], 1, 1, 2, 0),
    "stone_fusion": (["stone"], ["stone"], [*FIVE[:2], "great_stone"], 1, 1, 0, 0),
    "stone_recycling": (["stone", "fragment"], [], ["stone", "fragment", FIVE[0]], 1, 1, 6, 0),
    "war_horn": (["note"], ["cauldron"], ["note", "cauldron"], 1, 1, 0, 0),
    "white_kitten": ([], [], FIVE[:1], 1, 1, 0, 0),
    "will_o_wisp": ([], [], FIVE[:1], 1, 1, 2, 0),
}
#: What some of them need to be cast.
NEEDED = {"big_bang": {"mana": 10}, "hourglass": {"gold": 3}}


def cast(kind, seat, *others, **position):
    """Cast a card of the data."""
    seat = {**seat, "hand": [kind, *seat.get("hand", ())]}
    game = stage(seat, *(others or [{}]), phase="cast", **position)
    game.cast(kind)
    return game


@pytest.mark.rule("GM-K6")
@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize("kind", PRINTED)
def test_each_card_does_what_the_data_say(kind):
    others, choices, hand, casts, acquisitions, mana, gold = PRINTED[kind]
    needed = dict(NEEDED.get(kind, {}))
    seat = {"hand": others, "deck": FIVE, "gold": needed.pop("gold", 0)}
    game = cast(kind, seat, choices=choices, **needed)
    assert Counter(game.hand(1)) == Counter(hand)
    assert (game.casts, game.acquisitions, game.mana, game.gold(1)) == (
        casts,
        acquisitions,
        mana,
        gold,
    )
    lasting = {"duration", "permanent"} & set(CARDS[kind].get("attributes", []))
    assert (game.own(1), game.play_area(1)) == (([kind], []) if lasting else ([], [kind]))
    assert list(game.choices) in ([], ["stop"])


@pytest.mark.rule("GM-K6")
def test_every_castable_card_of_the_data_is_checked_above():
    assert set(PRINTED) == {*CAST} - {"old_note"}


@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize(("rival", "mana"), [(["charm"], 2), ([], 0)])
def test_golden_scales_help_those_behind(rival, mana):
    seats = [{"hand": ["golden_scales"], "deck": ["note"]}, {"discard": rival}, {}]
    game = stage(*seats, phase="cast")
    game.cast("golden_scales")
    assert game.mana == mana


# Curses, tokens, barriers, extra turns and seals


@pytest.mark.rule("GM-K6")
def test_cards_that_take_a_curse_give_tokens_put_up_barriers_or_win_a_turn():
    there = {
        primitive: with_text("effects", primitive)
        for primitive in ("take_curses", "tokens", "barrier", "extra_turn", "seal")
    }
    assert there == {
        "take_curses": {"forbidden_book"},
        "tokens": {"holy_grail", "book_of_truth"},
        "barrier": {"sanctuary", "guard_dog", "mist_veil", "rune_shield"},
        "extra_turn": {"hourglass"},
        "seal": {"harvest_dance", "binding_chain", "guiding_star"},
    }
    for kind in there["take_curses"]:
        assert cast(kind, {}).discard(1) == ["curse"]
    for kind in there["tokens"]:
        assert cast(kind, {}).tokens(1) == 1
    for kind in there["barrier"]:
        assert cast(kind, {}).barriers(1) == 1


@pytest.mark.rule("GM-K6")
@pytest.mark.rule("GM-K4")
@pytest.mark.parametrize(
    ("kind", "seal", "piles", "cost"),
    [
        ("harvest_dance", "plenty", ["fragment", "stone", "great_stone"], 0),
        ("guiding_star", "guidance", ["charm", "ritual", "arcana"], 1),
        ("binding_chain", "binding", ["fragment", "stone", "great_stone", "charm", "ritual"], 1),
    ],
)
def test_seals_of_the_data(kind, seal, piles, cost):
    printed = {name: CARDS[name]["cost"] for name in piles}
    for pile in piles:
        game = cast(kind, {"witch": "ignis"}, choices=[pile])
        assert game.seals == {seal: pile}
        assert game.price(2, pile) == printed[pile] + cost


@pytest.mark.rule("GM-K6")
def test_hourglass_costs_two_gold_and_wins_an_extra_turn():
    game = cast("hourglass", {"gold": 2})
    assert (game.gold(1), game.extra_earned) == (0, True)
    poor = stage({"hand": ["hourglass"], "gold": 1}, {}, phase="cast")
    assert poor.options() == ["stop"]


# Attacks of the data

VICTIM = {"hand": ["charm", "note", "apprentice", "stone", "fragment"], "gold": 3}
#: kind: cards left of a hand of five, curses, gold left of 3.
ATTACKS = {
    "nightmare": (4, 0, 3),
    "cursed_letter": (5, 1, 3),
    "curse_return": (5, 1, 3),
    "raven": (4, 0, 3),
    "sandstorm": (3, 0, 3),
    "magpie": (5, 0, 2),
    "plague": (5, 1, 3),
    "toad": (4, 0, 3),
    "witch_hunt": (5, 1, 3),
    "black_crown": (3, 0, 1),
    "black_mirror": (5, 2, 3),
    "grudge": (5, 2, 3),
}


@pytest.mark.rule("GM-K9")
@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize("kind", ATTACKS)
@pytest.mark.parametrize("defence", [{}, {"barriers": 1}, {"own": ["substitute_doll"]}])
def test_each_attack_of_the_data_and_defences_against_it(kind, defence):
    left, curses, gold = (5, 0, 3) if defence else ATTACKS[kind]
    victim = {**VICTIM, **defence, "witch": "ignis"}
    game = cast(kind, {"hand": ["curse"] * 4}, victim, choices=[])
    assert (len(game.hand(2)), game.discard(2).count("curse"), game.gold(2)) == (left, curses, gold)


@pytest.mark.rule("GM-K9")
@pytest.mark.rule("GM-A2")
def test_the_kinds_that_attack_and_those_that_defend():
    assert set(ATTACKS) == with_attribute("attack")
    hand = {kind for kind in CAST if CARDS[kind].get("defends") == "hand"}
    assert hand == {"amulet", "herb"}
    barriers = with_text("effects", "barrier")
    assert with_attribute("defence") == hand | barriers | {"substitute_doll"}


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize("choice", ["amulet", "herb"])
def test_amulet_and_herb_defend_from_hand_and_the_defender_picks(choice):
    game = cast("grudge", {}, {"hand": ["amulet", "herb"]}, choices=[choice])
    assert game.discard(2) == [choice]
    alone = cast("grudge", {}, {"hand": [choice]})
    assert alone.discard(2) == [choice]


@pytest.mark.rule("GM-K6")
def test_witch_hunt_is_an_attack_once_a_rival_has_a_contract():
    assert cast("witch_hunt", {}, {}, {"witch": "ignis"}).discard(2) == ["curse"]
    none = cast("witch_hunt", {"witch": "ignis"}, {"barriers": 1}, {})
    assert (none.discard(2), none.discard(3)) == ([], [])


# Turn starts of the data

#: kind: cards drawn, casts, acquisitions, mana, tokens, curses at the owner's next turn start.
TURN_STARTS = {
    "night_watch": (1, 1, 1, 0, 0, 0),
    "greenhouse": (0, 2, 1, 1, 0, 0),
    "world_tree": (0, 1, 1, 1, 0, 0),
    "carrier_pigeon": (1, 1, 1, 0, 0, 0),
    "familiar_dragon": (0, 2, 1, 1, 0, 0),
    "long_prayer": (0, 1, 1, 0, 1, 0),
    "moon_loan": (0, 1, 1, 0, 0, 1),
    "dreaming_bed": (3, 2, 1, 0, 0, 0),
    "mist_veil": (1, 1, 1, 1, 0, 0),
    "observatory": (0, 1, 1, 0, 0, 0),
    "plague": (2, 1, 1, 0, 0, 0),
    "shrine": (0, 1, 1, 0, 1, 0),
    "floating_castle": (0, 1, 2, 0, 0, 0),
}


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-K2")
@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize("kind", TURN_STARTS)
def test_each_turn_start_of_the_data(kind):
    drawn, casts, acquisitions, mana, tokens, curses = TURN_STARTS[kind]
    game = stage({"own": [kind], "hand": ["charm"] * 3, "deck": DEEP}, {}, phase="start")
    game.start_turn()
    assert (game.casts, game.acquisitions, game.mana) == (casts, acquisitions, mana)
    assert len(game.hand(1)) == 3 + drawn
    assert (game.tokens(1), game.discard(1).count("curse")) == (tokens, curses)
    stays = "permanent" in CARDS[kind]["attributes"]
    assert game.own(1) == ([kind] if stays else [])
    assert (kind in game.discard(1)) == (not stays)


@pytest.mark.rule("GM-K6")
def test_every_turn_start_of_the_data_is_checked_above():
    assert set(TURN_STARTS) == with_text("turn_start")


@pytest.mark.rule("GM-K6")
def test_the_turn_starts_that_ask_for_something():
    for turns, mana in [(13, 1), (14, 2)]:
        game = stage({"own": ["world_tree"], "turns": turns}, {}, phase="start", round=15)
        game.start_turn()
        assert game.mana == mana
    few = stage({"own": ["shrine"], "hand": ["charm", "note", "note"]}, {}, phase="start")
    few.start_turn()
    assert few.tokens(1) == 0
    seat = {"own": ["observatory"], "hand": ["note"] * 3, "deck": ["charm", "stone", "curse"]}
    look = stage(seat, {}, phase="start", choices=["charm", "stop"])
    look.start_turn()
    assert (look.deck(1), look.discard(1)) == (["stone", "curse"], ["charm"])


# Felicia's rewards of the data

#: kind: cards drawn, casts, mana, gold.
REWARDS = {
    "owl": (1, 0, 0, 0),
    "black_cat": (0, 0, 1, 0),
    "bat": (0, 0, 1, 0),
    "carrier_pigeon": (1, 0, 0, 0),
    "familiar_dragon": (1, 0, 0, 0),
    "raven": (0, 0, 1, 0),
    "fox": (0, 0, 0, 1),
    "guard_dog": (1, 1, 0, 0),
    "magpie": (0, 0, 0, 1),
    "toad": (1, 0, 0, 0),
    "phoenix": (0, 0, 2, 0),
    "fairy": (1, 0, 0, 0),
    "white_kitten": (1, 0, 0, 0),
}


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-K6")
@pytest.mark.parametrize("kind", REWARDS)
def test_each_reward_of_the_data(kind):
    seat = {"hand": ["note"], "deck": DEEP}
    plain, rewarded = cast(kind, seat), cast(kind, {**seat, "witch": "felicia"})
    found = [(len(game.hand(1)), game.casts, game.mana, game.gold(1)) for game in (plain, rewarded)]
    assert tuple(b - a for a, b in zip(*found, strict=True)) == REWARDS[kind]
    assert rewarded.rewards(1) == 1


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-K6")
def test_every_familiar_carries_a_reward():
    assert set(REWARDS) == with_attribute("familiar") == with_text("reward")
