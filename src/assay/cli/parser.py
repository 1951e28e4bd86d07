"""argparse for the commands: help as wide as the terminal, and messages that go through `streams`, escaped."""

from __future__ import annotations

import os
import sys
from argparse import Action, ArgumentParser, HelpFormatter, Namespace, RawDescriptionHelpFormatter

from assay.cli.streams import say, write_out
from assay.io.escaping import message as visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

__all__ = ["Namespace", "Parser"]


class Parser(ArgumentParser):
    """The options of one command, and the words of its command line; errors of streams are reported, messages escaped."""

    def __init__(self, command: str, description: str, epilog: str, words: Sequence[str] = ()) -> None:
        self.words = words
        super().__init__(
            prog=f"assay {command}", description=description, epilog=epilog, formatter_class=_layout, allow_abbrev=False
        )

    def add_argument_group(self, title: str) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the group of that title; create it if it is missing."""
        known = {group.title: group for group in self._action_groups}
        return known[title] if title in known else super().add_argument_group(title)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong with the usage and exit with code 2."""
        super().error(visible(message))

    def options(self) -> Sequence[Action]:
        """Return every option and positional argument."""
        return self._actions

    def unknown(self) -> list[str]:
        """Return the words that match no option declared so far."""
        return self.parse_known_args(self.words)[1]

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None or file is sys.stderr:
            say(message.removesuffix("\n"))
        else:
            write_out(message)


class _Layout(RawDescriptionHelpFormatter):
    """Keep examples as written and wrap descriptions."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text if "\n" in text else HelpFormatter._fill_text.__get__(self)
        return fill(text, width, indent)


def _layout(prog: str) -> HelpFormatter:
    """Return a formatter as wide as the terminal; without `width`, argparse would import shutil and lzma to find it."""
    try:
        width = os.get_terminal_size().columns
    except OSError:
        width = 100
    return _Layout(prog, width=min(width, 120) - 2, max_help_position=28)
