"""The figures of a release do not change by accident: whoever changes one raises the version of the numbers and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus import figures, path_of

from assay._version import NUMBERS, __version__
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS

CHANGED = (
    "numbers changed: if they should, raise NUMBERS in src/assay/_version.py, list them in CHANGELOG under Numbers, and write "
    "the new figures with `make corpus`"
)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_figures_are_those_of_this_version_of_the_numbers(name, tmp_path) -> None:
    kept = json.loads(path_of().read_text("utf-8"))[name]
    assert figures(name, str(tmp_path)) == kept, CHANGED


def test_the_version_is_told_with_every_number(capsys, tmp_path, monkeypatch) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"assay {__version__}, numbers {NUMBERS} (")
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    for run, score in (("x", 1), ("y", 2)):
        (tmp_path / run).write_text(f"1 Q0 a 1 {score} {run}\n2 Q0 b 1 2 {run}\n2 Q0 a 2 1 {run}\n")
    monkeypatch.chdir(tmp_path)
    for command in (
        ["evaluate", "q", "x", "y"],
        ["compare", "q", "x", "y"],
        ["compare", "q", "x", "y", "-m", "AP", "-m", "P@5"],
    ):
        main([*command, "-f", "json"])
        told = json.loads(capsys.readouterr().out)
        assert (told["assay"], told["numbers"]) == (__version__, NUMBERS), command


def test_changes_are_listed() -> None:
    text = (Path(__file__).parents[1] / "CHANGELOG.md").read_text("utf-8")
    newest = text.split("\n## ")[1]
    assert newest.startswith(__version__)
    assert "\n### Numbers\n" in newest


HELP = """\
assay scores retrieval systems, question answering and language models, and says how far
to trust the scores.

Score      evaluate     score runs against judgments or right answers
           report       write the report: HTML, PDF or text
           plot         one chart for a paper, as SVG, PDF or PNG
Compare    compare      which run is better, and which cannot be told apart
           price        who leads, by the cost of a wrong answer
           threshold    when should this system decline to answer?
Trust      reliability  would the result hold on other topics?
           plan         how many topics are needed?
           items        difficult, useless and suspicious questions
           agree        do the judges agree, and would the ranking change?
Organise   check        is the submission valid?
           pool         choose the documents to judge, or leave each team out of a judged pool
           judge        judge a pool by hand, in the browser
           correct      correct the scores of a machine judge by human labels
           overlap      how alike do runs rank?
           pack         a zip of pages and scores for each team
           view         the report's pages in a browser, down to every answer
Other      measures     list the measures, or explain one
           trec_eval    trec_eval's own command line and output
           demo         a tour on built-in data

Start: assay demo                      a tour on built-in data
       assay evaluate qrels.txt bm25.run dense.run -m AP -m nDCG@10
Next:  assay COMMAND --help            the options most people use, and an example
       assay COMMAND --help all        every option
       assay --version                 the version, and whether the compiled core is in use

exit codes: 0 done, 1 a comparison failed its gate, 2 wrong usage, 3 bad input (or no memory or
  room; nothing is left half-written), 70 a bug in assay, 130 interrupted
"""


def test_the_help_of_assay_is_grouped_and_says_what_to_read_next(capsys) -> None:
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == HELP
    assert max(map(len, HELP.splitlines())) <= 96
