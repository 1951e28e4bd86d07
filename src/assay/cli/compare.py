"""assay compare: which run is really better, with intervals, tests, corrections and tiers."""

from __future__ import annotations

from assay.cli.options import add_settings, add_sources, scores_of, tell
from assay.cli.output import add_output, format_of, frame_backend, parquet, render, to_json, write
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from assay.stats.results import Comparison
    from assay.table import Scores

EPILOG = """examples:
  assay compare qrels.txt bm25.run dense.run -m nDCG@10         is dense better than bm25?
  assay compare gold.jsonl old.jsonl new.jsonl -m c@1 --fail-if-worse      a gate for CI: exit 1 if new is worse
  assay compare qrels.txt runs/ -m AP --baseline bm25 --correct holm
  assay compare qrels.txt runs/ -m AP -f csv -o pairs.csv       every pair, for a spreadsheet
  assay compare --scores adhoc8_ap.csv --pairs run125:run126 --tie 0.01
  assay compare --scores ap.csv --against ndcg.csv              do the two tables rank the runs alike?

A difference is a - b: the second of two runs minus the first, a run minus the baseline, the better minus the worse.
"""


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
    """The options of `assay compare`."""
    from assay.cli.help import formatter
    from assay.stats import corrections, tests

    parser = subparsers.add_parser(
        "compare",
        help="which run is really better?",
        description="Differences between runs with intervals, tests, corrections for many runs, and tiers.",
        epilog=EPILOG,
        formatter_class=formatter,
    )
    add_sources(parser)
    parser.add_argument(
        "--against", metavar="FILE", help="another score table: say how alike the two rank the runs they share"
    )
    group = parser.add_argument_group("what is compared with what")
    group.add_argument("--baseline", metavar="RUN", help="compare every run with this one instead of all pairs")
    group.add_argument(
        "--pairs", action="append", default=[], metavar="A:B[,C:D...]", help="compare these pairs only; repeatable"
    )
    group.add_argument(
        "--fail-if-worse", nargs="?", type=_margin, const=0.0, metavar="MARGIN",
        help="exit 1 when a run is worse than its baseline: the whole interval lies below -MARGIN (default 0)",
    )  # fmt: skip
    how = parser.add_argument_group("how it is decided")
    how.add_argument(
        "--test",
        choices=tuple(tests.declared()),
        help="the test that decides; all that apply are computed (default randomisation)",
    )
    how.add_argument(
        "--correct", choices=(*corrections.declared(), "none"),
        help="for many comparisons: default tukey for all pairs, holm against a baseline",
    )  # fmt: skip
    how.add_argument(
        "--interval", choices=("auto", "studentised", "bca", "percentile"), default="auto",
        help="kind of bootstrap interval; auto is studentised up to 2,000 topics, percentile beyond",
    )  # fmt: skip
    how.add_argument("--confidence", type=float, default=0.95, metavar="P", help="of the intervals (default 0.95)")
    how.add_argument(
        "--resamples", type=int, metavar="N", help="default 10000; 2000 for measures that need all topics at once"
    )
    how.add_argument(
        "--tie", type=float, default=0.0, metavar="D", help="differences smaller than D are ties of the sign test"
    )
    how.add_argument(
        "--cluster", metavar="FIELD",
        help="topics with the same value of this field are resampled together; `cluster` where the gold has one; none",
    )  # fmt: skip
    how.add_argument("--threads", type=int, metavar="N", help="all cores by default; the numbers do not depend on it")
    add_settings(parser, words)
    add_output(parser)
    parser.add_argument("--save-scores", metavar="FILE", help="also write the score table: .csv, .json or .parquet")


def run(args: Namespace) -> int:
    """Compare, print, and fail the gate if there is one."""
    format = format_of(args.format, args.output)
    backend = frame_backend() if format == "parquet" else ""
    pairs = _pairs(args.pairs)
    scores = scores_of(args)
    names = [m.name for m in scores.measures] if args.measures or args.scores else _headline(scores)
    _check_gate(scores, names, args)
    results = [_compare(scores, name, pairs, args) for name in names]
    for result in results:
        for note in result.notes:
            tell(f"{result.measure}: {note}")
    agreement = _agreement(scores, results, args)
    code = _gate(results, args)
    if args.save_scores:
        _save(scores, names, args.save_scores)
    if format == "json":
        write(to_json(as_json(results, agreement)), args.output)
    elif format == "table":
        write(page(results, agreement), args.output)
    else:
        from assay.stats.results import pair_rows

        header, rows = pair_rows(results)
        if format == "parquet":
            write(parquet(_frame(header, rows, backend)), args.output)
        else:
            write(render(format, header, rows), args.output)
    return code


def _pairs(texts: list[str]) -> list[tuple[str, str]] | None:
    found: list[tuple[str, str]] = []
    for text in (piece for word in texts for piece in word.split(",")):
        a, colon, b = text.partition(":")
        if not colon or not a or not b or ":" in b:
            raise UsageError(f"--pairs {text}: expected two runs as in A:B")
        found.append((a, b))
    return found or None


def _margin(text: str) -> float:
    from argparse import ArgumentTypeError

    try:
        margin = float(text)
    except ValueError:
        margin = -1.0
    if not 0 <= margin < float("inf"):
        raise ArgumentTypeError(
            f"expected a margin of 0 or more, found {text!r}; put --fail-if-worse last, or write --fail-if-worse=0"
        )
    return margin


