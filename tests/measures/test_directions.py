"""Whether higher or lower is better, by the name of a measure that is read from a file of scores."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UsageError
from assay.measures.directions import known_direction
from assay.measures.registry import declarations

ROWS = [[10, 20], [11, 22], [12, 21], [9, 23], [12, 19], [10, 25]]


def better(measure, **choices):
    table = assay.scores(ROWS, runs=["small", "large"], measure=measure, **choices)
    found = assay.compare(table)
    assert found.tiers == [[found.runs[0].run], [found.runs[1].run]]
    assert found.pairs[0].better == found.runs[0].run
    assert table.settings.as_dict()["higher_is_better"] == {measure: found.runs[0].run == "large"}
    return found.runs[0].run


@pytest.mark.parametrize(
    "measure",
    ["perplexity", "ppl", "WER", "wer", "CER", "loss", "nll", "cross_entropy", "cross-entropy", "error_rate", "Error Rate",
     "errorRate", "toxicity", "brier_score", "BrierScore", "Brier", "ECE", "RMSE", "latency", "hallucination_rate",
     "bits_per_byte", "TER", "EER", "WER (%)", "Rank"],
)  # fmt: skip
def test_lower_is_better_by_name(measure):
    assert better(measure) == "small"


@pytest.mark.parametrize(
    "measure",
    ["score", "f1", "AP", "ERR@20", "c@1", "answer_correctness", "certainty", "glossary", "mean_reciprocal_rank", "terms",
     "Certainty", "CERTAINTY", "accuracy_per_topic", "brier_skill_score", "neg_mean_squared_error"],
)  # fmt: skip
def test_higher_is_better_by_name_or_by_default(measure):
    assert better(measure) == "large"


@pytest.mark.parametrize(
    ("measure", "word"),
    [("my_loss", "loss"), ("valWER", "wer"), ("WERscore", "wer"), ("error-count", "error"), ("toxicityScore", "toxicity"),
     ("refusal_rate", "refusal"), ("loss of life", "loss"), ("err", "err"), ("top3error", "error")],
)  # fmt: skip
def test_unknown_names_with_such_a_word_are_refused(measure, word):
    with pytest.raises(UsageError, match=rf"(?s)'{word}'.*`higher_is_better=False`.*`higher_is_better=True`"):
        assay.scores(ROWS, measure=measure)
    assert better(measure, higher_is_better=False) == "small"
    assert better(measure, higher_is_better=True) == "large"


def test_no_declared_measure_contradicts_the_table_of_names():
    for declared in declarations():
        for name in (declared.name, *declared.aliases):
            try:
                direction = known_direction(name)
            except UsageError:
                continue
            assert direction in (None, declared.higher_is_better), name
