"""Values of parameters, as people write them."""

from __future__ import annotations

import pytest

import assay
from assay.measures.parameters import beta, gains, integer, number, one_of, part, positive, share
from assay.measures.views.ranked import RankedView


def test_gains_in_the_ways_the_literature_writes_them() -> None:
    view = RankedView.of([1, 3, 0, 2], unretrieved=[1])
    assert assay.measure("Q(gains=2:1.5:1)")(view) == assay.measure("Q(gains=3:2,2:1.5,1:1)")(view)
    assert assay.measure("Q(gains=flat)")(view) == assay.measure("Q(gains=1:1,2:1,3:1)")(view)
    assert assay.measure("Q(gains=3:2:1)")(view) == assay.measure("Q")(view)


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (positive, "10", 10), (integer, "-2", -2), (integer, "+2", 2), (number, "1e-3", 0.001), (share, "1", 1.0),
        (beta, "0", 0.0), (gains, "{1:1,2:3}", {1: 1.0, 2: 3.0}), (gains, "2:1:.5", {3: 2.0, 2: 1.0, 1: 0.5}),
        (one_of("a", "b"), "b", "b"), (part, "1", 1.0),
    ],
)  # fmt: skip
def test_what_is_understood(parse, text, value) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (positive, "0"), (positive, "-1"), (positive, "1.5"), (positive, "²"), (integer, "1_0"), (integer, ""),
        (number, "nan"), (number, "x"), (share, "1.01"), (part, "0"), (beta, "-0.1"), (gains, "1"), (gains, "a:1"), (one_of("a"), "b"),
    ],
)  # fmt: skip
def test_what_is_refused(parse, text) -> None:
    with pytest.raises(ValueError):
        parse(text)
