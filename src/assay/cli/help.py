"""How help texts are laid out."""

from __future__ import annotations

import os
from argparse import RawDescriptionHelpFormatter


def formatter(prog: str) -> RawDescriptionHelpFormatter:
    """Help as wide as the terminal. The width is given because argparse would import shutil, and with it lzma, to find it."""
    try:
        width = os.get_terminal_size().columns
    except OSError:
        width = 100
    return RawDescriptionHelpFormatter(prog, width=min(width, 120) - 2, max_help_position=28)
