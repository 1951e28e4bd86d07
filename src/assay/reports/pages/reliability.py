"""Reliability of the evaluation: stability of each measure, swap rates, discriminative power.

The curves of Voorhees and Buckley (2002), Sakai (2006), and Peñas and Rodrigo (ACL 2011), with their tables.
"""

from __future__ import annotations

from assay.analyses.reliability.reliability import MeasureStudy, Reliability, SizeResult
from assay.analyses.reliability.sentences import conclusion, interval_ends, repeating
from assay.reports import model
from assay.reports.charts import reliability as charts
from assay.reports.model import Block, Cell, Note, Section, Table, TableColumn, averaged, counted, numbers
from assay.stats.extrapolation import INTERVAL_CONFIDENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.reliability.newly_correct_answers import NewlyJudged, TrialMean

METHODS = {"tukey": "randomised Tukey HSD", "bootstrap": "paired bootstrap"}
NEAR = 0.021
"""Bins around the answer that are listed: two on either side."""


def reliability_sections(study: Reliability, *, every: bool = True) -> list[Section]:
    """Return the conclusions, stability at the largest size, swaps, and discriminative power.

    every   whether to keep the curves of stability where no subset ever disagrees, as of two runs that differ much
    """
    sentences = [conclusion(study, measure) for measure in study.measures.values()]
    if any(measure.at[-1].swap for measure in study.measures.values()) and not study.too_few_pairs:
        sentences.insert(0, f"A difference to believe would keep its direction on {repeating(study.noun)}.")
    believe = Section("reliability-conclusion", "What to believe", tuple(map(Note, sentences)))
    rates = (point.minority_rate for measure in study.measures.values() for point in measure.at[-1].stability)
    sections = [
        believe,
        _stability(study) if every or any(rates) else None,
        _swaps(study),
        *discrimination_sections(study),
    ]
    return [section for section in sections if section is not None]


def _how(study: Reliability, sizes: str) -> str:
    return (
        f"{len(study.runs)} runs, {model.counted(study.pairs, 'pair')}, random subsets of {sizes} of {study.topics} "
        f"{study.noun}s, {study.trials} trials, seed {study.seed}."
    )


def _stability(study: Reliability) -> Section:
    size = study.sizes[-1]
    curves = {name: measure.at[-1].stability for name, measure in study.measures.items()}
    how = _how(study, str(size))
    chart = charts.stability_curves(
        f"stability-{size}",
        {name: [(p.fuzziness, p.minority_rate, p.ties) for p in points] for name, points in curves.items()},
        f"How often a subset of the {study.noun}s ranks two runs against the majority of subsets, and how often it "
        f"calls them tied, for fuzziness 0.01 to 0.10. Low and left is better; the line marks 1%. {how}",
        f"Curves of minority rate against proportion of ties for {', '.join(curves)}.",
    )
    columns = numbers("fuzziness", *(head for name in curves for head in (f"{name} minority", f"{name} ties")))
    rows = tuple(
        (
            model.number(points[0].fuzziness, 2),
            *(cell for p in points for cell in (model.percent(p.minority_rate, 2), model.percent(p.ties, 2))),
        )
        for points in zip(*curves.values(), strict=True)
    )
    title = f"Minority rate and proportion of ties on {size} {study.noun}s"
    table = Table(f"stability-table-{size}", title, columns, rows, f"{title}. {how}")
    blocks = averaged(table), averaged(chart)
    return Section(f"stability-section-{size}", f"Stability with {size} {study.noun}s", blocks)


def _swaps(study: Reliability) -> Section | None:
    size = study.sizes[-1]
    last = {name: measure.at[-1].swap for name, measure in study.measures.items()}
    curves = {name: [(b.start, b.rate, b.comparisons) for b in swap.bins] for name, swap in last.items() if swap}
    if not curves:
        return None
    blocks: list[Block] = [
        averaged(swap_table(study)),
        charts.swap_curves(
            f"swap-{size}",
            curves,
            f"How often a second set of {study.noun}s contradicts the first, by the difference seen on the first. The line "
            f"marks {1 - study.confidence:.0%}. {_how(study, str(size))}",
            f"Curves of swap rate against difference for {', '.join(curves)}.",
            level=1 - study.confidence,
        ),
        *over_sizes(study),
        *_fits(study),
    ]
    return Section(f"swap-section-{size}", f"Swaps with {size} {study.noun}s", tuple(blocks))


