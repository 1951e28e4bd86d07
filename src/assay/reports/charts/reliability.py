"""Charts about the evaluation itself: stability, swaps, the difference to believe by size, significance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.reports.charts.marks import Rows, colour, hits, layer, level_lines, named_lines, plot, quantity, shown, spec
from assay.reports.model import Chart, Json

HIGHEST_LEVEL = 0.15
"""Where the plot of significance levels ends."""


def stability_curves(
    id: str,
    curves: Mapping[str, Sequence[tuple[float, float, float]]],
    caption: str,
    alt: str,
    title: str = "Stability: minority rate and ties",
    level: float = 0.01,
) -> Chart:
    """Minority rate against proportion of ties as fuzziness grows.

    Low and left is better. `curves` give per measure the rows fuzziness, minority rate, proportion of ties.
    """
    data: Rows = [
        {"measure": name, "fuzziness": fuzziness, "rate": rate, "ties": ties}
        for name, points in curves.items()
        for fuzziness, rate, ties in points
    ]
    axes: Json = {
        "x": quantity("ties", "Proportion of ties", format=".0%", grid=False),
        "y": quantity("rate", "Minority rate", zero=True, format=".1%"),
        "order": {"field": "fuzziness", "type": "quantitative"},
    }
    tooltip = [
        shown("measure", "measure"),
        shown("fuzziness", "fuzziness", ".2f"),
        shown("rate", "minority rate", ".2%"),
        shown("ties", "ties", ".2%"),
    ]
    return _by_measure(id, title, data, axes, tooltip, [(level, f"{level:.0%}")], caption, alt)


def swap_curves(
    id: str,
    curves: Mapping[str, Sequence[tuple[float, float | None, int]]],
    caption: str,
    alt: str,
    title: str = "Swap rate by difference",
    level: float = 0.05,
) -> Chart:
    """How often two sets of topics contradict each other, by the difference seen.

    `curves` give per measure the rows lower edge of the bin, swap rate (None where the bin is empty), comparisons.
    """
    data: Rows = [
        {"measure": name, "from": edge, "rate": rate, "comparisons": size}
        for name, points in curves.items()
        for edge, rate, size in points
        if rate is not None
    ]
    axes: Json = {
        "x": quantity(
            "from", "Difference on the first subset (lower edge of its bin)", zero=True, format=".2f", grid=False
        ),
        "y": quantity("rate", "Swap rate", zero=True, format=".0%"),
    }
    tooltip = [
        shown("measure", "measure"),
        shown("from", "difference from", ".2f"),
        shown("rate", "swap rate", ".2%"),
        shown("comparisons", "comparisons", ",d"),
    ]
    return _by_measure(id, title, data, axes, tooltip, [(level, f"{level:.0%}")], caption, alt, log=True)


def size_curves(
    id: str,
    curves: Mapping[str, Sequence[tuple[int, float]]],
    unit: str,
    caption: str,
    alt: str,
    title: str = "The difference to believe, by size",
) -> Chart:
    """What a difference must be with fewer and with more topics."""
    data: Rows = [
        {"measure": name, "size": size, "difference": difference}
        for name, points in curves.items()
        for size, difference in points
    ]
    axes: Json = {
        "x": quantity("size", f"{unit.capitalize()}s", format="d", tickMinStep=1, grid=False),
        "y": quantity("difference", "Difference to believe", zero=True, format=".2f"),
    }
    tooltip = [shown("measure", "measure"), shown("size", f"{unit}s", "d"), shown("difference", "difference", ".2f")]
    return _by_measure(id, title, data, axes, tooltip, [], caption, alt)


def _by_measure(
    id: str,
    title: str,
    data: Rows,
    axes: Json,
    tooltip: list[Json],
    levels: Sequence[tuple[float, str]],
    caption: str,
    alt: str,
    log: bool = False,
) -> Chart:
    """A curve per measure over reference lines."""
    lines, layers = level_lines(levels)
    names = list(dict.fromkeys(row["measure"] for row in data))
    layers += named_lines("curves", axes, "measure", names, tooltip)
    drawing = plot(data, "measure", axes, line=levels[0][0] if levels else None, log=log)
    return Chart(id, title, spec({"curves": data, "lines": lines}, layers), caption, alt, drawing)


def significance_curves(
    id: str,
    curves: Mapping[str, Sequence[float]],
    caption: str,
    alt: str,
    title: str = "Achieved significance levels",
    levels: Sequence[float] = (0.01, 0.05),
) -> Chart:
    """Run pairs in order of their achieved significance level; a curve that meets .05 further right discriminates more.

    `curves` give per measure the pairs' p-values, in any order; those above `HIGHEST_LEVEL` lie outside the plot.
    """
    data: Rows = [
        {"measure": name, "pair": place, "p": p}
        for name, values in curves.items()
        for place, p in enumerate(sorted(values), start=1)
        if p <= HIGHEST_LEVEL
    ]
    lines, layers = level_lines([(at, f"{at:g}") for at in levels])
    axes: Json = {
        "x": quantity("pair", "Run pairs, by significance", zero=True, grid=False, format="d", tickMinStep=1),
        "y": quantity("p", "Achieved significance level", (0, HIGHEST_LEVEL), format=".2f"),
    }
    hue = colour("measure", list(curves))
    tooltip = [shown("measure", "measure"), shown("pair", "pairs up to here", "d"), shown("p", "level", ".4f")]
    layers += [layer("curves", "line", {**axes, "color": hue, "strokeDash": hue}), hits("curves", axes, tooltip, 50)]
    drawing = plot(data, "measure", axes, line=levels[-1])
    return Chart(id, title, spec({"curves": data, "lines": lines}, layers, height=300), caption, alt, drawing)
