"""Notes tell what somebody looked for, and nothing else."""

from __future__ import annotations

from assay.table.notes import Notes


def test_a_count_of_0_is_told_and_what_nobody_counted_is_not() -> None:
    assert Notes(unjudged=0).as_dict() == {"unjudged": 0}
    assert Notes().refusals is None
    assert Notes(warnings=["late"]).as_dict() == {"warnings": ["late"]}


def test_a_changed_copy_leaves_the_first_alone() -> None:
    first = Notes(judging="by hand", warnings=["late"])
    other = first.copy(unjudged=2, warnings=[])
    assert other.as_dict() == {"judging": "by hand", "unjudged": 2}
    assert first.as_dict() == {"judging": "by hand", "warnings": ["late"]}
