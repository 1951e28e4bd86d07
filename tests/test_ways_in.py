"""The same table as a dict, pandas, polars, Arrow, CSV, JSONL or Parquet gives the same states, or the same refusal.

What is right stands in `expected_id` and `expected_state`, which know nothing of how assay reads anything.
"""

from __future__ import annotations

import csv
import io
import json
from math import isnan, nan
from random import Random

import pytest

import assay

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TABLES = 500
REFUSED = "refused"
BAD_IDS = (None, nan, 1.5, 2.0, True, b"\xff\xfe")
IDS = {
    "text": lambda random, i: f"q{i}",
    "accented": lambda random, i: f"é{i}",
    "whole": lambda random, i: i,
    "bytes": lambda random, i: f"ü{i}".encode(),
    "mixed": lambda random, i: random.choice([f"q{i}", 1000 + i, f"b{i}".encode()]),
    "bad": lambda random, i: random.choice([f"q{i}", *BAD_IDS]),
}
CELLS = {
    "whole": (1, 0, None),
    "float": (1.0, 0.0, nan),
    "truth": (True, False, None),
    "words": ("correct", "wrong", "N", "", None, "failed"),
    "mixed": (1, 0.0, True, "C", "I", "N", None, nan, "", "nan", "None"),
}
ANSWERS = ("Paris", "Rome", "", None, nan)
STATES = {1: "correct", 0: "incorrect", "c": "correct", "i": "incorrect", "n": "unanswered"}
STATES |= {"wrong": "incorrect", "correct": "correct", "failed": "excluded"}


def is_nothing(cell) -> bool:
    return cell is None or (isinstance(cell, float) and isnan(cell)) or cell in ("", "nan", "None")


