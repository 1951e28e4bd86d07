"""Answers that are none, told by patterns and suspected by phrases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, InputError
from assay.io.sources import Source
from assay.matching.refusals import BEGINNING, PHRASES, Refusal, read_refusals, refusal_phrase


def refusals(content: bytes) -> Refusal:
    return read_refusals(Source("refusals.txt", data=content))


def test_patterns_before_any_group_are_of_answers_declined() -> None:
    refuses = refusals(b"# words of refusal\n\nI (do not|don't) know\n^unsure$\n")
    told = [refuses(text) for text in ("Well, i don't KNOW.", "unsure", "unsure?", "Paris")]
    assert told == ["declined", "declined", None, None]


def test_a_name_in_brackets_begins_a_group() -> None:
    refuses = refusals(b"don't know\n[refused]\nI (won't|will not)\n[ Off topic ]\nlet's talk\n")
    told = [refuses(text) for text in ("I will not say", "I don't know", "Let's talk about cats", "[refused]")]
    assert told == ["refused", "declined", "off topic", None]


def test_a_set_of_letters_with_a_range_is_still_a_pattern() -> None:
    assert refusals(b"[^a-z]+$\n")("123") == "declined"


def test_broken_patterns_and_none_at_all() -> None:
    with pytest.raises(FormatError, match=r"refusals.txt:2: '\(' is no regular expression"):
        refusals(b"ok\n(\n")
    refuses = refusals(b"(a)\\1\n(?i)(b)\\1\n")
    told = [refuses(text) for text in ("aa", "BB", "ab")]
    assert told == ["declined", "declined", None], "a line knows nothing of the others' groups"
    for nothing in (b"# nothing\n", b"[refused]\n"):
        with pytest.raises(InputError, match="no patterns"):
            refusals(nothing)


@pytest.mark.parametrize(
    "text",
    ["I don't know.", "I dont know", "I'm not sure, but perhaps Rome", "I cannot answer that", "As an AI model, I …",
     "Sorry: it cannot be determined", "I’m unable to say"],
)  # fmt: skip
def test_phrases_that_look_like_refusals(text) -> None:
    assert refusal_phrase(text)


@pytest.mark.parametrize(
    "text", ["Paris", "We know this", "The answer is no", "Canberra, of course", "x" * 500 + " I don't know"]
)
def test_answers_are_not_suspected(text) -> None:
    assert refusal_phrase(text) is None


WORDS = (
    "I", "i", "I'm", "Im", "I’m", "İ", "ı", "am", "do", "not", "don't", "dont", "know", "have", "enough", "sufficient", "to",
    "information", "sure", "certain", "able", "unable", "sorry,", "but", "can", "can't", "cant", "CANNOT", "answer", "help",
    "aſſist", "assist", "provide", "say", "must", "decline", "no", "No", "unanswerable", "be", "could", "determined",
    "answered", "As", "an", "AI", "ai", "K", "Know", "x" * 90, ".",
)  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_looking_for_hints_first_misses_no_phrase(text) -> None:
    found = PHRASES.search(text[:BEGINNING])
    assert refusal_phrase(text) == (found and found.group())


@pytest.mark.parametrize(
    "phrase",
    [
        "I do not know", "I dont have enough information", "I'm not sure", "Im unable to", "I am not certain",
        "I am sorry but I cant", "i cannot say", "I must decline", "I have to decline", "NO ANSWER", "Unanswerable",
        "cannot be determined", "could not be answered", "not enough information", "as an ai",
    ],
)  # fmt: skip
def test_every_phrase_has_its_hint(phrase) -> None:
    assert refusal_phrase(f"Well, {phrase}.") == phrase
