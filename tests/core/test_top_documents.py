"""The first documents of a run; the fuzzer compares them with plain loops, tests/tasks/test_rankings.py with the Python reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import binding
from assay.core.top_documents import read_top_documents
from assay.io.sources import source_of
from assay.tasks.top_documents import top_documents

DATA = b"q1 Q0 a 1 9 s\nq1 Q0 b 2 9 s\n# a comment\nq1 Q0 c 3 9.5 s\n\nq0 Q0 \xff 1 -inf t"
LOW = float("-inf")


@pytest.mark.native_only
def test_order_is_by_score_then_id_whatever_the_ranks_say() -> None:
    two = ("t", [("q1", ["c", "b"], [9.5, 9.0]), ("q0", ["\udcff"], [LOW])])
    assert read_top_documents([DATA], 2) == two
    every = ("t", [("q1", ["c", "b", "a"], [9.5, 9.0, 9.0]), ("q0", ["\udcff"], [LOW])])
    assert read_top_documents([DATA], None) == every


@pytest.mark.native_only
@pytest.mark.parametrize("size", [1, 7, 30])
def test_chunks_may_end_anywhere(size) -> None:
    chunks = [DATA[at : at + size] for at in range(0, len(DATA), size)]
    assert read_top_documents(chunks, 2) == read_top_documents([DATA], 2)


@pytest.mark.native_only
def test_a_topic_that_comes_back_has_a_second_block() -> None:
    parsed = read_top_documents([DATA, b"\nq1 Q0 z 1 1 u\n"], 1)
    assert parsed == ("u", [("q1", ["c"], [9.5]), ("q0", ["\udcff"], [LOW]), ("q1", ["z"], [1.0])])


@pytest.mark.native_only
@pytest.mark.parametrize("more", [b" u", b"\nq0 Q0 \xff 1 2 t", b"\nq0 Q0 z 1 nan t", b"\0"])
def test_unusual_runs_are_left_to_python(more) -> None:
    assert read_top_documents([DATA + more], 2) is None
    assert read_top_documents([], 2) is None


def test_without_the_core_there_is_none(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert read_top_documents([DATA], 2) is None


TOPICS = ["q1", "q2", "q3", "q4", "q5", "q6"]
ROWS = st.lists(st.tuples(st.sampled_from(TOPICS), st.integers(-3, 3).map(lambda n: n / 2)), max_size=60)


@given(ROWS, st.integers(1, 4))
def test_documents_shown_are_those_of_sorting(rows, depth) -> None:
    lines = [f"{topic} Q0 d{number} 1 {score} t" for number, (topic, score) in enumerate(rows)]
    expected = [
        sorted(((score, f"d{number}") for number, (of, score) in enumerate(rows) if of == topic), reverse=True)[:depth]
        for topic in TOPICS
    ]
    source = source_of("\n".join(["q0 Q0 x 1 1 t", *lines]).encode())
    assert top_documents(source, TOPICS, depth) == [[(document, score) for score, document in top] for top in expected]
