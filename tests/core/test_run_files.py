"""A file read by several threads gives what one thread gives, complaints included."""

from __future__ import annotations

import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.core import binding, run_files
from assay.core.binding import INTERLEAVED, Problem
from assay.core.run_files import read_top_documents
from assay.io.sources import source_of
from assay.tasks.top_documents import top_documents

if binding.LIBRARY is None:
    pytest.skip("the native core is not built here", allow_module_level=True)

from assay.core.compiled import Gold, Ranker

MEASURES = ["AP", "nDCG", "Bpref", "Judged@5", "NumRet"]


@pytest.fixture
def many_threads(monkeypatch):
    monkeypatch.setattr("assay.tasks.ranked_runs.LARGE_FILE", 128)
    monkeypatch.setattr(run_files, "PART", 64)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)


def data(topics: int) -> tuple[str, str]:
    qrels = "".join(f"{t} 0 d{i} {i % 3}\n" for t in range(topics) if t % 5 for i in range(4))
    run = "".join(f"{t} Q0 d{(t + i) % 7} {i} {10 - i} tag{t}\n" for t in range(topics) for i in range(1, 6))
    return qrels, run


def evaluated(tmp_path, qrels: str, run: str):
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "r").write_text(run)
    whole = assay.evaluate(tmp_path / "q", [run.encode()], MEASURES)
    split = assay.evaluate(tmp_path / "q", tmp_path / "r", MEASURES)
    return whole, split


@pytest.mark.parametrize("topics", [2, 3, 10, 41])
def test_the_same_as_one_thread(tmp_path, many_threads, topics) -> None:
    whole, split = evaluated(tmp_path, *data(topics))
    assert whole.runs == split.runs == [f"tag{topics - 1}"]
    (run,) = whole.runs
    for measure in MEASURES:
        assert whole.column(run, measure) == split.column(run, measure)
    assert whole.run(run).notes.as_dict() == split.run(run).notes.as_dict()
    assert whole.run(run).missing == split.run(run).missing


def ranked(path, gold, threads: int):
    return run_files.rank_parts(str(path), path.stat().st_size, gold, {}, threads)


def alone(data: bytes, gold):
    ranker = Ranker(gold, keep=True)
    ranker.feed(data)
    return ranker.finish()


def plain(result, topics: int):
    numbers = range(topics)
    return (
        result.num_ret,
        [result.relevant(t) for t in numbers],
        [result.pooled(t) for t in numbers],
        [result.graded(t, least) for t in numbers for least in (0, 1, 2)],
        result.tag,
        result.lines,
        result.ignored,
        result.unjudged_topic,
    )


@pytest.mark.parametrize("threads", [2, 3, 4, 9])
def test_the_parts_themselves_are_the_result(tmp_path, many_threads, threads) -> None:
    """Several parts were read and joined, with no second reading behind them that could hide a fault."""
    qrels, run = data(41)
    (tmp_path / "r").write_text(run)
    gold = Gold.read(qrels.encode())
    joined = ranked(tmp_path / "r", gold, threads)
    assert isinstance(joined, run_files.JoinedRanked)
    assert plain(joined, len(gold.topics)) == plain(alone(run.encode(), gold), len(gold.topics))
    assert all(count == 5 for count in joined.num_ret)


def test_evaluate_takes_the_parts(tmp_path, many_threads, monkeypatch) -> None:
    """The scores come from the joined parts: the file is not read a second time, from its start."""
    joined, again = [], []

    class Seen(run_files.JoinedRanked):
        def __init__(self, parts) -> None:
            super().__init__(parts)
            joined.append(len(parts))

    monkeypatch.setattr(run_files, "JoinedRanked", Seen)
    monkeypatch.setattr("assay.tasks.ranked_runs.Ranker", lambda *_, **__: again.append(1))
    (tmp_path / "q").write_text(data(41)[0])
    (tmp_path / "r").write_text(data(41)[1])
    assert len(assay.evaluate(tmp_path / "q", tmp_path / "r", ["AP"]).runs) == 1
    assert joined == [4]
    assert again == []


def test_a_file_too_small_for_two_parts_is_read_by_one(tmp_path) -> None:
    (tmp_path / "r").write_text(data(3)[1])
    gold = Gold.read(data(3)[0].encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_files, "PART", 1 << 10)
        assert not isinstance(ranked(tmp_path / "r", gold, 1), run_files.JoinedRanked)


