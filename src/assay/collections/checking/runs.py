"""Check a ranked run line by line, and count each kind of fault.

`run_survey.py` does the same in C, for runs of millions of lines, where the core is available.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from math import isfinite
from typing import Any

from assay.collections.checking import run_faults
from assay.collections.checking.expectations import Expectations, look_at_topics, numbered
from assay.collections.checking.findings import File
from assay.collections.checking.run_survey import Block, survey
from assay.formats import frames
from assay.formats.ranked.trec import LINES, RUN_LINE, nested
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
        file.error(
            "empty", None, "no line that says anything", f"lines of 6 fields ({RUN_LINE})", "submit the run itself"
        )
    _look_at_tags(file, expectations)
    look_at_blocks(blocks, file, expectations)


def look_at_blocks(blocks: list[Block], file: File, expectations: Expectations) -> None:
    """Report what the topics show: ids, depth, order of ranks, share of ties."""
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
    look_at_topics(file, topics, expectations)
    for block in blocks:
        if block.contradictions:
            message = f"a lower rank with a higher score, in topic {block.topic}"
            expected = "scores that fall as the rank column rises; the scores decide, and ranks are not read"
            mend = "sort by score before numbering, or write scores that give the order you mean"
            file.warning("rank-order", block.contradicted, message, expected, mend, count=block.contradictions)
    tied = sum(block.ties for block in blocks)
    if tied > expectations.rules.ties * file.lines:
        first = next(block for block in blocks if block.ties)
        message = f"{tied:,} of {file.lines:,} documents have the score of another, first in topic {first.topic}"
        mend = "write scores with more digits; tied documents are ordered by their ids, whatever the rank column says"
        file.warning("ties", first.line, message, f"at most {expectations.rules.ties:.0%} of them", mend, count=tied)


def _look_at_tags(file: File, expectations: Expectations) -> None:
    pattern = expectations.rules.tag
    for tag in file.tags if pattern is not None else []:
        if pattern is not None and not pattern.fullmatch(tag):
            mend = "give the run another tag, in the last field of every line"
            file.error("tag-pattern", None, f"tag {tag!r:.80}", f"what matches {pattern.pattern}", mend)


def _walk(source: Source, file: File, expectations: Expectations) -> list[Block]:
    """Check every line of a run, and return its topics."""
    walk = _Walk(file, expectations, _returning(source))
    for number, line, words in run_faults.run_lines(numbered(source, expectations)):
        file.lines += 1
        if b"\0" in line:
            run_faults.report_zero_byte(file, number)
            continue
        if not line.isascii():
            run_faults.report_encoding(file, number, line)
        if len(words) != 6:
            run_faults.report_field_count(file, number, len(words))
        else:
            walk.add(number, words)
    walk.close()
    return list(walk.blocks.values())


def _returning(source: Source) -> set[bytes]:
    """Return the topics whose lines are not contiguous; of all others documents can be forgotten early."""
    before, seen, returning = b"", set[bytes](), set[bytes]()
    for line in source.lines():
        words = line.split(None, 1)
        if words and words[0] != before and not words[0].startswith(b"#"):
            before = words[0]
            if before in seen:
                returning.add(before)
            seen.add(before)
    return returning


class _Walk:
    """The state of a walk over the lines of a run."""

    def __init__(self, file: File, expectations: Expectations, returning: set[bytes]) -> None:
        self.blocks: dict[bytes, Block] = {}
        self._file = file
        self._documents = expectations.documents
        self._returning = returning
        self._first: dict[bytes, dict[bytes, int]] = {}
        """By topic that is not over: the line of every document."""
        self._ranked: dict[bytes, list[tuple[int, float, int]]] = {}
        self._topic = b""
        self._tag: tuple[bytes, int] | None = None

    def add(self, number: int, words: list[bytes]) -> None:
        """Check one line of six fields."""
        topic = words[0]
        if topic != self._topic:
            if self._topic not in self._returning:
                self._end(self._topic)
            self._topic = topic
        block = self.blocks.get(topic)
        if block is None:
            block = self.blocks[topic] = Block(run_faults.decode_word(topic), number)
        block.count += 1
        self._look_at_document(words, number)
        self._look_at_order(words, number)
        if self._tag is None:
            self._tag = words[5], number
            self._file.tags = [run_faults.decode_word(words[5])]
        elif words[5] != self._tag[0]:
            run_faults.report_second_tag(self._file, number, words, self._tag)

    def close(self) -> None:
        """Finish the last topic."""
        for topic in list(self._ranked):
            self._end(topic)

    def _end(self, topic: bytes) -> None:
        self._first.pop(topic, None)
        rows = self._ranked.pop(topic, [])
        if rows:
            look_at_order(self.blocks[topic], rows)

    def _look_at_document(self, words: list[bytes], number: int) -> None:
        first = self._first.setdefault(words[0], {}).setdefault(words[2], number)
        if first != number:
            run_faults.report_duplicate(self._file, number, words, first)
        if self._documents is not None and run_faults.decode_word(words[2]) not in self._documents:
            run_faults.report_unknown_document(self._file, number, run_faults.decode_word(words[2]))

    def _look_at_order(self, words: list[bytes], number: int) -> None:
        score = float(words[4]) if SCORE.fullmatch(words[4]) else float("nan")
        if not isfinite(score):
            run_faults.report_score(self._file, number, words)
        if not RANK.fullmatch(words[3]):
            run_faults.report_rank(self._file, number, words)
        elif isfinite(score):
            self._ranked.setdefault(words[0], []).append((int(words[3]), score, number))


def look_at_order(block: Block, rows: list[tuple[int, float, int]]) -> None:
    """Count contradictions of rank and score, and tied neighbours, of (rank, score, line).

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
                run_faults.report_unknown_document(file, None, str(document))
        block.ties = sum(count for count in Counter(scores).values() if count > 1)
        blocks.append(block)
        if not documents:
            message = f"topic {topic} holds no document"
            file.warning("missing-topic", None, message, "documents", "leave the topic out, or say what was found")
    file.lines = sum(block.count for block in blocks)
    if not run:
        file.error("empty", None, "no topic", expected + " for each topic", "submit the run itself")
    look_at_blocks(blocks, file, expectations)
