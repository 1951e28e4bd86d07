"""Joining runs with judgments: the same from every form; messages name the place of a fault."""

from __future__ import annotations

import io
import json
import sys

import pytest

import assay
from assay.core.binding import MEMORY, Problem
from assay.errors import FormatError, InputError
from assay.formats.ranked.trec import read_qrels
from assay.io import sources, spooling
from assay.io.sources import Source, source_of
from assay.tasks import ranked_runs
from assay.tasks.ranked_runs import rank_run

QRELS = "301 0 d1 1\n301 0 d2 -1\n302 0 d1 0\n302 0 d3 2\n"
RUN = "301 Q0 d2 1 3.5 t\n301 Q0 d1 2 3 t\n302 Q0 d3 1 1e-3 t\n302 Q0 d1 2 -1 t\n302 Q0 d9 3 -2 t\n"
SCORED = {"301": {"d2": 3.5, "d1": 3}, "302": {"d3": 1e-3, "d1": -1, "d9": -2.0}}


def source(thing: object, name: str = "file") -> Source:
    return Source(name, data=thing.encode() if isinstance(thing, str) else thing)


def frame(nested: dict[str, dict[str, float]], *names: str, **more: object):
    pandas = pytest.importorskip("pandas")
    rows = [(topic, document, score) for topic, documents in nested.items() for document, score in documents.items()]
    return pandas.DataFrame(rows, columns=list(names)).assign(**more)


def ranks(ranked, gold) -> dict[str, dict[str, int]]:
    by_topic: dict[str, dict[str, int]] = {}
    for t, topic in enumerate(gold.topics):
        ranks, numbers = ranked.pooled(t)
        ids = [document for document, _ in gold.documents(t)]
        by_topic[topic] = {ids[number]: rank for rank, number in zip(ranks, numbers, strict=True)}
    return by_topic


@pytest.mark.parametrize("form", ["text", "json", "dict", "frame", "interleaved"])
def test_runs_in_every_form(form) -> None:
    lines = RUN.splitlines(keepends=True)
    things = {
        "text": lambda: RUN,
        "json": lambda: json.dumps(SCORED),
        "dict": lambda: SCORED,
        "frame": lambda: frame(SCORED, "query_id", "doc_id", "score", run="t"),
        "interleaved": lambda: "".join(lines[::2] + lines[1::2]),
    }
    gold = read_qrels(source(QRELS))
    ranked = rank_run(source(things[form]()), gold)
    assert list(ranked.num_ret) == [2, 3]
    assert ranks(ranked, gold) == {"301": {"d2": 1, "d1": 2}, "302": {"d3": 1, "d1": 2}}


def test_a_large_file_is_read_by_parts_and_let_go(tmp_path, monkeypatch) -> None:
    from assay.core import run_files
    from assay.core.binding import LIBRARY

    if LIBRARY is None:
        pytest.skip("only the compiled core reads by parts")
    monkeypatch.setattr(ranked_runs, "LARGE_FILE", 16)
    monkeypatch.setattr(run_files, "PART", 8)
    monkeypatch.setattr(ranked_runs.os, "cpu_count", lambda: 2)
    (tmp_path / "run").write_text(RUN)
    gold = read_qrels(source(QRELS))
    assert ranks(rank_run(source_of(tmp_path / "run"), gold), gold)["302"] == {"d3": 1, "d1": 2}


@pytest.mark.parametrize(
    ("thing", "problem"),
    [
        ("", "file: is empty; expected lines of 6 fields"),
        ("301 Q0 d1 1 2.0\n", "file:1: expected 6 fields (topic, Q0, document, rank, score, tag), found 5"),
        (RUN + "303 Q0 d1 1 high t\n", "file:6: expected a number as score (field 5), found 'high'"),
        (RUN + "301 Q0 d2 1 1 t\n", "file:6: document d2 appears a second time in topic 301, first on line 1"),
        ({"301": [1.5]}, "topic 301: found 1.5 as an id"),
        ({"301": {"d1"}}, "topic 301: a set has no order; expected a list of documents, best first"),
        ({"301": {"d1": "high"}}, "topic 301: document d1: expected a number as score, found 'high'"),
        ({"301": {"d1": float("nan")}}, "the score is NaN"),
    ],
)
def test_bad_runs(thing, problem) -> None:
    with pytest.raises(InputError) as caught:
        rank_run(source(thing), read_qrels(source(QRELS)))
    assert problem in str(caught.value)


def test_an_error_in_a_file_is_of_its_line() -> None:
    with pytest.raises(FormatError) as caught:
        rank_run(source(RUN.replace("3.5", "?"), "bm25.run"), read_qrels(source(QRELS)))
    assert (caught.value.source, caught.value.line) == ("bm25.run", 1)


def test_trec_eval_lets_lines_be_longer() -> None:
    gold = read_qrels(source(QRELS))
    longer = RUN.replace(" t\n", " t more\n")
    assert list(rank_run(source(longer), gold, any_fields=True).num_ret) == [2, 3]
    with pytest.raises(FormatError, match="found 7"):
        rank_run(source(longer), gold)


@pytest.mark.parametrize("run", [{"1": {"a": 1.0}}, b"1 Q0 a 1 1 t\n"], ids=["from memory", "from bytes"])
@pytest.mark.parametrize("when", ["__init__", "finish"])
def test_too_little_memory_is_called_by_its_name(monkeypatch, run, when) -> None:
    """It was told as a document that appears twice."""

    def fail(*_, **__):
        raise Problem(MEMORY)

    monkeypatch.setattr(ranked_runs.Ranker, when, fail)
    with pytest.raises(assay.AssayError, match="not enough memory"):
        assay.evaluate({"1": {"a": 1}}, [run], ["AP"])


class Pipe:
    """Standard input that brings some bytes, once."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("in_memory", [0, 1 << 20])
@pytest.mark.parametrize("chunk", [7, 1 << 20])
@pytest.mark.parametrize(
    "text",
    [
        RUN,
        RUN + "301 Q0 d7 3 9 t\n",  # a topic that comes back
        RUN + "999 Q0 d7 3 9 t\n301 Q0 d1 3 9 t\n",  # and brings a document twice
        RUN.replace("302 Q0 d9", "302 Q0 d1"),
        RUN.replace("302 Q0 d9", "302 Q0 d1") + "303 Q0\n",
        RUN + "301 Q0 d7 3 9 t\n303 Q0\n",
    ],
)
def test_a_pipe_is_read_as_a_file_is(tmp_path, monkeypatch, text, chunk, in_memory) -> None:
    def read(run: Source) -> object:
        gold = read_qrels(source(QRELS))
        try:
            ranked = rank_run(run, gold)
        except FormatError as problem:
            return str(problem).partition(":")[2]
        return ranks(ranked, gold), ranked.num_ret, ranked.tag, ranked.lines, ranked.ignored

    (tmp_path / "run").write_text(text)
    monkeypatch.setattr(sources, "CHUNK", chunk)
    monkeypatch.setattr(spooling, "IN_MEMORY", in_memory)
    monkeypatch.setattr(sys, "stdin", Pipe(text.encode()))
    piped = read(Source("<stdin>", path="-"))
    assert piped == read(Source("run", path=str(tmp_path / "run")))
