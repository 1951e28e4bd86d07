"""Our own random numbers: the same stream from the same (seed, purpose, trial), on any thread, machine or core.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014) used as
a counter: output i of a stream is mix(key + (i + 1)·γ), so trial 7 can be computed without trials 0 to 6, and
`core/random.h` is the same arithmetic in C.
"""

from __future__ import annotations

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """SplitMix64's finaliser: a bijection of 64-bit integers that scatters its input."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def purpose_key(seed: int, purpose: str) -> int:
    """A 64-bit key for all trials of one purpose; FNV-1a spreads the purpose's name.

    >>> purpose_key(1, "swap") == purpose_key(1, "stability")
    False
    """
    if not hasattr(seed, "__index__"):
        raise UsageError(f"`seed={seed}`: expected a whole number")
    if not -(1 << 63) <= seed < 1 << 64:
        # Only 64 bits enter: a larger seed would be another one in disguise.
        raise UsageError(f"`seed={seed}`: expected a whole number that fits 64 bits")
    name = 0xCBF29CE484222325
    for byte in purpose.encode("utf-8", "surrogatepass"):  # an id that is not UTF-8 has lone surrogates
        name = ((name ^ byte) * 0x100000001B3) & MASK
    return mix((mix(seed & MASK) + name) & MASK)


class Stream:
    """An endless stream of random numbers that belongs to one trial."""

    __slots__ = ("_state",)

    def __init__(self, key: int) -> None:
        self._state = key

    def bits(self) -> int:
        """The next 64 random bits.

        >>> a, b = stream(1, "doc", 0), stream(1, "doc", 0)
        >>> a.bits() == b.bits()
        True
        """
        self._state = (self._state + GAMMA) & MASK
        return mix(self._state)

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound), without bias (Lemire's multiply-and-reject; bound below 2**32).

        >>> s = stream(7, "dice", 0)
        >>> {s.below(3) for _ in range(100)} == {0, 1, 2}
        True
        """
        product = (self.bits() >> 32) * bound
        low = product & 0xFFFFFFFF
        if low < bound:
            threshold = (1 << 32) % bound
            while low < threshold:
                product = (self.bits() >> 32) * bound
                low = product & 0xFFFFFFFF
        return product >> 32

    def sample(self, items: Sequence[int], size: int) -> list[int]:
        """`size` distinct items, by a partial Fisher-Yates shuffle from the front.

        >>> sorted(stream(7, "deal", 0).sample(range(5), 5))
        [0, 1, 2, 3, 4]
        """
        pool = list(items)
        for i in range(size):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:size]


def stream(seed: int, purpose: str, trial: int) -> Stream:
    """The stream of one trial.

    >>> stream(1, "swap", 3).bits() == stream(1, "swap", 4).bits()
    False
    """
    return Stream(mix((purpose_key(seed, purpose) + (trial + 1) * GAMMA) & MASK))
