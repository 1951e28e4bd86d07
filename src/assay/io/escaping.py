"""Escape untrusted text for terminals, JSON and HTML; `csv_escaping.py` does so for CSV.

Ids, tags, field names and file names come from files that anybody may have made. Nothing here changes what is computed.
"""

from __future__ import annotations

QUOTED = 160
"""How many characters of one piece of the input a message repeats."""
LONGEST = 2000
"""How many characters a message has at most."""
COMMANDS = "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udbff\udc80-\udc9f]"
"""What commands a terminal or turns the direction of text: control characters but the tab and the line feed, the marks of
Unicode's bidirectional algorithm, separators of lines, and bytes that are no UTF-8 and control characters in older encodings.
None of it is printable."""
LONG_QUOTE = rf"""(?<!\w)(['"])((?:(?!\1)[^\\]|\\.){{{QUOTED + 1},}})\1(?!\w)"""
LONG_WORD = rf"\S{{{2 * QUOTED + 1},}}"


def plain(text: str) -> str:
    """The text with anything that could command a terminal made visible.

    >>> plain("a\\x1b[31mb\\n")
    'a\\\\x1b[31mb\\\\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def data(text: str) -> str:
    """The same for a file that programs read: only what commands is changed; letters of any script, tabs, line feeds and
    bytes that are no UTF-8 stay as they are.

    >>> data("a\\tb\\x1b]0;owned\\x07"), data("\\u202eevil")
    ('a\\tb\\\\x1b]0;owned\\\\x07', '\\\\u202eevil')
    """
    if text.isprintable():
        return text
    import re

    return re.sub(COMMANDS, lambda found: _escaped(found.group()), text)


def in_json(text: str) -> str:
    """A JSON text with the same characters as its own escapes, which every reader turns back.

    >>> print(in_json('{"run": "\\x9b31m"}'))
    {"run": "\\u009b31m"}
    """
    import re

    # Between its strings, JSON as `json.dumps` writes it has none of these.
    return re.sub(COMMANDS, lambda found: f"\\u{ord(found.group()):04x}", text)


def in_html(text: str) -> str:
    """Text as HTML shows it: no markup, and nothing that turns the direction of what stands beside it.

    >>> in_html("<b>\\u202e")
    '&lt;b&gt;\\\\u202e'
    """
    from html import escape

    return escape(data(text))


def message(text: str) -> str:
    """One line to a person: what commands is visible, and no more of the input is repeated than helps to find it.

    >>> message("two runs are called\\n'bm25'")
    "two runs are called\\\\n'bm25'"
    >>> len(message("unknown measure " + repr("x" * 10**6))) < 250
    True
    """
    text = plain(text)
    if len(text) > QUOTED:
        import re

        text = re.sub(LONG_QUOTE, lambda found: found[1] + _ends(found[2], QUOTED) + found[1], text)
        text = re.sub(LONG_WORD, lambda found: _ends(found[0], QUOTED), text)
    return _ends(text, LONGEST) if len(text) > LONGEST else text


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def _ends(text: str, length: int) -> str:
    """The two ends of a text that is too long, and how much is between them."""
    half = length // 2
    return f"{text[:half]} … {len(text) - 2 * half} characters … {text[-half:]}"
