"""Scores as integers: exact sums, and a scale that leaves room for them."""

from __future__ import annotations

import numpy as np
import pytest

from assay import compare, scores
from assay.errors import InputError
from assay.resampling.arithmetic import mean
from assay.resampling.integer_scaling import rounded, scale_of, to_integers
from assay.resampling.resamplers import MeanResampler, SumsResampler
from assay.resampling.subsets import Subsets, count
from assay.resampling.whole_runs import WholeRunResampler
from assay.stats.stability import stability


def averages(matrix, name="M"):
    """One measure that is a mean over topics; matrix[run][topic]."""
    return Subsets([f"r{i}" for i in range(len(matrix))], {name: MeanResampler(np.array(matrix, float).T)})


def test_scores_too_large_to_add_up_are_refused():
    with pytest.raises(InputError, match=r"scores as large as 1e\+17"):
        to_integers(np.array([[1e17, 1.5], [0.5, 2.0]]), 2)
    # Large, but not too large: fewer digits are kept, and the sum of all topics still fits.
    integers, scale = to_integers(np.array([[123456 + 2**-0.5] * 50, [0.25] * 50]), 50)
    assert scale == 10**9
    assert 200 * int(integers.sum(axis=1).max()) < 2**63


def test_scaling_keeps_counts_and_precision_at_k_exact():
    """1/30 + 1/30 + 1/30 must equal 3/30 + 0 + 0: at 10¹² it would not."""
    tenth = averages([[1 / 30] * 3, [3 / 30, 0, 0]])
    assert tenth.resamplers["M"].parts[0].tolist() == [[1, 1, 1], [3, 0, 0]]
    [counts] = count(tenth, 3, 5, swap=False).values()
    assert all(point.ties == 1 for point in stability(counts))


def test_scores_are_scaled_so_that_their_sum_fits():
    small, scale = to_integers(np.full((50, 2), 0.123456789012), 50)
    assert scale == 10**12
    assert small[0, 0] == 123456789012
    big, scale = to_integers(np.full((1000, 1), 1e6 + 0.5), 1000)
    assert abs(int(big.sum()) / scale - 1000 * (1e6 + 0.5)) < 1e-6
    counts, scale = to_integers(np.full((1000, 1), 7.0), 1000)
    assert (scale, int(counts.sum())) == (1, 7000)


@pytest.mark.parametrize("factor", [1e-11, 1e-8, 1e-4, 1.0, 1e3, 1e9])
def test_the_scale_follows_the_data(factor):
    """The digits of every value are kept, however large or small all of them are."""
    values = np.array([[0.4797, 0.1234567], [0.7071068, 0.25]]) * factor
    integers, scale = to_integers(values, 2)
    np.testing.assert_allclose(integers / scale, values, rtol=2e-6 if factor < 1e-6 else 1e-11)
    assert 8 * int(np.abs(integers).sum()) < 2**63
    assert scale < 2**63


@pytest.mark.parametrize("apart", [1e-13, 1e-10, 3e-10, 1e-7])
@pytest.mark.parametrize("base", [0.0, 0.5, 0.3, 1.0])
def test_differences_that_are_not_rounding_are_kept(base, apart):
    """Beside a half, three tenths or 1, whose denominators are small, and beside 0."""
    values = np.array([[base, base + apart], [1.0, 0.9], [0.5, 0.5]])
    integers, scale = to_integers(values, 3)
    assert integers[0, 1] > integers[0, 0]
    assert (integers[0, 1] - integers[0, 0]) / scale == pytest.approx(apart, rel=0.06)


def test_rounding_of_floating_point_is_no_difference():
    """.1 + .2 is .3; three times .1 of 1 is .3; and 1 - .9 is .1."""
    integers, scale = to_integers(np.array([[0.1 + 0.2, 0.3], [3 * 0.1, 0.3], [1 - 0.9, 0.1]]), 3)
    assert (integers.tolist(), scale) == ([[3, 3], [3, 3], [1, 1]], 10)
    integers, scale = to_integers(np.array([[2**0.5 / 2, 2**-0.5 * (1 + 2e-16)], [1e-17, 0.0]]), 2)
    assert scale == 10**12
    assert integers[:, 0].tolist() == integers[:, 1].tolist()


