"""What measures of preferences see."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.measures.views.preferences import JudgmentGroupView, Ordering


@pytest.mark.parametrize(
    ("subgroups", "message"),
    [
        ([{"a": 2, "b": 1}, {"a": 1, "b": 2}], "a is preferred to b and b to a"),
        ([{"a": 2, "b": 1}, {"b": 2, "c": 1}, {"c": 2, "a": 1}], "directly or through others"),
        ([{"a": 2, "b": 1}, {"a": 1, "b": 1}], "also tied"),
        ([{"a": 2, "b": 1}, {"b": 2, "c": 1}, {"a": 1, "c": 1}], "a is preferred to c and also tied"),
    ],
)
def test_one_group_may_not_contradict_itself(subgroups: list[dict[str, float]], message: str):
    with pytest.raises(InputError, match=message):
        Ordering(subgroups)


def test_level_and_judged_only_act_on_each_group():
    judges = [{"a": 1, "b": 0, "d": 2}, {"b": 3, "c": -1}]
    ranks = {"a": 1, "b": 2, "c": 3, "d": 4}
    strict = JudgmentGroupView(judges, ranks, num_ret=10, level=2)
    assert [(g.ranks, g.num_rel, g.num_ret) for g in strict.groups] == [([4], 1, 10), ([2], 1, 10)]
    judged = JudgmentGroupView(judges, ranks, num_ret=10, level=1, judged_only=True)
    assert [(g.ranks, g.num_rel, g.num_ret) for g in judged.groups] == [([1, 3], 2, 3), ([1], 1, 1)]
