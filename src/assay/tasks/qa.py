"""Question answering with ranked answers: up to five a question, judged strictly and leniently side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.tasks import answer_lists
from assay.tasks.answer_lists import OPTIONS, TOPIC_COLUMNS, fields, read_gold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.formats.sources import Source
    from assay.settings import Settings
    from assay.tasks.answer_lists import AnswersGold, AnswerViews

__all__ = [
    "DEFAULTS", "DEFAULT_MEASURES", "NAME", "OPTIONS", "TOPIC_COLUMNS", "default_measures", "fields", "join",
    "read_gold", "views",
]  # fmt: skip

NAME = "qa"
DEFAULT_MEASURES = (
    "RR", "RR(judged=lenient)", "NotFound", "NotFound(judged=lenient)", "NIL", "NILCorrect", "NQcorrect1", "NQcorrect5",
    "Q",
)  # fmt: skip
CONFIDENCE_MEASURES = ("Confident", "ConfidentCorrect")
DEFAULTS = {"missing": "zero", "undefined": "skip"}
ANSWERS = 5
"""How many answers a question may have, unless --answers says otherwise."""


def views(gold: AnswersGold, source: Source, settings: Settings) -> AnswerViews:
    """A run judged."""
    return answer_lists.views(gold, source, settings, ANSWERS)


def join(
    gold: Source | None, runs: Sequence[Source], settings: Settings
) -> tuple[Any, list[tuple[Source, AnswerViews]]]:
    """Gold and all runs."""
    return answer_lists.join(gold, runs, settings, views)


def default_measures(gold: AnswersGold, runs: Sequence[AnswerViews], settings: Settings) -> tuple[str, ...]:
    """Confidence is shown only where some run states it."""
    stated = any(confident is not None for run in runs for confident in run.confident)
    return DEFAULT_MEASURES + (CONFIDENCE_MEASURES if stated else ())
