"""Whether labelled questions are like the others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency, norm

from assay.stats.covariate_balance import as_numbers, imbalance, strata_of


def test_shares_are_tested_as_by_scipy() -> None:
    rng = np.random.default_rng(1)
    values, labelled = rng.choice(["law", "art", "sport"], 300), np.arange(300) < 90
    table = [[np.sum((values == word) & of) for word in ("art", "law", "sport")] for of in (labelled, ~labelled)]
    found = imbalance(values.tolist(), labelled)
    assert found is not None
    assert found.p == pytest.approx(chi2_contingency(table, correction=False).pvalue)


def test_means_of_numbers() -> None:
    """Lengths of 0 to 9: labelled have a mean of 6, others of 4.5; the variance over all is that of both."""
    values = [2.0, 10.0, 6.0, 6.0] * 5 + [float(n) for n in range(10)] * 8
    labelled = np.arange(100) < 20
    found = imbalance(values, labelled)
    assert found is not None
    assert (found.value, found.labelled, found.others) == (None, 6.0, 4.5)
    z = 1.5 / np.sqrt(np.var(values, ddof=1) * (1 / 20 + 1 / 80))
    assert found.p == pytest.approx(2 * norm.sf(z))
    slower = imbalance(values, labelled, cluster_size=4)
    assert slower is not None
    assert slower.p == pytest.approx(2 * norm.sf(z / 2))


def test_rare_values_are_tested_together() -> None:
    """A hundred places that occur once say nothing; too many are no field."""
    assert imbalance([f"place {n}" for n in range(100)], np.arange(100) < 30) is None
    rare = ["law"] * 90 + [f"rare {n}" for n in range(10)]
    found = imbalance(rare, np.arange(100) < 30)
    assert found is not None
    assert 0 < found.p <= 1


@pytest.mark.parametrize("values", [["law"] * 10, [None] * 10, [1.0] * 10])
def test_one_value_makes_no_strata(values) -> None:
    assert strata_of(values) is None
    assert imbalance(values, np.arange(10) < 5) is None


def test_quarters_of_numbers_and_questions_without_one() -> None:
    strata = strata_of([*range(20), None])
    assert strata is not None
    assert strata.labels == ["0 to 4", "5 to 9", "10 to 14", "15 to 19", "no value"]
    assert np.bincount(strata.numbers).tolist() == [5, 5, 5, 5, 1]
    few = strata_of([1, 2, "3", 2])
    assert few is not None
    assert few.labels == ["1", "2", "3"]
    assert as_numbers(["", "x"]) is None
