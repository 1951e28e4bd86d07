"""The order of documents, by hand."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from assay.collections.pools.strategies import best_ranks, by_depth, by_weight, move_to_front, shuffled
from assay.random import stream

RANKINGS = st.dictionaries(
    st.sampled_from("xyz"), st.lists(st.sampled_from("abcdefg"), unique=True, max_size=6), min_size=1
)


def test_shuffling_moves_every_document_to_every_place():
    orders = {tuple(shuffled("abc", stream(seed, "t", 0))) for seed in range(60)}
    assert len(orders) == 6


def test_rank_by_rank_with_ties_as_they_came():
    runs = {"one": ["a", "b", "c"], "two": ["b", "d"]}
    assert best_ranks(runs) == {"a": 1, "b": 1, "c": 3, "d": 2}
    assert by_depth(runs, ["d", "c", "b", "a"]) == ["b", "a", "d", "c"]


@given(RANKINGS, st.sampled_from([0.5, 0.75, 0.25]))
def test_weights_are_sums_of_powers(runs, p):
    documents = sorted({document for ranking in runs.values() for document in ranking})
    exact = dict.fromkeys(documents, Fraction(0))
    for ranking in runs.values():
        for rank, document in enumerate(ranking, 1):
            exact[document] += Fraction(1 - p) * Fraction(p) ** (rank - 1)
    assert by_weight(runs, documents, p) == sorted(documents, key=lambda one: -exact[one])


def test_a_run_is_read_on_while_it_brings_relevant_documents():
    runs = {"one": list("abcd"), "two": list("wxyz")}
    # one: a (no), two: w (yes), x (no), one: b (no), two: y (no)
    assert move_to_front(runs, ["one", "two"], {"w"}, set(), 5) == ["a", "w", "x", "b", "y"]


def test_fewest_misses_come_first():
    runs = {"one": list("abc"), "two": list("xbyz")}
    # one: a (no); two: x, b relevant, y (no); one, with one miss each and first in the order: c, b having been seen
    assert move_to_front(runs, ["one", "two"], {"x", "b"}, set(), 9) == ["a", "x", "b", "y", "c", "z"]


def test_what_is_judged_steers_and_is_not_taken():
    runs = {"one": list("abc"), "two": list("xyz")}
    assert move_to_front(runs, ["one", "two"], {"a", "b"}, {"a", "b", "x"}, 2) == ["c", "y"]


@given(RANKINGS, st.sets(st.sampled_from("abcdefg")), st.integers(0, 8))
def test_without_a_limit_everything_is_taken_once(runs, relevant, most):
    every = {document for ranking in runs.values() for document in ranking}
    taken = move_to_front(runs, sorted(runs), relevant, set(), most)
    assert len(taken) == len(set(taken)) == min(most, len(every))
    assert set(taken) <= every
