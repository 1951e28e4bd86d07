"""List questions: a set of instances, often with a target number of them."""

from __future__ import annotations

from collections.abc import Sequence

from assay.io.sources import Source
from assay.tasks import answer_lists, qa
from assay.tasks.answer_lists import AnswerListSettings, AnswerListViews, AnswersGold

DEFAULTS = ("ListAccuracy", "InstanceP", "InstanceR", "InstanceF")


def join(gold: AnswersGold, source: Source, settings: AnswerListSettings) -> list[AnswerListViews]:
    """Read and judge a run; warn about answers beyond a question's target, which list accuracy ignores."""
    run = answer_lists.views(gold, source, settings)
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


def more(gold: AnswersGold, runs: Sequence[AnswerListViews], settings: AnswerListSettings) -> tuple[str, ...]:
    """Return the default measures, with accuracy where some question has a target."""
    targets = any(question.target is not None for question in gold.questions)
    return DEFAULTS if targets else DEFAULTS[1:]


TASK = qa.TASK.but(
    name="list",
    title="List questions",
    headline="ListAccuracy",
    defaults=DEFAULTS,
    more=more,
    join=join,
)
