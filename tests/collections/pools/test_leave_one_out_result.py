"""What became of runs, in numbers."""

from __future__ import annotations

import assay
from assay.collections.pools.leave_one_out_result import Change, LeftOut, places

QRELS = {"q1": {"a": 1, "b": 1, "c": 0}}
RUNS = {"one": {"q1": {"a": 3, "b": 2}}, "two": {"q1": {"b": 2, "a": 1}}, "three": {"q1": {"b": 2, "c": 1}}}


def test_ranks():
    assert places({"a": None}) == {"a": None}
    assert places({"a": 1.0, "b": 1.0, "c": 0.5}) == {"a": 1, "b": 1, "c": 3}


def test_a_change():
    one = Change(run="r", team="t", before=0.5, after=0.4, rank_before=2, rank_after=5)
    assert (round(one.difference, 9), round(one.relative or 0, 9), one.fall) == (-0.1, -0.2, 3)
    assert Change(run="r", team="t", before=0.0, after=0.0, rank_before=1, rank_after=1).relative is None


def test_the_largest_drop_and_the_deepest_fall():
    found = assay.left_out(QRELS, RUNS, "AP", depth=1)
    one = found.teams[0]
    # Without a: one has b at rank 2 (0.5), two and three have it at rank 1 (1.0)
    assert dict(one.scores) == {"one": 0.5, "two": 1.0, "three": 1.0}
    assert dict(found.ranks) == {"one": 1, "two": 1, "three": 3}
    assert dict(one.ranks) == {"one": 3, "two": 1, "three": 1}
    changes = found.changes(one)
    drop, fall = found.largest_drop(changes), found.deepest_fall(changes)
    assert drop is not None
    assert fall is not None
    assert (drop.run, drop.difference, fall.run, fall.fall) == ("one", -0.5, "one", 2)
    assert found.largest_drop(found.changes(found.teams[1])) is None
    assert found.deepest_fall(found.changes(found.teams[1])) is None
    assert [change.run for change in found.own] == ["one", "two", "three"]


def test_where_less_is_better_a_rise_is_the_drop():
    found = assay.left_out(QRELS, RUNS, "Rprec", depth=1)
    turned = LeftOut(
        **{**{name: getattr(found, name) for name in found.__dataclass_fields__}, "higher_is_better": False}
    )
    changes = found.changes(found.teams[0])
    down, up = found.largest_drop(changes), turned.largest_drop(changes)
    assert down is not None
    assert up is not None
    assert down.difference < 0 < up.difference


def test_rows_and_json():
    found = assay.left_out(QRELS, RUNS, "AP", depth=1)
    header, rows = found.rows()
    assert header[-4:] == ["AP", "AP_without", "rank", "rank_without"]
    assert rows[0] == ["one", 1, 1, found.teams[0].tau_b, "one", True, 1.0, 0.5, 1, 3]
    assert len(rows) == 9
    data = found.to_dict()
    assert (data["depth"], data["relevant"], data["largest_drop"]["run"]) == (1, 2, "one")
    assert data["teams"][1]["largest_drop"] is None
