"""The answers of runs as the core wants them, to compute measures of whole runs on resamples: sorted once, binned once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.core import binding
from assay.core.whole_runs import Answers
from assay.measures.calibration import bin_of


def prepared(
    columns: Sequence[Sequence[Sequence[Any]]], parameters: Mapping[str, Any], mask: Any = None
) -> Answers | None:
    """Answers for the kernels of the core; None where only its Python function will do.

    columns      of each run: correct, answered and confidence, and what else the measure has
    parameters   of the measure
    mask         runs × questions, which of them enter; all where left out

    Two right answers at .5 and .9, a question that is not answered, and a wrong answer at .5: the highest comes first, and the two
    that are tied end their group together. A code is four times the question, two where it is right and one where a group ends.

    >>> answers = prepared([[[1, 0, 0, 1], [1, 0, 1, 1], [0.5, None, 0.5, 0.9]]], {"ties": "expected"})
    >>> answers is None or answers.order[0, :3].tolist()
    [15, 2, 9]
    """
    if binding.LIBRARY is None or parameters.get("ties", "expected") != "expected":
        return None
    correct, answered, confidence = (np.array([run[i] for run in columns], np.float64) for i in range(3))
    if not np.isin(correct, (0, 1)).all() or np.isnan(answered).any():
        return None
    enters = np.ones(correct.shape, bool) if mask is None else np.asarray(mask, bool)
    given = (answered != 0) & enters
    stated = given & ~np.isnan(confidence)
    bins = parameters.get("bins", 0)
    order = np.zeros(correct.shape, np.uint32)
    place = np.full(correct.shape, bins, np.int32)
    for run in range(len(correct)):
        # What is not answered sorts last, after answers without a confidence.
        ranked = np.lexsort((-confidence[run], ~stated[run], ~given[run]))
        sorted_ = confidence[run][ranked]
        ends = np.append(sorted_[1:] != sorted_[:-1], True)
        ends[max(stated[run].sum() - 1, 0)] = True
        order[run] = 4 * ranked + 2 * correct[run][ranked] + ends
        if bins:
            place[run, given[run]] = bins + 1
            place[run, stated[run]] = bin_of(confidence[run][stated[run]], bins, parameters["closed"])
    return Answers(
        order=order, stated=stated.sum(axis=1), answered=given.sum(axis=1),
        positive=(stated & (confidence > 0)).sum(axis=1), enters=None if mask is None else enters.astype(np.uint8),
        bin=place, hit=np.where(stated, correct, 1.0), confidence=np.where(stated, confidence, 0.0), bins=bins,
    )  # fmt: skip
