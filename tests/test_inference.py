"""Small seeded versions of benchmarks/inference.py: what is simulated with a known truth comes out as claimed."""

from __future__ import annotations

import json

import pytest
from scipy import stats

DRAWS = 120
FEWER = {"found": 60, "tasks": 30, "40 of 20 at 0.97": 60, "pairs": 20}
"""Draws of cells that take longer, by table or kind."""
SUBSET = {
    "alike": ("precision 200 0.5 1", "c@1 200 0.1 1", "UF 50 0.1 1", "AUROC 200 1 1", "AP 50", "Brier 50 0.5 1"),
    "rare": ("AUROC 1000 0.97 0.6",), "clusters": ("accuracy 160 8 1", "c@1 300 15 1"), "skewed": ("AP 50 0", "latency 50"),
    "family": ("precision 200",), "ten": ("AP 6", "AP 11", "accuracy 50"), "groups": ("AP 25",), "outlier": ("AP 25",),
    "gate": ("score 50", "pass@1 50", "c@1 200 0.9", "accuracy in clusters of 10 500 50 0"), "any": ("tasks 30", "measures 100", "runs 50"),
    "paired": ("score 20 0.8", "c@1 50 0.9 0.98 0.9"), "run": ("precision 50 0.5 0.95", "c@1 50 0.9 0.99", "accuracy 200 1 0.8 10"),
    "macro": ("20 and 500 0 20 0.95 500 0.6", "30 and 2000 0 30 0.97 2000 0.6"), "macro pair": ("20 and 500 0 20 0.95 500 0.6",),
    "correct": ("good clustered 1000 0.5 200", "good ordinal 1000 0.8 15"),
}  # fmt: skip


@pytest.fixture(scope="module")
def benchmark():
    from benchmarks import inference

    return inference


def cell_of(benchmark, table: str, rest: str):
    return next(cell for cell in benchmark.TABLES[table].cells if benchmark.key_of(cell) == f"{table} {rest}")


@pytest.mark.slow
@pytest.mark.parametrize(("table", "rest"), [(table, rest) for table, cells in SUBSET.items() for rest in cells])
def test_a_cell_is_inside_its_aim(benchmark, table, rest) -> None:
    """The rate of a few draws lies where that of a cell inside its aim does 999 times of 1,000."""
    cell, aim = cell_of(benchmark, table, rest), benchmark.TABLES[table]
    draws = FEWER.get(cell.kind, DRAWS)
    rate = benchmark.drawn(cell, draws)
    assert rate.rate is not None
    said = round(draws * (1 - rate.refused))
    errors = round(said * (rate.rate if aim.aim == "error" else 1 - rate.rate))
    allowed = {"error": aim.rate + 0.01, "coverage": 0.06, "range": 1 - aim.rate}[aim.aim]
    assert errors <= stats.binom.ppf(0.999, said, allowed)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["non-inferior", "inferior", "same"])
def test_verdicts_at_the_margin_are_enumerated(benchmark, name) -> None:
    """Red before: "non-inferior" was wrong in .142 of samples of 50, "the same within" in .195."""
    for cell in [cell for cell in benchmark.TABLES[name].cells if cell.n in (50, 100) and cell.values == (0.03,)]:
        rate, _ = benchmark.TABLES[name].exact(cell)
        assert rate <= benchmark.TABLES[name].rate + 0.01


@pytest.mark.slow
def test_too_few_answers_are_refused(benchmark) -> None:
    for rest in ("alike precision 50 0.1 1", "alike AUROC 50 0.1 1"):
        assert benchmark.drawn(cell_of(benchmark, *rest.split(" ", 1)), 30).rate is None


def test_every_result_is_inside_its_aim(benchmark) -> None:
    """docs/coverage.md prints them, and says how many cells there are and how many were simulated."""
    results = benchmark.read_results()
    cells = [benchmark.key_of(cell) for table in benchmark.TABLES.values() for cell in table.cells]
    assert list(results) == [cell for cell in cells if cell in results]
    assert [key for key, row in results.items() if not row["inside"]] == []
    data = json.loads(benchmark.RESULTS.read_text("utf-8"))
    assert list(data["tables"]) == list(benchmark.TABLES)
    assert {name: table["cells"] for name, table in data["tables"].items()} == {
        name: len(table.cells) for name, table in benchmark.TABLES.items()
    }
