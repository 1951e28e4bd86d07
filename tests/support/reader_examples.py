"""A small file for every reader that reads files: what its tests begin with, and what the fuzzer mutates."""

from __future__ import annotations

import json
from pathlib import Path

from assay.formats import recognition
from assay.formats.harness.logs import LogReading
from assay.io.sources import Source

FOLDER = Path(__file__).resolve().parents[1] / "formats" / "examples"
READERS = {reader.name: reader for reader in recognition.readers()}
FILES = {name: next(FOLDER.glob(f"{name.replace(' ', '-')}.*"), None) for name in READERS}
IN_ROWS = ".rows.json"
EXAMPLES = {
    name: path.read_bytes().decode()
    for name, path in FILES.items()
    if path is not None and not path.match(f"*{IN_ROWS}")
}
"""By reader, the content of its example: tests/formats/examples/NAME.*, with a hyphen for a blank in the name."""
IN_PARQUET = {
    name: json.loads(path.read_text()) for name, path in FILES.items() if path is not None and path.match(f"*{IN_ROWS}")
}
"""By reader, the rows of a Parquet file: tests/formats/examples/NAME.rows.json."""


def source(content: str | bytes, name: str = "file") -> Source:
    return Source(name, data=content.encode() if isinstance(content, str) else content)


def options_of(name: str) -> dict[str, object]:
    """What some readers need beside the file."""
    if READERS[name].role == "log":
        return {"reading": LogReading()}
    return {"support": {"known": {"1", "R1"}}, "table": {"as_gold": True}}.get(name, {})


def read(name: str, content: bytes):
    """What the reader of that name makes of a file."""
    return READERS[name].read(source(content), **options_of(name))
