"""Questions answered by lists of answers: the tasks qa, list and context.

The gold is assay's JSONL, a file of judgments alone, or TREC answer patterns. In `context`, later questions of a series depend on
earlier ones. A question may state its `series`; its position is then the order of the file. Otherwise its id has both: `3b` is the
second question of series 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from assay.errors import FormatError
from assay.formats.answers.jsonl_answers import read_answers
from assay.formats.answers.questions import GoldQuestion
from assay.formats.answers.rows import Answer, Rows
from assay.formats.id_prefixes import prefix_hint
from assay.formats.jsonl import plain
from assay.io.sources import Source
from assay.matching.answer_key import AnswerKey, RunJudge, read_key
from assay.matching.rules import DESCRIPTIONS, FOR_LISTS, JudgingSettings
from assay.measures.views.answers import AnswerListView, JudgedAnswer
from assay.settings import FOR_UNDEFINED, NO_VALUE, POSITIVE, one_of, option
from assay.table.notes import Notes
from assay.tasks import QuestionsGold, Task

QA_MEASURES = (
    "RR", "RR(judged=lenient)", "NotFound", "NotFound(judged=lenient)", "NIL", "NILCorrect", "NILPrecision",
    "NILRecall", "NQcorrect1", "NQcorrect5", "Q",
)  # fmt: skip
CONFIDENCE_MEASURES = ("Confident", "ConfidentCorrect")
LIST_MEASURES = ("ListAccuracy", "InstanceP", "InstanceR", "InstanceF")
CONTEXT_MEASURES = ("RR", "InstanceF")
MAX_ANSWERS = 5
"""Default limit on the answers to a question of qa and context."""
COUNTED = "strict counts unsupported as incorrect, lenient as correct; inexact is incorrect in both"


class AnswerListSettings(JudgingSettings):
    """The settings of questions answered by lists."""

    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)
    answers: int | None = option(None, POSITIVE, "how many answers a question may have (qa, context: 5)")


class AnswersGold(QuestionsGold):
    """The questions and their answer key."""

    questions: list[GoldQuestion]

    def __init__(self, key: AnswerKey) -> None:
        super().__init__(key.name, key.questions)
        self.key = key


class AnswerListViews:
    """One run as judged lists: a view per question of the gold."""

    def __init__(self, gold: AnswersGold, rows: Rows, name: str) -> None:
        self.gold = gold
        self.name = name
        self.file: str = rows.file
        self.answers: list[list[JudgedAnswer]] = [[] for _ in gold.topics]
        self.given: list[Sequence[Answer]] = [()] * len(gold.topics)
        """The same answers before judging."""
        self.finals: list[int] = [1] * len(gold.topics)
        states = bool(rows.confident)
        self.confident: list[bool | None] = [False if states else None] * len(gold.topics)
        self.missing: list[bool] = [True] * len(gold.topics)
        self.notes: Notes = Notes(judging=f"{DESCRIPTIONS[gold.key.rule]}; {COUNTED}", warnings=rows.warnings)

    def __iter__(self) -> Iterator[AnswerListView]:
        for place, question in enumerate(self.gold.questions):
            yield AnswerListView(
                self.answers[place],
                self.gold.key.known[question.id].classes,
                nil=question.nil,
                target=question.target,
                final=self.finals[place],
                confident=self.confident[place],
            )

    def column(self, name: str) -> list[Any]:
        """Return an ingredient of every question.

        `found`: whether an answer is right; `graded`: rank and grade of right answers, the first of each class; `confident`;
        `confident_correct`; `nil_returned`; `nil_correct`; `nil_questions`; or a field of the gold.
        """
        read = INGREDIENTS.get(name)
        return list(self.gold.fields[name]) if read is None else [read(view) for view in self]


def _returns_nil(view: AnswerListView) -> bool:
    return any(answer.nil for answer in view.answers)


INGREDIENTS: dict[str, Callable[[AnswerListView], Any]] = {
    "found": lambda view: int(view.first() is not None),
    "graded": lambda view: tuple(view.ranked().gained()),
    "confident": lambda view: None if view.confident is None else int(view.confident),
    "confident_correct": lambda view: int(bool(view.confident) and view.final_is_right()),
    "nil_returned": lambda view: int(_returns_nil(view)),
    "nil_correct": lambda view: int(view.nil and _returns_nil(view)),
    "nil_questions": lambda view: int(view.nil),
}
"""The columns of `AnswerListViews` that follow from the view of a question."""


def read(gold: Source, runs: Sequence[Source], settings: AnswerListSettings) -> AnswersGold:
    """Read the gold of a file: questions with their answers, judgments alone, or patterns."""
    return AnswersGold(read_key(gold, settings, FOR_LISTS))


def views(gold: AnswersGold, source: Source, settings: AnswerListSettings, limit: int | None = None) -> AnswerListViews:
    """Read and judge a run; `limit` is the number of answers allowed per question."""
    rows = read_answers(source, ranked=True)
    run = AnswerListViews(gold, rows, source.label or rows.name)
    judge = RunJudge(gold.key, rows, settings)
    limit = limit if settings.answers is None else settings.answers
    for row, place in enumerate(places_of(rows, gold.index, gold.name)):
        answers = rows.answers(row)
        _check_row(rows, row, len(answers), limit)
        run.answers[place] = [judge(row, answer.text, answer.doc) for answer in answers]
        run.given[place] = answers
        run.finals[place] = rows.finals.get(row, 1)
        run.confident[place] = rows.confident.get(row, run.confident[place])
        run.missing[place] = False
    judge.note(run.notes, run.name)
    return run


def places_of(rows: Rows, index: Mapping[str, int], gold: str) -> list[int]:
    """Return the question of every row; raise FormatError for an unknown question or a second answer."""
    places = [index.get(identity, -1) for identity in rows.ids]
    if -1 in places or len(set(places)) < len(places):
        first: dict[str, int] = {}
        for identity, line in zip(rows.ids, rows.lines, strict=True):
            if identity not in index:
                problem = f"answers question {identity!r}, which is not in {gold}{prefix_hint(identity, index, gold)}"
                raise FormatError(rows.file, line or None, problem)
            if identity in first:
                problem = f"question {identity!r} is already answered on line {first[identity]}"
                raise FormatError(rows.file, line or None, problem)
            first[identity] = line
    return places


def _check_row(rows: Rows, row: int, count: int, limit: int | None) -> None:
    problem = ""
    if rows.outcomes[row] is not None:
        problem = "has an outcome; expected answers"
    elif limit is not None and count > limit:
        problem = f"has {count} answers; expected at most {limit} (`answers=N`)"
    if problem:
        raise FormatError(rows.file, rows.lines[row], f"question {rows.ids[row]!r} {problem}")


def check(gold: Any, settings: JudgingSettings) -> None:
    """Refuse unused judgments."""
    if gold.key is not None:
        gold.key.check_used(settings)


def join(gold: AnswersGold, source: Source, settings: AnswerListSettings) -> list[AnswerListViews]:
    """Read and judge a run of qa or context."""
    return [views(gold, source, settings, MAX_ANSWERS)]


def qa_measures(gold: AnswersGold, runs: Sequence[AnswerListViews], settings: AnswerListSettings) -> tuple[str, ...]:
    """Return the default measures of qa, with those of confidence where some run states it."""
    stated = any(confident is not None for run in runs for confident in run.confident)
    return QA_MEASURES + (CONFIDENCE_MEASURES if stated else ())


QA = Task(
    name="qa",
    title="Factoid questions",
    noun="question",
    headline="RR",
    defaults=QA_MEASURES,
    more=qa_measures,
    settings=AnswerListSettings,
    read=read,
    join=join,
    check=check,
)


def join_list(gold: AnswersGold, source: Source, settings: AnswerListSettings) -> list[AnswerListViews]:
    """Read and judge a run; warn about answers beyond a question's target, which list accuracy ignores."""
    run = views(gold, source, settings)
    beyond = [
        (question.id, len(answers) - question.target)
        for question, answers in zip(gold.questions, run.answers, strict=True)
        if question.target is not None and len(answers) > question.target
    ]
    if beyond:
        run.notes.beyond_target = sum(count for _, count in beyond)
        run.notes.warnings.append(
            f"{run.name}: {run.notes.beyond_target} answers beyond the target of {len(beyond)} questions (such as "
            f"{beyond[0][0]!r}) are ignored by list accuracy"
        )
    return [run]


