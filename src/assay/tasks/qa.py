"""Question answering with ranked answers: up to five a question, judged strictly and leniently side by side."""

from __future__ import annotations

from collections.abc import Sequence

from assay.io.sources import Source
from assay.tasks import Task, answer_lists
from assay.tasks.answer_lists import AnswerListSettings, AnswerListViews, AnswersGold

DEFAULTS = (
    "RR", "RR(judged=lenient)", "NotFound", "NotFound(judged=lenient)", "NIL", "NILCorrect", "NILPrecision",
    "NILRecall", "NQcorrect1", "NQcorrect5", "Q",
)  # fmt: skip
CONFIDENCE = ("Confident", "ConfidentCorrect")
MAX_ANSWERS = 5
"""Default limit on answers per question."""


def join(gold: AnswersGold, source: Source, settings: AnswerListSettings) -> list[AnswerListViews]:
    """Read and judge a run."""
    return [answer_lists.views(gold, source, settings, MAX_ANSWERS)]


def more(gold: AnswersGold, runs: Sequence[AnswerListViews], settings: AnswerListSettings) -> tuple[str, ...]:
    """Return the default measures, with those of confidence where some run states it."""
    stated = any(confident is not None for run in runs for confident in run.confident)
    return DEFAULTS + (CONFIDENCE if stated else ())


TASK = Task(
    name="qa",
    title="Question answering",
    noun="question",
    headline="RR",
    defaults=DEFAULTS,
    more=more,
    settings=AnswerListSettings,
    read=answer_lists.read,
    join=join,
    check=answer_lists.check,
)
