"""Gold, judgments and runs of answers, a row at a time."""

from __future__ import annotations

from collections.abc import Callable

Write = Callable[..., str]
"""The fixture `write`: rows into a file, its path out."""


def answers(id: str, *texts: str, **more: object) -> dict[str, object]:
    """`text` or `text@document` for each answer."""
    given = [dict(zip(("text", "doc"), text.split("@"), strict=False)) for text in texts]
    return {"id": id, "answers": given, **more}


def judgment(id: str, answer: str, said: str, **more: object) -> dict[str, object]:
    return {"id": id, **dict(zip(("text", "doc"), answer.split("@"), strict=False)), "judgment": said, **more}
