"""The commands of `assay`: one module each, which ends in `COMMAND = Command(…)`. A new module here is a new command."""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from assay.cli.parser import Parser


GROUPS = ("Score", "Compare", "Trust", "Organise", "Other")
"""The groups of `assay --help`, in its order."""
COMMON = ("--judged", "--scores", "--task", "-m", "-f", "-o", "-v")
"""Options that the --help of every command shows that has them."""
EXIT_CODES = {0: "done", 2: "wrong usage", 3: "bad input"}
"""Exit codes of every command; a command adds its own. `assay --help` lists the others."""


class Command:
    """One command, declared at the end of its module. `assay COMMAND` imports no other command.

    name         what people type; the module has the same name
    summary      one line for `assay --help`
    run          do the work and return the exit code
    add_options  add the options to a parser; None where `run` parses the words itself
    description  the first paragraph of the command's help
    examples     example command lines, each with what it does: --help shows the first, --help all shows them all
    common       the options that --help shows, beside those of COMMON; --help all shows every option. All where left out
    exit_codes   exit codes that mean something else here, or that only this command has
    group        one of GROUPS
    after        the command above this one in `assay --help`; None for the first
    results      the classes of the results it prints, as dotted names, so that no help imports them
    """

    def __init__(
        self, name: str, summary: str, run: Callable[[Any], int], *, add_options: Callable[[Parser], None] | None = None,
        description: str = "", examples: str = "", common: Sequence[str] | None = None,
        exit_codes: Mapping[int, str] | None = None, group: str = "Other", after: str | None = None, results: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.name = name
        self.summary = summary
        self.run = run
        self.add_options = add_options
        self.description = description
        self.examples = examples
        self.common = common
        self.exit_codes: dict[int, str] = {**EXIT_CODES, **(exit_codes or {})}
        self.group = group
        self.after = after
        self.results = results

    def parser(self, words: Sequence[str]) -> Parser:
        """Return the parser of a command line, `words`, which decides for which tasks it has options."""
        from assay.cli.parser import Parser, asks_for_all

        codes = ", ".join(f"{code} {meaning}" for code, meaning in sorted(self.exit_codes.items()))
        examples = self.examples if asks_for_all(words) else self._first_example()
        end = f"{examples.rstrip()}\n\nexit codes: {codes}"
        common = None if self.common is None else (*COMMON, *self.common)
        parser = Parser(self.name, self.description, end, words, common)
        if self.add_options is not None:
            self.add_options(parser)
        return parser

    def _first_example(self) -> str:
        """Return the first example, without what it does."""
        lines = [line.strip() for line in self.examples.splitlines() if line.startswith("  ")]
        return f"example:\n  {lines[0].partition('   ')[0] if lines else ''}"

    def main(self, words: Sequence[str]) -> int:
        """Parse the words after the command's name, run the command and return its exit code."""
        from assay.cli.progress import Shown

        if self.add_options is None:
            with Shown(f"assay {self.name}"):
                return self.run(words)
        from assay.cli.file_options import check_outputs

        parser = self.parser(words)
        args = parser.parse_args(words)
        check_outputs(parser, args)
        with Shown(f"assay {self.name}"):
            return self.run(args)


def find(name: str) -> Command | None:
    """Return the command of a name, or None."""
    if not name.isidentifier() or name.startswith("_"):
        return None
    module = f"{__name__}.{name}"
    try:
        return import_module(module).COMMAND
    except ModuleNotFoundError as problem:
        if problem.name == module:
            return None
        raise


def every() -> list[Command]:
    """Return all commands in the order of `assay --help`: by group, and within a group in the order of `after`."""
    modules = sorted(file.removesuffix(".py") for file in os.listdir(os.path.dirname(__file__)) if file.endswith(".py"))
    commands = [command for name in modules if (command := find(name)) is not None]
    order: list[Command] = []
    following = [command for command in commands if command.after is None]
    while following:
        command = following.pop(0)
        order.append(command)
        successors = [other for other in commands if other.after == command.name]
        # Of several commands after one, those that no other follows come first: a chain of commands stays below them.
        following[:0] = sorted(successors, key=lambda other: any(last.after == other.name for last in commands))
    return sorted(order, key=lambda command: GROUPS.index(command.group))
