"""Several samples as one: the mean over them, each resampled on its own.

The strata are independent, so the variance of the mean is the sum of theirs over the square of their number, in the resampler as
in every resample. A stratum's draws follow from its own seed, and not from the order in which the strata stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.random import purpose_key
from assay.resampling.integer_scaling import Floats, Integers
from assay.resampling.resamplers import Resampler, Runs

PURPOSE = "stratum"


class StratifiedResampler(Resampler):
    """The mean of one run's measure over strata, by their names; every stratum must be able to tell its errors.

    >>> from assay.resampling.resamplers import MeanResampler
    >>> a, b = MeanResampler(np.array([[0.0], [1.0]])), MeanResampler(np.array([[1.0], [1.0], [1.0], [0.0]]))
    >>> both = StratifiedResampler({"a": a, "b": b})
    >>> both.values().tolist()
    [0.625]
    """

    CAN = ("errors",)

    def __init__(self, strata: Mapping[str, Resampler]) -> None:
        super().__init__(sum(resampler.topics for resampler in strata.values()), 1, None)
        self.strata = dict(strata)
        self.units = sum(resampler.units for resampler in strata.values())
        self.scale = max(resampler.scale for resampler in strata.values())
        self.held = max(resampler.held for resampler in strata.values())

    def values(self) -> Floats:
        return np.mean([resampler.values() for resampler in self.strata.values()], axis=0)

    def bootstrap(self, resamples: int, seed: int, threads: int | None = None) -> Floats:
        drawn = [
            resampler.bootstrap(resamples, purpose_key(seed, f"{PURPOSE} {name}"), threads)
            for name, resampler in self.strata.items()
        ]
        return np.mean(drawn, axis=0)

    def errors(self, a: Integers, b: Runs) -> Floats:
        return self._together([resampler.errors(a, b) for resampler in self.strata.values()])

    def bootstrap_errors(self, a: Integers, b: Runs, resamples: int, seed: int, threads: int | None) -> Floats:
        return self._together([
            resampler.bootstrap_errors(a, b, resamples, purpose_key(seed, f"{PURPOSE} {name}"), threads)
            for name, resampler in self.strata.items()
        ])  # fmt: skip

    def _together(self, errors: list[Any]) -> Floats:
        return np.sqrt(np.sum(np.square(errors), axis=0)) / len(self.strata)
