"""The first documents of each topic of a TREC run, with their scores, for pages and for measures of confidence.

The run was checked when it was scored; this second reading keeps only the top of each topic.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from sys import intern

from assay.core.run_files import read_top_documents
from assay.core.ties import best_first
from assay.formats import frames
from assay.formats.object_ids import id_text
from assay.formats.ranked.trec import LINES, RUN_LINE, nested
from assay.io.heads import BOM
from assay.io.sources import Source

Documents = list[tuple[str, float]]
"""(document, score), from the first rank on."""
MIN_CANDIDATES = 64
FEW_TOPICS = 4
"""The number of topics up to which their lines are searched for by name, without parsing the lines of other topics."""
INDENTED = (b"\n ", b"\n\t", b"\n\r", b"\n\v", b"\n\f")
"""Starts of lines that do not begin with their topic."""


def top_documents(
    source: Source, topics: Sequence[str], depth: int, judged: Callable[[int], Collection[str]] | None = None
) -> list[Documents]:
    """Return the first documents of every topic in the order of the core: score descending, then id descending as bytes.

    topics   the topics to return, in the order of the result
    judged   returns the documents that count for topics[i], and drops all others first
    """
    tops = [_Top(depth, None if judged is None else {*map(_bytes, judged(i))}) for i in range(len(topics))]
    by_topic = {_bytes(topic): top for topic, top in zip(topics, tops, strict=True)}
    if source.head.shape in LINES:
        # Any number of unjudged documents may rank above the judged ones.
        _fill_from_lines(source, by_topic, depth if judged is None else None)
    else:
        for topic, documents in nested(source, frames.SCORE).items():
            top = by_topic.get(_bytes(id_text(topic, source.name)))
            if top is not None:
                for document, score in documents.items():
                    top.add(float(score), _bytes(id_text(document, source.name)))
    return [top.documents() for top in tops]


class _Top:
    """The best documents of a topic so far: up to four times as many as needed, so that sorting is rare."""

    __slots__ = ("_allowed", "_candidates", "_depth", "floor")

    def __init__(self, depth: int, allowed: Collection[bytes] | None) -> None:
        self._depth = depth
        self._allowed = allowed
        self._candidates: list[tuple[float, bytes]] = []
        self.floor = float("-inf")
        """The lowest score that can still rank among the first."""

    def add(self, score: float, document: bytes) -> None:
        if score < self.floor or (self._allowed is not None and document not in self._allowed):
            return
        self._candidates.append((score, document))
        if len(self._candidates) >= max(MIN_CANDIDATES, 4 * self._depth):
            self._trim()

    def add_all(self, documents: list[tuple[float, bytes]]) -> None:
        self._candidates += documents
        if len(self._candidates) >= max(MIN_CANDIDATES, 4 * self._depth):
            self._trim()

    def _trim(self) -> None:
        self._candidates = best_first(self._candidates)[: self._depth]
        if len(self._candidates) == self._depth:
            self.floor = self._candidates[-1][0]

    def documents(self) -> Documents:
        self._trim()
        # Many runs return the same documents: one string for each id.
        return [(intern(document.decode("utf-8", "surrogateescape")), score) for score, document in self._candidates]


def _fill_from_lines(source: Source, tops: Mapping[bytes, _Top], depth: int | None) -> None:
    """Add the documents of all lines; with a depth, the core drops those below the first `depth` of their topics.

    A report on one run of 7 million lines takes 3.8 s with the core, 7.4 s without.
    """
    parsed = read_top_documents(_without_bom(source.text()), depth) if depth and len(tops) > FEW_TOPICS else None
    if parsed is not None:
        for topic, documents, scores in parsed[1]:
            if (top := tops.get(_bytes(topic))) is not None:
                top.add_all([*zip(scores, map(_bytes, documents), strict=True)])
        return
    try:
        _fill(_lines_of_topics(source, tops) if len(tops) <= FEW_TOPICS else source.lines(), tops)
    except ValueError:
        number = _first_faulty_line(source)
        expected = f"expected 6 fields ({RUN_LINE}); the file has changed since it was scored"
        raise source.error(number, expected) from None


def _without_bom(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Remove the byte order mark."""
    for number, chunk in enumerate(chunks):
        yield chunk if number else chunk.removeprefix(BOM)


def _fill(lines: Iterator[bytes], tops: Mapping[bytes, _Top]) -> None:
    last, top = b"", None
    for line in lines:
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        topic, _, document, _, score, _ = words
        if topic != last:
            last, top = topic, tops.get(topic)
        if top is not None and (value := float(score)) >= top.floor:
            top.add(value, document)


def _first_faulty_line(source: Source) -> int | None:
    for number, line in enumerate(source.lines(), 1):
        try:
            _fill(iter([line]), {line.split()[0]: _Top(1, None)} if line.split() else {})
        except ValueError:
            return number
    return None


def _lines_of_topics(source: Source, topics: Collection[bytes]) -> Iterator[bytes]:
    """Yield the lines that begin with the name of one of a few topics."""
    rest = b""
    for chunk in _without_bom(source.text()):
        piece, _, rest = (rest + chunk).rpartition(b"\n")
        yield from _lines_starting_with(piece, topics)
    yield from _lines_starting_with(rest, topics)


def _lines_starting_with(piece: bytes, topics: Collection[bytes]) -> Iterator[bytes]:
    text = b"\n" + piece
    if any(space in text for space in INDENTED):
        yield from text.split(b"\n")
        return
    for topic in topics:
        start = b"\n" + topic
        at = text.find(start)
        while at >= 0:
            end = text.find(b"\n", at + 1)
            yield text[at + 1 : end] if end >= 0 else text[at + 1 :]
            at = text.find(start, end) if end >= 0 else -1


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
