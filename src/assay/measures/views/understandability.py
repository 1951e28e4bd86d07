"""The view of one topic whose documents are judged twice: for relevance, and for how easy they are to understand."""

from __future__ import annotations

from assay.measures.views.ranked import Judgments, RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Understood = Sequence[int | None]


class UnderstandableView(RankedView):
    """A ranking of one topic with the grade of understandability of each pooled document retrieved.

    >>> view = UnderstandableView.of([1, None, 2], understood=[3, 2, None])
    >>> view.relevant_understood()
    [(1, 3), (3, None)]
    """

    __slots__ = ("_understood", "is_judged")

    def __init__(
        self, judgments: Judgments, num_ret: int, positive: tuple[list[int], list[int], list[int]],
        pooled: Callable[[], Sequence[tuple[int, int]]], level: int, understood: Callable[[], Understood], is_judged: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(judgments, num_ret, positive, pooled, level)
        self._understood = understood
        """Return the grade of each document of `pooled`, in its order; None where it is not judged."""
        self.is_judged = is_judged
        """Whether any document of the topic is judged for understandability."""

    @classmethod
    def of(  # pyright: ignore[reportIncompatibleMethodOverride] - the same by hand, with a second grade
        cls, ranking: Sequence[int | None], understood: Understood, unretrieved: Iterable[int] = (), *, level: int = 1,
    ) -> UnderstandableView:  # fmt: skip
        """Make a view by hand: the grade at each rank (None: not pooled), its understandability, and grades not retrieved."""
        plain = RankedView.of(ranking, unretrieved, level=level)
        second = [understood[rank - 1] for rank, _ in plain.pooled()]
        is_judged = any(grade is not None for grade in understood)
        return cls(plain.judgments, plain.num_ret, plain.positive(), plain.pooled, level, lambda: second, is_judged)

    def relevant_understood(self, rel: int | None = None) -> list[tuple[int, int | None]]:
        """Return the rank of every relevant document retrieved, and its understandability; None where it is not judged."""
        least = max(self.level if rel is None else rel, 0)
        pairs = zip(self.pooled(), self._understood(), strict=True)
        return [(rank, understood) for (rank, grade), understood in pairs if grade >= least]

    def condensed(self) -> RankedView:
        """Return the condensed list: the ranking without documents that have no judgment of relevance."""
        plain = super().condensed()
        understood = [u for (_, grade), u in zip(self.pooled(), self._understood(), strict=True) if grade >= 0]
        return UnderstandableView(
            plain.judgments,
            plain.num_ret,
            plain.positive(),
            plain.pooled,
            self.level,
            lambda: understood,
            self.is_judged,
        )
