"""Every number in the HTML and the PDF is the number of the JSON that evaluate, compare and reliability write.

A page keeps seven digits of it, three more than it shows.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from itertools import accumulate

import pytest
from report_tables import number, opened

import assay
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS
from assay.figures.measure_names import in_words


def near(value):
    """The number as a page has it: with seven digits."""
    if isinstance(value, list):
        return [near(each) for each in value]
    return None if value is None else pytest.approx(value, rel=1e-6, abs=1e-12)


def by_label(rows):
    return {row[0][0]: row[1] for row in rows if len(row) == 2}


@pytest.fixture(scope="module")
def covid(shared_data, tmp_path_factory):
    """The campaign's HTML, and what the other commands say of the same files."""
    folder = shared_data("trec_covid_r1")
    sources = [str(folder / "qrels.txt"), str(folder / "runs")]
    out = tmp_path_factory.mktemp("covid")
    assert main(["report", *sources, "-o", str(out / "r.html")]) == 0
    names = [
        "AP", "nDCG@10", "nDCG", "P@10", "R@1000", "RR", "Rprec", "Bpref", "NumRet", "NumRel", "NumRelRet",
        *(f"P@{k}" for k in (5, 15, 20, 30, 100, 200, 500, 1000)), *(f"IPrec@{level / 10}" for level in range(11)),
    ]  # fmt: skip
    options = [word for name in names for word in ("-m", name)]
    assert main(["evaluate", *sources, *options, "-q", "-f", "json", "-o", str(out / "e.json")]) == 0
    assert main(["compare", *sources, "-m", "AP", "-f", "json", "-o", str(out / "c.json")]) == 0
    study = ["-m", "AP", "-m", "nDCG@10", "-m", "nDCG", "-m", "P@10"]
    assert (
        main(
            [
                "reliability",
                *sources,
                *study,
                "--trials",
                "1000",
                "--discrimination",
                "-f",
                "json",
                "-o",
                str(out / "s.json"),
            ]
        )
        == 0
    )
    page = (out / "r.html").read_text("utf-8")
    data = json.loads(re.search(r'id="report-data">(.*?)</script>', page, re.DOTALL)[1])
    tables, waiting, plots = opened(page)
    data = {**data, "comparison": waiting["values"], "charts": {**waiting["charts"], **plots}}
    told = {name: json.loads((out / f"{name}.json").read_text("utf-8")) for name in "ecs"}
    return tables, data, told


def board_rows(tables):
    """The rows of the leaderboard by run, in their order; each a cell by its heading."""
    head, *rows = tables["leaderboard"]
    labels = [cell[0] for cell in head]
    named = [dict(zip(labels, row, strict=True)) for row in rows]
    return {row["Run"][0]: row for row in named}


def test_the_leaderboard_is_what_evaluate_says(covid):
    """Three decimals, as the standard error of 30 topics is about .03; its values are rounded to twelve to be compared."""
    tables, _, told = covid
    scores = {run["run"]: run["scores"] for run in told["e"]["runs"]}
    rows = board_rows(tables)
    assert [*rows] == sorted(scores, key=lambda run: -scores[run]["AP"])
    assert len(rows) == 24
    for run, row in rows.items():
        assert number(row["AP"]) == near(scores[run]["AP"])
        assert row["AP"][0] == f"{scores[run]['AP']:.3f}".removeprefix("0")


def test_the_other_measures_are_what_evaluate_says(covid):
    tables, _, told = covid
    scores = {run["run"]: run["scores"] for run in told["e"]["runs"]}
    head, *rows = tables["measures"]
    labels = [cell[0] for cell in head]
    measures = [place for place, label in enumerate(labels) if label in scores[rows[0][0][0]]]
    assert len(measures) >= 3
    assert "AP" not in labels
    for row in rows:
        for place in measures:
            value = scores[row[0][0]][labels[place]]
            assert number(row[place]) == near(value)
            assert row[place][0] == f"{value:.3f}".removeprefix("0")
    assert [row[0][0] for row in rows] == sorted(scores, key=lambda run: -scores[run]["AP"])


