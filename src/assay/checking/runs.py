"""Ranked runs, looked at line by line: all that is wrong, each kind counted.

Whoever reads six million lines in Python waits; `survey.py` asks the core first whether there is anything to look for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import isfinite
from typing import Any

from assay.checking.findings import File
from assay.checking.survey import Block, survey
from assay.checking.wanted import Wanted, look_at_topics, numbered
from assay.formats import frames
from assay.formats.sources import Source
from assay.formats.trec import LINES, RUN_LINE, nested

SCORE = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
RANK = re.compile(rb"[+-]?[0-9]{1,18}")


def check_run(source: Source, file: File, wanted: Wanted) -> None:
    """Every finding of a ranked run, in whatever shape it comes."""
    if source.head.shape not in LINES:
        _check_nested(nested(source, frames.SCORE), file, wanted)
        return
    blocks, tag = survey(source, wanted) or _walk(source, file, wanted)
    file.tags = file.tags or ([tag] if tag is not None else [])
    file.lines = file.lines or sum(block.count for block in blocks)
    if not file.lines and not file.count("error"):
        file.error(
            "empty", None, "no line that says anything", f"lines of 6 fields ({RUN_LINE})", "submit the run itself"
        )
    _look_at_tags(file, wanted)
    look_at_blocks(blocks, file, wanted)


def look_at_blocks(blocks: list[Block], file: File, wanted: Wanted) -> None:
    """What topics tell: which they are, how deep, in which order and how often tied."""
    topics: dict[str, tuple[int | None, int]] = {}
    for block in blocks:
        line, count = topics.get(block.topic, (block.line, 0))
        topics[block.topic] = line, count + block.count
    file.deepest = max((count for _, count in topics.values()), default=0)
    depth = wanted.rules.depth
    for topic, (line, count) in topics.items():
        if depth is not None and count > depth:
            mend = f"submit the first {depth:,} documents of each topic"
            file.error("depth", line, f"{count:,} documents for topic {topic}", f"at most {depth:,} a topic", mend)
    look_at_topics(file, topics, wanted)
    for block in blocks:
        if block.contradictions:
            told = f"a lower rank with a higher score, in topic {block.topic}"
            expected = "scores that fall as the rank column rises; the scores decide, and ranks are not read"
            mend = "sort by score before numbering, or write scores that give the order you mean"
            file.warning("rank-order", block.contradicted, told, expected, mend, count=block.contradictions)
    tied = sum(block.ties for block in blocks)
    if tied > wanted.rules.ties * file.lines:
        first = next(block for block in blocks if block.ties)
        told = f"{tied:,} of {file.lines:,} documents have the score of another, first in topic {first.topic}"
        mend = "write scores with more digits; tied documents are ordered by their ids, whatever the rank column says"
        file.warning("ties", first.line, told, f"at most {wanted.rules.ties:.0%} of them", mend, count=tied)


def _look_at_tags(file: File, wanted: Wanted) -> None:
    pattern = wanted.rules.tag
    for tag in file.tags if pattern is not None else []:
        if pattern is not None and not pattern.fullmatch(tag):
            mend = "give the run another tag, in the last field of every line"
            file.error("tag-pattern", None, f"tag {tag!r:.80}", f"what matches {pattern.pattern}", mend, group=tag)


def _walk(source: Source, file: File, wanted: Wanted) -> tuple[list[Block], str | None]:
    """Every line of a run, and what is left of its topics."""
    walk = _Walk(file, wanted, _returning(source))
    for number, words in _worded(source, file, wanted):
        walk.add(number, words)
    walk.close()
    return list(walk.blocks.values()), None


def _returning(source: Source) -> set[bytes]:
    """Topics that come back after another: of all others, a document is forgotten when its topic ends."""
    before, seen, found = b"", set[bytes](), set[bytes]()
    for line in source.lines():
        words = line.split(None, 1)
        if words and words[0] != before and not words[0].startswith(b"#"):
            before = words[0]
            if before in seen:
                found.add(before)
            seen.add(before)
    return found


def _worded(source: Source, file: File, wanted: Wanted) -> Iterator[tuple[int, list[bytes]]]:
    """Number and fields of every line that has six of them."""
    for number, line in numbered(source, wanted):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        file.lines += 1
        if not _is_text(line, number, file):
            continue
        if len(words) != 6:
            mend = "write all six, with no blank inside any of them"
            file.error("fields", number, f"{len(words)} fields", f"6 fields ({RUN_LINE})", mend, group=len(words))
            continue
        yield number, words


def _is_text(line: bytes, number: int, file: File) -> bool:
    """Whether a line can be read at all; bytes that are no UTF-8 are told, and read."""
    if b"\0" in line:
        file.error("encoding", number, "a zero byte", "text in UTF-8", "save the file as UTF-8", group="zero")
        return False
    if not line.isascii():
        try:
            line.decode()
        except UnicodeDecodeError as problem:
            told = f"the byte 0x{line[problem.start]:02x}, which is no UTF-8"
            file.error("encoding", number, told, "text in UTF-8", "save the file as UTF-8")
    return True


class _Walk:
    """What is known of a run at one of its lines."""

    def __init__(self, file: File, wanted: Wanted, returning: set[bytes]) -> None:
        self.blocks: dict[bytes, Block] = {}
        self._file = file
        self._documents = wanted.documents
        self._returning = returning
        self._first: dict[bytes, dict[bytes, int]] = {}
        """By topic that is not over: the line of every document."""
        self._ranked: dict[bytes, list[tuple[int, float, int]]] = {}
        self._topic = b""
        self._tags: dict[bytes, int] = {}

    def add(self, number: int, words: list[bytes]) -> None:
        """One line of six fields."""
        topic, _, document, rank, written, tag = words
        if topic != self._topic:
            if self._topic not in self._returning:
                self._end(self._topic)
            self._topic = topic
        block = self.blocks.get(topic)
        if block is None:
            block = self.blocks[topic] = Block(_text(topic), number)
        block.count += 1
        self._look_at_document(topic, document, number)
        score = self._score(written, number)
        place = self._rank(rank, number)
        if score is not None and place is not None:
            self._ranked.setdefault(topic, []).append((place, score, number))
        self._look_at_tag(tag, number)

    def close(self) -> None:
        """The run has ended."""
        for topic in list(self._ranked):
            self._end(topic)

    def _end(self, topic: bytes) -> None:
        self._first.pop(topic, None)
        rows = self._ranked.pop(topic, [])
        if rows:
            look_at_order(self.blocks[topic], rows)

    def _look_at_document(self, topic: bytes, document: bytes, number: int) -> None:
        first = self._first.setdefault(topic, {}).setdefault(document, number)
        if first != number:
            told = f"document {_text(document)} a second time in topic {_text(topic)}, first on line {first}"
            self._file.error("duplicate", number, told, "every document once in a topic", "remove one of the two")
        if self._documents is not None and _text(document) not in self._documents:
            _unknown_document(self._file, _text(document), number)

    def _score(self, written: bytes, number: int) -> float | None:
        score = float(written) if SCORE.fullmatch(written) else float("nan")
        if isfinite(score):
            return score
        mend = "write the number the system computed; leave out a document that has none"
        told = f"score {_text(written)!r:.40}"
        self._file.error("score", number, told, "a finite number (field 5)", mend)
        return None

    def _rank(self, written: bytes, number: int) -> int | None:
        if RANK.fullmatch(written):
            return int(written)
        told = f"rank {_text(written)!r:.40}"
        self._file.warning("rank", number, told, "a whole number (field 4)", "number the documents of a topic from 1")
        return None

    def _look_at_tag(self, tag: bytes, number: int) -> None:
        if tag not in self._tags:
            self._tags[tag] = number
            self._file.tags.append(_text(tag))
        one = next(iter(self._tags))
        if tag != one:
            told = f"tag {_text(tag)} after {_text(one)} on line {self._tags[one]}"
            self._file.error("tags", number, told, "one tag in a file", "submit each run in a file of its own")


def look_at_order(block: Block, rows: list[tuple[int, float, int]]) -> None:
    """Where ranks and scores disagree, and how many neighbours are tied: (rank, score, line) of a topic's documents.

    >>> block = Block("301", 1)
    >>> look_at_order(block, [(1, 9.0, 1), (2, 9.5, 2), (3, 9.5, 3)])
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


