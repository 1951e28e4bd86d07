"""A file read by several threads gives what one thread gives, complaints included."""

from __future__ import annotations

import io
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.native import large_files, library

if library.LIBRARY is None:
    pytest.skip("the native core is not built here", allow_module_level=True)

MEASURES = ["AP", "nDCG", "Bpref", "Judged@5", "NumRet"]


@pytest.fixture
def many_threads(monkeypatch):
    monkeypatch.setattr(large_files, "PART", 64)
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


def test_it_is_really_split(tmp_path, many_threads, monkeypatch) -> None:
    used = []
    monkeypatch.setattr(large_files, "JoinedRanked", lambda results: used.append(len(results)) or results[0])
    (tmp_path / "q").write_text(data(41)[0])
    (tmp_path / "r").write_text(data(41)[1])
    assay.evaluate(tmp_path / "q", tmp_path / "r", ["AP"])
    assert used == [4]


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


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), max_size=12), st.integers(2, 5), st.integers(8, 40))
def test_cuts_fall_where_the_topic_changes(blocks, count, chunk) -> None:
    lines = [f"{t} Q0 d{i} 1 1 t\n".encode() for t, n in blocks for i in range(n)]
    text = b"# head\n\n" + b"".join(lines)
    cuts = large_files.boundaries(io.BytesIO(text), len(text), count, chunk)
    assert cuts[0] == 0
    assert cuts[-1] == len(text)
    assert cuts == sorted(set(cuts)) or len(text) == 0
    for cut in cuts[1:-1]:
        before, after = text[:cut].splitlines(), text[cut:].splitlines()
        assert text[cut - 1 : cut] == b"\n"
        assert before[-1].split()[0] != after[0].split()[0]
