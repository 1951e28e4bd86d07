"""The arithmetic of `permute.c` and `resample.c` in numpy, whose unsigned numbers wrap as C's do: the same words of
`assay.random` in the same order, many trials at once, for machines without a compiler and for the tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.random import GAMMA

Table = NDArray[np.int64]
Words = NDArray[np.uint64]
NARROW = 4096
"""Dice with at most so many sides are rolled with 16 random bits each, larger ones with 32."""
LEVELS = 10
"""Fuzziness .01 … .10."""
EDGES = 22
"""All comparisons, those with a difference other than 0, and those of at least .01 … .20."""
FLIPPED_AT_ONCE = 2_000_000
"""Numbers of pairs and flips that are in memory at a time."""


def mix(z: Words) -> Words:
    """`random.mix` of each word."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def block(key: int, first: int, trials: int, count: int) -> Words:
    """Return the first `count` random words of the trials' streams, a row per trial.

    >>> from assay.random import purpose_key, stream
    >>> int(block(purpose_key(1, "doc"), 3, 2, 5)[1, 0]) == stream(1, "doc", 4).bits()
    True
    """
    number = np.arange(1, count + 1, dtype=np.uint64)
    return mix(starts(key, first, trials)[:, None] + number * np.uint64(GAMMA))


def uniform(words: Words) -> NDArray[np.float64]:
    """Convert random words to numbers between 0 and 1.

    >>> uniform(np.array([0, 2**63, 2**64 - 1], dtype=np.uint64)).round(9).tolist()
    [0.0, 0.5, 1.0]
    """
    return ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def starts(key: int, first: int, trials: int) -> Words:
    """Return the initial states of the streams of the trials from `first` on.

    >>> from assay.random import purpose_key, stream
    >>> states = starts(purpose_key(1, "doc"), 3, 2)
    >>> int(following(states, slice(None))[1]) == stream(1, "doc", 4).bits()
    True
    """
    number = np.arange(first + 1, first + 1 + trials, dtype=np.uint64)
    return mix(np.uint64(key) + number * np.uint64(GAMMA))


def following(states: Words, trials: Any) -> Words:
    """Return the next word of some trials' streams, advancing `states` in place."""
    states[trials] += np.uint64(GAMMA)
    return mix(states[trials])


