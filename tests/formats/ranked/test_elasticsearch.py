"""Search hits by topic, and ranking evaluations, as files and as the objects a client returns."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import InputError
from assay.formats.ranked.elasticsearch import read_hits, read_rated_hits, read_ratings, read_ratings_of_hits
from assay.io.sources import Source


def hit(document: str, score: float | None, **more: object) -> dict[str, object]:
    return {"_index": "books", "_id": document, "_score": score, "_source": {"hits": "…"}, **more}


def response(*hits: dict[str, object], timed_out: bool = False) -> dict[str, object]:
    total = {"value": len(hits), "relation": "eq"}
    return {"took": 3, "timed_out": timed_out, "hits": {"total": total, "max_score": 2.5, "hits": list(hits)}}


class ApiResponse:
    """As elasticsearch-py's ObjectApiResponse, a dict behind an object."""

    def __init__(self, body: dict[str, object]) -> None:
        self.body = body

    def __getattr__(self, name: str) -> object:
        return getattr(self.body, name)

    def __getitem__(self, name: str) -> object:
        return self.body[name]

    def __contains__(self, name: str) -> bool:
        return name in self.body

    def __iter__(self):
        return iter(self.body)


GOLD = {"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}}
Q1 = response(hit("d9", 2.5), hit("d1", 1.5), hit("d3", 1.5))
Q2 = response(hit("d2", 0.5))
AP = ((1 / 2 + 2 / 3) / 2 + 1) / 2


@pytest.mark.parametrize(
    "run",
    [
        {"q1": Q1, "q2": Q2},
        {"q1": ApiResponse(Q1), "q2": ApiResponse(Q2)},
        {"q1": Q1["hits"]["hits"], "q2": Q2["hits"]["hits"]},
        json.dumps({"q1": Q1, "q2": Q2}, indent=2).encode(),
        json.dumps({"q1": Q1["hits"]["hits"], "q2": Q2["hits"]["hits"]}).encode(),
        b"".join(json.dumps({"query_id": q, **r}).encode() + b"\n" for q, r in (("q1", Q1), ("q2", Q2))),
        b"".join(json.dumps({**r, "id": q}).encode() + b"\n" for q, r in (("q1", Q1), ("q2", Q2))),
    ],
    ids=["responses", "objects of the client", "lists", "JSON", "JSON lists", "JSONL", "JSONL with the id last"],
)
def test_hits_by_topic(run) -> None:
    assert assay.evaluate(GOLD, run, ["AP"])["AP"] == {"run": pytest.approx(AP)}
    assert assay.evaluate(GOLD, {"mine": run}, ["AP"])["AP"] == {"mine": pytest.approx(AP)}
    assert assay.check({"mine": run}).ok


def test_the_order_of_tied_hits_stays() -> None:
    ranked = read_hits(Source("run", data={"q1": response(hit("a", 1.0), hit("b", 1.0))}))["q1"]
    assert sorted(ranked, key=ranked.__getitem__, reverse=True) == ["a", "b"]


def test_hits_sorted_by_a_field_keep_their_order() -> None:
    run = {"q1": response(hit("d9", None, sort=[7]), hit("d1", None, sort=[9]))}
    assert read_hits(Source("run", data=run)) == {"q1": {"d9": -1, "d1": -2}}
    run = {"q1": response(hit("d9", 1.0, sort=[7]), hit("d1", 2.0, sort=[9]))}
    assert read_hits(Source("run", data=run)) == {"q1": {"d9": -1, "d1": -2}}


def test_a_search_that_timed_out_is_said() -> None:
    run = {"q1": response(hit("d1", 1.0), timed_out=True), "q2": Q2}
    assert assay.evaluate(GOLD, run, ["AP"]).remarks() == [
        "run: the search timed out for 1 topic, with a part of the hits"
    ]


@pytest.mark.parametrize("run", [Q1, json.dumps(Q1).encode(), json.dumps({"took": 5, "responses": [Q1, Q2]}).encode()])
def test_a_response_without_its_topic_is_refused(run) -> None:
    with pytest.raises(
        InputError, match=r"names no topic; expected .*Fix: save each response under the id of its topic"
    ):
        assay.evaluate(GOLD, run)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"q1": response(hit("a", 1.0), hit("b", 2.0))}, "topic q1: document b has a higher score"),
        ({"q1": response(hit("a", 1.0), hit("a", 0.5))}, "topic q1: document a appears twice"),
        ({"q1": response(hit("a", 1.0), hit("b", None))}, "topic q1: document b has no score"),
        ({"q1": Q1, "q2": {"error": {"type": "x"}, "status": 400}}, "topic q2: .*missing required field `hits`"),
        ({"q1": Q1, "q2": 3}, "topic q2: Expected `object`, got `int`"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_damaged(run, message, as_json) -> None:
    with pytest.raises(InputError, match=message):
        read_hits(Source("run", data=json.dumps(run).encode() if as_json else run))


def test_a_topic_on_two_lines() -> None:
    line = json.dumps({"query_id": "q1", **Q1}).encode() + b"\n"
    with pytest.raises(InputError, match=r"run:2: topic q1 appears a second time"):
        read_hits(Source("run", data=line * 2))
    with pytest.raises(InputError, match=r"run:2: broken JSON"):
        read_hits(Source("run", data=line + line[:40]))


RANK_EVAL = {
    "metric_score": 0.75,
    "details": {
        "q1": {
            "metric_score": 0.5,
            "unrated_docs": [{"_index": "books", "_id": "d9"}],
            "hits": [{"hit": hit("d9", 2.5), "rating": None}, {"hit": hit("d1", 1.5), "rating": 1}],
            "metric_details": {"precision": {"relevant_docs_retrieved": 1, "docs_retrieved": 2}},
        },
        "q2": {
            "metric_score": 1.0,
            "unrated_docs": [],
            "hits": [{"hit": hit("d2", 2.5), "rating": 1}, {"hit": hit("d4", 1.5), "rating": 1}],
            "metric_details": {"precision": {"relevant_docs_retrieved": 2, "docs_retrieved": 2}},
        },
    },
    "failures": {},
}
REQUEST = {
    "requests": [
        {
            "id": "q1",
            "request": {"query": {"match": {"title": "thou"}}},
            "ratings": [{"_index": "books", "_id": "d1", "rating": 1}, {"_index": "books", "_id": "d3", "rating": 2}],
        },
        {"id": "q2", "request": {}, "ratings": [{"_index": "books", "_id": "d2", "rating": 1}]},
    ],
    "metric": {"precision": {"k": 2, "relevant_rating_threshold": 1}},
}


@pytest.mark.parametrize("as_json", [False, True])
def test_a_ranking_evaluation_gives_elasticsearchs_number(as_json) -> None:
    made = json.dumps(RANK_EVAL, indent=2).encode() if as_json else RANK_EVAL
    scores = assay.evaluate(made, None, ["P@2"])
    assert scores["P@2"]["run"] == RANK_EVAL["metric_score"]
    assert scores.values("P@2", "run") == {q: detail["metric_score"] for q, detail in RANK_EVAL["details"].items()}


@pytest.mark.parametrize("as_json", [False, True])
def test_its_request_has_all_judgments(as_json) -> None:
    gold, run = (json.dumps(made).encode() if as_json else made for made in (REQUEST, RANK_EVAL))
    # q1: one of two found, at rank 2; q2: one of one, at rank 1
    assert assay.evaluate(gold, run, ["AP"])["AP"] == {"run": (1 / 2 / 2 + 1) / 2}
    assert read_ratings(Source("request", data=gold)) == {"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}}


def test_topics_that_failed_are_named() -> None:
    made = {**RANK_EVAL, "failures": {"q7": {"error": {"type": "parsing_exception"}}}}
    file = Source("rank_eval", data=json.dumps(made).encode())
    assert read_rated_hits(file) == {"q1": {"d9": 2.5, "d1": 1.5}, "q2": {"d2": 2.5, "d4": 1.5}}
    assert list(file.assumptions) == ["the search failed for 1 topic (q7)"]


@pytest.mark.parametrize(
    ("read", "made", "message"),
    [
        (read_rated_hits, {"metric_score": 1, "details": 3}, "Expected `object`, got `int` - at `.*details`"),
        (read_ratings_of_hits, {"metric_score": 1, "details": {"q": {"hits": [{}]}}}, "missing required field `hit`"),
        (read_ratings, {"requests": [{"id": "q", "ratings": [{"_id": "a", "rating": 0.5}]}]}, "Expected `int`"),
        (read_ratings, {"requests": REQUEST["requests"][:1] * 2}, "request q1 appears twice"),
    ],
)
def test_damaged_evaluations(read, made, message) -> None:
    with pytest.raises(InputError, match=message):
        read(Source("made", data=json.dumps(made).encode()))


def test_a_document_rated_twice() -> None:
    twice = {"id": "q", "ratings": [{"_id": "a", "rating": 1}, {"_id": "a", "rating": 0}]}
    with pytest.raises(InputError, match="request q: document a is rated twice"):
        read_ratings(Source("made", data={"requests": [twice]}))
