"""Messages and files with untrusted text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.io import escaping


def test_a_file_keeps_letters_of_any_script_and_bytes_that_are_no_utf8() -> None:
    text = "naïve 中文 שלום \u200d \udce9\t\n"
    assert escaping.data(text) == text


def test_a_long_quotation_keeps_its_ends_and_the_message_around_it() -> None:
    shown = escaping.message(f"run:3: expected a number, found {'a b ' * 100 + 'z'!r}; see the format")
    assert shown.startswith("run:3: expected a number, found 'a b a b")
    assert shown.endswith("b z'; see the format")
    assert " … 241 characters … " in shown  # 401 less 160


def test_short_messages_stay_as_they_are() -> None:
    text = "a.run:3: expected 6 fields, found 5; it's the 'tag' that isn't there"
    assert escaping.message(text) == text


@given(st.text())
def test_escaping_twice_changes_nothing_more(text: str) -> None:
    once = escaping.message(text)
    assert escaping.message(once) == once
