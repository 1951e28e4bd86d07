"""The pool to try `assay judge` on: consistent with the ranked track, and with something to tell apart."""

from __future__ import annotations

import json

from assay.demo.data import organising, ranked
from assay.demo.texts import TEXTS, TOPICS


def test_every_document_has_a_text_a_topic_and_the_grade_it_deserves() -> None:
    made = organising(2001)
    pool = [json.loads(line) for line in made["pool.jsonl"].splitlines()]
    docs = {one["id"]: one for one in map(json.loads, made["docs.jsonl"].splitlines())}
    topics = {one["id"]: one for one in map(json.loads, made["topics.jsonl"].splitlines())}
    assert len(pool) == len(docs) == sum(map(len, TEXTS.values())) == 24
    assert {one["topic"] for one in pool} == {*topics} == {*TOPICS} == {*TEXTS}
    assert {one["document"] for one in pool} == {*docs}
    qrels = {
        (line.split()[0], line.split()[2]): int(line.split()[3]) for line in ranked(2001)["qrels.txt"].splitlines()
    }
    deserved = {title: grade for of in TEXTS.values() for grade, title, _ in of}
    differ = [one for one in pool if qrels[one["topic"], one["document"]] != deserved[docs[one["document"]]["title"]]]
    assert len(differ) <= 2
    order = [deserved[docs[one["document"]]["title"]] for one in pool[:8]]
    assert order != sorted(order, reverse=True)


def test_the_same_seed_gives_the_same_pool() -> None:
    assert organising(1)["pool.jsonl"] == organising(1)["pool.jsonl"] != organising(2)["pool.jsonl"]
