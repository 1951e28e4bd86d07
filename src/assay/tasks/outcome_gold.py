"""The gold of answers: what every question's right answer is, and the rule by which answers are held against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.formats.jsonl import plain
from assay.formats.judgments import read_judgments
from assay.formats.readers import recognise
from assay.formats.sources import Source, source_of
from assay.tasks import TaskGold, judging

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.formats.judgments import Judgment
    from assay.formats.outcomes_table import Table
    from assay.formats.questions import GoldQuestion
    from assay.formats.rows import Rows
    from assay.tasks.judging import Judge
    from assay.tasks.outcomes import OutcomeSettings


class OutcomesGold(TaskGold):
    """The questions, in byte order of their ids, and what the gold says of each."""

    def __init__(self, name: str, kind: str, entries: Sequence[Any]) -> None:
        self.name = name
        self.kind = kind
        """answers, pan, squad, or outcomes where the runs carry their own."""
        self.entries = sorted(entries, key=lambda entry: entry.id)
        self.topics: list[str] = [entry.id for entry in self.entries]
        self.index = {topic: i for i, topic in enumerate(self.topics)}
        self.fields: dict[str, list[Any]] = {}
        self.rows: dict[str, list[Rows]] = {}
        """By the name of their source: runs that had to be read with the gold."""
        self.known: list[int] = [1] * len(self.topics)
        """Per question: how many distinct right answers are known."""
        self.nil = bytes(len(self.topics))
        self.empty_is_right = self.nil
        """SQuAD: where an empty prediction is right, because no answer is left after normalisation."""
        self.truth: bytes | None = None
        self.verdicts: list[dict[str, int]] = [{} for _ in self.topics]
        """Per question: the texts judged so far."""
        self.last_ids: list[str] | None = None
        self.last_places: list[int] = []
        self.nothing_missing = [False] * len(self.topics)
        """Shared by all runs that leave nothing out, which is most of them."""
        self.rule = "judged"
        self.judge: Judge | None = None

    @property
    def judging(self) -> str:
        """The rule in words."""
        return judging.DESCRIPTIONS[self.rule]


def read_gold(source: Source, settings: OutcomeSettings) -> OutcomesGold:
    """The gold of a file: assay's JSONL, PAN's truth, SQuAD, or a CSV file with a gold column."""
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
        return answers_gold(source.name, table.gold, settings)
    if kind == "squad-predictions":
        raise InputError(f"{source.name}: holds predictions; expected gold first, then the runs")
    if not source.is_bytes:
        from assay.formats.questions import gold_from_python

        return answers_gold(source.name, gold_from_python(source), settings)
    from assay.formats.questions import read_questions

    return answers_gold(source.name, read_questions(source, need_answers=settings.judgments is None), settings)


def fields_of(entries: Sequence[Any]) -> dict[str, list[str | None]]:
    """By field what each question says, as text: a JSON line may hold anything, and groups need names."""
    names = dict.fromkeys(name for entry in entries for name in entry.fields)
    return {name: [_name(entry.fields.get(name)) for entry in entries] for name in names}


def _name(value: object) -> str | None:
    return None if value is None or value == "" else plain(value)


def answers_gold(name: str, questions: Sequence[GoldQuestion], settings: OutcomeSettings) -> OutcomesGold:
    gold = OutcomesGold(name, "answers", questions)
    gold.fields = fields_of(gold.entries)
    gold.nil = bytes(question.nil for question in gold.entries)
    judgments: list[Judgment] = []
    if settings.judgments is not None:
        judgments = read_judgments(source_of(settings.judgments), gold.index, name)
    gold.rule = judging.choose_rule(settings.judging, gold.entries, bool(judgments))
    gold.judge = judging.judge_by(gold.rule, name, gold.entries, judgments)
    judged: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        judged.setdefault(plain(judgment.id), []).append(judgment)
    gold.known = [len(judging.known_classes(q, gold.rule, judged.get(q.id, ()))) for q in gold.entries]
    return gold


def _pan_gold(source: Source) -> OutcomesGold:
    from assay.formats.pan import read_truth

    gold = OutcomesGold(source.name, "pan", read_truth(source))
    gold.fields = fields_of(gold.entries)
    gold.truth = bytes(problem.truth for problem in gold.entries)
    gold.rule = "yes/no"
    return gold


def _squad_gold(source: Source) -> OutcomesGold:
    from assay.formats.squad import read_articles

    gold = OutcomesGold(source.name, "squad", read_articles(source))
    gold.nil = bytes(not question.texts for question in gold.entries)
    forms = [{*map(judging.squad_normalise, question.texts)} - {""} for question in gold.entries]
    gold.empty_is_right = bytes(not texts for texts in forms)
    gold.known = [len(texts) for texts in forms]
    gold.fields = {
        "type": ["NoAns" if nil else "HasAns" for nil in gold.nil],
        "article": [question.article for question in gold.entries],
        "cluster": [question.paragraph for question in gold.entries],
    }
    gold.rule = "squad"
    return gold


class Named:
    """A question of which only the name is known: runs that carry their own outcomes need no gold."""

    def __init__(self, id: str, fields: dict[str, Any]) -> None:
        self.id = id
        self.fields = fields


def read_table_of(source: Source, settings: OutcomeSettings, as_gold: bool = False) -> Table:
    from assay.formats.outcomes_table import parse_columns, read_table

    return read_table(source, parse_columns(settings.columns) if settings.columns else None, as_gold)
