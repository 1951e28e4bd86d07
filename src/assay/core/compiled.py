"""The compiled core as Python classes; `reference.py` has the same classes in plain Python."""

from __future__ import annotations

import ctypes

from assay.core import binding
from assay.core.binding import LIBRARY, MEMORY, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any

    from assay.core.measure_plans import KernelPlan

assert LIBRARY is not None, "assay.core chooses this module only when the core is loaded"
_library = LIBRARY


def _problem(error: Any) -> Problem:
    return Problem(error.code, error.line, other=error.other, fields=error.fields, text=error.text, topic=error.topic)


def _decode(address: int, length: int) -> str:
    return ctypes.string_at(address, length).decode("utf-8", "surrogateescape")


def _free(function: Any, owner: Any) -> None:
    """Free the memory behind a pointer; leak it silently where there is no memory for the call."""
    if getattr(owner, "pointer", None):
        try:  # noqa: SIM105 - suppressing would allocate
            function(owner.pointer)
        except (ctypes.ArgumentError, MemoryError):
            pass


class Gold:
    """Judgments, shared by all runs: topics in byte order, documents in the order of the file."""

    def __init__(self, pointer: Any, error: Any, *buffers: bytes) -> None:
        if not pointer:
            raise _problem(error)
        self.pointer = pointer
        self._buffers = buffers  # the core's ids point into them
        self._gold = pointer.contents
        self.largest: int = self._gold.largest
        """The number of documents of the largest topic."""
        self.topics: list[str] = _decode(self._gold.names, self._gold.named).split("\0") if self._gold.topics else []

    @classmethod
    def read(cls, data: bytes) -> Gold:
        """Parse the text of a qrels file."""
        error = binding.Error()
        return cls(_library.assay_gold_read(data, len(data), error), error, data)

    @classmethod
    def pack(cls, topics: bytes, documents: bytes, counts: array[int], grades: array[int]) -> Gold:
        """Build judgments from columns: ids joined by zero bytes, `counts[t]` documents for topic t."""
        error = binding.Error()
        pointer = _library.assay_gold_pack(
            topics, documents, len(counts), counts.buffer_info()[0], grades.buffer_info()[0], error
        )
        return cls(pointer, error, topics, documents)

    def grades(self, topic: int) -> list[int]:
        """Return the grades of a topic's documents, highest first."""
        t = self._gold.topic[topic]
        return self._gold.grades[t.first : t.first + t.count]

    def documents(self, topic: int) -> list[tuple[str, int]]:
        """Return a topic's documents with their grades, in the order of the file."""
        t = self._gold.topic[topic]
        return [(_decode(d.id, d.length), d.grade) for d in self._gold.document[t.first : t.first + t.count]]

    def __del__(self) -> None:
        _free(_library.assay_gold_free, self)


