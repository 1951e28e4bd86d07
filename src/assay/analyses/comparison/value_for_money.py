"""Value for money: which runs no other beats for less, how surely, and how much worse a cheaper run may be.

A run is on the frontier if no other run is at least as good and cheaper (or better at the same cost). Questions are resampled together with
their costs, and the share of resamples with the run on the frontier says how sure that is. Savings follow from the intervals of the
comparison: if these hold for all pairs at once, so do the sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.analyses.brief_numbers import brief
from assay.analyses.comparison.finding import decimals, pairs_with_leader
from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.result import Comparison, PairResult
from assay.errors import UsageError
from assay.figures.cost_frontier import Costs, known_costs
from assay.figures.measure_names import in_words
from assay.resampling.arithmetic import Floats
from assay.resampling.columns import Columns
from assay.resampling.resamplers import Resampler
from assay.stats.cost_frontier import on_frontier

RESAMPLES = 2_000
"""A share has a standard error of at most .011."""
MAX_VALUES = 50_000_000
"""Of so many values under resampling, fewer resamples are made."""
PHRASES = {
    "tokens": "uses {} fewer tokens than", "latency": "takes {} less time than", "size": "is {} smaller than",
    "parameters": "is {} smaller than",
}  # fmt: skip
"""By kind of cost, how much less a run needs; any other cost is that of money."""


@dataclass(frozen=True)
class RunCost:
    """What a run costs, and how surely no other run beats it for less."""

    run: str
    cost: float
    on_frontier: bool
    """Whether no other run is at least as good and cheaper, or better at the same cost."""
    share: float
    """The share of resamples in which this is so."""


@dataclass(frozen=True)
class Saving:
    """A run that is cheaper than another, and by how much it may be worse."""

    run: str
    than: str
    saves: float
    """The share of the other's cost that it saves."""
    at_most_worse: float
    """By how much at most it is worse, at the comparison's confidence; negative where it is better by at least so much."""
    sentence: str


