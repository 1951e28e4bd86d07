"""The generator of `assay.random` for many trials at once, in numpy, whose unsigned arithmetic wraps as C's does."""

from __future__ import annotations

import numpy as np

from assay.random import GAMMA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]


def mix(z: Words) -> Words:
    """`random.mix` of each word."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def starts(key: int, first: int, trials: int) -> Words:
    """Where the streams of the trials from `first` on start.

    >>> from assay.random import purpose_key, stream
    >>> states = starts(purpose_key(1, "doc"), 3, 2)
    >>> int(following(states, slice(None))[1]) == stream(1, "doc", 4).bits()
    True
    """
    number = np.arange(first + 1, first + 1 + trials, dtype=np.uint64)
    return mix(np.uint64(key) + number * np.uint64(GAMMA))


def following(states: Words, trials: Any) -> Words:
    """The next word of some trials' streams, advancing `states` in place."""
    states[trials] += np.uint64(GAMMA)
    return mix(states[trials])
