"""A run's columns: by the core or by the measure's function, and what a measure of one's own gets wrong."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError
from assay.scoring import run_scoring

GOLD = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1}, "3": {"d": 1}}
RUN = {"1": {"x": 3.0, "a": 2.0, "b": 1.5, "c": 1.0}, "2": {"b": 2.0}}


def test_the_core_and_the_functions_give_the_same_columns(monkeypatch) -> None:
    """With two relevant documents at ranks 2 and 4, AP is (1/2 + 2/4)/2."""
    names = ["AP", "nDCG@10", "RR", "P@5", "ERR@10", "Bpref", "Rprec", "NumRet"]
    quick = assay.evaluate(GOLD, RUN, names)
    monkeypatch.setattr(run_scoring, "_by_core", lambda *_: {})
    slow = assay.evaluate(GOLD, RUN, names)
    assert quick["AP", "run"]["1"] == 0.5
    assert all(quick[name, "run"] == slow[name, "run"] for name in names)


def test_a_failing_measure_is_named_with_its_place() -> None:
    from assay.measures.define import measure
    from assay.measures.measure import Measure

    def broken(view: object) -> float:
        return 1 / 0

    declared = measure("Broken", cite="nobody")
    declared.function = broken
    with pytest.raises(InputError, match=r"measure Broken failed on topic number 1: .*ZeroDivisionError"):
        assay.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, [Measure(declared, "Broken", {})])


@pytest.mark.parametrize("cell", ["much", float("nan"), float("inf")])
def test_a_measure_returns_numbers_or_none(cell) -> None:
    from assay.measures.define import measure
    from assay.measures.measure import Measure

    declared = measure("Odd", cite="nobody")
    declared.function, declared.ours = (lambda view: cell), False
    with pytest.raises(
        InputError, match=r"measure Odd returned .* on topic number 1; expected a finite number, or None"
    ):
        assay.evaluate(GOLD, RUN, [Measure(declared, "Odd", {})])