@dataclass(frozen=True)
class ValueForMoney:
    """The costs of the runs of a comparison, the frontier with its uncertainty, and what is saved at which loss."""

    kind: str
    """cost, tokens, latency, or the characteristic that has the cost."""
    label: str
    """The unit, as in Dollars per 1,000 questions."""
    resamples: int
    runs: list[RunCost]
    """The cheapest first."""
    unknown: list[str]
    """Runs without a value or a known cost."""
    savings: list[Saving]
    """Of the pairs with the leader (of a baseline, with it), those in which the other run is cheaper or, of a baseline, it is."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            **vars(self),
            "runs": [vars(run) for run in self.runs],
            "savings": [vars(saving) for saving in self.savings],
        }

    @property
    def sentences(self) -> list[str]:
        """The savings of the runs on the frontier, in words."""
        frontier = {run.run for run in self.runs if run.on_frontier}
        return [saving.sentence for saving in self.savings if saving.run in frontier]


def value_for_money(
    result: Comparison, columns: Columns, options: ComparisonOptions, cost: str | None
) -> ValueForMoney:
    """Return the frontier of value and cost of a comparison.

    result    the comparison
    columns   what it compared
    cost      the kind of cost; by default the one that most runs have
    """
    if result.higher_is_better is None:
        raise UsageError(f"`cost`: value for money needs a measure with a direction; {result.measure} has none")
    values = {run.run: run.value for run in result.runs if run.value is not None}
    chosen = _chosen(columns, values, cost)
    sign = 1.0 if result.higher_is_better else -1.0
    runs = [run for run in columns.runs if run in values and run in chosen.by_run]
    at = [columns.runs.index(run) for run in runs]
    resamples = max(200, min(RESAMPLES, MAX_VALUES // max(len(columns.runs), 1)))
    worth = sign * columns.resampler.bootstrap(resamples, options.seed, options.threads)[:, at]
    spent = _resampled_costs(columns, chosen, runs, resamples, options)
    here = np.array([[sign * (values[run] or 0.0) for run in runs]]), np.array([[chosen.by_run[run] for run in runs]])
    members, shares = on_frontier(*here)[0], on_frontier(worth, spent).mean(axis=0)
    costs = [
        RunCost(run, chosen.by_run[run], bool(member), float(share))
        for run, member, share in zip(runs, members, shares, strict=True)
    ]
    unknown = [run.run for run in result.runs if run.run not in runs]
    cheapest_first = sorted(costs, key=lambda run: (run.cost, -sign * (values[run.run] or 0.0)))
    return ValueForMoney(chosen.kind, chosen.label, resamples, cheapest_first, unknown, _savings(result, chosen))


def _chosen(columns: Columns, values: Any, cost: str | None) -> Costs:
    """Return the costs of the kind named, or of the kind that most runs have, over the questions compared."""
    known = known_costs(columns.scores, columns.places.tolist())
    kinds = [costs.kind for costs in known]
    if cost is not None and cost not in kinds:
        raise UsageError(f"`cost={cost!r}`: no run has it; {_what_there_is(kinds)}")
    usable = [costs for costs in known if cost in (None, costs.kind) and len(costs.by_run.keys() & values.keys()) > 1]
    if not usable:
        raise UsageError(f"`cost`: needs two runs of known cost; {_what_there_is(kinds)}")
    return max(usable, key=lambda costs: len(costs.by_run.keys() & values.keys()))


def _what_there_is(kinds: list[str]) -> str:
    if kinds:
        return f"there is {', '.join(kinds)}"
    return (
        "costs are those of logs, of columns `cost`, `tokens` and `latency` of tables, or numbers in characteristics under cost, price, "
        "size or parameters"
    )


def _resampled_costs(
    columns: Columns, costs: Costs, runs: list[str], resamples: int, options: ComparisonOptions
) -> Floats:
    """Return the costs on the questions that each resample draws for the values too; draws × runs."""
    fixed = np.array([costs.by_run[run] for run in runs])
    if costs.table is None:
        return np.tile(fixed, (resamples, 1))
    measure, places = costs.table.measure(costs.kind), columns.places
    cells = [costs.table.column(run, measure.name) for run in runs]
    mask = np.array([[row[place] is not None for place in places.tolist()] for row in cells])
    own: Resampler = Columns(costs.table, measure, runs, places, mask, columns.cluster, columns.clusters).resampler
    return own.bootstrap(resamples, options.seed, options.threads) * costs.factor


def _savings(result: Comparison, costs: Costs) -> list[Saving]:
    pairs = pairs_with_leader(result) or result.pairs
    oriented = [saving for pair in pairs if (saving := _saving(result, pair, costs)) is not None]
    return sorted(oriented, key=lambda saving: -saving.saves)


def _saving(result: Comparison, pair: PairResult, costs: Costs) -> Saving | None:
    """Return what the cheaper run of a pair saves; None where their costs are equal or unknown, or there is no interval."""
    known = [costs.by_run.get(run) for run in (pair.a, pair.b)]
    if pair.interval is None or None in known or known[0] == known[1]:
        return None
    a, b = (float(cost or 0.0) for cost in known)
    first_is_better = 1.0 if result.higher_is_better else -1.0
    # The difference a - b with more being better, and its interval.
    low, high = sorted(first_is_better * end for end in (pair.interval.low, pair.interval.high))
    (run, than), worse = ((pair.a, pair.b), -low) if a < b else ((pair.b, pair.a), high)
    saves = 1 - min(a, b) / max(a, b)
    digits = decimals(result)
    loss = (
        f"at most {brief(worse, digits)} {in_words(result.measure)} worse"
        if worse > 0
        else f"at least {brief(-worse, digits)} {in_words(result.measure)} better"
    )
    confidence = f"{100 * result.settings['confidence']:g}%"
    phrase = PHRASES.get(costs.kind.casefold(), "costs {} less than").format(percent_saved(saves))
    return Saving(run, than, saves, worse, f"{run} {phrase} {than} and is {loss} ({confidence}).")


def percent_saved(share: float) -> str:
    """Return a share as a percentage, with a digit more where it would look like nothing or everything.

    >>> percent_saved(0.84), percent_saved(0.9983), percent_saved(0.004)
    ('84%', '99.8%', '0.4%')
    """
    return f"{share:.1%}" if share > 0.985 or share < 0.015 else f"{share:.0%}"
