"""Figures shared by several tasks: the median run, ranks, percentages, sorting keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assay.errors import UsageError
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.measures.measure import Measure


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """The function of a task's figures, and the measures and ingredient columns that it needs."""

    figures: Callable[[Scores], Any]
    measures: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    table: Callable[[Any, bool], tuple[list[str], list[list[Any]]] | None] | None = None
    """(figures, whether measures are chosen): the task's own table below the scores, header and rows, or None."""
    measures_for: Callable[[Scores, str], tuple[str, ...]] | None = None
    """(scores, table): the default measures of the tables `by` and `rankings`."""


@dataclass(frozen=True, slots=True)
class RunsFigures:
    """Figures of a campaign: its topics, and the figures of each run."""

    topics: tuple[str, ...]
    runs: tuple[Any, ...]

    @classmethod
    def of(cls, scores: Scores, figures_of: Callable[[Scores, str], Any]) -> RunsFigures:
        return cls(tuple(scores.topics), tuple(figures_of(scores, run) for run in scores.runs))


@dataclass(frozen=True, slots=True)
class Count:
    """A number of topics and its percentage of all topics; None where there are no topics."""

    count: int
    percent: float | None

    @classmethod
    def of(cls, count: int, total: int) -> Count:
        return cls(count, 100 * count / total if total else None)


@dataclass(frozen=True, slots=True)
class AgainstMedian:
    """A run's values in a measure, the medians over runs, and the differences; None is undefined."""

    measure: str
    values: tuple[float | None, ...]
    medians: tuple[float | None, ...]
    differences: tuple[float | None, ...]

    @property
    def above(self) -> int:
        """The number of topics on which the run is better than the median run."""
        return sum(1 for difference in self.differences if difference is not None and difference > 0)


def against_median(scores: Scores, run: str, measure: str, peers: Sequence[str] | None = None) -> AgainstMedian:
    """Compare a run with the median of its peers (default: all runs), itself included."""
    return against(measure, scores.column(run, measure), median_values(scores, measure, peers))


def against(measure: str, values: Sequence[float | None], medians: Sequence[float | None]) -> AgainstMedian:
    """Compare a run's values in one measure with the medians."""
    return AgainstMedian(measure, tuple(values), tuple(medians), tuple(differences(values, medians)))


def graphs(scores: Scores, run: str, measures: Sequence[str]) -> tuple[AgainstMedian, ...]:
    """Compare a run with the median run in each of the measures that it has a value for."""
    return tuple(against_median(scores, run, name) for name in measures if scores.value(run, name).value is not None)


def characteristics(scores: Scores, run: str) -> dict[str, Any]:
    """Return the characteristics of a run."""
    return dict(scores.run(run).notes.characteristics or {})


RUN_TYPE = ("type", "run_type")
"""Characteristics with the type of a run, such as automatic or manual; the first that exists is used."""


def run_type(described: Mapping[str, Any]) -> str:
    """Return the run type from characteristics, in lower case; empty if absent.

    >>> run_type({"type": "Automatic "}), run_type({"run_type": "manual"}), run_type({})
    ('automatic', 'manual', '')
    """
    named = next((described[name] for name in RUN_TYPE if described.get(name)), "")
    return str(named).strip().lower()


def corresponding_kind(described: Mapping[str, Any]) -> str:
    """Return subtask and type of a run in words; empty where characteristics give neither.

    Runs of the same subtask and type are compared with each other.

    >>> corresponding_kind({"subtask": "Adaptive", "type": "automatic"}), corresponding_kind({"type": "manual"})
    ('adaptive automatic', 'manual')
    """
    subtask = str(described.get("subtask") or "").strip().lower()
    return " ".join(filter(None, (subtask, run_type(described))))


def headline(scores: Scores) -> Measure:
    """Return the default measure: the task's own, else the first one with a direction."""
    task_headline = [m for m in scores.measures if m.name == scores.task.headline]
    directed = [m for m in scores.measures if m.declaration.higher_is_better is not None]
    candidates = [*task_headline, *directed, *scores.measures]
    if not candidates:
        raise UsageError("no measure to compare by; `measure` names one")
    return candidates[0]


def values_of(scores: Scores, run: str, **measures: str) -> dict[str, float | None]:
    """Return a run's values under the names of its figures' fields."""
    return {name: scores.value(run, measure).value for name, measure in measures.items()}


