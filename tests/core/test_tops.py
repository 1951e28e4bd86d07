"""Which documents the core lets through: every one that may be among the first of its topic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import binding, tops
from assay.formats.ranked.top_documents import top_documents
from assay.io.sources import source_of

DATA = b"q1 Q0 a 1 3 t\n# a comment\n\nq1 Q0 b 2 5 t\r\nq1 Q0 c 3 3 t\nq1\tQ0  d 4 4 t\nq2 Q0 a 1 -1 t\nq1 Q0 e 9 0 t"


def named(found) -> list[tuple[bytes, float, bytes]]:
    return [(topic, score, document) for topic, documents in found for score, document in documents]


@pytest.mark.native_only
def test_documents_that_may_be_first() -> None:
    again = (b"q2", [(-1.0, b"a")]), (b"q1", [(0.0, b"e")])
    assert [*tops.first_documents([DATA], 1)] == [(b"q1", [(3.0, b"a"), (5.0, b"b")]), *again], (
        "a topic that comes back begins afresh"
    )
    first = [(3.0, b"a"), (5.0, b"b"), (3.0, b"c"), (4.0, b"d")]
    assert [*tops.first_documents([DATA], 2)] == [(b"q1", first), *again], "3 ties with the second of 5 and 3"


@pytest.mark.native_only
@pytest.mark.parametrize("size", [1, 7, 30])
def test_pieces_may_end_anywhere(size) -> None:
    pieces = [DATA[at : at + size] for at in range(0, len(DATA), size)]
    assert {*named(tops.first_documents([DATA], 1))} <= {*named(tops.first_documents([*pieces, b""], 1))}


@pytest.mark.native_only
def test_more_documents_than_one_call_has_room_for(monkeypatch) -> None:
    monkeypatch.setattr(tops, "ROOM", 2)
    assert {*named(tops.first_documents([DATA], 2))} >= {(b"q1", 5.0, b"b"), (b"q1", 4.0, b"d"), (b"q2", -1.0, b"a")}


@pytest.mark.native_only
@pytest.mark.parametrize("line", [b"q1 Q0 b 2 8\n", b"q1 Q0 b 2 x t\n", b"q1 Q0 b 2 8 t u"])
def test_a_line_that_is_none_of_a_run(line) -> None:
    with pytest.raises(ValueError, match="none of a run"):
        list(tops.first_documents([DATA + b"\n" + line], 1))


def test_without_the_core_every_line_is_looked_at(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert tops.first_documents([DATA], 1) is None


rows = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "q3", "q4", "q5", "q6"]), st.integers(-3, 3).map(lambda n: n / 2)),
    max_size=60,
)


@given(rows, st.integers(1, 4))
def test_the_first_documents_are_those_of_sorting(found, depth) -> None:
    lines = [f"{topic} Q0 d{number} 1 {score} t" for number, (topic, score) in enumerate(found)]
    topics = sorted({topic for topic, _ in found} | {"q1", "q2", "q3", "q4", "q5", "q6"})
    kept = [
        sorted(((score, f"d{number}") for number, (of, score) in enumerate(found) if of == topic), reverse=True)[:depth]
        for topic in topics
    ]
    source = source_of("\n".join(["q0 Q0 x 1 1 t", *lines]).encode())
    assert top_documents(source, topics, depth) == [[(document, score) for score, document in one] for one in kept]
