"""Characteristics of runs, by their organiser: a TOML file with a table per run.

task = "homepage finding"            # before the first table: holds for every run

[tnout10epCAU]
organisation = "TNO"
description = ["docstruct-notused", "urltext-used", "links-used"]
subtask = "adaptive"                 # filtering: runs are compared within their subtask
optimized_for = "T10U"               # filtering: the measure of the median graph
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from assay.errors import InputError, shorten_list
from assay.formats.json_files import error_text
from assay.formats.recognition import reads
from assay.io.heads import BOM, is_mapping
from assay.io.sources import Source, source_of

MAX_DEPTH = 20
"""The deepest nesting of keys; JSON writers recurse as deep."""
MAX_LISTED = 3
"""Sections, and runs, that a message lists."""


class Characteristics(NamedTuple):
    """The characteristics of runs.

    source   the name of the file
    shared   values for every run
    runs     values by section, each named after a run
    """

    source: str
    shared: Mapping[str, Any]
    runs: Mapping[str, Mapping[str, Any]]

    def of(self, run: str) -> dict[str, Any]:
        """Return the characteristics of a run."""
        return {**self.shared, **self.runs.get(run, {})}

    def unmatched(self, runs: Collection[str]) -> list[str]:
        """Return a message on the sections that match none of the runs; nothing where every section matches.

        >>> Characteristics("runs.toml", {}, {"bm52": {}, "dense": {}}).unmatched(["bm25", "dense"])
        ['runs.toml: 1 of 2 sections matches no run: bm52; the runs are bm25, dense (`name_by=`)']
        """
        names = [name for name in self.runs if name not in runs]
        if not names:
            return []
        verb = "matches" if len(names) == 1 else "match"
        counted = f"{len(names)} of {len(self.runs)} sections {verb} no run"
        known = shorten_list(list(runs), MAX_LISTED)
        return [f"{self.source}: {counted}: {shorten_list(names, MAX_LISTED)}; the runs are {known} (`name_by=`)"]


def characteristics_of(characteristics: Any) -> Characteristics:
    """Return the characteristics in a file or in {run: {name: value}}; None gives none."""
    if characteristics is None or is_mapping(characteristics):
        return Characteristics("characteristics", {}, characteristics or {})
    source = source_of(characteristics)
    return Characteristics(source.name, *read_characteristics(source))


@reads("characteristics", role="beside", yields="characteristics of each run, a TOML table per run")
def read_characteristics(source: Source) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Read the values shared by all runs, and the values of each run."""
    import tomllib

    data = source.read()
    try:
        content = tomllib.loads(data.removeprefix(BOM).decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError(f"{source.name}: is not UTF-8 text; expected TOML") from None
    except tomllib.TOMLDecodeError as problem:
        place = re.search(r"at line (\d+)", str(problem))
        line = int(place.group(1)) if place else data.count(b"\n") + 1
        raise source.error(line, f"is not TOML: {problem}") from None
    except RecursionError:
        raise source.error(None, "holds brackets in brackets too deep to read; expected a table per run") from None
    except ValueError as problem:  # a number with more digits than Python reads
        raise InputError(f"{source.name}: is not TOML: {error_text(problem)}") from None
    shared: dict[str, Any] = {}
    runs: dict[str, dict[str, Any]] = {}
    for name, value in content.items():
        if isinstance(value, dict):
            runs[name] = {key: _checked(cell, source, f"[{name}] {key}", MAX_DEPTH) for key, cell in value.items()}
        else:
            shared[name] = _checked(value, source, name, MAX_DEPTH)
    if not shared and not runs:
        raise InputError(f"{source.name}: is empty; expected a table per run, as in [myrun]")
    return shared, runs


def _checked(value: Any, source: Source, place: str, deeper: int) -> Any:
    """Convert a value, list or table for JSON, dates to text; refuse what JSON cannot hold."""
    if not deeper:
        raise source.error(
            None, f"{place[:60]} …: more than {MAX_DEPTH} keys or brackets deep; expected a table per run"
        )
    if isinstance(value, dict):
        return {key: _checked(cell, source, f"{place}.{key}", deeper - 1) for key, cell in value.items()}
    if isinstance(value, list):
        return [_checked(cell, source, place, deeper - 1) for cell in value]
    if isinstance(value, float) and value - value != 0:
        raise InputError(f"{source.name}: {place} = {value}: expected a finite number")
    if isinstance(value, int) and abs(value) >= 1 << 64:  # 0xFF… is read at any length, and cannot be written
        raise InputError(f"{source.name}: {place}: a whole number of more than 64 bits; put it in quotation marks")
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def in_words(value: Any) -> str:
    """Format a characteristic for a table of the report.

    >>> in_words(True), in_words(["urltext-used", "links-used"]), in_words({"TREC data": False})
    ('yes', 'urltext-used, links-used', 'TREC data: no')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {in_words(cell)}" for key, cell in value.items())
    return str(value)
