"""`assay.threshold`: the confidence below which to decline, to improve a measure or to guarantee a risk.

For a measure, the threshold is chosen and valued by cross-validation, because a threshold valued on the questions that chose it
looks better than it is. The threshold of each fold is the best one on all other folds; the gain compares the run with each fold
declining below its own threshold with the run as it is. The threshold to use is the best one on all questions. The interval is
of the procedure, so each resample chooses its own thresholds (`stats/held_out_gain.py`).

For a risk, the threshold is the lowest one that Learn then Test guarantees (`stats/risk_control.py`).
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from typing import Any, Unpack, overload

import numpy as np

from assay.analyses.abstention.finding import of_guarantee, of_threshold
from assay.errors import InputError, UsageError
from assay.figures.outcomes import RiskPoint, risk_coverage
from assay.measures.confidence import pearson
from assay.measures.measure import Measure
from assay.parallel.memory_limits import BYTES_DRAWN, afford
from assay.parameters import ScoringSettings, public
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns
from assay.resampling.resamplers import cluster_codes
from assay.scoring.evaluate import chosen, scores_of
from assay.scoring.run_scoring import score_run
from assay.settings import BETWEEN, CONFIDENCE, POSITIVE, Kind, checked
from assay.stats.held_out_gain import around, held_out, procedure, resampled
from assay.stats.risk_control import STARTS, TestedThreshold, fewest_answers, ladder
from assay.table.remarks import as_remark
from assay.table.results import Result
from assay.table.run_scores import RunScores
from assay.table.scores import Scores

FOLDS, MEASURE = 10, "c@1"
RISK_MEASURE = "precision"
"""The table of a guarantee needs a measure; any would do."""
SECONDS = {"topic": 2e-6, "sums": 2e-6, "whole": 2e-4}
"""Approximate seconds per question and resample."""
NEEDS = ("correct", "answered", "confidence")
RESAMPLES = {"topic": 2000, "sums": 2000, "whole": 200}
"""Default resamples, up to a thousand questions: a measure of a whole run is recomputed for each threshold of each resample."""
MIN_RESAMPLES, MANY_QUESTIONS = 100, 1000
"""Above a thousand questions the default falls in proportion, to a hundred at least."""
THRESHOLD_KEYS = (
    "finding", "run", "file", "measure", "threshold", "fold_thresholds", "as_is", "held_out", "gain", "interval", "interval_of",
    "confidence", "coverage", "questions", "missing", "cluster", "trials", "warnings", "settings", "judging", "risk_coverage",
)  # fmt: skip
GUARANTEE_KEYS = (
    "finding", "run", "file", "risk", "confidence", "threshold", "coverage", "answers", "wrong", "as_is", "promise", "fewest", "questions",
    "missing", "tested", "warnings", "settings", "judging", "risk_coverage",
)  # fmt: skip
ANSWER_LIST_COLUMNS = {"answers_given", "right_answers", "with_correct", "answer_correct", "answer_confidence"}
"""Columns over every answer of a list."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Threshold(Result):
    """The effect on a measure of declining below a confidence."""

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
    """The improvement of the held-out value; above 0 is better whichever way the measure points."""
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
    """The curve behind the choice: the most confident answered first."""
    judging: str | None
    """The rule by which answers were matched against the gold."""
    settings: dict[str, Any]
    warnings: tuple[str, ...]

    @property
    def finding(self) -> str:
        """Below which confidence to decline, and whether that helps."""
        return of_threshold(self)

    @property
    def interval_of(self) -> str:
        """The quantity that the interval estimates, in words."""
        return f"the expected gain on new {self.noun}s of choosing a threshold in this way on a set of this size"

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON, with the risk-coverage curve."""
        coverage = {"as_is": self.coverage_as_is, "held_out": self.coverage_held_out}
        more = {
            "coverage": coverage,
            "trials": self.resamples,
            "interval_of": self.interval_of,
            "finding": self.finding,
        }
        return _document({**asdict(self), **more}, THRESHOLD_KEYS)

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The risk-coverage curve."""
        return ["confidence", "coverage", "risk"], [list(astuple(point)) for point in self.risk_coverage]