def list_measures(gold: AnswersGold, runs: Sequence[AnswerListViews], settings: AnswerListSettings) -> tuple[str, ...]:
    """Return the default measures of lists, with accuracy where some question has a target."""
    targets = any(question.target is not None for question in gold.questions)
    return LIST_MEASURES if targets else LIST_MEASURES[1:]


LIST = QA.but(
    name="list",
    title="List questions",
    headline="ListAccuracy",
    defaults=LIST_MEASURES,
    more=list_measures,
    join=join_list,
)


_LETTERED = re.compile(r"(.+?)([a-z])\Z")


def split_id(id: str) -> tuple[str, int] | None:
    """Return the series and position in an id, or None.

    >>> split_id("3b"), split_id("CTX12a"), split_id("17")
    (('3', 2), ('CTX12', 1), None)
    """
    match = _LETTERED.match(id)
    return (match.group(1), ord(match.group(2)) - ord("a") + 1) if match else None


def read_context(gold: Source, runs: Sequence[Source], settings: AnswerListSettings) -> AnswersGold:
    """Read the questions, each with its `series` and its `position` in it."""
    answers = read(gold, runs, settings)
    counts: dict[str, int] = {}
    in_file_order = sorted(answers.questions, key=lambda question: question.line)
    places = {question.id: _place(question, counts, answers.name) for question in in_file_order}
    series, positions = zip(*(places[topic] for topic in answers.topics), strict=True)
    answers.fields = {**answers.fields, "series": series, "position": positions}
    _check_holes(answers)
    return answers


