"""Pairs of runs that a machine judged and people labelled in part: estimates, errors, flips and intervals."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.resampling.sign_flips import SignFlips
from assay.stats.judged_pairs import JudgedPairs, JudgedRuns
from assay.stats.labelled_verdicts import FORMS, Labelled
from assay.stats.multiple_comparisons import max_t
from assay.stats.prediction_powered import powered_difference, student_point


def every_pair(runs: int) -> tuple[np.ndarray, np.ndarray]:
    a, b = np.array(list(combinations(range(runs), 2))).T
    return a, b


def made(
    seed=0, runs=3, questions=200, labels=60, *, same=True, answered=None, clusters=None, scores=False
) -> JudgedRuns:
    rng = np.random.default_rng(seed)
    shape = questions, runs
    ease = rng.standard_normal((questions, 1)) * 0.7 + rng.standard_normal(shape) * 0.7
    truth = 1 / (1 + np.exp(-ease)) if scores else (ease < 0.4).astype(float)
    judge = truth + 0.1 * rng.standard_normal(shape) if scores else np.where(rng.random(shape) < 0.85, truth, 1 - truth)
    share = np.ones(shape) if answered is None else (rng.random(shape) < answered).astype(float)
    human = np.full(shape, np.nan)
    here = rng.permutation(questions)[:labels]
    for run in range(runs):
        places = here if same else rng.permutation(questions)[:labels]
        human[places, run] = truth[places, run]
    human = np.where(share > 0, human, np.nan)
    form = FORMS["accuracy" if answered is None else "c@1"]
    return JudgedRuns(judge * share, human, judge * share, share, form, clusters)


def test_values_and_errors_by_hand() -> None:
    """Two runs, three labels of six: people's difference less half of the judge's there, and half of the judge's elsewhere.

    People's differences are 1, 0, 1, the judge's there 1, 1, 0 and elsewhere 1, 0, 0. With λ = 1/2 the difference is
    (1 - 1/2 + 0 - 1/2 + 1 - 0)/3 + 1/6 = 1/3 + 1/6. The rests .5, -.5, 1 vary by 7/12, the judge's halves .5, 0, 0 by 1/12.
    """
    judge = np.array([[1, 0], [1, 0], [0, 0], [1, 0], [1, 1], [0, 0]], dtype=float)
    human = np.array([[1, 0], [1, 1], [1, 0], [np.nan] * 2, [np.nan] * 2, [np.nan] * 2])
    pairs = JudgedPairs(
        JudgedRuns(judge, human, judge, np.ones((6, 2)), FORMS["accuracy"]),
        np.array([0]),
        np.array([1]),
        resamples=100,
        weight=0.5,
    )
    assert pairs.differences.tolist() == pytest.approx([1 / 2])
    assert pairs.variances.tolist() == pytest.approx([7 / 12 / 3 + 1 / 12 / 3])


@pytest.mark.parametrize("kind", ["plain", "unlike labels", "declining", "clusters"])
def test_a_pair_is_the_difference_that_correct_estimates(kind) -> None:
    """With the same λ, value and standard error are those of `powered_difference`."""
    clusters = np.arange(200) // 5 if kind == "clusters" else None
    runs = made(3, 2, same=kind != "unlike labels", answered=0.8 if kind == "declining" else None, clusters=clusters)
    one, two = (
        Labelled(
            np.where(runs.share[:, i] > 0, runs.judge[:, i], np.nan), runs.human[:, i], runs.share[:, i] == 0, clusters
        )
        for i in (0, 1)
    )
    found = powered_difference(one, two, runs.form, 0.95)
    assert found is not None
    pairs = JudgedPairs(runs, *every_pair(2), resamples=100, weight=found.weight)
    assert pairs.differences[0] == pytest.approx(found.value, abs=1e-12)
    assert pairs.variances[0] == pytest.approx((found.pulls**2).sum(), rel=1e-12)


def test_the_weight_minimises_the_variances_summed_over_the_pairs() -> None:
    runs = made(5, 4, scores=True)
    a, b = every_pair(4)
    tuned = JudgedPairs(runs, a, b, resamples=100).weight

    def total(weight: float) -> float:
        """Sums of squares over n², as λ is tuned, without n/(n - 1)."""
        human, judge = runs.human[:, a] - runs.human[:, b], runs.judge[:, a] - runs.judge[:, b]
        here = np.isfinite(human).all(axis=1)
        rest, left = human[here] - weight * judge[here], weight * judge[~here]
        return float((rest.var(axis=0) / len(rest) + left.var(axis=0) / len(left)).sum())

    assert 0.1 < tuned < 1
    assert total(tuned) < min(total(tuned - 0.01), total(tuned + 0.01))


def test_without_weight_it_is_the_comparison_of_the_labelled_alone() -> None:
    """λ = 0: values and errors are those of the labels, and p that of all 2^8 flips of their centred differences."""
    runs = made(7, 2, labels=8, scores=True)
    pairs = JudgedPairs(runs, *every_pair(2), resamples=20_000, weight=0.0)
    labels = runs.human[np.isfinite(runs.human).all(axis=1)]
    d = labels[:, 0] - labels[:, 1]
    assert pairs.differences[0] == pytest.approx(d.mean())
    assert pairs.errors[0] == pytest.approx(d.std(ddof=1) / 8**0.5)
    t = abs(d.mean()) / (d.std(ddof=1) / 8**0.5)
    flips = [np.array(signs) * (d - d.mean()) for signs in product((1, -1), repeat=8)]
    exact = np.mean([abs(x.mean()) >= t * x.std(ddof=1) / 8**0.5 for x in flips])
    assert pairs.own_p[0] == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 20_000) ** 0.5 + 1e-4)


def test_without_weight_max_t_is_that_of_sign_flips() -> None:
    """The adjusted p of five runs are those of `compare` on centred scores, but for the random flips."""
    runs = made(11, 5, labels=30, scores=True)
    a, b = every_pair(5)
    pairs = JudgedPairs(runs, a, b, resamples=20_000, weight=0.0)
    labels = runs.human[np.isfinite(runs.human).all(axis=1)]
    flips = SignFlips(labels, resamples=20_000, seed=3)
    p, _ = max_t(flips.centred, flips.seen(a, b) * flips.shares(a, b), a, b)
    # r of `compare` has the mean in its denominator: its t is the same.
    assert pairs.adjusted_p == pytest.approx(p, abs=0.02)


@pytest.mark.parametrize("kind", ["plain", "unlike labels", "declining", "clusters", "declining in clusters"])
def test_flips_centre_both_parts_again(kind) -> None:
    """t² under a flip, by hand: every part's pulls with their signs, less its share of their sum; squares are of whole units."""
    clusters = np.arange(200) // 5 if "clusters" in kind else None
    runs = made(13, 3, same=kind != "unlike labels", answered=0.8 if "declining" in kind else None, clusters=clusters)
    pairs = JudgedPairs(runs, *every_pair(3), resamples=4)
    units = 200 if clusters is None else 40
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (4, units))
    pairs.flip_sums = lambda columns, first, trials: signs[first : first + trials] @ columns
    squares = np.vstack([block for _, block in pairs._rounds()])
    assert (len(pairs._parts) == 3) == ("declining" in kind)
    for flip, pair in product(range(4), range(3)):
        moved, centred = 0.0, np.zeros(units)
        for part, (sign, run) in product(pairs._parts, ((1, pairs.a[pair]), (-1, pairs.b[pair]))):
            flipped = signs[flip] * part.pulls[:, run]
            moved += sign * flipped.sum()
            centred += sign * part.scale[run] * (flipped - part.shares[:, run] * flipped.sum())
        assert squares[flip, pair] == pytest.approx(moved**2 / (centred**2).sum(), rel=1e-9)


