"""Escape untrusted text for terminals, JSON and HTML; `csv_escaping.py` does so for CSV.

Ids, tags, field names and file names come from untrusted files. No computed number changes here.
"""

from __future__ import annotations

MAX_QUOTED = 160
"""Characters of a quotation from the input that a message shows."""
MAX_MESSAGE = 2000
"""Characters of the longest message."""
COMMANDS = "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udbff\udc80-\udc9f]"
"""Characters that control a terminal or the direction of text: control characters but the tab and the line feed, the marks of
Unicode's bidirectional algorithm, separators of lines, and bytes that are no UTF-8 and control characters in older encodings.
None of it is printable."""
LONG_QUOTE = rf"""(?<!\w)(['"])((?:(?!\1)[^\\]|\\.){{{MAX_QUOTED + 1},}})\1(?!\w)"""
LONG_WORD = rf"\S{{{2 * MAX_QUOTED + 1},}}"


def plain(text: str) -> str:
    """Escape every character that could control a terminal.

    >>> plain("a\\x1b[31mb\\n")
    'a\\\\x1b[31mb\\\\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def data(text: str) -> str:
    """Escape control characters for a file that programs read.

    Letters of any script, tabs, line feeds and bytes that are not UTF-8 are unchanged.

    >>> data("a\\tb\\x1b]0;owned\\x07"), data("\\u202eevil")
    ('a\\tb\\\\x1b]0;owned\\\\x07', '\\\\u202eevil')
    """
    if text.isprintable():
        return text
    import re

    return re.sub(COMMANDS, lambda match: _escaped(match.group()), text)


def in_json(text: str) -> str:
    """Write control characters in a JSON text as JSON escapes, which every parser decodes.

    >>> print(in_json('{"run": "\\x9b31m"}'))
    {"run": "\\u009b31m"}
    """
    import re

    # Between its strings, JSON as `json.dumps` writes it has none of these.
    return re.sub(COMMANDS, lambda match: f"\\u{ord(match.group()):04x}", text)


def in_html(text: str) -> str:
    """Escape text for HTML: markup, and marks that change the direction of the text around it.

    >>> in_html("<b>\\u202e")
    '&lt;b&gt;\\\\u202e'
    """
    from html import escape

    return escape(data(text))


def message(text: str) -> str:
    """Escape a message for a terminal, and shorten long quotations from the input.

    >>> message("two runs are called\\n'bm25'")
    "two runs are called\\\\n'bm25'"
    >>> len(message("unknown measure " + repr("x" * 10**6))) < 250
    True
    """
    text = plain(text)
    if len(text) > MAX_QUOTED:
        import re

        text = re.sub(LONG_QUOTE, lambda match: match[1] + _ends(match[2], MAX_QUOTED) + match[1], text)
        text = re.sub(LONG_WORD, lambda match: _ends(match[0], MAX_QUOTED), text)
    return _ends(text, MAX_MESSAGE) if len(text) > MAX_MESSAGE else text


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def _ends(text: str, length: int) -> str:
    """Shorten a text to its two ends and the number of characters between them."""
    half = length // 2
    return f"{text[:half]} … {len(text) - 2 * half} characters … {text[-half:]}"
