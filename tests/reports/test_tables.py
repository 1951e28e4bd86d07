"""Tables as text: lined up for the terminal, quoted for programs, escaped for papers."""

from __future__ import annotations

from assay.reports import results


def test_papers_get_markdown_and_latex(scores):
    assert results.markdown(scores).splitlines()[0] == "| run | topics | AP | P@5 |"
    assert r"\toprule" in results.latex(scores)
    assert results.markdown(scores).count("**") >= 4
