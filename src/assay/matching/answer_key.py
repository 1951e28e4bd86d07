"""The answer key: the right answers of each question, and the rule that matches answers with them."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import FormatError, UsageError
from assay.formats.answers.questions import GoldQuestion, judgment_lines, read_patterns, read_questions, read_support
from assay.formats.answers.rows import LONGEST_KEY, Rows, digest_of
from assay.formats.recognition import recognise
from assay.io.sources import Source, source_of
from assay.matching.judgments import Assessors, Row, questions_judged
from assay.matching.known_answers import KeyQuestion, is_nil
from assay.matching.rules import JUDGES, RULES, JudgingSettings, choose, compile_patterns, letter_of
from assay.measures.views.answers import CORRECT, INCORRECT, NIL, STRICT, JudgedAnswer
from assay.table.notes import Notes


class AnswerKey:
    """Questions, and how answers to them are judged."""

    def __init__(
        self,
        name: str,
        questions: Sequence[GoldQuestion],
        settings: JudgingSettings,
        allowed: Sequence[str] = RULES,
        judged: tuple[str, Sequence[Row]] | None = None,
    ) -> None:
        """Build the key of a gold; `judged` is the name and the rows of judgments that were read as the gold."""
        if settings.judging not in allowed:
            expected = f"expected one of {', '.join(allowed)}; this task reports strict and lenient side by side"
            raise UsageError(f"`judging={settings.judging!r}`: {expected}")
        self.name = name
        self.questions = questions
        self.known: dict[str, KeyQuestion] = {question.id: KeyQuestion(question) for question in questions}
        for question in questions:
            _check_question(name, question, self.known[question.id])
        if settings.judgments is not None:
            beside = source_of(settings.judgments)
            judged = (beside.name, list(judgment_lines(beside, self.known, name)))
        patterns = any(question.patterns for question in questions)
        self.rule: str = choose(settings.judging, self.known.values(), judged is not None, patterns, allowed)
        if settings.support is not None:
            if self.rule != "patterns":
                raise UsageError("`support=FILE` needs answer patterns")
            for question, documents in read_support(source_of(settings.support), self.known).items():
                self.known[question].support = documents
        self.assessors: Assessors | None = None
        if judged is not None and self.rule.startswith("judgments"):
            self.assessors = Assessors(*judged, name, self.known)
        for question in questions:
            known = self.known[question.id]
            if self.rule == "patterns":
                compile_patterns(known, question.patterns, name)
            if self.assessors is None:
                _check_rule(self.rule, name, known)
            judgments = [] if self.assessors is None else self.assessors.by_question.get(question.id, [])
            known.gather([*judgments, *(verdict for _, verdict in known.patterns)])
        self._judge = JUDGES[self.rule] if self.assessors is None else self.assessors.judge

    def judge(self, question: str, text: str, doc: str | None) -> JudgedAnswer | None:
        """Return the verdict on an answer to a question; None where it was not judged."""
        known = self.known[question]
        key = text if len(text) <= LONGEST_KEY else digest_of(text)
        answer = key if doc is None else (key, doc)
        try:
            return known.seen[answer]
        except KeyError:
            verdict = self._judge(known, text, doc)  # for NIL too, so that its judgment counts as used
            known.seen[answer] = _nil(known, verdict) if is_nil(text) else verdict
            return known.seen[answer]

    def check_used(self, settings: JudgingSettings) -> None:
        """Check, after all runs are judged, that every judgment was used."""
        if self.assessors is not None and settings.unused_judgments == "error":
            self.assessors.check_used()


def _nil(question: KeyQuestion, judged: JudgedAnswer | None) -> JudgedAnswer | None:
    """Return the verdict on NIL: right without a known answer, wrong where one is known; else as judged.

    An unsupported answer does not show that the collection has one.
    """
    right = question.classes[STRICT]
    if question.nil:
        return JudgedAnswer(CORRECT, NIL, right[NIL], nil=True)
    return JudgedAnswer(INCORRECT, nil=True) if judged is not None or right else None


def read_key(source: Source, settings: JudgingSettings, allowed: Sequence[str] = RULES) -> AnswerKey:
    """Read the key of a file: questions with answers, judgments alone, or patterns."""
    reader = recognise(source, "gold")
    if source.head.shape not in ("json", "array"):
        return AnswerKey(source.name, read_patterns(source), settings, allowed)
    if reader is None or reader.name != "judgments":
        questions = read_questions(source, need_answers=settings.judgments is None)
        return AnswerKey(source.name, questions, settings, allowed)
    if settings.judgments is not None:
        raise UsageError(f"{source.name}: has judgments already. Fix: omit `judgments=`, or give questions as gold.")
    judged = list(judgment_lines(source))
    return AnswerKey(source.name, questions_judged(judged), settings, allowed, (source.name, judged))


def _check_question(name: str, question: GoldQuestion, known: KeyQuestion) -> None:
    """Refuse NIL beside other answers, and a target below 1."""
    problem = ""
    if question.nil and (question.patterns or known.right):
        problem = "has NIL and other right answers; expected one or the other"
    elif question.target is not None and question.target < 1:
        problem = f"has the target {question.target}; expected a whole number of at least 1"
    if problem:
        raise FormatError(name, known.line, f"question {question.id!r} {problem}")


def _check_rule(rule: str, name: str, question: KeyQuestion) -> None:
    """Refuse a question that no answer can match under the rule."""
    right = [right for right in question.right if rule != "letter" or letter_of(right.text) is not None]
    if not (right or question.patterns or question.nil):
        needs = {"exact": "an answer", "patterns": "a pattern or an answer", "letter": "an answer that is a letter"}
        problem = f"question {question.id!r}: `judging={rule!r}` needs {needs[rule]} in the gold"
        raise FormatError(name, question.line, problem)


class RunJudge:
    """Judge the answers of one run, and count those without a judgment."""

    def __init__(self, key: AnswerKey, rows: Rows, settings: JudgingSettings) -> None:
        self._key = key
        self._judge = key.judge
        self._ids = rows.ids
        self._rows = rows
        self._unjudged = settings.unjudged
        self._count = 0

    def __call__(self, row: int, text: str, doc: str | None) -> JudgedAnswer:
        """Return the verdict on an answer of a row of the run."""
        question = self._ids[row]
        verdict = self._judge(question, text, doc)
        if verdict is not None:
            return verdict
        if self._unjudged == "error":
            document = f" with document {doc!r}" if doc is not None else ""
            raise FormatError(
                self._rows.file,
                self._rows.lines[row] or None,
                f"the answer {text!r}{document} to question {question!r} has no judgment; "
                "judge it, or `unjudged='incorrect'` counts such answers as incorrect",
            )
        self._count += 1
        return JudgedAnswer(INCORRECT, nil=is_nil(text))

    def pass_over(self, row: int) -> None:
        """Mark the judgments of answers that are not judged as used."""
        if self._key.assessors is not None:
            for answer in self._rows.answers(row):
                self._key.judge(self._rows.ids[row], answer.text, answer.doc)

    def note(self, notes: Notes, run: str) -> None:
        """Note how many answers have no judgment, where there is a file of judgments."""
        if self._key.assessors is not None:
            notes.unjudged = self._count
        if self._count:
            notes.warnings.append(
                f"{run}: {self._count} answers without a judgment count as incorrect (`unjudged={self._unjudged!r}`)"
            )
