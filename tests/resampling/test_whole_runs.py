"""A measure of whole runs: masks, clusters and exchanges by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import binding
from assay.core import resample as kernels
from assay.core.binding import WHOLES
from assay.measures.registry import find
from assay.resampling.whole_runs import JointResampler, WholeRunResampler, prepared


def spread(values: list[float]) -> float | None:
    return max(values) - min(values) if values else None


def test_a_mask_leaves_each_run_topics_of_its_own() -> None:
    resampler = WholeRunResampler(spread, [[[1, 5, 9]], [[2, 2, 8]]], mask=[[True, True, False], [True, True, True]])
    assert resampler.values().tolist() == [4.0, 6.0]
    assert not resampler.can("pair")


def test_without_any_topic_there_is_no_value() -> None:
    resampler = WholeRunResampler(spread, [[[1, 5]], [[2, 2]]], mask=[[False, False], [True, True]])
    assert np.isnan(resampler.values()[0])
    assert resampler.values()[1] == 0


def test_a_jackknife_leaves_out_a_cluster_at_a_time() -> None:
    resampler = WholeRunResampler(spread, [[[1, 5, 9]], [[2, 2, 8]]], clusters=["p", "q", "p"])
    assert resampler.units == 2
    assert resampler.jackknife().tolist() == [[0.0, 0.0], [8.0, 6.0]]


def test_of_many_topics_groups_are_left_out(monkeypatch) -> None:
    """Four topics in two groups: each value is that of the two topics which are left."""
    monkeypatch.setattr("assay.resampling.whole_runs.MAX_GROUPS", 2)
    resampler = WholeRunResampler(sum, [[[1, 10, 100, 1000]]])
    first, second = (row[0] for row in resampler.jackknife().tolist())
    assert first + second == 1111
    assert sum(int(digit) for digit in str(int(first))) == 2


def test_subsets_are_rounded_once() -> None:
    resampler = WholeRunResampler(lambda values: sum(values) / 3, [[[1, 1]], [[2, 2]]])
    assert resampler.values() == pytest.approx([2 / 3, 4 / 3])


def test_a_worker_without_the_core_draws_the_same(monkeypatch) -> None:
    """Red before: what was prepared for the core travelled along, and failed where there is none."""
    from assay.measures.registry import find

    measure = find("CWS")
    columns = [
        [[1, 0, 1, 1], [1, 1, 1, 0], [0.5, 0.9, 0.1, None], [0, 1, 2, 3]],
        [[0, 1, 1, 0], [1, 1, 1, 1], [0.3, 0.2, 0.7, 0.7], [0, 1, 2, 3]],
    ]
    resampler = WholeRunResampler(measure.bound(), columns, kernel=("CWS", {"ties": "expected"}))
    here = resampler.bootstrap(9, seed=3).tolist()
    sent = pickle.dumps(resampler)
    monkeypatch.setattr("assay.core.binding.LIBRARY", None)
    there = pickle.loads(sent)
    assert "_answers" not in vars(there)
    assert there.bootstrap(9, seed=3).tolist() == here


def test_one_calculation_serves_all_runs() -> None:
    """Every call sees how often each topic was drawn; runs are told by name, and one that is not there has no value."""
    seen = []

    def fit(weights):
        seen.append(weights.tolist())
        return {"a": float(weights[0]), "b": float(weights[1])}

    resampler = JointResampler(fit, ["b", "nobody", "a"], [[None, None, None]])
    values = resampler.values()
    assert values[[0, 2]].tolist() == [1.0, 1.0]
    assert np.isnan(values[1])
    assert resampler.jackknife()[:, 2].tolist() == [0.0, 1.0, 1.0]
    drawn = resampler.bootstrap(5, seed=1)
    assert drawn.shape == (5, 3)
    assert all(sum(weights) == 3 for weights in seen[-5:])


NAMES = [*WHOLES, "ECE(bins=3,closed=left)", "ECE(bins=17)"]
CONFIDENCE = st.one_of(st.none(), st.integers(0, 10).map(lambda tenths: tenths / 10), st.floats(0, 1))


def both(name: str, columns, clusters=None, mask=None) -> tuple[WholeRunResampler, WholeRunResampler]:
    """The measure as it is resampled, and by its function alone."""
    measure = find(name, "outcomes")
    filled = {**measure.declaration.defaults, **measure.parameters}
    by_kernel = WholeRunResampler(measure.bound(), columns, clusters, mask, (measure.declaration.kernel, filled))
    return by_kernel, WholeRunResampler(measure.bound(), columns, clusters, mask)


def same(found: np.ndarray, expected: np.ndarray) -> bool:
    """Whether the bits are the same; undefined is undefined, whatever its bits."""
    assert found.shape == expected.shape
    return np.where(np.isnan(found), -7.0, found).tobytes() == np.where(np.isnan(expected), -7.0, expected).tobytes()


@st.composite
def cases(draw):
    """Runs with ties, gaps, unanswered questions; topics in clusters and masked, or not."""
    topics, runs = draw(st.integers(1, 30)), draw(st.integers(1, 3))
    bit = st.lists(st.integers(0, 1), min_size=topics, max_size=topics)
    given_ = st.lists(st.sampled_from([0, 1, 1, 1]), min_size=topics, max_size=topics)
    stated = CONFIDENCE if draw(st.booleans()) else CONFIDENCE.filter(lambda cell: cell is not None)
    said = st.lists(stated, min_size=topics, max_size=topics)
    columns = [[draw(bit), draw(given_), draw(said), list(range(topics))] for _ in range(runs)]
    clusters = draw(st.none() | st.lists(st.integers(0, 4), min_size=topics, max_size=topics))
    return columns, clusters, draw(st.none() | st.lists(bit, min_size=runs, max_size=runs))


@given(st.sampled_from(NAMES), cases(), st.integers(0, 99))
def test_every_kernel_is_its_function_to_the_last_bit(name, case, seed) -> None:
    columns, clusters, mask = case
    found, expected = both(name, [run[: 4 if name == "CWS" else 3] for run in columns], clusters, mask)
    assert same(found.bootstrap(5, seed), expected.bootstrap(5, seed))
    assert same(found.jackknife(), expected.jackknife())


@pytest.mark.parametrize("name", NAMES)
def test_long_runs_are_added_up_in_the_same_order(name) -> None:
    """700 questions: sums go through halves and lanes. Every hundredth confidence is of full precision."""
    rng = np.random.default_rng(1)
    said = np.where(rng.random((4, 700)) < 0.01, rng.random((4, 700)), rng.random((4, 700)).round(2))
    columns = [
        [rng.integers(0, 2, 700).tolist(), (rng.random(700) < 0.9).astype(int).tolist(), row.tolist(), list(range(700))]
        for row in said
    ]
    found, expected = both(name, [run[: 4 if name == "CWS" else 3] for run in columns])
    drawn = expected.bootstrap(12, 3)
    assert same(found.bootstrap(12, 3), drawn)
    assert np.isfinite(drawn).all()
    chosen = kernels.subsets(7, 0, 6, 700, 300, 2)
    for one, other in zip(found.on_subsets(300, [], chosen), expected.on_subsets(300, [], chosen), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", WHOLES)
def test_a_question_not_answered_is_tied_with_nobody(name) -> None:
    """Its confidence is that of the last answer, whose group ends all the same."""
    columns = [[[1, 0, 0], [1, 1, 0], [0.9, 0.5, 0.5], [0, 1, 2]]]
    found, expected = both(name, [run[: 4 if name == "CWS" else 3] for run in columns])
    assert same(found.bootstrap(20, 1), expected.bootstrap(20, 1))


def test_any_number_of_threads_gives_the_same(monkeypatch) -> None:
    monkeypatch.setattr("assay.core.whole_runs.AT_ONCE", 50)
    rng = np.random.default_rng(2)
    columns = [[rng.integers(0, 2, 40).tolist(), [1] * 40, rng.random(40).round(1).tolist()] for _ in range(3)]
    for name in ("AUROC", "ECE"):
        found, expected = both(name, columns)
        assert same(found.bootstrap(30, 5, threads=3), expected.bootstrap(30, 5))
        assert same(found.bootstrap(30, 5, threads=1), expected.bootstrap(30, 5))


def test_what_the_core_does_not_know_is_left_to_the_function() -> None:
    run = [[1, 0.5], [1, 1], [0.5, 0.6]]
    assert prepared([run], {}) is None  # half right
    whole = [[1, 0], [1, 1], [0.5, 0.6], [0, 1]]
    assert prepared([whole], {"ties": "file"}) is None
    assert (prepared([whole], {"ties": "expected"}) is None) == (binding.LIBRARY is None)


def test_without_the_core_there_is_nothing_to_prepare(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert prepared([[[1], [1], [0.5]]], {}) is None
