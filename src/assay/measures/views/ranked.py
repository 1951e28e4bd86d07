"""The view of one topic of ranked retrieval."""

from __future__ import annotations

from bisect import bisect_right
from operator import neg

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

CONDENSED, JUDGED = "condensed", "judged"
"""Keys of a view's memo: its condensed list, its judged documents."""


class Judgments:
    """One topic's judgments, shared by the views of all runs."""

    __slots__ = ("_counts", "grades", "memo")

    def __init__(self, grades: Sequence[int]) -> None:
        self.grades: Sequence[int] = grades
        """Grades of the pooled documents, highest first; negative means pooled but not judged."""
        self.memo: dict[Any, Any] = {}
        """A cache of what does not depend on the run."""
        self._counts: dict[int, int] = {}

    def at_least(self, grade: int) -> int:
        """Return the number of documents with at least this grade.

        >>> Judgments([2, 1, 1, 0, -1]).at_least(1)
        3
        """
        count = self._counts.get(grade)
        if count is None:
            count = self._counts[grade] = bisect_right(self.grades, -grade, key=neg)
        return count


class RankedView:
    """A ranking of one topic: the ranks and grades of its judged documents. Ranks start at 1.

    >>> view = RankedView.of([1, None, 0, 2], unretrieved=[1])
    >>> view.relevant(), view.num_rel(), view.num_ret
    ([1, 4], 3, 4)
    >>> view.relevant(rel=2), view.nonrelevant_above(rel=2)
    ([4], [2])
    """

    __slots__ = ("_above", "_fetched", "_grades", "_pooled", "_ranks", "judgments", "level", "memo", "num_ret")

    def __init__(
        self, judgments: Judgments, num_ret: int, positive: tuple[list[int], list[int], list[int]],
        pooled: Callable[[], Sequence[tuple[int, int]]], level: int = 1,
    ) -> None:  # fmt: skip
        self.judgments: Judgments = judgments
        self.num_ret: int = num_ret
        """How many documents were retrieved."""
        self._ranks, self._grades, self._above = positive
        self._pooled = pooled
        self._fetched: Sequence[tuple[int, int]] | None = None
        self.level: int = level
        self.memo: dict[Any, Any] = {}
        """A cache of what several measures need of this ranking."""

    @classmethod
    def of(cls, ranking: Sequence[int | None], unretrieved: Iterable[int] = (), *, level: int = 1) -> RankedView:
        """Make a view by hand: the grade at each rank (None: not pooled), and the grades of documents not retrieved."""
        pooled = [(rank, grade) for rank, grade in enumerate(ranking, 1) if grade is not None]
        grades = sorted([grade for _, grade in pooled] + list(unretrieved), reverse=True)
        return cls(Judgments(grades), len(ranking), positive_columns(pooled), lambda: pooled, level)

    def relevant(self, rel: int | None = None) -> list[int]:
        """Return the ranks of the relevant documents retrieved, in order."""
        rel = self.level if rel is None else rel
        if rel == 1:
            return self._ranks
        if rel > 1:
            return [rank for rank, grade in zip(self._ranks, self._grades, strict=True) if grade >= rel]
        return [rank for rank, grade in self.judged() if grade >= rel]

    def nonrelevant_above(self, rel: int | None = None) -> list[int]:
        """Return for each document of `relevant` the number of judged non-relevant documents above it."""
        rel = self.level if rel is None else rel
        if rel == 1:
            return self._above
        counts: list[int] = []
        nonrelevant = 0
        for _, grade in self.judged():
            if grade >= rel:
                counts.append(nonrelevant)
            else:
                nonrelevant += 1
        return counts

    def positive(self) -> tuple[list[int], list[int], list[int]]:
        """Return ranks and grades of the documents with a grade above 0, and how many of grade 0 are above each."""
        return self._ranks, self._grades, self._above

    def num_rel(self, rel: int | None = None) -> int:
        """Return R, the number of relevant documents in the gold."""
        rel = self.level if rel is None else rel
        return self.judgments.at_least(rel if rel > 0 else 0)

    def num_nonrel(self, rel: int | None = None) -> int:
        """Return the number of documents judged non-relevant in the gold."""
        rel = self.level if rel is None else rel
        return max(self.judgments.at_least(0) - self.judgments.at_least(rel), 0)

    def pooled(self) -> Sequence[tuple[int, int]]:
        """Return (rank, grade) of every pooled document retrieved; a negative grade means not judged."""
        if self._fetched is None:
            self._fetched = self._pooled()
        return self._fetched

    def judged(self) -> list[tuple[int, int]]:
        """Return (rank, grade) of every judged document retrieved."""
        if JUDGED not in self.memo:
            self.memo[JUDGED] = [(rank, grade) for rank, grade in self.pooled() if grade >= 0]
        return self.memo[JUDGED]

    def condensed(self) -> RankedView:
        """Return the condensed list (Sakai): the ranking without documents that have no judgment.

        >>> RankedView.of([None, 1, -1, 0, 2]).condensed().pooled()
        [(1, 1), (2, 0), (3, 2)]
        """
        if CONDENSED not in self.memo:
            judged = [(rank, grade) for rank, (_, grade) in enumerate(self.judged(), 1)]
            self.memo[CONDENSED] = RankedView(
                self.judgments, len(judged), positive_columns(judged), lambda: judged, self.level
            )
        return self.memo[CONDENSED]

    def gained(self, gains: Mapping[int, float] | None = None) -> Iterable[tuple[int, float]]:
        """Return (rank, gain) of the documents with a gain, which is the grade unless `gains` is given."""
        if gains is None:
            return zip(self._ranks, self._grades, strict=True)
        worth = ((rank, gains.get(grade, float(grade))) for rank, grade in self.judged())
        return [(rank, gain) for rank, gain in worth if gain != 0]

    def ideal(self, gains: Mapping[int, float] | None = None) -> list[float]:
        """Return the gains of the ideal ranking: all positive gains of the gold, highest first."""
        if gains is None:
            return list(self.judgments.grades[: self.judgments.at_least(1)])
        known, key = self.judgments.memo, ("ideal", tuple(sorted(gains.items())))
        if key not in known:
            worth = (gains.get(grade, float(grade)) for grade in self.judgments.grades if grade >= 0)
            known[key] = sorted((gain for gain in worth if gain > 0), reverse=True)
        return known[key]


def positive_columns(pooled: Iterable[tuple[int, int]]) -> tuple[list[int], list[int], list[int]]:
    """Return ranks and grades of the documents with a grade above 0, and how many of grade 0 are above each.

    >>> positive_columns([(1, 0), (2, 3), (4, -1), (5, 1)])
    ([2, 5], [3, 1], [1, 1])
    """
    ranks, grades, above = list[int](), list[int](), list[int]()
    nonrelevant = 0
    for rank, grade in pooled:
        if grade > 0:
            ranks.append(rank)
            grades.append(grade)
            above.append(nonrelevant)
        nonrelevant += grade == 0
    return ranks, grades, above
