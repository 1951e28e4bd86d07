"""The drop-in for pytrec_eval against pytrec_eval itself, and under BEIR's and MTEB's evaluators.

`make peers` makes an environment with BEIR, `make peers-mteb` one with MTEB; elsewhere those two are skipped.
"""

from __future__ import annotations

import copy
import json
import lzma
import math
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import pytrec_eval as ours

pytestmark = pytest.mark.peer
theirs = pytest.importorskip("pytrec_eval")

DOCUMENTS = [f"d{i}" for i in range(25)] + ["é", "z" * 40, "𝔡"]
GRADES = st.sampled_from([-2, -1, 0, 0, 0, 1, 1, 2, 3, 7])
CLOSE = [0.5, 0.500000001, 1e-46, 2e-46, 1e39, 2e39, float("inf"), float("-inf"), 0.0, -0.0]
SCORES = st.one_of(
    st.integers(-2, 3), st.booleans(), st.floats(-10, 10), st.floats(allow_nan=False), st.sampled_from(CLOSE)
)
PARAMETERS = {
    "P": st.integers(1, 40).map(str), "recall": st.integers(1, 40).map(str), "ndcg_cut": st.integers(1, 40).map(str),
    "map_cut": st.integers(1, 40).map(str), "success": st.integers(1, 40).map(str), "relative_P": st.integers(1, 40).map(str),
    "iprec_at_recall": st.integers(0, 100).map(lambda i: f"{i / 100:.2f}"),
    "Rprec_mult": st.integers(1, 300).map(lambda i: f"{i / 100:.2f}"),
}  # fmt: skip


@st.composite
def collection(draw: st.DrawFn, level: int = 1):
    """Judgments and a run: ties, grades below 0, topics in one of them only, topics without documents.

    pytrec_eval reads memory it never wrote where no grade reaches the level, so each topic has one document that does; and where
    the first topic has no documents, so it has one.
    """
    topics = [f"q{i}" for i in range(draw(st.integers(1, 5)))]
    judged = st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, max_size=20)
    judgments = {t: {**draw(judged), "missed": level} for t in ["first", *topics[: draw(st.integers(1, 5))]]}
    ranked = st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, max_size=20)
    return judgments, {"first": {"d1": 1.0}} | {t: draw(ranked) for t in draw(st.permutations(topics))}


@st.composite
def chosen(draw: st.DrawFn) -> list[str]:
    """Measures, some with parameters written in any of the ways that are understood.

    Of the two that are text pytrec_eval reports what happens to stand in memory, which is 0 only beside others.
    """
    numbers = sorted(theirs.supported_measures - {"runid", "relstring"})
    names = draw(st.lists(st.sampled_from(numbers), min_size=1, max_size=6))
    written: list[str] = []
    for name in names:
        if name in PARAMETERS and draw(st.booleans()):
            values = draw(st.lists(PARAMETERS[name], min_size=1, max_size=4, unique=True))
            written.append(name + draw(st.sampled_from("._")) + ",".join(values))
        else:
            written.append(name)
    return written + draw(st.lists(st.sampled_from(["official", "set"]), max_size=1))


def assert_same(expected, found) -> None:
    """The same topics and keys in the same order, and the same bits, but for 0/0, which is 0 here."""
    assert list(expected) == list(found)
    for topic, values in expected.items():
        assert list(values) == list(found[topic])
        for name, value in values.items():
            assert type(found[topic][name]) is float
            wanted = 0.0 if math.isnan(value) else value
            assert found[topic][name] == wanted, (topic, name)
            if math.isnan(value):
                assert name in ("11pt_avg", "iprec_at_recall_0.00") or name.startswith("iprec_at_recall"), name


def test_names() -> None:
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames
    assert set(theirs.__all__) <= set(ours.__all__)


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 3), st.booleans(), st.data())
def test_every_measure_to_the_last_bit(level, judged_only, data) -> None:
    judgments, run = data.draw(collection(level))
    expected, found = (
        module.RelevanceEvaluator(judgments, module.supported_measures, level, judged_only).evaluate(run)
        for module in (theirs, ours)
    )
    assert_same(expected, found)


