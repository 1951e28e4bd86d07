"""Comparing the runs of a score table: what enters, what decides, what is said, and every corner that has no answer."""

from __future__ import annotations

import json
import math
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

import assay
from assay.analyses.comparison.compare import compare, compare_many
from assay.analyses.comparison.run_intervals import run_intervals
from assay.core import binding
from assay.errors import InputError, UsageError
from assay.measures.registry import declarations, find
from assay.scoring.score_files import read_scores
from assay.settings import Settings
from assay.table.run_scores import RunScores
from assay.table.scores import Scores
from assay.tasks import get


def no_nan(value):
    """Walk a result: numbers are finite or None."""
    if isinstance(value, dict):
        return all(no_nan(v) for v in value.values())
    if isinstance(value, list | tuple):
        return all(no_nan(v) for v in value)
    return not (isinstance(value, float) and not math.isfinite(value))


class TestWhatIsCompared:
    def test_two_runs_the_second_against_the_first(self, table):
        result = compare(table({"old": [0.1, 0.2, 0.3], "new": [0.2, 0.4, 0.3]}))
        [pair] = result.pairs
        assert (pair.a, pair.b) == ("new", "old")
        assert pair.difference == pytest.approx(0.1)
        assert (pair.won, pair.tied, pair.lost) == (2, 1, 0)
        assert pair.better == "new"
        assert [m.topic for m in pair.moved] == ["t1", "t0"]
        assert [r.run for r in result.runs] == ["new", "old"]

    def test_all_pairs_better_minus_worse(self, random_table):
        result = compare(random_table())
        assert len(result.pairs) == 6
        assert all(pair.difference >= 0 for pair in result.pairs)
        assert result.settings["correct"] == "maxt"

    def test_against_a_baseline(self, random_table):
        result = compare(random_table(), baseline="r0")
        assert [pair.b for pair in result.pairs] == ["r0"] * 3
        assert result.settings["correct"] == "maxt"

    def test_named_pairs_keep_their_order(self, random_table):
        result = compare(random_table(), pairs=[("r0", "r3"), ("r2", "r1")])
        assert [(pair.a, pair.b) for pair in result.pairs] == [("r0", "r3"), ("r2", "r1")]
        assert result.pair("r0", "r3").difference < 0

    def test_lower_is_better_where_the_measure_says_so(self, table):
        columns = {"good": [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0, 0.0], "bad": [3.0, 1.0, 4.0, 1.0, 5.0, 2.0, 6.0, 3.0]}
        lower = next(
            d for d in declarations("ranked") if d.higher_is_better is False and d.level == "topic" and not d.required
        )
        result = compare(table(columns, measure=lower.name))
        assert result.pairs[0].better == "good"
        assert [r.run for r in result.runs] == ["good", "bad"]
        assert "good is better than bad by" in result.pairs[0].sentence
        assert result.pairs[0].lost == 8


