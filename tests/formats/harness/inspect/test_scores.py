"""What Inspect's scores say, by hand."""

from __future__ import annotations

import msgspec
import pytest

from assay.formats.answers.rows import CORRECT, INCORRECT, UNANSWERED
from assay.formats.harness.inspect.scores import Score, ScoreKey, Verdict, confidence_of, parts_of, shortened, verdict

EXACT = ScoreKey("exact")


def score(value, reason=None, answer="it", metadata=None) -> Score:
    return msgspec.convert({"value": value, "answer": answer, "reason": reason, "metadata": metadata}, Score)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (score("C"), Verdict("C")),
        (score("I"), Verdict("I")),
        (score("P"), Verdict("P")),
        (score(0.25), Verdict(0.25)),
        (score(True), Verdict(True)),
        (score(False), Verdict(False)),
        (score(0), Verdict(0)),
        (score("N"), Verdict("N", kind="declined")),
        (score("I", answer=""), Verdict("I", kind="unparsed")),
        (score(0, answer=""), Verdict(0, kind="unparsed")),
        (score("C", answer=""), Verdict("C")),
        (score("I", answer=None), Verdict("I")),
        (score("I", "refusal"), Verdict(state=UNANSWERED, kind="refused")),
        (score(None, "refusal"), Verdict(state=UNANSWERED, kind="refused")),
        (score("C", "refusal"), Verdict("C")),
        (score("I", "no_response"), Verdict(state=UNANSWERED)),
        (score("I", "invalid_response_format"), Verdict("I", kind="unparsed")),
        (score("N", "invalid_response_format"), Verdict("N", kind="unparsed")),
        (score(None, "invalid_response_format"), Verdict(state=UNANSWERED, kind="unparsed")),
        (score(None, "grader_failed"), Verdict(problem="grader_failed")),
        (score("I", "scoring_failed"), Verdict(problem="scoring_failed")),
        (score(None), Verdict(problem="the score is no number (NaN)")),
        (score(None, "my own reason\nat length"), Verdict(problem="my own reason")),
        (score("I", "my own reason"), Verdict("I")),
        (score(None, metadata={"unscored_reason": "no grade"}), Verdict(problem="grader_failed")),
        (score("I", metadata={"unscored_reason": None}), Verdict("I")),
        (score("C", metadata={"note": {"unscored_reason": "of another"}}), Verdict("C")),
    ],
)
def test_a_score_of_one_value(given, expected) -> None:
    assert verdict(given, EXACT) == expected


def test_a_pattern_that_did_not_match_is_no_abstention() -> None:
    assert verdict(score("N"), ScoreKey("pattern")).kind == "unparsed"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"correct": 1.0, "incorrect": 0.0, "not_attempted": 0.0}, Verdict(state=CORRECT)),
        ({"correct": 0, "incorrect": 1, "not_attempted": 0}, Verdict(state=INCORRECT)),
        ({"correct": False, "incorrect": False, "not_attempted": True}, Verdict(state=UNANSWERED, kind="declined")),
        (
            {"correct": 0, "incorrect": 0, "not_attempted": 0},
            Verdict(problem="none of correct, incorrect, not_attempted is 1"),
        ),
    ],
)
def test_simpleqa(value, expected) -> None:
    given = score(value)
    assert parts_of([{"simpleqa_scorer": given}]) == {"simpleqa_scorer": ScoreKey("simpleqa_scorer")}
    assert verdict(given, ScoreKey("simpleqa_scorer")) == expected


@pytest.mark.parametrize("value", [{"correct": 1, "incorrect": 1}, {"correct": 0.5}, {"correct": "yes"}])
def test_simpleqa_says_one_thing(value) -> None:
    with pytest.raises(ValueError, match="expected 1 for one of correct, incorrect, not_attempted"):
        verdict(score(value), ScoreKey("simpleqa_scorer"))


def test_scores_by_several_keys() -> None:
    several = score({"tone": "C", "facts": None, "confidence": 0.5})
    assert parts_of([{"judge": several}, None, {}]) == {
        "judge/tone": ScoreKey("judge", "tone"),
        "judge/facts": ScoreKey("judge", "facts"),
    }
    assert verdict(several, ScoreKey("judge", "tone")) == Verdict("C")
    assert verdict(several, ScoreKey("judge", "facts")).problem == "the score is no number (NaN)"
    assert verdict(score(None), ScoreKey("judge", "tone")).problem is not None
    with pytest.raises(ValueError, match="'C' where others are scored by 'tone'"):
        verdict(score("C"), ScoreKey("judge", "tone"))


def test_the_only_key_needs_no_name() -> None:
    assert parts_of([{"judge": score({"right": 1, "confidence": 0.5})}]) == {"judge": ScoreKey("judge", "right")}
    assert parts_of([{"sure": score({"confidence": 0.5})}]) == {"sure": ScoreKey("sure", "confidence")}


def test_keys_of_all_samples_count() -> None:
    made = [{"judge": score(None)}, {"judge": score({"a": 1})}, {"judge": score({"b": 1})}]
    assert list(parts_of(made)) == ["judge/a", "judge/b"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (score("C"), None),
        (score("C", metadata={"confidence": 0.5}), 0.5),
        (score("C", metadata={"CONFIDENCE": "0.5"}), "0.5"),
        (score("C", metadata={"overconfidence": 0.5}), None),
        (score("C", metadata={"inner": {"confidence": 0.5}}), None),
        (score("C", metadata={"Confidence": 0.5, "confidence": None}), 0.5),
        (score({"a": 1, "Confidence": 0.25}), 0.25),
        (score({"a": 1, "confidence": None}, metadata={"confidence": 0.75}), 0.75),
    ],
)
def test_confidence(given, expected) -> None:
    assert confidence_of(given) == expected


def test_messages_are_one_line() -> None:
    assert shortened("\n boom \n more") == "boom"
    assert shortened("x" * 500) == "x" * 119 + "…"
