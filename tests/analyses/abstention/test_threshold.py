"""Thresholds below which to decline, by a measure or by a risk, on systems whose answer is known."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from declined import informed, tables, value_at

import assay
from assay.analyses.abstention.threshold import Guarantee, Threshold, find_threshold
from assay.errors import InputError, UsageError
from assay.random import stream


def graded_run() -> bytes:
    words = {1: "correct", 0: "incorrect"}
    lines = [f"a,q{i:04},{words[c]},{p}" for i, (c, p) in enumerate(informed(200))]
    return ("run,id,outcome,confidence\n" + "\n".join(lines) + "\n").encode()


def test_a_measure_or_a_risk() -> None:
    by_measure, by_risk = (
        assay.threshold(None, graded_run(), "UF", resamples=20),
        assay.threshold(None, graded_run(), risk=0.3),
    )
    assert isinstance(by_measure, Threshold)
    assert isinstance(by_risk, Guarantee)
    assert by_measure.measure == "UF"
    assert by_risk.risk == 0.3
    scores = assay.evaluate(None, graded_run(), ["c@1"])
    assert assay.threshold(scores, risk=0.3, name="a").threshold == by_risk.threshold


def test_an_informed_system_should_decline_below_one_half() -> None:
    both = tables(informed(), "UF")
    found = find_threshold(both, "UF", seed=3)
    assert 0.35 < found.threshold < 0.65
    assert found.gain > 0.1
    assert found.interval[0] > 0
    assert found.interval[0] < found.gain < found.interval[1]
    assert "expected gain on new questions" in found.to_dict()["interval_of"]
    assert found.coverage_held_out < found.coverage_as_is == 1
    assert found.as_is + found.gain == pytest.approx(found.held_out)
    assert found.warnings == ()
    assert len(found.fold_thresholds) == 10


def test_the_held_out_value_uses_each_folds_own_threshold() -> None:
    """With two folds: what the other half chooses is applied here, never what this half chooses."""
    answers = [(1, 0.3), (0, 0.5), (1, 0.7), (0, 0.2), (1, 0.9), (0, 0.6), (1, 0.4), (0, 0.8)]
    both = tables(answers, "UF")
    found = find_threshold(both, "UF", folds=2, seed=1)
    order = stream(1, "threshold", 0).sample(range(8), 8)
    fold = {question: i % 2 for i, question in enumerate(order)}
    thresholds = []
    for k in (0, 1):
        others = [answers[q] for q in range(8) if fold[q] != k]
        values = {p: value_at(others, "UF", p) for _, p in others}
        least = min(p for p, v in values.items() if v == max(values.values()))
        thresholds.append(0 if least == min(values) else least)
    assert found.fold_thresholds == tuple(thresholds)
    kept = [(c, p) if p >= thresholds[fold[q]] else (None, None) for q, (c, p) in enumerate(answers)]
    right, wrong = sum(c == 1 for c, _ in kept), sum(c == 0 for c, _ in kept)
    assert found.held_out == pytest.approx((right - wrong) / 8)


def test_what_should_never_decline_loses_nothing_held_out() -> None:
    """All answers are right, so nothing is best declined; not even the least sure one, held out from all others."""
    both = tables([(1, 0.1 * i) for i in range(1, 9)], "c@1")
    found = find_threshold(both, "c@1", folds=8)
    assert found.threshold == 0
    assert set(found.fold_thresholds) == {0}
    assert (found.gain, found.coverage_held_out) == (0, 1)


def test_confidence_without_information() -> None:
    both = tables([(c, 0.7) for c in (1, 0, 1, 0, 1, 1)], "c@1")
    found = find_threshold(both, "c@1")
    assert "every answer has the confidence 0.7: it carries no information" in found.warnings
    assert found.gain == 0
    assert any("includes 0" in warning for warning in found.warnings)
    upside_down = [(1, 0.1), (0, 0.9)] * 20
    found = find_threshold(tables(upside_down, "c@1"), "c@1")
    assert any("does not follow correctness (r = -1.000)" in warning for warning in found.warnings)
    found = find_threshold(tables([(1, 0.1), (1, 0.9)], "c@1"), "c@1")
    assert any("a threshold has nothing to separate" in warning for warning in found.warnings)


def test_lower_is_better_gains_upwards() -> None:
    found = find_threshold(tables(informed(), "hallucination_rate"), "hallucination_rate", resamples=200)
    assert found.gain > 0
    assert found.held_out == pytest.approx(found.as_is - found.gain)
    assert found.interval[0] <= found.gain <= found.interval[1]


def test_a_measure_of_a_whole_run() -> None:
    found = find_threshold(tables(informed(120), "K1"), "K1", resamples=50)
    assert found.gain > 0
    assert found.resamples == 50


@pytest.mark.parametrize(("n", "measure", "resamples"), [(40, "UF", 2000), (2500, "UF", 800), (1250, "K1", 160)])
def test_more_questions_take_fewer_resamples(n, measure, resamples) -> None:
    answers = [(int(i % 3 > 0), 0.25 if i % 3 else 0.75) for i in range(n)]
    assert find_threshold(tables(answers, measure), measure, folds=2).resamples == resamples


def test_clusters_stay_together() -> None:
    answers = informed(60)
    clusters = [f"p{i // 6}" for i in range(60)]
    found = find_threshold(tables(answers, "UF", clusters), "UF", resamples=200)
    assert found.cluster == "cluster"
    alone = find_threshold(tables(answers, "UF"), "UF", resamples=200)
    assert alone.cluster is None
    assert alone.interval != found.interval
    thirds = find_threshold(tables(answers, "UF", ["abc"[i % 3] for i in range(60)]), "UF", resamples=50)
    assert len(thirds.fold_thresholds) == 3, "a cluster is never split between what chooses and what is held out"


def test_the_same_seed_gives_the_same_result() -> None:
    both = tables(informed(80), "c@1")
    first = find_threshold(both, "c@1", seed=5, resamples=200)
    assert find_threshold(both, "c@1", seed=5, resamples=200) == first
    other = find_threshold(both, "c@1", seed=6, resamples=200)
    assert replace(other, seed=5) != first


def test_what_cannot_be_asked() -> None:
    both = tables([(1, 0.5), (0, 0.4)], "coverage")
    with pytest.raises(UsageError, match="coverage is neither better high nor low"):
        find_threshold(both, "coverage")
    both = tables([(1, 0.5), (0, 0.4)], "c@1")
    with pytest.raises(UsageError, match="`folds=1`: expected a whole number of at least 2"):
        find_threshold(both, "c@1", folds=1)
    with pytest.raises(UsageError, match=r"`confidence=1\.5`: expected a number between 0 and 1"):
        find_threshold(both, "c@1", confidence=1.5)
    both = tables([(1, 0.5)], "c@1")
    with pytest.raises(InputError, match="at least 2 questions"):
        find_threshold(both, "c@1")
    both = tables([(None, None), (None, None)], "c@1")
    with pytest.raises(InputError, match="needs answers, each with a confidence"):
        find_threshold(both, "c@1")


def answers(pairs, **more) -> bytes:
    """A run of (right, confidence) pairs; None is unanswered."""
    words = {1: "correct", 0: "incorrect", None: "unanswered"}
    rows = [{"id": f"q{i:04}", "outcome": words[c], "confidence": p} for i, (c, p) in enumerate(pairs)]
    for name, values in more.items():
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    return "\n".join(map(json.dumps, rows)).encode()


def test_what_is_promised_in_words() -> None:
    pairs = [(1, 0.95)] * 90 + [(0, 0.95)] + [(0, 0.3)] * 20 + [(None, None)] * 9
    found = assay.threshold(None, answers(pairs), risk=0.1, confidence=0.9)
    assert isinstance(found, Guarantee)
    # 1 wrong of 91 where 10% would be: 0.9⁹¹ + 91 · 0.1 · 0.9⁹⁰ = 0.0008, below a fifth of 0.1.
    assert (found.threshold, found.answers, found.wrong, found.coverage) == (0.31, 91, 1, 91 / 120)
    assert found.promise == (
        "With 90% probability, at most 10% of the answers stated with a confidence of 0.31 or more are wrong, on questions "
        "drawn as these were. Here that is 91 of 120 questions (75.8%), 1 of them wrong (1.1%)."
    )
    assert found.coverage_as_is == pytest.approx(111 / 120)
    assert found.risk_as_is == pytest.approx(21 / 111)
    told = found.to_dict()
    assert told["threshold"] == 0.31
    assert told["as_is"] == {"coverage": found.coverage_as_is, "risk": found.risk_as_is}
    assert told["tested"][-1]["threshold"] == 0
    assert told["promise"] == found.promise
    assert "answer only from a confidence of .31 on" in repr(found)
    header, rows = found.rows()
    assert header == ["threshold", "answers", "wrong", "p", "level", "promised"]
    assert len(rows) == len(found.tested)


def test_everything_may_be_answered() -> None:
    found = assay.threshold(None, answers([(1, 0.9)] * 200), risk=0.05, confidence=0.9)
    assert found.threshold == 0
    assert "of the answers it gives are wrong" in found.promise
    assert "answer everything" in repr(found)


def test_too_few_questions_for_any_promise() -> None:
    few, enough = (assay.threshold(None, answers([(1, 0.99)] * n), risk=0.05, confidence=0.9) for n in (76, 77))
    assert few.threshold is None
    assert (few.coverage, few.answers, few.wrong) == (None, None, None)
    assert few.promise == (
        "No threshold can be promised with this many questions: that at most 5% of its answers are wrong, with 90% probability, "
        "takes at least 77 answers without an error, and 76 were given."
    )
    assert enough.threshold == 0
    wrong = assay.threshold(None, answers([(0, 0.9), (1, 0.9)] * 100), risk=0.05, confidence=0.9)
    assert wrong.threshold is None
    assert "too many of the surest answers are wrong" in wrong.promise
    assert repr(wrong).startswith("No threshold can be promised: ")


def test_clusters_are_refused() -> None:
    pairs = [(1, 0.9)] * 100
    alone = answers(pairs, cluster=[f"c{i}" for i in range(100)])
    assert assay.threshold(None, alone, risk=0.1).threshold == 0
    together = answers(pairs, cluster=[f"c{i // 2}" for i in range(100)])
    with pytest.raises(
        InputError, match=r"100 questions come in 50 clusters, .* needs independent questions.*keep one question"
    ):
        assay.threshold(None, together, risk=0.1)


def test_a_guarantee_checks_its_options() -> None:
    run = answers([(1, 0.9), (0, 0.2)])
    for wrong in ({"risk": 0}, {"risk": 1.0}, {"risk": 0.1, "confidence": 1.0}):
        with pytest.raises(UsageError, match="expected a number between 0 and 1"):
            assay.threshold(None, run, **wrong)
    for other in ({"measure": "UF"}, {"folds": 5}, {"resamples": 100}):
        with pytest.raises(UsageError, match=r"cannot be combined with `risk=0\.1`, which improves no measure"):
            assay.threshold(None, run, risk=0.1, **other)
    with pytest.raises(InputError, match="answered without a confidence"):
        assay.threshold(None, answers([(1, None)]), risk=0.1)


def test_answers_below_every_start_are_said_to_be_so() -> None:
    """1,000 right answers at 0.3: no test begins there, and none of them is wrong."""
    found = assay.threshold(None, answers([(1, 0.3)] * 1000 + [(1, 0.5)] * 5), risk=0.05, confidence=0.9)
    assert found.threshold is None
    assert "wrong" not in found.promise.split("takes")[1]
    assert "a confidence of 0.4 or more" in found.promise
    assert "there are 5, and 1000 with less" in found.promise


def test_one_answer_was_given() -> None:
    assert "and 1 was given" in assay.threshold(None, answers([(1, 0.5)]), risk=0.05).promise
