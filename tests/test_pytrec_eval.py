"""The drop-in for pytrec_eval, by hand; tests/peers holds it against pytrec_eval itself."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from math import log, log2

import numpy as np
import pytest

from assay import pytrec_eval

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}}
RUN = {"q1": {"a": 1.0, "b": 2, "z": 0.5, "y": 0.5}}


def evaluated(*measures: str, **choices) -> dict[str, float]:
    return pytrec_eval.RelevanceEvaluator(QRELS, measures, **choices).evaluate(RUN)["q1"]


def test_values_by_hand_under_pytrec_evals_names() -> None:
    # b, a, z, y: of two relevant documents one is found, at rank 2
    assert evaluated("map", "recip_rank", "P_5", "bpref", "num_rel", "num_q", "utility", "gm_map") == {
        "num_q": 1.0, "num_rel": 2.0, "map": 0.25, "gm_map": log(0.25), "bpref": 0.0, "recip_rank": 0.5, "P_5": 0.2,
        "utility": -2.0,
    }  # fmt: skip
    assert evaluated("ndcg") == {"ndcg": (1 / log2(3)) / (2 + 1 / log2(3))}
    assert evaluated("map", relevance_level=2) == {"map": 0.0}
    assert evaluated("recip_rank", "num_ret", judged_docs_only_flag=True) == {"num_ret": 2.0, "recip_rank": 0.5}


def test_parameters_stand_behind_a_dot_or_an_underscore_and_join() -> None:
    assert list(evaluated("ndcg_cut.20,10", "P_5", "P.10", "P")) == ["P_5", "P_10", "ndcg_cut_10", "ndcg_cut_20"]
    assert evaluated("success_1,2") == {"success_1": 0.0, "success_2": 1.0}
    # what takes no parameters ignores them, and set_F keeps its name: P = 1/4, R = 1/2, β² = .5
    assert evaluated("map_5", "set_F.0.5") == {"map": 0.25, "set_F": 1.5 * 0.25 * 0.5 / (0.5 * 0.25 + 0.5)}
    assert list(evaluated("iprec_at_recall.0.5,1")) == ["iprec_at_recall_0.50", "iprec_at_recall_1.00"]


def test_sets_of_measures_and_what_is_text() -> None:
    found = evaluated("official", "relstring")
    assert found["runid"] == found["relstring"] == 0.0
    assert {"map", "P_1000", "iprec_at_recall_0.00"} <= set(found)
    assert "unj" not in pytrec_eval.supported_measures
    assert pytrec_eval.supported_nicknames["all_trec"] == pytrec_eval.supported_measures


def test_topics_are_those_of_both_in_the_order_of_the_run() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({**QRELS, "empty": {}}, ["map"])
    run = {"q2": {"a": 1.0}, "other": {"a": 1.0}, "q1": {}, "empty": {"a": 1.0}}
    assert list(evaluator.evaluate(run).items()) == [("q2", {"map": 1.0}), ("q1", {"map": 0.0})]
    assert evaluator.evaluate({}) == evaluator.evaluate(None) == {}  # type: ignore[arg-type]


def test_exact_is_assays_own() -> None:
    close = {"q1": {"a": -0.48203352, "z": -0.48203353}}  # the same number as float32
    for exact, rank in ((False, 2), (True, 1)):
        found = pytrec_eval.RelevanceEvaluator(QRELS, ["recip_rank"], exact=exact).evaluate(close)
        assert found["q1"] == {"recip_rank": 1 / rank}
    # topics that the run lacks count 0, with the relevant documents they have
    assert found["q2"] == {"recip_rank": 0.0}
    lacking = pytrec_eval.RelevanceEvaluator(QRELS, ["num_rel", "num_q"], exact=True).evaluate({"q1": {}})
    assert lacking == {"q1": {"num_q": 1.0, "num_rel": 2.0}, "q2": {"num_q": 1.0, "num_rel": 1.0}}
    assert list(pytrec_eval.RelevanceEvaluator(QRELS, ["map"], exact=True).evaluate({})) == ["q1", "q2"]
    # a recall of 30.5% of 10 relevant documents takes four of them; trec_eval 9 is content with ⌊3.05 + .9⌋ = 3
    judged = {"q": {f"d{i}": 1 for i in range(10)}}
    ranking = {"q": {**{f"d{i}": 9.0 - i for i in range(3)}, "x": 5.0, "d3": 4.0}}
    for exact, value in ((False, 1.0), (True, 4 / 5)):
        evaluator = pytrec_eval.RelevanceEvaluator(judged, ["iprec_at_recall.0.305"], exact=exact)
        assert [*evaluator.evaluate(ranking)["q"].values()] == [value]


@pytest.mark.parametrize(
    ("qrels", "measures", "more", "error", "says"),
    [
        (QRELS, "map", {}, ValueError, "unsupported measure m|unsupported measure a|unsupported measure p"),
        (QRELS, ["bogus"], {}, ValueError, "unsupported measure bogus"),
        (QRELS, ["prefs"], {}, ValueError, "unsupported measure prefs_"),
        (QRELS, ["ndcg.10"], {}, ValueError, "ndcg.10: expected pairs"),
        (QRELS, ["P.0"], {}, ValueError, "expected cutoffs of at least 1"),
        (QRELS, ["P.05,5"], {}, ValueError, "a cutoff appears twice"),
        ([], ["map"], {}, AttributeError, "items"),
        ({"q": [1]}, ["map"], {}, TypeError, "Expected dictionary as value: topic 'q' has list"),
        ({1: {"a": 1}}, ["map"], {}, TypeError, "Expected string as key: found topic 1"),
        ({"q": {1: 1}}, ["map"], {}, TypeError, "Expected mapping of document id to .* topic 'q' has the id 1"),
        (
            {"q": {"a": 1.0}},
            ["map"],
            {},
            TypeError,
            "Expected relevance to be integer: topic 'q', document 'a' has 1.0",
        ),
        (QRELS, ["map"], {"relevance_level": 0}, TypeError, "relevance_level should be positive, found 0"),
        (QRELS, ["map"], {"relevance_level": 1.5}, TypeError, "relevance_level should be a whole number, found 1.5"),
        (QRELS, ["map"], {"judged_docs_only_flag": None}, TypeError, "judged_docs_only_flag .* found None"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_with_pytrec_evals_errors(qrels, measures, more, error, says) -> None:
    with pytest.raises(error, match=says):
        pytrec_eval.RelevanceEvaluator(qrels, measures, **more)


@pytest.mark.parametrize(
    ("run", "error", "says"),
    [
        ([1], TypeError, "scores should be of type dictionary, found list"),
        ({"q1": []}, TypeError, "Unable to extract query/object scores"),
        ({1: {"a": 1.0}}, TypeError, "Unable to extract query/object scores"),
        ({"q1": {"a": "x"}}, TypeError, "Unable to extract query/object scores: topic 'q1', document 'a' has 'x'"),
        ({"nobody": {"a": None}}, TypeError, "Unable to extract query/object scores"),
        ({"nobody": {1: 2.0}}, TypeError, "has the id 1, which is no text"),
        ({"q1": {"a": 3.0, 1: 2.0}}, TypeError, "has the id 1, which is no text"),
        ({"q1": {1: 2.0}}, TypeError, "has the id 1, which is no text"),
        ({"q1": {"a": Decimal("sNaN")}}, TypeError, "topic 'q1', document 'a' has Decimal"),
        ({"q1": {"a": Decimal("NaN")}}, ValueError, "topic 'q1', document 'a': the score is NaN"),
        ({"q1": {"a": float("nan")}}, ValueError, "topic 'q1', document 'a': the score is NaN"),
    ],
)
def test_a_run_that_is_none_is_refused(run, error, says) -> None:
    with pytest.raises(error, match=says):
        pytrec_eval.RelevanceEvaluator(QRELS, ["map"]).evaluate(run)


NUMBERS = {
    "floats": float,
    "whole numbers": int,
    "numpy's doubles": np.float64,
    "numpy's float32": np.float32,
    "numpy's whole numbers": np.int64,
    "numpy's float16": lambda score: np.float16(score * 16000),  # whose sum is infinite
    "numpy's bytes": {2.0: -200, 3.0: np.int8(-128), 4.0: np.int8(-100)}.__getitem__,  # which has no absolute
    "fractions": Fraction,
    "decimals": Decimal,
    "truth": lambda score: score > 2 if score in (2, 3) else score,
    "large numbers": lambda score: int(score) * 10**20,
    "mixed": lambda score: int(score) if score % 2 else np.float64(score),
}


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("exact", [False, True])
def test_scores_of_any_kind_are_the_numbers_they_are(kind, exact) -> None:
    number = NUMBERS[kind]
    # d, c and a tied and so in this order of their ids, then b; a and b are relevant
    qrels = {"q": {"a": 1, "b": 2, "c": 0}, "unranked": {"a": 1}}
    run = {"q": {"a": number(3.0), "d": number(4.0), "c": number(3.0), "b": number(2.0)}}
    every = pytrec_eval.supported_measures
    found = pytrec_eval.RelevanceEvaluator(qrels, every, exact=exact).evaluate(run)["q"]
    assert found["map"] == (1 / 3 + 2 / 4) / 2
    assert found["recip_rank"] == 1 / 3
    assert found["P_5"] == 2 / 5
    assert found["bpref"] == (0 + 0) / 2
    assert found["ndcg"] == (1 / log2(4) + 2 / log2(5)) / (2 + 1 / log2(3))
    assert (found["success_1"], found["success_5"]) == (0.0, 1.0)
    assert (found["recall_5"], found["relative_P_5"], found["Rprec"]) == (1.0, 1.0, 0.0)
    alone = [pytrec_eval.RelevanceEvaluator(qrels, {name}, exact=exact).evaluate(run)["q"] for name in sorted(every)]
    assert {name: value for row in alone for name, value in row.items()} == found


def test_scores_beyond_what_their_type_can_subtract_bring_no_warning() -> None:
    scores = {"a": np.float32(3e38), "b": np.float32(3e38), "c": np.float32(-3e38)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = pytrec_eval.RelevanceEvaluator({"q": {"a": 1}}, ["recip_rank"]).evaluate({"q": scores})
    assert found == {"q": {"recip_rank": 1 / 2}}


def test_a_level_may_be_a_whole_number_of_any_type() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, ["num_rel"], np.int64(2), True)
    plain = pytrec_eval.RelevanceEvaluator(QRELS, ["num_rel"], 2, True)
    assert evaluator.evaluate({"q1": {"a": 1.0}}) == plain.evaluate({"q1": {"a": 1.0}})


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda evaluator: pickle.loads(pickle.dumps(evaluator))])
def test_an_evaluator_goes_to_another_process(copied) -> None:
    run = {"q1": {"a": -0.48203352, "z": -0.48203353}}
    for exact in (False, True):
        evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"map", "P.5,10"}, 2, True, exact=exact)
        assert copied(evaluator).evaluate(run) == evaluator.evaluate(run)


def test_judgments_changed_later_change_nothing() -> None:
    qrels = {"q": {"a": 1, "b": True}}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, ["num_rel"])
    qrels["q"]["c"] = 1
    assert evaluator.evaluate({"q": {"a": 1}}) == {"q": {"num_rel": 2.0}}


def test_aggregates() -> None:
    aggregate = pytrec_eval.compute_aggregated_measure
    assert aggregate("map", [0.5, 0.25, 0.75]) == 0.5
    assert aggregate("num_ret", (3, 4)) == 7.0
    assert aggregate("gm_map", [log(0.5), log(0.125)]) == pytest.approx(0.25)
    assert aggregate("num_q", []) == 0.0
    assert aggregate("map", []) != aggregate("map", [])  # no value, as numpy's mean of nothing


def test_files_are_parsed_and_bad_lines_are_named() -> None:
    run = pytrec_eval.parse_run(["q1 Q0 a 1 2.5 bm25\n", "q1 Q0 b 2 -1e3 bm25\n"])
    assert run == {"q1": {"a": 2.5, "b": -1000.0}}
    assert run["nobody"] == {}  # a defaultdict, as there
    assert pytrec_eval.parse_qrel(["q1 0 a 2", "q2 0 a -1"]) == {"q1": {"a": 2}, "q2": {"a": -1}}
    with pytest.raises(ValueError, match=r"line 1: expected 6 fields \(topic, Q0, .*\), found 2"):
        pytrec_eval.parse_run(["q Q0"])
    with pytest.raises(ValueError, match=r"line 2: expected a whole number as grade, found '1\.5'"):
        pytrec_eval.parse_qrel(["q 0 a 1", "q 0 d 1.5"])
    with pytest.raises(AssertionError, match="line 2: document a appears a second time in topic q"):
        pytrec_eval.parse_qrel(["q 0 a 1", "q 0 a 1"])


INSTALL = """
import sys
import assay.pytrec_eval as ours
assert "numpy" not in sys.modules, "importing it must not cost numpy"
real = type(sys)("pytrec_eval")
real.RelevanceEvaluator = theirs = type("Theirs", (), {})
sys.modules["pytrec_eval"] = real
ours.install(exact=True)
import pytrec_eval
assert pytrec_eval is ours and pytrec_eval.__version__
assert real.RelevanceEvaluator is ours.RelevanceEvaluator, "who imported it before gets it too"
assert set(pytrec_eval.RelevanceEvaluator({"q": {"a": 1}, "p": {"a": 1}}, ["map"]).evaluate({"q": {"a": 1}})) == {"p", "q"}
ours.install()
assert set(pytrec_eval.RelevanceEvaluator({"q": {"a": 1}, "p": {"a": 1}}, ["map"]).evaluate({"q": {"a": 1}})) == {"q"}
ours.uninstall()
assert sys.modules["pytrec_eval"] is real and real.RelevanceEvaluator is theirs
del sys.modules["pytrec_eval"]
ours.install()
ours.uninstall()
assert "pytrec_eval" not in sys.modules
"""


def test_it_is_put_under_others_and_taken_away_again() -> None:
    done = subprocess.run([sys.executable, "-c", INSTALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
