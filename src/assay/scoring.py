"""Views × measures → the score table."""

from __future__ import annotations

from assay.scores import RunScores, Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType
    from typing import Any

    from assay.measures.declare import Measure
    from assay.settings import Settings
    from assay.tasks import Views


def score_run(views: Views, measures: Sequence[Measure]) -> RunScores:
    """Every measure on every topic of one run, and the ingredient columns of those that have no value per topic."""
    topic_level = [m for m in measures if m.level == "topic"]
    columns: dict[str, list[Any]] = {m.name: [] for m in topic_level}
    steps = [(m.bound(), columns[m.name].append) for m in topic_level]
    if steps:
        for view in views:
            for function, append in steps:
                append(function(view))
    for ingredient in {name: None for m in measures for name in m.of}:
        columns[ingredient] = views.column(ingredient)
    return RunScores(views.name, views.file, columns, views.missing, views.notes)


def table(
    task: ModuleType,
    gold: Any,
    runs: Iterable[Views],
    measures: Sequence[Measure],
    settings: Settings,
) -> Scores:
    """The score table of some runs."""
    scored = [score_run(views, measures) for views in runs]
    return Scores(task.NAME, settings, gold.topics, measures, scored, task.fields(gold))
