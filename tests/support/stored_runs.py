"""Runs that are scored one by one, and what it means that two tables are the same to the last bit."""

from __future__ import annotations

import random

QRELS = "".join(f"{topic} 0 d{number} {(topic + number) % 3}\n" for topic in range(1, 7) for number in range(8))


def run_text(name, topics=6, seed=None):
    """A made run of topics 1 to 6; without some of the last where it has fewer."""
    draw = random.Random(seed or name)
    return "".join(
        f"{topic} Q0 d{document} 0 {draw.random():.6f} {name}\n"
        for topic in range(1, topics + 1)
        for document in range(12)
    )


def write_runs(folder, count=5):
    """qrels and runs/ with some runs, of which one leaves out a topic and one has a topic nobody judged."""
    (folder / "runs").mkdir()
    (folder / "qrels").write_text(QRELS)
    for number in range(count):
        text = run_text(f"r{number}", 5 if number == 1 else 7 if number == 2 else 6)
        (folder / "runs" / f"r{number}.run").write_text(text)


def assert_same(one, other):
    """Every cell of the same type and bits, every note, every name."""
    assert one.to_dict() == other.to_dict()
    assert one.remarks() == other.remarks()
    assert one.runs == other.runs
    for name in one.runs:
        a, b = one.run(name), other.run(name)
        assert (a.file, list(a.missing), a.samples, vars(a.notes)) == (
            b.file,
            list(b.missing),
            b.samples,
            vars(b.notes),
        )
        assert list(a.columns) == list(b.columns)
        for column in a.columns:
            assert type(a.columns[column]) is type(b.columns[column]), column
            assert list(map(repr, a.columns[column])) == list(map(repr, b.columns[column])), column
