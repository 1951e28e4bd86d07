"""Charts about the evaluation: stability, swaps, believable difference, significance, items of a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.figures.measure_names import in_words
from assay.reports.charts import vega_lite
from assay.reports.charts.labels import MIN_PLOT_WIDTH, name_layers, place_names
from assay.reports.model import Chart, Json

MAX_CURVE_POINTS = 2000
"""Of a curve with a point for every pair of runs."""
HIGHEST_LEVEL = 0.15
"""The end of the axis of significance levels."""
LEVELS = (0.01, 0.05)

Curves = Mapping[str, Sequence[tuple[float | None, ...]]]
"""The points of each measure's curve."""


def stability_curves(id: str, curves: Curves, caption: str, alt: str) -> Chart:
    """Draw minority rate against proportion of ties by fuzziness; low and left is better.

    `curves` give per measure the rows fuzziness, minority rate, proportion of ties.
    """
    fields = (("fuzziness", "fuzziness", ".2f"), ("rate", "minority rate", ".2%"), ("ties", "ties", ".2%"))
    axes: Json = {
        "x": vega_lite.quantity("ties", "Proportion of ties, lower is better", zero=True, format=".0%", grid=False),
        "y": vega_lite.quantity("rate", "Minority rate, lower is better", zero=True, format=".1%"),
        "order": {"field": "fuzziness", "type": "quantitative"},
    }
    return _by_measure(id, "Stability: minority rate and ties", curves, fields, axes, caption, alt, level=0.01)


def swap_curves(id: str, curves: Curves, caption: str, alt: str, level: float = 0.05) -> Chart:
    """Draw how often two sets of topics contradict each other, by the difference.

    `curves` give per measure the rows lower edge of the bin, swap rate (None where the bin is empty), comparisons.
    """
    fields = (("from", "difference from", ".2f"), ("rate", "swap rate", ".2%"), ("comparisons", "comparisons", ",d"))
    across = "Difference on the first subset (lower edge of its bin)"
    axes: Json = {
        "x": vega_lite.quantity("from", across, zero=True, format=".2f", grid=False),
        "y": vega_lite.quantity("rate", "Swap rate, lower is better", zero=True, format=".0%"),
    }
    return _by_measure(id, "Swap rate by difference", curves, fields, axes, caption, alt, level=level, log=True)


def size_curves(id: str, curves: Curves, unit: str, caption: str, alt: str) -> Chart:
    """Draw the believable difference by number of topics: rows of size and difference."""
    axes: Json = {
        "x": vega_lite.quantity("size", f"{unit.capitalize()}s", format="d", tickMinStep=1, grid=False),
        "y": vega_lite.quantity("difference", "Difference to believe, lower is better", zero=True, format=".2f"),
    }
    fields = (("size", f"{unit}s", "d"), ("difference", "difference", ".2f"))
    return _by_measure(id, "The difference to believe, by size", curves, fields, axes, caption, alt)


def power_curves(id: str, curves: Curves, unit: str, power: float, caption: str, alt: str) -> Chart:
    """Draw the power to detect a difference by number of topics: rows of topics and power."""
    axes: Json = {
        "x": vega_lite.quantity("topics", f"{unit.capitalize()}s", zero=True, format="d", tickMinStep=1, grid=False),
        "y": vega_lite.quantity("power", "Power, higher is better", (0, 1), format=".0%"),
    }
    fields = (("topics", f"{unit}s", "d"), ("power", "power", ".0%"))
    return _by_measure(id, f"Power by number of {unit}s", curves, fields, axes, caption, alt, level=power)


def _by_measure(
    id: str, title: str, curves: Curves, fields: Sequence[tuple[str, str, str]], axes: Json, caption: str, alt: str,
    *, level: float | None = None, log: bool = False,
) -> Chart:  # fmt: skip
    """Draw a curve per measure; `fields` are name, title and format of a point's values."""
    points = [
        (in_words(name), *point)
        for name, points_of_measure in curves.items()
        for point in points_of_measure
        if None not in point
    ]
    data = vega_lite.records(("measure", *(name for name, _, _ in fields)), points)
    lines, layers = vega_lite.level_lines([] if level is None else [(level, f"{level:.0%}")])
    tooltip = vega_lite.tooltip(("measure", "measure"), *fields)
    layers += vega_lite.named_lines(
        "curves", axes, "measure", list(dict.fromkeys(row["measure"] for row in data)), tooltip
    )
    drawing = vega_lite.plot(data, "measure", axes, line=level, log=log)
    reach = vega_lite.reach(row["label"] for row in lines)
    return Chart(
        id, title, vega_lite.spec({"curves": data, "lines": lines}, layers, usermeta=reach), caption, alt, drawing
    )


def _steps(values: Sequence[float]) -> list[tuple[int, float]]:
    """Return place and level of each pair, ordered by level; of many, only the changes.

    >>> _steps([0.02, 0.01]), len(_steps([0.01] * 3000 + [0.02]))
    ([(1, 0.01), (2, 0.02)], 3)
    """
    levels = sorted(value for value in values if value <= HIGHEST_LEVEL)
    if len(levels) <= MAX_CURVE_POINTS:
        return list(enumerate(levels, start=1))
    last = len(levels) - 1
    ends = (i for i, p in enumerate(levels) if i in (0, last) or levels[i - 1] != p or levels[i + 1] != p)
    return [(i + 1, levels[i]) for i in ends]