def swap_table(study: Reliability) -> Table:
    """List the required difference and how many comparisons reach it: a row per measure and size."""
    several = len(study.sizes) > 1
    beyond = not study.too_few_pairs and any(measure.extrapolation for measure in study.measures.values())
    rows = tuple(
        (
            model.text(name),
            *([model.count(at.size)] if several else []),
            model.number(swap.required_difference_stays, 2),
            model.number(swap.required_difference, 2),
            model.number(swap.highest),
            model.percent(swap.relative),
            model.percent(swap.sensitivity),
            *(_extrapolated(measure, at) if beyond else []),
        )
        for name, measure in study.measures.items()
        for at in measure.at
        if (swap := at.swap) is not None
    )
    columns = [
        TableColumn("measure"),
        *(numbers(f"{study.noun}s") if several else ()),
        TableColumn(
            "stays from",
            "lower edge of the first bin from which every bin is within the error allowed: the difference to believe",
            numeric=True,
        ),
        TableColumn("difference", "lower edge of the first bin within it, as the papers report it", numeric=True),
        TableColumn("highest", "the highest value over both subsets and all runs", numeric=True),
        TableColumn("relative", "difference over highest", numeric=True),
        TableColumn("sensitivity", "share of comparisons that reach the difference", numeric=True),
        *(
            [TableColumn(f"with {study.topics}", "extrapolated", numeric=True), TableColumn("interval", numeric=True)]
            if beyond
            else []
        ),
    ]
    title = f"The difference to believe at {100 * study.confidence:g}% confidence"
    where = f" on {repeating(study.noun)}"
    if study.too_few_pairs:
        where = ""
        title = f"Swap rates at {100 * study.confidence:g}% confidence: too few pairs to advise"
    how = _how(study, ", ".join(map(str, study.sizes)))
    far = (
        f"; extrapolated to all {study.topics} {study.noun}s, with its {INTERVAL_CONFIDENCE:.0%} interval"
        if beyond
        else ""
    )
    caption = f"{title}{where}, and how many comparisons reach it ({study.rule} rule){far}. {how}"
    return Table(f"swap-table-{study.sizes[-1]}", title, tuple(columns), rows, caption)


def _extrapolated(measure: MeasureStudy, at: SizeResult) -> list[model.Cell]:
    beyond = measure.extrapolation
    if beyond is None or at is not measure.at[-1]:
        return [model.text(""), model.text("")]
    return [model.number(beyond.required_difference, 2), model.text(interval_ends(beyond))]


def over_sizes(study: Reliability) -> list[Block]:
    """Return the curve of the difference to believe by size, where several sizes were asked for."""
    if len(study.sizes) < 2 or study.too_few_pairs:
        return []
    curves = {
        name: [
            (at.size, at.swap.required_difference_stays)
            for at in measure.at
            if at.swap and at.swap.required_difference_stays is not None
        ]
        for name, measure in study.measures.items()
    }
    caption = f"The difference to believe at {100 * study.confidence:g}% confidence on {repeating(study.noun)}"
    how = _how(study, ", ".join(map(str, study.sizes)))
    alt = f"Curves of the difference to believe against {study.noun}s for {', '.join(curves)}."
    return [charts.size_curves("sizes", curves, study.noun, f"{caption}, by the number of {study.noun}s. {how}", alt)]


