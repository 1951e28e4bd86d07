"""Means of runs that were scored on different topics, adjusted for how hard their topics are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.resampling.arithmetic import Floats


def adjusted_means(values: Floats) -> Floats:
    """Return each run's mean over all topics by the additive model: value = run effect + topic effect, by least squares.

    values   topics × runs, NaN where there is none, all `connected`; with every cell, the result is the means themselves

    The second run lacks the hard topic, where the first has 0; on the shared one it is .2 better:

    >>> adjusted_means(np.array([[0.6, 0.8], [0.0, np.nan]])).round(6).tolist()
    [0.3, 0.5]
    """
    present = np.isfinite(values)
    filled = np.where(present, values, 0.0)
    of_topic, of_run = present.sum(axis=1), present.sum(axis=0)
    present, filled, of_topic = present[of_topic > 0], filled[of_topic > 0], of_topic[of_topic > 0]
    seen = present.astype(np.float64)
    # The normal equations without the topics: of each topic only the distance from its mean counts.
    matrix = np.diag(of_run.astype(np.float64)) - seen.T @ (seen / of_topic[:, None])
    right = filled.sum(axis=0) - seen.T @ (filled.sum(axis=1) / of_topic)
    effects = np.linalg.lstsq(matrix, right, rcond=None)[0]
    topics = (filled - effects * seen).sum(axis=1) / of_topic
    return effects + topics.mean()


def connected(values: Floats) -> NDArray[np.bool_]:
    """Return which runs share a topic with the first, directly or through other runs.

    >>> connected(np.array([[1.0, 1.0, np.nan, np.nan], [np.nan, 1.0, 1.0, np.nan], [np.nan, np.nan, np.nan, 1.0]])).tolist()
    [True, True, True, False]
    """
    present = np.isfinite(values)
    joined = np.zeros(values.shape[1], dtype=bool)
    joined[0] = True
    while True:
        topics = present[:, joined].any(axis=1)
        more = joined | present[topics].any(axis=0)
        if (more == joined).all():
            return joined
        joined = more
