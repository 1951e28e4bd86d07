"""Disagreements decided by somebody, and the judgments that come of it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import assay
from assay.stats import adjudicating

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
    with pytest.raises(assay.InputError, match="is there already, and may hold decisions"):
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
        (("5", "0"), r"open\.csv:2: the decision '5' is no grade"),
    ],
)
def test_decisions_that_are_none(open_csv, decisions, told) -> None:
    fill(open_csv, *decisions)
    with pytest.raises(assay.InputError, match=told):
        settle(open_csv)


def test_a_table_of_other_judgments(open_csv) -> None:
    fill(open_csv, "1", "0")
    with pytest.raises(assay.InputError, match=r"open\.csv:2: bob said '1' when this was written, and now '2'"):
        settle(open_csv, bob={**BOB, "q1": {"a": 1, "b": 2}})
    with pytest.raises(assay.InputError, match=r"open\.csv:2: topic q1, document b: the judges do not differ on it"):
        settle(open_csv, bob={**BOB, "q1": {"a": 1, "b": 0}})
    with pytest.raises(assay.InputError, match="topic q1, document c is a disagreement that is not in it"):
        settle(open_csv, bob={**BOB, "q1": {"a": 1, "b": 1, "c": 0}})
    with pytest.raises(assay.InputError, match="document b stands here a second time"):
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
    with pytest.raises(assay.UsageError, match="qrels hold whole numbers"):
        settle(path, ann, bob).save(tmp_path / "q")
    assert not (tmp_path / "q").exists()
    assert settle(path, ann, bob, scale="no,yes").qrels == {"q": {"d": 1, "e": 0}}


def test_qrels_that_cannot_be_written_leave_no_provenance(open_csv, tmp_path, monkeypatch) -> None:
    fill(open_csv, "1", "0")
    found, write = settle(open_csv), adjudicating.write_whole

    def full(path, data) -> None:
        if str(path).endswith(".qrels"):
            raise assay.InputError("no room")
        write(path, data)

    monkeypatch.setattr(adjudicating, "write_whole", full)
    with pytest.raises(assay.InputError, match="no room"):
        found.save(tmp_path / "final.qrels")
    assert [path.name for path in tmp_path.iterdir()] == ["open.csv"]
    (tmp_path / "final.qrels.provenance.csv").write_text("mine")
    with pytest.raises(assay.InputError, match=r"provenance\.csv: is there already"):
        found.save(tmp_path / "final.qrels")
