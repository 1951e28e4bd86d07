"""How a result looks, on a terminal and in a notebook."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def text(result: Any) -> str:
    """A result as the terminal prints it."""
    from assay.cli.tables import terminal

    return terminal(*result.rows())


def html(result: Any) -> str:
    """A result as a notebook shows it."""
    return f"<pre>{text(result)}</pre>"
