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
    """
    return "ranked"
