"""Which topics enter an average, and what a missing one is worth: one place decides, and everybody hears it."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError
from assay.table import missing_topics

JUDGED = {"a": {"d": 1}, "b": {"d": 1, "e": 1}, "c": {"d": 0}}
"""c has nothing relevant, so AP is undefined there."""
RUNS = {
    "x": {"a": {"d": 1.0}, "b": {"d": 2.0, "e": 1.0}, "c": {"d": 1.0}},
    "y": {"a": {"z": 2.0, "d": 1.0}, "c": {"d": 1.0}},
}
"""y leaves b out."""


def table(**settings) -> assay.Scores:
    return assay.evaluate(JUDGED, RUNS, ["AP", "NumRel"], **settings)


@pytest.mark.parametrize(
    ("missing", "undefined", "x", "y"),
    [
        ("zero", "zero", (1 + 1 + 0) / 3, (0.5 + 0 + 0) / 3),
        ("zero", "skip", (1 + 1) / 2, (0.5 + 0) / 2),
        ("skip", "zero", (1 + 1 + 0) / 3, (0.5 + 0) / 2),
        ("skip", "skip", 1.0, 0.5),
        ("common", "zero", (1 + 0) / 2, (0.5 + 0) / 2),
        ("common", "skip", 1.0, 0.5),
    ],
)
def test_averages_by_hand(missing, undefined, x, y) -> None:
    assert table(missing=missing, undefined=undefined)["AP"] == pytest.approx({"x": x, "y": y})


def test_what_enters_by_hand() -> None:
    def places(measure=None, **settings):
        scores = table(**settings)
        found = missing_topics.entering(scores, scores.runs, measure and scores.measure(measure))
        return [list(one) for one in found]

    assert places(missing="zero") == [[0, 1, 2], [0, 1, 2]]
    assert places("AP", missing="zero", undefined="skip") == [[0, 1], [0, 1]]
    assert places(missing="skip") == [[0, 1, 2], [0, 2]]
    assert places("AP", missing="skip", undefined="skip") == [[0, 1], [0]]
    assert places(missing="common") == [[0, 2], [0, 2]]


def test_a_sum_takes_no_zero_for_what_is_not_there() -> None:
    assert table(missing="zero")["NumRel"] == {"x": 3, "y": 3}
    assert table(missing="skip")["NumRel"] == {"x": 3, "y": 1}


def test_an_error_names_the_run_and_the_topic() -> None:
    with pytest.raises(
        InputError, match=r"run 'y' has no results for topic 'b'; `missing='zero'` counts such topics as 0"
    ):
        table(missing="error")["AP"]


def test_a_topic_that_enters_nobodys_average_is_shown_for_nobody() -> None:
    """x has a value on b, and under `common` it used to be shown although it counts for nothing."""
    scores = table(missing="common")
    assert scores["AP", "x"] == {"a": 1.0, "b": None, "c": None}
    assert scores.to_dict()["runs"][0]["topics"]["b"] == {"AP": None, "NumRel": None}


def test_comparison_and_study_take_the_same_topics() -> None:
    values = {"x": {str(i): 0.1 * i for i in range(6)}, "y": {str(i): 0.2 for i in range(5)}}
    scores = assay.scores(values)
    assert assay.compare(scores, resamples=100).topics == 5
    assert assay.reliability(scores, trials=5).topics == 5


def test_a_missing_topic_is_worth_0_whatever_retrieving_nothing_would_be() -> None:
    judged = {"a": {"d": 1, "e": 1}, "b": {"d": 1}}
    run = {"r": {"b": {"d": 1.0}}}
    scores = assay.evaluate(judged, run, ["yaap", "Utility(miss=-1)", "AP", "NumRel", "GMAP"])
    assert scores.values("yaap", "r")["a"] == 0.0
    assert scores.values("Utility(miss=-1)", "r") == {"a": 0.0, "b": 1.0}
    assert scores.mean("NumRel") == {"r": 3}
    assert scores.mean("GMAP")["r"] == pytest.approx(1e-5**0.5)
    skipped = assay.evaluate(judged, run, ["AP"], missing="skip")
    assert skipped.values("AP", "r") == {"a": None, "b": 1.0}


def test_what_the_gold_alone_decides_is_not_0_where_a_run_lacks_the_topic() -> None:
    """The ideal DCG of one relevant document is 1, whether a run finds it or leaves the topic out."""
    scores = assay.evaluate({"a": {"d": 1}, "b": {"d": 1}}, {"r": {"a": {"d": 1.0}}}, ["IDCG", "DCG"], missing="zero")
    assert scores["IDCG", "r"] == {"a": 1.0, "b": 1.0}
    assert scores["DCG", "r"] == {"a": 1.0, "b": 0.0}


@pytest.mark.parametrize(
    ("missing", "some", "none"),
    [("zero", False, True), ("skip", False, True), ("common", True, True), ("error", True, True)],
)
def test_which_topics_of_a_file_of_scores_a_run_lacks(missing, some, none) -> None:
    settings = assay.Settings(missing=missing)
    assert missing_topics.lacks(settings, [0.5, None]) is some
    assert missing_topics.lacks(settings, [None, None]) is none
    assert missing_topics.lacks(settings, [0.5, 0.0]) is False


def test_averages_of_nothing_are_undefined_and_a_sum_of_nothing_is_0() -> None:
    assert {name: average([]) for name, average in missing_topics.AVERAGES.items()} == {
        "mean": None,
        "sum": 0,
        "geometric": None,
    }


def test_mean_sum_and_geometric_mean() -> None:
    assert missing_topics.mean([0.25, 0.5, 0.75]) == 0.5
    assert missing_topics.total([2, 3, 4]) == 9
    assert missing_topics.geometric([0.2, 0.4, 0.1]) == pytest.approx(0.2)


def test_a_topic_worth_0_counts_a_hundred_thousandth_in_a_geometric_mean() -> None:
    assert missing_topics.geometric([0.0, 1.0]) == pytest.approx(1e-5**0.5)


def test_a_mean_is_added_up_in_topic_order() -> None:
    """As trec_eval does, to the last digit: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1."""
    assert missing_topics.mean([0.1, 0.2, 0.3]) == (0.1 + 0.2 + 0.3) / 3 != missing_topics.mean([0.3, 0.2, 0.1])
