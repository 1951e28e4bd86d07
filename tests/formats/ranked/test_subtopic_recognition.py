"""Qrels by subtopic told from ordinary ones."""

from __future__ import annotations

import pytest

from assay.formats.ranked.subtopic_recognition import names_subtopics, second_varies
from assay.formats.recognition import task_of
from assay.io.heads import head_of_bytes
from assay.io.sources import Source


@pytest.mark.parametrize(
    ("text", "subtopics"),
    [
        (b"201 1 d1 1\n201 2 d1 0\n", True),
        (b"201\t1\td1\t1\n201\t2\td1\t0\n", True),
        (b"# judged by hand\n201  1  d1  1\r\n201  2  d1  0\r\n", True),
        (b"201 1 d1 1\n201 1 d2 1\n201 1 d3 1\n201 2 d2 0", True),
        (b"301 0 d1 1\n301 0 d2 0\n", False),
        (b"301 0 d1 1\n301 1 d2 0\n301 2 d3 0\n", False),  # an iteration that varies, and every document once
        (b"301 0 d1 1\n302 1 d1 0\n", False),  # the same document in another topic
        (b"301 0 d1 1\n301 0 d1 1\n", False),  # a document twice, and no other subtopic: ordinary qrels with a fault
        (b"301 0 d1 1\n", False),
    ],
)
def test_a_document_that_is_judged_under_two_second_fields_tells(text: bytes, subtopics: bool) -> None:
    assert names_subtopics(head_of_bytes(text)) is subtopics
    assert task_of(Source("q", data=text)) == ("diversity" if subtopics else "ranked")


def test_a_line_that_the_head_cuts_off_says_nothing() -> None:
    assert not names_subtopics(head_of_bytes(b"201 1 d1 1\n201 2 d1"))


@pytest.mark.parametrize(
    ("text", "varies"),
    [
        (b"301 0 d1 1\n301 0 d2 0\n", False),
        (b"301\t0\td1\t1\n301 0 d2 0\n", False),
        (b"301 0 d1 1\n301 1 d2 0\n", True),
        (b"301 Q0 d1 1\n301 Q0 d2 0", False),
    ],
)
def test_whether_the_second_field_says_anything(text: bytes, varies: bool) -> None:
    assert second_varies(head_of_bytes(text)) is varies


def test_dicts_and_frames() -> None:
    pandas = pytest.importorskip("pandas")
    rows = {"topic": ["1", "1"], "document": ["a", "a"], "grade": [1, 0]}
    for data, task in (
        ({"1": {"a": 1}}, "ranked"),
        ({"1": {"1": {"a": 1}}}, "diversity"),
        (b'{"1": {"a": 1}}', "ranked"),
        (b'{"1": {"1": {"a": 1}}}', "diversity"),
        (pandas.DataFrame(rows), "ranked"),
        (pandas.DataFrame({**rows, "subtopic": [1, 2]}), "diversity"),
    ):
        assert task_of(Source("q", data=data)) == task
