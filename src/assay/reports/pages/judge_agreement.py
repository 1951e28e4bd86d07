"""The pages of `assay agree`, the agreement of judges, and a section of a report."""

from __future__ import annotations

from collections import Counter

from assay.analyses.brief_numbers import number_of
from assay.analyses.judges.agree import Coefficient, JudgeAgreement, TwoJudges
from assay.analyses.judges.rankings import Move, TwoRankings
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts.runs import leaderboard_intervals
from assay.reports.model import Cell, Chart, Note, Section, Table, TableColumn, counted, numbers
from assay.reports.pages.page_parts import interval_domain

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
MAX_CONFUSION_TABLES = 3
MAX_LISTED_TOPICS = 10
MAX_LISTED_DISAGREEMENTS = 10
MAX_LISTED_PAIRS = 40
MAX_GRADES = 12
"""More grades make a confusion table unreadable."""


def sections(result: JudgeAgreement) -> list[Section]:
    """Return coefficients, pairs of judges, confusions, topics, disagreements, and the runs under each judge."""
    sections = [Section("agree-section", "Agreement beyond chance", tuple(_agreement(result)))]
    if result.rankings is not None:
        sections.append(Section("agree-rankings-section", "The runs under each judge", tuple(_rankings(result))))
    confused = [
        confusion_table(result, pair)
        for pair in result.pairs[:MAX_CONFUSION_TABLES]
        if pair.shared and len(result.labels) <= MAX_GRADES
    ]
    sections.append(
        Section("agree-where-section", "Where they differ", (*confused, *_topics(result), *_listed(result)))
    )
    return sections


def report_section(result: JudgeAgreement) -> Section:
    """Return everything as one section of a report."""
    blocks = tuple(block for section in sections(result) for block in section.blocks)
    return Section("judges-section", "Do the judges agree?", blocks)


def summary(result: JudgeAgreement) -> str:
    """Say how much the judges judged together."""
    first, *_ = result.pairs
    two = len(result.judges) == 2
    who = f"{first.first} and {first.second}" if two else f"{len(result.judges)} judges"
    together = (
        f"{result.shared:,} by both" if two else f"{result.by_all:,} by every judge, {result.shared:,} by two or more"
    )
    source = result.source
    text = (
        f"{who} judged {number_of(result.judged, source.noun)} of {number_of(result.topics, source.unit)} ({together})."
    )
    if result.coefficients["kappa"].value is None:
        return f"{text} Agreement beyond chance is undefined where one judge always gives the same grade."
    return text


def how_resampled(result: JudgeAgreement) -> str:
    """Say how the intervals were made; nothing where there are none."""
    trials = result.settings["resamples"]
    if not trials:
        return ""
    source = result.source
    units = f"{result.topics} {source.unit}s drawn {trials:,} times with all their {source.noun}s"
    drawn = f"{result.settings['confidence']:.0%} intervals: {units}"
    return f" {drawn}, seed {result.settings['seed']}."


def _agreement(result: JudgeAgreement) -> list[Note | Table | Chart]:
    blocks: list[Note | Table | Chart] = [
        Note(result.finding),
        Note(summary(result)),
        *(Note(f"{capitalised(line)}.") for line in result.notes),
    ]
    blocks.append(coefficient_table(result))
    if len(result.pairs) > 1:
        blocks += [*_chart(result), pair_table(result)]
    return blocks


def coefficient_table(result: JudgeAgreement) -> Table:
    """List every coefficient with its interval."""
    rows = tuple((model.text(title), _cell(result.coefficients[name])) for name, title in NAMES.items())
    shared = f"the {result.source.noun}s that both judged"
    missing = f"Kappas over {shared}"
    if len(result.pairs) > 1:
        reference = result.settings["reference"]
        which = (
            f"the {len(result.pairs)} judges with {reference}" if reference else f"{len(result.pairs)} pairs of judges"
        )
        missing = f"Kappas are means over {which}, each over {shared}"
    caption = f"{missing}; each of the other coefficients treats missing judgments differently.{_graded(result)}{how_resampled(result)}"
    value = TableColumn("Value", numeric=True, domain=interval_domain(cell for _, cell in rows))
    return Table("agree-coefficients", "Coefficients", (TableColumn("Coefficient"), value), rows, caption)


def capitalised(line: str) -> str:
    """Capitalise a sentence, unless it begins with a name."""
    return line[:1].upper() + line[1:] if line.startswith(("the ", "no ", "intervals ")) else line


def _graded(result: JudgeAgreement) -> str:
    at = result.settings["at"]
    return "" if at is None else f" Grades from {at} on count as relevant."


def _cell(coefficient: Coefficient, digits: int = 3) -> Cell:
    return model.interval(coefficient.value, coefficient.low, coefficient.high, digits)


def _best_first(result: JudgeAgreement) -> list[TwoJudges]:
    def below(pair: TwoJudges) -> float:
        kappa = pair.coefficients["kappa"].value
        return 2.0 if kappa is None else -kappa

    return sorted(result.pairs, key=below)


