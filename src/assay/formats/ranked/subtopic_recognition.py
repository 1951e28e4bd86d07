"""How qrels of a diversity track, whose second field names a subtopic, are told from ordinary ones, where it says nothing.

Both are lines of four fields, and one thing alone tells them apart for sure: ordinary qrels judge a document of a topic once,
those of subtopics judge it for one subtopic after another.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.io.heads import Head


def names_subtopics(head: Head) -> bool:
    """Whether gold shows that it judges documents by subtopic: a column of that name, dicts within dicts within dicts, or
    lines that judge a document of a topic under two second fields.

    >>> from assay.io.heads import head_of_bytes
    >>> names_subtopics(head_of_bytes(b"201 1 d1 1\\n201 2 d1 0\\n"))
    True
    >>> names_subtopics(head_of_bytes(b"301 0 d1 1\\n301 1 d2 1\\n"))
    False
    """
    if len(head.words) == 4:
        under: dict[tuple[bytes, bytes], bytes] = {}
        return second_varies(head) and any(
            under.setdefault((topic, document), second) != second
            for topic, second, document, _ in _judgments(head.text)
        )
    if head.shape == "frame":
        return "subtopic" in head.columns
    if head.shape == "json":
        import re

        return re.match(rb'\{\s*"[^"]*"\s*:\s*\{\s*"[^"]*"\s*:\s*\{', head.text) is not None
    topics = (value for value in head.values if hasattr(value, "values"))
    return head.shape == "mapping" and any(hasattr(next(iter(topic.values()), None), "items") for topic in topics)


def second_varies(head: Head) -> bool:
    """Whether the lines a file begins with do not all have the same second field.

    >>> from assay.io.heads import head_of_bytes
    >>> second_varies(head_of_bytes(b"301 0 d1 1\\n301 0 d2 0\\n")), second_varies(head_of_bytes(b"301 0 d1 1\\n302 1 d2 0\\n"))
    (False, True)
    """
    first, text = head.words[1], head.text
    # Counting is quick, and enough nearly everywhere: every file of judgments passes here. The last line may be cut off.
    lines = text.count(b"\n") + (len(text[text.rfind(b"\n") + 1 :].split()) > 2)
    same = text.count(b" %s " % first) + (text.count(b"\t%s\t" % first) if b"\t" in text else 0)
    if same >= lines:
        return False
    return any(words[1] != first for words in _judgments(text))


def _judgments(text: bytes) -> list[list[bytes]]:
    """The fields of the lines that have four; the last line of a head may be cut off."""
    lines = (line.split() for line in text.splitlines() if not line.lstrip().startswith(b"#"))
    return [words for words in lines if len(words) == 4]