def _fits(study: Reliability) -> list[Block]:
    """Compare each extrapolated curve with the rates at the largest size, for the bins around the answer."""
    if study.too_few_pairs:
        return []
    rows = tuple(
        (
            model.text(name),
            model.number(k / 100, 2),
            model.text(", ".join(str(size) for size, _ in points)),
            model.percent(points[-1][1], 2),
            *(model.percent(beyond.fitted(k, size), 2) for size in (points[-1][0], beyond.size)),
        )
        for name, measure in study.measures.items()
        if (beyond := measure.extrapolation) is not None and (answer := beyond.required_difference) is not None
        for k, points in enumerate(beyond.points[:-1])
        if abs(k / 100 - answer) <= NEAR and points
    )
    if not rows:
        return []
    heads = ("bin", "sizes", "measured at the largest", "fitted there", f"fitted with {study.topics}")
    columns = (TableColumn("measure"), *(TableColumn(head, numeric=head != "sizes") for head in heads))
    title = f"Extrapolation to {study.topics} {study.noun}s"
    caption = (
        f"{title}: the normal model of swap rates, fitted to all bins and sizes at once, for the bins around the answer. "
        f"{_how(study, 'the sizes named')}"
    )
    return [Table("fits", title, columns, rows, caption)]


def discrimination_sections(study: Reliability) -> list[Section]:
    """Return a section per test of all pairs that was asked for."""
    methods = dict.fromkeys(test.method for measure in study.measures.values() for test in measure.discrimination)
    sections: list[Section] = []
    for method in methods:
        tests = {
            name: test
            for name, measure in study.measures.items()
            for test in measure.discrimination
            if test.method == method
        }
        trials = next(iter(tests.values())).trials
        named = METHODS.get(method, method)
        how = (
            f"{model.counted(study.pairs, 'pair')} of {len(study.runs)} runs, {study.topics} {study.noun}s, {trials} "
            f"trials, seed {study.seed}."
        )
        chart = charts.significance_curves(
            f"significance-{method}",
            {name: test.curve for name, test in tests.items()},
            f"Achieved significance levels of all run pairs ({named}), smallest first. {how}",
            f"Curves of achieved significance level for {', '.join(tests)}.",
        )
        half = "the difference from which half of the pairs are significant at .05"
        columns = (
            TableColumn("measure"),
            *(TableColumn(f"p < {at}", f"share of pairs significant at {at}", numeric=True) for at in (".05", ".01")),
            TableColumn("half separated from", half, numeric=True),
        )
        rows = tuple(
            (
                model.text(name),
                *(model.percent(test.separated(level)) for level in (0.05, 0.01)),
                model.number(test.half_difference(0.05)),
            )
            for name, test in tests.items()
        )
        caption = f"The share of pairs of runs that the {named} separates on all {study.noun}s. {how}"
        table = Table(f"significance-table-{method}", f"Significant pairs, {named}", columns, rows, caption)
        sections.append(Section(f"significance-section-{method}", f"Discriminative power, {named}", (table, chart)))
    return sections


def newly_judged_sections(result: NewlyJudged) -> list[Section]:
    """Return the finding, and a table of measures by share."""
    columns = (
        TableColumn("Wrong answers that turn right"),
        TableColumn("Measure"),
        *numbers("Change of scores", "tau-b", "lowest", "Pairs reversed", "Best run stays"),
    )
    rows = tuple(
        (
            model.text(f"{100 * at.share:g}% ({at.answers})"),
            model.text(name),
            _with_error(shift.change, 4, signed=True),
            _with_error(shift.tau_b, 3),
            model.number(shift.lowest_tau_b, 3),
            model.percent(None if shift.reversed is None else shift.reversed.value),
            model.percent(shift.best_stays),
        )
        for at in result.shares
        for name, shift in at.measures.items()
    )
    table = Table("newly-judged", "Effect of answers judged correct later", columns, rows, _simulation(result))
    return [Section("newly-judged-section", "", (Note(result.finding), table))]


def _with_error(mean: TrialMean | None, digits: int, signed: bool = False) -> Cell:
    if mean is None:
        return model.missing()
    sign = "+" if signed else ""
    return model.text(f"{mean.value:{sign}.{digits}f} ± {mean.error:.{digits}f}")


def _simulation(result: NewlyJudged) -> str:
    return (
        f"{counted(len(result.runs), 'run')} on {counted(result.questions, result.noun)}; "
        f"{counted(result.wrong, 'distinct answer')} judged incorrect. In each of {counted(result.trials, 'trial')} (seed {result.seed}) "
        "a random share of them turns correct for every run that gave them, each as a new equivalence class of grade 1. "
        "± is the Monte-Carlo standard error of a mean over trials; lowest is the lowest tau-b of any trial."
    )
