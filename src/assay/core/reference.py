"""The core in plain Python, for installations without a C compiler and as the reference of its tests."""

from __future__ import annotations

import re
import struct

from assay.core.binding import BINARY, DUPLICATE, FIELDS, GRADE, INTERLEAVED, SCORE, Problem
from assay.core.ties import best_first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping

# float() takes more than a score may be: NaN, 1_000, digits of other scripts.
_number = re.compile(rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity)", re.IGNORECASE)
_grade = re.compile(rb"[+-]?[0-9]{1,9}")
_float32 = struct.Struct("f")


def _words(line: bytes, number: int) -> list[bytes]:
    """Return the fields of a line; none for a blank line or a comment."""
    if number == 1:
        line = line.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in line:
        raise Problem(BINARY, number)
    words = line.split()
    return [] if words and words[0].startswith(b"#") else words


class Gold:
    """Judgments, shared by all runs: topics in byte order, a topic's documents in the order they were given."""

    def __init__(self, judgments: Mapping[bytes, Mapping[bytes, int]]) -> None:
        self.ids: list[bytes] = sorted(judgments)
        self.topics: list[str] = [topic.decode("utf-8", "surrogateescape") for topic in self.ids]
        self.position: dict[bytes, int] = {topic: i for i, topic in enumerate(self.ids)}
        self._judged = [judgments[topic] for topic in self.ids]
        self.largest: int = max(map(len, self._judged), default=0)
        self.numbers: list[dict[bytes, int]] = [{d: i for i, d in enumerate(judged)} for judged in self._judged]

    @classmethod
    def read(cls, data: bytes) -> Gold:
        """Parse the text of a qrels file."""
        judgments: dict[bytes, dict[bytes, int]] = {}
        lines: dict[tuple[bytes, bytes], int] = {}
        rows: list[tuple[bytes, bytes, int, int]] = []
        for number, line in enumerate(data.split(b"\n"), 1):
            words = _words(line, number)
            if not words:
                continue
            if len(words) != 4:
                raise Problem(FIELDS, number, fields=len(words))
            if not _grade.fullmatch(words[3]):
                raise Problem(GRADE, number, text=words[3])
            rows.append((words[0], words[2], int(words[3]), number))
        for topic, document, grade, number in rows:
            first = lines.setdefault((topic, document), number)
            if first != number:
                raise Problem(DUPLICATE, number, other=first, text=document, topic=topic)
            judgments.setdefault(topic, {})[document] = grade
        return cls(judgments)

    @classmethod
    def pack(cls, topics: bytes, documents: bytes, counts: array[int], grades: array[int]) -> Gold:
        """Build judgments from columns: ids joined by zero bytes, `counts[t]` documents for topic t."""
        ids = documents.split(b"\0") if grades else []
        judgments: dict[bytes, dict[bytes, int]] = {}
        at = 0
        for topic, count in zip(topics.split(b"\0") if counts else [], counts, strict=True):
            judgments[topic] = dict(zip(ids[at : at + count], grades[at : at + count], strict=True))
            at += count
        return cls(judgments)

    def grades(self, topic: int) -> list[int]:
        """Return the grades of a topic's documents, highest first."""
        return sorted(self._judged[topic].values(), reverse=True)

    def documents(self, topic: int) -> list[tuple[str, int]]:
        """Return a topic's documents with their grades, in the order of the file."""
        return [(d.decode("utf-8", "surrogateescape"), grade) for d, grade in self._judged[topic].items()]

    def judged(self, topic: int) -> Mapping[bytes, int]:
        return self._judged[topic]


class Ranked:
    """The ranks of the judged documents of each topic in one run."""

    def __init__(self, gold: Gold) -> None:
        topics = len(gold.topics)
        self._gold = gold
        self.num_ret: list[int] = [-1] * topics
        self._relevant: list[tuple[list[int], list[int], list[int]]] = [([], [], []) for _ in range(topics)]
        self._pooled: list[tuple[list[int], list[int]]] = [([], []) for _ in range(topics)]
        self.tag = ""
        self.lines = 0
        self.ignored = 0
        self.unjudged_topic = ""

    def relevant(self, topic: int) -> tuple[list[int], list[int], list[int]]:
        """Return ranks and grades of the documents with a grade above 0, and how many of grade 0 rank above each."""
        return self._relevant[topic]

    def pooled(self, topic: int) -> tuple[list[int], list[int]]:
        """Return the ranks of all retrieved documents in the gold, and their indices there."""
        return self._pooled[topic]

    def graded(self, topic: int, least: int) -> tuple[list[int], list[int]]:
        """Return the same of the documents with at least a grade."""
        grades = [*self._gold.judged(topic).values()]
        kept = [(rank, number) for rank, number in zip(*self._pooled[topic], strict=True) if grades[number] >= least]
        return [rank for rank, _ in kept], [number for _, number in kept]

    def pooled_grades(self, topic: int) -> list[tuple[int, int]]:
        """Return rank and grade of all retrieved documents in the gold."""
        grades = [*self._gold.judged(topic).values()]
        return [(rank, grades[number]) for rank, number in zip(*self._pooled[topic], strict=True)]


