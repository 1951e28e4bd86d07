"""Judgments by subtopic, and weights of subtopics."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.formats.ranked.subtopics import read_subtopics, read_weights
from assay.io.sources import Source

FOUND = {"201": {"1": {"a": 1, "b": 0}, "2": {"a": 2}}}


def of(data) -> Source:
    return Source("q", data=data)


def test_lines_json_dicts_and_frames_are_the_same() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {"query_id": [201] * 3, "doc_id": ["a", "b", "a"], "relevance": [1, 0, 2]}
    for data in (
        b"201 1 a 1\n201 1 b 0\n201 2 a 2\n",
        b'{"201": {"1": {"a": 1, "b": 0}, "2": {"a": 2}}}',
        {201: {1: {"a": 1, "b": 0.0}, 2: {"a": 2}}},
        pandas.DataFrame({**columns, "subtopic": [1, 1, 2]}),
        pandas.DataFrame({**columns, "iteration": ["1", "1", "2"]}),
    ):
        assert read_subtopics(of(data)) == FOUND


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"201 1 a\n", "q:1: expected 4 fields (topic subtopic document grade), found 3"),
        (b"201 1 a 1\n201 1 b x\n", "q:2: expected an integer grade in field 4, found 'x'"),
        (b"201 1 a 1\n201 1 a 1\n", "q:2: document a is judged a second time in subtopic 1; keep one judgment"),
        (b"", "found no judgments; expected lines with the fields topic subtopic document grade"),
        ({}, "is empty; expected topics that hold subtopics that hold documents"),
        ({"201": {"1": 3}}, "topic 201, subtopic 1: expected documents in a mapping, found int"),
        ({"201": 1}, "topic 201: expected subtopics in a mapping, found int"),
        ({"201": {"1": {1: 1, "1": 1}}}, "two documents have the same id '1' as text"),
        ({"201": {"1": {"a": 1}, 1: {"b": 1}}}, "topic 201: two subtopics have the same id '1' as text"),
        ({"201": {"1": {"a": 1}}, 201: {"2": {"b": 1}}}, "two topics have the same id '201' as text"),
        ({"201": {"1": {"a": 0.5}}}, "topic 201: document a: expected a whole number as grade, found 0.5"),
    ],
)
def test_what_cannot_be_read_is_named(data, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_subtopics(of(data))
    assert message in str(refused.value)


def test_rows_of_a_frame_are_named() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {"topic": ["1", "1"], "subtopic": ["1", "1"], "document": ["a", "a"], "grade": [1, 1]}
    with pytest.raises(InputError, match="row 2: document a is judged a second time for subtopic 1 of topic 1"):
        read_subtopics(of(pandas.DataFrame(columns)))
    with pytest.raises(InputError, match="row 1: found an empty cell"):
        read_subtopics(of(pandas.DataFrame({**columns, "subtopic": [None, "1"]})))
    with pytest.raises(InputError, match="is empty"):
        read_subtopics(of(pandas.DataFrame({name: [] for name in columns})))


def test_weights() -> None:
    found = {"201": {"1": 0.75, "2": 0.25}}
    assert read_weights(of(b"# how likely\n201 1 0.75\n201 2 .25\n")) == found
    assert read_weights(of({201: {1: 0.75, 2: 0.25}})) == found


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"201 1\n", "q:1: expected 3 fields (topic, subtopic, weight), found 2"),
        (b"201 1 0.5\n201 2 much\n", "q:2: expected a weight (a number from 0 on), found 'much'"),
        (b"201 1 -1\n", "q:1: expected a weight (a number from 0 on), found '-1'"),
        (b"201 1 nan\n", "q:1: expected a weight"),
        (b"201 1 1_0\n", "q:1: expected a weight"),
        (b"201 1 1\n201 1 1\n", "q:2: subtopic 1 of topic 201 has a weight already; keep one"),
        (b"\n", "is empty; expected lines of 3 fields"),
        ({"201": 1}, "topic 201: expected subtopics in a mapping, found int"),
        ({"201": {"1": None}}, "topic 201, subtopic 1: expected a weight"),
    ],
)
def test_weights_that_are_none(data, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_weights(of(data))
    assert message in str(refused.value)
