"""What rankings share: by hand, and the core against its twin."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core import binding
from assay.core.overlaps import count_shared


def test_by_hand():
    """a b c x and c y a b: X = 0 0 2 3; in the order of the first, ranks 3 4 1: one pair in order, a share of 1/1 and then 0/2."""
    found = count_shared(["abcx", "cyab"], np.array([0.0, 1.0, 10.0, 100.0, 1000.0]))
    assert [column.tolist() for column in found] == [[3], [3], [1], [3200.0], [1.0]]


@pytest.mark.skipif(binding.LIBRARY is None, reason="needs the core")
def test_the_core_and_its_twin_agree_to_the_last_bit(monkeypatch):
    rankings = [[str(place * step % 211) for place in range(length)] for step, length in ((1, 200), (7, 130), (60, 70))]
    terms = 0.9 ** np.arange(201)
    by_core = count_shared([*rankings, []], terms)
    monkeypatch.setattr(binding, "LIBRARY", None)
    by_twin = count_shared([*rankings, []], terms)
    assert all(np.array_equal(one, other) for one, other in zip(by_core, by_twin, strict=True))