@settings(max_examples=300, deadline=None)
@given(collection(), chosen())
def test_any_measures_however_they_are_written(data, measures) -> None:
    judgments, run = data
    evaluators = [module.RelevanceEvaluator(judgments, measures) for module in (theirs, ours)]
    for _ in range(2):  # an evaluator may be asked again
        assert_same(*(evaluator.evaluate(run) for evaluator in evaluators))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_runs_of_hundreds_of_documents(seed) -> None:
    rng = random.Random(seed)
    names = [f"D{i}" for i in range(1500)]
    judgments = {q: {d: rng.choice([0, 0, 1, 2]) for d in rng.sample(names, rng.choice([3, 40, 700]))} for q in "ab"}
    for judged in judgments.values():
        judged["missed"] = 1
    score = rng.choice([rng.random, lambda: rng.randrange(40), lambda: 1 + rng.randrange(300) * 1e-8])
    run = {q: {d: score() for d in rng.sample(names, 600)} for q in "ab"}
    assert_same(*(m.RelevanceEvaluator(judgments, m.supported_measures).evaluate(run) for m in (theirs, ours)))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["map", "num_rel", "ndcg_cut_10", "gm_map", "gm_bpref"]),
    st.lists(st.floats(-11, 1), min_size=1, max_size=400),
)
def test_aggregates_to_the_last_bit(measure, values) -> None:
    assert ours.compute_aggregated_measure(measure, values) == theirs.compute_aggregated_measure(measure, values)


QRELS = {"q1": {"a": 1, "b": 0}}
BAD = [
    (QRELS, "map", {"q1": {"a": 1.0}}), (QRELS, ["bogus"], {}), (QRELS, ["prefs"], {}), ([], ["map"], {}), ({"q": [1]}, ["map"], {}),
    ({"q": 3}, ["map"], {}), ({1: {"a": 1}}, ["map"], {}), ({"q": {1: 1}}, ["map"], {}), ({"q": {"a": 1.0}}, ["map"], {}),
    (QRELS, ["map"], [1]), (QRELS, ["map"], {"q1": []}), (QRELS, ["map"], {"q1": 3}), (QRELS, ["map"], {1: {"a": 1.0}}),
    (QRELS, ["map"], {"q1": {"a": "x"}}), (QRELS, ["map"], {"q1": {1: 2.0}}), (QRELS, ["map"], {"other": {"a": None}}),
]  # fmt: skip


@pytest.mark.parametrize(("judgments", "measures", "run"), BAD)
def test_errors_are_of_the_same_kind(judgments, measures, run) -> None:
    def raised(module) -> type[BaseException]:
        with pytest.raises(Exception) as caught:
            module.RelevanceEvaluator(judgments, measures).evaluate(run)
        return caught.type

    assert raised(ours) is raised(theirs)


@pytest.mark.parametrize("more", [{"relevance_level": 0}, {"relevance_level": 1.5}, {"judged_docs_only_flag": None}])
def test_errors_of_choices_are_of_the_same_kind(more) -> None:
    for module in (theirs, ours):
        with pytest.raises(TypeError):
            module.RelevanceEvaluator(QRELS, ["map"], **more)


LINES = st.lists(
    st.one_of(
        st.tuples(*[st.sampled_from(["q1", "q2"]), st.just("0"), st.sampled_from("abc"), st.sampled_from(["0", "2", "-1"])]),
        st.lists(st.sampled_from(["q1", "0", "a", "1", "1.5", "x"]), max_size=7),
    ).map(" ".join),
    max_size=6,
)  # fmt: skip


@given(LINES, st.booleans())
def test_files_are_parsed_alike(lines, run) -> None:
    def parsed(module):
        if run:
            return module.parse_run([f"{line} 3.5 tag" for line in lines])
        return module.parse_qrel(lines)

    try:
        expected = parsed(theirs)
    except (AssertionError, ValueError) as problem:
        with pytest.raises(type(problem)):
            parsed(ours)
    else:
        assert parsed(ours) == expected


