"""Where the rows of a run of answers stand in the gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.formats.rows import Rows


def places_of(rows: Rows, index: Mapping[str, int], gold: str) -> list[int]:
    """The question of every row; one nobody asked, or one answered twice, is an error that names it."""
    places = [index.get(identity, -1) for identity in rows.ids]
    if -1 in places:
        row = places.index(-1)
        raise FormatError(
            rows.file, rows.lines[row] or None, f"answers question {rows.ids[row]!r}, which is not in {gold}"
        )
    if len(set(places)) < len(places):
        first: dict[int, int] = {}
        for row, place in enumerate(places):
            if first.setdefault(place, row) != row:
                raise FormatError(
                    rows.file,
                    rows.lines[row] or None,
                    f"question {rows.ids[row]!r} was answered already on line {rows.lines[first[place]]}",
                )
    return places
