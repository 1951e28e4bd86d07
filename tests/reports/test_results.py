"""Results as a person sees them: on a terminal, in a paper, in a notebook."""

from __future__ import annotations

import io
import zipfile

import pytest

import assay
from assay.analyses.comparison.compare import compare
from assay.errors import UsageError
from assay.reports import results
from assay.reports.packages import packages
from assay.reports.results import further_sections

TOPICS = [f"q{number}" for number in range(12)]
ANN = {topic: {"a": 1, "b": 0, "c": 1} for topic in TOPICS}
BOB = {topic: {"a": 1, "b": int(number % 3 == 0), "c": 0} for number, topic in enumerate(TOPICS)}
RUNS = {
    name: {topic: {document: float(-place) for place, document in enumerate(order)} for topic in TOPICS}
    for name, order in {"one": "abc", "two": "bca"}.items()
}
BAD = b"q1 Q0 a 1 2.0 tag-of-somebody\nq1 Q0 a 2 1.0 tag-of-somebody\n"


def test_scores_print_as_the_leaderboard(scores):
    lines = results.text(scores).splitlines()
    assert lines[0].split() == ["run", "topics", "AP", "P@5"]
    assert [line.split()[0] for line in lines[1:]] == [f"run{i}" for i in range(6)]
    assert "*" not in results.text(scores)  # three runs tie


def test_a_run_alone_is_not_marked_as_best():
    assert "*" not in results.text(assay.evaluate({"q": {"d": 1}}, {"only": {"q": {"d": 1.0}}}, ["AP"]))


def test_a_width_wraps_sentences_and_none_leaves_them(scores):
    found = compare(scores, "AP", pairs=[("run2", "run5")])
    assert found.pairs[0].sentence in results.text(found, verbose=True)
    wrapped = results.text(found, width=60, verbose=True)
    assert found.pairs[0].sentence not in wrapped
    assert found.pairs[0].sentence in " ".join(wrapped.split())


@pytest.fixture
def also():
    checked = assay.check({"late": BAD})
    some = {topic: BOB[topic] for topic in TOPICS[:6]}
    return [
        checked,
        assay.agree({"ann": ANN, "bob": BOB}, runs=RUNS, measure="AP", resamples=50),
        assay.correct(ANN, RUNS, some, ["AP"]),
    ]


def test_each_result_is_a_section(also) -> None:
    assert [section.title for section in further_sections(also)] == [
        "The submissions",
        "Do the judges agree?",
        "What would people say?",
    ]
    made = assay.report(ANN, RUNS, ["AP"], trials=0, also=also)
    for text in (made.to_text(), made.to_html()):
        assert "The submissions" in text
        assert "Do the judges agree?" in text
        assert "tag-of-somebody" in text
        assert "What would people say?" in text
        assert "A machine judged 2 runs on 12 topics, and people 6 of them for each run." in " ".join(text.split())
    assert "The rankings of 2 runs by AP under ann and bob have" in " ".join(made.to_text().split())


def test_a_participant_sees_nothing_of_other_teams(also) -> None:
    """Neither on the pages of one run, nor in the package of a team."""
    alone = assay.report(ANN, RUNS, ["AP"], trials=0, also=also, run="one")
    whole = assay.report(ANN, RUNS, ["AP"], trials=0, also=also)
    members = [
        archive.read(name).decode()
        for _, data in packages(whole, forms=("html",))
        for archive in [zipfile.ZipFile(io.BytesIO(data))]
        for name in archive.namelist()
    ]
    assert len(members) == 10  # of two teams each README, index, page, CSV, JSON
    for text in (alone.to_text(), alone.to_html(), *members):
        assert "tag-of-somebody" not in text
        assert "Do the judges agree?" not in text
        assert "What would people say?" not in text
        assert "PPI++" not in text


def test_pages_of_averages_tell_nothing_of_it(also) -> None:
    text = assay.report(ANN, RUNS, ["AP"], trials=0, also=also, aggregate=True).to_text()
    assert "The submissions" not in text
    assert "judged" not in text
    assert "PPI++" not in text


def test_what_has_no_section(also) -> None:
    with pytest.raises(UsageError, match="no section for dict; expected Checked or JudgeAgreement or Correction"):
        further_sections([{}])
    with pytest.raises(UsageError, match="Checked is given twice"):
        further_sections([also[0], also[0]])
