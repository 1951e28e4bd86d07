"""Charts of question answering with confidence and abstention: outcomes, risk-coverage, reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.analyses.abstention.price import PricePoint
from assay.figures.answer_validation import CandidateDecisions, RocPoint
from assay.figures.outcomes import ConfidenceBin
from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json

OUTCOMES: tuple[str, ...] = ("correct", "partly correct", "unanswered", "incorrect")
"""From left to right: what is right begins at the left edge and what is wrong ends at the right, so that both lengths compare."""


def outcome_bars(
    id: str, rows: Sequence[tuple[str, int, int, int, int, int]], caption: str, alt: str,
    counted: str = "questions",
) -> Chart:  # fmt: skip
    """Draw a bar per run, divided by outcome; partial credit where it occurs, and failures as a cross outside the bar.

    `rows` are run, correct, partly correct, incorrect, unanswered, failed. `counted` is the unit of these counts.
    """
    partial, failures = any(row[2] for row in rows), any(row[5] for row in rows)
    outcomes = [outcome for outcome in OUTCOMES if partial or outcome != "partly correct"]
    counts = [
        (run, dict(zip(OUTCOMES, (right, partly, declined, wrong), strict=True)), failed)
        for run, right, partly, wrong, declined, failed in rows
    ]
    cells = [(run, outcome, place, of[outcome]) for run, of, _ in counts for place, outcome in enumerate(outcomes)]
    data = vega_lite.records(("run", "outcome", "place", counted), cells)
    longest = max((sum(of.values()) for _, of, _ in counts), default=0) or 1
    encoding: Json = {
        "y": vega_lite.category("run", None, labelLimit=170, domain=False, ticks=False),
        "x": vega_lite.quantity(counted, counted.capitalize(), (0, longest), tickMinStep=1),
        "order": {"field": "place", "type": "quantitative"},
        "color": vega_lite.colour(
            "outcome", outcomes, "outcomes-partial" if partial else "outcomes", legend={"orient": "top"}
        ),
        "tooltip": vega_lite.tooltip(("run", "run"), ("outcome", "outcome"), (counted, counted, "d")),
    }
    failed_rows = [
        (run, "failed", sum(of.values()), failed, f"× {failed} failed") for run, of, failed in counts if failed
    ]
    datasets: dict[str, vega_lite.Rows] = {"outcomes": data}
    layers = [vega_lite.layer("outcomes", "bar", encoding)]
    if failures:
        datasets["failed"] = vega_lite.records(("run", "outcome", "end", counted, "label"), failed_rows)
        beside: Json = {"y": encoding["y"], "x": {**encoding["x"], "field": "end"}, "text": {"field": "label"}}
        layers.append(vega_lite.layer("failed", "text", beside, "failed-label", align="left", dx=6))
    meta: Json = {"usermeta": vega_lite.reach(row[-1] for row in failed_rows)} if failures else {}
    body: Json = {**vega_lite.spec(datasets, layers, height=max(90, 20 * len(rows))), **meta}
    printed = [*data, *({key: row[key] for key in ("run", "outcome", counted)} for row in datasets.get("failed", []))]
    drawing = vega_lite.bars(printed, "run", "outcome", counted, counted)
    return Chart(id, "Outcomes", body, caption, alt, drawing)


def risk_coverage(
    id: str, curves: Mapping[str, Sequence[tuple[float, float]]], highlighted: Sequence[str], caption: str, alt: str
) -> Chart:
    """Draw the error rate among the most confident answers by coverage; lower is better.

    A single curve has no label, so that its specification is the same for every run.
    """
    names = ("run", "coverage", "risk")
    rows = {name: vega_lite.records(names, ((name, *point) for point in points)) for name, points in curves.items()}
    axes: Json = {
        "x": vega_lite.quantity(
            "coverage", "Coverage (share of questions answered), higher is better", (0, 1), format=".0%", grid=False
        ),
        "y": vega_lite.quantity(
            "risk", "Risk (share of answers that are wrong), lower is better", zero=True, format=".0%"
        ),
    }
    tooltip = vega_lite.tooltip(("run", "run"), ("coverage", "coverage", ".1%"), ("risk", "risk", ".2%"))
    coloured, data = vega_lite.front_and_back(rows, highlighted)
    drawing = vega_lite.plot([*data["front"], *data["back"]], "run", axes)
    if len(curves) == 1 and not coloured:
        data = {"run": data["back"]}
        layers = [vega_lite.layer("run", "line", axes, "run"), vega_lite.hits("run", axes, tooltip, 70)]
    else:
        layers = vega_lite.overlay(axes, tooltip, coloured, dashed=True)
    return Chart(id, "Risk and coverage", vega_lite.spec(data, layers), caption, alt, drawing)


def roc(
    id: str,
    decisions: Sequence[CandidateDecisions],
    curves: Mapping[str, Sequence[RocPoint]],
    highlighted: Sequence[str],
    caption: str,
    alt: str,
) -> Chart:
    """Draw ROC space: runs' curves and points, the diagonal of chance, the baselines.

    Up to eight `highlighted` runs have their own colours and shapes. A single run has no label, so that its specification is the
    same for every run.
    """
    names = ("run", "false", "true")
    lines = {
        run: vega_lite.records(names, [(run, 0.0, 0.0), *((run, p.false_positive_rate, p.recall) for p in points)])
        for run, points in curves.items()
    }
    points = vega_lite.records(
        names, ((decision.name, decision.false_positive_rate, decision.recall) for decision in decisions)
    )
    known = [row for row in points if row["false"] is not None and row["true"] is not None]
    axes: Json = {
        "x": vega_lite.quantity(
            "false",
            "Wrong candidates accepted (false positive rate), lower is better",
            (0, 1),
            format=".1f",
            grid=False,
        ),
        "y": vega_lite.quantity("true", "Right candidates accepted (recall), higher is better", (0, 1), format=".1f"),
    }
    tooltip = vega_lite.tooltip(("run", "run"), ("false", "wrong accepted", ".1%"), ("true", "right accepted", ".1%"))
    baselines = vega_lite.records(names, (("accept half", 0.5, 0.5), ("accept all", 1.0, 1.0)))
    coloured, overlaid = vega_lite.front_and_back(lines, highlighted)
    data: dict[str, vega_lite.Rows] = {
        **overlaid,
        "diagonal": [{"false": 0, "true": 0}, {"false": 1, "true": 1}],
        "baselines": baselines,
        "points": [row for row in known if row["run"] in coloured],
        "others": [row for row in known if row["run"] not in coloured],
    }
    label: Json = {**axes, "text": {"field": "run"}}
    with_tooltip: Json = {**axes, "tooltip": tooltip}
    if coloured:
        hue = vega_lite.colour("run", coloured)
        drawn = vega_lite.overlay(axes, tooltip, coloured, dashed=True)
        dots = [
            vega_lite.layer("others", "point", with_tooltip, "others", size=60),
            vega_lite.layer("points", "point", {**with_tooltip, "color": hue, "shape": hue}, size=110),
        ]
    else:
        drawn = [vega_lite.layer("back", "line", axes, "run"), vega_lite.hits("back", axes, tooltip, 70)]
        dots = [vega_lite.layer("others", "point", with_tooltip, "run-point", size=110)]
        data = {name: rows for name, rows in data.items() if name not in ("front", vega_lite.MARKED, "points")}
    layers = [
        vega_lite.layer("diagonal", "line", axes, "reference"),
        *drawn,
        vega_lite.layer("baselines", "point", with_tooltip, "median-point", size=70),
        vega_lite.layer("baselines", "text", label, "median-label", align="right", dx=-9, dy=-7),
        *dots,
    ]
    drawing = vega_lite.plot([*overlaid["front"], *overlaid["back"], *known, *baselines], "run", axes)
    return Chart(id, "ROC curve", vega_lite.spec(data, layers, width=420, height=380), caption, alt, drawing)


def price_curves(
    id: str, curves: Mapping[str, Sequence[PricePoint]], highlighted: Sequence[str], banded: Sequence[str], caption: str, alt: str,
    declining: float = 0.0,
) -> Chart:  # fmt: skip
    """Draw every run's mean by the price of a wrong answer, and that of declining everything."""
    names = ("run", "price", "score", "low", "high")
    rows = {
        name: vega_lite.records(names, ((name, p.t, p.score, *(p.interval or (None, None))) for p in points))
        for name, points in curves.items()
    }
    axes: Json = {
        "x": vega_lite.quantity("price", "Price of a wrong answer, t", (0, 1), format=".1f", grid=False),
        "y": vega_lite.quantity("score", "Mean over questions, higher is better", zero=True, format=".1f"),
    }
    ends = (("low", "low", ".3f"), ("high", "high", ".3f"))
    tooltip = vega_lite.tooltip(("run", "run"), ("price", "t", ".3f"), ("score", "mean", ".3f"), *ends)
    lines, layers = vega_lite.level_lines([(declining, "declining everything")])
    coloured, overlaid = vega_lite.front_and_back(rows, highlighted)
    bands = [row for name in banded for row in rows[name] if name in coloured and row["low"] is not None]
    data = {**overlaid, "lines": lines, "bands": bands}
    sides: Json = {
        **axes,
        "y": {**axes["y"], "field": "low"},
        "y2": {"field": "high"},
        "color": vega_lite.colour("run", coloured),
    }
    layers.append(vega_lite.layer("bands", "area", sides, "uncertain"))
    layers += vega_lite.overlay(axes, tooltip, coloured, dashed=True)
    body = vega_lite.spec(data, layers, usermeta=vega_lite.reach(["declining everything"]))
    drawing = vega_lite.plot([*overlaid["front"], *overlaid["back"]], "run", axes, line=declining)
    return Chart(id, "Price curves", body, caption, alt, drawing)


