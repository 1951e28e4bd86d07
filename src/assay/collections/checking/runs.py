"""Check ranked runs: the lines of a topic together where they have no fault, one by one where they may have one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import isfinite
from operator import gt
from typing import Any

import msgspec

from assay.collections.checking.expectations import Expectations, check_topics, numbered
from assay.collections.checking.findings import File
from assay.formats import frames
from assay.formats.ranked.trec import RUN_LINE, is_read_by_core, nested
from assay.formats.recognition import reader_named
from assay.io.sources import Source

SCORE = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
MAX_RANK_DIGITS = 18
MANY_FIELDS = 16
"""Lines with at least so many fields are one finding."""
RANK = re.compile(rb"[+-]?[0-9]{1,%d}" % MAX_RANK_DIGITS)


def check_run(source: Source, file: File, expectations: Expectations) -> None:
    """Report every finding of a ranked run, as lines, JSON, dicts or a data frame."""
    if file.format not in (None, "trec-run"):
        _check_nested(reader_named(file.format).read(source), file, expectations)
        return
    if not is_read_by_core(source.head):
        _check_nested(nested(source, frames.SCORE), file, expectations)
        return
    blocks = _walk(source, file, expectations)
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


def _walk(
    source: Source, file: File, expectations: Expectations, recurring: frozenset[bytes] = frozenset()
) -> list[Block]:
    """Check every line of a run, and return its topics; a run whose topics recur is read again."""
    findings = File(file.name)
    walk = _Walk(findings, expectations, recurring)
    for number, lines in _stretches(numbered(source, expectations)):
        if not walk.add(number, lines):
            return _walk(source, file, expectations, _recurring(source))
    walk.close()
    file.take(findings)
    return list(walk.blocks.values())


def _recurring(source: Source) -> frozenset[bytes]:
    """Return the topics with several stretches of lines."""
    stretches = Counter(lines[0].split(None, 1)[0] for _, lines in _stretches(enumerate(source.lines(), 1)))
    return frozenset(topic for topic, count in stretches.items() if count > 1)


def _stretches(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield contiguous lines with the same first word, and the first number; skip blanks and comments.

    >>> list(_stretches(enumerate([b"1 Q0 a", b"1 Q0 b", b"", b"1 Q0 c", b"10 Q0 a"], 1)))
    [(1, [b'1 Q0 a', b'1 Q0 b']), (4, [b'1 Q0 c']), (5, [b'10 Q0 a'])]
    """
    stretch: list[bytes] = []
    first, prefix = 0, b""
    for number, line in lines:
        if prefix and line.startswith(prefix):
            stretch.append(line)
            continue
        if stretch:
            yield first, stretch
        words = line.split(None, 1)
        is_content = bool(words) and not words[0].startswith(b"#")
        first, stretch = number, [line] if is_content else []
        # With the blank behind the word: topic 10 does not begin as topic 1 does.
        prefix = line[: line.index(words[0]) + len(words[0]) + 1] if is_content and len(words) > 1 else b""
    if stretch:
        yield first, stretch


