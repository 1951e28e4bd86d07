"""Counts that add up: every resample is what the judgments of the drawn topics give."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.judges import resampled_coefficients
from assay.analyses.judges.judgments import GradeScale, JudgeTable
from assay.analyses.judges.resampled_coefficients import COEFFICIENTS, PURPOSE, closed, draws, ends, resampled, tallied
from assay.core import resample as kernels


def made(seed: int, topics: int = 6, judges: int = 3, grades: int = 3) -> JudgeTable:
    """Judgments of 2 to 7 documents a topic, some missing."""
    draw = np.random.default_rng(seed)
    topic_of = np.repeat(np.arange(topics), draw.integers(2, 8, topics))
    codes = draw.integers(-1, grades, (len(topic_of), judges))
    codes[0] = 0
    pairs = tuple((f"q{topic}", f"d{i}") for i, topic in enumerate(topic_of))
    scale = GradeScale(tuple(map(str, range(grades))), tuple(map(float, range(grades))))
    return JudgeTable(
        tuple("abcdef"[:judges]), tuple(f"q{t}" for t in range(topics)), pairs, topic_of, codes, scale, ()
    )


@pytest.mark.parametrize("judges", [2, 3])
def test_a_resample_is_its_topics_taken_together(judges) -> None:
    judged = made(1, judges=judges)
    counts = draws(6, 20, seed=3)
    found = resampled(tallied(judged, list(range(judges))).flat(), counts, judged.scale)
    assert ("kappa" in found) == (judges == 2)
    for trial in range(20):
        rows = kernels.bootstrap_rows(6, trial=trial, seed=3, purpose=PURPOSE)
        items = np.concatenate([np.flatnonzero(judged.topic_of == topic) for topic in rows])
        again = JudgeTable(
            judged.judges, ("all",), tuple(judged.pairs[i] for i in items), np.zeros(len(items), dtype=np.int64),
            judged.codes[items], judged.scale, (),
        )  # fmt: skip
        whole = closed(tallied(again, list(range(judges))).flat().sum(axis=0), judged.scale)
        for name, values in found.items():
            assert values[trial] == pytest.approx(float(whole[name]), nan_ok=True), name


def test_draws_too_many_to_hold_as_numbers_are_the_same(monkeypatch) -> None:
    judged, wanted = made(2), draws(6, 30, seed=0)
    flat = tallied(judged, [0, 1]).flat()
    before = resampled(flat, wanted, judged.scale)
    monkeypatch.setattr(resampled_coefficients, "CHUNK", 50)
    few = draws(6, 30, seed=0)
    assert few.dtype == np.uint16
    assert np.array_equal(few, wanted)
    after = resampled(flat, few, judged.scale)
    assert all(np.array_equal(before[name], after[name], equal_nan=True) for name in before)


def test_coincidences_by_hand() -> None:
    """One document with 0, 0, 1: two zeros agree both ways, each with the one both ways, over m - 1 = 2; another by one judge."""
    scale = GradeScale(("0", "1"), (0.0, 1.0))
    codes = np.array([[0, 0, 1], [1, -1, -1]])
    judged = JudgeTable(tuple("abc"), ("q",), (("q", "d"), ("q", "e")), np.array([0, 0]), codes, scale, ())
    tally = tallied(judged, [0, 1, 2])
    assert tally.coincidences[0].tolist() == [[1, 1], [1, 0]]
    assert tally.usage[0] == pytest.approx([2 / 3, 1 / 3 + 1])
    assert (tally.agreeing[0], tally.shared[0], tally.judged[0]) == (pytest.approx(1 / 3), 1, 2)
    assert tally.confusion is None
    assert tallied(judged, [0, 2]).confusion.tolist() == [[[0, 1], [0, 0]]]


def test_words_without_an_order_have_no_distances() -> None:
    judged = made(3, judges=2)
    found = closed(tallied(judged, [0, 1]).flat().sum(axis=0), GradeScale(judged.scale.labels, None))
    assert list(found) == list(COEFFICIENTS)
    undefined = {name for name, value in found.items() if np.isnan(value)}
    assert undefined == {"kappa_linear", "kappa_quadratic", "alpha_ordinal", "alpha_interval"}


def test_ends_leave_out_what_is_undefined_unless_it_is_most() -> None:
    values = np.concatenate([np.arange(99.0), np.full(50, np.nan)])
    assert ends(values, 0.9) == (4.0, 94.0)
    assert ends(np.concatenate([values, np.full(90, np.nan)]), 0.9) is None
    assert ends(np.arange(10.0), 0.95) is None
