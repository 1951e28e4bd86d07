"""What a missing topic counts, what an undefined value counts, and the averages over topics.

    missing     zero         a missing topic counts 0, whatever the measure gives for retrieving nothing
                unanswered   it counts as an unanswered question
                incorrect    it counts as an incorrect answer
                skip         it is excluded from this run's average
                common       it is excluded from every run's average
                error        it is an error
    undefined   zero, skip   the same for a topic on which the measure is undefined

This is the only module that reads these two settings. The setting `failed` is applied where logs are joined
(`tasks/outcomes/states.py`). Counts, which are summed, never take 0 for a missing topic.
"""

from __future__ import annotations

from math import exp, log

from assay.errors import InputError, shorten_list
from assay.settings import COMMON, ERROR, INCORRECT, SKIP, UNANSWERED, ZERO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from assay.measures.measure import Measure
    from assay.settings import Settings
    from assay.table.run_scores import Cell, RunScores
    from assay.table.scores import Scores


def entering(scores: Scores, runs: Iterable[str], measure: Measure | None = None) -> list[Sequence[int]]:
    """Return for each run the positions of the topics in its average of a measure, or of any (None).

    The positions are a range where all topics enter.
    """
    return [_defined(scores, run, measure, present(scores, scores.run(run))) for run in runs]


def present(scores: Scores, run: RunScores, among: Sequence[int] | None = None) -> Sequence[int]:
    """Return the positions of the topics that enter a run's averages, all or among some."""
    looked_at: Sequence[int] = range(len(scores.topics)) if among is None else among
    if run.samples is not None and 0 in run.samples:
        looked_at = [i for i in looked_at if run.samples[i]]
    policy = scores.settings.missing
    if policy == COMMON:
        common = scores.common
        return looked_at if all(common) else [i for i in looked_at if common[i]]
    if not run.gone:
        return looked_at
    if policy == SKIP:
        return [i for i in looked_at if not run.missing[i]]
    if policy == ERROR:
        gone = [scores.topics[i] for i in looked_at if run.missing[i]]
        if gone:
            raise InputError(_missing(scores, run, gone))
    return looked_at


def check(scores: Scores) -> None:
    """Raise InputError with the first missing topic under `missing='error'`."""
    if scores.settings.missing == ERROR:
        for run in scores.runs:
            present(scores, scores.run(run))


def _missing(scores: Scores, run: RunScores, gone: Sequence[str]) -> str:
    noun = scores.task.noun
    where = f"{run.file}: run" if run.file else "run"
    topics = shorten_list(list(map(repr, gone)), 1)
    choices = scores.task.settings.options()["missing"].kind.choices
    policy, worth = (UNANSWERED, "unanswered") if UNANSWERED in choices else (ZERO, "0")
    return (
        f"{where} {run.name!r} has no results for {noun} {topics}; `missing={policy!r}` counts such {noun}s as "
        f"{worth}, `missing={SKIP!r}` excludes them"
    )


def _defined(scores: Scores, run: str, measure: Measure | None, places: Sequence[int]) -> Sequence[int]:
    if measure is None or measure.level != "topic" or not leaves_out_undefined(scores.settings, measure):
        return places
    column = scores.run(run).columns[measure.name]
    return places if None not in column else [i for i in places if column[i] is not None]


def leaves_out_undefined(settings: Settings, measure: Measure) -> bool:
    """Return whether undefined topics are excluded from the measure's average."""
    return settings.undefined == SKIP or measure.average == "sum"


def counted(scores: Scores, run: str, measure: Measure) -> Sequence[Cell]:
    """Return a run's value on every topic: 0 on missing topics under `missing='zero'`, None where undefined."""
    scored = scores.run(run)
    column = scored.columns[measure.name]
    if scores.settings.missing != ZERO or not scored.gone or not _can_be_zero(measure):
        return column
    return [0.0 if gone and cell is not None else cell for cell, gone in zip(column, scored.missing, strict=True)]


def _can_be_zero(measure: Measure) -> bool:
    """Return whether a missing topic may count 0: not in counts, and not where lower values are better."""
    return measure.average != "sum" and bool(measure.declaration.higher_is_better)


def lacks(settings: Settings, cells: Sequence[Any]) -> bool:
    """Return whether a topic of a score file is missing: all values are, or any under `common` and `error`."""
    lacking = any if settings.missing in (COMMON, ERROR) else all
    return lacking(cell is None for cell in cells)


def hole(settings: Settings) -> Cell:
    """Return the value of an empty cell in a score file."""
    return 0.0 if settings.missing == ZERO else None


def empty_is_an_answer(settings: Settings) -> bool:
    """Return whether a topic without a line is an empty retrieved set (filtering), and not missing."""
    return settings.missing == ZERO


def missing_is_wrong(settings: Settings) -> bool:
    """Return whether a missing question counts as incorrect rather than unanswered."""
    return settings.missing == INCORRECT


def in_words(settings: Settings, noun: str) -> str:
    """Return what a missing topic counts, for a caption.

    >>> from assay.settings import Settings
    >>> in_words(Settings(missing="skip"), "topic")
    'topics a run leaves out are left out'
    """
    return {
        ZERO: f"a {noun} a run leaves out counts 0",
        SKIP: f"{noun}s a run leaves out are left out",
        COMMON: f"only {noun}s all runs have",
        UNANSWERED: f"a {noun} a run leaves out counts as unanswered",
        INCORRECT: f"a {noun} a run leaves out counts as incorrect",
        ERROR: f"every run has every {noun}",
    }[settings.missing]


def failed_in_words(settings: Any, noun: str) -> str:
    """Return what a failed or absent topic of a log counts, for a caption.

    >>> from types import SimpleNamespace as Settings
    >>> failed_in_words(Settings(failed="skip"), "question")
    'a question that failed, or of which a log has no trace, is left out'
    """
    how = "is left out" if settings.failed == SKIP else f"counts as {settings.failed}"
    return f"a {noun} that failed, or of which a log has no trace, {how}"


def remark(settings: Settings, of: str) -> str:
    """Return what topics count that are `missing` or `undefined` (the value of `of`), for a remark."""
    effects = {ZERO: "counted as 0", SKIP: "left out", COMMON: "left out for all runs"}
    policy = settings.missing if of == "missing" else settings.undefined
    return effects.get(policy, f"counted as {policy}")


GEOMETRIC_FLOOR = 1e-5
"""trec_eval's lower bound; a single 0 would make the geometric mean 0."""


def mean(values: Sequence[float]) -> float | None:
    """Return the arithmetic mean, summed in topic order as in trec_eval; None without values.

    >>> mean([0.25, 0.75])
    0.5
    """
    total: float = 0
    for value in values:
        total += value
    return total / len(values) if values else None


def total(values: Sequence[float]) -> float | None:
    """Return the sum, for counts.

    >>> total([2, 3])
    5
    """
    result: float = 0
    for value in values:
        result += value
    return result


def geometric(values: Sequence[float]) -> float | None:
    """Return the geometric mean, values below 1e-5 counting as 1e-5; None without values.

    >>> round(geometric([0.25, 1.0]), 12)
    0.5
    """
    logs = 0.0
    for value in values:
        logs += log(max(value, GEOMETRIC_FLOOR))
    return exp(logs / len(values)) if values else None


AVERAGES = {"mean": mean, "sum": total, "geometric": geometric}
