"""Question answering: the figures of the appendix of TREC 2001, histograms and medians by hand."""

from __future__ import annotations

import pytest

import assay
from assay.figures import task_figures
from assay.tasks import get


def test_table_4(jsonl, scored):
    """492 questions: 152 without a strictly right answer (30.9%), 147 without a leniently right one (29.9%)."""
    gold, run = [], []
    for q in range(492):
        found = "correct" if q < 340 else "unsupported" if q < 345 else "incorrect"
        gold += [{"id": q, "text": "yes", "judgment": found}, {"id": q, "text": "no", "judgment": "incorrect"}]
        run.append(
            {
                "id": q,
                "answers": ["yes", "no"] if q % 2 else ["no", "yes"],
                "confident": q < 369,
                "final": 2 - q % 2,
            }
        )
    scores = scored("qa", jsonl("j.jsonl", gold), jsonl("insight.jsonl", run))
    figures = task_figures(get("qa")).figures(scores)
    (run,) = figures.runs
    counts = (run.strict.not_found, run.lenient.not_found)
    assert [(one.count, round(one.percent, 1)) for one in counts] == [(152, 30.9), (147, 29.9)]
    assert run.strict.histogram.at_rank == (170, 170, 0, 0, 0)
    assert run.strict.histogram.not_found == 152
    assert run.lenient.histogram.at_rank == (172, 173, 0, 0, 0)
    assert run.strict.mean_reciprocal_rank == pytest.approx((170 + 170 / 2) / 492)
    assert run.confident_percent == 75.0
    assert run.confident_correct_percent == 100 * 340 / 369
    assert figures.median_strict.histogram == run.strict.histogram  # a campaign of one


def test_the_median_run(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x"]} for q in "abc"])
    lists = {"r1": (1, 1, 0), "r2": (2, 0, 0), "r3": (5, 2, 1), "r4": (3, 4, 2)}  # the rank of x, 0: nowhere
    runs: list[str] = []
    for run, ranks in lists.items():
        given = [["n"] * (rank - 1) + ["x"] if rank else ["n"] for rank in ranks]
        rows = [{"id": q, "answers": texts} for q, texts in zip("abc", given, strict=True)]
        runs.append(jsonl(f"{run}.jsonl", rows))
    figures = task_figures(get("qa")).figures(scored("qa", gold, *runs))
    # a: 1 2 3 5 -> 3; b: 1 2 4 none -> 4; c: 1 2 none none -> none. The worse of the middle two each time.
    assert figures.median_strict.ranks == (3, 4, None)
    assert figures.median_strict.histogram.at_rank == (0, 0, 1, 1, 0)
    assert figures.median_strict.histogram.not_found == 1


def test_a_question_left_out_for_all_runs_is_not_the_median_runs_either(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x"]} for q in "ab"])
    runs = [
        jsonl("r1.jsonl", [{"id": q, "answer": "x"} for q in "ab"]),
        jsonl("r2.jsonl", [{"id": "a", "answer": "x"}]),
    ]
    figures = task_figures(get("qa")).figures(scored("qa", gold, *runs, missing="common"))
    assert figures.median_strict.histogram == figures.runs[0].strict.histogram
    assert (figures.median_strict.histogram.at_rank[0], figures.median_strict.histogram.not_found) == (1, 0)


def test_as_many_ranks_as_answers_are_allowed(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "answers": ["x"]}])
    run = jsonl("r.jsonl", [{"id": 1, "answers": ["n"] * 6 + ["x"]}])
    figures = task_figures(get("qa")).figures(scored("qa", gold, run, answers=7))
    assert figures.runs[0].strict.histogram.at_rank == (0, 0, 0, 0, 0, 0, 1)


def test_nil_precision_and_recall(jsonl, scored):
    """Of 492 questions 49 have the answer NIL. The run returns NIL 120 times, 38 times rightly (TREC 2001, appendix, table IV)."""
    gold = [{"id": q, "nil": True} if q < 49 else {"id": q, "answers": ["x"]} for q in range(492)]
    run = [{"id": q, "answers": ["n", "NIL", "NIL"] if q < 38 or 49 <= q < 131 else ["x"]} for q in range(492)]
    never = [{"id": q, "answers": ["x"]} for q in range(492)]
    table = scored("qa", jsonl("g.jsonl", gold), jsonl("insight.jsonl", run), jsonl("never.jsonl", never))
    insight, never = task_figures(get("qa")).figures(table).runs
    assert (insight.nil_returned, insight.nil_correctly_returned) == (120, 38)
    assert (insight.nil_precision, insight.nil_recall) == (38 / 120, 38 / 49)
    assert (never.nil_precision, never.nil_recall) == (None, 0)