def test_a_cluster_has_one_sign() -> None:
    """Every question twice, in clusters of two, says no more than once."""
    alone = made(17, 3)
    twice = [np.repeat(of, 2, axis=0) for of in (alone.judge, alone.human, alone.checked, alone.answered)]
    both = JudgedRuns(*twice, alone.form, np.repeat(np.arange(200), 2))
    one, two = (JudgedPairs(runs, *every_pair(3), resamples=500) for runs in (alone, both))
    assert two.weight == pytest.approx(one.weight)
    assert two.errors == pytest.approx(one.errors)
    assert two.adjusted_p.tolist() == one.adjusted_p.tolist()


def test_few_labelled_units_share_the_median_variance() -> None:
    runs = made(19, 3, labels=8, scores=True)
    pairs = JudgedPairs(runs, *every_pair(3), resamples=100, weight=0.0)
    assert pairs.constant == np.median(pairs.variances) > 0
    assert pairs.errors**2 == pytest.approx(pairs.variances + pairs.constant)
    assert JudgedPairs(made(19, 3, labels=12, scores=True), *every_pair(3), resamples=100).constant == 0


def test_errors_of_the_judge_that_labels_cannot_show_widen_the_interval() -> None:
    """People agree with the judge on all 20 labels of two runs: the error has 1/20² more, that of one label on which they do not."""
    rng = np.random.default_rng(2)
    judge = (rng.random((400, 2)) < 0.7).astype(float)
    human = np.where(np.arange(400)[:, None] < 20, judge, np.nan)
    pairs = JudgedPairs(
        JudgedRuns(judge, human, judge, np.ones((400, 2)), FORMS["accuracy"]), *every_pair(2), resamples=200
    )
    assert pairs.widened.tolist() == [True]
    # λ costs (n - 1)/(n - 3).
    assert pairs.errors[0] ** 2 == pytest.approx(pairs.variances[0] * 19 / 17 + 1 / 400)
    low, high = pairs.run_ends(0.95)
    half = student_point(20, 0.95) * ((pairs._pulls[:, 0] ** 2).sum() + 1 / 400) ** 0.5
    assert (low[0], high[0]) == pytest.approx((pairs.values[0] - half, pairs.values[0] + half))


