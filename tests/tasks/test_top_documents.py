"""The first documents of a run: the core's order, whatever the order of the file, and no more held than is wanted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError
from assay.formats.ranked.trec import read_qrels
from assay.io.sources import Source
from assay.tasks.ranked_runs import rank_run
from assay.tasks.top_documents import top_documents

RUN = "1 Q0 b 1 2.0 t\n1 Q0 c 2 2.0 t\n2 Q0 x 1 1 t\n1 Q0 a 3 9 t\n\n# said\n"


def source(content: str) -> Source:
    return Source("run", data=content.encode())


def test_score_then_id_descending_and_topics_that_come_back() -> None:
    assert top_documents(source(RUN), ["1", "2", "3"], 2) == [[("a", 9.0), ("c", 2.0)], [("x", 1.0)], []]


def test_a_dict_and_json() -> None:
    assert top_documents(Source("run", data={1: {"a": 1, "b": 2}}), ["1"], 5) == [[("b", 2.0), ("a", 1.0)]]
    assert top_documents(source('{"1": {"a": 1, "b": 2}}'), ["1"], 1) == [[("b", 2.0)]]


def test_documents_nobody_judged_are_dropped_first() -> None:
    assert top_documents(source(RUN), ["1"], 2, lambda place: {"b", "c"}) == [[("c", 2.0), ("b", 2.0)]]


def test_what_changed_since_it_was_scored_is_said() -> None:
    with pytest.raises(FormatError, match=r"^run:2: expected 6 fields .* has changed since"):
        top_documents(source("1 Q0 b 1 2.0 t\n1 Q0 b\n"), ["1"], 2)
    with pytest.raises(FormatError, match=r"^run:1: "):
        top_documents(source("1 Q0 b 1 high t\n"), ["1"], 2)


@given(
    st.lists(
        st.tuples(st.sampled_from("12"), st.integers(0, 300), st.integers(-3, 3)), unique_by=lambda r: r[:2], min_size=1
    ),
    st.integers(1, 40),
)
def test_ranks_are_those_of_the_core(rows, depth) -> None:
    text = "".join(f"{topic} Q0 d{document} 1 {score / 2} t\n" for topic, document, score in rows)
    gold = read_qrels(source("".join(f"{topic} 0 d{document} 1\n" for topic, document, _ in rows)))
    ranked = rank_run(source(text), gold)
    tops = top_documents(source(text), gold.topics, depth)
    for place, top in enumerate(tops):
        ids = [document for document, _ in gold.documents(place)]
        places = {rank: ids[number] for rank, number in zip(*ranked.pooled(place), strict=True)}
        assert [document for document, _ in top] == [places[rank] for rank in range(1, min(depth, len(places)) + 1)]