def test_without_nil_questions_there_is_no_nil_recall(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "answers": ["x"]}])
    (run,) = task_figures(get("qa")).figures(scored("qa", gold, jsonl("r.jsonl", [{"id": 1, "answer": "NIL"}]))).runs
    assert (run.nil_precision, run.nil_recall) == (0, None)


def test_list_against_the_median(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x", "y"], "target": 2} for q in "ab"])
    runs = [
        jsonl(
            f"{name}.jsonl",
            [{"id": q, "answers": list(given)} for q, given in zip("ab", texts, strict=True)],
        )
        for name, texts in {"r1": ("xy", "x"), "r2": ("xn", "nn"), "r3": ("xx", "xy")}.items()
    ]
    figures = task_figures(get("list")).figures(scored("list", gold, *runs))
    accuracy, f = figures.runs[0].against_median
    assert (accuracy.values, accuracy.medians, accuracy.differences) == ((1.0, 0.5), (0.5, 0.5), (0.5, 0.0))
    assert f.measure == "InstanceF"
    assert figures.runs[0].mean_accuracy == 0.75
    assert figures.runs[0].mean_recall == 0.75


def test_a_question_left_out_has_no_difference(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x"]} for q in "ab"])
    runs = [
        jsonl("r1.jsonl", [{"id": "a", "answers": ["x"]}]),
        jsonl("r2.jsonl", [{"id": "a", "answers": ["x", "n"]}, {"id": "b", "answers": ["x"]}]),
    ]
    counted = task_figures(get("list")).figures(scored("list", gold, *runs)).runs[0].against_median[0]
    assert (counted.values, counted.medians) == ((1.0, 0.0), ((1 + 2 / 3) / 2, 0.5))
    left_out = task_figures(get("list")).figures(scored("list", gold, *runs, missing="skip")).runs[0].against_median[0]
    assert (left_out.values, left_out.medians) == ((1.0, None), ((1 + 2 / 3) / 2, 1.0))
    assert left_out.differences[1] is None


def test_list_without_targets(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "answers": ["x"]}])
    (run,) = task_figures(get("list")).figures(scored("list", gold, jsonl("r.jsonl", [{"id": 1, "answer": "x"}]))).runs
    assert run.mean_accuracy is None
    assert [graph.measure for graph in run.against_median] == ["InstanceF"]


def test_context_series(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x"]} for q in ("10a", "2a", "2b", "2c")])
    run = jsonl(
        "r.jsonl",
        [{"id": "2a", "answers": ["n", "x"]}, {"id": "2c", "answer": "x"}, {"id": "10a", "answer": "x"}],
    )
    figures = task_figures(get("context")).figures(scored("context", gold, run))
    first, second = figures.runs[0].series
    assert (first.series, [(q.id, q.rank) for q in first.questions], first.alive) == (
        "2",
        [("2a", 2), ("2b", None), ("2c", 1)],
        1,
    )
    assert (second.series, second.alive) == ("10", 1)
    assert figures.runs[0].alive == (1.0, 0.0, 0.0)


def test_series_alive_are_those_of_the_measure(jsonl, scored):
    """1a is missing: failed where that counts, not looked at where it is skipped."""
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x"]} for q in ("1a", "1b", "2a")])
    run = jsonl("r.jsonl", [{"id": q, "answer": "x"} for q in ("1b", "2a")])
    for missing, alive in {"zero": (0.5, 0.0), "skip": (1.0, 1.0)}.items():
        figures = task_figures(get("context")).figures(scored("context", gold, run, missing=missing))
        table = assay.evaluate(gold, run, ["Alive@1", "Alive@2"], task="context", missing=missing)
        assert figures.runs[0].alive == alive
        assert tuple(table.mean(f"Alive@{k}")["r"] for k in (1, 2)) == alive


def test_nuggets(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "nuggets": [{"id": "a", "vital": True, "votes": 1}, {"id": "b"}]}])
    runs = [
        jsonl("r1.jsonl", [{"id": 1, "answer": "abc", "nuggets": ["a", "b"]}]),
        jsonl("r2.jsonl", [{"id": 1, "answer": "abc", "nuggets": ["b"]}]),
    ]
    first, second = task_figures(get("nuggets")).figures(scored("nuggets", gold, *runs)).runs
    assert (first.nuggets_returned, first.vital_returned, first.length) == ((2,), (1,), (3,))
    assert [graph.measure for graph in first.against_median] == ["NuggetF", "PyramidF"]
    assert first.against_median[0].differences == (0.5,)
    assert second.against_median[0].differences == (-0.5,)
