"""Files read at once give the rows, and the errors, of files read line by line."""

from __future__ import annotations

import json
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError
from assay.formats.answers import jsonl_answers
from assay.formats.answers.outcome_words import Words
from assay.formats.answers.plain_answers import plain_rows
from assay.formats.answers.rows import CORRECT, INCORRECT, UNANSWERED, Rows
from assay.io.sources import Source

TEXTS = st.sampled_from(["Paris", "a: b", "id", '"id"', "{", "x\ny", "é", "", "  ", "\\u0069d"]) | st.text(max_size=4)
LINE = st.fixed_dictionaries(
    {"id": st.text(max_size=2)},
    optional={
        "answer": st.none() | TEXTS | st.integers(0, 3),
        "outcome": st.sampled_from(["correct", "I", "n", "failed", None, 0, 1, True, 0.5, "maybe"]),
        "confidence": st.none() | st.floats(-0.1, 1.1) | st.integers(0, 1),
        "doc": st.just("d"),
    },
)
STATED = st.fixed_dictionaries(
    {"id": st.text(max_size=2), "outcome": st.sampled_from(["correct", "I", "n", "maybe", "é"])},
    optional={"confidence": st.floats(0, 1) | st.sampled_from([0, 1, 1e-7, 5e-324])},
)
PIECES = st.sampled_from(["\n", "\n", "\n", "\n\n", " \n", "\r\n", " ", "\n\ufeff"])


def source(content: str) -> Source:
    return Source("run.jsonl", data=content.encode("utf-8", "surrogatepass"))


def told(content: str) -> object:
    """All that a file holds, or what is wrong with it."""
    try:
        runs = jsonl_answers.read_runs(source(content), words=Words("maybe=unanswered"))
    except FormatError as problem:
        return str(problem)
    return [{name: plain(getattr(rows, name)) for name in Rows.__struct_fields__ if name != "said_on"} for rows in runs]


def plain(value: object) -> object:
    return list(value) if isinstance(value, array | range | tuple) else value


@given(
    st.lists(LINE, min_size=1, max_size=4) | st.lists(STATED, min_size=1, max_size=4),
    st.lists(PIECES, min_size=4, max_size=4),
    st.booleans(),
)
def test_a_file_read_at_once_is_the_file_read_by_lines(lines, ends, ascii_only) -> None:
    texts = [json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    content = "".join(text + end for text, end in zip(texts, ends, strict=False))
    at_once = told(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl_answers, "plain_rows", lambda *_: None)
        assert at_once == told(content)


PLAIN = '{"id": "q1", "answer": "a", "confidence": 0.5}\n'


@pytest.mark.parametrize(
    "content",
    [
        PLAIN + '{"id": "q2", "answer": "b", "id": "q3"}',
        PLAIN + '{"id": "q2", "answer": "b:", "id": "q3"}',
        PLAIN + '{"id": "q2", "answer": ":", "\\u0069d": "q3"}',
        PLAIN + '{"id": "q2", "answer": "b"} {"id": "q3", "answer": "c"}\n\n',
        PLAIN + '{"id": "q2", "answer": "b"} {"id": "q3", "answer": "c"}',
        PLAIN + '{"id": "q2",\n"answer": "b"}',
        PLAIN + "\n" + PLAIN,
        PLAIN + '{"id": "q2", "answer": "b", "confidence": 1.5}',
        PLAIN + '{"id": "q2", "answer": "b", "doc": "d7"}',
        PLAIN + '{"id": "q2", "confidence": 0.5}',
        PLAIN + '{"id": 2, "answer": "b"}',
        PLAIN + '{"id": "q2", "outcome": 0.5}',
        PLAIN + '{"id": "q2", "outcome": "nobody knows"}',
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_those_who_look_closer(content) -> None:
    kept = source(content)
    assert plain_rows(kept, Words()) is None
    assert kept.read() == content.encode()


def test_texts_with_colons_are_ordinary() -> None:
    rows = plain_rows(source(PLAIN + '{"id": "q2", "answer": "at 7:30: \\"no\\""}'), Words())
    assert rows is not None
    assert rows.texts == ["a", 'at 7:30: "no"']
    assert list(rows.confidences) == [0.5, None]


def test_columns_of_numbers_alone_are_compact() -> None:
    content = '{"id": "a", "outcome": "C", "confidence": 1}\n{"id": "b", "outcome": "I", "confidence": 0}\n'
    rows = plain_rows(source(content), Words())
    other = plain_rows(source(content.replace('"I"', '"N"')), Words())
    assert rows is not None
    assert other is not None
    assert rows.confidences == array("d", [1.0, 0.0])
    assert rows.outcomes == array("b", [CORRECT, INCORRECT])
    assert other.outcomes == array("b", [CORRECT, UNANSWERED])
    assert rows.texts is other.texts
    assert list(rows.lines) == [1, 2]