def test_every_runs_tables_are_what_evaluate_says(covid):
    tables, _, told = covid
    for place, run in enumerate(told["e"]["runs"], start=1):
        scores = run["scores"]
        summary = by_label(tables[f"run-{place}-table-1"])
        assert int(summary["Retrieved"][0]) == scores["NumRet"]
        assert int(summary["Relevant"][0]) == scores["NumRel"]
        assert int(summary["Rel_ret"][0]) == scores["NumRelRet"]
        levels = by_label(tables[f"run-{place}-table-2"])
        for level in range(11):
            assert number(levels[f"{level / 10:.2f}"]) == near(scores[f"IPrec@{level / 10}"])
        assert number(levels["non-interpolated"]) == near(scores["AP"])
        cutoffs = by_label(tables[f"run-{place}-table-3"])
        for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000):
            assert number(cutoffs[f"At {k} docs"]) == near(scores[f"P@{k}"])
        assert number(cutoffs["Exact"]) == near(scores["Rprec"])
        topics = {row[0][0]: row for row in tables[f"run-{place}-topic-table"][1:]}
        for topic, values in run["topics"].items():
            assert number(topics[topic][3]) == near(values["AP"])
            assert int(topics[topic][2][0]) == values["NumRelRet"]


def test_the_median_is_the_middle_of_the_runs(covid):
    tables, _, told = covid
    for topic in told["e"]["runs"][0]["topics"]:
        values = sorted(run["topics"][topic]["AP"] for run in told["e"]["runs"])
        rows = {row[0][0]: row for row in tables["run-1-topic-table"][1:]}
        assert number(rows[topic][4]) == near((values[11] + values[12]) / 2)


def test_nist_printed_the_same_numbers(covid, shared_data):
    """The evaluation reports NIST sent in 2020, four decimals."""
    tables, _, told = covid
    with open(shared_data("trec_covid_r1", "expected_official_nist_reports.csv"), newline="") as file:
        official = {row["run"]: row for row in csv.DictReader(file)}
    compared = 0
    for place, run in enumerate(told["e"]["runs"], start=1):
        expected = official.get(run["run"])
        if expected is None:
            continue
        cutoffs = by_label(tables[f"run-{place}-table-3"])
        for k in (5, 10, 15, 20, 30):
            assert cutoffs[f"At {k} docs"][0] == expected[f"P_{k}"]
        assert cutoffs["Exact"][0] == expected["Rprec"]
        assert by_label(tables[f"run-{place}-table-2"])["non-interpolated"][0] == expected["map"]
        summary = by_label(tables[f"run-{place}-table-1"])
        assert [summary[name][0] for name in ("Retrieved", "Relevant", "Rel_ret")] == [
            expected[name] for name in ("num_ret", "num_rel", "num_rel_ret")
        ]
        compared += 1
    assert compared > 15


def test_intervals_tiers_and_pairs_are_what_compare_says(covid):
    tables, data, told = covid
    expected = {run["run"]: run for run in told["c"]["runs"]}
    ranks = {rank["run"]: rank for rank in told["c"]["ranks"]}
    assert board_rows(tables).keys() == expected.keys()
    for run, row in board_rows(tables).items():
        assert number(row["AP"]) == near(expected[run]["value"])
        low, high = expected[run]["interval"]
        assert [float(end) for end in row["AP"][2]] == near([low, high])
        assert row["95% interval"][0] == "–".join(f"{end:.2f}".removeprefix("0") for end in (low, high))
        assert row["Tier"][0] == f"Tier {expected[run]['tier']}"
        first, last = ranks[run]["low"], ranks[run]["high"]
        assert row["Rank"][0] == (f"{first}" if first == last else f"{first}–{last}")
    runs = data["comparison"]["runs"]
    found = data["comparison"]["measures"][0]["pairs"]
    columns = (found[name] for name in ("a", "b", "difference", "low", "high", "p"))
    pairs = {(runs[a], runs[b]): rest for a, b, *rest in zip(*columns, strict=True)}
    assert len(pairs) == len(told["c"]["pairs"]) == 276
    for pair in told["c"]["pairs"]:
        difference, low, high, p = pairs[pair["a"], pair["b"]]
        assert difference == near(pair["difference"])
        assert [low, high] == near(pair["interval"])
        assert p == near(pair["adjusted"]["maxt"])


