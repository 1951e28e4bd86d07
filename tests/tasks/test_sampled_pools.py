"""Sampled pools, held against NIST's sample_eval.pl and the Million Query track's statAP_MQ_eval_v4.pl.

Both are scripts that no registry has: what they print of the made files here was taken once, and stands below.
"""

from __future__ import annotations

import pytest

import assay
from assay.errors import AssayError, InputError

STRATA = (
    "1 0 doc-00 1 1; 1 0 doc-01 2 -1; 1 0 doc-03 2 0; 1 0 doc-04 2 -1; 1 0 doc-05 3 1; 1 0 doc-06 1 2; "
    "1 0 doc-08 2 0; 1 0 doc-10 2 0; 1 0 doc-13 1 0; 1 0 doc-15 1 1; 1 0 doc-18 3 -1; 1 0 doc-20 2 -1; "
    "1 0 doc-21 1 2; 1 0 doc-23 1 0; 1 0 doc-24 2 -1; 1 0 doc-25 1 2; 1 0 doc-27 1 0; 1 0 doc-28 1 2; "
    "2 0 doc-00 1 0; 2 0 doc-01 2 -1; 2 0 doc-02 1 1; 2 0 doc-03 2 -1; 2 0 doc-05 3 -1; 2 0 doc-07 3 0; "
    "2 0 doc-08 1 0; 2 0 doc-09 2 -1; 2 0 doc-10 1 0; 2 0 doc-12 1 2; 2 0 doc-14 1 1; 2 0 doc-16 1 1; "
    "2 0 doc-18 2 0; 2 0 doc-20 1 0; 2 0 doc-25 1 0; 2 0 doc-26 1 1; 2 0 doc-28 1 2; 2 0 doc-29 2 -1"
)
"""Topic, 0, document, stratum, grade."""
RUN = (
    "1 doc-09 11; 1 doc-08 1; 1 doc-04 11; 1 doc-22 2; 1 doc-20 12; 1 doc-10 9; 1 doc-19 6; 1 doc-14 5; 1 doc-27 3; "
    "1 doc-25 1; 1 doc-28 9; 1 doc-17 0; 1 doc-13 8; 1 doc-05 3; 1 doc-16 6; 1 doc-06 2; 2 doc-20 10; 2 doc-02 11; "
    "2 doc-14 1; 2 doc-15 0; 2 doc-00 4; 2 doc-05 0; 2 doc-06 6; 2 doc-29 5; 2 doc-09 11; 2 doc-12 4; 2 doc-03 6; "
    "2 doc-21 7; 2 doc-23 12; 2 doc-11 1; 2 doc-18 1; 2 doc-28 9"
)
"""Topic, document, score, with ties."""
PRELS = (
    "1 doc-00 0 0 1; 1 doc-02 0 1 NA; 1 doc-05 2 2 1; 1 doc-06 1 1 .1; 1 doc-08 0 1 NA; 1 doc-09 2 2 .1; "
    "1 doc-10 2 1 1; 1 doc-15 2 0 NA; 1 doc-16 2 1 .5; 1 doc-17 0 1 .1; 1 doc-19 1 1 .5; 1 doc-22 0 1 .5; "
    "1 doc-23 0 1 1; 1 doc-27 0 1 .5; 2 doc-00 2 2 .1; 2 doc-04 0 1 .1; 2 doc-07 1 2 NA; 2 doc-09 1 2 1; "
    "2 doc-11 2 1 .25; 2 doc-16 0 1 .5; 2 doc-17 2 1 .25; 2 doc-21 1 2 .5; 2 doc-22 0 1 1; 2 doc-23 0 1 .1; "
    "2 doc-24 0 2 NA; 2 doc-25 1 1 .5; 2 doc-26 0 1 .25; 2 doc-28 0 2 1"
)
UNTIED = {
    "1": "28 24 05 10 08 07 21 26 02 04 25 19 03 20 09 01 29 00 18 12",
    "2": "15 29 12 22 16 23 21 03 20 04 09 25 17 13 05 07 14 10 08 18",
}
"""No two scores are the same: statAP_MQ_eval leaves ties to chance."""


def lines(text: str) -> bytes:
    return text.replace("; ", "\n").encode() + b"\n"


def run(text: str) -> bytes:
    return "".join(f"{t} Q0 {d} 0 {s} made\n" for t, d, s in map(str.split, text.split("; "))).encode()


@pytest.mark.parametrize(
    ("measure", "first", "second", "mean"),
    [
        ("xinfAP", 0.1621, 0.2698, 0.2159),
        ("infNDCG", 0.3342, 0.4284, 0.3813),
        ("iP@5", 0.2000, 0.4667, 0.3333),
        ("iP@10", 0.1000, 0.4000, 0.2500),
        ("inum_rel", 8.0, 6.0, 14.0),
        ("xinfAP@6", 0.0694, 0.1519, 0.1106),  # with $maxResultSize = 6, below the 8 inferred relevant of topic 1
        ("infNDCG@6", 0.1468, 0.2581, 0.2024),
    ],
)
def test_as_sample_eval_prints_it(measure, first, second, mean):
    scores = assay.evaluate(lines(STRATA), [run(RUN)], [measure])
    assert scores.task.name == "sampled"
    values = [scores[measure, "made"][topic] for topic in "12"]
    assert [round(value, 4) for value in values] == [first, second]
    assert round(scores[measure]["made"], 4) == mean


