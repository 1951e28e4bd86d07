"""A test or a correction is added by declaring it: choices, outputs, sentences and refusals follow."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import UsageError
from assay.score_files import scores
from assay.stats import corrections, paired, tests
from assay.stats.comparing import compare
from assay.stats.corrections import correction
from assay.stats.paired import paired_test

VALUES = np.random.default_rng(1).random((20, 3)).round(3)


@pytest.fixture
def table():
    return scores(VALUES.tolist(), runs=["a", "b", "c"])


@pytest.fixture
def largest(monkeypatch):
    """A test of one's own: only the largest difference counts."""
    monkeypatch.setattr(paired, "_DECLARED", dict(tests.declared()))

    @paired_test("largest", label="largest difference", needs="values per topic")
    def largest(differences):
        return np.minimum(1.0, 1 - np.abs(differences).max(axis=0))

    return largest


@pytest.mark.usefixtures("largest")
def test_a_declared_test_is_in_every_output(table):
    result = compare(table, test="largest", correct="holm")
    assert "largest" in result.significant
    pair = result.pairs[0]
    column = {run: i for i, run in enumerate("abc")}
    apart = np.abs(VALUES[:, column[pair.a]] - VALUES[:, column[pair.b]]).max()
    assert pair.p["largest"] == pytest.approx(1 - apart)
    assert "(largest difference, Holm over 3 pairs)" in pair.sentence
    assert "p_largest" in result.rows()[0]


@pytest.mark.usefixtures("largest")
def test_what_it_needs_is_what_a_refusal_says():
    from assay import evaluate

    runs = {name: {f"q{i}": "yes" if i % n else "no" for i in range(8)} for name, n in (("a", 2), ("b", 3))}
    answers = evaluate({f"q{i}": "yes" for i in range(8)}, runs, ["c@1"], task="outcomes")
    with pytest.raises(UsageError, match="the largest test cannot be used: c@1 has no value per question; use"):
        compare(answers, test="largest")


def test_a_declared_correction_is_in_every_output(table, monkeypatch):
    monkeypatch.setattr(corrections, "_DECLARED", dict(corrections.declared()))

    @correction("bonferroni", label="Bonferroni")
    def bonferroni(p):
        return np.minimum(1.0, len(p) * np.asarray(p))

    result = compare(table, test="t", correct="bonferroni")
    for pair in result.pairs:
        assert pair.adjusted["bonferroni"] == pair.decided_by == pytest.approx(min(1, 3 * pair.p["t"]))
        assert "(paired t, Bonferroni over 3 pairs)" in pair.sentence
    assert "adjusted_bonferroni" in result.rows()[0]


def test_every_declaration_is_complete():
    for name, test in tests.declared().items():
        assert (test.name, test.needs in paired.NEEDS, bool(test.label)) == (name, True, True)
        assert test.function.__doc__
        assert 0 <= test.least_p(10) < 0.01
    for name, one in corrections.declared().items():
        assert (one.name, one.of in (corrections.P_VALUES, corrections.RUNS)) == (name, True)
        assert one.function.__doc__
