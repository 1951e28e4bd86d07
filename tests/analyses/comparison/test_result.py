"""What a comparison says: a sentence a pair, rows for programs, and whether a gate holds."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.comparison.compare import compare
from assay.errors import UsageError


class TestSentences:
    def test_words_follow_the_task(self, outcomes):
        """Red before: notes of a comparison of answers said topics."""
        result = compare(outcomes({"a": "+" * 12 + "-", "b": "+" * 13}))
        assert result.noun == "question"
        assert "b and a cannot be told apart" in result.pairs[0].sentence
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
        assert pair.sentence.startswith("r1 and r0 cannot be told apart: they differ by ")
        assert f"a difference of {pair.critical:.3f} would have been significant" in pair.sentence
        assert f"a true one of {pair.detectable:.3f} would be found 4 times in 5" in pair.sentence

    def test_exact_and_corrected_are_said(self, table, random_table):
        few = compare(table({"a": [0.1] * 6, "b": [0.2, 0.3, 0.4, 0.3, 0.2, 0.3]}))
        assert "(randomisation, exact)" in few.pairs[0].sentence
        many = compare(random_table(step=0.3), baseline="r0")
        assert "(randomisation, 10,000, max-T over 3 pairs)" in many.pairs[0].sentence


def test_values_are_turned_so_that_more_is_better(table) -> None:
    columns = {"a": [0.25, 0.5, 0.75], "b": [0.5, 0.75, 1.0]}
    assert compare(table(columns)).upwards == {"a": 0.5, "b": 0.75}
    assert compare(table(columns, measure="RBPResid")).upwards == {"a": -0.5, "b": -0.75}


def test_a_pair_is_found_as_it_was_compared(table) -> None:
    found = compare(table({"a": [0.25, 0.5, 0.75], "b": [0.5, 0.75, 1.0]}))
    assert found.pair("b", "a").difference == 0.25
    with pytest.raises(UsageError, match="'a' was not compared with 'b', in this order"):
        found.pair("a", "b")


def test_rows_have_what_was_asked_for_and_no_more(random_table) -> None:
    plain, _ = compare(random_table(runs=2)).rows()
    assert not {"gate", "equivalent", "growing_first"} & set(plain)
    header, [row] = compare(random_table(runs=2), margin=0.01, equivalence=0.01).rows()
    told = dict(zip(header, row, strict=True))
    assert told["gate"] in ("non-inferior", "inferior", "undecided")
    assert told["equivalent"] in ("yes", "no")
