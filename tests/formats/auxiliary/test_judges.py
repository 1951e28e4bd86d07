"""Judgments of several judges, in every form they come in."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, InputError
from assay.formats.auxiliary.judges import GradeRecord, is_qrels, read_assessments, read_pairs
from assay.io.sources import Source

LONG = "topic,document,judge,grade\nq1,d1,ann,2\nq1,d1,bob,0\n"
WANTED = [("ann", "q1", "d1", "2"), ("bob", "q1", "d1", "0")]


def source(text: str) -> Source:
    return Source("file", data=text.encode())


def said(text: str, **options) -> list[tuple[str | None, str, str, str]]:
    return [tuple(one[1:]) for one in read_assessments(source(text), **options)]


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        LONG.replace(",", "\t"),
        "qid,docno,assessor,rel\nq1,d1,ann,2.0\nq1,d1,bob, 0 \n",
        '{"topic": "q1", "document": "d1", "judge": "ann", "grade": 2}\n{"qid": "q1", "docid": "d1", "judge": "bob", "label": 0}\n',
        '[{"topic": "q1", "doc": "d1", "judge": "ann", "grade": 2.0}, {"topic": "q1", "doc": "d1", "judge": "bob", "grade": 0}]',
        "topic,doc,ann,bob\nq1,d1,2,0\n",
    ],
)
def test_tables_and_objects(text) -> None:
    assert said(text) == WANTED


def test_qrels_of_one_judge_and_of_several() -> None:
    assert said("q1 0 d1 2\n") == [(None, "q1", "d1", "2")]
    assert said("q1 ann d1 2\nq1 bob d1 0\n", second_field=True) == WANTED
    assert is_qrels(source("q1 0 d1 2\n"))
    assert not is_qrels(source(LONG))


def test_nested_json_and_a_table_of_one_judge() -> None:
    assert said('{"q1": {"d1": 2}}') == [(None, "q1", "d1", "2")]
    assert said("topic,doc,grade\nq1,d1,partly\n") == [(None, "q1", "d1", "partly")]


def test_an_empty_cell_of_a_wide_table_was_not_judged() -> None:
    assert said("topic,doc,ann,bob\nq1,d1,,0\n") == [("bob", "q1", "d1", "0")]


def test_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"topic": [1, 1], "doc": ["d", "e"], "ann": [1.0, None], "bob": [0, 2]})
    found = read_assessments(Source("frame", data=frame))
    assert found == [
        GradeRecord(2, "ann", "1", "d", "1"),
        GradeRecord(2, "bob", "1", "d", "0"),
        GradeRecord(3, "bob", "1", "e", "2"),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("q1 0 d1\n", "file:1: expected 4 fields"),
        ("q1 0 d1 2\nq1 0 d2 high\n", "file:2: expected a whole number as grade"),
        ("q1 0 d1 0.5\n", "file:1: expected a whole number as grade"),
        (LONG + "q1,,ann,1\n", "file:4: expected a document"),
        (LONG + "q1,d2,ann,\n", "file:4: expected a grade"),
        (LONG + "q1,d2,ann\n", "file:4: expected 4 cells as in the header, found 3"),
        ("topic,doc,ann,ann\nq1,d1,1,1\n", "file:1: two columns are called 'ann'"),
        ('{"topic": "q1", "doc": "d1", "judge": "a", "grade": [1]}\n', "file:1: expected a grade"),
        ("topic,doc,ann,bob\n", "holds no judgments"),
        ("", "holds no judgments"),
        ('{"q1": {"d1": null}}', "document d1: expected a grade"),
        ('{"q1": {"d1": 1}, "q2": 3}', "topic q2: expected a mapping"),
    ],
)
def test_what_is_wrong_is_named(text, told) -> None:
    with pytest.raises(InputError) as caught:
        read_assessments(source(text))
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "q1 d1\nq2 d2\n",
        "q1 0 d1 1\nq2 0 d2 0\n",
        '{"topic": "q1", "doc": "d1"}\n{"topic": "q2", "doc": "d2"}',
        "topic,doc\nq1,d1\nq2,d2\n",
    ],
)
def test_a_pool(text) -> None:
    assert read_pairs(source(text)) == {("q1", "d1"), ("q2", "d2")}


def test_a_pool_without_documents() -> None:
    with pytest.raises(InputError, match="file:1: expected a topic and a document"):
        read_pairs(source("q1\n"))


@pytest.mark.parametrize("grade", ["nan", "inf", "-Infinity", "1000000000", "-1e9", "1e400"])
def test_numbers_that_are_no_grades_are_not_taken_for_words(grade) -> None:
    for text, line in (
        (f"{LONG}q1,d2,ann,{grade}\n", 4),
        (f"topic,doc,ann\nq1,d1,{grade}\n", 2),
        (f"q1 0 d1 {grade}\n", 1),
    ):
        with pytest.raises(
            InputError, match=f"file:{line}: the grade '{grade}' is not between -1000000000 and 1000000000"
        ):
            read_assessments(source(text))
    assert said("topic,doc,ann\nq1,d1,999999999\n") == [("ann", "q1", "d1", "999999999")]


PIECES = st.sampled_from(
    ["q1", "d1", "0", "1", "-1", "nan", "1_0", "topic", "document", "judge", "grade", "ann", ",", ",", "\t", " ", " ", "\n", "\n", '"',
     "{", "}", "[", "]", ":", "null", "\r\n", "\0", "\ufeff", "\xff", "#", "1e999", "'=1"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60), st.booleans())
def test_any_text_is_read_or_refused_in_words(text, second_field) -> None:
    for data in (text.encode("latin-1", "replace"), text.encode()):
        with suppress(AssayError):
            for one in read_assessments(Source("file", data=data), second_field):
                assert one.topic
                assert one.document
                assert one.grade
        with suppress(AssayError):
            read_pairs(Source("file", data=data))


def test_what_a_judge_took_back_is_as_if_it_had_never_been() -> None:
    """Two judges in one file: bob's line between does not keep ann from taking back hers."""
    line = '{{"topic": "q1", "document": "{}", "judge": "{}", "grade": {}{}}}\n'.format
    undo = ', "undo": true'
    text = line("d1", "ann", 1, "") + line("d1", "ann", 3, "") + line("d1", "bob", 0, "") + line("d1", "ann", 1, undo)
    assert said(text) == [("ann", "q1", "d1", "1"), ("bob", "q1", "d1", "0")]
    assert said(text + line("d1", "ann", "null", undo)) == [("bob", "q1", "d1", "0")]
    with pytest.raises(
        InputError, match="file:2: undoes a judgment of topic 'q1', document 'd2'; expected the last one of ann"
    ):
        said(line("d1", "ann", 1, "") + line("d2", "ann", "null", undo))
    with pytest.raises(InputError, match=r"file:1: .*there is none before it"):
        said(line("d2", "ann", "null", undo))
    with pytest.raises(InputError, match="holds no judgments"):
        said(line("d1", "ann", 1, "") + line("d1", "ann", "null", undo))
