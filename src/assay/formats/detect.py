"""Which task a gold file belongs to, from its first bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.sources import Source


def detect_task(gold: Source) -> str:
    """The task of a gold source: what assay does where `--task` does not say.

    >>> from assay.formats.sources import Source
    >>> detect_task(Source("qrels", data=b"301 0 d1 1\\n"))
    'ranked'
    >>> detect_task(Source("gold", data=b'{"id": "q1", "answers": ["Paris"]}'))
    'outcomes'
    >>> detect_task(Source("judgments", data=b'{"id": "q1", "text": "Paris", "judgment": "correct"}'))
    'qa'
    """
    from assay.formats.outcome_files import kind_of

    if isinstance(gold.data, dict):
        values: list[object] = list(gold.data.values())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        return "ranked" if any(isinstance(value, dict) for value in values) else "outcomes"
    if not gold.is_bytes:
        names = {str(name) for name in getattr(gold.data, "columns", ())}
        return "outcomes" if names & {"gold", "outcome"} else "ranked"
    kind = kind_of(gold)
    return "ranked" if kind is None else {"judgments": "qa", "nuggets": "nuggets"}.get(kind, "outcomes")
