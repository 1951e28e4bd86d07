"""Everything that assay returns goes through pickle and deepcopy, and so to another process and back."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from typing import Any

import pytest

import assay
from assay.measures import registry
from assay.measures.measure import Measure

COPIES = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "deepcopy": copy.deepcopy}
QRELS = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}, "4": {"d": 1}, "5": {"a": 1}}
RUNS = {
    "good": {t: dict.fromkeys(judged, 1.0) for t, judged in QRELS.items()},
    "late": {t: {"x": 2.0, **dict.fromkeys(judged, 1.0)} for t, judged in QRELS.items()},
    "odd": {t: {"x": 2.0, **dict.fromkeys(judged, 1.0 + 2 * (int(t) % 2))} for t, judged in QRELS.items()},
}
GOLD = {f"q{i:02}": "yes" for i in range(40)}
ANSWERS = {
    name: {q: ("yes" if (i + shift) % 4 else "no", 0.9 if (i + shift) % 4 else 0.2) for i, q in enumerate(GOLD)}
    for shift, name in enumerate(("r", "s"))
}
TASKS = b"id,task,m1,m2\n" + b"".join(
    b"q%d,%s,%d,%d\n" % (i, b"xy"[i % 2 : i % 2 + 1], i % 3 > 0, i % 5 > 0) for i in range(40)
)
SAMPLES = b"run,id,sample,outcome\n" + b"".join(
    b"%s,q%d,%d,%d\n" % (run, q, s, (q + s * n) % 3 > 0)
    for n, run in enumerate((b"a", b"b"), 1)
    for q in range(9)
    for s in (1, 2)
)
PILOT = b"id,judge,human\n" + b"".join(
    b"q%d,%d,%s\n" % (i, i % 3 > 0, b"01"[i % 2 : i % 2 + 1] if i < 20 else b"") for i in range(40)
)


def ranked() -> assay.Scores:
    return assay.evaluate(QRELS, RUNS, ["AP", "nDCG@3", "P@1"])


def answered() -> assay.Scores:
    return assay.evaluate(GOLD, ANSWERS)


def several_tasks() -> assay.Scores:
    return assay.evaluate(None, TASKS, ["accuracy"], columns={"runs": "m1+m2"})


def reported() -> assay.Scores:
    """A table that a report has looked at, and holds what it computed."""
    scores = ranked()
    assay.report(scores, trials=0)
    return scores


RESULTS = {
    "Checked": lambda: assay.check({"a": b"1 Q0 a 1 1 a\n1 Q0 a 2 1 a\n"}),
    "Comparison": lambda: assay.compare(
        assay.scores([[0.5, 0.25], [1.0, 0.5], [0.25, 0.75]]), resamples=100, margin=0.1, equivalence=0.1, growing=True
    ),
    "Comparisons": lambda: assay.compare_by(several_tasks(), "task", "accuracy", resamples=100),
    "Correction": lambda: assay.correct(PILOT),
    "Guarantee": lambda: assay.threshold(GOLD, {"r": ANSWERS["r"]}, risk=0.5),
    "Items": lambda: assay.items(assay.scores([[1, 0, 1, 0, 1], [0, 1, 1, 0, 1], [1, 1, 0, 0, 1]])),
    "JudgeAgreement": lambda: assay.agree({"ann": QRELS, "bob": QRELS}, runs=RUNS, resamples=50),
    "LabelPlan": lambda: assay.plan_labels(PILOT, width=0.2),
    "LeftOut": lambda: assay.left_out(QRELS, RUNS),
    "NewlyJudged": lambda: assay.newly_judged(
        b'{"id": "q1", "answers": [{"text": "Rome"}]}',
        {"a": b'{"id": "q1", "answers": ["Rome"]}', "b": b'{"id": "q1", "answers": ["Oslo", "Rome"]}'},
        "RR",
        shares=1,
        trials=2,
        task="qa",
    ),
    "Plan": lambda: assay.plan(ranked(), "AP", difference=0.1),
    "Pool": lambda: assay.pool(RUNS),
    "Pricing": lambda: assay.price(GOLD, ANSWERS, resamples=20),
    "Ranks": lambda: assay.compare(assay.scores([[0.5, 0.25], [1.0, 0.5], [0.25, 0.75]]), resamples=100).ranks,
    "Reliability": lambda: assay.reliability(ranked(), "AP", trials=5),
    "Sampling": lambda: assay.sampling(assay.evaluate(None, SAMPLES)),
    "Scores": ranked,
    "Suite": lambda: assay.suite(several_tasks(), "accuracy", resamples=100),
    "Threshold": lambda: assay.threshold(GOLD, {"r": ANSWERS["r"]}, "c@1", resamples=50),
    "a table after its report": reported,
    "a table of answers": answered,
    "a table of numbers": lambda: assay.scores([[0.5, 0.25], [1.0, None]], runs=["a", "b"], measure="mine"),
    "agreement": lambda: assay.agreement({"a": 1.0, "b": 2.0, "c": 0.0}, {"a": 1.0, "b": 3.0, "c": 2.0}),
    "calibrations": lambda: assay.calibrations(answered()),
    "overlap": lambda: assay.overlap(RUNS),
    "run_intervals": lambda: assay.run_intervals(ranked(), "AP"),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", RESULTS)
def test_every_result(name, way) -> None:
    result: Any = RESULTS[name]()
    if name[0].isupper():
        assert type(result).__name__ == name
    copied = COPIES[way](result)
    assert type(copied) is type(result)
    if hasattr(result, "to_dict"):
        assert copied.to_dict() == result.to_dict()
    assert repr(copied) == repr(result)


def test_every_result_class_is_here() -> None:
    from assay.table.results import Result

    for name in assay.__all__:
        getattr(assay, name)
    kinds = {kind.__name__ for kind in Result.__subclasses__() if kind.__module__.startswith("assay.")}
    assert kinds - {"Report", "Listing"} <= RESULTS.keys()


@pytest.mark.parametrize("way", COPIES)
def test_a_report(way) -> None:
    report = assay.report(ranked(), trials=0, title="mine")
    copied = COPIES[way](report)
    assert copied.to_text() == report.to_text()
    assert copied.to_dict() == report.to_dict()


@pytest.mark.parametrize("way", COPIES)
def test_every_measure(way) -> None:
    """Bare, and with a parameter where it takes one: the values of parameters may be functions."""
    for declaration in (one for one in registry.declarations() if one.ours):
        measures = [Measure(declaration, declaration.name, {})]
        for name in (
            f"{declaration.name}@5",
            f"{declaration.name}(gains=1:1,2:3)",
            f"{declaration.name}(judged_only=true)",
        ):
            with suppress(assay.UsageError):
                measures.append(registry.find(name, declaration.task))
        for measure in measures:
            copied = COPIES[way](measure)
            assert (copied, copied.name) == (measure, measure.name)
            assert copied.declaration is declaration


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("given", ["dict", "file", "answers", "log"])
def test_gold(tmp_path, given, way) -> None:
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} 1\n" for t, judged in QRELS.items() for d in judged))
    (tmp_path / "log.csv").write_bytes(SAMPLES)
    gold, runs, measure = {
        "dict": (assay.read_gold(QRELS, level=1), RUNS, "AP"),
        "file": (assay.read_gold(tmp_path / "qrels"), RUNS, "AP"),
        "answers": (assay.read_gold(GOLD), ANSWERS, "c@1"),
        "log": (assay.read_gold(None, runs=tmp_path / "log.csv"), None, "accuracy"),
    }[given]
    copied = COPIES[way](gold)
    assert (copied.topics, repr(copied)) == (gold.topics, repr(gold))
    assert copied.evaluate(runs, measure)[measure] == gold.evaluate(runs, measure)[measure]
    assert COPIES[way](copied).topics == gold.topics


def test_gold_of_a_file_that_changed_is_refused(tmp_path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    held = pickle.dumps(assay.read_gold(tmp_path / "qrels"))
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 1\n")
    with pytest.raises(assay.InputError, match="qrels: changed since it was read"):
        pickle.loads(held)


def test_a_copy_of_a_table_can_be_reported_on() -> None:
    """pickle takes the numbers alone; a copy in the same process keeps what a report computes more from."""
    scores = copy.deepcopy(ranked())
    assert scores.run("good").views is not None
    assert "good" in assay.report(scores, trials=0).to_text()


def test_errors() -> None:
    for error in (
        assay.FormatError("a.run", 17, "too short"),
        assay.UsageError("no"),
        assay.InputError("a.run: is empty"),
    ):
        copied = pickle.loads(pickle.dumps(error))
        assert (type(copied), str(copied), vars(copied)) == (type(error), str(error), vars(error))


def scored_elsewhere(gold: assay.Gold) -> assay.Scores:
    scores = gold.evaluate(RUNS, ["nDCG@3", "AP"])
    scores.summary()
    return scores


def refused_elsewhere() -> None:
    assay.evaluate(b"1 0 a\n", RUNS)


def test_a_function_that_returns_a_table_runs_in_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        scores = processes.submit(scored_elsewhere, assay.read_gold(QRELS)).result()
        problem = processes.submit(refused_elsewhere).exception()
    assert scores.to_dict() == ranked().with_runs([scores.run(r) for r in scores.runs], scores.measures).to_dict()
    assert scores["nDCG@3"] == ranked()["nDCG@3"]
    assert isinstance(problem, assay.FormatError)
