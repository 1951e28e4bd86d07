"""What item analysis is given: right and wrong, shares of samples, values of a measure, and nothing where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.resampling.responses import responses

GOLD = {"q1": "a", "q2": "b", "q3": "c"}
RUNS = {"x": {"q1": "a", "q2": "z", "q3": None}, "y": {"q1": "a", "q2": "b"}}


def test_unanswered_is_not_right_and_what_is_missing_follows_the_policy() -> None:
    counted = responses(assay.evaluate(GOLD, RUNS))
    assert counted.values.tolist() == [[1, 1], [0, 1], [0, 0]]
    assert (counted.measure, counted.binary, counted.absent, counted.noun) == ("accuracy", True, 0, "question")
    skipped = responses(assay.evaluate(GOLD, RUNS, missing="skip"))
    assert np.isnan(skipped.values[2, 1])
    assert skipped.values[2, 0] == 0
    assert (skipped.absent, skipped.binary) == (1, True)


def test_samples_are_a_share_and_what_failed_is_no_data(tmp_path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(
        "run,id,outcome,sample\na,1,correct,1\na,1,incorrect,2\na,2,correct,1\na,2,correct,2\n"
        "b,1,failed,1\nb,1,failed,2\nb,2,unanswered,1\nb,2,correct,2\n"
    )
    found = responses(assay.evaluate(None, [str(log)], columns="run=run,id=id,outcome=outcome,sample=sample"))
    assert found.values[0, 0] == 0.5
    assert np.isnan(found.values[0, 1])
    assert found.values[1].tolist() == [1.0, 0.5]
    assert not found.binary


def test_a_measure_with_values_by_topic() -> None:
    scores = assay.scores([[0.5, 0.25], [None, 1.0]], runs=["a", "b"], measure="AP", undefined="skip")
    found = responses(scores, "AP")
    assert found.values[0].tolist() == [0.5, 0.25]
    assert np.isnan(found.values[1, 0])
    assert found.measure == "AP"


def test_a_measure_of_whole_runs_is_refused_with_what_would_do() -> None:
    with pytest.raises(assay.UsageError, match=r"c@1 has no value per question.*accuracy has"):
        responses(assay.evaluate(GOLD, RUNS), "c@1")


def test_one_run_says_nothing_of_items() -> None:
    with pytest.raises(assay.InputError, match="at least 2 runs and 2 questions, found 1 and 3"):
        responses(assay.evaluate(GOLD, {"x": RUNS["x"]}))
