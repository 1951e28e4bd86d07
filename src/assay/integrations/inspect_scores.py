"""The scores that Inspect gives its metrics, as the samples of a log.

Inspect reduces the epochs of a question to one score before most metrics see it, by the mean where nobody says otherwise: no
answer (N) is then a 0 like any wrong one, with one epoch too. assay's metrics ask for the scores as they were given. A metric
that wraps another (`grouped`) is handed reduced ones all the same, so what cannot be told from them is refused.
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
    "these scores may have been reduced over epochs, which turns no answer (N) into 0; say `Epochs(1, reducer=[])` in the task "
    "(or --no-epochs-reducer), so that the metric sees every sample as it was scored; `assay evaluate LOG` has the value "
    "of a log that is written already"
)


def measured(measure: str, scores: Sequence[Any], right_from: float | None = None) -> float:
    """Return a measure of the scores that Inspect passes to a metric (`SampleScore`); NaN where it is undefined."""
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
            f"{measure}: a score has several keys, {', '.join(keys)}; name the one that is meant, as in metrics={{{keys[0]!r}: […]}}"
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
    """Return whether no reducer can have turned these scores into numbers.

    A reduced score stands once for its question and has lost the name of its scorer; and a word among the values has not been
    through arithmetic.
    """
    ids = [score.sample_id for score in scores]
    return (
        len(set(ids)) < len(ids)
        or any(score.scorer is not None for score in scores)
        or any(isinstance(score.score.value, str) for score in scores)
    )


def _read(score: Any) -> Score:
    """Convert Inspect's score as its logs do, where NaN is no value."""
    from assay.formats.harness.inspect.scores import Edit, Metadata, Score

    value = score.value
    return Score(
        None if isinstance(value, float) and isnan(value) else value,
        answer=score.answer,
        reason=getattr(score, "reason", None),  # newer than 0.3.260
        metadata=Metadata(unscored_reason=(score.metadata or {}).get("unscored_reason")),
        history=[Edit(edit.value, edit.provenance) for edit in score.history],
    )
