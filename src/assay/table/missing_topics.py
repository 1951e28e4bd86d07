"""From topic values to one number: the averages, which topics enter them, and what one counts that a run leaves out or a
measure does not define.

    missing     zero         a topic the run leaves out counts 0, whatever a measure would say of retrieving nothing
                unanswered   it counts as a question left unanswered
                incorrect    it counts as a question answered wrongly
                skip         it is left out of this run's average
                common       it is left out of every run's average
                error        it is an error
    undefined   zero, skip   the same for a topic on which the measure has no value

This is the only module that reads the two settings; what `failed` means is settled where logs are joined. Counts, which are
summed, never take a 0 for what is not there.
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
    """Per run, the positions of the topics that enter its average of a measure (of any measure, without one).

    A range where all topics do, so that the usual case costs nothing.
    """
    return [_defined(scores, run, measure, present(scores, scores.run(run))) for run in runs]


def present(scores: Scores, run: RunScores, among: Sequence[int] | None = None) -> Sequence[int]:
    """The positions, all or among some, of the topics a run has as far as its averages are concerned."""
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
    """Under `error`, name the first topic that a run leaves out; before anything is made of the table."""
    if scores.settings.missing == ERROR:
        for run in scores.runs:
            present(scores, scores.run(run))


def _missing(scores: Scores, run: RunScores, gone: Sequence[str]) -> str:
    noun = scores.task.noun
    where = f"{run.file}: run" if run.file else "run"
    topics = shorten_list(list(map(repr, gone)), 1)
    taken = scores.task.settings.options()["missing"].kind.choices
    policy, worth = (UNANSWERED, "unanswered") if UNANSWERED in taken else (ZERO, "0")
    return (
        f"{where} {run.name!r} has no results for {noun} {topics}; `missing={policy!r}` counts such {noun}s as "
        f"{worth}, `missing={SKIP!r}` leaves them out"
    )


def _defined(scores: Scores, run: str, measure: Measure | None, places: Sequence[int]) -> Sequence[int]:
    if measure is None or measure.level != "topic" or not leaves_out_undefined(scores.settings, measure):
        return places
    column = scores.run(run).columns[measure.name]
    return places if None not in column else [i for i in places if column[i] is not None]


def leaves_out_undefined(settings: Settings, measure: Measure) -> bool:
    """Whether a topic on which the measure has no value stays out of its average."""
    return settings.undefined == SKIP or measure.average == "sum"


def counted(scores: Scores, run: str, measure: Measure) -> Sequence[Cell]:
    """A run's values on every topic, a missing one worth 0 where that is the policy; None where undefined."""
    given = scores.run(run)
    column = given.columns[measure.name]
    if scores.settings.missing != ZERO or not given.gone or not _can_be_zero(measure):
        return column
    return [0.0 if gone and cell is not None else cell for cell, gone in zip(column, given.missing, strict=True)]


def _can_be_zero(measure: Measure) -> bool:
    """Counts of the gold stay counts, and 0 must not be the best there is."""
    return measure.average != "sum" and bool(measure.declaration.higher_is_better)


def lacks(settings: Settings, cells: Sequence[Any]) -> bool:
    """Whether a topic of a file of scores is missing: no measure has a value, or, where all runs must have the same, one has none."""
    lacking = any if settings.missing in (COMMON, ERROR) else all
    return lacking(cell is None for cell in cells)


def hole(settings: Settings) -> Cell:
    """What a cell without a number in a file of scores is worth."""
    return 0.0 if settings.missing == ZERO else None


def empty_is_an_answer(settings: Settings) -> bool:
    """Whether a topic without a line is a set that is empty: what a filtering system that retrieves nothing writes."""
    return settings.missing == ZERO


def missing_is_wrong(settings: Settings) -> bool:
    """Whether a question a run leaves out counts as answered wrongly, rather than as unanswered."""
    return settings.missing == INCORRECT


def in_words(settings: Settings, noun: str) -> str:
    """What a missing topic counts, as a caption says it.

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
    """The same of logs, which may not hold a topic because nobody asked.

    >>> from types import SimpleNamespace as Settings
    >>> failed_in_words(Settings(failed="skip"), "question")
    'a question that failed, or of which a log has no trace, is left out'
    """
    how = "is left out" if settings.failed == SKIP else f"counts as {settings.failed}"
    return f"a {noun} that failed, or of which a log has no trace, {how}"


def remark(settings: Settings, of: str) -> str:
    """What happened to topics that are `missing` or `undefined`, as a line on standard error says it."""
    said = {ZERO: "counted as 0", SKIP: "left out", COMMON: "left out for all runs"}
    policy = settings.missing if of == "missing" else settings.undefined
    return said.get(policy, f"counted as {policy}")


GEOMETRIC_FLOOR = 1e-5
"""trec_eval's floor: a topic worth 0 would make every geometric mean 0."""


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean, added up in topic order as trec_eval does; None of nothing.

    >>> mean([0.25, 0.75])
    0.5
    """
    total: float = 0
    for value in values:
        total += value
    return total / len(values) if values else None


def total(values: Sequence[float]) -> float | None:
    """The sum, for counts.

    >>> total([2, 3])
    5
    """
    result: float = 0
    for value in values:
        result += value
    return result


def geometric(values: Sequence[float]) -> float | None:
    """The geometric mean, every value raised to at least 1e-5.

    >>> round(geometric([0.25, 1.0]), 12)
    0.5
    """
    logs = 0.0
    for value in values:
        logs += log(max(value, GEOMETRIC_FLOOR))
    return exp(logs / len(values)) if values else None


AVERAGES = {"mean": mean, "sum": total, "geometric": geometric}
