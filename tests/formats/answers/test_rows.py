"""The columns of one run of answers."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.answers.outcome_words import outcome_of
from assay.formats.answers.rows import CORRECT, NO_VERDICT, UNANSWERED, Answer, Rows, confidence_of


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
