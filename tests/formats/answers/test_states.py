"""States of questions, one word per cell."""

from __future__ import annotations

from assay.formats.answers import rows
from assay.formats.answers.states import CODES, OUT, WORDS, common_state, in_words, states_of


def test_every_outcome_and_kind_has_a_word_of_its_own() -> None:
    assert len(CODES) == len(WORDS) == 12
    assert {
        rows.UNANSWERED,
        rows.CORRECT,
        rows.INCORRECT,
        rows.MISSING,
        rows.FAILED,
        rows.GRADED,
        rows.NOT_ASKED,
        rows.NO_VERDICT,
    } <= {*WORDS}
    assert {*rows.KINDS} <= {*CODES}
    assert in_words(OUT) == ["failed", "not asked", "no verdict"]


def test_a_kind_is_of_unanswered_questions_alone() -> None:
    codes = bytes([rows.UNANSWERED, rows.INCORRECT, rows.UNANSWERED, rows.UNANSWERED])
    kinds = {0: rows.DECLINED, 1: rows.UNPARSED, 2: "off topic"}
    assert in_words(states_of(codes, kinds)) == ["declined", "incorrect", "unanswered", "unanswered"]


def test_samples_that_differ() -> None:
    assert WORDS[common_state([rows.FAILED, rows.FAILED])] == "failed"
    assert WORDS[common_state([rows.CORRECT, rows.FAILED])] == "several"