class TestNumbers:
    def test_every_p_is_the_tests_own(self, shared_data):
        scores = read_scores(shared_data("trec_matrices") / "adhoc8_ap.csv")
        [pair] = compare(scores, pairs=[("run125", "run126")], tie=0.01).pairs
        assert pair.p["t"] == pytest.approx(0.0013193972, abs=5e-11)
        assert pair.p["wilcoxon"] == pytest.approx(0.003445188, abs=5e-10)
        assert pair.p["sign"] == pytest.approx(0.009559879, abs=5e-10)
        assert pair.p["randomisation"] == pytest.approx(0.0012, abs=0.0012)
        assert pair.p["bootstrap"] == pytest.approx(0.0006, abs=0.0008)
        assert (pair.won, pair.tied, pair.lost) == (13, 6, 31)

    def test_adjusted_p_values_are_those_of_the_pairs_shown(self, random_table):
        result = compare(random_table(), baseline="r0", test="t")
        raw = sorted(pair.p["t"] for pair in result.pairs)
        adjusted = sorted(pair.adjusted["holm"] for pair in result.pairs)
        assert adjusted[0] == pytest.approx(min(1, 3 * raw[0]))
        assert adjusted[-1] == pytest.approx(max(min(1, 3 * raw[0]), min(1, 2 * raw[1]), raw[2]))

    def test_c_at_1_is_that_of_the_paper(self, outcomes):
        """Table 3: 237 right, 156 wrong, 107 unanswered of 500 against 236, 264, 0: .58 and .47."""
        scores = outcomes({"second": "+" * 236 + "-" * 264, "first": "+" * 237 + "-" * 156 + "." * 107})
        result = compare(scores)
        assert {r.run: round(r.value, 2) for r in result.runs} == {"first": 0.58, "second": 0.47}
        # Only 1 + 107 questions differ: one right where the other is wrong, 107 unanswered where it is wrong.
        assert (result.pairs[0].won, result.pairs[0].tied, result.pairs[0].lost) == (108, 392, 0)

    def test_a_right_answer_beats_none_and_none_beats_a_wrong_one(self, outcomes):
        scores = outcomes({"b": "-.+-.+", "a": "+++.-."})
        [pair] = compare(scores, resamples=200).pairs
        assert (pair.won, pair.tied, pair.lost) == (3, 1, 2)
        moved = {m.topic: m.difference for m in pair.moved}
        assert moved["q0"] > moved["q1"] > 0 > moved["q4"]

    def test_what_a_question_is_worth(self, outcomes):
        """At the mean sums c = 1.5 and u = .5 of n = 4, n c@1 gains (n + u)/n by a right answer and c/n by none."""
        [pair] = compare(outcomes({"b": "+---", "a": "++.-"}), resamples=200).pairs
        assert {m.topic: m.difference for m in pair.moved} == pytest.approx({"q1": 4.5 / 4, "q2": 1.5 / 4})

    @pytest.mark.parametrize("measure", ["accuracy", "c@1", "score"])
    def test_a_question_shows_its_own_change(self, measure):
        def rows(right):
            return "id,sample,outcome\n" + "".join(
                f"q{q},{s},{'correct' if s <= right.get(q, 2) else 'incorrect'}\n"
                for q in range(30)
                for s in range(1, 5)
            )

        before, after = (rows(right).encode() for right in ({0: 4, 1: 3}, {0: 0}))
        scores = assay.evaluate(None, {"before": before, "after": after}, [measure])
        [pair] = compare(scores, measure).pairs
        assert {m.topic: m.difference for m in pair.moved} == pytest.approx(
            {"q0": -1.0, "q1": -0.25}
        )  # 4/4 → 0/4, 3/4 → 2/4

    def test_a_question_of_a_count_is_not_multiplied(self):
        runs = {"b": b"id,outcome\n1,correct\n2,incorrect\n", "a": b"id,outcome\n1,correct\n2,correct\n"}
        [pair] = compare(assay.evaluate(None, runs, ["correct"]), "correct", resamples=200).pairs
        assert {m.topic: m.difference for m in pair.moved} == pytest.approx({"2": 1.0})

    def test_ties_by_size_are_for_values_per_topic(self, outcomes):
        scores = outcomes({"b": "-.+-.+", "a": "+++.-."})
        [pair] = compare(scores, resamples=200, tie=0.5).pairs
        assert (pair.won, pair.tied, pair.lost) == (3, 1, 2)

    def test_mcnemar_counts_right_against_not_right(self, outcomes):
        [pair] = compare(outcomes({"b": "+--..+--", "a": "+++++++."}, measure="accuracy"), resamples=200).pairs
        # a alone is right on 5 questions, b alone on none: 2 / 2^5.
        assert pair.p["mcnemar"] == pytest.approx(2 / 32)
        assert set(pair.p) == {"randomisation", "bootstrap", "mcnemar"}

    def test_mcnemar_belongs_to_accuracy(self, outcomes):
        """Red before: where two runs have the same c@1 it rejected 96% of the time."""
        scores = outcomes({"b": "+--..+--", "a": "+++++++."})
        assert set(compare(scores).pairs[0].p) == {"randomisation", "bootstrap"}
        with pytest.raises(UsageError, match="as many right answers, which is accuracy and not c@1; use randomisation"):
            compare(scores, test="mcnemar")

    def test_geometric_means_and_sums_are_resampled_as_what_they_are(self, table):
        columns = {"a": [0.2, 0.4, 0.1, 0.3], "b": [0.1, 0.1, 0.1, 0.2]}
        gm = compare(table(columns, measure="gm_map"))
        expected = {run: math.exp(np.log(values).mean()) for run, values in columns.items()}
        assert {r.run: r.value for r in gm.runs} == pytest.approx(expected)
        total = compare(table({"a": [2, 4, 1], "b": [1, 1, 1]}, measure="num_rel_ret"))
        assert {r.run: r.value for r in total.runs} == {"a": 7.0, "b": 3.0}
        assert total.pairs[0].difference == -4.0

    def test_whole_run_measures(self):
        confidence = [0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3]
        runs = []
        for name, right in (("b", [1, 0, 1, 0, 1, 0, 0, 0]), ("a", [1, 1, 1, 1, 0, 0, 0, 0])):
            columns = {"correct": right, "answered": [1] * 8, "confidence": confidence, "position": list(range(8))}
            runs.append(RunScores(name, None, columns, [False] * 8))
        scores = Scores(
            get("outcomes"), get("outcomes").settings(), [str(i) for i in range(8)], [find("CWS", "outcomes")], runs
        )
        result = compare(scores, resamples=300)
        [pair] = result.pairs
        assert pair.interval.method == "randomisation"
        assert {r.run: r.value for r in result.runs} == pytest.approx(
            {run: scores.value(run, "CWS").value for run in ("a", "b")}
        )
        assert 0 < pair.p["randomisation"] <= 1
        assert pair.exact
        assert "tukey" not in pair.adjusted

    def test_clusters_are_found_in_the_gold_and_can_be_switched_off(self, outcomes):
        text = {"b": "++--" * 5, "a": "++++----" * 2 + "++++"}
        scores = outcomes(text, fields={"cluster": [i // 4 for i in range(20)]})
        by_cluster, by_question = compare(scores), compare(scores, cluster=None)
        assert (by_cluster.units, by_cluster.settings["cluster"]) == (5, "cluster")
        assert (by_question.units, by_question.settings["cluster"]) == (20, None)
        assert "mcnemar" not in by_cluster.pairs[0].p
        assert by_cluster.pairs[0].p["randomisation"] != by_question.pairs[0].p["randomisation"]

    def test_the_smallest_difference(self, random_table):
        """t(.975, 29) standard errors would have been significant; what the noncentral t exceeds 4 times in 5 is found."""
        from scipy import stats

        scores = random_table(runs=2, step=0.0)
        [pair] = compare(scores, test="t").pairs
        d = np.array(scores.column("r1", "AP")) - np.array(scores.column("r0", "AP"))
        error = d.std(ddof=1) / math.sqrt(30)
        assert pair.critical == pytest.approx(stats.t.ppf(0.975, 29) * error)
        away = pair.detectable / (error * math.sqrt(29 / stats.chi2.median(29)))
        assert stats.nct.sf(stats.t.ppf(0.975, 29), 29, away) == pytest.approx(0.8)

    def test_tiers_follow_the_deciding_p(self, random_table):
        result = compare(random_table(runs=5, step=0.1))
        below = {(p.b, p.a) for p in result.pairs if p.significant}
        for tier in result.tiers:
            assert all((run, tier[0]) not in below for run in tier)
        for above, tier in pairwise(result.tiers):
            assert (tier[0], above[0]) in below

    def test_the_same_seed_gives_the_same_result_on_any_threads(self, random_table):
        one, two = compare(random_table(), seed=3, threads=1), compare(random_table(), seed=3, threads=2)
        assert one == two
        assert one != compare(random_table(), seed=4)

    def test_intervals_of_runs_alone(self, random_table):
        scores = random_table()
        found = run_intervals(scores, "AP")
        board = {r.run: r.interval for r in compare(scores).runs}
        for run, interval in found.items():
            assert (interval.low, interval.high) == pytest.approx((board[run].low, board[run].high))

    def test_a_runs_interval_stays_in_the_measures_range(self, table):
        # t(.975, 2) = 4.30 standard errors of √(1/3) and more reach far beyond 0 and 1.
        scores = table({"a": [0.0, 0.1, 1.0], "b": [1.0, 0.0, 0.1]})
        result = compare(scores)
        for interval in (*run_intervals(scores, "AP").values(), *(r.interval for r in result.runs)):
            assert 0.0 <= interval.low < interval.high <= 1.0
        assert (result.pairs[0].interval.low, result.pairs[0].interval.high) == (-1.0, 1.0)

    def test_a_range_without_an_end_cuts_nothing_there(self, table):
        scores = table({"a": [0.0, 0.0, 9.0], "b": [0.0, 9.0, 0.0]}, "DCG")
        assert compare(scores).pairs[0].interval.low < -9

    def test_a_file_in_percent_is_not_cut_at_1(self, table):
        scores = table({"a": [20.0, 10.0, 60.0], "b": [10.0, 80.0, 30.0]})
        result = compare(scores)
        for interval, run in ((run_intervals(scores, "AP")["a"], 30.0), (result.runs[0].interval, 40.0)):
            assert interval.low < run < interval.high
        assert result.pairs[0].interval.high > 10

    def test_two_topics_show_nothing(self, table):
        result = compare(table({"a": [0.0, 1.0], "b": [1.0, 0.0]}))
        # Tango, a win and a loss of 2: z² = 2δ²/(2q + δ(1 - δ)) with q the root of 4q² + (4δ - 2)q - δ(1 - δ) = 0.
        assert (result.pairs[0].interval.low, result.pairs[0].interval.high) == pytest.approx(
            (-0.8109, 0.8109), abs=1e-4
        )
        assert result.pairs[0].sentence == (
            "b and a cannot be told apart: they differ by 0.00 AP [-0.81, 0.81], p = 1 (randomisation, exact); "
            "the topics on which they differ allow no p below .50, whichever run wins them."
        )

    @pytest.mark.parametrize(("topics", "correct", "possible"), [(5, None, False), (6, None, True), (7, "holm", False)])
    def test_what_no_exact_test_can_show_is_said(self, topics, correct, possible, table):
        """A run that wins on all of 5 topics has p = 2/32; on 6 it has 2/64; on 7, under Holm over 5 pairs, 10/128."""
        rng = np.random.default_rng(1)
        low = [0.1 * i for i in range(topics)]
        columns = {"base": low, **{f"r{k}": [x + 0.01 * k + 0.001 * rng.random() for x in low] for k in range(1, 6)}}
        columns = columns if correct else {"base": low, "r1": columns["r1"]}
        pair = compare(table(columns), baseline="base", correct=correct).pairs[0]
        assert pair.significant is possible
        assert (pair.critical is not None) is possible
        assert ("allow no p below" in pair.sentence) is not possible

    def test_json_has_the_settings_and_counts_what_is_not_there(self, table):
        missing = {"a": [False, False, True, False, False], "b": [False] * 5}
        scores = table(
            {"a": [0.1, None, None, 0.4, 0.3], "b": [0.2, 0.9, 0.3, 0.6, 0.1]}, missing=missing, undefined="skip"
        )
        scores.settings = Settings(missing="skip", undefined="skip")
        result = compare(scores).to_dict()
        assert (result["topics"], result["left_out"]) == (3, 2)
        assert {r["run"]: (r["missing"], r["undefined"]) for r in result["runs"]} == {"a": (1, 1), "b": (0, 0)}
        assert (result["settings"]["missing"], result["settings"]["undefined"]) == ("skip", "skip")
        assert result["settings"]["undefined"] == "skip"

    def test_gold_and_runs_are_scored_on_the_way(self):
        gold = {f"q{i}": {"d": 1} for i in range(6)}
        runs = {
            name: {f"q{i}": {"x": 2.0, "d": 3.0 if i % n else 1.0} for i in range(6)}
            for name, n in (("a", 2), ("b", 3))
        }
        result = compare(gold, runs=runs)
        assert (result.measure, [r.run for r in result.runs]) == ("AP", ["b", "a"])
        assert result.to_dict() == compare(assay.evaluate(gold, runs, ["AP"])).to_dict()

    def test_the_rows_are_for_programs(self, random_table):
        header, rows = compare(random_table(runs=3)).rows()
        assert header[:7] == ["measure", "a", "b", "difference", "low", "high", "method"]
        assert header[7:18] == [
            "p_randomisation", "p_bootstrap", "p_t", "p_wilcoxon", "p_sign", "adjusted_maxt", "adjusted_stepdown",
            "adjusted_holm", "adjusted_bh", "adjusted_tukey", "adjusted_by",
        ]  # fmt: skip
        assert len(rows) == 3
        assert all(len(row) == len(header) for row in rows)


class TestCorners:
    """Each is a clear message or a clear result, never a NaN."""

    def test_no_topic_in_common(self, table):
        missing = {"a": [False, False, True, True], "b": [True, True, False, False]}
        scores = table({"a": [0.1, 0.2, 0.0, 0.0], "b": [0.0, 0.0, 0.3, 0.4]}, missing=missing)
        with pytest.raises(InputError, match=r"a and b have no topic in common \(2 and 2 topics\)"):
            compare(scores)

    def test_a_run_without_any_topic(self, table):
        scores = table({"a": [0.1, 0.2], "b": [0.0, 0.0]}, missing={"b": [True, True]})
        with pytest.raises(InputError, match="b has no results for any of the 2 topics"):
            compare(scores)

    def test_one_topic(self, table):
        with pytest.raises(
            InputError, match=r"share one topic with a value of AP \(t0\); a comparison needs at least 2"
        ):
            compare(table({"a": [0.1], "b": [0.2]}))

    def test_one_topic_left_where_both_are_defined(self, table):
        scores = table({"a": [0.1, None, 0.3], "b": [0.2, 0.3, None]}, undefined="skip")
        with pytest.raises(InputError, match="one topic"):
            compare(scores)

    def test_no_topic_where_both_are_defined(self, table):
        scores = table({"a": [0.1, None], "b": [None, 0.3]}, undefined="skip")
        with pytest.raises(InputError, match="AP is defined for a and b on no common topic"):
            compare(scores)

    def test_all_ties(self, table):
        result = compare(table({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2, 0.3]}))
        [pair] = result.pairs
        # The rule of three: a share of 1 - .025^(1/3) of the topics could differ.
        assert pair.sentence == (
            "b and a have the same score on every one of the 3 topics; 95% interval of the difference [-0.708, 0.708]."
        )
        assert (pair.difference, pair.moved) == (0.0, [])
        assert pair.interval.low < 0 < pair.interval.high
        assert set(pair.p.values()) == {1.0}
        assert result.tiers == [["a", "b"]]
        assert no_nan(result.to_dict())

    def test_a_run_whose_value_hangs_on_one_question_is_not_tested(self):
        """PRR of 29 right answers and one wrong one: without the wrong one there is none."""
        measure = find("PRR", "outcomes")
        base = {name: [1] * 30 for name in measure.of}
        runs = []
        for run, wrong in (("a", [3]), ("b", [1, 2, 4, 5])):
            columns = {
                **base,
                "correct": [int(i not in wrong) for i in range(30)],
                "confidence": [i / 30 for i in range(30)],
            }
            runs.append(RunScores(run, None, columns, [False] * 30))
        topics = [f"{i:02}" for i in range(30)]
        [pair] = compare(Scores(get("outcomes"), get("outcomes").settings(), topics, [measure], runs)).pairs
        assert pair.decided_by is None
        assert "PRR of a hangs on a single question, too few to test" in pair.sentence

    def test_runs_that_are_always_right_have_no_auroc_to_compare(self):
        column = {"answered": [1, 1, 1], "correct": [1, 1, 1], "confidence": [0.5, 0.7, 0.9]}
        measure = find("AUROC", "outcomes")
        columns = {name: column.get(name.removeprefix("answer_"), [1, 1, 1]) for name in measure.of}
        runs = [RunScores(run, None, columns, [False] * 3) for run in ("a", "b")]
        result = compare(Scores(get("outcomes"), get("outcomes").settings(), ["1", "2", "3"], [measure], runs))
        assert result.pairs[0].sentence.startswith("b and a cannot be compared: AUROC is undefined")
        assert no_nan(result.to_dict())

    def test_undefined_values_are_left_out_for_both_and_counted(self, table):
        scores = table({"a": [0.1, None, 0.3, 0.4], "b": [0.2, 0.9, 0.3, None]}, undefined="skip")
        result = compare(scores)
        assert (result.topics, result.left_out) == (2, 2)
        assert result.pairs[0].difference == pytest.approx(0.05)
        assert "2 topics are missing or undefined for some run and left out for all" in result.notes

    def test_undefined_counts_as_zero_where_the_table_says_so(self, table):
        result = compare(table({"a": [0.2, None, 0.4], "b": [0.2, 0.3, 0.4]}, undefined="zero"))
        assert (result.topics, result.left_out) == (3, 0)
        assert result.pairs[0].difference == pytest.approx(0.1)

    @pytest.mark.parametrize(("policy", "topics"), [("zero", 3), ("skip", 2), ("common", 2)])
    def test_missing_topics_enter_as_the_table_says(self, policy, topics, table):
        scores = table({"a": [0.2, 0.0, 0.4], "b": [0.2, 0.3, 0.5]}, missing={"a": [False, True, False]})
        scores.settings = Settings(missing=policy)
        result = compare(scores)
        assert (result.topics, result.left_out) == (topics, 3 - topics)
        assert {r.run: r.value for r in result.runs}["a"] == pytest.approx(scores.value("a", "AP").value)

    def test_an_undefined_measure_is_said_not_shown(self, outcomes):
        """Precision over the answered, of a system that answers nothing."""
        scores = outcomes({"silent": "....", "a": "++-.", "b": "+--."}, measure="precision")
        result = compare(scores, resamples=200)
        assert no_nan(result.to_dict())
        silent = [pair for pair in result.pairs if "silent" in (pair.a, pair.b)]
        assert all(pair.difference is None and "cannot be compared" in pair.sentence for pair in silent)
        assert {r.run: r.tier for r in result.runs}["silent"] is None
        assert json.dumps(result.to_dict(), allow_nan=False)

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ({"baseline": "none"}, "unknown run 'none'; runs are r0, r1, r2, r3"),
            ({"pairs": [("r0", "r9")]}, "unknown run 'r9'"),
            ({"pairs": [("r0", "r0")]}, "compares a run with itself"),
            ({"runs": ["r0"]}, "at least 2 runs"),
            ({"test": "welch"}, "`test='welch'`: expected one of randomisation, bootstrap, t, wilcoxon, sign, mcnemar"),
            ({"correct": "sidak"}, "`correct='sidak'`: expected one of maxt, stepdown, holm, bh, tukey, none"),
            ({"interval": "normal"}, "`interval='normal'`: expected one of auto"),
            ({"threads": 0}, "expected a whole number of at least 1"),
            ({"baseline": "r0", "pairs": [("r1", "r2")]}, "a baseline or the pairs to compare, not both"),
            ({"pairs": [("r0", "r1"), ("r1", "r0")]}, "is given twice"),
            ({"resamples": 10}, "too few"),
            ({"tie": -1}, "expected 0 or a positive number"),
            ({"test": "mcnemar"}, "the runs have no right and wrong answers"),
            ({"cluster": "passage"}, "no field 'passage'"),
            ({"measure": "P@10"}, "was not computed"),
        ],
    )
    def test_requests_that_make_no_sense(self, arguments, says, random_table):
        with pytest.raises(UsageError, match=says):
            compare(random_table(), **arguments)

    def test_tests_that_need_values_per_topic(self, outcomes):
        with pytest.raises(UsageError, match="c@1 has no value per question; use randomisation or bootstrap"):
            compare(outcomes({"a": "+-+-", "b": "++--"}), test="wilcoxon")

    def test_one_cluster(self, outcomes):
        scores = outcomes({"a": "+-+-", "b": "++--"}, fields={"cluster": ["p"] * 4})
        with pytest.raises(InputError, match="all 4 questions are in one cluster"):
            compare(scores)

    def test_missing_topics_are_an_error_where_the_table_says_so(self, table):
        scores = table({"a": [0.2, 0.0], "b": [0.2, 0.3]}, missing={"a": [False, True]})
        scores.settings = Settings(missing="error")
        with pytest.raises(InputError, match="no results for topic 't1'"):
            compare(scores)

    def test_json_has_the_documented_shape(self, random_table):
        result = compare(random_table()).to_dict()
        assert {"measure", "pairs", "tiers", "settings"} <= set(result)
        pair = result["pairs"][0]
        assert {"a", "b", "difference", "interval", "p", "adjusted"} <= set(pair)
        assert len(pair["interval"]) == 2
        assert json.loads(json.dumps(result, allow_nan=False)) == result


