"""A ranked run surveyed by the core: topic by topic how many documents, ties and contradictions, or that something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from assay.checking.wanted import Wanted
from assay.formats.heads import BOM
from assay.formats.sources import Source
from assay.native.library import LIBRARY

MOST_BYTES = 1 << 30
"""How many bytes one topic may have before its lines are read one by one."""


class Block:
    """Lines of one topic that stand together: where they begin, how many; neighbours (by rank) that are tied; ranks
    that contradict the scores, and the line of the first."""

    __slots__ = ("contradicted", "contradictions", "count", "line", "ties", "topic")

    def __init__(
        self,
        topic: str,
        line: int | None,
        count: int = 0,
        ties: int = 0,
        contradictions: int = 0,
        contradicted: int = 0,
    ) -> None:
        self.topic = topic
        self.line = line
        self.count = count
        self.ties = ties
        self.contradictions = contradictions
        self.contradicted = contradicted


def survey(source: Source, wanted: Wanted) -> tuple[list[Block], str] | None:
    """The blocks of a run in which no line needs a closer look, and its tag; None where one does, or where there is no core.

    What the core lets pass is a run without errors: lines of six fields in UTF-8, finite scores, ranks that rise, one tag,
    no document twice in a topic, no topic twice.
    """
    tag = _first_tag(source)
    if LIBRARY is None or tag is None:
        return None
    read = _Counted(wanted.read)
    found = _blocks(source, tag, wanted.documents, read)
    if found is None:
        wanted.read(-read.total)  # it will be read again
    return None if found is None else (found, tag.decode())


class _Counted:
    """Tells how many bytes were read, and remembers."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self.total = 0

    def __call__(self, size: int) -> None:
        self.total += size
        self._tell(size)


def _blocks(source: Source, tag: bytes, documents: frozenset[str] | None, read: _Counted) -> list[Block] | None:
    from assay.native.survey import FULL, Surveyor

    surveyor = Surveyor(tag)
    blocks: dict[bytes, Block] = {}
    rest, line, enough, ascii = b"", 1, 0, True
    for piece, last in _pieces(source):
        rest += piece
        ascii = ascii and piece.isascii()
        read(len(piece))
        if b"\0" in piece or len(rest) > MOST_BYTES:
            return None
        while len(rest) > enough or (rest and last):
            found = surveyor.blocks(rest, line, last=last)
            if found is None:
                return None
            several, used, line = found
            if not ((ascii or _is_text(rest[:used])) and (documents is None or _in_collection(rest[:used], documents))):
                return None
            for topic, *numbers in several:
                if topic in blocks:
                    return None
                blocks[topic] = Block(topic.decode(), *numbers)
            # A topic that has not ended is looked at again when twice as much of it is there: at every piece would be too often.
            enough = 2 * len(rest) if not used else 0
            rest = rest[used:]
            ascii = ascii or rest.isascii()
            if len(several) < FULL:
                break
    return list(blocks.values())


def _pieces(source: Source) -> Iterator[tuple[bytes, bool]]:
    """The pieces of a text, and whether each is the last."""
    before: bytes | None = None
    for chunk in source.text():
        if before is not None:
            yield before, False
        before = chunk.removeprefix(BOM) if before is None else chunk
    yield before or b"", True


def _first_tag(source: Source) -> bytes | None:
    """The tag of the first line that is no comment; None where that line is not six words of text."""
    words = source.head.words
    try:
        words[-1:][0].decode()
    except (IndexError, UnicodeDecodeError):
        return None
    return words[5] if len(words) == 6 else None


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _in_collection(data: bytes, documents: frozenset[str]) -> bool:
    """Whether lines name no document that there is not: six words each, unless one is a comment."""
    return b"#" not in data and documents >= {word.decode() for word in data.split()[2::6]}
