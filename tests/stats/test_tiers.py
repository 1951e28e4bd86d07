"""Tiers: monotone, anchored at their best run."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.stats.tiers import tiers


class TestTiers:
    def test_overlaps_do_not_chain(self):
        """Neighbours are never apart, runs two places away always: without an anchor all would be one tier."""
        assert tiers([0, 1, 2, 3, 4], lambda run, best: run - best > 1) == [[0, 1], [2, 3], [4]]

    def test_nothing_apart_is_one_tier_and_all_apart_is_one_each(self):
        assert tiers([0, 1, 2], lambda run, best: False) == [[0, 1, 2]]
        assert tiers([0, 1, 2], lambda run, best: True) == [[0], [1], [2]]
        assert tiers([], lambda run, best: True) == []

    def test_no_run_reaches_a_better_tier_than_one_above_it(self):
        """Red before: the third run, noisy and not told from the first, stood above the second."""
        assert tiers([0, 1, 2], lambda run, best: (run, best) == (1, 0)) == [[0], [1, 2]]

    @settings(max_examples=60)
    @given(
        st.integers(1, 8).flatmap(
            lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
        )
    )
    def test_the_stated_rule_holds(self, case):
        n, apart = case
        found = tiers(range(n), lambda run, best: (run, best) in apart)
        assert [run for tier in found for run in tier] == list(range(n))
        for above, tier in pairwise(found):
            assert (tier[0], above[0]) in apart
        for tier in found:
            assert all((run, tier[0]) not in apart for run in tier[1:])