@pytest.mark.parametrize(
    ("measure", "first", "second", "mean"),
    [
        (
            "infNDCG_TREC",
            0.4795,
            0.5421,
            0.5108,
        ),  # the script at trec.nist.gov/data/clinical, changed on 10 October 2011
        ("infNDCG_TREC@6", 0.4237, 0.3247, 0.3742),
        ("infNDCG_TRECVID", 0.5418, 0.6368, 0.5893),  # TRECVID's, changed on 5 September 2012
        ("infNDCG", 0.5418, 0.6368, 0.5893),
        ("infNDCG@6", 0.4718, 0.3549, 0.4133),
    ],
)
def test_the_two_scripts_differ_in_the_best_ranking(measure, first, second, mean):
    strata = STRATA
    for before, after in (
        ("doc-04 2 -1", "doc-04 2 2"), ("doc-10 2 0", "doc-10 2 1"), ("2 0 doc-29 2 -1", "2 0 doc-29 2 2"),
        ("2 0 doc-05 3 -1", "2 0 doc-05 3 1"), ("2 0 doc-09 2 -1", "2 0 doc-09 2 1"),
    ):  # fmt: skip
        strata = strata.replace(before, after)
    scores = assay.evaluate(lines(strata), [run(RUN)], [measure])
    assert [round(scores[measure, "made"][topic], 4) for topic in "12"] == [first, second]
    assert round(scores[measure]["made"], 4) == mean


def test_as_stat_ap_mq_eval_prints_it():
    ranked = "".join(
        f"{t} Q0 doc-{d} 0 {50 - i} made\n" for t, found in UNTIED.items() for i, d in enumerate(found.split())
    ).encode()
    scores = assay.evaluate(lines(PRELS), [ranked], ["statAP", "inum_rel"])
    assert scores.task.name == "sampled"
    assert [round(scores["statAP", "made"][topic], 3) for topic in "12"] == [0.098, 0.182]
    assert scores["statAP"]["made"] == pytest.approx(0.139909487194555, abs=1e-14)
    assert scores["inum_rel", "made"] == pytest.approx({"1": 17.0, "2": 13.0})


def test_prels_have_no_strata():
    scores = assay.evaluate(b"1 d1 1 1 .5\n", [b"1 Q0 d1 1 1 r\n"], ["statAP", "xinfAP", "infNDCG", "iP@1"])
    assert list(scores["xinfAP", "r"].values()) == [None]
    assert list(scores["infNDCG", "r"].values()) == [None]
    assert list(scores["iP@1", "r"].values()) == [None]


@pytest.mark.parametrize(
    ("gold", "measures"),
    [
        (b"1 d1 1 1 .5\n", ["statAP", "inum_rel"]),
        (b"1 0 d1 1 1\n", ["statAP", "xinfAP", "infNDCG", "iP@10", "inum_rel"]),
    ],
)
def test_nothing_is_said_of_strata_that_the_gold_does_not_have(gold, measures):
    assert [str(m) for m in assay.evaluate(gold, [b"1 Q0 d1 1 1 r\n"]).measures] == measures


@pytest.mark.parametrize("chance", [b"2", b"0", b"1e-320", b"nan", b"-.5"])
def test_lines_with_a_document_in_field_2_are_prels_whatever_their_probability(chance):
    with pytest.raises(AssayError, match="expected the probability that the document was drawn"):
        assay.evaluate(b"1 d1 1 1 " + chance + b"\n", [b"1 Q0 d1 1 1 r\n"], task="sampled")


def test_documents_that_are_numbers():
    run = [b"1 Q0 77 1 1 r\n"]
    assert assay.evaluate(b"1 77 1 1 0.5\n", run, ["inum_rel"], task="sampled")["inum_rel"] == {"r": 2.0}
    assert assay.evaluate(b"1 0 77 1 1\n1 0 78 1 -1\n", run, ["inum_rel"], task="sampled")["inum_rel"] == {"r": 2.0}


def test_where_everything_is_drawn_it_is_average_precision():
    judged = {"d1": 1, "d2": 0, "d3": 1, "d4": 0, "d5": 1}
    strata = "".join(f"q 0 {d} 1 {grade}\n" for d, grade in judged.items()).encode()
    qrels = "".join(f"q 0 {d} {grade}\n" for d, grade in judged.items()).encode()
    ranked = b"".join(b"q Q0 %b 0 %d r\n" % (d, s) for d, s in ((b"d2", 9), (b"d1", 8), (b"dx", 7), (b"d3", 6)))
    estimated = assay.evaluate(strata, [ranked], ["statAP", "xinfAP"])
    exact = assay.evaluate(qrels, [ranked], ["AP"])["AP"]["r"]
    assert estimated["statAP"]["r"] == pytest.approx(exact)
    assert estimated["xinfAP"]["r"] == pytest.approx(exact, abs=1e-4)  # sample_eval smooths


def test_the_level_says_what_is_relevant():
    gold, ranked = b"1 0 d-1 1 2\n1 0 d-2 1 1\n", b"1 Q0 d-2 1 2 r\n1 Q0 d-1 1 1 r\n"
    assert assay.evaluate(gold, [ranked], ["statAP"], level=2)["statAP"]["r"] == 0.5
    assert assay.evaluate(gold, [ranked], ["statAP(rel=2)"])["statAP(rel=2)"]["r"] == 0.5


def test_another_task_reads_such_lines_where_it_is_asked_for():
    with pytest.raises(InputError):
        assay.evaluate(b"1 0 d-1 1 2\n", b"1 Q0 d-2 1 2 r\n", task="ranked")
