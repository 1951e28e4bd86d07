"""A chart in one call: every kind in every form, its data, its specification, and what is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

import assay
from assay.errors import UsageError
from assay.reports import plots
from assay.reports.plots import KINDS, Plot, kinds_of, pixels

QRELS = {f"q{i}": {f"d{j}": 1 for j in range(3)} for i in range(12)}


def ranking(hits):
    """Relevant documents d0, d1, d2 at the first ranks of the first `hits` topics, and nothing found on the others."""
    return {
        topic: {f"d{j}" if place < hits else f"x{j}": 3.0 - j for j in range(3)} for place, topic in enumerate(QRELS)
    }


RUNS = {"good": ranking(12), "fair": ranking(11), "poor": ranking(1)}


@pytest.fixture(scope="module")
def scores():
    return assay.evaluate(QRELS, RUNS, ["AP"], keep=True)


@pytest.fixture(scope="module")
def answers():
    """Forty questions: x states a confidence that is right, y one that is the same whatever it answers."""
    gold = {f"q{i}": ["right"] for i in range(40)}
    sure = {"x": lambda right: 0.9 if right else 0.2, "y": lambda _: 0.55}
    runs = {
        run: {f"q{i}": {"answer": "right" if i % 4 else "wrong", "confidence": of(i % 4 > 0)} for i in range(40)}
        for run, of in sure.items()
    }
    return assay.evaluate(gold, runs)


@pytest.fixture(scope="module")
def results(scores, answers):
    """A result of each class with a plot; of scores, one with ranked runs and one with confidence."""
    comparison = assay.compare(scores, "AP")
    five = assay.evaluate(QRELS, {**RUNS, "half": ranking(6), "some": ranking(4)}, ["AP"])
    study = assay.reliability(five, "AP", trials=20, size=[3, 6], discrimination=("tukey",))
    return {"Scores": scores, "Comparison": comparison, "Reliability": study, "answers": answers}


def made(results, of, name) -> Plot:
    source = "answers" if name in ("reliability-diagram", "risk-coverage") else of
    return results[source].plot(name)


@pytest.mark.parametrize(("of", "name"), KINDS)
def test_every_kind_is_drawn_in_every_form(results, of, name, tmp_path):
    plot = made(results, of, name)
    plot.save(tmp_path / "a.svg", width="84mm")
    whole = ElementTree.fromstring((tmp_path / "a.svg").read_text("utf-8"))
    assert float(whole.get("width")) == pytest.approx(84 / 25.4 * 96, abs=0.01)
    assert "IBM Plex Sans" in whole.get("font-family")
    pytest.importorskip("typst", reason="typst is not installed")
    plot.save(tmp_path / "a.pdf", width="84mm")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    plot.save(tmp_path / "a.png", width="84mm")
    head = (tmp_path / "a.png").read_bytes()[:24]
    # 84 mm are 3.307 inches, of 300 pixels each.
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(head[16:20], "big") == pytest.approx(992, abs=1)


@pytest.mark.parametrize(("of", "name"), KINDS)
def test_a_notebook_shows_the_picture_and_everything_else_its_words(results, of, name):
    plot = made(results, of, name)
    bundle = plot._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert len(bundle["image/svg+xml"]) < 60_000
    assert bundle["text/plain"] == repr(plot)
    assert plot.title
    assert plot.alt


@pytest.mark.parametrize(("of", "name"), KINDS)
def test_the_specification_has_the_data_and_its_colours(results, of, name):
    spec = made(results, of, name).spec
    assert spec["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json"
    ranges = re.findall(r"'range': '([^']*)'", str(spec["layer"]))
    assert set(ranges) <= {"category", "heatmap", "ramp"}
    assert all(isinstance(rows, list) for rows in spec["datasets"].values())


@pytest.mark.skipif(shutil.which("pdffonts") is None, reason="pdffonts is not installed")
def test_the_pdf_has_its_typeface(scores, tmp_path):
    pytest.importorskip("typst", reason="typst is not installed")
    scores.plot().save(tmp_path / "a.pdf")
    listed = subprocess.run(["pdffonts", tmp_path / "a.pdf"], capture_output=True, text=True, check=True).stdout
    fonts = [line.split() for line in listed.splitlines()[2:]]
    assert fonts
    for font in fonts:
        assert "IBMPlexSans" in font[0]
        assert "yes" in font  # embedded


def test_the_same_chart_gives_the_same_bytes(scores, tmp_path):
    pytest.importorskip("typst", reason="typst is not installed")
    for name in ("a.pdf", "b.pdf"):
        scores.plot().save(tmp_path / name)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_a_leaderboard_fills_what_cannot_be_told_from_the_best(scores):
    """Means are 12, 11 and 1 of 12; one topic apart is nothing, and eleven are."""
    data = {row["run"]: row for row in scores.plot().data}
    assert [round(12 * data[run]["value"], 9) for run in ("good", "fair", "poor")] == [12, 11, 1]
    assert [data[run]["group"] for run in ("good", "fair", "poor")] == ["leader", "tied", "below"]
    svg = scores.plot().to_svg(400)
    for words in (
        "1.000",
        ".917",
        ".083",
        "AP, higher is better",
        "cannot be told from the leader",
        "significantly below it",
    ):
        assert f">{words}" in svg, words


def test_leads_are_differences_from_the_best(results):
    assert {row["run"]: round(12 * row["value"], 9) for row in results["Comparison"].plot().data} == {
        "fair": 1,
        "poor": 11,
    }


def test_ranks_are_whole_numbers(results):
    rows = results["Comparison"].plot("ranks").data
    assert [(row["run"], row["place"]) for row in rows] == [("good", 1), ("fair", 2), ("poor", 3)]
    assert (rows[2]["low"], rows[2]["high"]) == (3, 3)


def test_topics_are_one_run_against_the_median(scores):
    """The median of three runs is right on eleven topics, so that the best run is ahead on the twelfth alone."""
    ahead = {row["topic"]: row["difference"] for row in scores.plot("topics").data if row["difference"]}
    assert ahead == {"q11": 1.0}
    assert scores.plot("topics", run="poor").alt == "poor is above the median on 0 of 12 topics."


def test_recall_and_precision_are_those_of_trec_eval(scores):
    """A perfect ranking has precision 1 at each of the eleven levels."""
    rows = [row["precision"] for row in scores.plot("recall-precision", run="good").data if row["run"] == "good"]
    assert rows == [1.0] * 11


def test_confidence_is_drawn_as_stated(answers):
    """Ten answers of x were sure at .2 and wrong, thirty at .9 and right."""
    rows = answers.plot("reliability-diagram", run="x").data
    assert [(row["answers"], row["accuracy"]) for row in rows if "answers" in row] == [(10, 0.0), (30, 1.0)]
    curve = [(row["coverage"], row["risk"]) for row in answers.plot("risk-coverage", run="x").data if row["run"] == "x"]
    assert curve[-1] == (1.0, 0.25)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda r: r["Scores"].plot("pie"), "unknown plot 'pie' of Scores; plots are leaderboard, topics"),
        (lambda r: r["Scores"].plot("ranks"), "'ranks' is a plot of Comparison"),
        (lambda r: r["Scores"].plot("topics", run="nobody"), "unknown run 'nobody'; runs are good, fair, poor"),
        (lambda r: r["Comparison"].plot(run="good"), "unknown option `run`: the plot 'intervals' takes no options"),
        (lambda r: r["Scores"].plot("topics", colour="red"), "takes `measure`, `run`"),
        (lambda r: r["answers"].plot("recall-precision"), "needs ranked runs"),
        (lambda r: r["Scores"].plot("risk-coverage"), "needs answers with confidence"),
        (lambda r: r["Scores"].plot("reliability-diagram"), "needs answers with confidence"),
        (lambda r: r["Comparison"].ranks.plot(), "Ranks has no plot; results with one are Scores"),
        (lambda r: assay.reliability(r["Scores"], "AP", trials=5).plot("significance"), "tests of all pairs. Fix: pass `discrimination="),
        (lambda r: assay.reliability(r["Scores"], "AP", trials=5, no_swap=True).plot(), "'swap' needs a study of swaps"),
        (lambda r: assay.compare(r["Scores"], "AP", baseline="fair").plot(), "Fix: compare without a baseline"),
        (lambda r: assay.compare(r["Scores"], "AP", baseline="fair").plot("ranks"), "'ranks' needs a comparison of all pairs"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_said(results, ask, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        ask(results)


@pytest.mark.parametrize("width", ["", "84", "3 feet", "-84mm", "5m", "9000mm", 0])
def test_a_width_is_a_length_that_fits_labels(width):
    with pytest.raises(UsageError, match=r"`width=.*`: expected"):
        pixels(width)


def test_lengths_are_those_of_print():
    assert [round(pixels(width), 3) for width in ("254mm", "25.4cm", "10in", "720pt", "960px", 960)] == [960] * 6


def test_a_name_without_a_form_is_refused_before_anything_is_written(scores, tmp_path):
    with pytest.raises(UsageError, match=r"expected a name that ends in \.svg, \.pdf or \.png"):
        scores.plot().save(tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_one_run_alone_is_a_leaderboard_too():
    alone = assay.evaluate(QRELS, {"good": RUNS["good"]}, ["AP"])
    assert [(row["run"], row["value"]) for row in alone.plot().data] == [("good", 1.0)]


def test_names_are_never_markup():
    hostile = "<script>alert(1)</script>"
    scores = assay.evaluate(QRELS, {hostile: RUNS["good"], "b": RUNS["poor"]}, ["AP"])
    svg = scores.plot().to_svg()
    assert "<script" not in svg
    assert hostile in "".join(ElementTree.fromstring(svg).itertext())


def test_every_kind_is_listed_once_by_name():
    assert {
        "leaderboard",
        "ranks",
        "intervals",
        "topics",
        "recall-precision",
        "reliability-diagram",
        "risk-coverage",
        "swap",
        "stability",
    } <= set(kinds_of())
    assert list(kinds_of("Comparison")) == ["intervals", "leaderboard", "ranks"]
    assert plots.kinds_of("Scores")["topics"].summary
