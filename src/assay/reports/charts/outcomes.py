"""Charts of answers with non-response and confidence: outcomes, risk against coverage, reliability diagrams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.analyses.abstention.price import PricePoint
from assay.figures.answer_validation import CandidateDecisions, RocPoint
from assay.figures.outcomes import ConfidenceBin
from assay.reports.charts import vega_lite
from assay.reports.model import Chart, Json

OUTCOMES = ("correct", "incorrect", "unanswered")
ALL_OUTCOMES = ("correct", "partly correct", "incorrect", "unanswered", "failed")
RANGES: dict[tuple[str, ...], str] = {
    OUTCOMES: "outcomes", (*OUTCOMES, "failed"): "outcomes-failed", ALL_OUTCOMES[:-1]: "outcomes-partial",
    ALL_OUTCOMES: "all-outcomes",
}  # fmt: skip
"""The theme's colours of the outcomes that there are."""


def outcome_bars(
    id: str, rows: Sequence[tuple[str, int, int, int, int, int]], caption: str, alt: str,
    counted: str = "questions",
) -> Chart:  # fmt: skip
    """A bar a run, divided by what became of its questions: run, correct, partly correct, incorrect, unanswered, failed.

    The usual three always, partial credit and failures where some run has them. `counted` is what there are so many of.
    """
    some = {"partly correct": any(row[2] for row in rows), "failed": any(row[5] for row in rows)}
    shown = [outcome for outcome in ALL_OUTCOMES if some.get(outcome, True)]
    cells = [
        (run, outcome, place, count)
        for run, *counts in rows
        for place, (outcome, count) in enumerate(zip(ALL_OUTCOMES, counts, strict=True))
        if outcome in shown
    ]
    data = vega_lite.records(("run", "outcome", "place", counted), cells)
    most = max((sum(counts) for _, *counts in rows), default=0) or 1
    encoding: Json = {
        "y": vega_lite.category("run", None, labelLimit=170, domain=False, ticks=False),
        "x": vega_lite.quantity(counted, counted.capitalize(), (0, most), tickMinStep=1),
        "order": {"field": "place", "type": "quantitative"},
        "color": vega_lite.colour("outcome", shown, RANGES[tuple(shown)], legend={"orient": "top"}),
        "tooltip": [
            vega_lite.shown("run", "run"),
            vega_lite.shown("outcome", "outcome"),
            vega_lite.shown(counted, counted, "d"),
        ],
    }
    body = vega_lite.spec(
        {"outcomes": data}, [vega_lite.layer("outcomes", "bar", encoding)], height=max(90, 20 * len(rows))
    )
    return Chart(id, "Outcomes", body, caption, alt, vega_lite.bars(data, "run", "outcome", counted, counted))


def risk_coverage(
    id: str, curves: Mapping[str, Sequence[tuple[float, float]]], highlighted: Sequence[str], caption: str, alt: str
) -> Chart:
    """Share of wrong answers among the most confident, as more and more questions are answered; lower is better.

    One curve alone needs no name beside it, and its specification is then the same for every run.
    """
    named = list(highlighted)[: vega_lite.MOST_NAMED]
    names = ("run", "coverage", "risk")
    rows = {name: vega_lite.records(names, ((name, *point) for point in points)) for name, points in curves.items()}
    axes: Json = {
        "x": vega_lite.quantity("coverage", "Coverage (share of questions answered)", (0, 1), format=".0%", grid=False),
        "y": vega_lite.quantity("risk", "Risk (share of answers that are wrong)", zero=True, format=".0%"),
    }
    tooltip = [
        vega_lite.shown("run", "run"),
        vega_lite.shown("coverage", "coverage", ".1%"),
        vega_lite.shown("risk", "risk", ".2%"),
    ]
    front = [row for name in named for row in rows[name]]
    back = [row for name in curves if name not in named for row in rows[name]]
    drawing = vega_lite.plot([*front, *back], "run", axes)
    if len(curves) == 1 and not named:
        data, layers = (
            {"run": back},
            [vega_lite.layer("run", "line", axes, "run"), vega_lite.hits("run", axes, tooltip, 70)],
        )
    else:
        data = {"front": front, "back": back, vega_lite.MARKED: []}
        layers = vega_lite.overlay(axes, tooltip, named, dashed=True)
    return Chart(id, "Risk and coverage", vega_lite.spec(data, layers), caption, alt, drawing)


