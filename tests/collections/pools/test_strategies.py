"""The order of documents, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.collections.pools.strategies import (
    DrawChance,
    PoolStratum,
    best_ranks,
    by_weight,
    draw,
    move_to_front,
    numbers_drawn,
    read_strata,
    shuffled,
)
from assay.errors import InputError, UsageError
from assay.random import stream

RANKINGS = st.dictionaries(
    st.sampled_from("xyz"), st.lists(st.sampled_from("abcdefg"), unique=True, max_size=6), min_size=1
)


def test_shuffling_moves_every_document_to_every_place():
    orders = {tuple(shuffled("abc", stream(seed, "t", 0))) for seed in range(60)}
    assert len(orders) == 6


def test_the_best_rank_of_any_run_counts():
    runs = {"one": ["a", "b", "c"], "two": ["b", "d"]}
    assert best_ranks(runs) == {"a": 1, "b": 1, "c": 3, "d": 2}


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


STRATA = [PoolStratum(2, 1.0), PoolStratum(10, 0.25)]


@pytest.mark.parametrize("text", ["", "10", "10:0", "10:1.5", "20:1,10:0.5", "10:1,10:0.5", "0:1", "x:1", "10:nan"])
def test_refused(text):
    with pytest.raises(UsageError, match="depths that rise"):
        read_strata(text)


@pytest.mark.parametrize(
    ("sizes", "shares", "budget", "expected"),
    [
        ([10, 100], [1, 0.25], None, [10, 25]),
        ([10, 3], [1, 0.01], None, [10, 1]),  # never none of a stratum that has some
        ([10, 0], [1, 0.5], None, [10, 0]),
        ([0, 10], [1, 0.25], None, [0, 3]),  # 2.5, rounded up
        ([10, 100], [1, 0.25], 100, [10, 25]),
        ([10, 100, 200], [1, 0.5, 0.1], 40, [10, 21, 9]),  # 1 + 28·49/68 = 21.2 and 1 + 28·19/68 = 8.8, rounded to 30
        ([10, 100], [1, 0.5], 11, [10, 1]),
    ],
)
def test_how_many(sizes, shares, budget, expected):
    assert numbers_drawn(sizes, shares, budget, "q") == expected


def test_a_budget_that_leaves_a_stratum_without_a_chance():
    with pytest.raises(InputError, match=r"topic q: `budget=10` is too small: 10 documents .* at least 11"):
        numbers_drawn([10, 100], [1, 0.5], 10, "q")


@given(
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from([0.05, 0.2, 0.5, 1])), min_size=1, max_size=4), st.integers(1, 90)
)  # fmt: skip
def test_a_budget_is_used_up_and_never_passed(strata, budget):
    sizes, shares = [size for size, _ in strata], [share for _, share in strata]
    wanted = numbers_drawn(sizes, shares, None, "q")
    try:
        drawn = numbers_drawn(sizes, shares, budget, "q")
    except InputError:
        return
    assert sum(drawn) == min(budget, sum(wanted))
    assert all(bool(one) == bool(size) and one <= size for one, size in zip(drawn, sizes, strict=True))


def test_what_was_judged_before_is_certain_and_the_others_have_their_share():
    ranks = {f"d{rank}": rank for rank in range(1, 11)}
    found = draw(ranks, STRATA, {"d1", "d9"}, None, "q", stream(1, "t", 0))
    assert found["d1"] == found["d9"] == DrawChance("0", 1.0)
    assert found["d2"] == DrawChance("1", 1.0)
    rest = [one for one in found.values() if one.stratum == "2"]
    assert sorted(rest, key=str) == [DrawChance("2", 2 / 7)] * 2 + [DrawChance("2", None)] * 5


def test_every_document_is_drawn_as_often_as_its_probability_says():
    ranks = {f"d{rank}": rank for rank in range(1, 11)}
    times = dict.fromkeys(ranks, 0)
    for seed in range(800):
        for document, one in draw(ranks, STRATA, set(), None, "q", stream(seed, "t", 0)).items():
            times[document] += one.probability is not None
    assert times["d1"] == times["d2"] == 800
    # 2 of 8, 800 times: 200, with a standard deviation of 12
    assert all(150 < times[document] < 250 for document in ranks if ranks[document] > 2)
