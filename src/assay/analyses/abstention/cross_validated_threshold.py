"""The confidence threshold below which declining improves a measure, chosen and valued by cross-validation.

A threshold chosen and valued on the same questions flatters itself. So the questions are dealt into folds; the
threshold of each fold is the best one on all other folds; and the gain is that of the run with each fold declining
below its own threshold, on questions no threshold was chosen on, against the run as it is. The threshold to use is the
best one on all questions.

The interval is about the procedure: the expected gain, on new questions, of choosing a threshold in this way on a set of
this size. Other questions would have led to another threshold, so each resample chooses its own (`stats/held_out_gain.py`).
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.figures.outcomes import RiskPoint, risk_coverage
from assay.measures.confidence import pearson
from assay.measures.measure import Measure
from assay.parallel.memory_limits import BYTES_DRAWN, afford
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns
from assay.resampling.resamplers import cluster_codes
from assay.scoring.evaluate import chosen
from assay.scoring.run_scoring import score_run
from assay.settings import CONFIDENCE, POSITIVE, Kind, checked
from assay.stats.held_out_gain import around, held_out, procedure, resampled
from assay.table.results import Result
from assay.table.run_scores import RunScores
from assay.table.scores import Scores

SECONDS = {"topic": 2e-6, "sums": 2e-6, "whole": 2e-4}
"""Roughly what a question takes in a resample."""
NEEDS = ("correct", "answered", "confidence")
RESAMPLES = {"topic": 2000, "sums": 2000, "whole": 200}
"""Unless asked for, up to a thousand questions: a measure of a whole run is computed anew for each threshold of each."""
FEWEST, MANY = 100, 1000
"""Above a thousand questions there are fewer resamples, by as much, but at least a hundred."""
TOLD = (
    "run", "file", "measure", "threshold", "fold_thresholds", "as_is", "held_out", "gain", "interval", "interval_of",
    "confidence", "coverage", "questions", "missing", "cluster", "trials", "warnings", "settings", "judging", "risk_coverage",
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
    """Of the expected gain, on new questions, of choosing a threshold in this way on a set of this size."""
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

    @property
    def interval_of(self) -> str:
        """What the interval is about, in words."""
        return f"the expected gain on new {self.noun}s of choosing a threshold in this way on a set of this size"

    def to_dict(self) -> dict[str, Any]:
        """Everything that was found, and the curve behind it."""
        coverage = {"as_is": self.coverage_as_is, "held_out": self.coverage_held_out}
        told: dict[str, Any] = {
            **asdict(self),
            "coverage": coverage,
            "trials": self.resamples,
            "interval_of": self.interval_of,
        }
        return {name: list(told[name]) if isinstance(told[name], tuple) else told[name] for name in TOLD}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The risk-coverage curve."""
        return ["confidence", "coverage", "risk"], [list(astuple(point)) for point in self.risk_coverage]


def declined_beside(scores: Scores, measure: str | Measure, name: str | None = None) -> Scores:
    """The table a threshold is chosen from: one run of a table as it is, and the same had it declined every question."""
    [wanted] = chosen([measure], scores.task)
    names = [run for run in scores.runs if name in (None, run)]
    if len(names) != 1:
        raise UsageError(f"expected one run, found {len(names)}; choose one of {', '.join(scores.runs)} with `name=`")
    of_run = scores.run(names[0])
    if of_run.repeated:
        raise UsageError(
            f"{names[0]} answers {scores.task.noun}s several times, and a threshold is chosen where each is answered once; "
            "choose it on a log of one resampler each"
        )
    as_is: Any = of_run.views
    # Where the instrument failed there is nothing to decline.
    asked = None if of_run.samples is None else [place for place, count in enumerate(of_run.samples) if count]
    as_is = as_is if asked is None else getattr(as_is, "slots", None)
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
    both = scores.with_runs(runs, [wanted])
    if asked is None:
        return both
    some = both.restricted(both.topics[i] for i in asked)
    return some.with_runs(some.run(run).but(notes=both.run(run).notes) for run in some.runs)


def find_threshold(
    both: Scores, measure: str | Measure, *, folds: int = 10, confidence: float = 0.95, resamples: int | None = None,
    seed: int | None = None,
) -> Threshold:  # fmt: skip
    """Choose a threshold. `both` is a table of two runs: one as it is, and the same had it declined every question."""
    wanted = both.measure(measure)
    seed = both.settings.seed if seed is None else seed
    if resamples is None:
        resamples = max(FEWEST, RESAMPLES[wanted.level] * MANY // max(MANY, len(both.topics)))
    checked("resamples", resamples, POSITIVE)
    checked("confidence", confidence, CONFIDENCE)
    checked("folds", folds, Kind(int, "a whole number of at least 2", low=2))
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
    if codes.max() < 1:
        raise InputError("choosing a threshold by cross-validation needs at least 2 questions (or clusters of them)")
    hold_out = procedure(columns.resampler, wanted, answered, stated)
    afford(
        "resamples", resamples, memory=BYTES_DRAWN * resamples, seconds=SECONDS[wanted.level] * resamples * len(places)
    )
    found = held_out(hold_out, codes, folds=folds, seed=seed)
    gains = resampled(hold_out, codes, folds=folds, resamples=resamples, seed=seed)
    sign = 1 if wanted.declaration.higher_is_better else -1
    gain = None if np.isnan(found.gain) else sign * found.gain
    interval = None if gain is None else around(gain, sign * gains, confidence)
    correct = np.array(both.column(as_is.name, "correct"), dtype=np.float64)[places]
    return Threshold(
        run=as_is.name, file=as_is.file, measure=wanted.name, threshold=found.threshold,
        fold_thresholds=tuple(found.fold_thresholds), as_is=_known(found.as_is), held_out=_known(found.declining),
        gain=gain, interval=interval, confidence=confidence, coverage_as_is=float(answered.sum() / len(places)),
        coverage_held_out=float((answered & (stated >= found.at_question)).sum() / len(places)),
        questions=len(both.topics), missing=sum(as_is.missing), noun=columns.noun, resamples=resamples, seed=seed,
        cluster="cluster" if codes.max() + 1 < len(codes) else None,
        risk_coverage=risk_coverage(both, as_is.name) or [], judging=as_is.notes.judging,
        settings=both.settings.as_dict(),
        warnings=(
            *as_is.notes.remarks_of_failures(as_is.name, columns.noun), *as_is.notes.warnings,
            *_warnings(correct[answered], stated[answered], interval, confidence),
        ),
    )  # fmt: skip


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


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
