"""argparse's parser, whose complaints are messages like any other."""

from __future__ import annotations

from argparse import ArgumentParser

from assay.visible import message as shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class Parser(ArgumentParser):
    """One that repeats what was typed without letting it command the terminal: a glob may have brought the file's name."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the usage, and stop."""
        super().error(shown(message))
