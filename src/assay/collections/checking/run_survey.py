"""Survey a ranked run with the core: documents, ties and contradictions by topic, and faulty lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from assay.collections.checking import run_faults
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.findings import File
from assay.core import run_files as core
from assay.core.binding import LIBRARY
from assay.io.heads import BOM
from assay.io.sources import Source


class Block(msgspec.Struct, eq=False):
    """The lines of one topic: first line, count, tied neighbours, and ranks that contradict the scores."""

    topic: str
    line: int | None
    count: int = 0
    ties: int = 0
    contradictions: int = 0
    contradicted: int = 0


def survey(source: Source, file: File, expectations: Expectations) -> list[Block] | None:
    """Return the topics of a run and report its faulty lines; None where no core or too little memory is available.

    A topic is forgotten as the next one begins. Where a topic returns, as in a run sorted by rank, the run is read
    again and all topics are kept."""
    if LIBRARY is None:
        return None
    for keep in (False, True):
        sizes: list[int] = []
        findings = File(file.name)
        blocks = _blocks(source, findings, expectations, sizes, keep=keep)
        if blocks is not None:
            file.take(findings)
            return blocks
        expectations.read(-sum(sizes))  # it will be read again
    return None


def _blocks(
    source: Source, file: File, expectations: Expectations, sizes: list[int], *, keep: bool
) -> list[Block] | None:
    surveyor = core.Surveyor(keep=keep)
    blocks: dict[bytes, Block] = {}
    rest = b""
    for piece, last in _pieces(source):
        rest += piece
        sizes.append(len(piece))
        expectations.read(len(piece))
        more = True
        while more:
            line = surveyor.line
            fed = surveyor.feed(rest, last=last)
            if fed is None:
                return None
            several, used, more = fed
            if expectations.documents is not None or not rest.isascii():
                _look_closer(rest[:used], line, file, expectations)
            for topic, *numbers in several:
                if topic in blocks:
                    return None
                blocks[topic] = Block(run_faults.decode_word(topic), *numbers)
            rest = rest[used:]
    _tell(surveyor.seen, file)
    return list(blocks.values())


def _look_closer(data: bytes, line: int, file: File, expectations: Expectations) -> None:
    """Report what the core does not check: bytes that are not UTF-8, documents outside the collection."""
    documents = expectations.documents
    encoded = data.isascii() or _is_text(data)
    if encoded and (documents is None or _in_collection(data, documents)):
        return
    for number, bytes_of, words in run_faults.run_lines(enumerate(data.split(b"\n"), line)):
        if b"\0" in bytes_of:
            continue
        if not encoded:
            run_faults.report_encoding(file, number, bytes_of)
        if documents is not None and len(words) == 6 and run_faults.decode_word(words[2]) not in documents:
            run_faults.report_unknown_document(file, number, run_faults.decode_word(words[2]))


def _tell(seen: Mapping[int, core.Seen], file: File) -> None:
    """Report every fault the core counted."""
    tag = b"", 0
    for kind in sorted(seen):
        sight = seen[kind]
        words, lines, count = sight.text.split(), sight.lines, sight.count
        if kind == core.LINES:
            file.lines = count
        elif kind == core.TAGGED:
            tag = words[5], lines[0]
            file.tags = [run_faults.decode_word(tag[0])]
        elif kind == core.ZERO:
            run_faults.report_zero_byte(file, lines, count)
        elif kind == core.TWICE:
            run_faults.report_duplicate(file, lines, words, sight.before, count)
        elif kind == core.UNSCORED:
            run_faults.report_score(file, lines, words, count)
        elif kind == core.UNRANKED:
            run_faults.report_rank(file, lines, words, count)
        elif kind == core.OTHERWISE:
            run_faults.report_second_tag(file, lines, words, tag, count)
        else:
            run_faults.report_field_count(file, lines, len(words), count)


def _pieces(source: Source) -> Iterator[tuple[bytes, bool]]:
    """Yield the pieces of a text, and whether each is the last."""
    before: bytes | None = None
    for chunk in source.text():
        if before is not None:
            yield before, False
        before = chunk.removeprefix(BOM) if before is None else chunk
    yield before or b"", True


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _in_collection(data: bytes, documents: frozenset[str]) -> bool:
    """Return whether lines of six words, without comments, name known documents only."""
    return b"#" not in data and documents >= {word.decode() for word in data.split()[2::6]}
