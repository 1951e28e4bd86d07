"""Small seeded versions of benchmarks/inference.py: what is simulated with a known truth comes out as claimed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from scipy import stats

pytestmark = pytest.mark.slow

BENCHMARK = Path(__file__).resolve().parents[1] / "benchmarks" / "inference.py"


@pytest.fixture(scope="module")
def benchmark():
    import sys

    spec = importlib.util.spec_from_file_location("inference", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    sys.modules["inference"] = module
    spec.loader.exec_module(module)
    return module


def at_most(rate: float, repetitions: int) -> float:
    """What a true rate is measured below 999 times of 1,000."""
    return float(stats.binom.ppf(0.999, repetitions, rate)) / repetitions


@pytest.mark.parametrize(
    ("kind", "n", "first", "second", "clusters"),
    [("precision", 200, 0.3, 1.0, 0), ("c@1", 200, 0.1, 1.0, 0), ("UF", 50, 0.1, 1.0, 0), ("AUROC", 200, 1.0, 1.0, 0),
     ("AP", 50, 1.0, 1.0, 0), ("accuracy", 200, 1.0, 1.0, 10)],
)  # fmt: skip
def test_runs_worth_the_same_are_not_told_apart(benchmark, kind, n, first, second, clusters) -> None:
    """Red before: precision with coverages of .1 and 1 was rejected 27% of the time."""
    _, found = benchmark.simulate(benchmark.Cell("rejects", kind, n, first, second, clusters), 120)
    assert found.tested == 120
    assert found.rate <= at_most(0.06, 120)


def test_too_few_answers_are_not_tested(benchmark) -> None:
    _, found = benchmark.simulate(benchmark.Cell("rejects", "precision", 50, 0.1, 1.0), 30)
    assert found.refused == 1.0
    # Of 50 answers 15 are wrong: 20 of the rarer class are needed.
    _, found = benchmark.simulate(benchmark.Cell("rejects", "AUROC", 50, 1.0, 1.0), 30)
    assert found.refused > 0.8


@pytest.mark.parametrize(("table", "kind", "n"), [("family", "precision", 200), ("gate", "AP", 50)])
def test_a_family_of_runs_worth_the_same(benchmark, table, kind, n) -> None:
    """Red before: 27% of families of five coverages, and of twenty runs at a gate, had a false alarm."""
    _, found = benchmark.simulate(benchmark.Cell(table, kind, n, 0.1, 1.0), 100)
    assert found.rate <= at_most(0.06, 100)


def test_an_outlying_run_hides_nobody(benchmark) -> None:
    _, found = benchmark.simulate(benchmark.Cell("outlier", "AP", 25, 0, 0), 20)
    assert found.rate == 1.0


@pytest.mark.parametrize(
    ("kind", "n", "covered", "right", "clusters"),
    [("accuracy", 20, 1.0, 0.99, 0), ("precision", 50, 0.5, 0.95, 0), ("c@1", 50, 0.9, 0.99, 0), ("UF", 20, 0.9, 0.8, 0),
     ("accuracy", 200, 1.0, 0.8, 10)],
)  # fmt: skip
def test_intervals_hold_the_truth(benchmark, kind, n, covered, right, clusters) -> None:
    """Red before: at a share of .99 of 20 questions the interval held it 18% of the time, in 10 clusters 81 to 86%."""
    _, found = benchmark.simulate(benchmark.Cell("covers", kind, n, covered, right, clusters), 200)
    assert 1 - found.rate <= at_most(0.06, 200)


def test_every_cell_has_an_aim_and_can_be_simulated(benchmark) -> None:
    for cell in benchmark.cells():
        assert cell.table in benchmark.AIMS
        assert cell.table in benchmark.SIMULATED
