"""Figures draw what they are given, with every name the data can have."""

from __future__ import annotations

import logging

import numpy as np
import pandas as pd
import polars as pl
import pytest

import analysis
from analysis import plots
from sim.titles import TITLES, load

TABLE = {
    "seat": [1, 2, 3, 4],
    "rate": [0.36, 0.33, 0.31, 0.5],
    "lo": [0.355, 0.325, 0.29, 0.1],
    "hi": [0.365, 0.335, 0.33, 0.9],
    "verdict": ["unbalanced", "balanced", "undecided", "too few games"],
}


def drawn(table, labels="seat", **asked):
    figure = plots.figure()
    axes = plots.forest(table, labels, ax=figure.add_subplot(), **asked)
    return figure, axes


@pytest.mark.parametrize("kind", [dict, pl.DataFrame, pd.DataFrame])
def test_a_forest_shows_the_numbers_it_was_given(kind):
    _, axes = drawn(kind(TABLE), parity=1 / 3, margin=0.02)
    whiskers = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2][1:]
    assert np.allclose(whiskers, 100 * np.column_stack([TABLE["lo"], TABLE["hi"]]))
    points = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    assert points == pytest.approx([100 * rate for rate in TABLE["rate"]])
    assert axes.lines[0].get_xdata()[0] == pytest.approx(100 / 3)
    band = axes.patches[0].get_extents().transformed(axes.transData.inverted())
    assert (band.x0, band.x1) == pytest.approx((100 / 3 - 2, 100 / 3 + 2))
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "2", "3", "4"]


def test_verdicts_differ_by_more_than_colour():
    looks = {(plots.MARKERS[v], v == "undecided") for v in set(plots.MARKERS) - {"plain"}}
    assert len(looks) == 4
    assert set(plots.COLOURS) == set(plots.MARKERS)


def test_the_same_figure_has_the_same_bytes():
    texts = {plots.svg(drawn(TABLE, parity=1 / 3)[0]) for _ in range(2)}
    assert len(texts) == 1
    text = texts.pop()
    assert "<dc:date>" not in text
    assert text.startswith("<?xml")


def all_names() -> list[str]:
    """Return every display name of every title, and signs that fonts like to lack."""
    names = ["≥ ≤ − ± × — “ ” ’", "髙 鷗 ヴァ ㈱ ① ～"]
    for name in TITLES:
        title = load(name)
        rules = title.load()
        labels = [title.info.label, title.info.score]
        labels += [column.label for column in title.info.columns]
        labels += [kind.label for kind in title.kinds(rules)]
        for column in title.info.columns:
            if column.role == "category":
                labels += [category.label for category in title.categories(rules, column.name)]
        names += [text for label in labels for text in label]
    return names


def test_every_japanese_name_renders(caplog):
    names = all_names()
    assert any("ー" in name for name in names)
    table = {key: [0.5] * len(names) for key in ("rate", "lo", "hi")}
    figure = plots.figure(6, max(3, 0.2 * len(names)))
    with caplog.at_level(logging.WARNING):
        plots.forest(table, names, ax=figure.add_subplot(), title=names[0], xlabel=names[1])
        plots.svg(figure)  # a missing glyph is a warning, and warnings are errors here
    assert not caplog.records


def test_a_histogram_of_a_run(made_up):
    table = analysis.histogram(made_up, "rounds").filter(pl.col("players") == 3)
    axes = plots.histogram(table, ax=plots.figure().add_subplot(), title="長さ")
    assert len(axes.patches) == table.height
    heights = [patch.get_height() for patch in axes.patches]
    assert sum(heights) == pytest.approx(100)


def test_without_axes_a_new_figure_is_made():
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    axes = plots.forest(TABLE)
    assert axes.figure.number in plt.get_fignums()
    plt.close("all")


def test_global_defaults_stay_alone():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    drawn(TABLE)
    assert dict(mpl.rcParams) == before


def test_a_table_without_what_is_needed_is_refused():
    with pytest.raises(ValueError, match="no column 'hi'"):
        drawn({"rate": [0.5], "lo": [0.4]}, None)
    with pytest.raises(ValueError, match="do not fit"):
        drawn(TABLE, ["only one"])


def test_a_forest_is_labelled_by_the_keys_of_its_table():
    table = {
        "players": [2, 3],
        "policy": ["a", "b"],
        **{k: TABLE[k][:2] for k in ("rate", "lo", "hi")},
    }
    _, axes = drawn({**table, "games": [9, 9], "parity": [0.5, 1 / 3]}, None, margin=0.02)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["2 · a", "3 · b"]
    assert len(axes.collections) == 4  # a band and a line for each row


def test_parity_comes_from_the_table():
    _, axes = drawn({**TABLE, "parity": [0.25] * 4}, None, margin=0.02)
    assert axes.lines[0].get_xdata()[0] == pytest.approx(25)
    assert len(axes.patches) == 1


def test_a_table_of_rates_has_no_other_columns_than_keys_and_numbers(made_up):
    columns = analysis.win_rates(made_up, by=["players", "seat"], margin=0.02).columns
    assert [name for name in columns if name not in plots.NOT_KEYS] == ["players", "seat"]
