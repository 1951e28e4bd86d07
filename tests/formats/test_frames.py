"""Columns of data frames, found by their names."""

from __future__ import annotations

import io
import threading

import pytest

import assay
from assay.core import dicts_and_frames
from assay.errors import InputError
from assay.formats.frames import DOCUMENT, GRADE, TOPIC, cell_lines, columns_of, frame_of
from assay.io.sources import Source

TABLE = {"docid": ["d1", "d2"], "topic": [1, 2], "rel": [0, 3]}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_any_library_in_the_order_asked_for(library) -> None:
    module = pytest.importorskip(library)
    source = Source("frame", data=(module.table if library == "pyarrow" else module.DataFrame)(TABLE))
    found = columns_of(source, frame_of(source, "dicts"), TOPIC, DOCUMENT, GRADE)
    assert found == [("topic", [1, 2]), ("docid", ["d1", "d2"]), ("rel", [0, 3])]


def test_what_is_no_frame_or_lacks_a_column() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="x: expected a path, bytes, dicts or a data frame, found int"):
        frame_of(Source("x", data=7), "dicts")
    source = Source("x", data=pandas.DataFrame({"a": [1], "topic": [1]}))
    with pytest.raises(InputError, match="x: no column doc_id or docno or docid; it has a, topic"):
        columns_of(source, frame_of(source, ""), TOPIC, DOCUMENT)


def test_several_runs_in_one_frame_are_not_mixed() -> None:
    pandas = pytest.importorskip("pandas")
    source = Source("x", data=pandas.DataFrame({**TABLE, "run": ["a", "b"]}))
    with pytest.raises(InputError, match="column 'run' names several runs"):
        columns_of(source, frame_of(source, ""), TOPIC)


JUDGED = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d3": 1}}


RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 5.0, "d1": 4.0, "x": 9.0}}


EXPECTED = {"q1": 0.5, "q2": (1 / 2 + 2 / 3) / 2}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_data_frames_in_and_out(library) -> None:
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    judged = [(t, d, g) for t, documents in JUDGED.items() for d, g in documents.items()]
    run = [(t, d, s) for t, documents in RUN.items() for d, s in documents.items()]
    gold = make(
        {"query_id": [r[0] for r in judged], "doc_id": [r[1] for r in judged], "relevance": [r[2] for r in judged]}
    )
    frame = make({"qid": [r[0] for r in run], "docno": [r[1] for r in run], "score": [r[2] for r in run]})
    scores = assay.evaluate(gold, {"mine": frame}, ["AP", "P@1"])
    assert scores.values("AP", "mine") == pytest.approx(EXPECTED)
    out = scores.to_frame(library)
    assert type(out).__module__.split(".")[0] == library
    column = out["AP"].to_pylist() if library == "pyarrow" else list(out["AP"])
    assert column == pytest.approx(list(EXPECTED.values()))


def test_frames_without_the_columns(tmp_path) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(assay.InputError, match="no column query_id or qid or topic; it has a"):
        assay.evaluate(pandas.DataFrame({"a": [1]}), RUN)
    twice = pandas.DataFrame({"qid": ["q", "q"], "docno": ["d", "d"], "relevance": [1, 0]})
    with pytest.raises(assay.InputError, match="row 2: document d appears twice"):
        assay.evaluate(twice, RUN)


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_a_column_that_stands_twice(library) -> None:
    """polars has no such frames."""
    pytest.importorskip(library)
    if library == "pandas":
        import pandas

        frame = pandas.DataFrame([["q1", "d1", 1, 1]], columns=["qid", "docno", "relevance", "relevance"])
    else:
        import pyarrow

        columns = [pyarrow.array(cell) for cell in (["q1"], ["d1"], [1], [1])]
        frame = pyarrow.Table.from_arrays(columns, names=["qid", "docno", "relevance", "relevance"])
    with pytest.raises(assay.InputError, match=r"<gold>: two columns are called 'relevance'\. Fix: rename or drop"):
        assay.evaluate(frame, RUN)
    with pytest.raises(assay.InputError, match="two columns are called 'relevance'"):
        assay.scores(frame)


