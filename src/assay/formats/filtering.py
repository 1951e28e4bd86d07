"""Filtering runs: sets of documents per topic, from TREC run files or plain `topic document` lists.

Document ids are kept as text decoded like the judgments' (bytes that are not UTF-8 survive).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from assay.errors import FormatError, InputError
from assay.formats import frames
from assay.formats.lines import field_lines
from assay.formats.readers import reads

if TYPE_CHECKING:
    from assay.formats.sources import Source

EXPECTED = "2 fields (topic, document) or 6 (topic, Q0, document, rank, score, tag)"


class RetrievedSets:
    """One run: by topic its documents, each with the line it stands on."""

    __slots__ = ("name", "tag", "topics")

    def __init__(self, name: str) -> None:
        self.name = name
        self.tag = ""
        self.topics: dict[str, dict[str, int]] = {}


@reads("sets", role="run", task="filtering", yields="sets of documents: topic, document; or a TREC run")
def read_sets(source: Source) -> RetrievedSets:
    """The sets of a run file, of {topic: documents} or of a data frame. Ranks and scores say nothing about a set."""
    sets = RetrievedSets(source.name)
    if source.is_bytes:
        _from_text(source, sets)
    elif isinstance(source.data, dict):
        entries = cast("dict[Any, Any]", source.data)
        for topic, documents in entries.items():
            if isinstance(documents, (str, bytes)) or not hasattr(documents, "__iter__"):
                raise InputError(f"{source.name}: topic {topic}: expected its documents, found {documents!r}")
            for place, document in enumerate(documents, 1):
                _add(sets, str(topic), str(document), place)
            sets.topics.setdefault(str(topic), {})
    else:
        columns = frames.columns_of(
            source, frames.frame_of(source, "{topic: documents}"), frames.TOPIC, frames.DOCUMENT
        )
        for row, (topic, document) in enumerate(zip(*(cells for _, cells in columns), strict=True), 1):
            _add(sets, str(topic), str(document), row)
    if not sets.topics:
        raise InputError(f"{source.name}: is empty; expected lines of {EXPECTED}")
    return sets


def _from_text(source: Source, sets: RetrievedSets) -> None:
    width = 0
    for line, fields in field_lines(source):
        width = width or len(fields)
        if len(fields) not in (2, 6) or len(fields) != width:
            expected = EXPECTED if width not in (2, 6) else f"{width} fields as on the lines before"
            raise FormatError(source.name, line, f"expected {expected}, found {len(fields)}")
        if width == 6:
            _check_score(fields[4], source, line)
            sets.tag = fields[5]
        _add(sets, fields[0], fields[1 if width == 2 else 2], line)


def _check_score(text: str, source: Source, line: int) -> None:
    try:
        valid = float(text) == float(text)
    except ValueError:
        valid = False
    if not valid:
        raise FormatError(source.name, line, f"expected a number as score (field 5), found {text!r}")


def _add(sets: RetrievedSets, topic: str, document: str, line: int) -> None:
    documents = sets.topics.setdefault(topic, {})
    first = documents.setdefault(document, line)
    if first != line:
        raise FormatError(
            sets.name,
            line,
            f"document {document} appears a second time in topic {topic}, first on line {first}; remove one of the two",
        )
