"""Columns read by usual names, and reported."""

from __future__ import annotations

import pytest
from table_forms import FORMS, as_jsonl

import assay
from assay.errors import FormatError, InputError, UsageError


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["resolved", "passed", "is_correct"])
def test_a_verdict_is_read_and_reported(form, name):
    records = [
        {"question_id": "q1", name: True},
        {"question_id": "q2", name: False},
        {"question_id": "q3", name: True},
    ]
    for arguments in ((FORMS[form](records),), (None, FORMS[form](records))):
        scores = assay.evaluate(*arguments)
        assert scores["accuracy"] == {"run": pytest.approx(2 / 3)}
        assert any(line.endswith(f": read `{name}` as the outcome (`columns=`)") for line in scores.remarks())


@pytest.mark.parametrize("form", FORMS)
def test_a_reward_with_partial_credit_is_a_score(form):
    records = [{"id": "q1", "reward": 0.25}, {"id": "q2", "reward": 1}, {"id": "q3", "reward": None}]
    scores = assay.evaluate(FORMS[form](records))
    assert scores["score"] == {"run": 0.625}, "the question without a reward is excluded"
    assert any(line.endswith("read `reward` as the score (`columns=`)") for line in scores.remarks())
    with pytest.raises(UsageError, match="partial credit"):
        assay.evaluate(FORMS[form](records), None, "accuracy")
    assert assay.evaluate(FORMS[form](records), None, "accuracy", right_from=0.25)["accuracy"] == {"run": 1.0}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reward", [-1, 5, 1.5])
def test_a_reward_outside_0_and_1_is_refused(form, reward):
    with pytest.raises(
        FormatError, match=r"^[^:]+:[0-9]: reward '-?[0-9.]+' is not known; expected a score from 0 to 1"
    ):
        assay.evaluate(FORMS[form]([{"id": "q1", "reward": 1}, {"id": "q2", "reward": reward}]))


def test_percentages():
    with pytest.raises(
        FormatError, match="score '85' is not known; expected a score from 0 to 1; divide percentages by 100"
    ):
        assay.evaluate(None, b"run,id,score\nm,q1,85\n")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["pred", "prediction"])
def test_a_prediction_beside_the_answer(form, name):
    """Right, wrong and no prediction."""
    records = [{"id": str(k), "answer": "ABC"[k], name: prediction} for k, prediction in enumerate(["a", "c", None])]
    scores = assay.evaluate(None, FORMS[form](records), ["correct", "incorrect", "unanswered"])
    assert [scores[state]["run"] for state in ("correct", "incorrect", "unanswered")] == [1, 1, 1]
    assert any(f"read `{name}` as the answer and `answer` as the gold" in line for line in scores.remarks())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("record", "named", "fixes"),
    [
        ({"passed": 1, "reward": 0.5}, "`passed` and `reward`", ("outcome=passed", "score=reward")),
        ({"score": 0.5, "reward": 1}, "`score` and `reward`", ("score=score", "score=reward")),
        (
            {"resolved": 1, "is_correct": 0},
            "`resolved` and `is_correct`",
            ("outcome=resolved", "outcome=is_correct"),
        ),
        (
            {"answer": "A", "pred": "B", "passed": 1},
            "`passed` and `pred`",
            ("outcome=passed", "gold=answer,answer=pred"),
        ),
    ],
)
def test_two_candidates_are_refused_with_the_columns_to_type(form, record, named, fixes):
    table = FORMS[form]([{"id": "q1", **record}])
    with pytest.raises(FormatError) as refused:
        assay.evaluate(None, table)
    assert f"{named} may each say how a question ended" in str(refused.value)
    for fix in fixes:
        assert f"`columns='{fix}'`" in str(refused.value)
        assert assay.evaluate(None, table, columns=fix).runs == ["run"]


def test_the_columns_given_are_part_of_the_fix():
    with pytest.raises(FormatError, match="`columns='id=key,outcome=passed'` or `columns='id=key,score=reward'`"):
        assay.evaluate([{"key": "q1", "passed": 1, "reward": 1}], columns={"id": "key"})


def test_names_of_our_own_decide():
    records = [{"id": "q1", "outcome": "correct", "passed": 0, "reward": 0.5}]
    scores = assay.evaluate(records)
    assert (scores["accuracy"], scores.remarks()) == ({"run": 1.0}, [])


def test_a_named_outcome_decides_alone():
    """Red before: a column called score that nobody named was the partial credit of the outcome."""
    records = [{"id": "q1", "passed": 1, "score": 57}, {"id": "q2", "passed": 0, "score": 3}]
    assert assay.evaluate(records, columns={"outcome": "passed"})["accuracy"] == {"run": 0.5}
    records = [{"id": "q1", "correct": 1, "points": 0.25}, {"id": "q2", "correct": 1, "points": 0}]
    assert assay.evaluate(records, columns={"score": "points"})["score"] == {"run": 0.125}


def test_beside_gold_a_run_is_judged_by_the_gold():
    gold, run = (
        {"q1": "Paris", "q2": "Rome"},
        [{"id": "q1", "answer": "Paris", "passed": 0}, {"id": "q2", "answer": "Oslo"}],
    )
    for form in ("jsonl", "json", "records", "csv"):
        assert assay.evaluate(gold, FORMS[form](run))["accuracy"] == {"run": 0.5}


