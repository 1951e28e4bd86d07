"""What the measures mean: every one that is used, from its own declaration."""

from __future__ import annotations

from typing import Any

from assay.measures.define import measure, sums, whole
from assay.measures.measure import Measure
from assay.measures.registry import find
from assay.reports.model import Table
from assay.reports.pages.definitions import definitions, worked


def facts(*measures: Measure, noun: str = "topic") -> dict[str, dict[str, str]]:
    """What the section says: by a table's title, the texts by their labels."""
    section = definitions(measures, noun)
    assert section is not None
    tables = [block for block in section.blocks if isinstance(block, Table)]
    assert len(tables) == len(section.blocks) == len({table.id for table in tables})
    return {t.title: {row[0].text: row[1].text for row in t.rows if isinstance(row, tuple)} for t in tables}


def invented(level: str = "topic", documentation: str = "How many.", **declared: Any) -> Measure:
    """A measure that nobody can look up by its name, so that it stays in the test."""
    one = {"topic": measure, "sums": sums, "whole": whole}[level](
        "Invented", cite="A. Author, A Paper, 1999", **declared
    )
    one.function = lambda view: 0
    one.function.__doc__ = documentation
    return Measure(one, "Invented", {})


def test_a_measure_says_what_it_means_its_range_when_it_is_undefined_and_where_it_is_defined():
    assert facts(find("AP")) == {
        "AP": {
            "Meaning": "Average precision: the precision at each relevant document, summed and divided by R. "
            "AP = (1/R) Σ P(rank of i-th relevant document); one that is not retrieved adds 0.",
            "Range": "0 to 1, higher is better",
            "Over topics": "the mean over topics",
            "Undefined": "where the gold has no relevant document",
            "Defined in": "C. Buckley and E. Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in "
            "Information Retrieval, MIT Press 2005",
            "Example 1": "round(average_precision(RankedView.of([1, 1, 0, 1, 0, 0, 1])), 4) "
            "# (1/1 + 2/2 + 3/4 + 4/7) / 4 → 0.8304",
        }
    }


def test_measures_that_differ_in_a_parameter_are_one_and_the_order_is_that_of_the_report():
    told = facts(find("P@10"), find("AP"), find("P@5"), find("P(rel=2)@5"))
    assert list(told) == ["P@10, P@5, P(rel=2)@5", "AP"]
    assert told["P@10, P@5, P(rel=2)@5"]["Meaning"].startswith("The share of the first cut ranks")


def test_the_range_has_its_own_ends_and_direction():
    def said(**declared: Any) -> str:
        return facts(invented(**declared))["Invented"]["Range"]

    assert said(low=-1.0, higher_is_better=None) == "-1 to 1, neither is better"
    assert said(low=1.0, high=None, higher_is_better=False) == "1 to ∞, lower is better"
    assert said(low=None, high=None) == "−∞ to ∞, higher is better"
    assert said(high=2.5) == "0 to 2.5, higher is better"


def test_how_topics_become_one_number_is_said_with_the_noun_of_the_task():
    def said(**declared: Any) -> str:
        return facts(invented(**declared), noun="question")["Invented"]["Over questions"]

    assert said(average="mean") == "the mean over questions"
    assert said(average="sum") == "the sum over questions"
    assert said(average="geometric") == "the geometric mean over questions"
    assert said(level="sums") == "a formula on sums over questions"
    assert said(level="whole") == "all questions at once"


def test_a_measure_without_words_or_examples_has_no_empty_rows_and_no_measures_no_section():
    assert list(facts(invented(documentation=""))["Invented"]) == ["Range", "Over topics", "Undefined", "Defined in"]
    assert facts(invented())["Invented"]["Undefined"] == "never"
    assert definitions([], "topic") is None


def test_every_example_is_told_with_what_prepares_it_and_only_that():
    said = "Add.\n\n>>> import math\n>>> a = 1\n>>> a + 1\n2\n>>> b = 3\n>>> [b,\n...  4]\n[3,\n 4]\n"
    assert worked(said) == ["a = 1; a + 1 → 2", "b = 3; [b, 4] → [3, 4]"]
    assert worked("Add.") == []
