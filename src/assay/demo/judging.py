"""A small pool to judge by hand: texts of three topics and of some documents, the judges' files and the adjudication.

Places, people and findings are invented. Each text goes to a document of its grade.
"""

from __future__ import annotations

import csv
import io
import json
from importlib import resources
from itertools import groupby
from operator import itemgetter
from typing import Any

from assay.random import Stream, stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Pair = tuple[str, str]

SLIPS = {"ann": (0.15, 0), "bob": (0.4, -1), "machine": (0.4, 1)}
"""Error rates of each judge by direction: bob is strict, the machine lenient."""
HIGHEST = 2
MINUTE = "2026-03-02T09:{:02}:00+00:00"


def asset(name: str) -> str:
    """Return a file of invented texts: `topics.jsonl`, or `documents.jsonl` with the grade that each text deserves."""
    return resources.files("assay.demo").joinpath("assets", name).read_text("utf-8")


def documents() -> list[dict[str, Any]]:
    """Return the texts, with topic and grade, in the order of the topics."""
    return [json.loads(line) for line in asset("documents.jsonl").splitlines()]


def to_judge(seed: int, grades: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    """Return a pool of three topics with their texts, the texts of its documents, and judgments.

    grades   of the ranked track: each text goes to a document that has its grade
    """
    true_grades: dict[Pair, int] = {}
    texts: list[dict[str, str]] = []
    for topic, contents in groupby(documents(), key=itemgetter("topic")):
        by_grade = {grade: [d for d, judged_as in grades[topic].items() if judged_as == grade] for grade in range(3)}
        members: dict[str, int] = {}
        for content in contents:
            # A topic with too few documents of the highest grade uses some of the next one.
            document = (by_grade[content["grade"]] or by_grade[1] or by_grade[0]).pop(0)
            members[document] = content["grade"]
            texts.append({"id": document, "title": content["title"], "text": content["text"]})
        for document in _shuffled(list(members), stream(seed, "demo pool", int(topic))):
            true_grades[topic, document] = members[document]
    pool = "".join(json.dumps({"topic": topic, "document": document}) + "\n" for topic, document in true_grades)
    docs = (json.dumps(entry, ensure_ascii=False) + "\n" for entry in sorted(texts, key=itemgetter("id")))
    files = {"pool.jsonl": pool, "topics.jsonl": asset("topics.jsonl"), "docs.jsonl": "".join(docs)}
    return {**files, **judged(seed, true_grades)}


def _shuffled(documents: list[str], random: Stream) -> list[str]:
    for last in range(len(documents) - 1, 0, -1):
        other = random.below(last + 1)
        documents[last], documents[other] = documents[other], documents[last]
    return documents


def judged(seed: int, true_grades: Mapping[Pair, int]) -> dict[str, str]:
    """Return the files of the three judges and the adjudication.

    true_grades   the grade of each text by topic and document, in the order of the pool
    """
    grades = {name: _draw_grades(seed, name, true_grades) for name in SLIPS}
    return {
        "ann.judgments.jsonl": _ledger("ann", grades["ann"], second_thoughts=5),
        "bob.judgments.jsonl": _ledger("bob", grades["bob"], second_thoughts=11),
        "machine.qrels": "".join(f"{t} 0 {d} {grade}\n" for (t, d), grade in grades["machine"].items()),
        "decided.csv": _decided(true_grades, grades["ann"], grades["bob"]),
    }


def _draw_grades(seed: int, name: str, true_grades: Mapping[Pair, int]) -> dict[Pair, int]:
    error_rate, bias = SLIPS[name]
    grades: dict[Pair, int] = {}
    for place, (pair, grade) in enumerate(true_grades.items()):
        draw = stream(seed, f"demo pool {name}", place)
        slips = draw.bits() / 2**64 < error_rate
        grades[pair] = min(max(grade + slips * (bias or 1 - 2 * draw.below(2)), 0), HIGHEST)
    return grades


def _ledger(judge: str, grades: Mapping[Pair, int], second_thoughts: int) -> str:
    """Return the file that `assay judge` appends to, with one grade undone."""
    lines: list[dict[str, object]] = []
    for place, ((topic, document), grade) in enumerate(grades.items()):
        line: dict[str, object] = {"topic": topic, "document": document}
        time = MINUTE.format(place)
        if place == second_thoughts:
            lines.append({**line, "grade": HIGHEST - grade, "judge": judge, "time": time})
            lines.append({**line, "grade": None, "judge": judge, "time": time, "undo": True})
        lines.append({**line, "grade": grade, "judge": judge, "time": time})
    return "".join(json.dumps(entry) + "\n" for entry in lines)


def _decided(true_grades: Mapping[Pair, int], ann: Mapping[Pair, int], bob: Mapping[Pair, int]) -> str:
    """Return the file of `assay agree --adjudicate`, filled in."""
    rows: list[Sequence[object]] = [
        (*pair, ann[pair], bob[pair], grade, "carol", "")
        for pair, grade in true_grades.items()
        if ann[pair] != bob[pair]
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [("topic", "document", "ann", "bob", "decision", "by", "note"), *rows]
    )
    return text.getvalue()
