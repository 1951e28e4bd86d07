"""Text that knows which of its parts stand out."""

from __future__ import annotations

import json
import pickle

import pytest

from assay.analyses.marked_text import MarkedText, mark, marked, parts_of, with_plain_parts


@pytest.mark.parametrize("name", ["run", "2", "a.* (b)|", "\\1", "<b>x</b>", "中文", "beats", "with space"])
def test_a_name_stands_out_where_it_was_marked_and_nowhere_else(name):
    text = MarkedText.of(f"2 runs: {mark(name)} beats 2 runs.")
    assert text == f"2 runs: {name} beats 2 runs."
    assert text.parts == (("2 runs: ", False), (name, True), (" beats 2 runs.", False))


def test_a_name_with_a_mark_of_its_own_marks_nothing_else():
    name = "a\ue001b\ue000"
    text = MarkedText.of(f"{mark(name)} leads.")
    assert text.parts == (("ab", True), (" leads.", False))


def test_nothing_has_no_parts():
    assert MarkedText.of("").parts == parts_of("") == ()
    assert mark("") == ""


def test_an_ordinary_string_is_one_part():
    assert parts_of("a leads.") == (("a leads.", False),)
    assert marked("a leads.") == "a leads."


def test_marks_can_be_put_back_for_a_longer_sentence():
    text = MarkedText.of(f"{mark('a')} leads")
    assert MarkedText.of(f"{marked(text)}, and {mark('b')} follows.").parts == (
        ("a", True), (" leads, and ", False), ("b", True), (" follows.", False),
    )  # fmt: skip


def test_only_the_other_parts_are_changed():
    text = with_plain_parts(MarkedText.of(f"{mark('x')} is x."), str.upper)
    assert (text, text.parts) == ("x IS X.", (("x", True), (" IS X.", False)))


def test_it_is_an_ordinary_string_in_json_and_survives_pickling():
    text = MarkedText.of(f"{mark('2')} of 2")
    assert json.dumps(text) == '"2 of 2"'
    copy = pickle.loads(pickle.dumps(text))
    assert (copy, copy.parts) == (text, text.parts)
    assert type(str(text)) is str
