"""assay demo: run the main commands on built-in data."""

from __future__ import annotations

import os
import shlex

from assay.cli.commands import Command
from assay.cli.file_options import output_file
from assay.cli.options import notify
from assay.cli.streams import write_out
from assay.errors import InputError
from assay.io.escaping import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.parser import Namespace, Parser


TOUR = [
    (
        "Which run is best? A row per run, the best of each column marked.",
        "evaluate ranked/qrels.txt ranked/runs",
    ),
    (
        "Is the difference real? Intervals, and a test corrected for many runs.",
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
        "A folder of logs of language models: several tasks, each question asked twice, some errors.",
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
    ("The reports that participants receive.", "report ranked/qrels.txt ranked/runs -o ranked.html"),
    ("", "report ranked/qrels.txt ranked/runs --run rerank -o rerank.pdf"),
    ("", "report answers/gold.jsonl answers/runs -o answers.html"),
    ("", "report logs -o logs.html"),
]


def add_options(parser: Parser) -> None:
    """Add the options of `assay demo`."""
    parser.add_argument(
        "-o", "--output", type=output_file, metavar="FOLDER", default="assay-demo", help="where to write (assay-demo)"
    )
    gallery = "write a report of every task and a page that links them, instead of the tour"
    parser.add_argument("--gallery", action="store_true", help=gallery)


def run(args: Namespace) -> int:
    """Write the data and run each command of the tour on it, or write the gallery."""
    try:
        return _gallery(args.output) if args.gallery else _tour(args.output)
    except OSError as problem:
        raise InputError(f"{args.output}: cannot be written: {problem.strerror or problem}") from None


def _tour(folder: str) -> int:
    from assay.demo.data import write_demo

    write_demo(folder)
    written: list[str] = []
    for title, command in TOUR:
        if title:
            write_out(f"\n── {title}\n")
        words = command.split()
        code = _run_in(words, folder)
        if code not in (0, 1):
            return code
        if "-o" in words:
            written.append(os.path.join(folder, words[words.index("-o") + 1]))
    lines = [f"\nThe data is in {plain(folder)}. The reports:", *(f"  {plain(path)}" for path in written)]
    write_out("\n".join(lines) + "\n")
    return 0


def _gallery(folder: str) -> int:
    from assay.demo.gallery import CAMPAIGNS, write_data, write_index

    for name, campaign in CAMPAIGNS.items():
        data = os.path.join(folder, "data", name)
        write_data(data, name)
        code = _run_in(campaign.command(os.path.join("..", "..", f"{name}.html")), data)
        if code:
            return code
    write_index(folder)
    write_out(
        f"\n{plain(os.path.join(folder, 'index.html'))} links the reports. Their data is in {plain(os.path.join(folder, 'data'))}.\n"
    )
    return 0


def _run_in(words: Sequence[str], folder: str) -> int:
    """Print a command and run it in a folder."""
    from assay.cli import main

    write_out(f"\n$ assay {shlex.join(words)}\n\n")
    before = os.getcwd()
    os.chdir(folder)
    try:
        code = main(list(words))
    finally:
        os.chdir(before)
    if code not in (0, 1):
        notify(f"the demo stopped: assay {words[0]} exited with {code}")
    return code


COMMAND = Command(
    name="demo",
    summary="a tour on built-in data",
    group="Other",
    after="trec_eval",
    description="Write built-in data, run every main command on it, and write the reports.",
    examples="""example:
  assay demo -o /tmp/tour                   write data and reports there, and print every command
  assay demo --gallery -o /tmp/gallery      a report of every task, and a page that links them
""",
    add_options=add_options,
    run=run,
)
