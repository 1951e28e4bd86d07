"""Battles: two systems side by side on a question, and the preferred one.

    {"question": "q1", "a": "gpt-x", "b": "llama-y", "winner": "a", "length_a": 812, "length_b": 1204}

JSONL, one array, CSV or TSV. `winner` is a, b, tie, or the name of one of the two. Chatbot Arena's names (`model_a`, `model_b`,
`question_id`, `tie (bothbad)`) are also read, and `id` where there is no `question`. Lengths are in characters and optional.
AlpacaEval's annotations are battles of each model with the baseline; the model wins its preference less 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from assay.errors import FormatError
from assay.formats.frames import table_rows
from assay.formats.harness.alpaca_eval import EXPECTED, Pair, judge_of, problem_of, question_of, won
from assay.formats.harness.logs import LogReading
from assay.formats.json_files import decode
from assay.formats.jsonl import json_lines, plain
from assay.formats.lines import parse_number
from assay.formats.recognition import reads, recognise
from assay.io.heads import Head
from assay.io.sources import Source

NAMES = {
    "question": ("question", "question_id", "id"), "a": ("a", "model_a"), "b": ("b", "model_b"), "winner": ("winner",),
    "length_a": ("length_a",), "length_b": ("length_b",),
}  # fmt: skip
"""The names of each field, the preferred one first."""
WORDS = {
    "a": 1.0, "model_a": 1.0, "b": 0.0, "model_b": 0.0, "tie": 0.5, "draw": 0.5, "both_bad": 0.5, "tie (bothbad)": 0.5,
}  # fmt: skip
"""By value of `winner`: the share of the battle that `a` wins."""
MEANINGS = {1.0: "a win of the first system", 0.0: "a win of the second system", 0.5: "a tie"}


class Battle(msgspec.Struct, frozen=True, gc=False):
    """One battle; `won` is the share that `a` wins: 1, 0, or between for a tie or an unsure judge."""

    question: str
    a: str
    b: str
    won: float
    length_a: int | None = None
    length_b: int | None = None


def _battles(head: Head) -> bool:
    """first line, or first of an array, or header, with `winner` and both `a` and `b` (or `model_a` and `model_b`)."""
    if head.shape in ("table", "frame"):
        there = set(head.columns)
    elif head.shape in ("json", "array"):
        there = {name for names in NAMES.values() for name in names if head.has(name)}
    else:
        return False
    return all(not there.isdisjoint(NAMES[role]) for role in ("winner", "a", "b", "question"))


@reads(
    "battles",
    role="gold",
    task="pairwise",
    yields="battles of two systems and who won",
    recognises=_battles,
    shapes="json array table frame",
    markers=("winner",),
    after=("pan-truth",),
    recovers="line, row, member",
)
def read_battles(source: Source) -> list[Battle]:
    """Return every battle of a file, in its order."""
    return [battle for _, battle in battle_lines(source)]


def battle_lines(source: Source) -> Iterator[tuple[int, Battle]]:
    """Yield every battle with its line."""
    rows = _cells(source) if source.head.shape in ("table", "frame", "parquet") else json_lines(source, "battles")
    for line, row in rows:
        yield line, _battle(source, line, row)


def _cells(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    names, rows = table_rows(source)
    for line, cells in rows:
        yield line, {name: cell or None for name, cell in zip(names, cells, strict=True)}


def _battle(source: Source, line: int, row: dict[str, Any]) -> Battle:
    values = {
        role: next((row[name] for name in names if row.get(name) is not None), None) for role, names in NAMES.items()
    }
    for role in ("question", "a", "b", "winner"):
        if values[role] is None or isinstance(values[role], list | dict):
            raise source.error(line, f"expected {NAMES[role][0]!r}, the {_meaning(role)}, found none")
    question, a, b, winner = (plain(values[role]) for role in ("question", "a", "b", "winner"))
    if a == b:
        raise source.error(line, f"system {a!r} is compared with itself; expected two systems")
    by_name, by_word = {a: 1.0, b: 0.0}.get(winner), WORDS.get(winner.strip().lower())
    share = by_word if by_name is None else by_name
    if share is None:
        raise source.error(line, f"winner {winner!r}: expected a, b, tie, {a!r} or {b!r}")
    if by_name is not None and by_word not in (None, by_name):
        problem = (
            f"winner {winner!r} is the name of a system and also means {MEANINGS[by_word]}. Fix: rename that system"
        )
        raise source.error(line, problem)
    lengths = (_length(source, line, role, values[role]) for role in ("length_a", "length_b"))
    return Battle(question, a, b, share, *lengths)


def _meaning(role: str) -> str:
    return {"question": "question's id", "winner": "preferred system"}.get(role, "name of a system")


def _length(source: Source, line: int, role: str, value: Any) -> int | None:
    if value is None:
        return None
    length = parse_number(plain(value))
    if not (0 <= length < 1e12 and length == int(length)):
        raise source.error(line, f"{role} {value!r}: expected a whole number of characters")
    return int(length)


class _Pair(Pair):
    output_1: str | None = None


def any_battles(source: Source, reading: LogReading) -> tuple[list[Battle], int]:
    """Return the battles of a file, assay's or AlpacaEval's, and the number without a judgment."""
    reader = recognise(source, "log")
    if reader is None or reader.name != "alpaca-eval":
        known = recognise(source, "gold")
        if known is not None and known.name != "battles":
            raise FormatError(
                source.name, None, f"holds {known.yields}; expected battles, {{question, a, b, winner}} a line"
            )
        return read_battles(source), 0
    pairs = decode(source, list[_Pair], EXPECTED)
    judge = judge_of(pairs, source, reading)
    compared = [pair for pair in pairs if pair.annotator == judge and pair.generator_1 != pair.generator_2]
    judged = [pair for pair in compared if pair.preference is not None]
    for pair in judged:
        if problem := problem_of(pair):
            raise FormatError(source.name, None, f"{pair.generator_2}: {problem}")
    return [_of_pair(pair) for pair in judged], len(compared) - len(judged)


def _of_pair(pair: _Pair) -> Battle:
    lengths = (None if text is None else len(text) for text in (pair.output_2, pair.output_1))
    return Battle(question_of(pair.instruction), pair.generator_2, pair.generator_1, won(pair), *lengths)