@pytest.mark.slow
def test_thirteen_systems_of_pan_2020_by_c_at_1(shared_data):
    folder = shared_data("pan20_av")
    scores = assay.evaluate(
        folder / "truth.jsonl", sorted((folder / "submissions").glob("*/answers.jsonl")), measures=["c@1"]
    )
    result = assay.compare(scores, "c@1")
    assert (len(result.runs), len(result.pairs), result.topics) == (13, 78, 14311)
    official = {
        line.split(",")[0]: float(line.split(",")[6])
        for line in (folder / "expected_official.csv").read_text().splitlines()[1:]
    }
    for run in result.runs:
        assert run.value == pytest.approx(official[run.run.split("/")[0]], abs=1e-9)
        assert run.interval.low < run.value < run.interval.high
    assert all(
        set(pair.adjusted) == {"maxt", "stepdown", "holm", "bh"} and pair.interval is not None for pair in result.pairs
    )
    assert result.tiers[0] == ["boenninghoff20-large"]
    assert no_nan(result.to_dict())


class TestManyRuns:
    @pytest.fixture
    def field(self):
        """14 runs: two are the same, one has a constant distance, and one has no value on the last topic."""
        values = np.random.default_rng(3).random((30, 14)).round(3) * np.linspace(0.4, 1.0, 14)
        values[:, 1] = values[:, 0]
        values[:, 3] = values[:, 2] + 0.125
        return values

    @pytest.mark.parametrize("correct", [None, "holm", "tukey", "none"])
    @pytest.mark.parametrize("undefined", [False, True])
    def test_the_same_as_all_pairs_in_full(self, field, correct, undefined):
        scores = assay.scores(
            [
                [None if undefined and (t, r) == (29, 5) else float(v) for r, v in enumerate(row)]
                for t, row in enumerate(field)
            ]
        )
        whole = compare(scores, correct=correct)
        brief = compare_many(scores, scores.measures[0], correct=correct, first=3)
        assert brief.compared == whole.compared == 91
        assert [pair.sentence for pair in brief.pairs] == [pair.sentence for pair in whole.pairs[:3]]
        assert (brief.tiers, brief.runs, brief.settings, brief.extent) == (
            whole.tiers,
            whole.runs,
            whole.settings,
            whole.extent,
        )
        assert brief.significant.items() <= whole.significant.items()
        names, every = scores.runs, brief.every
        assert [(names[a], names[b]) for a, b in zip(every.a, every.b, strict=True)] == [
            (p.a, p.b) for p in whole.pairs
        ]
        assert every.difference.tolist() == [p.difference for p in whole.pairs]
        ends = [None if p.interval is None else (p.interval.low, p.interval.high) for p in whole.pairs]
        assert list(zip(every.low.tolist(), every.high.tolist(), strict=True)) == ends
        assert every.p.tolist() == [p.decided_by for p in whole.pairs]
        assert every.methods == (whole.pairs[0].interval.method,)
        assert every.adjusted == (correct != "none")

    def test_only_what_is_shown_is_tested(self, field):
        scores = assay.scores(field)
        brief = compare_many(scores, scores.measures[0], first=2)
        assert [*brief.significant] == ["randomisation", "maxt", "tukey"]
        assert [[*pair.p] for pair in brief.pairs] == [["randomisation"]] * 2
        assert "every" not in brief.to_dict()


