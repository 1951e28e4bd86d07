"""What is beyond any machine is refused, with what it would need."""

from __future__ import annotations

import pytest

from assay import compare, reliability, threshold
from assay.errors import TooMuchError
from assay.parallel import memory_limits
from assay.scoring.score_files import scores


@pytest.fixture
def gigabyte(monkeypatch) -> None:
    """A machine with so much memory, whatever this one has."""
    monkeypatch.setattr(memory_limits, "available", lambda: 1e9)


def test_what_there_is_passes(gigabyte) -> None:
    memory_limits.afford("resamples", 5, memory=1e9, seconds=memory_limits.MAX_SECONDS)


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        ({"memory": 2e9}, "`n=7`: would need about 2 GB of memory, and there is 1 GB"),
        ({"seconds": 2 * memory_limits.MAX_SECONDS}, "`n=7`: would take about 2 years of one processor"),
    ],
)
def test_what_there_is_not_is_refused(gigabyte, needs, told) -> None:
    with pytest.raises(TooMuchError) as problem:
        memory_limits.afford("n", 7, **needs)
    assert str(problem.value).startswith(told)


def test_memory_is_found_or_without_end() -> None:
    assert memory_limits.available() > 1e6


TABLE = scores([[0.1, 0.4], [0.2, 0.3], [0.5, 0.1], [0.6, 0.7]], runs=["a", "b"])


@pytest.mark.parametrize("count", [10**9, 10**18])
def test_studies_ask_before_they_begin(gigabyte, count) -> None:
    with pytest.raises(TooMuchError, match=f"`resamples={count}`: would need"):
        compare(TABLE, resamples=count)
    with pytest.raises(TooMuchError, match=f"`trials={count}`: would"):
        reliability(TABLE, trials=count, discrimination="bootstrap", executor=None)
    answers = {f"q{i}": ("x", i / 9) for i in range(9)}
    gold = {f"q{i}": "x" if i % 2 else "y" for i in range(9)}
    with pytest.raises(TooMuchError, match=f"`resamples={count}`: would"):
        threshold(gold, {"run": answers}, "c@1", resamples=count)


def test_time_is_asked_of_a_study_without_tests() -> None:
    with pytest.raises(TooMuchError, match="would take about 16 years of one processor"):
        reliability(TABLE, trials=10**15, executor=None)
