"""From a score table to the whole study: policies, sizes, messages, and the documented JSON."""

from __future__ import annotations

import json
from contextlib import nullcontext

import numpy as np
import pytest

import assay
from assay.analyses.comparison.compare import compare
from assay.analyses.planning.plan import topic_values
from assay.analyses.reliability import reliability as study
from assay.analyses.reliability.reliability import critical, reliability
from assay.core import binding
from assay.errors import InputError, UsageError
from assay.measures.registry import find
from assay.reports import results
from assay.resampling.columns import Columns
from assay.resampling.subsets import Subsets, count
from assay.settings import Settings
from assay.table.run_scores import RunScores
from assay.table.scores import Scores
from assay.tasks import get


def outcome_scores(rows, measures):
    """A score table of outcomes, a string of C, W and U per run."""
    found = [find(name, "outcomes") for name in measures]
    runs = []
    for i, row in enumerate(rows):
        columns = {
            "correct": [int(o == "C") for o in row],
            "incorrect": [int(o == "W") for o in row],
            "unanswered": [int(o == "U") for o in row],
            "confidence": [(7 * t % 11) / 11 + 0.01 * i for t in range(len(row))],
            "answered": [int(o != "U") for o in row],
            "position": list(range(len(row))),
        }
        runs.append(RunScores(f"s{i}", None, columns, [False] * len(row)))
    return Scores(get("outcomes"), Settings(), [f"q{t}" for t in range(len(rows[0]))], found, runs)


def problem_of(scores):
    columns = [Columns.of(scores, measure) for measure in scores.measures]
    return Subsets(scores.runs, {one.measure.name: one.resampler for one in columns})


@pytest.fixture
def rows():
    rng = np.random.default_rng(2)
    return ["".join(rng.choice(list("CWU"), p=[p, 0.9 - p, 0.1], size=40)) for p in (0.3, 0.4, 0.5, 0.6)]


def test_the_json_has_the_documented_shape(rows):
    result = reliability(outcome_scores(rows, ["c@1", "accuracy", "UF"]), size=20, trials=50, seed=3).to_dict()
    json.dumps(result, allow_nan=False)
    assert (result["size"], result["trials"], result["seed"]) == (20, 50, 3)
    assert list(result["measures"]) == ["c@1", "accuracy", "UF"]
    one = result["measures"]["c@1"]
    assert [set(point) for point in one["stability"]] == [{"fuzziness", "minority_rate", "ties"}] * 10
    assert [point["fuzziness"] for point in one["stability"]] == [f / 100 for f in range(1, 11)]
    assert [set(b) for b in one["swap"]["bins"]] == [{"from", "comparisons", "swaps", "rate"}] * 21
    assert [b["from"] for b in one["swap"]["bins"]] == [k / 100 for k in range(21)]
    assert {"required_difference", "required_difference_stays", "highest", "relative", "sensitivity"} <= set(
        one["swap"]
    )
    assert result["settings"]["missing"] == "zero"
    beyond = one["extrapolation"]
    assert (beyond["size"], beyond["confidence"]) == (40, 0.95)
    assert set(beyond) == {
        "size", "required_difference", "required_difference_stays", "interval", "confidence", "curve", "fits",
    }  # fmt: skip
    assert len(beyond["interval"]) == 2
    assert [set(bin) for bin in beyond["fits"]] == [{"from", "points", "rate"}] * 21


def test_several_sizes_are_a_list_under_sizes(rows):
    result = reliability(outcome_scores(rows, ["accuracy"]), size=[5, 20, 10], trials=20).to_dict()
    assert result["size"] == [5, 10, 20]
    assert [one["size"] for one in result["measures"]["accuracy"]["sizes"]] == [5, 10, 20]
    assert {"stability", "swap"} <= set(result["measures"]["accuracy"]["sizes"][0])
    # Each size is what it would have been alone.
    alone = reliability(outcome_scores(rows, ["accuracy"]), size=10, trials=20).to_dict()["measures"]["accuracy"]
    assert result["measures"]["accuracy"]["sizes"][1]["swap"] == alone["swap"]


def test_two_sizes_are_a_curve(rows):
    """Exactly two sizes: both are there, each with its own subsets, and a row each."""
    study = reliability(outcome_scores(rows, ["accuracy"]), size=[20, 8], trials=40)
    assert [one.size for one in study.measures["accuracy"].at] == [8, 20]
    assert [row[:2] for row in study.rows()[1]] == [["accuracy", 8], ["accuracy", 20]]
    assert [one["size"] for one in study.to_dict()["measures"]["accuracy"]["sizes"]] == [8, 20]
    # Two measured sizes make no line: fifths of the larger are measured for the extrapolation, as for one size.
    points = study.measures["accuracy"].extrapolation.points
    assert {size for bin in points for size, _ in bin} == {4, 8, 12, 16, 20}


def test_words_follow_the_task(rows):
    """Red before: a study of questions said topics."""
    study = reliability(outcome_scores(rows, ["accuracy"]), trials=20)
    assert study.noun == "question"
    shown = results.text(study, verbose=True)
    assert "With 20 questions, " in shown
    assert "topic" not in shown


