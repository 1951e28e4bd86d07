"""When should this system decline? The confidence below which its answers do a measure more harm than good.

A threshold chosen and valued on the same questions flatters itself. So the questions are dealt into folds; the
threshold of each fold is the best one on all other folds; and the gain is that of the run with each fold declining
below its own threshold, on questions no threshold was chosen on, against the run as it is. Its interval is the
bootstrap's, over questions or whole clusters of them. The threshold to use is the best one on all questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.figures.outcomes import RiskPoint, risk_coverage
from assay.measures.confidence import pearson
from assay.measures.declare import Measure
from assay.measures.vectors import vector
from assay.random import stream
from assay.resampling.arithmetic import Floats, Integers
from assay.resampling.columns import Columns, compared
from assay.resampling.samples import cluster_codes
from assay.results import Result
from assay.scoring import chosen, score_run, scores_of
from assay.stats.intervals import bootstrap
from assay.table import RunScores, Scores

PURPOSE = "threshold"
NEEDS = ("correct", "answered", "confidence")
RESAMPLES = {"topic": 2000, "sums": 2000, "whole": 200}
"""Unless asked for: a measure of a whole run is computed anew on each."""
EQUAL = 1e-12
MOST_CANDIDATES = 40
"""A measure of a whole run is recomputed for every threshold: so many, evenly spread over the answers, are tried."""
TOLD = (
    "run", "file", "measure", "threshold", "fold_thresholds", "as_is", "held_out", "gain", "interval", "confidence", "coverage",
    "questions", "missing", "cluster", "trials", "warnings", "settings", "judging", "risk_coverage",
)  # fmt: skip
"""The JSON of a threshold."""
OF_LISTS = {"answers_given", "right_answers", "with_correct", "answer_correct", "answer_confidence"}
"""Ingredients that have something of every answer of a list."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Threshold(Result):
    """What declining below a confidence would do to a measure."""

    run: str
    file: str | None
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
    questions: int
    missing: int
    noun: str
    resamples: int
    seed: int
    cluster: str | None
    risk_coverage: list[RiskPoint]
    """Answering the most confident first: the curve behind the choice."""
    judging: str | None
    """The rule by which answers were held against the gold."""
    settings: dict[str, Any]
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything that was found, and the curve behind it."""
        coverage = {"as_is": self.coverage_as_is, "held_out": self.coverage_held_out}
        told: dict[str, Any] = {**asdict(self), "coverage": coverage, "trials": self.resamples}
        return {name: list(told[name]) if isinstance(told[name], tuple) else told[name] for name in TOLD}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The risk-coverage curve."""
        return ["confidence", "coverage", "risk"], [list(astuple(point)) for point in self.risk_coverage]


def threshold(
    gold: Any, run: Any = None, measure: str | Measure = "c@1", *, name: str | None = None, folds: int = 10,
    confidence: float = 0.95, resamples: int | None = None, **settings: Any,
) -> Threshold:  # fmt: skip
    """When should this system decline? The confidence below which its answers do a measure more harm than good.

    gold         as `assay.evaluate` takes it; None for a run that carries its own outcomes; or a score table of answers
    run          one run, as `assay.evaluate` takes it
    measure      what declining is to improve
    name         which run, where there are several
    folds        of the cross-validation
    confidence   of the interval of the gain
    resamples    of the bootstrap: 2,000, or 200 for measures of a whole run, where left out
    settings     choices of the task, as `missing` or `seed`
    """
    task = {} if isinstance(gold, Scores) else {"task": "outcomes"}
    both = declined_beside(scores_of(gold, run, [measure], **{**task, **settings}), measure, name)
    return find_threshold(both, measure, folds=folds, confidence=confidence, resamples=resamples)


