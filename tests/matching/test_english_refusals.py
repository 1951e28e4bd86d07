"""Built-in refusal patterns: what they find, and above all what they leave alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.cli import main
from assay.matching import english_refusals
from assay.matching.english_refusals import LONGEST, PATTERNS, VERSION, built_in_refusal

REFUSALS = {
    "I don't know.": "declined",
    "I don’t know": "declined",
    "I don't know, sorry.": "declined",
    "I'm afraid I can't help you with this.": "refused",
    "**I do not know the answer.**": "declined",
    "Answer: I'm not sure.": "declined",
    "Unfortunately, I have no information about that. Please ask a specialist.": "declined",
    "I'm sorry, but I don't have access to real-time data.": "declined",
    "I cannot answer this question because the text is missing.": "declined",
    "The provided context does not contain enough information to answer your question.": "declined",
    "Sorry, but I can't assist with that.": "refused",
    "I apologize, but I cannot provide information on how to do that. It is dangerous, and illegal in most countries.": "refused",
    "I'm not able to provide medical advice.": "refused",
    "As an AI language model, I cannot give legal advice.": "refused",
    "I cannot fulfill your request. I'm just an AI.": "refused",
}
ANSWERS = [
    "You cannot divide by zero.", "Sorry, it's Paris.", "I'm sorry, the answer is Paris.", "cannot", "Sorry! is a board game by Hasbro.",
    "Sorry Seems to Be the Hardest Word", "I cannot stress enough that it is Paris.", "I can't help falling in love with you.",
    "I Can't Help Myself (Sugar Pie, Honey Bunch)", "I Don't Know How to Love Him", "I Don't Know What It Is", "I know that I know nothing",
    "I don't know. Paris?", "I don't know for sure, but it is Paris.", "I'm not sure, but I think it is Rome.", "I am not sure. Rome.",
    "\"I cannot support this war,\" she said.", "“I don't know.”", "I cannot determine the exact year; 1914.", "He said: I don't know.",
    "The answer cannot be negative, so it is 4.", "The text does not mention a dog.", "I cannot answer that with certainty, but option B.",
    "I can't say enough good things about Paris", "Unknown", "None", "N/A", "No answer was given by the king.",
    "I do not know the answer. The answer is B.", "I cannot help with that. My best guess: (C)",
    "I couldn't find any errors: it is correct",
    "There is no evidence that he died.", "There is no information in a constant signal", "It cannot rain tomorrow.", "",
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), REFUSALS.items())
def test_refusals(text, kind) -> None:
    assert built_in_refusal(text) == kind


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_with_such_words_is_an_answer(text) -> None:
    assert built_in_refusal(text) is None


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.example)
def test_every_pattern_finds_its_example(pattern, monkeypatch) -> None:
    assert built_in_refusal(pattern.example) == pattern.kind
    monkeypatch.setattr(english_refusals, "PATTERNS", (pattern,))
    monkeypatch.setattr(english_refusals, "_compiled", [])
    assert english_refusals._built_in_refusal.__wrapped__(pattern.example) == pattern.kind


@given(
    st.lists(
        st.sampled_from(
            ["I", "cannot", "help", "provide", "and", ",", ", and", "sorry", "As an AI", "information", " "]
        ),
        max_size=400,
    )
)
def test_long_texts_take_no_time_and_no_text_is_too_much(words) -> None:
    built_in_refusal(" ".join(words)[: 2 * LONGEST])


@pytest.fixture
def table(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.jsonl").write_text("".join(f'{{"id": "q{i}", "answers": ["Paris"]}}\n' for i in range(5)))
    answers = [
        "Paris",
        "I don't know.",
        "Sorry, I can't help with that.",
        "You cannot divide by zero.",
        "Sorry, it is Rome",
    ]
    lines = [json.dumps({"id": f"q{i}", "answer": answer}) for i, answer in enumerate(answers)]
    Path("run.jsonl").write_text("\n".join(lines))


def test_auto_on_the_command_line(table, capfd) -> None:
    command = ["evaluate", "gold.jsonl", "run.jsonl", "-f", "json"]
    assert main(command) == 0
    found = capfd.readouterr()
    assert json.loads(found.out)["runs"][0]["scores"]["incorrect"] == 4
    assert "2 answers look like refusals" in found.err
    assert "--refusal auto counts them as unanswered" in found.err
    assert main([*command, "--refusal", "auto"]) == 0
    found = json.loads(capfd.readouterr().out)
    scores = found["runs"][0]["scores"]
    # 1 of 5 right, 2 unanswered: c@1 = (1 + 2 · 1/5) / 5.
    assert (scores["correct"], scores["incorrect"], scores["unanswered"]) == (1, 2, 2)
    assert scores["c@1"] == pytest.approx(0.28)
    assert found["settings"]["refusal"] == f"auto (English, version {VERSION})"


def test_stored_scores_know_the_version(table, tmp_path, monkeypatch) -> None:
    """Scores by other patterns are not taken from a store."""
    store = str(tmp_path / "store")
    runs = tmp_path / "run.jsonl"
    first = assay.evaluate("gold.jsonl", runs, ["unanswered"], refusal="auto", store=store)
    assert first.settings.files() == {}
    monkeypatch.setattr("assay.matching.refusals.BUILT_IN", type(first.settings.refusal)("auto (English, version 99)"))
    monkeypatch.setattr("assay.matching.refusals.built_in_refusal", lambda text: None)
    again = assay.evaluate("gold.jsonl", runs, ["unanswered"], refusal="auto", store=store)
    assert (first["unanswered"]["run"], again["unanswered"]["run"]) == (2, 0)


def test_a_file_called_auto_is_named_by_its_path(table) -> None:
    Path("auto").write_text("Rome\n")
    assert assay.evaluate("gold.jsonl", "run.jsonl", refusal="./auto")["unanswered"]["run"] == 1
    assert assay.evaluate("gold.jsonl", "run.jsonl", refusal="auto")["unanswered"]["run"] == 2