def test_topic_values_for_comparing_are_what_evaluate_says(covid):
    _, data, told = covid
    comparison = data["comparison"]
    runs = {run["run"]: run for run in told["e"]["runs"]}
    for measure in comparison["measures"]:
        for name, values, own in zip(comparison["runs"], measure["topics"], measure["runs"], strict=True):
            assert own == near(runs[name]["scores"][measure["name"]])
            expected = runs[name]["topics"]
            assert values == near([expected[topic][measure["name"]] for topic in comparison["topics"]])


def test_reliability_is_what_reliability_says(covid):
    tables, data, told = covid
    size = told["s"]["size"]
    studies = told["s"]["measures"]
    swaps = {row[0][0]: row for row in tables[f"swap-table-{size}"][1:]}
    assert set(swaps) == set(studies)
    for name, study in studies.items():
        found = study["swap"]
        keys = ("required_difference", "required_difference_stays", "highest")
        for cell, key in zip(swaps[name][1:4], keys, strict=True):
            assert number(cell) == near(found[key])
        assert float(swaps[name][5][1]) == near(found["sensitivity"])
    curve = data["charts"][f"stability-{size}"][2]["curves"]
    assert curve[0] == 10 * len(studies)
    expected = [point["minority_rate"] for study in studies.values() for point in study["stability"]]
    assert curve[1]["rate"] == near(expected)


def test_pairs_told_apart_are_what_reliability_says(covid):
    tables, data, told = covid
    rows = {row[0][0]: row for row in tables["significance-table-tukey"][1:]}
    drawn = data["charts"]["significance-tukey"][2]["curves"][1]
    for name, study in told["s"]["measures"].items():
        found = study["discrimination"]["tukey"]
        assert float(rows[name][1][1]) == near(found["separated"]["0.05"])
        assert float(rows[name][2][1]) == near(found["separated"]["0.01"])
        assert number(rows[name][3]) == near(found["half_difference"]["0.05"])
        plotted = [p for measure, p in zip(drawn["measure"], drawn["p"], strict=True) if measure == name]
        assert plotted == near([p for p in sorted(found["asl"]) if p <= 0.15])


def test_the_ranks_behind_a_topic_plot_add_up(covid):
    """Average precision computed from the plotted ranks is the average precision of the table."""
    tables, data, _ = covid
    rows = tables["run-1-topic-table"][1:]
    for place, row in enumerate(rows, start=1):
        packed = data["charts"][f"run-1-topic-{place}"][2]
        count, columns = packed["points"]
        packed_ranks = columns.get("rank", [])
        ranks = (
            list(accumulate(packed_ranks["rises"]))
            if isinstance(packed_ranks, dict) and "rises" in packed_ranks
            else packed_ranks
        )
        ranks = ranks if isinstance(ranks, list) else list(range(1, count + 1))
        relevant = int(row[1][0])
        assert count == int(row[2][0])
        if relevant:
            precision = sum(found / rank for found, rank in enumerate(ranks, start=1)) / relevant
            assert precision == near(number(row[3]))


def test_the_pdf_prints_them_too(covid, shared_data, tmp_path):
    pytest.importorskip("typst", reason="typst is not installed")
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed: apt-get install poppler-utils")
    _, _, told = covid
    folder = shared_data("trec_covid_r1")
    name = told["e"]["runs"][3]["run"]
    sources = [str(folder / "qrels.txt"), str(folder / "runs")]
    assert main(["report", *sources, "--run", name, "-o", str(tmp_path / "one.pdf")]) == 0
    command = ["pdftotext", "-layout", str(tmp_path / "one.pdf"), "-"]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    scores = told["e"]["runs"][3]["scores"]
    for measure, value in scores.items():
        if measure.startswith(("P@", "IPrec", "AP", "Rprec")):
            assert f"{value:.4f}" in words, measure
        elif measure.startswith("Num"):
            assert str(value) in words, measure
    for topic, values in told["e"]["runs"][3]["topics"].items():
        assert f"{values['AP']:.4f}" in words, topic


WRITTEN = {"ECE, debiased": "ECEd"}
"""Measures that pages call by words."""


