"""The report as an object: how it is printed, written and shown."""

from __future__ import annotations

import pytest

import assay
from assay.reports.report import Report, form_of

QRELS = {f"t{t}": {"d1": 1, "d2": 0} for t in range(6)}
RUNS = {
    "good": {topic: {"d1": 2.0, "d2": 1.0} for topic in QRELS},
    "bad": {topic: {"d1": 1.0, "d2": 2.0} for topic in QRELS},
}


@pytest.fixture(scope="module")
def made() -> Report:
    return assay.report(QRELS, RUNS, ["RR", "AP"], trials=20)


def test_it_prints_as_its_text(made):
    assert repr(made) == made.to_text().rstrip("\n")
    assert max(map(len, made.to_text(70).splitlines())) <= 70


def test_a_notebook_shows_it_in_a_frame_of_its_own(made):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    shown = made._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.count("<") == 2
    assert 'sandbox="allow-scripts"' in shown


@pytest.mark.parametrize("ending", ["html", "pdf", "txt"])
def test_the_ending_decides_how_it_is_written(made, tmp_path, ending):
    if ending != "txt":
        pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    if ending == "pdf":
        pytest.importorskip("typst", reason="typst is not installed")
    path = tmp_path / f"r.{ending}"
    made.save(path)
    start = {"html": b"<!doctype html>", "pdf": b"%PDF", "txt": b" "}[ending]
    assert path.read_bytes().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_an_unknown_ending_says_which_there_are(made, tmp_path):
    with pytest.raises(assay.UsageError, match=r"r\.docx: expected a name that ends in \.html, \.pdf or \.txt"):
        made.save(tmp_path / "r.docx")
    assert form_of("A.HTM") == "html"


def test_a_folder_that_is_not_there_is_named_and_nothing_is_left(made, tmp_path):
    with pytest.raises(assay.InputError, match="cannot be written"):
        made.save(tmp_path / "absent" / "r.txt")


def test_progress_hears_every_page(made):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    pytest.importorskip("typst", reason="typst is not installed")
    heard = []
    made.to_pdf(lambda done, total: heard.append((done, total)))
    assert heard == [(1, 2), (2, 2)]
