"""A page with a folder beside it: written together or not at all, and never over something else."""

from __future__ import annotations

import json
import re

import pytest

from assay.errors import InputError
from assay.reports import data_folder
from assay.reports.data_folder import MARK, DataFolder


@pytest.fixture(autouse=True)
def small_files(monkeypatch):
    monkeypatch.setattr(data_folder, "FILE_SIZE", 10)


def written(path, sheets, page="<p>page</p>"):
    with DataFolder(path) as folder:
        folder.add(sheets)
        found = folder.files()
        folder.keep(page)
    return folder, found


def sheets_in(file):
    return json.loads(re.fullmatch(r"assaySheets\((.*)\);\n", file.read_text(), re.DOTALL)[1])


def test_files_hold_the_sheets_in_their_order(tmp_path) -> None:
    sheets = {"values": "v" * 12, "topic/1": "aaaa", "topic/2": "bbbbbb", "topic/3": "c"}
    folder, files = written(tmp_path / "trec.html", sheets)
    assert folder.name == "trec_data"
    assert [first for first, _ in files] == ["values", "topic/1", "topic/3"]
    assert [sheets_in(tmp_path / "trec_data" / name) for _, name in files] == [
        {"values": "v" * 12},
        {"topic/1": "aaaa", "topic/2": "bbbbbb"},
        {"topic/3": "c"},
    ]
    assert (tmp_path / "trec.html").read_text() == "<p>page</p>"
    assert {one.name for one in tmp_path.iterdir()} == {"trec.html", "trec_data"}


def test_the_same_sheets_give_the_same_names_and_others_do_not(tmp_path) -> None:
    _, one = written(tmp_path / "a.html", {"topic/1": "same"})
    _, two = written(tmp_path / "b.html", {"topic/1": "same"})
    _, three = written(tmp_path / "c.html", {"topic/1": "other"})
    assert one == two != three


def test_a_new_report_replaces_the_old_ones_folder(tmp_path) -> None:
    written(tmp_path / "trec.html", {"topic/1": "old"})
    _, files = written(tmp_path / "trec.html", {"topic/1": "new"}, "<p>new</p>")
    assert {one.name for one in (tmp_path / "trec_data").iterdir()} == {MARK, files[0][1]}
    with DataFolder(tmp_path / "trec.html") as small:
        small.keep("<p>small</p>")
    assert {one.name for one in tmp_path.iterdir()} == {"trec.html"}


def test_somebody_elses_folder_stays(tmp_path) -> None:
    (tmp_path / "trec_data").mkdir()
    (tmp_path / "trec_data" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="trec_data: exists and is not a folder of report data"):
        written(tmp_path / "trec.html", {"topic/1": "large"})
    with DataFolder(tmp_path / "trec.html") as small:
        small.keep("<p>small</p>")
    assert (tmp_path / "trec_data" / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize("when", ["before", "while the page is written"])
def test_an_interruption_leaves_everything_as_it_was(tmp_path, monkeypatch, when) -> None:
    _, files = written(tmp_path / "trec.html", {"topic/1": "old"}, "<p>old</p>")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    if when != "before":
        monkeypatch.setattr(data_folder, "write_whole", interrupted)

    def write() -> None:
        with DataFolder(tmp_path / "trec.html") as folder:
            folder.add({"topic/1": "new and large"})
            if when == "before":
                interrupted()
            folder.files()
            folder.keep("<p>new</p>")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert {one.name for one in tmp_path.iterdir()} == {"trec.html", "trec_data"}
    assert {one.name for one in (tmp_path / "trec_data").iterdir()} == {MARK, files[0][1]}
    assert (tmp_path / "trec.html").read_text() == "<p>old</p>"


def test_an_interruption_of_the_first_report_leaves_nothing(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(
        data_folder, "write_whole", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    with pytest.raises(InputError, match="cannot be written: No space left"):
        written(tmp_path / "trec.html", {"topic/1": "large enough"})
    assert [*tmp_path.iterdir()] == []


def test_reports_that_differ_in_their_endings_alone_do_not_share_a_folder(tmp_path) -> None:
    """Red before: the second took the first one's data away."""
    one, _ = written(tmp_path / "trec.html", {"topic/1": "one"})
    two, _ = written(tmp_path / "trec.htm", {"topic/1": "two"})
    assert (one.name, two.name) == ("trec_data", "trec.htm_data")
    assert {path.name for path in tmp_path.iterdir()} == {"trec.html", "trec_data", "trec.htm", "trec.htm_data"}


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(data_folder, "safe_json", lambda sheets: "{}")
    monkeypatch.setattr("builtins.open", full)
    with pytest.raises(InputError, match="trec_data: cannot be written: No space left on device"):
        written(tmp_path / "trec.html", {"topic/1": "large enough"})
    assert [*tmp_path.iterdir()] == []
