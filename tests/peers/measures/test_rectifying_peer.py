"""PPI++ against ppi-python, which its authors wrote: the estimate, λ and the interval, on made verdicts and on real ones.

ppi-python divides by n where assay divides by n - 1, and its interval is by so much shorter; it is put right before
the two are held together.
"""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import ndtri, stdtrit

from assay.stats.judged_pairs import JudgedPairs, JudgedRuns
from assay.stats.labelled_verdicts import FORMS, Labelled
from assay.stats.prediction_powered import are_alike, is_few, powered_difference, prediction_powered
from peers import peer

ppi = peer("ppi_py")
pytestmark = pytest.mark.peer


def theirs(human, here, others) -> tuple[float, float]:
    """Their estimate, and half of their interval with n - 1."""
    value = float(np.squeeze(ppi.ppi_mean_pointestimate(human, here, others)))
    # Their λ is inside; that of the estimate is read off it, which is linear in λ.
    none, full = (float(np.squeeze(ppi.ppi_mean_pointestimate(human, here, others, lam=lam))) for lam in (0.0, 1.0))
    weight = (value - none) / (full - none)
    low, high = (float(np.squeeze(end)) for end in ppi.ppi_mean_ci(human, here, others, alpha=0.05))
    plain = (weight**2 * others.var() / len(others) + (human - weight * here).var() / len(human)) ** 0.5
    mended = (weight**2 * others.var(ddof=1) / len(others) + (human - weight * here).var(ddof=1) / len(human)) ** 0.5
    return value, (high - low) / 2 * mended / plain


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(60, 200), left=st.integers(50, 800), good=st.floats(0.55, 0.95))
def test_the_mean(seed, n, left, good) -> None:
    chance = np.random.default_rng(seed)
    truth = (chance.random(n + left) < 0.5).astype(float)
    judge = np.where(chance.random(n + left) < good, truth, 1 - truth)
    run = Labelled.of(judge, np.where(np.arange(n + left) < n, truth, np.nan))
    found = prediction_powered(run, 0.95)
    assume(abs(judge[:n].mean() - judge[n:].mean()) > 1e-3)
    value, half = theirs(truth[:n], judge[:n], judge[n:])
    assert found.value == pytest.approx(value, abs=1e-12)
    if not is_few(run):
        assert found.high - found.value == pytest.approx(half, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(20, 100), left=st.integers(30, 300))
def test_the_difference_of_two_systems_is_their_mean_of_differences(seed, n, left) -> None:
    chance = np.random.default_rng(seed)
    ease = chance.random(n + left)
    truths = [(ease + chance.random(n + left) < skill).astype(float) for skill in (1.1, 0.9)]
    judges = [np.where(chance.random(n + left) < 0.85, truth, 1 - truth) for truth in truths]
    runs = [Labelled.of(j, np.where(np.arange(n + left) < n, t, np.nan)) for j, t in zip(judges, truths, strict=True)]
    found = powered_difference(*runs, FORMS["accuracy"], 0.95)
    human, said = truths[0] - truths[1], judges[0] - judges[1]
    assume(abs(said[:n].mean() - said[n:].mean()) > 1e-3)
    value, half = theirs(human[:n], said[:n], said[n:])
    assert found.value == pytest.approx(value, abs=1e-12)
    if not are_alike(*runs):
        # Theirs is the normal interval, and of differences assay has Student's.
        assert found.high - found.value == pytest.approx(half * stdtrit(n - 2, 0.975) / ndtri(0.975), rel=1e-9)


def test_the_real_verdicts(shared_data) -> None:
    with open(shared_data("harness_logs", "judge_with_human_labels", "judge.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    judge = np.array([float(row["judge"]) for row in rows])
    human = np.array([float(row["human"]) if row["human"] else np.nan for row in rows])
    here = ~np.isnan(human)
    value, half = theirs(human[here], judge[here], judge[~here])
    found = prediction_powered(Labelled.of(judge, human), 0.95)
    assert found is not None
    assert found.value == pytest.approx(value, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((value - half, value + half), abs=1e-12)
    own = ppi.ppi_mean_ci(human[here], judge[here], judge[~here], alpha=0.05)
    # As they print it, with n instead of n - 1.
    assert [float(np.squeeze(end)) for end in own] == pytest.approx((found.low, found.high), abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(20, 100), left=st.integers(30, 300))
def test_a_pair_of_a_comparison_is_their_mean_of_differences(seed, n, left) -> None:
    """`compare(…, human=…)` of two runs: with the same λ, their estimate and standard error, with n - 1."""
    chance = np.random.default_rng(seed)
    ease = chance.random((n + left, 1))
    truth = np.clip((ease + chance.random((n + left, 2))) / 2, 0, 1)
    judge = np.clip(truth + 0.1 * chance.standard_normal(truth.shape), 0, 1)
    here = np.arange(n + left) < n
    human = np.where(here[:, None], truth, np.nan)
    runs = JudgedRuns(judge, human, judge, np.ones(truth.shape), FORMS["accuracy"])
    pairs = JudgedPairs(runs, np.array([0]), np.array([1]), resamples=100)
    y, said, rest = (
        (truth[:, 0] - truth[:, 1])[here],
        (judge[:, 0] - judge[:, 1])[here],
        (judge[:, 0] - judge[:, 1])[~here],
    )
    lam = pairs.weight
    value = float(np.squeeze(ppi.ppi_mean_pointestimate(y, said, rest, lam=lam)))
    assert pairs.differences[0] == pytest.approx(value, abs=1e-12)
    low, high = (float(np.squeeze(end)) for end in ppi.ppi_mean_ci(y, said, rest, alpha=0.05, lam=lam))
    plain = (lam**2 * rest.var() / left + (y - lam * said).var() / n) ** 0.5
    assert (high - low) / 2 == pytest.approx(ndtri(0.975) * plain, rel=1e-9)
    mended = lam**2 * rest.var(ddof=1) / left + (y - lam * said).var(ddof=1) / n
    assert pairs.variances[0] == pytest.approx(mended, rel=1e-9)
    # Their λ has the variance of all verdicts in its denominator, ours those of the two parts.
    theirs_lam = np.cov(y, said, ddof=0)[0, 1] / ((1 + n / left) * np.concatenate([said, rest]).var())
    assert lam == pytest.approx(np.clip(theirs_lam, 0, 1), abs=0.3)
