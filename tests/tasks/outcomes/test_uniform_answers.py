"""Runs that are filled in at once end as those that are looked at answer by answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.tasks.outcomes import task

GOLD = [{"id": f"q{i}", "answers": ["NIL" if i == 3 else f"a{i}"]} for i in range(5)]
SAID = st.sampled_from(["a0", "a1", "A2.", "NIL", "I don't know.", "wrong: or not", None, ""])


def lines(rows) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def seen(gold, run) -> object:
    """Everything that depends on how the run was filled in."""
    scores = assay.evaluate(gold, {"r": run}, ["c@1", "CWS", "r", "AUROC"])
    one = scores.run("r")
    views = one.views
    return (
        bytes(views.codes), list(views.confidences), views.nil_answers, one.notes.warnings,
        {name: list(column) for name, column in one.columns.items()}, {m.name: scores.mean(m) for m in scores.measures},
    )  # fmt: skip


@given(st.permutations(range(5)), st.lists(SAID, min_size=5, max_size=5), st.integers(1, 5), st.booleans())
def test_answers_judged_at_once_end_as_one_by_one(order, said, count, sure) -> None:
    rows = [{"id": f"q{i}", "answer": said[i], **({"confidence": i / 8} if sure else {})} for i in order[:count]]
    _same(lines(GOLD), lines(rows))


@given(st.permutations(range(5)), st.lists(st.sampled_from("CINF"), min_size=5, max_size=5), st.booleans())
def test_outcomes_stated_end_as_one_by_one(order, ended, sure) -> None:
    words = {"C": "correct", "I": "incorrect", "N": "unanswered", "F": "correct"}
    rows = [
        {"id": f"q{i}", "outcome": words[ended[i]], **({"confidence": i / 8} if sure or i % 2 else {})} for i in order
    ]
    _same(lines(GOLD), lines(rows))


def _same(gold: bytes, run: bytes) -> None:
    at_once = seen(gold, run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(task, "fill_uniform", lambda *_: False)
        assert at_once == seen(gold, run)


def test_what_a_run_was_scored_from_is_let_go() -> None:
    """Numbers are the same, and of the texts nothing is left."""
    run = lines([{"id": f"q{i}", "answer": f"a{i % 2}", "confidence": i / 8} for i in range(5)])
    kept, light = (assay.evaluate(lines(GOLD), {"r": run}, keep=keep) for keep in (True, False))
    assert {m.name: kept.mean(m) for m in kept.measures} == {m.name: light.mean(m) for m in light.measures}
    assert kept.run("r").views.read_texts is not None
    assert light.run("r").views is None
