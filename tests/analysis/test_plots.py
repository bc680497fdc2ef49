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
                labels += [
                    category.label for category in title.categories(rules, column.categories)
                ]
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


CELLS = {
    "policy": ["速攻", "速攻", "slow", "slow"],
    "seat": [2, 1, 1, 2],
    "rate": [0.62, 0.55, 0.5, 0.33],
    "parity": [0.5] * 4,
    "verdict": ["unbalanced", "undecided", "balanced", None],
}
CURVES = {
    "seat": [1, 1, 2, 2],
    "value": [1, 0, 0, 1],
    "rate": [0.55, 0.5, 0.45, 0.5],
    "lo": [0.53, 0.48, 0.43, 0.48],
    "hi": [0.57, 0.52, 0.47, 0.52],
    "parity": [0.5] * 4,
}


@pytest.mark.parametrize("kind", [dict, pl.DataFrame, pd.DataFrame])
def test_a_heat_map_prints_the_number_in_each_cell(kind):
    figure = plots.figure()
    axes = plots.heat(kind(CELLS), labels={"slow": "遅攻"}, ax=figure.add_subplot(), title="席")
    cells = np.asarray(axes.images[0].get_array())
    assert np.allclose(cells, [[5, 12], [0, -17]])
    shown = {tuple(map(round, text.get_position())): text.get_text() for text in axes.texts}
    assert shown == {(1, 0): "+12.0", (0, 0): "+5.0", (0, 1): "0.0", (1, 1): "−17.0"}
    framed = [patch.get_bbox().get_points().mean(axis=0).tolist() for patch in axes.patches]
    assert np.allclose(framed, [[1, 0]])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["速攻", "遅攻"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2"]
    assert axes.images[0].get_clim() == pytest.approx((-17, 17))
    limited = plots.heat(CELLS, limit=0.3, ax=plots.figure().add_subplot())
    assert limited.images[0].get_clim() == pytest.approx((-30, 30))
    plots.svg(figure)  # a missing glyph is a warning, and warnings are errors here


def test_the_numbers_of_a_heat_map_can_be_read():
    """Contrast of every number with its cell, by the usual formula, is at least 4.5."""
    from matplotlib.colors import to_rgb

    def light(colour):
        rgb = np.array(to_rgb(colour))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    rates = np.linspace(0.1, 0.9, 41)
    table = {"policy": ["p"] * 41, "seat": list(range(41)), "rate": rates, "parity": [0.5] * 41}
    axes = plots.heat(table, ax=plots.figure().add_subplot())
    image = axes.images[0]
    for text in axes.texts:
        value = np.asarray(image.get_array())[0][round(text.get_position()[0])]
        one, two = light(image.cmap(image.norm(value))[:3]), light(text.get_color())
        assert (max(one, two) + 0.05) / (min(one, two) + 0.05) >= 4.5


@pytest.mark.parametrize("kind", [dict, pl.DataFrame, pd.DataFrame])
def test_curves_show_the_numbers_they_were_given(kind):
    axes = plots.curves(
        kind(CURVES), by="seat", margin=0.02, now=1, ax=plots.figure().add_subplot()
    )
    points = [line for line in axes.lines if line.get_linestyle() == "None"]
    assert [list(line.get_xdata()) for line in points] == [[0, 1], [0, 1]]
    assert np.allclose([line.get_ydata() for line in points], [[50, 55], [45, 50]])
    bars = [[segment[:, 1] for segment in found.get_segments()] for found in axes.collections]
    assert np.allclose(bars, [[[48, 52], [53, 57]], [[43, 47], [48, 52]]])
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    assert left < 0 < 1 < right < 2
    assert 40 < low < 43 < 57 < high < 60
    looks = {(line.get_marker(), line.get_color()) for line in points}
    assert len(looks) == 2
    assert axes.lines[0].get_ydata()[0] == pytest.approx(50)
    assert axes.lines[1].get_xdata()[0] == 1
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["1", "2"]


def test_a_single_curve_has_no_legend():
    table = {key: values[2:] for key, values in CURVES.items()}
    assert plots.curves(table, ax=plots.figure().add_subplot()).get_legend() is None


def test_a_fan_shows_means_and_bands():
    table = {**CURVES, "mean": CURVES["rate"], "round": CURVES["value"]}
    axes = plots.fan(table, ylabel="真理", ax=plots.figure().add_subplot())
    assert [list(line.get_ydata()) for line in axes.lines] == [[0.5, 0.55], [0.45, 0.5]]
    assert len({line.get_linestyle() for line in axes.lines}) == 2
    ends = [found.get_datalim(axes.transData).intervaly for found in axes.collections]
    assert np.allclose(ends, [[0.48, 0.57], [0.43, 0.52]])


def test_lines_differ_by_more_than_colour():
    for part in range(3):
        assert len({str(look[part]) for look in plots.LINES}) == len(plots.LINES)


@pytest.mark.parametrize(
    ("draw", "asked"),
    [
        (plots.heat, {"rows": "guild"}),
        (plots.heat, {"columns": "place"}),
        (plots.curves, {"x": "cost"}),
        (plots.curves, {"by": "guild"}),
        (plots.fan, {"value": "score"}),
    ],
)
def test_a_missing_column_is_named(draw, asked):
    table = {**CELLS, **CURVES, "mean": CURVES["rate"], "round": CURVES["value"]}
    name = next(iter(asked.values()))
    with pytest.raises(ValueError, match=f"no column '{name}'"):
        draw(table, **asked, ax=plots.figure().add_subplot())
