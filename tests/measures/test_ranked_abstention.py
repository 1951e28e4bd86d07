"""Giving up topics by the run's own scores, by hand; tests/peers/measures/test_mteb_peer.py holds it against MTEB."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError
from assay.measures.ranked_abstention import abstention_curve, confidence_of, normalised_area

TEN = [i / 10 for i in range(10)]
QRELS = {f"q{i}": {"a": 1} for i in range(4)}
RUN = {
    "q0": {"a": 9.0, "b": 1.0},  # RR 1, and sure of it
    "q1": {"a": 8.0, "b": 1.0},
    "q2": {"b": 3.0, "a": 2.0},  # RR 1/2
    "q3": {"b": 2.0, "c": 1.5, "a": 1.0},  # RR 1/3
}


def test_the_curve_of_ten_topics_gives_up_one_at_a_time():
    assert abstention_curve(TEN, TEN) == pytest.approx([sum(TEN[i:]) / (10 - i) for i in range(10)])


def test_topics_of_equal_confidence_are_worth_their_mean():
    assert abstention_curve([0.0, 1.0, 1.0, 0.0], [1, 1, 2, 2]) == pytest.approx([0.5] * 10)


def test_the_ends_of_the_scale():
    assert normalised_area(TEN, TEN) == pytest.approx(1.0)
    assert normalised_area(TEN, [0.0] * 10) == pytest.approx(0.0, abs=1e-12)
    assert normalised_area(TEN, TEN[::-1]) < 0
    assert normalised_area([0.5] * 3, [1, 2, 3]) is None
    assert normalised_area([], []) is None


@pytest.mark.parametrize("value", [0.1, 1 / 3, 0.55, 0.7, 0.9301])
def test_where_every_topic_has_the_same_value_there_is_nothing_to_gain(value):
    # the means of equal values differ in their last bits, and one such difference over another is any number
    for topics in (1, 3, 7, 10, 13, 50, 97):
        assert normalised_area([value] * topics, [float(i % 5) for i in range(topics)]) is None


def test_a_topic_without_a_number_is_left_out():
    assert normalised_area([0.0, None, 1.0, 0.3], [0.1, 0.2, 0.9, None]) == normalised_area([0.0, 1.0], [0.1, 0.9])


def test_the_spread_of_scores_as_large_as_they_may_be():
    assert confidence_of([1e300, -1e300]) == pytest.approx((1e300, 1e300, 2e300))


@pytest.mark.parametrize(
    ("scores", "expected"), [([], (0, 0, 0)), ([2.0], (2, 0, 0)), ([1.0, 5.0, 3.0], (5, (8 / 3) ** 0.5, 2))]
)
def test_confidence_of(scores, expected):
    assert confidence_of(scores) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["nAUC_max(of=RR)", "nAUC_diff1(of=RR)", "nauc_mrr_at_10_max", "nauc_mrr_at_10_diff1"])
def test_a_run_that_is_sure_where_it_is_right(name):
    assert assay.evaluate(QRELS, {"r": RUN}, [name])[name]["r"] == pytest.approx(1.0)


def test_a_topic_that_the_run_lacks_is_left_out():
    less = {topic: documents for topic, documents in RUN.items() if topic != "q3"}
    assert assay.evaluate(QRELS, {"r": less}, ["nAUC_std(of=RR)"])["nAUC_std(of=RR)"]["r"] == pytest.approx(1.0)


def test_the_default_is_ndcg_at_10():
    assert assay.measure("nAUC_max").of == ("nDCG@10", "score_max")
    assert assay.measure("nauc_map_at_5_std").of == ("map_at_5", "score_std")


@pytest.mark.parametrize("text", ["nAUC_max(of=nAUC_max)", "nAUC_max(of=what)", "nauc_what_max"])
def test_of_what_has_no_value_per_topic(text):
    with pytest.raises(assay.UsageError, match="expected a measure with a value per topic"):
        assay.measure(text)


def test_a_pipe_cannot_be_read_again(tmp_path):
    from assay.io.sources import Source

    class Pipe(Source):
        is_stream = True

    run = Pipe("<stdin>", data=b"q0 Q0 a 1 9 r\n")
    with pytest.raises(InputError, match="a pipe is read but once"):
        assay.evaluate(QRELS, [run], ["nAUC_max"])
