"""Words in the columns of a terminal: nothing is lost by folding, nothing is too wide, and different names stay different."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.reports.terminal_width import cells_wide, shorten_names, shortened, wrapped

WORDS = st.text(st.sampled_from("abc \n中é"), max_size=80)


@given(WORDS, st.integers(2, 40))
def test_folding_loses_no_letter_and_keeps_the_width(text, width):
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(0 < cells_wide(line) <= width for line in lines)


def test_a_word_may_end_where_the_line_does():
    assert wrapped("abcdef gh", 3) == ["abc", "def", "gh"]


@given(WORDS, st.integers(3, 40), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_a_shortened_name_keeps_its_ends(text, width, cut):
    short = shortened(text, width, cut)
    assert cells_wide(short) <= width
    if short != text:
        before, _, after = short.partition("…")
        assert text.startswith(before)
        assert text.endswith(after)


def test_names_are_cut_where_they_do_not_differ():
    assert shorten_names(["model-2024-large", "model-2025-large"], 11) == ["mo…24-large", "mo…25-large"]
    assert shorten_names(["xabcdefghij", "yabcdefghij"], 4) == ["xa…j", "ya…j"]
    # Equal names are no reason to look further.
    assert shorten_names(["abcdefg", "abcdefg"], 5) == ["ab…fg", "ab…fg"]
