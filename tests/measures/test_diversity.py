"""Measures of diversity by hand, and what must hold of them."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.measures.registry import declarations, find
from assay.measures.views.subtopics import SubtopicView

MEASURES = [
    find(d.name + ("@3" if d.at in d.required else ""), "diversity") for d in declarations("diversity")
]  # fmt: skip


def value(name: str, view: SubtopicView) -> float | None:
    return find(name, "diversity")(view)


VIEW = SubtopicView.of([{1, 2}, None, {1}, {3}], unretrieved=[{1, 3}, {4}])
"""Four subtopics. Gains of the run: 2, 0, ½, 1; of the ideal, the highest id first: {1, 3} 2, {4}, … see below."""


def test_gains_by_hand():
    # Against a run whose every document is relevant to all four: 4, 2, 1, ½.
    dcg = 2 + 0.5 / 2 + 1 / log2(5)
    most = 4 + 2 / log2(3) + 1 / 2 + 0.5 / log2(5)
    assert value("alpha_DCG@4", VIEW) == pytest.approx(dcg / most)
    err = 2 + 0.5 / 3 + 1 / 4
    assert value("ERR_IA@4", VIEW) == pytest.approx(err / (4 + 2 / 2 + 1 / 3 + 0.5 / 4))
    # Ideal: {1, 3} (id 4) 2, {1, 2} 1½, {4} 1, {3} ½, {1} ¼.
    ideal = 2 + 1.5 / log2(3) + 1 / 2 + 0.5 / log2(5)
    assert value("alpha_nDCG@4", VIEW) == pytest.approx(dcg / ideal)
    assert value("nERR_IA@4", VIEW) == pytest.approx(err / (2 + 1.5 / 2 + 1 / 3 + 0.5 / 4))
    assert value("NRBP", VIEW) == pytest.approx(0.75 / 4 * (2 + 0.5 / 4 + 1 / 8))
    assert value("nNRBP", VIEW) == pytest.approx((2 + 0.5 / 4 + 1 / 8) / (2 + 1.5 / 2 + 1 / 4 + 0.5 / 8 + 0.25 / 16))


def test_each_subtopic_by_itself():
    # AP of 1: (1 + 2/3)/3, of 2: 1, of 3: (1/4)/2, of 4: 0.
    assert value("AP_IA", VIEW) == pytest.approx(((1 + 2 / 3) / 3 + 1 + 1 / 8) / 4)
    assert value("P_IA@5", VIEW) == pytest.approx((2 / 5 + 1 / 5 + 1 / 5) / 4)
    assert [value(f"StRecall@{cut}", VIEW) for cut in (1, 3, 4, 9)] == [0.5, 0.5, 0.75, 0.75]


def test_parameters():
    assert value("NRBP(alpha=0,beta=0.8)", VIEW) == pytest.approx(0.2 / 4 * (2 + 0.8**2 + 0.8**3))
    assert value("alpha_DCG(alpha=1)@3", VIEW) == pytest.approx(2 / 4)
    graded = SubtopicView.of([{1: 2, 2: 1}, {2: 2}])
    assert value("StRecall(rel=2)@1", graded) == 0.5
    assert value("AP_IA(rel=2)", graded) == pytest.approx((1 + 1 / 2) / 2)


def test_weights_count_what_people_mean():
    view = SubtopicView.of([{1}, {2}], unretrieved=[{3}], weights={1: 3, 2: 1, 3: 1, 4: 95})
    # 4 has no relevant document, and its weight goes to the others: 3/5, 1/5, 1/5.
    assert value("P_IA@1", view) == pytest.approx(3 / 5)
    assert value("AP_IA", view) == pytest.approx(3 / 5 * 1 + 1 / 5 * 1 / 2)
    assert value("ERR_IA@2", view) == pytest.approx((3 / 5 + 1 / 5 / 2) / (1 + 0.5 / 2))
    assert value("nERR_IA@2", view) == pytest.approx(1.0)
    assert value("StRecall@1", view) == pytest.approx(1 / 3)


def test_weights_of_0_leave_nothing_to_measure_but_recall():
    view = SubtopicView.of([{1}], weights={1: 0})
    assert {m.name: m(view) for m in MEASURES if m(view) is not None} == {"StRecall@3": 1.0}


GRADED = SubtopicView.of([{1: 1, 2: 1}, None, {2: 4}, {1: 0}], unretrieved=[{1: 3}], weights={1: 0.7, 2: 0.3})
"""Global gains 1 (.7 + .3), -, 1.2 (.3·4), 0; and 2.1 (.7·3) not retrieved."""


def test_d_measures_by_hand():
    assert value("D-nDCG", GRADED) == pytest.approx((1 + 1.2 / 2) / (2.1 + 1.2 / log2(3) + 1 / 2))
    assert value("D-nDCG@1", GRADED) == pytest.approx(1 / 2.1)
    assert value("D#-nDCG@1", GRADED) == pytest.approx((1 + 1 / 2.1) / 2)
    assert value("D#-nDCG(gamma=0.2)@1", GRADED) == pytest.approx(0.2 + 0.8 / 2.1)
    # From grade 2 on the first document covers nothing, and subtopic 1 is covered by none retrieved.
    assert value("D#-nDCG(rel=2)@3", GRADED) == pytest.approx((1 / 2 + value("D-nDCG@3", GRADED)) / 2)
    # Gains of 10 for grade 1 alone: 10, 1.2 and 2.1.
    assert value("D-nDCG(gains=1:10)", GRADED) == pytest.approx((10 + 1.2 / 2) / (10 + 2.1 / log2(3) + 1.2 / 2))


@given(st.sampled_from([0.5, 3.0, 100.0]), st.floats(0, 1))
def test_only_ratios_of_weights_count_and_gamma_moves_between_the_two(factor, gamma):
    weights = {1: 0.7 * factor, 2: 0.3 * factor}
    scaled = SubtopicView.of([{1: 1, 2: 1}, None, {2: 4}, {1: 0}], unretrieved=[{1: 3}], weights=weights)
    assert value("D-nDCG@3", scaled) == pytest.approx(value("D-nDCG@3", GRADED))
    both = [value(f"D#-nDCG(gamma={end})@1", GRADED) for end in (0, gamma, 1)]
    assert both[0] == value("D-nDCG@1", GRADED)
    assert both[2] == value("I-rec@1", GRADED)
    assert min(both[0], both[2]) - 1e-12 <= both[1] <= max(both[0], both[2]) + 1e-12


graded_subtopics = st.none() | st.dictionaries(st.integers(1, 4), st.integers(-1, 4), max_size=4)


@given(st.lists(graded_subtopics, min_size=2, max_size=10), st.data())
def test_a_document_that_gains_more_moved_up_never_lowers_d_ndcg(ranking, data):
    weights = {subtopic: data.draw(st.sampled_from([0.1, 0.2, 0.7])) for subtopic in range(1, 5)}

    def gain(grades):
        return sum(weights[subtopic] * max(grade, 0) for subtopic, grade in (grades or {}).items())

    place = data.draw(st.integers(0, len(ranking) - 2))
    upper, lower = ranking[place : place + 2]
    if gain(lower) >= gain(upper):
        moved = [*ranking[:place], lower, upper, *ranking[place + 2 :]]
        before, after = (value("D-nDCG@4", SubtopicView.of(one, weights=weights)) for one in (ranking, moved))
        assert before is None or after >= before - 1e-12


@given(st.lists(st.dictionaries(st.integers(1, 4), st.integers(1, 4), min_size=1), min_size=1, max_size=8))
def test_in_the_order_of_global_gains_d_ndcg_is_1(documents):
    ideal = sorted(documents, key=lambda grades: -sum(grades.values()))
    assert value("D-nDCG", SubtopicView.of([*ideal, None])) == pytest.approx(1.0)
    assert value("D#-nDCG@9", SubtopicView.of([*ideal, None])) == pytest.approx(1.0)


def test_undefined_where_nothing_is_relevant():
    view = SubtopicView.of([set(), None], unretrieved=[set()])
    assert [m(view) for m in MEASURES] == [None] * len(MEASURES)


def test_a_ranking_that_looks_ahead_can_beat_the_greedy_ideal():
    # α = 1. Greedy takes {1,2,3,4} and then finds 1 new subtopic a document; {1,2,5} and {3,4,6} find three each.
    view = SubtopicView.of([{1, 2, 5}, {3, 4, 6}], unretrieved=[{1, 2, 3, 4}])
    assert value("alpha_nDCG(alpha=1)@2", view) == pytest.approx((3 + 3 / log2(3)) / (4 + 1 / log2(3)))
    assert value("alpha_nDCG(alpha=1)@2", view) > 1


@pytest.mark.parametrize(
    ("ours", "others"),
    [
        ("alpha_nDCG@20", ["alpha-nDCG@20", "α-nDCG@20", "α_nDCG@20"]),
        ("alpha_DCG@5", ["alpha-DCG@5", "α_DCG@5"]),
        ("ERR_IA@10", ["ERR-IA@10"]),
        ("nERR_IA@10", ["nERR-IA@10"]),
        ("AP_IA", ["MAP-IA", "MAP_IA", "AP-IA"]),
        ("P_IA@5", ["P-IA@5"]),
        ("StRecall@10", ["strec@10", "I-rec@10"]),
        ("D-nDCG@10", ["D_nDCG@10", "DnDCG@0010"]),
        ("D#-nDCG@10", ["D♯-nDCG@10", "Dsharp-nDCG@10", "D#-nDCG@0010"]),
    ],
)
def test_names_of_ndeval_and_ir_measures(ours: str, others: list[str]):
    for name in others:
        assert find(name, "diversity") == find(ours, "diversity") == assay.measure(name)


def test_a_measure_of_its_own_is_no_precision_at_something():
    assert assay.measure("P_IA@5").declaration.task == "diversity"
    with pytest.raises(assay.UsageError, match="P_x"):
        assay.measure("P_x")


def test_asked_of_ordinary_qrels_it_is_said_whose_measure_it_is():
    for name in ("P_IA@5", "alpha-nDCG(alpha=0.3)@20"):
        with pytest.raises(assay.UsageError, match=r"for the task 'ranked'; it is a measure of the task 'diversity'"):
            assay.evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d1": 1.0}}}, [name])


def test_measures_of_rankings_are_measures_of_diversity_too():
    assert find("nDCG@10", "diversity") == find("nDCG@10", "ranked")
    with pytest.raises(assay.UsageError, match="'P@x': cut=x: expected a whole number"):
        find("P@x", "diversity")
    with pytest.raises(
        assay.UsageError, match=r"unknown measure 'alfa_nDCG@5' for the task 'diversity'; did you mean alpha_nDCG"
    ):
        find("alfa_nDCG@5", "diversity")


subtopics = st.sets(st.integers(1, 5), max_size=3)


@given(st.lists(st.none() | subtopics, max_size=12), st.lists(subtopics, max_size=6))
def test_values_stay_in_their_range(ranking, unretrieved):
    view = SubtopicView.of(ranking, unretrieved)
    for measure in MEASURES:
        found = measure(view)
        assert found is None or found >= 0, measure
        assert found is None or found <= measure.declaration.high + 1e-12, measure


@given(st.lists(subtopics.filter(len), min_size=1, max_size=8))
def test_a_topic_with_one_subtopic_is_a_ranking(ranking):
    """And with α = 0 every relevant document adds the same, as gains of 1 do."""
    plain = SubtopicView.of([{1} if 1 in found else set() for found in ranking])
    if plain.num_rel():
        for diverse, ranked in (
            ("AP_IA", "AP"),
            ("P_IA@3", "P@3"),
            ("alpha_nDCG(alpha=0)@3", "nDCG@3"),
            ("StRecall@3", "Success@3"),
            ("D-nDCG@3", "nDCG@3"),
        ):
            assert value(diverse, plain) == pytest.approx(find(ranked, "ranked")(plain)), diverse
    elif plain.relevance().total == 0:
        assert value("AP_IA", plain) is None


@pytest.mark.parametrize("measure", ["alpha_DCG", "ERR_IA"])
def test_a_cutoff_far_below_everything_takes_no_longer(measure):
    """Half the readers are left at each rank: after some hundred of them nothing can be added to what the best would reach."""
    view = SubtopicView.of([{1}, {2}])
    far = find(f"{measure}@{10**15}", "diversity")(view)
    assert far == find(f"{measure}@2000", "diversity")(view)
