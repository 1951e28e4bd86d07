"""The view of one question with ranked or listed answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.measures.views.ranked import RankedView


CORRECT, UNSUPPORTED, INEXACT, INCORRECT = "correct", "unsupported", "inexact", "incorrect"
STRICT, LENIENT = "strict", "lenient"
RIGHT: dict[str, tuple[str, ...]] = {STRICT: (CORRECT,), LENIENT: (CORRECT, UNSUPPORTED)}
"""The judgments that count as right: strict needs support, lenient does not; inexact is wrong in both."""
NIL = "NIL"


class JudgedAnswer(NamedTuple):
    """A judged answer; right answers with the same `cls` are equivalent, and `grade` is the degree of rightness."""

    judgment: str
    cls: str | None = None
    grade: int = 1
    nil: bool = False


class AnswerListView(NamedTuple):
    """The answers to one question, in rank order.

    >>> view = AnswerListView.of(["incorrect", "unsupported a", "correct b", "correct b"], known=["a", "b", "c"])
    >>> view.first(), view.first(LENIENT), view.distinct(), view.distinct(LENIENT), view.known()
    (3, 2, 1, 2, 3)
    """

    answers: Sequence[JudgedAnswer]
    classes: Mapping[str, Mapping[str, int]]
    """For strict and lenient, the known classes of right answers with their best grade."""
    nil: bool = False
    """Whether the right answer is that the collection has none."""
    target: int | None = None
    """The number of instances requested, or None."""
    final: int = 1
    """The rank of the system's final answer."""
    confident: bool | None = None
    """Whether the system is confident of it; None where the run does not say."""

    @classmethod
    def of(cls, answers: Sequence[str], known: Sequence[str] | dict[str, int] = (), **more: Any) -> AnswerListView:
        """Make a view by hand: `judgment`, `judgment class` or `judgment class grade` per answer; NIL is a class."""
        judged: list[JudgedAnswer] = []
        for answer in answers:
            judgment, name, grade = [*answer.split(), "", ""][:3]
            judged.append(JudgedAnswer(judgment, name or None, int(grade or 1), name == NIL))
        best = known if isinstance(known, dict) else dict.fromkeys(known, 1)
        return cls(judged, {STRICT: best, LENIENT: best}, **more)

    def first(self, judged: str = STRICT) -> int | None:
        """Return the rank of the first right answer, or None."""
        right = RIGHT[judged]
        return next((rank for rank, answer in enumerate(self.answers, 1) if answer.judgment in right), None)

    def distinct(self, judged: str = STRICT, cut: int | None = None) -> int:
        """Return the number of distinct right answers among the first `cut`."""
        right = RIGHT[judged]
        return len({answer.cls for answer in self.answers[:cut] if answer.judgment in right})

    def known(self, judged: str = STRICT) -> int:
        """Return R, the number of distinct right answers known."""
        return len(self.classes[judged])

    def final_is_right(self) -> bool:
        """Return whether the final answer is correct, strictly."""
        return bool(self.answers) and self.answers[self.final - 1].judgment == CORRECT

    def ranked(self, judged: str = STRICT) -> RankedView:
        """Return the answers as a ranking: the first of a class has its grade, repeats only take up a rank."""
        from assay.measures.views.ranked import Judgments, RankedView

        right = RIGHT[judged]
        seen: set[str | None] = set()
        pooled: list[tuple[int, int]] = []
        positive: tuple[list[int], list[int], list[int]] = ([], [], [])
        for rank, answer in enumerate(self.answers, 1):
            if answer.judgment not in right or answer.cls in seen:
                continue
            seen.add(answer.cls)
            pooled.append((rank, answer.grade))
            for column, value in zip(positive, (rank, answer.grade, rank - len(pooled)), strict=True):
                column.append(value)
        ideal = Judgments(sorted(self.classes[judged].values(), reverse=True))
        return RankedView(ideal, len(self.answers), positive, lambda: pooled)