def declined_beside(scores: Scores, measure: str | Measure, name: str | None = None) -> Scores:
    """The table a threshold is chosen from: one run of a table as it is, and the same had it declined every question."""
    [wanted] = chosen([measure], scores.task)
    names = [run for run in scores.runs if name in (None, run)]
    if len(names) != 1:
        raise UsageError(f"expected one run, found {len(names)}; choose one of {', '.join(scores.runs)}")
    as_is: Any = scores.run(names[0]).views
    if not hasattr(as_is, "abstain_below"):
        raise UsageError(f"`task={scores.task.name!r}`: only answers with a confidence can be declined")
    if as_is.has_lists and (wanted.declaration.name == "K" or {*wanted.of} & OF_LISTS):
        raise UsageError(
            f"{wanted} counts every answer of a question, and a threshold is chosen for whole questions; "
            "choose it for a measure of the final answers, such as K1 or c@1"
        )
    declined = as_is.copy()
    declined.abstain_below(float("inf"))
    first, second = (score_run(views, [wanted], NEEDS) for views in (as_is, declined))
    runs = [
        RunScores(names[0], first.file, first.columns, first.missing, first.notes),
        RunScores(f"{names[0]}, declining", second.file, second.columns, second.missing),
    ]
    return scores.with_runs(runs, [wanted])


def find_threshold(
    both: Scores, measure: str | Measure, *, folds: int = 10, confidence: float = 0.95, resamples: int | None = None,
    seed: int | None = None,
) -> Threshold:  # fmt: skip
    """Choose a threshold. `both` is a table of two runs: one as it is, and the same had it declined every question."""
    wanted = both.measure(measure)
    seed = both.settings.seed if seed is None else seed
    resamples = RESAMPLES[wanted.level] if resamples is None else resamples
    if resamples < 1:
        raise UsageError(f"`resamples={resamples}`: expected at least 1")
    if wanted.declaration.higher_is_better is None:
        raise UsageError(f"{wanted} is neither better high nor low, so no threshold is best for it")
    as_is = both.run(both.runs[0])
    columns = Columns.of(both, wanted)
    places = columns.places
    answered = np.array(both.column(as_is.name, "answered"), dtype=np.float64)[places] == 1
    stated = np.array(both.column(as_is.name, "confidence"), dtype=np.float64)[places]
    if not answered.any() or np.isnan(stated[answered]).any():
        raise InputError(f"{as_is.file or as_is.name}: choosing a threshold needs answers, each with a confidence")
    field = both.fields.get("cluster")
    codes = cluster_codes(None if field is None else [field[i] or (i,) for i in places.tolist()], len(places))
    fold = _deal(codes, folds, seed)
    choose = _chooser(columns, answered, stated)
    everything = np.arange(len(places))
    of_folds = [choose(everything[fold != k]) for k in range(int(fold.max()) + 1)]
    decline = answered & (stated < np.array(of_folds)[fold])
    mixed = _mixed(both, wanted, places[decline])
    values = [mixed.value(name, wanted).value for name in mixed.runs]
    sign = 1 if wanted.declaration.higher_is_better else -1
    gain = interval = cluster = None
    if None not in values:
        pair = compared(mixed, wanted, mixed.runs)
        cluster = pair.cluster
        options: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
        found = bootstrap(pair.sample, [0], [1], method="percentile", **options)
        gain, ends = sign * float(found.estimates[0]), found.intervals[0]
        if ends is not None:
            interval = (ends.low, ends.high) if sign > 0 else (-ends.high, -ends.low)
    correct = np.array(both.column(as_is.name, "correct"), dtype=np.float64)[places]
    return Threshold(
        run=as_is.name, file=as_is.file, measure=wanted.name, threshold=choose(everything),
        fold_thresholds=tuple(of_folds), as_is=values[1], held_out=values[0], gain=gain, interval=interval,
        confidence=confidence, coverage_as_is=float(answered.sum() / len(places)),
        coverage_held_out=float((answered & ~decline).sum() / len(places)), questions=len(both.topics),
        missing=sum(as_is.missing), noun=columns.noun, resamples=resamples, seed=seed, cluster=cluster,
        risk_coverage=risk_coverage(both, as_is.name) or [], judging=as_is.notes.judging,
        settings=both.settings.as_dict(),
        warnings=(*as_is.notes.warnings, *_warnings(correct[answered], stated[answered], interval, confidence)),
    )  # fmt: skip


def _deal(codes: Integers, folds: int, seed: int) -> Integers:
    """The fold of each question, whole clusters together, dealt round from a shuffled pack."""
    units = int(codes.max()) + 1
    if folds < 2:
        raise UsageError(f"`folds={folds}`: expected at least 2")
    if units < 2:
        raise InputError("choosing a threshold by cross-validation needs at least 2 questions (or clusters of them)")
    place = np.empty(units, dtype=np.int64)
    place[stream(seed, PURPOSE, 0).sample(range(units), units)] = np.arange(units) % min(folds, units)
    return place[codes]


