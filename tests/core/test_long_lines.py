"""A line that is too long is noticed, however the bytes are cut."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assay.core.long_lines import LineLimit


@given(st.lists(st.integers(0, 9), max_size=12), st.lists(st.integers(0, 60), max_size=6), st.integers(1, 9))
def test_noticed_exactly_where_some_line_is_longer(lengths, cuts, most) -> None:
    text = b"\n".join(b"x" * length for length in lengths)
    limit, places = LineLimit(most), []
    ends = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    for start, end in pairwise(ends):
        at = limit.exceeded(text[start:end])
        if at is not None:
            places.append(start + at)
            break
    assert bool(places) == any(length > most for length in lengths)
    if places:
        # As many lines end before the place as before the first line that is too long.
        first = next(number for number, length in enumerate(lengths) if length > most)
        assert text.count(b"\n", 0, places[0]) == first