def test_a_judge_that_errs_on_most_labels_is_seen() -> None:
    """Scores such as AP are never equal; ten errors of verdicts are enough."""
    assert not JudgedPairs(made(23, 2, labels=8, scores=True), *every_pair(2), resamples=100).widened.any()
    assert not JudgedPairs(made(23, 2, labels=150), *every_pair(2), resamples=100).widened.any()
    assert JudgedPairs(made(23, 2, labels=15), *every_pair(2), resamples=100).widened.all()


def test_runs_that_never_differ_have_an_interval() -> None:
    """Rule of three: 1 - .025^(1/30) of the questions may differ."""
    runs = made(29, 1, labels=30, scores=True)
    both = JudgedRuns(
        *(np.repeat(of, 2, axis=1) for of in (runs.judge, runs.human, runs.checked, runs.answered)), runs.form
    )
    both.judge[:] = np.where(np.isfinite(both.human), both.human, both.judge)
    both.checked[:] = both.judge
    pairs = JudgedPairs(both, *every_pair(2), resamples=200, weight=0.0)
    pairs._unseen = np.zeros(1)
    (low,), (high,) = pairs.ends
    assert (low, high) == pytest.approx((-(1 - 0.025 ** (1 / 30)), 1 - 0.025 ** (1 / 30)))
    assert pairs.adjusted_p.tolist() == [1.0]


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    runs=st.integers(2, 5),
    labels=st.integers(6, 60),
    same=st.booleans(),
    scores=st.booleans(),
)
def test_intervals_agree_with_verdicts(seed, runs, labels, same, scores) -> None:
    pairs = JudgedPairs(
        made(seed, runs, labels=labels, same=same, scores=scores), *every_pair(runs), resamples=299, seed=seed
    )
    low, high = pairs.ends
    assert ((low <= pairs.differences) & (pairs.differences <= high)).all()
    assert (((low > 0) | (high < 0)) == pairs.significant).all()
    assert (pairs.adjusted_p >= pairs.own_p).all()


