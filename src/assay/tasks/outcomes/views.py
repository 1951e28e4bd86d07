"""One run of answers as columns: the input of measures of outcomes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from assay.errors import InputError, UsageError
from assay.formats.answers.rows import CORRECT, GRADED, INCORRECT, KINDS, MISSING, UNANSWERED, UNPARSED, Rows, RowTexts
from assay.formats.answers.states import STATE, states_of
from assay.table.notes import Notes
from assay.tasks.outcomes.gold import OutcomesGold


class QuestionView(NamedTuple):
    """One sample of a question, for measures with a value per question (measures/clef_pilot.py, measures/squad.py)."""

    given: Sequence[tuple[int, float | None]] | None
    """(evaluation, confidence) of every answer; None with partial credit."""
    known: int
    nil: bool
    exact: int | None
    overlap: float | None
    code: int
    score: float
    text: str | None
    """The normalised answer; None without one, or where it is unknown."""
    usage: Mapping[str, float | None]

    @property
    def answers(self) -> Sequence[tuple[int, float | None]]:
        """(evaluation, confidence) of every answer."""
        if self.given is None:
            raise UsageError(NEEDS_THRESHOLD)
        return self.given

    @property
    def right(self) -> bool:
        """Whether it was answered correctly."""
        if self.code == GRADED:
            raise UsageError(NEEDS_THRESHOLD)
        return self.code == CORRECT

    @property
    def answered(self) -> bool:
        return self.code in (CORRECT, INCORRECT, GRADED)

    @property
    def samples(self) -> tuple[QuestionView, ...]:
        """The only sample of the question."""
        return (self,)


@cache
def _flags(*codes: int) -> bytes:
    """Return a translation table: 1 for these outcomes, 0 for others."""
    return bytes(int(code in codes) for code in range(256))


def complement(probability: float) -> float:
    """Return 1 - p to 15 decimals, so that 0.34 and 0.66 are equally confident despite rounding.

    >>> 1 - 0.34, complement(0.34)
    (0.6599999999999999, 0.66)
    """
    return round(1 - probability, 15)


NEEDS_THRESHOLD = (
    "some answers have partial credit, and this measure needs right or wrong. Fix: give the score from which an answer is "
    "correct, as in `right_from=0.5`, or use the measure score"
)
STATED = (
    STATE,
    "right",
    "partial",
    "wrong",
    "unanswered",
    "confidence",
    "position",
    "cluster",
    "known_answers",
    "truth",
    "value",
    "should_decline",
    "should_answer",
    "declined_rightly",
    "declined_wrongly",
    "nil_returned",
    "nil_questions",
    *KINDS,
)
"""Ingredients that are defined with partial credit too."""


class OutcomeViews:
    """The columns of one run. Outcomes are bytes: compact, and fast to add up."""

    def __init__(self, gold: OutcomesGold, name: str, file: str | None, missing_is_wrong: bool = False) -> None:
        self.gold = gold
        self.name = name
        self.file = file
        self.notes: Notes = Notes()
        self.codes: bytearray = bytearray([MISSING]) * len(gold.topics)
        self.confidences: Any = [None] * len(gold.topics)
        """A list of numbers and None, or an array where every question has a confidence."""
        self.position: Sequence[int] = range(len(gold.topics))
        """The question of every line of the run's file, in file order."""
        self.candidates: dict[int, int] = {}
        """By unanswered question, whether the withheld answer is CORRECT or INCORRECT."""
        self.lists: dict[int, list[tuple[int, float | None, bool]]] = {}
        """By question with several answers, for each: evaluation (+1, 0, -1), confidence, whether it is NIL."""
        self.nil_answers: set[int] = set()
        self.declined: set[int] = set()
        """Questions that should be declined and are: correct without an answer."""
        self.values: list[float] | None = None
        self.scores: list[float | None] | None = None
        """From 0 to 1, where answers have partial credit."""
        self.kinds: dict[int, str] = {}
        """By unanswered or unparsed question, the reason: declined, refused, unparsed …"""
        self.texts: list[str | None] | None = None
        """Normalised answers."""
        self.usage: Mapping[str, Sequence[float | None]] = {}
        self.read_texts: Callable[[str], dict[int, RowTexts]] | None = None
        """(question): its texts by sample, read on request."""
        self.exact: list[int] | None = None
        self.overlap: list[float] | None = None
        self.incorrect_codes: tuple[int, ...] = (INCORRECT, MISSING) if missing_is_wrong else (INCORRECT,)
        self.unanswered_codes: tuple[int, ...] = (UNANSWERED,) if missing_is_wrong else (UNANSWERED, MISSING)

    @property
    def missing(self) -> Sequence[bool]:
        """By question, whether it is missing."""
        return [code == MISSING for code in self.codes] if MISSING in self.codes else self.gold.nothing_missing

    @property
    def graded(self) -> bool:
        """Whether some answer has partial credit."""
        return GRADED in self.codes

    @property
    def lacking(self) -> Sequence[str]:
        """Ingredients that are undefined because of partial credit."""
        return [name for name in _COLUMNS if name not in STATED] if self.graded else ()

    @property
    def has_confidence(self) -> bool:
        """Whether any answer states one."""
        return any(c is not None for c in self.confidences)

    # What-ifs: other confidences, or more questions declined.

    def set_nil_confidence(self, confidence: float) -> None:
        """Set the confidence of every NIL answer."""
        self.confidences = list(self.confidences)
        for place in self.nil_answers:
            self.confidences[place] = confidence
        for place, answers in self.lists.items():
            self.lists[place] = [(e, confidence if nil else c, nil) for e, c, nil in answers]
        changed = self.nil_answers | {p for p, answers in self.lists.items() if any(nil for _, _, nil in answers)}
        self.notes.nil_answers = len(changed)

    def abstain_below(self, threshold: float) -> None:
        """Withhold every answer with a confidence below the threshold; it becomes the question's candidate."""
        declined = 0
        for place, code in enumerate(self.codes):
            if code not in (CORRECT, INCORRECT, GRADED) or place in self.declined:
                continue
            if self.exact is not None and place in self.nil_answers:
                continue
            if self._needed(place, self.confidences[place], "is answered") < threshold:
                declined += 1
                self.decline(place)
        for place, answers in self.lists.items():
            stated = [self._needed(place, confidence, "has an answer") for _, confidence, _ in answers]
            self.lists[place] = [answer for answer, c in zip(answers, stated, strict=True) if c >= threshold]
        self.notes.declined = declined

    def _needed(self, place: int, confidence: float | None, what: str) -> float:
        if confidence is None:
            raise InputError(
                f"{self.file or self.name}: question {self.gold.topics[place]!r} {what} without a confidence; "
                "declining below a threshold needs one for every answer"
            )
        return confidence

    def decline(self, place: int) -> None:
        """Leave one question unanswered; the answer becomes its candidate."""
        if self.exact is not None:
            self.leave_empty(place, not self.gold.known[place])
            # The confidence that there is no answer is the complement of the answer's.
            self.confidences[place] = complement(self.confidences[place])
            return
        self.kinds.pop(place, None)
        if self.gold.should_decline[place]:
            self.codes[place] = CORRECT
            self.declined.add(place)
            return
        self.candidates[place] = self.codes[place]
        self.codes[place] = UNANSWERED
        if self.values is not None:
            self.values[place] = 0.5

    def leave_empty(self, place: int, right: bool) -> None:
        """Record an empty SQuAD prediction: right where the question has no answer, else unanswered."""
        assert self.exact is not None
        assert self.overlap is not None
        self.codes[place] = CORRECT if right else UNANSWERED
        self.exact[place], self.overlap[place] = int(right), float(right)
        self.nil_answers.add(place)

    def let_go(self) -> None:
        """Drop the texts, which measures do not need."""
        self.read_texts = None
        self.confidences = self.confidence()

    def copy(self) -> OutcomeViews:
        """Return a copy, for another what-if."""
        other = OutcomeViews(self.gold, self.name, self.file)
        other.__dict__.update(self.__dict__)
        other.codes = bytearray(self.codes)
        other.notes, other.candidates, other.lists = self.notes.copy(), dict(self.candidates), dict(self.lists)
        other.nil_answers, other.confidences = set(self.nil_answers), self.confidences[:]
        other.kinds, other.declined = dict(self.kinds), set(self.declined)
        for name in ("values", "exact", "overlap"):
            column: list[Any] | None = getattr(self, name)
            setattr(other, name, None if column is None else list(column))
        return other

    # Questions that should be declined, by leaving them unanswered, refusing them or answering NIL.

    def settle_declining(self, rows: Rows) -> None:
        """Mark declining as correct and answering as incorrect where a question should be declined.

        An answer that could not be extracted does not decline. Where the file states the outcome, correct means declined.
        """
        should = self.gold.should_decline
        for row, place in enumerate(self.position):
            if not should[place]:
                continue
            code = self.codes[place]
            if place in self.lists:
                self.lists[place] = [(1 if nil else -1, sure, nil) for _, sure, nil in self.lists[place]]
            if code in (INCORRECT, UNANSWERED) and self._declines(place):
                self.codes[place] = CORRECT
            elif code == CORRECT and rows.outcomes[row] is None and place not in self.nil_answers:
                self.codes[place] = INCORRECT
            if self.codes[place] == CORRECT and place not in self.nil_answers:
                self.declined.add(place)
                self.kinds.pop(place, None)
                self.candidates.pop(place, None)

    def declined_rightly(self) -> bytes:
        """Return 1 for each question that should be declined, or has no answer, and is declined."""
        should, _ = self.gold.declining()
        return bytes(flag and self._declines(place) for place, flag in enumerate(should))

    def declined_wrongly(self) -> bytes:
        """Return 1 for each question that should be answered and is declined or counts as unanswered."""
        _, should = self.gold.declining()
        left_out = MISSING in self.unanswered_codes
        return bytes(
            flag and (self._declines(place) or (left_out and self.codes[place] == MISSING))
            for place, flag in enumerate(should)
        )

    def _declines(self, place: int) -> bool:
        if place in self.declined or place in self.nil_answers:
            return True
        return self.codes[place] == UNANSWERED and self.kinds.get(place) != UNPARSED

    # What the measures see.

    def __iter__(self) -> Iterator[QuestionView]:
        return map(self.view, range(len(self.codes)))

    def view(self, place: int) -> QuestionView:
        """Return the view of one question."""
        gold, code = self.gold, self.codes[place]
        answers: Sequence[tuple[int, float | None]] | None = []
        if place in self.lists:
            answers = [(e, c) for e, c, _ in self.lists[place]] if code != MISSING else []
        elif code in (CORRECT, INCORRECT) and place not in self.declined:
            answers = [(1 if code == CORRECT else -1, self.confidences[place])]
        elif code == GRADED:
            answers = None
        score = None if self.scores is None else self.scores[place]
        return QuestionView(
            answers,
            gold.known[place],
            bool(gold.nil[place]),
            None if self.exact is None else self.exact[place],
            None if self.overlap is None else self.overlap[place],
            code,
            float(code == CORRECT) if score is None or code == UNANSWERED else score,
            None if self.texts is None or code == UNANSWERED else self.texts[place],
            {kind: column[place] for kind, column in self.usage.items()},
        )

    def column(self, name: str) -> Sequence[Any]:
        """Return an ingredient for every question."""
        if name not in _COLUMNS:
            raise UsageError(f"the outcomes task has no ingredient {name!r}; ingredients are {', '.join(_COLUMNS)}")
        if name not in STATED and self.graded:
            raise UsageError(f"{self.name}: {NEEDS_THRESHOLD}")
        return _COLUMNS[name](self)

    def flags(self, *codes: int) -> bytes:
        """Return 1 for each question with one of these outcomes."""
        return bytes(self.codes.translate(_flags(*codes)))

    def answered_flags(self, *codes: int) -> bytes:
        """Return `flags`, with 0 where a question was declined rightly, which is correct without an answer."""
        column = self.flags(*codes)
        if not self.declined:
            return column
        return bytes(flag and place not in self.declined for place, flag in enumerate(column))

    def incorrect(self) -> bytes:
        return self.flags(*self.incorrect_codes)

    def unanswered(self) -> bytes:
        return self.flags(*self.unanswered_codes)

    def confidence(self) -> Sequence[float | None]:
        """Return the confidences, as an array where every question has one."""
        stated: Any = self.confidences
        return array("d", stated) if isinstance(stated, list) and None not in stated else stated

    def in_file_order(self) -> Sequence[int]:
        """Return the position of each question in the run's file; missing questions are last."""
        if isinstance(self.position, range):
            return self.position
        order = array("l", [len(self.codes)]) * len(self.codes)
        for row, place in enumerate(self.position):
            order[place] = row
        return order

    def of_kind(self, kind: str) -> bytes:
        column = bytearray(len(self.codes))
        for place, cause in self.kinds.items():
            column[place] = cause == kind
        return bytes(column)

    def withheld(self, verdict: int) -> bytes:
        column = bytearray(len(self.codes))
        for place, code in self.candidates.items():
            column[place] = code == verdict
        return bytes(column)

    def truth_and(self, truth: int, *codes: int) -> bytes:
        """Return 1 for each yes/no problem with this truth and one of these outcomes."""
        if self.gold.truth is None:
            return bytes(len(self.codes))
        table = _flags(*codes)
        return bytes(table[code] and right == truth for code, right in zip(self.codes, self.gold.truth, strict=True))

    def per_answer(self, single: Sequence[Any], of_list: Callable[[list[tuple[int, float | None, bool]]], Any]) -> Any:
        """Return a column by answer: a value, a tuple where a question has several answers, () without one."""
        from assay.measures.engines.vectors import Answered

        answered = self.answered_flags(CORRECT, INCORRECT)
        if not self.lists:
            return Answered(single, answered) if 0 in answered else single
        cells: list[Any] = [value if flag else () for value, flag in zip(single, answered, strict=True)]
        for place, answers in self.lists.items():
            cells[place] = of_list(answers)
        return cells

    def per_question(
        self, single: Sequence[int], of_list: Callable[[list[tuple[int, float | None, bool]]], int]
    ) -> Any:
        """Return a column of counts, from the list where a question has several answers."""
        if not self.lists:
            return single
        cells = list(single)
        for place, answers in self.lists.items():
            cells[place] = of_list(answers)
        return cells

    def nil_returned(self) -> bytes:
        """Return 1 for each question answered with NIL or an empty SQuAD prediction, unless withheld."""
        column = bytearray(len(self.codes))
        for place in self.nil_answers - self.declined:
            column[place] = self.exact is not None or self.codes[place] in (CORRECT, INCORRECT, GRADED)
        for place, answers in self.lists.items():
            column[place] = any(nil for _, _, nil in answers)
        return bytes(column)

    def nil_correct(self) -> bytes:
        """Return 1 for each question with NIL among its answers and right."""
        column = bytearray(len(self.codes))
        for place in self.nil_answers - self.declined:
            column[place] = self.codes[place] == CORRECT
        for place, answers in self.lists.items():
            column[place] = any(nil and evaluation == 1 for evaluation, _, nil in answers)
        return bytes(column)


