"""When should this system decline? The confidence below which its answers do a measure more harm than good.

A threshold chosen and valued on the same questions flatters itself. So the questions are dealt into folds; the
threshold of each fold is the best one on all other folds; and the gain is that of the run with each fold declining
below its own threshold, on questions no threshold was chosen on, against the run as it is. Its interval is the
bootstrap's, over questions or whole clusters of them. The threshold to use is the best one on all questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.measures.confidence import pearson
from assay.measures.vectors import vector
from assay.random import stream
from assay.stats.intervals import bootstrap
from assay.stats.samples import cluster_codes
from assay.stats.tables import closing, prepare
from assay.table import RunScores, Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.measures.declare import Measure
    from assay.stats.exact import Floats, Integers

PURPOSE = "threshold"
NEEDS = ("correct", "answered", "confidence")
TRIALS = {"topic": 2000, "sums": 2000, "whole": 200}
"""Bootstrap resamples unless asked for: a measure of a whole run is computed anew on each."""
EQUAL = 1e-12
MOST_CANDIDATES = 40
"""A measure of a whole run is recomputed for every threshold: so many, evenly spread over the answers, are tried."""


@dataclass(frozen=True)
class Threshold:
    """What declining below a confidence would do to a measure."""

    measure: str
    threshold: float
    """Decline below this. Chosen on all questions; 0 where it is best to decline nothing."""
    fold_thresholds: tuple[float, ...]
    as_is: float | None
    held_out: float | None
    """The measure with every fold declining below the threshold chosen on the other folds."""
    gain: float | None
    """How much better that is; above 0 is better whichever way the measure points."""
    interval: tuple[float, float] | None
    confidence: float
    coverage_as_is: float
    coverage_held_out: float
    trials: int
    seed: int
    cluster: str | None
    warnings: tuple[str, ...]


def find_threshold(
    as_is: Scores,
    declined: Scores,
    run: str,
    measure: str | Measure,
    *,
    folds: int = 10,
    confidence: float = 0.95,
    trials: int | None = None,
    seed: int = 0,
) -> Threshold:
    """Choose a threshold for one run. `declined` is the table of the same run had it declined every question."""
    wanted = as_is.measure(measure)
    trials = trials or TRIALS[wanted.level]
    if wanted.declaration.higher_is_better is None:
        raise UsageError(f"{wanted} is neither better high nor low, so no threshold is best for it")
    answered = np.array(as_is.column(run, "answered"), dtype=bool)
    stated = np.array(as_is.column(run, "confidence"), dtype=np.float64)
    chosen = np.zeros(len(as_is.topics), dtype=bool)
    chosen[list(as_is.entering(run))] = True
    answered &= chosen
    if not answered.any() or np.isnan(stated[answered]).any():
        raise InputError(f"{as_is.run(run).file or run}: choosing a threshold needs answers, each with a confidence")
    places = np.flatnonzero(chosen)
    field = as_is.fields.get("cluster")
    codes = cluster_codes(None if field is None else [field[i] or (i,) for i in places.tolist()], len(places))
    fold = _deal(codes, folds, seed)
    choose = _chooser(wanted, as_is.run(run), declined.run(run), answered, stated)
    best = choose(places)
    of_folds = [choose(places[fold != k]) for k in range(int(fold.max()) + 1)]
    decline = np.zeros(len(answered), dtype=bool)
    decline[places] = stated[places] < np.array(of_folds)[fold]
    decline &= answered
    mixed = _mixed(as_is, declined, run, wanted, decline)
    values = [mixed.value(name, wanted).value for name in mixed.runs]
    sign = 1 if wanted.declaration.higher_is_better else -1
    gain, interval, cluster = None, None, None
    if None not in values:
        prepared = prepare(mixed, wanted, mixed.runs)
        cluster = prepared.cluster
        resampled = bootstrap(
            prepared.sample, [0], [1], method="percentile", confidence=confidence, trials=trials, seed=seed
        )
        gain = sign * float(resampled.estimates[0])
        ends = resampled.intervals[0]
        if ends is not None:
            interval = (ends.low, ends.high) if sign > 0 else (-ends.high, -ends.low)
    return Threshold(
        wanted.name,
        best,
        tuple(of_folds),
        values[1],
        values[0],
        gain,
        interval,
        confidence,
        float(answered.sum() / len(places)),
        float((answered & ~decline).sum() / len(places)),
        trials,
        seed,
        cluster,
        tuple(_warnings(as_is, run, answered, stated, interval, confidence)),
    )


def _deal(codes: Integers, folds: int, seed: int) -> Integers:
    """The fold of each question, whole clusters together, dealt round from a shuffled pack."""
    units = int(codes.max()) + 1
    if folds < 2:
        raise UsageError(f"--folds {folds}: expected at least 2")
    if units < 2:
        raise InputError("choosing a threshold by cross-validation needs at least 2 questions (or clusters of them)")
    place = np.empty(units, dtype=np.int64)
    place[stream(seed, PURPOSE, 0).sample(range(units), units)] = np.arange(units) % min(folds, units)
    return place[codes]


def _chooser(
    measure: Measure, as_is: RunScores, declined: RunScores, answered: Any, stated: Floats
) -> Callable[[Any], float]:
    """A function from some questions to the threshold that is best on them; of equals, the one that declines least."""
    sign = 1.0 if measure.declaration.higher_is_better else -1.0

    def pick(levels: Floats, values: Floats) -> float:
        known = np.where(np.isnan(values), -np.inf, sign * values)
        # Equal values may differ in their last bit, by the order in which they were added up.
        best = int(np.argmax(known >= known.max() - EQUAL))
        # Declining below the lowest confidence seen is declining nothing: held out, too, where lower ones may come.
        return float(levels[best]) if best else 0.0

    if measure.level == "whole":
        pairs = [(_numbers(as_is.columns[name]), _numbers(declined.columns[name])) for name in measure.of]

        def choose_whole(places: Any) -> float:
            levels = np.unique(stated[places[answered[places]]])
            if len(levels) > MOST_CANDIDATES:
                spread = np.quantile(
                    stated[places[answered[places]]], np.linspace(0, 1, MOST_CANDIDATES), method="inverted_cdf"
                )
                levels = np.unique(spread)
            values = [_whole(measure, pairs, places, answered & (stated < level)) for level in levels]
            return pick(levels, np.array(values, dtype=np.float64))

        return choose_whole

    kept, dropped, close = _sums(measure, as_is, declined)

    def choose_sums(places: Any) -> float:
        given = places[answered[places]]
        order = given[np.argsort(stated[given], kind="stable")]
        levels, starts = np.unique(stated[order], return_index=True)
        change = np.concatenate([np.zeros((1, kept.shape[1])), np.cumsum((dropped - kept)[order], axis=0)])
        sums = kept[places].sum(axis=0) + change[starts]
        return pick(levels, np.asarray(close(len(places), *sums.T), dtype=np.float64))

    return choose_sums


def _sums(measure: Measure, as_is: RunScores, declined: RunScores) -> tuple[Floats, Floats, Callable[..., Any]]:
    """What adds up over questions, answered and declined, and the formula on the sums."""
    if measure.level == "sums":
        tables = [
            np.array([[cell or 0 for cell in run.columns[name]] for name in measure.of], dtype=np.float64).T
            for run in (as_is, declined)
        ]
        return tables[0], tables[1], closing(measure.bound())
    kept, dropped = (_values(run, measure) for run in (as_is, declined))
    return kept, dropped, closing(_mean)


def _values(run: RunScores, measure: Measure) -> Floats:
    """Per question: its value, 0 where undefined, and whether it is defined."""
    values = np.array(run.columns[measure.name], dtype=np.float64)
    return np.column_stack([np.nan_to_num(values), ~np.isnan(values)])


def _mean(n: int, total: Any, defined: Any) -> tuple[Any, Any]:
    return total, defined


def _numbers(column: Sequence[Any]) -> Any:
    """A column as an array of numbers, or as it is where its cells are names or tuples."""
    try:
        return vector(column)
    except (TypeError, ValueError):
        return list(column)


def _whole(measure: Measure, pairs: Sequence[tuple[Any, Any]], places: Any, decline: Any) -> float | None:
    columns: list[Any] = []
    for kept, dropped in pairs:
        if isinstance(kept, list) or isinstance(dropped, list):
            columns.append([(dropped if decline[i] else kept)[i] for i in places.tolist()])
        else:
            columns.append(np.where(decline, dropped, kept)[places])
    return measure(*columns)


def _mixed(as_is: Scores, declined: Scores, run: str, measure: Measure, decline: Any) -> Scores:
    """A table of two runs: with the thresholds of the folds, and as it is."""
    first, second = as_is.run(run), declined.run(run)
    names = measure.of if measure.level != "topic" else (measure.name,)
    flags: list[bool] = decline.tolist()
    columns: dict[str, Sequence[Any]] = {
        name: [b if gone else a for a, b, gone in zip(first.columns[name], second.columns[name], flags, strict=True)]
        for name in names
    }
    runs = [
        RunScores("held out", first.file, columns, first.missing),
        RunScores("as it is", first.file, {name: first.columns[name] for name in names}, first.missing),
    ]
    return Scores(as_is.task, as_is.settings, as_is.topics, [measure], runs, as_is.fields)


def _warnings(
    scores: Scores, run: str, answered: Any, stated: Floats, interval: tuple[float, float] | None, confidence: float
) -> list[str]:
    warnings: list[str] = []
    given = stated[answered]
    correct = np.array(scores.column(run, "correct"), dtype=np.float64)[answered]
    if given.min() == given.max():
        warnings.append(f"every answer has the confidence {given[0]:g}: it carries no information")
    else:
        r = pearson(correct.tolist(), given.tolist())
        if r is None:
            warnings.append("all answers are right, or all are wrong: there is nothing for a threshold to tell apart")
        elif r <= 0:
            warnings.append(f"confidence does not follow correctness (r = {r:.3f}): it carries no information")
    if interval is None:
        warnings.append("the measure is undefined on some of the questions, so the gain has no interval")
    elif interval[0] <= 0:
        warnings.append(f"the {confidence:.0%} interval of the gain includes 0: no evidence that declining helps")
    return warnings
