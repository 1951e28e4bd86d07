"""`assay.calibrations`: test every run of a table for calibration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.errors import UsageError
from assay.measures.measure import CALIBRATION_ERRORS, Measure
from assay.parameters import public
from assay.resampling.columns import Columns
from assay.table.run_scores import each
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.stats.calibration import Calibration

MAX_DRAWS, MIN_RESAMPLES, MAX_RESAMPLES = 2_000_000, 200, 2000
"""The test draws each answer once per resample: at most MAX_DRAWS in all, unless that leaves too few resamples."""


@public
def calibrations(
    scores: Scores, measure: str | Measure | None = None, *, confidence: float = 0.95, cluster: str | None = "auto"
) -> dict[str, Calibration | None]:
    """Test whether each run is calibrated, as `assay evaluate --intervals` prints it.

    scores       a table with ECE or ECEd among its measures
    measure      the measure that sets the bins; by default the first ECE or ECEd
    confidence   of the intervals; a run is not calibrated if p is at most 1 - confidence
    cluster      the field that groups questions; `auto` is `cluster` if the gold has one; None

    Returns
        dict         by run, a `Calibration` with test, interval and sentence; None if answers have no confidence

    Raises
        UsageError   the table has neither ECE nor ECEd, or `measure` is neither

    >>> import assay
    >>> lines = [b"m,%d,%s,0.9" % (i, b"correct" if i % 2 else b"incorrect") for i in range(20)]
    >>> tested = calibrations(assay.evaluate(None, b"\\n".join([b"run,id,outcome,confidence", *lines]), "ECE"))
    >>> round(tested["m"].ece, 2), tested["m"].calibrated
    (0.4, False)
    """
    calibration_errors = [m for m in scores.measures if m.is_calibration_error]
    if measure is None and not calibration_errors:
        raise UsageError("`measure=None`: the table has neither ECE nor ECEd; evaluate with one of them")
    resolved = calibration_errors[0] if measure is None else scores.measure(measure)
    if not resolved.is_calibration_error:
        raise UsageError(f"`measure={resolved.name!r}`: expected {' or '.join(CALIBRATION_ERRORS)}")
    return {run: calibrations_of(Columns.of(scores, resolved, [run]).by(cluster), confidence)[0] for run in scores.runs}


def calibrations_of(columns: Columns, level: float = 0.95) -> list[Calibration | None]:
    """Test every run of some columns by ECE or ECEd."""
    from assay.stats.calibration import calibration

    parameters, seed = columns.measure.parameters, columns.scores.settings.seed
    results: list[Calibration | None] = []
    for run, value in enumerate(columns.resampler.values().tolist()):
        if value != value:
            results.append(None)
            continue
        cells, topics = columns.flat(run, ("answered", "correct", "confidence"))
        answers = [answer for answer in zip(*cells, topics, strict=True) if answer[0]]
        _, right, stated, topics = zip(*answers, strict=True)
        # Answers to one question are as dependent as answers to the questions of a cluster.
        clusters = topics if columns.clusters is None else [columns.clusters[topic] for topic in topics]
        resamples = int(np.clip(MAX_DRAWS // len(right), MIN_RESAMPLES, MAX_RESAMPLES))
        bins, rule = parameters.get("bins", 10), parameters.get("closed", "right")
        tested = calibration(right, stated, bins, rule, level, resamples, seed, clusters)
        results.append(replace(tested, n=_answers(columns, run)))
    return results


def _answers(columns: Columns, run: int) -> int:
    """Return the number of answers, which the weights of repeated questions need not add up to."""
    samples = columns.scores.run(columns.runs[run]).samples
    return int(
        sum(
            sum(cell) if samples is not None else cell
            for cell in columns.cells(run, "answered" if samples is None else each("answered"))
        )
    )
