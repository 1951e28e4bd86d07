"""The pool to try `assay judge` on is consistent with the ranked track, and its judgments are what the commands write."""

from __future__ import annotations

import csv
import json

import assay
from assay.demo.data import organising, ranked, write_demo
from assay.demo.judging import documents, judged

DESERVED = {
    ("1", "d1"): 2,
    ("1", "d2"): 0,
    ("1", "d3"): 1,
    ("2", "d4"): 0,
    ("2", "d5"): 2,
    ("2", "d6"): 1,
    ("2", "d7"): 1,
}


def test_every_document_has_a_text_a_topic_and_the_grade_it_deserves() -> None:
    made = organising(2001)
    pool = [json.loads(line) for line in made["pool.jsonl"].splitlines()]
    docs = {one["id"]: one for one in map(json.loads, made["docs.jsonl"].splitlines())}
    topics = {one["id"]: one for one in map(json.loads, made["topics.jsonl"].splitlines())}
    texts = documents()
    assert len(pool) == len(docs) == len(texts) == 24
    assert {one["topic"] for one in pool} == {*topics} == {one["topic"] for one in texts}
    assert {one["document"] for one in pool} == {*docs}
    qrels = {
        (line.split()[0], line.split()[2]): int(line.split()[3]) for line in ranked(2001)["qrels.txt"].splitlines()
    }
    deserved = {one["title"]: one["grade"] for one in texts}
    differ = [one for one in pool if qrels[one["topic"], one["document"]] != deserved[docs[one["document"]]["title"]]]
    assert len(differ) <= 2
    order = [deserved[docs[one["document"]]["title"]] for one in pool[:8]]
    assert order != sorted(order, reverse=True)


def test_the_same_seed_gives_the_same_pool() -> None:
    assert organising(1)["pool.jsonl"] == organising(1)["pool.jsonl"] != organising(2)["pool.jsonl"]


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
