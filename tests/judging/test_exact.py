"""Equal after normalisation."""

from __future__ import annotations

import pytest

from assay.formats.questions import GoldAnswer, GoldQuestion


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Paris", True),
        ("  paris. ", True),
        ("PARIS!", True),
        ("Ｐａｒｉｓ", True),  # full-width letters
        ("“Paris”", True),
        ("Paris, France", False),
        ("Pari", False),
        ("", False),
    ],
)
def test_exact_match_after_normalisation(verdict, text, right) -> None:
    assert verdict("exact", question("Paris"), text) == ("correct" if right else "incorrect")


def test_accents_and_case_outside_ascii(verdict) -> None:
    assert verdict("exact", question("Straße"), "STRASSE") == "correct"
    assert verdict("exact", question("Málaga"), "Ma\u0301laga") == "correct"
    assert verdict("exact", question("Málaga"), "Malaga") == "incorrect"


def test_an_answer_with_another_document_is_unsupported(verdict) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Paris", docs=["d7"])])
    assert verdict("exact", asked, "Paris", "d7") == "correct"
    assert verdict("exact", asked, "Paris", "d8") == "unsupported"
    assert verdict("exact", asked, "Paris") == "correct", "no document was named, so none is wrong"
    assert verdict("exact", question("Paris"), "Paris", "d8") == "correct", "the gold names no documents"


@pytest.mark.parametrize(
    ("gold", "text", "right"),
    [
        ("15", "1.5", False),
        ("5", "-5", False),
        ("-5", "\N{MINUS SIGN}5", True),
        ("5", ".5", False),
        ("12", "1/2", False),
        ("1000", "1,000.", True),
        ("1990-1995", "1990–1995", True),
        ("Apollo 11", "apollo-11", False),
        ("U.S.", "us", True),
        ("*", "/", False),
        ("*", " * ", True),
    ],
)
def test_numbers_and_marks_keep_what_tells_them_apart(verdict, gold, text, right) -> None:
    assert verdict("exact", question(gold), text) == ("correct" if right else "incorrect")


def test_the_same_text_from_several_documents(verdict) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Paris", docs=["d1"]), GoldAnswer("paris", docs=["d2"])])
    found = [verdict("exact", asked, "Paris", doc) for doc in ("d1", "d2", "d3")]
    assert found == ["correct", "correct", "unsupported"]
