"""Which runs lie on the frontier of value and cost, in many resamples at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.resampling.arithmetic import Floats


def on_frontier(values: Floats, costs: Floats) -> Any:
    """Return where no other run is at least as good and cheaper, or better at the same cost.

    values   draws × runs, more is better; NaN where a run has no value, which puts it off the frontier
    costs    the same shape

    >>> on_frontier(np.array([[0.5, 0.7, 0.6, 0.7]]), np.array([[1.0, 2.0, 3.0, 2.0]])).tolist()
    [[True, True, False, True]]
    """
    known = np.isfinite(values) & np.isfinite(costs)
    values, costs = np.where(known, values, -np.inf), np.where(known, costs, np.inf)
    # Cheapest first, the better first of equal costs: a run needs a higher value than all runs before it.
    order = np.lexsort((-values, costs), axis=1)
    ordered, spent = np.take_along_axis(values, order, 1), np.take_along_axis(costs, order, 1)
    before = np.full_like(ordered, -np.inf)
    before[:, 1:] = np.maximum.accumulate(ordered, axis=1)[:, :-1]
    leads = ordered > before
    # A run equal to one on the frontier in value and cost is on it too.
    last = np.maximum.accumulate(np.where(leads, np.arange(values.shape[1]), 0), axis=1)
    same = (np.take_along_axis(ordered, last, 1) == ordered) & (np.take_along_axis(spent, last, 1) == spent)
    members = np.empty(values.shape, dtype=bool)
    np.put_along_axis(members, order, leads | same, 1)
    return members & known
