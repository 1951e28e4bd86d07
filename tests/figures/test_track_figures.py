"""The figures of the tracks: the sources' worked figures, medians by hand, periods by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.figures import module_of
from assay.figures.common import Count, differences, median, median_rank, median_ranks, median_values
from assay.scoring import chosen, extended
from assay.table import Scores
from assay.tasks import NAMES, get


def scored(task: str, gold: str, *runs: str, **settings: object) -> Scores:
    """A table with all that the task's figures need."""
    module = module_of(get(task))
    return extended(assay.evaluate(gold, list(runs), module.MEASURES, task=task, **settings), (), module.COLUMNS)


def put(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


def jsonl(tmp_path: Path, name: str, rows: list[dict[str, object]]) -> str:
    return put(tmp_path, name, "".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("task", [name for name in NAMES if get(name).figures])
def test_every_task_has_its_figures(task: str):
    module = module_of(get(task))
    assert callable(module.figures)
    assert isinstance(module.MEASURES, tuple)
    assert isinstance(module.COLUMNS, tuple)
    known = {measure.name for measure in chosen(module.MEASURES, get(task))} if module.MEASURES else set()
    assert known == set(module.MEASURES)


class TestMedian:
    def test_of_values(self):
        assert median([3, 1, 2]) == 2
        assert median([4, 1, 2, 3]) == 2.5
        assert median([None, 1]) == 1
        assert median([]) is None

    def test_of_ranks_the_worse_of_the_middle_two(self):
        assert median_rank([5, 1, 2]) == 2
        assert median_rank([1, 2, 3, 4]) == 3
        assert median_rank([1, 2, None, None]) is None
        assert median_rank([1, None, 2]) == 2
        assert median_rank([None, None, 1]) is None

    def test_of_a_campaign(self, tmp_path):
        gold = put(tmp_path, "q", "1 0 a 1\n2 0 a 1\n")
        runs = [
            put(tmp_path, f"r{i}", text)
            for i, text in enumerate(("1 Q0 a 1 9 r0\n2 Q0 a 1 9 r0\n", "1 Q0 b 1 9 r1\n1 Q0 a 2 8 r1\n"))
        ]
        scores = scored("known-item", gold, *runs)
        assert median_ranks(scores, "Rank") == [2, None]
        assert median_values(scores, "RR") == [0.75, 0.5]
        assert median_values(scores, "RR", ["r1"]) == [0.5, 0.0]
        left_out = scored("known-item", gold, *runs, missing="skip")
        assert median_ranks(left_out, "Rank") == [2, 1]  # the run without topic 2 takes no part there
        assert median_values(left_out, "RR") == [0.75, 1.0]

    def test_differences(self):
        assert differences([1.0, None], [0.25, 0.5]) == [0.75, None]


class TestKnownItem:
    def test_table_6(self, tmp_path):
        """145 topics: 102 at rank 1, 128 in the top 10, 7 not in the top 100."""
        ranks = [1] * 102 + [10] * 26 + [11] * 10 + [101] * 3 + [0] * 4
        gold = put(tmp_path, "q", "".join(f"{t} 0 home 1\n" for t in range(145)))
        lines = [f"{t} Q0 d{i} 0 {-i} tnout10epCAU\n" if i != rank else f"{t} Q0 home 0 {-i} tnout10epCAU\n"
                 for t, rank in enumerate(ranks) for i in range(1, max(rank, 1) + 1)]  # fmt: skip
        scores = scored("known-item", gold, put(tmp_path, "r", "".join(lines)))
        (run,) = module_of(get("known-item")).figures(scores).runs
        counts = (run.found_at_1, run.found_in_10, run.not_found_in_100)
        assert [(one.count, round(one.percent, 1)) for one in counts] == [(102, 70.3), (128, 88.3), (7, 4.8)]
        assert run.topics == 145
        assert run.mean_reciprocal_rank == pytest.approx((102 + 26 / 10 + 10 / 11 + 3 / 101) / 145)
        assert (run.cumulative[0], run.cumulative[8], run.cumulative[9]) == (
            100 * 102 / 145,
            100 * 102 / 145,
            100 * 128 / 145,
        )
        assert run.cumulative[99] == 100 * 138 / 145
        assert len(run.cumulative) == 100

    def test_a_curve_includes_its_last_rank(self):
        assert module_of(get("known-item")).cumulative([2, 100], upto=100)[98:] == [50.0, 100.0]

    def test_the_median_curve(self, tmp_path):
        gold = put(tmp_path, "q", "1 0 a 1\n2 0 a 1\n")
        runs = [
            put(tmp_path, "r1", "1 Q0 a 1 9 r1\n2 Q0 a 1 9 r1\n"),
            put(tmp_path, "r2", "1 Q0 b 1 9 r2\n1 Q0 a 2 8 r2\n2 Q0 b 1 9 r2\n"),
            put(tmp_path, "r3", "1 Q0 b 1 9 r3\n1 Q0 c 2 8 r3\n1 Q0 a 3 7 r3\n2 Q0 b 1 9 r3\n"),
        ]
        figures = module_of(get("known-item")).figures(scored("known-item", gold, *runs))
        assert figures.median_ranks == (2, None)
        assert figures.median_cumulative[:3] == (0.0, 50.0, 50.0)

    def test_a_curve_leaves_out_what_the_mean_leaves_out(self, tmp_path):
        gold = put(tmp_path, "q", "1 0 a 1\n2 0 a 1\n")
        run = put(tmp_path, "r1", "1 Q0 a 1 9 r1\n")
        for missing, found in {"zero": 50.0, "skip": 100.0}.items():
            (figures,) = module_of(get("known-item")).figures(scored("known-item", gold, run, missing=missing)).runs
            assert (figures.cumulative[0], figures.found_at_1.percent) == (found, found)

    def test_a_topic_left_out_for_all_runs_is_not_the_median_runs_either(self, tmp_path):
        gold = put(tmp_path, "q", "1 0 a 1\n2 0 a 1\n")
        runs = [put(tmp_path, "r1", "1 Q0 a 1 9 r1\n2 Q0 a 1 9 r1\n"), put(tmp_path, "r2", "1 Q0 a 1 9 r2\n")]
        figures = module_of(get("known-item")).figures(scored("known-item", gold, *runs, missing="common"))
        assert figures.runs[0].cumulative[0] == 100.0
        assert figures.median_cumulative[0] == 100.0


class TestQa:
    def test_table_4(self, tmp_path):
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
        scores = scored("qa", jsonl(tmp_path, "j.jsonl", gold), jsonl(tmp_path, "insight.jsonl", run))
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

    def test_the_median_run(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": q, "answers": ["x"]} for q in "abc"])
        lists = {"r1": (1, 1, 0), "r2": (2, 0, 0), "r3": (5, 2, 1), "r4": (3, 4, 2)}  # the rank of x, 0: nowhere
        runs: list[str] = []
        for run, ranks in lists.items():
            given = [["n"] * (rank - 1) + ["x"] if rank else ["n"] for rank in ranks]
            rows = [{"id": q, "answers": texts} for q, texts in zip("abc", given, strict=True)]
            runs.append(jsonl(tmp_path, f"{run}.jsonl", rows))
        figures = module_of(get("qa")).figures(scored("qa", gold, *runs))
        # a: 1 2 3 5 -> 3; b: 1 2 4 none -> 4; c: 1 2 none none -> none. The worse of the middle two each time.
        assert figures.median_strict.ranks == (3, 4, None)
        assert figures.median_strict.histogram.at_rank == (0, 0, 1, 1, 0)
        assert figures.median_strict.histogram.not_found == 1

    def test_a_question_left_out_for_all_runs_is_not_the_median_runs_either(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": q, "answers": ["x"]} for q in "ab"])
        runs = [
            jsonl(tmp_path, "r1.jsonl", [{"id": q, "answer": "x"} for q in "ab"]),
            jsonl(tmp_path, "r2.jsonl", [{"id": "a", "answer": "x"}]),
        ]
        figures = module_of(get("qa")).figures(scored("qa", gold, *runs, missing="common"))
        assert figures.median_strict.histogram == figures.runs[0].strict.histogram
        assert (figures.median_strict.histogram.at_rank[0], figures.median_strict.histogram.not_found) == (1, 0)

    def test_as_many_ranks_as_answers_are_allowed(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": 1, "answers": ["x"]}])
        run = jsonl(tmp_path, "r.jsonl", [{"id": 1, "answers": ["n"] * 6 + ["x"]}])
        figures = module_of(get("qa")).figures(scored("qa", gold, run, answers=7))
        assert figures.runs[0].strict.histogram.at_rank == (0, 0, 0, 0, 0, 0, 1)


class TestFiltering:
    QRELS = "R1 0 10 1\nR1 0 20 1\nR2 0 15 1\n"

    def campaign(self, tmp_path: Path, described: dict[str, dict[str, str]], **settings: object) -> Scores:
        gold = put(tmp_path, "q", self.QRELS)
        texts = {"a": "R1 10\nR1 20\n", "b": "R1 10\nR1 11\nR2 15\n", "c": "R2 99\n"}
        scores = scored("filtering", gold, *(put(tmp_path, name, text) for name, text in texts.items()), **settings)
        return scores.described(lambda run: described.get(run, {}))

    def test_table_5(self, tmp_path):
        figures = module_of(get("filtering")).figures(self.campaign(tmp_path, {"b": {"subtask": "adaptive"}}))
        run = figures.runs[1]
        assert (run.run, run.subtask, run.topics, run.retrieved, run.relevant, run.relevant_retrieved) == (
            "b",
            "adaptive",
            2,
            3,
            3,
            2,
        )
        assert (run.macro_recall, run.macro_precision, run.zero_returns) == (0.75, 0.75, 0)
        assert run.mean_t10su == pytest.approx((101 / 104 + 102 / 102) / 2)
        assert run.mean_f_beta == pytest.approx((1.25 / (0.25 + 1 + 1.25) + 1) / 2)
        assert run.periods is None
        assert figures.runs[0].zero_returns == 1

    def test_against_the_median_in_both_measures_where_neither_was_aimed_at(self, tmp_path):
        figures = module_of(get("filtering")).figures(self.campaign(tmp_path, {}))
        f, u = figures.runs[0].against_median
        assert (f.measure, u.measure) == ("T10F", "T10U")
        assert u.values == (4, 0)
        assert u.medians == (1, 0)  # 4, 1, 0 and 0, 2, -1
        assert u.differences == (3, 0)

    def test_among_runs_of_the_same_subtask_and_in_the_measure_aimed_at(self, tmp_path):
        described = {
            "a": {"subtask": "batch", "optimized_for": "T10U"},
            "b": {"subtask": "batch", "optimised_for": "F-beta"},
            "c": {"subtask": "adaptive", "optimized_for": "neither"},
        }
        a, b, c = module_of(get("filtering")).figures(self.campaign(tmp_path, described)).runs
        assert [(d.measure, d.medians) for d in a.against_median] == [("T10U", (2.5, 1.0))]
        assert [d.measure for d in b.against_median] == ["T10F"]
        assert [(d.measure, d.differences) for d in c.against_median] == [("T10F", (0.0, 0.0)), ("T10U", (0, 0))]

    def test_a_subtask_is_the_same_however_it_is_written(self, tmp_path):
        described = {"a": {"subtask": "adaptive"}, "b": {"subtask": "Adaptive "}, "c": {"subtask": "batch"}}
        a, *_ = module_of(get("filtering")).figures(self.campaign(tmp_path, described)).runs
        assert a.against_median[1].medians == (2.5, 1.0)  # T10U of a and b: 4, 1 and 0, 2

    def test_an_unknown_aim(self, tmp_path):
        with pytest.raises(assay.InputError, match="characteristics of a: optimized_for = 'speed'; expected T10U"):
            module_of(get("filtering")).figures(self.campaign(tmp_path, {"a": {"optimized_for": "speed"}}))

    def test_utility_over_periods(self, tmp_path):
        boundaries = put(tmp_path, "boundaries.txt", "10\n15\n20\n")
        scores = self.campaign(tmp_path, {"c": {"subtask": "batch"}}, periods=boundaries)
        a, b, c = module_of(get("filtering")).figures(scores).runs
        assert a.periods is not None
        assert [p.label for p in a.periods] == ["up to 10", "10 to 15", "15 to 20", "after 20"]
        assert [p.mean_t10u for p in a.periods] == [1.0, 0.0, 1.0, 0.0]
        # Up to 10: R1 gets its one document (1), R2 has none (1). 10 to 15: R1 has none (1), R2 misses one: 100/102.
        assert [p.mean_t10su for p in a.periods] == [1.0, pytest.approx((1 + 100 / 102) / 2), 1.0, 1.0]
        assert [(p.relevant, p.relevant_retrieved, p.retrieved) for p in a.periods] == [
            (1, 1, 1),
            (1, 0, 0),
            (1, 1, 1),
            (0, 0, 0),
        ]
        assert b.periods is not None
        assert [p.mean_t10u for p in b.periods] == [1.0, (-1 + 2) / 2, 0.0, 0.0]
        assert c.periods is None  # a batch run has no history

    def test_periods_leave_out_what_the_mean_leaves_out(self, tmp_path):
        boundaries = put(tmp_path, "boundaries.txt", "10\n")
        scores = self.campaign(tmp_path, {}, periods=boundaries, missing="skip")
        a = module_of(get("filtering")).figures(scores).runs[0]
        assert a.periods is not None
        assert [(p.mean_t10u, p.relevant) for p in a.periods] == [(2.0, 1), (2.0, 1)]  # R1 alone


class TestOthers:
    def test_list_against_the_median(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": q, "answers": ["x", "y"], "target": 2} for q in "ab"])
        runs = [
            jsonl(
                tmp_path,
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

    def test_a_question_left_out_has_no_difference(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": q, "answers": ["x"]} for q in "ab"])
        runs = [
            jsonl(tmp_path, "r1.jsonl", [{"id": "a", "answers": ["x"]}]),
            jsonl(tmp_path, "r2.jsonl", [{"id": "a", "answers": ["x", "n"]}, {"id": "b", "answers": ["x"]}]),
        ]
        counted = module_of(get("list")).figures(scored("list", gold, *runs)).runs[0].against_median[0]
        assert (counted.values, counted.medians) == ((1.0, 0.0), ((1 + 2 / 3) / 2, 0.5))
        left_out = module_of(get("list")).figures(scored("list", gold, *runs, missing="skip")).runs[0].against_median[0]
        assert (left_out.values, left_out.medians) == ((1.0, None), ((1 + 2 / 3) / 2, 1.0))
        assert left_out.differences[1] is None

    def test_list_without_targets(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": 1, "answers": ["x"]}])
        (run,) = (
            module_of(get("list"))
            .figures(scored("list", gold, jsonl(tmp_path, "r.jsonl", [{"id": 1, "answer": "x"}])))
            .runs
        )
        assert run.mean_accuracy is None
        assert [graph.measure for graph in run.against_median] == ["InstanceF"]

    def test_context_series(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": q, "answers": ["x"]} for q in ("10a", "2a", "2b", "2c")])
        run = jsonl(
            tmp_path,
            "r.jsonl",
            [{"id": "2a", "answers": ["n", "x"]}, {"id": "2c", "answer": "x"}, {"id": "10a", "answer": "x"}],
        )
        figures = module_of(get("context")).figures(scored("context", gold, run))
        first, second = figures.runs[0].series
        assert (first.series, [(q.id, q.rank) for q in first.questions], first.alive) == (
            "2",
            [("2a", 2), ("2b", None), ("2c", 1)],
            1,
        )
        assert (second.series, second.alive) == ("10", 1)
        assert figures.runs[0].alive == (1.0, 0.0, 0.0)

    def test_series_alive_are_those_of_the_measure(self, tmp_path):
        """1a is missing: failed where that counts, not looked at where it is skipped."""
        gold = jsonl(tmp_path, "g.jsonl", [{"id": q, "answers": ["x"]} for q in ("1a", "1b", "2a")])
        run = jsonl(tmp_path, "r.jsonl", [{"id": q, "answer": "x"} for q in ("1b", "2a")])
        for missing, alive in {"zero": (0.5, 0.0), "skip": (1.0, 1.0)}.items():
            figures = module_of(get("context")).figures(scored("context", gold, run, missing=missing))
            table = assay.evaluate(gold, run, ["Alive@1", "Alive@2"], task="context", missing=missing)
            assert figures.runs[0].alive == alive
            assert tuple(table.mean(f"Alive@{k}")["r"] for k in (1, 2)) == alive

    def test_nuggets(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", [{"id": 1, "nuggets": [{"id": "a", "vital": True, "votes": 1}, {"id": "b"}]}])
        runs = [
            jsonl(tmp_path, "r1.jsonl", [{"id": 1, "answer": "abc", "nuggets": ["a", "b"]}]),
            jsonl(tmp_path, "r2.jsonl", [{"id": 1, "answer": "abc", "nuggets": ["b"]}]),
        ]
        first, second = module_of(get("nuggets")).figures(scored("nuggets", gold, *runs)).runs
        assert (first.nuggets_returned, first.vital_returned, first.length) == ((2,), (1,), (3,))
        assert [graph.measure for graph in first.against_median] == ["NuggetF", "PyramidF"]
        assert first.against_median[0].differences == (0.5,)
        assert second.against_median[0].differences == (-0.5,)

    def test_a_count_of_nothing_has_no_percentage(self):
        assert Count.of(0, 0).percent is None
