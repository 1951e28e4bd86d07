"""Score outcomes that another tool has in memory, as a log of them would be scored."""

from __future__ import annotations

from math import nan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.harness.logs import Log

MEASURES = {"c_at_1": "c@1", "coverage": "coverage", "precision_answered": "precision", "uf": "UF"}
"""Measures by names that other tools accept (no @, no capitals)."""


def value_of(measure: str, log: Log, right_from: float | None = None) -> float:
    """Compute a measure of the samples in a log; NaN if it is undefined.

    right_from   the score from which an answer with partial credit is correct; without it such answers are refused

    >>> from assay.formats.harness.logs import LogReading
    >>> from assay.io.sources import Source
    >>> log = LogReading().log(Source("scores", data=b""), "a tool")
    >>> for number, value in enumerate(["C", "C", "I", "N"]):
    ...     log.add(str(number), run="scores", value=value)
    >>> value_of("c@1", log)
    0.625
    """
    from assay.measures.registry import find
    from assay.scoring.evaluate import table
    from assay.tasks.outcomes.gold import OutcomeSettings, OutcomesGold
    from assay.tasks.outcomes.log_runs import questions
    from assay.tasks.outcomes.task import TASK

    settings = OutcomeSettings(right_from=right_from)
    rows = log.finish()
    gold = OutcomesGold(log.source.name, "outcomes", questions(rows, rows, {}))
    gold.names_runs = True
    gold.rows = {log.source.name: rows}
    resolved = find(measure, TASK.name)
    runs = TASK.join(gold, log.source, settings)
    [mean] = table(TASK, gold, runs, [resolved], settings).mean(resolved).values()
    return nan if mean is None else float(mean)
