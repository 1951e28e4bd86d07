"""The graded measures of NTCIR against pyNTCIREVAL, which has all of them but iRBU."""

from __future__ import annotations

import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.measures.registry import find
from assay.measures.views.ranked import RankedView
from assay.measures.views.subtopics import SubtopicView
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


intents = st.none() | st.dictionaries(st.integers(1, 4), st.integers(0, 4), max_size=4)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(intents, min_size=1, max_size=12), st.lists(intents.filter(lambda one: one is not None), max_size=4),
    st.lists(st.sampled_from([0.1, 0.25, 0.4, 1.0]), min_size=4, max_size=4), st.sampled_from([1, 3, 10]),
)  # fmt: skip
def test_d_measures_are_msndcg_of_global_gains(ranking, unretrieved, weights, cut) -> None:
    """As NTCIREVAL computes them: `glabel` writes Σ Pr(i|q)·gain behind each document, `gcompute` prints MSnDCG of these gains, and
    `irec` the share of intents covered. pyNTCIREVAL has the second part; each different gain is a level of its own."""
    by_intent = dict(enumerate(weights, 1))
    view = SubtopicView.of(ranking, unretrieved, weights=by_intent)

    def global_gain(grades) -> float:
        return sum(by_intent[intent] * grade for intent, grade in sorted((grades or {}).items()))

    gains = [global_gain(grades) for grades in ranking]
    known = gains + [global_gain(grades) for grades in unretrieved]
    levels = sorted({round(gain, 9) for gain in known} - {0})
    if not levels:
        assert find("D-nDCG", "diversity")(view) is None
        return
    places = {0.0: 0, **{level: place for place, level in enumerate(levels, 1)}}
    counts = [0] * (len(levels) + 1)
    for gain in known:
        counts[places[round(gain, 9)]] += 1
    labelled = [(str(i), places[round(gain, 9)]) for i, gain in enumerate(gains)]
    theirs = metrics.MSnDCG(counts, levels, cut).compute(labelled)
    assert find(f"D-nDCG@{cut}", "diversity")(view) == pytest.approx(theirs, rel=1e-7)
    covered = {intent for grades in ranking[:cut] for intent, grade in (grades or {}).items() if grade > 0}
    there = {intent for grades in [*ranking, *unretrieved] for intent, grade in (grades or {}).items() if grade > 0}
    assert find(f"I-rec@{cut}", "diversity")(view) == pytest.approx(len(covered) / len(there))
    ours = find(f"D#-nDCG@{cut}", "diversity")(view)
    assert ours == pytest.approx((len(covered) / len(there) + theirs) / 2, rel=1e-7)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([None, 0, 1, 2]), min_size=1, max_size=15), st.integers(0, 5), st.sampled_from([1, 5, 10])
)
def test_ap_at_a_cutoff_is_ap_cap(grades, missed, cut) -> None:
    view = RankedView.of(grades, [1] * missed)
    counts = [sum(grade == level for grade in view.judgments.grades) for level in range(3)]
    if counts[1] + counts[2]:
        theirs = metrics.AP(counts, [1, 2], cut).compute([(str(i), grade) for i, grade in enumerate(grades)])
        assert assay.measure(f"AP_cap@{cut}")(view) == pytest.approx(theirs, rel=1e-12)


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