def expected_id(value) -> str | None:
    """The text of an id, None where it must be refused."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return None
    return str(value) if isinstance(value, str) or type(value) is int else None


def expected_state(cell) -> str:
    if is_nothing(cell):
        return "excluded"
    return STATES[cell.lower() if isinstance(cell, str) else int(cell)]


def expected_answer(cell) -> str:
    return "unanswered" if is_nothing(cell) else "correct" if cell == "Paris" else "incorrect"


def plain(cell):
    """A cell as text files have it."""
    return cell.decode() if isinstance(cell, bytes) else cell


def as_csv(columns) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(["" if cell is None or cell != cell else plain(cell) for cell in row])
    return text.getvalue().encode()


def as_jsonl(columns) -> bytes:
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    lines = (json.dumps({n: None if c != c else plain(c) for n, c in row.items()}, ensure_ascii=False) for row in rows)
    return "\n".join(lines).encode()


def as_polars(columns):
    try:
        return polars.DataFrame(columns)
    except (TypeError, polars.exceptions.PolarsError):
        return polars.DataFrame(
            {name: polars.Series(name, cells, dtype=polars.Object) for name, cells in columns.items()}
        )


def as_parquet(columns) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), sink)
    return sink.getvalue()


TYPED = ("arrow", "parquet")
"""Ways whose columns have one type."""
WAYS = {
    "pandas": pandas.DataFrame,
    "polars": as_polars,
    "arrow": pyarrow.table,
    "parquet": as_parquet,
    "csv": as_csv,
    "jsonl": as_jsonl,
}


def ids_for(way: str, random: Random, count: int) -> list:
    kinds = [kind for kind in IDS if not (way in TYPED and kind in ("mixed", "bad"))]
    kind = random.choice(kinds)
    ids = [IDS[kind](random, i) for i in range(count)]
    if way in TYPED and random.random() < 0.15:
        ids[-1] = None
    if way in TYPED and random.random() < 0.1:
        ids = [float(i) for i in range(count)]
    if way == "csv":  # text cannot tell 1.5 from "1.5"
        ids = [f"q{i}" if isinstance(one, float | bool) and one == one else one for i, one in enumerate(ids)]
    if way in ("csv", "jsonl"):  # nor is what is not UTF-8 either of the two
        ids = [f"q{i}" if one == b"\xff\xfe" else one for i, one in enumerate(ids)]
    return ids


def refused_or(expected_ids, states):
    """What the table must give: nothing but refused, or the states by id."""
    return REFUSED if None in expected_ids else dict(zip(expected_ids, states, strict=True))


def states_of(gold, run) -> dict[str, str] | str:
    """What assay makes of it."""
    try:
        scores = assay.evaluate(gold, run, ["correct", "incorrect", "unanswered"])
    except assay.InputError:
        return REFUSED
    (name,) = scores.runs
    columns = {state: scores.run(name).columns[state] for state in ("correct", "incorrect", "unanswered")}
    counted = scores.run(name).samples or [1] * len(scores.topics)
    found = {}
    for place, topic in enumerate(scores.topics):
        ended = [state for state, column in columns.items() if column[place]]
        found[topic] = ended[0] if counted[place] else "excluded"
    return found


@pytest.mark.parametrize("way", WAYS)
def test_outcomes(way):
    for seed in range(TABLES):
        random = Random(f"{way} {seed}")
        count = random.randint(1, 6)
        ids = ids_for(way, random, count)
        kind = random.choice([kind for kind in CELLS if not (way in TYPED and kind == "mixed")])
        cells = [random.choice(CELLS[kind]) for _ in range(count)]
        expected = refused_or([expected_id(one) for one in ids], map(expected_state, cells))
        found = states_of(None, WAYS[way]({"id": ids, "outcome": cells, "language": ["en"] * count}))
        assert found == expected, (way, seed, ids, cells)


@pytest.mark.parametrize("way", [*WAYS, "dict"])
def test_answers(way):
    for seed in range(TABLES):
        random = Random(f"{way} {seed}")
        ids = ids_for(way, random, random.randint(1, 6))
        answers = [random.choice(ANSWERS) for _ in ids]
        if way in TYPED:
            answers = [None if is_nothing(answer) else answer for answer in answers]
        texts = [expected_id(one) for one in ids]
        expected = refused_or(texts, map(expected_answer, answers))
        run = (
            dict(zip(ids, answers, strict=True))
            if way == "dict"
            else WAYS[way]({"id": ids, "answer": answers, "language": ["en"] * len(ids)})
        )
        if way == "dict" and len(run) < len(ids):
            continue  # two equal keys are one
        gold = {text or "q": "Paris" for text in texts}
        assert states_of(gold, {"run": run} if way == "dict" else run) == expected, (way, seed, ids, answers)


def as_trec(columns) -> bytes:
    return b"".join(
        b"%s Q0 %s 1 %r run\n" % (str(plain(topic)).encode(), str(plain(document)).encode(), score)
        for topic, document, score in zip(*columns.values(), strict=True)
    )


@pytest.mark.parametrize("way", ["dict", "pandas", "polars", "arrow", "parquet", "trec"])
def test_rankings(way):
    """Reciprocal rank of document 1, from scores that all differ: the rank is one more than the number of higher scores."""
    for seed in range(TABLES):
        random = Random(f"{way} {seed}")
        count = random.randint(2, 6)
        documents = ids_for("csv" if way == "trec" else way, random, count)
        if way == "trec":
            documents = [f"q{i}" if one is None or one != one else one for i, one in enumerate(documents)]
        topic = random.choice(["t", b"t", "7", 7] if way != "trec" else ["t", "7"])
        values = random.sample(range(100), count)
        texts = [expected_id(one) for one in documents]
        right = texts[0] or "q"
        expected = REFUSED if None in texts else 1 / (1 + sum(value > values[0] for value in values))
        if way == "dict":
            run = {topic: dict(zip(documents, values, strict=True))}
            if len(run[topic]) < count:
                continue
        else:
            run = {"query_id": [topic] * count, "doc_id": documents, "score": values}
            run = as_trec(run) if way == "trec" else WAYS[way](run)
        gold = {expected_id(topic): {right: 1}}
        try:
            (found,) = assay.evaluate(gold, [run], ["RR"])["RR"].values()
        except assay.InputError:
            found = REFUSED
        assert found == expected, (way, seed, topic, documents, values)


def test_a_cell_without_a_verdict_is_excluded_and_counted():
    """The example of the rule: [1, NaN] is c@1 1.0 on 1 question, and not .75 on 2."""
    scores = assay.evaluate(None, pandas.DataFrame({"id": ["a", "b"], "correct": [1, nan]}), ["c@1"])
    value = scores.value("run", "c@1")
    assert (value.value, value.topics) == (1.0, 1)
    assert scores.remarks() == ["run: 1 question without a verdict (empty cell) is excluded"]


def test_two_runs_are_compared_where_both_have_a_verdict():
    """a is right on q1 and q3, b on q3; q2 leaves the pair: 1 - .5 by hand."""
    scores = assay.evaluate(None, b"id,a,b\nq1,1,0\nq2,,1\nq3,1,1\n", ["accuracy"])
    assert scores["accuracy"] == {"a": 1.0, "b": 2 / 3}
    (pair,) = assay.compare(scores, "accuracy").pairs
    assert abs(pair.difference) == 0.5


def test_latin_1_ids_in_files_still_work():
    scores = assay.evaluate(b"1 0 d\xe9 1\n", b"1 Q0 d\xe9 1 2.0 run\n", ["RR"])
    assert scores["RR"] == {"run": 1.0}
