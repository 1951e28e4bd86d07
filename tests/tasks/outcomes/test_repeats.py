"""From samples to questions: slots, sums, means, and measures of whole runs that weigh every question the same."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampled_tables import joined, log_rows, right_of, scored

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.formats.answers.rows import Rows
from assay.measures.registry import find
from assay.tasks.outcomes.repeats import SampledViews, slots_of

ends = st.text("CIN", min_size=1, max_size=5)


def fractions(questions):
    """The shares of right and unanswered, each question weighing the same."""
    n = len(questions)
    return [sum(Fraction(samples.count(end), len(samples)) for samples in questions) / n for end in "CN"]


@given(st.lists(ends, min_size=1, max_size=7))
def test_sums_weigh_questions_and_not_samples(questions):
    run = {f"q{i}": samples for i, samples in enumerate(questions)}
    scores = scored({"r": run}, ["accuracy", "c@1", "coverage", "score"])
    right, unanswered = fractions(questions)
    assert scores["accuracy"]["r"] == pytest.approx(float(right))
    assert scores["score"]["r"] == pytest.approx(float(right))
    assert scores["c@1"]["r"] == pytest.approx(float(right + unanswered * right))
    assert scores["coverage"]["r"] == pytest.approx(float(1 - unanswered))


def test_c_at_1_by_hand():
    """Shares of right 1/2, 2/3, 0 and of unanswered 0, 1/3, 1: c@1 = 7/18 · (1 + 4/9)."""
    scores = scored({"r": {"q0": "CI", "q1": "CCN", "q2": "N"}}, ["c@1", "correct", "unanswered"])
    assert scores["c@1"]["r"] == pytest.approx(7 / 18 * (1 + 4 / 9))
    assert (scores["correct"]["r"], scores["unanswered"]["r"]) == (3, 2)  # counts are of samples, as they are


def sure(value, confidence):
    return {"value": value, "confidence": confidence}


UNEQUAL = {
    "q0": [sure("C", 0.9), sure("I", 0.8)],
    "q1": [sure("C", 0.7), sure("C", 0.3), sure("I", 0.6)],
    "q2": [sure("I", 0.2)],
}


@pytest.mark.parametrize("name", ["ECE", "AUROC", "CWS", "Brier", "AURC", "K1", "r"])
def test_measures_of_a_whole_run_are_those_of_repeated_answers(name):
    """With 2, 3 and 1 samples everything 3, 2 and 6 times over has six answers to every question."""
    flat = [
        one for cells, times in zip(UNEQUAL.values(), (3, 2, 6), strict=True) for one in cells for _ in range(times)
    ]
    given_ = {"correct": [int(one["value"] == "C") for one in flat], "answered": [1] * 18}
    given_["confidence"] = [one["confidence"] for one in flat]
    given_["incorrect"], given_["unanswered"] = [1 - cell for cell in given_["correct"]], [0] * 18
    given_["answer_correct"], given_["answer_confidence"] = given_["correct"], given_["confidence"]
    measure = find(name, "outcomes")
    given_["position"] = range(18)
    scores = scored({"r": UNEQUAL}, [name])
    if name != "CWS":  # of equal confidences the order of the file decides, which repeats do not have
        assert scores[name]["r"] == pytest.approx(measure(*(given_[part] for part in measure.of)))
    interval = assay.run_intervals(scores, name)["r"]
    assert interval is None or interval.low <= scores[name]["r"] <= interval.high


def test_ece_by_hand():
    """q0 weighs a third: gaps .1/6 at .9, -.8/6 at .8; q1: .3/9, .7/9, -.6/9; q2: -.2/3; each in a bin of its own."""
    gaps = [0.1 / 6, 0.8 / 6, 0.3 / 9, 0.7 / 9, 0.6 / 9, 0.2 / 3]
    assert scored({"r": UNEQUAL}, ["ECE"])["ECE"]["r"] == pytest.approx(sum(gaps))


def test_slots_follow_the_gold_and_the_numbers_of_samples():
    rows = Rows("r", "f", ids=["b", "a", "b"], lines=[1, 2, 3], samples=[2, 1, 1])
    gold, _, _ = joined(log_rows("s", {"a": "C", "b": "C", "c": "C"}))
    # c is not mentioned, and has as many slots as others have at most.
    assert slots_of(rows, gold) == ([0, 1, 1, 2, 2], [2, 0, 1])
    with pytest.raises(FormatError, match=r"f:4: answers question 'z', which is not in the runs"):
        slots_of(Rows("r", "f", ids=["z"], lines=[4], samples=[1]), gold)


def test_columns_add_up_samples_and_average_confidences():
    _, [views], _ = joined(log_rows("r", {**UNEQUAL, "q3": ["N", "E"], "q4": ["E", "E"]}))
    assert isinstance(views, SampledViews)
    assert views.samples == [2, 3, 1, 1, 0]
    assert list(views.column("correct")) == [1, 2, 0, 0, 0]
    assert list(views.column("unanswered")) == [0, 0, 0, 1, 0]
    assert views.column("correct[]") == [(1, 0), (1, 1, 0), (0,), (0,), ()]
    assert views.column("confidence") == pytest.approx([0.85, (0.7 + 0.3 + 0.6) / 3, 0.2, None, None])
    assert views.missing == [False] * 5
    assert [len(view.samples) for view in views] == views.samples
    with pytest.raises(UsageError, match="no ingredient 'nonsense'"):
        views.column("nonsense")


def test_a_run_that_answers_once_is_left_as_it_is():
    _, [views], _ = joined(log_rows("r", {"q0": "C", "q1": "I"}))
    assert not isinstance(views, SampledViews)
    _, [failed], _ = joined(log_rows("r", {"q0": "C", "q1": "E"}))
    assert isinstance(failed, SampledViews)
    assert failed.samples == [1, 0]


def test_what_ifs_reach_every_sample():
    declined = scored({"r": UNEQUAL}, ["correct", "incorrect", "unanswered"], abstain_below=0.65)
    assert [declined[name]["r"] for name in ("correct", "incorrect", "unanswered")] == [2, 1, 3]
    with pytest.raises(InputError, match="question 'q00' is answered without a confidence"):
        scored({"r": right_of([1, 2])}, ["c@1"], abstain_below=0.5)


class TestStatistics:
    """What takes a table of samples takes questions as its units, or says why it cannot."""

    def test_compare(self):
        scores = scored(
            {"a": right_of([4, 3, 3, 1, 2, 0]), "b": right_of([4, 4, 4, 2, 2, 1])}, ["accuracy", "score", "c@1"]
        )
        by_sums, by_topic = assay.compare(scores, "accuracy"), assay.compare(scores, "score")
        assert by_sums.units == by_topic.units == 6
        assert by_sums.pairs[0].difference == pytest.approx(4 / 24)
        # Four questions gain .25 and two do not move: of the flips 2 of 16 are as extreme, but Tango's z is
        # 1/√(φ · 1) with φ = (4/16 + 4)/(1 + 4) = .85, so 2Φ(-1.0847) = .2781 is the larger p.
        for result in (by_sums, by_topic):
            assert result.pairs[0].p["randomisation"] == pytest.approx(0.27808, abs=1e-5)
        assert "mcnemar" not in by_sums.pairs[0].p
        with pytest.raises(UsageError, match="mcnemar test cannot be used"):
            assay.compare(scores, "accuracy", test="mcnemar")

    def test_growing_and_equivalence(self):
        scores = scored({"a": right_of([4, 3, 3, 1, 2, 0]), "b": right_of([4, 4, 4, 2, 2, 1])}, ["accuracy", "c@1"])
        [pair] = assay.compare(scores, "accuracy", growing=True, equivalence=0.9).pairs
        assert pair.growing.topics == 6
        assert pair.equivalence.equivalent
        with pytest.raises(UsageError, match="c@1 has no value per question"):
            assay.compare(scores, "c@1", growing=True)

    def test_reliability_resamples_questions(self):
        runs = {name: right_of([(i * k) % 5 for i in range(12)]) for k, name in enumerate("abc", 1)}
        found = assay.reliability(
            scored(runs, ["accuracy", "c@1", "pass@2"]), size=6, trials=50, discrimination=("bootstrap", "tukey")
        ).to_dict()
        assert set(found["measures"]) == {"accuracy", "c@1", "pass@2"}
        once = {name: {q: [s.count("C") / 4] for q, s in run.items()} for name, run in runs.items()}
        # The means of the questions, as scores of one answer each, are the same table.
        same = assay.reliability(scored(once, ["score"]), size=6, trials=50, discrimination=()).to_dict()
        assert found["measures"]["accuracy"]["stability"] == same["measures"]["score"]["stability"]

    def test_calibration_takes_answers_in_clusters_of_questions(self):
        """The same answers four times over tell no more than once."""
        once = {f"q{i}": [sure("C" if i % 2 else "I", 0.9)] for i in range(20)}
        four = {q: cells * 4 for q, cells in once.items()}
        one, many = (assay.calibrations(scored({"r": run}, ["ECE"]))["r"] for run in (once, four))
        assert (one.ece, many.ece) == pytest.approx((0.4, 0.4))
        assert (one.n, many.n) == (20, 80)
        assert many.interval[1] - many.interval[0] > 0.25
        from assay.stats.calibration import calibration

        alone = calibration([i % 2 for i in range(20)] * 4, [0.9] * 80)
        assert many.interval[1] > alone.interval[1]
        ends = assay.run_intervals(scored({"r": four}, ["ECE"]), "ECE")["r"]
        assert (ends.low, ends.high) == pytest.approx(many.interval)

    def test_calibration_of_failed_and_unequal_samples(self):
        run = {**UNEQUAL, "q3": ["E", "E"], "q4": ["N", sure("C", 0.55)]}
        scores = scored({"r": run}, ["ECE"])
        found = assay.calibrations(scores)["r"]
        assert found.n == 7
        assert found.ece == pytest.approx(scores["ECE"]["r"])

    def test_failures_of_runs_that_answer_once(self):
        """Red before: a failed question took the ingredients of whole-run measures away."""
        run = {f"q{i}": [sure("CI"[i % 2], 0.1 * i)] for i in range(1, 9)}
        scores = scored({"a": run, "b": {**run, "q3": ["E"]}}, ["ECE", "AUROC", "K1", "accuracy"])
        left = scored({"b": {q: cell for q, cell in run.items() if q != "q3"}}, ["ECE", "AUROC", "K1", "accuracy"])
        for measure in scores.measures:
            assert scores[measure.name]["b"] == left[measure.name]["b"]
            assert assay.run_intervals(scores, measure)["b"] == assay.run_intervals(left, measure)["b"]
            assert assay.compare(scores, measure).topics == 7

    def test_thresholds_leave_failures_out_and_refuse_samples(self):
        run = {f"q{i:02}": [sure("C" if i > 9 else "I", 0.04 * i + 0.01)] for i in range(24)}
        whole = assay.threshold(scored({"r": run}, ["UF"]), measure="UF", resamples=20)
        failed = {**run, "q24": ["E"], "q25": ["E"]}
        found = assay.threshold(scored({"r": failed}, ["UF"]), measure="UF", resamples=20)
        assert (found.threshold, found.gain, found.questions) == (whole.threshold, whole.gain, 24)
        assert any("2 questions errored" in line for line in found.warnings)
        with pytest.raises(UsageError, match="r answers questions several times; a threshold needs one answer to each"):
            assay.threshold(scored({"r": UNEQUAL}, ["UF"]), measure="UF")

    def test_figures_count_answers(self):
        made = assay.figures.figures_of(scored({"r": {**UNEQUAL, "q3": ["E", "N"]}}, ["accuracy"]))
        [run] = made.runs
        assert (run.correct, run.incorrect, run.unanswered) == (3, 3, 1)
        assert all(0 <= point.risk <= 1 and 0 < point.coverage <= 1 for point in run.risk_coverage)
        assert run.risk_coverage[-1].coverage == pytest.approx(3 / 4), "of four questions, each weighing the same"
        assert run.risk_coverage[-1].risk == pytest.approx((1 / 2 + 1 / 3 + 1) / 3)
        from assay.figures.outcomes import by_question

        table = scored({"r": UNEQUAL}, ["correct", "incorrect"])
        assert by_question(table) == [pytest.approx([0.0, 1 / 3, -1.0])]


def test_questions_with_a_correct_answer_are_questions_and_not_samples() -> None:
    """By hand: q1 has 2 of 2 samples right, q2 has 1 of 2, q3 none: 2 questions of 3, not 3 samples."""
    import assay

    rows = b"id,sample,outcome\nq1,1,1\nq1,2,1\nq2,1,1\nq2,2,0\nq3,1,0\nq3,2,0\n"
    scores = assay.evaluate(None, rows, ["questions_with_correct"])
    assert scores["questions_with_correct"] == {"run": 2}
    assert "2 (66.7%)" in repr(scores)
