"""The pages of gates: the workflow fits the action, and the job for GitLab does what it says, with stubs for what it calls."""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest
from forge import TOPICS, Forge
from pages import ROOT

yaml = pytest.importorskip("yaml")
WORKFLOW, JOB = (
    yaml.safe_load(block)
    for page in ("docs/gate.md", "docs/gate_gitlab.md")
    for block in re.findall(r"^```yaml\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
)
CURL = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
store = pathlib.Path({store!r})
address = words[-1]
notes = json.loads((store / "notes.json").read_text())
if address.endswith("/user"):
    print(json.dumps({{"id": 7}}))
elif "-X" not in words:
    assert address.endswith("/merge_requests/5/notes?per_page=100"), address
    print(json.dumps(notes))
else:
    body = pathlib.Path(words[words.index("--data-urlencode") + 1].removeprefix("body@")).read_text()
    if words[words.index("-X") + 1] == "PUT":
        number = int(address.rpartition("/")[2])
        next(note for note in notes if note["id"] == number)["body"] = body
    else:
        notes.insert(0, {{"id": 11, "author": {{"id": 7}}, "body": body}})
    (store / "notes.json").write_text(json.dumps(notes))
"""


def test_the_workflow_names_inputs_that_the_action_has() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    checkout, *_, step = WORKFLOW["jobs"]["gate"]["steps"]
    # No public address has the action: it is a copy in the repository that is checked out.
    assert (checkout["uses"].partition("@")[0], step["uses"][:2]) == ("actions/checkout", "./")
    needed = {name for name, told in action["inputs"].items() if told.get("required")}
    assert needed <= set(step["with"]) <= set(action["inputs"])
    listed = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs/gate.md").read_text(), re.MULTILINE)
    rows = {name for cell in listed for name in re.findall(r"`(\w+)`", cell)}
    assert set(action["inputs"]) <= rows


@pytest.fixture
def job(tmp_path) -> Forge:
    if shutil.which("bash") is None or sys.platform == "win32":
        pytest.skip("the job runs in a shell of Unix")
    script = tmp_path / "job.sh"
    script.write_text("set -eo pipefail\n" + "\n".join(JOB["gate"]["script"]))
    made = Forge(tmp_path, script)
    made.program(tmp_path / "bin" / "pip", "#!/bin/sh\n")
    made.program(tmp_path / "bin" / "curl", CURL.format(python=sys.executable, store=str(made.store)))
    (tmp_path / "eval").mkdir()
    made.answers("eval/gold.jsonl", [])
    made.answers("eval/baseline.jsonl", TOPICS[:10])
    somebody = {"id": 3, "author": {"id": 1}, "body": "<!-- assay gate -->\nGate: passed, believe me"}
    (made.store / "notes.json").write_text(json.dumps([somebody]))
    made.environment |= {
        "CI_JOB_URL": "https://forge.example/jobs/9", "CI_API_V4_URL": "https://forge.example/api/v4", "CI_PROJECT_ID": "2",
        "CI_MERGE_REQUEST_IID": "5", "GATE_TOKEN": "none",
    }  # fmt: skip
    return made


def answering(job: Forge, wrong: list[str]) -> None:
    job.answers("made.jsonl", wrong)
    job.program(job.folder / "answer-all-questions.sh", "#!/bin/sh\ncat made.jsonl\n")


def notes(job: Forge) -> list[str]:
    return [note["body"] for note in json.loads((job.store / "notes.json").read_text())]


def test_the_job_stops_a_worse_candidate_and_writes_one_note(job) -> None:
    answering(job, TOPICS[:40])
    done = job.run()
    assert done.returncode == 1, done.stderr
    assert notes(job)[0].startswith("<!-- assay gate -->\n### Gate: inferior, stopped\n")
    assert "(https://forge.example/jobs/9/artifacts/browse/gate)" in notes(job)[0]
    answering(job, TOPICS[:10])
    assert job.run().returncode == 4 == JOB["gate"]["allow_failure"]["exit_codes"]
    ours, somebodys = notes(job)
    # The very same answers: 60 questions without a difference allow for one of 3/60, which is more than the margin of the page.
    assert ours.startswith("<!-- assay gate -->\n### Gate: undecided, let through\n")
    assert somebodys.endswith("believe me")


def test_without_a_token_the_job_decides_all_the_same(job) -> None:
    answering(job, TOPICS[:40])
    assert job.run(GATE_TOKEN="").returncode == 1
    assert len(notes(job)) == 1


def test_what_cannot_be_compared_stops_the_job_with_its_own_code(job) -> None:
    job.program(job.folder / "answer-all-questions.sh", "#!/bin/sh\necho not json\n")
    assert job.run().returncode == 3
