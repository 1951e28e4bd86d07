"""Runs by themselves, without judgments: the documents of each topic in their order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from math import isfinite, isnan
from typing import Any

from assay.core.first import first_documents
from assay.errors import InputError
from assay.formats import frames
from assay.formats.lines import field_lines
from assay.formats.object_ids import id_text
from assay.formats.ranked.trec import LINES, RUN_LINE, check_distinct, nested, scores_of
from assay.io.heads import BOM
from assay.io.sources import Source

Rankings = dict[str, list[str]]
"""By topic, its documents, the first rank first."""
MOST_AT_ONCE = 64 << 20
"""Bytes of a run up to which its words are taken apart all at once: they need a dozen times the room."""


def read_rankings(source: Source, depth: int | None = None) -> tuple[str, Rankings]:
    """What a run is called, by the tag of its last line as `evaluate` calls it, and its documents topic by topic: score descending, then
    id descending as bytes.

    depth   how many documents of a topic are wanted; all where left out

    >>> read_rankings(Source("run", data=b"q1 Q0 d1 1 2.5 bm25\\nq1 Q0 d2 2 7.5 bm25\\n"))
    ('bm25', {'q1': ['d2', 'd1']})
    """
    tag: str | None = None
    if source.head.shape in LINES:
        quick = _quick(source.read_text().removeprefix(BOM), depth) if source.head.shape == "text" else None
        if quick is not None:
            return source.label or quick[0] or source.stem, quick[1]
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
    key = {document: (score, document.encode("utf-8", "surrogateescape")) for document, score in scores.items()}
    return sorted(key, key=key.__getitem__, reverse=True)


def _quick(text: bytes, depth: int | None) -> tuple[str, Rankings] | None:
    return first_documents(text, depth) or _at_once(text, depth)


def _at_once(text: bytes, depth: int | None) -> tuple[str, Rankings] | None:
    """What `_from_lines` and `_ordered` find, several times as fast; None of a text with anything in it that they must look at:
    a comment, a line without six fields, a topic that comes back, a document that stands twice, a score that is no number."""
    text = text.strip()
    if not text or len(text) > MOST_AT_ONCE or b"#" in text or b"\0" in text:
        return None
    lines = text.count(b"\n") + 1
    words = (text + b"\n").replace(b"\n", b" \0 ").split()
    # Every seventh word ends a line, and no other does: each line has six fields.
    if len(words) != 7 * lines or words[6::7].count(b"\0") != lines:
        return None
    documents, written = words[2::7], words[4::7]
    try:
        scores = list(map(float, written))
    except ValueError:
        return None
    if b"_" in b" ".join(written) or not all(map(isfinite, scores)):
        return None
    found: Rankings = {}
    start = 0
    for topic, group in groupby(words[0::7]):
        end = start + len(list(group))
        of = documents[start:end]
        name = topic.decode("utf-8", "surrogateescape")
        if name in found or len(set(of)) < len(of):
            return None
        best = sorted(zip(scores[start:end], of, strict=True), reverse=True)[:depth]
        found[name] = [document.decode("utf-8", "surrogateescape") for _, document in best]
        start = end
    return words[-2].decode("utf-8", "surrogateescape"), found


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
