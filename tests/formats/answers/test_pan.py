"""PAN's yes/no problems and answers."""

from __future__ import annotations

import json

import pytest

from assay.errors import FormatError
from assay.formats.answers import pan
from assay.io.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


def lines(*objects: object) -> str:
    return "".join(json.dumps(o) + "\n" for o in objects)


@pytest.mark.parametrize("field", ["same", "is_human", "label"])
@pytest.mark.parametrize(("yes", "no"), [(True, False), (1, 0)])
def test_pan_truth_of_every_year(field, yes, no) -> None:
    text = lines({"id": "p1", field: yes, "authors": ["a"]}, {"id": "p2", field: no})
    problems = pan.read_truth(source(text))
    assert [(p.id, p.truth) for p in problems] == [("p1", 1), ("p2", 0)]
    assert problems[0].fields == {"authors": ["a"]}


def test_pan_text_files() -> None:
    assert [(p.id, p.truth) for p in pan.read_truth(source("EN001 Y\r\nEN002 N\n"))] == [("EN001", 1), ("EN002", 0)]
    rows = pan.read_values(source("EN001 0.75\nEN002 0.5\nEN003 N"))
    assert (rows.ids, rows.values) == (["EN001", "EN002", "EN003"], [0.75, 0.5, 0.0])


def test_pan_value_in_a_list() -> None:
    rows = pan.read_values(source(lines({"id": "p1", "value": [0.25]}, {"id": "p2", "value": 1})))
    assert rows.values == [0.25, 1.0]
    assert rows.details == ["file: 1 values are lists of one number; the number was read"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "p2", "value": NaN}', "broken JSON"),
        ('{"id": "p2", "value": null}', "value None: expected a number from 0 to 1"),
        ('{"id": "p2", "value": true}', "value True"),
        ('{"id": "p2", "value": [0.1, 0.2]}', "value [0.1, 0.2]"),
        ('{"id": "p2", "value": [[0.1]]}', "value [0.1]"),
        ('{"id": "p2", "value": "nan"}', "value nan: expected a number from 0 to 1"),
        ('{"id": "p2", "value": -0.01}', "value -0.01: expected a number from 0 to 1"),
        ('{"value": 0.1}', 'expected an "id"'),
    ],
)
def test_a_bad_pan_value_is_named(line, problem) -> None:
    with pytest.raises(FormatError) as caught:
        pan.read_values(source('{"id": "p1", "value": 0.5}\n' + line, "answers.jsonl"))
    assert str(caught.value).startswith("answers.jsonl:2: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "p1", "same": true}', "problem 'p1' is already on line 1"),
        ('{"id": "p2"}', "has no truth; expected same, is_human or label"),
        ('{"id": "p2", "same": "perhaps"}', "same 'perhaps': expected true or false"),
    ],
)
def test_a_bad_pan_truth_is_named(line, problem) -> None:
    with pytest.raises(FormatError, match=r"^file:2: ") as caught:
        pan.read_truth(source('{"id": "p1", "same": true}\n' + line))
    assert problem in str(caught.value)


@pytest.mark.parametrize("identity", [True, 1.5, None, ["p2"], [], {"p": 2}])
@pytest.mark.parametrize("read", [pan.read_truth, pan.read_values])
def test_an_id_is_a_text_or_a_whole_number(read, identity) -> None:
    good = {"id": "p1", "same": True, "value": 0.5}
    with pytest.raises(FormatError, match=r'^file:2: expected an "id" \(a text or a whole number\), found'):
        read(source(lines(good, {**good, "id": identity})))


@pytest.mark.parametrize("text", ["p1 Y\np2\n", "p1 Y\np2 Y N\n"])
@pytest.mark.parametrize("read", [pan.read_truth, pan.read_values])
def test_a_line_of_text_is_a_problem_and_its_answer(read, text) -> None:
    with pytest.raises(FormatError, match=r"^file:2: expected a problem and its answer, found [13] words"):
        read(source(text))


@pytest.mark.parametrize("value", [[], [[]], [0.1, 0.2], {}])
def test_a_value_in_a_list_is_one_number(value) -> None:
    with pytest.raises(FormatError, match=r"^file:1: problem 'p1': value .*: expected a number from 0 to 1"):
        pan.read_values(source(lines({"id": "p1", "value": value})))
