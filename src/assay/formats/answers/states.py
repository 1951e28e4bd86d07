"""The state of a question in a run, one word per cell: the column `state` of scores per question."""

from __future__ import annotations

from assay.formats.answers.rows import (
    CORRECT,
    DECLINED,
    FAILED,
    GRADED,
    INCORRECT,
    MISSING,
    NO_VERDICT,
    NOT_ASKED,
    REFUSED,
    UNANSWERED,
    UNPARSED,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

STATE = "state"
KIND_CODES = {DECLINED: 8, REFUSED: 9, UNPARSED: 10}
"""Codes of unanswered questions whose kind is known, beside those of `formats/answers/rows.py`."""
SEVERAL = 11
"""The samples of the question differ."""
WORDS = {
    UNANSWERED: "unanswered", CORRECT: "correct", INCORRECT: "incorrect", MISSING: "missing", FAILED: "failed", GRADED: "partial",
    NOT_ASKED: "not asked", NO_VERDICT: "no verdict", **{code: kind for kind, code in KIND_CODES.items()}, SEVERAL: "several",
}  # fmt: skip
CODES = {word: code for code, word in WORDS.items()}
OUT = (FAILED, NOT_ASKED, NO_VERDICT)
"""States of questions that enter no denominator."""


def states_of(codes: bytes | bytearray, kinds: Mapping[int, str]) -> bytes:
    """Return the state of every question; `kinds` says why some are unanswered.

    >>> in_words(states_of(bytes([CORRECT, UNANSWERED, UNANSWERED]), {2: "refused"}))
    ['correct', 'unanswered', 'refused']
    """
    states = bytearray(codes)
    for place, kind in kinds.items():
        if states[place] == UNANSWERED:
            states[place] = KIND_CODES.get(kind, UNANSWERED)
    return bytes(states)


def common_state(states: Iterable[int]) -> int:
    """Return the state that all samples of a question have, or SEVERAL.

    >>> WORDS[common_state([CORRECT, CORRECT])], WORDS[common_state([CORRECT, INCORRECT])]
    ('correct', 'several')
    """
    different = set(states)
    return different.pop() if len(different) == 1 else SEVERAL


def in_words(states: Sequence[Any]) -> list[str]:
    """Return states in words."""
    return [WORDS[state] for state in states]