class TestBaseline:
    """Every run against one: no pairs beyond those, no tiers, and memory for a few runs at a time."""

    @pytest.mark.parametrize("interval", ["auto", "studentised"])
    def test_parts_of_the_runs_give_the_same_as_all_at_once(self, monkeypatch, interval):
        values = np.random.default_rng(3).random((25, 12)).round(3)
        choices = {"baseline": "r5", "resamples": 999, "interval": interval}
        whole = compare(assay.scores(values, runs=[f"r{i}" for i in range(12)]), **choices)
        for module in ("resampling.resamplers", "stats.bootstrap_intervals", "resampling.sign_flips"):
            monkeypatch.setattr(f"assay.{module}.AT_ONCE", 4000)
        parts = compare(assay.scores(values, runs=[f"r{i}" for i in range(12)]), **choices)
        assert parts.to_dict() == whole.to_dict()
        assert [(pair.b, whole.tiers) for pair in whole.pairs] == [("r5", None)] * 11

    @pytest.mark.skipif(binding.LIBRARY is None, reason="the numpy twin holds draws of its own")
    def test_the_largest_array_grows_with_the_runs_and_not_with_their_pairs(self):
        """10,000 flips of 200 runs at a time take 16 MB; tiers of all 319,600 pairs, and flips of all runs, once took 280."""
        values = np.random.default_rng(3).random((20, 800)).round(3)
        scores = assay.scores(values, runs=[f"r{i}" for i in range(800)])
        tracemalloc.start()
        result = compare(scores, baseline="r5", resamples=10_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(result.pairs) == 799
        assert peak < 150e6
