"""The page's data, written small: equal specifications once, data by column, and safe inside a script element."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assay.reports.model import Chart, Comparison, Json, Measure


class Store:
    """Charts and comparisons for the script, with equal specifications and equal columns kept once."""

    def __init__(self) -> None:
        self.specs: dict[str, int] = {}
        self.charts: dict[str, list[Any]] = {}
        self.comparison: Comparison | None = None

    def add(self, chart: Chart) -> None:
        body = {key: value for key, value in chart.spec.items() if key != "datasets"}
        place = self.specs.setdefault(json.dumps(body, sort_keys=True), len(self.specs))
        data = {name: columns(rows) for name, rows in chart.spec.get("datasets", {}).items()}
        self.charts[chart.id] = [place, chart.alt, data]

    def as_json(self) -> Json:
        chosen = self.comparison
        return {
            "specs": [json.loads(body) for body in self.specs],
            "charts": self.charts,
            "comparison": _comparison(chosen) if chosen else None,
        }


def columns(rows: Sequence[dict[str, Any]]) -> list[Any]:
    """Rows as [count, {name: values}]; a column that is one value, or counts 1, 2, 3 …, is written as that.

    >>> columns([{"found": 1, "rank": 2, "relevant": 9}, {"found": 2, "rank": 5, "relevant": 9}])
    [2, {'found': 'count', 'rank': [2, 5], 'relevant': {'all': 9}}]
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return [len(rows), {name: _column([row.get(name) for row in rows]) for name in names}]


def _column(values: list[Any]) -> Any:
    if len(values) > 1:
        if all(value == place and type(value) is int for place, value in enumerate(values, start=1)):
            return "count"
        if all(value == values[0] and type(value) is type(values[0]) for value in values):
            return {"all": values[0]}
    return values


def safe_json(value: object) -> str:
    """JSON that can stand inside a script element whatever it holds.

    >>> safe_json({"run": "</script><!--"})
    '{"run":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # A name read from bytes that were not UTF-8 may hold half a character, which no file can.
    return text.encode("utf-8", "replace").decode("utf-8")


def _comparison(block: Comparison) -> Json:
    return {
        "runs": block.runs,
        "topics": block.topics,
        "chart": block.chart.id,
        "unit": block.unit,
        "measures": [_measure(measure) for measure in block.measures],
    }


def _measure(measure: Measure) -> Json:
    return {
        "name": measure.name,
        "digits": measure.digits,
        "runs": measure.runs,
        "topics": measure.topics,
        "pairs": [[pair.a, pair.b, pair.difference, pair.low, pair.high, pair.p] for pair in measure.pairs],
        "caption": measure.pairs_caption,
    }
