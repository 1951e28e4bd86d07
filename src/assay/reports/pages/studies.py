"""Studies of the evaluation itself: how stable each measure is, which difference to believe, what tests tell apart.

The curves of Voorhees and Buckley (2002), Sakai (2006), and Peñas and Rodrigo (ACL 2011), with their tables.
"""

from __future__ import annotations

from assay.analyses.reliability.reliability import FEWEST_PAIRS, MeasureStudy, Reliability, SizeResult
from assay.reports import model
from assay.reports.charts import reliability as charts
from assay.reports.model import Block, Note, Section, Table, TableColumn, averaged, numbers
from assay.stats.extrapolation import INTERVAL_CONFIDENCE, REACH, Extrapolation

METHODS = {"tukey": "randomised Tukey HSD", "bootstrap": "paired bootstrap"}
AT = 4
"""The place of fuzziness .05 on the curve."""
NEAR = 0.021
"""Fits this close to the answer are shown: two bins on either side."""


def reliability_sections(study: Reliability) -> list[Section]:
    """Stability at the largest size, swaps, discriminative power where it was computed, and what to take home."""
    sentences = [_sentence(study, one) for one in study.measures.values()]
    if any(one.at[-1].swap for one in study.measures.values()) and not study.too_few_pairs:
        sentences.insert(0, f"A difference to believe is {repeating(study.noun)}.")
    conclusion = Section("reliability-conclusion", "What to believe", tuple(map(Note, sentences)))
    found = [_stability(study), _swaps(study), *_discrimination(study), conclusion]
    return [section for section in found if section is not None]


def repeating(noun: str) -> str:
    """What the swap method's difference says, in the words that stand wherever it is printed."""
    return f"a statement about repeating the comparison on another set of {noun}s of this size"


def _too_few(study: Reliability, at: SizeResult, measure: str) -> str:
    """Why there is no advice."""
    pairs = f"{model.counted(study.pairs, 'pair')} of {len(study.runs)} runs, fewer than {FEWEST_PAIRS}"
    return f"With {at.size} {study.noun}s, too few pairs to advise which difference in {measure} to believe ({pairs})."


def required_difference(study: Reliability, measure: str, among: int) -> str:
    """What the leaderboard says of a difference to believe: on these topics, and on another set of as many.

    What was measured is said of the largest sets that share no topic, half of them; the topics there are need an extrapolation.

    among   topics of the campaign; the study leaves those out that some run has no value on
    """
    one = study.measures[measure]
    at = one.at[-1]
    if at.swap is None:
        return ""
    return f"{_critical(study, one, among)} {_repeated(study, at, one)}".strip()


def _critical(study: Reliability, measure: MeasureStudy, among: int) -> str:
    found = measure.critical
    if found is None:
        return ""
    many = f", or by about {found.together:.2g} where all {study.pairs} pairs are tested" if study.pairs > 1 else ""
    return (
        f"The critical difference: {_on(study, among)}, two runs are told apart that differ by about "
        f"{found.alone:.2g} in {measure.name}{many} (a statement about this set; median over the pairs)."
    )


def _on(study: Reliability, among: int) -> str:
    if study.topics == among:
        return f"on these {among} {study.noun}s"
    return f"on the {study.topics:,} of {among:,} {study.noun}s on which every run has a value"


def _repeated(study: Reliability, at: SizeResult, measure: MeasureStudy) -> str:
    """The swap method's answer, for as many topics as there are where it reaches so far."""
    swap, level, beyond = at.swap, f"{study.confidence:.0%}", measure.extrapolation
    assert swap is not None
    if study.too_few_pairs:
        return _too_few(study, at, measure.name)
    found = swap.required_difference_stays
    measured = f"on two sets of {at.size} {study.noun}s"
    how = f"(swap method, {study.trials} trials, seed {study.seed})"
    if found is None:
        said = f"no difference seen {measured} stays the same way round at {level} confidence"
    else:
        said = f"a difference of at least {found:.2f} stays the same way round at {level} confidence {measured}"
    if beyond is None:
        return f"The believable difference, {repeating(study.noun)}: {said} {how}."
    about = (
        "none up to 0.20 would"
        if beyond.required_difference is None
        else f"about {beyond.required_difference:.2f} would"
    )
    trust = f", {INTERVAL_CONFIDENCE:.0%} interval {_ends(beyond)}" if beyond.interval is not None else ""
    return (
        f"The believable difference, {repeating(study.noun)}: with {beyond.size} {study.noun}s {about} stay the same way "
        f"round (extrapolated{trust}); measured, {said} {how}."
    )


