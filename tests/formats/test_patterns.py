"""TREC answer patterns and supporting documents."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, InputError
from assay.formats.patterns import read_patterns, read_support
from assay.formats.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


class TestPatterns:
    def test_number_then_expression_to_the_end_of_the_line(self):
        text = "# TREC\n894  5\\s+feet |\\bfive feet\\b\n\n894 60 inches\r\n895 NIL\n"
        first, second = read_patterns(source(text))
        assert (first.id, first.line, first.patterns) == ("894", 2, ["5\\s+feet |\\bfive feet\\b", "60 inches"])
        assert (second.nil, second.patterns) == (True, [])

    def test_the_same_pattern_twice_is_one_pattern(self):
        (question,) = read_patterns(source("1 a\n1 b\n1 a\n"))
        assert question.patterns == ["a", "b"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1 ok\n2 (unclosed\n", r"^file:2: '\(unclosed' is no regular expression"),
            ("1 ok\n2\n", r"^file:2: question '2' has no pattern"),
            ("# nothing\n", r"^file: is empty"),
        ],
    )
    def test_bad_patterns_name_their_line(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_patterns(source(text))

    def test_support(self):
        assert read_support(source("1 d1 d2\n1 d3\n"), {"1"}) == {"1": {"d1", "d2", "d3"}}
        with pytest.raises(FormatError, match=r"^file:2: question '7' is not in the gold"):
            read_support(source("1 d1\n7 d1\n"), {"1"})
        with pytest.raises(FormatError, match=r"^file:1: question '1' has no document"):
            read_support(source("1\n"), {"1"})
