"""The gold of outcomes: what every question's right answer is, and how the answers of a run are held against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.formats.jsonl import plain
from assay.formats.readers import recognise
from assay.judging.key import AnswerKey, read_key
from assay.judging.normalising import squad_normalise
from assay.judging.rules import DESCRIPTIONS, LENIENT_RULE
from assay.measures.answer_view import LENIENT, NIL, RIGHT, STRICT
from assay.tasks import TaskGold, fields_of, in_byte_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.formats.outcomes_table import Table
    from assay.formats.rows import Rows
    from assay.formats.sources import Source
    from assay.tasks.outcomes import OutcomeSettings

JUDGED = "as judged in the file"
COUNTED = {STRICT: "unsupported and inexact are incorrect", LENIENT: "unsupported is correct, inexact incorrect"}


class OutcomesGold(TaskGold):
    """The questions, in byte order of their ids, and what the gold says of each."""

    def __init__(
        self,
        name: str,
        kind: str,
        entries: Sequence[Any],
        *,
        judging: str = JUDGED,
        fields: Mapping[str, Sequence[Any]] | None = None,
        key: AnswerKey | None = None,
        side: str = STRICT,
        known: Sequence[int] | None = None,
        nil: bytes | None = None,
        empty_is_right: bytes | None = None,
        truth: bytes | None = None,
        rows: Mapping[str, list[Rows]] | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        """answers, pan, squad, or outcomes where the runs carry their own."""
        self.entries = entries
        self.topics: list[str] = [entry.id for entry in entries]
        self.index = {topic: i for i, topic in enumerate(self.topics)}
        self.judging = judging
        """How answers are judged, in words."""
        self.fields = _named(entries) if fields is None else fields
        self.key = key
        self.right = RIGHT[side]
        """The verdicts of the key that make an answer correct."""
        self.known = [1] * len(self.topics) if known is None else known
        """Per question: how many distinct right answers are known."""
        self.nil = bytes(len(self.topics)) if nil is None else nil
        self.empty_is_right = self.nil if empty_is_right is None else empty_is_right
        """SQuAD: where an empty prediction is right, because no answer is left after normalisation."""
        self.truth = truth
        """Of yes/no problems: which are yes."""
        self.rows = rows or {}
        """By the name of their source: runs that had to be read with the gold."""


def read_gold(source: Source, settings: OutcomeSettings) -> OutcomesGold:
    """The gold of a file: assay's JSONL, judgments, patterns, PAN's truth, SQuAD, or a CSV file with a gold column."""
    reader = recognise(source, "gold") or recognise(source, "run")
    kind = reader.name if reader is not None else ""
    if kind == "pan-truth":
        return _pan_gold(source)
    if kind == "squad":
        return _squad_gold(source)
    if kind == "table":
        table = read_table_of(source, settings, as_gold=True)
        if table.gold is None:
            raise InputError(f"{source.name}: has no gold column; name it with `columns='gold=…'`, or give `gold=None`")
        return answers_gold(AnswerKey(source.name, table.gold, settings))
    if kind == "squad-predictions":
        raise InputError(f"{source.name}: holds predictions; expected gold first, then the runs")
    if not source.is_bytes:
        from assay.formats.questions import gold_from_python

        return answers_gold(AnswerKey(source.name, gold_from_python(source), settings))
    return answers_gold(read_key(source, settings))


def _named(entries: Sequence[Any]) -> dict[str, list[str | None]]:
    """By field what each question says, as text: a JSON line may hold anything, and groups need names."""
    found = fields_of(entries)
    return {name: [None if v is None or v == "" else plain(v) for v in values] for name, values in found.items()}


def answers_gold(key: AnswerKey, rows: Mapping[str, list[Rows]] | None = None) -> OutcomesGold:
    """Questions with an answer key."""
    side = LENIENT if key.rule == LENIENT_RULE else STRICT
    rule = key.rule.removesuffix("-lenient")
    questions = in_byte_order(key.questions)
    return OutcomesGold(
        key.name,
        "answers",
        questions,
        judging=DESCRIPTIONS[rule] + ("" if rule == "letter" else f"; {COUNTED[side]}"),
        key=key,
        side=side,
        known=[len(key.known[question.id].classes[side].keys() - {NIL}) for question in questions],
        nil=bytes(question.nil for question in questions),
        rows=rows,
    )


def _pan_gold(source: Source) -> OutcomesGold:
    from assay.formats.pan import read_truth

    problems = in_byte_order(read_truth(source))
    return OutcomesGold(
        source.name,
        "pan",
        problems,
        judging="yes where the value is above 0.5, no where it is below, unanswered at exactly 0.5",
        truth=bytes(problem.truth for problem in problems),
    )


def _squad_gold(source: Source) -> OutcomesGold:
    from assay.formats.squad import read_articles

    questions = in_byte_order(read_articles(source))
    forms = [{*map(squad_normalise, question.texts)} - {""} for question in questions]
    return OutcomesGold(
        source.name,
        "squad",
        questions,
        judging="SQuAD's exact match (lower case, no punctuation, no a, an, the); an empty prediction is correct where "
        "the question has no answer and unanswered where it has one",
        fields={
            "type": ["HasAns" if question.texts else "NoAns" for question in questions],
            "article": [question.article for question in questions],
            "cluster": [question.paragraph for question in questions],
        },
        known=[len(texts) for texts in forms],
        nil=bytes(not question.texts for question in questions),
        empty_is_right=bytes(not texts for texts in forms),
    )


def read_table_of(source: Source, settings: OutcomeSettings, as_gold: bool = False) -> Table:
    from assay.formats.outcomes_table import parse_columns, read_table

    return read_table(source, parse_columns(settings.columns) if settings.columns else None, as_gold)
