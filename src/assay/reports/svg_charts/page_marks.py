"""What a page's script needs of a specification: where the rows with tooltips are, and the marks that it draws itself."""

from __future__ import annotations

from typing import Any

from assay.reports.model import Json
from assay.reports.svg_charts.marks import POINT

PLACES = ("x", "y", "x2", "y2", "order")


def tips_of(spec: Json) -> list[Json]:
    """Return per layer with a tooltip its dataset, kind of mark, fields, and the lines of the tooltip.

    >>> x, tip = {"field": "a", "type": "quantitative"}, {"field": "a", "title": "A", "format": ".3f"}
    >>> tips_of({"layer": [{"data": {"name": "d"}, "mark": {"type": "point"}, "encoding": {"x": x, "tooltip": [tip]}}]})
    [{'data': 'd', 'mark': 'point', 'x': 'a', 'lines': [['a', 'A', '.3f']]}]
    """
    return [
        {
            "data": layer["data"]["name"],
            "mark": layer["mark"]["type"],
            **_fields(layer["encoding"]),
            "lines": [
                [line["field"], line["title"], *([line["format"]] if "format" in line else [])] for line in layer["encoding"]["tooltip"]
            ],
        }
        for layer in spec.get("layer", ())
        if "tooltip" in layer["encoding"]
    ]  # fmt: skip


def draws_of(spec: Json, config: Json) -> list[Json]:
    """Return the lines, points and rules of a specification for the script, with their looks."""
    return [_draw(layer, config["style"][layer["mark"]["style"]]) for layer in spec.get("layer", ())]


def _draw(layer: Json, style: Json) -> Json:
    mark = layer["mark"]
    draw: Json = {
        "data": layer["data"]["name"],
        "mark": mark["type"],
        **_fields(layer["encoding"]),
        "colour": style["color"],
    }
    if mark["type"] == "point":
        return draw | {"area": POINT * mark["size"], "ring": style.get("stroke", "")}
    dash = " ".join(map(str, style.get("strokeDash", [])))
    return draw | {
        "width": mark.get("strokeWidth", style["strokeWidth"]),
        "dash": dash,
        "step": mark.get("interpolate", ""),
    }


def _fields(encoding: Json) -> dict[str, Any]:
    fields: dict[str, Any] = {name: encoding[name]["field"] for name in PLACES if "field" in encoding.get(name, {})}
    if "xOffset" in encoding:
        fields["offset"] = [encoding["xOffset"]["field"], encoding["xOffset"]["sort"]]
    return fields
