"""`assay compare --fail-if-worse … --comment`: three outcomes, their exit codes, and the comment beside the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy.stats import norm

from assay.cli import main
from assay.stats.paired_proportions import tango_interval

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
    assert "`old` beats `lost`" in told


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


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """Write a run's outcomes: `logs("old", "c" * 48 + "w" * 12)`; f is failed, u unanswered."""
    monkeypatch.chdir(tmp_path)
    words = {"c": "correct", "w": "incorrect", "f": "failed", "u": "unanswered"}

    def write(name: str, outcomes: str, task: str = "") -> str:
        rows = [
            {"id": f"q{i}", "outcome": words[o], **({"task": task} if task else {})} for i, o in enumerate(outcomes)
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path.name

    return write


def compare_runs(*words: str) -> int:
    return main(["compare", *words, "-m", "accuracy", "-o", "pairs.json"])


def first_pair() -> dict:
    return json.loads(Path("pairs.json").read_text())["pairs"][0]


def test_failures_are_no_evidence(logs, capsys) -> None:
    """40 of 60 failed, 20 of 20 right: undecided, exit code 1 even with --undecided pass, and the reason is first."""
    old, new = logs("old", "c" * 48 + "w" * 12), logs("new", "c" * 20 + "f" * 40)
    assert compare_runs("--old", old, "--new", new, "--fail-if-worse", "0.03", "--comment", "comment.md") == 1
    assert "UNDECIDED, new failed on 40 of 60 questions, old none" in capsys.readouterr().err
    result = first_pair()
    assert (result["gate"], result["gate_reason"]) == ("undecided", "new failed on 40 of 60 questions, old none")
    # All failures wrong: 20/60 - 48/60; all right: 60/60 - 48/60.
    assert result["failure_bounds"] == pytest.approx([-28 / 60, 12 / 60])
    assert "`new` 1.0000 (40 failed)" in Path("comment.md").read_text()
    assert compare_runs("--old", old, "--new", new, "--fail-if-worse", "0.03", "--max-failed", "0.7") == 0
    assert first_pair()["gate_reason"] is None


def test_a_stopped_gate_never_says_that_it_passes(logs) -> None:
    old, new = logs("old", "c" * 48 + "w" * 12), logs("new", "c" * 20 + "f" * 40)
    assert compare_runs("--old", old, "--new", new, "--fail-if-worse", "0.03", "--comment", "comment.md") == 1
    comment = Path("comment.md").read_text()
    assert "Gate: undecided, stopped" in comment
    assert "here it passes" not in comment
    assert "failed on too much: stopped whatever the bounds" in comment


def test_missing_questions_have_bounds_too(logs) -> None:
    """40 of 60 missing, counted as unanswered: all wrong 20/60 - 48/60, all right 60/60 - 48/60."""
    old, new = logs("old", "c" * 48 + "w" * 12), logs("new", "c" * 20)
    assert compare_runs("--old", old, "--new", new, "--fail-if-worse", "0.03", "--undecided", "fail") == 1
    result = first_pair()
    assert result["gate_reason"] == "new lacks 40 of 60 questions, old none"
    assert result["failure_bounds"] == pytest.approx([-28 / 60, 12 / 60])
    assert "counted right 0.20" in result["sentence"]


def test_a_share_of_exactly_the_maximum_is_allowed(logs) -> None:
    old, new = logs("old", "c" * 200), logs("new", "c" * 190 + "f" * 10)
    assert compare_runs("--old", old, "--new", new, "--fail-if-worse", "0.05") == 0
    new = logs("new", "c" * 189 + "f" * 11)
    assert compare_runs("--old", old, "--new", new, "--fail-if-worse", "0.05") == 1
    # Its bounds alone, z²/(189 + z²) = .0199 either way, would say non-inferior.
    assert first_pair()["gate"] == "undecided"
    assert first_pair()["gate_bounds"][0] > -0.05


def test_the_order_of_arguments_does_not_matter(logs) -> None:
    better, worse = logs("better", "c" * 90 + "w" * 10), logs("worse", "c" * 50 + "w" * 50)
    for words in (("--old", better, "--new", worse), ("--new", worse, "--old", better)):
        assert compare_runs(*words, "--fail-if-worse", "0.03") == 1
        assert (first_pair()["a"], first_pair()["b"], first_pair()["gate"]) == ("worse", "better", "inferior")
    for words in (("--old", worse, "--new", better), ("--new", better, "--old", worse)):
        assert compare_runs(*words, "--fail-if-worse", "0.03") == 0
        assert (first_pair()["a"], first_pair()["b"], first_pair()["gate"]) == ("better", "worse", "non-inferior")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--old", "old.jsonl"), "--old and --new are given together"),
        (("--old", "old.jsonl", "--new", "new.jsonl", "--baseline", "old"), "leave out --baseline"),
        (("a", "b", "--old", "old.jsonl", "--new", "new.jsonl"), "at most the gold before them, found 2"),
    ],
)
def test_usage(logs, capsys, words, problem) -> None:
    logs("old", "ccww")
    logs("new", "ccww")
    assert compare_runs(*words, "--fail-if-worse", "0.03") == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("lost", ["missing", "failed"])
