"""`assay compare --fail-if-worse … --comment`: three outcomes, their exit codes, and the comment beside the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli import main

TOPICS = [f"q{n}" for n in range(60)]


def write(path, wrong) -> None:
    lines = [{"id": topic, "answer": "no" if topic in wrong else "yes"} for topic in TOPICS]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Of 60 questions `old` misses 10; `lost` misses 30 more, `same` the very same, `unsure` one more, and finds another."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "gold.jsonl", ())
    write(tmp_path / "old.jsonl", TOPICS[:10])
    write(tmp_path / "lost.jsonl", TOPICS[:40])
    write(tmp_path / "same.jsonl", TOPICS[:10])
    write(tmp_path / "unsure.jsonl", TOPICS[1:12])
    return tmp_path


def gate(capfd, candidate: str, *words: str) -> tuple[int, str, str]:
    """The exit code, the JSON's word, and the comment's first line."""
    command = ["compare", "gold.jsonl", "old.jsonl", f"{candidate}.jsonl", "-m", "accuracy", "--fail-if-worse", "0.1"]
    code = main([*command, "--comment", "comment.md", "-o", "out.json", *words])
    capfd.readouterr()
    [pair] = json.loads(Path("out.json").read_text())["pairs"]
    return code, pair["gate"], Path("comment.md").read_text().splitlines()[0]


def test_thirty_of_sixty_lost_is_inferior(folder, capfd) -> None:
    assert gate(capfd, "lost") == (1, "inferior", "### Gate: inferior, stopped")
    told = (folder / "comment.md").read_text()
    # 50 of 60 right, then 20 of 60.
    assert "| `accuracy` | `old` 0.8333 | `lost` 0.3333 | -0.5000 |" in told
    assert "30 questions flipped from <code>old</code> to <code>lost</code>: 30 for the worse, 0 for the better" in told
    assert "`old` is better than `lost`" in told


def test_the_very_same_answers_are_non_inferior(folder, capfd) -> None:
    assert gate(capfd, "same") == (0, "non-inferior", "### Gate: non-inferior, passed")
    assert "flipped" not in (folder / "comment.md").read_text()


@pytest.mark.parametrize(("words", "code", "effect"), [((), 0, "let through"), (("--undecided", "fail"), 1, "stopped")])
def test_too_few_questions_are_an_outcome_of_their_own(folder, capfd, words, code, effect) -> None:
    """One question found and two lost: 57 agree. With a margin of .001 the interval reaches to both sides of it."""
    found = gate(capfd, "unsure", "--fail-if-worse", "0.001", *words)
    assert found == (code, "undecided", f"### Gate: undecided, {effect}")
    told = (folder / "comment.md").read_text()
    assert "Too few questions to tell" in told
    assert "3 questions flipped from <code>old</code> to <code>unsure</code>: 2 for the worse, 1 for the better" in told


def test_within_groups_each_has_its_row(folder, capfd) -> None:
    gold = [{"id": t, "answer": "yes", "level": "hard" if n % 2 else "easy"} for n, t in enumerate(TOPICS)]
    (folder / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in gold))
    words = ["gold.jsonl", "old.jsonl", "lost.jsonl", "-m", "accuracy", "--fail-if-worse", "--by", "level"]
    assert main(["compare", *words, "--comment", "comment.md"]) == 1
    told = (folder / "comment.md").read_text()
    assert "| `easy` | `accuracy` | `old` 0.8333 | `lost` 0.3333 |" in told
    assert "15 questions flipped on <code>hard</code> from" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--comment", "c.md"], "--comment needs --fail-if-worse MARGIN"),
        (["--link", "x"], "--link needs --comment FILE.md"),
        (["--fail-if-worse", "0", "--comment", "old.jsonl"], "would overwrite the input"),
        (["--fail-if-worse", "0", "--comment", "c.md", "--save-scores", "c.md"], "--comment writes the same file"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_written(folder, capfd, words, said) -> None:
    assert main(["compare", "gold.jsonl", "old.jsonl", "lost.jsonl", "-m", "accuracy", *words]) == 2
    assert said in capfd.readouterr().err
    assert not (folder / "c.md").exists()
