"""The words and numbers that files use for outcomes, such as C, right, 1 or not_attempted."""

from __future__ import annotations

from copy import copy
from math import isfinite

from assay.errors import FormatError, UsageError
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, NO_VERDICT, UNANSWERED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATES = {"correct": CORRECT, "incorrect": INCORRECT, "unanswered": UNANSWERED, "failed": FAILED}
"""The states that `--outcomes` may map a word to."""
KNOWN = {
    **STATES,
    "c": CORRECT, "right": CORRECT, "true": CORRECT, "1": CORRECT, "1.0": CORRECT,
    "i": INCORRECT, "wrong": INCORRECT, "false": INCORRECT, "0": INCORRECT, "0.0": INCORRECT,
    "n": UNANSWERED, "not_attempted": UNANSWERED, "not attempted": UNANSWERED,
    "error": FAILED,
    "": NO_VERDICT, "none": NO_VERDICT, "null": NO_VERDICT, "nan": NO_VERDICT, "na": NO_VERDICT, "<na>": NO_VERDICT,
}  # fmt: skip
PARTIAL = {"p": 0.5, "partial": 0.5}
"""Words for half a score."""
SIMPLEQA = {"a": CORRECT, "b": INCORRECT, "c": UNANSWERED}
"""SimpleQA's grader says A, B or C, and its C is not attempted: what others call correct."""
EXPECTED = (
    "expected correct (or C, right, true, 1), incorrect (I, wrong, false, 0), unanswered (N, not_attempted), failed (error), "
    "a score from 0 to 1, or an empty cell (none, null, NaN), which is excluded; `outcomes='WORD=correct,…'` maps others"
)


class OutOfRangeError(ValueError):
    """A number below 0 or above 1, where scores of other ranges are not expected."""


class Words:
    """Map the words of a file to outcomes: the usual words, and those a user maps.

    >>> words = Words("MAYBE=unanswered")
    >>> words("C"), words("maybe") == (UNANSWERED, 0.0), words(0.25) == (GRADED, 0.25)
    ((1, 1.0), True, True)
    """

    def __init__(self, mapped: str | None = None) -> None:
        self.mapped = mapped
        self.any_range = False
        self.known: Mapping[str, int] = KNOWN
        self.partial: Mapping[str, float] = PARTIAL
        for pair in (mapped or "").split(",") if mapped else ():
            word, equals, state = (part.strip().lower() for part in pair.partition("="))
            if word == "simpleqa" and not equals:
                self.known = {**self.known, **SIMPLEQA}
            elif equals and state in STATES:
                self.known = {**self.known, word: STATES[state]}
                self.partial = {name: worth for name, worth in self.partial.items() if name != word}
            else:
                states = ", ".join(STATES)
                raise UsageError(
                    f"`outcomes={mapped!r}`: {pair.strip()!r}: expected WORD=STATE, the state one of {states}, or simpleqa"
                )

    def of_any_range(self) -> Words:
        """Return the same words, with scores of any range.

        >>> Words().of_any_range()(4.5) == (GRADED, 4.5)
        True
        """
        words = copy(self)
        words.any_range = True
        return words

    def __call__(self, value: object) -> tuple[int, float | None]:
        """Return the state and score of a value; no score where the harness failed or gave no verdict.

        A ValueError where it stands for none.
        """
        text = "" if value is None else str(value).strip().lower()
        state = self.known.get(text)
        if state is not None:
            return state, None if state in (FAILED, NO_VERDICT) else float(state == CORRECT)
        if text in self.partial:
            return GRADED, self.partial[text]
        try:
            number = float(text)
        except ValueError:
            raise ValueError(EXPECTED) from None
        if number in (0.0, 1.0):
            return (CORRECT if number else INCORRECT), number
        if not isfinite(number) or not (self.any_range or 0.0 < number < 1.0):
            hint = "; divide percentages by 100" if 10.0 < number <= 100.0 else ""
            raise OutOfRangeError(f"expected a score from 0 to 1{hint}")
        return GRADED, number


USUAL = Words()


def outcome_of(
    value: object, file: str, line: int | None, words: Words = USUAL, name: str = "outcome", fix: str = ""
) -> tuple[int, float | None]:  # fmt: skip
    """Return state and score of a value; an error names the place, the column and, for a number outside 0 to 1, the fix.

    >>> outcome_of("TRUE", "graded.csv", 2)
    (1, 1.0)
    """
    try:
        return words(value)
    except ValueError as problem:
        advice = fix if isinstance(problem, OutOfRangeError) else ""
        raise FormatError(file, line or None, f"{name} {value!r:.60} is not known; {problem}{advice}") from None
