"""`assay.threshold`: decline below which confidence, for the gain of a measure or for a guaranteed risk."""

from __future__ import annotations

from typing import Any, overload

from assay.analyses.abstention.cross_validated_threshold import Threshold, declined_beside, find_threshold
from assay.analyses.abstention.guarantee import Guarantee, guarantee
from assay.errors import UsageError
from assay.measures.measure import Measure
from assay.scoring.evaluate import scores_of
from assay.table.scores import Scores

FOLDS, MEASURE = 10, "c@1"


@overload
def threshold(
    gold: Any, run: Any = None, measure: str | Measure = MEASURE, *, name: str | None = None, folds: int = FOLDS,
    confidence: float = 0.95, resamples: int | None = None, risk: None = None, **settings: Any,
) -> Threshold: ...  # fmt: skip
@overload
def threshold(
    gold: Any, run: Any = None, *, name: str | None = None, confidence: float = 0.95, risk: float, **settings: Any
) -> Guarantee: ...
def threshold(
    gold: Any, run: Any = None, measure: str | Measure = MEASURE, *, name: str | None = None, folds: int = FOLDS,
    confidence: float = 0.95, resamples: int | None = None, risk: float | None = None, **settings: Any,
) -> Threshold | Guarantee:  # fmt: skip
    """Find the confidence below which a system should decline to answer.

    With `risk` instead the lowest confidence from which at most that share of its answers is wrong, as a promise that holds
    with the probability `confidence`; or the statement that nothing can be promised.

    gold         as `assay.evaluate` takes it; None for a run that carries its own outcomes; or a score table of answers
    run          one run, as `assay.evaluate` takes it
    measure      what declining is to improve
    name         which run, where there are several
    folds        of the cross-validation
    confidence   of the interval of the gain, or of the promise
    resamples    of the bootstrap, each of which chooses anew; where left out 2,000, or 200 for measures of a whole run, and
                 fewer where there are more than a thousand questions
    risk         the share of answers that may be wrong; no measure is improved then
    settings     choices of the task, as `missing` or `seed`

    Returns
        Threshold    what declining below a confidence gains; with `risk` a `Guarantee`

    Raises
        UsageError   options that belong to the other of the two, or several runs without `name`
        InputError   answers without a confidence

    >>> graded = [(b"correct", b"0.9"), (b"incorrect", b"0.2")] * 10
    >>> lines = [b"m,%d,%s,%s" % (i, *answer) for i, answer in enumerate(graded)]
    >>> found = threshold(None, b"\\n".join([b"run,id,outcome,confidence", *lines]), folds=2, resamples=100)
    >>> found.threshold, found.as_is, found.gain  # decline the wrong half: c@1 is .5 (1 + .5)
    (0.9, 0.5, 0.25)
    """
    if risk is not None:
        for other, given in (
            ("measure", measure != MEASURE),
            ("folds", folds != FOLDS),
            ("resamples", resamples is not None),
        ):
            if given:
                raise UsageError(
                    f"`{other}=` is of a threshold that improves a measure, and `risk={risk}` promises a risk"
                )
        return guarantee(gold, run, risk=risk, confidence=confidence, name=name, **settings)
    task = {} if isinstance(gold, Scores) else {"task": "outcomes"}
    both = declined_beside(scores_of(gold, run, [measure], **{**task, **settings}), measure, name)
    return find_threshold(both, measure, folds=folds, confidence=confidence, resamples=resamples)