@dataclass(frozen=True, kw_only=True, repr=False)
class Guarantee(Result):
    """The confidence above which at most a given share of answers is wrong, with a probability, and its coverage."""

    run: str
    file: str | None
    risk: float
    """The share of answers that may be wrong."""
    confidence: float
    """The probability, over draws of the questions, that the guarantee holds."""
    threshold: float | None
    """Answer at this confidence or above; None where nothing can be guaranteed."""
    coverage: float | None
    """The share of all questions answered at the threshold."""
    answers: int | None
    wrong: int | None
    coverage_as_is: float
    risk_as_is: float
    fewest: int
    """Answers without an error that any guarantee needs."""
    questions: int
    missing: int
    noun: str
    tested: tuple[TestedThreshold, ...]
    """Every threshold that has answers, the highest first."""
    risk_coverage: list[RiskPoint]
    judging: str | None
    settings: dict[str, Any]
    warnings: tuple[str, ...]

    @property
    def finding(self) -> str:
        """From which confidence on to answer, or why nothing can be guaranteed."""
        return of_guarantee(self)

    @property
    def promise(self) -> str:
        """The guarantee in words, or why there is none."""
        kept, sure = percent(self.risk), percent(self.confidence)
        if self.threshold is None:
            return self._no_promise(f"that at most {kept} of its answers are wrong, with {sure} probability")
        assert self.answers
        assert self.wrong is not None
        which = f"stated with a confidence of {self.threshold:g} or more" if self.threshold else "it gives"
        return (
            f"With {sure} probability, at most {kept} of the answers {which} are wrong, on {self.noun}s drawn as these were. Here "
            f"that is {self.answers} of {self.questions} {self.noun}s ({self.answers / self.questions:.1%}), {self.wrong} of them "
            f"wrong ({self.wrong / self.answers:.1%})."
        )

    def _no_promise(self, promise: str) -> str:
        answers = max((step.answers for step in self.tested), default=0)
        testable = max((step.answers for step in self.tested if step.threshold >= STARTS[-1]), default=0)
        were = "was" if answers == 1 else "were"
        takes = f"{promise}, takes at least {self.fewest} answers without an error"
        if answers < self.fewest:
            return f"No threshold can be promised with this many {self.noun}s: {takes}, and {answers} {were} given."
        if testable < self.fewest:
            return (
                f"No threshold can be promised: {takes} and with a confidence of {STARTS[-1]:g} or more, where the last of the "
                f"tests begins; there are {testable}, and {answers - testable} with less. State confidences that use the range "
                "from 0 to 1."
            )
        return f"No threshold can be promised: no confidence level shows {promise}; too many of the surest answers are wrong."

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON, with every threshold tested."""
        as_is = {"coverage": self.coverage_as_is, "risk": self.risk_as_is}
        return _document(
            {**asdict(self), "finding": self.finding, "promise": self.promise, "as_is": as_is}, GUARANTEE_KEYS
        )

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The thresholds as they were tested."""
        names = ["threshold", "answers", "wrong", "p", "level", "promised"]
        return names, [[getattr(step, name) for name in names] for step in self.tested]


def _document(values: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: list(values[key]) if isinstance(values[key], tuple) else values[key] for key in keys}


def percent(share: float) -> str:
    """Format a share as a percentage without trailing zeros.

    >>> percent(0.05), percent(0.999)
    ('5%', '99.9%')
    """
    return f"{100 * share:.6g}%"


