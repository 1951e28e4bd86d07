"""What a study looks at: which measures, and whether there is enough to look at."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError, UsageError
from assay.measures.declare import Measure
from assay.resampling.columns import Columns
from assay.table import Scores


def studied(scores: Scores, measures: str | Sequence[str | Measure] | None) -> list[Columns]:
    """The columns of the measures named; without names, of all the table's but counts and those only whole runs have."""
    if measures is None:
        own = [m for m in scores.measures if m.level != "whole" and m.average != "sum"]
        wanted = [m for m in own if m.declaration.higher_is_better is not None] or scores.measures
    else:
        wanted = [scores.measure(name) for name in ([measures] if isinstance(measures, str) else measures)]
    if not wanted:
        raise UsageError("no measure to study; `measures` names one")
    if len(scores.runs) < 2:
        found = f"only {scores.runs[0]!r}" if scores.runs else "none"
        raise InputError(f"a study compares pairs of runs and needs at least 2, found {found}; give more runs")
    columns = [Columns.of(scores, measure) for measure in wanted]
    noun, topics = columns[0].noun, len(columns[0].places)
    if topics < 2:
        raise InputError(f"a study needs at least 2 {noun}s that all runs share, found {topics}")
    return columns
