"""One run of answers as read: parallel columns, before joining and judging."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import blake2b
from math import inf
from typing import Any

import msgspec

from assay.errors import FormatError

UNANSWERED, CORRECT, INCORRECT, MISSING, FAILED, GRADED, NOT_ASKED, NO_VERDICT = 0, 1, 2, 3, 4, 5, 6, 7
"""The outcome of a sample of a question, as one byte. MISSING means that the run does not mention the question, FAILED that the
instrument failed and not the model, GRADED that the answer has a score that is neither 0 nor 1, NOT_ASKED that a log has no
trace of the question, NO_VERDICT that the cell which should say right or wrong is empty."""
DECLINED, REFUSED, UNPARSED = "declined", "refused", "unparsed"
KINDS = (DECLINED, REFUSED, UNPARSED)
"""Why a question is unanswered: the model does not know, it refuses, or no answer could be extracted."""
SHOULD_DECLINE = "should_decline"
"""The field of a question that should be declined."""
USAGE = ("cost", "latency", "tokens")
"""The usage of an answer: dollars, seconds, tokens. Measures of these names average it."""
LONGEST_KEY = 200
"""Answers are kept up to this length, to be compared with each other; of longer ones a digest is."""


class Answer(msgspec.Struct, eq=False):
    """One answer of a question: its text, the document that supports it, and how sure the system is."""

    text: str
    doc: str | None = None
    confidence: float | None = None


class RowTexts(msgspec.Struct):
    """Question, gold, prompt and answer, where the log has them."""

    question: str | None = None
    gold: str | None = None
    prompt: str | None = None
    answer: str | None = None


class Rows(msgspec.Struct, eq=False):
    """The columns of one run. `lines` are physical lines, for messages. A column that was filled at once may be a range, a tuple
    or an array, to which nothing is added."""

    name: str
    file: str
    ids: list[str] = []
    lines: list[int] = []
    texts: list[str | None] = []
    """The answer that decides the outcome; None where the question is left unanswered."""
    docs: dict[int, str] = {}
    confidences: list[float | None] = []
    outcomes: list[int | None] = []
    """An outcome the file itself states, or None where the answer is still to be judged."""
    candidates: dict[int, str] = {}
    """By row: the answer withheld from an unanswered question."""
    several: dict[int, list[Answer]] = {}
    """By row: all answers of a question that has more than one, in order."""
    finals: dict[int, int] = {}
    """By row: the place of the final answer, where it is not the first."""
    confident: dict[int, bool] = {}
    """By row: whether the system says that it is confident of its final answer."""
    values: list[float] | None = None
    """The graded values of a yes/no run."""
    extra: dict[int, dict[str, Any]] = {}
    """By row: fields the format does not know."""
    warnings: list[str] = []
    details: list[str] = []
    """What changes no number."""
    samples: list[int] | None = None
    """The sample number of each row; None where every question has one row."""
    scores: list[float | None] | None = None
    """Scores from 0 to 1; None where there are outcomes alone."""
    kinds: dict[int, str] = {}
    """By row: what kind of unanswered it is; of an answer that could not be extracted also where the log has scored it."""
    problems: dict[int, str] = {}
    """By row: why it failed."""
    usage: dict[str, list[float | None]] = {}
    """cost (dollars), latency (seconds), tokens, steps of an agent (logs only), for every row, where the source has them; None where a
    cell is empty."""
    task: str = ""
    """The task of a suite whose questions these are."""
    tool: str = ""
    """The tool that wrote the log, with its version."""
    variant: str = ""
    """The settings that distinguish this log from others of the same model and task."""
    argument: str = ""
    """The argument of the caller that the log was found by."""
    created: str = ""
    """When the evaluation began, as an ISO date, where the log says so."""
    ended: str = ""
    """The end of an evaluation that did not succeed, in words."""
    arguments: str = ""
    """The arguments of the task, as JSON."""
    asked: int | None = None
    """The number of questions in the data set, where the log states it and the run was given fewer."""
    part_of: str = ""
    """The folder of the run that this log is a part of, where a tool writes a file per trial or question."""
    unlisted: int | None = None
    """The number of questions of the data set, where those that no log lists count as incorrect."""
    texts_of: Callable[[str, int], RowTexts] | None = None
    """(question, sample): its texts, read from the log on demand."""
    answer_on_line: Callable[[int], str | None] | None = None
    """(line): its answer, read again; None where answers cannot be."""
    shortened: set[int] = set()
    """Rows of which a digest is left of the answer."""

    def shorten(self) -> None:
        """Replace long answers that can be read again by digests, and drop unknown fields, to save memory."""
        if self.answer_on_line is not None and not self.shortened:
            self.extra = {}
            if max(map(len, filter(None, self.texts)), default=0) > LONGEST_KEY:
                self.shortened = {row for row, text in enumerate(self.texts) if text and len(text) > LONGEST_KEY}
                self.texts = [*map(key_of, self.texts)]

    def answer_text(self, row: int) -> str | None:
        """Return the answer of a row, else its withheld candidate."""
        if row in self.shortened and self.answer_on_line is not None:
            return self.answer_on_line(self.lines[row])
        return self.texts[row] or self.candidates.get(row)

    def add(
        self, id: str, line: int, *, text: str | None = None, outcome: int | None = None, value: float | None = None,
        confidence: float | None = None, confident: bool | None = None, candidate: str | None = None,
        doc: str | None = None, answers: Sequence[Answer] = (), final: int = 1, extra: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Add one question. `answers` are all answers given, of which number `final` is `text`."""
        row = len(self.ids)
        self.ids.append(id)
        self.lines.append(line)
        self.texts.append(text)
        self.outcomes.append(outcome)
        self.confidences.append(confidence)
        if value is not None:
            if self.values is None:
                self.values = []
            self.values.append(value)
        if doc is not None:
            self.docs[row] = doc
        if len(answers) > 1:
            self.several[row] = list(answers)
        if final != 1:
            self.finals[row] = final
        if confident is not None:
            self.confident[row] = confident
        if candidate is not None:
            self.candidates[row] = candidate
        if extra:
            self.extra[row] = dict(extra)

    def fill(self, ids: list[str], lines: list[int], texts: list[str | None], outcomes: list[int | None]) -> None:
        """Add all questions at once, as a column of a wide table; runs share one list of ids."""
        self.ids, self.lines, self.texts, self.outcomes = ids, lines, texts, outcomes
        self.confidences = [None] * len(ids)

    def add_usage(self, name: str, amount: float) -> None:
        """Add what the last row took; rows before it that have none get None."""
        column = self.usage.setdefault(name, [])
        column += [None] * (len(self.ids) - 1 - len(column))
        column.append(amount)

    def fill_usage(self) -> None:
        """Give every row a cell of usage."""
        for column in self.usage.values():
            column += [None] * (len(self.ids) - len(column))

    def answers(self, row: int) -> list[Answer]:
        """Return all answers of a row, in order."""
        text = self.texts[row]
        if row in self.several or text is None:
            return self.several.get(row, [])
        return [Answer(text, self.docs.get(row), self.confidences[row])]


