"""Recognise files that harnesses write beside their logs and that hold no outcomes; each tool's reader declares its own."""

from __future__ import annotations

from assay.errors import InputError
from assay.formats.json_files import has_keys
from assay.formats.reader_index import COMPANIONS
from assay.io.heads import Head
from assay.io.sources import Source


def companion_advice(head: Head) -> str | None:
    """Return what a companion file is and which file to give instead; None for any other file.

    >>> from assay.io.heads import head_of_bytes
    >>> companion_advice(head_of_bytes(b'{"task_id": "HumanEval/0", "solution": "pass"}'))[:33]
    'holds programs that were not run;'
    """
    if head.shape == "table":
        return next(
            (text for (shape, *names), text in COMPANIONS.items() if shape == "table" and {*names} <= {*head.columns}),
            None,
        )
    if head.shape not in ("json", "array") or has_keys(head, "id"):
        return None
    return next(
        (text for (shape, *keys), text in COMPANIONS.items() if shape == head.shape and has_keys(head, *keys)), None
    )


def refuse_companion(source: Source) -> None:
    """Refuse a file that harnesses write beside a log, and say which file is the log."""
    advice = companion_advice(source.head)
    if advice is not None:
        raise InputError(f"{source.name}: {advice}")
