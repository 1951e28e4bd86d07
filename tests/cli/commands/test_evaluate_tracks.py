"""The tracks from the command line: figures as JSON, characteristics, and bad input with its file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.cli import main
from assay.figures import FIGURES


def rows(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


GOLD = rows(
    {"id": "1a", "answers": ["x", "y"], "target": 2, "type": "t"},
    {"id": "1b", "answers": ["x"], "target": 2, "type": "u"},
)
RUN = rows({"id": "1a", "answers": ["n", "x"], "confident": True}, {"id": "1b", "answers": ["x"], "confident": False})
OTHER = rows({"id": "1a", "answers": ["x"]}, {"id": "1b", "answers": ["n"]})
QRELS = "1 0 10 1\n1 0 20 1\n2 0 15 1\n"
TREC = "1 Q0 10 1 2.0 a\n1 Q0 11 2 1.0 a\n2 Q0 15 1 1.0 a\n"
TREC_OTHER = "1 Q0 11 1 2.0 b\n1 Q0 20 2 1.0 b\n"
NUGGETS = rows({"id": "1", "nuggets": [{"id": "a", "vital": True, "votes": 2}, {"id": "b", "votes": 1}]})
NUGGET = {"text": "born 1828", "importance": "vital"}
FILES = {
    "ranked": (QRELS, TREC, TREC_OTHER),
    "known-item": (QRELS, TREC, TREC_OTHER),
    "diversity": (QRELS, TREC, TREC_OTHER),
    "filtering": (QRELS, TREC, "1 20\n1 11\n"),
    "outcomes": (GOLD, rows({"id": "1a", "answer": "x", "confidence": 0.5}, {"id": "1b", "answer": None}), OTHER),
    "qa": (GOLD, RUN, OTHER),
    "list": (GOLD, RUN, OTHER),
    "context": (GOLD, RUN, OTHER),
    "nuggets": (
        NUGGETS,
        rows({"id": "1", "answer": "text", "nuggets": ["a"]}),
        rows({"id": "1", "answer": "text", "nuggets": ["b"]}),
    ),
    "generation": (
        rows({"qid": "1", "nuggets": [NUGGET]}),
        rows({"qid": "1", "nuggets": [{**NUGGET, "assignment": "support"}]}),
        rows({"qid": "1", "nuggets": [{**NUGGET, "assignment": "not_support"}]}),
    ),
    "pairwise": tuple(
        rows({"question": q, "a": "a", "b": "b", "winner": w}) for q, w in (("1", "a"), ("2", "b"), ("3", "tie"))
    ),
}


def test_every_task_is_tried_here():
    assert set(FILES) == set(FIGURES)


@pytest.mark.parametrize("task", FILES)
def test_figures_of_every_task_as_json(task: str, files, capsys):
    gold, a, b = FILES[task]
    files(gold=gold, a=a, b=b, c='[a]\norganisation = "X"\n')
    assert (
        main(["evaluate", "--task", task, "gold", "a", "b", "--figures", "--characteristics", "c", "-f", "json"]) == 0
    )
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert result["task"] == task
    assert [run["run"] for run in result["figures"]["runs"]] == ["a", "b"]
    assert [run["characteristics"] for run in result["runs"]] == [{"organisation": "X"}, {}]
    assert "has no section for b" in err
    # What the figures need beside the measures asked for stays out of the scores.
    plain = json.loads(_run(capsys, "evaluate", "--task", task, "gold", "a", "b", "-f", "json"))
    assert [run["scores"] for run in result["runs"]] == [run["scores"] for run in plain["runs"]]
    assert "figures" not in plain


def _run(capsys, *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_figures_come_as_json_unless_another_format_is_asked_for(files, capsys):
    files(gold=QRELS, a=TREC)
    assert json.loads(_run(capsys, "evaluate", "--task", "known-item", "gold", "a", "--figures"))["figures"][
        "topics"
    ] == ["1", "2"]
    assert main(["evaluate", "--task", "known-item", "gold", "a", "--figures", "-f", "csv"]) == 2
    assert main(["evaluate", "--task", "known-item", "gold", "a", "--figures", "-o", "figures.csv"]) == 2
    assert not Path("figures.csv").exists()
    _run(capsys, "evaluate", "--task", "known-item", "gold", "a", "--figures", "-o", "figures.json")
    assert json.loads(Path("figures.json").read_text())["figures"]["runs"][0]["found_at_1"] == {
        "count": 2,
        "percent": 100.0,
    }


def test_the_official_numbers_of_the_median_graphs(files, capsys):
    gold, a, b = FILES["known-item"]
    files(gold=gold, a=a, b=b)
    figures = json.loads(_run(capsys, "evaluate", "--task", "known-item", "gold", "a", "b", "--figures"))["figures"]
    assert figures["median_ranks"] == [2, None]  # 1 and 2; 1 and never
    assert figures["median_cumulative"][:2] == [0.0, 50.0]
    assert figures["runs"][1]["not_found_in_100"] == {"count": 1, "percent": 50.0}


def test_filtering_with_periods_and_characteristics(files, capsys):
    toml = '[a]\nsubtask = "adaptive"\noptimized_for = "T10U"\n[b]\nsubtask = "batch"\n[zzz]\nx = 1\n'
    files(gold=QRELS, a=TREC, b="1 20\n", c=toml, p="10\n15\n")
    words = [
        "evaluate",
        "--task",
        "filtering",
        "gold",
        "a",
        "b",
        "--characteristics",
        "c",
        "--periods",
        "p",
        "--figures",
    ]
    assert main(words) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert "c: 1 of 3 sections matches no run: zzz; the runs are a, b (--name-by)" in err
    a, b = result["figures"]["runs"]
    assert [(p["label"], p["mean_t10u"]) for p in a["periods"]] == [
        ("up to 10", 1.0),
        ("10 to 15", 0.5),
        ("after 15", 0.0),
    ]
    assert b["periods"] is None
    assert [graph["measure"] for graph in a["against_median"]] == ["T10U"]
    assert result["settings"]["periods"] == "p"


def test_what_a_run_says_of_itself_goes_before_what_holds_for_all(files, capsys):
    gold, a, b = FILES["qa"]
    files(gold=gold, a=a, b=b, c='task = "main"\nlinks = true\n[a]\nlinks = false\n[b]\n')
    words = ["evaluate", "--task", "qa", "gold", "a", "b", "--characteristics", "c", "-f", "json"]
    assert [run["characteristics"] for run in json.loads(_run(capsys, *words))["runs"]] == [
        {"task": "main", "links": False},
        {"task": "main", "links": True},
    ]


def test_times_and_the_number_of_periods(files, capsys):
    files(gold=QRELS, a=TREC, t="10 2001-01-01\n11 2001-01-02\n15 2001-01-03\n20 2001-01-04\n")
    words = ["evaluate", "--task", "filtering", "gold", "a", "--periods", "t", "--figures"]
    assert [len(json.loads(_run(capsys, *words, *more))["figures"]["runs"][0]["periods"])
            for more in ([], ["--period-count", "2"])] == [4, 2]  # fmt: skip


def test_judgments_are_recognised_and_their_use_is_counted(files, capsys):
    said = rows({"id": "1", "text": "x", "judgment": "correct"})
    files(gold=said, a=rows({"id": "1", "answers": ["x", "z"]}))
    assert main(["evaluate", "gold", "a"]) == 3
    assert "a:1: the answer 'z' to question '1' has no judgment" in capsys.readouterr().err
    assert main(["evaluate", "gold", "a", "--unjudged", "incorrect", "-f", "json"]) == 0
    out, err = capsys.readouterr()
    assert "a: 1 answers without a judgment count as incorrect (--unjudged incorrect)" in err
    result = json.loads(out)
    assert (result["task"], result["runs"][0]["unjudged"]) == ("qa", 1)
    assert "strict counts unsupported as incorrect" in result["runs"][0]["judging"]


def test_nuggets_are_recognised(files, capsys):
    gold, a, _ = FILES["nuggets"]
    files(gold=gold, a=a)
    assert json.loads(_run(capsys, "evaluate", "gold", "a", "-f", "json"))["task"] == "nuggets"


def test_a_table_for_people(files, capsys):
    gold, a, b = FILES["qa"]
    files(gold=gold, a=a, b=b)
    out = _run(capsys, "evaluate", "--task", "qa", "gold", "a", "b")
    header, first, second, _ = out.splitlines()
    assert header.split()[:4] == ["run", "questions", "RR", "RR(judged=lenient)"]
    assert first.split()[:3] == ["a", "2", "0.7500*"]
    assert second.split()[:3] == ["b", "2", "0.5000"]


JUDGED = rows({"id": "1", "text": "x", "judgment": "correct"})


@pytest.mark.parametrize(
    ("task", "gold", "run", "more", "message"),
    [
        ("qa", JUDGED + rows({"id": "1", "text": "w", "judgment": "incorrect"}), rows({"id": "1", "answer": "x"}), [],
         "gold:2: judges the answer 'w' to question '1', which no run gave"),
        ("qa", JUDGED, rows({"id": "1", "answers": ["x", "z"]}), [], "run:1: the answer 'z' to question '1' has no judgment"),
        ("qa", GOLD, rows({"id": "1a", "answers": ["x", "y"], "final": [1, 2]}), [], "run:1: question '1a' has 2 final answers"),
        ("qa", GOLD, rows({"id": "1a", "answers": [{"text": "x", "rank": 1}, {"text": "y", "rank": 3}]}), [],
         "run:1: question '1a' has no rank 2"),
        ("qa", GOLD, rows({"id": "1a", "answers": [{"text": "x", "rank": 1}, {"text": "y", "rank": 1}]}), [],
         "run:1: question '1a' has rank 1 twice"),
        ("qa", "1 ok\n2 (x\n", rows({"id": "1", "answer": "x"}), [], "gold:2: '(x' is no regular expression"),
        ("list", rows({"id": "1", "patterns": ["["]}), rows({"id": "1", "answer": "x"}), [],
         "gold:1: '[' is no regular expression"),
        ("filtering", QRELS, "1 10\n", ["--periods", "extra"], "extra:3: boundary 15 does not come after 20 on line 2"),
        ("filtering", QRELS, "1 10\n1 10\n", [], "run:2: document 10 appears a second time"),
        ("known-item", QRELS, "1 Q0 10 1 x t\n", [], "run:1: expected a number as score"),
        ("context", rows({"id": "17", "answers": ["x"]}), RUN, [], "gold:1: question '17': expected an id such as 3b"),
        ("nuggets", NUGGETS, rows({"id": "1", "answer": "x"}), [], "run:1: the answer to question '1' has no judgment"),
        ("nuggets", NUGGETS, rows({"id": "1", "answer": "x", "nuggets": ["q"]}), [], "run:1: question '1' has no nugget 'q'"),
        ("qa", GOLD, RUN, ["--characteristics", "broken"], "broken:2: is not TOML"),
    ],
)  # fmt: skip
def test_bad_input_names_file_and_line_and_writes_nothing(task, gold, run, more, message, files, capsys):
    files(gold=gold, run=run, extra="10\n20\n15\n", broken="[run]\nx = maybe\n")
    assert main(["evaluate", "--task", task, "gold", "run", *more, "-o", "out.json"]) == 3
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""
    assert not Path("out.json").exists()


def test_series_are_shown_question_by_question(files, capsys):
    gold, a, b = FILES["context"]
    files(gold=gold, a=a, b=b)
    out = _run(capsys, "evaluate", "--task", "context", "gold", "a", "b", "-f", "csv")
    assert out.split("\n\n")[1].splitlines() == ["series,question,rank in a,rank in b", "1,1a,2,1", "1,1b,1,"]
    assert "series" not in _run(capsys, "evaluate", "--task", "context", "gold", "a", "b", "-m", "RR")
    assert "rank in a" not in _run(capsys, "evaluate", "--task", "context", "gold", "a", "b", "-q")


def test_periods_are_shown_below_the_scores(files, capsys):
    files(gold=QRELS, a=TREC, p="10\n15\n")
    out = _run(capsys, "evaluate", "--task", "filtering", "gold", "a", "--periods", "p", "-f", "csv")
    header, *rows = out.split("\n\n")[1].splitlines()
    assert header == "run,documents,NumRet,NumRel,NumRelRet,T10U,T10SU"
    assert rows == [
        "a,up to 10,1,1,1,1.0,1.0",
        f"a,10 to 15,2,1,1,0.5,{(0.99 + 1) / 2!r}",
        f"a,after 15,0,1,0,0.0,{(100 / 102 + 1) / 2!r}",
    ]
    assert "documents" not in _run(capsys, "evaluate", "--task", "filtering", "gold", "a", "-f", "csv")
