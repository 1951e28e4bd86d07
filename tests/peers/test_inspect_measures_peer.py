"""Inspect's metrics and reducers of repeated samples against the measures that docs/against.md names for them.

`make peers` makes the environment; elsewhere this is skipped.
"""

from __future__ import annotations

from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay

pytestmark = pytest.mark.peer
inspect_scorer = pytest.importorskip("inspect_ai.scorer")

epochs = st.integers(2, 5).flatmap(
    lambda m: st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=1, max_size=6)
)


def reduced(reducer, questions: list[list[bool]]) -> float:
    """The mean over questions of what a reducer makes of the scores of their epochs."""
    scores = [[inspect_scorer.Score(value="C" if right else "I") for right in samples] for samples in questions]
    to_float = inspect_scorer.value_to_float()
    return mean(to_float(reducer(one).value) for one in scores)


def found(names: list[str], questions: list[list[bool]]) -> dict[str, float]:
    """What assay gives for the same outcomes."""
    rows = [
        {"id": f"q{number}", "sample": sample, "outcome": "correct" if right else "incorrect"}
        for number, samples in enumerate(questions)
        for sample, right in enumerate(samples, 1)
    ]
    import pandas

    scores = assay.evaluate(None, pandas.DataFrame(rows).assign(run="r"), names)
    return {name: scores[name]["r"] for name in names}


@settings(max_examples=40, deadline=None)
@given(epochs)
def test_reducers(questions) -> None:
    m = len(questions[0])
    ours = found(["accuracy", "pass@2", "pass^2", f"pass@{m}"], questions)
    theirs = {
        "accuracy": inspect_scorer.mean_score(),
        "pass@2": inspect_scorer.pass_at(2),
        "pass^2": inspect_scorer.pass_k(2),
        f"pass@{m}": inspect_scorer.max_score(),
    }
    for name, reducer in theirs.items():
        assert ours[name] == pytest.approx(reduced(reducer, questions)), name
    assert ours[f"pass@{m}"] == pytest.approx(reduced(inspect_scorer.at_least(1), questions))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["C", "I", "P", "N"]), min_size=1, max_size=12))
def test_accuracy_and_mean_count_a_partial_answer_half(values) -> None:
    """`accuracy` of a log needs a threshold for a P; `score` counts it half too."""
    to_float = inspect_scorer.value_to_float()
    scores = [inspect_scorer.SampleScore(score=inspect_scorer.Score(value=to_float(value))) for value in values]
    for metric in (inspect_scorer.accuracy(), inspect_scorer.mean()):
        theirs = metric(scores)
        worth = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
        rows = {f"q{number}": {"score": worth[value]} for number, value in enumerate(values)}
        ours = assay.evaluate(None, {"r": rows}, "score")["score"]["r"]
        assert ours == pytest.approx(theirs)
