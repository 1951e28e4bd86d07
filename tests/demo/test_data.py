"""The built-in data: the same bytes everywhere, and what each task needs."""

from __future__ import annotations

import json

import assay
from assay.demo.data import answers, filtering, judges, logs, ranked, write_demo


def test_the_same_seed_writes_the_same_bytes(tmp_path) -> None:
    for folder in ("a", "b"):
        write_demo(str(tmp_path / folder))
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert len(files) == 9 + 3 + 2 + 7 + 6 + 8 + 10
    assert all((tmp_path / "a" / f).read_bytes() == (tmp_path / "b" / f).read_bytes() for f in files)
    assert ranked(1, topics=2)["qrels.txt"] != ranked(2, topics=2)["qrels.txt"]


def test_a_better_system_scores_better() -> None:
    made = ranked(2001)
    runs = [made[f"runs/{name}.run"].encode() for name in ("random", "bm25", "rerank")]
    values = assay.evaluate(made["qrels.txt"].encode(), runs, "AP")["AP"]
    assert values["random"] < values["bm25"] < values["rerank"]


def test_answers_may_be_declined_and_keep_their_candidate() -> None:
    made = answers(2001, questions=50)
    lines = [json.loads(line) for line in made["runs/shy.jsonl"].splitlines()]
    declined = [line for line in lines if line["answer"] is None]
    assert declined
    assert all(line["candidate"] for line in declined)


def test_logs_of_three_models_on_two_tasks(tmp_path) -> None:
    made = logs(2001)
    for name, content in made.items():
        (tmp_path / name).write_text(content)
    scores = assay.evaluate(str(tmp_path), None, ["correct", "incorrect", "unanswered"])
    told = [
        sample["scores"].get("match", {}).get("value") for sample in json.loads(made["science_careful.json"])["samples"]
    ]
    assert len(told) == 24 * 2
    assert {*told} == {"C", "I", "N", None}
    assert (len(scores.topics), sorted(scores.runs)) == (40 + 24, ["made/bold", "made/careful", "made/small"])
    assert scores.mean("unanswered")["made/bold"] == 0


def test_filtering_has_four_periods() -> None:
    made = filtering(2001, topics=2, documents=100)
    assert made["periods.txt"].split() == ["N00025", "N00050", "N00075"]
    assert 'subtask = "adaptive"' in made["runs.toml"]


def test_two_people_and_a_machine_judge_the_ranked_track() -> None:
    made = judges(2001)
    lines = {name: [line.split() for line in text.splitlines()] for name, text in made.items()}
    assert list(lines) == ["ann.qrels", "bob.qrels", "machine.qrels"]
    assert {line[0] for line in lines["bob.qrels"]} == {str(topic) for topic in range(1, 21)}
    assert len(lines["ann.qrels"]) == len(lines["machine.qrels"]) > len(lines["bob.qrels"])
    mean = {name: sum(int(line[3]) for line in found[:1000]) for name, found in lines.items()}
    assert mean["bob.qrels"] < mean["ann.qrels"] < mean["machine.qrels"]
