"""Texts that decline to answer, by patterns of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import FormatError, InputError
from assay.formats.questions import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from assay.formats.sources import Source


def read_refusals(source: Source) -> Callable[[str], bool]:
    """Whether a text is a refusal: a pattern a line, # for comments; matched anywhere in an answer, case ignored."""
    patterns: list[re.Pattern[str]] = []
    for line, raw in enumerate(source.read().split(b"\n"), 1):
        try:
            text = raw.decode("utf-8-sig" if line == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise FormatError(source.name, line, "is not UTF-8 text") from None
        if text and not text.startswith("#"):
            patterns.append(compiled(text, source.name, line))
    if not patterns:
        raise InputError(f"{source.name}: holds no patterns; expected a regular expression a line")
    return lambda text: any(pattern.search(text) for pattern in patterns)
