"""argparse for the commands: help of the common options or of all, usage errors of one line, and text escaped for terminals."""

from __future__ import annotations

import os
import sys
from argparse import (
    OPTIONAL,
    SUPPRESS,
    Action,
    ArgumentError,
    ArgumentParser,
    HelpFormatter,
    Namespace,
    RawDescriptionHelpFormatter,
)
from itertools import pairwise

from assay.cli.streams import say, write_out
from assay.io.escaping import message as visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

__all__ = ["Namespace", "Parser", "asks_for_all", "nearest", "usage_error"]

HELP = ("-h", "--help")
ALL = "all"
"""The word after --help that lists every option."""
LIKENESS = 0.7
"""How alike a suggested word is at least, by difflib; --task and --trials are .6 alike."""
NUMBERS: dict[Any, str] = {int: "a whole number", float: "a number"}
SAID = {
    "the following arguments are required: ": "missing ",
    "expected one argument": "expected a value",
    "expected at least one argument": "expected a value",
}
"""Phrases of argparse, and ours."""


class Parser(ArgumentParser):
    """The options of one command, and the words of its command line; errors of streams are reported, messages escaped.

    common   the options that --help shows; --help all shows every option. All are common where left out
    """

    def __init__(
        self, command: str, description: str, epilog: str, words: Sequence[str] = (), common: Sequence[str] | None = None
    ) -> None:  # fmt: skip
        self.words = words
        self.common = common
        super().__init__(
            prog=f"assay {command}", description=description, epilog=epilog, formatter_class=_layout, allow_abbrev=False, add_help=False
        )  # fmt: skip
        self.add_argument(*HELP, action=_Help, help="show this help; all shows every option")

    def add_argument_group(self, title: str) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the group of that title; create it if it is missing."""
        known = {group.title: group for group in self._action_groups}
        return known[title] if title in known else super().add_argument_group(title)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Parse the words; an unknown one is a usage error that suggests the nearest option."""
        parsed, rest = self.parse_known_args(args, namespace)
        if rest:
            self._refuse(next((word for word in rest if word.startswith("-") and word != "-"), rest[0]))
        return parsed

    def error(self, message: str) -> NoReturn:
        """Print what is wrong with the usage in one line, with where to look, and exit with code 2."""
        message = message.removeprefix("argument ")
        for theirs, ours in SAID.items():
            message = message.replace(theirs, ours)
        say(usage_error(self.prog, message))
        sys.exit(2)

    def options(self) -> Sequence[Action]:
        """Return every option and positional argument."""
        return self._actions

    def unknown(self) -> list[str]:
        """Return the words that match no option declared so far."""
        return self.parse_known_args(self.words)[1]

    def format_help(self) -> str:
        """Return the help: usage, description, options, examples."""
        shown = self._is_common if self.common is not None and not asks_for_all(self.words) else _is_shown
        formatter = self._get_formatter()
        formatter.add_usage(self._usage(), [], [])
        formatter.add_text(self.description)
        for group in self._action_groups:
            actions = [action for action in group._group_actions if shown(action)]
            if actions:
                formatter.start_section("arguments" if group is self._positionals else group.title)
                formatter.add_arguments(actions)
                formatter.end_section()
        if any(_is_shown(action) and not shown(action) for action in self._actions):
            formatter.add_text(f"{self.prog} --help all shows every option.")
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _usage(self) -> str:
        """Return the usage: the arguments, the options that must be given, and [options] for the others."""
        parts = [self.prog]
        for action in self._actions:
            name = str(action.metavar or action.dest)
            if not action.option_strings:
                parts.append(name if action.nargs in (None, OPTIONAL) else f"{name}...")
            elif action.required:
                parts.append(f"{action.option_strings[0]} {name}")
        return " ".join([*parts, "[options]"])

    def _is_common(self, action: Action) -> bool:
        common = {*HELP, *(self.common or ())}
        return _is_shown(action) and (not action.option_strings or not common.isdisjoint(action.option_strings))

    def _refuse(self, word: str) -> NoReturn:
        flag = word.partition("=")[0]
        if not flag.startswith("-") or flag == "-":
            self.error(f"unexpected argument {word!r}")
        known = [name for action in self._actions if _is_shown(action) for name in action.option_strings]
        self.error(f"unknown option {flag}{nearest(flag, known)}")

    def _get_value(self, action: Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except ArgumentError:
            if action.type in NUMBERS:
                raise ArgumentError(action, f"expected {NUMBERS[action.type]}, found {arg_string!r}") from None
            raise

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            hint = nearest(str(value), choices)
            raise ArgumentError(action, f"expected one of {', '.join(choices)}; found {value!r}{hint}")

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None or file is sys.stderr:
            say(message.removesuffix("\n"))
        else:
            write_out(message)


class _Help(Action):
    """Print the help and end the command. `--help all` shows every option; any other word after --help is left alone."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=OPTIONAL, default=SUPPRESS, help=help, metavar=ALL)

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        del namespace, option_string
        if values == ALL and ALL not in parser.words:  # parsed without the words of the command line
            parser.words = [*HELP[:1], ALL]
        write_out(parser.format_help())
        sys.exit(0)


def asks_for_all(words: Sequence[str]) -> bool:
    """Return whether a command line asks for the help on every option.

    >>> asks_for_all(["--help", "all"]), asks_for_all(["-h"]), asks_for_all(["all", "--help"])
    (True, False, False)
    """
    return any(before in HELP and word == ALL for before, word in pairwise(words))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" for the nearest of the known words, or nothing.

    >>> nearest("--pair", ["--by", "--pairs"]), nearest("--task", ["--trials"])
    ('; did you mean --pairs?', '')
    """
    from difflib import get_close_matches

    bare = {name.lstrip("-"): name for name in known}
    found = get_close_matches(word.lstrip("-"), bare, 1, LIKENESS)
    return f"; did you mean {bare[found[0]]}?" if found else ""


def usage_error(prog: str, problem: str) -> str:
    """Return the one line of a usage error: what is wrong, and where to look unless it says what to do.

    >>> usage_error("assay compare", "unknown option --pair")
    'assay compare: unknown option --pair (assay compare --help)'
    """
    where = "" if "Fix: " in problem else f" ({prog} --help)"
    return f"{prog}: {visible(problem)}{where}"


def _is_shown(action: Action) -> bool:
    return action.help is not SUPPRESS


class _Layout(RawDescriptionHelpFormatter):
    """Keep examples as written, wrap descriptions, and write the value of an option once: `-o, --output FILE`."""

    def _format_action_invocation(self, action: Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"

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
