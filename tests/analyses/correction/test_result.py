"""What a correction amounts to."""

from __future__ import annotations

import pytest

from assay.analyses.correction.result import CorrectedPair, CorrectedRun, CorrectedValue, Correction


@pytest.mark.parametrize(
    ("machine", "told", "verdict"),
    [(0.1, (0.01, 0.2), "holds"), (0.1, (-0.01, 0.2), "open"), (0.1, (-0.2, -0.1), "turns"), (-0.1, (-0.2, -0.1), "holds"),
     (0, (0.1, 0.2), "open")],
)  # fmt: skip
def test_what_becomes_of_the_order(machine, told, verdict) -> None:
    low, high = told
    middle = CorrectedValue((low + high) / 2, low, high)
    assert (
        CorrectedPair("a", "b", "accuracy", machine, {"human": None, "ppi": middle, "rogan_gladen": None}, 0.5).verdict
        == verdict
    )
    assert (
        CorrectedPair("a", "b", "accuracy", machine, {"human": middle, "ppi": None, "rogan_gladen": None}, None).verdict
        == verdict
    )


def test_rows_and_json() -> None:
    told = {"human": CorrectedValue(0.5, 0.4, 0.6), "ppi": CorrectedValue(0.55, 0.5, 0.6), "rogan_gladen": None}
    run = CorrectedRun("a", "accuracy", 0.7, told, 100, 20, 0.8, 0.9, 0.7, 0.6)
    pair = CorrectedPair("a", "b", "accuracy", 0.1, told, 0.3)
    found = Correction(noun="question", runs=(run,), pairs=(pair,), settings={"confidence": 0.95})
    header, rows = found.rows()
    assert all(len(row) == len(header) for row in rows)
    assert rows[2] == ["a", None, "accuracy", "ppi", 0.55, 0.5, 0.6, 20, 0.8]
    assert rows[6][:7] == ["a", "b", "accuracy", "ppi", 0.55, 0.5, 0.6]
    data = found.to_dict()
    assert data["runs"][0]["ppi"] == {"value": 0.55, "interval": [0.5, 0.6]}
    assert (data["runs"][0]["questions"], data["runs"][0]["rogan_gladen"], data["pairs"][0]["order"]) == (
        100,
        None,
        "holds",
    )
