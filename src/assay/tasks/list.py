"""List questions: a set of instances, often with a target number of them."""

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

NAME = "list"
DEFAULT_MEASURES = ("ListAccuracy", "InstanceP", "InstanceR", "InstanceF")
DEFAULTS = {"missing": "zero", "undefined": "skip"}


def views(gold: AnswersGold, source: Source, settings: Settings) -> AnswerViews:
    """A run judged; answers beyond a question's target are warned about, since list accuracy ignores them."""
    run = answer_lists.views(gold, source, settings)
    beyond = [
        (question.id, len(answers) - question.target)
        for question, answers in zip(gold.questions, run.answers, strict=True)
        if question.target is not None and len(answers) > question.target
    ]
    if beyond:
        run.notes["beyond_target"] = sum(count for _, count in beyond)
        run.notes["warnings"].append(
            f"{run.name}: {run.notes['beyond_target']} answers beyond the target of {len(beyond)} questions (such as "
            f"{beyond[0][0]!r}) are ignored by list accuracy"
        )
    return run


def join(
    gold: Source | None, runs: Sequence[Source], settings: Settings
) -> tuple[Any, list[tuple[Source, AnswerViews]]]:
    """Gold and all runs."""
    return answer_lists.join(gold, runs, settings, views)


def default_measures(gold: AnswersGold, runs: Sequence[AnswerViews], settings: Settings) -> tuple[str, ...]:
    """Accuracy is shown only where some question has a target."""
    targets = any(question.target is not None for question in gold.questions)
    return DEFAULT_MEASURES if targets else DEFAULT_MEASURES[1:]
