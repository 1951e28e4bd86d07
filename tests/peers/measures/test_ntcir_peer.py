"""The graded measures of NTCIR against pyNTCIREVAL, which has all of them but iRBU."""

from __future__ import annotations

import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.measures.views.ranked import RankedView
from peers import peer

pytestmark = pytest.mark.peer

metrics = peer("pyNTCIREVAL.metrics")
LEVELS = 3


def assert_agree(grades, unretrieved, gains, stops, beta: float, gamma: float, logb: float, cut: int) -> None:
    view = RankedView.of(grades, unretrieved)
    ranking = [(str(i), None if grade is None or grade < 0 else grade) for i, grade in enumerate(grades)]
    counts = [0] * (LEVELS + 1)
    for grade in view.judgments.grades:
        counts[grade] += grade >= 0
    scale = "gains=" + ",".join(f"{grade}:{gain}" for grade, gain in enumerate(gains, 1))
    stopping = "stops=" + ",".join(f"{grade}:{stop}" for grade, stop in enumerate(stops, 1))
    pairs = {
        f"O-measure({scale},beta={beta})": metrics.OMeasure(counts, gains, beta),
        f"P-measure({scale},beta={beta})": metrics.PMeasure(counts, gains, beta),
        f"P-plus({scale},beta={beta})": metrics.PPlusMeasure(counts, gains, beta),
        f"Q({scale},beta={beta})": metrics.QMeasure(counts, gains, beta),
        f"Q-measure({scale},beta={beta})@{cut}": metrics.QMeasure(counts, gains, beta, cut),
        f"NCUgu,P({scale},{stopping})": metrics.NCUguP(counts, gains, stops),
        f"NCUguP({scale})": metrics.NCUguP(counts, gains, gains),
        f"NCUgu,BR({scale},{stopping},beta={beta})": metrics.NCUguBR(counts, gains, stops, beta),
        f"NCUrb,P({scale},gamma={gamma})": metrics.NCUrbP(counts, gains, gamma),
        f"NCUrb,BR({scale},gamma={gamma},beta={beta})": metrics.NCUrbBR(counts, gains, gamma, beta),
        f"nERR({scale})@{cut:04}": metrics.nERR(counts, gains, cut),
        f"JKnDCG({scale},logb={logb})@{cut}": metrics.nDCG(counts, gains, logb, cut),
        f"MSnDCG({scale})@{cut}": metrics.MSnDCG(counts, gains, cut),
    }
    for name, metric in pairs.items():
        found = assay.measure(name)(view)
        if not sum(counts[1:]):
            assert found is None
        else:
            assert found == pytest.approx(metric.compute(ranking), rel=1e-12, abs=1e-12), (name, grades, unretrieved)


ascending = st.lists(st.integers(1, 9), min_size=LEVELS, max_size=LEVELS).map(sorted)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from([None, -1, 0, 0, 1, 2, 3]), min_size=1, max_size=20),
    st.lists(st.sampled_from([0, 1, 2, 3]), max_size=8), ascending, ascending, st.sampled_from([0.0, 1.0, 2.5]),
    st.sampled_from([0.5, 0.95, 1.0]), st.sampled_from([1.5, 2.0, 10.0]), st.sampled_from([1, 3, 10, 1000]),
)  # fmt: skip
def test_made_rankings(grades, unretrieved, gains, stops, beta, gamma, logb, cut) -> None:
    assert_agree(grades, unretrieved, gains, stops, beta, gamma, logb, cut)


def test_the_chance_to_satisfy_is_err_s_own_where_gains_are_powers_of_2() -> None:
    view = RankedView.of([0, 2, None, 1, 3], unretrieved=[3, 1])
    counts, ranking = [1, 2, 1, 2], [("a", 0), ("b", 2), ("c", None), ("d", 1), ("e", 3)]
    theirs = metrics.nERR(counts, [1, 3, 7], 4).compute(ranking)
    assert assay.measure("nERR(max=3)@4")(view) == pytest.approx(theirs, rel=1e-12)


def test_real_judgments(shared_data) -> None:
    """TREC Web 2013, a document graded as the intent it serves best, ranked by a rule that has nothing to do with that."""
    topics: dict[str, dict[str, int]] = {}
    with lzma.open(shared_data("ir_oracles", "qrels.web2013.diversity.txt.xz"), "rt") as lines:
        for topic, _, document, grade in map(str.split, lines):
            judged = topics.setdefault(topic, {})
            judged[document] = max(judged.get(document, -1), min(int(grade), LEVELS))
    assert len(topics) == 50
    for judged in topics.values():
        ranking = sorted(judged, key=lambda document: document[::-1])
        kept = [judged[document] for document in ranking[::2]][:60]
        left = [judged[document] for document in ranking if document not in ranking[::2][:60]]
        assert_agree(kept, [grade for grade in left if grade >= 0], [1, 2, 3], [1, 2, 3], 1.0, 0.95, 2.0, 10)
