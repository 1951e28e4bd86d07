"""The texts of Inspect's samples, looked up one at a time."""

from __future__ import annotations

import json

import pytest
from inspect_logs import Member, archive, eval_log, header, json_log, member_of, sample, summary

from assay.errors import FormatError
from assay.formats.answers.rows import Rows
from assay.formats.harness.inspect.reader import read_inspect
from assay.formats.harness.logs import LogReading
from assay.io.sources import Source


def read(content: bytes) -> Rows:
    (rows,) = read_inspect(Source("made.eval", data=content), LogReading())
    return rows


def test_texts_are_found_by_what_a_member_holds() -> None:
    one = sample("q1", attachments={"a" * 32: "a long question", "b" * 32: "a long answer"})
    one["input"] = [{"role": "user", "content": "attachment://" + "a" * 32}]
    one["output"] = {"choices": [{"message": {"content": [{"type": "text", "text": "attachment://" + "b" * 32}]}}]}
    two = sample("q2", target=["this", "that"], output={"choices": []})
    moved = [Member("samples/elsewhere.json", member_of(one).content), member_of(two)]
    named = [Member("summaries.json", json.dumps([summary(one), summary(two)]).encode())]
    about = Member("header.json", json.dumps(header()).encode())
    for rows in (read(archive([*moved, *named, about])), read(json_log([one, two]))):
        assert rows.texts_of is not None
        found = rows.texts_of("q1", 1)
        assert (found.question, found.gold, found.answer) == ("a long question", "it", "a long answer")
        found = rows.texts_of("q2", 1)
        assert (found.gold, found.answer) == ("this\nthat", None)
        assert rows.texts_of("q3", 1).question is None


def test_texts_of_a_file_are_read_again(tmp_path) -> None:
    for name, content in (("a.eval", eval_log([sample()])), ("a.json", json_log([sample()]))):
        path = tmp_path / name
        path.write_bytes(content)
        (rows,) = read_inspect(Source(str(path), path=str(path)), LogReading())
        assert rows.texts_of is not None
        assert [rows.texts_of("q1", 1).answer for _ in range(2)] == ["q1 is it"] * 2


def test_the_sample_that_was_asked_for() -> None:
    made = [sample("q1", 1, output={"completion": "first"}), sample("q1", 2, output={"completion": "second"})]
    for content in (eval_log(made), json_log(made)):
        rows = read(content)
        assert rows.texts_of is not None
        assert [rows.texts_of("q1", number).answer for number in (1, 2)] == ["first", "second"]


def test_an_attachment_that_is_not_there_stays_a_reference() -> None:
    text = "attachment://" + "c" * 32
    rows = read(json_log([sample(input=text, attachments={"a" * 32: "x"})]))
    assert rows.texts_of is not None
    assert rows.texts_of("q1", 1).question == text


def test_attachments_of_very_old_logs() -> None:
    one = sample(input="attachment://" + "a" * 32, transcript={"events": [], "content": {"a" * 32: "long"}})
    rows = read(json_log([one]))
    assert rows.texts_of is not None
    assert rows.texts_of("q1", 1).question == "long"


def test_a_sample_that_is_broken_is_named() -> None:
    members = {"summaries.json": [summary(sample())], "header.json": header()}
    whole = [Member(name, json.dumps(told).encode()) for name, told in members.items()]
    rows = read(archive([*whole, Member("samples/q1_epoch_1.json", b'{"id": "q1"')]))
    assert rows.texts_of is not None
    with pytest.raises(FormatError, match=r"^made\.eval: member samples/q1_epoch_1\.json: broken JSON"):
        rows.texts_of("q1", 1)


def test_a_log_with_nan_in_it_has_all_its_texts() -> None:
    rows = read(json_log([sample("q1"), sample("q2", value=float("nan")), sample("q3")]))
    assert rows.texts_of is not None
    assert [rows.texts_of(question, 1).answer for question in ("q1", "q3", "q2", "q3")] == [
        "q1 is it", "q3 is it", "q2 is it", "q3 is it",
    ]  # fmt: skip
