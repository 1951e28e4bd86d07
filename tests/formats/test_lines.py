"""Lines of plain text files, and of CSV and TSV."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.lines import field_lines, separated_lines, text_lines
from assay.io.sources import Source


def test_physical_lines_without_blanks_and_comments() -> None:
    data = b"\xef\xbb\xbf a  b\r\n\r\n # note\r\n\tc\xc3\xa9"
    assert list(text_lines(Source("x", data=data))) == [(1, "a  b"), (4, "cé")]
    assert list(field_lines(Source("x", data=data))) == [(1, ["a", "b"]), (4, ["cé"])]


def test_bytes_that_are_no_utf_8() -> None:
    data = b"a\nb\xff c\n"
    assert [fields[0].encode("utf-8", "surrogateescape") for _, fields in field_lines(Source("x", data=data))][
        1
    ] == b"b\xff"
    with pytest.raises(FormatError, match="x:2: is not UTF-8 text"):
        list(text_lines(Source("x", data=data)))


@pytest.mark.parametrize("read", [text_lines, field_lines])
def test_a_zero_byte_is_no_text(read) -> None:
    with pytest.raises(FormatError, match="x:2: holds a zero byte"):
        list(read(Source("x", data=b"a\n\0")))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_what_separates_is_found(mark) -> None:
    data = f"\ufeff\r\na{mark}b\r\n\r\n1{mark}'x'\r\n".encode()
    assert list(separated_lines(Source("x", data=data))) == [(2, ["a", "b"]), (4, ["1", "'x'"])]


def test_a_quoted_cell_may_span_lines() -> None:
    assert list(separated_lines(Source("x", data=b'a,b\n"1\n2",3\n'))) == [(1, ["a", "b"]), (3, ["1\n2", "3"])]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'a,b\n"1', "x:2: broken CSV"),
        (b"a,b\n1,\xff", "x:2: is not UTF-8 text; save the file as UTF-8"),
        (b"a,b\n\n1,\0", "x:3: holds a zero byte; expected CSV text"),
    ],
)
def test_bad_files(data, problem) -> None:
    with pytest.raises(FormatError) as caught:
        list(separated_lines(Source("x", data=data)))
    assert problem in str(caught.value)


@pytest.mark.parametrize("blank", ["\x1e", "\xa0", "\u3000\x1f"])
def test_a_line_of_any_white_space_says_nothing(blank) -> None:
    """To bytes these are no white space, to text they are: a reader that takes the first word had none to take."""
    data = f"{blank}\n1{blank}a{blank}\n".encode()
    assert list(text_lines(Source("x", data=data))) == [(2, f"1{blank}a")]
    from assay.formats.answers.questions import read_patterns

    assert [question.id for question in read_patterns(Source("x", data=data))] == ["1"]
