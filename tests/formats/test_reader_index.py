"""The index of readers is what their declarations say."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from assay.formats import reader_index

ROOT = Path(__file__).resolve().parents[2]


def test_the_index_is_up_to_date() -> None:
    spec = spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = module_from_spec(spec)
    spec.loader.exec_module(generate)
    written = Path(reader_index.__file__).read_text(encoding="utf-8")
    assert written == generate.reader_index(), "src/assay/formats/reader_index.py is out of date: run `make docs`"
