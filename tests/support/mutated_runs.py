"""Small runs of every task with their gold, and what becomes of a file in careless hands."""

from __future__ import annotations

from hypothesis import strategies as st

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
    "sets": ("q1 0 d1 1\nq2 0 d2 1\nq3 0 d1 0\n", "q1 d1\nq1 d2\nq2 d2\nq3 d9\n", {"task": "filtering"}),
    "nuggets": (
        "".join(f'{{"id": "q{i}", "nuggets": [{{"id": "a", "vital": true}}]}}\n' for i in range(1, 5)),
        "".join(f'{{"id": "q{i}", "answer": "said", "nuggets": ["a"]}}\n' for i in range(1, 5)),
        {"unjudged": "incorrect"},
    ),
    "SQuAD": (SQUAD, '{"q1": "x", "q2": "",\n "q3": "y", "q4": "x"}', {}),
}
"""By what it is: a gold, a run that is in order, and what both are told."""
ASSIGNED = "".join(
    f'{{"qid": "q{i}", "run_id": "r", "nuggets": [{{"text": "a", "importance": "vital", "assignment": "support"}}]}}\n'
    for i in range(1, 4)
)
CITED = "".join(
    f'{{"topic_id": "q{i}", "run_id": "r", "sentences": [{{"text": "s", "citations": [{{"support": {i % 3}}}]}}]}}\n'
    for i in range(1, 4)
)
FOUGHT = "".join(
    f'{{"question": "q{i}", "a": "x", "b": "y", "winner": "{w}"}}\n' for i, w in enumerate(["a", "y", "tie"])
)
JUDGED = {"nugget assignments": ASSIGNED, "citations": CITED, "battles": FOUGHT}
"""By what it is: a file that carries its own judgments, in order."""
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
