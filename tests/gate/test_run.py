"""The action as a forge runs it: its script on small files, with a stub in place of the forge's program."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from forge import MARKER, TOPICS, Forge

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "gate" / "run.sh"
pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None or sys.platform == "win32", reason="the script is one of bash"
)


@pytest.fixture
def forge(tmp_path) -> Forge:
    made = Forge(tmp_path, SCRIPT)
    made.answers("gold.jsonl", [])
    made.answers("old.jsonl", TOPICS[:10])
    made.answers("new.jsonl", TOPICS[:40])
    return made


def test_a_worse_candidate_is_stopped_and_the_comment_says_why(forge) -> None:
    done = forge.run(WITH_REPORT="1")
    assert done.returncode == 1, done.stderr
    assert (forge.output["verdict"], forge.output["passed"]) == ("inferior", "false")
    assert "::error title=Gate: inferior::" in done.stdout
    folder = Path(forge.output["folder"])
    made = sorted(path.name for path in folder.iterdir())
    assert made == ["comment.md", "comparison.json", "messages.txt", "report.html"]
    told = (folder / "comment.md").read_text()
    assert forge.summary == told
    assert "[The whole report](https://forge.example/team/system/actions/runs/77#artifacts)" in told
    somebody, ours = forge.comments()
    assert somebody["body"].endswith("believe me")
    assert ours["body"] == f"{MARKER}\n{told}"
    assert json.loads((folder / "comparison.json").read_text())["pairs"][0]["gate"] == "inferior"


def test_the_next_time_the_same_comment_is_written_again(forge) -> None:
    forge.run()
    forge.answers("new.jsonl", TOPICS[:10])
    done = forge.run()
    assert done.returncode == 0, done.stderr
    _, ours = forge.comments()
    assert ours["body"].startswith(f"{MARKER}\n### Gate: non-inferior, passed\n")
    assert (forge.output["verdict"], forge.output["passed"]) == ("non-inferior", "true")
    assert "title=Gate" not in done.stdout
    assert next(words for words in forge.calls if "PATCH" in words)[-3].endswith("/comments/101")


def test_undecided_is_told_apart_and_goes_as_asked(forge) -> None:
    forge.answers("new.jsonl", TOPICS[1:12])
    done = forge.run(MARGIN="0.001")
    assert (done.returncode, forge.output["verdict"], forge.output["passed"]) == (0, "undecided", "true")
    assert "::warning title=Gate: undecided::Too few questions to tell" in done.stdout
    assert forge.summary.startswith("### Gate: undecided, let through\n")
    done = forge.run(MARGIN="0.001", UNDECIDED="fail")
    assert (done.returncode, forge.output["verdict"], forge.output["passed"]) == (1, "undecided", "false")
    _, ours = forge.comments()
    assert ours["body"].startswith(f"{MARKER}\n### Gate: undecided, stopped\n")
    assert "Too few questions to tell" in ours["body"]
    assert "inferior::" not in done.stdout


def test_two_gates_have_a_comment_each(forge) -> None:
    forge.run()
    forge.run(NAME="safety", MEASURES="accuracy c@1")
    bodies = [one["body"] for one in forge.comments()[1:]]
    assert [body.splitlines()[0] for body in bodies] == [MARKER, "<!-- assay gate: safety -->"]
    assert "| `c@1` |" in bodies[1]


def test_without_a_measure_the_headline_of_the_task_decides(forge) -> None:
    assert forge.run(MEASURES="", ARGUMENTS="--confidence 0.9").returncode == 1
    assert "| difference | bounds, each at 5% |" in forge.summary
    assert "| `c@1` | `old` 0.8333 |" in forge.summary


def test_without_a_pull_request_the_summary_is_all(forge) -> None:
    assert forge.run(PULL_REQUEST="").returncode == 1
    assert forge.calls == []
    assert forge.summary.startswith("### Gate: inferior")
    assert forge.run(COMMENT="false").returncode == 1
    assert forge.calls == []


def test_a_token_that_may_not_write_changes_no_verdict(forge) -> None:
    (forge.store / "refuses").touch()
    forge.answers("new.jsonl", TOPICS[:10])
    done = forge.run()
    assert done.returncode == 0
    assert "::warning::the comment could not be written" in done.stdout


def test_what_cannot_be_compared_is_no_pass(forge) -> None:
    forge.answers("new.jsonl", TOPICS[:10])
    assert forge.run().returncode == 0
    (forge.folder / "summary.md").unlink()
    (forge.folder / "new.jsonl").unlink()
    done = forge.run()
    assert done.returncode == 3
    assert "No verdict is not a pass" in done.stdout
    assert forge.summary.startswith("### Gate: not run\n")
    assert "new.jsonl" in forge.summary
    assert (forge.output["verdict"], forge.output["passed"]) == ("not-run", "false")
    _, ours = forge.comments()
    assert ours["body"] == f"{MARKER}\n{forge.summary}", "the comment of an earlier push would be read as this one's"


@pytest.mark.parametrize("code", [0, 1, 2])
def test_a_program_that_broke_off_is_no_verdict(forge, code) -> None:
    forge.program(forge.folder / "bin" / "assay", f"#!/bin/sh\nprintf 'no module named assay' >&2\nexit {code}\n")
    done = forge.run()
    assert done.returncode > 1
    assert (forge.output["verdict"], forge.output["passed"]) == ("not-run", "false")
    assert forge.summary == "### Gate: not run\n\n    no module named assay"
    paused, resumed = re.findall(r"^::(?:stop-commands::)?(assay-\d+)(?:::)?$", done.stdout, re.MULTILINE)
    assert paused == resumed, "what comes next is for the forge again, though the last line had no end"


def test_what_fills_several_lines_is_read_to_its_end(forge) -> None:
    assert forge.run(MEASURES="accuracy\nc@1\n", ARGUMENTS="--confidence 0.9\n--seed\n3\n").returncode == 1
    assert "| `c@1` |" in forge.summary
    assert "| difference | bounds, each at 5% |" in forge.summary
    settings = json.loads((Path(forge.output["folder"]) / "comparison.json").read_text())["comparisons"][0]["settings"]
    assert settings["seed"] == 3


STANDIN = """#!/bin/sh
echo "$@" >> store/asked.txt
case "$*" in
    compare*) echo "### Gate: inferior, stopped" > temp/assay-gate-assay/comment.md; exit 1 ;;
    report*--tie*) exit 2 ;;
