"""AUROC is tested where both runs have enough answers of the rarer class, right or wrong."""

from __future__ import annotations

import numpy as np
import pytest
from outcome_arrays import from_arrays

from assay.analyses.comparison.compare import compare
from assay.analyses.comparison.pair_statistics import MIN_RARER_CLASS
from assay.measures.define import ANSWERS, RARER_CLASS, TOPICS, declared
from assay.measures.registry import load
from assay.resampling.columns import Columns
from assay.scoring.evaluate import table
from assay.tasks import get


def scored(errors: list[int], questions: int = 100, measure: str = "AUROC", unanswered: int = 0):
    """Score runs with so many wrong answers each, under random confidences."""
    outcomes = np.ones((len(errors), questions), dtype=int)
    for row, wrong in zip(outcomes, errors, strict=True):
        row[:wrong] = 0
        row[questions - unanswered :] = -1
    gold, views = from_arrays(outcomes, np.random.default_rng(1).uniform(0.01, 0.99, outcomes.shape))
    task = get("outcomes")
    from assay import measure as find

    return table(task, gold, views, [find(measure, "outcomes")], task.settings())


@pytest.mark.parametrize(("errors", "refused"), [([MIN_RARER_CLASS - 1, 50], True), ([MIN_RARER_CLASS, 50], False)])
def test_auroc_needs_the_rarer_class(errors: list[int], refused: bool) -> None:
    """Equal AUROC of .76 with 5 and 40% errors over 50 questions was rejected in .12 of cases."""
    pair = compare(scored(errors), resamples=199).pairs[0]
    assert (pair.decided_by is None) == refused
    message = f"{errors[0]} answers of the rarer class (right or wrong), too few answers to test; AUROC needs {MIN_RARER_CLASS} at least"
    assert (message in pair.sentence) == refused


def test_right_answers_can_be_the_rarer_class() -> None:
    found = Columns.of(scored([95, 40], unanswered=3), "AUROC")
    assert found.answers.tolist() == [2, 40]


def test_a_calibration_measure_counts_answers() -> None:
    assert Columns.of(scored([30, 40], measure="Brier", unanswered=7), "Brier").answers.tolist() == [93, 93]
    assert Columns.of(scored([30, 40], measure="CWS", unanswered=7), "CWS").answers.tolist() == [100, 100]


def test_what_counts_is_declared_as_the_formula_has_it() -> None:
    """A measure that declares that it ignores unanswered questions has the same value without them."""
    load("outcomes")
    draw = np.random.default_rng(5)
    answered = (draw.random(60) < 0.7).astype(int)
    columns = {
        "correct": (answered & (draw.random(60) < 0.6)).tolist(), "answered": answered.tolist(),
        "confidence": draw.random(60).tolist(), "position": list(range(60)),
    }  # fmt: skip
    short = {
        name: [cell for cell, kept in zip(column, answered, strict=True) if kept] for name, column in columns.items()
    }
    for declaration in {id(d): d for d in declared()["outcomes"].values() if "answered" in d.of}.values():
        parameters = {"risk": 0.5} if declaration.required else {}
        everywhere, among_answers = (
            declaration.function(*(cells[name] for name in declaration.of), **parameters) for cells in (columns, short)
        )
        assert (declaration.counts == TOPICS) == (everywhere != pytest.approx(among_answers, abs=1e-12)), (
            declaration.name
        )
        assert declaration.counts in (TOPICS, ANSWERS, RARER_CLASS)