class _Walk:
    """The state of a walk over the lines of a run.

    recurring   topics whose documents are kept to the end; those of the others only while their lines are read
    """

    def __init__(self, file: File, expectations: Expectations, recurring: frozenset[bytes]) -> None:
        self.blocks: dict[bytes, Block] = {}
        self._file = file
        self._documents = expectations.documents
        self._recurring = recurring
        self._finished: set[bytes] = set()
        self._first: dict[bytes, dict[bytes, int]] = {}
        """The line of every document of the unfinished topics."""
        self._ranked: dict[bytes, list[tuple[int, float, int]]] = {}
        self._tag: tuple[bytes, int] | None = None

    def add(self, number: int, lines: list[bytes]) -> bool:
        """Check a stretch of lines of one topic; False where the topic was taken for finished."""
        rows = [line.split() for line in lines]
        topic = rows[0][0]
        if topic in self._finished:
            return False
        self._file.lines += len(lines)
        if topic not in self._recurring:
            self._finished.add(topic)
            if self._add_faultless(number, b"\n".join(lines), rows):
                return True
        for at, (line, words) in enumerate(zip(lines, rows, strict=True), number):
            self._add_line(at, line, words)
        if topic not in self._recurring:
            self._end(topic)
        return True

    def _add_faultless(self, number: int, text: bytes, rows: list[list[bytes]]) -> bool:
        """Add a topic at once, four times as fast as line by line; False where a line may have a fault."""
        if {*map(len, rows)} != {6} or b"\0" in text or not _is_text(text):
            return False
        topic = rows[0][0]
        _, _, documents, ranks, scores, tags = zip(*rows, strict=True)
        if self._tag is None or {*tags} != {self._tag[0]} or len({*documents}) < len(documents):
            return False
        if self._documents is not None and not self._documents.issuperset(map(decode_word, documents)):
            return False
        if b"".join(scores).translate(None, b"+-.0123456789eE") or not b"".join(ranks).isdigit():
            return False
        try:
            values = [*map(float, scores)]
        except ValueError:
            return False
        if not all(map(isfinite, values)) or max(map(len, ranks)) > MAX_RANK_DIGITS:
            return False
        block = self.blocks[topic] = Block(decode_word(topic), number, len(rows))
        order = [*map(int, ranks)]
        if order != sorted(order) or not all(map(gt, values, values[1:])):
            count_rank_faults(block, [*zip(order, values, range(number, number + len(rows)), strict=True)])
        return True

    def _add_line(self, number: int, line: bytes, words: list[bytes]) -> None:
        if b"\0" in line:
            mend = "save the file as UTF-8"
            self._file.error("encoding", number, "a zero byte", "text in UTF-8", mend, group="zero")
            return
        if not line.isascii():
            report_encoding(self._file, number, line)
        if len(words) != 6:
            mend, group = "write all six, without blanks inside them", min(len(words), MANY_FIELDS)
            self._file.error("fields", number, f"{len(words)} fields", f"6 fields ({RUN_LINE})", mend, group=group)
            return
        topic = words[0]
        block = self.blocks.get(topic)
        if block is None:
            block = self.blocks[topic] = Block(decode_word(topic), number)
        block.count += 1
        self._check_document(words, number)
        self._check_order(words, number)
        self._check_tag(words[5], number)

    def close(self) -> None:
        """Finish the topics with several stretches."""
        for topic in list(self._ranked):
            self._end(topic)

    def _end(self, topic: bytes) -> None:
        self._first.pop(topic, None)
        rows = self._ranked.pop(topic, [])
        if rows:
            count_rank_faults(self.blocks[topic], rows)

    def _check_document(self, words: list[bytes], number: int) -> None:
        topic, document = decode_word(words[0]), decode_word(words[2])
        first = self._first.setdefault(words[0], {}).setdefault(words[2], number)
        if first != number:
            message = f"document {document} a second time in topic {topic}, first on line {first}"
            self._file.error("duplicate", number, message, "every document once in a topic", "remove one of the two")
        if self._documents is not None and document not in self._documents:
            report_unknown_document(self._file, number, document)

    def _check_order(self, words: list[bytes], number: int) -> None:
        score = float(words[4]) if SCORE.fullmatch(words[4]) else float("nan")
        if not isfinite(score):
            mend = "write the number that the system computed, or remove the document"
            message = f"score {decode_word(words[4])!r:.40}"
            self._file.error("score", number, message, "a finite number (field 5)", mend)
        if not RANK.fullmatch(words[3]):
            mend = "number the documents of a topic from 1"
            self._file.warning("rank", number, f"rank {decode_word(words[3])!r:.40}", "a whole number (field 4)", mend)
        elif isfinite(score):
            self._ranked.setdefault(words[0], []).append((int(words[3]), score, number))

    def _check_tag(self, tag: bytes, number: int) -> None:
        """Report a tag that differs from that of the first line; the file keeps two tags."""
        if self._tag is None:
            self._tag = tag, number
            self._file.tags = [decode_word(tag)]
        elif tag != self._tag[0]:
            first, line = self._tag
            if len(self._file.tags) < 2:
                self._file.tags.append(decode_word(tag))
            message = f"tag {decode_word(tag)} after {decode_word(first)} on line {line}"
            self._file.error("tags", number, message, "one tag in a file", "submit each run in a separate file")


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


def report_unknown_document(file: File, number: int | None, document: str) -> None:
    """Report a document that the collection does not have."""
    mend = "compare the ids with those of the collection: a prefix, an ending or another version"
    file.warning("unknown-document", number, f"document {document}", "a document of the collection", mend)


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


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
