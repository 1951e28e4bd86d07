"""Which format of answers a file is in, from its first bytes. Light: `assay evaluate` asks this of every gold."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay.formats.sources import Source

HEAD = 1 << 16


def kind_of(source: Source) -> str | None:
    """answers, outcomes, judgments, nuggets, pan-truth, pan-answers, squad, squad-predictions, table; None for others.

    >>> from assay.formats.sources import Source
    >>> kind_of(Source("gold", data=b'{"id": "q1", "answers": ["Paris"]}'))
    'answers'
    >>> kind_of(Source("qrels", data=b"301 0 d1 1")) is None
    True
    """
    if not source.is_bytes:
        return "table" if hasattr(source.data, "columns") else None
    if source.is_stdin:
        return None
    for chunk in source.chunks():
        return kind_of_text(chunk[:HEAD])
    return None


def kind_of_text(head: bytes) -> str | None:
    """The same, from the first bytes themselves.

    >>> kind_of_text(b'{"id": "p1", "same": true}'), kind_of_text(b"id,gold,m1")
    ('pan-truth', 'table')
    """
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    first, _, _ = text.partition(b"\n")
    if not text.startswith(b"{"):
        words = first.split()
        if len(words) == 2 and words[1].upper() in (b"Y", b"N"):
            return "pan-truth"
        return "table" if _is_header(first) else None
    import json
    import re

    try:
        found: Any = json.loads(first)
    except ValueError:
        found = None
    kind = _kind_of_line(found) if isinstance(found, dict) else None  # pyright: ignore[reportUnknownArgumentType]
    if kind is not None:
        return kind
    if re.match(rb'\{\s*"[^"]*"\s*:\s*\{', text):
        return None  # qrels as JSON: topic to document to grade
    if b'"data"' in text and (b'"paragraphs"' in text or b'"version"' in text):
        return "squad"
    if b'"id"' in text:
        return "answers"
    return "squad-predictions" if re.match(rb'\{\s*"[^"]*"\s*:\s*"', text) else None


def _is_header(first: bytes) -> bool:
    """Whether a line can be the header of a table: names between commas or tabs, none of them a number."""
    for mark in (b"\t", b",", b";"):
        names = [name.strip() for name in first.split(mark)]
        if len(names) > 1:
            return all(names) and not any(name.replace(b".", b"", 1).isdigit() for name in names)
    return False


def _kind_of_line(found: dict[str, Any]) -> str | None:
    if "id" not in found:
        return "squad-predictions" if found and all(isinstance(v, str) for v in found.values()) else None
    if "judgment" in found:
        return "judgments"
    if "nuggets" in found:
        return "nuggets"
    if "outcome" in found:
        return "outcomes"
    if any(name in found for name in ("answers", "answer", "patterns", "nil", "candidate")):
        return "answers"
    if any(name in found for name in ("same", "is_human", "label")):
        return "pan-truth"
    return "pan-answers" if "value" in found else "answers"
