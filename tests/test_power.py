"""Small seeded versions of benchmarks/power.py: a pilot's promise of what would be found is kept."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def power():
    from benchmarks import power

    return power


@pytest.mark.parametrize(("kind", "varies"), [("accuracy", 0.3), ("continuous", 0.2)])
def test_what_a_pilot_would_find_is_found_4_times_in_5(power, kind, varies) -> None:
    hits, tested = power.simulate(power.Cell("found", kind, 50, varies), 300, 0)
    assert 0.72 < hits / tested < 0.88
