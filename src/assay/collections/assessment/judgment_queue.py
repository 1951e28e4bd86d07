"""The documents of a pool in judging order, and their judgments so far.

No input or output: equal judgments give an equal queue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

Pair = tuple[str, str]
"""A topic and a document."""


class GradedDocument(NamedTuple):
    """The grade of one document for one topic."""

    topic: str
    document: str
    grade: int


class JudgmentQueue:
    """A pool being judged; a document's last judgment counts, `undo` removes the last of all.

    pool     the documents of each topic, both in the order of judging
    judged   earlier judgments, in order

    >>> queue = JudgmentQueue({"q1": ["a", "b"]})
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
        self._history: list[GradedDocument] = []
        self._grades: dict[Pair, list[int]] = {}
        self._done = dict.fromkeys(pool, 0)
        for judgment in judged:
            self.judge(*judgment)

    @property
    def done(self) -> int:
        """The number of judged documents."""
        return len(self._grades)

    @property
    def last(self) -> GradedDocument | None:
        """The judgment that `undo` would remove."""
        return self._history[-1] if self._history else None

    @property
    def start(self) -> int | None:
        """The first unjudged place after the last judgment; None when all are judged."""
        last = self.last
        return 0 if last is None else self.after(self._places[last.topic, last.document])

    def __contains__(self, pair: object) -> bool:
        return pair in self._places

    def place(self, topic: str, document: str) -> int:
        """Return the position of a document in the queue, from 0."""
        return self._places[topic, document]

    def grade(self, topic: str, document: str) -> int | None:
        """Return the last grade of a document, or None."""
        grades = self._grades.get((topic, document))
        return grades[-1] if grades else None

    def grades(self) -> dict[str, dict[str, int]]:
        """Return the grades by topic and document, in the order of the pool."""
        grades: dict[str, dict[str, int]] = {}
        for topic, document in self.pairs:
            if (topic, document) in self._grades:
                grades.setdefault(topic, {})[document] = self._grades[topic, document][-1]
        return grades

    def done_of(self, topic: str) -> int:
        """Return the number of judged documents of a topic."""
        return self._done[topic]

    def judge(self, topic: str, document: str, grade: int) -> None:
        """Add a judgment of a document of the pool."""
        if (topic, document) not in self._grades:
            self._done[topic] += 1
        self._grades.setdefault((topic, document), []).append(grade)
        self._history.append(GradedDocument(topic, document, grade))

    def undo(self) -> None:
        """Remove the last judgment; the document gets its previous grade back."""
        topic, document, _ = self._history.pop()
        grades = self._grades[topic, document]
        grades.pop()
        if not grades:
            del self._grades[topic, document]
            self._done[topic] -= 1

    def start_of(self, topic: str) -> int:
        """Return the position of a topic's first document."""
        return self._starts[topic]

    def entry(self, topic: str) -> int:
        """Return a topic's first unjudged place, or its first place."""
        start = self._starts[topic]
        places = range(start, start + len(self.pool[topic]))
        return next((at for at in places if self.pairs[at] not in self._grades), start)

    def after(self, place: int) -> int | None:
        """Return the next unjudged place, or None when all are judged.

        The rest of the topic comes first, then its skipped documents, the later topics and the earlier ones. The document at
        `place` itself comes last, so that skipping moves on.

        >>> queue = JudgmentQueue({"q1": ["a", "b"], "q2": ["c"]}); queue.judge("q1", "b", 1)
        >>> queue.after(1), queue.after(0)
        (0, 2)
        """
        topic, _ = self.pairs[place]
        start = self._starts[topic]
        stop, total = start + len(self.pool[topic]), len(self.pairs)
        steps = chain(range(place + 1, stop), range(start, place), range(stop, total), range(start), [place])
        return next((at for at in steps if self.pairs[at] not in self._grades), None)
