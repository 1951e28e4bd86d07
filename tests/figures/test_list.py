"""Lists: each run against the median, question by question."""

from __future__ import annotations

from assay.figures import module_of
from assay.tasks import get


def test_list_against_the_median(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x", "y"], "target": 2} for q in "ab"])
    runs = [
        jsonl(
            f"{name}.jsonl",
            [{"id": q, "answers": list(given)} for q, given in zip("ab", texts, strict=True)],
        )
        for name, texts in {"r1": ("xy", "x"), "r2": ("xn", "nn"), "r3": ("xx", "xy")}.items()
    ]
    figures = module_of(get("list")).figures(scored("list", gold, *runs))
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
    counted = module_of(get("list")).figures(scored("list", gold, *runs)).runs[0].against_median[0]
    assert (counted.values, counted.medians) == ((1.0, 0.0), ((1 + 2 / 3) / 2, 0.5))
    left_out = module_of(get("list")).figures(scored("list", gold, *runs, missing="skip")).runs[0].against_median[0]
    assert (left_out.values, left_out.medians) == ((1.0, None), ((1 + 2 / 3) / 2, 1.0))
    assert left_out.differences[1] is None


def test_list_without_targets(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "answers": ["x"]}])
    (run,) = module_of(get("list")).figures(scored("list", gold, jsonl("r.jsonl", [{"id": 1, "answer": "x"}]))).runs
    assert run.mean_accuracy is None
    assert [graph.measure for graph in run.against_median] == ["InstanceF"]
