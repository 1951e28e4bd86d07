"""Scores per topic: matrices (real files, every way a file can be wrong, and the way back), and tables as assay writes them."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import FormatError, InputError
from assay.formats.score_tables import Matrix, read_matrix, read_score_json, read_score_parquet, write_matrix
from assay.io.sources import Source


def result(topics: object, run: object = "a") -> bytes:
    return json.dumps({"task": "ranked", "runs": [{"run": run, "topics": topics}]}).encode()


def test_measures_runs_topics_and_values() -> None:
    source = Source("x", data=result({"1": {"AP": 0.5, "P@5": None}, "2": {"AP": 1}}))
    assert read_score_json(source) == {"AP": {"a": {"1": 0.5, "2": 1}}, "P@5": {"a": {"1": None}}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "x:1: broken JSON"),
        (b"{}", "x: is JSON, but not a result"),
        (b'{"runs": [1]}', 'entry 1 of "runs" has no "run"'),
        (result({"1": {"AP": 1}}).replace(b'"AP": 1', b'"AP": 1, "AP": 0'), "the key 'AP' appears twice in one object"),
        (result({"1": {"AP": 1}}).replace(b"]", b', {"run": "a", "topics": {"1": {"AP": 0}}}]'), "AP is given twice"),
        (result({}), "has no scores per topic; write it with `assay evaluate -q -f json`"),
        (result({"1": 3}), 'run a: expected "topics"'),
        (result({"1": {"AP": "high"}}), "run a, topic 1: AP is 'high', not a number"),
        (result({"1": {"AP": True}}), "AP is True, not a number"),
        (result({"1": {"AP": 10**400}}), "not a number"),
        (result({"1": {"AP": float("inf")}}), "AP is inf, not a number"),
    ],
)
def test_bad_results_are_named(content, problem) -> None:
    with pytest.raises(InputError) as caught:
        read_score_json(Source("x", data=content))
    assert problem in str(caught.value)


def parquet(**columns: object) -> Source:
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pyarrow.table(columns), out)
    return Source("x", data=out.getvalue())


def test_parquet() -> None:
    source = parquet(run=["a", "a"], topic=["1", "2"], status=["scored", "undefined"], AP=[0.5, None])
    assert read_score_parquet(source) == {"AP": {"a": {"1": 0.5, "2": None}}}
    with pytest.raises(
        InputError, match="x: expected the columns run and topic, or topic and a column per run; found AP"
    ):
        read_score_parquet(parquet(AP=[0.5]))
    with pytest.raises(InputError, match="x: run a, topic 1: AP is 'x', not a number"):
        read_score_parquet(parquet(run=["a"], topic=["1"], AP=["x"]))
    with pytest.raises(InputError, match="x: not readable as Parquet"):
        read_score_parquet(Source("x", data=b"PAR1 and no more"))


def test_reads_a_matrix_without_a_topic_column(shared_data):
    matrix = read_matrix(shared_data("trec_matrices") / "adhoc8_ap.csv")
    assert (len(matrix.topics), len(matrix.runs)) == (50, 129)
    assert matrix.runs[:2] == ["run1", "run2"]
    assert matrix.runs[-1] == "run129"
    assert matrix.topics[0] == "1"
    assert matrix.name == "adhoc8_ap"


@pytest.mark.parametrize(
    ("file", "topics", "runs"),
    [("enterprise2006", 49, 91), ("genomics2004", 50, 47), ("robust2003", 100, 78), ("web2004", 150, 73)],
)
def test_reads_the_quoted_matrices_of_other_tracks(shared_data, file, topics, runs):
    """Shapes as SOURCE.txt states them; R quotes the header and writes 8e-04 for .0008."""
    matrix = read_matrix(shared_data("trec_matrices") / "irj2015" / f"{file}.csv")
    assert (len(matrix.topics), len(matrix.runs)) == (topics, runs)
    assert matrix.runs[0] == "sys1"
    if file == "genomics2004":
        assert matrix.values[0][4] == 0.0008


def test_first_column_called_topic_holds_ids():
    matrix = read_matrix(b"topic,a,b\n301,0.5,0.25\nq 2,1,0\n")
    assert matrix.topics == ["301", "q 2"]
    assert matrix.values == [[0.5, 0.25], [1.0, 0.0]]


@pytest.mark.parametrize("name", ["qid", "Topic", "query_id", '""'])
def test_other_names_of_the_topic_column(name):
    assert read_matrix(f"{name},a\n7,1\n".encode()).topics == ["7"]


@pytest.mark.parametrize(
    "content",
    [
        b"topic\ta\tb\n1\t0.5\tNA\n",
        b"topic;a;b\r\n1;0.5;n/a\r\n",
        b"\xef\xbb\xbftopic,a,b\n\n1,0.5,\n\n",
        b'"topic","a","b"\n"1","0.5","null"',
        gzip.compress(b"topic,a,b\n1,0.5,NA\n"),
    ],
    ids=["tabs", "semicolons and CRLF", "byte order mark and blank lines", "quotes, no last newline", "gzip"],
)
def test_dialects(content):
    matrix = read_matrix(content)
    assert (matrix.topics, matrix.runs, matrix.values) == (["1"], ["a", "b"], [[0.5, None]])


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b"a,b\n1,2\n1\n", 3, "expected 2 cells as in the header, found 1"),
        (b"a,b\n1,2,3\n", 2, "expected 2 cells as in the header, found 3"),
        (b"a,b\n1,x\n", 2, "run b: expected a number, or NA where undefined; found 'x'"),
        (b"a,b\n1,nan\n", 2, "found 'nan'"),
        (b"a,b\n1,inf\n", 2, "found 'inf'"),
        (b"a,b\n1,1_0\n", 2, "found '1_0'"),
        (b"a,a\n1,2\n", 1, "two columns are called 'a'"),
        (b"a,,c\n1,2,3\n", 1, "run 2 has no name"),
        (b"topic,a\n1,2\n\n1,3\n", 4, "topic 1 is already on line 2"),
        (b"topic,a\n,2\n", 2, "expected a topic id"),
        (b"0.5,0.25\n0.5,0.25\n", 1, "the first line holds numbers"),
        (b"a,b\n1,\xff\n", 2, "run b: expected a number, or NA where undefined"),
        (b"a,b\n1,2\0\n", 2, "holds a zero byte"),
        (b'a,b\n1,"2\n3,4\n', 3, "broken CSV"),
    ],
)
def test_errors_name_file_and_line(tmp_path, content, line, says):
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError) as problem:
        read_matrix(path)
    assert str(problem.value).startswith(f"{path}:{line}: ")
    assert says in str(problem.value)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"a,b\n"])
def test_nothing_to_read_is_an_error(content):
    with pytest.raises(InputError, match="expected a"):
        read_matrix(content)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_matrix(tmp_path / "none.csv")


names = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp", "Cf")), min_size=1, max_size=5
)
cells = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=60)
@given(st.data())
def test_what_is_written_reads_back_the_same(data):
    # Runs called like scores (".5") are taken for a missing header, so these start with a letter.
    runs = ["r" + name for name in data.draw(st.lists(names, min_size=1, max_size=4, unique=True))]
    topics = data.draw(st.lists(names, min_size=1, max_size=4, unique=True))
    values = [[data.draw(cells) for _ in runs] for _ in topics]
    back = read_matrix(write_matrix(Matrix(topics, runs, values)).encode())
    assert (back.topics, back.runs, back.values) == (topics, runs, values)


def test_a_parquet_matrix_is_that_of_its_csv(tmp_path) -> None:
    """Columns of numbers beside one of topics, as a data frame of a leaderboard is saved; whole numbers and nulls too."""
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"topic": ["q1", "q2", "q3"], "a": [0.5, None, 1.0], "b": [0, 1, 1]})
    frame.write_parquet(tmp_path / "acc.parquet")
    frame.write_csv(tmp_path / "acc.csv", null_value="NA")
    read, same = (assay.read_scores(str(tmp_path / f"acc.{ending}")) for ending in ("parquet", "csv"))
    assert [measure.name for measure in read.measures] == ["acc"]
    assert read["acc", "a"] == same["acc", "a"] == {"q1": 0.5, "q2": None, "q3": 1.0}
    assert read["acc"] == same["acc"]
    assert assay.read_scores(f"AP={tmp_path / 'acc.parquet'}").measures[0].name == "AP"


@pytest.mark.parametrize(
    ("columns", "message"),
    [({"topic": ["q1", "q1"], "a": [1.0, 2.0]}, "topic q1"), ({"topic": ["q1"], "a": ["x"]}, "run a: expected a number"),
     ({"topic": ["q1"]}, "a row per topic and a column per run, found 1 and 0")],
)  # fmt: skip
def test_parquet_matrices_that_are_none_say_why(tmp_path, columns, message) -> None:
    polars = pytest.importorskip("polars")
    polars.DataFrame(columns).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(InputError, match=message):
        assay.read_scores(str(tmp_path / "x.parquet"))


def test_cells_that_repeat_are_read_as_the_first_one(monkeypatch) -> None:
    """With and without room to remember texts."""
    content = b"topic,a,b\n1, 0.5,NA\n2,0.5, 0.5\n3,1e0,NA\n"
    expected = [(0.5, None), (0.5, 0.5), (1.0, None)]
    assert [tuple(row) for row in read_matrix(content).values] == expected
    monkeypatch.setattr("assay.formats.score_tables.MAX_KNOWN_TEXTS", 0)
    assert [tuple(row) for row in read_matrix(content).values] == expected
