"""Keys of one question made by hand: `q1`, on line 1 of `gold`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from assay.formats.answers.questions import GoldQuestion
from assay.matching.answer_key import AnswerKey
from assay.matching.rules import JudgingSettings


@pytest.fixture
def key() -> Callable[..., AnswerKey]:
    def of(rule: str, asked: GoldQuestion, judgments: list[dict[str, Any]] | None = None) -> AnswerKey:
        said = None if judgments is None else "".join(json.dumps({"id": "q1", **row}) + "\n" for row in judgments)
        settings = JudgingSettings(judging=rule, judgments=None if said is None else said.encode())
        return AnswerKey("gold", [asked], settings)

    return of


@pytest.fixture
def verdict(key: Callable[..., AnswerKey]) -> Callable[..., str | None]:
    """The judgment of one answer: correct, unsupported, inexact, incorrect; None where nobody judged it."""

    def of(rule: str, asked: GoldQuestion, text: str, doc: str | None = None, judgments: Any = None) -> str | None:
        found = key(rule, asked, judgments).judge("q1", text, doc)
        return None if found is None else found.judgment

    return of
