"""What the result of `assay.agree` writes."""

from __future__ import annotations

import pytest

import assay

JUDGES = {"ann": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, "bob": {"q1": {"a": 1, "b": 1}, "q2": {"a": 0}}}


def test_a_page_of_its_own(tmp_path) -> None:
    found = assay.agree(JUDGES, resamples=20)
    found.save(tmp_path / "agree.html")
    page = (tmp_path / "agree.html").read_text(encoding="utf-8")
    assert "Do the judges agree?" in page
    assert "ann, bob" in page
    found.save(tmp_path / "agree.txt")
    assert "Cohen's kappa" in (tmp_path / "agree.txt").read_text(encoding="utf-8")
    found.save(tmp_path / "agree.pdf")
    assert (tmp_path / "agree.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(assay.UsageError, match=r"\.html, \.pdf or \.txt"):
        found.save(tmp_path / "agree.docx")


def test_rankings_in_json() -> None:
    runs = {name: {t: {"a": 2.0 + sign, "b": 2.0} for t in ("q1", "q2")} for name, sign in (("x", 1), ("y", -1))}
    (pair,) = assay.agree(JUDGES, runs=runs, measure="RR", resamples=0).to_dict()["rankings"]["pairs"]
    # Under ann RR is 1 against 1/2 twice; under bob 1 each on q1, where both are relevant, and 0 on q2.
    assert (pair["significant"], pair["compared"], pair["fall"]) == ([0, 0], 1, None)
    assert pair["rise"] == {"run": "y", "from": 2, "to": 1}
