"""The whole study of a score table: stability and swap at each size, the extrapolation, the discriminative power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Any

import numpy as np

from assay.errors import UndefinedError, UsageError
from assay.measures.measure import Measure
from assay.parallel.executors import cores, workers
from assay.parallel.memory_limits import BYTES_DRAWN, afford
from assay.resampling.columns import Columns, studied
from assay.resampling.resamplers import Resampler
from assay.resampling.sign_flips import SignFlips, t_of
from assay.resampling.subsets import Counts, Subsets, count, count_sizes
from assay.scoring.evaluate import scores_of
from assay.settings import CONFIDENCE, POSITIVE, WHOLE, checked, one_of
from assay.stats.discriminative_power import Discrimination, discriminate
from assay.stats.extrapolation import INTERVAL_CONFIDENCE, Extrapolation, extrapolate
from assay.stats.stability import RULES, SENSITIVITY, StabilityPoint, Swap, stability, swap
from assay.stats.variance_components import jackknife_margin
from assay.table.results import Result

WORTH_PROCESSES = 5.0
"""Seconds of work in Python from which starting processes pays."""
QUICKEST = 5e-7
"""Seconds of a trial of the smallest study."""
STEPS = 5
"""Sizes measured for an extrapolation when only one is asked for: fifths of it."""
MANY_PAIRS = 50_000
"""Of runs, whose counts fill the memory: measures are studied one after the other."""
FEWEST_PAIRS = 10
"""Pairs of runs below which swap rates are of too few pairs to advise which difference to believe."""
FEW = 1000
"""Topics up to which a measure of whole runs is computed without each of them, for the interval of an extrapolation."""


CRITICAL_RESAMPLES = 2_000


@dataclass(frozen=True)
class Critical:
    """Medians over the pairs of runs: half the width of the interval of a difference."""

    alone: float
    """Of a pair by itself."""
    together: float
    """Of every pair at once, by max-T."""


def critical(columns: Columns, *, confidence: float = 0.95, seed: int = 0) -> Critical | None:
    """Return the difference at which two runs differ significantly, as in `assay compare`; None with too few topics.

    >>> import assay
    >>> values = [[0.1 * i, 0.1 * i + 0.05 * (i % 3)] for i in range(9)]
    >>> scores = assay.scores(values)
    >>> found = critical(Columns.of(scores, scores.measures[0]))
    >>> round(found.alone, 3)  # t(.975, 8) = 2.306 standard errors of .0144
    0.033
    """
    from scipy.special import stdtrit

    shared = columns.shared()
    if len(shared.places) < 2 or len(columns.runs) < 2 or not shared.resampler.can("add"):
        return None
    linear = shared.resampler.linear
    if not np.isfinite(linear).all():
        return None
    a, b = np.triu_indices(len(columns.runs), 1)
    flips = SignFlips(linear, resamples=CRITICAL_RESAMPLES, seed=seed)
    covariance = np.atleast_2d(np.cov(linear.T))
    squares = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
    error = float(np.median(np.sqrt(np.maximum(squares, 0.0) / flips.units)))
    alpha = 1 - confidence
    largest = float(t_of(np.minimum(flips.exceeded(flips.maxima(a, b), alpha), 1.0), flips.units))
    together = largest * error
    if not np.isfinite(together) or not error:
        return None
    return Critical(float(stdtrit(flips.units - 1, 1 - alpha / 2)) * error, together)


@dataclass(frozen=True, kw_only=True)
class SizeResult:
    """One measure at one size."""

    size: int
    stability: list[StabilityPoint]
    swap: Swap | None

    def to_dict(self) -> dict[str, Any]:
        curve = {"stability": [vars(point) for point in self.stability]}
        return curve if self.swap is None else {**curve, "swap": self.swap.to_dict()}


@dataclass(frozen=True, kw_only=True)
class MeasureStudy:
    """All that was found about one measure."""

    name: str
    at: list[SizeResult]
    extrapolation: Extrapolation | None
    best: list[tuple[str, float]]
    """The best two runs on all topics, with their values."""
    missing: int
    undefined: int
    """Cells of the table that had no result, or no value."""
    discrimination: list[Discrimination] = field(default_factory=list[Discrimination])
    critical: Critical | None = None
    """What a test on all topics of the table tells apart."""

    @property
    def gap(self) -> float | None:
        """By how much the best two runs differ."""
        return abs(self.best[0][1] - self.best[1][1]) if len(self.best) == 2 else None

    def to_dict(self) -> dict[str, Any]:
        alone = len(self.at) == 1
        many = {"sizes": [{"size": one.size, **one.to_dict()} for one in self.at]}
        result: dict[str, Any] = self.at[0].to_dict() if alone else many
        if self.extrapolation is not None:
            result["extrapolation"] = self.extrapolation.to_dict()
        result["best"] = [{"run": run, "value": value} for run, value in self.best]
        result["missing"], result["undefined"] = self.missing, self.undefined
        result["critical"] = None if self.critical is None else vars(self.critical)
        if self.discrimination:
            result["discrimination"] = {one.method: one.to_dict() for one in self.discrimination}
        return result


@dataclass(frozen=True, kw_only=True, repr=False)
class Reliability(Result):
    """The study of a set of runs."""

    runs: list[str]
    noun: str
    """What the task calls its topics: topic, question, problem."""
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

    @property
    def too_few_pairs(self) -> bool:
        """Whether there are too few pairs of runs to advise which difference to believe: fewer than 10."""
        return self.pairs < FEWEST_PAIRS

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, as docs/reliability.md documents it."""
        asked = {name: getattr(self, name) for name in ("trials", "seed", "rule", "confidence")}
        size = self.sizes[0] if len(self.sizes) == 1 else self.sizes
        counts = {
            "runs": len(self.runs),
            "topics": self.topics,
            "pairs": self.pairs,
            "comparisons": self.pairs * self.trials,
            "too_few_pairs": self.too_few_pairs,
        }
        measures = {name: study.to_dict() for name, study in self.measures.items()}
        return {"size": size, **asked, **counts, "measures": measures, "settings": self.settings}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per measure and size: the stability at f = .05 and, after Sakai and after Peñas and Rodrigo, the sensitivity."""
        header = ["measure", "size", "minority@.05", "ties@.05"]
        if all(one.swap is not None for m in self.measures.values() for one in m.at):
            header += ["difference", "stays", "highest", "relative", "sensitivity"]
        rows: list[list[Any]] = []
        for measure in self.measures.values():
            for one in measure.at:
                row: list[Any] = [measure.name, one.size, one.stability[4].minority_rate, one.stability[4].ties]
                rows.append(row + ([] if one.swap is None else [getattr(one.swap, name) for name in SENSITIVITY]))
        return header, rows


def reliability(
    scores: Any, measures: str | Sequence[str | Measure] | None = None, *, runs: Any = None,
    size: int | Sequence[int] | None = None, trials: int = 1000, seed: int | None = None, rule: str = "original",
    confidence: float = 0.95, no_swap: bool = False, discrimination: Sequence[str] = (),
    executor: Executor | str | None = "local", scheduler: str | None = None, processes: bool = False,
    progress: Callable[[int, int], None] | None = None, task: str | None = None, **settings: Any,
) -> Reliability:  # fmt: skip
    """Measure how far measures can be trusted: would other topics order the runs the same way?

    scores           a score table; or gold, as `assay.evaluate` takes it
    runs             with gold: the runs
    measures         one or several of the table's; all that order runs, but those only a whole run has, where left out
    size             topics in a subset, half of all where left out; several sizes give the curve over sizes
    trials           random subsets of each size
    seed             of the subsets; that of the table where left out
    rule             "original", or "sakai", by which exactly one difference of zero is a swap too
    confidence       .95 allows a swap rate of 5%
    no_swap          stability only; subsets may then exceed half the topics
    discrimination   tests of every pair on all topics: "bootstrap", "tukey"
    executor         "local" (all cores), "dask", None (this thread) or any concurrent.futures.Executor; the result is
                     the same to the last digit. With gold, the workers of an Executor score the runs too
    scheduler        the address of a running Dask cluster
    processes        let a long local study of measures that only Python can recompute start processes; a script that
                     starts processes must guard its main module
    progress         hears how many trials of how many are done
    task             with gold: the kind of evaluation, detected where left out
    settings         with gold: choices of the task, as `missing` or `depth`

    Returns
        Reliability  per measure, stability and swap rates by size, and the difference to believe

    Raises
        UsageError   an unknown measure, or a size that cannot be drawn
        InputError   fewer than 2 runs or topics, or a measure undefined on some subset

    >>> from assay.scoring.score_files import scores
    >>> table = scores([[0.1 * i, 0.1 * i + 0.2] for i in range(8)], runs=["old", "new"])
    >>> study = reliability(table, trials=50, executor=None)  # "new" is better on every topic, so on every subset
    >>> study.sizes, study.measures["score"].at[0].stability[0].minority_rate
    ([4], 0.0)
    """
    named = [discrimination] if isinstance(discrimination, str) else discrimination
    scorer = None if isinstance(executor, str) else executor
    table = scores_of(scores, runs, measures, task=task, executor=scorer, **settings)
    columns = {one.measure.name: one for one in studied(table, measures)}
    noun = next(iter(columns.values())).noun
    subsets = Subsets(list(table.runs), {name: one.resampler for name, one in columns.items()}, noun)
    sizes = check_sizes(size, subsets.topics, not no_swap, noun)
    check_choices(trials, rule, confidence)
    seed = table.settings.seed if seed is None else seed
    extra = [] if no_swap else _extra_sizes(subsets, sizes)
    # Of very many pairs the counts of one measure are as much as should be in memory at once.
    many = len(table.runs) * (len(table.runs) - 1) // 2 > MANY_PAIRS
    together = [[name] for name in columns] if many else [list(columns)]
    done, everything = 0, trials * (len(sizes) + len(extra)) * len(together)

    def heard(trials: int) -> None:
        nonlocal done
        done += trials
        if progress is not None:
            progress(done, everything)

    seconds = sum(trials * subsets.seconds(one, 1 if no_swap else 2) for one in sizes)
    # Counting goes on in rounds of bounded memory; only tests of all pairs hold numbers of each run and trial.
    held = BYTES_DRAWN * trials * len(table.runs) if named else 0
    afford("trials", trials, memory=held, seconds=max(seconds, QUICKEST * trials))
    pool: Any = nullcontext(executor)
    if isinstance(executor, str):
        alone = trials * sum(subsets.seconds_alone(one, 1 if no_swap else 2) for one in sizes)
        pool = workers(executor, processes=processes and alone > WORTH_PROCESSES, scheduler=scheduler)
    options: dict[str, Any] = {
        "seed": seed,
        "swap": not no_swap,
        "progress": heard,
        "workers": cores() if many else max(1, 4 * cores()),
    }

    def swapped(counts: Counts) -> Swap | None:
        return None if no_swap else swap(counts, rule=rule, wrong=1 - Fraction(str(confidence)))

    at_sizes: dict[str, list[SizeResult]] = {}
    smaller: dict[str, dict[int, Counts]] = {}
    with pool as options["executor"]:
        for names in together:
            some = subsets if len(together) == 1 else subsets.only(names)
            counted, fewer = _count(some, sizes, extra, trials, many, options)
            for name in names:
                of = {one: found[name] for one, found in counted.items()}
                at_sizes[name] = [
                    SizeResult(size=one, stability=stability(found), swap=swapped(found)) for one, found in of.items()
                ]
            counted.clear()
            smaller |= fewer
    studies: dict[str, MeasureStudy] = {}
    for name, resampler in subsets.resamplers.items():
        at = at_sizes[name]
        measured = [(one.size, one.swap) for one in at]
        measured += [(one, swapped(found)) for one, found in smaller.get(name, {}).items()]
        methods = [method for method in named if method != "tukey" or resampler.can("shuffle")]
        missing, undefined = (sum(counts) for counts in zip(*columns[name].gaps, strict=True))
        studies[name] = MeasureStudy(
            name=name, at=at, best=_best_two(columns[name]), missing=missing, undefined=undefined,
            extrapolation=_beyond(resampler, [(one, s) for one, s in measured if s is not None]),
            discrimination=[discriminate(subsets, name, method, resamples=trials, seed=seed) for method in methods],
            critical=critical(columns[name], confidence=confidence, seed=seed),
        )  # fmt: skip
    return Reliability(
        runs=subsets.runs, noun=noun, topics=subsets.topics, sizes=sizes, trials=trials, seed=seed, rule=rule,
        confidence=confidence, measures=studies, settings=table.settings.as_dict(),
    )  # fmt: skip


def check_sizes(size: int | Sequence[int] | None, topics: int, with_swap: bool, noun: str = "topic") -> list[int]:
    """The sizes to study, smallest first; a size that cannot be drawn is refused with what can."""
    asked = [topics // 2] if size is None else list(size) if hasattr(size, "__iter__") else [size]  # type: ignore[arg-type]
    sizes: list[int] = sorted({checked("size", one, WHOLE) for one in asked})
    most = topics // 2 if with_swap else topics
    for one in sizes:
        if one < 1:
            raise UsageError(f"`size={one}`: expected at least 1 {noun}")
        if one > most and with_swap:
            raise UsageError(
                f"`size={one}`: the swap method needs two subsets without a common {noun}, so at most {most} of the "
                f"{topics} {noun}s; ask for {most} or fewer, or leave it out with `no_swap=True`"
            )
        if one > most:
            raise UsageError(f"`size={one}`: there are only {topics} {noun}s")
    return sizes


def check_choices(trials: int, rule: str, confidence: float) -> None:
    checked("trials", trials, POSITIVE)
    checked("rule", rule, one_of(*RULES))
    checked("confidence", confidence, CONFIDENCE)


def _extra_sizes(subsets: Subsets, sizes: list[int]) -> list[int]:
    """Smaller sizes to extrapolate from, where fewer than three are asked for and some measure is cheap to resample."""
    if len(sizes) >= 3 or not any(resampler.can("add") for resampler in subsets.resamplers.values()):
        return []
    steps = {sizes[-1] * step // STEPS for step in range(1, STEPS)}
    return sorted(one for one in steps if one >= 2 and one not in sizes)


def _count(
    subsets: Subsets, sizes: list[int], extra: list[int], trials: int, many: bool, options: dict[str, Any]
) -> tuple[dict[int, dict[str, Counts]], dict[str, dict[int, Counts]]]:
    """The counts by size and measure, and of the extra sizes by measure and size; all from the same shuffles where every measure is
    a sum, and the counts of all sizes fit into memory together."""
    if not many and all(resampler.can("add") for resampler in subsets.resamplers.values()):
        try:
            found = count_sizes(subsets, [*extra, *sizes], sizes, trials, **options)
        except UndefinedError:
            # Said of the sizes that were asked for, and of the first of them, or of nobody.
            pass
        else:
            names = subsets.resamplers if extra else ()
            return {one: found[one] for one in sizes}, {
                name: {one: found[one][name] for one in extra} for name in names
            }
    counted = {one: count(subsets, one, trials, **options) for one in sizes}
    return counted, _count_smaller(subsets, extra, trials, options)


def _count_smaller(
    subsets: Subsets, sizes: list[int], trials: int, options: dict[str, Any]
) -> dict[str, dict[int, Counts]]:
    """By measure and size, the counts an extrapolation needs: of swaps alone, nothing pair by pair. A measure that is undefined on so
    few topics has none: nobody asked for these sizes, so they must not stop the study."""
    names = [name for name, resampler in subsets.resamplers.items() if resampler.can("add")]
    found: dict[str, dict[int, Counts]] = {}
    for size in sizes:
        counts: dict[str, Counts] = {}
        while names and not counts:
            try:
                counts = count_sizes(subsets.only(names), [size], [], trials, **options)[size]
            except UndefinedError as error:
                names = [name for name in names if name != error.measure]
        for name, one in counts.items():
            found.setdefault(name, {})[size] = one
    return found


def _beyond(resampler: Resampler, measured: Sequence[tuple[int, Swap]]) -> Extrapolation | None:
    """The extrapolation to all topics, with the interval that the values per topic give it, where there are any."""
    found = extrapolate(measured, resampler.topics)
    if found is None or not (resampler.can("add") or resampler.topics <= FEW):
        return found
    values = resampler.pseudo_values
    finite = all(value - value == 0 for value in values.ravel().tolist())
    margin = jackknife_margin(values, resampler.topics, INTERVAL_CONFIDENCE) if finite else None
    return extrapolate(measured, resampler.topics, margin)


def _best_two(columns: Columns) -> list[tuple[str, float]]:
    """The best two runs on the topics that are studied."""
    better = columns.measure.declaration.higher_is_better is not False
    values = zip(columns.runs, columns.resampler.values().tolist(), strict=True)
    known = [(run, value) for run, value in values if value == value]
    return sorted(known, key=itemgetter(1), reverse=better)[:2]
