"""Runs that may decline, for the tests of thresholds."""

from __future__ import annotations

import json

from assay.analyses.abstention.threshold import declined_beside
from assay.random import stream
from assay.scoring.evaluate import evaluate
from assay.table.scores import Scores


def tables(answers, measure: str, clusters=None) -> Scores:
    """As it is and all declined, two runs of one table, from (correct or None, confidence) pairs."""
    words = {1: "correct", 0: "incorrect", None: "unanswered"}
    lines = [
        {"id": f"q{i:04}", "outcome": words[c], "confidence": p, **({"cluster": clusters[i]} if clusters else {})}
        for i, (c, p) in enumerate(answers)
    ]
    run = "\n".join(map(json.dumps, lines)).encode()
    return declined_beside(evaluate(None, run, [measure], task="outcomes"), measure)


def value_at(answers, measure: str, threshold: float) -> float | None:
    """The measure with everything below the threshold declined, through the what-if of `assay evaluate`."""
    return value([(None, None) if p is not None and p < threshold else (c, p) for c, p in answers], measure)


def value(answers, measure: str) -> float | None:
    """The measure of some answers."""
    return tables(answers, measure).value("run", measure).value


def informed(n: int = 400, trial: int = 0):
    """Confidence p is right with probability p: declining below one half helps UF."""
    draw = stream(11, "test", trial)
    answers = []
    for _ in range(n):
        p = (1 + draw.below(99)) / 100
        answers.append((int(draw.below(100) < 100 * p), p))
    return answers
