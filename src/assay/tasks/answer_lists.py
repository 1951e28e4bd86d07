"""Questions answered by lists: what the tasks qa, list and context share.

The gold is assay's JSONL, a file of judgments alone, or TREC answer patterns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import FormatError, UsageError
from assay.formats.answers import read_answers
from assay.formats.jsonl import plain
from assay.formats.judgments import judgment_lines
from assay.formats.patterns import read_patterns, read_support
from assay.formats.questions import GoldQuestion, read_questions
from assay.formats.readers import recognise
from assay.formats.sources import Source, source_of
from assay.measures.answer_view import CORRECT, INCORRECT, LENIENT, NIL, AnswerListView, Judged
from assay.notes import Notes
from assay.settings import Settings, anything, one_of, option, undefined_topics, whole
from assay.tasks import TaskGold, answer_judging, judging, needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assay.formats.judgments import Judgment
    from assay.formats.rows import Rows
    from assay.tasks.answer_judging import Classes, Judge, JudgmentsFile


class AnswerListSettings(Settings):
    """The choices of questions answered by lists."""

    undefined: str = undefined_topics("skip")
    judging: str = option(
        "auto", one_of(*answer_judging.RULES), "how answers are held against the gold (auto: what the gold calls for)"
    )
    judgments: Any = option(None, anything("FILE"), "what assessors said of each answer, as JSONL")
    unjudged: str = option("error", one_of("error", "incorrect"), "what an answer counts that nobody judged (error)")
    unused_judgments: str = option(
        "error", one_of("error", "ignore"), "what to do about a judgment of an answer no run gave (error)"
    )
    support: Any = option(None, anything("FILE"), "documents that support an answer, beside answer patterns")
    answers: int | None = option(None, whole(1), "how many answers a question may have (qa, context: 5)")


class AnswersGold(TaskGold):
    """The questions in byte order of their ids, how their answers are judged, and the right ones known."""

    def __init__(self, name: str, questions: Sequence[GoldQuestion]) -> None:
        self.name = name
        self.questions = sorted(questions, key=lambda question: question.id.encode("utf-8", "surrogateescape"))
        self.topics = [question.id for question in self.questions]
        self.index = {topic: i for i, topic in enumerate(self.topics)}
        self.rule = ""
        self.judge: Judge
        self.file: JudgmentsFile | None = None
        self.classes: Mapping[str, Classes] = {}

    @property
    def fields(self) -> dict[str, list[Any]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What the gold says of each question beside its answers: type, cluster, language …"""
        names = dict.fromkeys(name for question in self.questions for name in question.fields)
        return {name: [question.fields.get(name) for question in self.questions] for name in names}


class AnswerViews:
    """One run as judged lists, a view per question of the gold."""

    def __init__(self, gold: AnswersGold, rows: Rows, source: Source) -> None:
        self.gold = gold
        self.name = source.label or rows.name
        self.file = rows.file
        self.answers: list[list[Judged]] = [[] for _ in gold.topics]
        self.finals = [1] * len(gold.topics)
        states = bool(rows.confident)
        self.confident: list[bool | None] = [False if states else None] * len(gold.topics)
        self.missing = [True] * len(gold.topics)
        self.notes = Notes(judging=answer_judging.DESCRIPTIONS[gold.rule], warnings=rows.warnings)

    def view(self, topic: int) -> AnswerListView:
        question = self.gold.questions[topic]
        return AnswerListView(
            self.answers[topic],
            self.gold.classes[question.id],
            nil=question.nil,
            target=question.target,
            final=self.finals[topic],
            confident=self.confident[topic],
        )

    def __iter__(self) -> Iterator[AnswerListView]:
        return map(self.view, range(len(self.gold.topics)))

    def column(self, name: str) -> list[Any]:
        """`found`: whether a right answer is among those given; `confident`; `confident_correct`; the gold's fields."""
        if name == "found":
            return [int(view.first() is not None) for view in self]
        if name == "confident":
            return [None if view.confident is None else int(view.confident) for view in self]
        if name == "confident_correct":
            return [int(bool(view.confident) and view.final_is_right()) for view in self]
        return [question.fields[name] for question in self.gold.questions]


