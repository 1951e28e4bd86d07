"""An object a line: physical lines are counted, blank ones skipped, and what is wrong is named where it stands."""

from __future__ import annotations

import msgspec
import pytest

from assay.errors import FormatError
from assay.formats.jsonl import json_lines, plain, typed_lines
from assay.io.sources import Source


class Named(msgspec.Struct):
    id: str


def source(text: str | bytes) -> Source:
    return Source("a.jsonl", data=text if isinstance(text, bytes) else text.encode())


def test_lines_are_those_of_the_file() -> None:
    found = list(json_lines(source('\ufeff{"a": 1}\r\n\n  \n{"b": 2}'), "rows"))
    assert found == [(1, {"a": 1}), (4, {"b": 2})]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1}\n[1]\n', "a.jsonl:2: expected a JSON object, found '[1]'"),
        ('\n{"a": \n', "a.jsonl:2: broken JSON"),
        (b'{"a": "\xff"}\n', "a.jsonl:1: broken JSON"),
        ('{"a": 1}\n\ufeff{"a": 1}\n', "a.jsonl:2: broken JSON"),
        (
            '{"a": 1}\n{"a": 1, "b": 2, "a": 1}\n',
            "a.jsonl:2: the key 'a' appears twice in one object; expected each once",
        ),
        ('{"a": [{"b": "x:y", "b": 2}]}\n', "a.jsonl:1: the key 'b' appears twice"),
        ('{"a": 1, "\\u0061": 2}\n', "a.jsonl:1: the key 'a' appears twice"),
        ("\n \n", "a.jsonl: holds no rows; expected a JSON object a line"),
    ],
)
def test_what_is_wrong_is_named_where_it_stands(text, problem) -> None:
    with pytest.raises(FormatError) as error:
        list(json_lines(source(text), "rows"))
    assert str(error.value).startswith(problem)


def test_keys_that_differ_are_no_repetition() -> None:
    """Colons in texts, the same key in two objects, numbers of many digits."""
    for text in (
        '{"a": "b:c", "b": ":"}',
        '{"a": {"b": 1}, "b": {"a": "::"}}',
        '{"a": ":", "b": 123456789012345678901234567890}',
    ):
        assert len(list(json_lines(source(text), "rows"))) == 1


def test_typed_lines_keep_what_nobody_knows() -> None:
    assert list(typed_lines(source('{"id": "q", "more": [1]}'), Named, "rows")) == [
        (1, Named("q"), {"id": "q", "more": [1]})
    ]
    with pytest.raises(FormatError, match=r"a\.jsonl:1: Expected `str`, got `int`.*\(in .*\.\.\.\)"):
        list(typed_lines(source('{"id": 1, "more": "' + "x" * 90 + '"}'), Named, "rows"))


def test_scalars_as_a_person_writes_them() -> None:
    assert [plain(value) for value in (True, False, 7, 0.5, "x")] == ["true", "false", "7", "0.5", "x"]
