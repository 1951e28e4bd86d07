"""`assay compare --fail-if-worse`: check its options, decide the exit code, write the comment."""

from __future__ import annotations

from assay.cli.options import get_scores, notify
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

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
    if not 0 <= args.max_failed <= 1:
        raise UsageError(f"--max-failed {args.max_failed:g}: expected a share from 0 to 1")
    if len(scores.runs) > 2 and args.baseline is None and not args.pairs:
        raise UsageError(f"--fail-if-worse needs --baseline RUN where there are {len(scores.runs)} runs")
    for measure in scores.measures if args.measures or args.scores else ():
        if measure.declaration.higher_is_better is None:
            raise UsageError(f"--fail-if-worse needs a measure with a direction; {measure.name} has none")


def get_old_and_new(args: Namespace, executor: Any) -> tuple[Scores, tuple[str, str]]:
    """Evaluate the runs of --old and --new, and return the pair (new, old) by the names they got."""
    if not (args.old and args.new):
        raise UsageError("--old and --new are given together: the run in use, and the run proposed")
    if args.baseline or args.pairs or args.scores:
        raise UsageError("--old and --new name the pair: leave out --baseline, --pairs and --scores")
    if len(args.sources) > 1:
        raise UsageError(
            f"--old and --new are the runs: expected at most the gold before them, found {len(args.sources)} arguments"
        )
    gold = list(args.sources)
    args.judged = args.judged or not gold
    args.sources = [*gold, args.old, args.new]
    scores = get_scores(args, keep=bool(args.cost), executor=executor)
    if len(scores.runs) != 2:
        raise InputError(
            f"--old and --new: expected one run in each, found {len(scores.runs)}: {', '.join(scores.runs)}"
        )
    files = [scores.run(name).file or "" for name in scores.runs]
    in_new = [file == args.new or file.startswith(f"{args.new.rstrip('/')}/") for file in files]
    new, old = scores.runs[::-1] if in_new == [False, True] or in_new[0] == in_new[1] else scores.runs
    return scores, (new, old)


def decide(results: list[Comparison], grouped: list[Comparisons], args: Namespace) -> int:
    """Return 1 if a run is inferior to its baseline, failed on too much, or undecided with --undecided fail; else 0."""
    stopped = False
    named = [("", result) for result in results]
    for result in grouped:
        for group in result.groups:
            stopped |= bool(group.absent)
            if group.comparison is not None:
                named.append((f" on {group.label}", group.comparison))
                for run in group.absent:
                    notify(f"UNDECIDED, {run} has no results on {group.label}")
            else:
                stopped |= args.undecided == "fail"
                notify(
                    f"UNDECIDED, not compared by {result.measure} on {group.label}: {group.why}; --undecided {args.undecided}"
                )
    for where, result in named:
        for pair in result.pairs:
            if pair.difference is None:
                raise InputError(
                    f"{result.measure} is undefined for {pair.a} or {pair.b}{where}; the gate cannot decide"
                )
            each = f"each at {50 * (1 - result.settings['confidence']):g}%"
            bounds = "" if pair.gate_bounds is None else " [{:+.4f}, {:+.4f}], {}".format(*pair.gate_bounds, each)
            sentence = f"{pair.a} against {pair.b} by {result.measure}{where}: {pair.difference:+.4f}{bounds}"
            sentence += f", margin {args.fail_if_worse:g}"
            if pair.gate_reason is not None:
                stopped = True
                notify(f"UNDECIDED, {pair.gate_reason} (--max-failed {args.max_failed:g}): {sentence}")
            elif pair.gate == "undecided":
                stopped |= args.undecided == "fail"
                notify(f"UNDECIDED, neither inferior nor non-inferior: {sentence}; --undecided {args.undecided}")
            elif pair.gate == "inferior":
                stopped = True
                notify(f"INFERIOR: {sentence}")
            else:
                notify(f"PASSED, non-inferior: {sentence}")
    verdicts = max((result.settings["verdicts"] or 1 for _, result in named), default=1)
    if verdicts > 1:
        notify(f"the upper bounds hold for all {verdicts} verdicts of this command at once, each lower bound by itself")
    return int(stopped)


def comment(scores: Scores, results: Sequence[Comparison | Comparisons], args: Namespace) -> str:
    """Return the Markdown of a comment for a pull request."""
    from assay.reports import gate

    return gate.comment(gate.looked_at(scores, results), args.fail_if_worse, args.undecided, args.link)