COUNTED = ("NumRet", "NumRel", "NumRelRet")
"""Measures of a retrieval run that count documents: retrieved, relevant, and both."""


def counts(scores: Scores, run: str, measures: Sequence[str] = COUNTED) -> tuple[int, ...]:
    """Return a run's values in measures that count; an undefined value counts 0."""
    return tuple(int(scores.value(run, name).value or 0) for name in measures)


def gold_counts(scores: Scores, column: str) -> tuple[int, ...]:
    """Return a column that depends on the gold alone, read from the first run."""
    return tuple(int(value or 0) for value in scores.run(scores.runs[0]).columns[column])


def median_curve(curves: Iterable[Sequence[float | None]]) -> tuple[float | None, ...]:
    """Return the median of several curves at each of their points."""
    return tuple(median(values) for values in zip(*curves, strict=True))


def median(values: Sequence[float | None]) -> float | None:
    """Return the middle value, or the mean of the two middle ones; None values are ignored.

    >>> median([0.1, 0.5, 0.2]), median([0.25, 0.75, None, 0.5, 1.0]), median([None])
    (0.2, 0.625, None)
    """
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    middle = len(known) // 2
    return known[middle] if len(known) % 2 else (known[middle - 1] + known[middle]) / 2


def median_rank(ranks: Sequence[int | None]) -> int | None:
    """Return the middle rank, the worse of two middle ones; None (not found) is the worst rank.

    >>> median_rank([1, 3, 2]), median_rank([1, 2, 5, 9]), median_rank([1, None]), median_rank([1, 2, None])
    (2, 5, None, 2)
    """
    worst_last = sorted(ranks, key=lambda rank: (rank is None, rank or 0))
    return worst_last[len(ranks) // 2] if ranks else None


def entered(scores: Scores) -> list[int]:
    """Return the topics that enter the averages of at least one run."""
    return sorted({i for run in scores.runs for i in scores.entering(run)})


def median_values(scores: Scores, name: str, runs: Sequence[str] | None = None) -> list[float | None]:
    """Return, per topic, the median of a measure over the runs (default: all)."""
    columns = [scores.column(run, name) for run in (scores.runs if runs is None else runs)]
    return list(median_curve(columns))


def median_ranks(scores: Scores, name: str) -> list[int | None]:
    """Return, per topic, the median rank over the runs that it enters; None is not found."""
    columns: list[list[Any]] = [scores.column(run, name) for run in scores.runs]
    entering = [set(scores.entering(run)) for run in scores.runs]
    return [
        median_rank([column[i] for column, places in zip(columns, entering, strict=True) if i in places])
        for i in range(len(scores.topics))
    ]


def differences(values: Sequence[float | None], medians: Sequence[float | None]) -> list[float | None]:
    """Return value minus median, topic by topic; None where either is undefined.

    >>> differences([0.5, None, 0.25], [0.25, 0.1, 0.5])
    [0.25, None, -0.25]
    """
    return [
        None if value is None or middle is None else value - middle
        for value, middle in zip(values, medians, strict=True)
    ]


def tied_ranks(values: Sequence[float | None], higher_is_better: bool = True) -> list[str | None]:
    """Return ranks from the best value down, ties as `5..14`; None where there is no value.

    >>> tied_ranks([0.3, 0.9, 0.3, None])
    ['2..3', '1', '2..3', None]
    >>> tied_ranks([0.3, 0.9], higher_is_better=False)
    ['1', '2']
    """
    known = sorted((value for value in values if value is not None), reverse=higher_is_better)
    last = {value: place for place, value in enumerate(known, start=1)}
    first = {value: place for place, value in reversed(list(enumerate(known, start=1)))}
    places = {
        value: f"{first[value]}..{last[value]}" if first[value] < last[value] else str(last[value]) for value in last
    }
    return [None if value is None else places[value] for value in values]


@lru_cache(1 << 16)
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sorting key that puts topic 9 before topic 10.

    >>> sorted(["10", "9", "q2b", "q2a", "q10"], key=natural)
    ['9', '10', 'q2a', 'q2b', 'q10']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    # Of two numbers the one with more digits is larger: digits are compared as text, since int() is limited to 4,300.
    digits = [part.lstrip("0") if part[0] in "0123456789" else None for part in parts]
    return tuple(
        (1, 0, part) if number is None else (0, len(number), number) for part, number in zip(parts, digits, strict=True)
    )
