"""Whether higher or lower values of a measure are better, by the measure's name.

Names that assay's own measures have keep their declared direction (`assay.measures.registry`). This module has the names
of other people's measures: error rates of speech recognition and translation, losses, costs.
"""

from __future__ import annotations

import re

from assay.errors import UsageError

LOWER_IS_BETTER = frozenset({
    # language models
    "perplexity", "word_perplexity", "byte_perplexity", "token_perplexity", "ppl", "loss", "log_loss", "logloss", "eval_loss",
    "val_loss", "validation_loss", "test_loss", "train_loss", "training_loss", "nll", "nll_loss", "negative_log_likelihood",
    "cross_entropy", "cross_entropy_loss", "bits_per_byte", "bpb", "bits_per_character", "bpc", "bits_per_word", "bpw",
    "toxicity", "hallucination", "hallucinations", "hallucination_rate",
    # speech recognition, translation, biometrics
    "wer", "word_error_rate", "cer", "character_error_rate", "char_error_rate", "mer", "match_error_rate", "ter",
    "translation_edit_rate", "translation_error_rate", "der", "diarization_error_rate", "phoneme_error_rate", "eer",
    "equal_error_rate", "edit_distance", "levenshtein", "levenshtein_distance",
    # regression, classification, calibration
    "error", "errors", "error_rate", "err_rate", "misclassification", "misclassification_rate", "top_1_error", "top_5_error",
    "mae", "mse", "rmse", "mape", "smape", "mase", "rmsle", "mean_absolute_error", "mean_squared_error", "squared_error",
    "absolute_error", "root_mean_squared_error", "mean_absolute_percentage_error", "brier", "brier_score", "brier_loss", "ece",
    "mce", "calibration_error", "expected_calibration_error", "maximum_calibration_error", "fpr", "fnr", "fdr",
    "false_positive_rate", "false_negative_rate", "false_discovery_rate", "false_positives", "false_negatives",
    # resources
    "latency", "cost", "costs", "price", "time", "runtime", "run_time", "duration", "response_time", "elapsed_time",
    "time_to_first_token", "ttft",
})  # fmt: skip
"""Known names of which lower values are better, as `_key` writes them."""

HIGHER_IS_BETTER = frozenset({
    "brier_skill_score", "neg_brier_score", "neg_log_loss", "neg_mean_absolute_error", "neg_mean_squared_error",
    "neg_root_mean_squared_error",
})  # fmt: skip
"""Known names that contain one of `WORDS`, and of which higher values are better."""

WORDS = frozenset({
    *(name for name in LOWER_IS_BETTER if "_" not in name and name != "price"),
    "losses", "err", "false", "entropy", "distance", "divergence", "regret", "penalty", "violation", "violations", "failure",
    "failures", "refusal", "refusals", "bias", "toxic", "latencies",
})  # fmt: skip
"""Words that make the direction of an unknown name uncertain. Of some, such as refusal, either direction is common."""


def known_direction(name: str) -> bool | None:
    """Return True where higher is better, False where lower is, None where the name does not say.

    Raises UsageError where the name is unknown and one of its words is typical of measures of which lower is better.

    >>> known_direction("WER"), known_direction("Brier score"), known_direction("f1"), known_direction("answer_correctness")
    (False, False, None, None)
    >>> known_direction("my_loss")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    assay.errors.UsageError: measure 'my_loss': higher or lower may be better (its name has the word 'loss'). Fix: ...
    """
    key = _key(name)
    if key in LOWER_IS_BETTER or key in HIGHER_IS_BETTER:
        return key in HIGHER_IS_BETTER
    word = next((word for word in _words(name) if word in WORDS), None)
    if word is not None:
        raise UsageError(
            f"measure {name!r}: higher or lower may be better (its name has the word {word!r}). "
            "Fix: give `higher_is_better=False` or `higher_is_better=True`."
        )
    return None


def _key(name: str) -> str:
    """Return the words of a name in lower case, joined by underscores: `Brier score` and `BrierScore` are `brier_score`."""
    return "_".join(word.lower() for word in CAMEL_CASE.findall(name))


def _words(name: str) -> list[str]:
    """Return the words of a name, capitals that precede small letters taken both ways: valWER, WERscore."""
    return [word.lower() for pattern in (CAMEL_CASE, CAPITALS_FIRST) for word in pattern.findall(name)]


CAMEL_CASE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W0-9_A-Za-z]+")
CAPITALS_FIRST = re.compile(r"[A-Z]{2,}|[A-Z]?[a-z]+")
