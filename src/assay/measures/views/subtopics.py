"""The view of one topic for measures of diversity: the ranks of documents relevant to its subtopics.

A document may be relevant to several subtopics. Subtopics without a relevant document are ignored, as in ndeval.
"""

from __future__ import annotations

from assay.measures.views.ranked import Judgments, RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    Covered = tuple[int, ...]
    """The places of the subtopics that a document is relevant to."""


class Ideal:
    """The greedy ideal ranking: at each rank the document that adds most, with ties to the highest id.

    The optimal ranking is NP-complete and may, rarely, be better.
    """

    def __init__(self, relevance: Relevance, alpha: float) -> None:
        self._left = {covered: list(ids) for covered, ids in relevance.groups.items()}
        self._worth = list(relevance.weights)
        self._stays = 1.0 - alpha
        self.gains: list[float] = []
        """The gain of each rank computed so far."""

    def upto(self, depth: int | None) -> list[float]:
        """Return the gain of each rank, at least down to a depth; later ranks gain nothing."""
        while self._left and (depth is None or len(self.gains) < depth):
            # Documents with the same subtopics add the same.
            best = max(self._left, key=lambda covered: (added(self._worth, covered), self._left[covered][-1]))
            self.gains.append(added(self._worth, best))
            self._left[best].pop()
            if not self._left[best]:
                del self._left[best]
            for place in best:
                self._worth[place] *= self._stays
        return self.gains


def added(worth: Sequence[float], covered: Covered) -> float:
    """Return the gain of a document, summed in the order of ndeval, so that ties are the same."""
    gain = 0.0
    for place in covered:
        gain += worth[place]
    return gain


class Relevance:
    """The documents relevant to each subtopic of a topic, from one grade on."""

    def __init__(self, subtopics: Subtopics, rel: int) -> None:
        sets = [[name for name, grade in grades.items() if grade >= max(rel, 0)] for _, grades in subtopics.documents]
        places = {
            name: place for place, name in enumerate(sorted({n for names in sets for n in names}, key=_by_number))
        }
        self.by_number: list[Covered] = [tuple(sorted(places[name] for name in names)) for names in sets]
        """By a document's number in the gold, its subtopics."""
        self.counts: list[int] = [sum(place in covered for covered in self.by_number) for place in range(len(places))]
        """By subtopic, its number of relevant documents."""
        self.weights: list[float] = [1.0 if subtopics.weights is None else subtopics.weights[name] for name in places]
        self.total = sum(self.weights)
        self.groups: dict[Covered, list[bytes]] = {}
        """The relevant documents by their subtopics, in the order of their ids."""
        for (document, _), covered in zip(subtopics.documents, self.by_number, strict=True):
            if covered:
                self.groups.setdefault(covered, []).append(document.encode("utf-8", "surrogateescape"))
        for ids in self.groups.values():
            ids.sort()
        self.memo: dict[Any, Any] = {}
        """A cache of what does not depend on the run."""

    def ideal(self, alpha: float, depth: int | None) -> list[float]:
        """Return the gain of each rank of the ideal ranking, down to a depth."""
        ideal = self.memo.get(alpha)
        if ideal is None:
            ideal = self.memo[alpha] = Ideal(self, alpha)
        return ideal.upto(depth)[:depth]


def _by_number(name: str) -> tuple[int, str]:
    """Sort key: numeric order of subtopics, as in ndeval."""
    digits = name.lstrip("0")
    return (len(digits), digits) if name.isascii() and name.isdigit() else (1 << 30, name)


class Subtopics:
    """One topic's judgments by subtopic, shared by the views of all runs.

    documents   in the order of their numbers, each with its grades by subtopic
    weights     of the subtopics; all the same where left out
    """

    def __init__(
        self, documents: Sequence[tuple[str, Mapping[str, int]]], weights: Mapping[str, float] | None = None
    ) -> None:
        self.documents = documents
        self.weights = weights
        self._relevance: dict[int, Relevance] = {}
        self._global_gains: dict[Any, tuple[list[float], list[float]]] = {}

    def relevance(self, rel: int) -> Relevance:
        """Return the relevance from a grade on."""
        relevance = self._relevance.get(rel)
        if relevance is None:
            relevance = self._relevance[rel] = Relevance(self, rel)
        return relevance

    def global_gains(self, gains: Mapping[int, float] | None = None) -> tuple[list[float], list[float]]:
        """Return each document's gain, Σ weight·gain of its grade over the subtopics, and these gains from the highest down.

        gains   the gain of each grade; the grade itself where left out. A document that gains nothing is not in the second list

        >>> Subtopics([("a", {"1": 2, "2": 1}), ("b", {"2": 3})], {"1": 0.75, "2": 0.25}).global_gains()
        ([1.75, 0.75], [1.75, 0.75])
        """
        key = None if gains is None else tuple(sorted(gains.items()))
        if key not in self._global_gains:
            worth = [self._global_gain(grades, gains) for _, grades in self.documents]
            self._global_gains[key] = worth, sorted((gain for gain in worth if gain > 0), reverse=True)
        return self._global_gains[key]

    def _global_gain(self, grades: Mapping[str, int], gains: Mapping[int, float] | None) -> float:
        total = 0.0
        for name, grade in grades.items():
            gain = float(grade) if gains is None else gains.get(grade, float(grade))
            if grade >= 0 and gain > 0:
                total += gain * (1.0 if self.weights is None else self.weights[name])
        return total


