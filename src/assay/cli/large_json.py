"""JSON of many topics through msgspec, with the bytes of `output.to_json`.

`assay evaluate -q -f json` with 8 measures on 6,980 topics takes 0.05 s instead of 0.15 s.
"""

from __future__ import annotations

import re
from itertools import starmap

import msgspec

from assay.cli import output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from assay.table.scores import Scores


def quick_topics(scores: Scores, result: Mapping[str, Any]) -> str | bytes | None:
    """Return the bytes of `to_json` for many topics through msgspec structures, or None where `to_json` must do it.

    result   the result without the topics of its runs
    """
    names = scores.per_topic
    if len(scores.runs) * len(scores.topics) < output.MIN_ROWS_FOR_MSGSPEC or not names:
        return None
    columns = {run: [scores.column(run, name) for name in names] for run in scores.runs}
    if not is_finite([result, columns]):
        return None
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


def quick_text(result: Any) -> str | bytes | None:
    """Return the text of `to_json` for a tree of finite numbers, or None where msgspec would spell something otherwise."""
    try:
        compact = msgspec.json.encode(result, enc_hook=float)
    except (TypeError, ValueError, OverflowError):  # half a character, or what JSON has no word for
        return None
    # It has 1e-5 and 1e16 where Python has 1e-05 and 1e+16.
    if b"0.0000" in compact or re.search(rb"e(?<=[0-9]e)[-0-9]", compact):
        return None
    # Of the first 128 characters those that are not printable are escaped, but for the last of them.
    plain = compact.isascii()
    if b"\x7f" in compact or not (plain or compact.decode().isprintable()):
        return None
    text = msgspec.json.format(compact, indent=1) + b"\n"
    return text if plain else text.decode()


def is_finite(value: Any) -> bool:
    """Return whether all numbers of a tree are finite, as far as their sums show.

    >>> is_finite({"a": [1, 0.5, None], "b": {"c": 2.0}}), is_finite({"a": [1, {"b": float("nan")}]})
    (True, False)
    """
    if isinstance(value, float):
        return value - value == 0
    if not isinstance(value, (dict, list, tuple)):
        return True
    inside: Any = value.values() if isinstance(value, dict) else value
    try:
        total = sum(inside)
    except TypeError:
        return all(map(is_finite, inside))
    return total - total == 0
