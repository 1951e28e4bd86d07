"""The first line of `assay pool`."""

from __future__ import annotations

import assay

QRELS = {"q1": {"a": 1, "b": 1, "c": 0}}
RUNS = {"one": {"q1": {"a": 3, "b": 2}}, "two": {"q1": {"b": 2, "a": 1}}, "three": {"q1": {"b": 2, "c": 1}}}
TWO_TOPICS = {"one": {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}, "two": {"q1": {"a": 1}, "q2": {"d": 2, "e": 1}}}


def test_documents_to_judge():
    """a and b of q1; c, d and e of q2."""
    pool = assay.pool(TWO_TOPICS, depth=2)
    assert pool.finding == "Judge 5 documents: 2 to 3 (median 2.5) for each of 2 topics, from 2 runs."
    assert pool.to_dict()["finding"] == pool.finding
    team = assay.pool(TWO_TOPICS, depth=2, budget=2, characteristics={run: {"team": "us"} for run in TWO_TOPICS})
    assert team.finding == "Judge 4 documents: 2 for each of 2 topics, from 2 runs of 1 team."


def test_a_single_topic_and_nothing_left():
    assert assay.pool({"r": {"q": {"a": 1}}}).finding == "Judge 1 document: all of one topic, from 1 run."
    judged = assay.pool({"r": {"q": {"a": 1, "b": 2}}}, exclude={"q": {"a": 0, "b": 1}})
    assert judged.finding == "Nothing is left to judge: all 2 documents that 1 run pooled are judged already."


def test_what_depends_on_one_team():
    """At depth 1 run one alone has a; without it, it has b at rank 2 and the others at rank 1."""
    result = assay.left_out(QRELS, RUNS, "AP", depth=1)
    assert result.finding == (
        "one alone found 1 of 2 relevant documents. Unpooled, one would lose most: AP .500, not 1.000 (−50%). It would fall "
        "from rank 1 to 3."
    )
    assert result.to_dict()["finding"] == result.finding


def test_where_nothing_depends_on_any_team():
    runs = {"one": RUNS["one"], "two": RUNS["two"]}
    assert assay.left_out(QRELS, runs, "AP").finding == (
        "No team alone found any of 2 relevant documents. Unpooled, no run would have a lower AP."
    )


def test_teams_that_found_as_many_are_all_named():
    """At depth 1 a is of one alone and b of two alone; each is left with the other's document, which it has at rank 2."""
    runs = {"one": RUNS["one"], "two": RUNS["two"]}
    finding = assay.left_out(QRELS, runs, "AP", depth=1).finding
    assert finding.startswith(
        "Each of one and two alone found 1 of 2 relevant documents. Unpooled, one would lose most: AP .500, not 1.000"
    )
