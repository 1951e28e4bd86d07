"""Every run's value on every topic: none is missing, and each stands below its topic."""

from __future__ import annotations

from assay.reports.model import Chart, ComparisonBlock, MeasureValues
from assay.reports.pages import value_tables
from assay.reports.pages.value_tables import NUMBER_SPACE, every_value


def comparison(runs, topics, value):
    columns = tuple(tuple(value(run, topic) for topic in range(topics)) for run in range(len(runs)))
    measure = MeasureValues("AP", tuple(0.5 for _ in runs), columns)
    names = tuple(f"t{topic}" for topic in range(topics))
    return ComparisonBlock("c", "C", tuple(runs), names, (measure,), Chart("x", "", {}, "", ""))


def cells(table):
    heads = table.columns[1].label.split(NUMBER_SPACE)
    return {row[0].text: dict(zip(heads, row[1].text.split(NUMBER_SPACE), strict=True)) for row in table.rows}


def test_each_value_stands_below_its_topic():
    made = every_value(comparison(["b", "A"], 50, lambda run, topic: (run * 50 + topic) / 100))
    found = {}
    for table in made.blocks:
        for run, row in cells(table).items():
            found.update({(run, topic.strip()): value.strip() for topic, value in row.items() if topic})
    assert len(found) == 100
    assert found["b", "t7"] == "0.070"
    assert found["A", "t7"] == "0.570"
    assert [row[0].text for row in made.blocks[0].rows] == ["A", "b"]
    assert [row[0].link for row in made.blocks[0].rows] == ["run-2", "run-1"]


def test_no_table_is_left_with_a_topic_of_its_own():
    """15 topics of 5 letters and a blank stand beside each other in 92: 16 would be 15 and 1, and are 8 and 8."""
    made = every_value(comparison(["a"], 16, lambda run, topic: 0.5))
    assert [len(table.columns[1].label.split(NUMBER_SPACE)) - 1 for table in made.blocks] == [8, 8]


def test_whole_numbers_are_written_as_such():
    made = every_value(comparison(["a"], 3, lambda run, topic: (1.0, -1.0, None)[topic]))
    assert made.blocks[0].rows[0][1].text.split() == ["1", "-1", "n/a"]


def test_more_values_than_anybody_reads_are_left_to_the_page(monkeypatch):
    monkeypatch.setattr(value_tables, "MAX_PRINTED_VALUES", 39)
    (said,) = every_value(comparison("abcde", 8, lambda run, topic: 0.5)).blocks
    assert said.body == "The values of 5 runs on 8 topics are in the HTML report and in the table of scores."
