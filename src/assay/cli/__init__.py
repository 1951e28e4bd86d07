"""The command line: parse, call, print. Each command is a module, imported when it is asked for."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

from assay.errors import AssayError, for_command_line
from assay.visible import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import HelpFormatter
    from collections.abc import Sequence

COMMANDS = {
    "evaluate": ("evaluate", "score runs against gold"),
    "trec_eval": ("trec_eval", "trec_eval's own command line and bytes"),
    "compare": ("compare", "which run is really better: intervals, tests, corrections, tiers"),
    "reliability": ("reliability", "can the evaluation be trusted, and what difference should be believed?"),
    "plan": ("plan", "how many topics are needed?"),
    "threshold": ("threshold", "when should this system decline to answer?"),
    "report": ("report", "write the evaluation report as HTML, PDF or text"),
    "measures": ("measures", "list the measures, or explain one"),
    "demo": ("demo", "the whole tour on built-in data"),
}
"""Name on the command line → module, and a line for `assay --help`."""

HELP = """usage: assay COMMAND ...

Scores retrieval and question-answering systems, writes the evaluation report,
and measures whether the evaluation itself can be trusted.

commands:
{commands}

  assay COMMAND --help     explains a command, with an example
  assay --version          says which version and which core this is

example:
  assay evaluate qrels.txt bm25.run dense.run -m AP -m nDCG@10
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 gate failed, 2 bad usage, 3 bad input, 130 interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # A command makes many small lists and few cycles: looking for cycles less often is a tenth of a large evaluation.
    gc.set_threshold(50_000, 20, 20)
    try:
        code = _dispatch(words)
        sys.stdout.flush()
        return code
    except AssayError as problem:
        _end(for_command_line(str(problem)))
        return problem.exit_code
    except KeyboardInterrupt:
        _end("interrupted")
        return 130
    except BrokenPipeError:
        from assay.cli.output import abandon_stdout

        abandon_stdout()
        return 0


def _end(line: str) -> None:
    """The last words of a command that stops midway; on a terminal, in the place of a progress bar."""
    cleared = "\r\033[K" if sys.stderr.isatty() else ""
    print(f"{cleared}assay: {message(line)}", file=sys.stderr)


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        lines = [f"  {name:<13}{summary}" for name, (_, summary) in COMMANDS.items()]
        print(HELP.format(commands="\n".join(lines)), end="")
        return 0 if words else 2
    if words[0] in ("-V", "--version"):
        from assay import __version__
        from assay.native import active

        print(f"assay {__version__} ({active()})")
        return 0
    if words[0] not in COMMANDS:
        _end(f"unknown command {words[0]!r}; expected one of {', '.join(COMMANDS)}")
        return 2
    module = import_module(f"assay.cli.{COMMANDS[words[0]][0]}")
    if hasattr(module, "main"):
        return module.main(words[1:])
    from assay.cli.parsing import Parser

    parser = Parser(
        prog=f"assay {words[0]}",
        description=module.DESCRIPTION,
        epilog=module.EPILOG,
        formatter_class=_layout,
        allow_abbrev=False,
    )
    module.add_options(parser, words)
    return module.run(parser.parse_args(words[1:]))


def _layout(prog: str) -> HelpFormatter:
    """Help as wide as the terminal. The width is given because argparse would import shutil, and with it lzma, to find it."""
    import os
    from argparse import RawDescriptionHelpFormatter

    try:
        width = os.get_terminal_size().columns
    except OSError:
        width = 100
    return RawDescriptionHelpFormatter(prog, width=min(width, 120) - 2, max_help_position=28)
