"""Convert HTML pages and TREC documents to plain text, without tags, scripts and comments."""

from __future__ import annotations

import re
from html import unescape

_TITLE = re.compile(r"<(TITLE|HEADLINE|HL|TI|H3)\b[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_BODY = re.compile(r"<(TEXT|BODY|ABSTRACT|CONTENTS)\b[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_SILENT = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<\s*(?:/?(?:p|div|h[1-6]|li|ul|ol|tr|table|section|article)\b[^<>]*|br\s*/?)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)


def title_and_text(document: str) -> tuple[str, str]:
    """Return title and text of a document; without a text element, the text is all but the title.

    >>> title_and_text("<DOC><HEADLINE>Fire &amp; ice</HEADLINE><TEXT><P>One.</P><P>Two.</P></TEXT><LENGTH>9</LENGTH></DOC>")
    ('Fire & ice', 'One.\\n\\nTwo.')
    """
    heard = _SILENT.sub("", document)
    title = _TITLE.search(heard)
    bodies = [match[2] for match in _BODY.finditer(heard)]
    text = "\n".join(bodies) if bodies else _TITLE.sub("", heard, count=1)
    return " ".join(strip_tags(title[2]).split()) if title else "", strip_tags(text)


def strip_tags(text: str) -> str:
    """Remove the tags of a text.

    >>> strip_tags("<p>Fish &amp; chips</p><p>1 < 2</p>")
    'Fish & chips\\n\\n1 < 2'
    """
    plain = unescape(_TAG.sub(" ", _BREAK.sub("\n\n", text)))
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