def read(gold: Source | None, runs: Sequence[Source], settings: AnswerListSettings) -> AnswersGold:
    """The gold of a file: questions with their answers, judgments alone, or patterns."""
    source = needed(gold)
    reader = recognise(source, "gold")
    judged: list[tuple[int, Judgment]] = []
    beside = settings.judgments
    if source.head.shape != "json":
        found = AnswersGold(source.name, read_patterns(source))
    elif reader is not None and reader.name == "judgments":
        if beside is not None:
            raise UsageError(f"{source.name} holds judgments itself; `judgments=FILE` goes with a gold of questions")
        judged = list(judgment_lines(source))
        found = AnswersGold(source.name, _questions_judged(judged))
    else:
        found = AnswersGold(source.name, read_questions(source, need_answers=beside is None))
    _check_questions(found)
    if beside is not None:
        source = source_of(beside)
        judged = list(judgment_lines(source, found.index, found.name))
    if judged:
        found.file = _judgments_file(source.name, judged, found)
    _settle_judging(found, settings)
    return found


def _check_questions(gold: AnswersGold) -> None:
    """NIL says that there is no other answer, and a target counts instances."""
    for question in gold.questions:
        others = any(answer.grade > 0 and plain(answer.text).strip() != NIL for answer in question.answers)
        problem = ""
        if question.nil and (others or question.patterns):
            problem = "has NIL and other right answers; expected one or the other"
        elif question.target is not None and question.target < 1:
            problem = f"has the target {question.target}; expected a whole number of at least 1"
        if problem:
            raise FormatError(gold.name, question.line, f"question {question.id!r} {problem}")


def _questions_judged(judged: Sequence[tuple[int, Judgment]]) -> list[GoldQuestion]:
    """The questions a judgments file knows; one to which NIL is a correct answer has none in the collection."""
    questions: dict[str, GoldQuestion] = {}
    for line, judgment in judged:
        question = questions.setdefault(plain(judgment.id), GoldQuestion(plain(judgment.id), line, []))
        question.nil |= plain(judgment.text).strip() == NIL and judgment.judgment == CORRECT
    return list(questions.values())


def _judgments_file(name: str, rows: list[tuple[int, Judgment]], gold: AnswersGold) -> JudgmentsFile:
    for line, judgment in rows:
        question, right = gold.questions[gold.index[plain(judgment.id)]], judgment.judgment == CORRECT
        nil, problem = plain(judgment.text).strip() == NIL, ""
        if nil and right and not question.nil:
            problem = f'NIL is correct here, but question {question.id!r} of {gold.name} is not "nil": true'
        elif nil and question.nil and not right:
            problem = f"NIL is {judgment.judgment} here, but question {question.id!r} has no answer, so it is correct"
        elif right and question.nil and not nil:
            problem = f"{plain(judgment.text)!r} is correct here, but so is NIL to question {question.id!r}; keep one"
        if problem:
            raise FormatError(name, line, problem)
    return answer_judging.JudgmentsFile(name, rows)


