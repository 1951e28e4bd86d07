"""Preference and judgment-group files: what is read, and what is refused on which line."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.ranked.preferences import judgment_group_rows, preference_rows, qrels_preference_rows
from assay.io.sources import Source


def test_preferences_keep_groups_and_subgroups_apart():
    data = b"t1 ann s1 d1 2\nt1 ann s2 d1 1\nt1 bob s1 d1 0\nt2 ann s1 d1 3.5\n"
    assert preference_rows(Source("prefs", data=data)) == {
        "t1": {"ann": {"s1": {"d1": 2.0}, "s2": {"d1": 1.0}}, "bob": {"s1": {"d1": 0.0}}},
        "t2": {"ann": {"s1": {"d1": 3.5}}},
    }


def test_a_qrels_file_is_one_subgroup_per_group():
    assert qrels_preference_rows(Source("qrels", data=b"301 0 d1 2\n301 1 d1 0\n")) == {
        "301": {"0": {"0": {"d1": 2.0}}, "1": {"0": {"d1": 0.0}}}
    }


@pytest.mark.parametrize(
    "data",
    [
        b"t g d1 1\nt g d2 0\n",
        b"t g d1 1\nt g d2 0",
        b"t\tg  d1\t 1\r\n  t g d2 0 \r\n",
        b"# one\n# two\nt g d1 1\n# three\nt g d2 0\n# last\n",
        b"t g d1 1\nt g d2 0\n# last",
        b"\n \t\nt g d1 1\r\n\r\n  # indented\nt g d2 0\n\n",
        b"\xef\xbb\xbft g d1 1\nt g d2 0\n",
    ],
    ids=[
        "plain",
        "no final newline",
        "tabs and CRLF",
        "comments anywhere",
        "comment without newline",
        "blank lines",
        "byte order mark",
    ],
)
def test_layout_does_not_matter(data: bytes):
    assert judgment_group_rows(Source("qrels", data=data)) == {"t": {"g": {"d1": 1, "d2": 0}}}


def test_ids_may_hold_hash_signs_and_any_bytes():
    rows = judgment_group_rows(Source("qrels", data=b"t#1 g #doc 1\nt#1 g d\xc3\xa9 2\nt#1 g d\xff 3\n"))
    assert {document.encode("utf-8", "surrogateescape"): grade for document, grade in rows["t#1"]["g"].items()} == {
        b"#doc": 1,
        b"d\xc3\xa9": 2,
        b"d\xff": 3,
    }


@pytest.mark.parametrize(
    ("read", "data", "line", "problem"),
    [
        (preference_rows, b"# c\nt g s d 1\nt g s d2\n", 3, "expected 5 fields"),
        (preference_rows, b"t g s d 1 extra\n", 1, "found 6"),
        (preference_rows, b"t g s d 1\n\n# c\nt g s e\n", 4, "found 4"),
        (preference_rows, b"t g s d abc\n", 1, "'abc'"),
        (preference_rows, b"t g s d nan\n", 1, "finite"),
        (preference_rows, b"t g s d 1e999\n", 1, "finite"),
        (preference_rows, b"t g s d 1_0\n", 1, "'1_0'"),
        (preference_rows, b"t g s d -1\n", 1, "below 0"),
        (preference_rows, b"t g s d 1\nt h s d 2\nt g s d 1\n", 3, "second time in subgroup s of group g"),
        (preference_rows, b"t g s d 0\nt g z e 1\nt g z d 2\n", 3, "0 means not relevant"),
        (preference_rows, b"t g s d\0 0\n", 1, "zero byte"),
        (preference_rows, b"", None, "no judgments"),
        (preference_rows, b"# only\n", None, "no judgments"),
        (qrels_preference_rows, b"t g d 1\nt g d 1\n", 2, "second time in group g"),
        (qrels_preference_rows, b"t g d x\n", 1, "'x'"),
        (judgment_group_rows, b"t g d 0.9\n", 1, "integer grade"),
        (judgment_group_rows, b"t g d 1_0\n", 1, "integer grade"),
        (judgment_group_rows, b"t g d 1\nt h d 1\nt g d 0\n", 3, "second time in group g"),
    ],
)
def test_what_is_refused_names_the_line(read, data: bytes, line: int | None, problem: str):
    with pytest.raises(FormatError) as error:
        read(Source("the.file", data=data))
    assert error.value.source == "the.file"
    assert error.value.line == line
    assert problem in error.value.problem


def test_zero_is_checked_within_a_group_only():
    """Two people may disagree about what is relevant; one person may not."""
    assert preference_rows(Source("prefs", data=b"t g s d 0\nt h s d 2\n"))["t"]["h"] == {"s": {"d": 2.0}}
