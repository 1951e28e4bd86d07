"""The answer key: questions, how answers to them are judged, and the right ones known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import FormatError, UsageError
from assay.formats.answers import json_lines, read_gold
from assay.formats.patterns import read_patterns, read_support
from assay.formats.sources import Source, source_of
from assay.judging import rules
from assay.judging.assessors import Assessors, check_against, questions_judged, read_rows
from assay.judging.exact import by_exact_match
from assay.judging.known import classes_of, is_nil, right_answers
from assay.judging.letters import by_letter, letters_of
from assay.judging.patterns import by_patterns, compile_patterns
from assay.measures.answer_view import CORRECT, INCORRECT, NIL, STRICT, Judged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.formats.answers import GoldQuestion
    from assay.formats.rows import Rows
    from assay.judging.assessors import Row
    from assay.judging.known import Classes, Judge, RightAnswer
    from assay.judging.rules import JudgingSettings
    from assay.notes import Notes


class AnswerKey:
    """What a task needs to judge: `judge(question, text, doc)` gives a verdict, or None where nobody judged the answer."""

    def __init__(
        self,
        name: str,
        questions: Sequence[GoldQuestion],
        rule: str,
        judge: Judge,
        classes: Mapping[str, Classes],
        assessors: Assessors | None,
    ) -> None:
        self.name = name
        self.questions = questions
        self.rule = rule
        self.classes = classes
        """By question the right answers known, strictly and leniently; NIL is one where there is no answer."""
        self._judge = _with_nil(judge, classes)
        self._assessors = assessors
        self._seen: dict[str, dict[str | tuple[str, str], Judged | None]] = {question.id: {} for question in questions}

    def judge(self, question: GoldQuestion, text: str, doc: str | None) -> Judged | None:
        """The verdict on an answer. The same ones come again and again from many runs: each is judged once."""
        seen = self._seen[question.id]
        answer = text if doc is None else (text, doc)
        if answer not in seen:
            seen[answer] = self._judge(question, text, doc)
        return seen[answer]

    def given(self, question: GoldQuestion, text: str, doc: str | None) -> None:
        """A run gave this answer, and its verdict is not asked for: what assessors said of it is used all the same."""
        if self._assessors is not None:
            self._assessors.judge(question, text, doc)

    def check_used(self, settings: JudgingSettings) -> None:
        """Only with all runs judged is it known which judgments nobody needed."""
        if self._assessors is not None and settings.unused_judgments == "error":
            self._assessors.check_used()


def read_key(source: Source, settings: JudgingSettings) -> AnswerKey:
    """The key of a file: questions with their answers, judgments alone, or patterns."""
    source = Source(source.name, data=source.read())
    kind = _kind(source)
    if kind == "judgments":
        if settings.judgments is not None:
            raise UsageError(f"{source.name} holds judgments itself; `judgments=FILE` goes with a gold of questions")
        rows = read_rows(source)
        return key_of(source.name, questions_judged(rows), settings, (source.name, rows))
    if kind == "patterns":
        return key_of(source.name, read_patterns(source), settings)
    return key_of(source.name, read_gold(source, need_answers=settings.judgments is None), settings)


def _kind(source: Source) -> str:
    """judgments, questions or patterns, from the first line."""
    if not source.read()[:64].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return "patterns"
    _, first = next(json_lines(source))
    return "judgments" if "judgment" in first else "questions"


def key_of(
    name: str,
    questions: Sequence[GoldQuestion],
    settings: JudgingSettings,
    judged: tuple[str, Sequence[Row]] | None = None,
) -> AnswerKey:
    """The key of questions that were read; `judged` is a file of judgments that was read with them."""
    known = {question.id: right_answers(question) for question in questions}
    for question in questions:
        _check_question(name, question, known[question.id])
    if settings.judgments is not None:
        beside = source_of(settings.judgments)
        judged = (beside.name, read_rows(beside))
    if judged is not None:
        check_against(name, {question.id: question for question in questions}, *judged)
    rule = rules.choose(settings, questions, known, judged is not None)
    if settings.support is not None and rule != "patterns":
        raise UsageError("`support=FILE` goes with answer patterns only")
    more: Mapping[str, Sequence[Judged]] = {}
    assessors = None
    if rule == "exact":
        judge = by_exact_match(known, {})
    elif rule == "letter":
        letters = {question: letters_of(right) for question, right in known.items()}
        judge, more = by_letter(letters), {question: [*found.values()] for question, found in letters.items()}
    elif rule == "patterns":
        support = {} if settings.support is None else read_support(source_of(settings.support), known)
        patterns = {question.id: compile_patterns(name, question, known[question.id]) for question in questions}
        judge = by_patterns(questions, known, patterns, support)
        more = {question: [verdict for _, verdict in found] for question, found in patterns.items()}
    else:
        assert judged is not None
        assessors = Assessors(*judged, known)
        judge, more = assessors.judge, assessors.by_question()
    for question in questions if assessors is None else ():
        if not (question.nil or more.get(question.id) or (rule != "letter" and known[question.id])):
            # It would be wrong for everybody, and nobody would know.
            raise FormatError(
                name,
                question.line or None,
                f"question {question.id!r}: `judging={rule!r}` needs {_WANTED[rule]} in the gold",
            )
    classes = {
        question.id: classes_of(question, known[question.id], more.get(question.id, ())) for question in questions
    }
    return AnswerKey(name, questions, rule, judge, classes, assessors)


def _check_question(name: str, question: GoldQuestion, known: Sequence[RightAnswer]) -> None:
    """NIL says that there is no other answer, and a target counts instances."""
    problem = ""
    if question.nil and (question.patterns or known):
        problem = "has NIL and other right answers; expected one or the other"
    elif question.target is not None and question.target < 1:
        problem = f"has the target {question.target}; expected a whole number of at least 1"
    if problem:
        raise FormatError(name, question.line or None, f"question {question.id!r} {problem}")


_WANTED = {"exact": "an answer", "patterns": "a pattern or an answer", "letter": "an answer that is a letter"}


def _with_nil(judge: Judge, known: Mapping[str, Classes]) -> Judge:
    """NIL is right where the question has no answer, and wrong where a correct answer is known; else as judged.

    An unsupported answer does not show that the collection has one.
    """

    def judged(question: GoldQuestion, text: str, doc: str | None) -> Judged | None:
        asked = judge(question, text, doc)  # an assessor's judgment of NIL counts as used, too
        if not is_nil(text):
            return asked
        right = known[question.id][STRICT]
        if question.nil:
            return Judged(CORRECT, NIL, right[NIL], nil=True)
        return Judged(INCORRECT, nil=True) if asked is not None or right else None

    return judged


class RunJudge:
    """The judge of one run's answers: it knows where they stand, and counts those nobody judged."""

    def __init__(self, key: AnswerKey, rows: Rows, settings: JudgingSettings) -> None:
        self._key = key
        self._rows = rows
        self._unjudged = settings.unjudged
        self.count = 0

    def __call__(self, question: GoldQuestion, text: str, doc: str | None, row: int) -> Judged:
        """The verdict on an answer that stands in this row of the run."""
        verdict = self._key.judge(question, text, doc)
        if verdict is not None:
            return verdict
        if self._unjudged == "error":
            document = f" with document {doc!r}" if doc is not None else ""
            raise FormatError(
                self._rows.file,
                self._rows.lines[row] or None,
                f"the answer {text!r}{document} to question {question.id!r} has no judgment; "
                "judge it, or `unjudged='incorrect'` counts such answers as incorrect",
            )
        self.count += 1
        return Judged(INCORRECT, nil=is_nil(text))

    def note(self, notes: Notes, run: str) -> None:
        """Tell how many answers nobody judged, where assessors did."""
        if self._key.rule.startswith("judgments"):
            notes.unjudged = self.count
        if self.count:
            notes.warnings.append(
                f"{run}: {self.count} answers nobody judged, counted as incorrect (`unjudged={self._unjudged!r}`)"
            )