def _nothing(views: OutcomeViews) -> list[None]:
    return [None] * len(views.codes)


_COLUMNS: dict[str, Callable[[OutcomeViews], Sequence[Any]]] = {
    STATE: lambda v: states_of(v.codes, v.kinds),
    "correct": lambda v: v.flags(CORRECT),
    "incorrect": OutcomeViews.incorrect,
    "unanswered": OutcomeViews.unanswered,
    "answered": lambda v: v.answered_flags(CORRECT, INCORRECT),
    "right": lambda v: v.flags(CORRECT),
    "partial": lambda v: v.flags(GRADED),
    "wrong": OutcomeViews.incorrect,
    "confidence": OutcomeViews.confidence,
    "position": OutcomeViews.in_file_order,
    "cluster": lambda v: v.gold.fields.get("cluster") or _nothing(v),
    **{kind: partial(OutcomeViews.of_kind, kind=kind) for kind in KINDS},
    "candidate_right": lambda v: v.withheld(CORRECT),
    "candidate_wrong": lambda v: v.withheld(INCORRECT),
    "known_answers": lambda v: [0 if nil else known for nil, known in zip(v.gold.nil, v.gold.known, strict=True)],
    "should_decline": lambda v: v.gold.declining()[0],
    "should_answer": lambda v: v.gold.declining()[1],
    "declined_rightly": OutcomeViews.declined_rightly,
    "declined_wrongly": OutcomeViews.declined_wrongly,
    "answers_given": lambda v: v.per_question(v.answered_flags(CORRECT, INCORRECT), len),
    "with_correct": lambda v: v.per_question(v.answered_flags(CORRECT), lambda a: int(any(e == 1 for e, _, _ in a))),
    "right_answers": lambda v: v.per_question(v.answered_flags(CORRECT), lambda a: sum(e == 1 for e, _, _ in a)),
    "nil_returned": OutcomeViews.nil_returned,
    "nil_correct": OutcomeViews.nil_correct,
    "nil_questions": lambda v: v.gold.declining()[0],
    "answer_correct": lambda v: v.per_answer(v.flags(CORRECT), lambda a: tuple(int(e == 1) for e, _, _ in a)),
    "answer_confidence": lambda v: v.per_answer(v.confidence(), lambda a: tuple(c for _, c, _ in a)),
    "truth": lambda v: v.gold.truth or _nothing(v),
    "value": lambda v: _nothing(v) if v.values is None else array("d", v.values),
    "true_positive": lambda v: v.truth_and(1, CORRECT),
    "false_positive": lambda v: v.truth_and(0, *v.incorrect_codes),
    "false_negative": lambda v: v.truth_and(1, *v.incorrect_codes),
    "unanswered_positive": lambda v: v.truth_and(1, *v.unanswered_codes),
    "unanswered_negative": lambda v: v.truth_and(0, *v.unanswered_codes),
}