def test_runs_that_differ_by_too_little_for_so_many_topics_are_refused_not_called_the_same():
    values = np.full((20_000, 2), 0.123456789)
    values[:, 1] += 1e-13
    with pytest.raises(InputError, match=r"two runs differ by 1.*e-13 at most, .* over 500000000 topics"):
        to_integers(values, 500_000_000)
    assert (np.diff(to_integers(values, 1000)[0], axis=1) == 10).all()


@pytest.mark.parametrize("value", [1e19, 1e300, 2.0**62, np.inf, np.nan])
def test_what_64_bits_cannot_hold_is_refused(value):
    with pytest.raises(InputError, match="cannot be added up exactly; divide them by a constant"):
        to_integers(np.array([[value, 1.0]]), 2)


@pytest.mark.parametrize("value", [4e-13, 1e-30, 5e-324])
def test_what_would_lose_its_digits_is_refused(value):
    with pytest.raises(InputError, match=r"no larger than .* cannot be added up exactly; multiply them by a constant"):
        to_integers(np.array([[value, 0.0]]), 2)


def test_runs_that_differ_on_every_topic_are_never_called_the_same():
    close = compare(scores([[0.5, 0.5 + 1e-13], [0.3, 0.3 + 1e-13], [0.7, 0.7 + 1e-13]])).pairs[0]
    assert (close.won, close.tied, close.lost) == (3, 0, 0)
    assert close.difference == pytest.approx(1e-13, rel=0.1)
    assert "same score" not in close.sentence
    small = compare(scores([[1e-10, 2e-10], [3e-10, 4e-10], [1e-10, 2.5e-10]])).pairs[0]
    assert small.difference == pytest.approx(3.5e-10 / 3, rel=1e-6)
    assert small.p["randomisation"] == 0.25, "two of the eight flips are as extreme"
    for table in ([[1e19, 2e19], [2e19, 1e19]], [[1e-13, 2e-13], [3e-13, 4e-13]]):
        with pytest.raises(InputError, match="by a constant"):
            compare(scores(table))


def test_rounded_values_of_any_size():
    top, bottom = rounded(np.array([1e8, 9.3e6, np.nan, -1e200]))
    assert (top[0], top[1], bottom[2]) == (10**20, 93 * 10**17, 0)
    assert top[3] == -int(1e200 * 1e12)
    assert rounded(np.array([np.nan]))[1].tolist() == [0]
    with pytest.raises(InputError, match=r"as large as 1e\+300"):
        rounded(np.array([1e300]))
    assert scale_of(np.array([0.0, np.nan])) == scale_of(np.array([])) == 10**12


@pytest.mark.parametrize("factor", [1e-9, 1.0, 1e9])
def test_subsets_see_the_same_whatever_the_unit_of_measurement(factor):
    """Means, means over the topics each run has, and functions of whole runs, in any unit."""
    values = np.array([[0.31, 0.11, 0.71], [0.37, 0.13, 0.73], [0.41, 0.17, 0.79], [0.43, 0.23, 0.83]]) * factor

    def outcomes(resampler):
        [counts] = count(Subsets(["a", "b", "c"], {"M": resampler}), 2, 20, swap=False).values()
        return counts.outcomes.tolist(), counts.highest

    counted = np.stack([np.ones_like(values), values], axis=2)
    ways = [
        MeanResampler(values),
        SumsResampler(counted, mean, counted=True, linear=True),
        SumsResampler(counted, lambda n, x: (x, n), counted=True, exact=False),
        WholeRunResampler(lambda column: sum(column) / len(column), [[values[:, run].tolist()] for run in range(3)]),
    ]
    expected, highest = outcomes(MeanResampler(values / factor))
    for resampler in ways:
        found, best = outcomes(resampler)
        assert found == expected
        assert best == pytest.approx(highest * factor, rel=1e-6)


def test_one_run_of_small_scores_keeps_them():
    """Nothing to compare with, and no whole numbers either."""
    assert MeanResampler(np.array([[1e-10], [2e-10], [0.0]])).values()[0] == pytest.approx(1e-10)
    assert MeanResampler(np.array([[0.5], [1e-10], [0.0]])).values()[0] * 3 - 0.5 == pytest.approx(1e-10, rel=1e-4)