def _settle_judging(gold: AnswersGold, settings: AnswerListSettings) -> None:
    """Choose the rule, and gather the right answers known."""
    rule = judging.choose_rule(settings.judging, gold.questions, gold.file is not None)
    # Option letters are a way to answer one question with one letter; in a list a letter is an answer like any other.
    gold.rule = rule = "exact" if rule == "letter" else rule
    patterns = answer_judging.compile_patterns(gold.name, gold.questions)
    support = settings.support
    if support is not None and rule != "patterns":
        raise UsageError("`support=FILE` goes with answer patterns only")
    judged: dict[str, list[Judged]] = {topic: [] for topic in gold.topics}
    if rule == "judgments":
        assert gold.file is not None
        judge = answer_judging.by_judgments(gold.questions, gold.file)
        for _, row in gold.file.rows:
            question = gold.questions[gold.index[plain(row.id)]]
            found = judge(question, plain(row.text), None if row.doc is None else plain(row.doc))
            judged[question.id] += [] if found is None else [found]
        gold.file.used.clear()
    elif rule == "patterns":
        documents = {} if support is None else read_support(source_of(support), gold.index)
        judge = answer_judging.by_patterns(gold.questions, patterns, documents)
    else:
        judge = answer_judging.by_exact_match(gold.questions)
    gold.classes = {
        question.id: answer_judging.classes_of(
            question, patterns[question.id] if rule == "patterns" else [], judged[question.id]
        )
        for question in gold.questions
    }
    for question in gold.questions:
        if rule != "judgments" and not gold.classes[question.id][LENIENT]:
            wanted = "an answer" if rule == "exact" else "a pattern or an answer"
            raise FormatError(
                gold.name, question.line, f"question {question.id!r}: `judging={rule!r}` needs {wanted} in the gold"
            )
    gold.judge = answer_judging.with_nil(judge, gold.classes)


def views(gold: AnswersGold, source: Source, settings: AnswerListSettings, limit: int | None = None) -> AnswerViews:
    """A run judged. `limit` is how many answers the task allows a question."""
    rows = read_answers(source, ranked=True)
    run = AnswerViews(gold, rows, source)
    limit = limit if settings.answers is None else settings.answers
    lenient = settings.unjudged == "incorrect"
    first: dict[str, int] = {}
    unjudged = 0
    for row, (identity, line) in enumerate(zip(rows.ids, rows.lines, strict=True)):
        place = gold.index.get(identity)
        if place is None:
            raise FormatError(rows.file, line, f"answers question {identity!r}, which is not in {gold.name}")
        if first.setdefault(identity, line) != line:
            raise FormatError(rows.file, line, f"question {identity!r} was answered already on line {first[identity]}")
        answers = rows.answers(row)
        if rows.outcomes[row] is not None:
            raise FormatError(
                rows.file, line, f"question {identity!r} has an outcome; this task wants the answers themselves"
            )
        if limit is not None and len(answers) > limit:
            raise FormatError(
                rows.file,
                line,
                f"question {identity!r} has {len(answers)} answers; expected at most {limit} (`answers=N`)",
            )
        question = gold.questions[place]
        for answer in answers:
            verdict = gold.judge(question, answer.text, answer.doc)
            if verdict is None:
                if not lenient:
                    document = f" with document {answer.doc!r}" if answer.doc is not None else ""
                    raise FormatError(
                        rows.file,
                        line,
                        f"the answer {answer.text!r}{document} to question {identity!r} has no judgment; "
                        "judge it, or `unjudged='incorrect'` counts such answers as incorrect",
                    )
                unjudged += 1
                verdict = Judged(INCORRECT, nil=answer.text.strip() == NIL)
            run.answers[place].append(verdict)
        run.finals[place] = rows.finals.get(row, 1)
        if row in rows.confident:
            run.confident[place] = rows.confident[row]
        run.missing[place] = False
    if gold.rule == "judgments":
        run.notes.unjudged = unjudged
        if unjudged:
            run.notes.warnings.append(
                f"{run.name}: {unjudged} answers nobody judged, counted as incorrect (`unjudged={settings.unjudged!r}`)"
            )
    return run


def check(gold: AnswersGold, settings: AnswerListSettings) -> None:
    """Only with all runs at hand is it known which judgments nobody needed."""
    if settings.unused_judgments == "error" and gold.rule == "judgments" and gold.file is not None:
        gold.file.check_used()


def one_run(runs: Mapping[Any, Any]) -> bool:
    """Lists of answers are read from files alone; a mapping names several of them."""
    return False
