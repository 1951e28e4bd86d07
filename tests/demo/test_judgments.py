"""The judgments of the demo's pool are what the commands write, and there is something to settle."""

from __future__ import annotations

import csv
import json

import assay
from assay.demo.data import write_demo
from assay.demo.judgments import judged

DESERVED = {
    ("1", "d1"): 2,
    ("1", "d2"): 0,
    ("1", "d3"): 1,
    ("2", "d4"): 0,
    ("2", "d5"): 2,
    ("2", "d6"): 1,
    ("2", "d7"): 1,
}


def test_every_judge_judges_every_document_once() -> None:
    made = judged(1, DESERVED)
    for name in ("ann", "bob"):
        kept: dict[tuple[str, str], int] = {}
        for line in map(json.loads, made[f"{name}.judgments.jsonl"].splitlines()):
            if line.get("undo"):
                del kept[line["topic"], line["document"]]
            else:
                kept[line["topic"], line["document"]] = line["grade"]
        assert list(kept) == list(DESERVED)
    assert [tuple(line.split()[::2]) for line in made["machine.qrels"].splitlines()] == list(DESERVED)


def test_decisions_are_of_what_the_two_differ_on(tmp_path, monkeypatch) -> None:
    """As `assay agree --adjudicate` lists them, in whatever order; the decision is the grade the text deserves."""
    write_demo(str(tmp_path))
    monkeypatch.chdir(tmp_path / "organising")
    found = assay.agree(["ann.judgments.jsonl", "bob.judgments.jsonl"], pool="pool.jsonl", resamples=0)
    found.write_adjudication("open.csv")
    with open("open.csv", newline="") as file, open("decided.csv", newline="") as filled:
        asked, given = list(csv.DictReader(file)), list(csv.DictReader(filled))

    def key(row):
        return row["topic"], row["document"], row["ann"], row["bob"]

    assert list(asked[0]) == list(given[0])
    assert sorted(map(key, asked)) == sorted(map(key, given))
    assert 5 <= len(given) <= 12
    settled = found.settle("decided.csv")
    assert len([one for documents in settled.qrels.values() for one in documents]) == 24
