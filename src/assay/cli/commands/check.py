"""assay check: is the submission valid?"""

from __future__ import annotations

import assay
from assay.cli.commands import Command
from assay.cli.file_options import input_file, output_file
from assay.cli.options import notify
from assay.cli.output import add_output, show, write
from assay.cli.progress import progress_bar
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.cli.parser import Namespace, Parser


def add_options(parser: Parser) -> None:
    """Add the options of `assay check`."""
    runs = "submissions: files, folders or globs; .gz .xz .zst .bz2 are read directly; - for standard input"
    parser.add_argument("sources", type=input_file, metavar="RUN", nargs="+", help=runs)
    rules = "rules for every submission: depth, topics, tag, format, labels … (TOML)"
    parser.add_argument("--rules", type=input_file, metavar="FILE", help=rules)
    topics = "the expected topics: TREC topics, JSONL, TSV, or an id per line"
    parser.add_argument("--topics", type=input_file, metavar="FILE", help=topics)
    docs = "the documents of the collection: JSONL, TSV, or an id per line"
    parser.add_argument("--docs", type=input_file, metavar="FILE", help=docs)
    columns = "the names of a table's columns, as in run=llm,id=qid"
    parser.add_argument("--columns", metavar="ROLE=NAME,…", help=columns)
    draft = "draft the rules from the one RUN given, instead of checking it"
    parser.add_argument("--write-rules", type=output_file, metavar="FILE", help=draft)
    add_output(parser)


def run(args: Namespace) -> int:
    """Check the submissions and print the findings."""
    if args.sources.count("-") > 1:
        raise UsageError("standard input (-) can be given only once")
    if args.write_rules is not None and (args.rules or args.output or args.format):
        raise UsageError("--write-rules cannot be combined with --rules, -f or -o")
    findings = assay.check(
        args.sources,
        rules=args.rules,
        topics=args.topics,
        docs=args.docs,
        columns=args.columns,
        progress=progress_bar("MB"),
    )
    if args.write_rules is None:
        show(args, findings)
        return 0 if findings.ok else 3
    write(findings.draft_rules(), args.write_rules)
    if not findings.ok:
        notify(f"{args.sources[0]}: has errors, listed by `assay check {args.sources[0]}`; rules are written anyway")
    return 0


COMMAND = Command(
    name="check",
    summary="is the submission valid?",
    group="Organise",
    results=("assay.collections.checking.check.Checked",),
    description=(
        "List everything that is wrong with each submission, in any format assay reads; no gold is needed. A finding has its lines, "
        "its count, what was expected and how to fix it. Errors make a submission invalid (exit code 3): fields, encoding, "
        "duplicates, scores that are not finite, two tags, answers without an id, confidences out of range, broken rules. "
        "Warnings do not: missing topics, ranks that contradict the scores, many ties, documents outside the collection, "
        "constant confidences."
    ),
    examples="""examples:
  assay check bm25.run                                    is this run valid?
  assay check runs/ --rules rules.toml --topics topics.txt
  assay check bm25.run --write-rules rules.toml           draft the rules from a run that keeps them
  assay check runs/*.xz -f json -o findings.json          for machines
""",
    exit_codes={0: "no errors, perhaps warnings", 3: "errors"},
    add_options=add_options,
    run=run,
)
