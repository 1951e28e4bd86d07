"""assay judge: a pool judged by hand, in the browser and by keyboard."""

from __future__ import annotations

import os

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import notify, progress_bar
from assay.cli.streams import write_out
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.parser import Namespace, Parser
    from assay.collections.assessment.judge import Sitting


def add_options(parser: Parser, words: Sequence[str]) -> None:
    """Add the options of `assay judge`."""
    what = "what is to be judged: the JSONL file or the folder that assay pool -o wrote"
    parser.add_argument("pool", type=input_file, metavar="POOL", help=what)
    group = parser.add_argument_group("texts and grades")
    group.add_argument("--topics", type=input_file, metavar="FILE", help="the topics: TREC's, JSONL or TSV")
    docs = "the texts of the documents: JSONL, TSV, TREC's <DOC>, or a folder of files named after them; repeatable"
    group.add_argument("--docs", type=input_file, metavar="FILE", action="append", help=docs)
    scale = "the grades, each a key: 0-4, or with names, '0=not relevant,1=relevant,-2=junk' (default: 0 to 3)"
    group.add_argument("--scale", metavar="SCALE", help=scale)
    group = parser.add_argument_group("the judgments")
    group.add_argument(
        "--judge", metavar="NAME", help="who judges (default: who --judgments is named after, or is logged in)"
    )
    group.add_argument(
        "--judgments", type=input_file, metavar="FILE", help="where they are kept (default: NAME.judgments.jsonl)"
    )
    qrels = "write the judgments there are as qrels, and end; no page is shown"
    group.add_argument("--qrels", type=output_file, metavar="FILE", help=qrels)
    group = parser.add_argument_group("the page")
    group.add_argument("--port", type=int, default=0, metavar="N", help="where to listen (default: any free port)")
    group.add_argument("--open", action="store_true", help="open the link in the browser that this machine prefers")


def run(args: Namespace) -> int:
    """Sit down, serve until interrupted, and say what was done."""
    from assay.io.loopback_server import check_port

    if args.topics is None and args.qrels is None:
        raise UsageError("expected --topics FILE: who judges must know what was asked")
    if args.qrels is None:
        check_port(args.port)
    elif args.judgments is None and args.judge is None:
        raise UsageError("--qrels writes what was judged; expected --judgments FILE, or --judge NAME")
    elif args.judgments is not None and not os.path.exists(args.judgments):
        raise assay.InputError(f"{args.judgments}: is not there; nothing was judged into it")
    chosen = {} if args.scale is None else {"scale": args.scale}
    opened = assay.judge(
        args.pool, args.topics, args.docs, judge=args.judge, judgments=args.judgments, progress=progress_bar("documents found"), **chosen
    )  # fmt: skip
    with opened as sitting:
        for line in sitting.remarks:
            notify(line)
        if args.qrels is not None:
            if not sitting.queue.done:
                raise assay.InputError(
                    f"{sitting.file}: holds no judgments of this pool; judge some first, without --qrels"
                )
            sitting.save(args.qrels)
            notify(f"wrote {args.qrels}: {sitting.queue.done} of {len(sitting.queue.pairs)} documents are judged")
            return 0
        _begin(sitting)
        sitting.serve(args.port, lambda link: _shown(link, args.open))
        _end(sitting)
    return 0


def _begin(sitting: Sitting) -> None:
    queue = sitting.queue
    notify(f"{sitting.judge} judges into {sitting.file}: {queue.done} of {len(queue.pairs)} documents are judged")
    if sitting.missing:
        notify(f"{sitting.missing} documents have no text here, and are shown by their id")


def _shown(link: str, opened: bool) -> None:
    notify("serving on this machine alone; open the link below in a browser, Ctrl-C ends it")
    write_out(f"{link}\n")
    if opened:
        import webbrowser

        webbrowser.open(link)


def _end(sitting: Sitting) -> None:
    queue = sitting.queue
    new, left = queue.done - sitting.before, len(queue.pairs) - queue.done
    rest = f"{left} are left" if left else "all are judged"
    notify(
        f"{new} more documents judged in this sitting, {queue.done} of {len(queue.pairs)} in all, {rest}; saved in {sitting.file}"
    )


COMMAND = Command(
    name="judge",
    summary="judge a pool by hand, in the browser and by keyboard",
    after="pool",
    results=("assay.collections.assessment.judge.Sitting",),
    description=(
        "Judge the documents of a pool by hand: a page on this machine shows the topic, and the document with the topic's words marked, "
        "and takes a key for a grade. Every judgment is on the disk before the page says so, in a file that is only ever added to; the "
        "same command goes on where one left off, and Ctrl-C ends it. It listens on the loopback alone, and answers only to who has the "
        "link that it prints. Who returned a document is nowhere to be seen."
    ),
    examples="""examples:
  assay judge pool.jsonl --topics topics.txt --docs docs.jsonl --judge ann      into ann.judgments.jsonl
  assay judge pool.jsonl --topics topics.txt --docs docs.jsonl --scale '0=not relevant,1=relevant'
  assay judge pool.jsonl --judgments ann.judgments.jsonl --qrels ann.qrels      what was judged so far, as qrels

Two people judge one pool into a file each: assay agree ann.judgments.jsonl bob.judgments.jsonl
""",
    add_options=add_options,
    run=run,
)