def test_gold_and_runs_are_scored_on_the_way():
    gold = {f"q{i}": {"d": 1} for i in range(6)}
    runs = {
        name: {f"q{i}": {"x": 2.0, "d": 3.0 if i % n else 1.0} for i in range(6)} for name, n in (("a", 2), ("b", 3))
    }
    study = reliability(gold, "AP", runs=runs, trials=10)
    assert (study.runs, study.topics, list(study.measures)) == (["a", "b"], 6, ["AP"])


def test_half_of_the_topics_is_the_default(rows):
    assert reliability(outcome_scores([row[:39] for row in rows], ["accuracy"]), trials=5).sizes == [19]


@pytest.mark.parametrize("executor", [None, "local"])
def test_threads_do_not_change_a_digit(rows, executor):
    scores = outcome_scores(rows, ["c@1", "precision", "CWS"])
    assert reliability(scores, trials=300, executor=executor).to_dict() == reliability(scores, trials=300).to_dict()


def test_measures_share_their_subsets_and_do_not_disturb_each_other(rows):
    together = reliability(outcome_scores(rows, ["c@1", "CWS", "accuracy"]), trials=40).to_dict()["measures"]
    for name in ("c@1", "accuracy"):
        alone = reliability(outcome_scores(rows, [name]), trials=40).to_dict()["measures"][name]
        assert together[name] == alone


def test_the_best_two_runs(rows):
    study = reliability(outcome_scores(rows, ["accuracy"]), trials=5).measures["accuracy"]
    accuracies = sorted((row.count("C") / 40 for row in rows), reverse=True)
    assert [value for _, value in study.best] == accuracies[:2]
    assert study.gap == accuracies[0] - accuracies[1]


def test_calibration_error_is_resampled_too(rows):
    study = reliability(outcome_scores(rows, ["ECE"]), trials=20, size=15).measures["ECE"]
    assert all(0 <= point.ties <= 1 for point in study.at[0].stability)
    assert study.at[0].swap.comparisons == 6 * 20


@pytest.mark.parametrize("name", ["c@1", "UF", "precision", "CWS", "ECE", "Brier", "SimpleQA_F"])
def test_on_all_topics_the_value_is_the_tables_own(rows, name):
    scores = outcome_scores(rows, [name])
    [counts] = count(problem_of(scores), 40, 1, swap=False).values()
    values = [scores.value(run, name).value for run in scores.runs]
    assert counts.highest == pytest.approx(max(values), abs=1e-12)
    better = [values[x] > values[y] for x in range(4) for y in range(x + 1, 4)]
    apart = [
        abs(values[x] - values[y]) >= 0.011 * abs(max(values[x], values[y])) for x in range(4) for y in range(x + 1, 4)
    ]
    for outcome, first, clear in zip(counts.outcomes, better, apart, strict=True):
        if clear:
            assert (outcome[0], outcome[10]) == (int(first), int(not first))


def test_one_run_is_refused(rows):
    with pytest.raises(InputError, match=r"at least 2, found only 's0'"):
        reliability(outcome_scores(rows[:1], ["accuracy"]))


def test_more_than_half_the_topics_is_refused_for_swap_only(rows):
    scores = outcome_scores(rows, ["accuracy"])
    with pytest.raises(UsageError, match=r"`size=21`: .* at most 20 of the 40 questions; .*`no_swap=True`"):
        reliability(scores, size=21)
    study = reliability(scores, size=21, no_swap=True, trials=10)
    assert study.measures["accuracy"].at[0].swap is None
    with pytest.raises(UsageError, match="there are only 40 questions"):
        reliability(scores, size=41, no_swap=True)


def test_a_measure_undefined_on_a_subset_is_named(rows):
    silent = "U" * 38 + "CW"
    with pytest.raises(InputError, match=r"precision is undefined for the run 's4' on a random subset of 10 questions"):
        reliability(outcome_scores([*rows, silent], ["precision"]), size=10)


@pytest.mark.parametrize("executor", [None, "local"])
def test_smaller_sizes_nobody_asked_for_do_not_stop_the_study(rows, executor):
    """The fifths of 15 are measured for the extrapolation; precision has no value on some subset of 3."""
    cautious = "CWCU" * 10
    silent = "U" * 28 + "CWCWCWCWCWCW"
    study = reliability(
        outcome_scores([*rows, cautious, silent], ["precision", "accuracy"]), size=15, trials=60, executor=executor
    )
    assert study.measures["precision"].extrapolation is None
    assert study.measures["accuracy"].extrapolation is not None


def test_unconfident_runs_have_no_cws(rows):
    told = outcome_scores(rows, ["CWS"])
    silent = {**told.run("s1").columns, "confidence": [0.0] * 40}
    scores = told.with_runs(
        RunScores(run, None, silent if run == "s1" else told.run(run).columns, [False] * 40) for run in told.runs
    )
    with pytest.raises(InputError, match=r"CWS is undefined for the run 's1'"):
        reliability(scores, trials=2, executor=None)


