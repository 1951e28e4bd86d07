"""What the documents show is what happens: every console block and every Python session in them is run.

A ```console block holds commands behind `$ ` with their standard output; a line `…` stands for any lines. Commands run in a
folder with the data of `assay demo`, and so do Python sessions (`>>>`), as doctests.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from pages import ROOT, console_blocks, matches, python_session

from assay.cli import main

PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]
ON_DEMO_DATA = [page for page in PAGES if "the data that `assay demo`" in (ROOT / page).read_text(encoding="utf-8")]
"""Pages that bring files of their own have tests of their own."""


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory) -> Path:
    from assay.demo.data import write_demo

    folder = tmp_path_factory.mktemp("demo")
    write_demo(str(folder))
    return folder


@pytest.mark.parametrize("page", ON_DEMO_DATA)
def test_commands_print_what_the_page_shows(page, demo_folder, monkeypatch, capfd) -> None:
    """In the order of the page: a command may read what an earlier one wrote."""
    monkeypatch.chdir(demo_folder)
    for number, command, expected in console_blocks(page):
        if not command.startswith("assay "):
            continue
        # A gate that fails ends with 1, a submission that is not valid with 3.
        code = main(shlex.split(command)[1:])
        assert code in (0, 3 if command.startswith("assay check") else 1), f"{page}:{number}"
        printed = capfd.readouterr().out.splitlines()
        assert matches(expected, printed), f"{page}:{number}\n" + "\n".join(printed)


@pytest.mark.parametrize("page", ON_DEMO_DATA)
def test_python_sessions_run(page, demo_folder, monkeypatch) -> None:
    monkeypatch.chdir(demo_folder)
    assert doctest.DocTestRunner().run(python_session(page)).failed == 0


def test_the_readme_has_its_five_examples() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(console_blocks("README.md")) + text.count(">>> import assay") >= 5
    for command in ("make demo", "make test"):
        assert command in text


def test_claims_of_the_readme(demo_folder, monkeypatch, capfd) -> None:
    """What stands in its sentences, beside the blocks that are run."""
    from assay.formats.recognition import readers

    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    tools = [reader.name for reader in readers() if reader.role == "log"]
    assert len(tools) >= 12
    assert {"inspect", "lm-eval", "helm"} <= {*tools}
    assert "Inspect, lm-evaluation-harness, HELM or nine other tools" in text
    [remark] = re.findall(r"Standard error prints what was read, here `(.+?)`", text)
    monkeypatch.chdir(demo_folder)
    assert main(["evaluate", "logs/"]) == 0
    assert f"assay: {remark}\n" in capfd.readouterr().err
    assert main(["--version"]) == 0
    assert re.search(r"\(.*(core|twin).*\)", capfd.readouterr().out)


def test_links_and_pictures_are_there() -> None:
    """Links to ../out/ are to what `make gallery` writes; tests/docs/test_gallery.py follows them."""
    links = [
        (page, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", (ROOT / page).read_text(encoding="utf-8"))
        if not target.startswith("../out/")
    ]
    assert [(page, target) for page, target in links if not (ROOT / page).parent.joinpath(target).exists()] == []


def test_links_lead_to_headings() -> None:
    broken: list[tuple[str, str]] = []
    for page in PAGES:
        for target, heading in re.findall(
            r"\]\(([\w./-]*\.md)?#((?:[^()]|\([^)]*\))+)\)", (ROOT / page).read_text(encoding="utf-8")
        ):
            text = (ROOT / page).parent.joinpath(target or Path(page).name).read_text(encoding="utf-8")
            prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
            titles = re.findall(r"^#+ (.*)", prose, re.MULTILINE)
            places = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
            if heading not in {*places, *re.findall(r'id="([^"]+)"', text)}:
                broken.append((page, f"{target}#{heading}"))
    assert broken == []


def test_generated_pages_are_what_the_code_says() -> None:
    import subprocess

    environment = {**os.environ, "COLUMNS": "102"}
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_public_name_has_a_reason() -> None:
    import assay

    rows = re.findall(r"^\| (`.*`) \| \S.*\|$", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(assay.__all__)


def test_the_reference_names_everything_public() -> None:
    import assay

    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    public = [name for name in dir(assay) if not name.startswith("_")]
    assert [name for name in public if f"\n### {name}\n" not in text] == []
    assert "- `.to_frame(" in text