def _named(result: JudgeAgreement, pair: TwoJudges) -> str:
    return pair.second if result.settings["reference"] is not None else f"{pair.first} : {pair.second}"


def _pair_columns(result: JudgeAgreement) -> tuple[TableColumn, ...]:
    """Return the columns that name two judges, or one where all are compared with a reference."""
    names = ("First", "Second") if result.settings["reference"] is None else ("Judge",)
    return tuple(map(TableColumn, names))


def _pair_cells(result: JudgeAgreement, pair: TwoJudges | TwoRankings) -> tuple[Cell, ...]:
    names = (pair.first, pair.second) if result.settings["reference"] is None else (pair.second,)
    return tuple(map(model.text, names))


def _chart(result: JudgeAgreement) -> list[Chart]:
    """Draw each pair's kappa with its interval, unless there are too many."""
    if result.settings["reference"] is None and len(result.pairs) > MAX_LISTED_PAIRS:
        return []
    rows = [(_named(result, pair), pair.coefficients["kappa"], pair) for pair in _best_first(result)]
    drawn = [(name, kappa.value, kappa.low, kappa.high, "") for name, kappa, _ in rows if kappa.value is not None]
    if len(drawn) < 2:
        return []
    reference = result.settings["reference"]
    against = f"each judge with {reference}" if reference is not None else "each two judges"
    best, last = drawn[0], drawn[-1]
    alt = f"{len(drawn)} values with intervals, from {best[0]} at {best[1]:.3f} down to {last[0]} at {last[1]:.3f}."
    return [
        leaderboard_intervals(
            "agree-kappas",
            drawn,
            "Cohen's kappa",
            f"Cohen's kappa of {against}.{how_resampled(result)}",
            alt,
            better=True,
        )
    ]


