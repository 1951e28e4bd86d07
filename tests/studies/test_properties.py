"""What must hold of stability and swap on any data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.resampling.arithmetic import to_integers
from assay.resampling.samples import Mean, Sums
from assay.resampling.subsets import Subsets, count
from assay.studies.stability import stability, swap

ACCURACY = ("accuracy", "C", lambda n, correct: (correct, n))
C_AT_1 = ("c@1", "CU", lambda n, c, u: (c * (n + u), n * n))
UF = ("UF", "CW", lambda n, c, w: (c - w, n))


def problem_of(rows, measures=(ACCURACY, C_AT_1, UF)):
    """Measures of outcomes: a name, the outcomes that are counted, and the formula."""
    table = np.array([list(row) for row in rows]).T
    samples = {
        name: Sums(np.stack([table == outcome for outcome in counted], axis=2), formula)
        for name, counted, formula in measures
    }
    return Subsets([f"r{i}" for i in range(len(rows))], samples)


def averages(matrix, name="M"):
    """One measure that is a mean over topics; matrix[run][topic]."""
    return Subsets([f"r{i}" for i in range(len(matrix))], {name: Mean(np.array(matrix, float).T)})


tables = st.integers(2, 5).flatmap(
    lambda runs: st.integers(4, 30).flatmap(
        lambda topics: st.lists(st.text("CWU", min_size=topics, max_size=topics), min_size=runs, max_size=runs)
    )
)


@settings(max_examples=60, deadline=None)
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


def test_sizes_are_nested_and_seeds_differ():
    rng = np.random.default_rng(3)
    problem = averages(rng.random((4, 30)))
    first, again, other = (count(problem, 10, 100, seed=seed)["M"] for seed in (5, 5, 6))
    assert (first.outcomes == again.outcomes).all()
    assert (first.outcomes != other.outcomes).any()
    alone = count(problem, 10, 100, seed=5, swap=False)["M"]
    assert (alone.outcomes == first.outcomes).all()


def test_chunks_add_up_to_the_whole():
    rng = np.random.default_rng(3)
    problem = averages(rng.random((4, 30)))
    whole = count(problem, 10, 1100, seed=5, workers=1)["M"]
    pieces = count(problem, 10, 1100, seed=5, workers=7)["M"]
    assert (whole.outcomes == pieces.outcomes).all()
    assert (whole.edges == pieces.edges).all()
    assert (whole.highest, whole.trials) == (pieces.highest, pieces.trials)
    # The highest of all trials is in one of the chunks and not below that of any single one.
    singles = [problem.count((10, 2, 5, (trial, 1)))["M"].highest for trial in range(0, 1100, 50)]
    assert whole.highest >= max(singles) > min(singles)


@pytest.mark.parametrize(("size", "swapped"), [(16, True), (31, False), (0, True)])
def test_subsets_that_cannot_be_drawn_are_refused(size, swapped):
    problem = averages(np.random.default_rng(3).random((2, 30)))
    with pytest.raises(UsageError, match=rf"x {size} of 30 topics"):
        count(problem, size, 5, swap=swapped)


def test_the_rarely_vectorised_closing_formula_gives_the_same_counts():
    """A formula with an `if` cannot run on arrays and is called once per combination of sums."""
    rng = np.random.default_rng(6)
    rows = ["".join(rng.choice(list("CWU"), size=60)) for _ in range(5)]

    def with_if(n, c, u):
        return (c * (n + u), n * n) if u else (c, n)

    plain, other = count(problem_of(rows, [C_AT_1, ("branching", "CU", with_if)]), 25, 80).values()
    assert (plain.outcomes == other.outcomes).all()
    assert (plain.edges == other.edges).all()
    assert plain.highest == other.highest


def test_counts_beyond_64_bits_are_exact():
    """n² · 10¹⁷ overflows 64 bits; the values are the same as without the factor."""
    rng = np.random.default_rng(7)
    rows = ["".join(rng.choice(list("CWU"), size=40)) for _ in range(4)]
    huge = ("huge", "CU", lambda n, c, u: (c * (n + u) * 10**17, n * n * 10**17))
    plain, other = count(problem_of(rows, [C_AT_1, huge]), 20, 50).values()
    assert (plain.outcomes == other.outcomes).all()
    assert (plain.edges == other.edges).all()


def test_scores_too_large_to_add_up_are_refused():
    with pytest.raises(InputError, match=r"scores as large as 1e\+17"):
        to_integers(np.array([[1e17, 1.5], [0.5, 2.0]]), 2)
    # Large, but not too large: fewer digits are kept, and the sum of all topics still fits.
    integers, scale = to_integers(np.array([[123456 + 2**-0.5] * 50, [0.25] * 50]), 50)
    assert scale == 10**9
    assert 200 * int(integers.sum(axis=1).max()) < 2**63


def test_ingredients_of_any_size_close_exactly():
    """Sums of counts up to a million squared exceed 64 bits; the comparison must not."""
    rng = np.random.default_rng(5)
    counts = rng.integers(0, 10**6, size=(3, 30))
    table = counts.T[:, :, None]
    cubed, plain = Sums(table, lambda n, k: (k**3, n**3)), Sums(table, lambda n, k: (k, n))
    cubes, sums = count(Subsets(list("abc"), {"cubed": cubed, "plain": plain}), 12, 40).values()
    # Cubing keeps the order of positive values: at the finest margin every strict win of one is a win of the other.
    assert (cubes.edges[1] == sums.edges[1]).all()
    assert cubes.highest == pytest.approx(sums.highest**3)


def test_scaling_keeps_counts_and_precision_at_k_exact():
    """1/30 + 1/30 + 1/30 must equal 3/30 + 0 + 0: at 10¹² it would not."""
    tenth = averages([[1 / 30] * 3, [3 / 30, 0, 0]])
    assert tenth.samples["M"].parts[0].tolist() == [[1, 1, 1], [3, 0, 0]]
    [counts] = count(tenth, 3, 5, swap=False).values()
    assert all(point.ties == 1 for point in stability(counts))
