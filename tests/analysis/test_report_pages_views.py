"""What is drawn of pairs, winners, cards and levers is what the numbers say."""

from __future__ import annotations

import copy

import pytest

from analysis import formats
from analysis.report import pages
from analysis.report.words import LANGUAGES, Words
from tests.analysis.made_report import KINDS, PLAYERS, POLICIES, made
from tests.analysis.parsed import Page


@pytest.fixture(scope="module")
def content():
    return made()


def section_of(content, id_, language="en"):
    found = {section["id"]: section for section in pages.sections(content, Words(language))}
    return found[id_]


def test_pairs_are_maps_of_their_number_and_of_who_wins_with_them(content):
    found = section_of(content, "matrix-field")
    assert found["tag"] == "chosen during play"
    number, won = found["groups"]
    for group in (number, won):
        (maps,) = group["charts"]
        assert [one["title"] for one in maps] == ["2 players", "3 players", "4 players"]
        for one in maps:
            assert one["columns"] == ["Mage", "Lord"]
            assert [row["name"] for row in one["rows"]] == ["Human", "Elf <of old>"]
    tables = content["matrices"][0]["tables"]
    for i, table in enumerate(tables):
        rows = iter(table["rows"])
        for line, gaps in zip(
            number["charts"][0][i]["rows"], won["charts"][0][i]["rows"], strict=True
        ):
            for cell, gap in zip(line["cells"], gaps["cells"], strict=True):
                row = next(rows)
                assert cell["text"] == formats.number(row["mean"]["mean"], row["mean"]["se"])
                rate = row["rate"]
                if rate is None:
                    assert gap == {"text": "–", "tone": "level", "strong": False}
                    continue
                off = rate["rate"] - rate["parity"]
                assert gap["text"] == formats.points(off, rate["se"])
                assert gap["strong"] is not (rate["lo"] <= rate["parity"] <= rate["hi"])
                assert gap["tone"].startswith("up" if off > 0.02 else ("down", "level"))
    # Every interval and number of games is in the folded tables.
    assert len(won["tables"]) == len(PLAYERS)
    for table, shown in zip(tables, won["tables"], strict=True):
        assert len(shown["rows"]) == len(table["rows"])
        for row, cells in zip(table["rows"], shown["rows"], strict=True):
            assert cells[1]["below"].count("–") == 1
            assert cells[4] == (formats.count(row["rate"]["games"]) if row["rate"] else "0")


def test_pairs_that_were_dealt_are_not_called_a_choice(content):
    dealt = copy.deepcopy(content)
    dealt["matrices"][0]["selected"] = False
    found = section_of(dealt, "matrix-field")
    assert found["tag"] == ""
    assert "Chosen during play" not in found["notes"][0]


def test_who_beats_whom_is_a_map_and_a_table_of_pairs(content):
    found = section_of(content, "matchups-policy")
    (section,) = (one for one in content["matchups"] if one["by"] == "policy")
    rates = {(row["row"], row["column"]): row["rate"] for row in section["rows"]}
    (group,) = found["groups"]
    ((drawn,),) = group["charts"]
    # Those who win most stand on top; who is added up beside in the made-up numbers wins more.
    order = ["odd", "plain", "wild", "slow", "quick"]
    assert drawn["columns"] == [row["name"] for row in drawn["rows"]]
    assert drawn["columns"] == [POLICIES[name]["en"] for name in order]
    for name, line in zip(order, drawn["rows"], strict=True):
        for other, cell in zip(order, line["cells"], strict=True):
            if (name, other) not in rates:
                assert cell == {"text": "–", "tone": "level", "strong": False}
                continue
            rate = rates[name, other]
            assert cell["text"] == formats.percent(rate["rate"], rate["se"])
            assert cell["strong"] is (rate["verdict"] == "unbalanced")
            assert cell["tone"].startswith("up" if rate["rate"] > 0.5 else "down")
    (table,) = group["tables"]
    pairs = {tuple(row[:2]) for row in table["rows"]}
    assert len(table["rows"]) == len(pairs) == section["family"] == 9
    assert all(row[2]["below"].count("–") == 1 and row[-2] == "3,000" for row in table["rows"])


def test_parts_of_decks_are_drawn_with_their_effects(content):
    found = section_of(content, "building")
    costs, single = found["groups"][0]["open"]
    assert (costs["caption"], single["caption"]) == ("Cards by cost", "By themselves")
    rows = [row for group in content["building"]["groups"] for row in group["rows"]]
    for row, cells in zip(rows, [*costs["rows"], *single["rows"]], strict=True):
        assert cells[0] == row["label"]["en"]
        if row["effect"] is None:
            assert (cells[1]["whiskers"], cells[2]) == ([], "–")
            continue
        (drawn,) = cells[1]["whiskers"]
        assert drawn["x_lo"] < drawn["x"] < drawn["x_hi"]
        assert cells[2]["text"] == formats.points(row["effect"], row["se"])
        assert cells[2]["clear"] is row["clear"]
    assert "Quick and Slow" in found["notes"][0]


