"""What would be found 4 times in 5: leads by hand, power by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.comparison.compare import compare
from assay.analyses.comparison.detectable_difference import LeadRule, detectable_share, detectable_shift


def test_the_leads_that_a_binomial_test_needs() -> None:
    """2/2⁶ is the first p below .05; of 9, 8:1 has 2(1 + 9)/2⁹ = .039; of 20, 15:5 has .0414 and 14:6 .115."""
    assert LeadRule(level=0.05).least_leads(np.array([6, 9, 20]), 100).tolist() == [6, 7, 10]


def test_the_leads_that_r_and_a_difference_need() -> None:
    """lead² > .1 · 50 · 20 = 100 from 11 on, and lead > .25 · 50 from 13 on."""
    assert LeadRule(r=0.1).least_leads(np.array([20]), 50).tolist() == [11]
    assert LeadRule(r=0.1, difference=0.25).least_leads(np.array([20]), 50).tolist() == [13]


def test_the_power_of_right_or_wrong_by_hand() -> None:
    """Every disagreement must go one way of 6, all of n: δ⁶ = .8."""
    assert detectable_share(6, 5, LeadRule(level=0.05)) == pytest.approx(0.8 ** (1 / 6), abs=1e-4)


@pytest.mark.parametrize(("n", "disagreements"), [(50, 15), (200, 30), (200, 3)])
def test_the_power_of_right_or_wrong_by_simulation(n, disagreements) -> None:
    rule, rng = LeadRule(level=0.05), np.random.default_rng(n + disagreements)
    difference = detectable_share(n, disagreements, rule)
    assert difference is not None
    share = max((disagreements + 1) / (n + 2), difference)
    wins, losses, _ = rng.multinomial(n, [(share + difference) / 2, (share - difference) / 2, 1 - share], size=20_000).T
    significant = wins - losses >= rule.least_leads(wins + losses, n)
    assert significant.mean() == pytest.approx(0.8, abs=0.01)


def test_no_difference_is_found_where_no_lead_is_significant() -> None:
    assert detectable_share(5, 3, LeadRule(level=0.05)) is None


def test_more_disagreements_and_a_stricter_rule_hide_larger_differences() -> None:
    sizes = [detectable_share(100, m, LeadRule(level=0.05)) for m in (5, 20, 60)]
    assert sizes == sorted(sizes)
    assert detectable_share(100, 20, LeadRule(level=0.05, r=0.1)) > sizes[1]


def test_other_values_follow_the_noncentral_t() -> None:
    from scipy import stats

    shift = detectable_shift(0.3, 0.1, 12)
    raised = (11 / stats.chi2.median(11)) ** 0.5  # the median-unbiased standard error
    assert stats.nct.sf(3.0, 11, shift / (raised * 0.1)) == pytest.approx(0.8, abs=1e-6)
    assert detectable_shift(0.3, 0.0, 12) == 0.3
    assert detectable_shift(1e6, 0.1, 12) == pytest.approx(raised * 1e6, rel=1e-5)


@pytest.mark.parametrize("correct", [None, "holm", "tukey"])
def test_right_or_wrong_in_a_family_needs_more(correct, outcomes) -> None:
    texts = {"a": "+-" * 30, "b": "+-++" * 15, "c": "--++" * 15}
    alone = compare(outcomes({name: texts[name] for name in "ab"}, "accuracy")).pairs[0].detectable
    pair = next(
        pair for pair in compare(outcomes(texts, "accuracy"), correct=correct).pairs if {pair.a, pair.b} == {"a", "b"}
    )
    assert pair.detectable > alone
