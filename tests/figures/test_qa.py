"""Question answering: the figures of the appendix of TREC 2001, histograms and medians by hand."""

from __future__ import annotations

import pytest

from assay.figures import module_of
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
    figures = module_of(get("qa")).figures(scores)
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
    figures = module_of(get("qa")).figures(scored("qa", gold, *runs))
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
    figures = module_of(get("qa")).figures(scored("qa", gold, *runs, missing="common"))
    assert figures.median_strict.histogram == figures.runs[0].strict.histogram
    assert (figures.median_strict.histogram.at_rank[0], figures.median_strict.histogram.not_found) == (1, 0)


def test_as_many_ranks_as_answers_are_allowed(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "answers": ["x"]}])
    run = jsonl("r.jsonl", [{"id": 1, "answers": ["n"] * 6 + ["x"]}])
    figures = module_of(get("qa")).figures(scored("qa", gold, run, answers=7))
    assert figures.runs[0].strict.histogram.at_rank == (0, 0, 0, 0, 0, 0, 1)


def test_nil_precision_and_recall(jsonl, scored):
    """Of 492 questions 49 have the answer NIL. The run returns NIL 120 times, 38 times rightly (TREC 2001, appendix, table IV)."""
    gold = [{"id": q, "nil": True} if q < 49 else {"id": q, "answers": ["x"]} for q in range(492)]
    run = [{"id": q, "answers": ["n", "NIL", "NIL"] if q < 38 or 49 <= q < 131 else ["x"]} for q in range(492)]
    never = [{"id": q, "answers": ["x"]} for q in range(492)]
    table = scored("qa", jsonl("g.jsonl", gold), jsonl("insight.jsonl", run), jsonl("never.jsonl", never))
    insight, never = module_of(get("qa")).figures(table).runs
    assert (insight.nil_returned, insight.nil_correctly_returned) == (120, 38)
    assert (insight.nil_precision, insight.nil_recall) == (38 / 120, 38 / 49)
    assert (never.nil_precision, never.nil_recall) == (None, 0)


def test_without_nil_questions_there_is_no_nil_recall(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "answers": ["x"]}])
    (run,) = module_of(get("qa")).figures(scored("qa", gold, jsonl("r.jsonl", [{"id": 1, "answer": "NIL"}]))).runs
    assert (run.nil_precision, run.nil_recall) == (0, None)
