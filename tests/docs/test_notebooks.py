"""The notebooks run from top to bottom, and what they show is tables, charts and pages, not only words."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install nbclient ipykernel")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def test_there_is_one_for_each_kind_of_user() -> None:
    assert NAMES == ["abstaining", "organising", "ranked"]


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    known = {}

    def run(name):
        if name not in known:
            book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
            folder = tmp_path_factory.mktemp(name)
            nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
            known[name] = book, folder
        return known[name]

    return run


def shown(book, kind):
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output.data[kind] for output in outputs if kind in output.get("data", {})]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_kept_without_output_and_runs(executed, name) -> None:
    kept = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(kept)
    assert all(not cell.get("outputs") for cell in kept.cells)
    book, _ = executed(name)
    assert [output for cell in book.cells for output in cell.get("outputs", []) if output.output_type == "error"] == []


def test_tables_and_charts_are_cells(executed) -> None:
    book, folder = executed("ranked")
    pages = shown(book, "text/html")
    assert any("<table>" in page and "nDCG@10" in page for page in pages)
    assert any("<svg" in page for page in pages), "a chart that is a picture wherever the notebook is shown"
    assert (folder / "report.html").stat().st_size > 100_000


def test_results_say_the_same_as_text(executed) -> None:
    book, _ = executed("abstaining")
    assert any("always-answers" in text and "0.6050" in text for text in shown(book, "text/plain"))


def test_a_report_is_a_page_in_a_frame(executed) -> None:
    book, folder = executed("organising")
    assert any(page.startswith("<iframe srcdoc=") for page in shown(book, "text/html"))
    assert {path.name for path in folder.iterdir()} == {"demo", "campaign.html", "bm25.html", "public.html"}
