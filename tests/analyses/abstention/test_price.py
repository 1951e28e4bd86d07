"""The price of a wrong answer: exact leads, what resampling says of them, and what it must not say."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import assay
from assay.errors import InputError, UsageError
from assay.figures.price_curves import worth_of_declining

WORDS = {"r": "correct", "w": "incorrect", "u": "unanswered", "!": "failed"}


def judged(**runs: str) -> bytes:
    """Runs by their outcomes, a letter a question."""
    rows = [
        {"run": run, "id": f"q{i:04}", "outcome": WORDS[letter]}
        for run, letters in runs.items()
        for i, letter in enumerate(letters)
        if letter != " "
    ]
    return "\n".join(map(json.dumps, rows)).encode()


def price(at=(0.5,), cluster="auto", resamples=400, **runs):
    return assay.price(None, judged(**runs), at=at, resamples=resamples, cluster=cluster)


def test_scores_leads_and_crossings_are_exact():
    """By hand: 6 - 4x against 5 - x of 10 questions cross at x = 1/3, t = 1/4; 5 = x at t = 5/6."""
    found = price(at=(0, 0.5, 0.75), bold="rrrrrrwwww", shy="rrrrrwuuuu")
    assert [point.score for point in found.runs["bold"]] == [0.6, 0.2, -0.6]
    assert [point.score for point in found.runs["shy"]] == [0.5, 0.4, 0.2]
    ends = [(lead.start, lead.end, lead.runs) for lead in found.leads]
    quarter, last = Fraction(1, 4), Fraction(5, 6)
    assert ends == [(0, quarter, ("bold",)), (quarter, last, ("shy",)), (last, 1, ())]
    assert [(one.at, one.before, one.after) for one in found.crossings] == [(quarter, "bold", "shy")]


def test_a_lead_that_is_plain_is_shown_and_one_of_a_question_is_not():
    sure = price(a="r" * 180 + "w" * 20, b="r" * 60 + "w" * 140)
    assert sure.leads[0].shown[0] == 0
    assert 0.7 < sure.leads[0].shown[1] < float(sure.leads[0].end) == 0.9
    assert sure.leads[0].surest[1] == 1
    assert sure.to_dict()["leads"][0]["surest"] == {"t": sure.leads[0].surest[0], "share": 1}
    assert sure.leads[0].surest[0] < 0.9
    near = price(a="rw" * 50 + "r", b="wr" * 50 + "w")
    assert near.leads[0].runs == ("a",)
    assert near.leads[0].shown is None
    assert near.leads[0].surest[1] < 0.9


def test_bands_hold_the_scores_and_are_those_of_a_proportion_at_a_price_of_0():
    """At 0 the error is that of a share of 400: .02; a band for all prices reaches beyond 1.96 of them, and below Scheffé's 2.45."""
    found = price(at=(0, 0.5), resamples=4000, a="r" * 320 + "w" * 40 + "u" * 40)
    for point in found.runs["a"]:
        assert point.interval[0] < point.score < point.interval[1]
    half = (found.runs["a"][0].interval[1] - found.runs["a"][0].interval[0]) / 2
    assert 1.96 * 0.02 < half < 2.6 * 0.02


def test_the_numbers_do_not_depend_on_threads_and_follow_the_seed():
    runs = judged(a="rwu" * 30, b="wru" * 30)
    one, two, other = (
        assay.price(None, runs, resamples=300, threads=threads, seed=seed).to_dict()
        for threads, seed in ((1, 0), (4, 0), (1, 1))
    )
    assert one == two
    assert one["runs"] != other["runs"]


def test_who_ties_shares_and_equal_runs_are_never_told_apart():
    found = price(a="rwru" * 10, b="rwru" * 10)
    assert found.leads[0].runs == ("a", "b")
    assert found.leads[0].shown is None
    assert found.runs["a"][0].first == found.runs["b"][0].first
    assert found.crossings == ()


def test_what_varies_in_no_resample_has_no_band_and_says_why():
    found = price(at=(0, 0.9), a="rrrr", b="rwru")
    assert [point.interval for point in found.runs["a"]] == [None, None]
    assert "a has no wrong answer, so resampling cannot estimate how rare one is" in found.notes


def test_one_question_has_numbers_but_nothing_is_shown():
    found = price(a="r", b="w")
    assert found.leads[0].runs == ("a",)
    assert (found.leads[0].shown, found.leads[0].surest, found.runs["a"][0].interval) == (None, None, None)
    assert "fewer than 2 questions to resample" in found.notes[0]


def test_questions_that_failed_are_left_out_for_all():
    """b failed on the last, which a has right: 2 of 3 against 1 of 3."""
    found = price(at=(0,), a="rrwr", b="rww!")
    assert (found.questions, found.left_out) == (3, 1)
    assert [found.runs[run][0].score for run in "ab"] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    with pytest.raises(InputError, match="no question was put to all 2 runs"):
        price(a="rr!!", b="!!rr")