def significance_curves(id: str, curves: Mapping[str, Sequence[float]], caption: str, alt: str) -> Chart:
    """Draw run pairs by significance; a curve reaching .05 further right discriminates more.

    `curves` give per measure the pairs' p-values, in any order; those above `HIGHEST_LEVEL` lie outside the plot.
    """
    ordered = [(in_words(name), *point) for name, values in curves.items() for point in _steps(values)]
    data = vega_lite.records(("measure", "pair", "p"), ordered)
    lines, layers = vega_lite.level_lines([(at, vega_lite.short(at)) for at in LEVELS])
    axes: Json = {
        "x": vega_lite.quantity("pair", "Run pairs, by significance", zero=True, grid=False, format="d", tickMinStep=1),
        "y": vega_lite.quantity(
            "p", "Achieved significance level, lower discriminates more", (0, HIGHEST_LEVEL), format=".2f"
        ),
    }
    hue = vega_lite.colour("measure", [in_words(name) for name in curves])
    tooltip = vega_lite.tooltip(("measure", "measure"), ("pair", "pairs up to here", "d"), ("p", "level", ".4f"))
    layers += [
        vega_lite.layer("curves", "line", {**axes, "color": hue, "strokeDash": hue}),
        vega_lite.hits("curves", axes, tooltip, 50),
    ]
    reach = vega_lite.reach(row["label"] for row in lines)
    body = vega_lite.spec({"curves": data, "lines": lines}, layers, height=300, usermeta=reach)
    return Chart(
        id, "Achieved significance levels", body, caption, alt, vega_lite.plot(data, "measure", axes, line=LEVELS[-1])
    )


SIZES = {"one": (1, 26), "some": (2, 64), "many": (10, 150)}
"""By dataset: minimum number of items at one point, and size of the dot."""
HEIGHT = 320
KINDS = ("separates runs", "negative, may be chance", "suspicious")


Dot = tuple[str, int, float, float, str]
"""Names of the items, their number, mean, discrimination and kind."""


def difficulty_discrimination(
    id: str, dots: Sequence[Dot], measure: str, share: bool, unit: str, caption: str, alt: str
) -> Chart:
    """Draw a dot per difficulty and discrimination; items of the last kind are drawn on top.

    share   whether the mean is a share of right answers
    """
    names = ("items", "many", "mean", "discrimination", "kind")
    rows = vega_lite.records(names, sorted(dots, key=lambda dot: (KINDS.index(dot[4]), -dot[1])))
    data: dict[str, vega_lite.Rows] = {name: [] for name in reversed(SIZES)}
    for row in rows:
        data[max((least, name) for name, (least, _) in SIZES.items() if row["many"] >= least)[1]].append(row)
    right = vega_lite.quantity("mean", "Share of runs that are right", (0, 1), format=".0%")
    axes: Json = {
        "x": right if share else vega_lite.quantity("mean", f"Mean {in_words(measure)} of the runs", zero=True),
        "y": vega_lite.quantity("discrimination", "Discrimination", (-1, 1), format="+.1f"),
    }
    tooltip = vega_lite.tooltip(
        ("items", unit),
        ("many", f"{unit}s here", "d"),
        ("mean", "right" if share else f"mean {in_words(measure)}", ".1%" if share else ".4f"),
        ("discrimination", "discrimination", "+.3f"),
        ("kind", "which"),
    )
    zero: Json = {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0, "type": "quantitative"}}}
    hue = vega_lite.colour("kind", KINDS, "items", legend={"orient": "top"})
    layers = [
        vega_lite.layer(name, "point", {**axes, "color": hue, "tooltip": tooltip}, size=SIZES[name][1], opacity=0.75)
        for name in data
    ]
    # What is suspicious is named: a reader looks it up.
    named = [row for rows in data.values() for row in rows if row["kind"] == KINDS[-1]]
    values = [row["mean"] for rows in data.values() for row in rows] or [0.0]
    low, high = (0.0, 1.0) if share else (min(0.0, *values), max(values) or 1.0)
    others = [row for rows in data.values() for row in rows if row["kind"] != KINDS[-1]]
    places = [
        (MIN_PLOT_WIDTH * (row["mean"] - low) / (high - low), HEIGHT * (1 - row["discrimination"]) / 2)
        for row in (*named, *others)
    ]
    names_of_dots = [row["items"] for row in named]
    corners = dict(zip(names_of_dots, place_names(places, names_of_dots, MIN_PLOT_WIDTH), strict=True))
    datasets, texts = name_layers("suspicious", named, "items", corners, axes, "dot-label")
    body = vega_lite.spec(data | datasets, [*layers, zero, *texts], height=HEIGHT)
    return Chart(id, "Difficulty and discrimination", body, caption, alt)
