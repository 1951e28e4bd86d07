"""Filtering runs: sets of documents per topic, from TREC run files or plain `topic document` lists.

Document ids are kept as text decoded like the judgments' (bytes that are not UTF-8 survive).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from assay.errors import FormatError, InputError
from assay.formats.trec import DOCUMENT_COLUMNS, RUN_LINE, TOPIC_COLUMNS

if TYPE_CHECKING:
    from assay.formats.sources import Source

EXPECTED = f"2 fields (topic, document) or 6 ({RUN_LINE})"


class RetrievedSets:
    """One run: by topic its documents, each with the line it stands on."""

    __slots__ = ("name", "tag", "topics")

    def __init__(self, name: str) -> None:
        self.name = name
        self.tag = ""
        self.topics: dict[str, dict[str, int]] = {}


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
        _from_frame(source, sets)
    if not sets.topics:
        raise InputError(f"{source.name}: is empty; expected lines of {EXPECTED}")
    return sets


def _from_text(source: Source, sets: RetrievedSets) -> None:
    width = 0
    for line, raw in enumerate(source.read().split(b"\n"), 1):
        words = (raw.removeprefix(b"\xef\xbb\xbf") if line == 1 else raw).split()
        if not words or words[0].startswith(b"#"):
            continue
        if b"\0" in raw:
            raise FormatError(source.name, line, "holds a zero byte: not a text file (or UTF-16); expected UTF-8")
        width = width or len(words)
        if len(words) not in (2, 6) or len(words) != width:
            expected = EXPECTED if width not in (2, 6) else f"{width} fields as on the lines before"
            raise FormatError(source.name, line, f"expected {expected}, found {len(words)}")
        if width == 6:
            _check_score(words[4], source, line)
            sets.tag = words[5].decode("utf-8", "surrogateescape")
        document = words[1] if width == 2 else words[2]
        _add(sets, words[0].decode("utf-8", "surrogateescape"), document.decode("utf-8", "surrogateescape"), line)


def _check_score(word: bytes, source: Source, line: int) -> None:
    try:
        valid = float(word) == float(word)
    except ValueError:
        valid = False
    if not valid:
        raise FormatError(
            source.name, line, f"expected a number as score (field 5), found {word.decode(errors='replace')!r}"
        )


def _add(sets: RetrievedSets, topic: str, document: str, line: int) -> None:
    documents = sets.topics.setdefault(topic, {})
    first = documents.setdefault(document, line)
    if first != line:
        raise FormatError(
            sets.name,
            line,
            f"document {document} appears a second time in topic {topic}, first on line {first}; remove one of the two",
        )


def _from_frame(source: Source, sets: RetrievedSets) -> None:
    import narwhals as nw

    try:
        frame = nw.from_native(source.data, eager_only=True)
    except TypeError:
        raise InputError(
            f"{source.name}: cannot be read as a filtering run: expected a path, bytes, {{topic: documents}} or a data "
            f"frame, found {type(source.data).__name__}"
        ) from None
    names: list[str] = []
    for candidates in (TOPIC_COLUMNS, DOCUMENT_COLUMNS):
        present = [name for name in candidates if name in frame.columns]
        if not present:
            raise InputError(
                f"{source.name}: no column {' or '.join(candidates[:3])}; it has {', '.join(frame.columns)}"
            )
        names.append(present[0])
    columns = [frame[name].to_list() for name in names]
    for row, (topic, document) in enumerate(zip(*columns, strict=True), 1):
        _add(sets, str(topic), str(document), row)