def test_frames_that_hold_several_runs_or_no_ids() -> None:
    polars = pytest.importorskip("polars")
    rows = {"qid": ["q1", "q1"], "docno": ["d1", "d2"], "score": [1.0, 2.0]}
    with pytest.raises(assay.InputError, match="column 'run' names several runs"):
        assay.evaluate(JUDGED, polars.DataFrame({**rows, "run": ["a", "b"]}), ["AP"])
    with pytest.raises(assay.InputError, match="row 2: no topic or no document"):
        assay.evaluate(JUDGED, polars.DataFrame({**rows, "docno": ["d1", None]}), ["AP"])


@pytest.mark.native_only
def test_pandas_hands_its_columns_over_without_threads(monkeypatch) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    many = [str(number) for number in range(1000)]
    gold = pandas.DataFrame({"query_id": "q", "doc_id": many, "relevance": [1, 0] * 500})
    run = pandas.DataFrame({"query_id": "q", "doc_id": many, "score": range(1000, 0, -1)}, index=many)
    streams: list[bool] = []
    read = dicts_and_frames.run_of_stream
    monkeypatch.setattr(dicts_and_frames, "run_of_stream", lambda *given: streams.append(True) or read(*given))
    monkeypatch.setattr(threading.Thread, "start", lambda _: pytest.fail("a thread was started"))
    scores = assay.evaluate(gold, {"mine": run}, ["P@10"])
    assert (scores.mean("P@10"), streams) == ({"mine": 0.5}, [True])


@pytest.mark.parametrize("index", [-1, 3, 5000])
@pytest.mark.parametrize("column", ["topic", "document"])
def test_an_index_beyond_its_dictionary(index, column) -> None:
    """pyarrow makes such arrays unchecked. Without a check, 5000 gave a number and -100000000 a segmentation fault."""
    pa = pytest.importorskip("pyarrow")
    from assay.core import dicts_and_frames
    from assay.formats.ranked.trec import read_qrels
    from assay.io.sources import Source

    def ids(wrong: bool, *names: str):
        places = pa.array([0, index if wrong else 1, 2], pa.int32())
        cut = pa.array([*names, "behind"]).slice(
            0, len(names)
        )  # text just behind the dictionary, which must not be read
        return pa.DictionaryArray.from_arrays(places, cut, safe=False)

    topics, documents = ids(column == "topic", "q1", "q1", "q1"), ids(column == "document", "d1", "d2", "d3")
    run = pa.table({"qid": topics, "docno": documents, "score": [3.0, 2.0, 1.0]})
    judged = pa.table({"qid": topics, "docno": documents, "relevance": [1, 1, 0]})
    with pytest.raises(assay.InputError, match=f"invalid Arrow data: .*{index}"):
        assay.evaluate({"q1": {"d1": 1}}, run, ["AP"])
    with pytest.raises(assay.InputError, match=f"<gold>: column .* is invalid Arrow data: .*{index}"):
        assay.evaluate(judged, RUN, ["AP"])
    gold = read_qrels(Source("qrels", data=b"q1 0 d1 1\n"))
    assert dicts_and_frames.run_of_stream(run.__arrow_c_stream__(), gold, {}) is None, (
        "the core refuses it, whoever hands it over"
    )
    assert dicts_and_frames.gold_of_stream(judged.__arrow_c_stream__()) is None


LINES = [(1, ["id", "m"]), (2, ["q1", "1.0"]), (3, ["q2", ""])]


def test_csv():
    assert list(cell_lines(Source("x", data=b"id,m\nq1,1.0\nq2,\n"))) == LINES


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_and_parquet(library):
    lib = pytest.importorskip(library)
    data = {"id": ["q1", "q2"], "m": [1.0, None]}
    frame = lib.table(data) if library == "pyarrow" else lib.DataFrame(data)
    assert list(cell_lines(Source("x", data=frame))) == LINES
    pq = pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    pq.write_table(frame if library == "pyarrow" else pytest.importorskip("pyarrow").table(data), out)
    assert list(cell_lines(Source("x", data=out.getvalue()))) == LINES


def test_the_missing_value_of_nullable_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": ["q"], "m": pandas.array([None], dtype="Int64")})
    assert list(cell_lines(Source("x", data=frame)))[1] == (2, ["q", ""])
