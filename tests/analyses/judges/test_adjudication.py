"""Disagreements decided by somebody, and the judgments that come of it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.analyses.judges import adjudication

ANN = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"=x": 1}}
BOB = {"q1": {"a": 1, "b": 1}, "q2": {"=x": 0}}


@pytest.fixture
def open_csv(tmp_path) -> Path:
    path = tmp_path / "open.csv"
    assay.agree({"ann": ANN, "bob": BOB}, resamples=0).write_adjudication(path)
    return path


def fill(path: Path, *decisions: str) -> None:
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    for row, decision in zip(rows, decisions, strict=True):
        row[header.index("decision")] = decision
        row[header.index("by")] = "carol"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def settle(path: Path, ann=ANN, bob=BOB, **options):
    return assay.agree({"ann": ann, "bob": bob}, resamples=0, **options).settle(path)


def test_what_is_written(open_csv) -> None:
    assert open_csv.read_text() == "topic,document,ann,bob,decision,by,note\nq1,b,0,1,,,\nq2,'=x,1,0,,,\n"
    with pytest.raises(assay.InputError, match="exists, and may hold decisions"):
        assay.agree({"ann": ANN, "bob": BOB}, resamples=0).write_adjudication(open_csv)


def test_there_and_back(open_csv, tmp_path) -> None:
    fill(open_csv, "1.0", "0")
    found = settle(open_csv)
    assert found.qrels == {"q1": {"a": 1, "b": 1, "c": 2}, "q2": {"=x": 0}}
    assert found.counts() == {"agreed": 1, "adjudicated": 2, "one judge": 1}
    origins = found.save(tmp_path / "final.qrels")
    assert (tmp_path / "final.qrels").read_text() == "q1 0 a 1\nq1 0 b 1\nq1 0 c 2\nq2 0 =x 0\n"
    assert Path(origins).read_text().splitlines() == [
        "topic,document,grade,origin,by,note,ann,bob", "q1,a,1,agreed,,,1,1", "q1,b,1,adjudicated,carol,,0,1",
        "q1,c,2,one judge,,,2,", "q2,'=x,0,adjudicated,carol,,1,0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("decisions", "told"),
    [
        (("1", ""), r"open\.csv:3: no decision \(1 of 2 are open\)"),
        (("5", "0"), r"open\.csv:2: unknown grade '5' as decision"),
    ],
)
def test_decisions_that_are_none(open_csv, decisions, told) -> None:
    fill(open_csv, *decisions)
    with pytest.raises(assay.InputError, match=told):
        settle(open_csv)


def test_a_table_of_other_judgments(open_csv) -> None:
    fill(open_csv, "1", "0")
    with pytest.raises(
        assay.InputError, match=r"open\.csv:2: bob's grade was '1' when the table was written, and is now '2'"
    ):
        settle(open_csv, bob={**BOB, "q1": {"a": 1, "b": 2}})
    with pytest.raises(assay.InputError, match=r"open\.csv:2: topic q1, document b: the judges do not differ on it"):
        settle(open_csv, bob={**BOB, "q1": {"a": 1, "b": 0}})
    with pytest.raises(assay.InputError, match="the disagreement on topic q1, document c is missing"):
        settle(open_csv, bob={**BOB, "q1": {"a": 1, "b": 1, "c": 0}})
    with pytest.raises(assay.InputError, match="document b is given twice"):
        settle(_twice(open_csv))
    open_csv.write_text("topic,document,ann,decision\nq1,b,0,1\n")
    with pytest.raises(assay.InputError, match=r"open\.csv:1: no column 'bob'"):
        settle(open_csv)


def _twice(path: Path) -> Path:
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[1]]) + "\n")
    return path


def test_words_are_no_qrels_until_they_have_an_order(tmp_path) -> None:
    ann, bob = {"q": {"d": "yes", "e": "no"}}, {"q": {"d": "no", "e": "no"}}
    path = tmp_path / "open.csv"
    assay.agree({"ann": ann, "bob": bob}, resamples=0).write_adjudication(path)
    fill(path, "yes")
    with pytest.raises(assay.UsageError, match="qrels need whole numbers"):
        settle(path, ann, bob).save(tmp_path / "q")
    assert not (tmp_path / "q").exists()
    assert settle(path, ann, bob, scale="no,yes").qrels == {"q": {"d": 1, "e": 0}}


def test_qrels_that_cannot_be_written_leave_no_provenance(open_csv, tmp_path, monkeypatch) -> None:
    fill(open_csv, "1", "0")
    found, write = settle(open_csv), adjudication.write_whole

    def full(path, data) -> None:
        if str(path).endswith(".qrels"):
            raise assay.InputError("no room")
        write(path, data)

    monkeypatch.setattr(adjudication, "write_whole", full)
    with pytest.raises(assay.InputError, match="no room"):
        found.save(tmp_path / "final.qrels")
    assert [path.name for path in tmp_path.iterdir()] == ["open.csv"]
    (tmp_path / "final.qrels.provenance.csv").write_text("mine")
    with pytest.raises(assay.InputError, match=r"provenance\.csv: exists"):
        found.save(tmp_path / "final.qrels")


ID = st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\v\f\r\0"), min_size=1, max_size=6).filter(
    lambda text: text.strip() == text
)
PAIRS = st.dictionaries(st.tuples(ID, ID), st.tuples(*[st.none() | st.integers(-1, 3)] * 3), min_size=1, max_size=6)


@settings(max_examples=60)
@given(PAIRS, st.integers(-1, 3), st.text(max_size=8))
def test_whatever_the_ids_and_notes_there_and_back(tmp_path_factory, pairs, decision, note) -> None:
    """Everything that was judged is among the final judgments once, decided where two judges differ, and a machine reads why."""
    judges = ("=ann", "bob, jr", 'o"neil')
    given_: dict[str, dict[str, dict[str, int]]] = {}
    for (topic, document), grades in [*pairs.items(), (("q", "d"), (decision, decision, None))]:
        for judge, grade in zip(judges, grades, strict=True):
            if grade is not None:
                given_.setdefault(judge, {}).setdefault(topic, {})[document] = grade
    found = assay.agree(given_, resamples=0)
    folder = tmp_path_factory.mktemp("round")
    found.write_adjudication(folder / "open.csv")
    with (folder / "open.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    for row in rows:
        row[-3:] = [str(decision), "carol", note.replace("\0", "")]
    with (folder / "open.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    settled = found.settle(folder / "open.csv")
    origins = settled.save(folder / "final.qrels")
    expected: dict[tuple[str, str], int] = {}
    for judge in given_.values():
        for topic, documents in judge.items():
            for document, grade in documents.items():
                pair = topic, document
                expected[pair] = grade if expected.setdefault(pair, grade) == grade else decision
    differing = {(one.topic, one.document) for one in found.disagreements}
    expected |= dict.fromkeys(differing, decision)
    lines = (folder / "final.qrels").read_bytes().decode().split("\n")[:-1]
    assert {(line.split(" ")[0], line.split(" ")[2]): int(line.split(" ")[3]) for line in lines} == expected
    with Path(origins).open(newline="", encoding="utf-8") as file:
        told = list(csv.DictReader(file))
    assert len(told) == len(lines) == len(expected)
    assert sum(row["origin"] == "adjudicated" for row in told) == len(differing)
    assert all((row["by"] == "carol") == (row["origin"] == "adjudicated") for row in told)


@pytest.mark.parametrize("name", ["by", "note", "decision", "topic", "origin"])
def test_a_judge_called_as_a_column_is_refused(tmp_path, name) -> None:
    with pytest.raises(assay.UsageError, match=f"a judge is called '{name}', like a column of the table"):
        assay.agree({"ann": ANN, name: BOB}, resamples=0).write_adjudication(tmp_path / "open.csv")
    assert not (tmp_path / "open.csv").exists()


@pytest.mark.parametrize("document", [" a", "a\t", "a\rb", "a\0b", "\ud800", ""])
def test_ids_that_a_table_would_lose_are_refused(tmp_path, document) -> None:
    found = assay.agree({"ann": {"q": {document: 1}}, "bob": {"q": {document: 0}}}, resamples=0)
    with pytest.raises(assay.InputError, match="cannot be a cell"):
        found.write_adjudication(tmp_path / "open.csv")
    assert not (tmp_path / "open.csv").exists()


def test_qrels_are_not_broken_by_ids_with_white_space(tmp_path) -> None:
    found = assay.agree({"ann": {"q": {"a b": 1}}, "bob": {"q": {"a b": 1}}}, resamples=0)
    found.write_adjudication(tmp_path / "open.csv")
    with pytest.raises(assay.InputError, match="'a b': ids in qrels cannot have white space"):
        found.settle(tmp_path / "open.csv").save(tmp_path / "final.qrels")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["open.csv"]
