"""The tables and curves of answers, on a handful of questions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import binom

import assay
from assay.errors import UsageError
from assay.figures import outcomes
from assay.figures.outcomes import consistency_bars
from assay.io.sources import Source
from assay.measures.calibration import bin_of
from assay.scoring.evaluate import extended


def table(rows: dict[str, list[tuple[str, float | None] | None]], measures: list[str], **policies) -> assay.Scores:
    """Runs of (outcome, confidence), one per question, None where it is left out; questions alternate between two types."""
    sources = [
        Source(
            run,
            label=run,
            data="\n".join(
                json.dumps({"id": f"q{i}", "outcome": answer[0], "confidence": answer[1], "type": "ab"[i % 2]})
                for i, answer in enumerate(answers)
                if answer is not None
            ).encode(),
        )
        for run, answers in rows.items()
    ]
    return extended(assay.evaluate(None, sources, measures, **policies), (), outcomes.COLUMNS)


C, I, U = "correct", "incorrect", "unanswered"  # noqa: E741
RUNS = {
    "x": [(C, 0.9), (I, 0.9), (C, 0.4), (U, None)],
    "y": [(C, 0.0), (C, 0.0), (I, 0.0), (I, 0.0)],
    "z": [(C, 0.8), (I, 0.6), (C, 0.2), (I, 0.1)],
}


def test_rankings_side_by_side() -> None:
    scores = table(RUNS, ["accuracy", "CWS", "K1", "incorrect", "unanswered"])
    places = outcomes.rankings(scores)
    assert places["accuracy"] == {"x": "1..3", "y": "1..3", "z": "1..3"}
    assert places["CWS"]["y"] is None, "n/a where confidences are all 0"
    # K1: x (.9 - .9 + .4)/4 = .1, y 0, z (.8 - .6 + .2 - .1)/4 = .075
    assert places["K1"] == {"x": "1", "y": "3", "z": "2"}
    assert places["incorrect"] == {"x": "1", "y": "2..3", "z": "2..3"}, "fewer is better"
    assert "unanswered" not in places, "neither better high nor low"


def test_by_field() -> None:
    rows = outcomes.by_field(table(RUNS, ["c@1", "accuracy"]), "type")
    found = {(row.run, row.value): (row.questions, row.scores) for row in rows}
    assert found["x", "a"] == (2, {"c@1": 1.0, "accuracy": 1.0})
    assert found["x", "b"] == (2, {"c@1": 0.0, "accuracy": 0.0})
    assert found["x", None] == (4, {"c@1": pytest.approx((2 + 2 / 4) / 4), "accuracy": 0.5})
    with pytest.raises(UsageError, match="the gold has no field 'kind'; it has type"):
        outcomes.by_field(table(RUNS, ["c@1"]), "kind")


def test_risk_coverage() -> None:
    scores = table(RUNS, ["c@1"])
    curve = outcomes.risk_coverage(scores, "x")
    assert [(p.confidence, p.coverage, p.risk) for p in curve] == [(0.9, 0.5, 0.5), (0.4, 0.75, pytest.approx(1 / 3))]
    curve = outcomes.risk_coverage(scores, "z")
    assert [p.risk for p in curve] == pytest.approx([0, 1 / 2, 1 / 3, 1 / 2])


def test_reliability_diagram() -> None:
    bins = outcomes.reliability_diagram(table(RUNS, ["c@1"]), "x", bins=2)
    assert [(b.low, b.high, b.answers) for b in bins] == [(0.0, 0.5, 1), (0.5, 1.0, 2)]
    assert [(b.precision, b.confidence) for b in bins] == [(1.0, 0.4), (0.5, 0.9)]
    empty = outcomes.reliability_diagram(table(RUNS, ["c@1"]), "x", bins=10)[0]
    assert (empty.answers, empty.precision, empty.confidence) == (0, None, None)
    assert empty.consistent is None
    for one in bins:
        low, high = one.consistent
        assert 0 <= low <= one.confidence <= high <= 1, "one or two answers say nothing against calibration"


def test_declining_is_counted_where_the_gold_tells() -> None:
    """Of two to be declined one is; of two to be answered one is declined: F1 is 2 · 1 / (2 + 2)."""
    csv = b"run,id,outcome,should_decline\na,q1,correct,0\na,q2,unanswered,0\na,q3,unanswered,1\na,q4,incorrect,1\n"
    [run] = assay.figures.figures_of(assay.evaluate(None, csv)).runs
    assert run.declining == outcomes.Declining(2, 2, 1, 1, 0.5, 0.5, 0.5)
    assert (run.correct, run.incorrect, run.unanswered) == (2, 1, 1)
    assert outcomes.figures(table(RUNS, ["c@1"])).runs[0].declining is None


def test_figures_hold_everything() -> None:
    found = outcomes.figures(table({**RUNS, "w": [(C, None), (I, None), (U, None), (U, None)]}, ["accuracy"]))
    by_name = {run.run: run for run in found.runs}
    assert (by_name["x"].correct, by_name["x"].incorrect, by_name["x"].unanswered) == (2, 1, 1)
    assert by_name["w"].risk_coverage is None
    assert by_name["x"].reliability is not None
    assert set(found.by) == {"type"}
    assert found.rankings["accuracy"]["w"] == "4"


@pytest.mark.parametrize(
    ("missing", "questions", "curve"),
    [
        ("unanswered", 4, [(0.9, 1 / 4, 0), (0.5, 2 / 4, 0), (0.4, 3 / 4, 1 / 3)]),
        ("skip", 3, [(0.9, 1 / 3, 0), (0.5, 2 / 3, 0), (0.4, 1, 1 / 3)]),
        ("common", 2, [(0.9, 1 / 2, 0), (0.4, 1, 1 / 2)]),
    ],
)
def test_curves_are_of_the_questions_that_count(missing, questions, curve) -> None:
    rows = {"x": [(C, 0.9), (C, 0.5), (I, 0.4), None], "y": [(C, 1.0), None, (C, 1.0), (C, 1.0)]}
    found = outcomes.figures(table(rows, ["c@1"], missing=missing)).runs[0]
    assert [(p.confidence, p.coverage, p.risk) for p in found.risk_coverage] == [pytest.approx(p) for p in curve]
    assert sum(b.answers for b in found.reliability) == len(curve)
    assert found.correct + found.incorrect + found.unanswered == questions


def test_questions_of_a_row_are_those_that_count() -> None:
    """Also where a measure is undefined on some of them."""
    rows = {"x": [(C, 0.9), (I, None), (C, 0.5), None], "y": [(C, 0.9), (I, 0.2), (C, 0.5), (C, 0.4)]}
    found = outcomes.by_field(table(rows, ["K"], missing="skip"), "type")
    assert [(row.run, row.value, row.questions) for row in found] == [
        ("x", "a", 2), ("x", "b", 1), ("x", None, 3), ("y", "a", 2), ("y", "b", 2), ("y", None, 4),
    ]  # fmt: skip
    assert [row.scores["K"] for row in found[:3]] == [0.7, None, 0.7]


def test_a_question_on_which_the_instrument_failed_is_not_one_left_unanswered() -> None:
    scores = table(
        {"x": [(C, 0.9), ("failed", None), (U, None), (I, 0.2)], "y": [None, (C, 0.5), (I, 0.1), (C, 0.3)]}, ["c@1"]
    )
    assert outcomes.by_question(scores) == [[1.0, None, 0.0, -1.0], [0.0, 1.0, -1.0, 1.0]]


def test_of_one_bin_by_the_binomial_quantiles() -> None:
    """With all answers in one bin there is no other chance than the binomial's."""
    for stated, n in ((0.7, 400), (0.2, 50)):
        [(low, high)] = consistency_bars(np.full(n, stated), np.zeros(n, dtype=int), 1, seed=3)
        near = max(0.25 * np.sqrt(stated * (1 - stated) / n), 1.01 / n)
        assert low == pytest.approx(binom.ppf(0.05, n, stated) / n, abs=near)
        assert high == pytest.approx(binom.ppf(0.95, n, stated) / n, abs=near)


