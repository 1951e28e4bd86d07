"""The arithmetic of resample.c in numpy: the same integers, for machines without a compiler and for the tests."""

from __future__ import annotations

import numpy as np

from assay.native.streams import following, starts

LEVELS = 10
EDGES = 22
_LITTLE = np.dtype("<u8")


def _below(state: np.ndarray, bound: int) -> np.ndarray:
    """`random.Stream.below` for one stream per trial; only the trials that reject draw again."""
    product = (following(state, slice(None)) >> np.uint64(32)) * np.uint64(bound)
    threshold = (1 << 32) % bound
    again = (product & np.uint64(0xFFFFFFFF)) < np.uint64(threshold)
    while again.any():
        product[again] = (following(state, again) >> np.uint64(32)) * np.uint64(bound)
        again = (product & np.uint64(0xFFFFFFFF)) < np.uint64(threshold)
    return (product >> np.uint64(32)).astype(np.int64)


def pack(flags: np.ndarray) -> np.ndarray:
    rows, columns = flags.shape
    padded = np.zeros((rows, (columns + 63) // 64 * 64), bool)
    padded[:, :columns] = flags
    return np.packbits(padded, axis=1, bitorder="little").view(_LITTLE).astype(np.uint64)


def unpack(masks: np.ndarray, topics: int) -> np.ndarray:
    flat = np.ascontiguousarray(masks.astype(_LITTLE)).view(np.uint8)
    return np.unpackbits(flat, axis=-1, bitorder="little")[..., :topics]


def subsets(key: int, first: int, trials: int, topics: int, size: int, sets: int) -> np.ndarray:
    state = starts(key, first, trials)
    pool = np.tile(np.arange(topics, dtype=np.int32), (trials, 1))
    chosen = np.zeros((trials, sets, topics), bool)
    rows = np.arange(trials)
    for i in range(sets * size):
        j = i + _below(state, topics - i)
        topic = pool[rows, j]
        pool[rows, j] = pool[:, i]
        chosen[rows, i // size, topic] = True
    words = (topics + 63) // 64
    return pack(chosen.reshape(trials * sets, topics)).reshape(trials, sets, words)


def add_bits(bits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    topics = bits.shape[1] * 64
    return add_values(unpack(bits, topics).T.astype(np.int64), masks).astype(np.int32)


def add_values(values: np.ndarray, masks: np.ndarray) -> np.ndarray:
    trials, sets, _ = masks.shape
    flags = unpack(masks, len(values)).reshape(trials * sets, len(values))
    # Where every possible sum is a whole number below 2⁵³, the fast product of doubles is exact in any order.
    exact = int(abs(values).max(initial=0)) * len(values) < 1 << 53
    kind = np.float64 if exact else np.int64
    sums = flags.astype(kind) @ values.astype(kind)
    return np.ascontiguousarray(sums.reshape(trials, sets, -1).transpose(1, 2, 0).astype(np.int64))


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


def pairs(top: np.ndarray, bottom: int) -> tuple[np.ndarray, np.ndarray]:
    runs = top.shape[1]
    outcomes, edges = [np.zeros((0, 2 * LEVELS), np.int64)], np.zeros((EDGES, 3), np.int64)
    for x in range(runs - 1):
        left, right = top[:, x : x + 1], top[:, x + 1 :]
        outcomes.append(_levels(left[0] - right[0], np.maximum(left[0], right[0])))
        if len(top) == 2:
            edges += _edges(left[0] - right[0], left[1] - right[1], bottom)
    return np.concatenate(outcomes), edges


def pairs_ratio(top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    runs = top.shape[1]
    outcomes, edges = [np.zeros((0, 2 * LEVELS), np.int64)], np.zeros((EDGES, 3), np.int64)
    for x in range(runs - 1):
        left, right = top[:, x : x + 1] * bottom[:, x + 1 :], top[:, x + 1 :] * bottom[:, x : x + 1]
        outcomes.append(_levels(left[0] - right[0], np.maximum(left[0], right[0])))
        if len(top) == 2:
            edges += _edges(left[0] - right[0], left[1] - right[1], bottom[0, x : x + 1] * bottom[0, x + 1 :])
    return np.concatenate(outcomes), edges