class Ranked:
    """The ranks of the judged documents of each topic in one run."""

    def __init__(self, ranker: Ranker, topics: int) -> None:
        result = binding.Ranked()
        _library.assay_ranker_result(ranker.pointer, result)
        self._ranker = ranker  # owns the memory
        self._result = result
        self._columns: tuple[Any, Any, Any] | None = None
        self.num_ret: list[int] = result.num_ret[:topics]
        """Documents retrieved per topic; -1 where the run has none."""
        self.tag: str = _decode(result.tag, result.tag_length) if result.tag else ""
        self.lines: int = result.data_lines
        self.ignored: int = result.ignored
        """The number of topics without judgments."""
        self.unjudged_topic: str = _decode(result.other, result.other_length) if result.other else ""
        """The last topic without judgments."""

    def ignored_topics(self) -> set[int]:
        """Return a hash for each topic without judgments, equal in all parts of a run."""
        return set(self._result.ignored_topics[: self.ignored])

    def relevant(self, topic: int) -> tuple[list[int], list[int], list[int]]:
        """Return ranks and grades of the documents with a grade above 0, and how many of grade 0 rank above each."""
        r = self._result
        start = r.relevant_start[topic]
        end = start + r.relevant_count[topic]
        return r.relevant_rank[start:end], r.relevant_grade[start:end], r.nonrelevant_above[start:end]

    def pooled(self, topic: int) -> tuple[list[int], list[int]]:
        """Return the ranks of all retrieved documents in the gold, and their indices there."""
        r, here = self._result, self._pooled(topic)
        return r.pooled_rank[here], r.pooled_document[here]

    def graded(self, topic: int, least: int) -> tuple[list[int], list[int]]:
        """Return the same of the documents with at least a grade."""
        grade, rank, document = self._columns or self._pooled_columns()
        here = self._pooled(topic)
        # Most documents have a lower grade: select before making Python objects.
        (kept,) = (grade[here] >= least).nonzero()
        return rank[here][kept].tolist(), document[here][kept].tolist()

    def _pooled_columns(self) -> tuple[Any, Any, Any]:
        """Return grades, ranks and indices of the documents of all topics as numpy arrays."""
        import numpy as np

        r = self._result
        count = max((r.pooled_start[t] + r.pooled_count[t] for t in range(len(self.num_ret))), default=0)
        grade, rank, document = (
            np.ctypeslib.as_array(column, (count,)) if count else np.zeros(0, np.int32)
            for column in (r.pooled_grade, r.pooled_rank, r.pooled_document)
        )
        self._columns = grade, rank, document
        return self._columns

    def pooled_grades(self, topic: int) -> list[tuple[int, int]]:
        """Return rank and grade of all retrieved documents in the gold."""
        r, here = self._result, self._pooled(topic)
        return list(zip(r.pooled_rank[here], r.pooled_grade[here], strict=True))

    def _pooled(self, topic: int) -> slice:
        """Return the slice of a topic's documents among those of all topics."""
        if self._ranker.relevant_only:
            raise RuntimeError("a run that was read for its relevant documents alone was asked for others")
        start = self._result.pooled_start[topic]
        return slice(start, start + self._result.pooled_count[topic])

    def measure(self, plan: KernelPlan, values: array[float], *, every: bool = True) -> None:
        """Compute the kernels of a plan on every topic, or only on the topics of this run."""
        if _library.assay_ranker_measure(self._ranker.pointer, plan.struct, every, values.buffer_info()[0]):
            raise Problem(MEMORY)


class Ranker:
    """Reads and ranks one run, in any number of pieces.

    depth            look at the first documents of each topic only
    float32          keep scores as trec_eval 9 did
    judged_only      drop documents without a judgment first
    keep             keep every topic open to the end: its lines need not be adjacent
    any_fields       let a line have more than six fields
    ascending_ties   order tied documents by ascending id
    relevant_only    keep the ranks of relevant documents only
    """

    def __init__(
        self, gold: Gold, *, depth: int | None = None, float32: bool = False, judged_only: bool = False,
        keep: bool = False, any_fields: bool = False, ascending_ties: bool = False, relevant_only: bool = False,
    ) -> None:  # fmt: skip
        self._gold = gold
        self.relevant_only = relevant_only
        flags = (float32, judged_only, keep, any_fields, ascending_ties, relevant_only)
        self.pointer: Any = _library.assay_ranker_new(gold.pointer, -1 if depth is None else depth, *flags)
        if not self.pointer:
            raise Problem(MEMORY)

    def feed(self, chunk: bytes) -> None:
        """Parse the next bytes of a run file."""
        if _library.assay_ranker_feed(self.pointer, chunk, len(chunk)):
            raise self._problem()

    def read(self, file: int, size: int, piece: int, longest: int) -> None:
        """Parse the next `size` bytes of an open file in pieces; a line over `longest` is a MEMORY problem.

        The file is a descriptor, on Windows a handle: descriptors belong to one C runtime.
        """
        if _library.assay_ranker_read(self.pointer, file, size, piece, longest):
            raise self._problem()

    def pack(self, topic: bytes, documents: bytes, scores: array[float]) -> None:
        """Rank one topic from memory: ids joined by zero bytes."""
        count, values = len(scores), scores.buffer_info()[0]
        if _library.assay_ranker_pack(self.pointer, topic, len(topic), documents, count, values):
            raise self._problem()

    def finish(self) -> Ranked:
        """End the run and return its result."""
        if _library.assay_ranker_finish(self.pointer):
            raise self._problem()
        return Ranked(self, len(self._gold.topics))

    def failed(self) -> None:
        """Raise the problem of the last call."""
        raise self._problem()

    def _problem(self) -> Problem:
        result = binding.Ranked()
        _library.assay_ranker_result(self.pointer, result)
        return _problem(result.error.contents)

    def __del__(self) -> None:
        _free(_library.assay_ranker_free, self)
