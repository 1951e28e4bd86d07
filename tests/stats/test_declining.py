"""The threshold below which to decline, against trying every one, and on systems whose answer is known."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.measures.declare import find
from assay.random import stream
from assay.resampling.columns import Columns
from assay.scoring import evaluate
from assay.stats.declining import _chooser, declined_beside, find_threshold
from assay.table import Scores


def tables(answers, measure: str, clusters=None) -> Scores:
    """As it is and all declined, two runs of one table, from (correct or None, confidence) pairs."""
    words = {1: "correct", 0: "incorrect", None: "unanswered"}
    lines = [
        {"id": f"q{i:04}", "outcome": words[c], "confidence": p, **({"cluster": clusters[i]} if clusters else {})}
        for i, (c, p) in enumerate(answers)
    ]
    run = "\n".join(map(json.dumps, lines)).encode()
    return declined_beside(evaluate(None, run, [measure], task="outcomes"), measure)


def value_at(answers, measure: str, threshold: float) -> float | None:
    """The measure with everything below the threshold declined, through the what-if of `assay evaluate`."""
    kept = [(None, None) if p is not None and p < threshold else (c, p) for c, p in answers]
    return tables(kept, measure).value("run", measure).value


pairs = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])), min_size=1, max_size=15)


@settings(max_examples=40)
@given(pairs, st.sampled_from(["c@1", "UF", "CT@0.75", "hallucination_rate", "K1", "AURC", "K"]))
def test_the_choice_is_the_best_of_all_thresholds(answers, measure) -> None:
    import numpy as np

    both = tables(answers, measure)
    answered = np.array(both.column("run", "answered"), dtype=bool)
    stated = np.array(both.column("run", "confidence"), dtype=float)
    wanted = find(measure, "outcomes")
    choose = _chooser(Columns.of(both, wanted), answered, stated)
    found = choose(np.arange(len(answers)))
    higher = wanted.declaration.higher_is_better
    values = {p: value_at(answers, measure, p) for _, p in answers}
    known = {p: v for p, v in values.items() if v is not None}
    if known:
        best = max(known.values()) if higher else min(known.values())
        least = min(p for p, v in known.items() if v == pytest.approx(best, abs=1e-12))
        assert found == (0 if least == min(values) else least), "declines least, and nothing where that is best"


def informed(n: int = 400):
    """Confidence p is right with probability p: declining below one half helps UF."""
    draw = stream(11, "test", 0)
    answers = []
    for _ in range(n):
        p = (1 + draw.below(99)) / 100
        answers.append((int(draw.below(100) < 100 * p), p))
    return answers


def test_an_informed_system_should_decline_below_one_half() -> None:
    both = tables(informed(), "UF")
    found = find_threshold(both, "UF", seed=3)
    assert 0.35 < found.threshold < 0.65
    assert found.gain > 0.1
    assert found.interval[0] > 0
    assert found.interval[0] < found.gain < found.interval[1]
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
    assert any("nothing for a threshold to tell apart" in warning for warning in found.warnings)


def test_lower_is_better_gains_upwards() -> None:
    found = find_threshold(tables(informed(), "hallucination_rate"), "hallucination_rate", resamples=200)
    assert found.gain > 0
    assert found.held_out == pytest.approx(found.as_is - found.gain)
    assert found.interval[0] <= found.gain <= found.interval[1]


def test_a_measure_of_a_whole_run() -> None:
    found = find_threshold(tables(informed(120), "K1"), "K1", resamples=50)
    assert found.gain > 0
    assert found.resamples == 50


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
    with pytest.raises(UsageError, match="`folds=1`: expected at least 2"):
        find_threshold(both, "c@1", folds=1)
    both = tables([(1, 0.5)], "c@1")
    with pytest.raises(InputError, match="at least 2 questions"):
        find_threshold(both, "c@1")
    both = tables([(None, None), (None, None)], "c@1")
    with pytest.raises(InputError, match="needs answers, each with a confidence"):
        find_threshold(both, "c@1")
