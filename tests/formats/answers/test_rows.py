"""The columns of one run of answers."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.answers.outcome_words import outcome_of
from assay.formats.answers.rows import (
    CORRECT,
    FAILED,
    GRADED,
    INCORRECT,
    NO_VERDICT,
    UNANSWERED,
    Answer,
    OutcomeColumns,
    Rows,
    confidence_of,
)


def test_a_question_is_one_call_and_every_column_grows() -> None:
    rows = Rows("run", "file")
    rows.add("q1", 1, text="Paris", doc="d1", confidence=0.5, extra={"lang": "fr"})
    rows.add("q2", 2, outcome=CORRECT, confident=False)
    several = [Answer("a"), Answer("b")]
    rows.add("q3", 4, text="b", answers=several, final=2)
    rows.add("q4", 5, candidate="Bonn")
    assert (rows.ids, rows.lines) == (["q1", "q2", "q3", "q4"], [1, 2, 4, 5])
    assert rows.texts == ["Paris", None, "b", None]
    assert rows.confidences == [0.5, None, None, None]
    assert rows.outcomes == [None, CORRECT, None, None]
    assert (rows.docs, rows.finals, rows.confident, rows.candidates) == ({0: "d1"}, {2: 2}, {1: False}, {3: "Bonn"})
    assert rows.extra == {0: {"lang": "fr"}}
    assert rows.values is None
    assert [answer.text for answer in rows.answers(2)] == ["a", "b"]
    (only,) = rows.answers(0)
    assert (only.text, only.doc, only.confidence) == ("Paris", "d1", 0.5)
    assert rows.answers(1) == []


def test_values_of_yes_and_no() -> None:
    rows = Rows("run", "file")
    rows.add("p1", 1, value=0.0)
    rows.add("p2", 2, value=0.75)
    assert rows.values == [0.0, 0.75]


def test_columns_of_a_wide_table_share_their_ids() -> None:
    ids, lines = ["q1", "q2"], [2, 3]
    one, other = Rows("a", "file"), Rows("b", "file")
    one.fill(ids, lines, ["A", None], [None, None])
    other.fill(ids, lines, [None, None], [CORRECT, UNANSWERED])
    assert one.ids is other.ids
    assert one.confidences == [None, None]


@pytest.mark.parametrize("value", [True, "high", None, -0.1, 1.5, float("nan"), 10**400])
def test_a_confidence_is_a_number_from_0_to_1(value) -> None:
    with pytest.raises(FormatError, match=r"^run:7: confidence .*expected a number from 0 to 1"):
        confidence_of(value, "run", 7)


def test_outcomes_in_words() -> None:
    assert [outcome_of(word, "x", 1)[0] for word in (" Right ", "", "NULL")] == [CORRECT, NO_VERDICT, NO_VERDICT]
    with pytest.raises(FormatError, match="x:3: outcome 'maybe' is not known; expected correct"):
        outcome_of("maybe", "x", 3)


@pytest.fixture
def rows():
    return Rows("m", "file")


def filled(rows, *found):
    stated = OutcomeColumns(rows)
    for line, (question, told) in enumerate(found, 1):
        told = dict(told)
        text = "x" if told.pop("answered", False) else None
        stated.add(question, line, told.pop("outcome", None), text=text, **told)
    stated.finish()
    return rows


RIGHT, WRONG, NOTHING, HALF = (CORRECT, 1.0), (INCORRECT, 0.0), (UNANSWERED, 0.0), (GRADED, 0.5)


def test_nothing_is_kept_where_nothing_is_stated(rows):
    filled(rows, ("a", {"outcome": RIGHT}), ("b", {"outcome": NOTHING}), ("c", {}))
    assert (rows.samples, rows.scores, rows.kinds, rows.problems) == (None, None, {}, {})


def test_scores_begin_with_the_first_that_says_more_than_its_outcome(rows):
    filled(
        rows,
        ("a", {"outcome": RIGHT}),
        ("b", {"outcome": HALF}),
        ("c", {"score": 0.25}),
        ("d", {"outcome": (FAILED, None)}),
    )
    assert (rows.outcomes, rows.scores) == ([CORRECT, GRADED, GRADED, FAILED], [1.0, 0.5, 0.25, None])


def test_a_score_alone_is_an_outcome(rows):
    filled(rows, ("a", {"score": 1}), ("b", {"score": 0}))
    assert (rows.outcomes, rows.scores) == ([CORRECT, INCORRECT], None)


def test_samples(rows):
    filled(rows, ("a", {}), ("a", {"sample": 2}), ("b", {"sample": 7}), ("c", {}))
    assert rows.samples == [1, 2, 7, 1]


def test_samples_of_questions_that_stand_once_are_nothing(rows):
    assert filled(rows, ("a", {"sample": 3}), ("b", {"sample": 1})).samples is None


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([("a", {"sample": -1})], "file:1: sample -1 of question 'a': expected a number from 0 or 1"),
        ([("a", {"sample": 1}), ("a", {"sample": 1})], "file:2: sample 1 of question 'a' is already on line 1"),
        ([("a", {}), ("a", {}), ("a", {"sample": 2})], "file:2: sample 1 of question 'a' is already on line 1"),
        ([("a", {"sample": 1}), ("a", {})], "file:2: sample 1 of question 'a' is already on line 1"),
        ([("a", {"score": 57})], "file:1: score 57: expected a number from 0 to 1; divide"),
        ([("a", {"score": 0.5, "outcome": NOTHING})], "is unanswered and has a score"),
        ([("a", {"score": 0, "outcome": (FAILED, None)})], "is failed and has a score"),
        ([("a", {"problem": "x", "outcome": RIGHT})], "only where its outcome is failed"),
        ([("a", {"kind": "shy"})], "kind 'shy': expected declined, refused or unparsed"),
        ([("a", {"kind": "refused", "outcome": WRONG})], "is refused and has an answer"),
        ([("a", {"kind": "declined", "answered": True})], "is declined and has an answer"),
    ],
)
def test_what_is_refused(rows, found, problem):
    with pytest.raises(FormatError, match=problem):
        filled(rows, *found)


def test_kinds_and_problems(rows):
    filled(
        rows, ("a", {"kind": "unparsed", "outcome": WRONG}), ("b", {"kind": "refused"}), ("c", {"problem": "timeout"})
    )
    assert (rows.outcomes, rows.kinds, rows.problems) == (
        [INCORRECT, None, FAILED], {0: "unparsed", 1: "refused"}, {2: "timeout"},
    )  # fmt: skip
