"""Compatibility against ir_measures, which takes it from its authors. Tied scores are ordered otherwise there: ids ascending."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from peers import peer

pytestmark = pytest.mark.peer

ir_measures = peer("ir_measures")
NAMES = ["Compat", "Compat(p=0.8)", "Compat(p=0.99)", "Compat(p=0.9,normalize=False)"]


def theirs(names, qrels, run):
    wanted = {ir_measures.parse_measure(name): name for name in names}
    return {
        (wanted[m.measure], m.query_id): m.value for m in ir_measures.compat.evaluator(wanted, qrels).iter_calc(run)
    }


def test_the_values_its_own_tests_give(shared_data) -> None:
    folder = shared_data("ir_oracles", "compat.qrels").parent
    scores = assay.evaluate(folder / "compat.qrels", folder / "compat.run", ["Compat(p=0.95)"])
    found = scores["Compat(p=0.95)", "run"]
    assert found["31_1"] == pytest.approx(0.51779512165509, rel=1e-12)
    assert found["31_2"] == pytest.approx(0.018400100569017922, rel=1e-12)


documents = [f"d{i:02}" for i in range(20)]


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(st.sampled_from(documents), st.integers(-1, 3), min_size=1),
    st.lists(st.sampled_from(documents), min_size=1, unique=True),
)
def test_made_rankings(judged, ranking) -> None:
    run = {"q": {document: float(len(ranking) - place) for place, document in enumerate(ranking)}}
    scores = assay.evaluate({"q": judged}, run, NAMES)
    for (name, _), value in theirs(NAMES, {"q": judged}, run).items():
        if max(judged.values()) > 0:
            assert scores[name, "run"]["q"] == pytest.approx(value, rel=1e-12, abs=1e-15), name
        else:
            assert scores[name, "run"]["q"] is None
            assert value == 0
