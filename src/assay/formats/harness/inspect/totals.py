"""Compare the header of an Inspect log with its samples: how many there are and what they score.

A header may differ from its samples for good reasons: failed, unscored and invalidated samples are in no metric, a reducer other
than the mean combines epochs, a person edited scores later. Only metrics that are a plain mean are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any, NamedTuple

from assay.formats.harness.inspect.header import LogHeader
from assay.formats.harness.inspect.scores import ScoreKey
from assay.formats.harness.logs import Total
from assay.formats.json_files import stated

PLAIN_MEANS = ("accuracy", "mean")
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


class Scored(NamedTuple):
    """One sample as far as the header counts it."""

    question: str
    value: Any
    """The value of the chosen scorer or key; None where there is none."""
    failed: bool
    invalidated: bool


class Statement(NamedTuple):
    """What a header states, and the samples that agree with it or do not."""

    stated: Total
    held: Total
    metric: str


def compare_header(header: LogHeader, part: ScoreKey, samples: Sequence[Scored]) -> Statement | None:
    """Return the totals of header and samples where they disagree, else None."""
    if header.results is None:
        return None
    metric, score = _stated_score(header, part)
    scores = _possible_scores(samples) if score is not None else []
    counted = Total(len(samples), scores[0] if scores else None)
    claimed = Total(_stated_count(header, len(samples)), score if scores else None)
    if claimed.samples in (None, counted.samples) and any(
        claimed.agrees_in_score(Total(None, each)) for each in scores
    ):
        return None
    return None if claimed.agrees(counted) else Statement(claimed, counted, metric)


def _stated_count(header: LogHeader, count: int) -> int | None:
    """Return how many samples the header states where the file cannot hold them, else as many as the file holds.

    Samples with an error are counted in the total alone, and may be missing from the file.
    """
    assert header.results is not None
    completed, total = header.results.completed_samples, header.results.total_samples
    if isinstance(completed, int) and completed > count:
        return completed
    return total if isinstance(total, int) and total < count else count


def _stated_score(header: LogHeader, part: ScoreKey) -> tuple[str, float | None]:
    """Return the name and value of a metric that is a plain mean of the chosen scorer or key; no value where none is."""
    assert header.results is not None
    several = (header.eval.config.epochs or 1) > 1
    for row in header.results.scores:
        if row.scorer not in (None, part.scorer) or row.name != (part.key or part.scorer):
            continue
        reducer = row.reducer if row.reducer is not None else header.eval.config.epochs_reducer
        if several and reducer not in (None, "mean", ["mean"]):
            continue
        for name in PLAIN_MEANS:
            metric = row.metrics.get(name) if isinstance(row.metrics, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            if isinstance(metric, dict) and not (metric.get("params") or metric.get("options")):  # pyright: ignore[reportUnknownMemberType]
                value = stated(metric.get("value"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
                if value is not None:
                    return name, value
    return PLAIN_MEANS[0], None


def _possible_scores(samples: Sequence[Scored]) -> list[float]:
    """Return the means that Inspect may have computed of these samples, the likeliest first; none where a value is no number.

    Before 0.3.133 a missing score counted as 0. Invalidated samples may or may not have been in the metrics.
    """
    scores: list[float] = []
    for unscored, invalidated in ((None, True), (0.0, True), (None, False)):
        by_question: dict[str, list[float]] = {}
        for sample in samples:
            if sample.invalidated and not invalidated:
                continue
            worth = _worth(sample.value)
            if worth is None and sample.value is not None:
                return []
            if worth is None:
                worth = None if sample.failed else unscored
            if worth is not None:
                by_question.setdefault(sample.question, []).append(worth)
        if by_question:
            scores.append(
                fsum(fsum(question_values) / len(question_values) for question_values in by_question.values())
                / len(by_question)
            )
            pooled = [worth for question_values in by_question.values() for worth in question_values]
            scores.append(fsum(pooled) / len(pooled))
    return scores


def _worth(value: Any) -> float | None:
    """Return a value as the number Inspect makes of it; None where there is none.

    >>> _worth("P"), _worth(True), _worth("yes"), _worth("0.25"), _worth({"a": 1})
    (0.5, 1.0, 1.0, 0.25, None)
    """
    if isinstance(value, bool | int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    known = LETTERS.get(value, WORDS.get(value.lower()))
    if known is not None:
        return known
    try:
        return float(value)
    except ValueError:
        return None
