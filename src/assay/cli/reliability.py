"""assay reliability: can the evaluation be trusted, and how large a difference should be believed?"""

from __future__ import annotations

from assay.cli.options import add_settings, add_sources, progress_bar, scores_of, tell
from assay.cli.output import add_output, format_of, render, to_json, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from assay.studies.study import AtSize, MeasureStudy, Reliability
    from assay.table import Scores

EPILOG = """examples:
  assay reliability gold.jsonl runs/ -m c@1 -m accuracy -m UF --size 250 --trials 1000
  assay reliability qrels.txt runs/ -m AP -m P@10 -m RR --rule sakai
  assay reliability --scores ap.csv --scores p10.csv --size 10,15,20,25
  assay reliability qrels.txt runs/ --trials 1000000 --executor dask --scheduler tcp://host:8786

Stability: on random subsets of the topics, how often is a pair of runs the wrong way round (minority rate), and how
often is there no conclusion (ties)? Swap: how large must a difference be on one subset for another to agree 95 times
in 100?
"""
FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex")
MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
    """The options of `assay reliability`."""
    from argparse import RawDescriptionHelpFormatter

    parser = subparsers.add_parser(
        "reliability",
        help="can the evaluation be trusted?",
        description="How stable each measure is on subsets of the topics, and how large a difference to believe.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_sources(parser)
    group = parser.add_argument_group("how it is resampled")
    group.add_argument(
        "--size", action="append", type=_sizes, metavar="N[,N...]",
        help="topics in a subset, half of all by default; several sizes give the curve over sizes",
    )  # fmt: skip
    group.add_argument("--trials", type=int, default=1000, metavar="N", help="random subsets (default 1000)")
    group.add_argument(
        "--rule", choices=("original", "sakai"), default="original",
        help="sakai counts exactly one difference of zero as a swap too",
    )  # fmt: skip
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="default 0.95: a swap rate of at most 5%%"
    )
    group.add_argument("--no-swap", action="store_true", help="stability only; subsets may then exceed half the topics")
    group.add_argument(
        "--discrimination", action="store_true", help="also test every pair: paired bootstrap and randomised Tukey HSD"
    )
    group.add_argument("--executor", choices=("local", "dask"), default="local", help="where the work runs")
    group.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster, as in tcp://host:8786")
    add_settings(parser, words)
    add_output(parser, FORMATS)


def studied(scores: Scores, named: list[str] | None) -> list[str]:
    """The measures asked for; without -m all of the task's own but counts and what only whole runs have."""
    if named:
        return [m.name for m in scores.measures]
    own = [m for m in scores.measures if m.level != "whole" and m.average != "sum"]
    return [m.name for m in own if m.declaration.higher_is_better is not None]


