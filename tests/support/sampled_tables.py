"""Score tables of runs that answer questions several times, fail, or have partial credit, as a reader of logs makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.formats.answers.rows import Rows
from assay.formats.harness.logs import LogReading
from assay.io.sources import Source
from assay.scoring.evaluate import chosen, table
from assay.table.scores import Scores
from assay.tasks import get
from assay.tasks.outcomes import log_runs
from assay.tasks.outcomes.gold import OutcomeSettings, OutcomesGold
from assay.tasks.outcomes.task import join

BOLD = [4] * 3 + [3] * 3 + [2] * 5 + [1]
"""Right answers of 4 to each of 12 questions, 32 in all: what pass@2 .8889, pass^2 .4444 and pass^4 .25 leave as the only
distribution. With a of 3 right, b of 2, d of 1 and e of 0 beside the 3 of 4: 3a + 2b + d = 20 (32 right), 3a + b = 14
(pass^2), b + 3d + 6e = 8 (pass@2) and a + b + d + e = 9, so a = 3, b = 5, d = 1, e = 0."""


def log_rows(name: str, questions: Mapping[str, Sequence[Any]], task: str = "") -> Rows:
    """A run from what each question's samples are: C, I, N, P, a score, or E for a failure; or the arguments of `Log.add`."""
    log = LogReading().log(Source(f"{name}.log", data=b""), "made 1.0")
    for question, samples in questions.items():
        for cell in samples:
            given = {"problem": "API error"} if cell == "E" else cell if isinstance(cell, dict) else {"value": cell}
            log.add(question, run=name, task=task, **given)
    [rows] = log.finish()
    return rows


def right_of(counts: Sequence[int], samples: int = 4) -> dict[str, str]:
    """Questions q00, q01 … with so many right of `samples` answers, the others wrong."""
    return {f"q{i:02}": "C" * right + "I" * (samples - right) for i, right in enumerate(counts)}


def joined(*runs: Rows, fields: Mapping[tuple[str, str], Mapping[str, Any]] | None = None, **settings: Any):
    """The gold and the views of some runs."""
    choices = OutcomeSettings(**settings)
    gold = OutcomesGold("the runs", "outcomes", log_runs.questions(runs, runs, fields or {}))
    gold.rows = {"logs": list(runs)}
    return gold, join(gold, Source("logs", data=b""), choices), choices


def scored(
    runs: Mapping[str, Mapping[str, Sequence[Any]]], measures: Sequence[str], clusters: Mapping[str, str] | None = None,
    **settings: Any,
) -> Scores:  # fmt: skip
    """The table of runs given as for `log_rows`."""
    fields = {("", question): {"cluster": name} for question, name in (clusters or {}).items()}
    gold, views, choices = joined(*(log_rows(name, one) for name, one in runs.items()), fields=fields, **settings)
    task = get("outcomes")
    return table(task, gold, views, chosen(measures, task), choices)
