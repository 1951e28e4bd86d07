"""What must hold of stability and swap on any data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_samples import ACCURACY, UF, averages, problem_of, swap_of

from assay.resampling.subsets import count
from assay.stats.stability import stability, swap

tables = st.integers(2, 5).flatmap(
    lambda runs: st.integers(4, 30).flatmap(
        lambda topics: st.lists(st.text("CWU", min_size=topics, max_size=topics), min_size=runs, max_size=runs)
    )
)


@settings(max_examples=60)
@given(tables, st.integers(0, 2**64 - 1))
def test_rates_stay_in_range_and_move_one_way_with_fuzziness(rows, seed):
    problem = problem_of(rows)
    for counts in count(problem, problem.topics // 2, 40, seed=seed).values():
        points = stability(counts)
        assert all(0 <= point.minority_rate <= 0.5 for point in points)
        assert all(0 <= point.ties <= 1 for point in points)
        assert [p.ties for p in points] == sorted(p.ties for p in points)
        assert [p.minority_rate for p in points] == sorted((p.minority_rate for p in points), reverse=True)
        for rule in ("original", "sakai"):
            result = swap(counts, rule=rule)
            assert result.comparisons == problem.pairs * 40
            assert all(0 <= b.swaps <= b.comparisons for b in result.bins)
            if result.required_difference_stays is not None:
                assert result.required_difference <= result.required_difference_stays
        assert swap(counts, rule="original").zero.swaps == 0


@pytest.mark.parametrize("row", ["CWUCWUCWUCWU", "WWWWWWWWWWWW", "UUUUUUUUUUUU", "CCCCCCCCCCCC"])
def test_identical_runs_are_all_ties_also_at_zero(row):
    for counts in count(problem_of([row, row, row]), 6, 50).values():
        assert all(point.ties == 1 and point.minority_rate == 0 for point in stability(counts))
        result = swap(counts, rule="sakai")
        assert result.zero.comparisons == result.comparisons == 3 * 50
        assert sum(b.swaps for b in result.bins) == 0
        assert result.required_difference is None
        assert result.sensitivity is None


def test_a_run_that_wins_every_topic_is_never_in_the_minority():
    rng = np.random.default_rng(1)
    weak = rng.random(40) * 0.5
    [counts] = count(averages([weak + 0.4, weak]), 20, 200).values()
    assert all(point.minority_rate == 0 for point in stability(counts))
    # .4 above on every topic: one bin, never a swap.
    result = swap(counts)
    assert result.bins[20].comparisons == 200
    assert (result.required_difference, result.sensitivity) == (0.2, 1.0)


def test_margins_are_relative_also_where_utility_is_negative():
    """UF -.50 against -.52 differ by .02, exactly f · |-.50| at f = .04: no tie there, a tie from .05 on."""
    rows = ["C" * 25 + "W" * 75, "C" * 24 + "W" * 76]
    [counts] = count(problem_of(rows, [UF]), 100, 10, swap=False).values()
    assert [point.ties for point in stability(counts)] == [0, 0, 0, 0] + [1] * 6


def test_bin_edges_are_exact():
    """.37 - .30 belongs into bin 7 of hundredths; floating point puts some such differences one bin lower."""
    assert any(int(100 * ((30 + cents) / 100 - 0.3)) != cents for cents in range(1, 20))
    for cents in range(1, 20):
        [counts] = count(averages([[(30 + cents) / 100] * 20, [0.3] * 20]), 10, 5).values()
        assert swap(counts).bins[cents].comparisons == 5
        assert swap(counts).required_difference == cents / 100


@pytest.mark.parametrize("rule", ["original", "sakai"])
def test_a_coarse_measure_does_not_get_a_required_difference_from_ties(rule):
    """At c = 10, NQcorrect1 and P@10 move in steps of .1: bin 0 holds nothing but ties and must not answer 0."""
    rng = np.random.default_rng(8)
    rows = ["".join(rng.choice(list("CW"), p=[p, 1 - p], size=40)) for p in (0.4, 0.45, 0.5, 0.5, 0.55)]
    [counts] = count(problem_of(rows, [ACCURACY]), 10, 400, seed=2).values()
    result = swap(counts, rule=rule)
    assert result.bins[0].comparisons == result.zero.comparisons > 0
    assert all(b.comparisons == 0 for b in result.bins[1:10])
    assert result.required_difference != 0
    # Five runs this close never get a bin within 5%: the answer is that there is none.
    assert result.required_difference is None
    assert result.required_difference_stays is None


def test_differences_of_zero_decide_nothing():
    found = swap_of((40, 4), (60, 30), (100, 5))
    assert [(b.comparisons, b.swaps) for b in found.bins[:2]] == [(100, 34), (100, 5)]
    assert [(b.comparisons, b.swaps) for b in found.decided[:2]] == [(60, 30), (100, 5)]
    assert (found.zero.comparisons, found.zero.swaps) == (40, 4)