def roc(
    id: str,
    decisions: Sequence[CandidateDecisions],
    curves: Mapping[str, Sequence[RocPoint]],
    highlighted: Sequence[str],
    caption: str,
    alt: str,
) -> Chart:
    """ROC space: the curve of each run that states confidences, a point for what each run accepted, and the diagonal of
    accepting at random with the baselines on it. Up to eight `highlighted` runs have colours and shapes of their own.

    One run alone needs no name, and its specification is then the same for every run.
    """
    named = list(highlighted)[: vega_lite.MOST_NAMED]
    names = ("run", "false", "true")
    lines = {
        run: vega_lite.records(names, [(run, 0.0, 0.0), *((run, p.false_positive_rate, p.recall) for p in points)])
        for run, points in curves.items()
    }
    points = vega_lite.records(names, ((one.name, one.false_positive_rate, one.recall) for one in decisions))
    known = [row for row in points if row["false"] is not None and row["true"] is not None]
    axes: Json = {
        "x": vega_lite.quantity(
            "false", "Wrong candidates accepted (false positive rate)", (0, 1), format=".1f", tickCount=5, grid=False
        ),
        "y": vega_lite.quantity("true", "Right candidates accepted (recall)", (0, 1), format=".1f", tickCount=5),
    }
    tooltip = [
        vega_lite.shown("run", "run"),
        vega_lite.shown("false", "wrong accepted", ".1%"),
        vega_lite.shown("true", "right accepted", ".1%"),
    ]
    baselines = vega_lite.records(names, (("accept half", 0.5, 0.5), ("accept all", 1.0, 1.0)))
    data: dict[str, vega_lite.Rows] = {
        "front": [row for run in named if run in lines for row in lines[run]],
        "back": [row for run in lines if run not in named for row in lines[run]],
        vega_lite.MARKED: [],
        "diagonal": [{"false": 0, "true": 0}, {"false": 1, "true": 1}],
        "baselines": baselines,
        "points": [row for row in known if row["run"] in named],
        "others": [row for row in known if row["run"] not in named],
    }
    label: Json = {**axes, "text": {"field": "run"}}
    told: Json = {**axes, "tooltip": tooltip}
    if named:
        hue = vega_lite.colour("run", named)
        drawn = vega_lite.overlay(axes, tooltip, named, dashed=True)
        dots = [
            vega_lite.layer("others", "point", told, "others", size=60),
            vega_lite.layer("points", "point", {**told, "color": hue, "shape": hue}, size=110),
        ]
    else:
        drawn = [vega_lite.layer("back", "line", axes, "run"), vega_lite.hits("back", axes, tooltip, 70)]
        dots = [vega_lite.layer("others", "point", told, "run-point", size=110)]
        data = {name: rows for name, rows in data.items() if name not in ("front", vega_lite.MARKED, "points")}
    layers = [
        vega_lite.layer("diagonal", "line", axes, "reference"),
        *drawn,
        vega_lite.layer("baselines", "point", told, "median-point", size=70),
        vega_lite.layer("baselines", "text", label, "median-label", align="right", dx=-9, dy=-7),
        *dots,
    ]
    curved = [row for run in (*named, *(run for run in lines if run not in named)) for row in lines.get(run, ())]
    drawing = vega_lite.plot([*curved, *known, *baselines], "run", axes)
    return Chart(id, "ROC curve", vega_lite.spec(data, layers, width=420, height=380), caption, alt, drawing)


def price_curves(
    id: str, curves: Mapping[str, Sequence[PricePoint]], highlighted: Sequence[str], banded: Sequence[str], caption: str, alt: str,
    declining: float = 0.0,
) -> Chart:  # fmt: skip
    """The mean of every run against what a wrong answer costs, and what declining everything gets; bands around some."""
    named = list(highlighted)[: vega_lite.MOST_NAMED]
    names = ("run", "price", "score", "low", "high")
    rows = {
        name: vega_lite.records(names, ((name, p.t, p.score, *(p.interval or (None, None))) for p in points))
        for name, points in curves.items()
    }
    axes: Json = {
        "x": vega_lite.quantity("price", "Price of a wrong answer, t", (0, 1), format=".1f", tickCount=10, grid=False),
        "y": vega_lite.quantity("score", "Mean over questions", zero=True, format=".1f"),
    }
    ends = (vega_lite.shown(end, end, ".4f") for end in ("low", "high"))
    tooltip = [
        vega_lite.shown("run", "run"),
        vega_lite.shown("price", "t", ".3f"),
        vega_lite.shown("score", "mean", ".4f"),
        *ends,
    ]
    lines, layers = vega_lite.level_lines([(declining, "declining everything")])
    front = [row for name in named for row in rows[name]]
    back = [row for name in curves if name not in named for row in rows[name]]
    around = [row for name in banded for row in rows[name] if name in named and row["low"] is not None]
    data = {"front": front, "back": back, vega_lite.MARKED: [], "lines": lines, "bands": around}
    sides: Json = {
        **axes,
        "y": {**axes["y"], "field": "low"},
        "y2": {"field": "high"},
        "color": vega_lite.colour("run", named),
    }
    layers.append(vega_lite.layer("bands", "area", sides, "uncertain"))
    body = vega_lite.spec(data, [*layers, *vega_lite.overlay(axes, tooltip, named, dashed=True)])
    return Chart(id, "Price curves", body, caption, alt, vega_lite.plot([*front, *back], "run", axes, line=declining))


def reliability_diagram(id: str, bins: Sequence[ConfidenceBin], caption: str, alt: str) -> Chart:
    """Accuracy within each bin of stated confidence; on the diagonal, a system knows how often it is right.

    Upright bars show where a calibrated system would lie. Below, low bars show how many answers each bin holds; empty bins are
    left out.
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
        "x": vega_lite.quantity("confidence", "Stated confidence", (0, 1), format=".1f", tickCount=10, grid=False),
        "y": vega_lite.quantity("accuracy", "Accuracy", (0, 1), format=".1f", tickCount=5),
    }
    diagonal: vega_lite.Rows = [{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}]
    told = {
        "from": ".2f",
        "to": ".2f",
        "confidence": ".4f",
        "accuracy": ".4f",
        "answers": "d",
        "low": ".4f",
        "high": ".4f",
    }
    names = {"confidence": "mean confidence", "low": "calibrated from", "high": "calibrated to"}
    tooltip = [vega_lite.shown(name, names.get(name, name), form) for name, form in told.items()]
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
    curves = {"this run": data, "knows how often it is right": diagonal}
    drawing = vega_lite.plot([{**row, "of": name} for name, rows in curves.items() for row in rows if data], "of", axes)
    return Chart(id, "Reliability diagram", body, caption, alt, drawing)
