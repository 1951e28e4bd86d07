"""The quantities of C/W/L: expected utility, cost and depth under a user model.

With C(r) the probability of continuing from rank r, V(r) = C(1)·…·C(r-1) is the share of readers who see rank r, W = V/ΣV their
attention, and L(r) = V(r)·(1 - C(r)) the share that stops there. Lists are cut at the depth; shorter ones are filled up with
documents without gain.
"""

from __future__ import annotations

from itertools import accumulate
from operator import mul
from typing import NamedTuple

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from assay.measures.views.ranked import RankedView

DEPTH = 1000
"""The default depth of cwl-eval."""


class Expected(NamedTuple):
    """The expected quantities."""

    utility: float
    """EU, gain per document read: Σ W·gain."""
    total_utility: float | None
    """ETU, gain of the whole reading: Σ L·(gain so far); None where no reader stops."""
    cost: float
    """EC, cost per document read: Σ W·cost."""
    total_cost: float | None
    """ETC, cost of the whole reading: Σ L·(cost so far); None where no reader stops."""
    depth: float
    """ED, documents read: ΣV."""


class GainScale(NamedTuple):
    """Gains and costs of documents.

    The gain is 1 from the grade `rel` on; with `max_rel` it is (grade - min_rel)/(max_rel - min_rel), clipped to [0, 1]; with
    `gains` it is given by grade. The cost is 1, or that of the grade in `costs`, or of the next lower grade there.
    """

    rel: int | None = None
    min_rel: int = 0
    max_rel: int | None = None
    gains: Mapping[int, float] | None = None
    costs: Mapping[int, float] | None = None
    depth: int = DEPTH

    @property
    def key(self) -> tuple[Any, ...]:
        """The scale as a hashable key."""
        gains, costs = (None if t is None else tuple(sorted(t.items())) for t in (self.gains, self.costs))
        return self.rel, self.min_rel, self.max_rel, gains, costs, self.depth


def expectations(continuing: Sequence[float], gains: Sequence[float], costs: Sequence[float]) -> Expected:
    """Return the five quantities of one ranking.

    Half of the readers stop at the first of two documents, and half of the rest at the second:

    >>> expectations([0.5, 0.5], [1, 0], [1, 1])  # V is 1, .5 and beyond .25; W is 2/3, 1/3; L is .5, .25
    Expected(utility=0.6666666666666666, total_utility=0.75, cost=1.0, total_cost=1.0, depth=1.5)
    """
    seeing = list(accumulate(continuing, mul, initial=1.0))
    beyond = seeing.pop()
    depth = sum(seeing)
    gained, spent = sum(map(mul, seeing, gains)), sum(map(mul, seeing, costs))
    if beyond == 1.0:
        return Expected(gained / depth, None, spent / depth, None, depth)
    # Σ L·(sum so far) is Σ (V - beyond)·gain: readers who go beyond the list stop nowhere in it.
    return Expected(
        gained / depth, gained - beyond * sum(gains), spent / depth, spent - beyond * sum(costs), depth
    )  # fmt: skip


def expected(
    view: RankedView,
    model: Callable[..., list[float]],
    parameters: Mapping[str, Any],
    scale: GainScale,
    best: bool = False,
) -> Expected:
    """Return the quantities of a ranking under a model; with `best`, unjudged documents gain 1."""
    key = (model, tuple(parameters.values()), scale.key, best)
    known = view.memo.get(key)
    if known is None:
        gains, costs = listed_gains(view, scale, best), listed_costs(view, scale)
        known = view.memo[key] = expectations(model(gains, costs, **parameters), gains, costs)
    return known


def listed_gains(view: RankedView, scale: GainScale, best: bool = False) -> list[float]:
    """Return the gain at each rank down to the depth.

    >>> from assay.measures.views.ranked import RankedView
    >>> view = RankedView.of([1, None, 2])
    >>> listed_gains(view, GainScale(depth=4)), listed_gains(view, GainScale(max_rel=2, depth=4), best=True)
    ([1.0, 0.0, 1.0, 0.0], [0.5, 1.0, 1.0, 1.0])
    """
    key = ("gain list", scale.key, best)
    known = view.memo.get(key)
    if known is None:
        known = view.memo[key] = [1.0 if best else 0.0] * scale.depth
        for rank, gain in _worth(view, scale, best):
            if rank > scale.depth:
                break
            known[rank - 1] = gain
    return known


def _worth(view: RankedView, scale: GainScale, every: bool) -> list[tuple[int, float]]:
    """Return (rank, gain) of judged documents in order of rank; without `every`, those without gain may be missing."""
    if scale.gains is None and scale.max_rel is None and not every:
        return [(rank, 1.0) for rank in view.relevant(scale.rel)]
    known: dict[int, float] = {}
    gains_by_rank: list[tuple[int, float]] = []
    for rank, grade in view.judged():
        if grade not in known:
            known[grade] = _gain(grade, scale, view.level)
        gains_by_rank.append((rank, known[grade]))
    return gains_by_rank


def _gain(grade: int, scale: GainScale, level: int) -> float:
    if scale.gains is not None:
        gain = scale.gains.get(grade, float(grade))
        if not 0.0 <= gain <= 1.0:
            problem = f"a document of grade {grade} gains {gain:g}; gains must be from 0 to 1"
            raise UsageError(f"{problem}. Fix: write max_rel={grade}, or gains={grade}:1 and so on for every grade")
        return gain
    if scale.max_rel is None:
        return 1.0 if grade >= (level if scale.rel is None else scale.rel) else 0.0
    if scale.min_rel >= scale.max_rel:
        raise UsageError(f"min_rel={scale.min_rel} is not below max_rel={scale.max_rel}")
    return (min(max(grade, scale.min_rel), scale.max_rel) - scale.min_rel) / (scale.max_rel - scale.min_rel)


def listed_costs(view: RankedView, scale: GainScale) -> list[float]:
    """Return the cost at each rank down to the depth; a document without a judgment costs what one of grade 0 does.

    >>> from assay.measures.views.ranked import RankedView
    >>> listed_costs(RankedView.of([1, None, 0]), GainScale(costs={0: 2, 1: 5}, depth=4))
    [5.0, 2.0, 2.0, 2.0]
    """
    if scale.costs is None:
        return [1.0] * scale.depth
    listed = [_cost(0, scale.costs)] * scale.depth
    for rank, grade in view.judged():
        if rank <= scale.depth:
            listed[rank - 1] = _cost(grade, scale.costs)
    return listed


def _cost(grade: int, costs: Mapping[int, float]) -> float:
    """Return the cost of a grade: its own, that of the next lower grade given, or 1."""
    named = [other for other in costs if other <= grade]
    return float(costs[max(named)]) if named else 1.0
