"""A run in Parquet is the run that its lines would be."""

from __future__ import annotations

import io

import pytest

import assay
from assay.errors import InputError
from assay.formats.recognition import recognise, task_of
from assay.io.sources import Source

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 c 1\n"
ROWS = [("1", "b", 3.0), ("1", "a", 2.5), ("1", "x", 1.0), ("2", "c", 0.5), ("2", "a", 0.25), ("9", "a", 1.0)]
LINES = "".join(f"{topic} Q0 {document} 0 {score} bm25\n" for topic, document, score in ROWS).encode()


def parquet(rows, names=("query_id", "doc_id", "score"), group=2, **more):
    out = io.BytesIO()
    columns = (
        dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        if rows
        else {n: pa.array([], pa.string()) for n in names}
    )
    pq.write_table(pa.table({**columns, **more}), out, row_group_size=group)
    return out.getvalue()


def numbers(run, **settings):
    scores = assay.evaluate(QRELS, [run], ["AP", "nDCG@10", "P@2", "num_ret"], **settings)
    (name,) = scores.runs
    return name, dict(scores.run(name).columns), vars(scores.run(name).notes), list(scores.run(name).missing)


@pytest.mark.parametrize("group", [1, 2, 100])
@pytest.mark.parametrize(
    "names", [("query_id", "doc_id", "score"), ("topic", "document", "sim"), ("qid", "docno", "score")]
)
def test_it_scores_as_its_lines_do(group, names):
    expected = numbers(LINES)
    assert numbers(parquet(ROWS, names, group, run=["bm25"] * 6)) == expected
    assert expected[1]["AP"] == (0.5, 1.0)  # a on rank 2 of topic 1; c and a on ranks 1 and 2 of topic 2


@pytest.mark.parametrize("settings", [{"depth": 1}, {"judged_only": True}, {"level": 2}])
def test_settings_hold_for_it_too(settings):
    assert numbers(parquet(ROWS, tag=["bm25"] * 6), **settings) == numbers(LINES, **settings)


def test_topics_may_be_numbers_and_come_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [(int(topic), document, score) for topic, document, score in ROWS]
    mixed = [rows[0], rows[3], rows[1], rows[4], rows[2], rows[5]]
    for order in (rows, mixed):
        (tmp_path / "mine.parquet").write_bytes(parquet(order))
        name, *found = numbers("mine.parquet")
        assert name == "mine"
        assert found == list(numbers(LINES)[1:])
        assert numbers(parquet(order, run=["bm25"] * 6))[0] == "bm25"


def test_a_file_on_disk_is_not_read_whole(tmp_path, monkeypatch):
    path = tmp_path / "mine.parquet"
    path.write_bytes(parquet(ROWS))
    monkeypatch.setattr(Source, "read", None)
    assert numbers(str(path))[1] == numbers(LINES)[1]


def test_a_topic_may_go_on_in_the_next_batch(monkeypatch):
    """Red where such a topic were taken for one that comes back, for which everything is held."""
    monkeypatch.setattr("assay.formats.parquet.CELLS", 2)
    with pytest.raises(InputError, match="document a appears twice in topic 1"):
        numbers(parquet([("1", "a", 3.0), ("1", "b", 2.0), ("1", "a", 1.0)]))
    with pytest.raises(InputError, match="row 3: no topic"):
        numbers(parquet([("1", "a", 3.0), ("1", "b", 2.0), ("1", None, 1.0)]))
    monkeypatch.setattr("assay.tasks.ranked_runs._rank_objects", None)
    assert numbers(parquet(ROWS, run=["bm25"] * 6)) == numbers(LINES)


def test_judgments_and_what_a_report_reads_again(tmp_path):
    grades = [("1", "a", 1), ("1", "b", 0), ("2", "a", 2), ("2", "c", 1)]
    gold = parquet(grades, ("query_id", "doc_id", "relevance"))
    assert task_of(Source("g", data=gold)) == "ranked"
    assert recognise(Source("r", data=parquet(ROWS)), "run").name == "trec-run"
    path = tmp_path / "run.parquet"
    path.write_bytes(parquet(ROWS))
    scores = assay.evaluate(gold, [str(path)], ["AP"])
    assert scores["AP"] == {"run": 0.75}
    views = scores.run("run").views
    assert views.read_first(2, [0, 1]) == [[("b", 3.0), ("a", 2.5)], [("c", 0.5), ("a", 0.25)]]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (parquet(ROWS, run=["a"] * 5 + ["b"]), r"column 'run' names several runs \(a, b\); expected one run a file"),
        (
            parquet(ROWS, ("query_id", "text", "score")),
            "no column doc_id or docno or docid; it has query_id, text, score",
        ),
        (parquet([("1", "a", 1.0), ("1", "a", 2.0)]), "document a appears twice in topic 1"),
        (parquet([("1", "a", 1.0), ("1", None, 2.0)]), "row 2: no topic or no document"),
        (parquet([("1", "a", 1.0), (None, "b", 2.0)]), "row 2: no topic or no document"),
        (parquet([("1", "a", 1.0), ("1", "b", None)]), "row 2: expected a number in column 'score', found None"),
        (parquet([("1", "a", 1.0), ("1", "b", float("nan"))]), "row 2: expected a number in column 'score', found nan"),
        (parquet([("1", "a", "x")]), "row 1: expected a number in column 'score', found 'x'"),
        (parquet([]), "is empty; expected a row per topic and document"),
        (parquet(ROWS)[:-30], "not readable as Parquet"),
    ],
)
def test_what_is_wrong_is_said(data, said):
    with pytest.raises(InputError, match=said):
        numbers(data)


def test_ids_may_be_bytes():
    """Red before: a document was called b'a', which nobody had judged."""
    rows = [(topic.encode(), document.encode(), score) for topic, document, score in ROWS]
    assert numbers(parquet(rows, run=["bm25"] * 6)) == numbers(LINES)
    docs = [(topic, document.encode(), score) for topic, document, score in ROWS]
    assert numbers(pq.read_table(io.BytesIO(parquet(docs, run=["bm25"] * 6))))[1] == numbers(LINES)[1]
    grades = [("1", b"a", 1), ("1", b"b", 0), ("2", b"a", 2), ("2", b"c", 1)]
    gold = parquet(grades, ("query_id", "doc_id", "relevance"))
    assert assay.evaluate(gold, [LINES], ["AP"])["AP"] == {"bm25": 0.75}


def test_columns_as_beir_and_mteb_call_them():
    """Red before: "holds a zero byte: not a text file"."""
    names = ("query-id", "corpus-id", "score")
    gold = parquet([("1", "a", 1.0), ("1", "b", 0.0), ("2", "a", 2.0), ("2", "c", 1.0)], names)
    assert task_of(Source("g", data=gold)) == "ranked"
    assert assay.evaluate(gold, [parquet(ROWS, names)], ["AP"]).summary
    for judgments in (gold, pq.read_table(io.BytesIO(gold))):
        assert assay.evaluate(judgments, [LINES], ["AP"])["AP"] == {"bm25": 0.75}


def test_a_column_that_stands_twice():
    """Red before: a traceback."""
    cells = [pa.array(column) for column in zip(*ROWS, strict=True)]
    for names in (("topic", "document", "score", "topic"), ("topic", "document", "score", "run", "run")):
        out = io.BytesIO()
        extra = [cells[0]] * (len(names) - 3)
        pq.write_table(pa.Table.from_arrays([*cells, *extra], names=list(names)), out)
        with pytest.raises(InputError, match=r"several columns .topic.|not readable as Parquet: .*exists 2 times"):
            numbers(out.getvalue())
