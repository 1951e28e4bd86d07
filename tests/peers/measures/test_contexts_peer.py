"""Precision and recall of retrieved contexts by RAGAS and DeepEval: what they make of a judge's verdicts or of ids, without a judge."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from package_source import method

import assay
from assay.measures.views.ranked import RankedView

pytestmark = pytest.mark.peer

verdicts = st.lists(st.integers(0, 1), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(verdicts)
def test_context_precision_is_ap_of_what_was_retrieved(verdicts) -> None:
    """RAGAS: ContextPrecision, ContextPrecisionWithReference, ContextPrecisionWithoutReference, ContextUtilization; DeepEval:
    ContextualPrecisionMetric. A context missed costs nothing, as in `EU(AP)` and unlike AP."""
    ours = assay.measure("EU(AP)")(RankedView.of(verdicts, unretrieved=[1]))
    file, owner = "metrics/collections/context_precision/metric.py", "ContextPrecisionWithReference"
    ragas = method("ragas", file, owner, "_calculate_average_precision", np=np, List=list)
    assert ours == pytest.approx(ragas(None, verdicts), abs=1e-9)
    said = SimpleNamespace(YES="yes")
    deepeval = method(
        "deepeval",
        "metrics/contextual_precision/contextual_precision.py",
        "ContextualPrecisionMetric",
        "_calculate_score",
        Verdict=said,
    )
    metric = SimpleNamespace(
        verdicts=[SimpleNamespace(verdict="yes" if one else "no") for one in verdicts], strict_mode=False
    )
    assert ours == pytest.approx(deepeval(metric))


ids = st.sets(st.sampled_from("abcdefgh"), min_size=1)


@settings(max_examples=60, deadline=None)
@given(ids, ids)
def test_precision_and_recall_of_ids(retrieved, reference) -> None:
    """RAGAS: IDBasedContextPrecision and IDBasedContextRecall."""
    found = assay.evaluate(
        {"q": dict.fromkeys(reference, 1)}, {"r": {"q": dict.fromkeys(retrieved, 1.0)}}, ["SetP", "SetR"]
    )
    sample = SimpleNamespace(retrieved_context_ids=sorted(retrieved), reference_context_ids=sorted(reference))
    for name, file, owner in (
        ("SetP", "metrics/_context_precision.py", "IDBasedContextPrecision"),
        ("SetR", "metrics/_context_recall.py", "IDBasedContextRecall"),
    ):
        score = method("ragas", file, owner, "_single_turn_ascore", np=np)
        assert found[name]["r"] == pytest.approx(asyncio.run(score(None, sample, None))), name
