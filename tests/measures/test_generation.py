"""Measures of generated answers by their nuggets, by hand."""

from __future__ import annotations

import pytest

from assay.measures.generation import AnswerView
from assay.measures.registry import find

NUGGETS = AnswerView([("vital", 1.0), ("vital", 0.5), ("vital", 0.0), ("okay", 1.0), ("okay", 0.5)])


def value(name, view):
    return find(name, "generation")(view)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AllScore", 3 / 5),
        ("StrictAllScore", 2 / 5),
        ("VitalScore", 1.5 / 3),
        ("StrictVitalScore", 1 / 3),
        ("WeightedScore", (1.5 + 0.5 * 1.5) / (3 + 0.5 * 2)),
        ("StrictWeightedScore", (1 + 0.5) / (3 + 0.5 * 2)),
    ],
)
def test_nuggets(name, expected):
    assert value(name, NUGGETS) == pytest.approx(expected, rel=1e-14)


def test_undefined_without_vital_nuggets():
    view = AnswerView([("okay", 1.0), ("okay", 0.0)])
    assert [value(name, view) for name in ("VitalScore", "StrictVitalScore", "AllScore")] == [None, None, 0.5]
    assert value("AllScore", AnswerView()) is None


def test_nuggets_of_which_nobody_says_what_they_are_weigh_the_same():
    view = AnswerView([("", 1.0), ("", 0.0), ("", 0.5)])
    assert value("WeightedScore", view) == value("AllScore", view) == 0.5


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("all_score", "AllScore"), ("strict_vital_score", "StrictVitalScore"), ("NuggetRecall", "StrictAllScore"),
        ("nugget_coverage_weighted", "StrictWeightedScore"), ("V", "VitalScore"),
    ],
)  # fmt: skip
def test_the_names_of_the_tools(written, name):
    assert find(written, "generation").declaration.name == name


SENTENCES = AnswerView(
    sentences=[([1.0], None), ([0.5], None), ([0.0, 1.0], None), ([None], None), ([], None)],
)
"""Full, partial, none by the first of two, not judged, and one that cites nothing."""
REPORT = AnswerView(
    [("vital", 1.0), ("okay", 0.0)],
    [([1.0, 1.0], True), ([1.0, 0.0], True), ([], True), ([], False), ([1.0, None], True), ([0.5, None], True)],
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("CitationP", 1.5 / 3),
        ("CitationR", 1.5 / 4),
        ("StrictCitationP", 1 / 3),
        ("StrictCitationR", 1 / 4),
        ("AllCitationsP", 2 / 3),
        ("AllCitationsR", 2 / 4),
    ],
)
def test_support_leaves_out_what_nobody_judged(name, expected):
    """The example and the values of the tests of the track's own scorer, RAGDoll."""
    assert value(name, SENTENCES) == pytest.approx(expected, rel=1e-14)


def test_an_answer_that_cites_nothing_supports_nothing():
    silent = AnswerView(sentences=[([], None), ([], None)])
    assert (value("CitationP", silent), value("CitationR", silent)) == (0.0, 0.0)


@pytest.mark.parametrize("name", ["CitationP", "CitationR", "AllCitationsP", "StrictCitationR"])
def test_support_nobody_judged_is_undefined(name):
    for view in (AnswerView(), AnswerView(sentences=[]), AnswerView(sentences=[([None], None)])):
        assert value(name, view) is None


def test_sentence_precision_counts_what_cites_or_should():
    # Supported; not by its second citation; cites nothing and should; need not; unknown; not, whatever the second gives.
    assert value("SentenceP", REPORT) == 1 / 4
    assert value("ArgueF", REPORT) == pytest.approx(2 * 0.25 * 0.5 / 0.75)
    assert value("WeightedArgueF", REPORT) == pytest.approx(2 * 0.25 * (2 / 3) / (0.25 + 2 / 3))


def test_sentence_precision_of_an_answer_whose_every_sentence_cites_is_no_known_number_either():
    assert value("SentenceP", AnswerView(sentences=[([1.0], None)])) is None
    assert value("SentenceP", AnswerView(sentences=[([], False)])) is None


def test_counts_stand_for_sentences():
    view = AnswerView([("", 0.0)], attested=(0, 4))
    assert (value("SentenceP", view), value("ArgueF", view)) == (0.0, 0.0)
    assert value("CitationP", view) is None


def test_a_report_without_nuggets_has_no_f():
    assert value("ArgueF", AnswerView(attested=(1, 1))) is None


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("weighted_precision", "CitationP"), ("hard_recall", "StrictCitationR"), ("sentence_support", "SentenceP"),
        ("f1_weighted", "WeightedArgueF"),
    ],
)  # fmt: skip
def test_the_names_of_citation_measures(written, name):
    assert find(written, "generation").declaration.name == name
