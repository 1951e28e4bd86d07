"""What two assessors and a machine said of the demo's small pool, and how the organiser settled where the two differ."""

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
"""How often each gives another grade than the text deserves, and which way: bob is strict, the machine lenient."""
HIGHEST = 2
MINUTE = "2026-03-02T09:{:02}:00+00:00"


def judged(seed: int, deserved: Mapping[Pair, int]) -> dict[str, str]:
    """The files of the three judges, and the decisions.

    deserved   by topic and document in the order of the pool, the grade of its text
    """
    given = {name: _given(seed, name, deserved) for name in SLIPS}
    return {
        "ann.judgments.jsonl": _ledger("ann", given["ann"], second_thoughts=5),
        "bob.judgments.jsonl": _ledger("bob", given["bob"], second_thoughts=11),
        "machine.qrels": "".join(f"{t} 0 {d} {grade}\n" for (t, d), grade in given["machine"].items()),
        "decided.csv": _decided(deserved, given["ann"], given["bob"]),
    }


def _given(seed: int, name: str, deserved: Mapping[Pair, int]) -> dict[Pair, int]:
    often, way = SLIPS[name]
    found: dict[Pair, int] = {}
    for place, (pair, grade) in enumerate(deserved.items()):
        draw = stream(seed, f"demo pool {name}", place)
        slips = draw.bits() / 2**64 < often
        found[pair] = min(max(grade + slips * (way or 1 - 2 * draw.below(2)), 0), HIGHEST)
    return found


def _ledger(judge: str, grades: Mapping[Pair, int], second_thoughts: int) -> str:
    """The file that `assay judge` adds to; after one document the judge hit a wrong key, and took it back."""
    lines: list[dict[str, object]] = []
    for place, ((topic, document), grade) in enumerate(grades.items()):
        one: dict[str, object] = {"topic": topic, "document": document}
        time = MINUTE.format(place)
        if place == second_thoughts:
            lines.append({**one, "grade": HIGHEST - grade, "judge": judge, "time": time})
            lines.append({**one, "grade": None, "judge": judge, "time": time, "undo": True})
        lines.append({**one, "grade": grade, "judge": judge, "time": time})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _decided(deserved: Mapping[Pair, int], ann: Mapping[Pair, int], bob: Mapping[Pair, int]) -> str:
    """What `assay agree --adjudicate` writes, filled in."""
    rows: list[Sequence[object]] = [
        (*pair, ann[pair], bob[pair], grade, "carol", "") for pair, grade in deserved.items() if ann[pair] != bob[pair]
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [("topic", "document", "ann", "bob", "decision", "by", "note"), *rows]
    )
    return text.getvalue()