def picks(states: Words, sides: list[int]) -> NDArray[np.int64]:
    """Roll every die for every trial: (r · s) >> bits for s sides, again where biased (Lemire 2019)."""
    if not sides:
        return np.empty((len(states), 0), dtype=np.int64)
    if len(sides) + 1 > NARROW:
        return _wide_picks(states, sides)
    words = -(-len(sides) // 4)
    number = np.arange(1, words + 1, dtype=np.uint64)
    drawn = mix(states[:, None] + number * np.uint64(GAMMA))
    states += np.uint64(words * GAMMA & 0xFFFFFFFFFFFFFFFF)
    lanes = (drawn[:, :, None] >> np.array([0, 16, 32, 48], dtype=np.uint64)) & np.uint64(0xFFFF)
    products = lanes.reshape(len(states), -1)[:, : len(sides)] * np.array(sides, dtype=np.uint64)
    thresholds = np.array([(1 << 16) % side for side in sides], dtype=np.uint64)
    biased = (products & np.uint64(0xFFFF)) < thresholds
    for i in np.flatnonzero(biased.any(axis=0)).tolist():
        again = np.flatnonzero(biased[:, i])
        while len(again):
            products[again, i] = (following(states, again) & np.uint64(0xFFFF)) * np.uint64(sides[i])
            again = again[(products[again, i] & np.uint64(0xFFFF)) < thresholds[i]]
    return (products >> np.uint64(16)).astype(np.int64)


def _wide_picks(states: Words, sides: list[int]) -> NDArray[np.int64]:
    everyone = np.arange(len(states))
    picks = np.empty((len(states), len(sides)), dtype=np.int64)
    words = np.zeros_like(states)
    for i, side in enumerate(sides):
        words = words >> np.uint64(32) if i % 2 else following(states, everyone)
        products = (words & np.uint64(0xFFFFFFFF)) * np.uint64(side)
        threshold = np.uint64((1 << 32) % side)
        again = np.flatnonzero((products & np.uint64(0xFFFFFFFF)) < threshold)
        while len(again):
            products[again] = (following(states, again) & np.uint64(0xFFFFFFFF)) * np.uint64(side)
            again = again[(products[again] & np.uint64(0xFFFFFFFF)) < threshold]
        picks[:, i] = products >> np.uint64(32)
    return picks


def shuffled_sums(table: Table, states: Words) -> Table:
    columns = table.shape[1]
    trials = np.arange(len(states))
    sums = np.zeros((len(states), columns), dtype=np.int64)
    sides = list(range(columns, 1, -1))
    for values in table:
        row = np.tile(values, (len(states), 1))
        rolled = picks(states, sides)
        for i, last in enumerate(range(columns - 1, 0, -1)):
            sums[:, last] += row[trials, rolled[:, i]]
            row[trials, rolled[:, i]] = row[:, last]
        sums[:, 0] += row[:, 0]
    return sums


def bootstrap_sums(table: Table, states: Words) -> Table:
    sums = np.zeros((len(states), table.shape[1]), dtype=np.int64)
    for column in picks(states, [len(table)] * len(table)).T:
        sums += table[column]
    return sums


def taken(states: Words, rows: int) -> NDArray[np.bool_]:
    number = np.arange(1, (rows + 63) // 64 + 1, dtype=np.uint64)
    words = mix(states[:, None] + number[None, :] * np.uint64(GAMMA))
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, count=rows, bitorder="little")
    return bits.view(np.bool_)


def half_sums(table: Table, states: Words) -> Table:
    return taken(states, len(table)).astype(np.int64) @ table


def _below(state: np.ndarray, bound: int) -> np.ndarray:
    """`random.Stream.below` for one stream per trial; only the trials that reject draw again."""
    product = (following(state, slice(None)) >> np.uint64(32)) * np.uint64(bound)
    threshold = (1 << 32) % bound
    again = (product & np.uint64(0xFFFFFFFF)) < np.uint64(threshold)
    while again.any():
        product[again] = (following(state, again) >> np.uint64(32)) * np.uint64(bound)
        again = (product & np.uint64(0xFFFFFFFF)) < np.uint64(threshold)
    return (product >> np.uint64(32)).astype(np.int64)


def drawn_topics(key: int, first: int, trials: int, topics: int, marks: Sequence[int]) -> Iterator[NDArray[np.bool_]]:
    """Yield for each mark, rising, which topics are drawn first: trials × topics, one array reused."""
    state = starts(key, first, trials)
    pool = np.tile(np.arange(topics, dtype=np.int32), (trials, 1))
    chosen = np.zeros((trials, topics), bool)
    rows, at = np.arange(trials), 0
    for mark in marks:
        for i in range(at, mark):
            j = i + _below(state, topics - i)
            topic = pool[rows, j]
            pool[rows, j] = pool[:, i]
            chosen[rows, topic] = True
        at = mark
        yield chosen


def drawn(values: np.ndarray, key: int, first: int, trials: int, marks: Sequence[int]) -> np.ndarray:
    # Where every possible sum is a whole number below 2⁵³, the fast product of doubles is exact in any order.
    exact = int(abs(values).max(initial=0)) * len(values) < 1 << 53
    kind = np.float64 if exact else np.int64
    rows = values.T.astype(kind)
    sums = [rows @ chosen.T.astype(kind) for chosen in drawn_topics(key, first, trials, len(values), marks)]
    return np.stack(sums).astype(np.int64)


def _levels(difference: np.ndarray, largest: np.ndarray) -> np.ndarray:
    scaled, size = 100 * abs(difference), abs(largest)
    table = np.zeros((2, LEVELS, len(difference)), np.int64)
    for level in range(LEVELS):
        apart = (scaled >= (level + 1) * size) & (difference != 0)
        table[0, level] = (apart & (difference > 0)).sum(axis=1)
        table[1, level] = (apart & (difference < 0)).sum(axis=1)
    return table.reshape(2 * LEVELS, len(difference)).T


def _edges(first: np.ndarray, second: np.ndarray, unit: int | np.ndarray) -> np.ndarray:
    opposite = ((first > 0) & (second < 0)) | ((first < 0) & (second > 0))
    one_zero = (first == 0) != (second == 0)
    scaled = 100 * abs(first)
    table = np.zeros((EDGES, 3), np.int64)
    for edge in range(EDGES):
        reached = scaled >= (edge - 1) * unit if edge > 1 else (first != 0 if edge == 1 else first == first)
        table[edge] = reached.sum(), (reached & opposite).sum(), (reached & one_zero).sum()
    return table


def pairs(top: np.ndarray, bottom: int | np.ndarray, pairwise: bool = True) -> tuple[np.ndarray, np.ndarray]:
    runs = top.shape[1]
    outcomes, edges = [np.zeros((0, 2 * LEVELS), np.int64)], np.zeros((EDGES, 3), np.int64)
    for x in range(runs - 1):
        left, right, unit = top[:, x : x + 1], top[:, x + 1 :], bottom
        if isinstance(bottom, np.ndarray):
            left, right = left * bottom[:, x + 1 :], right * bottom[:, x : x + 1]
            unit = bottom[0, x : x + 1] * bottom[0, x + 1 :]
        if pairwise:
            outcomes.append(_levels(left[0] - right[0], np.maximum(left[0], right[0])))
        if len(top) == 2:
            edges += _edges(left[0] - right[0], left[1] - right[1], unit)
    return np.concatenate(outcomes), edges


def flipped(
    sums: np.ndarray, a: np.ndarray, b: np.ndarray, scales: np.ndarray, bounds: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """`resample.flipped`, some pairs at a time."""
    counts, high = [np.zeros(0, dtype=np.int64)], np.zeros(sums.shape[1])
    for here, r in _flipped(sums, a, b, scales):
        np.maximum(high, r.max(axis=0), out=high)
        if bounds is not None:
            counts.append(np.count_nonzero(r >= bounds[here, None], axis=1))
    return np.concatenate(counts), high


def _flipped(
    sums: np.ndarray, a: np.ndarray, b: np.ndarray, scales: np.ndarray
) -> Iterator[tuple[slice, np.ndarray]]:  # fmt: skip
    step = max(1, FLIPPED_AT_ONCE // max(1, sums.shape[1]))
    for first in range(0, len(a), step):
        here = slice(first, first + step)
        r = sums[a[here]] - sums[b[here]]
        r *= r
        r *= scales[here, None]
        yield here, r
