"""The median run, which did as well as the middle of the field on every topic, and the places of runs in a ranking."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.table import Scores


def median(values: Sequence[float | None]) -> float | None:
    """The middle value, or the mean of the two middle ones; undefined values take no part.

    >>> median([0.1, 0.5, 0.2]), median([0.25, 0.75, None, 0.5, 1.0]), median([None])
    (0.2, 0.625, None)
    """
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    middle = len(known) // 2
    return known[middle] if len(known) % 2 else (known[middle - 1] + known[middle]) / 2


def median_rank(ranks: Sequence[int | None]) -> int | None:
    """The middle rank, the worse of the two middle ones for an even count; None, not found, is the worst rank of all.

    >>> median_rank([1, 3, 2]), median_rank([1, 2, 5, 9]), median_rank([1, None]), median_rank([1, 2, None])
    (2, 5, None, 2)
    """
    if not ranks:
        return None
    worst_last = sorted(ranks, key=lambda rank: (rank is None, rank or 0))
    return worst_last[len(ranks) // 2]


def entered(scores: Scores) -> list[int]:
    """The topics that enter the averages of at least one run: those on which there is a median run."""
    return sorted({i for run in scores.runs for i in scores.entering(run)})


def median_values(scores: Scores, name: str, runs: Sequence[str] | None = None) -> list[float | None]:
    """The median run in a measure: per topic the median over runs (all of them unless named)."""
    columns = [scores.column(run, name) for run in (scores.runs if runs is None else runs)]
    return [median(values) for values in zip(*columns, strict=True)]


def median_ranks(scores: Scores, name: str, runs: Sequence[str] | None = None) -> list[int | None]:
    """The median run in ranks: per topic the median rank over the runs it enters, a value of None being not found."""
    chosen = scores.runs if runs is None else runs
    columns: list[list[Any]] = [scores.column(run, name) for run in chosen]
    entering = [set(scores.entering(run)) for run in chosen]
    return [
        median_rank([column[i] for column, places in zip(columns, entering, strict=True) if i in places])
        for i in range(len(scores.topics))
    ]


def differences(values: Sequence[float | None], medians: Sequence[float | None]) -> list[float | None]:
    """Value minus median, topic by topic; None where either is undefined.

    >>> differences([0.5, None, 0.25], [0.25, 0.1, 0.5])
    [0.25, None, -0.25]
    """
    return [
        None if value is None or middle is None else value - middle
        for value, middle in zip(values, medians, strict=True)
    ]


def tied_ranks(values: Sequence[float | None], higher_is_better: bool = True) -> list[str | None]:
    """Places from the best value down, with shared places as `5..14`; None where there is no value.

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
