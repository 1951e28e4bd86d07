"""What a comparison says: a sentence a pair, rows for programs, and whether a gate holds."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError, UsageError
from assay.stats.comparing import compare


class TestGate:
    """Signed so that worse is below: only an interval that lies wholly below -margin fails."""

    @pytest.fixture
    def compared(self, table):
        def make(shift):
            rng = np.random.default_rng(3)
            old = rng.random(40)
            return compare(table({"old": old.tolist(), "new": (old + rng.normal(shift, 0.02, 40)).tolist()}))

        return make

    def test_worse_equal_and_better(self, compared):
        assert [pair.a for pair in compared(-0.1).gate().worse] == ["new"]
        assert compared(0.1).gate().worse == compared(0.0).gate().worse == []

    def test_a_margin_forgives(self, compared):
        assert compared(-0.1).gate(0.2).worse == []
        assert compared(-0.1).gate(0.05).worse != []

    def test_two_topics_decide_nothing(self, table):
        found = compare(table({"a": [0.9, 0.8], "b": [0.1, 0.1]})).gate()
        assert (found.worse, len(found.undecided)) == ([], 1)

    def test_what_cannot_be_gated(self, outcomes):
        with pytest.raises(InputError, match="precision is undefined for"):
            compare(outcomes({"silent": "....", "a": "++-."}, measure="precision"), resamples=200).gate()
        with pytest.raises(UsageError, match="has no better and worse"):
            compare(outcomes({"a": "++-.", "b": "+--."}, measure="coverage"), resamples=200).gate()


class TestSentences:
    def test_words_follow_the_task(self, outcomes):
        """Red before: notes of a comparison of answers said topics."""
        result = compare(outcomes({"a": "+" * 12 + "-", "b": "+" * 13}))
        assert result.noun == "question"
        assert "over these 13 questions" in result.pairs[0].sentence
        assert not any("topic" in text for text in (*result.notes, result.pairs[0].sentence))

    def test_better(self, table):
        rng = np.random.default_rng(1)
        topic = rng.random(50)
        scores = table({"bm25": topic.tolist(), "dense": (topic + rng.normal(0.03, 0.05, 50)).tolist()})
        [pair] = compare(scores).pairs
        low, high = pair.interval.low, pair.interval.high
        assert pair.sentence == (
            f"dense is better than bm25 by {pair.difference:.4f} AP [{low:.4f}, {high:.4f}], "
            f"p < .001 (randomisation, 10,000), winning {pair.won} of 50 topics."
        )

    def test_worse_is_told_from_the_winners_side(self, table):
        rng = np.random.default_rng(1)
        topic = rng.random(50)
        scores = table({"bm25": topic.tolist(), "dense": (topic - rng.normal(0.03, 0.05, 50)).tolist()})
        [pair] = compare(scores).pairs
        assert pair.difference < 0
        assert pair.sentence.startswith(
            f"bm25 is better than dense by {-pair.difference:.4f} AP [{-pair.interval.high:.4f}, "
        )
        assert pair.sentence.endswith(f"winning {pair.lost} of 50 topics.")

    def test_cannot_tell(self, random_table):
        [pair] = compare(random_table(runs=2, step=0.0)).pairs
        assert pair.sentence.startswith("The test cannot tell r1 from r0: they differ by ")
        assert f"a difference of {pair.critical:.3f} would have been significant" in pair.sentence
        assert f"a true one of {pair.detectable:.3f} would be found 4 times in 5" in pair.sentence

    def test_exact_and_corrected_are_said(self, table, random_table):
        few = compare(table({"a": [0.1] * 6, "b": [0.2, 0.3, 0.4, 0.3, 0.2, 0.3]}))
        assert "(randomisation, exact)" in few.pairs[0].sentence
        many = compare(random_table(step=0.3), baseline="r0")
        assert "(randomisation, 10,000, Holm over 3 pairs)" in many.pairs[0].sentence


def test_values_are_turned_so_that_more_is_better(table) -> None:
    columns = {"a": [0.25, 0.5, 0.75], "b": [0.5, 0.75, 1.0]}
    assert compare(table(columns)).upwards == {"a": 0.5, "b": 0.75}
    assert compare(table(columns, measure="RBPResid")).upwards == {"a": -0.5, "b": -0.75}


def test_a_pair_is_found_as_it_was_compared(table) -> None:
    found = compare(table({"a": [0.25, 0.5, 0.75], "b": [0.5, 0.75, 1.0]}))
    assert found.pair("b", "a").difference == 0.25
    with pytest.raises(UsageError, match="'a' was not compared with 'b', in this order"):
        found.pair("a", "b")