def _chooser(columns: Columns, answered: Any, stated: Floats) -> Callable[[Any], float]:
    """A function from some questions to the threshold that is best on them; of equals, the one that declines least."""
    measure = columns.measure
    sample: Any = columns.sample
    sign = 1.0 if measure.declaration.higher_is_better else -1.0

    def pick(levels: Floats, values: Floats) -> float:
        known = np.where(np.isnan(values), -np.inf, sign * values)
        # Equal values may differ in their last bit, by the order in which they were added up.
        best = int(np.argmax(known >= known.max() - EQUAL))
        # Declining below the lowest confidence seen is declining nothing: held out, too, where lower ones may come.
        return float(levels[best]) if best else 0.0

    if not sample.can("add"):
        pairs = [(_numbers(kept), _numbers(dropped)) for kept, dropped in zip(*sample.columns, strict=True)]

        def choose_whole(places: Any) -> float:
            given = stated[places[answered[places]]]
            levels = np.unique(given)
            if len(levels) > MOST_CANDIDATES:
                levels = np.unique(np.quantile(given, np.linspace(0, 1, MOST_CANDIDATES), method="inverted_cdf"))
            values = [_whole(measure, pairs, places, answered & (stated < level)) for level in levels]
            return pick(levels, np.array(values, dtype=np.float64))

        return choose_whole

    kept, dropped = sample.per_topic[:, 0], sample.per_topic[:, 1]

    def choose_sums(places: Any) -> float:
        given = places[answered[places]]
        order = given[np.argsort(stated[given], kind="stable")]
        levels, starts = np.unique(stated[order], return_index=True)
        change = np.concatenate([np.zeros((1, sample.kinds)), np.cumsum((dropped - kept)[order], axis=0)])
        return pick(levels, sample.close(len(places), kept[places].sum(axis=0) + change[starts]))

    return choose_sums


def _numbers(column: Sequence[Any]) -> Any:
    """A column as an array of numbers, or as it is where its cells are names or tuples."""
    try:
        return vector(column)
    except (TypeError, ValueError):
        return list(column)


def _whole(measure: Measure, pairs: Sequence[tuple[Any, Any]], places: Any, decline: Any) -> float | None:
    def told(kept: Any, dropped: Any) -> Any:
        if isinstance(kept, list) or isinstance(dropped, list):
            return [(dropped if decline[i] else kept)[i] for i in places.tolist()]
        return np.where(decline, dropped, kept)[places]

    return measure(*(told(kept, dropped) for kept, dropped in pairs))


def _mixed(both: Scores, measure: Measure, decline: Any) -> Scores:
    """A table of two runs: declining at some positions, and as it is."""
    first, second = (both.run(name) for name in both.runs)
    names = measure.of if measure.level != "topic" else (measure.name,)
    as_is: dict[str, Sequence[Any]] = {name: first.columns[name] for name in names}
    held_out = {name: list(column) for name, column in as_is.items()}
    for name, column in held_out.items():
        for i in decline.tolist():
            column[i] = second.columns[name][i]
    runs = [
        RunScores(name, first.file, of, first.missing) for name, of in (("held out", held_out), ("as it is", as_is))
    ]
    return Scores(both.task, both.settings, both.topics, [measure], runs, both.fields)


def _warnings(correct: Floats, stated: Floats, interval: tuple[float, float] | None, confidence: float) -> list[str]:
    warnings: list[str] = []
    if stated.min() == stated.max():
        warnings.append(f"every answer has the confidence {stated[0]:g}: it carries no information")
    else:
        r = pearson(correct.tolist(), stated.tolist())
        if r is None:
            warnings.append("all answers are right, or all are wrong: there is nothing for a threshold to tell apart")
        elif r <= 0:
            warnings.append(f"confidence does not follow correctness (r = {r:.3f}): it carries no information")
    if interval is None:
        warnings.append("the measure is undefined on some of the questions, so the gain has no interval")
    elif interval[0] <= 0:
        warnings.append(f"the {confidence:.0%} interval of the gain includes 0: no evidence that declining helps")
    return warnings
