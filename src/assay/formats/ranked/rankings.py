"""Runs by themselves, without judgments: the documents of each topic in their order."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

from assay.core.ties import best_first
from assay.core.top_documents import read_top_documents
from assay.errors import InputError
from assay.formats import frames
from assay.formats.lines import field_lines
from assay.formats.object_ids import id_text
from assay.formats.ranked.trec import LINES, RUN_LINE, check_distinct, nested, scores_of
from assay.io.heads import BOM
from assay.io.sources import Source

Rankings = dict[str, list[str]]
"""By topic, its documents, the first rank first."""


def read_rankings(source: Source, depth: int | None = None) -> tuple[str, Rankings]:
    """What a run is called, by the tag of its last line as `evaluate` calls it, and its documents topic by topic: score descending, then
    id descending as bytes.

    depth   how many documents of a topic are wanted; all where left out

    >>> read_rankings(Source("run", data=b"q1 Q0 d1 1 2.5 bm25\\nq1 Q0 d2 2 7.5 bm25\\n"))
    ('bm25', {'q1': ['d2', 'd1']})
    """
    tag: str | None = None
    if source.head.shape in LINES:
        parsed = _from_core(source.read_text().removeprefix(BOM), depth) if source.head.shape == "text" else None
        if parsed is not None:
            return source.label or parsed[0] or source.stem, parsed[1]
        tag, scores = _from_lines(source)
    else:
        scores = _from_mapping(nested(source, frames.SCORE), source)
    if not scores:
        raise source.error(None, f"found no documents; expected lines of 6 fields ({RUN_LINE})")
    try:
        found = {topic: _ordered(of)[:depth] for topic, of in scores.items()}
        "".join(scores).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InputError(f"{source.name}: an id holds half a character (a lone surrogate); expected text") from None
    return source.label or tag or source.stem, found


def _ordered(scores: dict[str, float]) -> list[str]:
    encoded = [(score, document.encode("utf-8", "surrogateescape"), document) for document, score in scores.items()]
    return [document for _, _, document in best_first(encoded)]


def _from_core(text: bytes, depth: int | None) -> tuple[str, Rankings] | None:
    """Read the run with the compiled core; None where `_from_lines` must: without the core, or at anything unusual.

    A pool of 100 runs of 50,000 lines takes 2.0 s with the core, 11.5 s without.
    """
    parsed = read_top_documents([text], depth)
    if parsed is None:
        return None
    tag, blocks = parsed
    rankings = {topic: documents for topic, documents, _ in blocks}
    return (tag, rankings) if len(rankings) == len(blocks) else None  # a topic that comes back is merged by lines


def _from_mapping(found: Mapping[Any, Any], source: Source) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for topic, documents in found.items():
        ids = [id_text(document, f"{source.name}: topic {topic}") for document in documents]
        ranked = scores[id_text(topic, source.name)] = dict(zip(ids, scores_of(documents, topic, source), strict=False))
        for document, score in ranked.items():
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
        topic, _, document, _, written, tag = fields
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
