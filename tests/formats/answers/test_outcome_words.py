"""The words and numbers by which files say how a question ended."""

from __future__ import annotations

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, UsageError
from assay.formats.answers.outcome_words import Words, outcome_of
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, NO_VERDICT, UNANSWERED


@pytest.mark.parametrize(
    ("value", "state", "score"),
    [
        ("C", CORRECT, 1.0), ("CORRECT", CORRECT, 1.0), (True, CORRECT, 1.0), (1, CORRECT, 1.0), (1.0, CORRECT, 1.0),
        (" right ", CORRECT, 1.0), ("1.000", CORRECT, 1.0), ("I", INCORRECT, 0.0), ("INCORRECT", INCORRECT, 0.0),
        (False, INCORRECT, 0.0), (0, INCORRECT, 0.0), (-0.0, INCORRECT, 0.0), ("wrong", INCORRECT, 0.0),
        ("N", UNANSWERED, 0.0), ("NOT_ATTEMPTED", UNANSWERED, 0.0), ("Not attempted", UNANSWERED, 0.0),
        (None, NO_VERDICT, None), ("", NO_VERDICT, None), ("null", NO_VERDICT, None), ("P", GRADED, 0.5),
        (0.25, GRADED, 0.25), ("0.75", GRADED, 0.75), (nan, NO_VERDICT, None), ("NaN", NO_VERDICT, None), ("error", FAILED, None),
    ],
)  # fmt: skip
def test_what_is_known(value, state, score):
    assert Words()(value) == (state, score)


@pytest.mark.parametrize("value", ["A", "B", "maybe", 2, -1, 1.5, "inf", "-0.1", [1], {"C": 1}, "1e9"])
def test_what_is_not_known(value):
    with pytest.raises(ValueError, match="expected"):
        Words()(value)
    with pytest.raises(FormatError, match=r"f\.csv:3: outcome .* is not known; expected"):
        outcome_of(value, "f.csv", 3)


def test_simpleqa_s_c_is_not_attempted_only_where_it_is_asked_for():
    words = Words("simpleqa")
    assert [words(letter)[0] for letter in "ABC"] == [CORRECT, INCORRECT, UNANSWERED]
    assert Words()("C")[0] == CORRECT


def test_words_are_mapped_whatever_their_case():
    words = Words("Maybe=unanswered, P = incorrect,timeout=failed")
    assert words("MAYBE") == (UNANSWERED, 0.0)
    assert words("p") == (INCORRECT, 0.0)
    assert words("timeout") == (FAILED, None)
    assert words("partial") == (GRADED, 0.5)


@pytest.mark.parametrize("mapped", ["maybe", "maybe=perhaps", "=", ",", "C=correct,"])
def test_maps_that_are_none(mapped):
    with pytest.raises(
        UsageError, match=r"expected WORD=STATE, the state one of correct, incorrect, unanswered, failed"
    ):
        Words(mapped)


@given(st.one_of(st.text(), st.floats(), st.integers(), st.booleans(), st.none(), st.lists(st.integers())))
def test_anything_is_a_state_or_a_value_error(value):
    try:
        state, score = Words()(value)
    except ValueError:
        return
    assert state in (CORRECT, INCORRECT, UNANSWERED, FAILED, GRADED, NO_VERDICT)
    assert (score is None) == (state in (FAILED, NO_VERDICT))
    assert score is None or 0 <= score <= 1
    assert (state == GRADED) == (score is not None and 0 < score < 1)