def _how(study: Reliability, sizes: str) -> str:
    return (
        f"{len(study.runs)} runs, {model.counted(study.pairs, 'pair')}, random subsets of {sizes} of {study.topics} "
        f"{study.noun}s, {study.trials} trials, seed {study.seed}."
    )


def _stability(study: Reliability) -> Section:
    size = study.sizes[-1]
    found = {name: one.at[-1].stability for name, one in study.measures.items()}
    how = _how(study, str(size))
    chart = charts.stability_curves(
        f"stability-{size}",
        {name: [(p.fuzziness, p.minority_rate, p.ties) for p in points] for name, points in found.items()},
        f"How often a subset of the {study.noun}s ranks two runs against the majority of subsets, and how often it "
        f"cannot tell them apart, for fuzziness 0.01 to 0.10. Low and left is better; the line marks 1%. {how}",
        f"Curves of minority rate against proportion of ties for {', '.join(found)}.",
    )
    columns = numbers("fuzziness", *(head for name in found for head in (f"{name} minority", f"{name} ties")))
    rows = tuple(
        (
            model.number(points[0].fuzziness, 2),
            *(cell for p in points for cell in (model.percent(p.minority_rate, 2), model.percent(p.ties, 2))),
        )
        for points in zip(*found.values(), strict=True)
    )
    title = f"Minority rate and proportion of ties on {size} {study.noun}s"
    table = Table(f"stability-table-{size}", title, columns, rows, f"{title}. {how}")
    blocks = averaged(table), averaged(chart)
    return Section(f"stability-section-{size}", f"Stability with {size} {study.noun}s", blocks)


def _swaps(study: Reliability) -> Section | None:
    size = study.sizes[-1]
    last = {name: one.at[-1].swap for name, one in study.measures.items()}
    curves = {name: [(b.start, b.rate, b.comparisons) for b in swap.bins] for name, swap in last.items() if swap}
    if not curves:
        return None
    blocks: list[Block] = [
        averaged(_swap_table(study)),
        charts.swap_curves(
            f"swap-{size}",
            curves,
            f"How often a second set of {study.noun}s contradicts the first, by the difference seen on the first. The line "
            f"marks {1 - study.confidence:.0%}. {_how(study, str(size))}",
            f"Curves of swap rate against difference for {', '.join(curves)}.",
            level=1 - study.confidence,
        ),
        *_over_sizes(study),
        *_fits(study),
    ]
    return Section(f"swap-section-{size}", f"Swaps with {size} {study.noun}s", tuple(blocks))


