"""Every measure of states against a second way to say it: shares of a question's samples, in fractions, one question at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampled_tables import scored

WORTH = {"C": Fraction(1), "P": Fraction(1, 2), "I": Fraction(0), "N": Fraction(0)}
SKIP = "skip"


def expected(run: Mapping[str, Sequence[Any]], right_from: float = 1, failed: str = SKIP) -> dict[str, Any]:
    """The measures of one run: each question is the shares of its samples, those that failed out or counted."""
    told = {"incorrect": "I", "unanswered": "N"}
    questions: list[list[tuple[str, Fraction]]] = []
    for cells in run.values():
        kept = [told[failed] if cell == "E" else cell for cell in cells if cell != "E" or failed != SKIP]
        worth = [WORTH[cell] if isinstance(cell, str) else Fraction(cell) for cell in kept]
        states = ["N" if cell == "N" else "CI"[w < right_from] for cell, w in zip(kept, worth, strict=True)]
        if kept:
            questions.append(list(zip(states, worth, strict=True)))
    n = len(questions)
    shares = [{s: Fraction(sum(state == s for state, _ in q), len(q)) for s in "CIN"} for q in questions]
    right, wrong, left = (sum((share[s] for share in shares), Fraction(0)) for s in "CIN")
    several = [(len(q), sum(state == "C" for state, _ in q)) for q in questions if len(q) > 1]
    answered = right + wrong
    return {
        "questions": n,
        **{
            name: sum(state == s for q in questions for state, _ in q)
            for name, s in (("correct", "C"), ("incorrect", "I"), ("unanswered", "N"))
        },
        "accuracy": of(right, n),
        "UF": of(right - wrong, n),
        "UF_rescaled": of(right + left / 2, n),
        "c@1": of(right + left * right / n, n) if n else None,
        "precision": of(right, answered),
        "coverage": of(answered, n),
        "all_unanswered_right": of(right + left, n),
        "unanswered_as_error": of(right + left * wrong / answered, n) if answered else None,
        "Omniscience": of(100 * (right - wrong), n),
        "hallucination_rate": of(wrong, wrong + left),
        "SimpleQA_F": of(2 * right, n + answered),
        "CT@0.75": of(right - 3 * wrong, n),
        "score": of(sum((sum(w for _, w in q) / len(q) for q in questions), Fraction(0)), n),
        "pass@2": of(sum(1 - Fraction(comb(m - c, 2), comb(m, 2)) for m, c in several), len(several)),
        "pass^2": of(sum(Fraction(comb(c, 2), comb(m, 2)) for m, c in several), len(several)),
    }


def of(top: Any, bottom: Any) -> Any:
    return Fraction(top) / bottom if bottom else None


def runs(*cells: Any) -> st.SearchStrategy[dict[str, list[Any]]]:
    names = st.sampled_from([f"q{number}" for number in range(7)])
    return st.dictionaries(names, st.lists(st.sampled_from(cells), min_size=1, max_size=5), min_size=1)


def check(run: Mapping[str, Sequence[Any]], wanted: Mapping[str, Any], **choices: Any) -> None:
    table = scored({"r": run}, list(wanted), **choices)
    for name, value in wanted.items():
        found = table.value("r", name).value
        assert found == (None if value is None else pytest.approx(float(value), abs=1e-12)), name


@settings(max_examples=60)
@given(runs("C", "I", "N", "E"), st.sampled_from([SKIP, "incorrect", "unanswered"]))
def test_states_and_failures(run, failed):
    check(run, expected(run, failed=failed), failed=failed)


@settings(max_examples=60)
@given(runs("C", "P", "I", "N", "E", 0.25, 0.75), st.sampled_from([0.25, 0.5, 0.6, 1.0]))
def test_partial_credit_from_a_threshold(run, right_from):
    check(run, expected(run, right_from), right_from=right_from)