def test_foes_stand_in_the_order_of_how_often_they_end_a_game(content):
    found = section_of(content, "foes")
    (table,) = found["groups"][0]["open"]
    assert [cells[0] for cells in table["rows"]] == ["King <of all>", "Rat"]
    heads = [column["head"] for column in table["columns"]]
    assert heads[3:5] == ["LP lost", "Turns"]
    assert heads[-2:] == ["Games: met", "Games: lost to"]
    king = content["foes"]["tables"][0]["rows"][1]
    cells = table["rows"][0]
    assert cells[2]["text"] == formats.percent(king["lost"]["rate"], 0.004)
    assert cells[3]["text"] == formats.number(king["costs"][0]["mean"], 0.02)
    assert cells[-2:] == ["5,001", "101"]


def test_shares_of_losses_are_a_table_of_counts(content):
    found = section_of(content, "share-lost_at")
    assert found["heading"] == "Lost at"
    table, of_policy = found["tables"]
    assert (table["caption"], of_policy["caption"]) == ("All policies", "Policy A")
    assert table["counts"]
    assert [row["count"] for row in table["rows"]] == ["18,000", "2,000"]


def test_pairs_of_what_was_chosen_have_no_verdict(content):
    found = section_of(content, "matchups-guild")
    assert found["tag"] == "chosen during play"
    assert "do not show what the choice causes" in found["notes"][-1]
    (table,) = found["groups"][0]["tables"]
    assert "Verdict" not in [column["head"] for column in table["columns"]]
    cells = [cell for row in found["groups"][0]["charts"][0][0]["rows"] for cell in row["cells"]]
    assert {cell["strong"] for cell in cells if cell["text"] != "–"} == {True}


def test_a_curve_has_a_line_of_winners_and_one_of_the_others(content):
    found = section_of(content, "curve-cost")
    assert found["heading"] == "Cost curve: winners and the others"
    (group,) = found["groups"]
    assert [item["text"] for item in group["legend"]] == ["Winners", "The others"]
    (panels,) = group["charts"]
    table = content["winners"][1]["tables"][0]
    for panel in panels:
        assert [tick["text"] for tick in panel["across"]] == ["0", "1", "2+"]
        winners, others = (line["points"] for line in panel["lines"])
        for first, second, row in zip(winners, others, table["rows"], strict=True):
            lower = row["winners"]["mean"] < row["others"]["mean"]
            assert (first["y"] > second["y"]) is lower  # the axis points up
            assert first["y_hi"] < first["y"] < first["y_lo"]
    assert [row[0] for row in group["tables"][0]["rows"]] == ["0", "1", "2+"]


def test_winners_stand_beside_the_others_with_the_difference(content):
    found = section_of(content, "winners")
    (group,) = found["groups"]
    for shown, table in zip(group["open"], content["winners"][0]["tables"], strict=True):
        for cells, row in zip(shown["rows"], table["rows"], strict=True):
            assert cells[0] == row["label"]["en"]
            first, second = cells[1]["whiskers"]
            assert (first["x"] < second["x"]) is (row["winners"]["mean"] < row["others"]["mean"])
            for cell, part in zip(cells[2:5], ("winners", "others", "difference"), strict=True):
                assert cell["text"] == formats.number(row[part]["mean"], row[part]["se"])
            gap = row["difference"]
            assert cells[4]["strong"] is not (gap["lo"] <= 0 <= gap["hi"])
            assert cells[5] == "15,000"


