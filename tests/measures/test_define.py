"""Declaring a measure, by its level."""

from __future__ import annotations

import pytest

import assay
from assay.measures import define
from assay.measures.parameters import positive
from assay.measures.registry import find, value
from assay.measures.views.ranked import RankedView


def test_a_keyword_only_parameter_keeps_its_default(registry) -> None:
    @define.topic("Deep", parameters={"cut": positive, "depth": positive}, cite="this test")
    def deep(view, cut, *, depth=3):
        return cut * depth

    assert find("Deep@2").declaration.defaults == {"depth": 3}
    assert find("Deep@2")(None) == 6
    assert find("Deep(depth=5)@2")(None) == 10
    with pytest.raises(assay.UsageError, match="cut must be given"):
        find("Deep")


def test_three_levels(registry) -> None:
    @define.topic("Last", cite="this test")
    def last(view):
        return max(view.relevant(), default=0)

    @define.sums("half", task="outcomes", of=("correct",), cite="this test")
    def half(n, correct):
        return correct, 2 * n

    @define.whole("spread", task="outcomes", of=("confidence",), cite="this test")
    def spread(confidence):
        return max(confidence) - min(confidence)

    assert [find(name).level for name in ("Last", "half", "spread")] == ["topic", "sums", "whole"]
    assert find("Last")(RankedView.of([1, 0, 1])) == 3
    assert find("half")(4, 2) == (2, 8)
    assert find("spread")([0.25, 0.75]) == 0.5
    assert value("half") == find("half")


def test_a_name_belongs_to_one_measure_of_a_task(registry) -> None:
    with pytest.raises(assay.UsageError, match="'map' is taken by AP"):
        define.topic("Mine", aliases=("map",), cite="this test")(lambda view: 0.0)


def test_every_keyword_of_a_declaration_is_documented() -> None:
    import inspect

    for level in (define.topic, define.sums, define.whole):
        for name in inspect.signature(level).parameters:
            assert f" {name}" in (level.__doc__ or ""), name
