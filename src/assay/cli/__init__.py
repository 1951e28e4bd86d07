"""The command line: find the command, run it, and turn errors into messages and exit codes."""

from __future__ import annotations

import os
import sys

try:
    from assay.cli import commands
    from assay.cli.streams import replace_closed, say, write_out
    from assay.errors import AssayError, TooMuchError, UsageError, for_command_line
    from assay.io.escaping import message
except KeyboardInterrupt:  # Ctrl-C while `assay` starts
    sys.stderr.write("assay: interrupted\n")
    sys.exit(130)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HELP = """assay scores retrieval systems, question answering and language models, and says how far
to trust the scores.

{commands}

Start: assay demo                      a tour on built-in data
       assay evaluate qrels.txt bm25.run dense.run -m AP -m nDCG@10
Next:  assay COMMAND --help            the options most people use, and an example
       assay COMMAND --help all        every option
       assay --version                 the version, and whether the compiled core is in use

exit codes: 0 done, 1 a comparison failed its gate, 2 wrong usage, 3 bad input (or no memory or
  room; nothing is left half-written), 70 a bug in assay, 130 interrupted
"""

NO_MEMORY = "not enough memory for this; nothing is left half-written. Ask for less at a time, or give the machine more"

NO_THREAD = ("can't start new thread", "can't allocate lock")
"""Messages of the interpreter when there is no memory for a thread."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code, one of those in HELP."""
    try:
        # Matrices are small here: the threads of numpy's BLAS only spin, on cores that ours work on. Comparing 6 runs takes 0.47 s
        # instead of 0.57 s on two cores.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        replace_closed()
        code = _dispatch(list(sys.argv[1:] if arguments is None else arguments))
        write_out("")  # flush standard output here, where a failure can still be reported
        return code
    except AssayError as problem:
        _print_end(for_command_line(str(problem)))
        return problem.exit_code
    except KeyboardInterrupt:
        _print_end("interrupted")
        return 130
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename is not None else ""
        return _report_stop(problem, f"{where}{problem.strerror or problem}", 3)
    except Exception as problem:  # noqa: BLE001 - the last resort
        if out_of_memory(problem):
            return _report_stop(problem, NO_MEMORY, 3)
        return _report_stop(problem, _describe_bug(problem), 70)


def console() -> None:
    """Run one command and exit the process with its code."""
    sys.exit(main())


def out_of_memory(problem: Exception) -> bool:
    """Return whether an error is a lack of memory, of the interpreter or of the core."""
    return isinstance(problem, MemoryError) or "MemoryError" in str(problem) or str(problem) in NO_THREAD


def _report_stop(problem: Exception, line: str, code: int) -> int:
    """Report an error that is not an AssayError and return the exit code; ASSAY_DEBUG=1 prints the traceback."""
    if os.environ.get("ASSAY_DEBUG", "0") not in ("", "0"):
        from traceback import format_exception

        say("".join(format_exception(problem)).rstrip())
    _print_end(line)
    return code


def _describe_bug(problem: Exception) -> str:
    """Return one line with an unexpected error, its place, and how to report it."""
    place = problem.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" at {os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}" if place is not None else ""
    text = " ".join(str(problem).split())[:200]
    return (
        f"unforeseen {type(problem).__name__}{where}: {text}. This is a bug in assay: please report it with the command, "
        "the output of `assay --version` and what ASSAY_DEBUG=1 before the command shows"
    )


def _print_end(line: str) -> None:
    """Print the last line of a command that stops early."""
    say(f"assay: {message(line)}")


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        write_out(HELP.format(commands="\n".join(_list_commands())))
        return 0 if words else 2
    if words[0] in ("-V", "--version"):
        from assay._version import NUMBERS, __version__
        from assay.core import active

        write_out(f"assay {__version__}, numbers {NUMBERS} ({active()})\n")
        return 0
    command = commands.find(words[0])
    if command is None:
        from assay.cli.parser import nearest, usage_error

        kind = "option" if words[0].startswith("-") else "command"
        hint = nearest(words[0], [known.name for known in commands.every()]) if kind == "command" else ""
        say(usage_error("assay", f"unknown {kind} {words[0]!r}{hint}"))
        return 2
    try:
        return command.main(words[1:])
    except TooMuchError:
        raise
    except UsageError as problem:
        from assay.cli.parser import usage_error

        say(usage_error(f"assay {command.name}", for_command_line(str(problem))))
        return problem.exit_code


def _list_commands() -> list[str]:
    """Return a line for each command, the first of a group with the group's name."""
    lines: list[str] = []
    group = ""
    for command in commands.every():
        title, group = "" if command.group == group else command.group, command.group
        lines.append(f"{title:<11}{command.name:<13}{command.summary}")
    return lines
