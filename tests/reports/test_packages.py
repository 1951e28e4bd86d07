"""What each team receives: its own runs, whole, under names that any disk takes, the same bytes every time."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import zipfile

import pytest
from report_tables import inflated

import assay
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS, write_data
from assay.errors import UsageError
from assay.io.atomic_files import file_names
from assay.reports.packages import packages, participant, teams, zipped

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
        "Uni_A.zip": ["README.txt", "one.html", "two.html", "scores.csv", "scores.json"],
        "x_y.zip": ["README.txt", "x_y.html", "scores.csv", "scores.json"],
    }
    mine = found["x_y.zip"]
    assert {row["run"] for row in csv.DictReader(io.StringIO(mine["scores.csv"].decode()))} == {"x/y"}
    [run] = json.loads(mine["scores.json"])["runs"]
    assert (run["run"], len(run["topics"])) == ("x/y", 12)
    assert run["scores"]["AP"] == pytest.approx((1 + 1) / 2)  # c and a stand first, and both are relevant
    assert b">two<" not in mine["x_y.html"]
    readme = found["Uni_A.zip"]["README.txt"].decode()
    assert readme.startswith("Track: Uni A\n\n2 runs: one, two\n")
    assert "12 topics" in readme
    assert "a row per run and topic" in readme
    assert "AP: Average precision" in readme


def test_the_same_bytes_every_time(report) -> None:
    [*first], [*again] = packages(report), packages(report)
    assert first == again
    assert opened(first[1][1])["x_y.pdf"].startswith(b"%PDF")


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


def test_a_participant_sees_what_the_own_run_returned(report, scores) -> None:
    document = participant(report.document, scores.runs, ["two"])
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
            values = waiting.get("values")
            assert values is None or all(len(one["topics"]) == 1 for one in values["measures"])
            lists = [sheet.get("entries", [()]) for address, sheet in waiting.items() if address.startswith("topic/")]
            assert all(len(entries) == 1 for entries in lists)


def strings(value) -> set[str]:
    if isinstance(value, str):
        return {value}
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return {text for one in inner for text in strings(one)}