class Ranker:
    """Reads and ranks one run, in any number of pieces; `compiled.Ranker` documents the options."""

    def __init__(
        self, gold: Gold, *, depth: int | None = None, float32: bool = False, judged_only: bool = False,
        keep: bool = False, any_fields: bool = False, ascending_ties: bool = False, relevant_only: bool = False,
    ) -> None:  # fmt: skip
        del relevant_only  # an option that only saves memory
        self._gold = gold
        self._depth = depth
        self._float32 = float32
        self._judged_only = judged_only
        self._keep = keep
        self._any_fields = any_fields
        self._ascending_ties = ascending_ties
        self._carry = b""
        self._number = 0
        self._topic: bytes | None = None
        self._blocks: dict[int, list[tuple[float, bytes, int]]] = {}
        self._ignored: set[bytes] = set()
        self._ranked = Ranked(gold)

    def feed(self, chunk: bytes) -> None:
        """Parse the next bytes of a run file."""
        *lines, self._carry = (self._carry + chunk).split(b"\n")
        for line in lines:
            self._read_line(line)

    def pack(self, topic: bytes, documents: bytes, scores: array[float]) -> None:
        """Rank one topic from memory: ids joined by zero bytes."""
        self._ranked.lines += len(scores)
        block = self._block(topic)
        if block is None:
            return
        for i, (document, score) in enumerate(zip(documents.split(b"\0") if scores else [], scores, strict=True), 1):
            if score != score:
                raise Problem(SCORE, i, text=b"nan", topic=topic)
            block.append((self._score(score), document, i))

    def finish(self) -> Ranked:
        """End the run and return its result."""
        if self._carry:
            self._read_line(self._carry)
        for topic in list(self._blocks):
            self._close(topic)
        self._ranked.ignored = len(self._ignored)
        return self._ranked

    def _read_line(self, line: bytes) -> None:
        self._number += 1
        words = _words(line, self._number)
        if not words:
            return
        if len(words) < 6 or (len(words) > 6 and not self._any_fields):
            raise Problem(FIELDS, self._number, fields=len(words))
        if not _number.fullmatch(words[4]):
            raise Problem(SCORE, self._number, text=words[4])
        self._ranked.lines += 1
        self._ranked.tag = words[5].decode("utf-8", "surrogateescape")
        block = self._block(words[0])
        if block is not None:
            block.append((self._score(float(words[4])), words[2], self._number))

    def _score(self, score: float) -> float:
        if not self._float32:
            return score
        try:
            return _float32.unpack(_float32.pack(score))[0]
        except OverflowError:
            return float("inf") if score > 0 else float("-inf")

    def _block(self, topic: bytes) -> list[tuple[float, bytes, int]] | None:
        """Return the open block of a topic; None where it has no judgments."""
        number = self._gold.position.get(topic)
        if topic != self._topic:
            if not self._keep:
                for closed in list(self._blocks):
                    self._close(closed)
            if number is None:
                self._ignored.add(topic)
                self._ranked.unjudged_topic = topic.decode("utf-8", "surrogateescape")
            elif self._ranked.num_ret[number] >= 0:
                raise Problem(INTERLEAVED)
            self._topic = topic
        return None if number is None else self._blocks.setdefault(number, [])

    def _close(self, topic: int) -> None:
        """Sort a complete topic, check it, and keep the ranks of its judged documents."""
        documents = best_first(self._blocks.pop(topic), ascending_ids=self._ascending_ties)[: self._depth]
        if len({document for _, document, _ in documents}) < len(documents):
            first: dict[bytes, int] = {}
            for _, document, line in sorted(documents, key=lambda d: d[2]):
                if document in first:
                    raise Problem(DUPLICATE, line, other=first[document], text=document, topic=self._gold.ids[topic])
                first[document] = line
        judged, numbers = self._gold.judged(topic), self._gold.numbers[topic]
        ranks, grades, above = self._ranked.relevant(topic)
        pooled_ranks, pooled_numbers = self._ranked.pooled(topic)
        rank = nonrelevant = 0
        for _, document, _ in documents:
            grade = judged.get(document)
            if self._judged_only and (grade is None or grade < 0):
                continue
            rank += 1
            if grade is None:
                continue
            pooled_ranks.append(rank)
            pooled_numbers.append(numbers[document])
            if grade > 0:
                ranks.append(rank)
                grades.append(grade)
                above.append(nonrelevant)
            elif grade == 0:
                nonrelevant += 1
        self._ranked.num_ret[topic] = rank
