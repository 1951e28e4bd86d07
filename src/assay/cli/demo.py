"""assay demo: the whole tour on built-in data."""

from __future__ import annotations

import os

from assay.cli.options import tell
from assay.cli.streams import write_out
from assay.errors import InputError
from assay.visible import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

DESCRIPTION = "Write built-in data, run every main command on it, and write the reports."
EPILOG = """example:
  assay demo -o /tmp/tour          writes data and reports there, and shows every command it runs
"""

TOUR = [
    (
        "Which run is best? A row per run, the best of each column marked.",
        "evaluate ranked/qrels.txt ranked/runs",
    ),
    (
        "Is the difference real? Intervals, a test corrected for many runs, tiers.",
        "compare ranked/qrels.txt ranked/runs -m AP --baseline bm25",
    ),
    (
        "Would other topics say the same? The measure itself is measured.",
        "reliability ranked/qrels.txt ranked/runs -m AP -m P@10",
    ),
    (
        "Systems that may decline to answer: not answering is not a wrong answer.",
        "evaluate answers/gold.jsonl answers/runs",
    ),
    (
        "A folder of logs of language models: several tasks, questions asked twice, errors apart.",
        "evaluate logs --intervals",
    ),
    (
        "When should this system decline?",
        "threshold answers/gold.jsonl answers/runs/always-answers.jsonl -m c@1",
    ),
    (
        "A filtering track, as TREC 2001 evaluated it.",
        "evaluate --task filtering filtering/qrels.txt filtering/runs --characteristics filtering/runs.toml",
    ),
    ("The reports a participant receives.", "report ranked/qrels.txt ranked/runs -o ranked.html"),
    ("", "report ranked/qrels.txt ranked/runs --run rerank -o rerank.pdf"),
    ("", "report answers/gold.jsonl answers/runs -o answers.html"),
    ("", "report logs -o logs.html"),
]


def add_options(parser: ArgumentParser, words: Sequence[str]) -> None:
    """The options of `assay demo`."""
    parser.add_argument("-o", "--output", metavar="FOLDER", default="assay-demo", help="where to write (assay-demo)")


def run(args: Namespace) -> int:
    """Write the data, then type each command of the tour and show what it prints."""
    from assay.cli import main
    from assay.demo import write_demo

    try:
        write_demo(args.output)
    except OSError as problem:
        raise InputError(f"{args.output}: cannot be written: {problem.strerror or problem}") from None
    before = os.getcwd()
    os.chdir(args.output)
    written: list[str] = []
    try:
        for title, command in TOUR:
            if title:
                write_out(f"\n── {title}\n")
            write_out(f"\n$ assay {command}\n\n")
            words = command.split()
            code = main(words)
            if code not in (0, 1):
                tell(f"the demo stopped: assay {words[0]} exited with {code}")
                return code
            if "-o" in words:
                written.append(os.path.join(args.output, words[words.index("-o") + 1]))
    finally:
        os.chdir(before)
    lines = [f"\nThe data is in {plain(args.output)}. The reports:", *(f"  {plain(path)}" for path in written)]
    write_out("\n".join(lines) + "\n")
    return 0
