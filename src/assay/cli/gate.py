"""`assay compare --fail-if-worse`: check its options, decide the exit code, write the comment."""

from __future__ import annotations

from assay.cli.options import notify
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay import Scores
    from assay.analyses.comparison.by_group import Comparisons
    from assay.analyses.comparison.result import Comparison
    from assay.cli.parser import Namespace


def check(args: Namespace, scores: Scores) -> None:
    """Refuse a gate without a baseline or a direction, and a comment without a gate."""
    if args.link and not args.comment:
        raise UsageError("--link needs --comment FILE.md")
    if args.comment and args.fail_if_worse is None:
        raise UsageError("--comment needs --fail-if-worse MARGIN")
    if args.fail_if_worse is None:
        return
    if len(scores.runs) > 2 and args.baseline is None and not args.pairs:
        raise UsageError(f"--fail-if-worse needs --baseline RUN where there are {len(scores.runs)} runs")
    for measure in scores.measures if args.measures or args.scores else ():
        if measure.declaration.higher_is_better is None:
            raise UsageError(f"--fail-if-worse needs a measure with a direction; {measure.name} has none")


def decide(results: list[Comparison], grouped: list[Comparisons], args: Namespace) -> int:
    """Return 1 if a run is inferior to its baseline, or undecided with --undecided fail; else 0."""
    failed = False
    named = [("", result) for result in results]
    for result in grouped:
        for group in result.groups:
            if group.comparison is not None:
                named.append((f" on {group.label}", group.comparison))
            else:
                failed |= args.undecided == "fail"
                notify(
                    f"UNDECIDED, not compared by {result.measure} on {group.label}: {group.why}; --undecided {args.undecided}"
                )
    for where, result in named:
        for pair in result.pairs:
            if pair.difference is None:
                raise InputError(
                    f"{result.measure} is undefined for {pair.a} or {pair.b}{where}; the gate cannot decide"
                )
            ends = "" if pair.interval is None else f" [{pair.interval.low:.4f}, {pair.interval.high:.4f}]"
            sentence = f"{pair.a} against {pair.b} by {result.measure}{where}: {pair.difference:+.4f}{ends}, margin {args.fail_if_worse:g}"
            if pair.gate == "undecided":
                failed |= args.undecided == "fail"
                notify(f"UNDECIDED, neither inferior nor non-inferior: {sentence}; --undecided {args.undecided}")
            elif pair.gate == "inferior":
                failed = True
                notify(f"INFERIOR: {sentence}")
    return int(failed)


def comment(scores: Scores, results: Sequence[Comparison | Comparisons], args: Namespace) -> str:
    """Return the Markdown of a comment for a pull request."""
    from assay.reports import gate

    return gate.comment(gate.looked_at(scores, results), args.fail_if_worse, args.undecided, args.link)
