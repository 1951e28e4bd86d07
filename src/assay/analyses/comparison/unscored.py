"""Questions a run was not scored on: errored in the harness, or without a result. They are no evidence of anything.

A candidate that crashed on 40 of 60 questions may look perfect on the other 20. The gate is undecided where the candidate's
share of unscored questions exceeds the baseline's by more than `max_failed`.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import InputError, UsageError, shorten_list
from assay.figures import topic_groups
from assay.measures.measure import Measure
from assay.table.scores import Scores

MAX_FAILED = 0.05
"""The default of `max_failed`."""
STATES = ("correct", "incorrect", "unanswered")


@dataclass(frozen=True)
class RunCoverage:
    """How many of a table's topics a run was scored on."""

    topics: int
    failed: int
    """Topics on which every sample errored in the harness."""
    missing: int
    """Topics without a result."""
    declined: int | None
    """Topics left unanswered; None where the task knows no such outcome."""

    @property
    def unscored(self) -> float:
        """The share of topics that failed or are missing."""
        return (self.failed + self.missing) / self.topics if self.topics else 0.0


def run_coverage(scores: Scores, name: str) -> RunCoverage:
    """Return how many topics of a table a run was scored on."""
    run, failed, declined = scores.run(name), 0, None
    samples = run.samples if run.samples is not None else [1] * len(run.missing)
    if run.samples is not None:
        failed = sum(not count and not missing for count, missing in zip(samples, run.missing, strict=True))
    if "unanswered" in run.columns:
        cells = zip(run.columns["unanswered"], samples, run.missing, strict=True)
        declined = sum(bool(cell) for cell, count, missing in cells if count and not missing)
    return RunCoverage(len(run.missing), failed, sum(run.missing), declined)


def too_many_unscored(
    a: RunCoverage, b: RunCoverage, names: tuple[str, str], noun: str, max_failed: float
) -> str | None:
    """Return why the gate cannot decide on run a against run b; None where a is scored on nearly as much as b.

    >>> too_many_unscored(RunCoverage(60, 40, 0, 0), RunCoverage(60, 0, 0, 0), ("new", "old"), "question", 0.05)
    'new failed on 40 of 60 questions, old none'
    """
    # In whole topics, so that a share of exactly max_failed never exceeds it by rounding.
    excess = (a.failed + a.missing) - (b.failed + b.missing)
    if excess <= max_failed * a.topics + 1e-9:
        return None
    return f"{names[0]} {_unscored_in_words(a)} of {a.topics} {noun}s, {names[1]} {_unscored_in_words(b)}"


def absent_tasks(scores: Scores, run: str, baseline: str) -> str | None:
    """Return, of a suite, which tasks of the baseline a run was scored on nowhere, in words; None where it has all."""

    def scored(name: str, task: topic_groups.TopicGroup) -> bool:
        cells = scores.run(name)
        counts = cells.samples
        return any(not cells.missing[i] and (counts is None or counts[i]) for i in scores.places(task.topics))

    absent = [
        task.label for task in topic_groups.tasks(scores) if scored(baseline, task) and not scored(run, task)
    ]  # fmt: skip
    return f"{run} has no results on {shorten_list(absent, last=' and ')}" if absent else None


def _unscored_in_words(coverage: RunCoverage) -> str:
    parts = [
        f"{verb} {count}" for verb, count in (("failed on", coverage.failed), ("lacks", coverage.missing)) if count
    ]
    return " and ".join(parts) or "none"


def failure_bounds(scores: Scores, measure: Measure, a: str, b: str) -> tuple[float, float] | None:
    """Return a - b with every unscored question of either run counted wrong, and counted right.

    None where nothing is unscored, or the measure does not follow from counts of outcomes.
    """
    from assay.measures.counts import of_counts

    if any(scores.run(name).repeated or not set(STATES) <= set(scores.run(name).columns) for name in (a, b)):
        return None
    values: list[list[float]] = []
    unscored = [run_coverage(scores, name) for name in (a, b)]
    if not any(coverage.failed + coverage.missing for coverage in unscored):
        return None
    for counted_as in ("incorrect", "correct"):
        both: list[float] = []
        for name, coverage in zip((a, b), unscored, strict=True):
            columns = scores.run(name).columns
            counts = {state: sum(cell or 0 for cell in columns[state]) for state in STATES}
            # A missing question counts as unanswered unless the table excludes it.
            counts["unanswered"] -= sum(
                bool(cell)
                for cell, missing in zip(columns["unanswered"], scores.run(name).missing, strict=True)
                if missing
            )
            counts[counted_as] += coverage.failed + coverage.missing
            try:
                value = of_counts(measure, **{state: int(count) for state, count in counts.items()})[measure.name]
            except (InputError, UsageError):
                return None
            if value is None:
                return None
            both.append(float(value))
        values.append(both)
    (wrong_a, wrong_b), (right_a, right_b) = values
    return wrong_a - wrong_b, right_a - right_b
