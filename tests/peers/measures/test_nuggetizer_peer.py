"""Nuggets against `nuggetizer`, which TREC's RAG track scores them with: its own functions, on what it writes itself."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from peers import peer

pytestmark = pytest.mark.peer

metrics = peer("nuggetizer.core.metrics")
NAMES = {
    "strict_vital_score": "StrictVitalScore",
    "strict_all_score": "StrictAllScore",
    "vital_score": "VitalScore",
    "all_score": "AllScore",
}
NUGGET = st.fixed_dictionaries(
    {
        "text": st.text(min_size=1, max_size=8),
        "importance": st.sampled_from(["vital", "okay"]),
        "assignment": st.sampled_from(["support", "partial_support", "not_support", "failed"]),
    }
)
RECORDS = st.lists(st.lists(NUGGET, min_size=1, max_size=12), min_size=1, max_size=6)


def written(topics) -> list[dict]:
    """Records as `nuggetizer assign` writes them."""
    return [
        {
            "query": f"What is {number}?", "qid": f"2024-{number:05}", "answer_text": "…", "response_length": 1,
            "run_id": "mine", "nuggets": nuggets,
        }
        for number, nuggets in enumerate(topics)
    ]  # fmt: skip


def evaluated(records, **settings):
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    return assay.evaluate(data, unjudged="incorrect", **settings)


@given(RECORDS)
def test_every_answer(topics):
    records = written(topics)
    scores = evaluated(records)
    for record in records:
        theirs = metrics.calculate_nugget_scores(record["qid"], record["nuggets"])
        vital = any(nugget["importance"] == "vital" for nugget in record["nuggets"])
        for field, name in NAMES.items():
            ours = scores.values(name, "mine")[record["qid"]]
            if vital or "vital" not in field:
                assert ours == getattr(theirs, field)
            else:
                # Theirs is 0 where no nugget is vital; ours says that there is nothing to say.
                assert (ours, getattr(theirs, field)) == (None, 0.0)


@given(RECORDS)
def test_the_means(topics):
    """With 0 for what is undefined, as theirs."""
    records = written(topics)
    scores = evaluated(records, undefined="zero")
    theirs = metrics.calculate_global_metrics(records)
    for field, name in NAMES.items():
        assert scores.value("mine", name).value == pytest.approx(theirs[field], rel=1e-12)
