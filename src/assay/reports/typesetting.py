"""Call typst, which makes PDF and PNG: with our fonts and no others, so that a file is the same on every machine."""

from __future__ import annotations

from importlib import import_module, resources
from typing import Any

from assay.errors import UsageError

FONTS = ("Libertinus Serif", "IBM Plex Sans", "DejaVu Sans Mono")
"""Those that typst has, and that of charts (assets/*.ttf, OFL.txt)."""


def compile_typst(source: bytes, form: str = "PDF", inputs: dict[str, str] | None = None, **options: Any) -> bytes:
    """Compile a typst source; `form` is PDF or PNG."""
    assets = str(resources.files("assay.reports").joinpath("assets"))
    return needed("typst", form).compile(
        source, format=form.lower(), ignore_system_fonts=True, font_paths=[assets], sys_inputs=inputs or {}, **options
    )


def needed(package: str, form: str) -> Any:
    """Import an optional package, or say how to install it."""
    try:
        return import_module(package)
    except ImportError as missing:
        name = package.replace("_", "-")
        raise UsageError(f"{form} needs {name}: pip install 'assay-eval[report]'") from missing
