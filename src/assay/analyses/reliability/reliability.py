"""`assay.reliability`: stability and swap rates by topic set size, extrapolation, discriminative power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Any, Unpack

import numpy as np

from assay.errors import UndefinedError, UsageError
from assay.measures.measure import Measure
from assay.parallel.executors import cores, workers
from assay.parallel.memory_limits import BYTES_DRAWN, afford
from assay.parameters import ScoringWithoutSeed, public
from assay.resampling.columns import Columns, studied
from assay.resampling.resamplers import Resampler
from assay.resampling.sign_flips import SignFlips, t_of
from assay.resampling.subsets import Counts, Subsets, count, count_sizes
from assay.scoring.evaluate import scores_of
from assay.settings import CONFIDENCE, POSITIVE, WHOLE, checked, one_of
from assay.stats.discriminative_power import Discrimination, discriminate
from assay.stats.extrapolation import INTERVAL_CONFIDENCE, Extrapolation, extrapolate
from assay.stats.multiple_comparisons import adjust_flips, max_t
from assay.stats.stability import RULES, SENSITIVITY, StabilityPoint, Swap, stability, swap
from assay.stats.variance_components import jackknife_margin
from assay.table.results import Result

WORTH_PROCESSES = 5.0
"""Seconds of work in Python that make starting processes worthwhile."""
MIN_TRIAL_SECONDS = 5e-7
STEPS = 5
"""An extrapolation from a single size also measures fifths of it."""
MANY_PAIRS = 50_000
"""With more pairs of runs, measures are studied one at a time, because their counts fill the memory."""
MIN_PAIRS = 10
"""Fewer pairs of runs are too few to advise which difference to believe."""
MAX_JACKKNIFED_TOPICS = 1000
"""Up to so many topics a measure of whole runs is jackknifed, for the interval of an extrapolation."""


CRITICAL_RESAMPLES = 2_000


@dataclass(frozen=True)
class Critical:
    """The critical difference: half the width of the interval of a difference, as medians over the pairs of runs."""

    alone: float
    """Of a single pair."""
    together: float
    """Of all pairs simultaneously, by max-T."""


def critical(columns: Columns, *, confidence: float = 0.95, seed: int = 0) -> Critical | None:
    """Return the smallest difference that `assay compare` finds significant on these topics; None with too few.

    >>> import assay
    >>> values = [[0.1 * i, 0.1 * i + 0.05 * (i % 3)] for i in range(9)]
    >>> scores = assay.scores(values)
    >>> smallest = critical(Columns.of(scores, scores.measures[0]))
    >>> round(smallest.alone, 3)  # t(.975, 8) = 2.306 standard errors of .0144
    0.033
    """
    from scipy.special import stdtrit

    shared = columns.shared()
    if len(shared.places) < 2 or len(columns.runs) < 2 or not shared.resampler.can("add"):
        return None
    linear = shared.resampler.flippable
    if not np.isfinite(linear).all():
        return None
    a, b = np.triu_indices(len(columns.runs), 1)
    flips = SignFlips(linear, resamples=CRITICAL_RESAMPLES, seed=seed)
    flips.steady(a, b)
    covariance = np.atleast_2d(np.cov(linear.T))
    squares = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
    squares = np.maximum(squares, 0.0) / flips.units
    error = float(np.median(np.sqrt(squares)))
    alpha = 1 - confidence
    critical_r = float(adjust_flips(max_t, flips, np.zeros(len(a)), a, b, alpha)[1][0])
    largest = float(t_of(np.minimum(critical_r, 1.0), flips.units))
    together = largest * float(np.median(np.sqrt(squares + flips.constant / (flips.units * (flips.units - 1)))))
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
    """The results of one measure."""

    name: str
    at: list[SizeResult]
    extrapolation: Extrapolation | None
    best: list[tuple[str, float]]
    """The best two runs on all topics, with their values."""
    missing: int
    undefined: int
    """Cells of the table without a result, or without a value."""
    discrimination: list[Discrimination] = field(default_factory=list[Discrimination])
    critical: Critical | None = None
    """The smallest significant difference on all topics of the table."""
    largest: float = 1.0
    """The largest value of a run, its sign aside. The swap method counts leads in steps of .01 up to .20, for scores from 0 to 1."""

    @property
    def too_large(self) -> bool:
        """Whether the scores are too large for these steps."""
        return self.largest > 1

    @property
    def gap(self) -> float | None:
        """The difference between the best two runs."""
        return abs(self.best[0][1] - self.best[1][1]) if len(self.best) == 2 else None

    def to_dict(self) -> dict[str, Any]:
        alone = len(self.at) == 1
        many = {"sizes": [{"size": result.size, **result.to_dict()} for result in self.at]}
        result: dict[str, Any] = self.at[0].to_dict() if alone else many
        if self.extrapolation is not None:
            result["extrapolation"] = self.extrapolation.to_dict()
        result["best"] = [{"run": run, "value": value} for run, value in self.best]
        result["missing"], result["undefined"] = self.missing, self.undefined
        result["critical"] = None if self.critical is None else vars(self.critical)
        if self.discrimination:
            result["discrimination"] = {test.method: test.to_dict() for test in self.discrimination}
        return result


@dataclass(frozen=True, kw_only=True, repr=False)
class Reliability(Result):
    """The study of a set of runs."""

    runs: list[str]
    noun: str
    """The task's word for a topic: topic, question, problem."""
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
        return self.pairs < MIN_PAIRS

    @property
    def finding(self) -> str:
        """Which lead in the first measure would hold on new topics, in one sentence."""
        from assay.analyses.reliability.sentences import finding

        return finding(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, as docs/json.md documents it."""
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
        return {
            "finding": self.finding,
            "size": size,
            **asked,
            **counts,
            "measures": measures,
            "settings": self.settings,
        }

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per measure and size: the stability at f = .05, and the sensitivity of the swap method."""
        header = ["measure", "size", "minority@.05", "ties@.05"]
        if all(result.swap is not None for measure in self.measures.values() for result in measure.at):
            header += ["difference", "stays", "highest", "relative", "sensitivity"]
        rows: list[list[Any]] = []
        for measure in self.measures.values():
            for result in measure.at:
                point, swaps = result.stability[4], result.swap
                row: list[Any] = [measure.name, result.size, point.minority_rate, point.ties]
                rows.append(row + ([] if swaps is None else [getattr(swaps, name) for name in SENSITIVITY]))
        return header, rows


@public
def reliability(
    scores: Any, measures: str | Sequence[str | Measure] | None = None, *, runs: Any = None,
    size: int | Sequence[int] | None = None, trials: int = 1000, seed: int | None = None, rule: str = "original",
    confidence: float = 0.95, no_swap: bool = False, discrimination: Sequence[str] = (),
    executor: Executor | str | None = "local", scheduler: str | None = None, processes: bool = False,
    progress: Callable[[int, int], None] | None = None, task: str | None = None, **settings: Unpack[ScoringWithoutSeed],
) -> Reliability:  # fmt: skip
    """Measure how reliably measures order the runs on random subsets of the topics.

    scores           a score table; or gold, as `assay.evaluate` takes it
    runs             with gold: the runs
    measures         some of the table's; by default all that order runs, except measures of a whole run
    size             topics in a subset, by default half of all; several sizes give the curve over sizes
    trials           random subsets of each size
    seed             of the subsets; by default that of the table
    rule             "original", or "sakai", which also counts exactly one difference of zero as a swap
    confidence       .95 allows a swap rate of 5%
    no_swap          stability only; subsets may then exceed half the topics
    discrimination   tests of every pair on all topics: "bootstrap", "tukey"
    executor         "local" (all cores), "dask", None (this thread) or any concurrent.futures.Executor; the result is
                     the same to the last digit. With gold, the workers of an Executor score the runs too
    scheduler        the address of a running Dask cluster
    processes        let a long local study of measures without a kernel start processes; the script must then guard its
                     main module
    progress         called with the number of trials done and of all
    task             with gold: the kind of evaluation, by default detected
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
    by_measure = {columns.measure.name: columns for columns in studied(table, measures)}
    noun = next(iter(by_measure.values())).noun
    subsets = Subsets(list(table.runs), {name: columns.resampler for name, columns in by_measure.items()}, noun)
    sizes = check_sizes(size, subsets.topics, not no_swap, noun)
    check_choices(trials, rule, confidence)
    seed = table.settings.seed if seed is None else seed
    extra = [] if no_swap else _extra_sizes(subsets, sizes)
    many = len(table.runs) * (len(table.runs) - 1) // 2 > MANY_PAIRS
    together = [[name] for name in by_measure] if many else [list(by_measure)]
    done, everything = 0, trials * (len(sizes) + len(extra)) * len(together)

    def report(trials: int) -> None:
        nonlocal done
        done += trials
        if progress is not None:
            progress(done, everything)

    seconds = sum(trials * subsets.seconds(topics, 1 if no_swap else 2) for topics in sizes)
    # Counting uses bounded memory; only tests of all pairs keep a number per run and trial.
    held = BYTES_DRAWN * trials * len(table.runs) if named else 0
    afford("trials", trials, memory=held, seconds=max(seconds, MIN_TRIAL_SECONDS * trials))
    pool: Any = nullcontext(executor)
    if isinstance(executor, str):
        alone = trials * sum(subsets.seconds_alone(topics, 1 if no_swap else 2) for topics in sizes)
        pool = workers(executor, processes=processes and alone > WORTH_PROCESSES, scheduler=scheduler)
    options: dict[str, Any] = {
        "seed": seed,
        "swap": not no_swap,
        "progress": report,
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
                at_sizes[name] = [
                    SizeResult(size=topics, stability=stability(counts[name]), swap=swapped(counts[name]))
                    for topics, counts in counted.items()
                ]
            counted.clear()
            smaller |= fewer
    studies: dict[str, MeasureStudy] = {}
    for name, resampler in subsets.resamplers.items():
        at = at_sizes[name]
        measured = [(result.size, result.swap) for result in at]
        measured += [(topics, swapped(counts)) for topics, counts in smaller.get(name, {}).items()]
        methods = [method for method in named if method != "tukey" or resampler.can("shuffle")]
        missing, undefined = (sum(counts) for counts in zip(*by_measure[name].gaps, strict=True))
        studies[name] = MeasureStudy(
            name=name, at=at, best=_best_two(by_measure[name]), missing=missing, undefined=undefined,
            extrapolation=_beyond(resampler, [(topics, swaps) for topics, swaps in measured if swaps is not None]),
            discrimination=[discriminate(subsets, name, method, resamples=trials, seed=seed) for method in methods],
            critical=critical(by_measure[name], confidence=confidence, seed=seed),
            largest=float(np.nan_to_num(np.abs(resampler.values())).max()),
        )  # fmt: skip
    return Reliability(
        runs=subsets.runs, noun=noun, topics=subsets.topics, sizes=sizes, trials=trials, seed=seed, rule=rule,
        confidence=confidence, measures=studies, settings=table.settings.as_dict(),
    )  # fmt: skip


def check_sizes(size: int | Sequence[int] | None, topics: int, with_swap: bool, noun: str = "topic") -> list[int]:
    """Return the sizes to study, smallest first; refuse sizes that cannot be drawn."""
    given = [topics // 2] if size is None else list(size) if hasattr(size, "__iter__") else [size]  # type: ignore[arg-type]
    sizes: list[int] = sorted({checked("size", number, WHOLE) for number in given})
    most = topics // 2 if with_swap else topics
    for number in sizes:
        if number < 1:
            raise UsageError(f"`size={number}`: expected at least 1 {noun}")
        if number > most and with_swap:
            raise UsageError(
                f"`size={number}`: the swap method needs two subsets without a common {noun}, so at most {most} of the "
                f"{topics} {noun}s; set {most} or fewer, or `no_swap=True` to omit it"
            )
        if number > most:
            raise UsageError(f"`size={number}`: there are only {topics} {noun}s")
    return sizes


def check_choices(trials: int, rule: str, confidence: float) -> None:
    checked("trials", trials, POSITIVE)
    checked("rule", rule, one_of(*RULES))
    checked("confidence", confidence, CONFIDENCE)


def _extra_sizes(subsets: Subsets, sizes: list[int]) -> list[int]:
    """Return smaller sizes to extrapolate from, if fewer than three are given and some measure is cheap to resample."""
    if len(sizes) >= 3 or not any(resampler.can("add") for resampler in subsets.resamplers.values()):
        return []
    steps = {sizes[-1] * step // STEPS for step in range(1, STEPS)}
    return sorted(step for step in steps if step >= 2 and step not in sizes)


def _count(
    subsets: Subsets, sizes: list[int], extra: list[int], trials: int, many: bool, options: dict[str, Any]
) -> tuple[dict[int, dict[str, Counts]], dict[str, dict[int, Counts]]]:
    """Return counts by size and measure, and of the extra sizes by measure and size.

    All come from the same shuffles if every measure is a sum and the counts of all sizes fit into memory together.
    """
    if not many and all(resampler.can("add") for resampler in subsets.resamplers.values()):
        try:
            counts = count_sizes(subsets, [*extra, *sizes], sizes, trials, **options)
        except UndefinedError:
            pass  # reported below, for the first of the given sizes
        else:
            names = subsets.resamplers if extra else ()
            smaller = {name: {size: counts[size][name] for size in extra} for name in names}
            return {size: counts[size] for size in sizes}, smaller
    counted = {size: count(subsets, size, trials, **options) for size in sizes}
    return counted, _count_smaller(subsets, extra, trials, options)


def _count_smaller(
    subsets: Subsets, sizes: list[int], trials: int, options: dict[str, Any]
) -> dict[str, dict[int, Counts]]:
    """Return by measure and size the swap counts an extrapolation needs.

    A measure that is undefined on so few topics has none; that must not stop the study, whose sizes these are not.
    """
    names = [name for name, resampler in subsets.resamplers.items() if resampler.can("add")]
    by_measure: dict[str, dict[int, Counts]] = {}
    for size in sizes:
        counts: dict[str, Counts] = {}
        while names and not counts:
            try:
                counts = count_sizes(subsets.only(names), [size], [], trials, **options)[size]
            except UndefinedError as error:
                names = [name for name in names if name != error.measure]
        for name, counted in counts.items():
            by_measure.setdefault(name, {})[size] = counted
    return by_measure


def _beyond(resampler: Resampler, measured: Sequence[tuple[int, Swap]]) -> Extrapolation | None:
    """Extrapolate to all topics, with an interval by the jackknife if there are values per topic."""
    extrapolation = extrapolate(measured, resampler.topics)
    if extrapolation is None or not (resampler.can("add") or resampler.topics <= MAX_JACKKNIFED_TOPICS):
        return extrapolation
    values = resampler.pseudo_values
    finite = all(value - value == 0 for value in values.ravel().tolist())
    margin = jackknife_margin(values, resampler.topics, INTERVAL_CONFIDENCE) if finite else None
    return extrapolate(measured, resampler.topics, margin)


def _best_two(columns: Columns) -> list[tuple[str, float]]:
    """Return the best two runs on the studied topics."""
    better = columns.measure.declaration.higher_is_better is not False
    values = zip(columns.runs, columns.resampler.values().tolist(), strict=True)
    known = [(run, value) for run, value in values if value == value]
    return sorted(known, key=itemgetter(1), reverse=better)[:2]
