"""The mean of skewed values: Hall's transformation of Student's t, which takes the skewness out.

    T = √n (((1 + γW/3)³ - 1)/γ + γ/(6n)),    W = (mean - μ)/(√n · standard error),  γ the skewness of the values

Hall, "On the removal of skewness by transformation", JRSS B 54 (1992). T grows with W, so that it has an inverse and gives an interval.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COCHRAN = 25
"""A mean of n values is close to normal where n > 25γ² (Cochran, Sampling Techniques, 1977, §2.15)."""


def is_skewed(skewness: Any, n: Any) -> Any:
    """Return whether n values are too few for a symmetric interval, by Cochran's rule.

    >>> is_skewed([1.0, 1.2], 30).tolist()
    [False, True]
    """
    return n < COCHRAN * np.asarray(skewness) ** 2


def corrected_t(t: Any, skewness: Any, n: Any) -> Floats:
    """Return Hall's T, which is closer to Student's distribution than t is; skewness must not be 0.

    By hand, t = -2 of 25 values with a skewness of 3: W = -.4, ((1 - .4)³ - 1)/3 = -.2613, 3/150 = .02, and 5 · -.2413.

    >>> round(float(corrected_t(-2.0, 3.0, 25)), 4)
    -1.2067
    """
    skewness = np.asarray(skewness, dtype=np.float64)
    w = np.asarray(t, dtype=np.float64) / np.sqrt(n)
    return np.sqrt(n) * (((1 + skewness * w / 3) ** 3 - 1) / skewness + skewness / (6 * n))


def uncorrected_t(corrected: Any, skewness: Any, n: Any) -> Floats:
    """Return the t of which this is Hall's T.

    >>> round(float(uncorrected_t(corrected_t(-2.0, 3.0, 25), 3.0, 25)), 9)
    -2.0
    """
    skewness = np.asarray(skewness, dtype=np.float64)
    cube = 1 + skewness * (np.asarray(corrected, dtype=np.float64) / np.sqrt(n) - skewness / (6 * n))
    return np.sqrt(n) * 3 * (np.cbrt(cube) - 1) / skewness