@overload
def threshold(
    gold: Any, run: Any = None, measure: str | Measure = MEASURE, *, name: str | None = None, folds: int = FOLDS,
    confidence: float = 0.95, resamples: int | None = None, risk: None = None, task: str | None = None,
    **settings: Unpack[ScoringSettings],
) -> Threshold: ...  # fmt: skip
@overload
def threshold(
    gold: Any, run: Any = None, *, name: str | None = None, confidence: float = 0.95, risk: float, task: str | None = None,
    **settings: Unpack[ScoringSettings],
) -> Guarantee: ...  # fmt: skip
@public
def threshold(
    gold: Any, run: Any = None, measure: str | Measure = MEASURE, *, name: str | None = None, folds: int = FOLDS,
    confidence: float = 0.95, resamples: int | None = None, risk: float | None = None, task: str | None = None,
    **settings: Unpack[ScoringSettings],
) -> Threshold | Guarantee:  # fmt: skip
    """Find the confidence below which a system should decline to answer.

    With `risk`, find the lowest confidence from which at most that share of its answers is wrong, guaranteed with the
    probability `confidence`, if there is one.

    gold         as `assay.evaluate` takes it; None for a run that carries its own outcomes; or a score table of answers
    run          one run, as `assay.evaluate` takes it
    measure      the measure to improve
    name         the run, if there are several
    folds        of the cross-validation
    confidence   of the interval of the gain, or of the guarantee
    resamples    of the bootstrap, each with its own thresholds; by default 2,000, or 200 for measures of a whole run, and fewer
                 above a thousand questions
    risk         the share of answers that may be wrong, instead of a measure
    task         the kind of evaluation, by default outcomes
    settings     choices of the task, as `missing` or `seed`

    Returns
        Threshold    the threshold and its gain; with `risk` a `Guarantee`

    Raises
        UsageError   `risk` with options for a measure, or several runs without `name`
        InputError   answers without a confidence

    >>> graded = [(b"correct", b"0.9"), (b"incorrect", b"0.2")] * 10
    >>> lines = [b"m,%d,%s,%s" % (i, *answer) for i, answer in enumerate(graded)]
    >>> found = threshold(None, b"\\n".join([b"run,id,outcome,confidence", *lines]), folds=2, resamples=100)
    >>> found.threshold, found.as_is, found.gain  # decline the wrong half: c@1 is .5 (1 + .5)
    (0.9, 0.5, 0.25)
    """
    if task is None and not isinstance(gold, Scores):
        task = "outcomes"
    if risk is None:
        both = declined_beside(scores_of(gold, run, [measure], task=task, **settings), measure, name)
        return find_threshold(both, measure, folds=folds, confidence=confidence, resamples=resamples)
    changed = {"measure": measure != MEASURE, "folds": folds != FOLDS, "resamples": resamples is not None}
    for option, is_changed in changed.items():
        if is_changed:
            raise UsageError(f"`{option}=` cannot be combined with `risk={risk}`, which improves no measure")
    checked("risk", risk, BETWEEN)
    checked("confidence", confidence, CONFIDENCE)
    both = declined_beside(scores_of(gold, run, [RISK_MEASURE], task=task, **settings), RISK_MEASURE, name)
    return find_guarantee(both, risk, confidence)


