"""User models of C/W/L, and the expected utility, cost and depth under them.

A model is a function of the gain and the cost at each rank, down to a depth, and returns the probability C(r) of continuing from
each rank. V(r) = C(1)·…·C(r-1) is the share of readers who see rank r, W = V/ΣV their attention, and L(r) = V(r)·(1 - C(r)) the
share that stops there. Lists are cut at the depth; shorter ones are filled up with documents without gain.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, pairwise
from math import exp, log2
from operator import mul
from typing import NamedTuple

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from assay.measures.views.ranked import RankedView

    Values = Sequence[float]


def first_k(gains: Values, costs: Values, cut: int) -> list[float]:
    """Precision at k: every reader reads `cut` documents.

    >>> first_k([0, 1, 0, 0], [1] * 4, cut=3)
    [1.0, 1.0, 0.0, 0.0]
    """
    read = min(cut, len(gains)) - 1
    return [1.0] * read + [0.0] * (len(gains) - read)


def first_found(gains: Values, costs: Values) -> list[float]:
    """Reciprocal rank: readers stop at the first gain.

    >>> first_found([0, 0.5, 0], [1] * 3)
    [1.0, 0.0, 0.0]
    """
    first = next((i for i, gain in enumerate(gains) if gain > 0), len(gains))
    return [1.0] * first + [0.0] * (len(gains) - first)


def to_the_last(gains: Values, costs: Values) -> list[float]:
    """Average precision: the share of Σ gain(r)/r that is below the rank.

    >>> to_the_last([1, 0, 1], [1] * 3)  # of 1 + 1/3, 1/3 comes after rank 1
    [0.25, 1.0, 0.0]
    """
    rates = [gain / rank for rank, gain in enumerate(gains, 1)]
    ahead = list(accumulate(reversed(rates), initial=0.0))[::-1]
    return [after / now if after > 0 else 0.0 for now, after in pairwise(ahead)]


def constant(gains: Values, costs: Values, p: float) -> list[float]:
    """Rank-biased precision: a constant probability.

    >>> constant([0, 1], [1, 1], p=0.8)
    [0.8, 0.8]
    """
    return [p] * len(gains)


@lru_cache(maxsize=64)
def _logarithmic(cut: int, depth: int) -> list[float]:
    return [log2(rank + 1) / log2(rank + 2) if rank < cut else 0.0 for rank in range(1, depth + 1)]


def logarithmic(gains: Values, costs: Values, cut: int) -> list[float]:
    """Scaled DCG: so that rank r is read in proportion to 1/log2(r + 1), and nothing beyond `cut`.

    >>> logarithmic([0] * 3, [1] * 3, cut=3) == [log2(2) / log2(3), log2(3) / log2(4), 0]
    True
    """
    return _logarithmic(cut, len(gains))


@lru_cache(maxsize=64)
def _goal_alone(goal: float, depth: int) -> list[float]:
    return [((rank + 2 * goal - 1) / (rank + 2 * goal)) ** 2 for rank in range(1, depth + 1)]


def goal_alone(gains: Values, costs: Values, T: float) -> list[float]:
    """INSQ: increasing with the rank, from a start set by the goal T: ((r + 2T - 1)/(r + 2T))².

    >>> goal_alone([0, 0], [1, 1], T=1)
    [0.4444444444444444, 0.5625]
    """
    return _goal_alone(T, len(gains))


def goal_and_found(gains: Values, costs: Values, T: float) -> list[float]:
    """INST: as INSQ, with the gain still missing: ((r + T + T(r) - 1)/(r + T + T(r)))², T(r) = T - gained so far.

    >>> goal_and_found([1, 0], [1, 1], T=1)  # T(1) = T(2) = 0
    [0.25, 0.4444444444444444]
    """
    continuing: list[float] = []
    at = 2.0 * T
    for gain in gains:
        at += 1.0 - gain
        continuing.append(((at - 1.0) / at) ** 2)
    return continuing


def enough_or_tired(gains: Values, costs: Values, T: float, cut: float) -> list[float]:
    """BPM, static: until T is gained or `cut` is spent, whichever comes first.

    >>> enough_or_tired([0, 1, 0, 0], [1] * 4, T=1, cut=3), enough_or_tired([0, 0, 0, 1], [1] * 4, T=1, cut=3)
    ([1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0])
    """
    return moody(gains, costs, T, cut, 0.0, 0.0, 0.0)


def moody(
    gains: Values, costs: Values, T: float, cut: float, hb: float = 1.0, hc: float = 1.0, middle: float = 0.5
) -> list[float]:  # fmt: skip
    """BPM, dynamic: the goal and the budget grow after a gain above `middle` and shrink after one below.

    T ← T + hb·(gain - middle) and K ← K + hc·(gain - middle) after each document.

    >>> moody([0, 0, 0], [1] * 3, T=1, cut=3, hb=0, hc=2)  # after rank 1, K = 3 - 1; after rank 2, 2 are spent
    [1.0, 0.0, 0.0]
    """
    gained = spent = 0.0
    goal, allowed = T, cut
    for read, (gain, cost) in enumerate(zip(gains, costs, strict=True)):
        gained += gain
        spent += cost
        if gained >= goal or spent >= allowed:
            return [1.0] * read + [0.0] * (len(gains) - read)
        goal += hb * (gain - middle)
        allowed += hc * (gain - middle)
    return [1.0] * len(gains)


def half_life(gains: Values, costs: Values, halflife: float) -> list[float]:
    """Time-biased gain: half of the readers are left after every `halflife` of cost. The last probability is 0.

    >>> half_life([0, 0, 0], [1, 2, 1], halflife=1)
    [0.5, 0.25, 0.0]
    """
    return [2.0 ** (-cost / halflife) for cost in costs[:-1]] + [0.0]


def text_read(gains: Values, costs: Values, L: float) -> list[float]:
    """U-measure: the share of readers falls in a line, from all to none at L characters (or another cost).

    The last rank is not read.

    >>> text_read([0] * 4, [1] * 4, L=4)  # read by 1, 3/4, 2/4 and none
    [0.75, 0.6666666666666666, 0.0, 0.0]
    """
    before = accumulate(costs[:-1], initial=0.0)
    reading = [*[max(0.0, 1.0 - spent / L) for spent in before][:-1], 0.0, 0.0]
    return [after / now if now > 0 else 0.0 for now, after in pairwise(reading)]


def satisfied_k(gains: Values, costs: Values, cut: int) -> list[float]:
    """NERR, equation 8: a document satisfies as its gain says; no reader reads beyond `cut`.

    >>> satisfied_k([0.5, 0, 0], [1] * 3, cut=2)
    [0.5, 0.0, 0.0]
    """
    return [1.0 - gain for gain in gains[: cut - 1]] + [0.0] * (len(gains) - min(cut - 1, len(gains)))


def satisfied_discounted(gains: Values, costs: Values, cut: int) -> list[float]:
    """NERR, equation 9: as equation 8, the other readers continue with r/(r + 1).

    >>> satisfied_discounted([0.5, 0, 0], [1] * 3, cut=3)
    [0.25, 0.6666666666666666, 0.0]
    """
    going = [rank / (rank + 1.0) * (1.0 - gain) for rank, gain in enumerate(gains[: cut - 1], 1)]
    return going + [0.0] * (len(gains) - len(going))


def satisfied_constant(gains: Values, costs: Values, p: float) -> list[float]:
    """NERR, equation 10: as in RBP, unless satisfied.

    >>> satisfied_constant([0.5, 0], [1] * 2, p=0.8)
    [0.4, 0.8]
    """
    return [p * (1.0 - gain) for gain in gains]


def satisfied_goal(gains: Values, costs: Values, T: float) -> list[float]:
    """NERR, equation 11: as in INSQ, unless satisfied.

    >>> satisfied_goal([0.5, 0], [1] * 2, T=1)
    [0.2222222222222222, 0.5625]
    """
    return [going * (1.0 - gain) for going, gain in zip(_goal_alone(T, len(gains)), gains, strict=True)]


def _logistic(odds: float, exponent: float) -> float:
    """odds·e^x/(1 + odds·e^x), for any x."""
    if exponent > 700:
        return 1.0 if odds > 0 else 0.0
    return 1.0 - 1.0 / (1.0 + odds * exp(exponent))


def forager_with_goal(gains: Values, costs: Values, T: float, b1: float, R1: float) -> list[float]:
    """Information foraging, by goal: 1 - 1/(1 + b1·e^(R1·(T - gained))).

    >>> forager_with_goal([1, 0], [1] * 2, T=1, b1=1, R1=2)
    [0.5, 0.5]
    """
    return [_logistic(b1, (T - gained) * R1) for gained in accumulate(gains)]


def forager_with_rate(gains: Values, costs: Values, A: float, b2: float, R2: float) -> list[float]:
    """Information foraging, by rate: 1/(1 + b2·e^(R2·(A - gained/spent))).

    >>> forager_with_rate([1, 0], [1] * 2, A=1, b2=1, R2=2)[0]
    0.5
    """
    rates = (gained / spent for gained, spent in zip(accumulate(gains), accumulate(costs), strict=True))
    return [1.0 - _logistic(b2, (A - rate) * R2) for rate in rates]


def forager(
    gains: Values, costs: Values, T: float, b1: float, R1: float, A: float, b2: float, R2: float
) -> list[float]:  # fmt: skip
    """Information foraging, by goal and rate: the product of the two.

    >>> forager([1, 0], [1] * 2, T=1, b1=1, R1=2, A=1, b2=1, R2=2)[0]
    0.25
    """
    both = zip(forager_with_goal(gains, costs, T, b1, R1), forager_with_rate(gains, costs, A, b2, R2), strict=True)
    return [goal * rate for goal, rate in both]


MODELS: Mapping[str, Callable[..., list[float]]] = {
    "P": first_k,
    "RR": first_found,
    "AP": to_the_last,
    "RBP": constant,
    "SDCG": logarithmic,
    "INSQ": goal_alone,
    "INST": goal_and_found,
    "BPM": enough_or_tired,
    "BPMD": moody,
    "TBG": half_life,
    "UMeasure": text_read,
    "NERR8": satisfied_k,
    "NERR9": satisfied_discounted,
    "NERR10": satisfied_constant,
    "NERR11": satisfied_goal,
    "IFT-C1": forager_with_goal,
    "IFT-C2": forager_with_rate,
    "IFT-C1-C2": forager,
}
"""By the name of the model's measure."""


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
