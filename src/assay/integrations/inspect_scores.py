"""Compute measures from the scores that Inspect passes to metrics, as if they were the samples of a log.

Inspect reduces the epochs of a question to one score, by default their mean, before most metrics: no answer (N) becomes 0 like a
wrong one, even with one epoch. assay's metrics request unreduced scores. A wrapper (`grouped`) passes reduced scores anyway,
which are refused if they may have lost an N.
"""

from __future__ import annotations

from math import isnan

from assay.errors import InputError, UsageError
from assay.integrations.tallies import value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.formats.harness.inspect.scores import Score

NAME = "the scores"
REDUCED = (
    "these scores may have been reduced over epochs, which turns no answer (N) into 0. Fix: set `Epochs(1, reducer=[])` in the task "
    "(or --no-epochs-reducer), so that the metric gets every sample as it was scored; or run `assay evaluate LOG`"
)


def compute_measure(measure: str, scores: Sequence[Any], right_from: float | None = None) -> float:
    """Compute a measure of the scores that Inspect passes to a metric (`SampleScore`); NaN if undefined."""
    from assay.formats.harness.inspect.scores import parts_of, verdict
    from assay.formats.harness.logs import UNSET, LogReading
    from assay.io.sources import Source

    if not scores:
        return float("nan")
    if not _as_scored(scores):
        raise UsageError(f"{measure}: {REDUCED}")
    read = [_read(sample_score.score) for sample_score in scores]
    parts = parts_of({NAME: score} for score in read)
    if len(parts) > 1:
        keys = [str(part.key) for part in parts.values()]
        raise UsageError(
            f"{measure}: a score has several keys, {', '.join(keys)}; name one, as in metrics={{{keys[0]!r}: […]}}"
        )
    [part] = parts.values()
    log = LogReading().log(Source(NAME, data=b""), "Inspect")
    for sample_score, score in zip(scores, read, strict=True):
        try:
            outcome = verdict(score, part)
        except ValueError as problem:
            raise InputError(f"{measure}: question {str(sample_score.sample_id)!r} is scored {problem}") from None
        value = UNSET if outcome.value is None else outcome.value
        log.add(
            str(sample_score.sample_id),
            run=NAME,
            value=value,
            state=outcome.state,
            kind=outcome.kind,
            problem=outcome.problem,
        )
    return value_of(measure, log, right_from)


def _as_scored(scores: Sequence[Any]) -> bool:
    """Return whether these scores are certainly not reduced.

    A reduced score appears once per question, without the name of its scorer, and is a number.
    """
    ids = [score.sample_id for score in scores]
    return (
        len(set(ids)) < len(ids)
        or any(score.scorer is not None for score in scores)
        or any(isinstance(score.score.value, str) for score in scores)
    )


def _read(score: Any) -> Score:
    """Convert a score of Inspect to that of its logs, where NaN is no value."""
    from assay.formats.harness.inspect.scores import Edit, Metadata, Score

    value = score.value
    return Score(
        None if isinstance(value, float) and isnan(value) else value,
        answer=score.answer,
        reason=getattr(score, "reason", None),  # newer than 0.3.260
        metadata=Metadata(unscored_reason=(score.metadata or {}).get("unscored_reason")),
        history=[Edit(edit.value, edit.provenance) for edit in score.history],
    )
