"""The interval of a run's own number: every kind of measure, and the ends of their ranges."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats as scipy_stats

import assay
from assay.analyses.comparison.run_intervals import intervals_together, run_intervals
from assay.measures.registry import declarations

GOLD = {f"q{i:02}": "a" for i in range(60)}


def answered(rng, right=0.7, covered=0.9):
    return {
        q: ("a" if rng.random() < right else "b", round(rng.uniform(0.05, 0.95), 3)) if rng.random() < covered else None
        for q in GOLD
    }


def tails_of(successes, n, interval) -> list[float]:
    """The mid-p probability of so many successes or more at both ends: .025 and .975."""
    ends = np.array([interval.low, interval.high])
    binom = scipy_stats.binom
    return (binom.sf(successes, n, ends) + binom.pmf(successes, n, ends) / 2).tolist()


def test_all_right_is_no_certainty(outcomes):
    """Red before: 20 of 20 right had the interval [1, 1]. Half of p^20 is .025 at .05^(1/20), .861."""
    for measure in ("accuracy", "precision"):
        interval = run_intervals(outcomes({"r": "+" * 20}, measure=measure), measure)["r"]
        assert (interval.low, interval.high) == pytest.approx((0.05 ** (1 / 20), 1.0))
        assert interval.method == "mid-p"


def test_no_wrong_answer_is_no_certainty(outcomes):
    """Red before: c@1 without a wrong answer had an interval of [.987, 1]; one wrong answer in 20 would make it .95."""
    interval = run_intervals(outcomes({"r": "+" * 18 + ".."}), "c@1")["r"]
    assert interval.method == "Dirichlet"
    assert interval.low < 0.9
    assert interval.high > 0.999


def test_a_count_of_none_is_no_certainty(outcomes):
    """Red before: 0 of 40 unanswered had no interval. It is 40 times that of the share, up to 40 (1 - .05^(1/40))."""
    interval = run_intervals(outcomes({"r": "+" * 30 + "-" * 10}, measure="unanswered"), "unanswered")["r"]
    assert (interval.low, interval.high) == pytest.approx((0.0, 40 * (1 - 0.05 ** (1 / 40))))


def test_topics_that_are_right_or_wrong_are_a_proportion(table):
    interval = run_intervals(table({"r": [1.0] * 30 + [0.0] * 20}, measure="Success@1"), "Success@1")["r"]
    assert tails_of(30, 50, interval) == pytest.approx([0.025, 0.975])


def test_values_that_do_not_vary_are_as_a_proportion_of_topics(table):
    interval = run_intervals(table({"r": [0.5] * 40}), "AP")["r"]
    assert interval.method == "unvaried"
    assert tails_of(20, 40, interval) == pytest.approx([0.025, 0.975])


def test_other_means_are_resampled(random_table):
    scores = random_table()
    for run, interval in run_intervals(scores, "AP").items():
        assert interval.method == "studentised bootstrap"
        assert interval.low < scores["AP"][run] < interval.high


def test_every_measure_of_answers_holds_its_estimate_and_has_a_width():
    """Whatever can be computed of answers with confidences: the estimate is inside, and nothing is certain."""
    rng = np.random.default_rng(1)
    runs = {"some": answered(rng), "all": answered(rng, covered=1.0), "sure": answered(rng, right=1.0)}
    names = [d.name for d in declarations("outcomes") if not d.required and d.average != "sum"]
    scores = assay.evaluate(GOLD, runs, names)
    seen = 0
    for name in names:
        for run, interval in run_intervals(scores, name).items():
            value = scores[name][run]
            if value is None:
                assert interval is None
            elif interval is not None:
                seen += 1
                assert interval.low <= value <= interval.high, (name, run, value, interval)
                assert interval.low < interval.high, (name, run, value, interval)
    assert seen > 40


def test_clusters_are_worth_less_than_questions(outcomes):
    """Ten passages, each all right or all wrong: the ten are what is known, not the hundred questions."""
    text = "".join(("+" if c % 3 else "-") * 10 for c in range(10))
    scores = outcomes({"r": text}, measure="accuracy", fields={"cluster": [i // 10 for i in range(100)]})
    by_cluster = run_intervals(scores, "accuracy")["r"]
    by_question = run_intervals(scores, "accuracy", cluster=None)["r"]
    assert by_cluster.high - by_cluster.low > 2.5 * (by_question.high - by_question.low)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.6, 0.95])
def test_ten_clusters_cover(share, outcomes):
    """300 samples of 10 clusters of 10 with a correlation of .2: 3 standard errors below .95 are .912."""
    rng, hits = np.random.default_rng(7), 0
    for _ in range(300):
        own = np.repeat(rng.beta(4 * share, 4 * (1 - share), 10), 10)
        text = "".join(np.where(rng.random(100) < own, "+", "-"))
        scores = outcomes({"r": text}, measure="accuracy", fields={"cluster": [i // 10 for i in range(100)]})
        interval = run_intervals(scores, "accuracy")["r"]
        hits += interval.low <= share <= interval.high
    assert hits / 300 >= 0.9


def test_answers_that_are_all_in_one_cluster_are_worth_one_or_two_questions(outcomes):
    """Red before: a warning of numpy, and an interval "unvaried" of a precision of 5/6. The design effect is at most 9,
    and (z/t)² for 2 clusters is (1.96/12.7)²: 6 answers are worth less than one."""
    table = outcomes({"a": "++++-+....", "b": "++-+-+--++"}, "precision", {"cluster": ["x"] * 6 + ["y"] * 4})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = run_intervals(table, "precision")["a"]
    assert found.method == "mid-p"
    assert (found.low, found.high) == pytest.approx((0.0, 1.0), abs=0.01)


def test_an_interval_brings_its_standard_error(tmp_path, capfd):
    """Three of four right: √(3/4 · 1/4 / 3); and AUROC, which has no formula, that of its jackknife."""
    import json
    from math import sqrt

    from assay.cli import main

    rows = [{"id": f"q{i}", "outcome": "correct" if i else "incorrect", "confidence": 0.2 * i} for i in range(4)]
    run = tmp_path / "r.jsonl"
    run.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores = assay.evaluate(None, str(run), ["accuracy", "ECE", "CWS"])
    assert assay.run_intervals(scores, "accuracy")["r"].standard_error == pytest.approx(sqrt(3 / 4 / 4 / 3))
    assert assay.run_intervals(scores, "ECE")["r"].standard_error is None
    assert assay.run_intervals(scores, "CWS")["r"].standard_error > 0
    assert main(["evaluate", "--judged", str(run), "-m", "accuracy", "--intervals", "-f", "json"]) == 0
    [told] = json.loads(capfd.readouterr().out)["runs"]
    assert set(told["intervals"]["accuracy"]) == {"interval", "method", "confidence", "standard_error"}
    assert told["intervals"]["accuracy"]["standard_error"] == pytest.approx(sqrt(3 / 4 / 4 / 3))


@pytest.mark.parametrize("name", ["AP", "RR", "NumRet"])
def test_together_they_are_what_each_is_alone(name):
    """One run finds its only relevant document first or not at all: its values are 0 and 1, with an interval of their own kind."""
    rng = np.random.default_rng(5)
    gold = {f"q{q}": {"d1": 1, "d2": int(q % 2)} for q in range(12)}
    runs = {
        f"r{r}": {q: {f"d{d}": float(rng.random()) for d in range(1, rng.integers(4, 9))} for q in gold}
        for r in range(4)
    }
    runs["first or never"] = {q: {"d1" if rng.random() < 0.5 else "d9": 1.0} for q in gold}
    scores = assay.evaluate(gold, runs, [name])
    measure = scores.measures[0]
    alone, together = run_intervals(scores, measure), intervals_together(scores, measure)
    assert [*alone] == [*together]
    for run, one in alone.items():
        assert (one is None) == (together[run] is None)
        if one is not None:
            assert (together[run].low, together[run].high) == pytest.approx((one.low, one.high), rel=1e-9)
            assert together[run].method == one.method
