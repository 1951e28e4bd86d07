"""Strengths of Bradley and Terry against choix and evalica, which others wrote."""

from __future__ import annotations

import alpaca_data
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.formats.answers.battles import Battle
from assay.measures.engines.bradley_terry import strengths
from peers import peer

pytestmark = pytest.mark.peer

RESULTS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()).filter(lambda row: row[0] != row[1]),
    min_size=8,
    max_size=60,
)


def ours(results, **choices):
    return strengths([(Battle(str(i), str(a), str(b), won),) for i, (a, b, won) in enumerate(results)], **choices)


@settings(max_examples=60, deadline=None)
@given(RESULTS)
def test_as_choix_has_them(results):
    """The most likely strengths, with mean 0; by choix's own optimiser, without a penalty."""
    choix = peer("choix")
    found = ours([(a, b, float(won)) for a, b, won in results])
    assume(found)
    names = sorted(found)
    place = {name: i for i, name in enumerate(names)}
    wins = [(place[str(a)], place[str(b)]) if won else (place[str(b)], place[str(a)]) for a, b, won in results]
    theirs = choix.opt_pairwise(len(names), wins, alpha=0.0, tol=1e-9)
    assert [found[name] for name in names] == pytest.approx(list(theirs - theirs.mean()), abs=2e-3)


@settings(max_examples=40, deadline=None)
@given(RESULTS, st.data())
def test_as_evalica_has_them_with_ties_as_half(results, data):
    """Evalica gives exp(β) up to a factor, a tie weighing half a win each way."""
    evalica = peer("evalica")
    tied = data.draw(st.lists(st.booleans(), min_size=len(results), max_size=len(results)))
    rows = [(a, b, 0.5 if tie else float(won)) for (a, b, won), tie in zip(results, tied, strict=True)]
    found = ours(rows)
    assume(found)
    words = {1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}
    theirs = evalica.bradley_terry(
        [str(a) for a, _, _ in rows], [str(b) for _, b, _ in rows], [words[won] for *_, won in rows],
        tolerance=1e-12, limit=100_000,
    ).scores  # fmt: skip
    logs = {name: float(np.log(theirs[name])) for name in found}
    middle = sum(logs.values()) / len(logs)
    assert found == pytest.approx({name: value - middle for name, value in logs.items()}, abs=1e-3)


def test_alpaca_eval_as_choix_has_it(shared_data):
    """57 models against one baseline: preferences as so many wins of 10,000."""
    choix = peer("choix")
    folder = shared_data("alpaca_eval2", "preference.csv.xz").parent
    battles = alpaca_data.battles_of(folder)
    found = strengths([(battle,) for battle in battles])
    names = list(found)
    place = {name: i for i, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    for battle in battles:
        table[place[battle.a], place[battle.b]] += battle.won
        table[place[battle.b], place[battle.a]] += 1 - battle.won
    theirs = choix.ilsr_pairwise_dense(table, alpha=0.0)
    assert [found[name] for name in names] == pytest.approx(list(theirs - theirs.mean()), abs=1e-5)
