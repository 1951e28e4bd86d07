"""The names of measures for people."""

from __future__ import annotations

import pytest

from assay.figures.measure_names import in_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("AP", "AP"),
        ("nDCG@10", "nDCG@10"),
        ("c@1", "c@1"),
        ("RR(judged=lenient)", "RR, lenient"),
        ("NotFound(judged=lenient)", "not found, lenient"),
        ("P(rel=2)@5", "P@5, rel 2"),
        ("P(rel=2,judged=lenient)@5", "P@5, rel 2, lenient"),
        ("ECEd", "ECE, debiased"),
        ("map_avgjg", "group AP"),
        ("P_avgjg@10", "group P@10"),
        ("Rprec_mult_avgjg@1.0", "group Rprec@1.0"),
        ("UF (1 right, 0 unanswered, -1 wrong)", "UF (1 right, 0 unanswered, -1 wrong)"),
        ("alpha_nDCG@20", "alpha-nDCG@20"),
        ("my_measure", "my measure"),
        ("", ""),
        ("(", "("),
        ("a(b", "a(b"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_code_becomes_words(name, words):
    assert in_words(name) == words
