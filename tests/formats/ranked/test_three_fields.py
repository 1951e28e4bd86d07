"""Three fields a line: the place says whether they are qrels or a run, and the numbers of a run whether they are ranks or scores."""

from __future__ import annotations

import gzip

import pytest

import assay
from assay.core import Gold
from assay.errors import InputError
from assay.formats.ranked import three_fields
from assay.formats.ranked.three_fields import packed_topics, read_grades, read_scores
from assay.formats.recognition import recognise
from assay.io.sources import Source
from assay.tasks.ranked_runs import rank_run

QRELS = b"q1 0 d1 1\nq1 0 d3 2\nq2 0 d2 1\n"
MSMARCO = b"q1\td9\t1\nq1\td1\t2\nq1\td3\t3\nq2\td2\t1\n"


def source(content: bytes | str) -> Source:
    return Source("file", data=content.encode() if isinstance(content, str) else content)


def mean(gold, run, measure: str = "AP") -> float:
    (value,) = assay.evaluate(gold, run, [measure])[measure].values()
    return value


def test_qrels_of_three_fields_are_qrels() -> None:
    assert read_grades(source("q1 d1 1\nq1 d3 2\nq2 d2 1\n")) == {"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}}
    run = b"q1 Q0 d9 1 .9 t\nq1 Q0 d1 2 .5 t\nq2 Q0 d2 1 .3 t\n"
    assert mean(b"q1 d1 1\nq1 d3 2\nq2 d2 1\n", run) == mean(QRELS, run) == (0.5 / 2 + 1) / 2


def test_a_run_of_msmarco_has_ranks() -> None:
    # q1: d1 at rank 2 and d3 at rank 3, so (1/2 + 2/3) / 2; q2: d2 at rank 1
    assert mean(QRELS, MSMARCO) == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1) / 2)


@pytest.mark.parametrize(
    ("run", "scores"),
    [
        ("q d1 1\nq d2 2\n", {"d1": -1, "d2": -2}),
        ("q d1 0\nq d2 1\nq d3 7\n", {"d1": 0, "d2": -1, "d3": -7}),
        ("q d1 9.5\nq d2 3\n", {"d1": 9.5, "d2": 3}),
        ("q d2 1e-3\nq d1 .5\nq d3 .1\n", {"d2": 1e-3, "d1": 0.5, "d3": 0.1}),
        ("q d1 120\nq d2 87\n", {"d1": 120, "d2": 87}),
        ("q d1 1\nq d2 1\nq d3 0\n", {"d1": 1, "d2": 1, "d3": 0}),
        ("q d1 -1\nq d2 -2\n", {"d1": -1, "d2": -2}),
        ("q d1 7\n", {"d1": 7}),
    ],
    ids=["ranks", "ranks from 0", "scores", "scores in no order", "whole scores", "ties", "negative", "one"],
)
def test_the_numbers_say_whether_they_are_ranks(run, scores) -> None:
    assert read_scores(source(run)) == {"q": scores}


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("q d1 3\nq d2 2\nq d3 1\n", "file: field 3 may be a rank or a score .3, 2, 1 in the first topic."),
        ("p d1 1\nq d1 2\nq d2 1\n", "may be a rank or a score .2, 1 in"),
        (
            "q d1 .1\nq d2 .2\n",
            "file: field 3 rises down the lines of every topic .* a distance would be the wrong way",
        ),
        ("q d1 1\nq d2 2\nq d3 2\n", "rises down the lines"),
    ],
)
def test_a_run_that_may_be_either_is_refused(run, message) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_scores(source(run))
    assert "Fix: write the six fields of TREC" in str(caught.value)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("q d1 .5\nq d2\n", "file:2: expected 3 fields .topic, document, score. as on the first line, found 2"),
        ("q d1 .5\nq Q0 d2 1 .4 t\n", "file:2: expected 3 fields .* found 6"),
        ("q d1 .5\nq d2 high\n", "file:2: expected a number as score .field 3., found 'high'"),
        ("q d1 .5\nq d2 1_0\n", "found '1_0'"),
        ("q d1 .5\nq d2 nan\n", "found 'nan'"),
        ("# made by hand\nq d1 .5\n\nq d1 .4\n", "file:4: document d1 appears a second time in topic q"),
        ("q d1 .5\nq d\0 .4\n", "file:2: holds a zero byte"),
    ],
)
def test_damaged_runs(run, message) -> None:
    for read in (read_scores, lambda file: rank_run(file, Gold.read(b"q 0 d1 1\n"))):
        with pytest.raises(InputError, match=message):
            read(source(run))