def _unknown_document(file: File, document: str, line: int | None) -> None:
    mend = "check the ids against the collection's own: a prefix, an ending or another version of it"
    file.warning("unknown-document", line, f"document {document}", "a document of the collection", mend)


def _check_nested(found: Mapping[Any, Any], file: File, wanted: Wanted) -> None:
    """A run of topics that hold documents, as JSON, dicts or a data frame: no lines, no ranks, no tag."""
    blocks: list[Block] = []
    expected = "a mapping from document to score"
    for topic, documents in found.items():
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
                told = f"score {score!r:.40} of document {document}, topic {topic}"
                file.error("score", None, told, "a finite number", "write the number the system computed")
            if wanted.documents is not None and str(document) not in wanted.documents:
                _unknown_document(file, str(document), None)
        block.ties = sum(count for count in Counter(scores).values() if count > 1)
        blocks.append(block)
        if not documents:
            told = f"topic {topic} holds no document"
            file.warning("missing-topic", None, told, "documents", "leave the topic out, or say what was found")
    file.lines = sum(block.count for block in blocks)
    if not blocks:
        file.error("empty", None, "no topic", expected + " for each topic", "submit the run itself")
    look_at_blocks(blocks, file, wanted)


def _text(word: bytes) -> str:
    return word.decode("utf-8", "surrogateescape")
