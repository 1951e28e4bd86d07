"""A small campaign of every task, from files, and what `assay report` prints for it."""

from __future__ import annotations

import json
import re

import pytest

from assay.cli import main

AWKWARD = "<script>'\"😀"


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


def jsonl(folder, name, rows):
    return write(folder, name, "".join(json.dumps(row) + "\n" for row in rows))


def ranked(folder):
    gold = write(folder, "q", "".join(f"{t} 0 d{i} {int(i in (1, 2, 4, 15))}\n" for t in (1, 2) for i in range(1, 21)))
    best = "".join(f"{t} Q0 d{i} 0 {-i} best\n" for t in (1, 2) for i in range(1, 21))
    some = "".join(f"1 Q0 d{i} 0 {i} some\n" for i in range(1, 11))
    none = "1 Q0 x 0 1 none\n"
    return [gold, write(folder, "best", best), write(folder, "some", some), write(folder, "none", none)]


def outcomes(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": f"q{i}", "type": "ab"[i % 2], "answers": ["x"]} for i in range(8)])
    runs = {
        "sure": [{"id": f"q{i}", "answer": "x" if i < 6 else "n", "confidence": 0.9 - i / 20} for i in range(8)],
        "shy": [{"id": f"q{i}", "answer": "x" if i < 5 else None} for i in range(8)],
        AWKWARD.replace("/", ""): [{"id": "q0", "answer": "n"}],
    }
    return [gold, *(jsonl(folder, f"run{i}/{name}.jsonl", rows) for i, (name, rows) in enumerate(runs.items()))]


def known_item(folder):
    """The appendix of TREC 2001, Table 6: 145 topics, 102 at rank 1, 128 in the top 10, 7 not in the top 100."""
    ranks = [1] * 102 + [10] * 26 + [11] * 10 + [101] * 3 + [0] * 4
    gold = write(folder, "q", "".join(f"{t} 0 home 1\n" for t in range(145)))
    lines = [
        f"{t} Q0 {'home' if i == rank else f'd{i}'} 0 {-i} tnout10epCAU\n"
        for t, rank in enumerate(ranks)
        for i in range(1, max(rank, 1) + 1)
    ]
    other = "".join(f"{t} Q0 home 0 1 other\n" for t in range(100))
    return ["--task", "known-item", gold, write(folder, "r", "".join(lines)), write(folder, "o", other)]


def diversity(folder):
    """Two topics of two subtopics: `wide` covers both at once, `deep` finds one of them again and again."""
    judged = [f"{t} {s} d{i} {int(i % 2 == s - 1)}\n" for t in (1, 2) for s in (1, 2) for i in range(8)]
    wide = "".join(f"{t} Q0 d{i} 0 {-i} wide\n" for t in (1, 2) for i in range(8))
    deep = "".join(f"1 Q0 d{i} 0 {-i} deep\n" for i in range(0, 8, 2))
    return [write(folder, "q", "".join(judged)), write(folder, "wide", wide), write(folder, "deep", deep)]


def qa(folder):
    """The appendix of TREC 2001, Table 4: 492 questions, 152 (30.9%) not found strictly and 147 (29.9%) leniently; confident about 75%."""
    gold, run = [], []
    for q in range(492):
        found = "correct" if q < 340 else "unsupported" if q < 345 else "incorrect"
        gold += [{"id": q, "text": "yes", "judgment": found}, {"id": q, "text": "no", "judgment": "incorrect"}]
        answers = ["yes", "no"] if q % 2 else ["no", "yes"]
        run.append({"id": q, "answers": answers, "confident": q < 369, "final": 2 - q % 2})
    return ["--task", "qa", jsonl(folder, "j.jsonl", gold), jsonl(folder, "insight.jsonl", run)]


def filtering(folder):
    gold = write(folder, "q", "R1 0 10 1\nR1 0 20 1\nR2 0 15 1\n")
    texts = {"a": "R1 10\nR1 20\n", "b": "R1 10\nR1 11\nR2 15\n", "c": "R2 99\n"}
    described = '[a]\nsubtask = "adaptive"\noptimized_for = "T10U"\n[b]\nsubtask = "adaptive"\n[c]\nsubtask = "batch"\n'
    options = ["--characteristics", write(folder, "c.toml", described), "--periods", write(folder, "p", "10\n15\n20\n")]
    return ["--task", "filtering", gold, *(write(folder, name, text) for name, text in texts.items()), *options]


def lists(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": q, "answers": ["x", "y"], "target": 2} for q in "ab"])
    runs = {"r1": ("xy", "x"), "r2": ("xn", "nn"), "r3": ("xx", "xy")}
    made = [
        jsonl(
            folder, f"{name}.jsonl", [{"id": q, "answers": list(given)} for q, given in zip("ab", texts, strict=True)]
        )
        for name, texts in runs.items()
    ]
    return ["--task", "list", gold, *made]


def context(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": q, "answers": ["x"]} for q in ("10a", "2a", "2b", "2c")])
    rows = [{"id": "2a", "answers": ["n", "x"]}, {"id": "2c", "answer": "x"}, {"id": "10a", "answer": "x"}]
    return ["--task", "context", gold, jsonl(folder, "r.jsonl", rows), jsonl(folder, "s.jsonl", rows[:1])]


def nuggets(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": 1, "nuggets": [{"id": "a", "vital": True, "votes": 1}, {"id": "b"}]}])
    runs = {"r1": ["a", "b"], "r2": ["b"]}
    made = [
        jsonl(folder, f"{name}.jsonl", [{"id": 1, "answer": "abc", "nuggets": given}]) for name, given in runs.items()
    ]
    return ["--task", "nuggets", gold, *made]


def generation(folder):
    texts = {"a": "vital", "b": "okay", AWKWARD: "okay"}
    runs = {"r1": ("support", "partial_support", "support"), "r2": ("partial_support", "not_support", "not_support")}
    rows = [
        {"qid": q, "query": "Who?", "run_id": run, "answer_text": "He.", "nuggets": [
            {"text": text, "importance": importance, "assignment": given}
            for (text, importance), given in zip(texts.items(), marks, strict=True)
        ]}
        for run, marks in runs.items()
        for q in ("1", "2")
    ]  # fmt: skip
    cited = [
        {"topic_id": "1", "run_id": run, "sentences": [{"text": "He.", "citations": [{"support": 1}]}, {"text": "So."}]}
        for run in runs
    ]
    return [jsonl(folder, "a.jsonl", rows), jsonl(folder, "s.jsonl", cited)]


def pairwise(folder):
    """Three systems on ten questions: `first` mostly wins, and there are ties."""
    names = ("first", "second", AWKWARD)
    rows = [
        {"question": f"q{q}", "a": a, "b": b, "winner": ("a", "a", "tie", "b", "a")[(q + i) % 5]}
        for q in range(10)
        for i, (a, b) in enumerate(((names[0], names[1]), (names[0], names[2]), (names[1], names[2])))
    ]
    return [jsonl(folder, "battles.jsonl", rows)]


CAMPAIGNS = {
    "ranked": ranked,
    "outcomes": outcomes,
    "known-item": known_item,
    "diversity": diversity,
    "qa": qa,
    "filtering": filtering,
    "list": lists,
    "context": context,
    "nuggets": nuggets,
    "generation": generation,
    "pairwise": pairwise,
}


@pytest.fixture
def put(tmp_path):
    """Write a file and say where it is."""
    return lambda name, text: write(tmp_path, name, text)


@pytest.fixture
def campaign():
    """The words that ask for the report of a task's campaign, its files written into a folder."""
    return lambda task, folder: ["report", *CAMPAIGNS[task](folder)]


@pytest.fixture
def text(tmp_path, capsys, campaign):
    """What `assay report` prints for a campaign: its lines with runs of spaces made one."""

    def make(task, *options):
        assert main([*campaign(task, tmp_path), *options]) == 0
        return [re.sub(r" +", " ", line).strip() for line in capsys.readouterr().out.splitlines()]

    return make
