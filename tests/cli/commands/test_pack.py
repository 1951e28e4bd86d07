"""`assay pack`: a zip per team in a folder."""

from __future__ import annotations

import zipfile

import pytest

from assay.cli import main


def test_a_zip_per_run_and_the_same_bytes_again(here, capsys) -> None:
    words = ["pack", "qrels.txt", "runs", "-o", "new/packages", "--no-pdf"]
    assert main(words) == 0
    assert "wrote 2 packages to new/packages" in capsys.readouterr().err
    folder = here / "new" / "packages"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(before) == ["good.zip", "poor.zip"]
    assert main(words) == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_zip_per_organisation(here) -> None:
    (here / "runs.toml").write_text('organisation = "Uni A"\n')
    assert main(["pack", "qrels.txt", "runs", "-o", "out", "--no-pdf", "--characteristics", "runs.toml"]) == 0
    with zipfile.ZipFile(here / "out" / "Uni_A.zip") as archive:
        assert archive.namelist() == [
            "README.txt", "index.html", "good.html", "poor.html", "scores.csv", "scores.json",
        ]  # fmt: skip


@pytest.mark.parametrize(("words", "names"), [([], False), (["--public"], True)])
def test_other_teams_are_named_only_in_public(here, words, names) -> None:
    assert main(["pack", "qrels.txt", "runs", "-o", "out", "--no-pdf", *words]) == 0
    with zipfile.ZipFile(here / "out" / "good.zip") as archive:
        page = archive.read("index.html").decode()
    assert ("another team" in page, 'scope="row">poor<' in page) == (not names, names)


def test_what_is_refused(here, capsys) -> None:
    assert main(["pack", "qrels.txt", "runs", "-o", "-"]) == 2
    assert "expected a folder" in capsys.readouterr().err
    (here / "taken").write_text("")
    assert main(["pack", "qrels.txt", "runs", "-o", "taken/x"]) == 3
    assert "taken/x: cannot be created" in capsys.readouterr().err
    assert main(["pack", "qrels.txt", "runs", "-o", "out", "--aggregate"]) == 2
    assert "expected 10 or more" in capsys.readouterr().err
    assert not (here / "out").exists()
