"""argparse, for words that `parser` does not read itself: its help is as wide as the terminal, and it says what it says through
streams that may be full or closed."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, HelpFormatter, RawDescriptionHelpFormatter

from assay.cli.streams import say, write_out
from assay.io.escaping import message as visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Thorough(ArgumentParser):
    """argparse's own, which would pass over in silence that its help could not be written, and which repeats what was typed
    though it may command the terminal: a glob may have brought the file's name."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the usage, and stop."""
        super().error(visible(message))

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None or file is sys.stderr:
            say(message.removesuffix("\n"))
        else:
            write_out(message)


def thorough(command: str, description: str, epilog: str) -> Thorough:
    """argparse's parser of one command, without its options."""
    return Thorough(
        prog=f"assay {command}", description=description, epilog=epilog, formatter_class=_layout, allow_abbrev=False
    )


class _Layout(RawDescriptionHelpFormatter):
    """Examples stay as they are written; a description is a paragraph."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text if "\n" in text else HelpFormatter._fill_text.__get__(self)
        return fill(text, width, indent)


def _layout(prog: str) -> HelpFormatter:
    """Help as wide as the terminal. The width is given because argparse would import shutil, and with it lzma, to find it."""
    try:
        width = os.get_terminal_size().columns
    except OSError:
        width = 100
    return _Layout(prog, width=min(width, 120) - 2, max_help_position=28)
