"""Measures of sessions, calculated by hand."""

from __future__ import annotations

import json
from itertools import accumulate
from math import log2

import pytest

import assay
from assay.measures.registry import find

# Two series: the first has three questions, answered at rank 1 (grade 2), not at all, and at ranks 2 and 4; the second has one, at rank 1.
POSITION = [1, 2, 3, 1]
GRADED = [((1, 2),), (), ((2, 1), (4, 3)), ((1, 1),)]


def value(name: str, position=POSITION, graded=GRADED):
    """Every first question begins a series."""
    series = list(accumulate(place == 1 for place in position))
    return find(name, "context")(series, position, graded)


def test_sdcg() -> None:
    third = 1 + log2(3) / 2  # 1 + log4 3
    first = 2 + (1 / 2 + 3 / 3) / third
    assert value("sDCG") == pytest.approx((first + 1) / 2)
    third = 1 + log2(3)
    first = 2 + (1 / (1 + 1 / 2) + 3 / (1 + 1)) / third
    assert value("sDCG(b=4,bq=2)") == pytest.approx((first + 1) / 2)


def test_srbp() -> None:
    # p = .8, b = .5: down the list with .4, to the next question with (.8 - .4)/(1 - .4) = 2/3.
    first = 1 + (2 / 3) ** 2 * (0.4 + 0.4**3)
    assert value("sRBP(b=0.5,p=0.8)") == pytest.approx(0.2 * (first + 1) / 2)


def test_srbp_at_its_ends() -> None:
    """b = 1 never leaves the first question, b = 0 never goes down a list."""
    assert value("sRBP(b=1,p=0.8)") == pytest.approx(0.2 * (1 + 1) / 2)
    assert value("sRBP(b=0,p=0.8)") == pytest.approx(0.2 * (1 + 1) / 2)
    assert value("sRBP(b=0,p=0.8)", [1, 2], [(), ((1, 1),)]) == pytest.approx(0.2 * 0.8)
    assert value("sRBP(b=1,p=1)") == 0.0


def test_everything_right_for_ever_is_worth_1() -> None:
    lists = [tuple((rank, 1) for rank in range(1, 200))] * 200
    assert value("sRBP(b=0.6,p=0.9)", list(range(1, 201)), lists) == pytest.approx(1.0)


def test_no_series_is_undefined() -> None:
    assert value("sDCG", [2], [((1, 1),)]) is None
    assert value("sRBP(b=0.5)", [], []) is None


def test_leaving_out_first_questions_makes_no_series_fewer() -> None:
    right = ((1, 1),)
    assert find("sDCG", "context")(["a", "b", "b"], [1, 2, 3], [right, right, ()]) == pytest.approx((1 + 1 / 1.5) / 2)
    rows = [{"id": f"{series}{q}", "answers": ["x"]} for series in range(1, 9) for q in "abc"]
    run = [row for row in rows if not row["id"].endswith("a") or row["id"] == "8a"]
    scores = assay.evaluate(lines(rows), lines(run), ["sRBP(b=0.5,p=0.8)"], task="context", missing="skip")
    each = 0.2 * (2 / 3 + 4 / 9)  # p = .8, b = .5: the next question with (.8 - .4)/(1 - .4)
    assert list(scores["sRBP(b=0.5,p=0.8)"].values()) == [pytest.approx(each + 0.2 / 8)]


def lines(rows) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def test_of_a_run() -> None:
    """The first right answer of a class counts, by its grade; a repeat, and a question without an answer, gain nothing."""
    gold = [
        {"id": "1a", "answers": [{"text": "Paris", "class": "a", "grade": 2}]},
        {"id": "1b", "answers": [{"text": "Seine", "class": "a"}, {"text": "Marne", "class": "b"}]},
        {"id": "2a", "answers": [{"text": "Rome", "class": "a"}]},
    ]
    run = [
        {"id": "1a", "answers": [{"text": "Rome"}, {"text": "Paris"}, {"text": "Paris"}]},
        {"id": "1b", "answers": [{"text": "Seine"}, {"text": "Marne"}]},
        {"id": "2a", "answers": [{"text": "Oslo"}]},
    ]
    scores = assay.evaluate(lines(gold), {"mine": lines(run)}, ["sDCG", "sRBP(b=0.5,p=0.5)"], task="context")
    second = 1 + 1 / 2  # 1 + log4 2
    assert scores["sDCG"]["mine"] == pytest.approx((2 / 2 + (1 + 1 / 2) / second) / 2)
    assert scores["sRBP(b=0.5,p=0.5)"]["mine"] == pytest.approx(0.5 * (0.25 + 1 / 3 * (1 + 0.25)) / 2)
