"""The gate of `assay compare`: what it needs, what it decides, and what it tells a terminal and a pull request."""

from __future__ import annotations

from assay.cli.options import tell
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay import Scores
    from assay.analyses.comparison.by_group import Comparisons
    from assay.analyses.comparison.result import Comparison
    from assay.cli.parser import Namespace


def check(args: Namespace, scores: Scores) -> None:
    """A gate needs a baseline, and measures that have better and worse; a comment needs a gate."""
    if args.link and not args.comment:
        raise UsageError("--link goes into the comment of a gate: add --comment FILE.md")
    if args.comment and args.fail_if_worse is None:
        raise UsageError("--comment tells what a gate found: add --fail-if-worse MARGIN")
    if args.fail_if_worse is None:
        return
    if len(scores.runs) > 2 and args.baseline is None and not args.pairs:
        raise UsageError(f"--fail-if-worse: worse than which of {len(scores.runs)} runs? Name it with --baseline")
    for measure in scores.measures if args.measures or args.scores else ():
        if measure.declaration.higher_is_better is None:
            raise UsageError(f"--fail-if-worse: {measure.name} has no better and worse, so there is nothing to fail")


def decided(results: list[Comparison], grouped: list[Comparisons], args: Namespace) -> int:
    """1 when some run is inferior to its baseline, or where nobody can tell and that is not to pass."""
    failed = False
    named = [("", result) for result in results]
    for result in grouped:
        for group in result.groups:
            if group.comparison is not None:
                named.append((f" on {group.label}", group.comparison))
            else:
                failed |= args.undecided == "fail"
                tell(
                    f"UNDECIDED, not compared by {result.measure} on {group.label}: {group.why}; --undecided {args.undecided}"
                )
    for where, result in named:
        for pair in result.pairs:
            if pair.difference is None:
                raise InputError(
                    f"{result.measure} is undefined for {pair.a} or {pair.b}{where}, so nobody can say which is worse"
                )
            ends = "" if pair.interval is None else f" [{pair.interval.low:.4f}, {pair.interval.high:.4f}]"
            told = f"{pair.a} against {pair.b} by {result.measure}{where}: {pair.difference:+.4f}{ends}, margin {args.fail_if_worse:g}"
            if pair.gate == "undecided":
                failed |= args.undecided == "fail"
                tell(f"UNDECIDED, neither inferior nor non-inferior: {told}; --undecided {args.undecided}")
            elif pair.gate == "inferior":
                failed = True
                tell(f"INFERIOR: {told}")
    return int(failed)


def comment(scores: Scores, results: Sequence[Comparison | Comparisons], args: Namespace) -> str:
    """The Markdown of one comment below a proposed change."""
    from assay.reports import gate

    return gate.comment(gate.looked_at(scores, results), args.fail_if_worse, args.undecided, args.link)