class SubtopicView(RankedView):
    """A ranking of one topic, by subtopic; measures of rankings see a document's best grade.

    >>> view = SubtopicView.of([{1}, None, {1, 2}], unretrieved=[{3}])    # the subtopics of each document
    >>> view.covering(), view.relevance().counts
    ([(1, (0,)), (3, (0, 1))], [2, 1, 1])
    >>> view.relevant(), view.num_rel()
    ([1, 3], 3)
    """

    __slots__ = ("_numbered", "subtopics")

    def __init__(
        self, judgments: Judgments, num_ret: int, positive: tuple[list[int], list[int], list[int]],
        pooled: Callable[[], Sequence[tuple[int, int]]], level: int, subtopics: Subtopics,
        numbered: Callable[[], tuple[Sequence[int], Sequence[int]]],
    ) -> None:  # fmt: skip
        super().__init__(judgments, num_ret, positive, pooled, level)
        self.subtopics: Subtopics = subtopics
        self._numbered = numbered
        """Ranks and numbers of the retrieved documents of the gold."""

    @classmethod
    def of(  # pyright: ignore[reportIncompatibleMethodOverride] - the same by hand, in its own terms
        cls, ranking: Sequence[Iterable[int] | None], unretrieved: Iterable[Iterable[int]] = (), *,
        weights: Mapping[int, float] | None = None, level: int = 1,
    ) -> SubtopicView:  # fmt: skip
        """Make a view by hand: the subtopics at each rank (None: not judged), and of documents not retrieved.

        Subtopics may be given with a grade for each.
        """
        known = [
            _graded(covered) for covered in (*(document for document in ranking if document is not None), *unretrieved)
        ]
        ranks = [rank for rank, covered in enumerate(ranking, 1) if covered is not None]
        best = [max(grades.values(), default=0) for grades in known]
        plain = RankedView.of(
            [None if covered is None else best[ranks.index(rank)] for rank, covered in enumerate(ranking, 1)],
            best[len(ranks) :],
            level=level,
        )
        weights_by_name = None if weights is None else {str(name): weight for name, weight in weights.items()}
        subtopics = Subtopics([(f"{number:06}", grades) for number, grades in enumerate(known)], weights_by_name)
        positive = (plain.relevant(1), [grade for _, grade in plain.pooled() if grade > 0], plain.nonrelevant_above(1))
        return cls(
            plain.judgments, plain.num_ret, positive, plain.pooled, level, subtopics, lambda: (ranks, range(len(ranks)))
        )

    def relevance(self, rel: int | None = None) -> Relevance:
        """Return the relevance of documents to subtopics."""
        return self.subtopics.relevance(self.level if rel is None else rel)

    def covering(self, rel: int | None = None) -> list[tuple[int, Covered]]:
        """Return rank and subtopics of every retrieved document with a relevant subtopic."""
        covering = self.memo.get(("covering", rel))
        if covering is None:
            by_number = self.relevance(rel).by_number
            placed = zip(*self._numbered(), strict=True)
            covering = [(rank, by_number[number]) for rank, number in placed if by_number[number]]
            self.memo["covering", rel] = covering
        return covering

    def global_gains(self, gains: Mapping[int, float] | None = None) -> list[tuple[int, float]]:
        """Return rank and global gain (`Subtopics.global_gains`) of every retrieved document that gains."""
        by_number, _ = self.subtopics.global_gains(gains)
        placed = zip(*self._numbered(), strict=True)
        return [(rank, by_number[number]) for rank, number in placed if by_number[number] > 0]


def _graded(subtopics: Iterable[int]) -> dict[str, int]:
    grades: Mapping[int, int] = subtopics if isinstance(subtopics, dict) else dict.fromkeys(subtopics, 1)  # pyright: ignore[reportUnknownVariableType]
    return {str(name): grade for name, grade in grades.items()}
