"""The first documents of each topic of a TREC run, with their scores: what a person looks at, and no measure needs.

The run was read and checked before; here it is read once more, and of every topic only what stands on top is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from sys import intern

from assay.core.ties import best_first
from assay.core.top_documents import read_top_documents
from assay.formats import frames
from assay.formats.object_ids import id_text
from assay.formats.ranked.trec import LINES, RUN_LINE, nested
from assay.io.heads import BOM
from assay.io.sources import Source

Documents = list[tuple[str, float]]
"""(document, score), from the first rank on."""
Documented = list[tuple[float, bytes]]
"""The same as they are compared, in any order."""
FEWEST_HELD = 64
FEW_TOPICS = 4
"""Up to so many topics are looked for by name, and the lines of others are not looked at."""
INDENTED = (b"\n ", b"\n\t", b"\n\r", b"\n\v", b"\n\f")
"""Lines that begin with something else than their topic."""


def top_documents(
    source: Source, topics: Sequence[str], depth: int, judged: Callable[[int], Collection[str]] | None = None
) -> list[Documents]:
    """The first documents of every topic, in the order of the core: score descending, then id descending as bytes.

    topics   those that are wanted, in the order of the result
    judged   a topic's place to the documents that count, where the others are dropped first
    """
    places = {_bytes(topic): place for place, topic in enumerate(topics)}
    tops = [_Top(depth, None if judged is None else {*map(_bytes, judged(place))}) for place in range(len(topics))]
    by_topic = {topic: tops[place] for topic, place in places.items()}
    if source.head.shape in LINES:
        # Of documents that do not count any number may stand above those that do.
        _fill_from_lines(source, by_topic, depth if judged is None else None)
    else:
        for topic, documents in nested(source, frames.SCORE).items():
            top = by_topic.get(_bytes(id_text(topic, source.name)))
            if top is not None:
                for document, score in documents.items():
                    top.add(float(score), _bytes(id_text(document, source.name)))
    return [top.documents() for top in tops]


class _Top:
    """The best of what one topic has shown so far: a few times as many as are wanted, so that sorting is rare."""

    __slots__ = ("_allowed", "_depth", "_held", "floor")

    def __init__(self, depth: int, allowed: Collection[bytes] | None) -> None:
        self._depth = depth
        self._allowed = allowed
        self._held: Documented = []
        self.floor = float("-inf")
        """What a document must reach: the score of the last one that would be kept."""

    def add(self, score: float, document: bytes) -> None:
        if score < self.floor or (self._allowed is not None and document not in self._allowed):
            return
        self._held.append((score, document))
        if len(self._held) >= max(FEWEST_HELD, 4 * self._depth):
            self._settle()

    def add_all(self, found: Documented) -> None:
        self._held += found
        if len(self._held) >= max(FEWEST_HELD, 4 * self._depth):
            self._settle()

    def _settle(self) -> None:
        self._held = best_first(self._held)[: self._depth]
        if len(self._held) == self._depth:
            self.floor = self._held[-1][0]

    def documents(self) -> Documents:
        self._settle()
        # Runs return the same documents, whose names need not be held for each.
        return [(intern(document.decode("utf-8", "surrogateescape")), score) for score, document in self._held]


def _fill_from_lines(source: Source, tops: Mapping[bytes, _Top], depth: int | None) -> None:
    """Add every document that may be shown; with a depth, the core drops those below the first `depth` of their topics.

    A report on one run of 7 million lines takes 3.8 s with the core, 7.4 s without.
    """
    parsed = read_top_documents(_unmarked(source.text()), depth) if depth and len(tops) > FEW_TOPICS else None
    if parsed is not None:
        for topic, documents, scores in parsed[1]:
            if (top := tops.get(_bytes(topic))) is not None:
                top.add_all([*zip(scores, map(_bytes, documents), strict=True)])
        return
    try:
        _fill(_lines_of(source, tops) if len(tops) <= FEW_TOPICS else source.lines(), tops)
    except ValueError:
        number = _first_broken(source)
        expected = f"expected 6 fields ({RUN_LINE}); the file has changed since it was scored"
        raise source.error(number, expected) from None


def _unmarked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A text without its byte order mark."""
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


def _first_broken(source: Source) -> int | None:
    for number, line in enumerate(source.lines(), 1):
        try:
            _fill(iter([line]), {line.split()[0]: _Top(1, None)} if line.split() else {})
        except ValueError:
            return number
    return None


def _lines_of(source: Source, topics: Collection[bytes]) -> Iterator[bytes]:
    """The lines that may be of a few topics: those that begin with one of their names."""
    rest = b""
    for chunk in _unmarked(source.text()):
        piece, _, rest = (rest + chunk).rpartition(b"\n")
        yield from _beginning(piece, topics)
    yield from _beginning(rest, topics)


def _beginning(piece: bytes, topics: Collection[bytes]) -> Iterator[bytes]:
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
