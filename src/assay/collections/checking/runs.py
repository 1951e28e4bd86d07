"""Check ranked runs: `survey` counts the faults of millions of lines in C, the Python walk where there is no core."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

import msgspec

from assay.collections.checking.expectations import Expectations, check_topics, numbered
from assay.collections.checking.findings import File
from assay.core import run_files as core
from assay.core.binding import LIBRARY
from assay.formats import frames
from assay.formats.ranked.trec import LINES, RUN_LINE, nested
from assay.io.heads import BOM
from assay.io.sources import Source

SCORE = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
RANK = re.compile(rb"[+-]?[0-9]{1,18}")


def check_run(source: Source, file: File, expectations: Expectations) -> None:
    """Report every finding of a ranked run, as lines, JSON, dicts or a data frame."""
    if source.head.shape not in LINES:
        _check_nested(nested(source, frames.SCORE), file, expectations)
        return
    blocks = survey(source, file, expectations)
    blocks = _walk(source, file, expectations) if blocks is None else blocks
    if not file.lines and not file.count("error"):
        file.error("empty", None, "no line with content", f"lines of 6 fields ({RUN_LINE})", "submit the run itself")
    _check_tags(file, expectations)
    check_blocks(blocks, file, expectations)


def check_blocks(blocks: list[Block], file: File, expectations: Expectations) -> None:
    """Report findings on topics: ids, depth, order of ranks, share of ties."""
    topics: dict[str, tuple[int | None, int]] = {}
    for block in blocks:
        line, count = topics.get(block.topic, (block.line, 0))
        topics[block.topic] = line, count + block.count
    file.deepest = max((count for _, count in topics.values()), default=0)
    depth = expectations.rules.depth
    for topic, (line, count) in topics.items():
        if depth is not None and count > depth:
            mend = f"submit the first {depth:,} documents of each topic"
            file.error("depth", line, f"{count:,} documents for topic {topic}", f"at most {depth:,} a topic", mend)
    check_topics(file, topics, expectations)
    for block in blocks:
        if block.contradictions:
            message = f"a lower rank with a higher score, in topic {block.topic}"
            expected = "scores that fall as the rank rises; assay sorts by score and ignores ranks"
            mend = "sort by score before numbering, or write scores in the intended order"
            file.warning("rank-order", block.contradicted, message, expected, mend, count=block.contradictions)
    tied = sum(block.ties for block in blocks)
    if tied > expectations.rules.ties * file.lines:
        first = next(block for block in blocks if block.ties)
        message = f"{tied:,} of {file.lines:,} documents have the same score as another, first in topic {first.topic}"
        mend = "write scores with more digits; tied documents are sorted by id, not by rank"
        file.warning("ties", first.line, message, f"at most {expectations.rules.ties:.0%} of them", mend, count=tied)


def _check_tags(file: File, expectations: Expectations) -> None:
    pattern = expectations.rules.tag
    for tag in file.tags if pattern is not None else []:
        if pattern is not None and not pattern.fullmatch(tag):
            mend = "give the run another tag, in the last field of every line"
            file.error("tag-pattern", None, f"tag {tag!r:.80}", f"a tag that matches {pattern.pattern}", mend)


def _walk(source: Source, file: File, expectations: Expectations) -> list[Block]:
    """Check every line of a run, and return its topics."""
    walk = _Walk(file, expectations, _recurring(source))
    for number, line, words in run_lines(numbered(source, expectations)):
        file.lines += 1
        if b"\0" in line:
            report_zero_byte(file, number)
            continue
        if not line.isascii():
            report_encoding(file, number, line)
        if len(words) != 6:
            report_field_count(file, number, len(words))
        else:
            walk.add(number, words)
    walk.close()
    return list(walk.blocks.values())


def _recurring(source: Source) -> set[bytes]:
    """Return the topics whose lines are not contiguous; documents of all others need not be kept."""
    before, seen, recurring = b"", set[bytes](), set[bytes]()
    for line in source.lines():
        words = line.split(None, 1)
        if words and words[0] != before and not words[0].startswith(b"#"):
            before = words[0]
            if before in seen:
                recurring.add(before)
            seen.add(before)
    return recurring


class _Walk:
    """The state of a walk over the lines of a run."""

    def __init__(self, file: File, expectations: Expectations, recurring: set[bytes]) -> None:
        self.blocks: dict[bytes, Block] = {}
        self._file = file
        self._documents = expectations.documents
        self._recurring = recurring
        self._first: dict[bytes, dict[bytes, int]] = {}
        """The line of every document of the unfinished topics."""
        self._ranked: dict[bytes, list[tuple[int, float, int]]] = {}
        self._topic = b""
        self._tag: tuple[bytes, int] | None = None

    def add(self, number: int, words: list[bytes]) -> None:
        """Check one line of six fields."""
        topic = words[0]
        if topic != self._topic:
            if self._topic not in self._recurring:
                self._end(self._topic)
            self._topic = topic
        block = self.blocks.get(topic)
        if block is None:
            block = self.blocks[topic] = Block(decode_word(topic), number)
        block.count += 1
        self._check_document(words, number)
        self._check_order(words, number)
        if self._tag is None:
            self._tag = words[5], number
            self._file.tags = [decode_word(words[5])]
        elif words[5] != self._tag[0]:
            report_second_tag(self._file, number, words, self._tag)

    def close(self) -> None:
        """Finish the last topic."""
        for topic in list(self._ranked):
            self._end(topic)

    def _end(self, topic: bytes) -> None:
        self._first.pop(topic, None)
        rows = self._ranked.pop(topic, [])
        if rows:
            count_rank_faults(self.blocks[topic], rows)

    def _check_document(self, words: list[bytes], number: int) -> None:
        first = self._first.setdefault(words[0], {}).setdefault(words[2], number)
        if first != number:
            report_duplicate(self._file, number, words, first)
        if self._documents is not None and decode_word(words[2]) not in self._documents:
            report_unknown_document(self._file, number, decode_word(words[2]))

    def _check_order(self, words: list[bytes], number: int) -> None:
        score = float(words[4]) if SCORE.fullmatch(words[4]) else float("nan")
        if not isfinite(score):
            report_score(self._file, number, words)
        if not RANK.fullmatch(words[3]):
            report_rank(self._file, number, words)
        elif isfinite(score):
            self._ranked.setdefault(words[0], []).append((int(words[3]), score, number))


def count_rank_faults(block: Block, rows: list[tuple[int, float, int]]) -> None:
    """Count contradictions of rank and score, and tied neighbours, of (rank, score, line).

    >>> block = Block("301", 1)
    >>> count_rank_faults(block, [(1, 9.0, 1), (2, 9.5, 2), (3, 9.5, 3)])
    >>> block.contradictions, block.contradicted, block.ties
    (1, 2, 2)
    """
    rows.sort(key=lambda row: row[0])
    tied = False
    for (upper, above, _), (lower, below, line) in pairwise(rows):
        if above == below:
            block.ties += 1 if tied else 2
        elif upper < lower and below > above:
            block.contradictions += 1
            block.contradicted = block.contradicted or line
        tied = above == below


def _check_nested(run: Mapping[Any, Any], file: File, expectations: Expectations) -> None:
    """Check a run of nested dicts, JSON or a data frame, which has no lines, ranks or tag."""
    blocks: list[Block] = []
    expected = "a mapping from document to score"
    for topic, documents in run.items():
        if not hasattr(documents, "items"):
            file.error("fields", None, f"topic {topic}: {type(documents).__name__}", expected, f"write {expected}")
            continue
        block = Block(str(topic), None, len(documents))
        scores: list[float] = []
        for document, score in documents.items():
            try:
                value = float("nan" if isinstance(score, (str, bytes)) else score)
            except (TypeError, ValueError, OverflowError):
                value = float("nan")
            if isfinite(value):
                scores.append(value)
            else:
                message = f"score {score!r:.40} of document {document}, topic {topic}"
                file.error("score", None, message, "a finite number", "write the number the system computed")
            if expectations.documents is not None and str(document) not in expectations.documents:
                report_unknown_document(file, None, str(document))
        block.ties = sum(count for count in Counter(scores).values() if count > 1)
        blocks.append(block)
        if not documents:
            message = f"topic {topic} has no document"
            file.warning("missing-topic", None, message, "documents", "remove the topic, or submit its documents")
    file.lines = sum(block.count for block in blocks)
    if not run:
        file.error("empty", None, "no topic", expected + " for each topic", "submit the run itself")
    check_blocks(blocks, file, expectations)


Lines = int | Sequence[int]
MANY = 16
"""Lines with at least so many fields are one finding."""


def report_field_count(file: File, lines: Lines, fields: int, count: int = 1) -> None:
    """Report lines with too few or too many fields.

    >>> file = File("a.run")
    >>> report_field_count(file, [3, 4], 5, 7)
    >>> file.findings[0].found, file.findings[0].lines, file.findings[0].count
    ('5 fields', [3, 4], 7)
    """
    mend = "write all six, without blanks inside them"
    expected = f"6 fields ({RUN_LINE})"
    file.error("fields", lines, f"{fields} fields", expected, mend, group=min(fields, MANY), count=count)


def report_zero_byte(file: File, lines: Lines, count: int = 1) -> None:
    """Report lines with a zero byte."""
    file.error("encoding", lines, "a zero byte", "text in UTF-8", "save the file as UTF-8", group="zero", count=count)


def report_encoding(file: File, number: int, line: bytes) -> None:
    """Report the first byte of a line that is not UTF-8, if any.

    >>> file = File("a.run")
    >>> report_encoding(file, 1, "é".encode()), report_encoding(file, 2, b"\\xe9")
    (None, None)
    >>> [(finding.found, finding.lines) for finding in file.findings]
    [('the byte 0xe9, which is not UTF-8', [2])]
    """
    try:
        line.decode()
    except UnicodeDecodeError as problem:
        message = f"the byte 0x{line[problem.start]:02x}, which is not UTF-8"
        file.error("encoding", number, message, "text in UTF-8", "save the file as UTF-8")


def report_duplicate(file: File, lines: Lines, words: Sequence[bytes], first: int, count: int = 1) -> None:
    """Report a document that its topic has already on line `first`."""
    message = f"document {decode_word(words[2])} a second time in topic {decode_word(words[0])}, first on line {first}"
    file.error("duplicate", lines, message, "every document once in a topic", "remove one of the two", count=count)


def report_score(file: File, lines: Lines, words: Sequence[bytes], count: int = 1) -> None:
    """Report a score that is not a finite number."""
    mend = "write the number that the system computed, or remove the document"
    message = f"score {decode_word(words[4])!r:.40}"
    file.error("score", lines, message, "a finite number (field 5)", mend, count=count)


def report_rank(file: File, lines: Lines, words: Sequence[bytes], count: int = 1) -> None:
    """Report a rank that is not a whole number."""
    message = f"rank {decode_word(words[3])!r:.40}"
    mend = "number the documents of a topic from 1"
    file.warning("rank", lines, message, "a whole number (field 4)", mend, count=count)


def report_second_tag(file: File, lines: Lines, words: Sequence[bytes], tag: tuple[bytes, int], count: int = 1) -> None:
    """Report a tag that differs from that of the first line; the file keeps two tags."""
    first_tag, line = tag
    if len(file.tags) < 2:
        file.tags.append(decode_word(words[5]))
    message = f"tag {decode_word(words[5])} after {decode_word(first_tag)} on line {line}"
    file.error("tags", lines, message, "one tag in a file", "submit each run in a separate file", count=count)


def report_unknown_document(file: File, lines: Lines | None, document: str) -> None:
    """Report a document that the collection does not have."""
    mend = "compare the ids with those of the collection: a prefix, an ending or another version"
    file.warning("unknown-document", lines, f"document {document}", "a document of the collection", mend)


def run_lines(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Yield number, bytes and words of every line that is neither blank nor a comment."""
    for number, line in lines:
        words = line.split()
        if words and not words[0].startswith(b"#"):
            yield number, line, words


