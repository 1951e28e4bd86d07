"""The generator: the published SplitMix64, streams that do not touch, draws without bias."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.errors import UsageError
from assay.random import GAMMA, MASK, Stream, mix, purpose_key, stream


def test_it_is_splitmix64() -> None:
    """The first outputs for the seed 1234567, as the authors' reference implementation prints them."""
    numbers = Stream(1234567)
    assert [numbers.bits() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_stream_is_a_counter() -> None:
    """Output i is mix(key + (i + 1)·γ): trial and place are enough to know it."""
    key = 42
    numbers = Stream(key)
    assert [numbers.bits() for _ in range(4)] == [mix((key + (i + 1) * GAMMA) & MASK) for i in range(4)]


def test_seed_purpose_and_trial_all_matter() -> None:
    first = {stream(seed, purpose, trial).bits() for seed in (0, 1, -1) for purpose in "ab" for trial in range(50)}
    assert len(first) == 300
    for seed in (1 + 2**64, 2**64, -(2**63) - 1):
        with pytest.raises(UsageError, match=f"`seed={seed}`: expected a whole number that fits 64 bits"):
            purpose_key(seed, "swap")


@pytest.mark.parametrize("bound", [1, 2, 3, 12, 3 << 30, (1 << 32) - 1])
def test_below_stays_below_and_is_even(bound) -> None:
    """3·2³⁰ throws away a quarter of the words; without that every third number would come twice as often."""
    numbers = stream(7, "bound", bound)
    drawn = [numbers.below(bound) for _ in range(3000)]
    assert all(0 <= value < bound for value in drawn)
    parts = min(bound, 3)
    counts = Counter(value % parts for value in drawn)
    assert all(abs(counts[part] - 3000 / parts) < 5 * (3000 / parts) ** 0.5 for part in range(parts))


def test_a_biased_word_is_thrown_away() -> None:
    bound, numbers, words = 3 << 30, Stream(5), Stream(5)
    threshold = (1 << 32) % bound
    for _ in range(200):
        product = (words.bits() >> 32) * bound
        while product & 0xFFFFFFFF < threshold:
            product = (words.bits() >> 32) * bound
        assert numbers.below(bound) == product >> 32


def test_a_sample_holds_each_item_once_and_every_item_equally_often() -> None:
    counts = Counter()
    for trial in range(2000):
        chosen = stream(3, "sample", trial).sample(range(10, 20), 4)
        assert len(set(chosen)) == 4
        counts.update(chosen)
    assert set(counts) == set(range(10, 20))
    assert all(abs(count - 800) < 5 * (800 * 0.6) ** 0.5 for count in counts.values())


def test_a_smaller_sample_of_a_trial_is_part_of_a_larger_one() -> None:
    assert stream(3, "nested", 0).sample(range(50), 9)[:4] == stream(3, "nested", 0).sample(range(50), 4)