def test_what_nobody_ever_got_is_left_out_of_the_sources(content):
    found = copy.deepcopy(content)
    nought = {"mean": 0.0, "se": 0.0, "lo": 0.0, "hi": 0.0}
    for table in found["winners"][0]["tables"]:
        table["rows"][1] |= dict.fromkeys(("winners", "others", "difference"), nought)
    shown = section_of(found, "winners")["groups"][0]["open"]
    assert [[row[0] for row in table["rows"]] for table in shown] == [["Sort war"]] * len(PLAYERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_say_which_figure_is_an_effect_and_which_a_description(content, language):
    w = Words(language)
    found = section_of(content, "cards", language)
    effect, choice = found["notes"]
    dealt, chosen = content["cards"]["dealt"]["label"], content["cards"]["chosen"]["label"]
    assert effect.startswith(dealt[language])
    assert choice.startswith(chosen[language])
    (group,) = found["groups"]
    (lists,) = group["charts"]
    for drawn, table in zip(lists, content["cards"]["tables"], strict=True):
        order = sorted(table["rows"], key=lambda row: -abs(row["dealt"]["effect"]))[:10]
        assert [row["name"] for row in drawn["rows"]] == [row["label"][language] for row in order]
        assert all(row["text"][0] in "+−0" for row in drawn["rows"])
        assert {row["mark"] for row in drawn["rows"]} <= {"plain", "undecided"}
    for shown, table in zip(group["tables"], content["cards"]["tables"], strict=True):
        assert len(shown["rows"]) == len(KINDS)
        for cells, row in zip(shown["rows"], table["rows"], strict=True):
            assert cells[1]["strong"] is row["dealt"]["clear"]
            assert cells[2] == formats.count(row["dealt"]["rows"])
            assert (cells[4] == "–") is (row["chosen"] is None)
    assert w("cards") in Page(pages.html(content, language)).text


def test_cards_that_chance_does_not_deal_are_described_alone(content):
    found = copy.deepcopy(content)
    found["cards"] |= {"dealt": None, "effects": 0}
    for row in (row for table in found["cards"]["tables"] for row in table["rows"]):
        row["dealt"] = None
    shown = section_of(found, "cards")
    assert shown["tag"] == "chosen during play"
    assert "does not show what the choice causes" in shown["notes"][0]
    (group,) = shown["groups"]
    assert len(group["tables"]) == len(PLAYERS)
    for table in group["tables"]:
        assert len(table["columns"]) == 4
        assert len(table["rows"]) == len(KINDS)
        assert [cells for cells in table["rows"] if cells[2] == "–"] != []
    for table in found["cards"]["tables"]:
        for row in table["rows"]:
            row["chosen"] = None
    assert "cards" not in {one["id"] for one in pages.sections(found, Words("en"))}


def test_levers_draw_lengths_and_a_line_for_each_policy(content):
    found = section_of(content, "lever-pace")
    assert "Length: Games used: mirrors, full rotations" in found["notes"][1]
    for group, table in zip(found["groups"], content["levers"][0]["tables"], strict=True):
        lengths, shares = group["charts"]
        assert [item["text"] for item in group["legend"]] == [
            label["en"] for label in POLICIES.values()
        ]
        for panel, setting in zip(lengths, table["settings"], strict=True):
            assert panel["title"] == f"{setting['label']['en']}: Length"
            assert len(panel["lines"]) == 1
            marked = [tick["text"] for tick in panel["across"] if tick["strong"]]
            assert marked == [str(setting["now"])]
        for panel in shares:
            assert len(panel["lines"]) == len(POLICIES)
            assert panel["parity"] is not None
        for shown, setting in zip(group["tables"], table["settings"], strict=True):
            assert len(shown["rows"]) == len(setting["points"]) * (1 + len(POLICIES))
            own = [cells for cells in shown["rows"] if cells[1]["below"]]
            assert {cells[3] for cells in own} == {"–"}
            turned = [cells for cells in shown["rows"] if not cells[1]["below"]]
            assert all(cells[3]["strong"] for cells in turned)


def test_a_lever_of_a_title_without_opponents_draws_clear_rates(content):
    found = copy.deepcopy(content)
    found["title"]["seats"] = "none"
    for table in found["levers"][0]["tables"]:
        for point in (p for setting in table["settings"] for p in setting["points"]):
            for row in point["policies"]:
                row |= {"parity": None}
    shown = section_of(found, "lever-pace")
    for group in shown["groups"]:
        _, rates = group["charts"]
        assert [panel["title"] for panel in rates] == [
            "Points to end: Clear rate,\u00a0%",
            "Gold: Clear rate,\u00a0%",
        ]
        assert all(panel["parity"] is None for panel in rates)
        heads = [column["head"] for column in group["tables"][0]["columns"]]
        assert heads[2].startswith("Rounds, or clear rate in\u00a0%")
    assert "parity" not in shown["notes"][1]
    assert not Page(pages.html(found)).open


def test_kinds_on_offer_without_opponents_are_drawn_for_each_policy(content):
    found = copy.deepcopy(content)
    found["title"]["seats"] = "none"
    shown = section_of(found, "supply")
    policies = [o for o in found["supply"]["outcomes"] if o["id"] == "policy"]
    first = shown["groups"][0]
    assert first["heading"] == "Clear rates of policies"
    (lists,) = first["charts"]
    assert len(lists) == len([o for o in policies if any(r["lo"] is not None for r in o["rows"])])
    for outcome, drawn in zip(policies, lists, strict=True):
        assert drawn["title"].startswith(outcome["label"]["en"])
    assert "one over the number of players" not in " ".join(shown["notes"])
