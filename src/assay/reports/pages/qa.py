"""The pages of ranked answers: summary, and the histogram of ranks against the median run."""

from __future__ import annotations

from assay.analyses.campaign.result import CampaignResults
from assay.figures.questions import Histogram, MedianRun, QaFigures, QaRunFigures, QaSide
from assay.reports import model
from assay.reports.charts.tracks import rank_histogram
from assay.reports.model import BlockRow, Cell, Chart, RunPage, Table, numbers
from assay.reports.pages.page_parts import DIGITS, facts, page_id, page_of, rank_cell, topic_section, topic_table


def run_page(figures: QaFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    graphs = (
        _graph(f"{prefix}-strict", "strict", run, run.strict, figures.median_strict, campaign),
        _graph(f"{prefix}-lenient", "lenient", run, run.lenient, figures.median_lenient, campaign),
    )
    ranks = topic_section(campaign, position, _ranks(prefix, figures, run, campaign))
    return page_of(campaign, position, [_table(prefix, run, campaign.method), BlockRow(graphs)], ranks)


def _table(prefix: str, run: QaRunFigures, how: str) -> Table:
    def share(percent: float | None) -> Cell:
        hint = "" if percent is not None else "the run does not say which answers it is confident about"
        return model.percent(None if percent is None else percent / 100, 0, hint=hint)

    def ratio(value: float | None, undefined: str) -> Cell:
        return model.number(value, DIGITS, hint=undefined if value is None else "")

    rows: tuple[tuple[str, Cell], ...] = (
        ("Run ID", model.text(run.run)),
        ("Num questions", model.count(run.questions)),
        ("Mean reciprocal rank (strict)", model.number(run.strict.mean_reciprocal_rank, DIGITS)),
        ("Mean reciprocal rank (lenient)", model.number(run.lenient.mean_reciprocal_rank, DIGITS)),
        ("Num answers not found (strict)", model.share(run.strict.not_found.count, run.questions)),
        ("Num answers not found (lenient)", model.share(run.lenient.not_found.count, run.questions)),
        ("Number of times NIL returned", model.count(run.nil_returned)),
        ("Number of times NIL correctly returned", model.count(run.nil_correctly_returned)),
        ("NIL precision", ratio(run.nil_precision, "the run never returns NIL")),
        ("NIL recall", ratio(run.nil_recall, "NIL is the right answer to no question")),
        ("Percentage of answers system confident about", share(run.confident_percent)),
        ("Percentage of confident answers that were correct", share(run.confident_correct_percent)),
    )
    caption = f"The first correct answers of {run.run}, strictly and leniently judged. {how}"
    return facts(f"{prefix}-table", rows, caption)


def _graph(id: str, kind: str, run: QaRunFigures, side: QaSide, median: MedianRun, campaign: CampaignResults) -> Chart:
    ours, theirs = _bars(side.histogram), _bars(median.histogram)
    first = side.histogram.at_rank[0] if side.histogram.at_rank else 0
    return rank_histogram(
        id,
        run.run,
        [(label, count, theirs[label]) for label, count in ours.items()],
        f"Questions by the rank of the first correct answer of {run.run} ({kind} judging), and of a hypothetical run "
        f"that has it at the median rank of {model.counted(len(campaign.runs), 'run')} on each question. {campaign.method}",
        f"Histogram: {run.run} answers {model.counted(first, 'question')} at rank 1 and misses {side.histogram.not_found} ({kind}).",
        title=f"Rank of the first correct answer, {kind}",
    )


def _bars(histogram: Histogram) -> dict[str, int]:
    bars = {str(rank): count for rank, count in enumerate(histogram.at_rank, start=1)}
    return {**bars, "not found": histogram.not_found}


def _ranks(prefix: str, figures: QaFigures, run: QaRunFigures, campaign: CampaignResults) -> Table:
    columns = (run.strict.ranks, figures.median_strict.ranks, run.lenient.ranks, figures.median_lenient.ranks)
    return topic_table(
        campaign,
        f"{prefix}-ranks",
        "Rank of the first correct answer",
        numbers("Strict", "Median, strict", "Lenient", "Median, lenient"),
        ((model.text(topic), *map(rank_cell, ranks)) for topic, *ranks in zip(figures.topics, *columns, strict=True)),
        f"Rank at which {run.run} returned the first correct answer of each question, and the median of "
        f"{model.counted(len(figures.runs), 'run')}.",
    )
