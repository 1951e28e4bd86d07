"""A forge that fits into a folder: a program that stands for its interface, a step's environment, and a system that answers."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import assay

TOPICS = [f"q{n}" for n in range(60)]
MARKER = "<!-- assay gate: assay -->"
GH = """#!{python}
import json, pathlib, sys
store = pathlib.Path({store!r})
words = sys.argv[1:]
with open(store / "calls.txt", "a") as calls:
    print(json.dumps(words), file=calls)
if (store / "refuses").exists():
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")
comments = json.loads((store / "comments.json").read_text())
if "--method" not in words:
    # What jq would select: comments that begin with the marker, and a bot's alone where that is asked for.
    asked = words[words.index("--jq") + 1]
    anybody, wanted = '.user.type == "Bot"' not in asked, asked.split('startswith("')[1].split('")')[0]
    print("\\n".join(str(c["id"]) for c in comments if (c["bot"] or anybody) and c["body"].startswith(wanted)))
    sys.exit()
body = pathlib.Path(words[words.index("-F") + 1].removeprefix("body=@")).read_text()
if "PATCH" in words:
    number = int(words[words.index("PATCH") + 1].rpartition("/")[2])
    next(c for c in comments if c["id"] == number)["body"] = body
else:
    comments.append({{"id": 100 + len(comments), "bot": True, "body": body}})
(store / "comments.json").write_text(json.dumps(comments))
"""


class Forge:
    """A folder with gold and runs, `assay` and `gh` on the path, and what the forge gives a step."""

    def __init__(self, folder: Path, script: Path) -> None:
        self.folder, self.script, self.store, programs = folder, script, folder / "store", folder / "bin"
        for made in (self.store, programs, folder / "temp"):
            made.mkdir()
        self.comments(write=[{"id": 1, "bot": False, "body": f"{MARKER}\nGate: passed, believe me"}])
        self.program(programs / "gh", GH.format(python=sys.executable, store=str(self.store)))
        source = str(Path(assay.__file__).parents[1])
        start = f"import sys; sys.path.insert(0, {source!r}); from assay.cli import main; sys.exit(main())"
        # A report takes seconds, and is asked for once.
        quick = '[ "$1" = report ] && [ -z "$WITH_REPORT" ] && exit 0\n'
        called = f'exec {shlex.quote(sys.executable)} -c {shlex.quote(start)} "$@"\n'
        self.program(programs / "assay", f"#!/bin/sh\n{quick}{called}")
        self.environment = {
            **os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_SERVER_URL": "https://forge.example", "GITHUB_REPOSITORY": "team/system", "GITHUB_RUN_ID": "77",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "GITHUB_OUTPUT": str(folder / "output.txt"),
            "GOLD": "gold.jsonl", "BASELINE": "old.jsonl", "CANDIDATE": "new.jsonl", "MEASURES": "accuracy", "MARGIN": "0.1",
            "UNDECIDED": "pass", "ARGUMENTS": "", "NAME": "assay", "COMMENT": "true", "PULL_REQUEST": "5", "GH_TOKEN": "none",
        }  # fmt: skip

    def program(self, path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    def answers(self, name: str, wrong: list[str]) -> None:
        lines = [{"id": topic, "answer": "no" if topic in wrong else "yes"} for topic in TOPICS]
        (self.folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))

    def run(self, **changes: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **changes}
        told = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
        return subprocess.run(["bash", str(self.script)], cwd=self.folder, env=environment, check=False, **told)

    def comments(self, write: list[dict] | None = None) -> list[dict]:
        path = self.store / "comments.json"
        if write is not None:
            path.write_text(json.dumps(write))
        return json.loads(path.read_text())

    @property
    def output(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.folder / "output.txt").read_text().splitlines())

    @property
    def summary(self) -> str:
        return (self.folder / "summary.md").read_text()

    @property
    def calls(self) -> list[list[str]]:
        path = self.store / "calls.txt"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