def test_a_rank_that_is_none_far_below_the_head_is_refused() -> None:
    lines = [f"q{n // 10} d{n} {n % 10 + 1}\n" for n in range(20_000)]
    lines[15_000] = "q1500 d15000 0.5\n"
    with pytest.raises(InputError, match=r"file:15001: expected a rank .a whole number in field 3. as in the first"):
        mean(b"q0 0 d1 1\n", {"file": "".join(lines).encode()})


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ("q d1 .5\n", "file:1: expected a whole number as grade .field 3., found '.5' .a run is given after the gold."),
        ("q d1 1\nq d2 x\n", "file:2: expected a whole number as grade .field 3., found 'x'$"),
        ("q d1 1\nq d1 0\n", "file:2: document d1 appears a second time in topic q"),
        ("q d1 1\nq 0 d1 0\n", "file:2: expected 3 fields .topic, document, grade. as on the first line, found 4"),
    ],
)
def test_damaged_qrels(qrels, message) -> None:
    with pytest.raises(InputError, match=message):
        read_grades(source(qrels))


def test_the_place_decides() -> None:
    assert (recognise(source(MSMARCO), "gold").name, recognise(source(MSMARCO), "run").name) == (
        "msmarco-qrels",
        "msmarco-run",
    )
    assert recognise(source("q1\td1\t-0.5\n"), "run").name == "msmarco-run"


def test_topics_in_two_places_are_joined_as_line_by_line() -> None:
    by_rank = b"q1 d9 1\nq2 d2 1\nq1 d1 2\nq1 d3 3\n"
    assert mean(QRELS, by_rank) == mean(QRELS, MSMARCO)


def test_topics_are_packed_across_pieces_of_a_file(tmp_path, monkeypatch) -> None:
    from assay.io import sources

    monkeypatch.setattr(sources, "CHUNK", 7)
    monkeypatch.setattr(sources, "HEAD", 7)
    monkeypatch.setattr(three_fields, "HEAD", 1 << 16)
    (tmp_path / "a.tsv").write_bytes(b"\xef\xbb\xbf# made by hand\n" + MSMARCO.replace(b"\n", b"\r\n"))
    packed = list(packed_topics(Source("a.tsv", path=str(tmp_path / "a.tsv"))))
    assert [(topic, ids, list(scores)) for topic, ids, scores in packed] == [
        (b"q1", b"d9\0d1\0d3", [-1, -2, -3]),
        (b"q2", b"d2", [-1]),
    ]


def test_compressed_runs_and_reports_read_the_same(tmp_path) -> None:
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress(MSMARCO))
    scores = assay.evaluate(QRELS, tmp_path / "a.tsv.gz", ["AP", "nauc_AP_max"])
    assert (scores.runs, scores["AP"]["a"]) == (["a"], pytest.approx(0.7916666))
    assert "d9" in assay.report(scores).to_html()


def test_what_was_assumed_is_said_once(tmp_path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.tsv").write_bytes(MSMARCO)
    scores = assay.evaluate(b"q1 d1 1\nq2 d2 1\n", tmp_path, ["AP"])
    assert scores.remarks() == [
        "<gold>: 3 fields a line, read as topic, document, grade",
        "a, b: 3 fields a line, read as topic, document, rank",
    ]


def test_rankings_without_judgments_are_compared() -> None:
    overlap = assay.overlap({"a": MSMARCO, "b": b"q1 Q0 d9 1 3 t\nq1 Q0 d1 2 2 t\nq1 Q0 d3 3 1 t\nq2 Q0 d2 1 1 t\n"})
    names, rows = overlap.rows()
    assert [dict(zip(names, row, strict=True))["tau_b"] for row in rows] == [1]


def test_ranks_given_for_judgments_are_refused():
    """A run and its qrels in the wrong order gave an RR of 1."""
    run, qrels = b"q1 d1 1\nq1 d2 2\nq1 d3 3\nq2 d1 1\n", b"q1 d2 1\nq2 d1 1\n"
    with pytest.raises(InputError, match=r"field 3 counts 1, 2, 3 in every topic.*judgments are given first.*Fix: "):
        assay.evaluate(run, qrels, "RR")
    assert assay.evaluate(qrels, run, "RR")["RR"] == {"run": 0.75}
    graded = b"q1 d1 1\nq1 d2 2\nq1 d3 2\n"
    assert assay.evaluate(graded, run, "RR")["RR"] == {"run": 1.0}
