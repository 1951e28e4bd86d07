"""Measures of outcomes: the paper's figures, its claims, and the formulas in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.measures.registry import declarations, find

TABLE_3 = [
    ("icia091ro", 237, 156, 107, 0.58, 0.47),
    ("uaic092ro", 236, 264, 0, 0.47, 0.47),
    ("loga092de", 187, 230, 83, 0.44, 0.37),
    ("base092de", 189, 311, 0, 0.38, 0.38),
]

counts = st.tuples(*[st.integers(0, 60)] * 3).filter(lambda c: sum(c) > 0)


def value(name: str, nac: int, naw: int, nu: int, **more: int) -> Fraction | None:
    """A sums-level measure of these counts, exactly."""
    measure = find(name, "outcomes")
    columns = {"correct": nac, "incorrect": naw, "unanswered": nu, **more}
    top, bottom = measure(nac + naw + nu, *(columns[column] for column in measure.of))
    return Fraction(top, bottom) if bottom else None


@pytest.mark.parametrize(("system", "nac", "naw", "nu", "c_at_1", "accuracy"), TABLE_3)
def test_table_3_of_penas_and_rodrigo(system, nac, naw, nu, c_at_1, accuracy) -> None:
    assert round(float(value("c@1", nac, naw, nu)), 2) == c_at_1
    assert round(float(value("accuracy", nac, naw, nu)), 2) == accuracy


@given(counts)
def test_c_at_1_is_the_paper_formula(c) -> None:
    nac, naw, nu = c
    n = Fraction(nac + naw + nu)
    assert value("c@1", *c) == (nac + nac / n * nu) / n


@given(st.integers(1, 500))
def test_answering_nothing_is_worth_nothing(n) -> None:
    assert value("c@1", 0, 0, n) == 0
    assert value("accuracy", 0, 0, n) == 0
    assert value("UF", 0, 0, n) == 0
    assert value("all_unanswered_right", 0, 0, n) == 1
    assert value("UF_rescaled", 0, 0, n) == Fraction(1, 2)
    assert value("precision", 0, 0, n) is None
    assert value("unanswered_as_error", 0, 0, n) is None


@given(st.integers(0, 500), st.integers(0, 500))
def test_answering_everything_is_worth_the_accuracy(nac, naw) -> None:
    assume(nac + naw)
    accuracy = value("accuracy", nac, naw, 0)
    for name in ("c@1", "precision", "all_unanswered_right", "unanswered_as_error", "SimpleQA_F"):
        assert value(name, nac, naw, 0) == accuracy
    assert value("coverage", nac, naw, 0) == 1


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 60), st.integers(1, 60))
def test_declining_instead_of_erring_is_rewarded(nac, naw, nu, fewer) -> None:
    """Section 4.4 of the paper: the same right answers with fewer wrong ones is better by c@1, and the same by accuracy."""
    fewer = min(fewer, naw)
    assert value("c@1", nac, naw - fewer, nu + fewer) > value("c@1", nac, naw, nu)
    assert value("accuracy", nac, naw - fewer, nu + fewer) == value("accuracy", nac, naw, nu)


@given(counts, counts)
def test_rescaled_utility_ranks_as_utility(a, b) -> None:
    """Section 2: f(x) = 0.5x + 0.5 keeps the ranking."""
    assert value("UF_rescaled", *a) == value("UF", *a) / 2 + Fraction(1, 2)
    assert (value("UF", *a) > value("UF", *b)) == (value("UF_rescaled", *a) > value("UF_rescaled", *b))


@given(counts)
def test_rejected_estimators_are_what_the_paper_rejects(c) -> None:
    nac, naw, nu = c
    n = Fraction(sum(c))
    assert value("all_unanswered_right", *c) == (nac + nu) / n
    assert value("half_unanswered_right", *c) == nac / n + nu / n / 2
    assert value("unanswered_as_precision", *c) == (Fraction(nac, nac + naw) if nac + naw else None)
    expected = nac / n + Fraction(naw, nac + naw) * nu / n if nac + naw else None
    assert value("unanswered_as_error", *c) == expected


@pytest.mark.parametrize("n", [2, 100, 500])
def test_the_two_cheats(n) -> None:
    """Section 3.4: one sure answer. 3.5: one wrong answer. Both fool the rejected estimator and neither fools c@1."""
    assert value("precision", 1, 0, n - 1) == 1
    assert value("c@1", 1, 0, n - 1) < Fraction(2, n)
    assert value("unanswered_as_error", 0, 1, n - 1) == 1 - Fraction(1, n)
    assert value("c@1", 0, 1, n - 1) == 0


@given(counts)
def test_confidence_target_names_its_special_cases(c) -> None:
    assert value("CT@0.5", *c) == value("UF", *c)
    assert value("CT@0", *c) == value("accuracy", *c)
    assert value("CT@1e-999999999", *c) == value("accuracy", *c), "and is no fraction with a billion digits"
    assert value("Omniscience", *c) == 100 * value("UF", *c)
    nac, naw, _ = c
    assert value("CT@0.9", *c) == Fraction(nac - 9 * naw, sum(c))


@pytest.mark.parametrize("text", ["CT@1", "CT@-0.1", "CT@nan", "CT"])
def test_confidence_target_must_be_below_1(text) -> None:
    with pytest.raises(UsageError):
        find(text, "outcomes")


@given(counts)
def test_simpleqa_f_is_the_harmonic_mean(c) -> None:
    accuracy, precision = value("accuracy", *c), value("precision", *c)
    if precision and accuracy:
        assert value("SimpleQA_F", *c) == 2 * accuracy * precision / (accuracy + precision)
    else:
        assert value("SimpleQA_F", *c) == 0


def test_hallucination_rate_by_hand() -> None:
    assert value("hallucination_rate", 5, 3, 1) == Fraction(3, 4)
    assert value("hallucination_rate", 5, 0, 0) is None


@given(counts)
def test_every_measure_of_sums_stays_in_its_declared_range(c) -> None:
    nac, naw, nu = c
    more = {"candidate_right": nu // 2, "candidate_wrong": nu - nu // 2}
    for declaration in declarations("outcomes"):
        known = {"correct", "incorrect", "unanswered", *more}
        if declaration.level != "sums" or declaration.required or not set(declaration.of) <= known:
            continue
        found = value(declaration.name, nac, naw, nu, **more)
        if found is not None:
            assert declaration.low is None or found >= declaration.low, declaration.name
            assert declaration.high is None or found <= declaration.high, declaration.name


def test_every_measure_says_when_it_is_undefined_and_where_it_comes_from() -> None:
    for declaration in declarations("outcomes"):
        assert declaration.cite, declaration.name
        assert declaration.undefined, declaration.name
        assert ">>>" in (declaration.function.__doc__ or ""), declaration.name


def test_counts_and_shares_by_hand() -> None:
    """10 questions: 5 right, 2 wrong, 3 unanswered."""
    counts = {"questions": 10, "correct": 5, "incorrect": 2, "unanswered": 3}
    shares = {"coverage": Fraction(7, 10), "precision": Fraction(5, 7), "UF": Fraction(3, 10), "Omniscience": 30}
    for name, expected in {**counts, **shares}.items():
        assert value(name, 5, 2, 3) == expected, name


def test_c_at_1_by_cluster() -> None:
    """a: 2 of 2 right = 1; b: 1 right 1 unanswered of 2 = 0.75; c: none right = 0; d: 1 of 2 = 0.5."""
    correct = [1, 1, 1, 0, 0, 0, 1, 0]
    unanswered = [0, 0, 0, 1, 1, 0, 0, 0]
    cluster = ["a", "a", "b", "b", "c", "c", "d", "d"]
    assert find("c@1_cluster_mean", "outcomes")(correct, unanswered, cluster) == (1 + 0.75 + 0 + 0.5) / 4
    assert find("c@1_cluster_median", "outcomes")(correct, unanswered, cluster) == (0.5 + 0.75) / 2
    assert find("c@1_cluster_median", "outcomes")(correct[:6], unanswered[:6], cluster[:6]) == 0.75
    assert find("c@1_cluster_mean", "outcomes")(correct, unanswered, [None] * 8) is None
    assert find("c@1_cluster_mean", "outcomes")(correct, unanswered, [*cluster[:7], None]) is None, (
        "never a part of them"
    )
