"""The first documents of a run: the core's order, whatever the order of the file, and no more held than is wanted."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError, InputError
from assay.formats.ranked.trec import read_qrels
from assay.io.sources import Source, source_of
from assay.tasks import top_documents as module
from assay.tasks.ranked_runs import rank_run
from assay.tasks.top_documents import read_rankings, top_documents

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
    with pytest.raises(FormatError, match=r"^run:2: expected 6 fields"):
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


def bytes_source(data: bytes) -> Source:
    return Source("some.run", data=data)


def test_ties_break_by_id_descending_as_bytes_whatever_the_rank_column_says():
    lines = b"q Q0 d1 1 1.0 t\nq Q0 d2 2 1.0 t\nq Q0 D9 3 1.0 t\nq Q0 d0 4 2 t\n"
    assert read_rankings(bytes_source(lines)) == ("t", {"q": ["d0", "d2", "d1", "D9"]})


def test_the_first_documents_of_topics_that_come_and_go():
    lines = b"a Q0 d1 1 1 t\nb Q0 d1 1 1 t\na Q0 d2 1 3 t\na Q0 d3 1 2 t\n"
    assert read_rankings(bytes_source(lines), depth=2)[1] == {"a": ["d2", "d3"], "b": ["d1"]}


def test_dicts():
    assert read_rankings(source_of({"q": {"d1": 1, "d2": 2.5}}, "mine")) == ("mine", {"q": ["d2", "d1"]})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"q Q0 d1 1 1.0\n", "some.run:1: expected 6 fields (topic, Q0, document, rank, score, tag), found 5"),
        (b"q Q0 d1 1 1 t\n\nq Q0 d1 2 1 t\n", "some.run:3: document d1 appears a second time in topic q"),
        (b"q Q0 d1 1 high t\n", "expected a number as score in field 5, found 'high'"),
        (b"q Q0 d1 1 nan t\n", "found 'nan'"),
        (b"q Q0 d1 1 1_0 t\n", "found '1_0'"),
        (b"# nothing\n", "found no documents"),
    ],
)
def test_refused(data, said):
    with pytest.raises(FormatError) as refusal:
        read_rankings(bytes_source(data))
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"q": {"d": float("nan")}}, "mine: topic q, document d: the score is NaN"),
        ({"q": {"d": "high"}}, "mine: topic q: document d: expected a number as score, found 'high'"),
        ({"q": {"d": None}}, "found None"),
        ({"q": 3}, "mine: topic q: expected a mapping from document to score, found int"),
        ({"1": {"d": 1}, 1: {"e": 1}}, "mine: two topics have the same id '1' as text"),
        ({"q": {"1": 2, 1: 1}}, "mine: topic q: two documents have the same id '1' as text"),
    ],
)
def test_refused_of_dicts(data, said):
    with pytest.raises(InputError) as refusal:
        read_rankings(source_of(data, "mine"))
    assert said in str(refusal.value)


@pytest.mark.parametrize("run", [{"q": {"\ud800": 1}}, {"\ud800": {"d": 1}}])
def test_half_a_character_is_refused_as_evaluate_refuses_it(run):
    with pytest.raises(InputError, match="mine: an id has a lone surrogate"):
        read_rankings(source_of(run, "mine"))


def test_a_json_file_whose_topics_hold_no_documents_is_refused():
    with pytest.raises(InputError, match="expected a mapping from document to score, found int"):
        read_rankings(bytes_source(b'{"q": {"d1": 1}, "r": 3}'))


def test_scores_without_end_are_an_order_as_they_are_to_evaluate():
    lines = b"q Q0 a 1 -inf t\nq Q0 b 1 inf t\nq Q0 c 1 0 t\n"
    assert read_rankings(bytes_source(lines))[1] == {"q": ["b", "c", "a"]}


@given(st.binary(max_size=200))
def test_any_bytes(data):
    with suppress(AssayError):
        read_rankings(bytes_source(data))


LINE = st.tuples(
    st.sampled_from(["q1", "q2"]), st.sampled_from(["d1", "d2", "D3", "d#4", "\u00e9"]),
    st.sampled_from(["1", "1.0", "-2e3", "0.5", "nan", "1_0", "inf", "x"]),
    st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n#\n", " more\n"]), st.sampled_from("tuu"),
)  # fmt: skip


@given(st.lists(LINE, min_size=1, max_size=8), st.none() | st.integers(1, 3))
def test_read_by_the_core_or_line_by_line_is_the_same(lines, depth):
    data = "".join(f"{topic} Q0 {document} 1 {score} {tag}{end}" for topic, document, score, end, tag in lines).encode()

    def outcome():
        try:
            return read_rankings(bytes_source(data), depth)
        except FormatError as problem:
            return str(problem)

    by_core = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "read_top_documents", lambda chunks, depth: None)
        assert outcome() == by_core


@pytest.mark.native_only
def test_an_ordinary_run_is_read_by_the_core(monkeypatch):
    monkeypatch.setattr(module, "read_run", None)
    data = b"\xef\xbb\xbfq Q0 d1 1 2.0 t\nq Q0 d2 2 1.0 t\np Q0 d1 1 1 t"
    assert read_rankings(bytes_source(data)) == ("t", {"q": ["d1", "d2"], "p": ["d1"]})
