"""What is to be judged and what has been: the documents of a pool in its order, topic by topic, and the judgments in theirs.

Nothing here reads, writes or asks: a queue is the same after the same judgments, wherever they come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

Pair = tuple[str, str]
"""A topic and a document."""


class GradedDocument(NamedTuple):
    """One judgment."""

    topic: str
    document: str
    grade: int


class JudgmentQueue:
    """A pool being judged. The last judgment of a document counts; `undo` takes back the last of all.

    pool     by topic its documents, both in the order in which they are judged
    judged   the judgments there are already, in the order in which they were given

    >>> queue = Queue({"q1": ["a", "b"]})
    >>> queue.judge("q1", "a", 2); queue.judge("q1", "a", 1); queue.grade("q1", "a"), queue.done, queue.after(0)
    (1, 1, 1)
    >>> queue.undo(); queue.grade("q1", "a")
    2
    """

    def __init__(self, pool: Mapping[str, Sequence[str]], judged: Iterable[GradedDocument] = ()) -> None:
        self.pool = pool
        self.pairs: list[Pair] = [(topic, document) for topic, of in pool.items() for document in of]
        self._places = {pair: place for place, pair in enumerate(self.pairs)}
        self._starts: dict[str, int] = {}
        for place, (topic, _) in enumerate(self.pairs):
            self._starts.setdefault(topic, place)
        self._given: list[GradedDocument] = []
        self._grades: dict[Pair, list[int]] = {}
        self._done = dict.fromkeys(pool, 0)
        for one in judged:
            self.judge(*one)

    @property
    def done(self) -> int:
        """How many documents are judged."""
        return len(self._grades)

    @property
    def last(self) -> GradedDocument | None:
        """What `undo` would take back."""
        return self._given[-1] if self._given else None

    @property
    def start(self) -> int | None:
        """Where an assessor goes on: what comes after the last judgment; None where all documents have one."""
        last = self.last
        return 0 if last is None else self.after(self._places[last.topic, last.document])

    def __contains__(self, pair: object) -> bool:
        return pair in self._places

    def place(self, topic: str, document: str) -> int:
        """Where in the queue a document stands, from 0."""
        return self._places[topic, document]

    def grade(self, topic: str, document: str) -> int | None:
        """The judgment that counts; None where there is none."""
        grades = self._grades.get((topic, document))
        return grades[-1] if grades else None

    def grades(self) -> dict[str, dict[str, int]]:
        """By topic the grades of its documents, in the order of the pool."""
        found: dict[str, dict[str, int]] = {}
        for topic, document in self.pairs:
            if (topic, document) in self._grades:
                found.setdefault(topic, {})[document] = self._grades[topic, document][-1]
        return found

    def done_of(self, topic: str) -> int:
        """How many documents of a topic are judged."""
        return self._done[topic]

    def judge(self, topic: str, document: str, grade: int) -> None:
        """One more judgment, of a document of the pool."""
        if (topic, document) not in self._grades:
            self._done[topic] += 1
        self._grades.setdefault((topic, document), []).append(grade)
        self._given.append(GradedDocument(topic, document, grade))

    def undo(self) -> None:
        """Take back the last judgment; what the document had before, it has again."""
        topic, document, _ = self._given.pop()
        grades = self._grades[topic, document]
        grades.pop()
        if not grades:
            del self._grades[topic, document]
            self._done[topic] -= 1

    def start_of(self, topic: str) -> int:
        """Where a topic begins."""
        return self._starts[topic]

    def entry(self, topic: str) -> int:
        """Where somebody who turns to a topic goes on: its first document without a judgment, or its first."""
        start = self._starts[topic]
        places = range(start, start + len(self.pool[topic]))
        return next((at for at in places if self.pairs[at] not in self._grades), start)

    def after(self, place: int) -> int | None:
        """The next document without a judgment: of the same topic, what was skipped in it coming again at its end; then of the
        topics behind, and of those before. None where all have one. The document at the place itself comes last, so that one who
        skips gets past it.

        >>> queue = Queue({"q1": ["a", "b"], "q2": ["c"]}); queue.judge("q1", "b", 1)
        >>> queue.after(1), queue.after(0)
        (0, 2)
        """
        topic, _ = self.pairs[place]
        start = self._starts[topic]
        stop, total = start + len(self.pool[topic]), len(self.pairs)
        steps = chain(range(place + 1, stop), range(start, place), range(stop, total), range(start), [place])
        return next((at for at in steps if self.pairs[at] not in self._grades), None)
