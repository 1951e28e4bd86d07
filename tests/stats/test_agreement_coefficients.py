"""Coefficients against tables that others published, and what must hold of any."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.agreement_coefficients import (
    cohen_kappa,
    distances,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    ordinal_distances,
)

KRIPPENDORFF = np.array([[7, 4 / 3, 1 / 3, 1 / 3, 0], [4 / 3, 10, 4 / 3, 1 / 3, 0], [1 / 3, 4 / 3, 8, 1 / 3, 0],
                         [1 / 3, 1 / 3, 1 / 3, 4, 0], [0, 0, 0, 0, 3]])  # fmt: skip
"""The coincidences of four observers and twelve units, missing data, in "Computing Krippendorff's alpha-reliability" (2011), part C."""


@pytest.mark.parametrize(("metric", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_own_example(metric, published) -> None:
    apart = {"nominal": distances(range(5), 0), "interval": distances([1, 2, 3, 4, 5], 2)}
    apart["ordinal"] = ordinal_distances(KRIPPENDORFF)
    assert krippendorff_alpha(KRIPPENDORFF, apart[metric]) == pytest.approx(published, abs=5e-4)


def test_fleiss_own_shares() -> None:
    """Fleiss 1971 as textbooks retell it: 14 raters, 10 subjects, P = .378, shares .143 .200 .279 .150 .229, kappa .210."""
    shares = np.array([20, 28, 39, 21, 32]) / 140
    assert fleiss_kappa(np.array(0.3780219780), shares) == pytest.approx(0.210, abs=5e-4)


def test_weights_count_how_far_apart_grades_are() -> None:
    """Rows 0: 2 0 1; 1: 0 2 0; 2: 1 0 2: sums 3 2 3 both ways. Disagreement 2 · 1 plain, 2 · 2 linear, 2 · 4 quadratic; by
    chance 42/8, 60/8 and 96/8."""
    table = np.array([[2.0, 0, 1], [0, 2, 0], [1, 0, 2]])
    found = [float(cohen_kappa(table, distances([0, 1, 2], power))) for power in (0, 1, 2)]
    assert found == pytest.approx([1 - 2 / (42 / 8), 1 - 4 / (60 / 8), 1 - 8 / (96 / 8)])


def test_ac1_stays_high_where_one_category_is_rare() -> None:
    """Of 100 pairs both say no to 90, disagree on 10: kappa is below 0 and AC1 near .9 (Feinstein and Cicchetti's paradox)."""
    table = np.array([[90.0, 5.0], [5.0, 0.0]])
    assert float(cohen_kappa(table, distances([0, 1], 0))) == pytest.approx(1 - 0.10 / 0.095)
    chance = 2 * 0.95 * 0.05
    assert float(gwet_ac1(np.array(0.9), np.array([0.95, 0.05]))) == pytest.approx((0.9 - chance) / (1 - chance))


def test_judges_who_never_vary_are_undefined() -> None:
    table = np.array([[5.0, 0.0], [0.0, 0.0]])
    assert np.isnan(cohen_kappa(table, distances([0, 1], 0)))
    assert np.isnan(krippendorff_alpha(2 * table, distances([0, 1], 0)))
    assert np.isnan(fleiss_kappa(np.array(1.0), np.array([1.0, 0.0])))
    assert np.isnan(gwet_ac1(np.array(1.0), np.array([1.0])))
    assert gwet_ac1(np.array(1.0), np.array([1.0, 0.0])) == 1.0


tables = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3).map(
    lambda rows: np.array(rows, dtype=np.float64)
)


@given(tables)
@settings(max_examples=50)
def test_what_holds_of_any_table(table) -> None:
    for power in (0, 1, 2):
        apart = distances([0, 1, 2], power)
        kappa = cohen_kappa(table, apart)
        assert np.isnan(kappa) or kappa <= 1
        assert np.array_equal(kappa, cohen_kappa(table.T, apart), equal_nan=True) or kappa == pytest.approx(
            cohen_kappa(table.T, apart)
        )
        assert cohen_kappa(7 * table, apart) == pytest.approx(kappa, nan_ok=True)
        perfect = cohen_kappa(np.diag(np.diag(table)), apart)
        assert np.isnan(perfect) or perfect == 1
    both = np.stack([table, table.T])
    stacked = krippendorff_alpha(both + both.swapaxes(-1, -2), ordinal_distances(both + both.swapaxes(-1, -2)))
    assert stacked[0] == pytest.approx(stacked[1], nan_ok=True)
