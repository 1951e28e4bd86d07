"""Judgments of answers."""

from __future__ import annotations

import json

import pytest

from assay.errors import FormatError
from assay.formats import judgments
from assay.formats.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


def lines(*objects: object) -> str:
    return "".join(json.dumps(o) + "\n" for o in objects)


def test_judgments_may_not_contradict_each_other() -> None:
    one = {"id": "q1", "text": "Paris", "judgment": "correct", "class": 1}
    assert [j.judgment for j in judgments.read_judgments(source(lines(one, one)))] == ["correct", "correct"]
    with pytest.raises(FormatError, match=r"file:2: 'Paris' to question 'q1' is inexact here and correct on line 1"):
        judgments.read_judgments(source(lines(one, {**one, "judgment": "inexact"})))
    with pytest.raises(FormatError, match=r"file:1: Invalid enum value 'fine'"):
        judgments.read_judgments(source(lines({**one, "judgment": "fine"})))
