"""What follows from reciprocal ranks alone: NQcorrect1 and NQcorrect5 of Sakai's study, Success@k, RR@k."""

from __future__ import annotations

import json

import pytest

import assay
from assay.cli import main
from assay.errors import InputError
from assay.measures.reciprocal_ranks import follow
from assay.measures.registry import find

MATRIX = "topic,a,b\n1,1,0.3333\n2,0.2,0\n3,0.1667,0.5\n4,NA,1\n"
"""Ranks 1 5 6 and none known; 3 none 2 1."""


@pytest.mark.parametrize(
    ("measure", "a", "b"),
    [
        ("NQcorrect1", 1 / 3, 1 / 4),
        ("NQcorrect@5", 2 / 3, 3 / 4),
        ("Success@2", 1 / 3, 2 / 4),
        ("RR@5", (1 + 0.2) / 3, (0.3333 + 0.5 + 1) / 4),
    ],
)
def test_by_hand(tmp_path, capfd, measure, a, b):
    path = tmp_path / "file.csv"
    path.write_text(MATRIX)
    assert main(["evaluate", "--scores", f"RR={path}", "-m", measure, "-f", "json"]) == 0
    runs = json.loads(capfd.readouterr().out)["runs"]
    assert [run["scores"] for run in runs] == [{measure: pytest.approx(a)}, {measure: pytest.approx(b)}]
    held = assay.scores([[1.0, 1 / 3], [0.2, 0.0], [1 / 6, 0.5], [None, 1.0]], runs=["a", "b"], measure="RR")
    assert held[measure] == {"a": pytest.approx(a, abs=1e-4), "b": pytest.approx(b, abs=1e-4)}
    assert [m.name for m in held.measures] == ["RR"]


def test_a_comparison_by_what_follows():
    values = [[1.0, 0.1], [0.5, 0.0], [0.25, 0.2]]
    pair = assay.compare(assay.scores(values, runs=["a", "b"], measure="RR"), "NQcorrect@5").pairs[0]
    assert (pair.a, pair.b, pair.difference) == ("b", "a", pytest.approx(-2 / 3))


def test_what_is_no_reciprocal_rank_is_refused_with_its_place(tmp_path, capfd):
    path = tmp_path / "rr.csv"
    path.write_text(MATRIX.replace("3,0.1667,0.5", "3,0.1667,0.4"))
    assert main(["compare", "--scores", f"RR={path}", "-m", "NQcorrect@5"]) == 3
    said = f"{path}: run b, topic 3: RR 0.4 is not a reciprocal rank; expected 0 or 1/k; NQcorrect@5 follows from it"
    assert said in capfd.readouterr().err
    with pytest.raises(InputError, match=r"run b, topic 2: RR 0\.3 is not a reciprocal rank"):
        assay.scores([[1, 0], [1, 0.3]], runs=["a", "b"], measure="RR")["NQcorrect@1"]


@pytest.mark.parametrize("value", [0.3, 0.7, 1.2, -0.5, 0.34])
def test_numbers_that_are_none(value):
    with pytest.raises(ValueError, match="not a reciprocal rank"):
        follow(find("NQcorrect@5"), value)


def test_a_rounded_rank_that_may_be_on_either_side():
    """0.012 is 1/80 to 1/86: the first 90 hold it, the first 50 do not, and nobody knows of the first 83."""
    assert (follow(find("NQcorrect@90"), 0.012), follow(find("NQcorrect@50"), 0.012)) == (1.0, 0.0)
    with pytest.raises(ValueError, match="rounded too far"):
        follow(find("NQcorrect@83"), 0.012)


@pytest.mark.parametrize(("label", "measure"), [("AP", "NQcorrect@5"), ("RR", "NQcorrect@0"), ("AP", "nDCG")])
def test_a_labelled_matrix_is_not_renamed(tmp_path, capfd, label, measure):
    """The mean of what is labelled AP was printed as NQcorrect@5."""
    path = tmp_path / "file.csv"
    path.write_text(MATRIX)
    assert main(["evaluate", "--scores", f"{label}={path}", "-m", measure]) == 2
    assert f"no measure '{measure}'; measures are {label}" in capfd.readouterr().err
    assert main(["evaluate", "--scores", str(path), "-m", "AP"]) == 0