def decode_word(word: bytes) -> str:
    """Decode a word, keeping bytes that are not UTF-8 as surrogates."""
    return word.decode("utf-8", "surrogateescape")


class Block(msgspec.Struct, eq=False):
    """The lines of one topic: first line, count, tied neighbours, and ranks that contradict the scores."""

    topic: str
    line: int | None
    count: int = 0
    ties: int = 0
    contradictions: int = 0
    contradicted: int = 0


def survey(source: Source, file: File, expectations: Expectations) -> list[Block] | None:
    """Survey a run with the core: return its topics and report faulty lines; None without core or memory.

    First without keeping finished topics. If a topic recurs, as in a run sorted by rank, the run is read again and all topics are
    kept.
    """
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
            finished, used, more = fed
            if expectations.documents is not None or not rest.isascii():
                _report_ids(rest[:used], line, file, expectations)
            for topic, *numbers in finished:
                if topic in blocks:
                    return None
                blocks[topic] = Block(decode_word(topic), *numbers)
            rest = rest[used:]
    _report_seen(surveyor.seen, file)
    return list(blocks.values())


def _report_ids(data: bytes, line: int, file: File, expectations: Expectations) -> None:
    """Report what the core does not check: bytes that are not UTF-8, documents outside the collection."""
    documents = expectations.documents
    encoded = data.isascii() or _is_text(data)
    if encoded and (documents is None or _in_collection(data, documents)):
        return
    for number, bytes_of, words in run_lines(enumerate(data.split(b"\n"), line)):
        if b"\0" in bytes_of:
            continue
        if not encoded:
            report_encoding(file, number, bytes_of)
        if documents is not None and len(words) == 6 and decode_word(words[2]) not in documents:
            report_unknown_document(file, number, decode_word(words[2]))


def _report_seen(seen: Mapping[int, core.Seen], file: File) -> None:
    """Report every fault the core counted."""
    tag = b"", 0
    for kind in sorted(seen):
        fault = seen[kind]
        words, lines, count = fault.text.split(), fault.lines, fault.count
        if kind == core.LINES:
            file.lines = count
        elif kind == core.TAGGED:
            tag = words[5], lines[0]
            file.tags = [decode_word(tag[0])]
        elif kind == core.ZERO:
            report_zero_byte(file, lines, count)
        elif kind == core.TWICE:
            report_duplicate(file, lines, words, fault.before, count)
        elif kind == core.UNSCORED:
            report_score(file, lines, words, count)
        elif kind == core.UNRANKED:
            report_rank(file, lines, words, count)
        elif kind == core.OTHERWISE:
            report_second_tag(file, lines, words, tag, count)
        else:
            report_field_count(file, lines, len(words), count)


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
