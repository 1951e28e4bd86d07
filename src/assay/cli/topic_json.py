"""JSON of many topics: their values as structures, which msgspec makes and writes in less time than dicts."""

from __future__ import annotations

from assay.cli.output import is_finite, quick_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from assay import Scores

MANY = 1000
"""From how many topics of runs on msgspec is worth its import."""


def quick_topics(scores: Scores, result: Mapping[str, Any]) -> str | None:
    """What `to_json` writes of a result whose runs have their `topics` last; None where they are few, or spelled otherwise.

    result   the same without topics
    """
    names = scores.per_topic
    if len(scores.runs) * len(scores.topics) < MANY or not names:
        return None
    columns = {run: [scores.column(run, name) for name in names] for run in scores.runs}
    if not is_finite([result, columns]):
        return None
    from itertools import starmap

    import msgspec

    fields = [f"_{number}" for number in range(len(names))]
    try:
        row = msgspec.defstruct("Row", fields, rename=dict(zip(fields, names, strict=True)), gc=False)
    except ValueError:  # a name with quotes or other escapes
        return None
    runs: list[dict[str, Any]] = []
    for entry, cells in zip(result["runs"], columns.values(), strict=True):
        rows = starmap(row, zip(*cells, strict=True))
        runs.append({**entry, "topics": dict(zip(scores.topics, rows, strict=True))})
    return quick_text({**result, "runs": runs})
