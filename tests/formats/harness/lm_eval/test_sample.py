"""One sample of lm-evaluation-harness."""

from __future__ import annotations

import json

import pytest

from assay.formats.harness.lm_eval.sample import (
    choice_texts,
    chosen,
    document_hash,
    fields_of,
    first_text,
    gold_of,
    likelihoods,
)


def test_the_harness_hashes_documents_so(shared_data):
    (path,) = shared_data("harness_logs", "lm_eval", "0.4.13", "quizzer-bold").glob("samples_capitals_gen_*")
    for line in path.read_text().splitlines():
        sample = json.loads(line)
        assert document_hash(sample["doc"]) == sample["doc_hash"]


@pytest.mark.parametrize(
    "filtered", [None, "text", [["-1", "True"]], ["a", "b"], [["-1"], ["-2"]], [["x", 1], ["-2", 1]]]
)
def test_what_is_no_multiple_choice(filtered):
    assert likelihoods(filtered) is None


def test_choices_lose_what_stands_before_them_and_no_more():
    assert choice_texts([["P", "  a"], ["P", "b"]], {}, " ") == [" a", "b"]
    assert choice_texts([["P", {"until": []}], ["P", 7]], {}, " ") == []
    assert choice_texts([["P"], []], {"choices": ["x", "y"]}, " ") == ["x", "y"]


def test_a_rule_that_lacks_lengths_chooses_nothing():
    assert chosen("acc_norm", [-1.0, -2.0], []) is None
    assert chosen("acc_norm", [-1.0, -2.0], ["", "b"]) is None


@pytest.mark.parametrize(
    ("target", "place"),
    [(1, 1), ("1", 1), ("b", 1), ("z", None), (True, None), ("[0, 1]", None), ("²", None), (None, None)],
)
def test_where_the_right_choice_stands(target, place):
    assert gold_of(target, ["a", "b"]) == place


def test_groups_are_short_texts_that_are_not_the_question():
    document = {"question": "Q", "subject": "law", "level": 3, "note": "x" * 41, "empty": "", "group": "own"}
    assert fields_of(document, None) == {"subject": "law", "group": "own"}
    assert fields_of(document, "mmlu") == {"group": "mmlu", "subject": "law"}


@pytest.mark.parametrize(("said", "text"), [([["a", "b"]], "a"), ("a", "a"), ([], None), ([[1]], None), (None, None)])
def test_the_first_text(said, text):
    assert first_text(said) == text
