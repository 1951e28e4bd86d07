"""Files beside the code that a release takes along: they name what is there, and agree with each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from release.targets import TARGETS

import assay

ROOT = Path(__file__).resolve().parents[2]


def test_the_citation_has_the_version_and_the_licence() -> None:
    yaml = pytest.importorskip("yaml")
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert told["version"] == assay.__version__
    assert f'license = "{told["license"]}"' in (ROOT / "pyproject.toml").read_text()
    assert {"cff-version", "message", "title", "authors"} <= set(told)


def test_the_container_copies_what_there_is_and_what_the_build_reads() -> None:
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
    copied = [name for line in lines for name in line.split()]
    assert all((ROOT / name).exists() for name in copied)
    assert {"pyproject.toml", "setup.py", "README.md", "LICENSE", "src"} <= set(copied)


def test_the_forge_runs_what_we_run() -> None:
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert [step["run"] for step in jobs["test"]["steps"] if "run" in step] == [".ci/run"]
    assert [step["run"] for step in jobs["wheels"]["steps"] if "run" in step] == ["make wheels"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]


def test_the_metadata_names_the_tested_pythons_and_every_licence() -> None:
    yaml = pytest.importorskip("yaml")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    prefix = "Programming Language :: Python :: "
    named = [name.removeprefix(prefix) for name in project["classifiers"] if re.fullmatch(prefix + r"3\.\d+", name)]
    assert named == jobs["test"]["strategy"]["matrix"]["python"]
    assert project["requires-python"] == f">={named[0]}"
    assert len(set(project["classifiers"])) == len(project["classifiers"])
    assert all((ROOT / name).is_file() for name in project["license-files"])


def test_the_page_names_every_tag() -> None:
    told = (ROOT / "docs/releasing.md").read_text()
    for target in TARGETS:
        name = re.sub(r"(linux_\d_\d+_)(x86_64|aarch64).*", r"\1{x86_64,aarch64}", target.platform)
        assert f"`{target.tag.removesuffix(target.platform)}{name}`" in told
