"""Gold and runs of outcomes from arrays, for tests and simulations."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from assay.formats.answers.questions import GoldQuestion
from assay.formats.answers.rows import CORRECT, INCORRECT, UNANSWERED
from assay.tasks.outcomes.gold import OutcomesGold
from assay.tasks.outcomes.views import OutcomeViews


def from_arrays(outcomes: Any, confidence: Any) -> tuple[OutcomesGold, list[OutcomeViews]]:
    """Return gold and views of runs × questions: 1 correct, 0 incorrect, -1 unanswered, and confidences of the same shape."""
    width = len(str(outcomes.shape[1]))
    ids = [f"q{i + 1:0{width}}" for i in range(outcomes.shape[1])]
    gold = OutcomesGold("arrays", "outcomes", [GoldQuestion(identity, 0, []) for identity in ids])
    code = np.array([INCORRECT, CORRECT, UNANSWERED], np.uint8)  # at 0, 1 and -1
    views: list[OutcomeViews] = []
    for i, (row, stated) in enumerate(zip(outcomes, np.asarray(confidence, np.float64), strict=True)):
        run = OutcomeViews(gold, f"run{i + 1}", None)
        run.codes = bytearray(code[row.astype(np.int64)].tobytes())
        run.confidences = array("d", stated.tobytes())
        views.append(run)
    return gold, views
