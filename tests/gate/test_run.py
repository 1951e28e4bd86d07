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
    assert forge.output["verdict"] == "inferior"
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
    assert next(words for words in forge.calls if "PATCH" in words)[-3].endswith("/comments/101")


def test_undecided_is_told_apart_and_goes_as_asked(forge) -> None:
    forge.answers("new.jsonl", TOPICS[1:12])
    assert forge.run(MARGIN="0.001").returncode == 0
    assert forge.output["verdict"] == "undecided"
    assert forge.run(MARGIN="0.001", UNDECIDED="fail").returncode == 1
    assert forge.output["verdict"] == "undecided"


def test_two_gates_have_a_comment_each(forge) -> None:
    forge.run()
    forge.run(NAME="safety", MEASURES="accuracy c@1")
    bodies = [one["body"] for one in forge.comments()[1:]]
    assert [body.splitlines()[0] for body in bodies] == [MARKER, "<!-- assay gate: safety -->"]
    assert "| `c@1` |" in bodies[1]


def test_without_a_measure_the_headline_of_the_task_decides(forge) -> None:
    assert forge.run(MEASURES="", ARGUMENTS="--confidence 0.9").returncode == 1
    assert "| difference | 90% interval |" in forge.summary
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
    (forge.folder / "new.jsonl").unlink()
    done = forge.run()
    assert done.returncode == 3
    assert "No verdict is not a pass" in done.stdout
    assert forge.summary.startswith("### Gate: not run\n")
    assert "new.jsonl" in forge.summary
    assert forge.calls == []


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
    assert {name for name in read if not name.startswith("GITHUB_")} == given - {"GH_TOKEN"}
    used = set(re.findall(r"inputs\.(\w+)", (ROOT / "action.yml").read_text()))
    assert used == set(action["inputs"])
    # An expression within a script would let a title of a pull request be a command; they stand in `env` alone.
    assert not any("${{" in step.get("run", "") for step in action["runs"]["steps"])
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in action["runs"]["steps"] if "uses" in step)
