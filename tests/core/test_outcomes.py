"""Outcomes in lines of JSON; the fuzzer holds them against what lines were made from, tests/formats/test_plain_answers.py against the
reader that looks at each."""

from __future__ import annotations

import pytest

from assay.core import binding
from assay.core.outcomes import SAID, stated_outcomes

DATA = b'{"id": "q1", "outcome": "C", "confidence": 0.758}\n{"confidence":1e-05 , "outcome":"I","id":"\xc3\xa9"}\r\n'


@pytest.mark.native_only
def test_a_column_for_each_field() -> None:
    found = stated_outcomes(DATA + b'{"id": "", "outcome": "C", "confidence": 1}')
    assert found is not None
    assert found.ids == ["q1", "é", ""]
    assert [found.words[number] for number in found.numbers] == ["C", "I", "C"]
    assert list(found.confidences) == [0.758, 1e-05, 1.0]


@pytest.mark.native_only
def test_files_of_the_same_questions_share_their_ids() -> None:
    one, other, third = (stated_outcomes(DATA.replace(b'"C"', word)) for word in (b'"C"', b'"N"', b'"C", "id": "q2"'))
    assert one is not None
    assert other is not None
    assert one.ids is other.ids
    assert third is None


@pytest.mark.native_only
def test_the_shortest_lines_there_are() -> None:
    found = stated_outcomes(b'{"id":"","outcome":""}\n' * 100)
    assert found is not None
    assert found.ids == [""] * 100
    assert not found.confidences


@pytest.mark.native_only
@pytest.mark.parametrize(
    "more",
    [
        b"\n",
        b" ",
        b'{"id": "q3"}',
        b'{"id": "q3", "outcome": "C", "confidence": 1.5}',
        b'{"id": "q3", "outcome": "C", "confidence": null}',
        b'{"id": "q3", "outcome": "C", "doc": "d"}',
        b'{"id": "q3", "outcome": "C", "outcome": "I"}',
        b'{"id": "q\\u0033", "outcome": "C"}',
        b'{"id": "\xff", "outcome": "C"}',
        b'{"id": "q3", "outcome": "\xff"}',
        b'{"id": "q3", "outcome": "C"}{',
        b'{"id": "q3", "outcome": "C',
    ],
)
def test_what_needs_a_closer_look_is_left(more) -> None:
    assert stated_outcomes(DATA + more) is None
    assert stated_outcomes(b"") is None


@pytest.mark.native_only
def test_few_words_are_outcomes() -> None:
    lines = [b'{"id": "q", "outcome": "%d"}\n' % number for number in range(SAID + 1)]
    found = stated_outcomes(b"".join(lines[:-1]))
    assert found is not None
    assert found.words == [str(number) for number in range(SAID)]
    assert stated_outcomes(b"".join(lines)) is None


def test_without_the_core_there_is_none(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert stated_outcomes(DATA) is None
