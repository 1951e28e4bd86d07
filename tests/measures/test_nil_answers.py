"""Precision and recall of NIL, calculated by hand, in every task whose answers may be NIL."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

import assay
from assay.measures.registry import find

GOLD = {"1a": "NIL", "1b": "NIL", "1c": "NIL", "1d": "Oslo", "1e": "Bern"}
HALF = {"1a": "NIL", "1b": None, "1c": "Rome", "1d": " NIL ", "1e": "Bern"}
NEVER = dict.fromkeys(GOLD, "Oslo")


def gold_lines(right: Mapping[str, str]) -> bytes:
    rows = [{"id": q, "nil": True} if text == "NIL" else {"id": q, "answers": [text]} for q, text in right.items()]
    return "\n".join(map(json.dumps, rows)).encode()


def run_lines(given: Mapping[str, str | None]) -> bytes:
    return "\n".join(json.dumps({"id": q, "answer": text}) for q, text in given.items()).encode()


def evaluate(right: Mapping[str, str], measures: list[str], task: str, **runs: Mapping[str, str | None]):
    return assay.evaluate(gold_lines(right), {name: run_lines(run) for name, run in runs.items()}, measures, task=task)


@pytest.mark.parametrize("task", ["outcomes", "qa", "list", "context"])
def test_nil_precision_and_recall(task: str) -> None:
    """Half the NIL answers are right, and one of three NIL questions gets one; declining is no NIL answer."""
    scores = evaluate(GOLD, ["NILPrecision", "nil_recall"], task, half=HALF, never=NEVER)
    assert scores["NILPrecision"] == {"half": 1 / 2, "never": None}
    assert scores["nil_recall"] == {"half": 1 / 3, "never": 0}
    without = evaluate({"1a": "Oslo"}, ["NILPrecision", "NILRecall"], task, one={"1a": "NIL"})
    assert (without["NILPrecision"], without["NILRecall"]) == ({"one": 0}, {"one": None})


@pytest.mark.parametrize("task", ["outcomes", "qa"])
def test_the_counts(task: str) -> None:
    scores = evaluate(GOLD, ["NIL", "NILCorrect"], task, half=HALF, never=NEVER)
    assert (scores["NIL"], scores["NILCorrect"]) == ({"half": 2, "never": 0}, {"half": 1, "never": 0})


def test_the_sums_of_trec_2001() -> None:
    assert find("NILPrecision", "qa")(492, 120, 38) == (38, 120)
