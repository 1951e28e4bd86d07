"""Generate the judgments of the demo's small pool, and the adjudication of disagreements."""

from __future__ import annotations

import csv
import io
import json

from assay.random import stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Pair = tuple[str, str]

SLIPS = {"ann": (0.15, 0), "bob": (0.4, -1), "machine": (0.4, 1)}
"""How often each judge errs, and in which direction: bob is strict, the machine lenient."""
HIGHEST = 2
MINUTE = "2026-03-02T09:{:02}:00+00:00"


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
