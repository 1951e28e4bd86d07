"""Samples of tables: numbers from 0 or 1, and names."""

from __future__ import annotations

import pytest
from table_forms import FILES, FORMS, as_jsonl

import assay
from assay.errors import FormatError


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("form", FORMS)
def test_they_count_from_0_or_1(form, first):
    """Two of three attempts at q1 are right: pass@2 = 1 - C(1, 2) / C(3, 2) = 1."""
    records = [{"id": "q1", "sample": first + k, "correct": k < 2} for k in range(3)]
    scores = assay.evaluate(FORMS[form](records), None, ["accuracy", "pass@2"])
    assert (scores["accuracy"], scores["pass@2"]) == ({"run": pytest.approx(2 / 3)}, {"run": 1.0})


def test_lines_of_answers_count_from_0():
    lines = as_jsonl([{"id": "q1", "sample": k, "outcome": "failed" if k else "correct"} for k in range(2)])
    scores = assay.evaluate(lines)
    assert scores["accuracy"] == {"run": 1.0}
    assert any("q1 (sample 2)" in line for line in scores.remarks())


def test_a_sample_that_is_there_twice():
    records = [{"id": "q1", "try": 0, "passed": 1}, {"id": "q1", "try": 0, "passed": 0}]
    with pytest.raises(FormatError, match="sample 0 of question 'q1' is already on line 1"):
        assay.evaluate(records, columns={"sample": "try"})


def test_named_samples():
    records = [{"id": "q1", "try": name, "passed": name != "u3"} for name in ("u1", "u2", "u3")]
    assert assay.evaluate(records, None, "accuracy", columns={"sample": "try"})["accuracy"]["run"] == pytest.approx(
        2 / 3
    )
    with pytest.raises(FormatError, match="run:4: sample 'u2' of question 'q1' is already on line 2"):
        assay.evaluate(None, as_jsonl([*records, records[1]]), columns={"sample": "try"})
    with pytest.raises(FormatError, match="run:4: the sample of question 'q1' is empty"):
        assay.evaluate(None, as_jsonl([*records, {"id": "q1", "passed": True}]), columns={"sample": "try"})


def test_numbers_do_not_become_names():
    records = [{"id": "q1", "try": "1", "passed": 1}, {"id": "q1", "try": "2x", "passed": 0}]
    with pytest.raises(FormatError, match="<gold>:2: sample '2x': expected a whole number from 0 or 1"):
        assay.evaluate(records, columns={"sample": "try"})


@pytest.mark.parametrize("form", FILES)
def test_repeated_questions_say_which_column_may_tell(form):
    records = [{"task_id": "t1", "alias": "A", "trial": 0, "resolved": True}] * 2
    with pytest.raises(FormatError) as refused:
        assay.evaluate(None, FORMS[form](records), columns={"id": "task_id"})
    assert "question 't1' is already on line" in str(refused.value)
    assert "`columns='sample=trial'` where these are several attempts" in str(refused.value)
    assert "`columns='run=alias'` where they are several runs" in str(refused.value)