def pair_table(result: JudgeAgreement) -> Table:
    """List the pairs of judges, best kappa first."""
    reference = result.settings["reference"]
    listed = _best_first(result)
    shown = (
        listed
        if len(listed) <= MAX_LISTED_PAIRS
        else [*listed[: MAX_LISTED_PAIRS // 2], *listed[-MAX_LISTED_PAIRS // 2 :]]
    )
    rows = tuple(
        (
            *_pair_cells(result, pair),
            model.count(pair.shared), *(model.number(pair.coefficients[name].value, 3) for name in SHORT),
        )
        for pair in shown
    )  # fmt: skip
    left = len(listed) - len(shown)
    caption = f"Best kappa first. Shared: {result.source.noun}s that both judged." + (
        f" The best and the worst {MAX_LISTED_PAIRS // 2}; JSON and CSV have {left} more." if left else ""
    )
    title = f"Each judge against {reference}" if reference is not None else "Each two judges"
    return Table(
        "agree-pairs",
        title,
        (*_pair_columns(result), *numbers("Shared", *SHORT.values())),
        rows,
        caption,
        sortable=True,
    )


def confusion_table(result: JudgeAgreement, pair: TwoJudges) -> Table:
    """Count the documents by the grades of two judges."""
    below = [sum(column) for column in zip(*pair.confusion, strict=True)]
    used = [i for i, row in enumerate(pair.confusion) if sum(row) or below[i]]
    columns = (TableColumn(f"{pair.first} ↓ {pair.second} →"), *numbers(*(result.labels[i] for i in used), "all"))
    rows = [model.cells(result.labels[i], *(pair.confusion[i][k] for k in used), sum(pair.confusion[i])) for i in used]
    rows.append(model.cells("all", *(below[k] for k in used), sum(below)))
    place = result.pairs.index(pair) + 1
    title = f"{pair.first} against {pair.second}"
    more = len(result.pairs) - MAX_CONFUSION_TABLES
    caption = f"{result.source.noun.capitalize()}s by the grade of {pair.first} (rows) and of {pair.second} (columns)."
    if place == MAX_CONFUSION_TABLES and more > 0:
        caption += f" JSON has this table of {counted(more, 'other pair')} of judges."
    return Table(f"agree-confusion-{place}", title, columns, tuple(rows), caption)


def _topics(result: JudgeAgreement) -> list[Table]:
    """List the topics on which the judges agree least."""
    source = result.source
    known = [topic for topic in result.per_topic if topic.shared]
    worst = sorted(known, key=lambda topic: topic.coefficients["raw"] or 0.0)[:MAX_LISTED_TOPICS]
    if len(known) < 2 or all(topic.shared == 1 for topic in known):
        return []
    names = [
        name for name in SHORT if name in worst[0].coefficients and name not in ("kappa_linear", "kappa_quadratic")
    ]
    rows = tuple(
        (
            model.text(topic.topic), model.count(topic.shared), model.count(topic.differing),
            *(model.number(topic.coefficients[name], 3) for name in names),
        )
        for topic in worst
    )  # fmt: skip
    shown = (
        f"The {len(worst)} of {len(known)} {source.unit}s with the lowest raw agreement; JSON has all."
        if len(worst) < len(known)
        else "Lowest raw agreement first."
    )
    caption = f"{shown} Shared: {source.noun}s that two or more judges judged. Differ: those they grade differently."
    columns = (TableColumn(source.unit.capitalize()), *numbers("Shared", "Differ", *(SHORT[name] for name in names)))
    return [Table("agree-topics", f"{source.unit.capitalize()}s with the least agreement", columns, rows, caption)]


def _listed(result: JudgeAgreement) -> list[Table | Note]:
    if not result.disagreements:
        return [Note(f"The judges differ on no {result.source.noun}.")]
    shown = result.disagreements[:MAX_LISTED_DISAGREEMENTS]
    rows = tuple(
        model.cells(disagreement.topic, disagreement.document, _grades(disagreement.grades)) for disagreement in shown
    )
    total = len(result.disagreements)
    order = "the widest first" if shown[0].apart is not None else "in the order of the judgments"
    caption = f"{counted(total, result.source.noun)} to decide, {order}" + (
        f"; the first {len(shown)}" if len(shown) < total else ""
    )
    source = result.source
    second = "Run" if source.unit == "question" else source.noun.capitalize()
    names = (source.unit.capitalize(), second, "Grades")
    return [Table("agree-disagreements", "Disagreements", tuple(map(TableColumn, names)), rows, f"{caption}.")]


def _grades(grades: dict[str, str]) -> str:
    if len(grades) <= 4:
        return ", ".join(f"{judge} {grade}" for judge, grade in grades.items())
    counts = Counter(grades.values())
    return ", ".join(f"{counts[grade]} × {grade}" for grade in sorted(counts))


def _rankings(result: JudgeAgreement) -> list[Note | Table]:
    rankings = result.rankings
    assert rankings is not None
    blocks: list[Note | Table] = []
    if len(rankings.pairs) == 1:
        blocks.append(Note(ranking_sentence(rankings.pairs[0], rankings.measure)))
    blocks.append(ranking_table(result))
    return blocks if len(rankings.scores) > MAX_LISTED_DISAGREEMENTS else [*blocks, _scores(result)]


def ranking_table(result: JudgeAgreement) -> Table:
    """List how the rankings under two judges differ: a row per pair of judges."""
    rankings = result.rankings
    assert rankings is not None
    shown = rankings.pairs[:MAX_LISTED_PAIRS]
    rows = tuple(
        (
            *_pair_cells(result, pair),
            model.number(pair.tau_b, 3), model.number(pair.tau_ap, 3), model.number(pair.rbo, 3),
            model.text(_move(pair.rise)), model.text(_move(pair.fall)), model.text(f"{pair.significant[0]} / {pair.significant[1]}"),
            model.count(pair.kept), model.count(pair.undecided), model.count(pair.turned), model.count(pair.reversed),
        )
        for pair in shown
    )  # fmt: skip
    runs, pairs = rankings.pairs[0].runs, rankings.pairs[0].compared
    left = len(rankings.pairs) - len(shown)
    caption = (
        f"{counted(runs, 'run')} by {in_words(rankings.measure)} on the {rankings.judged} documents "
        f"of {counted(rankings.topics, 'topic')} that all "
        f"judges judged; tau-AP with the first judge as its reference; the largest rise and fall. Signif.: pairs of runs, "
        f"of {pairs}, that are significant under the first and under the second judge ({rankings.correct}). Of these, Kept: under "
        "both, with the same winner; Open: not under one of them; Turned: another winner, not significantly; Reversed: another winner, "
        "significantly." + (f" JSON has {left} more." if left else "")
    )
    columns = (
        *_pair_columns(result), *numbers("tau-b", "tau-AP", "RBO"), TableColumn("Rise"), TableColumn("Fall"),
        *numbers("Signif.", "Kept", "Open", "Turned", "Reversed"),
    )  # fmt: skip
    return Table("agree-rankings", "Rankings", columns, rows, caption)


def _scores(result: JudgeAgreement) -> Table:
    rankings = result.rankings
    assert rankings is not None
    first = result.settings["reference"] or next(iter(rankings.scores))
    order = list(rankings.scores[first])
    rows = tuple(
        (model.text(run), *(model.number(runs.get(run)) for runs in rankings.scores.values())) for run in order
    )
    columns = (TableColumn("Run"), *numbers(*rankings.scores))
    return Table(
        "agree-scores",
        f"{in_words(rankings.measure)} under each judge",
        columns,
        rows,
        f"Every run under every judge, best under {first} first.",
    )


def ranking_sentence(pair: TwoRankings, measure: str) -> str:
    """Say how the ranking of the runs changes if the second judge decides."""
    alike = model.number(pair.tau_b, 3).text
    moves = [
        f"{move.run} {verb} from {move.before} to {move.after}"
        for verb, move in (("rises", pair.rise), ("falls", pair.fall))
        if move
    ]
    text = f"The rankings of {pair.runs} runs by {in_words(measure)} under {pair.first} and {pair.second} have a tau-b of {alike}"
    return f"{text}; under {pair.second} {', '.join(moves)}." if moves else f"{text}; no run changes its place."


def _move(move: Move | None) -> str:
    return "none" if move is None else f"{move.run} {move.before} → {move.after}"
