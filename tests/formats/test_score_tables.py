"""Scores per topic as assay writes them."""

from __future__ import annotations

import io
import json

import pytest

from assay.errors import InputError
from assay.formats.score_tables import read_score_json, read_score_parquet
from assay.formats.sources import Source


def result(topics: object, run: object = "a") -> bytes:
    return json.dumps({"task": "ranked", "runs": [{"run": run, "topics": topics}]}).encode()


def test_measures_runs_topics_and_values() -> None:
    source = Source("x", data=result({"1": {"AP": 0.5, "P@5": None}, "2": {"AP": 1}}))
    assert read_score_json(source) == {"AP": {"a": {"1": 0.5, "2": 1}}, "P@5": {"a": {"1": None}}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "x:1: not readable as JSON"),
        (b"{}", "x: is JSON, but not a result"),
        (b'{"runs": [1]}', 'entry 1 of "runs" has no "run"'),
        (result({}), "has no scores per topic; write it with `assay evaluate -q -f json`"),
        (result({"1": 3}), 'run a: expected "topics"'),
        (result({"1": {"AP": "high"}}), "run a, topic 1: AP is 'high', not a number"),
        (result({"1": {"AP": True}}), "AP is True, not a number"),
        (result({"1": {"AP": 10**400}}), "not a number"),
        (result({"1": {"AP": float("inf")}}), "AP is inf, not a number"),
    ],
)
def test_bad_results_are_named(content, problem) -> None:
    with pytest.raises(InputError) as caught:
        read_score_json(Source("x", data=content))
    assert problem in str(caught.value)


def parquet(**columns: object) -> Source:
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pyarrow.table(columns), out)
    return Source("x", data=out.getvalue())


def test_parquet() -> None:
    source = parquet(run=["a", "a"], topic=["1", "2"], status=["scored", "undefined"], AP=[0.5, None])
    assert read_score_parquet(source) == {"AP": {"a": {"1": 0.5, "2": None}}}
    with pytest.raises(InputError, match="x: expected columns run and topic, found AP"):
        read_score_parquet(parquet(AP=[0.5]))
    with pytest.raises(InputError, match="x: run a, topic 1: AP is 'x', not a number"):
        read_score_parquet(parquet(run=["a"], topic=["1"], AP=["x"]))
    with pytest.raises(InputError, match="x: not readable as Parquet"):
        read_score_parquet(Source("x", data=b"PAR1 and no more"))
