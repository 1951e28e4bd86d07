"""Tags are taken out, and what a person reads stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.formats.auxiliary.markup import strip_tags, title_and_text


def test_a_page() -> None:
    page = "<html><head><title>A &lt;b&gt;\n title</title><style>p {}</style></head><p>One<br>two</p><script>x()</script></html>"
    assert title_and_text(page) == ("A <b> title", "One\n\ntwo")


def test_a_document_without_a_part_for_its_text() -> None:
    assert title_and_text("<DOC><TITLE>T</TITLE>\nline\nline</DOC>") == ("T", "line\nline")
    assert title_and_text("plain, 1 < 2") == ("", "plain, 1 < 2")


@given(st.text(alphabet="<>/pdivTEX&; ab!-", max_size=60))
def test_anything_is_a_text(text) -> None:
    title, body = title_and_text(text)
    assert isinstance(title + body, str)
    assert "\n\n\n" not in strip_tags(text)