def key_of(text: str | None) -> str | None:
    """Return what answers are compared by: the text, or a digest of a long one.

    >>> key_of("Paris"), len(key_of("a" * 1000))
    ('Paris', 25)
    """
    if text is None or len(text) <= LONGEST_KEY:
        return text
    return "#" + digest_of(text).hex()


def digest_of(text: str) -> bytes:
    """Return the digest of a long text.

    >>> len(digest_of("a" * 1000))
    12
    """
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def confidence_of(value: object, file: str, line: int, name: str = "confidence") -> float:
    """Return a number from 0 to 1, or raise an error with the place.

    >>> confidence_of("0.25", "graded.csv", 2)
    0.25
    """
    try:
        number = float("true" if isinstance(value, bool) else value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise FormatError(file, line or None, f"{name} {value!r:.40}: expected a number from 0 to 1") from None
    if not 0.0 <= number <= 1.0:  # NaN fails both comparisons
        hint = "; divide percentages by 100" if 1.0 < number <= 100.0 else ""
        raise FormatError(file, line or None, f"{name} {value}: expected a number from 0 to 1{hint}")
    return number


def usage_of(value: object, file: str, line: int, name: str) -> float:
    """Return what an answer took, a finite number of 0 or more, or raise an error with the place.

    >>> usage_of("0.002", "runs.csv", 2, "cost")
    0.002
    """
    expected = f"expected a number of 0 or more, or nothing where the {name} is not known"
    try:
        number = float("true" if isinstance(value, bool) else value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise FormatError(file, line or None, f"{name} {value!r:.40}: {expected}") from None
    if not 0.0 <= number < inf:  # NaN fails the first comparison
        raise FormatError(file, line or None, f"{name} {value}: {expected}")
    return number


class OutcomeColumns:
    """Fill these columns of one run row by row; runs without them keep none."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._seen: dict[tuple[str, int], int] = {}
        """Line by question and sample. Empty until a row has a sample."""

    def add(
        self, question: str, line: int, outcome: tuple[int, float | None] | None = None, *, score: object = None,
        kind: str | None = None, problem: str | None = None, sample: int | None = None,
        usage: Mapping[str, object] | None = None, **answer: Any,
    ) -> None:  # fmt: skip
        """Add one question; `answer` are further arguments of `Rows.add`. An amount of None in `usage` is not known."""
        rows, row = self._rows, len(self._rows.ids)
        answered = answer.get("text") is not None
        state, worth = self._outcome(question, line, outcome, answered, score, kind, problem)
        rows.add(question, line, outcome=state, **answer)
        if sample is not None and rows.samples is None:
            rows.samples = []
            for identity, before in zip(rows.ids[:row], rows.lines[:row], strict=True):
                self._sample(identity, 1, before)
        if rows.samples is not None:
            self._sample(question, 1 if sample is None else sample, line)
        whole = _whole(state)
        if rows.scores is None and worth is not None and worth != whole:
            rows.scores = [_whole(outcome) for outcome in rows.outcomes[:row]]
        if rows.scores is not None:
            rows.scores.append(whole if worth is None else worth)
        if kind is not None:
            rows.kinds[row] = kind
        if problem is not None:
            rows.problems[row] = problem
        for name, amount in (usage or {}).items():
            if amount is not None:
                rows.add_usage(name, usage_of(amount, rows.file, line, name))

    def _outcome(
        self, question: str, line: int, outcome: tuple[int, float | None] | None, answered: bool, score: object,
        kind: str | None, problem: str | None,
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
                fix = "Fix: `columns='problem=problem'` makes it failed"
                raise self._error(
                    line, f"question {question!r} has a problem; expected one only where its outcome is failed. {fix}"
                )
            state, worth = FAILED, None
        if kind is not None:
            if kind not in KINDS:
                raise self._error(line, f"kind {kind!r:.40}: expected {', '.join(KINDS[:-1])} or {KINDS[-1]}")
            if kind != UNPARSED and (answered if state is None else state != UNANSWERED):
                raise self._error(line, f"question {question!r} is {kind} and has an answer; expected one of the two")
        return state, worth

    def finish(self) -> None:
        """Drop the samples where every question has one row, and give every row a usage."""
        self._rows.fill_usage()
        if self._rows.samples is not None and len({*self._rows.ids}) == len(self._rows.ids):
            self._rows.samples = None

    def _sample(self, question: str, sample: int, line: int) -> None:
        if sample < 0:
            raise self._error(line, f"sample {sample} of question {question!r}: expected a number from 0 or 1")
        if (question, sample) in self._seen:
            before = self._seen[question, sample]
            place = f"on line {before}" if before else "in the data"
            raise self._error(line, f"sample {sample} of question {question!r} is already {place}")
        self._seen[question, sample] = line
        assert self._rows.samples is not None
        self._rows.samples.append(sample)

    def _error(self, line: int, problem: str) -> FormatError:
        return FormatError(self._rows.file, line or None, problem)


def number_samples_from_1(runs: Collection[Rows]) -> None:
    """Let the samples of the runs of a file count from 1 where they count from 0."""
    if any(0 in (rows.samples or ()) for rows in runs):
        for rows in runs:
            rows.samples = None if rows.samples is None else [sample + 1 for sample in rows.samples]


def _whole(outcome: int | None) -> float | None:
    """Return the score of an outcome without partial credit; None where unknown or failed."""
    return None if outcome in (None, FAILED, NO_VERDICT) else float(outcome == CORRECT)
