"""A study of the evaluation itself: how stable each measure is, which difference to believe, what tests tell apart.

The curves of Voorhees and Buckley (2002), Sakai (2006), and Peñas and Rodrigo (ACL 2011), with their tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.reports import model
from assay.reports.charts import reliability as charts
from assay.reports.model import Block, Column, Note, Section, Table

if TYPE_CHECKING:
    from assay.studies.study import AtSize, MeasureStudy, Reliability

METHODS = {"tukey": "randomised Tukey HSD", "bootstrap": "paired bootstrap"}
AT = 4
"""The place of fuzziness .05 on the curve."""
NEAR = 0.021
"""Fits this close to the answer are shown: two bins on either side."""


def sections(study: Reliability, noun: str = "topic") -> list[Section]:
    """Stability at the largest size, swaps, discriminative power where it was computed, and what to take home."""
    found = [_stability(study, noun), _swaps(study, noun), *_discrimination(study, noun), _conclusion(study, noun)]
    return [section for section in found if section is not None]


def required_difference(study: Reliability, measure: str, noun: str = "topic") -> str:
    """One sentence for the leaderboard."""
    at = study.measures[measure].at[-1]
    if at.swap is None:
        return ""
    level = f"{study.confidence:.0%}"
    if at.swap.required_difference is None:
        return (
            f"No difference in {measure} seen here is large enough for {level} confidence with {at.size} {noun}s "
            f"(swap method, {study.trials} trials)."
        )
    return (
        f"To be believed at {level} confidence, two runs compared on {at.size} {noun}s must differ by at least "
        f"{at.swap.required_difference:.2f} in {measure}; {at.swap.sensitivity or 0:.0%} of the comparisons do (swap "
        f"method, {study.trials} trials, seed {study.seed})."
    )


def _how(study: Reliability, noun: str, sizes: str) -> str:
    return (
        f"{len(study.runs)} runs, {model.counted(study.pairs, 'pair')}, random subsets of {sizes} of {study.topics} "
        f"{noun}s, {study.trials} trials, seed {study.seed}."
    )


def _stability(study: Reliability, noun: str) -> Section:
    size = study.sizes[-1]
    found = {name: one.at[-1].stability for name, one in study.measures.items()}
    how = _how(study, noun, str(size))
    chart = charts.stability_curves(
        f"stability-{size}",
        {name: [(p.fuzziness, p.minority_rate, p.ties) for p in points] for name, points in found.items()},
        f"How often a subset of the {noun}s ranks two runs against the majority of subsets, and how often it cannot tell "
        f"them apart, for fuzziness 0.01 to 0.10. Low and left is better; the line marks 1%. {how}",
        f"Curves of minority rate against proportion of ties for {', '.join(found)}.",
    )
    columns = [Column("fuzziness", numeric=True)]
    for name in found:
        columns += [Column(f"{name} minority", numeric=True), Column("ties", numeric=True)]
    rows = tuple(
        (
            model.number(points[0].fuzziness, 2),
            *(cell for p in points for cell in (model.percent(p.minority_rate, 2), model.percent(p.ties, 2))),
        )
        for points in zip(*found.values(), strict=True)
    )
    title = f"Minority rate and proportion of ties on {size} {noun}s"
    table = Table(f"stability-table-{size}", title, tuple(columns), rows, f"{title}. {how}")
    return Section(f"stability-section-{size}", f"Stability with {size} {noun}s", (table, chart))


def _swaps(study: Reliability, noun: str) -> Section | None:
    size = study.sizes[-1]
    last = {name: one.at[-1].swap for name, one in study.measures.items()}
    curves = {name: [(b.start, b.rate, b.comparisons) for b in swap.bins] for name, swap in last.items() if swap}
    if not curves:
        return None
    blocks: list[Block] = [
        _swap_table(study, noun),
        charts.swap_curves(
            f"swap-{size}",
            curves,
            f"How often a second set of {noun}s contradicts the first, by the difference seen on the first. The line marks "
            f"{1 - study.confidence:.0%}. {_how(study, noun, str(size))}",
            f"Curves of swap rate against difference for {', '.join(curves)}.",
            level=1 - study.confidence,
        ),
        *_over_sizes(study, noun),
        *_fits(study, noun),
    ]
    return Section(f"swap-section-{size}", f"Swaps with {size} {noun}s", tuple(blocks))


def _swap_table(study: Reliability, noun: str) -> Table:
    """What a difference must be, and how many comparisons reach it: a row per measure and size."""
    several, beyond = len(study.sizes) > 1, any(one.extrapolation for one in study.measures.values())
    rows = tuple(
        (
            model.text(name),
            *([model.count(at.size)] if several else []),
            model.number(swap.required_difference, 2),
            model.number(swap.required_difference_stays, 2),
            model.number(swap.highest),
            model.percent(swap.relative),
            model.percent(swap.sensitivity),
            *([_extrapolated(one, at)] if beyond else []),
        )
        for name, one in study.measures.items()
        for at in one.at
        if (swap := at.swap) is not None
    )
    columns = [
        Column("measure"),
        *([Column(f"{noun}s", numeric=True)] if several else []),
        Column("difference", "lower edge of the first bin within the error allowed", numeric=True),
        Column("stays from", "lower edge of the first bin from which every bin is within it", numeric=True),
        Column("highest", "the highest value over both subsets and all runs", numeric=True),
        Column("relative", "difference over highest value", numeric=True),
        Column("sensitivity", "share of comparisons that reach the difference", numeric=True),
        *([Column(f"with {study.topics}", "extrapolated", numeric=True)] if beyond else []),
    ]
    title = f"The difference to believe at {100 * study.confidence:g}% confidence"
    how = _how(study, noun, ", ".join(map(str, study.sizes)))
    far = f"; the last column is extrapolated to all {study.topics} {noun}s" if beyond else ""
    caption = f"{title}, and how many comparisons reach it ({study.rule} rule){far}. {how}"
    return Table(f"swap-table-{study.sizes[-1]}", title, tuple(columns), rows, caption)


def _extrapolated(one: MeasureStudy, at: AtSize) -> model.Cell:
    if one.extrapolation is None or at is not one.at[-1]:
        return model.text("")
    return model.number(one.extrapolation.required_difference, 2)


def _over_sizes(study: Reliability, noun: str) -> list[Block]:
    if len(study.sizes) < 2:
        return []
    curves = {
        name: [
            (at.size, at.swap.required_difference)
            for at in one.at
            if at.swap and at.swap.required_difference is not None
        ]
        for name, one in study.measures.items()
    }
    said = f"The difference to believe at {100 * study.confidence:g}% confidence"
    how = _how(study, noun, ", ".join(map(str, study.sizes)))
    alt = f"Curves of the difference to believe against {noun}s for {', '.join(curves)}."
    return [charts.size_curves("sizes", curves, noun, f"{said}, by the number of {noun}s. {how}", alt)]


def _fits(study: Reliability, noun: str) -> list[Block]:
    """Each extrapolation's fits, for the bins around the answer."""
    rows = tuple(
        (
            model.text(name),
            model.number(fit.start, 2),
            model.text(", ".join(str(size) for size, _ in fit.points)),
            model.number(fit.slope),
            model.number(fit.r_squared, 3),
            model.percent(fit.rate(beyond.size), 2),
        )
        for name, one in study.measures.items()
        if (beyond := one.extrapolation) is not None and (answer := beyond.required_difference) is not None
        for fit in beyond.fits
        if abs(fit.start - answer) <= NEAR and fit.points
    )
    if not rows:
        return []
    heads = ("bin", "sizes", f"slope per {noun}", "R²", "rate fitted")
    columns = (Column("measure"), *(Column(head, numeric=head != "sizes") for head in heads))
    title = f"Extrapolation to {study.topics} {noun}s"
    caption = (
        f"{title}: log(swap rate) fitted linearly in the number of {noun}s, for the bins around the answer. "
        f"{_how(study, noun, 'the sizes named')}"
    )
    return [Table("fits", title, columns, rows, caption)]