def test_the_same_on_any_number_of_threads() -> None:
    runs = made(31, 4, same=False)
    p = [JudgedPairs(runs, *every_pair(4), resamples=700, threads=threads).adjusted_p.tolist() for threads in (1, 3)]
    assert p[0] == p[1]


def test_a_run_that_people_judged_wholly_has_their_mean() -> None:
    runs = made(37, 2, questions=50, labels=20)
    runs.human[:, 0] = runs.judge[:, 0]
    runs.checked[:, 0] = 0.0
    pairs = JudgedPairs(
        JudgedRuns(runs.judge, runs.human, runs.checked, runs.answered, runs.form), *every_pair(2), resamples=100
    )
    assert pairs.values[0] == pytest.approx(runs.judge[:, 0].mean())
    assert np.isfinite(pairs.errors).all()


def test_strata_are_weighed_like_all_questions() -> None:
    """Two types: half of the questions, but 8 and 2 of 10 labels. With λ = 0 people's means of the types count half each."""
    rng = np.random.default_rng(41)
    types = np.repeat([0, 1], 50)
    truth = rng.random((100, 2)) + 0.3 * types[:, None] * [1, -1]
    here = np.isin(np.arange(100), [*range(8), 50, 51])
    human = np.where(here[:, None], truth, np.nan)
    runs = JudgedRuns(truth, human, truth, np.ones((100, 2)), FORMS["accuracy"], None, types)
    pairs = JudgedPairs(runs, *every_pair(2), resamples=200, weight=0.0)
    means = [truth[:8].mean(axis=0), truth[50:52].mean(axis=0)]
    assert pairs.values == pytest.approx((means[0] + means[1]) / 2)
    d = truth[:, 0] - truth[:, 1]
    gap = (means[0] - means[1]) @ [1, -1] / 2
    # Each type's variance over its labels counts a quarter; the shares of the types vary too.
    parts = d[:8].var(ddof=1) / 8 / 4 + d[50:52].var(ddof=1) / 2 / 4
    assert pairs.variances[0] >= parts
    labelled = np.zeros(100)
    labelled[:8], labelled[50:52] = (
        (d[:8] - d[:8].mean()) / 8 / 2 * (8 / 7) ** 0.5,
        (d[50:52] - d[50:52].mean()) / 2 / 2 * 2**0.5,
    )
    asked = np.where(types == 0, gap, -gap) / 100 * (100 / 99) ** 0.5
    assert pairs.variances[0] == pytest.approx(((labelled + asked) ** 2).sum())


def test_one_stratum_is_none() -> None:
    runs = made(43, 3, answered=0.8)
    whole = JudgedRuns(
        runs.judge, runs.human, runs.checked, runs.answered, runs.form, None, np.zeros(200, dtype=np.int64)
    )
    one, two = (JudgedPairs(of, *every_pair(3), resamples=300) for of in (runs, whole))
    assert one.adjusted_p.tolist() == two.adjusted_p.tolist()
    assert one.ends[0].tolist() == two.ends[0].tolist()


def test_a_gap_of_the_judge_shows_chosen_labels() -> None:
    """People labelled only what the judge calls right; within the judge's verdicts there is no gap."""
    runs = made(47, 2, questions=400, labels=400)
    here = (runs.judge[:, 0] == 1) & (np.arange(400) % 2 == 0) | (runs.judge[:, 0] == 0) & (np.arange(400) % 20 == 0)
    human = np.where(here[:, None], runs.human, np.nan)
    chosen = JudgedRuns(runs.judge, human, runs.checked, runs.answered, runs.form)
    labelled, others, p = JudgedPairs(chosen, *every_pair(2), resamples=100).judge_gaps()
    assert labelled[0] == pytest.approx(runs.judge[here, 0].mean())
    assert others[0] == pytest.approx(runs.judge[~here, 0].mean())
    assert p[0] < 1e-6
    within = JudgedRuns(
        runs.judge, human, runs.checked, runs.answered, runs.form, None, runs.judge[:, 0].astype(np.int64)
    )
    assert JudgedPairs(within, *every_pair(2), resamples=100).judge_gaps()[2][0] == pytest.approx(1)
