"""A report as plain data."""

from __future__ import annotations

from assay.analyses.campaign.result import RunPair
from assay.reports import cells, model

LOW, MIDDLE, HIGH = (0.1, 0.2), (0.4, 0.5), (0.7, None)


def grid() -> model.Grid:
    values = model.MeasureValues(
        "AP", (0.15, 0.45, 0.7), (LOW, MIDDLE, HIGH), pairs=(RunPair(0, 1, -0.3),), medians=(0.4, 0.35)
    )
    table = model.Table("topics", "Topics", (), ())
    return model.Grid(("t1", "t2"), ("low", "middle", "high"), (2, 1, 0), (values,), {}, table)


def test_a_grid_of_some_runs_keeps_their_order_and_everybodys_medians() -> None:
    some = grid().of(["high", "low"])
    assert (some.runs, some.order) == (("high", "low"), (0, 1))
    (values,) = some.measures
    assert (values.runs, values.topics, values.medians) == ((0.7, 0.15), (HIGH, LOW), (0.4, 0.35))
    assert values.pairs == ()


def test_a_page_is_found_by_the_name_of_its_run() -> None:
    assert model.RunPage("p1", "a/b", ()).address == "run/a%2Fb"


def test_a_page_writes_its_cells_through_the_model() -> None:
    assert model.number is cells.number