def test_real_runs(shared_data) -> None:
    folder = shared_data("trec_covid_r1")
    with (folder / "qrels.txt").open() as lines:
        judgments = ours.parse_qrel(lines)
    evaluators = [module.RelevanceEvaluator(judgments, module.supported_measures) for module in (theirs, ours)]
    for path in sorted((folder / "runs").iterdir())[::12]:
        run = ours.parse_run(lzma.decompress(path.read_bytes()).decode().splitlines())
        assert_same(*(evaluator.evaluate(run) for evaluator in evaluators))


def made_up(topics: int = 30) -> tuple[dict, dict]:
    """Judgments and a run as retrieval in memory gives them: grades, float scores, some of them tied."""
    rng = random.Random(7)
    judgments = {f"q{t}": {f"d{rng.randrange(300)}": rng.choice([1, 1, 2]) for _ in range(4)} for t in range(topics)}
    run = {f"q{t}": {f"d{d}": round(rng.random(), 2) for d in rng.sample(range(300), 120)} for t in range(topics)}
    return judgments, run


def under_both(script: str) -> tuple[str, str]:
    """What a script prints on pytrec_eval, and on assay put under it."""
    data = json.dumps(made_up())
    install = "import assay.pytrec_eval; assay.pytrec_eval.install()\n"
    begin = "import json, sys\njudgments, run = json.loads(sys.stdin.read())\n"
    check = "assert sys.modules['pytrec_eval'] is assay.pytrec_eval\n"
    printed: list[str] = []
    for first, last in (("", ""), (install, check)):
        command = [sys.executable, "-c", first + begin + script + last]
        done = subprocess.run(command, input=data, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    return printed[0], printed[1]


BEIR = """
from beir.retrieval.evaluation import EvaluateRetrieval
print(EvaluateRetrieval.evaluate(judgments, run, [1, 3, 5, 10, 100, 1000]))
for metric in ("mrr", "recall_cap", "hole", "top_k_accuracy"):
    print(EvaluateRetrieval.evaluate_custom(judgments, run, [1, 10], metric=metric))
"""


def test_beir_prints_the_same() -> None:
    pytest.importorskip("beir")
    theirs_printed, ours_printed = under_both(BEIR)
    assert "NDCG@10" in theirs_printed
    assert ours_printed == theirs_printed


MTEB = """
import mteb
from mteb._evaluators import retrieval_metrics
from mteb.mocks.mock_tasks import MockRetrievalTask
from mteb.models.model_implementations.random_baseline import RandomEncoderBaseline, random_encoder_baseline
print(retrieval_metrics.calculate_retrieval_scores(run, judgments, [1, 3, 5, 10, 20, 100, 1000]))
model = RandomEncoderBaseline("random", None)
model.mteb_model_meta = random_encoder_baseline
print(json.dumps(mteb.evaluate(model, MockRetrievalTask(), cache=None).task_results[0].scores, sort_keys=True))
"""


def test_mteb_prints_the_same(monkeypatch) -> None:
    """Its metrics on many topics, and one task from embedding to scores."""
    pytest.importorskip("mteb")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    theirs_printed, ours_printed = under_both(MTEB)
    assert "NDCG@10" in theirs_printed
    assert '"ndcg_at_10"' in theirs_printed
    assert ours_printed == theirs_printed


def test_it_gets_under_who_imported_pytrec_eval_before() -> None:
    before = theirs.RelevanceEvaluator
    judgments, run = made_up(3)
    expected = before(copy.deepcopy(judgments), {"map"}).evaluate(run)
    ours.install()
    try:
        assert theirs.RelevanceEvaluator is ours.RelevanceEvaluator
        assert theirs.RelevanceEvaluator(judgments, {"map"}).evaluate(run) == expected
    finally:
        ours.uninstall()
    assert theirs.RelevanceEvaluator is before