def test_of_several_bins_by_a_mixture() -> None:
    """A quarter of 400 answers at 0.15, all others at 0.85: N of them are drawn, N binomial itself."""
    stated = np.array([0.15] * 100 + [0.85] * 300)
    place = bin_of(stated, 10, "right")
    bars = consistency_bars(stated, place, 10, seed=1)
    assert [b for b, bar in enumerate(bars) if bar] == [1, 8]
    for b, share, count in ((1, 0.15, 100), (8, 0.85, 300)):
        sizes = np.arange(1, 401)
        weight = binom.pmf(sizes, 400, count / 400)
        for end, level in zip(bars[b], (0.05, 0.95), strict=True):
            # So much of the mixture lies at or below an end, but for steps of 1/N and the chance of a thousand resamples.
            below = float((weight * binom.cdf(np.floor(end * sizes + 1e-9), sizes, share)).sum())
            assert below == pytest.approx(level, abs=0.03)


def test_certainty_has_no_room_for_chance() -> None:
    assert consistency_bars(np.ones(20), np.zeros(20, dtype=int), 2, seed=0) == [(1.0, 1.0), None]


def test_the_same_seed_draws_the_same() -> None:
    stated = np.linspace(0, 1, 501)
    place = bin_of(stated, 5, "right")
    first, again, other = (consistency_bars(stated, place, 5, seed=seed) for seed in (7, 7, 8))
    assert first == again != other


def test_a_calibrated_system_lies_within_nine_times_of_ten() -> None:
    random = np.random.default_rng(5)
    inside = total = 0
    for trial in range(40):
        stated = random.random(500)
        right = random.random(500) < stated
        place = bin_of(stated, 10, "right")
        for b, (low, high) in enumerate(consistency_bars(stated, place, 10, seed=trial)):
            share = right[place == b].mean()
            inside += low <= share <= high
            total += 1
    assert 0.86 < inside / total < 0.96
