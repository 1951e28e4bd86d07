"""What each team receives: its own runs, whole, under names that any disk takes, the same bytes every time."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import zipfile
from dataclasses import replace

import pytest
from report_tables import inflated

import assay
from assay.analyses.marked_text import MarkedText, mark
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS, write_data
from assay.errors import UsageError
from assay.io.atomic_files import file_names
from assay.reports.model import Board, ComparisonBlock, Note, Table
from assay.reports.packages import packages, teams, zipped
from assay.reports.team_report import ANOTHER, participant, team_report

TOPICS = [f"topic-of-mine-{number:02}" for number in range(12)]
QRELS = {topic: {"a": 1, "b": 0, "c": 1} for topic in TOPICS}
RUNS = {
    name: {topic: {document: float(-place) for place, document in enumerate(order)} for topic in TOPICS}
    for name, order in {"one": "abc", "two": "bca", "x/y": "cab"}.items()
}
WHOSE = {"one": {"organisation": "Uni A"}, "two": {"organisation": "Uni A"}, "x/y": {}}


@pytest.fixture(scope="module")
def scores():
    return assay.evaluate(QRELS, RUNS, ["AP", "P@10", "NumRelRet"]).described(lambda run: WHOSE[run])


@pytest.fixture(scope="module")
def report(scores):
    return assay.report(scores, trials=0, title="Track")


def opened(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_team_is_an_organisation_or_a_run(scores) -> None:
    assert teams(scores) == {"Uni A": ["one", "two"], "x/y": ["x/y"]}


def test_every_team_has_its_own_runs_and_no_others(report) -> None:
    found = {name: opened(data) for name, data in packages(report, forms=["html"])}
    assert {name: [*members] for name, members in found.items()} == {
        "Uni_A.zip": ["README.txt", "index.html", "one.html", "two.html", "scores.csv", "scores.json"],
        "x_y.zip": ["README.txt", "index.html", "x_y.html", "scores.csv", "scores.json"],
    }
    mine = found["x_y.zip"]
    assert {row["run"] for row in csv.DictReader(io.StringIO(mine["scores.csv"].decode()))} == {"x/y"}
    [run] = json.loads(mine["scores.json"])["runs"]
    assert (run["run"], len(run["topics"])) == ("x/y", 12)
    assert run["scores"]["AP"] == pytest.approx((1 + 1) / 2)  # c and a stand first, and both are relevant
    assert all(b">two<" not in mine[name] for name in ("index.html", "x_y.html"))
    readme = found["Uni_A.zip"]["README.txt"].decode()
    assert readme.startswith("Track: Uni A\n\n2 runs: one, two\n")
    assert "12 topics" in readme
    assert "a row per run and topic" in readme
    assert "AP: Average precision" in readme


def test_the_same_bytes_every_time(report) -> None:
    [*first], [*again] = packages(report), packages(report)
    assert first == again
    members = opened(first[0][1])
    assert [name for name in members if name.endswith(".pdf")] == ["Uni_A.pdf"]
    assert members["Uni_A.pdf"].startswith(b"%PDF")


def blocks(document, kind):
    return [block for section in document.sections for block in section.blocks if isinstance(block, kind)]


def test_the_index_shows_the_team_among_runs_without_names(report) -> None:
    # a and c are relevant: one has them at ranks 1 and 3, (1 + 2/3) / 2; two at 2 and 3, (1/2 + 2/3) / 2; x/y at 1 and 2.
    files = {"one": "one.html", "two": "two.html"}
    index = team_report(report.document, "Uni A", ["one", "two"], files=files)
    assert index.title == "Track: results for Uni A"
    assert dict(index.meta)["Runs"] == "2 of 3"
    assert index.finding == (
        "one is 2nd of 3 (AP .833), is significantly below the leader, and is above the median on none of 12 topics."
    )
    assert index.trust[0] == "The best of 3 runs has AP 1.000 and beats the other two."
    [board] = blocks(index, Board)
    assert [(row.run, row.own, row.link, row.value) for row in board.rows] == [
        (ANOTHER, False, None, 1.0),
        ("one", True, "./one.html", pytest.approx(5 / 6)),
        ("two", True, "./two.html", pytest.approx(7 / 12)),
    ]
    assert all(row.low is None and not row.counts for row in board.rows if not row.own)
    assert (index.pages, index.grid, index.items) == ((), None, None)


def test_the_index_compares_the_runs_and_shows_best_and_median(report) -> None:
    index = team_report(report.document, "Uni A", ["one", "two"], files={"one": "one.html", "two": "two.html"})
    tables = {table.id: table for table in blocks(index, Table)}
    assert [cell.text for cell in tables["own-pairs"].rows[0]][:3] == ["one", "two", "+0.250"]
    assert tables["own-pairs"].rows[0][-1].text == "significant"
    first = tables["team-values"].rows[0]
    assert [column.label for column in tables["team-values"].columns] == ["Topic", "one", "two", "Best", "Median"]
    assert [cell.text for cell in first] == [TOPICS[0], "0.8333", "0.5833", "1.0000", "0.8333"]
    assert first[0].link == f"./one.html#topic/{TOPICS[0]}"
    [compared] = blocks(index, ComparisonBlock)
    assert compared.runs == ("one", "two")
    assert [(pair.a, pair.b) for pair in compared.measures[0].pairs] == [(0, 1)]
    sentences = " ".join(note.body for note in blocks(index, Note))
    assert "one is above the median on none of 12 topics." in sentences
    assert "one beats two by .25 AP (p < .001)." in sentences


def test_what_is_said_on_trust_reaches_a_team_unless_it_names_another_run(report) -> None:
    """The sentence on the top two stands out, and names nobody."""
    top_two = MarkedText.of(mark("The top two differ by .17 (p < .001), which is significant."))
    excluded = MarkedText.of(f"hills is excluded for all, as {mark('x/y')} has no results there.")
    document = replace(report.document, trust=("Leads of .1 are significant.", top_two, excluded))
    assert team_report(document, "Uni A", ["one", "two"]).trust[1:] == ("Leads of .1 are significant.", top_two)
    assert team_report(document, "x/y", ["x/y"]).trust[1:] == document.trust
    assert team_report(document, "Uni A", ["one", "two"], named=True).trust[1:] == document.trust


def test_a_public_campaign_names_the_other_runs(report) -> None:
    public = team_report(report.document, "x/y", ["x/y"], files={"x/y": "x_y.html"}, named=True)
    [board] = blocks(public, Board)
    assert {row.run for row in board.rows} == {"one", "two", "x/y"}
    assert public.trust[0] == report.document.finding
    found = {name: opened(data) for name, data in packages(report, forms=["html"], named=True)}
    page = found["x_y.zip"]["index.html"]
    assert b'<th class="run" scope="row">two <span class="team">' in page
    assert b"<b>two</b>" not in page, "the two others that it beats are no run"


def test_the_report_of_a_team_on_paper_has_the_pages_of_its_runs(report) -> None:
    paper = team_report(report.document, "Uni A", ["one", "two"])
    assert [page.run for page in paper.pages] == ["one", "two"]
    [board] = blocks(paper, Board)
    assert [row.link for row in board.rows if row.own] == [page.id for page in paper.pages]
    assert "the leader" in paper.pages[0].finding.text
    assert "x/y" not in paper.pages[0].finding.text
    [alone] = team_report(report.document, "x/y", ["x/y"]).pages
    assert alone.finding is None  # the report begins with it


@pytest.mark.parametrize(
    ("kept", "aggregate", "said"),
    [
        (True, False, "This package contains judgments:"),
        (False, False, "It shows no single judgment."),
        (True, True, "It has no value of a single topic and no judgment."),
    ],
)
def test_readme_and_index_say_which_judgments_are_in_it(scores, kept, aggregate, said) -> None:
    bare = assay.scores({run: dict.fromkeys(TOPICS, value) for run, value in (("one", 0.5), ("two", 0.25))})
    made = assay.report(scores if kept else bare, trials=0, aggregate=aggregate)
    for _, data in packages(made, aggregate=aggregate, forms=["html"]):
        members = opened(data)
        assert said in members["README.txt"].decode()
        assert said in members["index.html"].decode()


def test_averages_alone(scores) -> None:
    made = assay.report(scores, trials=0, aggregate=True)
    for _, data in packages(made, aggregate=True, forms=["html"]):
        members = opened(data)
        whole = b"".join(members[name] for name in members if not name.endswith("html")).decode()
        assert "topic-of-mine" not in whole
        assert "NumRelRet" not in whole
        header, *rows = csv.reader(io.StringIO(members["scores.csv"].decode()))
        assert header == ["run", "AP", "P@10"]
        assert all(len(cell) <= 5 for row in rows for cell in row[1:])
        assert [*json.loads(members["scores.json"])["runs"][0]] == ["run", "scores"]
        assert all(b"topic-of-mine" not in content for content in members.values())


def test_a_participant_sees_what_the_own_run_returned(report) -> None:
    document = participant(report.document, ["two"])
    assert document.sections == ()
    assert [page.run for page in document.pages] == ["two"]
    assert document.grid is not None
    assert document.grid.runs == ("two",)
    assert {len(measure.topics) for measure in document.grid.measures} == {1}
    assert document.items is not None
    shown = document.items.of(document.grid.topics, document.grid.runs)
    assert [[len(entries) for entries in one.entries] for one in shown] == [[3]] * 12


def test_where_a_run_lay_is_not_told(tmp_path) -> None:
    folder = tmp_path / "secret"
    folder.mkdir()
    (folder / "r.run").write_text("".join(f"{topic} Q0 a 1 1 r\n" for topic in TOPICS))
    made = assay.report(assay.evaluate(QRELS, str(folder / "r.run"), ["AP"]), trials=0)
    [(_, data)] = packages(made, forms=["html"])
    assert b"secret" not in b"".join(opened(data).values())
    assert json.loads(opened(data)["scores.json"])["runs"][0]["file"] == "r.run"


def test_names_of_files() -> None:
    assert file_names(["a", "A", "a-2", "", "é", "x" * 100, "../../etc"]) == [
        "a", "A-2", "a-2-2", "unnamed", "unnamed-2", "x" * 80, "etc",
    ]  # fmt: skip


def test_a_zip_has_no_time() -> None:
    with zipfile.ZipFile(io.BytesIO(zipped({"a": b"x"}))) as archive:
        [about] = archive.infolist()
    assert (about.date_time, about.create_system, about.external_attr >> 16) == ((1980, 1, 1, 0, 0, 0), 3, 0o644)


def test_a_form_nobody_knows(report) -> None:
    with pytest.raises(UsageError, match="expected html or pdf"):
        next(packages(report, forms=["docx"]))


@pytest.mark.parametrize(
    "name",
    [name if name in ("ranked", "outcomes") else pytest.param(name, marks=pytest.mark.slow) for name in CAMPAIGNS],
)
def test_no_page_of_a_team_names_another_or_holds_its_values(name, tmp_path) -> None:
    """Of every task, in what waits deflated too; the medians of all are for everybody."""
    data = tmp_path / "data"
    write_data(str(data), name)
    command = CAMPAIGNS[name].command("out")
    words = ["pack", *command[1 : command.index("-o")], *command[command.index("-o") + 2 :]]
    with contextlib.chdir(data):
        assert main([*words, "--no-pdf", "-o", str(tmp_path / "out")]) == 0
    packed = {path.name: opened(path.read_bytes()) for path in (tmp_path / "out").iterdir()}
    told = {team: json.loads(members["scores.json"])["runs"] for team, members in packed.items()}
    for team, members in packed.items():
        others = {one["run"] for whose, runs in told.items() if whose != team for one in runs}
        for page in (data.decode() for member, data in members.items() if member.endswith(".html")):
            sheets = re.search(r'id="report-pages">(.*?)</script>', page, re.DOTALL)
            held = re.search(r'id="report-data">(.*?)</script>', page, re.DOTALL)
            assert sheets is not None
            assert held is not None
            waiting = {address: inflated(text) for address, text in json.loads(sheets[1]).items()}
            markup = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
            seen = strings([waiting, json.loads(held[1])])
            assert others & (seen | set(re.findall(r">([^<>]+)<", markup))) == set()
            own = {one["run"] for one in told[team]}
            values = waiting.get("values")
            assert values is None or {*values["runs"]} <= own
            assert values is None or all(len(one["topics"]) == len(values["runs"]) for one in values["measures"])
            lists = [
                sheet.get("entries", [[()]])[0] for address, sheet in waiting.items() if address.startswith("topic/")
            ]
            assert all(len(entries) == 1 for entries in lists)


def strings(value) -> set[str]:
    if isinstance(value, str):
        return {value}
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return {text for one in inner for text in strings(one)}