def _place(question: GoldQuestion, counts: dict[str, int], name: str) -> tuple[str, int]:
    stated = question.fields.get("series")
    if stated is not None:
        if not isinstance(stated, (str, int)):
            raise FormatError(name, question.line, f"series {stated!r:.40}: expected a text or a whole number")
        series = plain(stated)
        counts[series] = counts.get(series, 0) + 1
        return series, counts[series]
    place = split_id(question.id)
    if place is None:
        expected = 'expected an id such as 3b (series 3, second question), or a "series"'
        raise FormatError(name, question.line, f"question {question.id!r}: {expected}")
    return place


def _check_holes(gold: AnswersGold) -> None:
    """Refuse series without a first or a middle question."""
    places: dict[str, dict[int, GoldQuestion]] = {}
    for question, name, position in zip(gold.questions, gold.fields["series"], gold.fields["position"], strict=True):
        other = places.setdefault(name, {}).setdefault(position, question)
        if other is not question:
            problem = f"question {question.id!r} has the place of {other.id!r} in series {name}"
            raise FormatError(gold.name, question.line, problem)
    for name, series in places.items():
        for position, question in sorted(series.items()):
            if position > 1 and position - 1 not in series:
                problem = f"question {question.id!r} is number {position} of series {name}, which has no {position - 1}"
                raise FormatError(gold.name, question.line, problem)


def context_measures(
    gold: AnswersGold, runs: Sequence[AnswerListViews], settings: AnswerListSettings
) -> tuple[str, ...]:
    """Return the default measures of series, with Alive@k for each position."""
    longest = max(gold.fields["position"])
    return CONTEXT_MEASURES + tuple(f"Alive@{k}" for k in range(1, longest + 1))


CONTEXT = QA.but(
    name="context",
    title="Questions in context",
    defaults=CONTEXT_MEASURES,
    more=context_measures,
    read=read_context,
    second_table=True,
)