@pytest.fixture(scope="module")
def pan(shared_data, tmp_path_factory):
    folder = shared_data("pan20_av")
    chosen = ["boenninghoff20-large", "kipnis20-small", "gagala20-small"]
    sources = [str(folder / "truth.jsonl"), *(str(folder / "submissions" / name / "answers.jsonl") for name in chosen)]
    out = tmp_path_factory.mktemp("pan")
    assert main(["report", *sources, "--trials", "0", "-o", str(out / "r.html")]) == 0
    assert main(["evaluate", *sources, "-f", "json", "-o", str(out / "e.json")]) == 0
    page = (out / "r.html").read_text("utf-8")
    return opened(page)[0], json.loads((out / "e.json").read_text("utf-8"))


@pytest.mark.slow
def test_outcomes_are_what_evaluate_says(pan):
    tables, told = pan
    for place, run in enumerate(told["runs"], start=1):
        scores = run["scores"]
        outcomes = by_label(tables[f"run-{place}-outcomes"])
        for label in ("Correct", "Incorrect", "Unanswered"):
            count = scores[label.lower()]
            assert outcomes[label][0] == f"{count} ({100 * count / 14311:.1f}%)"
        for name, cell in by_label(tables[f"run-{place}-measures"]).items():
            if name != "Measure":
                assert number(cell) == near(scores[WRITTEN.get(name, name)])
    values = [number(row["c@1"]) for row in board_rows(tables).values()]
    assert values == near(sorted((r["scores"]["c@1"] for r in told["runs"]), reverse=True))


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_task_shows_what_evaluate_says(gallery, tmp_path, monkeypatch, name):
    """The leaderboard and its further measures, and what is compared topic by topic."""
    page = gallery(name)
    told = tmp_path / "told.json"
    monkeypatch.chdir(page.parent / "data" / name)
    assert main(["evaluate", *CAMPAIGNS[name].sources, "-q", "-f", "json", "-o", str(told)]) == 0
    runs = {run["run"]: run for run in json.loads(told.read_text("utf-8"))["runs"]}
    if name == "suite":  # its headline is the macro mean over tasks; counts are sums
        table = assay.evaluate(*CAMPAIGNS[name].sources)
        for measure in (m for m in table.measures if m.average != "sum"):
            for one in assay.suite(table, measure, intervals=False).runs:
                runs[one.run]["scores"][measure.name] = one.macro
    tables, waiting, _ = opened(page.read_text("utf-8"))
    # The leaderboard has the numbers of the comparison, of the questions that all runs answered or were asked.
    compared = tmp_path / "compared.json"
    sources = [word for word in CAMPAIGNS[name].sources if word not in ("--characteristics", "runs.toml")]
    assert main(["compare", *sources, "-f", "json", "-o", str(compared)]) == 0
    comparison = json.loads(compared.read_text("utf-8"))
    shown = board_rows(tables)
    assert shown.keys() == runs.keys()
    for run in comparison["runs"]:
        assert number(shown[run["run"]][in_words(comparison["measure"])]) == near(run["value"])
        if not comparison["left_out"]:
            assert run["value"] == pytest.approx(runs[run["run"]]["scores"][comparison["measure"]], abs=1e-11)
    seen = {comparison["measure"]}
    for title in (title for title in tables if title == "measures" or title.startswith("further")):
        head, *rows = tables[title]
        labels = [cell[0] for cell in head]
        assert {row[labels.index("Run")][0].removesuffix("baseline").strip() for row in rows} == {*runs}
        for row in rows:
            scores = runs[row[labels.index("Run")][0].removesuffix("baseline").strip()]["scores"]
            # A heading has words for a name that is code.
            names = {in_words(measure): measure for measure in scores}
            for label, cell in zip(labels, row, strict=True):
                if (measure := names.get(label)) is not None:
                    assert number(cell) == near(scores[measure]), (title, label)
                    seen.add(measure)
    assert seen == {*next(iter(runs.values()))["scores"]}
    values = waiting["values"]
    for measure in values["measures"]:
        for run, own in zip(values["runs"], measure["topics"], strict=bool(measure["topics"])):
            topics = [runs[run]["topics"][topic] for topic in values["topics"]]
            expected = [told.get(measure["name"]) for told in topics]
            if measure["name"].startswith("UF"):
                times = [told.get("samples", 1) for told in topics]
                expected = [
                    None if told["correct"] is None else (told["correct"] - told["incorrect"]) / count
                    for told, count in zip(topics, times, strict=True)
                ]
            assert own == near(expected), measure["name"]