@pytest.mark.parametrize("form", FORMS)
def test_beside_gold_a_run_without_answers_is_judged_already(form):
    """Red before: the column was a run called passed."""
    scores = assay.evaluate(
        {"q1": "Paris", "q2": "Rome"}, FORMS[form]([{"id": "q1", "passed": 1}, {"id": "q2", "passed": 0}])
    )
    assert scores["accuracy"] == {"run": 0.5}
    assert any("read `passed` as the outcome" in line for line in scores.remarks())


def test_systems_may_have_a_column_beside_the_score():
    """A table with a column per run stays one."""
    assert assay.evaluate(None, b"id,gpt_score,score\nq1,1,0\n", "correct")["correct"] == {
        "gpt_score": 1,
        "score": 0,
    }
    with pytest.raises(InputError, match="'gpt' would be taken as runs"):
        assay.evaluate(None, b"id,gpt,score\nq1,1,0\n")
    scores = assay.evaluate(None, b"id,answer,pred,gpt\nq1,A,A,B\nq2,B,A,B\n", columns="gold=answer")
    assert scores["accuracy"] == {"pred": 0.5, "gpt": 0.5}


def test_several_files_are_reported_once(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_bytes(as_jsonl([{"id": "q1", "reward": 1}]))
    scores = assay.evaluate(None, str(tmp_path))
    (remark,) = scores.remarks()
    assert remark.endswith("a.jsonl and 2 other files: read `reward` as the score (`columns=`)")


MARKS = [
    {"id": "q1", "run": "a", "mark": 4},
    {"id": "q2", "run": "a", "mark": 1},
    {"id": "q3", "run": "a", "mark": 5},
    {"id": "q1", "run": "b", "mark": 2.5},
    {"id": "q2", "run": "b", "mark": 0},
    {"id": "q3", "run": "b", "mark": -4},
]


@pytest.mark.parametrize("form", FORMS)
def test_a_named_score_may_have_any_range(form):
    scores = assay.evaluate(FORMS[form](MARKS), columns={"score": "mark"})
    assert scores["score"] == {"a": pytest.approx(10 / 3), "b": -0.5}
    with pytest.raises(UsageError, match="partial credit"):
        assay.evaluate(FORMS[form](MARKS), None, "accuracy", columns={"score": "mark"})


@pytest.mark.parametrize("mark", ["nan", "inf", "high"])
def test_a_named_score_is_a_number(mark):
    table = f"id,run,mark\nq1,a,4\nq2,a,{mark}\n".encode()
    if mark == "nan":  # an empty cell, as pandas writes it
        assert assay.evaluate(table, columns={"score": "mark"})["score"] == {"a": 4.0}
        return
    with pytest.raises(FormatError, match=f":3: mark '{mark}' is not known"):
        assay.evaluate(table, columns={"score": "mark"})


def test_an_unnamed_score_of_another_range_says_how_to_read_it():
    with pytest.raises(
        FormatError, match=r"score '4' is not known.* Fix: `columns='score=score'` takes scores of any range"
    ):
        assay.evaluate(b"id,run,score\nq1,a,4\n")


def test_a_missing_question_has_no_worst_mark():
    marks = MARKS[:-1]
    with pytest.raises(InputError, match=r"run 'b' has no score for 1 question \(q3\).*`missing='skip'`"):
        assay.evaluate(marks, columns={"score": "mark"})
    assert assay.evaluate(marks, columns={"score": "mark"}, missing="skip")["score"]["b"] == 1.25
    assert assay.evaluate(marks, columns={"score": "mark"}, missing="common")["score"] == {"a": 2.5, "b": 1.25}


def test_a_list_under_gold_holds_alternatives():
    records = [
        {"question_id": 1, "answer": ["Paris", "City of Paris"], "pred": "Paris"},
        {"question_id": 2, "answer": ["Paris", "City of Paris"], "pred": "City of Paris"},
        {"question_id": 3, "answer": "Rome", "pred": "Oslo"},
        {"question_id": 4, "answer": ["Oslo"], "pred": "Oslo"},
    ]
    assert assay.evaluate(records, None, "accuracy")["accuracy"] == {"run": 0.75}
    assert assay.evaluate(as_jsonl(records), None, "accuracy")["accuracy"] == {"run": 0.75}
    pandas = pytest.importorskip("pandas")
    lists = pandas.DataFrame([records[0], records[1], {**records[2], "answer": ["Rome"]}, records[3]])
    assert assay.evaluate(lists, None, "accuracy")["accuracy"] == {"run": 0.75}
    with pytest.raises(FormatError, match=":2: question '2' has no answer in the gold column"):
        assay.evaluate(as_jsonl([records[0], {**records[1], "question_id": 2, "answer": []}]), None, "accuracy")


def test_a_table_of_runs_without_a_verdict_asks_which_column_has_it():
    table = b"id,run,mark\nq1,a,4\nq2,a,1\nq1,b,2\n"
    with pytest.raises(
        FormatError, match=r":4: question 'q1' is already on line 2, and no column says how it ended.*one of mark with"
    ):
        assay.evaluate(table)