def test_clusters_are_resampled_together():
    """Ten questions of each of twenty passages, all alike: as if there were twenty, the band is √10 times as wide,
    but for the steps of so few."""
    rows = [
        {"run": "a", "id": f"q{p}-{i}", "outcome": "correct" if p % 2 else "incorrect", "cluster": f"p{p}"}
        for p in range(20) for i in range(10)
    ]  # fmt: skip
    runs = "\n".join(map(json.dumps, rows)).encode()
    by, single = (
        assay.price(None, runs, at=(0,), resamples=1000, cluster=c).runs["a"][0].interval for c in ("auto", None)
    )
    assert (by[1] - by[0]) / (single[1] - single[0]) == pytest.approx(np.sqrt(10), rel=0.2)


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"at": (1.0,)}, "at=1.0"),
        ({"at": (-0.1,)}, "at=-0.1"),
        ({"confidence": 1.0}, "confidence=1.0"),
        ({"resamples": 0}, "resamples=0"),
    ],
)
def test_what_cannot_be_asked(choice, problem):
    with pytest.raises(UsageError, match=problem):
        assay.price(None, judged(a="rw", b="wr"), **choice)


def test_other_tasks_and_partial_credit_have_no_price():
    ranked = assay.evaluate({"q": {"d": 1}}, {"r": {"q": {"d": 1.0}}})
    with pytest.raises(UsageError, match="only answers that are right, wrong or declined have a price"):
        assay.price(ranked)


def test_why_there_are_no_bands_is_said_as_it_is():
    """Two runs of 5 questions each, none of them the same."""
    found = price(a="rrrww     ", b="     rrwww")
    assert found.questions == 10
    [note] = [note for note in found.notes if "no bands" in note]
    assert "a and b have no question in common (5 and 5 questions)" in note


@pytest.mark.parametrize("resamples", [1, 18])
def test_too_few_resamples_for_a_confidence_have_no_band(resamples):
    """Of 19 one may lie beyond 95%, of 18 none: there is nothing to tell, and no infinity or nan in its place."""
    found = price(resamples=resamples, a="rrrrrrwwuu")
    assert {point.interval for point in (*found.runs["a"], *found.curves["a"])} == {None}
    assert found.leads[0].shown is None
    assert any("`resamples=19` or more" in note for note in found.notes)
    assert price(resamples=19, a="rrrrrrwwuu").runs["a"][0].interval is not None


def test_declining_everything_is_right_where_one_should_decline():
    """By hand: 2 of 10 questions should be declined, so declining everything has .2 at any price. A run with 6 right and 4 wrong,
    (6 - 4x)/10, is no better from x = 1 on, t = 1/2, and not from x = 3/2, where it has nothing left."""
    gold = [
        {"id": f"q{i}", "should_decline": True} if i < 2 else {"id": f"q{i}", "answers": ["yes"]} for i in range(10)
    ]
    run = [{"id": f"q{i}", "answer": "yes" if i < 8 else "no"} for i in range(10)]
    gold, run = ("\n".join(map(json.dumps, rows)).encode() for rows in (gold, run))
    found = assay.price(gold, run, at=(0.5,), resamples=400)
    assert [(lead.start, lead.end, lead.runs) for lead in found.leads] == [
        (0, Fraction(1, 2), ("run",)),
        (Fraction(1, 2), 1, ()),
    ]
    assert found.to_dict()["declining"][0]["score"] == 0.2
    assert found.runs["run"][0].score == pytest.approx(0.2)
    assert 0.3 < found.declining[0] < 0.7, "they are equal there, and resampled together"
    assert any("declining everything has a mean of 0.2000" in note for note in found.notes)
    low, high = found.runs["run"][0].interval
    assert (low + high) / 2 == pytest.approx(0.2), "a band is about the run itself and not about its lead"
    assert high - low > 0.5
    assert worth_of_declining(assay.evaluate(gold, run)) == Fraction(1, 5)


def test_squads_questions_without_an_answer_are_right_to_decline(tmp_path):
    questions = [
        {"id": f"q{i}", "question": "?", "answers": [{"text": "Oslo"}] if i else [], "is_impossible": not i}
        for i in range(4)
    ]
    data = {"version": "v2.0", "data": [{"title": "t", "paragraphs": [{"context": "Oslo", "qas": questions}]}]}
    (tmp_path / "dev.json").write_text(json.dumps(data))
    (tmp_path / "run.json").write_text(json.dumps({"q0": "Bern", "q1": "Oslo", "q2": "Oslo", "q3": "Bern"}))
    found = assay.price(tmp_path / "dev.json", tmp_path / "run.json", at=(0.5,), resamples=100)
    assert found.worth == 0.25


def test_what_has_no_price_is_said_of_the_task_and_not_of_a_measure_nobody_named():
    with pytest.raises(
        UsageError, match="`task='pairwise'`: only answers that are right, wrong or declined have a price"
    ):
        assay.price(b"question,a,b,winner\nq1,x,y,a\nq2,x,y,b\n")