def reliability_diagram(id: str, bins: Sequence[ConfidenceBin], caption: str, alt: str) -> Chart:
    """Draw accuracy within each bin of stated confidence; the diagonal is perfect calibration.

    Upright bars are the interval of a calibrated system. The bars below count the answers of each bin. Empty bins are omitted.
    """
    data = vega_lite.records(
        ("from", "to", "confidence", "accuracy", "answers", "base", "height", "low", "high"),
        (
            (b.low, b.high, b.confidence, b.precision, b.answers, 0, b.height, *(b.consistent or (None, None)))
            for b in bins
            if b.answers
        ),
    )
    axes: Json = {
        "x": vega_lite.quantity("confidence", "Stated confidence", (0, 1), format=".1f", grid=False),
        "y": vega_lite.quantity("accuracy", "Accuracy (on the diagonal: well calibrated)", (0, 1), format=".1f"),
    }
    diagonal: vega_lite.Rows = [{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}]
    formats = {
        "from": ".2f",
        "to": ".2f",
        "confidence": ".3f",
        "accuracy": ".3f",
        "answers": "d",
        "low": ".3f",
        "high": ".3f",
    }
    names = {"confidence": "mean confidence", "low": "calibrated from", "high": "calibrated to"}
    tooltip = vega_lite.tooltip(*((name, names.get(name, name), form) for name, form in formats.items()))
    bars: Json = {"x": axes["x"], "y": {**axes["y"], "field": "low"}, "y2": {"field": "high"}}
    strip: Json = {
        "x": {**axes["x"], "field": "from"},
        "x2": {"field": "to"},
        "y": {**axes["y"], "field": "base"},
        "y2": {"field": "height"},
        "tooltip": tooltip,
    }
    layers = [
        vega_lite.layer("bins", "rect", strip, "quiet-bar"),
        vega_lite.layer("diagonal", "line", axes, "reference"),
        vega_lite.layer("bars", "rule", bars, "consistency"),
        vega_lite.layer("bins", "line", axes, "run"),
        vega_lite.layer("bins", "point", {**axes, "tooltip": tooltip}, "run-point", size=60),
    ]
    known = [row for row in data if row["low"] is not None]
    body = vega_lite.spec({"bins": data, "bars": known, "diagonal": diagonal}, layers, width=420)
    curves = {"this run": data, "perfectly calibrated": diagonal}
    drawing = vega_lite.plot([{**row, "of": name} for name, rows in curves.items() for row in rows if data], "of", axes)
    return Chart(id, "Reliability diagram", body, caption, alt, drawing)
