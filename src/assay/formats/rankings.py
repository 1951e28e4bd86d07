"""Runs by themselves, without judgments: the documents of each topic in their order."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

from assay.errors import InputError
from assay.formats import frames
from assay.formats.lines import field_lines
from assay.formats.sources import Source
from assay.formats.trec import LINES, RUN_LINE, check_distinct, nested, scores_of

Rankings = dict[str, list[str]]
"""By topic, its documents, the first rank first."""


def read_rankings(source: Source, depth: int | None = None) -> tuple[str, Rankings]:
    """What a run is called, and its documents topic by topic: score descending, then id descending as bytes.

    depth   how many documents of a topic are wanted; all where left out

    >>> read_rankings(Source("run", data=b"q1 Q0 d1 1 2.5 bm25\\nq1 Q0 d2 2 7.5 bm25\\n"))
    ('bm25', {'q1': ['d2', 'd1']})
    """
    tag: str | None = None
    if source.head.shape in LINES:
        tag, scores = _from_lines(source)
    else:
        scores = _from_mapping(nested(source, frames.SCORE), source)
    if not scores:
        raise source.error(None, f"found no documents; expected lines of 6 fields ({RUN_LINE})")
    return source.label or tag or source.stem, {topic: _ordered(of)[:depth] for topic, of in scores.items()}


def _ordered(scores: dict[str, float]) -> list[str]:
    key = {document: (score, document.encode("utf-8", "surrogateescape")) for document, score in scores.items()}
    return sorted(key, key=key.__getitem__, reverse=True)


def _from_mapping(found: Mapping[Any, Any], source: Source) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for topic, documents in found.items():
        scores[str(topic)] = dict(zip(map(str, documents), scores_of(documents, topic, source), strict=False))
        for document, score in scores[str(topic)].items():
            if isnan(score):
                raise InputError(
                    f"{source.name}: topic {topic}, document {document}: the score is NaN; expected a number"
                )
    check_distinct(found, source)
    return scores


def _from_lines(source: Source) -> tuple[str | None, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, float]] = {}
    tag = None
    for line, fields in field_lines(source):
        if len(fields) != 6:
            raise source.error(line, f"expected 6 fields ({RUN_LINE}), found {len(fields)}")
        topic, _, document, _, written, name = fields
        tag = tag or name
        documents = found.setdefault(topic, {})
        if document in documents:
            raise source.error(
                line, f"document {document} appears a second time in topic {topic}; remove one of the two"
            )
        documents[document] = _score(written, source, line)
    return tag, found


def _score(text: str, source: Source, line: int) -> float:
    try:
        value = float(text if "_" not in text else "")
    except ValueError:
        value = float("nan")
    if isnan(value):
        raise source.error(line, f"expected a number as score in field 5, found {text!r}")
    return value