def _sizes(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected whole numbers separated by commas, found {text!r}") from None


def run(args: Namespace) -> int:
    """Study, and print."""
    from assay.studies.study import reliability

    format = format_of(args.format, args.output)
    scores = scores_of(args)
    study = reliability(
        scores,
        measures=studied(scores, args.measures),
        size=[size for sizes in args.size for size in sizes] if args.size else None,
        trials=args.trials,
        seed=scores.settings.seed,
        rule=args.rule,
        confidence=args.confidence,
        with_swap=not args.no_swap,
        discrimination=("bootstrap", "tukey") if args.discrimination else (),
        executor=args.executor,
        scheduler=args.scheduler,
        processes=True,
        progress=progress_bar("trials"),
    )
    for measure in study.measures.values():
        if measure.missing or measure.undefined:
            tell(
                f"{measure.name}: of {len(study.runs)} x {len(scores.topics)} cells {measure.missing} are missing and "
                f"{measure.undefined} undefined; what they count is said by --missing and --undefined"
            )
    if format == "json":
        write(to_json(study.as_dict()), args.output)
    elif format == "table":
        write(page(study), args.output)
    else:
        header, rows = summary(study)
        write(render(format, header, rows), args.output)
    return 0


def summary(study: Reliability) -> tuple[list[str], list[list[Any]]]:
    """The sensitivity table of 002 Table 2 and 003 Tables 1-3, with the stability at f = .05 beside it."""
    header = ["measure", "size", "minority@.05", "ties@.05"]
    with_swap = all(one.swap is not None for m in study.measures.values() for one in m.at)
    if with_swap:
        header += ["difference", "stays", "highest", "relative", "sensitivity"]
    rows: list[list[Any]] = []
    for measure in study.measures.values():
        for one in measure.at:
            middle = one.stability[4]
            row: list[Any] = [measure.name, one.size, middle.minority_rate, middle.ties]
            if one.swap is not None:
                s = one.swap
                row += [s.required_difference, s.required_difference_stays, s.highest, s.relative, s.sensitivity]
            rows.append(row)
    return header, rows


def page(study: Reliability) -> str:
    """All of it for a person: tables, curves and a sentence per measure."""
    sizes = ", ".join(str(size) for size in study.sizes)
    parts = [
        f"{len(study.runs)} runs ({study.pairs} pairs), {study.topics} topics; {study.trials} random subsets of "
        f"{sizes} topics, seed {study.seed}\n"
    ]
    measures = list(study.measures.values())
    marks = dict(zip(study.measures, _marks(len(measures)), strict=True))
    parts.append(_stability_table(study, measures))
    parts.append(_stability_curve(study, measures, marks))
    if all(one.swap is not None for m in measures for one in m.at):
        parts.append(_swap_table(study, measures))
        parts.append(_swap_curve(study, measures, marks))
    if len(study.sizes) > 1:
        parts.append(_sizes_curve(measures, marks))
    parts.append(_fit_table(measures))
    parts.append(_discrimination_table(measures))
    parts.append(_asl_curve(measures, marks))
    parts.append("".join(sentence(study, measure) + "\n" for measure in measures))
    return "\n".join(part for part in parts if part)


def _marks(count: int) -> list[str]:
    return [MARKS[i % len(MARKS)] for i in range(count)]


def _last(measure: MeasureStudy) -> AtSize:
    return measure.at[-1]


def _percent(value: float | None, digits: int = 1) -> str | None:
    return None if value is None else f"{100 * value:.{digits}f}%"


def _cents(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _stability_table(study: Reliability, measures: list[MeasureStudy]) -> str:
    header = ["fuzziness"]
    for measure in measures:
        header += [f"{measure.name} minority", "ties"]
    rows: list[list[Any]] = []
    for i in range(10):
        row: list[Any] = [f"{(i + 1) / 100:.2f}"]
        for measure in measures:
            point = _last(measure).stability[i]
            row += [_percent(point.minority_rate, 2), _percent(point.ties, 2)]
        rows.append(row)
    title = f"Stability on {study.sizes[-1]} topics: minority rate and proportion of ties\n"
    return title + render("table", header, rows)


def _stability_curve(study: Reliability, measures: list[MeasureStudy], marks: dict[str, str]) -> str:
    from assay.cli.plot import plot

    curves = {marks[m.name]: [(point.ties, point.minority_rate) for point in _last(m).stability] for m in measures}
    return plot(curves, x="proportion of ties", y="minority rate", legend=_legend(marks))


def _swap_table(study: Reliability, measures: list[MeasureStudy]) -> str:
    header = ["measure", "size", "difference", "stays from", "highest", "relative", "sensitivity"]
    title = f"Swap ({study.rule} rule): the difference to believe at {100 * study.confidence:g}% confidence"
    beyond = any(measure.extrapolation is not None for measure in measures)
    if beyond:
        header.append("extrapolated")
        title += f"; extrapolated to all {study.topics} topics"
    rows: list[list[Any]] = []
    for measure in measures:
        for one in measure.at:
            if one.swap is None:
                continue
            s = one.swap
            row: list[Any] = [
                measure.name, str(one.size), _cents(s.required_difference), _cents(s.required_difference_stays),
                s.highest, _percent(s.relative), _percent(s.sensitivity),
            ]  # fmt: skip
            if beyond:
                reached = measure.extrapolation if one is measure.at[-1] else None
                row.append("" if reached is None else _cents(reached.required_difference))
            rows.append(row)
    return f"{title}\n" + render("table", header, rows)


def _swap_curve(study: Reliability, measures: list[MeasureStudy], marks: dict[str, str]) -> str:
    from assay.cli.plot import plot

    curves: dict[str, list[tuple[float, float]]] = {}
    for measure in measures:
        s = _last(measure).swap
        if s is not None:
            curves[marks[measure.name]] = [(b.start, b.rate) for b in s.bins if b.rate is not None]
    return plot(curves, x="difference", y="swap rate", legend=_legend(marks), line=1 - study.confidence, log_y=True)


def _sizes_curve(measures: list[MeasureStudy], marks: dict[str, str]) -> str:
    from assay.cli.plot import plot

    curves = {
        marks[m.name]: [
            (float(one.size), one.swap.required_difference)
            for one in m.at
            if one.swap is not None and one.swap.required_difference is not None
        ]
        for m in measures
    }
    return plot(curves, x="topics", y="required difference", legend=_legend(marks))


def _fit_table(measures: list[MeasureStudy]) -> str:
    """Each extrapolation's fits, for the bins around the answer."""
    header = ["measure", "bin", "sizes", "slope per topic", "R²", "rate fitted"]
    rows: list[list[Any]] = []
    size = 0
    for measure in measures:
        beyond = measure.extrapolation
        if beyond is None:
            continue
        size = beyond.size
        answer = beyond.required_difference
        for fit in beyond.fits:
            if answer is None or abs(fit.start - answer) > 0.021 or not fit.points:
                continue
            sizes = ",".join(str(at) for at, _ in fit.points)
            slope = None if fit.slope is None else f"{fit.slope:.4f}"
            squared = None if fit.r_squared is None else f"{fit.r_squared:.3f}"
            rows.append([measure.name, _cents(fit.start), sizes, slope, squared, _percent(fit.rate(size), 2)])
    if not rows:
        return ""
    title = (
        f"Extrapolation to {size} topics: log(swap rate) fitted linearly in the size, for the bins around the answer\n"
    )
    return title + render("table", header, rows)


def _discrimination_table(measures: list[MeasureStudy]) -> str:
    header = ["measure", "test", "pairs", "p < .05", "p < .01", "half separated from"]
    rows: list[list[Any]] = []
    for measure in measures:
        for test in measure.discrimination:
            half = test.half_difference(0.05)
            rows.append([
                measure.name, test.method, len(test.pairs), _percent(test.separated(0.05)),
                _percent(test.separated(0.01)), None if half is None else f"{half:.4f}",
            ])  # fmt: skip
    if not rows:
        return ""
    title = "Discriminative power: the share of pairs of runs that a test separates on all topics\n"
    return title + render("table", header, rows)


def _asl_curve(measures: list[MeasureStudy], marks: dict[str, str]) -> str:
    """The achieved significance levels of the bootstrap, pairs sorted by them (Sakai 2006)."""
    from assay.cli.plot import plot

    curves: dict[str, list[tuple[float, float]]] = {}
    for measure in measures:
        for test in measure.discrimination:
            if test.method == "bootstrap":
                levels = test.curve
                curves[marks[measure.name]] = [((i + 1) / len(levels), level) for i, level in enumerate(levels)]
    return plot(curves, x="share of pairs", y="achieved significance level", legend=_legend(marks), line=0.05)


def _legend(marks: dict[str, str]) -> str:
    return "   ".join(f"{mark} {name}" for name, mark in marks.items())


def _believed(name: str, difference: float) -> str:
    return f"a difference in {name} of at least {difference:.2f}" if difference else f"any difference in {name}"


def sentence(study: Reliability, measure: MeasureStudy) -> str:
    """What a person takes home about one measure."""
    from assay.studies.swap import REACH

    one = _last(measure)
    words: list[str] = []
    if one.swap is not None:
        found = one.swap.required_difference
        if found is None:
            words.append(
                f"With {one.size} topics, no {measure.name} difference is large enough to believe at "
                f"{100 * study.confidence:g}% confidence (measured)"
            )
        else:
            words.append(f"With {one.size} topics, believe {_believed(measure.name, found)} (measured)")
        beyond = measure.extrapolation
        if beyond is not None and beyond.required_difference is not None:
            words.append(f"with your {beyond.size}, about {beyond.required_difference:.2f} (extrapolated)")
        elif beyond is None and study.topics > REACH * one.size:
            words.append(
                f"your {study.topics} topics are too many to extrapolate to from {one.size}, try a larger --size"
            )
    else:
        point = one.stability[4]
        words.append(
            f"With {one.size} topics, {measure.name} gets {_percent(point.minority_rate)} of the comparisons wrong and "
            f"calls {_percent(point.ties)} ties (f = 0.05)"
        )
    text = "; ".join(words) + "."
    gap = measure.gap
    if gap is not None:
        # Sums of floating-point scores: what differs by less than this does not differ.
        shown = "are tied" if gap < 1e-12 else f"differ by {gap:.2f}" if gap >= 0.01 else f"differ by {gap:.2g}"
        text += f" Your best two runs ({measure.best[0][0]} and {measure.best[1][0]}) {shown}."
    return text
