"""assay judge: a pool judged by hand, in the browser and by keyboard."""

from __future__ import annotations

import os

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import announce, notify
from assay.cli.progress import progress_bar
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser
    from assay.collections.assessment.judge import Sitting


def add_options(parser: Parser) -> None:
    """Add the options of `assay judge`."""
    what = "the documents to judge: the JSONL file or the folder that assay pool -o wrote"
    parser.add_argument("pool", type=input_file, metavar="POOL", help=what)
    group = parser.add_argument_group("texts and grades")
    group.add_argument("--topics", type=input_file, metavar="FILE", help="the topics: TREC's, JSONL or TSV")
    docs = "the texts of the documents: JSONL, TSV, TREC's <DOC>, or a folder of files named after them; repeatable"
    group.add_argument("--docs", type=input_file, metavar="FILE", action="append", help=docs)
    scale = "the grades, each a key: 0-4, or with names, '0=not relevant,1=relevant,-2=junk' (default: 0 to 3)"
    group.add_argument("--scale", metavar="SCALE", help=scale)
    group = parser.add_argument_group("judgments")
    group.add_argument(
        "--judge", metavar="NAME", help="name of the judge (default: from the name of --judgments, else the login)"
    )
    group.add_argument(
        "--judgments", type=input_file, metavar="FILE", help="file of the judgments (default: NAME.judgments.jsonl)"
    )
    qrels = "write the judgments so far as qrels and exit, without a page"
    group.add_argument("--qrels", type=output_file, metavar="FILE", help=qrels)
    group = parser.add_argument_group("page")
    group.add_argument("--port", type=int, default=0, metavar="N", help="port to listen on (default: any free one)")
    group.add_argument("--open", action="store_true", help="open the link in the default browser")


def run(args: Namespace) -> int:
    """Serve the judging page until interrupted, or write the judgments as qrels."""
    from assay.io.loopback_server import check_port

    if args.topics is None and args.qrels is None:
        raise UsageError("expected --topics FILE: the page shows the topic beside each document")
    if args.qrels is None:
        check_port(args.port)
    elif args.judgments is None and args.judge is None:
        raise UsageError("--qrels needs --judgments FILE or --judge NAME")
    elif args.judgments is not None and not os.path.exists(args.judgments):
        raise assay.InputError(f"{args.judgments}: does not exist; nothing was judged yet")
    chosen = {} if args.scale is None else {"scale": args.scale}
    session = assay.judge(
        args.pool, args.topics, args.docs, judge=args.judge, judgments=args.judgments, progress=progress_bar("documents found"), **chosen
    )  # fmt: skip
    with session as sitting:
        for line in sitting.remarks:
            notify(line)
        if args.qrels is not None:
            if not sitting.queue.done:
                raise assay.InputError(
                    f"{sitting.file}: has no judgments of this pool. Fix: judge some first, without --qrels"
                )
            sitting.save(args.qrels)
            notify(f"wrote {args.qrels}: {sitting.queue.done} of {len(sitting.queue.pairs)} documents are judged")
            return 0
        _begin(sitting)
        sitting.serve(args.port, lambda link: _announce(link, args.open))
        _end(sitting)
    return 0


def _begin(sitting: Sitting) -> None:
    queue = sitting.queue
    notify(f"{sitting.judge} judges into {sitting.file}: {queue.done} of {len(queue.pairs)} documents are judged")
    if sitting.missing:
        notify(f"{sitting.missing} documents have no text and are shown by their id")


def _announce(link: str, opened: bool) -> None:
    announce(link)
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
    summary="judge a pool by hand, in the browser",
    group="Organise",
    after="pool",
    results=("assay.collections.assessment.judge.Sitting",),
    description=(
        "Judge the documents of a pool by hand: a page on this machine shows the topic and the document with the topic's words marked, "
        "and takes a key as a grade. A judgment is on disk before the page confirms it, in an append-only file; the same command "
        "resumes, and Ctrl-C ends it. The server listens on the loopback interface only, and needs the link that it prints. "
        "The page does not show which run returned a document."
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
