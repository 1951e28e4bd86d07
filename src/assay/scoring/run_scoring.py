"""Score one run: compute its columns by the C core where it has the measure, else by the measure's function."""

from __future__ import annotations

from math import isfinite

from assay.errors import AssayError, InputError
from assay.table.run_scores import RunScores, each

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from assay.measures.measure import Measure
    from assay.tasks import Views


def score_run(views: Views, measures: Sequence[Measure], also: Sequence[str] = (), keep: bool = True) -> RunScores:
    """Return every measure on every topic of a run, and the ingredients of the other measures.

    also   further ingredient columns
    keep   whether the result keeps the views
    """
    columns: dict[str, Any] = {}
    by_sample: dict[str, list[tuple[float, ...]]] = {}
    steps: list[tuple[Callable[[Any], Any], Callable[[Any], None]]] = []
    samples: Sequence[int] | None = getattr(views, "samples", None)
    lacking: Sequence[str] = getattr(views, "lacking", ())
    ingredients = dict.fromkeys(name for name in also if name not in lacking)
    if samples is not None:
        from assay.formats.answers.states import STATE

        ingredients.update(dict.fromkeys([each(name) for name in ingredients if name != STATE]))
    by_core = _by_core(views, measures)
    for m in measures:
        if m.name in by_core:
            columns[m.name] = by_core[m.name]
        elif m.level == "topic":
            columns[m.name] = []
            function = m.bound()
            if samples is not None and not m.declaration.of_samples:
                by_sample[each(m.name)] = []
                from functools import partial

                function = partial(_mean_over_samples, function, by_sample[each(m.name)])
            steps.append((function, columns[m.name].append))
        elif m.level == "whole" and samples is not None:
            ingredients.update(dict.fromkeys(map(each, m.of)))
        else:
            ingredients.update(dict.fromkeys(m.of))
    if steps:
        try:
            for view in views:
                for function, append in steps:
                    append(function(view))
        except (AssayError, MemoryError):
            raise
        except Exception as problem:
            raise _failed(
                {name: column for name, column in columns.items() if name not in by_core}, problem
            ) from problem
    for m in measures:
        if m.level == "topic" and m.name not in by_core:
            if not m.declaration.ours:
                _check_results(m.name, columns[m.name])
            columns[m.name] = tuple(columns[m.name])
    columns.update(by_sample)
    for ingredient in ingredients:
        columns[ingredient] = views.column(ingredient)
    return RunScores(views.name, views.file, columns, views.missing, views.notes, views if keep else None, samples)


def _by_core(views: Views, measures: Sequence[Measure]) -> Mapping[str, Sequence[float | None]]:
    """Return the columns of the measures that the C core computes, where it has read the run."""
    measured = getattr(views, "measured", None)
    kernels = [] if measured is None else [(m.name, kernel) for m in measures if (kernel := m.kernel()) is not None]
    values = measured([kernel for _, kernel in kernels]) if measured is not None and kernels else None
    return dict(zip((name for name, _ in kernels), values or (), strict=False))


def _mean_over_samples(function: Callable[[Any], Any], kept: list[tuple[float, ...]], view: Any) -> float | None:
    """Return the mean of a measure over the samples where it is defined; append their values to `kept`."""
    values = tuple(value for value in map(function, view.samples) if value is not None)
    kept.append(values)
    return sum(values) / len(values) if values else None


def _failed(columns: Mapping[str, Sequence[Any]], problem: Exception) -> InputError:
    """Return the error naming the measure that failed, the topic and the line of code."""
    names, counts = list(columns), list(map(len, columns.values()))
    at = next((i for i, count in enumerate(counts) if count < counts[0]), 0)
    import traceback

    place = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{place.filename}:{place.lineno}"
    return InputError(
        f"measure {names[at]} failed on topic number {counts[at] + 1}: {where}: {type(problem).__name__}: {problem}"
    )


def _check_results(name: str, column: Sequence[Any]) -> None:
    """Refuse results of a user-defined measure that are neither finite numbers nor None."""
    for i, cell in enumerate(column, 1):
        if cell is not None and not (isinstance(cell, (int, float)) and isfinite(cell)):
            raise InputError(
                f"measure {name} returned {cell!r} on topic number {i}; expected a finite number, or None where undefined"
            )