def test_a_topic_in_two_parts_is_noticed_and_read_again(tmp_path, many_threads, monkeypatch) -> None:
    """Each part alone is in order; only the join can see that the first topic comes back at the end."""
    qrels, run = data(41)
    run += "1 Q0 late 6 0.5 tag40\n"
    (tmp_path / "r").write_text(run)
    gold = Gold.read(qrels.encode())
    with pytest.raises(Problem) as caught:
        ranked(tmp_path / "r", gold, 4)
    assert caught.value.code == INTERLEAVED
    kept = []
    monkeypatch.setattr(
        "assay.tasks.ranked_runs.Ranker",
        lambda gold, **options: kept.append(options.get("keep", False)) or Ranker(gold, **options),
    )
    whole, split = evaluated(tmp_path, qrels, run)
    assert kept == [False, True, False, True]  # the first pair reads the bytes, the second the file
    (name,) = whole.runs
    for measure in MEASURES:
        assert whole.column(name, measure) == split.column(name, measure)


def test_topics_that_come_back_in_another_part(tmp_path, many_threads) -> None:
    qrels, run = data(12)
    lines = run.splitlines(keepends=True)
    whole, split = evaluated(tmp_path, qrels, "".join(lines[::2] + lines[1::2]))
    (run,) = whole.runs
    assert whole.column(run, "nDCG") == split.column(run, "nDCG")
    assert whole.run(run).notes.as_dict() == split.run(run).notes.as_dict()


@pytest.mark.parametrize("line", [0, 70, 150, 204])
def test_complaints_name_the_line_of_the_whole_file(tmp_path, many_threads, line) -> None:
    qrels, run = data(41)
    lines = run.splitlines(keepends=True)
    lines[line] = lines[line].replace("Q0 ", "Q0 extra ")
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "r").write_text("".join(lines))
    with pytest.raises(assay.FormatError, match=f":{line + 1}: expected 6 fields"):
        assay.evaluate(tmp_path / "q", tmp_path / "r", MEASURES)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), max_size=12), st.integers(2, 5), st.integers(8, 40))
def test_cuts_fall_where_the_topic_changes(blocks, count, chunk) -> None:
    lines = [f"{t} Q0 d{i} 1 1 t\n".encode() for t, n in blocks for i in range(n)]
    text = b"# head\n\n" + b"".join(lines)
    cuts = run_files.boundaries(io.BytesIO(text), len(text), count, chunk)
    assert cuts[0] == 0
    assert cuts[-1] == len(text)
    assert cuts == sorted(set(cuts)) or len(text) == 0
    for cut in cuts[1:-1]:
        before, after = text[:cut].splitlines(), text[cut:].splitlines()
        assert text[cut - 1 : cut] == b"\n"
        assert before[-1].split()[0] != after[0].split()[0]


RUN = b"q1 Q0 a 1 9 s\nq1 Q0 b 2 9 s\n# a comment\nq1 Q0 c 3 9.5 s\n\nq0 Q0 \xff 1 -inf t"
LOW = float("-inf")


@pytest.mark.native_only
def test_order_is_by_score_then_id_whatever_the_ranks_say() -> None:
    two = ("t", [("q1", ["c", "b"], [9.5, 9.0]), ("q0", ["\udcff"], [LOW])])
    assert read_top_documents([RUN], 2) == two
    every = ("t", [("q1", ["c", "b", "a"], [9.5, 9.0, 9.0]), ("q0", ["\udcff"], [LOW])])
    assert read_top_documents([RUN], None) == every


@pytest.mark.native_only
@pytest.mark.parametrize("size", [1, 7, 30])
def test_chunks_may_end_anywhere(size) -> None:
    chunks = [RUN[at : at + size] for at in range(0, len(RUN), size)]
    assert read_top_documents(chunks, 2) == read_top_documents([RUN], 2)


@pytest.mark.native_only
def test_a_topic_that_comes_back_has_a_second_block() -> None:
    parsed = read_top_documents([RUN, b"\nq1 Q0 z 1 1 u\n"], 1)
    assert parsed == ("u", [("q1", ["c"], [9.5]), ("q0", ["\udcff"], [LOW]), ("q1", ["z"], [1.0])])


@pytest.mark.native_only
@pytest.mark.parametrize("more", [b" u", b"\nq0 Q0 \xff 1 2 t", b"\nq0 Q0 z 1 nan t", b"\0"])
def test_unusual_runs_are_left_to_python(more) -> None:
    assert read_top_documents([RUN + more], 2) is None
    assert read_top_documents([], 2) is None


def test_without_the_core_there_are_no_top_documents(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert read_top_documents([RUN], 2) is None


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