def _check_gate(scores: Scores, names: list[str], args: Namespace) -> None:
    if args.fail_if_worse is None:
        return
    for name in names:
        if scores.measure(name).declaration.higher_is_better is None:
            raise UsageError(f"--fail-if-worse: {name} has no better and worse")
    if len(scores.runs) > 2 and args.baseline is None and not args.pairs:
        raise UsageError(f"--fail-if-worse: worse than which of {len(scores.runs)} runs? Name it with --baseline")


def _headline(scores: Scores) -> list[str]:
    from assay.stats.comparing import headline

    return [headline(scores).name]


def _compare(scores: Scores, measure: str, pairs: list[tuple[str, str]] | None, args: Namespace) -> Comparison:
    from assay.stats.comparing import compare

    cluster = {None: "auto", "none": None}.get(args.cluster, args.cluster)
    return compare(
        scores, measure, baseline=args.baseline, pairs=pairs, test=args.test, correct=args.correct,
        interval=args.interval, confidence=args.confidence, resamples=args.resamples, tie=args.tie,
        cluster=cluster, threads=args.threads,
    )  # fmt: skip


def _agreement(scores: Scores, results: list[Comparison], args: Namespace) -> list[dict[str, Any]]:
    """How alike the measures, or this table and another, rank the runs."""
    rankings = {result.measure: {r.run: r.value for r in result.runs} for result in results}
    found = [
        _alike(x, rankings[x], y, rankings[y], _directions(scores, x), _directions(scores, y))
        for i, x in enumerate(rankings)
        for y in list(rankings)[i + 1 :]
    ]
    if args.against:
        from assay.score_files import read_scores

        other = read_scores([args.against])
        for measure in other.measures:
            values = other.mean(measure)
            for x in rankings:
                y = f"{args.against}:{measure.name}" if measure.name in rankings else measure.name
                sign = -1 if measure.declaration.higher_is_better is False else 1
                alike = _alike(x, rankings[x], y, values, _directions(scores, x), sign)
                if not alike:
                    raise InputError(
                        f"{x} and {y} rank fewer than 2 runs in common, so there is no agreement to measure"
                    )
                found.append(alike)
    return [entry for entry in found if entry]


def _directions(scores: Scores, name: str) -> int:
    return -1 if scores.measure(name).declaration.higher_is_better is False else 1


def _alike(x: str, first: dict[str, Any], y: str, second: dict[str, Any], sign_x: int, sign_y: int) -> dict[str, Any]:
    from assay.stats.correlation import agreement

    shared = [run for run in first if first[run] is not None and second.get(run) is not None]
    if len(shared) < 2:
        return {}
    one, two = [sign_x * first[run] for run in shared], [sign_y * second[run] for run in shared]
    return {"x": x, "y": y, "runs": len(shared), **agreement(one, two)}


def as_json(results: list[Comparison], agreement: list[dict[str, Any]]) -> dict[str, Any]:
    """One comparison as documented; several measures as a list of them. Agreement between rankings beside them."""
    from assay import __version__

    body = results[0].to_dict() if len(results) == 1 else {"comparisons": [result.to_dict() for result in results]}
    if agreement:
        body["agreement"] = agreement
    return {"assay": __version__, **body}


def page(results: list[Comparison], agreement: list[dict[str, Any]]) -> str:
    """What a person reads."""
    from assay.reports.pages import comparing
    from assay.reports.results import sections
    from assay.reports.text import sections_text

    made = [section for result in results for section in sections(result)]
    return sections_text([*made, comparing.agreement_section(agreement)] if agreement else made)


def _frame(header: list[str], rows: list[list[Any]], backend: str) -> Any:
    import narwhals as nw

    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    return nw.from_dict(columns, backend=backend).to_native()  # pyright: ignore[reportArgumentType]


def _save(scores: Scores, names: list[str], path: str) -> None:
    """The score table behind the comparison, in the format the file's ending says."""
    ending = path.rpartition(".")[2].lower()
    if ending == "csv":
        from assay.score_files import matrix_text

        if len(names) > 1:
            raise UsageError(
                f"--save-scores {path}: a CSV matrix holds one measure, not {len(names)}; use .json or .parquet"
            )
        write(matrix_text(scores, names[0]), path)
    elif ending == "json":
        write(to_json(scores.to_dict()), path)
    elif ending == "parquet":
        write(parquet(scores.to_frame(frame_backend())), path)
    else:
        raise UsageError(f"--save-scores {path}: expected a name that ends in .csv, .json or .parquet")


def _gate(results: list[Comparison], args: Namespace) -> int:
    """1 when some run is worse than its baseline by more than the margin, beyond doubt."""
    from assay.stats.results import gate

    margin = args.fail_if_worse
    if margin is None:
        return 0
    code = 0
    for result in results:
        found = gate(result, margin)
        for _ in found.undecided:
            tell(
                f"--fail-if-worse: {result.topics} {result.noun}s are too few for an interval, so the gate cannot tell"
            )
        for pair in found.worse:
            tell(
                f"{pair.a} is worse than {pair.b} by {result.measure}: the interval lies below {-margin if margin else 0:g}"
            )
            code = 1
    return code
