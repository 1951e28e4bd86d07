"""Bounds on a ranking's value, whatever the judgments of its unjudged documents.

In a completion every unjudged retrieved document is either non-relevant or of the highest grade of the gold. Most measures do not
fall when a relevant document changes places with a non-relevant one above it (`UNKNOWN` lists those that may), so that the bounds
are among two families: for each m, the first m unjudged documents are relevant, or the last m are. Unjudged documents that were
not retrieved are ignored, because their number is unknown.
"""

from __future__ import annotations

from assay.measures.views.ranked import CONDENSED, Judgments, RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

UNKNOWN = frozenset(
    (
        *("P-measure", "P-plus", "NCUguP", "NCUguBR", "INST", "BPM", "BPMD", "NERR8", "NERR9", "NERR10", "NERR11"),
        *("IFT-C1", "IFT-C2", "IFT-C1-C2", "EU", "ETU", "EC", "ETC", "ED", "ResEU", "EUMax", "PairAccuracy"),
    )
)
"""Measures whose bounds may be elsewhere: their readers stop sooner after a gain, or a relevant document that enters at a cutoff
loses pairs."""


def extremes(
    view: RankedView, functions: Sequence[Callable[[RankedView], float | None]], grade: int
) -> list[tuple[float | None, float | None]]:
    """Return the lowest and the highest value of each measure over the completions; None where it is undefined in one.

    view        a topic of a run
    functions   measures of a ranking
    grade       the grade of documents taken to be relevant

    >>> from assay.measures.ranked import average_precision, precision
    >>> one = RankedView.of([1, None, 0, None])
    >>> extremes(one, [lambda view: precision(view, cut=2), average_precision], 1)
    [(0.5, 1.0), (0.75, 1.0)]
    """
    rows = [[function(completed) for function in functions] for completed in completions(view, grade)]
    return [_ends(values) for values in zip(*rows, strict=True)]


def _ends(values: Sequence[float | None]) -> tuple[float | None, float | None]:
    known = [value for value in values if value is not None]
    return None if len(known) < len(values) else min(known), max(known, default=None)


def completions(view: RankedView, grade: int) -> Iterator[RankedView]:
    """Yield the rankings among which are the lowest and the highest value of every measure.

    >>> [one.relevant() for one in completions(RankedView.of([None, 1, None]), 1)]
    [[2], [1, 2], [2, 3], [1, 2, 3]]
    """
    judged = dict(view.judged())
    unjudged = [rank for rank in range(1, view.num_ret + 1) if rank not in judged]
    positive = {rank: value for rank, value in judged.items() if value > 0}
    # Highest first, as in a view. Documents that were pooled but not judged count as judged where the run has them.
    known = [value for value in view.judgments.grades if value >= 0]
    elsewhere = [value for value in view.judgments.grades if value < 0][sum(value < 0 for _, value in view.pooled()) :]

    def with_relevant(ranks: list[int]) -> RankedView:
        others = [0] * (len(unjudged) - len(ranks))
        judgments = Judgments([grade] * len(ranks) + known + others + elsewhere)
        return _completed(view, judged, unjudged, positive, ranks, grade, judgments)

    yield with_relevant([])
    for many in range(1, len(unjudged) + 1):
        yield with_relevant(unjudged[:many])
        if many < len(unjudged):
            yield with_relevant(unjudged[-many:])


def _completed(
    view: RankedView, judged: dict[int, int], unjudged: list[int], positive: dict[int, int], relevant: list[int], grade: int,
    judgments: Judgments,
) -> RankedView:  # fmt: skip
    """Return the view with every document judged, those at some ranks relevant."""
    ranks = sorted([*positive, *relevant])
    grades = [positive.get(rank, grade) for rank in ranks]
    above = [rank - number for number, rank in enumerate(ranks, 1)]  # all others are judged non-relevant

    def pooled() -> list[tuple[int, int]]:
        return sorted((dict.fromkeys(unjudged, 0) | dict.fromkeys(relevant, grade) | judged).items())

    completed = RankedView(judgments, view.num_ret, (ranks, grades, above), pooled, view.level)
    completed.memo[CONDENSED] = completed
    return completed