esac
"""


@pytest.mark.parametrize(
    ("arguments", "reports"),
    [
        ("", ["report -m accuracy"]),
        ("--seed 3", ["report --seed 3 -m accuracy"]),
        ("--tie 0.1", ["report --tie 0.1 -m accuracy", "report -m accuracy"]),
    ],
)
def test_the_report_has_the_arguments_that_are_its_own(forge, arguments, reports) -> None:
    forge.program(forge.folder / "bin" / "assay", STANDIN)
    done = forge.run(ARGUMENTS=arguments)
    assert (done.returncode, "no report" in done.stdout) == (1, False), done.stderr
    _, *asked = (forge.store / "asked.txt").read_text().splitlines()
    assert [line.partition(" -o ")[0] for line in asked] == reports


def test_no_line_of_a_file_commands_the_forge(forge) -> None:
    (forge.folder / "new.jsonl").write_text('{"id": "q1",\n::set-output name=verdict::non-inferior\n')
    lines = forge.run().stdout.splitlines()
    [paused] = [number for number, line in enumerate(lines) if line.startswith("::stop-commands::")]
    again = lines.index(f"::{lines[paused].removeprefix('::stop-commands::')}::")
    told = [number for number, line in enumerate(lines) if "new.jsonl" in line]
    assert told
    assert all(paused < number < again for number in told)
    wicked = forge.run(NAME="x\n::error::owned")
    assert wicked.returncode == 2
    assert "owned" not in wicked.stdout


def test_a_name_that_looks_like_an_option_is_a_file(forge) -> None:
    (forge.folder / "new.jsonl").rename(forge.folder / "--help")
    assert forge.run(CANDIDATE="--help").returncode == 1
    assert "`--help`" in forge.summary


def test_no_text_is_read_as_a_command(forge) -> None:
    wicked = "$(touch owned)`touch owned`; touch owned.jsonl"
    (forge.folder / "new.jsonl").rename(forge.folder / wicked)
    assert forge.run(CANDIDATE=wicked).returncode == 1
    assert not (forge.folder / "owned").exists()
    assert forge.run(NAME='x") | .id #').returncode == 2


def test_the_action_gives_the_script_what_it_reads() -> None:
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = next(step for step in action["runs"]["steps"] if step.get("id") == "gate")
    given = {*step["env"], "RUNNER_TEMP"}
    read = set(re.findall(r"\$\{?([A-Z_]+)", SCRIPT.read_text()))
    assert {name for name in read if not name.startswith("GITHUB_")} - {"RANDOM"} == given - {"GH_TOKEN"}
    used = set(re.findall(r"inputs\.(\w+)", (ROOT / "action.yml").read_text()))
    assert used == set(action["inputs"])
    assert set(action["outputs"]) == {"folder", *re.findall(r"\b(verdict|passed)=", SCRIPT.read_text())}
    assert all(f"steps.gate.outputs.{name} " in told["value"] for name, told in action["outputs"].items())
    # An expression within a script would let a title of a pull request be a command; they stand in `env` alone.
    assert not any("${{" in step.get("run", "") for step in action["runs"]["steps"])
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in action["runs"]["steps"] if "uses" in step)