def _discrimination(study: Reliability, noun: str) -> list[Section]:
    methods = dict.fromkeys(test.method for one in study.measures.values() for test in one.discrimination)
    made: list[Section] = []
    for method in methods:
        found = {
            name: test for name, one in study.measures.items() for test in one.discrimination if test.method == method
        }
        trials = next(iter(found.values())).trials
        named = METHODS.get(method, method)
        how = (
            f"{model.counted(study.pairs, 'pair')} of {len(study.runs)} runs, {study.topics} {noun}s, {trials} trials, "
            f"seed {study.seed}."
        )
        chart = charts.significance_curves(
            f"significance-{method}",
            {name: test.curve for name, test in found.items()},
            f"Achieved significance levels of all run pairs ({named}), smallest first. {how}",
            f"Curves of achieved significance level for {', '.join(found)}.",
        )
        columns = (
            Column("measure"),
            Column("p < .05", "share of pairs significant at .05", numeric=True),
            Column("p < .01", "share of pairs significant at .01", numeric=True),
            Column(
                "half separated from", "the difference from which half of the pairs are told apart at .05", numeric=True
            ),
        )
        rows = tuple(
            (
                model.text(name),
                model.percent(test.separated(0.05)),
                model.percent(test.separated(0.01)),
                model.number(test.half_difference(0.05)),
            )
            for name, test in found.items()
        )
        caption = f"The share of pairs of runs that the {named} separates on all {noun}s. {how}"
        table = Table(f"significance-table-{method}", f"Pairs told apart, {named}", columns, rows, caption)
        made.append(Section(f"significance-section-{method}", f"Discriminative power, {named}", (table, chart)))
    return made