def test_a_candidate_without_a_small_task_is_stopped_by_the_macro_mean_too(tmp_path, monkeypatch, capsys, lost) -> None:
    """10 of 1,010 questions are less than 5%, but they are a whole task."""
    monkeypatch.chdir(tmp_path)
    sizes = {"large": 500, "larger": 500, "small": 10}
    for name in ("old", "new"):
        rows = [
            {"id": f"{task}{i}", "task": task, "outcome": "failed" if gone else "correct"}
            for task, size in sizes.items() for i in range(size)
            if not (gone := name == "new" and task == "small") or lost == "failed"
        ]  # fmt: skip
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    words = ("--old", "old.jsonl", "--new", "new.jsonl", "--fail-if-worse", "0.05")
    assert compare_runs(*words) == 1
    assert "UNDECIDED, new has no results on small" in capsys.readouterr().err
    assert first_pair()["gate_reason"] == "new has no results on small"
    assert first_pair()["gate_bounds"][0] > -0.05
    assert compare_runs(*words, "--max-failed", "1") == 0
    assert compare_runs("--old", "new.jsonl", "--new", "old.jsonl", "--fail-if-worse", "0.05") == 0


def test_a_candidate_without_a_task_is_stopped_among_several(logs, tmp_path, capsys) -> None:
    """`third` passes on both tasks; `new` has nothing of b: with two runs or three, the gate stops it."""

    def table(name: str, **right: int) -> str:
        rows = [
            f"{name},{task}{i},{'correct' if i < count else 'incorrect'},{task}"
            for task, count in right.items()
            for i in range(40)
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(["run,id,outcome,task", *rows]))
        return f"{name}.csv"

    old, new, third = table("old", a=30, b=20), table("new", a=38), table("third", a=38, b=32)
    words = ["--by", "task", "--fail-if-worse", "0.05", "--comment", "comment.md"]
    assert compare_runs("--old", old, "--new", new, *words) == 1
    assert compare_runs("--judged", old, third, "--baseline", "old", *words) == 0
    assert compare_runs("--judged", old, new, third, "--baseline", "old", *words) == 1
    assert "UNDECIDED, new has no results on b" in capsys.readouterr().err
    comment = Path("comment.md").read_text()
    assert comment.startswith("### Gate: undecided, stopped\n")
    assert "`new` has no results" in comment


def test_every_row_is_printed_with_its_bounds_and_their_family(logs, capsys) -> None:
    """One loss of 1,000 by two measures: Tango's bounds, the lower at 2.5%, the upper at 2.5% / 2."""
    old, new = logs("old", "c" * 1000), logs("new", "w" + "c" * 999)
    words = ["compare", "--old", old, "--new", new, "--fail-if-worse", "0.03", "-o", "pairs.json"]
    assert main([*words, "-m", "accuracy", "-m", "UF"]) == 0
    said = capsys.readouterr().err
    low, high = tango_interval(0, 1, 1000, norm.ppf(0.975))[0], tango_interval(0, 1, 1000, norm.ppf(1 - 0.0125))[1]
    assert f"PASSED, non-inferior: new against old by accuracy: -0.0010 [{low:+.4f}, {high:+.4f}], each at 2.5%" in said
    assert "hold for all 2 verdicts of this command at once" in said
    assert main([*words, "-m", "accuracy"]) == 0
    assert "verdicts" not in capsys.readouterr().err
