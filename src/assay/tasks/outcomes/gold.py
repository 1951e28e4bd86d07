"""The gold of outcomes: right answers, how answers are judged, and runs with outcomes of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from assay.errors import FormatError, InputError, UnscoredError, counted
from assay.formats.answers.outcome_words import Words
from assay.formats.answers.rows import SHOULD_DECLINE, Rows
from assay.formats.recognition import recognise, refuse_companion, refuse_unnamed_records
from assay.formats.records import JSON_RECORDS
from assay.io.sources import Source
from assay.matching.rules import DESCRIPTIONS, LENIENT_RULE, JudgingSettings
from assay.measures.views.answers import LENIENT, NIL, RIGHT, STRICT
from assay.settings import (
    AUTO,
    FILE,
    FILE_OR_AUTO,
    FOR_QUESTIONS,
    FOR_UNDEFINED,
    LEFT_OUT,
    NO_VALUE,
    SHARE,
    SKIP,
    Kind,
    one_of,
    option,
)
from assay.table.notes import JUDGED
from assay.tasks import QuestionsGold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.answers import outcomes_table
    from assay.formats.harness.logs import LogReading
    from assay.matching.answer_key import AnswerKey

RUNS_IN_TABLES = ("table run", "records")
"""Readers of runs in tables."""
MAX_CACHED_LETTERS = 32 << 20
"""Runs read for their questions are kept up to this total length of answers; others are read again."""
DECLINING = "; where a question should be declined, declining (or NIL) is correct and any answer incorrect"
COUNTED = {STRICT: "unsupported and inexact are incorrect", LENIENT: "unsupported is correct, inexact incorrect"}


class OutcomeSettings(JudgingSettings):
    """The settings of question answering with confidence and abstention."""

    missing: str = option("unanswered", one_of(*FOR_QUESTIONS), LEFT_OUT)
    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)
    refusal: Any = option(
        None,
        FILE_OR_AUTO,
        "patterns of refusals in words, which count as unanswered; auto: the English ones of docs/refusals.md",
    )
    na_prob: Any = option(None, FILE, "SQuAD's probabilities of no answer")
    columns: str | Mapping[str, str] | None = option(
        None,
        Kind((str, Mapping), "roles and columns, as in 'run=llm,id=qid' or {'run': 'llm', 'id': 'qid'}", "ROLE=NAME,…"),
        "the columns of a table (CSV, JSON, Parquet), as in id=task_id,outcome=reward,sample=trial",
    )
    failed: str = option(
        "skip",
        one_of("skip", "incorrect", "unanswered", "error"),
        "what a question that failed in the harness counts",
    )
    unparsed: str = option(
        "scored", one_of("scored", "unanswered", "incorrect", "failed"),
        "what an answer counts that the harness could not extract (scored: as in the log)",
    )  # fmt: skip
    outcomes: str | None = option(
        None,
        Kind(str, "words and states", "WORD=STATE,…"),
        "what outcome words mean, as in C=correct,N=unanswered; simpleqa",
    )
    right_from: float | None = option(None, SHARE, "the score from which an answer with partial credit is correct")
    scorer: str | None = option(None, Kind(str, "a name", "NAME"), "which scorer's values are the outcomes of a log")
    metric: str | None = option(None, Kind(str, "a name", "NAME"), "which metric is the outcome of a log")
    filter: str | None = option(
        None, Kind(str, "a name", "NAME"), "which filter's answers count (lm-evaluation-harness)"
    )
    split: str | None = option(
        None, Kind(str, "a name", "NAME"), "which split of the data counts (HELM; the test split by default)"
    )
    merge: bool = option(False, Kind(bool, "True or False"), "logs of one model and task are shards of one run")
    partial: bool = option(
        False, Kind(bool, "True or False"), "accept logs that hold other samples than their header states"
    )
    nil_confidence: float | None = option(None, SHARE, "what if every NIL answer had this confidence")
    abstain_below: float | None = option(None, SHARE, "what if answers below it had been withheld")

    def __init__(self, **choices: Any) -> None:
        if isinstance(choices.get("refusal"), str):
            from assay.matching.refusals import BUILT_IN

            if choices["refusal"] in (AUTO, BUILT_IN):
                choices["refusal"] = BUILT_IN
        super().__init__(**choices)


class OutcomesGold(QuestionsGold):
    """The questions and their right answers."""

    key: AnswerKey | None = None
    right: tuple[str, ...] = RIGHT[STRICT]
    """The judgments that make an answer correct."""
    truth: bytes | None = None
    """For yes/no problems, 1 where the answer is yes."""
    rows: Mapping[str, list[Rows]] = {}
    """By source, runs that were read with the gold."""
    names_runs = False
    has_scores = False
    """Whether a joined run has partial credit."""
    has_words = False
    """Whether a joined run states outcomes in words, which `outcomes=` may map."""
    has_columns = False
    """Whether a file read so far is a table."""
    other_fields: Sequence[str] = ()
    """The fields of a run in JSON that was not read as a table."""

    def __init__(self, name: str, kind: str, questions: Sequence[Any], judging: str = JUDGED) -> None:
        from assay.formats.jsonl import plain

        super().__init__(name, questions)
        # Groups need names, and a field of JSON may be anything.
        self.fields: Mapping[str, Sequence[Any]] = {
            name: [None if v is None or v == "" else plain(v) for v in values] for name, values in self.fields.items()
        }
        self.kind = kind
        """answers, pan, squad, or outcomes where the runs have their own."""
        self.judging: str = judging
        """How answers are judged, in words."""
        self.known: list[int] = [1] * len(self.topics)
        """By question, the number of distinct right answers; 0 in SQuAD means that an empty prediction is right."""
        self.nil: bytes = bytes(len(self.topics))
        """By question, 1 where there is no answer."""
        self.should_decline: bytes = self._read_declining()
        """By question, 1 where it should be declined."""
        if any(self.should_decline):
            self.judging = judging + DECLINING
            declining = [plain(bool(flag)) for flag in self.should_decline]
            self.fields = {**self.fields, SHOULD_DECLINE: declining}
        self.nothing_missing: list[bool] = [False] * len(self.topics)
        """Shared by all runs without missing questions."""

    def _read_declining(self) -> bytes:
        flags = bytearray(len(self.topics))
        for place, value in enumerate(self.fields.get(SHOULD_DECLINE, ())):
            from assay.formats.answers.questions import says_decline

            try:
                flags[place] = value is not None and says_decline(value)
            except ValueError as problem:
                line = getattr(self.questions[place], "line", 0) or None
                raise FormatError(self.name, line, f"question {self.topics[place]!r}: {problem}") from None
        return bytes(flags)

    def declining(self) -> tuple[bytes, bytes]:
        """Return which questions should be declined or have no answer, and which should be answered.

        The latter is 0 throughout where the gold does not say which should be declined.
        """
        should = bytes(decline or nil for decline, nil in zip(self.should_decline, self.nil, strict=True))
        stated = SHOULD_DECLINE in self.fields or any(should)
        return should, bytes(stated and not decline for decline in should)

    def repeated(self, places: Sequence[int]) -> OutcomesGold:
        """Return gold with a slot for every sample of a run: the questions at these places, repeats included."""
        other = copy(self)
        other.questions = [self.questions[place] for place in places]
        other.topics = [self.topics[place] for place in places]
        other.known = [self.known[place] for place in places]
        other.nil = bytes(self.nil[place] for place in places)
        other.should_decline = bytes(self.should_decline[place] for place in places)
        other.truth = None if self.truth is None else bytes(self.truth[place] for place in places)
        other.nothing_missing = [False] * len(places)
        return other


def read(gold: Source | None, runs: Sequence[Source], settings: OutcomeSettings) -> OutcomesGold:
    """Read the gold: assay's JSONL, judgments, patterns, PAN's truth, SQuAD, or a CSV file with a gold column.

    A table may have runs beside the gold; runs with outcomes need no gold.
    """
    if gold is None:
        return _read_judged(runs, settings)
    from assay.formats.answers.questions import gold_from_python
    from assay.matching.answer_key import AnswerKey, read_key

    reader = recognise(gold, "gold") or recognise(gold, "run")
    kind = reader.name if reader is not None else ""
    if kind in RUNS_IN_TABLES or _is_table_of_gold(gold, kind, settings):
        kind = "table"
    if kind == "pan-truth":
        return _pan_gold(gold)
    if kind == "squad":
        return _squad_gold(gold)
    if kind == "squad-predictions":
        raise InputError(f"{gold.name}: these are predictions; expected gold first, then the runs")
    if kind == "table":
        table = _read_table(gold, settings, as_gold=True)
        if table.gold is None:
            raise InputError(f"{gold.name}: no gold column. Fix: name it with `columns='gold=…'`, or give `gold=None`.")
        answers = _answers_gold(AnswerKey(gold.name, table.gold, settings))
    elif gold.is_bytes:
        answers = _answers_gold(read_key(gold, settings))
    else:
        answers = _answers_gold(AnswerKey(gold.name, gold_from_python(gold), settings))
    answers.has_columns = kind == "table"
    if kind == "table" or is_table(gold, settings):
        answers.runs = [gold]
    return answers


def _answers_gold(key: AnswerKey) -> OutcomesGold:
    """Return gold with an answer key."""
    side = LENIENT if key.rule == LENIENT_RULE else STRICT
    rule = key.rule.removesuffix("-lenient")
    judging = DESCRIPTIONS[rule] + ("" if rule == "letter" else f"; {COUNTED[side]}")
    gold = OutcomesGold(key.name, "answers", key.questions, judging)
    gold.key = key
    gold.right = RIGHT[side]
    gold.known = [len(key.known[question.id].classes[side].keys() - {NIL}) for question in gold.questions]
    gold.nil = bytes(question.nil for question in gold.questions)
    return gold


def _pan_gold(source: Source) -> OutcomesGold:
    from assay.formats.answers import pan

    judging = "yes where the value is above 0.5, no where it is below, unanswered at exactly 0.5"
    gold = OutcomesGold(source.name, "pan", pan.read_truth(source), judging)
    gold.truth = bytes(problem.truth for problem in gold.questions)
    return gold


def _squad_gold(source: Source) -> OutcomesGold:
    from assay.formats.answers import squad
    from assay.matching.normalisation import squad_normalise

    judging = (
        "SQuAD's exact match (lower case, no punctuation, no a, an, the); an empty prediction is correct where "
        "the question has no answer and unanswered where it has one"
    )
    gold = OutcomesGold(source.name, "squad", squad.read_articles(source), judging)
    forms = [{*map(squad_normalise, question.texts)} - {""} for question in gold.questions]
    gold.known = [len(texts) for texts in forms]
    gold.nil = bytes(not question.texts for question in gold.questions)
    return gold


def _read_judged(runs: Sequence[Source], settings: OutcomeSettings) -> OutcomesGold:
    """Read runs that have outcomes of their own, or one table with a gold column; return their questions."""
    rows_by_source: dict[str, list[Rows]] = {}
    fields: dict[str, dict[str, Any]] = {}
    gold: OutcomesGold | None = None
    logs: list[Rows] = []
    unscored: list[str] = []
    ids: dict[str, None] = {}
    first: list[str] = []
    letters = 0
    reading = reading_of(settings)
    guessed: dict[str, list[str]] = {}
    has_columns = False
    for source in runs:
        as_table = is_table(source, settings, judged=True)
        # An explicit `columns=` forces reading as a table.
        log = None if settings.columns and as_table else recognise(source, "log")
        if log is not None:
            try:
                read = log.read(source, reading)
                for rows in read:
                    rows.argument = source.argument or source.name
                logs += read
            except UnscoredError as problem:
                # One failed log must not prevent reading the others of a folder.
                if len(runs) == 1 or settings.failed != SKIP:
                    raise
                unscored.append(f"{problem}; excluded (`failed=`)")
            continue
        refuse_companion(source)
        if logs:
            raise InputError(f"{source.name}: not a known log, unlike the files before it. Fix: give logs alone.")
        if as_table:
            has_columns = True
            table = _read_table(source, settings, judged=True)
            if table.remark:
                guessed.setdefault(table.remark, []).append(source.name)
            read = rows_by_source[source.name] = list(table.runs.values())
            for name, values in table.fields.items():
                fields.setdefault(name, {}).update(values)
            if table.gold is not None:
                if len(runs) > 1:
                    raise InputError(f"{source.name}: has a gold column. Fix: give such a file alone.")
                from assay.matching.answer_key import AnswerKey

                gold = _answers_gold(AnswerKey(source.name, table.gold, settings))
        else:
            read = read_rows(source, "outcomes", settings)
            letters += sum(sum(map(len, filter(None, rows.texts))) for rows in read)
            if letters <= MAX_CACHED_LETTERS or any(rows.answer_on_line is None for rows in read):
                rows_by_source[source.name] = read
            for rows in read:
                for place, extra in rows.extra.items():
                    for name, value in extra.items():
                        fields.setdefault(name, {}).setdefault(rows.ids[place], value)
        for rows in read:
            if rows.ids == first:
                rows.ids = first  # runs with the same questions in the same order share one list
                continue
            first = first or rows.ids
            ids.update(dict.fromkeys(rows.ids))
    if unscored and not logs:
        raise UnscoredError(unscored[0])
    if logs:
        reading.check()
        from assay.tasks.outcomes import log_runs

        logs = log_runs.without_superseded(logs)
        logs[0].warnings[:0] = unscored
        logs = log_runs.count_unlisted(log_runs.join_parts(logs, settings.merge))
        gathered = log_runs.gather_runs(logs, settings.merge)
        rows_by_source = {source.name: [] for source in runs}
        rows_by_source[runs[0].name] = gathered
        gold = OutcomesGold("the runs", "outcomes", log_runs.questions(gathered, logs, reading.fields))
        gold.names_runs = True
    if gold is None:
        from assay.formats.answers.questions import GoldQuestion

        named = [GoldQuestion(i, 0, [], fields={name: values.get(i) for name, values in fields.items()}) for i in ids]
        gold = OutcomesGold("the runs", "outcomes", named)
    gold.rows = rows_by_source
    gold.has_columns = has_columns
    others = {remark: f" and {counted(len(names) - 1, 'other file')}" for remark, names in guessed.items()}
    gold.warnings = [
        f"{names[0]}{others[remark] if len(names) > 1 else ''}: {remark} (`columns=`)"
        for remark, names in guessed.items()
    ]
    return gold


def reading_of(settings: OutcomeSettings) -> LogReading:
    """Return the choices for reading logs."""
    from assay.formats.harness.logs import LogReading
    from assay.matching.refusals import refusals_of, suspicion

    choices = {name: getattr(settings, name) for name in ("scorer", "metric", "filter", "split")}
    refusal = refusals_of(settings.refusal)
    suspects = None if refusal else suspicion
    return LogReading(choices, Words(settings.outcomes), refusal, suspects, settings.right_from, settings.partial)


def is_table(source: Source, settings: OutcomeSettings, judged: bool = False) -> bool:
    """Return whether a source of runs is read as a table.

    It is where it is CSV, TSV, Parquet, a data frame or a list of dicts; and JSON with a column that `columns` names, or that
    states outcomes by usual names.

    judged   whether there is no gold, so that the runs state outcomes
    """
    reader = recognise(source, "run")
    if reader is not None and reader.name in RUNS_IN_TABLES:
        return True
    head = source.head
    if head.shape not in JSON_RECORDS:
        return False
    from assay.formats.answers.column_roles import column_names, names_fields, parse_columns
    from assay.formats.answers.usual_names import guesses

    if settings.columns:
        is_log = recognise(source, "log") is not None
        if names_fields(head, parse_columns(settings.columns)):
            # A log may be one object over many lines, whose head shows nested keys only.
            return not is_log or head.shape == "array" or bool(head.record)
        return judged and not is_log
    if not judged or recognise(source, "log") is not None:
        return False
    names = column_names(source)
    if "outcome" in names or "answers" in names:
        return False
    return "correct" in names or any(guess.remark for guess in guesses(names))


def _is_table_of_gold(gold: Source, kind: str, settings: OutcomeSettings) -> bool:
    """Return whether `columns` makes a table of gold: it names a gold column of it, or no other reader knows the file."""
    if not settings.columns:
        return False
    from assay.formats.answers.column_roles import has_columns, parse_columns

    columns = parse_columns(settings.columns)
    if kind not in ("", "squad-predictions"):
        columns = {role: name for role, name in columns.items() if role == "gold"}
    return has_columns(gold, columns)


def read_rows(source: Source, kind: str, settings: OutcomeSettings) -> list[Rows]:
    """Read the runs of a source, in the format that belongs to the kind of gold."""
    from assay.formats.answers import pan, squad
    from assay.formats.answers.jsonl_answers import answers_from_python, read_runs

    if is_table(source, settings):
        table = _read_table(source, settings)
        runs = list(table.runs.values())
        if table.remark:
            runs[0].warnings.append(f"{source.name}: {table.remark} (`columns=`)")
        return runs
    if recognise(source, "gold", "run", "log") is None:
        refuse_unnamed_records(source, "outcome" if kind == "outcomes" else "answer")
    if not source.is_bytes:
        return [answers_from_python(source, Words(settings.outcomes))]
    reader = {"pan": pan.read_values, "squad": squad.read_predictions}.get(kind)
    return read_runs(source, words=Words(settings.outcomes)) if reader is None else [reader(source)]


def _read_table(
    source: Source, settings: OutcomeSettings, as_gold: bool = False, judged: bool = False
) -> outcomes_table.OutcomesTable:
    from assay.formats.answers import outcomes_table
    from assay.formats.answers.column_roles import parse_columns

    columns = parse_columns(settings.columns) if settings.columns else {}
    table = outcomes_table.read_table(source, columns, as_gold, Words(settings.outcomes), guess=judged)
    if not as_gold:
        table.check_repeats(source, columns)
    return table