def _conclusion(study: Reliability, noun: str) -> Section:
    notes = tuple(Note(sentence(study, one, noun)) for one in study.measures.values())
    return Section("reliability-conclusion", "What to believe", notes)


def sentence(study: Reliability, measure: MeasureStudy, noun: str = "topic") -> str:
    """What a person takes home about one measure."""
    from assay.studies.stability import REACH

    at, name = measure.at[-1], measure.name
    if at.swap is None:
        point = at.stability[AT]
        text = (
            f"With {at.size} {noun}s, {name} gets {point.minority_rate:.1%} of the comparisons wrong and calls "
            f"{point.ties:.1%} ties (f = 0.05)."
        )
    else:
        text = _believed(at, name, study.confidence, noun)
        beyond = measure.extrapolation
        if beyond is not None and beyond.required_difference is not None:
            text += f"; with your {beyond.size}, about {beyond.required_difference:.2f} (extrapolated)"
        elif beyond is None and study.topics > REACH * at.size:
            text += f"; your {study.topics} {noun}s are too many to extrapolate to from {at.size}, try a larger size"
        text += "."
    gap = measure.gap
    if gap is not None:
        # Sums of floating-point scores: what differs by less than this does not differ.
        shown = "are tied" if gap < 1e-12 else f"differ by {gap:.2f}" if gap >= 0.01 else f"differ by {gap:.2g}"
        text += f" Your best two runs ({measure.best[0][0]} and {measure.best[1][0]}) {shown}."
    return text


def _believed(at: AtSize, name: str, confidence: float, noun: str) -> str:
    found = None if at.swap is None else at.swap.required_difference
    if found is None:
        return (
            f"With {at.size} {noun}s, no {name} difference is large enough to believe at {100 * confidence:g}% confidence "
            "(measured)"
        )
    what = f"a difference in {name} of at least {found:.2f}" if found else f"any difference in {name}"
    return f"With {at.size} {noun}s, believe {what} (measured)"
