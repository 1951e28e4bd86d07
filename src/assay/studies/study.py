"""The whole study of a score table: stability and swap at each size, the extrapolation, the discriminative power."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from assay.errors import UsageError
from assay.execution import Workers, cores
from assay.stats.tables import gaps
from assay.studies.columns import problem_of
from assay.studies.resample import Counts, Problem, Sums, UndefinedError, Whole, count, seconds_per_trial
from assay.studies.stability import stability
from assay.studies.swap import RULES, Extrapolation, Swap, extrapolate, swap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from assay.studies.stability import StabilityPoint
    from assay.table import Scores

WORTH_PROCESSES = 5.0
"""Seconds of work in Python from which starting processes pays."""
STEPS = 5
"""Sizes measured for an extrapolation when only one is asked for: fifths of it."""


@dataclass(frozen=True)
class AtSize:
    """One measure at one size."""

    size: int
    stability: list[StabilityPoint]
    swap: Swap | None

    def as_dict(self) -> dict[str, Any]:
        result: dict[str, Any] = {"stability": [point.as_dict() for point in self.stability]}
        if self.swap is not None:
            result["swap"] = self.swap.as_dict()
        return result


@dataclass
class MeasureStudy:
    """All that was found about one measure."""

    name: str
    at: list[AtSize]
    extrapolation: Extrapolation | None
    best: list[tuple[str, float]]
    """The best two runs on all topics, with their values."""
    missing: int
    undefined: int
    """Cells of the table that had no result, or no value."""
    discrimination: list[Any] = field(default_factory=list[Any])

    @property
    def gap(self) -> float | None:
        """By how much the best two runs differ."""
        return abs(self.best[0][1] - self.best[1][1]) if len(self.best) == 2 else None

    def as_dict(self) -> dict[str, Any]:
        result: dict[str, Any]
        if len(self.at) == 1:
            result = self.at[0].as_dict()
        else:
            result = {"sizes": [{"size": one.size, **one.as_dict()} for one in self.at]}
        if self.extrapolation is not None:
            result["extrapolation"] = self.extrapolation.as_dict()
        result["best"] = [{"run": run, "value": value} for run, value in self.best]
        result["missing"], result["undefined"] = self.missing, self.undefined
        if self.discrimination:
            result["discrimination"] = {one.method: one.as_dict() for one in self.discrimination}
        return result


@dataclass
class Reliability:
    """The study of a set of runs."""

    runs: list[str]
    topics: int
    sizes: list[int]
    trials: int
    seed: int
    rule: str
    confidence: float
    measures: dict[str, MeasureStudy]
    settings: dict[str, Any]

    @property
    def pairs(self) -> int:
        return len(self.runs) * (len(self.runs) - 1) // 2

    def as_dict(self) -> dict[str, Any]:
        """The JSON form, as docs/reliability.md documents it."""
        return {
            "size": self.sizes[0] if len(self.sizes) == 1 else self.sizes,
            "trials": self.trials,
            "seed": self.seed,
            "rule": self.rule,
            "confidence": self.confidence,
            "runs": len(self.runs),
            "topics": self.topics,
            "pairs": self.pairs,
            "comparisons": self.pairs * self.trials,
            "measures": {name: study.as_dict() for name, study in self.measures.items()},
            "settings": self.settings,
        }


def reliability(
    scores: Scores,
    *,
    measures: Sequence[str] | None = None,
    size: int | Sequence[int] | None = None,
    trials: int = 1000,
    seed: int | None = None,
    rule: str = "original",
    confidence: float = 0.95,
    with_swap: bool = True,
    discrimination: Sequence[str] = (),
    executor: Executor | str | None = "local",
    scheduler: str | None = None,
    processes: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Reliability:
    """How far the table's measures can be trusted on subsets of its topics.

    `size` is the number of topics of a subset, half of all unless said otherwise, or several sizes. `executor` is
    "local" (all cores), "dask", None (this thread) or any concurrent.futures.Executor; the result is the same to the
    last digit. `processes` lets a long local study of measures that only Python can recompute start processes; it is
    off by default because a script that starts processes must guard its main module. `progress` hears how many trials
    of how many are done.
    """
    problem = problem_of(scores, measures)
    sizes = check_sizes(size, problem.topics, with_swap)
    check_choices(trials, rule, confidence)
    seed = scores.settings.seed if seed is None else seed
    extra = _extra_sizes(problem, sizes) if with_swap else []
    heard = _Progress(progress, trials * (len(sizes) + len(extra)))
    wrong = 1 - Fraction(str(confidence))
    seconds = sum(trials * seconds_per_trial(problem, one, 1 + with_swap) for one in sizes)
    options: dict[str, Any] = {"seed": seed, "swap": with_swap, "progress": heard}
    with _workers(executor, scheduler, processes and seconds > WORTH_PROCESSES) as pool:
        options.update(executor=pool, workers=max(1, 4 * cores()))
        counted = {one: count(problem, one, trials, **options) for one in sizes}
        smaller = _count_smaller(problem, extra, trials, options)
    studies: dict[str, MeasureStudy] = {}
    for i, measure in enumerate(problem.measures):
        at = [
            AtSize(one, stability(c[i]), swap(c[i], rule=rule, wrong=wrong) if with_swap else None)
            for one, c in counted.items()
        ]
        measured = [(one.size, one.swap) for one in at if one.swap is not None]
        measured += [(one, swap(c, rule=rule, wrong=wrong)) for one, c in smaller.get(measure.name, {}).items()]
        beyond = extrapolate(measured, problem.topics)
        studies[measure.name] = MeasureStudy(measure.name, at, beyond, *_standing(scores, measure.name))
    if discrimination:
        from assay.studies.discrimination import discriminate

        for measure in problem.measures:
            tests = [m for m in discrimination if m != "tukey" or not isinstance(measure, Whole)]
            studies[measure.name].discrimination = [
                discriminate(problem, measure, test, trials=trials, seed=seed) for test in tests
            ]
    return Reliability(
        runs=problem.runs,
        topics=problem.topics,
        sizes=sizes,
        trials=trials,
        seed=seed,
        rule=rule,
        confidence=confidence,
        measures=studies,
        settings=scores.settings.as_dict(),
    )


def check_sizes(size: int | Sequence[int] | None, topics: int, with_swap: bool) -> list[int]:
    """The sizes to study, smallest first; a size that cannot be drawn is refused with what can."""
    sizes = [topics // 2] if size is None else sorted({size} if isinstance(size, int) else set(size))
    most = topics // 2 if with_swap else topics
    for one in sizes:
        if one < 1:
            raise UsageError(f"--size {one}: expected at least 1 topic")
        if one > most and with_swap:
            raise UsageError(
                f"--size {one}: the swap method needs two subsets without a common topic, so at most {most} of the "
                f"{topics} topics; ask for {most} or fewer, or leave it out with --no-swap"
            )
        if one > most:
            raise UsageError(f"--size {one}: there are only {topics} topics")
    return sizes


def check_choices(trials: int, rule: str, confidence: float) -> None:
    if trials < 1:
        raise UsageError(f"--trials {trials}: expected at least 1")
    if rule not in RULES:
        raise UsageError(f"--rule {rule}: expected one of {', '.join(RULES)}")
    if not 0 < confidence < 1:
        raise UsageError(f"--confidence {confidence}: expected a number between 0 and 1, such as 0.95")


def _extra_sizes(problem: Problem, sizes: list[int]) -> list[int]:
    """Smaller sizes to extrapolate from, where fewer than three are asked for and some measure is cheap to resample."""
    if len(sizes) >= 3 or all(isinstance(m, Whole) for m in problem.measures):
        return []
    largest = sizes[-1]
    steps = {largest * step // STEPS for step in range(1, STEPS)}
    return sorted(one for one in steps if one >= 2 and one not in sizes)


def _count_smaller(
    problem: Problem, sizes: list[int], trials: int, options: dict[str, Any]
) -> dict[str, dict[int, Counts]]:
    """By measure and size, the counts an extrapolation needs. A measure that is undefined on so few topics has none:
    nobody asked for these sizes, so they must not stop the study."""
    measures: list[Sums | Whole] = [m for m in problem.measures if not isinstance(m, Whole)]
    found: dict[str, dict[int, Counts]] = {}
    for size in sizes:
        counts: list[Counts] = []
        while measures and not counts:
            try:
                counts = count(
                    Problem(problem.runs, problem.topics, measures, problem.columns), size, trials, **options
                )
            except UndefinedError as error:
                measures = [m for m in measures if m.name != error.measure]
        for measure, one in zip(measures, counts, strict=True):
            found.setdefault(measure.name, {})[size] = one
    return found


def _workers(executor: Executor | str | None, scheduler: str | None, processes: bool) -> Any:
    if isinstance(executor, str):
        return Workers(executor, processes=processes, scheduler=scheduler)
    return nullcontext(executor)


class _Progress:
    def __init__(self, listener: Callable[[int, int], None] | None, total: int) -> None:
        self.listener = listener
        self.done = 0
        self.total = total

    def __call__(self, trials: int) -> None:
        self.done += trials
        if self.listener is not None:
            self.listener(self.done, self.total)


def _standing(scores: Scores, name: str) -> tuple[list[tuple[str, float]], int, int]:
    """The best two runs on all topics, and how many cells were missing or undefined."""
    measure = scores.measure(name)
    values = {run: scores.value(run, measure) for run in scores.runs}
    known = [(run, float(v.value)) for run, v in values.items() if v.value is not None]
    known.sort(key=lambda pair: pair[1], reverse=measure.declaration.higher_is_better is not False)
    lacking = [gaps(scores, run, measure) for run in scores.runs]
    return known[:2], sum(missing for missing, _ in lacking), sum(undefined for _, undefined in lacking)
