"""The variance of repeated answers, between questions and within them: by hand, and on systems whose variances are known."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from sampled_tables import BOLD, right_of, scored

import assay
from assay.analyses.planning.more_samples import sampling, split
from assay.errors import InputError, UsageError
from assay.reports import results


def cells(values):
    """Questions of graded answers."""
    return {f"q{i:03}": [float(value) for value in row] for i, row in enumerate(values)}


def test_by_hand():
    """c right of 4 have s² = c(4 - c)/12: 3 · 1/4 + 5 · 1/3 + 1/4 over 12 is 2/9, and a quarter of that is noise. The means have
    the variance 96/9/16/11 = 2/33."""
    found = split(scored({"bold": right_of(BOLD)}, ["accuracy"]), "accuracy", "bold")
    assert found.within == pytest.approx(2 / 9)
    assert found.noise == pytest.approx(1 / 18)
    assert found.between == pytest.approx(2 / 33 - 1 / 18)
    assert found.share == pytest.approx(1 - (1 / 18) / (2 / 33))
    assert not found.floored
    assert round(found.error(), 4) == 0.0711
    assert found.error(questions=2) == pytest.approx(sqrt(2 / 33 / 24))
    assert found.error(samples=2) == pytest.approx(sqrt((2 / 33 - 1 / 36) / 12))
    assert found.error(samples=inf) == pytest.approx(sqrt((2 / 33 - 1 / 18) / 12))
    assert found.sentence == (
        "bold: 8% of the variance of a question's mean accuracy is between questions; twice the questions would bring its "
        "standard error from 0.071 to 0.050, twice the samples to 0.052, and no number of samples below 0.021: where questions "
        "are dear, more samples do nearly as much."
    )


def test_a_score_of_right_and_wrong_is_accuracy():
    scores = scored({"bold": right_of(BOLD)}, ["accuracy", "score", "UF_rescaled", "precision", "c@1"])
    splits = sampling(scores).splits
    assert [one.measure for one in splits] == ["accuracy", "score", "UF_rescaled", "precision", "c@1"]
    for one in splits:  # nothing is unanswered, so all of these are the share of right answers
        assert (one.between, one.within) == pytest.approx((splits[0].between, splits[0].within), rel=1e-6)


@pytest.mark.parametrize("name", ["accuracy", "c@1", "UF", "precision", "SimpleQA_F", "coverage", "score"])
def test_the_standard_error_is_the_intervals_own(name):
    ends = {f"q{i}": s for i, s in enumerate(["CCIN", "CNN", "IIIC", "CC", "NCIC", "CCCN", "I", "CE"])}
    scores = scored({"r": ends}, [name])
    found = split(scores, name, "r")
    assert (found.fewest, found.most, found.questions) == (1, 4, 8)
    assert found.error() == pytest.approx(assay.run_intervals(scores, name)["r"].standard_error, rel=1e-5)


def test_known_variances_are_recovered():
    """Means N(.5, .1²) and noise N(0, .15²): over 4,000 questions × 5 samples both come back."""
    rng = np.random.default_rng(7)
    values = 0.5 + rng.normal(0, 0.1, (4000, 1)) + rng.normal(0, 0.15, (4000, 5))
    found = split(scored({"r": cells(np.clip(values, 0.001, 0.999))}, ["score"]), "score", "r")
    assert found.between == pytest.approx(0.01, rel=0.06)
    assert found.within == pytest.approx(0.0225, rel=0.03)


def test_what_it_promises_of_more_comes_true():
    """Right answers by chance, p itself uniform: E p(1-p) = 1/6 within and Var p = 1/12 between."""
    rng = np.random.default_rng(3)

    def run(questions, samples):
        chance = rng.random(questions)
        return right_of(rng.binomial(samples, chance).tolist(), samples)

    now = split(scored({"r": run(3000, 4)}, ["accuracy"]), "accuracy", "r")
    assert (now.between, now.within) == (pytest.approx(1 / 12, rel=0.08), pytest.approx(1 / 6, rel=0.05))
    more = split(scored({"r": run(3000, 8)}, ["accuracy"]), "accuracy", "r")
    assert now.error(samples=2) == pytest.approx(more.error(), rel=0.05)
    asked = split(scored({"r": run(6000, 4)}, ["accuracy"]), "accuracy", "r")
    assert now.error(questions=2) == pytest.approx(asked.error(), rel=0.05)
    assert now.sentence.endswith("ask more questions.")


def test_variance_below_what_chance_makes_is_none_between():
    """Every question right in 2 of 4: the means do not vary at all, though the answers do."""
    found = split(scored({"r": right_of([2, 2, 2, 1, 3])}, ["accuracy"]), "accuracy", "r")
    assert (found.between, found.floored, found.share) == (0.0, True, 0.0)
    assert found.error(samples=inf) == 0.0
    assert found.error() == pytest.approx(sqrt(np.var([2, 2, 2, 1, 3], ddof=1) / 16 / 5))
    assert "the samples differ by more than all there is" in found.sentence
    assert found.sentence.endswith("more samples do as much as more questions.")


def test_what_does_not_vary_says_so():
    found = split(scored({"r": right_of([4, 4, 4])}, ["accuracy"]), "accuracy", "r")
    assert found.share is None
    assert found.sentence == "r: accuracy does not vary, neither between questions nor between samples."
    apart = split(scored({"r": right_of([4, 0, 4])}, ["accuracy"]), "accuracy", "r")
    assert (apart.share, apart.within) == (1.0, 0.0)


def test_questions_of_one_sample_have_the_variance_of_the_others():
    """s² is 1/2 for CI and 0 for CC: 1/4 within; noise (1/2/2 + 0 + 1/4)/3."""
    found = split(scored({"r": {"q0": "CI", "q1": "CC", "q2": "I"}}, ["accuracy"]), "accuracy", "r")
    assert found.within == pytest.approx(1 / 4)
    assert found.between == pytest.approx(np.var([0.5, 1, 0], ddof=1) - 1 / 6)


def test_clusters_are_the_unit():
    runs = {"r": right_of([4, 4, 1, 0, 3, 3])}
    clusters = {f"q{i:02}": "abc"[i // 2] for i in range(6)}
    scores = scored(runs, ["accuracy"], clusters)
    found, alone = split(scores, "accuracy", "r"), split(scores, "accuracy", "r", cluster=None)
    assert (found.cluster, alone.cluster) == ("cluster", None)
    # Sums of the clusters off the mean: 2 - 1.25, .25 - 1.25, 1.5 - 1.25; squares · 3/2 / 6².
    assert found.error() == pytest.approx(sqrt((0.75**2 + 1 + 0.25**2) * 1.5) / 6)
    assert found.error() == pytest.approx(assay.run_intervals(scores, "accuracy")["r"].standard_error, rel=1e-5)
    assert found.within == alone.within
    assert found.error() > alone.error()
    with pytest.raises(InputError, match="all 2 questions are in one cluster"):
        split(scored({"r": right_of([4, 1])}, ["accuracy"], {"q00": "a", "q01": "a"}), "accuracy", "r")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("pass@2", "pass@2 looks at all samples of a question at once"),
        ("CWS", "CWS is computed from all answers of a run at once"),
        ("correct", "correct is no mean over questions"),
        ("validation", "more than whether answers are correct, incorrect, unanswered"),
    ],
)
def test_what_cannot_be_split(name, why):
    from assay.measures.registry import declarations

    if name == "validation":
        other = [
            d
            for d in declarations("outcomes")
            if d.level == "sums" and "candidate_right" in d.of and d.average == "mean"
        ]
        name = other[0].name
    with pytest.raises(UsageError, match=why):
        sampling(scored({"r": right_of([4, 2])}, [name]), name)
    with pytest.raises(UsageError, match="has a value on every sample"):
        sampling(scored({"r": right_of([4, 2])}, [name]))


def test_runs_that_answer_once_are_refused():
    with pytest.raises(InputError, match="no run answers a question more than once"):
        sampling(scored({"r": right_of([1, 0], 1)}, ["accuracy"]))
    with pytest.raises(InputError, match="needs at least 2 of them, found 1"):
        sampling(scored({"r": right_of([2])}, ["accuracy"]))
    with pytest.raises(InputError, match="precision is undefined here"):
        sampling(scored({"r": {"q0": "NN", "q1": "NN"}}, ["precision"]))


def test_what_a_program_gets():
    scores = scored({"r": right_of(BOLD), "once": right_of([1] * 12, 1)}, ["accuracy", "pass@2"])
    found = assay.sampling(scores)
    [told] = found.to_dict()["sampling"]
    assert told["samples"] == {"fewest": 4, "most": 4}
    assert round(told["standard_error"], 4) == 0.0711
    header, [row] = found.rows()
    assert dict(zip(header, row, strict=True))["twice_the_questions"] == told["twice_the_questions"]
    assert found.finding in repr(found)
    assert found.split("r", "accuracy") is found.splits[0]
    with pytest.raises(UsageError, match="no split of 'once'"):
        found.split("once", "accuracy")


class TestPlan:
    def test_two_runs_have_both(self):
        scores = scored({"a": right_of(BOLD), "b": right_of(BOLD[::-1])}, ["accuracy", "pass@2"])
        found = assay.plan(scores, difference=0.1)
        assert set(found.measures) == {"accuracy", "pass@2"}
        assert [(one.run, one.measure) for one in found.sampling] == [("a", "accuracy"), ("b", "accuracy")]
        shown = results.text(found, verbose=True)
        assert "More questions, or more samples of each?" in shown
        assert shown.startswith("To show a difference of .1 accuracy between two runs, ask ")
        assert len(found.to_dict()["sampling"]) == 2

    def test_one_run_has_the_question_of_samples_alone(self):
        found = assay.plan(scored({"bold": right_of(BOLD)}, ["accuracy"]), difference=0.1)
        assert found.measures == {}
        assert [one["run"] for one in found.to_dict()["sampling"]] == ["bold"]
        assert found.rows()[1][0][:2] == ["bold", "accuracy"]
        assert repr(found).startswith("More samples of each question do nearly as much as more questions: ")
        assert "standard error of bold (accuracy) from .071 to .050" in repr(found)

    def test_without_samples_nothing_changes(self):
        scores = scored({"a": right_of([1, 0, 1, 1], 1), "b": right_of([0, 0, 1, 0], 1)}, ["accuracy"])
        found = assay.plan(scores, difference=0.1)
        assert found.sampling == []
        assert "sampling" not in found.to_dict()
        with pytest.raises(InputError, match="needs at least 2, found only 'a'"):
            assay.plan(scores.with_runs([scores.run("a")]), difference=0.1)