def declined_beside(scores: Scores, measure: str | Measure, name: str | None = None) -> Scores:
    """Return a table of two runs: one run as it is, and the same with every question declined."""
    [resolved] = chosen([measure], scores.task)
    names = [run for run in scores.runs if name in (None, run)]
    if len(names) != 1:
        raise UsageError(f"expected one run, found {len(names)}; choose one of {', '.join(scores.runs)} with `name=`")
    of_run = scores.run(names[0])
    if of_run.repeated:
        raise UsageError(
            f"{names[0]} answers {scores.task.noun}s several times; a threshold needs one answer to each. "
            "Fix: give a log with one sample of each."
        )
    as_is: Any = of_run.views
    # A failed sample has no answer to decline.
    asked = None if of_run.samples is None else [place for place, count in enumerate(of_run.samples) if count]
    as_is = as_is if asked is None else getattr(as_is, "slots", None)
    if not hasattr(as_is, "abstain_below"):
        raise UsageError(f"`task={scores.task.name!r}`: only answers with a confidence can be declined")
    if as_is.lists and (resolved.declaration.name == "K" or {*resolved.of} & ANSWER_LIST_COLUMNS):
        raise UsageError(
            f"{resolved} counts every answer of a question, but a threshold declines whole questions; "
            "choose it for a measure of the final answers, such as K1 or c@1"
        )
    declined = as_is.copy()
    declined.abstain_below(float("inf"))
    first, second = (score_run(views, [resolved], NEEDS) for views in (as_is, declined))
    runs = [
        RunScores(names[0], first.file, first.columns, first.missing, first.notes),
        RunScores(f"{names[0]}, declining", second.file, second.columns, second.missing),
    ]
    both = scores.with_runs(runs, [resolved])
    if asked is None:
        return both
    some = both.restricted(both.topics[i] for i in asked)
    return some.with_runs(some.run(run).but(notes=both.run(run).notes) for run in some.runs)


