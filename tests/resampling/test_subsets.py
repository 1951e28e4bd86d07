"""Subsets of the topics, counted: the same in any chunks, and exact at any size."""

from __future__ import annotations

import numpy as np
import pytest
from small_samples import C_AT_1, averages, problem_of

from assay.core import binding
from assay.errors import UsageError
from assay.resampling.resamplers import SumsResampler
from assay.resampling.subsets import CountingTask, Subsets, count, count_sizes
from assay.resampling.whole_runs import WholeRunResampler


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
    works = [CountingTask((10,), (10,), 2, 5, trial, 1) for trial in range(0, 1100, 50)]
    singles = [problem.count(work)[0]["M"].highest for work in works]
    assert whole.highest >= max(singles) > min(singles)


@pytest.mark.parametrize("swap", [True, False])
def test_sizes_counted_together_are_those_counted_one_by_one(swap):
    """Of zeros and ones, of any values and of both, to half of the topics and to all of them."""
    rng = np.random.default_rng(3)
    matrix = rng.random((4, 30))
    resamplers = {
        **averages(matrix).resamplers,
        **problem_of(rng.integers(0, 2, (4, 30)).tolist(), [C_AT_1]).resamplers,
    }
    problem = Subsets(list("abcd"), resamplers)
    sizes = [3, 6, 12, 15] if swap else [3, 15, 30]
    together = count_sizes(problem, sizes, [15], 70, seed=5, swap=swap)
    for size in sizes:
        for name, alone in count(problem, size, 70, seed=5, swap=swap).items():
            found = together[size][name]
            assert (found.edges == alone.edges).all()
            assert (found.highest, found.trials) == (alone.highest, alone.trials)
            assert found.outcomes.tolist() == (alone.outcomes.tolist() if size == 15 else [])


def test_threads_wait_for_what_python_computes_alone():
    """Two subsets of 2 of 3 topics; what the core adds up holds the interpreter for nothing, and numpy holds it for all."""
    median = WholeRunResampler(np.median, [[[1, 2, 3]], [[3, 2, 1]]])
    both = Subsets(["a", "b"], {"median": median, **averages([[1, 2, 3], [3, 2, 1]]).resamplers})
    without_core = binding.LIBRARY is None
    assert both.seconds_alone(2, 2) == (both.seconds(2, 2) if without_core else 2 * median.seconds(2))
    assert both.seconds(2, 2) > 2 * median.seconds(2) > 0


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


def test_ingredients_of_any_size_close_exactly():
    """Sums of counts up to a million squared exceed 64 bits; the comparison must not."""
    rng = np.random.default_rng(5)
    counts = rng.integers(0, 10**6, size=(3, 30))
    table = counts.T[:, :, None]
    cubed, plain = SumsResampler(table, lambda n, k: (k**3, n**3)), SumsResampler(table, lambda n, k: (k, n))
    cubes, sums = count(Subsets(list("abc"), {"cubed": cubed, "plain": plain}), 12, 40).values()
    # Cubing keeps the order of positive values: at the finest margin every strict win of one is a win of the other.
    assert (cubes.edges[1] == sums.edges[1]).all()
    assert cubes.highest == pytest.approx(sums.highest**3)