def _swap_table(study: Reliability) -> Table:
    """What a difference must be, and how many comparisons reach it: a row per measure and size."""
    several = len(study.sizes) > 1
    beyond = not study.too_few_pairs and any(one.extrapolation for one in study.measures.values())
    rows = tuple(
        (
            model.text(name),
            *([model.count(at.size)] if several else []),
            model.number(swap.required_difference_stays, 2),
            model.number(swap.required_difference, 2),
            model.number(swap.highest),
            model.percent(swap.relative),
            model.percent(swap.sensitivity),
            *(_extrapolated(one, at) if beyond else []),
        )
        for name, one in study.measures.items()
        for at in one.at
        if (swap := at.swap) is not None
    )
    columns = [
        TableColumn("measure"),
        *(numbers(f"{study.noun}s") if several else ()),
        TableColumn(
            "stays from",
            "lower edge of the first bin from which every bin is within the error allowed: what to believe",
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
    if study.too_few_pairs:
        title = f"Swap rates at {100 * study.confidence:g}% confidence: too few pairs to advise"
    how = _how(study, ", ".join(map(str, study.sizes)))
    far = (
        f"; extrapolated to all {study.topics} {study.noun}s, with its {INTERVAL_CONFIDENCE:.0%} interval"
        if beyond
        else ""
    )
    caption = f"{title}, {repeating(study.noun)}, and how many comparisons reach it ({study.rule} rule){far}. {how}"
    return Table(f"swap-table-{study.sizes[-1]}", title, tuple(columns), rows, caption)


def _extrapolated(one: MeasureStudy, at: SizeResult) -> list[model.Cell]:
    found = one.extrapolation
    if found is None or at is not one.at[-1]:
        return [model.text(""), model.text("")]
    return [model.number(found.required_difference, 2), model.text(_ends(found))]


def _ends(found: Extrapolation) -> str:
    """The interval in words; an end that no difference up to .20 reaches is none."""
    if found.interval is None:
        return model.NOT_AVAILABLE
    low, high = ("none" if end is None else f"{end:.2f}" for end in found.interval)
    return f"{low} to {high}"


def _over_sizes(study: Reliability) -> list[Block]:
    if len(study.sizes) < 2 or study.too_few_pairs:
        return []
    curves = {
        name: [
            (at.size, at.swap.required_difference_stays)
            for at in one.at
            if at.swap and at.swap.required_difference_stays is not None
        ]
        for name, one in study.measures.items()
    }
    said = f"The difference to believe at {100 * study.confidence:g}% confidence, {repeating(study.noun)}"
    how = _how(study, ", ".join(map(str, study.sizes)))
    alt = f"Curves of the difference to believe against {study.noun}s for {', '.join(curves)}."
    return [charts.size_curves("sizes", curves, study.noun, f"{said}, by the number of {study.noun}s. {how}", alt)]


def _fits(study: Reliability) -> list[Block]:
    """Each extrapolation's curve beside what was measured at the largest size, for the bins around the answer."""
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
        for name, one in study.measures.items()
        if (beyond := one.extrapolation) is not None and (answer := beyond.required_difference) is not None
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


def _discrimination(study: Reliability) -> list[Section]:
    methods = dict.fromkeys(test.method for one in study.measures.values() for test in one.discrimination)
    made: list[Section] = []
    for method in methods:
        found = {
            name: test for name, one in study.measures.items() for test in one.discrimination if test.method == method
        }
        trials = next(iter(found.values())).trials
        named = METHODS.get(method, method)
        how = (
            f"{model.counted(study.pairs, 'pair')} of {len(study.runs)} runs, {study.topics} {study.noun}s, {trials} "
            f"trials, seed {study.seed}."
        )
        chart = charts.significance_curves(
            f"significance-{method}",
            {name: test.curve for name, test in found.items()},
            f"Achieved significance levels of all run pairs ({named}), smallest first. {how}",
            f"Curves of achieved significance level for {', '.join(found)}.",
        )
        half = "the difference from which half of the pairs are told apart at .05"
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
            for name, test in found.items()
        )
        caption = f"The share of pairs of runs that the {named} separates on all {study.noun}s. {how}"
        table = Table(f"significance-table-{method}", f"Pairs told apart, {named}", columns, rows, caption)
        made.append(Section(f"significance-section-{method}", f"Discriminative power, {named}", (table, chart)))
    return made


def _sentence(study: Reliability, measure: MeasureStudy) -> str:
    """What a person takes home about one measure."""
    at, name = measure.at[-1], measure.name
    if at.swap is None:
        point = at.stability[AT]
        text = (
            f"With {at.size} {study.noun}s, {name} gets {point.minority_rate:.1%} of the comparisons wrong and calls "
            f"{point.ties:.1%} ties (f = 0.05)."
        )
    elif study.too_few_pairs:
        text = _too_few(study, at, name)
    else:
        text = _believed(study, at, name)
        beyond = measure.extrapolation
        if beyond is not None:
            text += _further(beyond)
        elif beyond is None and study.topics > REACH * at.size:
            text += (
                f"; your {study.topics} {study.noun}s are too many to extrapolate to from {at.size}, try a larger size"
            )
        text += "."
    text += _told_apart(study, measure)
    gap = measure.gap
    if gap is not None:
        # Sums of floating-point scores: what differs by less than this does not differ.
        shown = "are tied" if gap < 1e-12 else f"differ by {gap:.2f}" if gap >= 0.01 else f"differ by {gap:.2g}"
        text += f" Your best two runs ({measure.best[0][0]} and {measure.best[1][0]}) {shown}."
    return text


def _told_apart(study: Reliability, measure: MeasureStudy) -> str:
    """What a test says beside it, about this set and no other."""
    found = measure.critical
    if found is None:
        return ""
    text = (
        f" On these {study.topics} {study.noun}s themselves, runs that differ by about {found.alone:.2g} are told apart"
    )
    if study.pairs > 1:
        text += f" as a pair by itself, and by about {found.together:.2g} where all {study.pairs} pairs are tested"
    return text + " (assay compare, a statement about this set; median over the pairs)."


def _further(found: Extrapolation) -> str:
    """The extrapolation, with what it is worth."""
    about = "none up to 0.20" if found.required_difference is None else f"about {found.required_difference:.2f}"
    trust = f", {INTERVAL_CONFIDENCE:.0%} interval {_ends(found)}" if found.interval is not None else ""
    return f"; with your {found.size}, {about} (extrapolated{trust})"


def _believed(study: Reliability, at: SizeResult, name: str) -> str:
    found = None if at.swap is None else at.swap.required_difference_stays
    if found is None:
        return (
            f"With {at.size} {study.noun}s, no {name} difference is large enough to believe at "
            f"{100 * study.confidence:g}% confidence (measured)"
        )
    what = f"a difference in {name} of at least {found:.2f}" if found else f"any difference in {name}"
    return f"With {at.size} {study.noun}s, believe {what} (measured)"