def find_threshold(
    both: Scores, measure: str | Measure, *, folds: int = 10, confidence: float = 0.95, resamples: int | None = None,
    seed: int | None = None,
) -> Threshold:  # fmt: skip
    """Choose a threshold for a measure. `both` is a table of two runs, as `declined_beside` returns it."""
    resolved = both.measure(measure)
    seed = both.settings.seed if seed is None else seed
    if resamples is None:
        default = RESAMPLES[resolved.level]
        resamples = max(MIN_RESAMPLES, default * MANY_QUESTIONS // max(MANY_QUESTIONS, len(both.topics)))
    checked("resamples", resamples, POSITIVE)
    checked("confidence", confidence, CONFIDENCE)
    checked("folds", folds, Kind(int, "a whole number of at least 2", low=2))
    if resolved.declaration.higher_is_better is None:
        raise UsageError(f"{resolved} is neither better high nor low, so no threshold is best for it")
    as_is = both.run(both.runs[0])
    columns = Columns.of(both, resolved)
    places = columns.places
    answered = np.array(both.column(as_is.name, "answered"), dtype=np.float64)[places] == 1
    stated = np.array(both.column(as_is.name, "confidence"), dtype=np.float64)[places]
    _check_confidences(as_is, answered, stated)
    field = both.fields.get("cluster")
    codes = cluster_codes(None if field is None else [field[i] or (i,) for i in places.tolist()], len(places))
    if codes.max() < 1:
        raise InputError("choosing a threshold by cross-validation needs at least 2 questions (or clusters of them)")
    hold_out = procedure(columns.resampler, resolved, answered, stated)
    seconds = SECONDS[resolved.level] * resamples * len(places)
    afford("resamples", resamples, memory=BYTES_DRAWN * resamples, seconds=seconds)
    valued = held_out(hold_out, codes, folds=folds, seed=seed)
    gains = resampled(hold_out, codes, folds=folds, resamples=resamples, seed=seed)
    sign = 1 if resolved.declaration.higher_is_better else -1
    gain = None if np.isnan(valued.gain) else sign * valued.gain
    interval = None if gain is None else around(gain, sign * gains, confidence)
    correct = np.array(both.column(as_is.name, "correct"), dtype=np.float64)[places]
    return Threshold(
        run=as_is.name, file=as_is.file, measure=resolved.name, threshold=valued.threshold,
        fold_thresholds=tuple(valued.fold_thresholds), as_is=_known(valued.as_is), held_out=_known(valued.declining),
        gain=gain, interval=interval, confidence=confidence, coverage_as_is=float(answered.sum() / len(places)),
        coverage_held_out=float((answered & (stated >= valued.at_question)).sum() / len(places)),
        questions=len(both.topics), missing=sum(as_is.missing), noun=columns.noun, resamples=resamples, seed=seed,
        cluster="cluster" if codes.max() + 1 < len(codes) else None,
        risk_coverage=risk_coverage(both, as_is.name) or [], judging=as_is.notes.judging,
        settings=both.settings.as_dict(),
        warnings=(
            *_notes_of(as_is, columns.noun),
            *_warnings(correct[answered], stated[answered], interval, confidence),
        ),
    )  # fmt: skip


def _notes_of(run: RunScores, noun: str) -> list[str]:
    """Return what failed in a run and the warnings about it, without its name."""
    warnings = [as_remark(line, run.name) for line in run.notes.warnings]
    return [remark.said for remark in (*run.notes.remarks_of_failures(run.name, noun), *warnings)]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def _warnings(correct: Floats, stated: Floats, interval: tuple[float, float] | None, confidence: float) -> list[str]:
    warnings: list[str] = []
    if stated.min() == stated.max():
        warnings.append(f"every answer has the confidence {stated[0]:g}: it carries no information")
    else:
        r = pearson(correct.tolist(), stated.tolist())
        if r is None:
            warnings.append("all answers are right, or all are wrong: a threshold has nothing to separate")
        elif r <= 0:
            warnings.append(f"confidence does not follow correctness (r = {r:.3f}): it carries no information")
    if interval is None:
        warnings.append("the measure is undefined on some of the questions, so the gain has no interval")
    elif interval[0] <= 0:
        warnings.append(f"the {confidence:.0%} interval of the gain includes 0: no evidence that declining helps")
    return warnings


def find_guarantee(both: Scores, risk: float, confidence: float) -> Guarantee:
    """Find the lowest threshold that guarantees a risk. `both` is a table of two runs, as `declined_beside` returns it."""
    run, places = both.run(both.runs[0]), both.entering(both.runs[0])
    answered, correct, stated = (
        np.array([run.columns[column][place] for place in places], dtype=np.float64)
        for column in ("answered", "correct", "confidence")
    )
    answers = answered == 1
    _check_confidences(run, answers, stated)
    noun = both.task.noun
    _refuse_clusters(both, places, noun)
    steps = ladder(correct[answers], stated[answers], risk, 1 - confidence)
    best = next((step for step in reversed(steps) if step.promised), None)
    return Guarantee(
        run=run.name, file=run.file, risk=risk, confidence=confidence,
        threshold=None if best is None else best.threshold,
        coverage=None if best is None else best.answers / len(places),
        answers=None if best is None else best.answers, wrong=None if best is None else best.wrong,
        coverage_as_is=float(answers.mean()), risk_as_is=float(1 - correct[answers].mean()),
        fewest=fewest_answers(risk, 1 - confidence), questions=len(places), missing=sum(run.missing), noun=noun,
        tested=tuple(steps), risk_coverage=risk_coverage(both, run.name) or [], judging=run.notes.judging,
        settings=both.settings.as_dict(),
        warnings=(*_notes_of(run, noun),),
    )  # fmt: skip


def _check_confidences(run: RunScores, answered: Any, stated: Floats) -> None:
    if not answered.any() or np.isnan(stated[answered]).any():
        raise InputError(f"{run.file or run.name}: choosing a threshold needs answers, each with a confidence")


def _refuse_clusters(scores: Scores, places: Any, noun: str) -> None:
    """Refuse questions in clusters: they are not independent, so the binomial test is not exact."""
    field = scores.fields.get("cluster")
    if field is None:
        return
    codes = cluster_codes([field[place] or (place,) for place in places], len(places))
    if codes.max() + 1 < len(codes):
        raise InputError(
            f"the gold's {len(codes)} {noun}s come in {codes.max() + 1} clusters, and a guarantee needs independent {noun}s. "
            f"Fix: keep one {noun} of each cluster, or omit `risk=` for a threshold with an interval."
        )
