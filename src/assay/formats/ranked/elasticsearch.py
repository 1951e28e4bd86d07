"""Elasticsearch and OpenSearch: search hits by topic, and requests and responses of the ranking evaluation (`_rank_eval`).

    hits        {"q1": {"took": 3, "hits": {"hits": [{"_id": "d7", "_score": 2.5}, …]}}}    a response by topic, or its list of hits
                {"query_id": "q1", "hits": {"hits": [{"_id": "d7", "_score": 2.5}, …]}}      or a response a line, with the topic's id
    response    {"metric_score": .5, "details": {"q1": {"hits": [{"hit": {"_id": "d7", "_score": 2.5}, "rating": 1}, …]}}}
    request     {"requests": [{"id": "q1", "request": …, "ratings": [{"_index": "i", "_id": "d7", "rating": 1}]}], "metric": …}

The order of the hits is the ranking. A response of `_rank_eval` in the place of gold is judgments and run at once; its request has the
judgments of all documents. A response of `_search` or `_msearch` names no topic, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from assay.errors import FormatError, InputError, counted, shorten_list
from assay.formats.frames import TOPIC
from assay.formats.json_files import decode, decode_lines, has_keys, load_json
from assay.formats.jsonl import Id, plain
from assay.formats.object_ids import id_text
from assay.formats.ranked.result_lists import scores_in_order
from assay.formats.recognition import reads
from assay.io.heads import Head, is_mapping
from assay.io.sources import Source

T = TypeVar("T")


class _Hit(msgspec.Struct, rename={"id": "_id", "score": "_score"}):
    id: Id
    score: float | None = None
    sort: Any = None


class _Hits(msgspec.Struct):
    hits: list[_Hit]


class _Response(msgspec.Struct):
    hits: _Hits
    timed_out: bool = False


class _RatedHit(msgspec.Struct):
    hit: _Hit
    rating: int | None = None


class _Detail(msgspec.Struct):
    hits: list[_RatedHit]


class _RankEval(msgspec.Struct):
    details: dict[str, _Detail]
    failures: dict[str, Any] = {}


class _Rating(msgspec.Struct, rename={"id": "_id"}):
    id: Id
    rating: int


class _Request(msgspec.Struct):
    id: Id
    ratings: list[_Rating]


class _RankEvalRequest(msgspec.Struct):
    requests: list[_Request]


NO_TOPIC = (
    'names no topic; expected {"q1": response, …}, or a response a line with its `query_id`. '
    "Fix: save each response under the id of its topic"
)


def _search(head: Head) -> bool:
    """JSON of hits with `_id` and `_score`, by topic or a line for each topic; a dict of responses."""
    if head.shape == "mapping":
        return any(map(_holds_hits, head.values))
    return b'"_id"' in head.text


def _holds_hits(value: Any) -> bool:
    """Return whether a Python object is a response of a search, or its list of hits or what holds that."""
    if is_mapping(value):
        return "hits" in value and (_holds_hits(value["hits"]) or value["hits"] == [])
    return isinstance(value, list) and bool(value) and is_mapping(value[0]) and "_id" in value[0]


@reads(
    "search-hits",
    role="run",
    task="ranked",
    yields="Elasticsearch: hits of searches",
    recognises=_search,
    shapes="json mapping",
    markers=("_score",),
    after=("rank-eval",),
)
def read_hits(source: Source) -> dict[str, dict[str, float]]:
    """Return {topic: {document: score}}.

    >>> response = b'{"hits": {"hits": [{"_id": "d7", "_score": 2.5}]}}'
    >>> read_hits(Source("hits", data=b'{"q1": %s}' % response))
    {'q1': {'d7': 2.5}}
    """
    scores: dict[str, dict[str, float]] = {}
    late = 0
    for line, topic, response in _responses(source):
        hits = response.hits.hits if isinstance(response, _Response) else response
        late += isinstance(response, _Response) and response.timed_out
        if topic in scores:
            raise source.error(line, f"topic {topic} appears a second time; expected each once")
        scores[topic] = _scores(hits, topic, source, line)
    if not scores:
        raise source.error(None, "holds no topics; expected a response of a search by topic")
    if late:
        source.assumptions[f"the search timed out for {counted(late, 'topic')}, with a part of the hits"] = None
    return scores


def _responses(source: Source) -> Iterator[tuple[int | None, str, _Response | list[_Hit]]]:
    if not source.is_bytes:
        yield from _by_topic(source, source.data)
        return
    names = [name for name in (*TOPIC, "id") if has_keys(source.head, name)]
    if has_keys(source.head, "hits.hits") and names:
        for line, row in decode_lines(source, dict[str, Any], "a response of a search, with its topic"):
            topic = id_text(row.get(names[0]), f"{source.name}:{line}: {names[0]}")
            yield line, topic, _convert(row, _Response, source, line, topic)
    elif has_keys(source.head, "hits.hits") or has_keys(source.head, "responses"):
        raise InputError(f"{source.name}: {NO_TOPIC}")
    else:
        yield from _by_topic(source, load_json(source, "responses of searches by topic"))


def _by_topic(source: Source, responses: Any) -> Iterator[tuple[int | None, str, _Response | list[_Hit]]]:
    if not is_mapping(responses):
        raise InputError(f"{source.name}: expected responses of searches by topic, found {type(responses).__name__}")
    if is_mapping(responses.get("hits")) and "hits" in responses["hits"]:
        raise InputError(f"{source.name}: {NO_TOPIC}")
    for topic, value in responses.items():
        body = getattr(value, "body", value)  # the client's own class of responses
        kind = list[_Hit] if isinstance(body, list) else _Response
        yield None, id_text(topic, source.name), _convert(body, kind, source, None, topic)


def _convert(value: Any, kind: type[T], source: Source, line: int | None, topic: Any) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as problem:
        raise source.error(line, f"topic {topic}: {problem}; expected a response of a search") from None


def _scores(hits: list[_Hit], topic: str, source: Source, line: int | None = None) -> dict[str, float]:
    """Return the scores of hits, whose order decides; hits that are sorted by a field keep their order and no score."""

    def error(problem: str) -> FormatError:
        return source.error(line, f"topic {topic}: {problem}")

    is_sorted = any(hit.sort is not None for hit in hits)
    return scores_in_order([(plain(hit.id), None if is_sorted else hit.score) for hit in hits], error)


def _rank_eval(head: Head) -> bool:
    """one JSON object, or a dict, with `metric_score` and `details`."""
    if head.shape == "mapping":
        return any(is_mapping(value) and any(map(_is_detail, value.values())) for value in head.values)
    return has_keys(head, "metric_score", "details")


def _is_detail(value: Any) -> bool:
    return is_mapping(value) and "metric_score" in value and "hits" in value


def _rank_evaluation(source: Source) -> _RankEval:
    return _whole(source, _RankEval, "a response of _rank_eval (metric_score, details)")


def _whole(source: Source, kind: type[T], expected: str) -> T:
    if source.is_bytes:
        return decode(source, kind, expected)
    try:
        return msgspec.convert(source.data, kind)
    except msgspec.ValidationError as problem:
        found = f"expected {expected}, found {type(source.data).__name__}"
        raise InputError(f"{source.name}: {found}: {problem}") from None


@reads(
    "rank-eval",
    role="run",
    task="ranked",
    yields="Elasticsearch: hits of a ranking evaluation",
    recognises=_rank_eval,
    shapes="json mapping",
    markers=("metric_score",),
)
def read_rated_hits(source: Source) -> dict[str, dict[str, float]]:
    """Return {topic: {document: score}}.

    >>> text = b'{"metric_score": 1, "details": {"q1": {"metric_score": 1, "hits": [{"hit": {"_id": "d7", "_score": 2}, "rating": 1}]}}}'
    >>> read_rated_hits(Source("rank_eval", data=text))
    {'q1': {'d7': 2.0}}
    """
    read = _rank_evaluation(source)
    if read.failures:
        failed = f"{counted(len(read.failures), 'topic')} ({shorten_list(list(read.failures))})"
        source.assumptions[f"the search failed for {failed}"] = None
    return {
        topic: _scores([rated.hit for rated in detail.hits], topic, source) for topic, detail in read.details.items()
    }


@reads(
    "rank-eval-gold",
    role="gold",
    task="ranked",
    yields="Elasticsearch: ratings of the hits of a ranking evaluation",
    recognises=_rank_eval,
    shapes="json mapping",
    markers=("metric_score",),
)
def read_ratings_of_hits(source: Source) -> dict[str, dict[str, int]]:
    """Return {topic: {document: rating}} of the rated hits.

    >>> text = b'{"metric_score": 1, "details": {"q1": {"metric_score": 1, "hits": [{"hit": {"_id": "d7", "_score": 2}, "rating": 1}]}}}'
    >>> read_ratings_of_hits(Source("rank_eval", data=text))
    {'q1': {'d7': 1}}
    """
    details = _rank_evaluation(source).details
    return {
        topic: {plain(rated.hit.id): rated.rating for rated in detail.hits if rated.rating is not None}
        for topic, detail in details.items()
    }


def _request(head: Head) -> bool:
    """one JSON object, or a dict, with `requests` that have `ratings`."""
    if head.shape == "mapping":
        lists = [value for value in head.values if isinstance(value, list) and value]
        return any(is_mapping(value[0]) and "ratings" in value[0] for value in lists)
    return has_keys(head, "requests", "requests[].ratings")


@reads(
    "rank-eval-request",
    role="gold",
    task="ranked",
    yields="Elasticsearch: ratings of a request for a ranking evaluation",
    recognises=_request,
    shapes="json mapping",
    markers=("ratings",),
)
def read_ratings(source: Source) -> dict[str, dict[str, int]]:
    """Return {topic: {document: rating}}.

    >>> read_ratings(Source("request", data=b'{"requests": [{"id": "q1", "ratings": [{"_index": "i", "_id": "d7", "rating": 1}]}]}'))
    {'q1': {'d7': 1}}
    """
    ratings: dict[str, dict[str, int]] = {}
    for request in _whole(source, _RankEvalRequest, "a request of _rank_eval (requests, ratings)").requests:
        topic = plain(request.id)
        if topic in ratings:
            raise source.error(None, f"request {topic} appears twice; expected each once")
        rated = ratings[topic] = {}
        for rating in request.ratings:
            document = plain(rating.id)
            if document in rated:
                raise source.error(None, f"request {topic}: document {document} is rated twice; expected once")
            rated[document] = rating.rating
    return ratings
