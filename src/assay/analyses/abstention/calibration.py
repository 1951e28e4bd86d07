"""`assay.calibrations`: the test and interval of `stats/calibration.py` for every run of a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.errors import UsageError
from assay.measures.measure import Measure
from assay.resampling.columns import Columns
from assay.stats.calibration import Calibration, calibration
from assay.table.repeats import each
from assay.table.scores import Scores

MEASURES = ("ECE", "ECEd")
DRAWS, FEWEST = 2_000_000, 200
"""Answers times draws of the test, and how many draws there are at the least."""


def has_labels(measure: Measure) -> bool:
    """Return whether a measure is a calibration error of answers, and not a column of numbers of that name."""
    return measure.declaration.name in MEASURES and measure.level == "whole"


def calibrations(
    scores: Scores, measure: str | Measure | None = None, *, confidence: float = 0.95, cluster: str | None = "auto"
) -> dict[str, Calibration | None]:
    """Test whether each run is calibrated, as `assay evaluate --intervals` prints it.

    scores       a table with ECE or ECEd among its measures
    measure      the one whose bins are taken; the first of them where left out
    confidence   of the intervals; a run is not calibrated where p is at most 1 less this
    cluster      the field of questions that belong together; auto is `cluster` where the gold has one; None

    Returns
        dict         by run, a `Calibration` with test, interval and sentence; None where answers have no confidence

    Raises
        UsageError   the table has neither ECE nor ECEd, or `measure` is neither

    >>> import assay
    >>> lines = [b"m,%d,%s,0.9" % (i, b"correct" if i % 2 else b"incorrect") for i in range(20)]
    >>> found = calibrations(assay.evaluate(None, b"\\n".join([b"run,id,outcome,confidence", *lines]), "ECE"))
    >>> round(found["m"].ece, 2), found["m"].calibrated
    (0.4, False)
    """
    own = [m for m in scores.measures if has_labels(m)]
    if measure is None and not own:
        raise UsageError("`measure=None`: the table has neither ECE nor ECEd; evaluate with one of them")
    wanted = own[0] if measure is None else scores.measure(measure)
    if not has_labels(wanted):
        raise UsageError(f"`measure={wanted.name!r}`: expected {' or '.join(MEASURES)}")
    found: dict[str, Calibration | None] = {}
    for run in scores.runs:
        found[run] = calibrations_of(Columns.of(scores, wanted, [run]).by(cluster), confidence)[0]
    return found


def calibrations_of(columns: Columns, level: float = 0.95) -> list[Calibration | None]:
    """The same of some columns by ECE or ECEd."""
    given, seed = columns.measure.parameters, columns.scores.settings.seed
    found: list[Calibration | None] = []
    for run, value in enumerate(columns.resampler.values().tolist()):
        if value != value:
            found.append(None)
            continue
        cells, topics = columns.flat(run, ("answered", "correct", "confidence"))
        answers = [answer for answer in zip(*cells, topics, strict=True) if answer[0]]
        _, right, stated, topics = zip(*answers, strict=True)
        # Answers to one question are no more independent than those to the questions of a cluster.
        together = topics if columns.clusters is None else [columns.clusters[topic] for topic in topics]
        draws = int(np.clip(DRAWS // len(right), FEWEST, 2000))
        bins, rule = given.get("bins", 10), given.get("closed", "right")
        one = calibration(right, stated, bins, rule, level, draws, seed, together)
        found.append(replace(one, n=_answers(columns, run)))
    return found


def _answers(columns: Columns, run: int) -> int:
    """How many answers were given: one question may have weighed more than its answers are."""
    samples = columns.scores.run(columns.runs[run]).samples
    return int(
        sum(
            sum(cell) if samples is not None else cell
            for cell in columns.cells(run, "answered" if samples is None else each("answered"))
        )
    )
