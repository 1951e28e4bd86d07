"""A plan of labels in words and tables."""

from __future__ import annotations

import assay
from assay.reports.pages.label_plans import sections

AGREED = {"sensitivity": 0.9, "specificity": 0.8, "rate": 0.6}


def first_note(**choices) -> str:
    """The finding and its details."""
    return sections(assay.plan_labels(**choices))[0].blocks[0].body


def test_the_finding_and_its_details() -> None:
    assert first_note(width=0.05, questions=2000, labels=300, **AGREED) == (
        "For a 95% interval .05 wide, people must give 1,170 labels beside the judge, and 1,476 without it. The judge saves 306. With all "
        "2,000 questions labelled the interval is .043 wide, and no judge makes it narrower. With 300 labels it is .084 wide, and .111 "
        "without the judge."
    )


def test_where_it_cannot_be() -> None:
    assert first_note(width=0.05, questions=1000, **AGREED) == (
        "1,000 questions are too few for a 95% interval .05 wide: with all of them labelled it is .061 wide, and 1,476 are needed."
    )


def test_a_useless_judge() -> None:
    assert first_note(width=0.1, correlation=-0.2, rate=0.5).endswith(
        "and as many without it. The judge saves nothing, because it disagrees with people."
    )
    constant = first_note(judge=[1] * 4, human=[1, 0, 1, None], width=0.3, questions=100, resamples=0)
    assert "The judge saves nothing, because it gives every answer the same score." in constant


def test_two_runs_have_a_table_each_and_one_of_their_difference() -> None:
    rows = "".join(
        f"q{i},{run},{(i + k) % 3 > 0:d},{(i + 2 * k) % 5 > 1:d}\n" for i in range(40) for k, run in enumerate("ab")
    )
    (made,) = sections(assay.plan_labels(f"id,run,judge,human\n{rows}".encode(), width=0.3))
    tables = {block.id: block for block in made.blocks if hasattr(block, "rows")}
    assert [row[0].text for row in tables["labels-runs"].rows] == ["a", "b"]
    assert [row[0].text for row in tables["labels-pairs"].rows] == ["a - b"]
    assert [tables[name].columns[0].label for name in ("labels-runs", "labels-pairs")] == ["Run", "Difference"]


def test_few_labels_are_warned_of() -> None:
    text = repr(assay.plan_labels(width=0.5, correlation=0.9, rate=0.5))
    assert "too narrow with fewer than 30 labels" in text
