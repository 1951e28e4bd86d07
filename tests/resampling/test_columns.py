"""From the score table to what is resampled: which topics enter, as what, in which clusters."""

from __future__ import annotations

import numpy as np
import pytest
from sampled_tables import right_of, scored

from assay.analyses.reliability.reliability import reliability
from assay.errors import InputError
from assay.measures.registry import find
from assay.resampling.columns import Columns
from assay.resampling.subsets import Subsets, count
from assay.settings import Settings
from assay.table.run_scores import RunScores
from assay.table.scores import Scores
from assay.tasks import get


def ranked_scores(matrix, measure="AP", missing=None):
    """A score table of one topic-level measure; matrix[run][topic], None where undefined."""
    found = find(measure, "ranked")
    runs = [
        RunScores(f"r{i}", None, {measure: list(row)}, missing[i] if missing else [False] * len(row))
        for i, row in enumerate(matrix)
    ]
    return Scores(get("ranked"), Settings(), [f"t{t}" for t in range(len(matrix[0]))], [found], runs)


def problem_of(scores):
    columns = [Columns.of(scores, measure) for measure in scores.measures]
    return Subsets(scores.runs, {one.measure.name: one.resampler for one in columns})


def test_holes_are_named_where_the_policy_is_error():
    holes = [[False] * 6, [False, True, False, False, True, False]]
    matrix = [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.2, 0.0, 0.1, 0.4, 0.0, 0.3]]
    with pytest.raises(InputError, match=r"run 'r1' has no results for topic 't1' and 1 more; `missing='zero'`"):
        reliability(_with_policy(matrix, holes, "error"))


def _with_policy(matrix, holes, policy):
    scores = ranked_scores(matrix, missing=holes)
    scores.settings = Settings(missing=policy)
    return scores


def test_missing_policies_change_what_enters():
    holes = [[False] * 6, [False, True, False, False, True, False]]
    matrix = [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.2, 0.0, 0.1, 0.4, 0.0, 0.3]]
    assert problem_of(_with_policy(matrix, holes, "common")).topics == 4
    assert problem_of(_with_policy(matrix, holes, "zero")).topics == 6
    skip = problem_of(_with_policy(matrix, holes, "skip"))
    assert skip.topics == 4
    [counts] = count(skip, 4, 1, swap=False).values()
    # Over the topics both have, as `compare` takes them: .35 for r0 and .25 for r1.
    assert counts.outcomes[0].tolist() == [1] * 10 + [0] * 10
    assert counts.highest == pytest.approx(0.35, abs=1e-15)


def test_undefined_topics_follow_the_tables_policy():
    matrix = [[0.5, None, 0.5, None], [0.4, 0.4, 0.4, 0.4]]
    scores = ranked_scores(matrix)
    zero = count(problem_of(scores), 4, 1, swap=False)["AP"]
    assert zero.outcomes[0].tolist() == [0] * 10 + [1] * 10
    scores.settings = Settings(undefined="skip")
    skip = count(problem_of(scores), 4, 1, swap=False)["AP"]
    assert skip.outcomes[0].tolist() == [1] * 10 + [0] * 10


def test_a_geometric_mean_is_recomputed():
    scores = ranked_scores([[0.1, 0.9, 0.4, 0.2], [0.5, 0.5, 0.5, 0.5]], "map")
    columns = [{"gm_map": scores.run(name).columns["map"]} for name in scores.runs]
    runs = [RunScores(name, None, cells, [False] * 4) for name, cells in zip(scores.runs, columns, strict=True)]
    scores = scores.with_runs(runs, [find("gm_map", "ranked")])
    [counts] = count(problem_of(scores), 4, 1, swap=False).values()
    assert counts.highest == pytest.approx(0.5, abs=1e-12)
    assert counts.outcomes[0].tolist() == [0] * 10 + [1] * 10


def test_topics_without_a_cluster_stand_alone():
    scores = ranked_scores([[0.1, 0.2, 0.3, 0.4, 0.5], [0.5, 0.4, 0.3, 0.2, 0.1]])
    scores.fields = {"cluster": ["p", "p", None, None, "q"]}
    columns = Columns.of(scores, "AP").by("cluster")
    assert columns.resampler.units == 4
    assert columns.resampler.sizes.tolist() == [2, 1, 1, 1]


class TestSamples:
    """Questions with several samples: what each adds, and what it weighs."""

    def test_the_same_number_everywhere_needs_no_weights_but_those_of_samples(self):
        columns = Columns.of(scored({"r": right_of([4, 2, 1])}, ["accuracy"]), "accuracy")
        assert columns.counts.tolist() == [[4, 4, 4]]
        assert columns.resampler.values().tolist() == [7 / 12]
        assert columns.resampler.units == 3
        assert columns.ways is None, "a question right in some of its samples ends in no single way"
        assert columns.correct is None

    def test_unequal_numbers_weigh_the_same(self):
        scores = scored({"a": {"q0": "CI", "q1": "CCN"}, "b": {"q0": "C", "q1": "IINC"}}, ["accuracy", "c@1"])
        columns = Columns.of(scores, "accuracy")
        assert columns.resampler.values() == pytest.approx([(1 / 2 + 2 / 3) / 2, (1 + 1 / 4) / 2])
        assert columns.resampler.jackknife().tolist() == pytest.approx(np.array([[2 / 3, 1 / 4], [1 / 2, 1]]))
        assert Columns.of(scores, "c@1").resampler.values() == pytest.approx(list(scores["c@1"].values()))

    def test_numbers_without_a_small_common_multiple_add_fractions(self):
        run = {f"q{i}": "C" * (i % 5) + "I" * (31 + i) for i in range(9)}
        scores = scored({"r": run}, ["accuracy", "c@1"])
        for name in ("accuracy", "c@1"):
            assert Columns.of(scores, name).resampler.values() == pytest.approx([scores[name]["r"]], abs=1e-12)
        assert Columns.of(scores, "accuracy").resampler.errors(np.array([0]), None)[0] == pytest.approx(
            np.std([s.count("C") / len(s) for s in run.values()], ddof=1) / 3, rel=1e-6
        )

    def test_failed_questions_leave_and_one_sample_each_is_no_repeat(self):
        scores = scored({"r": {"q0": "C", "q1": "E", "q2": "I"}}, ["accuracy", "AUROC"])
        columns = Columns.of(scores, "accuracy")
        assert (columns.topics, columns.counts) == (["q0", "q2"], None)
        assert columns.ended.tolist() == [[1, 1]]
        assert columns.correct.tolist() == [[True], [False]]

    def test_answers_one_by_one(self):
        scores = scored({"r": {"q0": "CI", "q1": "EC", "q2": "E"}}, ["AUROC"])
        found, topics = Columns.of(scores, "AUROC").flat(0, ("correct",))
        assert (found, topics) == ([[1, 0, 1, 1]], [0, 0, 1, 1])

    def test_samples_travel_with_the_run(self):
        import pickle

        scores = scored({"r": {"q0": "CI", "q1": "E"}}, ["accuracy"])
        again = pickle.loads(pickle.dumps(scores.run("r")))
        assert list(again.samples) == [2, 0]
