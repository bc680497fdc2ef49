"""Stop rules: how they are read, what they look at, and what tables say of runs they ended."""

from __future__ import annotations

import pytest

import sim
from analysis import estimates, stop_rule, win_rates
from analysis.cli import main
from analysis.recipe import play as play_again
from analysis.recipe import recipe_of
from analysis.stopping import FLOOR
from sim.errors import InputError, UnknownNameError


@pytest.mark.parametrize(
    ("text", "by", "width", "verdict"),
    [
        ("seat ±0.2pp", ("players", "seat"), 0.002, False),
        ("seat +-0.2 pp", ("players", "seat"), 0.002, False),
        (" policy , seat +/- 1 pp ", ("players", "policy", "seat"), 0.01, False),
        ("players,policy ±.5%", None, None, None),
        ("players,policy ±0.5%", ("players", "policy"), 0.005, False),
        ("verdict", ("players", "seat"), None, True),
        ("verdict policy", ("players", "policy"), None, True),
        ("verdict seat ±1.5pp", ("players", "seat"), 0.015, True),
        ("verdict ±1pp", ("players", "seat"), 0.01, True),
        ("", None, None, None),
        ("seat", None, None, None),
        ("players ±1pp", None, None, None),
        ("±1pp", None, None, None),
        ("seat ±1", None, None, None),
        ("seat ±0pp", None, None, None),
        ("seat ±100pp", None, None, None),
        ("seat ±1e-3pp", None, None, None),
        ("seat, ±1pp", None, None, None),
        ("verdicts", None, None, None),
        ("seat ±1pp; rm", None, None, None),
    ],
)
def test_how_rules_are_read(text, by, width, verdict):
    if by is None:
        with pytest.raises(InputError, match=r"stop rule|lies between"):
            stop_rule(text)
        return
    rule = stop_rule(text)
    assert (rule.by, rule.width, rule.verdict) == (by, width, verdict)
    assert stop_rule(rule.text) == rule


@pytest.mark.parametrize(
    ("title", "rule", "kind", "named"),
    [
        ("classic", "seet ±1pp", UnknownNameError, "did you mean 'seat'"),
        ("wizard", "verdict", InputError, "no opponents"),
    ],
)
def test_rules_that_no_run_could_meet_are_refused_before_it_is_played(title, rule, kind, named):
    with pytest.raises(kind, match=named):
        sim.simulate(title, games=100, until=stop_rule(rule))


def test_verdicts_without_a_margin_of_their_own_need_one():
    asked = {"games": 6000, "lineup": "engine,sophia", "keep": "sums"}
    with pytest.raises(InputError, match="give the margin"):
        sim.simulate("granmagia", until=stop_rule("verdict seat"), **asked)
    run = sim.simulate("granmagia", until=stop_rule("verdict seat ±40pp"), **asked)
    assert ended(run)


def test_precision_is_reached_and_not_much_surpassed():
    rule = stop_rule("seat ±1pp")
    run = sim.simulate("classic", games=200_000, players=2, keep="sums", until=rule)
    table = win_rates(run, family="table")
    assert ended(run)
    assert 0.008 < ((table["hi"] - table["lo"]) / 2).max() <= 0.01
    assert "±0.9" in run.stopped["why"] or "±1 pp" in run.stopped["why"]


def test_no_run_ends_before_there_are_deals_behind_every_rate():
    rule = stop_rule("policy,seat ±40pp")
    run = sim.simulate("classic", games=300_000, players=3, keep="sums", until=rule)
    assert ended(run)
    assert win_rates(run, rule.by)["clusters"].min() >= FLOOR


def test_verdicts_stand_in_the_tables_that_are_shown():
    rule = stop_rule("verdict seat ±3pp")
    run = sim.simulate("classic", games=400_000, players=2, keep="sums", until=rule)
    assert ended(run)
    table = win_rates(run, margin=0.03, family="table")
    assert set(table["verdict"]) <= {"balanced", "unbalanced"}
    plain = win_rates(run, margin=0.03, family="table", anytime=False)
    wider = ((table["hi"] - table["lo"]) / (plain["hi"] - plain["lo"])).to_list()
    assert all(1.3 < ratio < 2.2 for ratio in wider)


def test_a_plain_run_has_plain_intervals():
    run = sim.simulate("classic", games=4000, players=2, keep="sums")
    assert win_rates(run).equals(win_rates(run, anytime=False))
    assert not win_rates(run).equals(win_rates(run, anytime=True))


def ended(run) -> bool:
    assert run.stopped is not None
    return run.stopped["met"]


def test_a_sequence_is_tightest_where_it_was_asked_to_be():
    near = {t: estimates.sequence_value(10_000, tightest=t) for t in (2_000, 5_000, 10_000, 20_000)}
    assert min(near, key=near.__getitem__) == 10_000
    assert 1.5 < near[10_000] / estimates.z_value() < 1.6
    assert estimates.sequence_value(10_000, family=4) > near[10_000]
    with pytest.raises(ValueError, match="level"):
        estimates.sequence_value(10, level=1.0)
    with pytest.raises(ValueError, match="clusters"):
        estimates.sequence_value(0)


@pytest.mark.parametrize(("games", "code", "told"), [("60k", 0, "is met"), ("5k", 3, "not met")])
def test_the_command_says_how_it_ended(capsys, games, code, told):
    arguments = ["simulate", "classic", "--players", "2", "--games", games]
    assert main([*arguments, "--until", "seat ±1.5pp"]) == code
    assert f'"seat ±1.5pp" is {told.removeprefix("is ")}' in capsys.readouterr().out


def test_the_command_refuses_what_is_no_rule(capsys):
    assert main(["simulate", "classic", "--games", "5k", "--until", "seat"]) == 2
    assert "is no stop rule (allowed:" in capsys.readouterr().err


def test_a_run_that_ended_early_is_played_again_from_its_recipe():
    rule = stop_rule("seat ±2pp")
    run = sim.simulate("classic", games=60_000, players=2, keep="sums", until=rule)
    again = play_again(recipe_of(run))
    assert again.stopped == run.stopped
    assert again.identity == run.identity
    assert again.sums.wins.equals(run.sums.wins)
