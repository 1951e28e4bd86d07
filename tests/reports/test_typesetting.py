"""What typst is asked for: our typefaces, and a message where it is not installed."""

from __future__ import annotations

import sys

import pytest

from assay.errors import UsageError
from assay.reports.typesetting import FONTS, compile_typst, needed


def test_a_missing_package_is_named_with_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(UsageError, match=r"PDF needs typst: pip install 'assay-eval\[report\]'"):
        needed("typst", "PDF")


@pytest.mark.parametrize("font", FONTS)
def test_each_typeface_is_found_where_the_system_has_none(font):
    pytest.importorskip("typst", reason="typst is not installed")
    source = f'#set text(font: "{font}", fallback: false)\n#set page(width: 50pt, height: auto)\nAg 0.5'
    assert compile_typst(source.encode()).startswith(b"%PDF")
    assert font.replace(" ", "").encode() in compile_typst(source.encode()).replace(b" ", b"")


def test_a_png_is_as_fine_as_asked():
    pytest.importorskip("typst", reason="typst is not installed")
    image = compile_typst(b"#set page(width: 72pt, height: 36pt, margin: 0pt)\n.", "PNG", ppi=300)
    assert (int.from_bytes(image[16:20], "big"), int.from_bytes(image[20:24], "big")) == (300, 150)
