"""Campaigns of documents: a better system scores better, and there is something of everything that a page may show."""

from __future__ import annotations

import json

import assay
from assay.demo.gallery_documents import diversity, filtering, judgment_groups, known_item, ranked, scores


def runs_of(made):
    return [content.encode() for path, content in made.items() if path.startswith("runs/")]


def test_the_texts_are_those_of_the_topics_and_of_every_document() -> None:
    made = ranked(2001)
    topics = {json.loads(line)["id"] for line in made["topics.jsonl"].splitlines()}
    texts = {json.loads(line)["id"] for line in made["docs.jsonl"].splitlines()}
    judged = [line.split() for line in made["qrels.txt"].splitlines()]
    assert {line[0] for line in judged} == topics
    assert {line[2] for line in judged} <= texts
    assert {line.split()[2] for line in made["runs/rerank.run"].splitlines()} <= texts
    assert {line[3] for line in judged} == {"0", "1", "2"}


def test_a_better_system_scores_better() -> None:
    made = ranked(2001)
    values = assay.evaluate(made["qrels.txt"].encode(), runs_of(made), "AP")["AP"]
    assert values["title-only"] < values["bm25"] < values["rerank"]


def test_who_serves_one_meaning_first_covers_fewer() -> None:
    made = diversity(2001)
    found = assay.evaluate(made["qrels.txt"].encode(), runs_of(made), ["StRecall@3", "P@1"])
    assert found.task.name == "diversity"
    assert found["StRecall@3"]["capitals-first"] < found["StRecall@3"]["round-robin"]
    assert found["P@1"]["capitals-first"] > 0.5


def test_some_known_items_are_first_and_some_are_not_found() -> None:
    made = known_item(2001)
    found = assay.evaluate(made["qrels.txt"].encode(), runs_of(made), ["Found@1", "NotFound@100"], task="known-item")
    assert min(found["Found@1"].values()) > 0
    assert max(found["NotFound@100"].values()) > 0


def test_judges_do_not_always_agree() -> None:
    grades: dict[tuple[str, str], set[str]] = {}
    for line in judgment_groups(2001)["qrels.txt"].splitlines():
        topic, _, document, grade = line.split()
        grades.setdefault((topic, document), set()).add(grade)
    assert {len(found) for found in grades.values()} == {1, 2}


def test_filtering_profiles_have_texts_and_scores_lie_between_0_and_1() -> None:
    made = filtering(2001)
    assert {line.split("\t")[0] for line in made["topics.tsv"].splitlines()} == {f"R{n}" for n in range(1, 13)}
    cells = [float(cell) for line in scores(2001)["nDCG.csv"].splitlines()[1:] for cell in line.split(",")[1:]]
    assert len(cells) == 24 * 5
    assert 0 <= min(cells) <= max(cells) <= 1
