"""Files taken apart, and what holds of any file: what an evaluation refuses is an error, and what is in order it takes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_examples import EXAMPLES

import assay
from assay.checking import parts
from assay.checking.check import check_file
from assay.checking.rules import read_rules
from assay.checking.wanted import Wanted
from assay.errors import AssayError
from assay.formats.readers import readers
from assay.formats.sources import Source

ANSWERS = "".join(f'{{"id": "q{i}", "answer": "x", "confidence": 0.{i}}}\n' for i in range(1, 5))
QUESTIONS = "".join(f'{{"id": "q{i}", "answers": ["x"]}}\n' for i in range(1, 5))
TRUTH = "".join(f'{{"id": "q{i}", "same": {"true" if i % 2 else "false"}}}\n' for i in range(1, 5))
SQUAD = '{{"version": "v2.0", "data": [{{"title": "T", "paragraphs": [{{"qas": [{}]}}]}}]}}'.format(
    ", ".join(f'{{"id": "q{i}", "answers": [{{"text": "x"}}], "is_impossible": false}}' for i in range(1, 5))
)
DIVERSE = "q1 1 d1 1\nq1 2 d1 1\nq2 1 d1 1\nq3 1 d2 1\nq4 1 d3 1\n"
RUN = "".join(f"q{t} Q0 d{d} {d} {9 - d}.5 tag\n" for t in range(1, 5) for d in range(1, 4))
WORDS = "".join(f"q{i} 0.{i}\n" for i in range(1, 5))
TABLE = "id,answer,confidence\n" + "".join(f"q{i},x,0.{i}\n" for i in range(1, 5))
WIDE = "qid\tllm\tsaid\n" + "".join(f"q{i}\tm\tx\n" for i in range(1, 5))
CASES = {
    "ranked": ("q1 0 d1 1\nq2 0 d2 1\nq3 0 d1 0\nq4 0 d1 1\n", RUN, {}),
    "diversity": (DIVERSE, RUN, {}),
    "answers": (QUESTIONS, ANSWERS, {}),
    "array": (QUESTIONS, "[" + ",\n".join(ANSWERS.splitlines()) + "]", {}),
    "table": (QUESTIONS, TABLE, {}),
    "columns": (QUESTIONS, WIDE, {"columns": "id=qid,run=llm,answer=said"}),
    "PAN in JSONL": (TRUTH, ANSWERS.replace('"answer": "x", "confidence"', '"value"'), {}),
    "PAN in words": (TRUTH, WORDS, {}),
    "SQuAD": (SQUAD, '{"q1": "x", "q2": "",\n "q3": "y", "q4": "x"}', {}),
}
"""By what it is: a gold, a run that is in order, and what both are told."""
EXAMPLES_EACH = 60
PIECES = st.one_of(
    st.sampled_from(
        ["\n", " ", "\t", "\0", '"', ",", "{", "}", "[", "]", "#", "nan", "-1", "1e999", "7", "q1", "null"]
    ),
    st.text(max_size=3),
)


@st.composite
def mutated(draw: st.DrawFn, text: str) -> bytes:
    """A file with a few places changed, lines left out, repeated or moved; bytes that are no text too."""
    for _ in range(draw(st.integers(1, 3))):
        lines = text.split("\n")
        at = draw(st.integers(0, len(lines) - 1))
        how = draw(st.sampled_from(["drop", "repeat", "move", "cut", "piece", "piece", "piece"]))
        if how == "drop":
            del lines[at]
        elif how == "repeat":
            lines.insert(draw(st.integers(0, len(lines))), lines[at])
        elif how == "move":
            lines.append(lines.pop(at))
        text = "\n".join(lines)
        place = draw(st.integers(0, len(text)))
        if how == "cut":
            text = text[:place] + text[place + draw(st.integers(1, 5)) :]
        elif how == "piece":
            text = text[:place] + draw(PIECES) + text[place + draw(st.integers(0, 4)) :]
    data = text.encode("utf-8", "replace")
    place = draw(st.integers(0, 20 * len(data)))
    return data[:place] + b"\xff" + data[place + 1 :] if place < len(data) else data


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
@settings(max_examples=EXAMPLES_EACH, deadline=None)
def test_what_an_evaluation_refuses_is_an_error_and_what_is_in_order_it_takes(name, data) -> None:
    gold, run, options = CASES[name]
    changed = data.draw(mutated(run))
    task = "diversity" if name == "diversity" else None
    columns = options.get("columns")
    # A line of two words may be a set's too: what the task is, its organiser knows.
    rules = {"format": "pan-answers"} if name == "PAN in words" else None
    found = assay.check([changed], topics=["q1", "q2", "q3", "q4"], columns=columns, rules=rules)
    try:
        assay.evaluate(gold.encode(), [changed], task=task, **options)
    except AssayError as problem:
        assert not found.ok, f"{changed!r}: {problem}"


@pytest.mark.parametrize("name", CASES)
def test_a_run_in_order_has_nothing_wrong(name) -> None:
    gold, run, options = CASES[name]
    assert assay.check([run.encode()], topics=["q1", "q2", "q3", "q4"], columns=options.get("columns")).ok
    assay.evaluate(gold.encode(), [run.encode()], task="diversity" if name == "diversity" else None, **options)


IN_PARTS = {*parts.BY_LINE, *parts.BY_MEMBER, *parts.BY_ENTRY, *parts.BY_REPORT}


@pytest.mark.parametrize("name", sorted(IN_PARTS - {"labels"}))
def test_the_parts_of_a_file_in_order_are_in_order(name, monkeypatch) -> None:
    """Where the whole cannot be read, nobody hears of faults that only the taking apart made."""
    assert name in {reader.name for reader in readers()}
    source = Source("a", data=EXAMPLES[name].encode())
    taken = list(parts.parts(source, name, Wanted()))
    assert taken
    for part in taken:
        file = check_file(Source("a", data=part.data), Wanted(read_rules({"format": name} if name == "sets" else None)))
        assert [finding.as_dict() for finding in file.findings if finding.level == "error"] == []
