"""Measures of a retrieved set, by hand."""

from __future__ import annotations

import pytest

import assay
from assay.measures.views.ranked import RankedView

VIEW = RankedView.of([1, 0, None, 2, None], unretrieved=[1])
"""5 retrieved, 2 of 3 relevant among them, 1 judged non-relevant."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NumQ", 1),
        ("NumRet", 5),
        ("NumRel", 3),
        ("NumRel(rel=2)", 1),
        ("NumRelRet", 2),
        ("NumNonrelRet", 1),
        ("SetP", 2 / 5),
        ("SetR", 2 / 3),
        ("SetRelP", 2 / 3),
        ("SetAP", 2 / 5 * 2 / 3),
        ("SetF", 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)),
        ("Utility", 2 - 3),
        ("Utility(hit=3,false=-1,miss=-2,rest=1,collection=20)", 3 * 2 - 3 - 2 + (20 - 5 - 1)),
    ],
)
def test_by_hand(name, expected) -> None:
    assert assay.measure(name)(VIEW) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("name", ["SetR", "SetRelP", "SetAP", "SetF"])
def test_undefined_without_relevant_documents_and_0_where_nothing_is_retrieved(name) -> None:
    assert assay.measure(name)(RankedView.of([0])) is None
    assert assay.measure(name)(RankedView.of([], unretrieved=[1])) == 0


def test_set_f_weighs_recall_by_beta_squared() -> None:
    view = RankedView.of([1, 0, 0, 0], unretrieved=[1])  # P = 1/4, R = 1/2
    assert assay.measure("SetF(beta=2)")(view) == pytest.approx(5 * 0.25 * 0.5 / (4 * 0.25 + 0.5))
    assert assay.measure("SetF(beta2=4)")(view) == assay.measure("SetF(beta=2)")(view)
