"""Small seeded versions of benchmarks/peeking.py: who looks at a growing log after every question is rarely wrong."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def peeking():
    from benchmarks import peeking

    return peeking


@pytest.mark.parametrize(
    ("table", "n"), [("pairs", 100), ("ids", 100), ("drifting", 100), ("drifting", 300), ("alarm", 100)]
)
def test_no_more_errors_than_promised(peeking, table, n) -> None:
    draws = 100
    hits, _ = peeking.simulate(peeking.Cell(table, "accuracy", n), draws, 0)
    assert hits <= peeking.AIMS[table] * draws + 3 * (peeking.AIMS[table] * draws) ** 0.5
