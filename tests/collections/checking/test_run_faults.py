"""The words for faulty lines: one line at a time, or many at once, they come to the same."""

from __future__ import annotations

import pytest

from assay.collections.checking import run_faults
from assay.collections.checking.findings import File

WORDS = b"q1 Q0 d1 x nan other".split()


@pytest.mark.parametrize(
    ("tell", "kind", "found"),
    [
        (lambda file, *at: run_faults.report_field_count(file, at[0], 5, *at[1:]), "fields", "5 fields"),
        (lambda file, *at: run_faults.report_zero_byte(file, *at), "encoding", "a zero byte"),
        (lambda file, *at: run_faults.report_score(file, at[0], WORDS, *at[1:]), "score", "score 'nan'"),
        (lambda file, *at: run_faults.report_rank(file, at[0], WORDS, *at[1:]), "rank", "rank 'x'"),
        (lambda file, *at: run_faults.report_second_tag(file, at[0], WORDS, (b"one", 1), *at[1:]), "tags", "tag other after one on line 1"),
        (
            lambda file, *at: run_faults.report_duplicate(file, at[0], WORDS, 2, *at[1:]),
            "duplicate",
            "document d1 a second time in topic q1, first on line 2",
        ),
    ],
)  # fmt: skip
def test_one_by_one_and_at_once(tell, kind, found) -> None:
    one, many = File("a.run"), File("a.run")
    one.tags, many.tags = ["one"], ["one"]
    for line in range(3, 10):
        tell(one, line)
    tell(many, [3, 4, 5, 6, 7], 7)
    assert one.as_dict() == many.as_dict()
    [finding] = many.findings
    assert (finding.kind, finding.found, finding.count, finding.lines) == (kind, found, 7, [3, 4, 5, 6, 7])


def test_a_run_of_many_tags_keeps_two() -> None:
    file = File("a.run")
    file.tags = ["one"]
    for tag in (b"two", b"three"):
        run_faults.report_second_tag(file, 2, [*WORDS[:5], tag], (b"one", 1))
    assert file.tags == ["one", "two"]


def test_many_fields_are_one_finding() -> None:
    file = File("a.run")
    for found in (15, 16, 17, 500):
        run_faults.report_field_count(file, 1, found)
    assert [(finding.found, finding.count) for finding in file.findings] == [("15 fields", 1), ("16 fields", 3)]


def test_lines_that_say_something() -> None:
    lines = [b" ", b"# no", b"a b"]
    assert list(run_faults.run_lines(iter(enumerate(lines, 1)))) == [(3, b"a b", [b"a", b"b"])]