def test_values_per_topic_of_a_ratio_are_the_jackknifes():
    rows = ["CCWU", "CWWW"]
    scores = outcome_scores(rows, ["accuracy", "c@1"])
    accuracy, c_at_1 = (topic_values(Columns.of(scores, measure)) for measure in scores.measures)
    assert accuracy.T.tolist() == pytest.approx(np.array([[1, 1, 0, 0], [1, 0, 0, 0]]))
    # c@1 of CCWU is 2(4 + 1)/16; without the first question 1(3 + 1)/9, the third 2·4/9, the last 2·3/9.
    whole = 10 / 16
    expected = [4 * whole - 3 * left for left in (4 / 9, 4 / 9, 8 / 9, 6 / 9)]
    assert c_at_1[:, 0] == pytest.approx(expected)


def test_choices_that_make_no_sense(rows):
    scores = outcome_scores(rows, ["accuracy"])
    with pytest.raises(UsageError, match="`trials=0`"):
        reliability(scores, trials=0)
    with pytest.raises(UsageError, match="`rule='strict'`: expected one of original, sakai"):
        reliability(scores, rule="strict")
    with pytest.raises(UsageError, match="`confidence=95`"):
        reliability(scores, confidence=95)
    with pytest.raises(UsageError, match="`size=0`"):
        reliability(scores, size=0)
    with pytest.raises(UsageError, match="expected local or dask"):
        reliability(scores, executor="cloud")
    with pytest.raises(UsageError, match="goes with `executor='dask'`"):
        reliability(scores, scheduler="tcp://x:1")


def test_progress_counts_every_trial(rows):
    heard = []
    reliability(
        outcome_scores(rows, ["accuracy"]), size=[5, 10, 20], trials=30, executor=None,
        progress=lambda done, total: heard.append((done, total)),
    )  # fmt: skip
    assert heard[-1] == (90, 90)
    assert [done for done, _ in heard] == sorted({done for done, _ in heard})


@pytest.mark.parametrize(("measure", "processes"), [("c@1", binding.LIBRARY is None), ("CWS", True)])
def test_processes_are_started_for_long_work_in_python_alone(rows, monkeypatch, measure, processes):
    asked = []
    monkeypatch.setattr(study, "WORTH_PROCESSES", 0.0)
    monkeypatch.setattr(study, "workers", lambda *_, **said: asked.append(said["processes"]) or nullcontext())
    for allowed in (True, False):
        reliability(outcome_scores(rows, [measure]), size=20, trials=5, processes=allowed)
    assert asked == [processes, False]


def test_tukey_is_left_out_for_measures_of_whole_runs(rows):
    study = reliability(
        outcome_scores(rows, ["accuracy", "CWS"]), ["accuracy", "CWS"], size=10, trials=20,
        discrimination=("bootstrap", "tukey"),
    )  # fmt: skip
    methods = {name: [one.method for one in measure.discrimination] for name, measure in study.measures.items()}
    assert methods == {"accuracy": ["bootstrap", "tukey"], "CWS": ["bootstrap"]}


def of(values):
    scores = assay.scores(values)
    return scores, critical(Columns.of(scores, scores.measures[0]))


def test_it_is_what_compare_says() -> None:
    """Medians over pairs of t standard errors, alone by the t test, together by max-T's own intervals."""
    rng = np.random.default_rng(1)
    scores, found = of((rng.random((30, 1)) + rng.normal(0, 0.1, (30, 6))).tolist())
    alone = [pair.critical for pair in compare(scores, test="t", correct="none").pairs]
    together = [pair.critical for pair in compare(scores).pairs]
    assert found.alone == pytest.approx(float(np.median(alone)), rel=1e-6)
    assert found.together == pytest.approx(float(np.median(together)), rel=0.05)
    assert found.alone < found.together


def test_runs_that_never_differ_have_none() -> None:
    assert of([[0.5, 0.5]] * 5)[1] is None


def test_a_study_shows_both_and_names_them() -> None:
    rng = np.random.default_rng(1)
    study = assay.reliability(assay.scores((rng.random((20, 1)) + rng.normal(0, 0.1, (20, 5))).tolist()), trials=50)
    shown = results.text(study, verbose=True)
    assert "would keep its direction on another set of topics of this size" in " ".join(shown.split())
    assert "On these 20 topics, leads of about" in shown
    told = study.to_dict()["measures"]["score"]["critical"]
    assert set(told) == {"alone", "together"}


def test_scores_too_large_for_steps_of_a_hundredth_are_named() -> None:
    """Runs of 30 and more: every lead is beyond the last step, .20, so none of the steps says which lead holds."""
    values = np.random.default_rng(3).normal(30 + 3 * np.arange(6), 10, (40, 6))
    text = str(reliability(assay.scores(values, measure="reward"), trials=50, executor=None))
    assert text.startswith(
        "Leads in reward are counted in steps of .01 up to .20, which suits scores from 0 to 1, not up to 4"
    )
    assert "divide the scores by 100" in text
    assert "would hold" not in text
    assert "would" in str(reliability(assay.scores(values / 100, measure="reward"), trials=50, executor=None))
