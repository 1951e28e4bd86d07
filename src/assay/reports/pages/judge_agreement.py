"""Do the judges agree: what `assay agree` prints, and a page of it."""

from __future__ import annotations

from assay.analyses.judges.rankings import Move, TwoRankings
from assay.analyses.judges.result import Coefficient, JudgeAgreement, TwoJudges
from assay.reports import model
from assay.reports.charts.runs import leaderboard_intervals
from assay.reports.model import Cell, Chart, Note, Section, Table, TableColumn, counted, numbers

NAMES = {
    "raw": "raw agreement", "kappa": "Cohen's kappa", "kappa_linear": "kappa, linear weights",
    "kappa_quadratic": "kappa, quadratic weights", "fleiss": "Fleiss' kappa", "AC1": "Gwet's AC1",
    "alpha": "Krippendorff's alpha, nominal", "alpha_ordinal": "alpha, ordinal", "alpha_interval": "alpha, interval",
}  # fmt: skip
SHORT = {
    "raw": "Raw",
    "kappa": "Kappa",
    "kappa_linear": "linear",
    "kappa_quadratic": "quadratic",
    "AC1": "AC1",
    "alpha": "Alpha",
    "alpha_ordinal": "ordinal",
}
MOST_CONFUSIONS = 3
MOST_TOPICS = 10
MOST_LISTED = 10
MOST_PAIRS = 40
MOST_LABELS = 12
"""Grades beyond which a table of who gave which is no longer read."""


def sections(found: JudgeAgreement) -> list[Section]:
    """The coefficients, each two judges, who confuses which grades, the topics, what is to be decided, and the runs."""
    made = [Section("agree-section", "Agreement beyond chance", tuple(_agreement(found)))]
    if found.rankings is not None:
        made.append(Section("agree-rankings-section", "The runs under each judge", tuple(_rankings(found))))
    confused = [
        _confusion(found, one)
        for one in found.pairs[:MOST_CONFUSIONS]
        if one.shared and len(found.labels) <= MOST_LABELS
    ]
    made.append(Section("agree-where-section", "Where they differ", (*confused, *_topics(found), *_listed(found))))
    return made


def report_section(found: JudgeAgreement) -> Section:
    """All of it as one section of a report."""
    blocks = tuple(block for section in sections(found) for block in section.blocks)
    return Section("judges-section", "Do the judges agree?", blocks)


def summary(found: JudgeAgreement) -> str:
    """Who judged what together, and how much of it alike."""
    first, *_ = found.pairs
    raw, alpha = found.coefficients["raw"], found.coefficients["alpha"]
    two = len(found.judges) == 2
    who = f"{first.first} and {first.second}" if two else f"{len(found.judges)} judges"
    together = f"{found.shared} by both" if two else f"{found.by_all} by every judge, {found.shared} by two or more"
    text = f"{who} judged {counted(found.judged, 'document')} of {counted(found.topics, 'topic')} ({together})"
    text += f", and two judgments of one document are the same in {_percent(raw)} of cases."
    kappa = found.coefficients["kappa"]
    if kappa.value is None:
        return f"{text} What is beyond chance is undefined: where one judge always gives the same grade, chance explains everything."
    of = "mean kappa" if len(found.pairs) > 1 else "kappa"
    beyond = f"{of} {kappa.value:.3f}{_range(kappa)}"
    return f"{text} Beyond what chance would give: {beyond}, alpha {_value(alpha)}{_range(alpha)}."


def _percent(one: Coefficient) -> str:
    return "n/a" if one.value is None else f"{100 * one.value:.1f}%"


def _value(one: Coefficient) -> str:
    return "n/a" if one.value is None else f"{one.value:.3f}"


def _range(one: Coefficient) -> str:
    return "" if one.low is None or one.high is None else f" [{one.low:.3f}, {one.high:.3f}]"


