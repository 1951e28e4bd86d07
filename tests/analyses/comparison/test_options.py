"""What may be chosen of a comparison, and what is refused before any work."""

from __future__ import annotations

import pytest

from assay.analyses.comparison.options import ComparisonOptions
from assay.errors import UsageError

PLAIN = {
    "test": None, "correct": None, "interval": "auto", "confidence": 0.95, "resamples": None, "seed": 0, "tie": 0.0,
    "threads": None,
}  # fmt: skip


def test_the_level_goes_with_the_confidence() -> None:
    assert ComparisonOptions(**PLAIN).alpha == 0.05
    assert ComparisonOptions(**{**PLAIN, "confidence": 0.9}).alpha == 0.1


def test_a_kind_of_bootstrap_interval_asks_for_the_bootstrap() -> None:
    assert ComparisonOptions(**PLAIN).chosen_test is None
    assert ComparisonOptions(**{**PLAIN, "interval": "percentile"}).chosen_test == "bootstrap"


@pytest.mark.parametrize(
    ("choice", "value"),
    [("test", "welch"), ("correct", "sidak"), ("interval", "bca"), ("confidence", 1.0), ("confidence", 0.0), ("resamples", 99),
     ("threads", 0), ("tie", -0.1)],
)  # fmt: skip
def test_what_is_refused_is_named(choice, value) -> None:
    with pytest.raises(UsageError, match=f"`{choice}="):
        ComparisonOptions(**{**PLAIN, choice: value})
