"""Measures of questions answered several times: pass@k, pass^k, maj@k, score, and what answers cost."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace as Sample

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampled_tables import log_rows, scored

import assay
from assay.errors import UsageError
from assay.measures.registry import find
from assay.measures.samples import majority_at_k, pass_at_k, pass_hat_k

said = st.lists(st.sampled_from(["a", "a!", "b", "c", None]), min_size=1, max_size=7)
"""What each sample says; a and a! are right, None is no answer."""


def question(texts) -> Sample:
    return Sample(
        samples=[Sample(text=text, right=bool(text) and text[0] == "a", answered=text is not None) for text in texts]
    )


def mean_over_choices(texts, k, value) -> float:
    choices = list(combinations(texts, k))
    return sum(map(value, choices)) / len(choices)


def is_right(text) -> bool:
    return text is not None and text[0] == "a"


def majority(choice) -> float:
    """The chance that the answer most say is right, the first place shared fairly."""
    votes = {text: choice.count(text) for text in choice if text is not None}
    first = [text for text, count in votes.items() if count == max(votes.values())]
    return sum(map(is_right, first)) / len(first) if first else 0.0


@given(said, st.integers(1, 7))
def test_estimators_are_means_over_all_choices(texts, k):
    view = question(texts)
    if k > len(texts):
        assert pass_at_k(view, k=k) is pass_hat_k(view, k=k) is majority_at_k(view, k=k) is None
        return
    assert pass_at_k(view, k=k) == pytest.approx(mean_over_choices(texts, k, lambda c: any(map(is_right, c))))
    assert pass_hat_k(view, k=k) == pytest.approx(mean_over_choices(texts, k, lambda c: all(map(is_right, c))))
    assert majority_at_k(view, k=k) == pytest.approx(mean_over_choices(texts, k, majority))


@given(st.integers(1, 200), st.data())
def test_pass_at_k_as_the_paper_computes_it(n, data):
    """The numpy code of Chen et al. 2021, figure 3."""
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    theirs = 1.0 if n - c < k else 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))
    view = Sample(samples=[Sample(right=i < c) for i in range(n)])
    assert pass_at_k(view, k=k) == pytest.approx(theirs, abs=1e-12)


def test_by_hand():
    two_of_three = question(["a", "a", "b"])
    assert pass_at_k(two_of_three, k=2) == 1.0  # the one wrong answer cannot be drawn twice
    assert pass_hat_k(two_of_three, k=2) == pytest.approx(1 / 3)
    assert majority_at_k(two_of_three, k=2) == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)
    assert majority_at_k(question([None, None]), k=1) == 0.0
    unknown = Sample(samples=[Sample(text=None, right=True, answered=True)] * 2)
    assert majority_at_k(unknown, k=2) is None
    assert majority_at_k(unknown, k=1) == 1.0


def test_many_samples_and_many_answers_stay_exact():
    view = Sample(samples=[Sample(text=str(i % 37), right=i % 37 == 0, answered=True) for i in range(74)])
    assert majority_at_k(view, k=1) == pytest.approx(1 / 37)
    assert majority_at_k(view, k=74) == pytest.approx(1 / 37)
    assert pass_at_k(view, k=74) == 1.0


@pytest.mark.parametrize("name", ["pass@2", "pass_at_2", "pass(k=2)", "pass^2", "pass^k(k=2)", "maj@2", "maj_at_2"])
def test_names(name):
    assert find(name, "outcomes").parameters == {"k": 2}


@pytest.mark.parametrize("name", ["pass", "pass@0", "pass@x", "pass^0", "maj@-1"])
def test_names_that_are_none(name):
    with pytest.raises(UsageError):
        find(name, "outcomes")


def test_fewer_samples_than_k_are_undefined_and_not_0():
    scores = scored({"r": {"q0": "CI", "q1": "C", "q2": "CCI"}}, ["pass@2", "pass^2", "pass@3", "pass@4"])
    assert scores.column("r", "pass@2") == [1.0, None, 1.0]
    assert scores.column("r", "pass^2") == pytest.approx([0.0, None, 1 / 3])
    assert scores["pass@2"]["r"] == 1.0
    assert scores["pass@3"]["r"] == 1.0
    assert scores["pass@4"]["r"] is None


def test_answers_are_compared_after_normalisation():
    texts = ["Paris", "paris.", "  PARIS ", "Rome", "rome"]
    cells = [{"value": "C" if "p" in text.lower() else "I", "text": text} for text in texts]
    assert scored({"r": {"q0": cells}}, ["maj@5"])["maj@5"]["r"] == 1.0


def test_a_score_is_the_mean_over_samples_and_questions():
    """(0.5 + 1 + 0)/3, then 0.25: every question weighs the same."""
    scores = scored({"r": {"q0": ["P", "C", "N"], "q1": [0.25]}}, ["score", "partial_credit"])
    assert scores["score"]["r"] == pytest.approx((0.5 + 0.25) / 2)
    assert scores.column("r", "score") == [0.5, 0.25]


def test_partial_credit_wants_a_threshold_for_states():
    cells = {"r": {"q0": ["P", "C"], "q1": ["I", 0.75]}}
    for name in ("c@1", "pass@2", "accuracy"):
        with pytest.raises(UsageError, match=r"partial credit.*`right_from=0\.5`, or use the measure score"):
            scored(cells, [name])["c@1"]
    scores = scored(cells, ["score", "c@1", "accuracy", "pass^2"], right_from=0.75)
    assert scores["accuracy"]["r"] == scores["c@1"]["r"] == 0.5
    assert scores["score"]["r"] == pytest.approx((0.75 + 0.375) / 2)
    assert scored(cells, ["accuracy"], right_from=0.5)["accuracy"]["r"] == 0.75


def test_latency_tokens_and_cost_are_means_where_the_log_tells():
    used = [{"value": "C", "usage": {"latency": 1.0, "tokens": 10}}, {"value": "I", "usage": {"latency": 3.0}}]
    scores = scored({"r": {"q0": used, "q1": ["C", "I"]}}, ["latency", "tokens", "cost"])
    assert scores.column("r", "latency") == [2.0, None]
    assert (scores["latency"]["r"], scores["tokens"]["r"], scores["cost"]["r"]) == (2.0, 10.0, None)


def test_kinds_of_unanswered_are_counted():
    kinds = [{"state": 0, "kind": kind} for kind in ("declined", "refused", "refused")]
    cells = [*kinds, {"value": "I", "kind": "unparsed"}]
    scores = scored({"r": {"q0": cells}}, ["declined", "refused", "unparsed", "unanswered", "incorrect"])
    assert [scores[name]["r"] for name in ("declined", "refused", "unparsed", "unanswered", "incorrect")] == [
        1,
        2,
        1,
        3,
        1,
    ]
    assert log_rows("r", {"q0": cells}).kinds == {0: "declined", 1: "refused", 2: "refused", 3: "unparsed"}


def test_maj_at_1_of_one_sample_is_accuracy():
    rows = b"id,outcome\n1,correct\n2,incorrect\n3,correct\n4,unanswered\n"
    scores = assay.evaluate(None, [rows], ["maj@1", "accuracy"])
    [run] = scores.runs
    assert scores["maj@1"][run] == scores["accuracy"][run] == 0.5
    assert list(scores["maj@1", run].values()) == [1.0, 0.0, 1.0, 0.0]