def _how(found: JudgeAgreement) -> str:
    trials = found.settings["resamples"]
    if not trials:
        return ""
    drawn = f"{found.settings['confidence']:.0%} intervals: {found.topics} topics drawn {trials:,} times with all their documents"
    return f" {drawn}, seed {found.settings['seed']}."


def _agreement(found: JudgeAgreement) -> list[Note | Table | Chart]:
    blocks: list[Note | Table | Chart] = [
        Note(summary(found)),
        *(Note(f"{_begun(line)}.") for line in found.notes),
    ]
    rows = tuple((model.text(title), _cell(found.coefficients[name])) for name, title in NAMES.items())
    missing = "Kappas over the documents that both judged"
    if len(found.pairs) > 1:
        reference = found.settings["reference"]
        which = (
            f"the {len(found.pairs)} judges with {reference}" if reference else f"{len(found.pairs)} pairs of judges"
        )
        missing = f"Kappas are means over {which}, each over the documents that both judged"
    caption = f"{missing}; the others with judgments missing as each defines it.{_graded(found)}{_how(found)}"
    ends = [end for one in found.coefficients.values() for end in (one.low, one.high) if end is not None]
    value = TableColumn("Value", numeric=True, domain=(min(ends), max(ends)) if len(set(ends)) > 1 else None)
    blocks.append(Table("agree-coefficients", "Coefficients", (TableColumn("Coefficient"), value), rows, caption))
    if len(found.pairs) > 1:
        blocks += [*_chart(found), _pairs(found)]
    return blocks


def _begun(line: str) -> str:
    """A sentence with its capital; one that begins with the name of a file or a judge keeps that as it is."""
    return line[:1].upper() + line[1:] if line.startswith(("the ", "one ")) else line


def _graded(found: JudgeAgreement) -> str:
    at = found.settings["at"]
    return "" if at is None else f" Grades from {at} on count as relevant."


def _cell(one: Coefficient, digits: int = 3) -> Cell:
    return model.interval(one.value, one.low, one.high, digits)


def _best_first(found: JudgeAgreement) -> list[TwoJudges]:
    def below(one: TwoJudges) -> float:
        kappa = one.coefficients["kappa"].value
        return 2.0 if kappa is None else -kappa

    return sorted(found.pairs, key=below)


def _named(found: JudgeAgreement, one: TwoJudges) -> str:
    return one.second if found.settings["reference"] is not None else f"{one.first} : {one.second}"


def _chart(found: JudgeAgreement) -> list[Chart]:
    """Each pair's kappa with its interval; none where it would be a wall."""
    if found.settings["reference"] is None and len(found.pairs) > MOST_PAIRS:
        return []
    rows = [(_named(found, one), one.coefficients["kappa"], one) for one in _best_first(found)]
    drawn = [(name, kappa.value, kappa.low, kappa.high, "") for name, kappa, _ in rows if kappa.value is not None]
    if len(drawn) < 2:
        return []
    reference = found.settings["reference"]
    against = f"each judge with {reference}" if reference is not None else "each two judges"
    best, last = drawn[0], drawn[-1]
    alt = f"{len(drawn)} values with intervals, from {best[0]} at {best[1]:.3f} down to {last[0]} at {last[1]:.3f}."
    return [
        leaderboard_intervals("agree-kappas", drawn, "Cohen's kappa", f"Cohen's kappa of {against}.{_how(found)}", alt)
    ]


