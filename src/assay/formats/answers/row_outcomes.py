"""Fill the optional columns of a run: sample, score, kind of unanswered, and problem."""

from __future__ import annotations

from assay.errors import FormatError
from assay.formats.answers.rows import (
    CORRECT,
    DECLINED,
    FAILED,
    GRADED,
    INCORRECT,
    NO_VERDICT,
    REFUSED,
    UNANSWERED,
    UNPARSED,
    Rows,
    confidence_of,
)

KINDS = (DECLINED, REFUSED, UNPARSED)


class OutcomeColumns:
    """Fill these columns of one run row by row; runs without them keep none."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._seen: dict[tuple[str, int], int] = {}
        """Line by question and sample. Empty until a row has a sample."""

    def outcome(
        self, question: str, line: int, outcome: tuple[int, float | None] | None, *, answered: bool,
        score: object = None, kind: str | None = None, problem: str | None = None,
    ) -> tuple[int | None, float | None]:  # fmt: skip
        """Return state and score of a row from all its columns; no state where the answer is yet to be judged."""
        state, worth = outcome or (None, None)
        if state == NO_VERDICT and (kind is not None or problem is not None or score is not None):
            state = UNANSWERED if kind is not None and score is None and problem is None else None
        if score is not None:
            worth = confidence_of(score, self._rows.file, line, "score")
            if state is None:
                state = CORRECT if worth == 1.0 else GRADED if worth else INCORRECT
            elif state == FAILED or (state == UNANSWERED and worth):
                named = "failed" if state == FAILED else "unanswered"
                raise self._error(line, f"question {question!r} is {named} and has a score; expected one of the two")
        if problem is not None:
            if state not in (None, FAILED):
                raise self._error(
                    line, f"question {question!r} has a problem; expected one only where its outcome is failed"
                )
            state, worth = FAILED, None
        if kind is not None:
            if kind not in KINDS:
                raise self._error(line, f"kind {kind!r:.40}: expected {', '.join(KINDS[:-1])} or {KINDS[-1]}")
            if kind != UNPARSED and (answered if state is None else state != UNANSWERED):
                raise self._error(line, f"question {question!r} is {kind} and has an answer; expected one of the two")
        return state, worth

    def add(
        self, question: str, line: int, *, sample: int | None = None, score: float | None = None,
        kind: str | None = None, problem: str | None = None,
    ) -> None:  # fmt: skip
        """Add the columns of the last row."""
        rows, row = self._rows, len(self._rows.ids) - 1
        if sample is not None and rows.samples is None:
            rows.samples = []
            for identity, before in zip(rows.ids[:row], rows.lines[:row], strict=True):
                self._sample(identity, 1, before)
        if rows.samples is not None:
            self._sample(question, 1 if sample is None else sample, line)
        whole = _whole(rows.outcomes[row])
        if rows.scores is None and score is not None and score != whole:
            rows.scores = [_whole(outcome) for outcome in rows.outcomes[:row]]
        if rows.scores is not None:
            rows.scores.append(whole if score is None else score)
        if kind is not None:
            rows.kinds[row] = kind
        if problem is not None:
            rows.problems[row] = problem

    def finish(self) -> None:
        """Drop the samples where every question has one row."""
        if self._rows.samples is not None and len({*self._rows.ids}) == len(self._rows.ids):
            self._rows.samples = None

    def _sample(self, question: str, sample: int, line: int) -> None:
        if sample < 1:
            raise self._error(line, f"sample {sample} of question {question!r}: expected a number from 1")
        if (question, sample) in self._seen:
            before = self._seen[question, sample]
            on = f" on line {before}" if before else ""
            raise self._error(line, f"sample {sample} of question {question!r} stands already{on}")
        self._seen[question, sample] = line
        assert self._rows.samples is not None
        self._rows.samples.append(sample)

    def _error(self, line: int, problem: str) -> FormatError:
        return FormatError(self._rows.file, line or None, problem)


def _whole(outcome: int | None) -> float | None:
    """Return the score of an outcome without partial credit; None where unknown or failed."""
    return None if outcome in (None, FAILED, NO_VERDICT) else float(outcome == CORRECT)
