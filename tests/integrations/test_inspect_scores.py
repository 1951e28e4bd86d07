"""What Inspect hands its metrics. The stand-ins have the fields of its `SampleScore` and `Score`, and nothing else of it; the
real ones are in tests/peers/test_inspect_extension_peer.py."""

from __future__ import annotations

import math
from types import SimpleNamespace as Standin

import pytest

from assay.errors import AssayError, InputError, UsageError
from assay.integrations.inspect_scores import compute_measure

NAN = float("nan")


def sample(question, value, scorer="judge", reason=None, answer="x", metadata=None, history=()):
    score = Standin(value=value, reason=reason, answer=answer, metadata=metadata, history=list(history))
    return Standin(sample_id=question, score=score, scorer=scorer)


def samples(*values, scorer="judge"):
    return [sample(number, value, scorer) for number, value in enumerate(values, 1)]


def test_letters() -> None:
    scores = samples("C", "C", "C", "I", "N", NAN)
    assert compute_measure("c@1", scores) == (3 + 1 * 3 / 5) / 5
    assert compute_measure("coverage", scores) == 4 / 5
    assert compute_measure("precision", scores) == 3 / 4
    assert compute_measure("UF", scores) == 2 / 5


def test_numbers_and_reasons() -> None:
    scores = [
        sample(1, 1), sample(2, 0.0), sample(3, True), sample(4, 0, reason="refusal"), sample(5, 0, reason="grader_failed"),
        sample(6, 0, metadata={"unscored_reason": "unparseable"}), sample(7, 0, reason="invalid_response_format"),
    ]  # fmt: skip
    assert compute_measure("coverage", scores) == 4 / 5, "what could not be read counts as it was scored"
    assert compute_measure("precision", scores) == 2 / 4


def test_a_verdict_that_somebody_put_in_the_place_of_none() -> None:
    said, by = Standin(value=NAN, provenance=None), Standin(value="C", provenance="me")
    assert (
        compute_measure("precision", [sample(1, "I"), sample(2, "C", reason="grader_failed", history=[said, by])])
        == 0.5
    )
    assert compute_measure("precision", [sample(1, "I"), sample(2, "C", reason="grader_failed", history=[said])]) == 0.0


def test_epochs_weigh_their_question() -> None:
    scores = [sample("a", "C"), sample("a", "N"), sample("b", "C"), sample("b", NAN), sample(3, NAN)]
    assert compute_measure("coverage", scores) == (1 / 2 + 1) / 2


def test_nothing_at_all() -> None:
    assert math.isnan(compute_measure("c@1", []))
    assert math.isnan(compute_measure("c@1", samples(NAN, NAN)))


def test_simpleqas_three_keys() -> None:
    states = ["correct", "incorrect", "not_attempted"]
    scores = samples(*({state: int(state == this) for state in states} for this in [*states, "not_attempted"]))
    assert compute_measure("coverage", scores) == 2 / 4


def test_one_key_beside_a_confidence() -> None:
    assert (
        compute_measure("precision", samples({"right": "C", "confidence": 0.5}, {"right": "I", "confidence": 1})) == 0.5
    )


def test_several_keys_are_not_chosen_from() -> None:
    with pytest.raises(UsageError, match=r"several keys, right, tone; .* metrics=\{'right': "):
        compute_measure("c@1", samples({"right": "C", "tone": 1}))


def test_a_list_is_no_outcome() -> None:
    with pytest.raises(InputError, match=r"c@1: question '1' is scored a list of values"):
        compute_measure("c@1", samples(["C", "I"]))


def test_an_unknown_word() -> None:
    with pytest.raises(AssayError, match="question '1' is scored 'maybe'; expected correct"):
        compute_measure("c@1", samples("maybe"))


@pytest.mark.parametrize("values", [(1.0, 0.0, 0.0), (1, 0, 0), (1.0, 0.25)])
def test_what_may_have_been_reduced_is_refused(values) -> None:
    with pytest.raises(UsageError, match=r"c@1: .*may have been reduced.*`Epochs\(1, reducer=\[\]\)`"):
        compute_measure("c@1", samples(*values, scorer=None))


def test_what_cannot_have_been_reduced() -> None:
    assert compute_measure("UF", samples("C", 0, scorer=None)) == 0.0, "a word has not been through arithmetic"
    assert compute_measure("UF", [sample(1, 1, None), sample(1, 0, None)]) == 0.0, "a question that appears twice"
    assert compute_measure("UF", samples(1, 0)) == 0.0, "the name of a scorer"
