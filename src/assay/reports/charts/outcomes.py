"""Charts of answers with non-response and confidence: outcomes, risk against coverage, reliability diagrams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.reports.charts.marks import (
    MOST_NAMED,
    Rows,
    bars,
    category,
    colour,
    hits,
    layer,
    overlay,
    plot,
    quantity,
    shown,
    spec,
)
from assay.reports.model import Chart, Json

OUTCOMES = ("correct", "incorrect", "unanswered")


def outcome_bars(id: str, rows: Sequence[tuple[str, int, int, int]], caption: str, alt: str) -> Chart:
    """A bar a run, divided by what became of its questions. `rows` are run, correct, incorrect, unanswered."""
    data: Rows = [
        {"run": run, "outcome": outcome, "place": place, "questions": count}
        for run, *counts in rows
        for place, (outcome, count) in enumerate(zip(OUTCOMES, counts, strict=True))
    ]
    encoding: Json = {
        "y": category("run", None, labelLimit=170, domain=False, ticks=False),
        "x": quantity("questions", "Questions", zero=True, tickMinStep=1),
        "order": {"field": "place", "type": "quantitative"},
        "color": colour("outcome", OUTCOMES, "outcomes", legend={"orient": "top"}),
        "tooltip": [shown("run", "run"), shown("outcome", "outcome"), shown("questions", "questions", "d")],
    }
    body = spec({"outcomes": data}, [layer("outcomes", "bar", encoding)], height=max(90, 20 * len(rows)))
    return Chart(id, "Outcomes", body, caption, alt, bars(data, "run", "outcome", "questions", "questions"))


def risk_coverage(
    id: str,
    curves: Mapping[str, Sequence[tuple[float, float]]],
    highlighted: Sequence[str],
    caption: str,
    alt: str,
    title: str = "Risk and coverage",
) -> Chart:
    """Share of wrong answers among the most confident, as more and more questions are answered; lower is better.

    One curve alone needs no name beside it, and its specification is then the same for every run.
    """
    named = list(highlighted)[:MOST_NAMED]
    rows = {name: [{"run": name, "coverage": x, "risk": y} for x, y in points] for name, points in curves.items()}
    axes: Json = {
        "x": quantity("coverage", "Coverage (share of questions answered)", (0, 1), format=".0%", grid=False),
        "y": quantity("risk", "Risk (share of answers that are wrong)", zero=True, format=".0%"),
    }
    tooltip = [shown("run", "run"), shown("coverage", "coverage", ".1%"), shown("risk", "risk", ".2%")]
    front = [row for name in named for row in rows[name]]
    back = [row for name in curves if name not in named for row in rows[name]]
    drawing = plot([*front, *back], "run", axes)
    if len(curves) == 1 and not named:
        data, layers = {"run": back}, [layer("run", "line", axes, "run"), hits("run", axes, tooltip, 70)]
    else:
        data, layers = {"front": front, "back": back}, overlay(axes, tooltip, named, dashed=True)
    return Chart(id, title, spec(data, layers), caption, alt, drawing)


def reliability_diagram(
    id: str,
    bins: Sequence[tuple[float, float, float | None, float | None, int, float]],
    caption: str,
    alt: str,
    title: str = "Reliability diagram",
) -> Chart:
    """Accuracy within each bin of stated confidence; on the diagonal, a system knows how often it is right.

    `bins` are lower edge, upper edge, mean confidence, accuracy, number of answers and how high that is drawn; empty bins
    have None.
    """
    data: Rows = [
        {"from": low, "to": high, "confidence": stated, "accuracy": right, "answers": size, "base": 0, "height": height}
        for low, high, stated, right, size, height in bins
        if size and stated is not None and right is not None
    ]
    axes: Json = {
        "x": quantity("confidence", "Stated confidence", (0, 1), format=".1f", grid=False),
        "y": quantity("accuracy", "Accuracy", (0, 1), format=".1f", tickCount=5),
    }
    diagonal: Rows = [{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}]
    tooltip = [
        shown("from", "from", ".2f"),
        shown("to", "to", ".2f"),
        shown("confidence", "mean confidence", ".4f"),
        shown("accuracy", "accuracy", ".4f"),
        shown("answers", "answers", "d"),
    ]
    strip: Json = {
        "x": {**axes["x"], "field": "from"},
        "x2": {"field": "to"},
        "y": {**axes["y"], "field": "base"},
        "y2": {"field": "height"},
        "tooltip": tooltip,
    }
    layers = [
        layer("bins", "rect", strip, "quiet-bar"),
        layer("diagonal", "line", axes, "reference"),
        layer("bins", "line", axes, "run"),
        layer("bins", "point", {**axes, "tooltip": tooltip}, "run-point", size=60),
    ]
    body = spec({"bins": data, "diagonal": diagonal}, layers, width=420)
    curves = {"this run": data, "knows how often it is right": diagonal}
    drawing = plot([{**row, "of": name} for name, rows in curves.items() for row in rows if data], "of", axes)
    return Chart(id, title, body, caption, alt, drawing)
