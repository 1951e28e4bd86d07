"""Differences of macro means: two tasks by hand, and agreement of p, interval and verdict over random suites."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

import assay
from assay.analyses.comparison.score_intervals import PairedScores
from assay.analyses.comparison.suite_intervals import CombinedTasks
from assay.stats.paired_proportions import tango_interval

WORDS = {"+": "correct", "-": "incorrect", ".": "unanswered"}
Z = 1.959964


def suite(runs: dict[str, dict[str, str]], clusters: int = 0, measures=("accuracy", "c@1")) -> assay.Scores:
    """Runs as {task: outcomes}, a sign per question; so many questions in a row are a cluster."""
    lines = ["run,id,outcome,task" + (",cluster" if clusters else "")]
    for run, tasks in runs.items():
        for task, signs in tasks.items():
            for i, sign in enumerate(signs):
                cluster = f",{task}{i // clusters}" if clusters else ""
                lines.append(f"{run},{task}-{i:03},{WORDS[sign]},{task}{cluster}")
    return assay.evaluate(None, ("\n".join(lines) + "\n").encode(), list(measures))


def combined(counts: list[tuple[int, int, int]]) -> CombinedTasks:
    """One pair of runs: wins, losses and questions of each task."""
    wins, losses, n = (np.array(column, dtype=np.float64)[:, None] for column in zip(*counts, strict=True))
    return CombinedTasks([PairedScores(wins, losses, n, 1.0, False)], (wins - losses) / n, 8.0)


def test_two_tasks_by_hand() -> None:
    """No disagreement on 20 questions: ± z²/(20 + z²) = .1611. 120 wins and 80 losses of 500: Tango's, .08 [.0248, .1349]."""
    made = combined([(0, 0, 20), (120, 80, 500)])
    low, high = tango_interval(120, 80, 500, Z)
    equal = Z**2 / (20 + Z**2)
    assert (round(float(low), 4), round(float(high), 4), round(equal, 4)) == (0.0248, 0.1349, 0.1611)
    first, last = made.ends(np.array([Z]))
    assert first[0] == pytest.approx(0.04 - np.hypot(equal, 0.08 - low) / 2)
    assert last[0] == pytest.approx(0.04 + np.hypot(equal, high - 0.08) / 2)
    # Where the reach is the difference itself: z²/(20 + z²) and Tango's reach, squared and added, are .08².
    z = made.z[0]
    reach = z**2 / (20 + z**2), 0.08 - float(tango_interval(120, 80, 500, z)[0])
    assert np.hypot(*reach) == pytest.approx(0.08, abs=1e-9)


def test_a_difference_of_none_and_one_beyond_every_quantile() -> None:
    assert combined([(3, 3, 20), (0, 0, 10)]).z.tolist() == [0.0]
    assert combined([(4000, 0, 4000), (4000, 0, 4000)]).z.tolist() == [8.0]


def test_p_and_interval_of_a_suite() -> None:
    """Flips alone, which take the small task for decided, give .005; the interval reaches 0 at z = 1.245, p .21."""
    a = {"small": "+" * 20, "large": "+" * 300 + "-" * 200}
    b = {"small": "+" * 20, "large": "+" * 180 + "-" * 120 + "+" * 80 + "-" * 120}
    [pair] = assay.compare(suite({"a": a, "b": b}), "accuracy", pairs=[("a", "b")]).pairs
    made = combined([(0, 0, 20), (120, 80, 500)])
    assert pair.difference == pytest.approx(0.04)
    assert 2 * ndtr(-made.z[0]) == pytest.approx(0.2131, abs=1e-4)
    # Flips come in steps: their share that reaches z²/520 is a little larger.
    assert 0.2131 < pair.p["randomisation"] < 0.25
    low, high = made.ends(np.array([Z]))
    assert (pair.interval.low, pair.interval.high) == pytest.approx((low[0], high[0]), abs=1e-6)
    assert not pair.significant


def test_tasks_that_are_all_right() -> None:
    """Two runs alike and right throughout: ± √((z²/(20 + z²))² + (z²/(30 + z²))²)/2."""
    a = {"x": "+" * 20, "y": "+" * 30}
    [pair] = assay.compare(suite({"a": a, "b": a}), "accuracy").pairs
    half = np.hypot(Z**2 / (20 + Z**2), Z**2 / (30 + Z**2)) / 2
    assert (pair.interval.low, pair.interval.high) == pytest.approx((-half, half), abs=1e-6)
    assert (pair.p["randomisation"], pair.significant) == (1.0, False)


def test_more_runs_share_one_family() -> None:
    """Tiers follow from the p-values that max-T adjusts, and these from the larger of both tests."""
    rng = np.random.default_rng(5)
    runs = {
        name: {task: "".join(rng.choice(["+", "-"], n, p=[p, 1 - p])) for task, n in (("x", 20), ("y", 300))}
        for name, p in (("good", 0.9), ("fair", 0.85), ("bad", 0.5))
    }
    found = assay.compare(suite(runs), "accuracy", correct="maxt")
    assert found.average == "macro mean over 2 tasks"
    assert found.tiers == [["good", "fair"], ["bad"]]
    for pair in found.pairs:
        assert pair.adjusted["maxt"] >= pair.p["randomisation"]
        assert pair.significant == (pair.adjusted["maxt"] <= 0.05) == (not pair.interval.low <= 0 <= pair.interval.high)


signs = st.integers(2, 25).flatmap(lambda n: st.tuples(*[st.text("+++-.", min_size=n, max_size=n) for _ in range(3)]))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(signs, min_size=2, max_size=5), st.sampled_from(["accuracy", "c@1"]), st.sampled_from([0, 0, 2, 5]),
    st.sampled_from([None, "holm", "none"]),
)  # fmt: skip
def test_what_is_printed_together_agrees(tasks, measure, clusters, correct) -> None:
    runs = {run: {f"t{i}": rows[place] for i, rows in enumerate(tasks)} for place, run in enumerate("abc")}
    scores = suite(runs, clusters)
    found = assay.compare(scores, measure, correct=correct, resamples=199 if correct != "holm" else None)
    assert found.to_dict() == assay.compare(
        scores, measure, correct=correct, resamples=199 if correct != "holm" else None, threads=3
    ).to_dict()  # fmt: skip
    for run in found.runs:
        if run.interval is not None:
            assert run.interval.low <= run.value <= run.interval.high
    for pair in found.pairs:
        if pair.interval is None:
            continue
        assert pair.interval.low <= pair.difference <= pair.interval.high
        assert pair.significant == (pair.decided_by <= 0.05) == (not pair.interval.low <= 0 <= pair.interval.high)