def _pairs(found: JudgeAgreement) -> Table:
    reference = found.settings["reference"]
    named = (TableColumn("Judge"),) if reference is not None else (TableColumn("First"), TableColumn("Second"))
    listed = _best_first(found)
    shown = listed if len(listed) <= MOST_PAIRS else [*listed[: MOST_PAIRS // 2], *listed[-MOST_PAIRS // 2 :]]
    rows = tuple(
        (
            *((model.text(one.second),) if reference is not None else (model.text(one.first), model.text(one.second))),
            model.count(one.shared), *(model.number(one.coefficients[name].value, 3) for name in SHORT),
        )
        for one in shown
    )  # fmt: skip
    left = len(listed) - len(shown)
    caption = "Best kappa first; Shared are the documents that both judged." + (
        f" The best and the worst {MOST_PAIRS // 2}; JSON and CSV have {left} more." if left else ""
    )
    title = f"Each judge against {reference}" if reference is not None else "Each two judges"
    return Table("agree-pairs", title, (*named, *numbers("Shared", *SHORT.values())), rows, caption, sortable=True)


def _confusion(found: JudgeAgreement, one: TwoJudges) -> Table:
    below = [sum(column) for column in zip(*one.confusion, strict=True)]
    used = [i for i, row in enumerate(one.confusion) if sum(row) or below[i]]
    columns = (TableColumn(f"{one.first} ↓ {one.second} →"), *numbers(*(found.labels[i] for i in used), "all"))
    rows = [
        (
            model.text(found.labels[i]),
            *(model.count(one.confusion[i][k]) for k in used),
            model.count(sum(one.confusion[i])),
        )
        for i in used
    ]
    rows.append((model.text("all"), *(model.count(below[k]) for k in used), model.count(sum(below))))
    place = found.pairs.index(one) + 1
    title = f"{one.first} against {one.second}"
    more = len(found.pairs) - MOST_CONFUSIONS
    caption = f"Documents by the grade of {one.first} (rows) and of {one.second} (columns)."
    if place == MOST_CONFUSIONS and more > 0:
        caption += f" JSON has this table of {counted(more, 'other pair')} of judges."
    return Table(f"agree-confusion-{place}", title, columns, tuple(rows), caption)


def _topics(found: JudgeAgreement) -> list[Table]:
    """The topics on which they agree least."""
    known = [one for one in found.per_topic if one.shared]
    worst = sorted(known, key=lambda one: one.coefficients["raw"] or 0.0)[:MOST_TOPICS]
    if len(known) < 2:
        return []
    names = [
        name for name in SHORT if name in worst[0].coefficients and name not in ("kappa_linear", "kappa_quadratic")
    ]
    rows = tuple(
        (
            model.text(one.topic), model.count(one.shared), model.count(one.differing),
            *(model.number(one.coefficients[name], 3) for name in names),
        )
        for one in worst
    )  # fmt: skip
    shown = (
        f"The {len(worst)} of {len(known)} topics with the lowest raw agreement; JSON has all."
        if len(worst) < len(known)
        else "Lowest raw agreement first."
    )
    caption = f"{shown} Shared are the documents that two judges or more judged, Differ those they grade differently."
    columns = (TableColumn("Topic"), *numbers("Shared", "Differ", *(SHORT[name] for name in names)))
    return [Table("agree-topics", "Topics they agree on least", columns, rows, caption)]


def _listed(found: JudgeAgreement) -> list[Table | Note]:
    if not found.disagreements:
        return [Note("The judges differ on no document.")]
    shown = found.disagreements[:MOST_LISTED]
    rows = tuple((model.text(one.topic), model.text(one.document), model.text(_said(one.grades))) for one in shown)
    total = len(found.disagreements)
    order = "the widest first" if shown[0].apart is not None else "in the order of the judgments"
    caption = f"{counted(total, 'document')} to decide, {order}" + (
        f"; the first {len(shown)}" if len(shown) < total else ""
    )
    columns = (TableColumn("Topic"), TableColumn("Document"), TableColumn("Grades"))
    return [Table("agree-disagreements", "Disagreements", columns, rows, f"{caption}.")]


def _said(grades: dict[str, str]) -> str:
    if len(grades) <= 4:
        return ", ".join(f"{judge} {grade}" for judge, grade in grades.items())
    given = list(grades.values())
    return ", ".join(f"{given.count(grade)} × {grade}" for grade in dict.fromkeys(sorted(given)))


def _rankings(found: JudgeAgreement) -> list[Note | Table]:
    rankings = found.rankings
    assert rankings is not None
    blocks: list[Note | Table] = []
    if len(rankings.pairs) == 1:
        blocks.append(Note(ranking_sentence(rankings.pairs[0], rankings.measure)))
    reference = found.settings["reference"]
    named = (TableColumn("Judge"),) if reference is not None else (TableColumn("First"), TableColumn("Second"))
    shown = rankings.pairs[:MOST_PAIRS]
    rows = tuple(
        (
            *((model.text(one.second),) if reference is not None else (model.text(one.first), model.text(one.second))),
            model.number(one.tau_b, 3), model.number(one.tau_ap, 3), model.number(one.rbo, 3),
            model.text(_move(one.rise)), model.text(_move(one.fall)), model.text(f"{one.significant[0]} / {one.significant[1]}"),
            model.count(one.kept), model.count(one.undecided), model.count(one.turned), model.count(one.reversed),
        )
        for one in shown
    )  # fmt: skip
    runs, pairs = rankings.pairs[0].runs, rankings.pairs[0].compared
    left = len(rankings.pairs) - len(shown)
    caption = (
        f"{counted(runs, 'run')} by {rankings.measure} on the {rankings.judged} documents of {counted(rankings.topics, 'topic')} that all "
        f"judges judged; tau-AP with the first judge as its reference; the largest rise and fall. Of {counted(pairs, 'pair')} of runs: "
        f"significant under the first and the second judge ({rankings.correct}); of these, kept under both with the same winner, open "
        "under one of them, turned to the other winner but not significantly, reversed significantly."
        + (f" JSON has {left} more." if left else "")
    )
    columns = (
        *named, *numbers("tau-b", "tau-AP", "RBO"), TableColumn("Rise"), TableColumn("Fall"),
        *numbers("Signif.", "Kept", "Open", "Turned", "Reversed"),
    )  # fmt: skip
    blocks.append(Table("agree-rankings", "Rankings", columns, rows, caption))
    return blocks if len(rankings.scores) > MOST_LISTED else [*blocks, _scores(found)]


def _scores(found: JudgeAgreement) -> Table:
    rankings = found.rankings
    assert rankings is not None
    first = found.settings["reference"] or next(iter(rankings.scores))
    order = [run for run, _ in rankings.scores[first].items()]
    rows = tuple(
        (model.text(run), *(model.number(runs.get(run)) for runs in rankings.scores.values())) for run in order
    )
    columns = (TableColumn("Run"), *numbers(*rankings.scores))
    return Table(
        "agree-scores",
        f"{rankings.measure} under each judge",
        columns,
        rows,
        f"Every run under every judge, best under {first} first.",
    )


def ranking_sentence(one: TwoRankings, measure: str) -> str:
    """What becomes of the runs if the second judge decides."""
    alike = "n/a" if one.tau_b is None else f"{one.tau_b:.3f}"
    lost = one.turned + one.reversed
    moves = [
        f"{move.run} {verb} from {move.before} to {move.after}"
        for verb, move in (("rises", one.rise), ("falls", one.fall))
        if move
    ]
    text = f"By {measure}, the {one.runs} runs rank under {one.second} as under {one.first} with tau-b {alike}"
    text += f"; {', '.join(moves)}." if moves else "; no run changes its place."
    either = one.kept + one.undecided + lost
    if not either:
        return f"{text} No pair of runs differs significantly under either judge."
    pairs = f"Of {counted(either, 'pair')} of runs that differ significantly under a judge, {lost} {'changes' if lost == 1 else 'change'}"
    return f"{text} {pairs} the winner under the other, {one.reversed} of them significantly."


def _move(move: Move | None) -> str:
    return "none" if move is None else f"{move.run} {move.before} → {move.after}"
