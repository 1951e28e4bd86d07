"""Scores per topic of several measures, as assay writes them: JSON and Parquet. Plain cells: measure → run → topic → value."""

from __future__ import annotations

import io
import json
import re
from importlib.util import find_spec
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any

from assay.errors import FormatError, InputError
from assay.formats.readers import reads

if TYPE_CHECKING:
    from assay.formats.sources import Head, Source

    Column = dict[str, float | int | None]


def _result(head: Head) -> bool:
    """one JSON object with a list of `runs`."""
    return head.shape == "json" and re.search(rb'"runs"\s*:\s*\[', head.text) is not None


@reads("scores", role="scores", yields="what `assay evaluate -q -f json` writes", recognises=_result)
def read_score_json(source: Source) -> dict[str, dict[str, Column]]:
    """What `assay evaluate -q -f json` writes: measure → run → topic → value."""
    try:
        result = json.loads(source.read())
    except (ValueError, RecursionError) as problem:
        line = getattr(problem, "lineno", None)
        raise FormatError(source.name, line, f"not readable as JSON: {problem}") from None
    if not isinstance(result, dict) or not isinstance(result.get("runs"), list) or not result["runs"]:
        raise InputError(
            f"{source.name}: is JSON, but not a result of `assay evaluate -q -f json`: it has no list of runs"
        )
    found: dict[str, dict[str, Column]] = {}
    for number, entry in enumerate(result["runs"], 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("run"), str):
            raise InputError(f'{source.name}: entry {number} of "runs" has no "run" that names it')
        topics = entry.get("topics")
        if not topics:
            raise InputError(f"{source.name}: has no scores per topic; write it with `assay evaluate -q -f json`")
        if not isinstance(topics, dict) or not all(isinstance(values, dict) for values in topics.values()):
            raise InputError(f'{source.name}: run {entry["run"]}: expected "topics": {{id: {{measure: number}}}}')
        for topic, values in topics.items():
            for name, value in values.items():
                if value is not None and not is_number(value):
                    raise InputError(
                        f"{source.name}: run {entry['run']}, topic {topic}: {name} is {value!r}, not a number"
                    )
                found.setdefault(name, {}).setdefault(entry["run"], {})[topic] = value
    return found


def is_number(value: Any) -> bool:
    """A finite number that is no truth value."""
    try:
        return not isinstance(value, bool) and isinstance(value, Real) and isfinite(value)
    except OverflowError:  # a whole number too large for a float
        return False


def _parquet(head: Head) -> bool:
    """the letters PAR1."""
    return head.shape == "parquet"


@reads("parquet", role="scores", yields="what `assay evaluate -f parquet` writes", recognises=_parquet)
def read_score_parquet(source: Source) -> dict[str, dict[str, Column]]:
    """What `assay evaluate -f parquet` writes: columns run, topic, status and one per measure."""
    import narwhals as nw

    backend = next((name for name in ("pyarrow", "polars", "pandas") if find_spec(name)), None)
    if backend is None:
        raise InputError(f"{source.name}: is Parquet; pip install 'assay-eval[frames]' to read it")
    content = io.BytesIO(source.read())
    try:
        frame: Any = nw.read_parquet(content, backend=backend)  # pyright: ignore[reportArgumentType]
    except Exception as problem:  # noqa: BLE001 - each backend fails in its own way on a damaged file
        raise InputError(f"{source.name}: not readable as Parquet: {problem}") from None
    if "run" not in frame.columns or "topic" not in frame.columns:
        raise InputError(f"{source.name}: expected columns run and topic, found {', '.join(frame.columns)}")
    names = [name for name in frame.columns if name not in ("run", "topic", "status")]
    found: dict[str, dict[str, Column]] = {name: {} for name in names}
    for row in frame.iter_rows(named=True):
        for name in names:
            value = row[name]
            if value is not None and not is_number(value):
                raise InputError(
                    f"{source.name}: run {row['run']}, topic {row['topic']}: {name} is {value!r}, not a number"
                )
            found[name].setdefault(str(row["run"]), {})[str(row["topic"])] = value
    return found
