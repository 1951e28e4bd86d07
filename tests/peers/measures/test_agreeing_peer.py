"""Agreement of judges against scikit-learn, krippendorff and irrCAC, on made judgments with some missing and on real ones."""

from __future__ import annotations

import csv
import lzma

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import assay
from assay.analyses.judges.agree import JudgeAgreement
from peers import peer

metrics, krippendorff, irrcac, pandas = (
    peer(name) for name in ("sklearn.metrics", "krippendorff", "irrCAC.raw", "pandas")
)
pytestmark = pytest.mark.peer
METRICS = {"alpha": "nominal", "alpha_ordinal": "ordinal", "alpha_interval": "interval"}


def agreed(codes: np.ndarray) -> JudgeAgreement:
    """Judgments (documents × judges, NaN where missing) as assay reads them."""
    judges = {
        f"j{column}": {"q": {f"d{row}": int(grade) for row, grade in enumerate(codes[:, column]) if grade == grade}}
        for column in range(codes.shape[1])
    }
    return assay.agree(judges, resamples=0)


def values(found: dict[str, object]) -> dict[str, float | None]:
    return {name: one.value for name, one in found.items()}


def check_many(codes: np.ndarray, found: dict[str, float | None]) -> None:
    for name, level in METRICS.items():
        theirs = krippendorff.alpha(reliability_data=codes.T, level_of_measurement=level)
        assert found[name] == pytest.approx(theirs, abs=1e-9), name
    judged = pandas.DataFrame(codes).dropna(how="all")
    # Named, because irrCAC takes a missing judgment for a category where pandas is of version 3.
    seen = sorted(np.unique(codes[~np.isnan(codes)]).tolist())
    rater = irrcac.CAC(judged, weights="identity", categories=seen, digits=9)
    assert found["AC1"] == pytest.approx(rater.gwet()["est"]["coefficient_value"], abs=1e-8)
    assert found["fleiss"] == pytest.approx(rater.fleiss()["est"]["coefficient_value"], abs=1e-8)
    assert found["raw"] == pytest.approx(rater.fleiss()["est"]["pa"], abs=1e-8)


def check_two(one: np.ndarray, two: np.ndarray, found: dict[str, float | None]) -> None:
    both = ~np.isnan(one) & ~np.isnan(two)
    for name, weights in (("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        # All grades are named: scikit-learn takes the places of those it sees for the grades themselves.
        theirs = metrics.cohen_kappa_score(
            one[both].astype(int), two[both].astype(int), weights=weights, labels=[0, 1, 2, 3]
        )
        assert found[name] == pytest.approx(theirs, abs=1e-9), name


@st.composite
def codes(draw, judges: int) -> np.ndarray:
    rows = st.lists(st.one_of(st.integers(0, 3).map(float), st.just(float("nan"))), min_size=judges, max_size=judges)
    return np.array(draw(st.lists(rows, min_size=4, max_size=20)))


@given(codes(4))
@settings(max_examples=40, deadline=None)
def test_four_judges_with_judgments_missing(made) -> None:
    shared = made[(~np.isnan(made)).sum(axis=1) > 1]
    assume(not np.isnan(made).all(axis=0).any() and len(np.unique(shared[~np.isnan(shared)])) > 1)
    check_many(made, values(agreed(made).coefficients))


@given(codes(2))
@settings(max_examples=40, deadline=None)
def test_two_judges(made) -> None:
    shared = made[~np.isnan(made).any(axis=1)]
    assume(len(shared) > 1 and len(np.unique(shared[:, 0])) > 1 and len(np.unique(shared[:, 1])) > 1)
    found = values(agreed(made).coefficients)
    check_two(made[:, 0], made[:, 1], found)
    check_many(made, found)


def table(path) -> tuple[list[str], np.ndarray]:
    with lzma.open(path, "rt") as file:
        header, *rows = list(csv.reader(file))
    return header[2:], np.array([row[2:] for row in rows], dtype=float)


def test_nist_and_umbrela(shared_data) -> None:
    """Published: kappa .233 on five grades, .431 from grade 2 on."""
    path = shared_data("rag25_umbrela", "labels.csv.xz")
    found = assay.agree(str(path), resamples=0)
    assert found.shared == 10284
    assert found.coefficients["kappa"].value == pytest.approx(0.233, abs=5e-4)
    assert assay.agree(str(path), at=2, resamples=0).coefficients["kappa"].value == pytest.approx(0.431, abs=5e-4)
    _, judged = table(path)
    check_many(judged, values(found.coefficients))
    quadratic = metrics.cohen_kappa_score(judged[:, 0], judged[:, 1], weights="quadratic")
    assert found.coefficients["kappa_quadratic"].value == pytest.approx(quadratic)


def test_33_machines_and_a_person(shared_data) -> None:
    """Published: kappa .2774 of h2oloo-fewself."""
    path = shared_data("llmjudge_dl23", "labels.csv.xz")
    names, judged = table(path)
    found = assay.agree(str(path), reference="human", resamples=0)
    assert len(found.pairs) == 33
    kappas = {one.second: one.coefficients["kappa"].value for one in found.pairs}
    assert kappas["h2oloo-fewself"] == pytest.approx(0.2774, abs=5e-5)
    for name, kappa in kappas.items():
        theirs = metrics.cohen_kappa_score(judged[:, 0].astype(int), judged[:, names.index(name)].astype(int))
        assert kappa == pytest.approx(theirs, abs=1e-12), name
    check_many(judged, values(found.coefficients))


def test_grades_outside_the_scale_of_that_data_are_found(shared_data) -> None:
    with pytest.raises(assay.InputError, match=r"the grade '(5|10)' \(and 2 more like it\); the scale is 0, 1, 2, 3"):
        assay.agree(str(shared_data("llmjudge_dl23", "labels.csv.xz")), scale="0-3")


@pytest.mark.filterwarnings("ignore")
def test_judges_who_all_say_the_same_have_no_agreement_beyond_chance() -> None:
    """scikit-learn has NaN, krippendorff an error, irrCAC divides by zero; of AC1, 1.0 with one category alone, where its formula divides
    by q - 1 = 0, and we have none. With a scale of several grades AC1 is 1.0 to both of us."""
    same = np.ones((3, 2))
    found = values(agreed(same).coefficients)
    assert found == {"raw": 1.0, **dict.fromkeys([name for name in found if name != "raw"])}
    assert np.isnan(metrics.cohen_kappa_score([1, 1, 1], [1, 1, 1]))
    with pytest.raises(ValueError, match="more than one value"):
        krippendorff.alpha(reliability_data=same.T)
    rater = irrcac.CAC(pandas.DataFrame(same), categories=[0.0, 1.0])
    with pytest.raises(ZeroDivisionError):
        rater.fleiss()
    scaled = assay.agree({name: {"q": {"a": 1, "b": 1, "c": 1}} for name in ("ann", "bob")}, scale="0-1", resamples=0)
    assert scaled.coefficients["AC1"].value == rater.gwet()["est"]["coefficient_value"] == 1.0
    assert scaled.coefficients["fleiss"].value is None
