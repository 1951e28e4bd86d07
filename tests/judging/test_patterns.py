"""Found by regular expressions."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.questions import GoldAnswer, GoldQuestion


def question(*texts: str, **more) -> GoldQuestion:
    return GoldQuestion("q1", 1, [GoldAnswer(text) for text in texts], **more)


def test_patterns_search_and_ignore_case(verdict, key) -> None:
    asked = question(patterns=[r"^par+is\b", "lut[eè]c"])
    assert verdict("patterns", asked, "PARRIS, France") == "correct"
    assert verdict("patterns", asked, "ancient Lutecia") == "correct"
    assert verdict("patterns", asked, "not paris") == "incorrect"
    found = key("patterns", asked)
    classes = {found.judge("q1", text, None).cls for text in ("Paris", "Lutecia")}
    assert len(classes) == 2, "each pattern is a class of its own"


def test_a_broken_pattern_names_its_line(key) -> None:
    with pytest.raises(FormatError, match=r"gold:1: '\(' is no regular expression"):
        key("patterns", question(patterns=["("]))


def test_patterns_fall_back_to_exact_match(verdict) -> None:
    assert verdict("patterns", question("Paris"), "paris") == "correct"


def test_a_pattern_stands_for_the_gold_answer_it_finds(key) -> None:
    asked = question("Paris", patterns=["paris", "Lutetia"])
    found = key("patterns", asked)
    classes = [found.judge("q1", text, None).cls for text in ("Paris", "city of Paris", "Lutetia")]
    assert classes[0] == classes[1] != classes[2]
    assert found.known["q1"].classes["strict"].keys() == set(classes)
    assert len(key("exact", asked).known["q1"].classes["strict"]) == 1
    wide = question("Paris", "Berlin", patterns=["r"])
    found = key("patterns", wide)
    assert len({found.judge("q1", text, None).cls for text in ("Paris", "berlin")}) == 2, "an equal text goes first"


def test_a_document_that_does_not_support_the_question(verdict) -> None:
    asked = GoldQuestion("q1", 1, [GoldAnswer("Victor Hugo", docs=["d1"])], ["Hugo"])
    found = [verdict("patterns", asked, "old Hugo", doc) for doc in ("d1", "d2", None)]
    assert found == ["correct", "unsupported", "correct"]
